# SPDX-License-Identifier: Apache-2.0
"""Verdicts on uploaded results and documents, and the events that uploaded sets cover."""

import io
from typing import Annotated, Any

from fastapi import APIRouter, Response

from limbtrace.refmodels.errors import ParameterError
from limbtrace.service.http import cost_model, openapi
from limbtrace.service.http.cost_model import Amounts
from limbtrace.service.http.queries import format_query
from limbtrace.service.http.request_body import BODY_FAILURES, FILE_TYPES, FileBody, JsonBody, media_type_of, parsed
from limbtrace.service.http.responses import Exchange, Here
from limbtrace.service.settings import ServiceSettings
from limbtrace.vectors import sets
from limbtrace.vectors.coverage import FORMATS, Coverage, CoverageDocument, cover
from limbtrace.vectors.cycles.verify import document_core
from limbtrace.vectors.digests.read import read
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.format import beginning, known
from limbtrace.vectors.report.verdicts import multiplier_of, observed
from limbtrace.vectors.request import CHAINED, VectorRequest
from limbtrace.vectors.results import of_set
from limbtrace.vectors.results.document import Results
from limbtrace.vectors.schemas import VerificationRequest
from limbtrace.vectors.sets.document import SetDocument
from limbtrace.vectors.sets.in_json import read_document
from limbtrace.vectors.sets.read import VectorReader
from limbtrace.vectors.validation import document_multiplier
from limbtrace.vectors.verification import Verification
from limbtrace.vectors.verify import is_digest, recognised, verdict_on

router = APIRouter(prefix="/v1", tags=["verification"])

_COLLECTIONS: tuple[dict[str, Any], ...] = (
    {"description": "A set as Wycheproof.", "type": "object", "required": ["algorithm", "testGroups", "header"]},
    {"description": "A set as Rooterberg.", "type": "object", "required": ["testType", "tests", "description"]},
    {"description": "A set as ACVP.", "type": "array", "minItems": 2, "maxItems": 2},
    {"description": "A set as hashes.", "type": "object", "required": ["accumulated", "head", "multiplier"]},
)
"""Vector sets in JSON that are in the form of others."""


@router.post(
    "/verifications",
    summary="Compare results with the golden ones",
    response_class=Response,
    responses={
        200: openapi.json_answer("The verdict, down to the first divergence.", Verification),
        **openapi.problems(*BODY_FAILURES, 404, 410),
    },
    openapi_extra=openapi.body(VerificationRequest, Results, texts=FILE_TYPES, further=_COLLECTIONS),
)
def verification(here: Here, body: FileBody) -> Response:
    """Your results or a hash over them, in JSON, or a vector set, digest, trace or cycle table of limbtrace.

    These are taken in every format that `limbtrace verify` reads: a set in all of its formats, memory images as the
    tar archive, and traces, cycle tables and cases in GF(p^2) in JSON or CSV. Which it is follows from the content.

    Results for a set that this service remembers take its id alone: `{"set": ID, "results": [...]}`, with a result for
    each case in their order, or `{"id", "result"}` for some of them.
    """
    verdict = _verdict(here, body)
    return Response(dump(verdict) + "\n", headers={"Cache-Control": "no-store"}, media_type="application/json")


def _verdict(here: Exchange, body: bytes) -> dict[str, Any]:
    here.charge(cost_model.of_body(len(body)))
    document = _read(here, body)
    if isinstance(document, VectorReader):
        here.limits.check_set(document.request)
        here.charge(_of_reader(document.request))
        verdict = verdict_on(document)
    elif of_set.names_a_set(document):
        given = of_set.parse(document)
        request = here.known_set(given.set)
        here.charge(cost_model.of_set(request))
        verdict = of_set.verify(request, given)
    else:
        here.charge(_of_digest(here.limits, document) if is_digest(document) else _check_limits(here.limits, document))
        verdict = verdict_on(document)
    if verdict["first_divergence"] is not None:
        here.charge(cost_model.of_observations(multiplier_of(verdict), 1))
    return observed(verdict)


def _read(here: Exchange, body: bytes) -> dict[str, Any] | VectorReader:
    """The document or the vector set in a body. Raises RefusedError, ParameterError."""
    stream = io.BytesIO(body)
    start = beginning(stream)
    if (read := recognised(start)) is not None:
        return read(stream)
    if media_type_of(here.request.headers) in FILE_TYPES and start.lstrip()[:1] not in (b"{", b"["):
        of_sets = ", ".join(sets.FORMATS)
        known = f"a vector set ({of_sets}), a trace, cycle table or cases in GF(p^2) as CSV, or a document as JSON"
        raise ParameterError("body", f"it begins like no file that limbtrace writes, which would be {known}")
    return parsed(body)


def _of_reader(vectors: VectorRequest) -> Amounts:
    """The price of a set that is read: some formats have no cases, which are made again."""
    return cost_model.of_set(vectors) + cost_model.of_cases(vectors.multiplier, vectors.count)


def _of_digest(limits: ServiceSettings, document: dict[str, Any]) -> Amounts:
    """The price of a digest. Raises ParameterError, and LimitError above this service's limits."""
    limits.check_multiplier(document_multiplier(document))
    asked = read(document).request
    limits.check_digest(asked)
    return cost_model.of_set(asked.cases)


def _check_limits(limits: ServiceSettings, document: dict[str, Any]) -> Amounts:
    """The price of a document. Raises ParameterError if it implies too much work, which its size does not show."""
    amounts: Amounts = Amounts()
    groups = document.get("testGroups")
    head = groups[0] if isinstance(groups, list) and groups and isinstance(groups[0], dict) else document
    core = document_core(document) if "rows" in document else None
    multiplier = document_multiplier(head) if core is None else core.multiplier
    limits.check_multiplier(multiplier)
    if "steps" in document:
        limits.check_trace(multiplier, document.get("step"))
    for name in ("tests", "results"):
        if isinstance(head.get(name), list):
            products = 3 if "sequence" in head else 1
            limits.check_work(multiplier, products * len(head[name]), name)
            amounts += cost_model.of_cases(multiplier, products * len(head[name]))
    if groups and document.get("kind") == CHAINED and isinstance(head.get("tests"), list):
        chained = VectorRequest.resolve(multiplier, max(len(head["tests"]), 1), kind=CHAINED)
        limits.check_set_work(chained)
        amounts = cost_model.of_set(chained)
    if core is not None:
        limits.check_plan(core)
        amounts += cost_model.of_table(core, 1)
    return amounts


@router.post(
    "/coverage",
    summary="The events that a vector set makes happen",
    response_class=Response,
    responses={
        200: openapi.json_answer(
            "Every event, how often it happens, and in which case first.", CoverageDocument, FORMATS
        ),
        **openapi.problems(*BODY_FAILURES),
    },
    openapi_extra=openapi.body(SetDocument, SetDocument),
)
def coverage(
    here: Here,
    body: JsonBody,
    format: Annotated[str, format_query(FORMATS)] = "json",
) -> Response:
    """A vector set as limbtrace writes it, in JSON; `limbtrace cover` merges several."""
    form = FORMATS[known(format, FORMATS)]
    covered = _covered(here, body)
    return Response(b"".join(form.write(covered)), headers={"Cache-Control": "no-store"}, media_type=form.media_type)


def _covered(here: Exchange, body: bytes) -> Coverage:
    here.charge(cost_model.of_body(len(body)))
    document = parsed(body)
    if "testGroups" not in document:
        raise ParameterError("testGroups", "the document is no vector set, which has testGroups")
    amounts = _check_limits(here.limits, document)
    reader = read_document(document)
    here.limits.check_trace(reader.multiplier)
    here.charge(amounts + cost_model.of_steps(reader.multiplier, int(amounts["case"])))
    return cover(reader)
