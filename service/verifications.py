# SPDX-License-Identifier: Apache-2.0
"""Verdicts on uploaded results and documents."""

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from service import openapi
from service.bodies import BODY_FAILURES, json_body, parsed
from service.settings import ServiceSettings
from vectors.cycles.verify import document_core
from vectors.reading import document_multiplier
from vectors.results.document import Results
from vectors.schemas import VerificationRequest
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
    if core is not None:
        limits.check_plan(core)
