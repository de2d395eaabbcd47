# SPDX-License-Identifier: Apache-2.0
"""Responses: validators, streams that stop when the client disconnects, the bytes of the command line."""

from collections.abc import Generator, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Annotated, Any

import anyio.from_thread
from fastapi import Depends, Request, Response
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from limbtrace.service.http.cost_model import Amounts, seconds
from limbtrace.service.http.problems import RefusedError
from limbtrace.service.settings import ServiceSettings
from limbtrace.service.storage.store import Store
from limbtrace.service.storage.tokens import Token
from limbtrace.vectors.encoding import digest, dump
from limbtrace.vectors.fp2 import Fp2Request
from limbtrace.vectors.request import VectorRequest

FREE_SECONDS = 0.25
"""Expected seconds below which an answer is computed at once."""
BLOCK = 1 << 16
"""Least number of bytes that are sent at once, since each block costs a thread switch."""


def blocks(chunks: Iterable[bytes]) -> Generator[bytes, None, None]:
    """The bytes in fewer, larger pieces."""
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
    """Blocks as they are generated in a thread; `first` was generated before, so that its errors could be reported."""

    def __init__(
        self, first: list[bytes], rest: Generator[bytes, None, None], headers: Mapping[str, str], media_type: str
    ) -> None:
        self._rest = rest
        body: Iterator[bytes] = chain(first, rest)
        super().__init__(body, headers=headers, media_type=media_type)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._rest.close()  # does nothing unless the client went before the end


class Exchange:
    """A request with the limits and the store of its app, and the ways to answer it."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.limits: ServiceSettings = request.app.state.limits
        self.store: Store = request.app.state.store
        self.token: Token | None = request.scope.get("token")
        """Token of this request, if the service has access tokens."""

    def count(self, name: str, label: str) -> None:
        """Increment a counter of the metrics."""
        self.request.app.state.metrics.count(name, label)

    def charge(self, amounts: Amounts) -> None:
        """Wait for the turn of a computation of these amounts; one that is expected to be short does not wait."""
        turn, price = self.request.scope.get("turn"), seconds(amounts)
        if turn is not None and price > FREE_SECONDS:
            anyio.from_thread.run(turn, price)

    def known_set(self, name: str) -> VectorRequest:
        """The request of a set that was handed out earlier, if the current limits allow it.

        Raises RefusedError (404), LimitError, StoreError, OutdatedError.
        """
        vectors = self.store.find(name)
        if not isinstance(vectors, VectorRequest):
            raise self._forgotten(name, "/v1/vectors")
        self.limits.check_set(vectors)
        return vectors

    def known_fp2(self, name: str) -> Fp2Request:
        """Like `known_set`, of cases in GF(p^2)."""
        cases = self.store.find(name)
        if not isinstance(cases, Fp2Request):
            raise self._forgotten(name, "/v1/fp2")
        self.limits.check_fp2(cases)
        return cases

    def _forgotten(self, name: str, route: str) -> RefusedError:
        return RefusedError(
            404,
            f"id: no set {name[:40]!r} is remembered; sets are forgotten when {self.limits.max_sets} others were "
            f"used since, and the same request to {route} gives the same set again",
            "id",
        )

    def stream(
        self,
        identity: Any,
        chunks: Iterable[bytes],
        media_type: str,
        headers: Mapping[str, str] | None = None,
        filename: str | None = None,
        *,
        amounts: Amounts,
    ) -> Response:
        """A stream; `identity` is the normalised request, whose hash is the ETag. 304 if the client has it already.

        `chunks` must be lazy; `amounts` are the price.
        """
        all_headers = {**self._validators(identity), **(headers or {})}
        if known := self._known(all_headers):
            return known
        if filename is not None:
            all_headers["Content-Disposition"] = f'attachment; filename="{filename}"'
        if self.request.scope.get("head"):
            return Stream([], blocks([]), all_headers, media_type)
        self.charge(amounts)
        rest = blocks(chunks)
        first = [*islice(rest, 2)]
        if len(first) < 2:  # it is all there
            return Response(b"".join(first), headers=all_headers, media_type=media_type)
        return Stream(first, rest, all_headers, media_type)

    def document(self, document: dict[str, Any]) -> Response:
        """A JSON document in one line, as on the command line; the ETag is its hash."""
        return self.text(dump(document) + "\n", "application/json")

    def text(self, text: str, media_type: str) -> Response:
        """A short text; the ETag is its hash. What answers a POST is for the one who sent it, and has none."""
        if self.request.method == "POST":
            return Response(text, headers={"Cache-Control": "no-store"}, media_type=media_type)
        headers = self._validators(text)
        return self._known(headers) or Response(text, headers=headers, media_type=media_type)

    def _validators(self, identity: Any) -> dict[str, str]:
        # A release may change the bytes of a response, so its version is part of the hash.
        tag = digest(dump([self.request.app.version, identity]))[:32]
        return {
            "ETag": f'"{tag}"',
            "Cache-Control": f"public, max-age={self.limits.max_age}",
        }

    def _known(self, headers: Mapping[str, str]) -> Response | None:
        """304 if If-None-Match shows that the client has the response already (weak comparison, RFC 9110)."""
        tag = headers["ETag"]
        for given in ",".join(self.request.headers.getlist("if-none-match")).split(","):
            # A cache finds an entry by the tag that it stored, which is weak for a compressed response.
            if given.strip().removeprefix("W/") == tag:
                return Response(status_code=304, headers={**headers, "ETag": given.strip()})
            if given.strip() == "*":
                return Response(status_code=304, headers=headers)
        return None


Here = Annotated[Exchange, Depends(Exchange)]
