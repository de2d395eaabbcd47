# SPDX-License-Identifier: Apache-2.0
"""Golden data by prime and radix: vector sets, traces, cycle tables, constants. The bytes are the command line's."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from service import openapi
from service.answers import Here
from service.problems import note_store_error
from service.queries import (
    MODEL_PARAMETERS,
    ConstantsParameters,
    CycleParameters,
    Fp2Parameters,
    TraceParameters,
    VectorParameters,
    known_format,
)
from service.store import StoreError
from vectors import catalogue, cycles, documents, formats, fp2, traces
from vectors.request import Multiplier, VectorRequest
from vectors.sets import VectorSet
from vectors.source import cycle_request
from vectors.traces import TraceRequest

router = APIRouter(prefix="/v1", tags=["golden data"])

_EXTENSIONS = {
    "ndjson": "ndjson",
    "csv": "csv",
    "readmemh": "tar",
    "vcd": "vcd",
    "fst": "fst",
    "gtkw": "gtkw",
    "units": "csv",
    "text": "txt",
}

_ANY_PARAMETER: dict[str, Any] = {"parameters": [MODEL_PARAMETERS]}


def _media(formats: dict[str, tuple[str, Any]]) -> list[str]:
    return [media_type for media_type, _ in formats.values()]


def _filename(multiplier: Multiplier, what: str, format: str) -> str | None:
    """A name under which to save anything but JSON, which browsers show."""
    prime = multiplier.modulus.name or f"{multiplier.modulus.bits}bit"
    return f"{what}-{prime}.{_EXTENSIONS[format]}" if format in _EXTENSIONS else None


def _identity(multiplier: Multiplier, **request: Any) -> dict[str, Any]:
    """The normalised request: all that determines the bytes of an answer."""
    return {"multiplier": multiplier.identity, "prime": multiplier.modulus.name, **request}


def _set(here: Here, vectors: VectorRequest, format: str) -> Response:
    return here.stream(
        [vectors.document, format],
        formats.render(VectorSet(vectors), format),
        formats.FORMATS[format][0],
        _remembered(here, vectors),
        _filename(vectors.multiplier, f"{vectors.multiplier.model.id}-{vectors.id[:8]}", format),
    )


def _remembered(here: Here, vectors: VectorRequest) -> dict[str, str]:
    """Remembers a set; the headers that say so.

    Vectors do not depend on the database: where it fails they are handed out all the same, without the promise.
    """
    try:
        certified = here.store.remember(vectors)
    except StoreError as error:
        note_store_error(here.request, error)
        return {"Cache-Control": "no-store"}
    headers = {"Limbtrace-Set": vectors.id}
    return {**headers, "Limbtrace-Certificate": certified.header} if certified else headers


_SET = openapi.answer(
    "The set.",
    documents.VectorSet,
    _media(formats.FORMATS),
    headers={
        "Limbtrace-Set": "Id of the set, remembered from now on; missing where the database failed.",
        "Limbtrace-Certificate": "Of a certified set: sha256 of the certificate, cases, disagreements.",
    },
)


@router.get(
    "/vectors",
    summary="Test vectors by prime and radix",
    response_class=Response,
    responses=_SET,
    openapi_extra=_ANY_PARAMETER,
)
def vectors(here: Here, query: VectorParameters) -> Response:
    """The same request gives the same bytes, on every machine; the first N cases do not depend on the count."""
    format = known_format(query.format, formats.FORMATS)
    return _set(here, query.vectors(here.request, here.limits), format)


@router.get(
    "/sets/{id}",
    summary="A set handed out earlier",
    response_class=Response,
    responses={**_SET, **openapi.problems(404, 410)},
)
def earlier_set(
    here: Here,
    id: Annotated[str, Path(description="Id of a set.", examples=[openapi.SET_ID])],
    format: Annotated[str, Query(description=f"{', '.join(formats.FORMATS)}.", examples=["json"])] = "json",
) -> Response:
    """Any set whose id /v1/vectors gave, unless many others followed."""
    return _set(here, here.known_set(id), known_format(format, formats.FORMATS))


@router.get(
    "/traces",
    summary="Every intermediate of one product, in the paper's symbols",
    response_class=Response,
    responses=openapi.answer(
        "The trace; the header Limbtrace-Claims says the outcome of `check`.",
        documents.Trace,
        _media(traces.FORMATS),
    ),
    openapi_extra=_ANY_PARAMETER,
)
def trace(here: Here, query: TraceParameters) -> Response:
    """The digit-level trace of one product."""
    format = known_format(query.format, traces.FORMATS)
    multiplier = query.multiplier(here.request, here.limits)
    here.limits.check_trace(multiplier, query.step)
    trace = TraceRequest(multiplier, query.a, query.b, here.limits.max_trace_steps, query.step)
    operands = {"a": multiplier.written(trace.a), "b": multiplier.written(trace.b), "step": trace.step}
    return here.stream(
        _identity(multiplier, **operands, trace=format),
        traces.render(trace, format),
        traces.FORMATS[format][0],
        {"Limbtrace-Claims": _claims(trace)} if query.check else None,
        _filename(multiplier, f"{multiplier.model.id}-trace", format),
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
        documents.CycleTable,
        _media(cycles.FORMATS),
    ),
    openapi_extra=_ANY_PARAMETER,
)
def cycle_table(here: Here, query: CycleParameters) -> Response:
    """For given operands, or for those of a seeded set of `count` cases."""
    format = known_format(query.format, cycles.FORMATS)
    core = query.core_request(here.request, here.limits)
    cycles.check_format(core, format)
    table = cycle_request(core, query.operands, query.count, query.seed, query.kind, here.limits.max_cycle_cells)
    jobs = [[hex(job.a), hex(job.b), start] for job, start in zip(table.jobs, table.starts, strict=True)]
    return here.stream(
        _identity(core.multiplier, core=query.core, own=core.shape.own, jobs=jobs, table=format),
        cycles.render(table, format),
        cycles.FORMATS[format][0],
        filename=_filename(core.multiplier, query.core, format),
    )


@router.get(
    "/fp2",
    summary="Products and squares in GF(p^2), by base-field operations",
    response_class=Response,
    responses=openapi.answer("The cases.", documents.Fp2Set, _media(fp2.FORMATS)),
    openapi_extra=_ANY_PARAMETER,
)
def extension_field(here: Here, query: Fp2Parameters) -> Response:
    """For given elements, or for drawn ones."""
    format = known_format(query.format, fp2.FORMATS)
    asked = query.fp2(here.request, here.limits)
    pairs = None if asked.drawn else [[list(map(hex, element)) for element in pair] for pair in asked.pairs]
    request = {"op": asked.op, "pairs": pairs, "drawn": asked.drawn, "count": len(asked.pairs), "steps": asked.steps}
    return here.stream(
        _identity(asked.multiplier, fp2=format, **request),
        fp2.render(asked, format),
        fp2.FORMATS[format][0],
        filename=_filename(asked.multiplier, f"{asked.multiplier.model.id}-fp2-{asked.op}", format),
    )


@router.get(
    "/constants",
    summary="The constants a core or a program needs",
    response_class=Response,
    responses=openapi.answer(
        "The constants.",
        documents.Constants,
        _media(catalogue.CONSTANT_FORMATS),
    ),
    openapi_extra=_ANY_PARAMETER,
)
def constants(here: Here, query: ConstantsParameters) -> Response:
    """R, its square modulo the modulus, inverses ... as JSON, SystemVerilog or VHDL."""
    format = known_format(query.format, catalogue.CONSTANT_FORMATS)
    multiplier = query.multiplier(here.request, here.limits)
    return here.text(catalogue.render_constants(multiplier, format).decode(), catalogue.CONSTANT_FORMATS[format][0])
