# SPDX-License-Identifier: Apache-2.0
"""Processes with a solver, each of which answers one question at a time and is killed when it takes too long."""

import multiprocessing
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Generic, TypeVar

from rtl_bridge.proof.smt import OPEN, Answer, solved

GRACE = 5
"""Seconds that a solver may take beyond its own limit."""
T = TypeVar("T")


@dataclass
class _Worker(Generic[T]):
    process: SpawnProcess
    pipe: Connection
    about: T | None = None
    ends: float = 0.0


class Workers(Generic[T]):
    """Answers to questions, in the order in which they come; each comes with what the question was about."""

    def __init__(self, count: int, megabytes: int) -> None:
        self._count, self._megabytes = count, megabytes
        self._workers: list[_Worker[T]] = []
        self._waiting: deque[tuple[T, str, int]] = deque()

    @property
    def open(self) -> int:
        """Questions without an answer."""
        return len(self._waiting) + sum(worker.about is not None for worker in self._workers)

    def ask(self, about: T, question: str, seconds: int) -> None:
        """Put a question, which may take so long."""
        self._waiting.append((about, question, seconds))
        self._deal()

    def answers(self, *, block: bool) -> Iterator[tuple[T, Answer]]:
        """The answers that are there; with `block`, at least one if there is a question."""
        while self.open:
            found = list(self._ready(0.05 if block else 0))
            self._deal()
            yield from found
            if found or not block:
                return

    def close(self) -> None:
        """Kill all processes."""
        for worker in self._workers:
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()
        self._workers.clear()
        self._waiting.clear()

    def _ready(self, seconds: float) -> Iterator[tuple[T, Answer]]:
        busy = {worker.pipe: worker for worker in self._workers if worker.about is not None}
        ready = set(wait(list(busy), seconds)) if busy else set()
        for pipe, worker in busy.items():
            assert worker.about is not None
            about = worker.about
            if pipe in ready:
                try:
                    answer = pipe.recv()
                except EOFError:  # out of memory
                    answer = None
                worker.about = None
                if answer is None:
                    self._replace(worker)
                yield about, answer or Answer(OPEN)
            elif time.monotonic() > worker.ends:
                self._replace(worker)
                yield about, Answer(OPEN)

    def _deal(self) -> None:
        """Give questions to those who have none."""
        while self._waiting:
            free = next((worker for worker in self._workers if worker.about is None), None)
            if free is None and len(self._workers) < self._count:
                free = self._started()
                self._workers.append(free)
            if free is None:
                return
            free.about, question, seconds = self._waiting.popleft()
            free.ends = time.monotonic() + seconds + GRACE
            free.pipe.send((question, 1000 * seconds, self._megabytes))

    def _started(self) -> _Worker[T]:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def _replace(self, worker: _Worker[T]) -> None:
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()
        self._workers.remove(worker)


def _work(pipe: Connection) -> None:
    """What a process does: answer until nobody asks any more."""
    while True:
        try:
            question, milliseconds, megabytes = pipe.recv()
        except (EOFError, KeyboardInterrupt):
            return
        pipe.send(solved(question, milliseconds, megabytes))
