# SPDX-License-Identifier: Apache-2.0
"""A worker process: serves requests one at a time by the app, within a limit of memory."""

import asyncio
import resource
import socket
from typing import Any

from fastapi import FastAPI
from starlette.types import Message
from structlog.contextvars import bound_contextvars

from limbtrace.service.app import equip
from limbtrace.service.http import logs
from limbtrace.service.http.logs import LOG
from limbtrace.service.workers.frames import AnswerEnd, Body, Call, Channel, Go, Price, Setup, Start


class _Counts:
    """In place of the metrics, which the service keeps: what is to be counted there."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str]] = []

    def count(self, name: str, label: str) -> None:
        """See Metrics."""
        self.found.append((name, label))


WORN_BYTES = 256 << 20
"""A process that has grown by more than this is not used again, since Python seldom returns memory."""


def work(app: FastAPI, connection: socket.socket) -> None:
    """Serve what comes over the connection until it is closed. The first frame is Setup."""
    asyncio.run(_work(app, connection))


async def _work(app: FastAPI, connection: socket.socket) -> None:
    channel = await Channel.on(connection)
    before = _peak()
    while (request := await channel.read()) is not None:
        if isinstance(request, Setup):
            settings = request.settings
            _limit_memory(settings.max_memory_bytes)
            logs.to_stderr(settings.log_level)
            equip(app, settings)
            continue
        app.state.metrics = _Counts()
        assert isinstance(request, Call)
        await channel.write(await _answer(app, request, await _body(channel), channel, before))


async def _body(channel: Channel) -> bytes:
    """The whole body of a request."""
    pieces = []
    while isinstance(piece := await channel.read(), Body):
        pieces.append(piece.data)
        if not piece.more:
            break
    return b"".join(pieces)


async def _answer(app: FastAPI, request: Call, body: bytes, channel: Channel, before: int) -> AnswerEnd:
    """Serve a request; returns how it ended."""
    scope: dict[str, Any] = {"type": "http", "asgi": {"version": "3.0", "spec_version": "2.4"}, **request.scope}
    given = failed = False
    beside = _beside()

    async def receive() -> Message:
        nonlocal given
        if given:  # a worker is not told that the client has gone: it is killed
            await asyncio.Event().wait()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            route = getattr(scope.get("route"), "path", "other")
            await channel.write(Start(message["status"], [*message["headers"]], route))
        else:
            await channel.write(Body(message.get("body", b""), message.get("more_body", False)))

    async def turn(seconds: float) -> None:
        await channel.write(Price(seconds))
        if not isinstance(await channel.read(), Go):
            raise asyncio.CancelledError

    scope["turn"] = turn
    with bound_contextvars(request_id=scope.get("name", "")):
        try:
            await app(scope, receive, send)
        except Exception:  # after the app has answered, unless it had begun
            failed = True
            LOG.error("failure", path=scope["path"], exc_info=True)
    return AnswerEnd(failed, _peak() - before > WORN_BYTES, app.state.metrics.found, _beside() - beside)


def _limit_memory(limit: int) -> None:
    """Let this process take that many bytes more than it has now; a larger allocation fails with MemoryError."""
    with open("/proc/self/statm") as sizes:
        has = int(sizes.read().split()[5]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_DATA, (has + limit, has + limit))


def _beside() -> float:
    """CPU time of the processes that this one has started and that have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _peak() -> int:
    """The largest amount of memory that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
