# SPDX-License-Identifier: Apache-2.0
"""Processes with a solver, each of which answers one question at a time and is killed when it takes too long."""

import json
import math
import select
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Generic, TypeVar

from limbtrace.rtl_bridge.programs.process import environment
from limbtrace.rtl_bridge.proof.smt import OPEN, SolverAnswer, solved

GRACE = 5
"""Seconds that a solver may take beyond its own limit."""
T = TypeVar("T")


@dataclass
class _Worker(Generic[T]):
    process: "subprocess.Popen[str]"
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

    def answers(self, *, block: bool, until: float = math.inf) -> Iterator[tuple[T, SolverAnswer]]:
        """The answers that are there; with `block`, at least one if there is a question and until then (monotonic)."""
        while self.open:
            found = list(self._ready(0.05 if block else 0))
            self._deal()
            yield from found
            if found or not block or time.monotonic() > until:
                return

    def close(self) -> None:
        """Kill all processes."""
        for worker in [*self._workers]:
            self._end(worker)
        self._waiting.clear()

    def _ready(self, seconds: float) -> Iterator[tuple[T, SolverAnswer]]:
        busy = [worker for worker in self._workers if worker.about is not None]
        lines = [worker.process.stdout for worker in busy if worker.process.stdout is not None]
        ready = select.select(lines, [], [], seconds)[0] if lines else []
        for worker in busy:
            assert worker.about is not None
            about, late = worker.about, time.monotonic() > worker.ends
            if worker.process.stdout in ready:
                line = worker.process.stdout.readline() if worker.process.stdout else ""
                worker.about = None
                if not line:  # out of memory, perhaps
                    self._end(worker)
                yield about, SolverAnswer(**json.loads(line)) if line else SolverAnswer(OPEN)
            elif late:
                self._end(worker)
                yield about, SolverAnswer(OPEN)

    def _deal(self) -> None:
        """Give questions to those who have none."""
        while self._waiting:
            free = next((worker for worker in self._workers if worker.about is None), None)
            if free is None and len(self._workers) < self._count:
                free = _Worker(_started())
                self._workers.append(free)
            if free is None:
                return
            free.about, question, seconds = self._waiting.popleft()
            free.ends = time.monotonic() + seconds + GRACE
            assert free.process.stdin is not None
            print(json.dumps([question, 1000 * seconds, self._megabytes]), file=free.process.stdin, flush=True)

    def _end(self, worker: _Worker[T]) -> None:
        worker.process.kill()
        worker.process.communicate()
        self._workers.remove(worker)


def _started() -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "limbtrace.rtl_bridge.proof.workers"]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment(), start_new_session=True
    )


def main() -> None:
    """The loop of a worker process: answer until its input ends."""
    for line in sys.stdin:
        question, milliseconds, megabytes = json.loads(line)
        print(json.dumps(asdict(solved(question, milliseconds, megabytes))), flush=True)


if __name__ == "__main__":
    main()
