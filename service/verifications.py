# SPDX-License-Identifier: Apache-2.0
"""Verdicts on uploaded results and documents, and the events that uploaded sets cover."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from refmodels.errors import ParameterError
from service import openapi
from service.bodies import BODY_FAILURES, json_body, parsed
from service.settings import ServiceSettings
from vectors.coverage import FORMATS, Coverage, CoverageDocument, cover
from vectors.cycles.verify import document_core
from vectors.format import known
from vectors.reading import document_multiplier
from vectors.request import CHAINED, VectorRequest
from vectors.results.document import Results
from vectors.schemas import VerificationRequest
from vectors.sets.document import SetDocument
from vectors.sets.in_json import read_document
from vectors.verdict import Verification
from vectors.verify import verify
from vectors.wire import dump

router = APIRouter(prefix="/v1", tags=["verification"])


@router.post(
    "/verifications",
    summary="Compare results with the golden ones",
    response_class=Response,
    responses={
        200: openapi.json_answer("The verdict, down to the first divergence.", Verification),
        **openapi.problems(*BODY_FAILURES, 503),
    },
    openapi_extra=openapi.body(VerificationRequest, Results),
)
async def verification(request: Request) -> Response:
    """Your results, or a vector set, trace or cycle table as limbtrace writes them, in JSON."""
    limits: ServiceSettings = request.app.state.limits
    body = await json_body(request, limits)
    verdict = await run_in_threadpool(_verdict, limits, body)
    return Response(dump(verdict) + "\n", headers={"Cache-Control": "no-store"}, media_type="application/json")


def _verdict(limits: ServiceSettings, body: bytes) -> dict[str, Any]:
    document = parsed(body)
    _check_limits(limits, document)
    return verify(document)


def _check_limits(limits: ServiceSettings, document: dict[str, Any]) -> None:
    """Raises ParameterError if a document implies too much work, which its size does not show."""
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
    if groups and document.get("kind") == CHAINED and isinstance(head.get("tests"), list):
        limits.check_set_work(VectorRequest.resolve(multiplier, max(len(head["tests"]), 1), kind=CHAINED))
    if core is not None:
        limits.check_plan(core)


@router.post(
    "/coverage",
    summary="The events that a vector set makes happen",
    response_class=Response,
    responses={
        200: openapi.json_answer(
            "Every event, how often it happens, and in which case first.", CoverageDocument, FORMATS
        ),
        **openapi.problems(*BODY_FAILURES, 503),
    },
    openapi_extra=openapi.body(SetDocument, SetDocument),
)
async def coverage(
    request: Request,
    format: Annotated[str, Query(description=f"{', '.join(FORMATS)}.", examples=["json"])] = "json",
) -> Response:
    """A vector set as limbtrace writes it, in JSON; `limbtrace cover` merges several."""
    limits: ServiceSettings = request.app.state.limits
    form = FORMATS[known(format, FORMATS)]
    body = await json_body(request, limits)
    covered = await run_in_threadpool(_covered, limits, body)
    return Response(b"".join(form.write(covered)), headers={"Cache-Control": "no-store"}, media_type=form.media_type)


def _covered(limits: ServiceSettings, body: bytes) -> Coverage:
    document = parsed(body)
    if "testGroups" not in document:
        raise ParameterError("testGroups", "the document is no vector set, which has testGroups")
    _check_limits(limits, document)
    reader = read_document(document)
    limits.check_trace(reader.multiplier)
    return cover(reader)
