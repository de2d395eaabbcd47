# SPDX-License-Identifier: Apache-2.0
"""Verdicts on uploaded results and documents, and the events that uploaded sets cover."""

from typing import Annotated, Any

from fastapi import APIRouter, Response

from limbtrace.refmodels.errors import ParameterError
from limbtrace.service.http import cost_model, openapi
from limbtrace.service.http.cost_model import Amounts
from limbtrace.service.http.queries import format_query
from limbtrace.service.http.request_body import BODY_FAILURES, JsonBody, parsed
from limbtrace.service.http.responses import Exchange, Here
from limbtrace.service.settings import ServiceSettings
from limbtrace.vectors.coverage import FORMATS, Coverage, CoverageDocument, cover
from limbtrace.vectors.cycles.verify import document_core
from limbtrace.vectors.digests.read import read
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.format import known
from limbtrace.vectors.report.verdicts import multiplier_of, observed
from limbtrace.vectors.request import CHAINED, VectorRequest
from limbtrace.vectors.results import of_set
from limbtrace.vectors.results.document import Results
from limbtrace.vectors.schemas import VerificationRequest
from limbtrace.vectors.sets.document import SetDocument
from limbtrace.vectors.sets.in_json import read_document
from limbtrace.vectors.validation import document_multiplier
from limbtrace.vectors.verification import Verification
from limbtrace.vectors.verify import is_digest, verdict_on

router = APIRouter(prefix="/v1", tags=["verification"])


@router.post(
    "/verifications",
    summary="Compare results with the golden ones",
    response_class=Response,
    responses={
        200: openapi.json_answer("The verdict, down to the first divergence.", Verification),
        **openapi.problems(*BODY_FAILURES, 404, 410),
    },
    openapi_extra=openapi.body(VerificationRequest, Results),
)
def verification(here: Here, body: JsonBody) -> Response:
    """Your results or a hash over them, or a vector set, digest, trace or cycle table of limbtrace, in JSON.

    Results for a set that this service remembers take its id alone: `{"set": ID, "results": [...]}`, with a result for
    each case in their order, or `{"id", "result"}` for some of them.
    """
    verdict = _verdict(here, body)
    return Response(dump(verdict) + "\n", headers={"Cache-Control": "no-store"}, media_type="application/json")


def _verdict(here: Exchange, body: bytes) -> dict[str, Any]:
    here.charge(cost_model.of_body(len(body)))
    document = parsed(body)
    if of_set.names_a_set(document):
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
