# SPDX-License-Identifier: Apache-2.0
"""The routes in threads of one process, without limits on clients: what `./run bench` compares the service with."""

import socket
import sys

import uvicorn

from limbtrace.service.app import create_app
from limbtrace.service.settings import ServiceSettings


def main(database: str) -> None:
    """Serve on a free port, whose address is printed first."""
    app = create_app(ServiceSettings(database=database))
    app.state.store.open()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
        config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off")
        uvicorn.Server(config).run([listening])


if __name__ == "__main__":
    main(sys.argv[1])
