# SPDX-License-Identifier: Apache-2.0
"""What happens around every request: a log line and metrics, a limit on requests at a time, HEAD."""

import logging
import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.problems import problem
from vectors.wire import dump

ACCESS_LOG = logging.getLogger("limbtrace.access")


class Metrics:
    """What /metrics shows, in a registry of the app's own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter("limbtrace_requests", "Requests answered", ["route", "status"], registry=self.registry)
        self.seconds = Histogram(
            "limbtrace_request_seconds", "Time from request to end of answer", ["route"], registry=self.registry
        )
        self.bytes = Counter("limbtrace_response_bytes", "Bytes of answers", ["route"], registry=self.registry)
        self.busy = Gauge("limbtrace_requests_in_progress", "Requests being served", registry=self.registry)


class Observed:
    """Counts and logs every request; the log is one JSON object a line, at level INFO."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status, sent = time.perf_counter(), 0, 0

        async def watched(message: Message) -> None:
            nonlocal status, sent
            status = message.get("status", status)
            sent += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except Exception:
            status = 500
            raise
        finally:
            seconds = time.perf_counter() - start
            route = getattr(scope.get("route"), "path", "other")
            self.metrics.requests.labels(route, status).inc()
            self.metrics.seconds.labels(route).observe(seconds)
            self.metrics.bytes.labels(route).inc(sent)
            query = scope["query_string"].decode("latin-1")
            method = "HEAD" if scope.get("head") else scope["method"]
            line = {"method": method, "path": scope["path"], "query": query, "status": status}
            ACCESS_LOG.info(dump({**line, "bytes": sent, "seconds": round(seconds, 4)}))


class Slots:
    """At most `limit` requests below /v1 at a time; the next one is told to come back."""

    def __init__(self, app: ASGIApp, limit: int, metrics: Metrics) -> None:
        self.app, self.limit, self.metrics = app, limit, metrics
        self.taken = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/v1/"):
            await self.app(scope, receive, send)
            return
        if self.taken >= self.limit:
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


class Head:
    """HEAD is GET of which the server keeps the body to itself; streams see `scope["head"]` and make none."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope = {**scope, "method": "GET", "head": True}
        await self.app(scope, receive, send)
