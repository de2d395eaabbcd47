# SPDX-License-Identifier: Apache-2.0
"""The outer end of a run in a process of its own: a settled run goes in, its outcome comes out.

A core that crashes, hangs or prints does it there. `child` is the inner end.
"""

import json
import os
import pickle
import re
from collections.abc import Mapping
from enum import Enum, auto
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.programs.process import (
    HungError,
    Relay,
    left_behind,
    log_of,
    no_report,
    python_path,
    supervise,
)
from limbtrace.rtl_bridge.run.child import ENVIRONMENT
from limbtrace.rtl_bridge.run.driver import More, enough
from limbtrace.rtl_bridge.run.log_parser import LogParser, asserted
from limbtrace.rtl_bridge.run.mode import hung
from limbtrace.rtl_bridge.run.pickled import packed
from limbtrace.rtl_bridge.run.report import Tally
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.vectors.errors import ToolError

if TYPE_CHECKING:
    from limbtrace.rtl_bridge.run.builds import Build

_END_MARK = re.compile(rb"\nLIMBTRACE ENDED (-?\d+)\n")
_MAX_MARK = 32
"""Bytes of the longest mark."""


def call(
    run: Run, build: "Build", work: Path, waves: Path | None, extra: Mapping[str, str], more: More = enough
) -> Tally:
    """`Driver.drive` in a process with `extra` in its environment."""
    alone = waves is not None or build.beside is not None or build.counted
    if not alone:
        return _Session(run, build, work, more).drive(None, extra)
    tally = _Session(run, build, work, enough).drive(waves, extra)
    number, rest = 0, more(tally)
    while rest is not None:  # a process that writes a waveform or counts, or has VHDL beside it, does so once
        number += 1
        own = work.with_name(f"{work.name}.{number}")
        own.mkdir()
        if build.beside is None and not build.counted:
            _Session(rest, build, own, more).drive(None, extra)
            break
        rest = more(_Session(rest, build, own, enough).drive(None, extra))
    return tally


class _State(Enum):
    """State of a session; see `_Session`."""

    FIRST = auto()
    NEXT = auto()
    DONE = auto()
    FAILED = auto()


class _Descriptors:
    """The files and pipes between a session and its process. Closed at the end of a `with`."""

    def __init__(self, *, sandboxed: bool, several: bool) -> None:
        # In a sandbox a program must not have the terminal, or it types into it.
        self._relay = Relay() if sandboxed else None
        self.progress = os.dup(2) if self._relay is None else self._relay.end
        """Descriptor on which the process shows its progress."""
        self.beat, self.rows = os.memfd_create("limbtrace"), os.memfd_create("limbtrace-rows")
        """For `process.beat`, and for the rows that a testbench writes."""
        self.after: int | None = None
        """The end of a pipe from which the process reads how many streams to skip next; None for one simulation."""
        self._next: int | None = None
        if several:
            self.after, self._next = os.pipe()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for descriptor in self.inherited:
            os.close(descriptor)
        if self._relay is not None:
            self._relay.finish()
        self.close_next()

    @property
    def inherited(self) -> list[int]:
        """The descriptors that the process has, too."""
        return [self.progress, self.beat, self.rows, *([] if self.after is None else [self.after])]

    @property
    def activity(self) -> tuple[bytes, float]:
        """Something that changes as long as a simulation makes progress: a long product beats once, and writes rows."""
        return os.pread(self.beat, 64, 0), os.fstat(self.rows).st_mtime_ns

    @property
    def case(self) -> str:
        """The case of the last beat; empty before the first."""
        return os.pread(self.beat, 20, 0).decode().strip()

    @property
    def takes_more(self) -> bool:
        """True if the process simulates again when it is told to."""
        return self._next is not None

    def simulate_next(self, skipped: int) -> None:
        """Have the process simulate the streams after the first `skipped`."""
        assert self._next is not None
        os.write(self._next, f"{skipped}\n".encode())

    def close_next(self) -> None:
        """Have the process end after this simulation."""
        if self._next is not None:
            os.close(self._next)
        self._next = None


class _Session:
    """Listens to a process that simulates a run, and begins further simulations in it.

    A simulation ends with a mark in the output, or with the process where that does one simulation alone. Then its
    outcome is read, and `more` says what to simulate after it:

        FIRST --- a run ---> NEXT --- a run ---> NEXT ...
          |                    |
          +--- nothing --------+---> DONE
          +--- an error -------+---> FAILED

    The process has to end in state DONE.
    """

    def __init__(self, run: Run, build: "Build", work: Path, more: More) -> None:
        self._run, self._build, self._work, self._more = run, build, work, more
        self._log, self._outcome = log_of(work), work / "outcome.json"
        self._several = more is not enough and run.job.keep_going is not None
        self._descriptors = _Descriptors(sandboxed=run.job.sandbox, several=self._several)
        self._parser = self._new_parser()
        self._held = b""
        """The end of the output that may be the beginning of a mark."""
        self._state = _State.FIRST
        self._first: Tally | None = None
        """Tally of the first simulation."""
        self._error: ToolError | ParameterError | None = None

    def _new_parser(self) -> LogParser:
        return LogParser(timed=self._build.mode != "fast")

    def drive(self, waves: Path | None, extra: Mapping[str, str]) -> Tally:
        """Tally of the first simulation.

        Whether a run passed is read from what the child wrote itself: a simulator that dies leaves nothing.
        """
        with self._descriptors:
            code = self._supervised(waves, extra)
        if not self._several:
            if waves is not None and code < 0 and self._outcome.exists():  # the end of the waveform is not there
                raise no_report(code, self._log)
            self._ended(code)
        if self._error is not None:
            raise self._error
        if self._first is None or self._state is not _State.DONE:
            raise no_report(code, self._log)
        return self._first

    def _supervised(self, waves: Path | None, extra: Mapping[str, str]) -> int:
        """The exit code of the process. Raises ToolError, ParameterError."""
        job, descriptors = self._run.job, self._descriptors
        request = self._work / "run.pickle"
        request.write_bytes(pickle.dumps(self._request()))
        try:
            return supervise(
                self._build.command(waves, job.power_up, f"+rows=/proc/self/fd/{descriptors.rows}"),
                self._work,
                self._log,
                extra={**extra, "PYTHONPATH": python_path(), ENVIRONMENT: str(request)},
                inherit=descriptors.inherited,
                patience=job.patience,
                alive=lambda _: descriptors.activity,
                listener=self,
                sandboxed=job.sandbox,
            )
        except HungError:
            raise hung(job, descriptors.case) from None

    def _request(self) -> dict[str, Any]:
        """As `child` reads it."""
        return {
            "run": packed(self._run),
            "outcome": str(self._outcome),
            "progress": self._descriptors.progress,
            "beat": self._descriptors.beat,
            "rows": self._descriptors.rows,
            "after": self._descriptors.after,
        }

    def __call__(self, data: bytes) -> bytes:
        """The part of the output that goes into the log (see LogParser); a mark ends a simulation."""
        logged, data = b"", self._held + data
        while mark := _END_MARK.search(data):
            logged += self._parser(data[: mark.start()]) + self._parser.finish()
            data = data[mark.end() :]
            self._ended(int(mark[1]))
        start = self._start_of_mark(data)
        self._held = data[start:]
        return logged + self._parser(data[:start])

    def _start_of_mark(self, data: bytes) -> int:
        """Index at which an incomplete mark may begin; the length of the data if there is none."""
        start = data.rfind(b"\n")
        may_begin = self._descriptors.takes_more and start >= 0 and len(data) - start <= _MAX_MARK
        return start if may_begin else len(data)

    def finish(self) -> bytes:
        """The rest of the output that goes into the log (see LogParser)."""
        held, self._held = self._held, b""
        return self._parser(held) + self._parser.finish()

    def _ended(self, code: int) -> None:
        """A simulation has ended: take its outcome and begin the next one."""
        try:
            tally = self._tally(code)
            rest = self._more(tally)
        except (ToolError, ParameterError) as error:
            self._state, self._error = _State.FAILED, error
            self._descriptors.close_next()
            return
        self._first = self._first or tally
        self._parser = self._new_parser()
        if rest is None or not self._descriptors.takes_more:
            self._state = _State.DONE
            self._descriptors.close_next()
        else:
            self._state, self._run = _State.NEXT, rest
            self._descriptors.simulate_next(rest.skipped)

    def _tally(self, code: int) -> Tally:
        """Tally of the simulation that has just ended. Raises ToolError, ParameterError."""
        answer = self._answer(code)
        if "parameter" in answer:
            raise ParameterError(answer["parameter"], answer["reason"])
        if "failure" in answer:
            raise ToolError(answer["failure"])
        tally = asserted(self._run, Tally.from_fields(answer["tally"]), self._parser)
        if tally.divergence is None and tally.verified < self._run.stimulus.products:
            raise no_report(code, self._log)  # an assertion that was not parsed
        return tally

    def _answer(self, code: int) -> dict[str, Any]:
        """The answer of the child; after a failed assertion it may have written nothing. Raises ToolError."""
        try:
            answer: dict[str, Any] = json.loads(left_behind(self._outcome))
            self._outcome.unlink()
        except (FileNotFoundError, ValueError):
            if self._parser.failure is None:
                raise no_report(code, self._log) from None
            return {"tally": Tally(0, 0, 0.0, None).fields}
        return answer
