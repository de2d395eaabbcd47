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
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refmodels import registry
from refmodels.architecture import Architecture
from refmodels.errors import ParameterError
from refmodels.model import Model
from rtl_bridge.core.bound import Bound
from rtl_bridge.run.job import Job
from rtl_bridge.run.mode import hung
from rtl_bridge.run.process import HungError, left_behind, log_of, no_report, supervise
from rtl_bridge.run.report import Tally
from rtl_bridge.run.run import Run
from rtl_bridge.run.said import Said, asserted
from vectors.errors import ToolError

if TYPE_CHECKING:
    from rtl_bridge.run.builds import Build

ENVIRONMENT = "LIMBTRACE_RUN"
"""Path of the file with a pickled dictionary: "run", "outcome" (path of the answer), and file descriptors."""


@dataclass
class Request:
    """What is asked for; whoever answers sets `tally`."""

    run: Run
    beat: int
    """For `process.beat`."""
    rows: int
    """File that a testbench writes rows into."""
    tally: Tally | None = None


def call(run: Run, build: "Build", work: Path, waves: Path | None, extra: Mapping[str, str]) -> Tally:
    """Simulate in the folder `work`, with `extra` in the environment. Raises ToolError, ParameterError.

    Whether a run passed is read from what the child wrote itself: a simulator that dies leaves nothing.
    """
    log, outcome, request = log_of(work), work / "outcome.json", work / "run.pickle"
    progress, beat, rows = os.dup(2), os.memfd_create("limbtrace"), os.memfd_create("limbtrace-rows")
    sent = {"run": packed(run), "outcome": str(outcome), "progress": progress, "beat": beat, "rows": rows}
    path = os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path)
    said = Said(timed=build.mode != "fast")
    try:
        request.write_bytes(pickle.dumps(sent))
        code = supervise(
            build.command(waves, run.job.power_up, f"+rows=/proc/self/fd/{rows}"),
            work,
            log,
            extra={**extra, "PYTHONPATH": path, ENVIRONMENT: str(request)},
            inherit=[progress, beat, rows],
            patience=run.job.patience,
            alive=lambda _: os.pread(beat, 64, 0),
            listener=said,
            sandboxed=run.job.sandbox,
        )
    except HungError:
        raise hung(run.job, os.pread(beat, 20, 0).decode().strip()) from None
    finally:
        for descriptor in (progress, beat, rows):
            os.close(descriptor)
    try:
        answer = json.loads(left_behind(outcome))
    except (FileNotFoundError, ValueError):
        if said.failure is None:
            raise no_report(code, log) from None
        answer = {"tally": Tally(0, 0, 0.0, None).fields}
    if waves is not None and code < 0:  # the report is there, the end of the waveform is not
        raise no_report(code, log)
    if "parameter" in answer:
        raise ParameterError(answer["parameter"], answer["reason"])
    if "failure" in answer:
        raise ToolError(answer["failure"])
    tally = asserted(run, Tally.from_fields(answer["tally"]), said.failure)
    if tally.divergence is None and tally.verified < run.stimulus.products:  # an assertion that nobody understood
        raise no_report(code, log)
    return tally


@contextmanager
def answering() -> Iterator[Request]:
    """In the child: read the request and write its outcome, which is an error where one comes out of the block."""
    _whole_lines()
    sent = pickle.loads(Path(os.environ[ENVIRONMENT]).read_bytes())
    request = Request(unpacked(sent["run"]), sent["beat"], sent["rows"])
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


def _whole_lines() -> None:
    """Let the simulator write line by line, or lines of Python come out in the middle of an assertion that fails."""
    libc, line_buffered = ctypes.CDLL(None), 1
    libc.setvbuf(ctypes.c_void_p.in_dll(libc, "stdout"), None, line_buffered, ctypes.c_size_t(0))


class _Pickler(pickle.Pickler):
    def persistent_id(self, value: Any) -> tuple[str, str] | None:
        if isinstance(value, Model):
            return "model", value.id
        return ("architecture", value.id) if isinstance(value, Architecture) else None


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, name: tuple[str, str]) -> Any:
        return {"model": registry.model, "architecture": registry.architecture}[name[0]](name[1])


def packed(run: Run) -> bytes:
    """What was settled of a run."""
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
