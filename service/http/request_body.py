# SPDX-License-Identifier: Apache-2.0
"""Bodies of requests: JSON or files, received within limits of size, structure and time, and parsed by a worker."""

import io
import re
from typing import Annotated, Any

import anyio
import numpy as np
from fastapi import Depends, Request
from starlette.datastructures import Headers
from starlette.types import Receive, Scope

from limbtrace.service.http.metrics import Metrics
from limbtrace.service.http.problems import RefusedError
from limbtrace.service.settings import ServiceSettings
from limbtrace.vectors.validation import DamagedFileError, load_json

BODY_FAILURES = (400, 408, 413, 415, 503)
"""Statuses of responses to a request body that is not accepted."""
FORM = "multipart/form-data"
"""The media type of a form with files, whose brackets are not lists."""
START_SECONDS = 10.0
"""A body may take this long, and its length divided by the least rate."""
WAITING = 8
"""Bodies of the largest size that may be in memory at a time."""

_STRINGS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|(")[^"\\]*+(?:\\.[^"\\]*+)*+\\?\Z', re.DOTALL)
"""A string, or the beginning of one at the end of the text."""
_OTHERS = bytes({*range(256)} - {*b"[]{}"})
_STEPS = np.zeros(256, np.int32)
_STEPS[[*b"[{"]] = 1
_STEPS[[*b"]}"]] = -1


class Structure:
    """Lists and objects of a JSON text that arrives in pieces: how many, and how deep. It checks nothing else."""

    def __init__(self) -> None:
        self.items = self.deepest = 0
        self._depth = 0
        self._open = b""

    def feed(self, piece: bytes) -> None:
        """Count the next piece; the time is proportional to its length."""
        outside = self._with_escapes(piece) if b"\\" in self._open + piece else self._without_escapes(piece)
        steps = _STEPS[np.frombuffer(outside.translate(None, _OTHERS), np.uint8)]
        self.items += int((steps > 0).sum())
        levels = steps.cumsum()
        if len(levels):
            self.deepest = max(self.deepest, self._depth + int(levels.max()))
            self._depth += int(levels[-1])

    def _without_escapes(self, piece: bytes) -> bytes:
        """The text outside of strings: every second part between quotes."""
        parts = piece.split(b'"')
        outside = b"".join(parts[1 if self._open else 0 :: 2])
        if len(parts) % 2 == 0:
            self._open = b"" if self._open else b'"'
        return outside

    def _with_escapes(self, piece: bytes) -> bytes:
        """The text outside of strings, some of which have quotes inside."""
        text = self._open + piece
        outside = _STRINGS.sub(rb"\1", text)
        self._open = b""
        if outside.endswith(b'"'):
            backslashes = len(text) - len(text.rstrip(b"\\"))
            self._open = b'"\\' if backslashes % 2 else b'"'
        return outside


class Held:
    """A body in memory, until it is released."""

    def __init__(self, bodies: "Bodies", content: bytes) -> None:
        self._bodies, self.content = bodies, content

    def release(self) -> None:
        """Forget it."""
        self._bodies.held -= len(self.content)
        self.content = b""


class Bodies:
    """All bodies that a service receives."""

    def __init__(self, limits: ServiceSettings, metrics: Metrics) -> None:
        self.limits, self._metrics = limits, metrics
        self.held = 0

    async def receive(self, scope: Scope, receive: Receive) -> Held:
        """The body of a request. Raises RefusedError."""
        headers = Headers(scope=scope)
        declared = headers.get("content-length", "")
        limits = self.limits
        if declared.isdigit() and int(declared) > limits.max_body_bytes:
            raise self._too_large("max_body_bytes", f"is larger than the limit of {limits.max_body_bytes} bytes")
        media_type = media_type_of(headers)
        is_form, is_binary = media_type == FORM, media_type in BINARY_TYPES
        structure = Structure()
        body = bytearray()
        begin = anyio.current_time()
        try:
            more = True
            while more:
                piece, more = await self._piece(receive, begin, len(body))
                body += piece
                self.held += len(piece)
                if not is_form:
                    structure.feed(piece)
                self._check(body, structure, is_binary)
        except BaseException:
            self.held -= len(body)
            raise
        return Held(self, bytes(body))

    def _check(self, body: bytearray, structure: Structure, is_binary: bool) -> None:
        limits = self.limits
        if len(body) > limits.max_body_bytes:
            raise self._too_large("max_body_bytes", f"is larger than the limit of {limits.max_body_bytes} bytes")
        if structure.items > limits.max_body_items:
            raise self._too_large(
                "max_body_items", f"has more lists and objects than the limit of {limits.max_body_items}"
            )
        if structure.deepest > limits.max_body_depth and not is_binary:
            raise self._too_large("max_body_depth", f"is nested deeper than the limit of {limits.max_body_depth}")
        if self.held > WAITING * limits.max_body_bytes:
            self._metrics.refused.labels("max_body_bytes").inc()
            detail = "too many large bodies are being received; try again in 5 seconds"
            raise RefusedError(503, detail, headers={"Retry-After": "5", "Connection": "close"})

    def _too_large(self, limit: str, what: str) -> RefusedError:
        self._metrics.refused.labels(limit).inc()
        return RefusedError(413, f"the body {what}", headers={"Connection": "close"})

    async def _piece(self, receive: Receive, begin: float, received: int) -> tuple[bytes, bool]:
        """The next piece, and whether there are more."""
        stall, rate = self.limits.max_stall_seconds, self.limits.min_body_rate
        left = begin + START_SECONDS + received / rate - anyio.current_time()
        with anyio.move_on_after(max(0, min(stall, left))):
            message = await receive()
            if message["type"] == "http.disconnect":
                raise RefusedError(400, "the client went away")
            return message.get("body", b""), message.get("more_body", False)
        limit, reason = (
            ("max_stall_seconds", f"no more of the body came for {stall:g} seconds")
            if stall < left
            else ("min_body_rate", f"the body came more slowly than {rate} bytes a second")
        )
        self._metrics.cut.labels(limit).inc()
        detail = f"{reason}, which is the limit here"
        raise RefusedError(408, detail, headers={"Connection": "close"}, ended=limit)


def media_type_of(headers: Headers) -> str:
    """The media type of a body, without its parameters."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


async def json_body(request: Request) -> bytes:
    """The body, which the service has received whole before. Raises RefusedError."""
    media_type = media_type_of(request.headers)
    if media_type != "application/json":
        raise RefusedError(415, f"the body is {media_type[:60] or 'of no media type'}; it must be application/json")
    return await request.body()


JsonBody = Annotated[bytes, Depends(json_body)]

BINARY_TYPES = ("application/octet-stream", "application/x-tar")
"""Media types of files whose bytes may be brackets by chance."""
FILE_TYPES = ("text/csv", "text/plain", "application/x-ndjson", *BINARY_TYPES)
"""Media types of files with operands or cases, besides JSON."""


async def file_body(request: Request) -> bytes:
    """The body, which may be JSON or another file with operands or cases. Raises RefusedError."""
    media_type = media_type_of(request.headers)
    if media_type not in ("application/json", *FILE_TYPES):
        taken = ", ".join(("application/json", *FILE_TYPES))
        raise RefusedError(415, f"the body is {media_type[:60] or 'of no media type'}; it must be one of {taken}")
    return await request.body()


FileBody = Annotated[bytes, Depends(file_body)]


def parsed(body: bytes) -> dict[str, Any]:
    """The JSON object in a body. Raises RefusedError."""
    try:
        return load_json(io.BytesIO(body))
    except DamagedFileError as error:
        raise RefusedError(400, error.reason) from None
