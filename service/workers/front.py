# SPDX-License-Identifier: Apache-2.0
"""The process that listens: it receives requests whole, has workers compute them, and sends what they answer.

It parses no document and computes nothing, so that it can always answer.
"""

import asyncio
import fcntl
import ipaddress
import struct
import termios
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from limbtrace.service.http.assets import FOLDER
from limbtrace.service.http.logs import LOG
from limbtrace.service.http.metrics import Metrics
from limbtrace.service.http.problems import RefusedError, refused
from limbtrace.service.http.request_body import Bodies, Held
from limbtrace.service.settings import ServiceSettings
from limbtrace.service.workers.fair_queue import NoPlaceError, Turn, Turns
from limbtrace.service.workers.frames import AnswerEnd, Body, Call, Go, Price, Start
from limbtrace.service.workers.pool import Pool, Worker
from limbtrace.vectors.errors import ToolError

LOCAL = ("/healthz", "/metrics")
"""Paths that this process answers itself, besides the files of the pages."""
QUICK_SECONDS = 0.25
"""A request that is priced higher, or has taken this CPU time without an answer, waits for the turn of a long one."""
QUICK_BYTES = 1 << 20
"""A longer response is sent while it is computed, in the turn of a long request."""
UNSENT_BYTES = 1 << 26
"""While more than this waits for clients, short responses too keep their slot until they are sent."""
PIECE = 1 << 18
"""Bytes of a body that are passed to a worker at once."""
PATIENCE_SECONDS = 0.5
"""A client that has not taken a part of a response by then lends its turn to others until it has."""
_SENT_ON = (
    "method",
    "scheme",
    "path",
    "raw_path",
    "query_string",
    "headers",
    "client",
    "server",
    "root_path",
    "name",
    "token",
)


def client_of(scope: Scope) -> str:
    """Client, for the fair share: the token, or the network address, of IPv6 the 64 bits of the network."""
    if "token" in scope:
        return str(scope["token"].name)
    host = (scope.get("client") or ("",))[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return str(host)
    return str(address if address.version == 4 else ipaddress.ip_network((address, 64), strict=False))


class Front:
    """Handles the paths in LOCAL by `app` and all others by workers."""

    def __init__(self, app: ASGIApp, pool: Pool, metrics: Metrics) -> None:
        self.app, self.pool, self.metrics = app, pool, metrics
        self.limits: ServiceSettings = pool.settings
        self.bodies = Bodies(self.limits, metrics)
        self.quick = Turns(self.limits.turns, self.limits.max_concurrent, "requests")
        self.slow = Turns(self.limits.turns, self.limits.max_slow, "long computations")
        self.unsent = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in LOCAL or scope["path"].startswith(FOLDER):
            await self.app(scope, receive, send)
            return
        body = Held(self.bodies, b"")
        self.metrics.busy.inc()
        try:
            if {b"content-length", b"transfer-encoding"} <= {name for name, _ in scope["headers"]}:
                detail = "the request has both Content-Length and Transfer-Encoding"
                raise RefusedError(400, detail, headers={"Connection": "close"}, kind="http")
            if scope["method"] in ("POST", "PUT"):
                body = await self.bodies.receive(scope, receive)
            await _Exchange(self, scope, body, send).run(receive)
        except RefusedError as error:
            scope["ended"] = error.ended
            await refused(scope["path"], error)(scope, receive, send)
        finally:
            self.metrics.busy.dec()
            body.release()


class _Begun(NamedTuple):
    """The first message of a worker: the frames of a response, and either its end or the price for which it waits."""

    frames: list[Start | Body]
    end: AnswerEnd | None
    price: float | None


class _Exchange:
    """A request from the time when its body is there: a worker, limits on time, the response."""

    def __init__(self, front: Front, scope: Scope, body: Held, send: Send) -> None:
        self.front, self.scope, self.body, self.send = front, scope, body, send
        self.limits = front.limits
        self.client = client_of(scope)
        self.begun = self.whole = False
        self.unsent: int | None = None
        """Bytes that the client had not taken when this was looked up last; None while it has nothing to take."""
        self.before = 0.0
        """CPU time of the worker before the request."""
        self.beside = 0.0
        """CPU time of other processes for the request."""
        self.moved = 0.0
        """When that changed last."""

    async def run(self, receive: Receive) -> None:
        """Serve the request. Raises RefusedError before the first byte of the response."""
        refusal: RefusedError | None = None
        async with anyio.create_task_group() as group:

            async def watch_client() -> None:
                while (await receive())["type"] != "http.disconnect":
                    pass
                if not self.whole:
                    group.cancel_scope.cancel()

            async def watch_time() -> None:
                nonlocal refusal
                refusal = await self._out_of_time()
                group.cancel_scope.cancel()

            group.start_soon(watch_client)
            group.start_soon(watch_time)
            try:
                await self._serve()
            except RefusedError as error:  # the group would wrap it
                refusal = error
            group.cancel_scope.cancel()
        if refusal and not self.begun:
            raise refusal

    async def _serve(self) -> None:
        front = self.front
        worker: Worker | None = None
        try:
            with _place(front, front.quick, "max_concurrent", self.client):
                async with front.quick.turn(self.client, QUICK_SECONDS):
                    worker = await self._worker()
                    begun = await self._begin(worker)
                if begun.end:
                    self._finish(worker, begun.end)
                    worker = None
                    if front.unsent > UNSENT_BYTES:
                        await self._pass_on(begun.frames)
            if begun.end:
                await self._pass_on(begun.frames)
            else:
                worker.slow_down()  # type: ignore[union-attr]
                with _place(front, front.slow, "max_slow", self.client):
                    await self._go_on(worker, begun)  # type: ignore[arg-type]
        finally:
            if worker:
                self._count_time(worker)
                front.pool.end(worker)

    def _count_time(self, worker: Worker) -> None:
        """Take down the CPU time of the request, for quotas."""
        self.scope["computed"] = max(0.0, worker.computed() - self.before) + self.beside

    async def _worker(self) -> Worker:
        """A worker that has been given the request. Raises RefusedError."""
        try:
            worker = await self.front.pool.take()
        except ToolError as error:
            LOG.error("workers", reason=str(error))
            raise RefusedError(503, f"{error}; try again in 5 seconds", headers={"Retry-After": "5"}) from None
        self.before = worker.computed()
        try:
            await worker.channel.write(Call({name: self.scope[name] for name in _SENT_ON if name in self.scope}))
            content = self.body.content
            for begin in range(0, max(1, len(content)), PIECE):
                await worker.channel.write(Body(content[begin : begin + PIECE], begin + PIECE < len(content)))
                await anyio.sleep(0)  # a large body does not keep others waiting
        except BaseException:
            self.front.pool.end(worker)
            raise
        self.body.release()
        return worker

    async def _begin(self, worker: Worker) -> _Begun:
        """First frames of a worker that may be answering quickly. Raises RefusedError."""
        frames: list[Start | Body] = []
        size = 0
        while size < QUICK_BYTES and worker.computed() < self.before + QUICK_SECONDS:
            with anyio.move_on_after(QUICK_SECONDS):
                frame = await self._next(worker)
                if isinstance(frame, AnswerEnd):
                    return _Begun(frames, frame, None)
                if isinstance(frame, Price):
                    return _Begun(frames, None, frame.seconds)
                frames.append(frame)
                size += len(frame.data) if isinstance(frame, Body) else 0
        return _Begun(frames, None, None)

    async def _next(self, worker: Worker) -> Start | Body | AnswerEnd | Price:
        """The next thing that a worker says. Raises RefusedError if it has ended."""
        frame = await worker.channel.read()
        if frame is None:
            LOG.error("worker", reason="a worker has ended unexpectedly", path=self.scope["path"])
            self.scope["ended"] = "failure"
            detail = "the process that computed the response has ended; try again in 5 seconds"
            raise RefusedError(503, detail, headers={"Retry-After": "5"}, kind="worker", ended="failure")
        assert isinstance(frame, Start | Body | AnswerEnd | Price)
        return frame

    async def _go_on(self, worker: Worker, begun: _Begun) -> None:
        """The rest of a long response, in its turn."""
        async with self.front.slow.turn(self.client, begun.price or QUICK_SECONDS) as turn:
            if begun.price is not None:
                await worker.channel.write(Go())
            await self._pass_on(begun.frames, turn)
            while not isinstance(frame := await self._next(worker), AnswerEnd):
                if isinstance(frame, Price):  # it is too late to wait
                    await worker.channel.write(Go())
                else:
                    await self._pass_on([frame], turn)
            self._note(frame)

    def _finish(self, worker: Worker, end: AnswerEnd) -> None:
        """The worker has done its work."""
        self._note(end)
        self._count_time(worker)
        if end.worn:
            self.front.pool.end(worker)
        else:
            self.front.pool.give(worker)

    def _note(self, end: AnswerEnd) -> None:
        """Take over what the worker counted."""
        self.beside = end.beside
        if end.failed:
            self.scope["ended"] = "failure"
        for name, label in end.counts:
            self.front.metrics.count(name, label)

    async def _pass_on(self, frames: list[Start | Body], turn: Turn | None = None) -> None:
        """Send parts of the response; a turn is lent while the client takes its time. Empties `frames`."""
        loop = asyncio.get_running_loop()
        while frames:
            frame = frames.pop(0)
            size = len(frame.data) if isinstance(frame, Body) else 0
            lending = loop.call_later(PATIENCE_SECONDS, turn.lend) if turn else None
            self.front.unsent += size
            self.unsent, self.moved = self._unsent(), anyio.current_time()
            try:
                await self._send_frame(frame)
            finally:
                self.unsent, self.moved = None, anyio.current_time()
                self.front.unsent -= size
                if lending:
                    lending.cancel()
            if turn:
                await turn.regain()

    async def _send_frame(self, frame: Start | Body) -> None:
        message: Message
        if isinstance(frame, Start):
            self.begun = True
            self.scope["path_of_route"] = frame.route
            message = {"type": "http.response.start", "status": frame.status, "headers": frame.headers}
        else:
            message = {"type": "http.response.body", "body": frame.data, "more_body": frame.more}
            self.whole = not frame.more
        await self.send(message)

    async def _out_of_time(self) -> RefusedError:
        """Waits until a limit of time is reached; returns the response for the case that none has begun."""
        seconds, stall = self.limits.max_seconds, self.limits.max_stall_seconds
        now = anyio.current_time()
        end = now + seconds
        while now < end and (self.unsent is None or now < self.moved + stall):
            await anyio.sleep(min(end - now, stall / 4))
            now = anyio.current_time()
            left = self._unsent()
            if self.unsent is not None and left != self.unsent:
                self.unsent, self.moved = left, now
        limit = "max_seconds" if now >= end else "max_stall_seconds"
        self.scope["ended"] = limit
        self.front.metrics.cut.labels(limit).inc()
        detail = (
            f"the request took longer than {seconds:g} seconds, which is the limit here; ask for less, or try later"
        )
        headers = {"Connection": "close", "Retry-After": "30"}
        return RefusedError(503, detail, headers=headers, kind="too-slow", ended=limit)

    def _unsent(self) -> int:
        """Bytes of the response that the client's system has not acknowledged; 0 if that cannot be known."""
        transport: Any = self.scope.get("transport")
        if transport is None or transport.is_closing():
            return 0
        held = struct.pack("i", 0)
        (queued,) = struct.unpack("i", fcntl.ioctl(transport.get_extra_info("socket"), termios.TIOCOUTQ, held))
        return int(queued) + int(transport.get_write_buffer_size())


@contextmanager
def _place(front: Front, turns: Turns, limit: str, client: str) -> Iterator[None]:
    """A place among `turns`. Raises RefusedError if there is none."""
    with ExitStack() as stack:
        try:
            stack.enter_context(turns.place(client))
        except NoPlaceError as error:
            front.metrics.refused.labels(limit).inc()
            headers = {"Retry-After": str(error.seconds)}
            raise RefusedError(503, str(error), headers=headers, ended=limit) from None
        yield
