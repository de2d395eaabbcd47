# SPDX-License-Identifier: Apache-2.0
"""`python -m limbtrace.service.workers.zygote`: a process that has imported the app and forks workers in milliseconds.

It has one thread, so that forking is safe, and is not a copy of the service, so that no worker inherits its sockets.
"""

import ctypes
import gc
import importlib
import os
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any

from limbtrace.service.workers.worker import work
from limbtrace.vectors.compiled import build
from limbtrace.vectors.sets import native

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that a terminal or a service manager sends to all processes; the service itself ends the others."""
_PR_SET_PDEATHSIG = 1


def main(app: str, descriptor: int) -> None:
    """Fork a worker for each socket that arrives at `descriptor`; return the process ids there. Ends at its end."""
    for number in STOPS:
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # workers leave no zombies
    module, _, name = app.partition(":")
    make: Callable[[], Any] = getattr(importlib.import_module(module), name)
    ready = make()
    ready.openapi()  # takes a while, and every worker needs it
    native.library()  # a worker has no memory and no time for a compiler
    build.new_allowed = False
    gc.freeze()  # the garbage collector would copy the shared pages
    with socket.socket(fileno=descriptor) as control:
        while True:
            said, passed, _, _ = socket.recv_fds(control, 1, 1)
            if not said:
                os._exit(0)  # taking everything down would take a while
            if (worker := os.fork()) == 0:
                _become_worker(ready, control, passed[0])
            os.close(passed[0])
            control.sendall(worker.to_bytes(4))


def _become_worker(app: Any, control: socket.socket, descriptor: int) -> None:
    """Serve requests until the service closes the connection; does not return."""
    code = 1
    try:
        # Ends with the zygote, which ends with the service, however that ended.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        control.close()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        work(app, socket.socket(fileno=descriptor))
        code = 0
    finally:
        os._exit(code)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
