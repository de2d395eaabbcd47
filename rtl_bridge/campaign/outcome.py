# SPDX-License-Identifier: Apache-2.0
"""The work of a worker: it runs a shard and returns the outcome as plain data."""

import ctypes
import json
import os
import signal
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.campaign.shards import check_contents
from limbtrace.rtl_bridge.code_coverage.counted import CountedCode
from limbtrace.rtl_bridge.programs.die_with_parent import PR_SET_PDEATHSIG
from limbtrace.rtl_bridge.run.event_coverage import Covered
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.not_tried import circumstances
from limbtrace.rtl_bridge.run.replays import confirmed
from limbtrace.rtl_bridge.run.report import Report
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.shrink import shrink
from limbtrace.rtl_bridge.run.simulation import simulate_run
from limbtrace.vectors.encoding import digest, dump
from limbtrace.vectors.errors import ToolError


@dataclass(frozen=True)
class Outcome:
    """Outcome of a shard, or of a product that was minimized."""

    verified: int = 0
    cycles: int = 0
    digest: str = ""
    """SHA-256 of what is the same on every machine: how far the run came, and its difference."""
    bucket: tuple[str, ...] = ()
    """Properties shared by equivalent differences: core, signal, step, kind, observation; empty without one."""
    report: dict[str, Any] | None = None
    """The report of a run with a difference, as a ReportDocument."""
    untried: tuple[str, ...] = ()
    """Circumstances that a run without a difference did not try, as noun phrases."""
    covered: dict[str, Any] | None = None
    """Events that happened, as a CoverageDocument."""
    code: list[list[Any]] | None = None
    """Points of code coverage, each with its count; empty if Verilator wrote none, None if none were asked for."""
    shrunk: dict[str, Any] | None = None
    """The smallest product that fails, if one was asked for and found."""
    failed: str = ""
    """Why a tool failed; another worker may do better."""
    wrong: str = ""
    """Why the run is impossible; no other worker will do better."""

    def as_text(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> "Outcome":
        fields = json.loads(text)
        return cls(**{**fields, "bucket": tuple(fields["bucket"]), "untried": tuple(fields["untried"])})


def run_shard(task: Mapping[str, Any]) -> str:
    """The outcome of a shard (`SettledCell.task`), as text."""
    try:
        return _run(task).as_text()
    except ParameterError as error:
        return Outcome(wrong=str(error)).as_text()
    except ToolError as error:
        return Outcome(failed=str(error)).as_text()


def shrink_shard(task: Mapping[str, Any]) -> str:
    """The difference of a shard, minimized if possible; as text."""
    try:
        job = Job(**task["job"])
        found = shrink(job, simulate_run(_settled(task), quiet=True))
        return Outcome(shrunk=None if found is None else {**found.document, "text": found.text()}).as_text()
    except (ParameterError, ToolError) as error:
        return Outcome(failed=str(error)).as_text()


def _settled(task: Mapping[str, Any]) -> Run:
    run = settle(Job(**task["job"]))
    check_contents(run, task["contents"])
    return run.skipping(task["first"] // run.stimulus.size)


def _run(task: Mapping[str, Any]) -> Outcome:
    run = _settled(task)
    covered = Covered(run) if task["counted"] else None
    code = CountedCode() if task.get("code") else None
    report = confirmed(run, simulate_run(run, quiet=True, code=code))
    tally = report.tally
    return Outcome(
        verified=tally.verified,
        cycles=tally.cycles,
        digest=_digest(task["id"], report),
        bucket=() if report.passed else _bucket(report),
        report=None if report.passed else report.document,
        untried=tuple(circumstances(run, tally.disturbances)) if report.passed else (),
        covered=None if covered is None else covered.count(report).document,
        code=None if code is None else code.packed(),
    )


def _digest(name: str, report: Report) -> str:
    tally, found = report.tally, report.tally.divergence
    said = None if found is None else {**found.document, "replay": ""}
    return digest(dump([name, tally.verified, tally.cycles, report.signals, tally.disturbances, said]))


def _bucket(report: Report) -> tuple[str, ...]:
    group = report.groups[0]
    return report.core, group.signal, group.step or "", group.about, group.observation or ""


def begin(parent: int) -> None:
    """Initialise a worker process: it ends with its parent, and leaves keyboard and terminal to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    os.close(silence)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)
