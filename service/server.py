# SPDX-License-Identifier: Apache-2.0
"""The app on a socket: for the command line, and in a thread for tests and notebooks."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn

from limbtrace.service.app import create_app
from limbtrace.service.http.access import Access
from limbtrace.service.http.connection import BACKLOG, KEPT_SECONDS, protocol
from limbtrace.service.http.metrics import Metrics
from limbtrace.service.http.middleware import RequestMonitor
from limbtrace.service.settings import ServiceSettings
from limbtrace.service.storage.store import Store
from limbtrace.service.storage.tokens import Tokens
from limbtrace.service.workers.front import Front
from limbtrace.service.workers.pool import APP, Pool, warm_up

GRACE_SECONDS = 2
"""Seconds that responses in progress may take after the service has been told to stop."""


UNREAD_SECONDS = 60
"""Seconds that the kernel keeps data that a client does not read, even after the service has closed the connection."""


class Server(uvicorn.Server):
    """A uvicorn server that reports when it listens."""

    def __init__(self, settings: ServiceSettings | None, on_start: Callable[[], None], workers_app: str = APP) -> None:
        """`workers_app` is what workers serve, as module:function; another one than ours is for tests.

        Raises ParameterError for wrong settings, ToolError if the database cannot be used."""
        warm_up(workers_app)
        app = create_app(settings)
        limits: ServiceSettings = app.state.limits
        metrics: Metrics = app.state.metrics
        self.store: Store = app.state.store
        self.store.open()
        self.pool = Pool(limits, workers_app)
        try:
            self.access = Access(Front(app, self.pool, metrics), limits, Tokens(self.store.database), metrics)
        except BaseException:
            self.store.close()
            raise
        super().__init__(
            uvicorn.Config(
                RequestMonitor(self.access, metrics),
                http=protocol(limits),
                ws="none",
                backlog=BACKLOG,
                timeout_keep_alive=KEPT_SECONDS,
                log_config=None,
                access_log=False,
                lifespan="off",
                timeout_graceful_shutdown=GRACE_SECONDS,
            )
        )
        self.on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            await super().shutdown(sockets)
        finally:
            self.pool.close()
            self.access.close()
            self.store.close()


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes any free port. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    # Connections inherit this. asyncio does not detect TCP here, and small responses would wait 40 ms for an ACK.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_SECONDS * 1000)
    return listening


def address(listening: socket.socket) -> str:
    """The URL of a listening socket."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@contextmanager
def background(settings: ServiceSettings | None = None, workers_app: str = APP) -> Iterator[str]:
    """A service in a thread of this process, on a free port of 127.0.0.1; yields its URL."""
    started = threading.Event()
    server = Server(settings, started.set, workers_app)
    with listen("127.0.0.1", 0) as listening:
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        started.wait()
        try:
            yield address(listening)
        finally:
            server.should_exit = True
            thread.join()
