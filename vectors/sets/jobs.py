# SPDX-License-Identifier: Apache-2.0
"""Work by several processes, each of which makes a part and waits until what it has made is taken."""

import ctypes
import fcntl
import os
import pickle
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from typing import IO, Any, TypeVar

from limbtrace.vectors.errors import ToolError

_T = TypeVar("_T")

MAX_JOBS = 64
PIPE = 1 << 20
"""Size of a pipe, so that an item fits and its process makes the next one; a smaller one only takes longer."""
_PR_SET_PDEATHSIG = 1


def in_turn(parts: Callable[[int], Iterator[_T]], jobs: int) -> Iterator[_T]:
    """The items of `jobs` parts in turn, part k being what `parts(k)` yields in a process of its own.

    A part that has ended is left out. Closing the iterator ends the processes. Raises what a part raises, and ToolError
    if a process was killed.
    """
    with ExitStack() as stack:
        started: list[tuple[int, IO[bytes]]] = []
        for number in range(jobs):
            started.append(_started(parts, number, started))
            stack.callback(_end, *started[-1])
        running = list(started)
        while running:
            for process, stream in list(running):
                try:
                    said = pickle.load(stream)
                except (EOFError, pickle.UnpicklingError):
                    raise ToolError(f"process {process}, which makes cases, was ended from outside") from None
                if isinstance(said, BaseException):
                    raise said
                if isinstance(said, _Ended):
                    running.remove((process, stream))
                else:
                    yield said


class _Ended:
    """A part has no more items."""


def _started(
    parts: Callable[[int], Iterator[Any]], number: int, others: list[tuple[int, IO[bytes]]]
) -> tuple[int, IO[bytes]]:
    """A process that makes a part, and the stream from which its items are read; `others` run already."""
    read, write = os.pipe()
    with suppress(OSError, AttributeError):
        fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, PIPE)
    parent = os.getpid()
    if (process := os.fork()) == 0:
        try:
            _obey(parent)
            os.close(read)
            for _, stream in others:
                stream.close()  # so that a write fails when the one who reads has ended
            with open(write, "wb") as own:
                _make(parts(number), own)
        finally:
            os._exit(0)
    os.close(write)
    return process, open(read, "rb")


def _obey(parent: int) -> None:
    """End when the parent says so or ends, and at no signal that a terminal sends to both."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with suppress(AttributeError):  # only Linux has it; elsewhere the next write fails
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


def _make(items: Iterator[Any], stream: IO[bytes]) -> None:
    said: Any = _Ended()
    try:
        for item in items:
            pickle.dump(item, stream, pickle.HIGHEST_PROTOCOL)
            stream.flush()
    except BrokenPipeError:
        return
    except Exception as error:
        said = error
    pickle.dump(said, stream)


def _end(process: int, stream: IO[bytes]) -> None:
    stream.close()
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
