# SPDX-License-Identifier: Apache-2.0
"""Worker processes from the service's side: forked by a zygote, used again while they are small, killed otherwise."""

import atexit
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from threading import Lock

from anyio import CancelScope, to_thread

from limbtrace.service.settings import ServiceSettings
from limbtrace.service.workers.frames import Channel, Setup
from limbtrace.vectors.errors import ToolError

APP = "limbtrace.service.app:build"
"""The app that workers serve, as module:function."""
_SLOWER = 15
"""Niceness of a process that computes for long: about a thirtieth of the share of one that answers at once."""


_SCHED = 2
"""With the complement of a process id, three bits higher, this is the clock of a process (clock_getcpuclockid)."""


class Worker:
    """A process and the connection to it. Signals go to a descriptor of the process, never to a number used again."""

    def __init__(self, process: int, descriptor: int, channel: Channel) -> None:
        self.process, self.channel = process, channel
        self._descriptor: int | None = descriptor

    def computed(self) -> float:
        """CPU time of the process so far, in seconds."""
        with suppress(OSError):
            return time.clock_gettime(~self.process << 3 | _SCHED)
        return 0.0

    def slow_down(self) -> None:
        """Let others compute first, for the rest of the life of the process."""
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, self.process, _SLOWER)

    def kill(self) -> None:
        """End the process at once, whatever it does."""
        if self._descriptor is not None:
            with suppress(OSError):
                signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)
            os.close(self._descriptor)
            self._descriptor = None
        self.channel.close()


class Pool:
    """Workers of one service. At most `settings.turns` idle ones are kept."""

    def __init__(self, settings: ServiceSettings, app: str = APP) -> None:
        self.settings = settings
        self._app = app
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._closed = False

    async def take(self) -> Worker:
        """An idle worker. Raises ToolError if none can be started."""
        while self._idle:
            worker = self._idle.pop()
            if not worker.channel.ended:
                return worker
            self.end(worker)
        with CancelScope(shield=True):  # a process started for a request that has ended would never be stopped
            worker = await self._make()
        if self._closed:
            self.end(worker)
        return worker

    async def _make(self) -> Worker:
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                process, descriptor = await to_thread.run_sync(_zygote(self._app).fork, theirs)
        except BaseException:
            ours.close()
            raise
        ours.setblocking(False)
        worker = Worker(process, descriptor, await Channel.on(ours))
        self._all.add(worker)
        await worker.channel.write(Setup(self.settings))
        return worker

    def give(self, worker: Worker) -> None:
        """A worker that has served its request; it is used again, or ended if there are enough idle ones."""
        if len(self._idle) < self.settings.turns and not self._closed:
            self._idle.append(worker)
        else:
            self.end(worker)

    def end(self, worker: Worker) -> None:
        """Kill a worker."""
        self._all.discard(worker)
        worker.kill()

    def close(self) -> None:
        """Kill all workers."""
        self._closed = True
        for worker in [*self._all]:
            self.end(worker)


class _Zygote:
    """The process that forks the workers of all services of this process."""

    def __init__(self, app: str) -> None:
        self._lock = Lock()
        self._control, theirs = socket.socketpair()
        with theirs:
            # With this process's path instead of the current folder: the app is found in the same place as here.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "limbtrace.service.workers.zygote", app, str(theirs.fileno())],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OPENBLAS_NUM_THREADS": "1"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        atexit.register(self._end)

    def _end(self) -> None:
        """The zygote ends, and its workers with it, when the connection does."""
        self._control.close()
        self._process.wait()

    def fork(self, connection: socket.socket) -> tuple[int, int]:
        """A worker at that end of a connection: process id and a descriptor of the process. Raises ToolError."""
        with self._lock:
            try:
                socket.send_fds(self._control, [b"f"], [connection.fileno()])
                process = int.from_bytes(self._control.recv(4, socket.MSG_WAITALL))
                if process:
                    return process, os.pidfd_open(process)
            except OSError:
                pass
            _zygote.cache_clear()  # the next request tries again
        raise ToolError("the process that makes workers has ended")


@cache
def _zygote(app: str) -> _Zygote:
    return _Zygote(app)


def warm_up(app: str = APP) -> None:
    """Start to import what workers need, before the first request needs it. Returns at once."""
    _zygote(app)
