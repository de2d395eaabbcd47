# SPDX-License-Identifier: Apache-2.0
"""Workers that run the shards: processes of this machine, or those of a Dask cluster."""

import multiprocessing
import os
import queue
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from importlib import import_module
from typing import Any, NamedTuple, Self

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.campaign.outcome import Outcome, begin
from limbtrace.vectors.errors import ToolError

ALLOWED = 3
"""Workers that a task may fail before it is set aside."""
_GONE = "the scheduler has gone, or has forgotten a task as after a restart"
Work = Callable[[Mapping[str, Any]], str]
"""`outcome.run_shard`, or another function of a task whose answer is an outcome as text."""


class EndedTask(NamedTuple):
    """A task that a worker has done, or that it failed to do."""

    number: int
    outcome: Outcome
    failures: int = 1
    """Number of workers that it failed, if it did."""


class ShardExecutor(ABC):
    """Those who do tasks, several at a time; `with` ends them."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    @abstractmethod
    def places(self) -> int:
        """Tasks that are worth to be handed out at once; it may change."""

    @abstractmethod
    def submit(self, number: int, work: Work, task: Mapping[str, Any]) -> None:
        """Hand out a task."""

    @abstractmethod
    def ended(self, seconds: float) -> list[EndedTask]:
        """Tasks that have ended since the last call; waits so long for the first one. Raises ToolError."""

    @abstractmethod
    def close(self) -> None:
        """End those who work, and what they work on."""


def _failed(reason: str) -> Outcome:
    return Outcome(failed=reason)


class LocalExecutor(ShardExecutor):
    """Processes of this machine. Each is a pool of its own, so that one that dies takes no other one's task along."""

    def __init__(self, count: int) -> None:
        self._free = [self._pool() for _ in range(count)]
        self._count = count
        self._busy: dict[int, ProcessPoolExecutor] = {}
        self._done: queue.SimpleQueue[tuple[int, Future[str]]] = queue.SimpleQueue()

    @property
    def places(self) -> int:
        return self._count

    def submit(self, number: int, work: Work, task: Mapping[str, Any]) -> None:
        pool = self._free.pop()
        try:
            future = pool.submit(work, task)
        except BrokenProcessPool:  # it died while it had nothing to do
            _end(pool)
            pool = self._pool()
            future = pool.submit(work, task)
        self._busy[number] = pool
        future.add_done_callback(lambda done: self._done.put((number, done)))

    def ended(self, seconds: float) -> list[EndedTask]:
        return [self._taken(*each) for each in _waited(self._done, seconds)]

    def close(self) -> None:
        for pool in (*self._free, *self._busy.values()):
            _end(pool)
        self._free, self._busy = [], {}

    @staticmethod
    def _pool() -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")  # threads of a fork would hold locks
        return ProcessPoolExecutor(1, context, initializer=begin, initargs=(os.getpid(),))

    def _taken(self, number: int, future: "Future[str]") -> EndedTask:
        pool = self._busy.pop(number)
        try:
            outcome = Outcome.from_text(future.result())
        except BrokenProcessPool:
            _end(pool)
            pool = self._pool()
            outcome = _failed("its process was killed, perhaps since memory ran out")
        except Exception as error:  # what no task should raise is told, and costs that task alone
            outcome = _failed(f"{type(error).__name__}: {error}")
        self._free.append(pool)
        return EndedTask(number, outcome)


def _end(pool: ProcessPoolExecutor) -> None:
    """End a pool and its process, whatever that is about."""
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        with suppress(OSError, ValueError):
            process.kill()


def _waited(done: "queue.SimpleQueue[Any]", seconds: float) -> list[Any]:
    """All that is in a queue; waits so long for the first entry."""
    found: list[Any] = []
    with suppress(queue.Empty):
        found.append(done.get(timeout=seconds))
        while True:
            found.append(done.get_nowait())
    return found


class DaskExecutor(ShardExecutor):
    """The workers of a Dask cluster, whose scheduler gives the task of a worker that dies to another one."""

    def __init__(self, address: str) -> None:
        """Raises ParameterError("scheduler"), ToolError."""
        try:
            client: Any = import_module("distributed").Client
        except ModuleNotFoundError as error:
            raise ToolError(
                f"--scheduler needs {error.name}, which is not installed: pip install 'limbtrace[farm]'"
            ) from None
        try:
            self._client = client(address, timeout=10, set_as_default=False)
        except ValueError as error:
            raise ParameterError("scheduler", f"{address} is no address such as tcp://10.0.0.1:8786: {error}") from None
        except (OSError, TimeoutError) as error:
            raise ToolError(f"no scheduler answers at {address}: {type(error).__name__}") from None
        self._done: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()
        self._running: dict[int, Any] = {}
        self._sent = 0

    @property
    def places(self) -> int:
        return 2 * sum(map(int, self._client.nthreads().values()))

    def submit(self, number: int, work: Work, task: Mapping[str, Any]) -> None:
        self._sent += 1  # a name that was never used, or Dask would remember how that task ended
        future = self._client.submit(work, dict(task), key=f"limbtrace-{self._client.id}-{self._sent}", pure=False)
        self._running[number] = future
        future.add_done_callback(lambda done: self._done.put((number, done)))

    def ended(self, seconds: float) -> list[EndedTask]:
        found = [self._taken(*each) for each in _waited(self._done, seconds)]
        if not found and self._client.status == "closed":
            raise ToolError(f"{_GONE}; --resume goes on")
        return found

    def close(self) -> None:
        with suppress(Exception):
            self._client.cancel(list(self._running.values()))
        self._client.close(timeout=5)

    def _taken(self, number: int, future: Any) -> EndedTask:
        del self._running[number]
        if future.status == "cancelled" or self._client.status != "running":
            raise ToolError(f"{_GONE}; --resume goes on")
        if future.status == "finished":
            return EndedTask(number, Outcome.from_text(future.result()))
        error = future.exception()
        name = type(error).__name__
        died = name in ("KilledWorker", "WorkerDied")
        if died:  # as often as the scheduler allows
            return EndedTask(number, _failed("every worker that ran it died"), ALLOWED)
        return EndedTask(number, _failed(f"{name}: {error}"))
