# SPDX-License-Identifier: Apache-2.0
"""Runs of one build of a core in one process: a model that is loaded once is new for each of them."""

import json
import os
import pickle
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from limbtrace.rtl_bridge.programs.process import HungError, log_of, python_path, supervise
from limbtrace.rtl_bridge.run.builds import Build, build
from limbtrace.rtl_bridge.run.child import ENVIRONMENT
from limbtrace.rtl_bridge.run.log_parser import LogParser
from limbtrace.rtl_bridge.run.pickled import packed
from limbtrace.rtl_bridge.run.report import Tally
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.simulation import simulate_run

FAST = "fast"
LOADER = "limbtrace.rtl_bridge.domain.child"


def tallies(runs: Sequence[Run]) -> list[Tally]:
    """The tallies of runs of one build of a core. Raises ToolError.

    In mode fast they are simulated in one process. What does not come to its end there, and everything if an assertion
    of the core fails, is simulated again on its own.
    """
    together = _together(runs) if runs[0].job.mode == FAST and len(runs) > 1 else [None] * len(runs)
    return [
        simulate_run(run, quiet=True).tally if tally is None else tally
        for run, tally in zip(runs, together, strict=True)
    ]


def _together(runs: Sequence[Run]) -> list[Tally | None]:
    job = runs[0].job
    model = build(runs[0].shell, job.simulator, job.mode, waves=False, sandboxed=job.sandbox)
    with tempfile.TemporaryDirectory(prefix="limbtrace-") as folder:
        work = Path(folder) / "run"
        work.mkdir()
        parser, outcome = LogParser(timed=False), work / "outcome"
        _supervised(runs, model, work, outcome, parser)
        lines = outcome.read_text().splitlines() if outcome.exists() else []
    found: list[Tally | None] = [None] * len(runs)
    if parser.failure is not None:
        return found
    for at, (run, line) in enumerate(zip(runs, lines, strict=False)):
        fields = json.loads(line)
        tally = None if fields is None else Tally.from_fields(fields)
        ended = tally is not None and (tally.divergence is not None or tally.verified == run.stimulus.products)
        found[at] = tally if ended else None
    return found


def _supervised(runs: Sequence[Run], model: Build, work: Path, outcome: Path, parser: LogParser) -> None:
    """Run the process until it ends, or until it makes no progress."""
    job, request = runs[0].job, work / "runs.pickle"
    pulse = os.memfd_create("limbtrace")
    try:
        whole = replace(runs[0], others=[("", run) for run in runs[1:]])
        request.write_bytes(pickle.dumps({"runs": packed(whole), "outcome": str(outcome), "beat": pulse}))
        supervise(
            [sys.executable, "-m", LOADER, str(model.folder / "sim")],
            work,
            log_of(work),
            extra={"PYTHONPATH": python_path(), ENVIRONMENT: str(request)},
            inherit=[pulse],
            patience=job.patience,
            alive=lambda _: os.pread(pulse, 64, 0),
            listener=parser,
            sandboxed=job.sandbox,
        )
    except HungError:
        pass  # the run that hangs is simulated again on its own, which says so
    finally:
        os.close(pulse)
