# SPDX-License-Identifier: Apache-2.0
"""Connections: how many there may be, and how long one may take to say what it wants."""

import asyncio
import resource
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from limbtrace.service.http.logs import LOG
from limbtrace.service.settings import ServiceSettings

BACKLOG = 64
"""Connections that the system accepts before the service has looked at them."""
KEPT_SECONDS = 20
"""Seconds that an idle connection stays open for another request: more than clients and proxies usually wait, as a
request on a connection that is being closed gets no answer."""
_RESERVED = BACKLOG + 100
"""File descriptors for everything but connections: workers, the database, connections that are about to be closed."""


def most_connections(limits: ServiceSettings) -> int:
    """The number of connections that are held, in so far as there are file descriptors for them."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    workers = 3 * (limits.max_slow + 2 * limits.turns)
    return max(1, min(limits.max_connections, soft - _RESERVED - workers))


def protocol(limits: ServiceSettings) -> type[H11Protocol]:
    """The protocol class of a server with these limits."""
    most = most_connections(limits)

    class BoundedConnection(H11Protocol):
        """Closes itself if there are too many, or if the head of a request does not come in time."""

        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            self._serve = self.app
            self.app = self._with_transport
            self._head: asyncio.TimerHandle | None = None

        async def _with_transport(self, scope: Any, receive: Any, send: Any) -> None:
            scope["transport"] = self.transport
            await self._serve(scope, receive, send)

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if len(self.connections) > most:
                LOG.info("connection", ended="max_connections")
                transport.abort()
            else:
                self._await_head()

        def data_received(self, data: bytes) -> None:
            if self.conn.their_state is h11.IDLE and self._head is None:
                self._await_head()
            super().data_received(data)

        def handle_events(self) -> None:
            super().handle_events()
            if self.conn.their_state is not h11.IDLE:
                self._forget_head()

        def connection_lost(self, exc: Exception | None) -> None:
            self._forget_head()
            super().connection_lost(exc)

        def _await_head(self) -> None:
            self._head = self.loop.call_later(limits.max_header_seconds, self._too_late)

        def _forget_head(self) -> None:
            if self._head is not None:
                self._head.cancel()
                self._head = None

        def _too_late(self) -> None:
            LOG.info("connection", ended="max_header_seconds")
            self.transport.abort()

    return BoundedConnection
