# SPDX-License-Identifier: Apache-2.0
"""`limbtrace serve`."""

import signal
import sys
from types import FrameType
from typing import Any

import click

from limbtrace.refmodels.errors import ParameterError
from limbtrace.service.http import logs
from limbtrace.service.http.access import is_loopback
from limbtrace.service.server import Server, address, listen
from limbtrace.service.settings import ServiceSettings
from limbtrace.vectors.errors import ToolError


@click.command(epilog=f"\b\nSettings, from the environment:\n{ServiceSettings.summary()}")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port; 0 takes any that is free."
)
@click.option("--access-log", is_flag=True, help="Log every request on standard error: log level info.")
@click.option("--database", metavar="URL", help="Where sets are remembered, for SQLAlchemy; else LIMBTRACE_DATABASE.")
@click.option("--workers", type=click.IntRange(1), metavar="N", help="Processes that compute; else LIMBTRACE_WORKERS.")
@click.option("--insecure-open", is_flag=True, help="Let everybody on the network use the service without a token.")
def serve(
    host: str, port: int, access_log: bool, database: str | None, workers: int | None, insecure_open: bool
) -> None:
    """The HTTP service, until Ctrl-C.

    If there are access tokens (`limbtrace token`) every request needs one. Without them the service listens on this
    machine alone.
    """
    given: dict[str, Any] = {"log_level": "info"} if access_log else {}
    given |= {} if database is None else {"database": database}
    given |= {} if workers is None else {"workers": workers}
    settings = ServiceSettings.from_environment(**given)
    logs.to_stderr(settings.log_level)
    try:
        listening = listen(host, port)
    except OSError as error:
        raise ToolError(f"cannot listen on {host} port {port}: {error.strerror or error}") from None
    with listening:
        url = address(listening)
        server = Server(settings, lambda: print(f"limbtrace: serving on {url}", file=sys.stderr, flush=True))
        if not (insecure_open or server.access.needs_token or is_loopback([listening.getsockname()[0]])):
            server.store.close()
            raise ParameterError(
                "host",
                f"{host} is reached from other machines; make a token (`limbtrace token add`) or --insecure-open",
            )

        def stop(number: int, frame: FrameType | None) -> None:
            server.should_exit = True

        # uvicorn raises the signal again after it has stopped: this makes it a normal end, exit 0.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
                signal.signal(number, stop)
        server.run([listening])
