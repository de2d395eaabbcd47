# SPDX-License-Identifier: Apache-2.0
"""Verdicts on results seen somewhere."""

import io
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from refmodels.registry import architecture
from service import openapi
from service.problems import RefusedError
from service.settings import ServiceSettings
from vectors import documents
from vectors.reading import DamagedFileError, document_multiplier, load_json
from vectors.verify import verify
from vectors.wire import dump

router = APIRouter(prefix="/v1", tags=["verification"])


@router.post(
    "/verifications",
    summary="Compare results with the golden ones",
    response_class=Response,
    responses=openapi.answer(
        "The verdict, down to the first divergence.",
        documents.Verification,
        [],
        400,
        413,
        415,
        422,
    ),
    openapi_extra=openapi.verification_body(),
)
async def verification(request: Request) -> Response:
    """Results of one's own, or a vector set, trace or cycle table as limbtrace writes them, in JSON."""
    limits: ServiceSettings = request.app.state.limits
    body = await _body(request, limits.max_body_bytes)
    verdict = await run_in_threadpool(_verdict, limits, body)
    return Response(dump(verdict) + "\n", headers={"Cache-Control": "no-store"}, media_type="application/json")


async def _body(request: Request, limit: int) -> bytes:
    """The body, of which no more than the limit is ever held. Raises RefusedError."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise RefusedError(415, f"the body is {media_type[:60] or 'of no media type'}; it must be application/json")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise RefusedError(
                413, f"the body is larger than the limit of {limit} bytes", headers={"Connection": "close"}
            )
    return bytes(body)


def _verdict(limits: ServiceSettings, body: bytes) -> dict[str, Any]:
    try:
        document = load_json(io.BytesIO(body))
    except DamagedFileError as error:
        raise RefusedError(400, error.reason) from None
    _check_limits(limits, document)
    return verify(document)


def _check_limits(limits: ServiceSettings, document: dict[str, Any]) -> None:
    """Raises ParameterError when the work behind a document, which its size does not show, is too much."""
    groups = document.get("testGroups")
    head = groups[0] if isinstance(groups, list) and groups and isinstance(groups[0], dict) else document
    multiplier = document_multiplier(head)
    limits.check_modulus(hex(multiplier.modulus.modulus))
    for name in ("tests", "results"):
        if isinstance(head.get(name), list):
            limits.check_work(multiplier, len(head[name]), name)
    if "rows" in document:
        limits.check_plan(architecture(str(document.get("core"))), multiplier)
