# SPDX-License-Identifier: Apache-2.0
"""Golden data by prime and radix: vector sets, traces, cycle tables, constants, with the command line's bytes."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from limbtrace.service.http import cost_model, openapi
from limbtrace.service.http.problems import note_store_error
from limbtrace.service.http.queries import MODEL_PARAMETERS, Asking, asking, format_query, one_of
from limbtrace.service.http.responses import Here
from limbtrace.service.storage.store import StoredRequest, StoreError
from limbtrace.vectors import catalogue, cycles, digests, fp2, sets, traces
from limbtrace.vectors.catalogue.document import Constants
from limbtrace.vectors.cycles import CycleQuery, CycleRequest
from limbtrace.vectors.cycles.document import CycleDocument
from limbtrace.vectors.digests import DigestDocument, DigestQuery
from limbtrace.vectors.format import Format, known
from limbtrace.vectors.fp2 import Fp2Query, Fp2Request
from limbtrace.vectors.fp2.document import Fp2Set
from limbtrace.vectors.grades import grade_of
from limbtrace.vectors.options import ModelQuery
from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.sets import VectorQuery, VectorSet
from limbtrace.vectors.sets.document import SetDocument
from limbtrace.vectors.sets.vector_set import NOTED, OCCURRING, check_notes
from limbtrace.vectors.traces import TraceQuery, TraceRequest
from limbtrace.vectors.traces.document import TraceDocument

router = APIRouter(prefix="/v1", tags=["golden data"])

_SHOWN = ("application/json", "image/svg+xml")
"""Media types that browsers display, so that they need no file name."""

_ANY_PARAMETER: dict[str, Any] = {"parameters": [MODEL_PARAMETERS]}


def _filename(multiplier: Multiplier, what: str, format: Format[Any]) -> str | None:
    """A file name for content that browsers do not display."""
    prime = multiplier.modulus.name or f"{multiplier.modulus.bits}bit"
    return None if format.media_type in _SHOWN else f"{what}-{prime}.{format.extension}"


def _identity(multiplier: Multiplier, **request: Any) -> dict[str, Any]:
    """The normalised request: everything that determines the bytes of a response."""
    return {"multiplier": multiplier.identity, "prime": multiplier.modulus.name, **request}


def _set(
    here: Here, vectors: VectorRequest, format: Format[VectorSet], notes: str, is_graded: bool = False
) -> Response:
    amounts = cost_model.of_set(vectors)
    if is_graded:
        here.limits.graded_cases(vectors.count)
        amounts += cost_model.of_grade(vectors.multiplier, vectors.count)
    return here.stream(
        [vectors.document, format.name, notes, *["graded"] * is_graded],
        sets.render(VectorSet(vectors, notes=notes, grade=grade_of if is_graded else None), format.name),
        format.media_type,
        _remembered(here, vectors),
        _filename(vectors.multiplier, f"{vectors.multiplier.model.id}-{vectors.id[:8]}", format),
        amounts=amounts,
    )


def _remembered(here: Here, asked: StoredRequest) -> dict[str, str]:
    """Stores a set; returns the headers with its id.

    Cases do not depend on the database: if it fails they are still returned, but without these headers.
    """
    try:
        certified = here.store.remember(asked)
    except StoreError as error:
        note_store_error(here.request, error)
        return {"Cache-Control": "no-store"}
    headers = {"Limbtrace-Set": asked.id}
    return {**headers, "Limbtrace-Certificate": certified.header} if certified else headers


_REMEMBERED = {
    "Limbtrace-Set": "Id of the set, remembered from now on; missing where the database failed.",
    "Limbtrace-Certificate": "Of a certified set: sha256 of the certificate, cases, disagreements.",
}
_SET = openapi.answer("The set.", SetDocument, sets.FORMATS, headers=_REMEMBERED)


@router.get(
    "/vectors",
    summary="Test vectors by prime and radix",
    response_class=Response,
    responses=_SET,
    openapi_extra=_ANY_PARAMETER,
)
def vectors(here: Here, asked: Annotated[Asking[VectorQuery], asking(VectorQuery, sets.FORMATS)]) -> Response:
    """Vectors of a request, which gives equal bytes on every machine; the first N cases do not depend on the count."""
    return _set(here, here.limits.vectors(asked.query), asked.format, asked.query.notes, asked.query.grade)


@router.get(
    "/sets/{id}",
    summary="A set handed out earlier",
    response_class=Response,
    responses={**_SET, **openapi.problems(404, 410)},
)
def earlier_set(
    here: Here,
    id: Annotated[str, Path(description="Id of a set.", examples=[openapi.SET_ID])],
    format: Annotated[str, format_query(sets.FORMATS)] = "json",
    notes: Annotated[
        str, Query(description="As for /v1/vectors.", examples=["all"], json_schema_extra=one_of(NOTED))
    ] = OCCURRING,
) -> Response:
    """Any set whose id /v1/vectors has returned, unless it has been displaced by newer sets."""
    check_notes(notes)
    return _set(here, here.known_set(id), sets.FORMATS[known(format, sets.FORMATS)], notes)


@router.get(
    "/digests",
    summary="One hash over the results of a set, or of some of its cases",
    response_class=Response,
    responses=openapi.answer("The digest.", DigestDocument, digests.FORMATS),
    openapi_extra=_ANY_PARAMETER,
)
def digest(here: Here, asked: Annotated[Asking[DigestQuery], asking(DigestQuery, digests.FORMATS)]) -> Response:
    """The root of the tree over a set, or with `first` and `last` a node of it, or part of a leaf."""
    query, format = asked.query, asked.format
    digest = here.limits.digest(query)
    return here.stream(
        ["digest", digest.hashed.vectors.document, digest.hashed.leaf, digest.level, digest.range, format.name],
        format.write(digest),
        format.media_type,
        amounts=cost_model.of_set(digest.cases),
    )


@router.get(
    "/traces",
    summary="Every intermediate of one product, in the paper's symbols",
    response_class=Response,
    responses=openapi.answer(
        "The trace; the header Limbtrace-Claims says the outcome of `check`.",
        TraceDocument,
        traces.FORMATS,
    ),
    openapi_extra=_ANY_PARAMETER,
)
def trace(here: Here, asked: Annotated[Asking[TraceQuery], asking(TraceQuery, traces.FORMATS)]) -> Response:
    """The digit-level trace of one product."""
    query, format = asked.query, asked.format
    multiplier = here.limits.multiplier(query)
    here.limits.check_trace(multiplier, query.step)
    amounts = cost_model.of_trace(multiplier)
    here.charge(amounts)
    trace = TraceRequest.of(query, multiplier, here.limits.max_trace_steps)
    operands = {"a": multiplier.written(trace.a), "b": multiplier.written(trace.b), "step": trace.step}
    return here.stream(
        _identity(multiplier, **operands, trace=format.name),
        format.write(trace),
        format.media_type,
        {"Limbtrace-Claims": _claims(trace)} if query.check else None,
        _filename(multiplier, f"{multiplier.model.id}-trace", format),
        amounts=amounts,
    )


def _claims(trace: TraceRequest) -> str:
    count = trace.claims
    violations = trace.violations()
    broken = f"{len(violations)} violations of {count} claims; first: {violations[0]}" if violations else ""
    return broken.encode("ascii", "replace").decode() or f"all {count} hold"


@router.get(
    "/cycles",
    summary="Every watched register in every cycle",
    response_class=Response,
    responses=openapi.answer(
        "The cycle table.",
        CycleDocument,
        cycles.FORMATS,
    ),
    openapi_extra=_ANY_PARAMETER,
)
def cycle_table(here: Here, asked: Annotated[Asking[CycleQuery], asking(CycleQuery, cycles.FORMATS)]) -> Response:
    """The cycle table of given operands, or of those of a seeded set of `count` cases."""
    query, format = asked.query, asked.format
    core = here.limits.core(query)
    format.check(core)
    table = CycleRequest.of(query, core, here.limits.max_cycle_cells)
    jobs = [[hex(job.a), hex(job.b), start] for job, start in zip(table.jobs, table.starts, strict=True)]
    return here.stream(
        _identity(core.multiplier, core=query.core, own=core.shape.own, jobs=jobs, table=format.name),
        format.write(table),
        format.media_type,
        filename=_filename(core.multiplier, query.core, format),
        amounts=cost_model.of_table(core, len(table.jobs)),
    )


_FP2 = openapi.answer("The cases.", Fp2Set, fp2.FORMATS, headers=_REMEMBERED)


def _fp2(here: Here, cases: Fp2Request, format: Format[Fp2Request]) -> Response:
    pairs = None if cases.drawn else [[list(map(hex, element)) for element in pair] for pair in cases.pairs]
    request = {"op": cases.op, "pairs": pairs, "drawn": cases.drawn, "count": len(cases.pairs), "steps": cases.steps}
    return here.stream(
        _identity(cases.multiplier, fp2=format.name, **request),
        format.write(cases),
        format.media_type,
        _remembered(here, cases),
        _filename(cases.multiplier, f"{cases.multiplier.model.id}-fp2-{cases.op}", format),
        amounts=cost_model.of_fp2(cases),
    )


@router.get(
    "/fp2",
    summary="Products and squares in GF(p^2), by base-field operations",
    response_class=Response,
    responses=_FP2,
    openapi_extra=_ANY_PARAMETER,
)
def extension_field(here: Here, asked: Annotated[Asking[Fp2Query], asking(Fp2Query, fp2.FORMATS)]) -> Response:
    """Cases for given elements, or for drawn ones."""
    return _fp2(here, here.limits.fp2(asked.query), asked.format)


@router.get(
    "/fp2/{id}",
    summary="Cases in GF(p^2) handed out earlier",
    response_class=Response,
    responses={**_FP2, **openapi.problems(404, 410)},
)
def earlier_fp2(
    here: Here,
    id: Annotated[str, Path(description="Id of cases in GF(p^2).", examples=[openapi.FP2_ID])],
    format: Annotated[str, format_query(fp2.FORMATS)] = "json",
) -> Response:
    """Any cases whose id /v1/fp2 has returned, without their steps, unless they were displaced by newer sets."""
    return _fp2(here, here.known_fp2(id), fp2.FORMATS[known(format, fp2.FORMATS)])


@router.get(
    "/constants",
    summary="The constants a core or a program needs",
    response_class=Response,
    responses=openapi.answer(
        "The constants.",
        Constants,
        catalogue.CONSTANT_FORMATS,
    ),
    openapi_extra=_ANY_PARAMETER,
)
def constants(
    here: Here, asked: Annotated[Asking[ModelQuery], asking(ModelQuery, catalogue.CONSTANT_FORMATS)]
) -> Response:
    """R, its square modulo the modulus, inverses ... as JSON, SystemVerilog or VHDL."""
    text = b"".join(asked.format.write(here.limits.multiplier(asked.query))).decode()
    return here.text(text, asked.format.media_type)
