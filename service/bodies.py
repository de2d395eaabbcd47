# SPDX-License-Identifier: Apache-2.0
"""Bodies of requests: JSON, of a limited size."""

import io
from typing import Any

from fastapi import Request

from service.problems import RefusedError
from service.settings import ServiceSettings
from vectors.reading import DamagedFileError, load_json

BODY_FAILURES = (400, 408, 413, 415)
"""Statuses of responses to an unreadable request body."""


async def json_body(request: Request, limits: ServiceSettings) -> bytes:
    """The body, read only up to the limit. Raises RefusedError."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise RefusedError(415, f"the body is {media_type[:60] or 'of no media type'}; it must be application/json")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limits.max_body_bytes:
            request.app.state.metrics.refused.labels("max_body_bytes").inc()
            detail = f"the body is larger than the limit of {limits.max_body_bytes} bytes"
            raise RefusedError(413, detail, headers={"Connection": "close"})
    return bytes(body)


def parsed(body: bytes) -> dict[str, Any]:
    """The JSON object in a body. Raises RefusedError."""
    try:
        return load_json(io.BytesIO(body))
    except DamagedFileError as error:
        raise RefusedError(400, error.reason) from None
