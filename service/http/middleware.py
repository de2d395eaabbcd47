# SPDX-License-Identifier: Apache-2.0
"""Middleware: a log line and metrics for every request that the service receives; HEAD and gzip in the workers."""

import re
import time
import uuid

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from limbtrace.service.http.logs import LOG
from limbtrace.service.http.metrics import Metrics
from limbtrace.service.http.problems import problem

PACKED_TYPES = ("application/octet-stream",)
"""Our media types that are already compressed: waveforms in FST."""
TIME_LIMITS = ("max_seconds", "max_stall_seconds")
SMALLEST = 1024
"""Smallest response that is worth compressing, in bytes."""


def _is_work(scope: Scope) -> bool:
    """True if limits apply to a request; health and metrics are always answered."""
    return scope["type"] == "http" and str(scope["path"]).startswith("/v1/")


class HeadRequests:
    """Handles HEAD as GET without a body; streams check `scope["head"]` and generate none."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope = {**scope, "method": "GET", "head": True}
        await self.app(scope, receive, send)


class RequestMonitor:
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
        scope["ended"], scope["name"] = None, name

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
            route = scope.get("path_of_route") or getattr(scope.get("route"), "path", "other")
            self.metrics.requests.labels(route, status).inc()
            self.metrics.seconds.labels(route).observe(seconds)
            self.metrics.bytes.labels(route).inc(sent)
            ended = "failure" if failure else scope["ended"] or ("answer" if whole else "client went away")
            # Rejected requests are not warnings: they would fill the log just when the load is highest.
            usual = LOG.info if _is_work(scope) else LOG.debug
            log = LOG.error if failure else LOG.warning if scope["ended"] in TIME_LIMITS else usual
            log(
                "request",
                method=scope["method"],
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

        wanted = scope["type"] == "http" and takes_gzip(Headers(scope=scope)) and not scope.get("head")
        await (self.compressed if wanted else self.app)(scope, receive, labelled)


def takes_gzip(headers: Headers) -> bool:
    """True if the client names gzip with a weight other than 0, which means never (RFC 9110)."""
    codings = ",".join(headers.getlist("accept-encoding")).lower().replace(" ", "").split(",")
    weights = dict(coding.partition(";q=")[::2] for coding in codings)
    return "gzip" in weights and not re.fullmatch(r"0(\.0*)?", weights["gzip"])
