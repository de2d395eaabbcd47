# SPDX-License-Identifier: Apache-2.0
"""Replays that are known to differ: each is parsed as a command line and run before anyone is told of it."""

import shlex
from collections.abc import Iterator
from dataclasses import replace

from limbtrace.rtl_bridge.run.options import parsed
from limbtrace.rtl_bridge.run.report import Divergence, Report
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.simulation import simulate

MOST = 100_000
"""Most products that are simulated again only to see that a command differs."""


def confirm(run: Run, case: int) -> str:
    """The shortest command found that simulates a case of a run and differs; empty if none does.

    Tried are the case alone, all cases up to it, and the whole run, the last two up to MOST cases. Raises ToolError.
    """
    return next((command for command in dict.fromkeys(_commands(run, case)) if _differs(run, command)), "")


def confirmed(run: Run, report: Report) -> Report:
    """The report with replays that differ, for each difference that it shows. Raises ToolError."""
    shown = {id(group.first): group.first for group in report.groups} if report.most is not None else {}
    if (first := report.tally.divergence) is None:
        return report
    known = {found.case: confirm(run, found.case) for found in [first, *shown.values()]}

    def settled(divergence: Divergence) -> Divergence:
        return replace(divergence, replay=known.get(divergence.case, divergence.replay))

    tally = replace(report.tally, divergence=settled(first))
    return replace(report, tally=tally, differences=tuple(map(settled, report.differences)))


def _commands(run: Run, case: int) -> Iterator[str]:
    yield run.replay(case)
    for last in (case, run.job.cases - 1):
        if last < MOST:
            yield run.replay(last, alone=False)


def _differs(run: Run, command: str) -> bool:
    job = parsed(type(run.job), shlex.split(command)[2:])
    return not simulate(job.model_copy(update={"patience": run.job.patience}), quiet=True).passed
