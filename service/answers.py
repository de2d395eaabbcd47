# SPDX-License-Identifier: Apache-2.0
"""Answers: validators, streams that stop when the client goes, the same bytes as the command line."""

from collections.abc import Generator, Iterable, Iterator, Mapping
from itertools import chain
from typing import Annotated, Any

from fastapi import Depends, Request, Response
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from service.sets import Sets
from service.settings import ServiceSettings
from vectors.wire import digest, dump

BLOCK = 1 << 16
"""Bytes that are sent at once, at least; each block costs a change of threads."""


def blocks(chunks: Iterable[bytes]) -> Generator[bytes, None, None]:
    """The same bytes in fewer pieces."""
    held: list[bytes] = []
    size = 0
    for chunk in chunks:
        held.append(chunk)
        size += len(chunk)
        if size >= BLOCK:
            yield b"".join(held)
            held.clear()
            size = 0
    yield b"".join(held)


class Stream(StreamingResponse):
    """Bytes as they are made, in a thread. The first block is made at once, so that its errors can be answered."""

    def __init__(self, chunks: Iterable[bytes], headers: Mapping[str, str], media_type: str) -> None:
        self._blocks = blocks(chunks)
        body: Iterator[bytes] = chain([next(self._blocks)], self._blocks)
        super().__init__(body, headers=headers, media_type=media_type)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._blocks.close()  # does nothing unless the client went before the end


class Exchange:
    """A request with the limits and the memory of its app, and the ways to answer it."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.limits: ServiceSettings = request.app.state.limits
        self.sets: Sets = request.app.state.sets

    def stream(
        self,
        identity: Any,
        chunks: Iterable[bytes],
        media_type: str,
        headers: Mapping[str, str] | None = None,
        filename: str | None = None,
    ) -> Response:
        """A stream; `identity` is the normalised request, of which the ETag is the hash. 304 where the client has it.

        `chunks` must do nothing before they are asked for.
        """
        all_headers = {**self._validators(identity), **(headers or {})}
        if self._is_known(all_headers["ETag"]):
            return Response(status_code=304, headers=all_headers)
        if filename is not None:
            all_headers["Content-Disposition"] = f'attachment; filename="{filename}"'
        return Stream([] if self.request.scope.get("head") else chunks, all_headers, media_type)

    def document(self, document: dict[str, Any]) -> Response:
        """A JSON document in one line, as on the command line; the ETag is the hash of it."""
        return self.text(dump(document) + "\n", "application/json")

    def text(self, text: str, media_type: str) -> Response:
        """A short text; the ETag is the hash of it."""
        headers = self._validators(text)
        if self._is_known(headers["ETag"]):
            return Response(status_code=304, headers=headers)
        return Response(text, headers=headers, media_type=media_type)

    def _validators(self, identity: Any) -> dict[str, str]:
        # A release may change the bytes of an answer, so its version is part of the hash.
        tag = digest(dump([self.request.app.version, identity]))[:32]
        return {"ETag": f'"{tag}"', "Cache-Control": f"public, max-age={self.limits.max_age}"}

    def _is_known(self, tag: str) -> bool:
        """Whether If-None-Match says that the client has the answer already (weak comparison, RFC 9110)."""
        given = [entry.strip().removeprefix("W/") for entry in self.request.headers.get("if-none-match", "").split(",")]
        return tag in given or "*" in given


Here = Annotated[Exchange, Depends(Exchange)]
