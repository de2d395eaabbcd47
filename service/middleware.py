# SPDX-License-Identifier: Apache-2.0
"""Middleware for every request: HEAD, a log line and metrics, gzip, limits on concurrency and time."""

import re
import time
import uuid

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from service.logs import LOG
from service.metrics import Metrics
from service.problems import RefusedError, problem
from service.settings import ServiceSettings

PACKED_TYPES = ("application/octet-stream",)
"""Our media types that are already compressed: waveforms in FST."""
TIME_LIMITS = ("max_seconds", "max_stall_seconds")
SMALLEST = 1024
"""Smallest response that is worth compressing, in bytes."""


def _is_work(scope: Scope) -> bool:
    """Whether limits apply to a request; health and metrics are always answered."""
    return scope["type"] == "http" and str(scope["path"]).startswith("/v1/")


class HeadRequests:
    """Handles HEAD as GET without a body; streams check `scope["head"]` and generate none."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope = {**scope, "method": "GET", "head": True}
        await self.app(scope, receive, send)


class Observed:
    """Counts and logs every request, and answers 500 if the service failed.

    Every response has an X-Request-Id, the client's own if it sent one. All log lines of the request carry it.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        name = given if re.fullmatch(r"[\w.-]{1,64}", given, re.ASCII) else uuid.uuid4().hex
        with bound_contextvars(request_id=name):
            await self._observe(scope, receive, send, name)

    async def _observe(self, scope: Scope, receive: Receive, send: Send, name: str) -> None:
        start, status, sent, set_id, whole = time.perf_counter(), 0, 0, None, False
        scope["ended"] = None

        async def watched(message: Message) -> None:
            nonlocal status, sent, set_id, whole
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = name
                status, set_id = message["status"], headers.get("limbtrace-set")
            await send(message)
            sent += len(message.get("body", b""))
            whole = message["type"] == "http.response.body" and not message.get("more_body", False)

        failure = None
        try:
            await self.app(scope, receive, watched)
        except Exception as error:
            failure = error
            if not status:
                await problem(scope["path"], 500, "the service failed; its log says how")(scope, receive, watched)
        finally:
            seconds = time.perf_counter() - start
            route = getattr(scope.get("route"), "path", "other")
            self.metrics.requests.labels(route, status).inc()
            self.metrics.seconds.labels(route).observe(seconds)
            self.metrics.bytes.labels(route).inc(sent)
            ended = "failure" if failure else scope["ended"] or ("answer" if whole else "client went away")
            # Rejected requests are not warnings: they would fill the log just when the load is highest.
            usual = LOG.info if _is_work(scope) else LOG.debug
            log = LOG.error if failure else LOG.warning if scope["ended"] in TIME_LIMITS else usual
            log(
                "request",
                method="HEAD" if scope.get("head") else scope["method"],
                path=scope["path"],
                query=scope["query_string"].decode("latin-1"),
                route=route,
                status=status,
                set=set_id,
                bytes=sent,
                seconds=round(seconds, 4),
                ended=ended,
                exc_info=failure,
            )


class Gzip:
    """Compresses responses of more than a kilobyte, for clients that accept it.

    Only the decompressed bytes are guaranteed to be equal for equal requests, so the ETag is weak (RFC 9110).
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        # Hexadecimal digits shrink to slightly more than half; higher levels take 3 times as long to save 3 percent.
        self.compressed = GZipMiddleware(
            app,
            minimum_size=SMALLEST,
            compresslevel=1,
            thread_minimum_size=1 << 14,
            exclude_content_types=(*DEFAULT_EXCLUDED_CONTENT_TYPES, *PACKED_TYPES),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def labelled(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Vary"] = "Accept-Encoding"
                if "content-encoding" in headers and headers.get("etag", "").startswith('"'):
                    headers["ETag"] = f"W/{headers['etag']}"
            await send(message)

        wanted = scope["type"] == "http" and _takes_gzip(Headers(scope=scope)) and not scope.get("head")
        await (self.compressed if wanted else self.app)(scope, receive, labelled)


def _takes_gzip(headers: Headers) -> bool:
    """Whether the client names gzip with a weight other than 0, which means never (RFC 9110)."""
    codings = ",".join(headers.getlist("accept-encoding")).lower().replace(" ", "").split(",")
    weights = dict(coding.partition(";q=")[::2] for coding in codings)
    return "gzip" in weights and not re.fullmatch(r"0(\.0*)?", weights["gzip"])


class Slots:
    """Serves at most `limit` requests at a time; further ones are asked to retry later."""

    def __init__(self, app: ASGIApp, limit: int, metrics: Metrics) -> None:
        self.app, self.limit, self.metrics = app, limit, metrics
        self.taken = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _is_work(scope):
            await self.app(scope, receive, send)
            return
        if self.taken >= self.limit:
            self.metrics.refused.labels("max_concurrent").inc()
            scope["ended"] = "max_concurrent"
            detail = f"all {self.limit} slots for requests are taken; try again in a second"
            await problem(scope["path"], 503, detail, headers={"Retry-After": "1"})(scope, receive, send)
            return
        self.taken += 1
        self.metrics.busy.inc()
        try:
            await self.app(scope, receive, send)
        finally:
            self.taken -= 1
            self.metrics.busy.dec()


class Deadline:
    """Ends requests that take too long, and requests whose client neither reads nor sends.

    Before the first byte the response is a problem document; later the connection is closed, so that the client sees an
    incomplete response. A computing thread cannot be stopped: its slot stays occupied until it ends.
    """

    def __init__(self, app: ASGIApp, limits: ServiceSettings, metrics: Metrics) -> None:
        self.app, self.limits, self.metrics = app, limits, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _is_work(scope):
            await self.app(scope, receive, send)
            return
        seconds, stall = self.limits.max_seconds, self.limits.max_stall_seconds
        body_is_here = begun = closed = False

        async def patient_receive() -> Message:
            """Receives the body in time. After the body, waiting for the end of the connection is not limited."""
            nonlocal body_is_here
            with anyio.move_on_after(None if body_is_here else stall):
                message = await receive()
                body_is_here = not message.get("more_body", False)
                return message
            self._cut(scope, "max_stall_seconds")
            detail = f"no more of the body came for {stall:g} seconds, which is the limit here"
            raise RefusedError(408, detail, headers={"Connection": "close"})

        async def patient_send(message: Message) -> None:
            nonlocal begun
            if closed:
                return
            begun = True
            with anyio.move_on_after(stall):
                await send(message)
                return
            self._cut(scope, "max_stall_seconds")
            group.cancel_scope.cancel()

        async def watch() -> None:
            nonlocal closed
            await anyio.sleep(seconds)
            closed = True
            self._cut(scope, "max_seconds")
            if not begun:
                detail = f"the request took longer than {seconds:g} seconds, which is the limit here; ask for less"
                answer = problem(scope["path"], 503, detail, headers={"Connection": "close"}, kind="too-slow")
                await answer(scope, receive, send)
            group.cancel_scope.cancel()

        failure = None
        async with anyio.create_task_group() as group:
            group.start_soon(watch)
            try:
                await self.app(scope, patient_receive, patient_send)
            except Exception as error:  # the group would wrap it
                failure = error
            group.cancel_scope.cancel()
        if failure:
            raise failure

    def _cut(self, scope: Scope, limit: str) -> None:
        scope["ended"] = limit
        self.metrics.cut.labels(limit).inc()
