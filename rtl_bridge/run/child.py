# SPDX-License-Identifier: Apache-2.0
"""Both ends of a run in a process of its own: a settled run goes in, what became of it comes out.

A core that crashes, hangs or prints does it there. What is sent is pickled: both ends are this program, the file is in
a folder that only this user reads, and whatever fields a bound core has are sent without another list of them. Models
and architectures go by their names, and a plan, which is made of functions, is made again from its shape.
"""

import ctypes
import io
import json
import os
import pickle
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from limbtrace.refmodels import registry
from limbtrace.refmodels.architecture import Architecture
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Model
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.programs.process import (
    HungError,
    Relay,
    left_behind,
    log_of,
    no_report,
    python_path,
    supervise,
    whole_lines,
)
from limbtrace.rtl_bridge.run.driver import More, enough
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.log_parser import Said, asserted
from limbtrace.rtl_bridge.run.mode import hung
from limbtrace.rtl_bridge.run.report import Tally
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.vectors.errors import ToolError

if TYPE_CHECKING:
    from limbtrace.rtl_bridge.run.builds import Build

ENVIRONMENT = "LIMBTRACE_RUN"
"""Path of the file with a pickled dictionary: "run", "outcome" (path of the answer), and file descriptors."""


_ENDED = re.compile(rb"\nLIMBTRACE ENDED (-?\d+)\n")
_LONGEST_MARK = 32


@dataclass
class Request:
    """The request; the child process fills in `tally`."""

    run: Run
    beat: int
    """For `process.beat`."""
    rows: int
    """File that a testbench writes rows into."""
    tally: Tally | None = None


def call(
    run: Run, build: "Build", work: Path, waves: Path | None, extra: Mapping[str, str], more: More = enough
) -> Tally:
    """`Driver.drive` in a process with `extra` in its environment."""
    if waves is None and build.beside is None:
        return _Session(run, build, work, more).drive(None, extra)
    tally = _Session(run, build, work, enough).drive(waves, extra)
    number, rest = 0, more(tally)
    while rest is not None:  # the process that writes a waveform, or has VHDL beside it, cannot do so twice
        number += 1
        own = work.with_name(f"{work.name}.{number}")
        own.mkdir()
        if build.beside is None:
            _Session(rest, build, own, more).drive(None, extra)
            break
        rest = more(_Session(rest, build, own, enough).drive(None, extra))
    return tally


class _Session:
    """The outer end: listens to the process, and tells it what to simulate next."""

    def __init__(self, run: Run, build: "Build", work: Path, more: More) -> None:
        self._run, self._build, self._work, self._more = run, build, work, more
        self._log, self._outcome = log_of(work), work / "outcome.json"
        self._said = Said(timed=build.mode != "fast")
        self._rest = b""
        self._next: int | None = None
        """Descriptor that takes the streams to be skipped next."""
        self._first: Tally | None = None
        self._begun = False
        """True if a simulation was begun after the first one and has not ended."""
        self._wrong: ToolError | ParameterError | None = None

    def drive(self, waves: Path | None, extra: Mapping[str, str]) -> Tally:
        """How far the first simulation came.

        Whether a run passed is read from what the child wrote itself: a simulator that dies leaves nothing.
        """
        run, request = self._run, self._work / "run.pickle"
        # In a sandbox a program must not have the terminal, or it types into it.
        relay = Relay() if run.job.sandbox else None
        progress = os.dup(2) if relay is None else relay.end
        beat, rows = os.memfd_create("limbtrace"), os.memfd_create("limbtrace-rows")
        inherit = [progress, beat, rows]
        several = self._more is not enough and run.job.keep_going is not None
        if several:
            after, self._next = os.pipe()
            inherit.append(after)
        sent = {"run": packed(run), "outcome": str(self._outcome), "progress": progress, "beat": beat, "rows": rows}
        try:
            request.write_bytes(pickle.dumps({**sent, "after": after if several else None}))
            code = supervise(
                self._build.command(waves, run.job.power_up, f"+rows=/proc/self/fd/{rows}"),
                self._work,
                self._log,
                extra={**extra, "PYTHONPATH": python_path(), ENVIRONMENT: str(request)},
                inherit=inherit,
                patience=run.job.patience,
                # A long product beats once, and its rows are written all along.
                alive=lambda _: (os.pread(beat, 64, 0), os.fstat(rows).st_mtime_ns),
                listener=self,
                sandboxed=run.job.sandbox,
            )
        except HungError:
            raise hung(run.job, os.pread(beat, 20, 0).decode().strip()) from None
        finally:
            for descriptor in inherit:
                os.close(descriptor)
            if relay is not None:
                relay.finish()
            self._close()
        if not several:
            if waves is not None and code < 0 and self._outcome.exists():  # the end of the waveform is not there
                raise no_report(code, self._log)
            self._ended(code)
        if self._wrong is not None:
            raise self._wrong
        if self._first is None or self._begun:
            raise no_report(code, self._log)
        return self._first

    def __call__(self, data: bytes) -> bytes:
        """The part of it that goes into the log (see Said); where a simulation has ended, the next one begins."""
        kept, data = b"", self._rest + data
        while mark := _ENDED.search(data):
            kept += self._said(data[: mark.start()]) + self._said.finish()
            data = data[mark.end() :]
            self._ended(int(mark[1]))
        begins = data.rfind(b"\n")
        cut = begins if self._next is not None and begins >= len(data) - _LONGEST_MARK else len(data)
        self._rest = data[cut:] if begins >= 0 else b""
        return kept + self._said(data[: len(data) - len(self._rest)])

    def finish(self) -> bytes:
        """The rest of the output that goes into the log (see Said)."""
        rest, self._rest = self._rest, b""
        return self._said(rest) + self._said.finish()

    def _ended(self, code: int) -> None:
        """A simulation has ended: take its outcome and begin the next one."""
        try:
            tally = self._tally(code)
            rest = self._more(tally)
        except (ToolError, ParameterError) as error:
            self._wrong = error
            self._close()
            return
        self._first, self._begun = self._first or tally, False
        self._said = Said(timed=self._build.mode != "fast")
        if rest is None or self._next is None:
            self._close()
            return
        self._run, self._begun = rest, True
        os.write(self._next, f"{rest.skipped}\n".encode())

    def _close(self) -> None:
        if self._next is not None:
            os.close(self._next)
        self._next = None

    def _tally(self, code: int) -> Tally:
        """How far the simulation came that has just ended. Raises ToolError, ParameterError."""
        run = self._run
        try:
            answer = json.loads(left_behind(self._outcome))
            self._outcome.unlink()
        except (FileNotFoundError, ValueError):
            if self._said.failure is None:
                raise no_report(code, self._log) from None
            answer = {"tally": Tally(0, 0, 0.0, None).fields}
        if "parameter" in answer:
            raise ParameterError(answer["parameter"], answer["reason"])
        if "failure" in answer:
            raise ToolError(answer["failure"])
        tally = asserted(run, Tally.from_fields(answer["tally"]), self._said)
        if tally.divergence is None and tally.verified < run.stimulus.products:  # an assertion that was not parsed
            raise no_report(code, self._log)
        return tally


@contextmanager
def answering() -> Iterator[Request]:
    """In the child: read the request and write its outcome, which is an error where one comes out of the block."""
    whole_lines()
    sent = pickle.loads(Path(os.environ[ENVIRONMENT]).read_bytes())
    run = unpacked(sent["run"])
    if sent["after"] is not None:
        run = _in_turn(run, sent["after"])
    request = Request(run, sent["beat"], sent["rows"])
    outcome: dict[str, Any]
    try:
        with os.fdopen(sent["progress"], "w") as progress, redirect_stderr(progress):
            yield request
        assert request.tally is not None
        outcome = {"tally": request.tally.fields}
    except ParameterError as error:
        outcome = {"parameter": error.parameter, "reason": error.reason}
    except ToolError as error:
        outcome = {"failure": str(error)}
    Path(sent["outcome"]).write_text(json.dumps(outcome))
    if sent["after"] is not None:  # skip interpreter shutdown: it is slow, and its output is not needed
        _flush()
        os._exit(0)


def _flush() -> None:
    """Let everything that the simulator and Python have said so far be heard."""
    sys.stdout.flush()
    ctypes.CDLL(None).fflush(None)


def _in_turn(run: Run, after: int) -> Run:
    """Fork before the first clock edge: a simulator and Python take long to start, and a copy of both is as new.

    Returns in the copy, with what it is to simulate. Here it says when the copy has ended, and makes the next one for
    the streams that `after` says, or ends, where it says none.
    """
    while True:
        _flush()
        copy = os.fork()
        if copy == 0:
            return run
        code = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
        os.write(1, f"\nLIMBTRACE ENDED {code}\n".encode())
        skipped = b""
        while not skipped.endswith(b"\n"):
            if not (more := os.read(after, 32)):
                os._exit(0)
            skipped += more
        run = run.skipping(int(skipped))


class _Pickler(pickle.Pickler):
    def persistent_id(self, value: Any) -> tuple[str, str] | None:
        if isinstance(value, Model):
            return "model", value.id
        return ("architecture", value.id) if isinstance(value, Architecture) else None


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, name: tuple[str, str]) -> Any:
        return {"model": registry.model, "architecture": registry.architecture}[name[0]](name[1])


def packed(run: Run) -> bytes:
    """The settled run."""
    stream = io.BytesIO()
    runs = [("", run), *run.others]
    _Pickler(stream).dump([(kind, one.job, replace(one.bound, plan=None), one.skipped) for kind, one in runs])
    return stream.getvalue()


def unpacked(data: bytes) -> Run:
    """The inverse."""
    settled: list[tuple[str, Job, Bound, int]] = _Unpickler(io.BytesIO(data)).load()
    (_, run), *others = [(kind, Run(job, _planned(bound), (), skipped)) for kind, job, bound, skipped in settled]
    return replace(run, others=others)


def _planned(bound: Bound) -> Bound:
    if bound.architecture is None or bound.shape is None:
        return bound
    return replace(bound, plan=bound.architecture.plan(bound.shape))
