# SPDX-License-Identifier: Apache-2.0
"""A whole simulation: run settled, model built, products run, report written."""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial, reduce
from pathlib import Path
from typing import Any

from limbtrace.rtl_bridge.code_coverage.counted import CountedCode, counts_below
from limbtrace.rtl_bridge.programs.sandbox import check as check_sandbox
from limbtrace.rtl_bridge.run.builds import build
from limbtrace.rtl_bridge.run.conversion import check_conversion
from limbtrace.rtl_bridge.run.driver import driver
from limbtrace.rtl_bridge.run.explanation import Observer
from limbtrace.rtl_bridge.run.job import MODES, Job
from limbtrace.rtl_bridge.run.latencies import joined
from limbtrace.rtl_bridge.run.not_tried import not_tried
from limbtrace.rtl_bridge.run.report import Divergence, Report, Tally
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.spacing import gap
from limbtrace.rtl_bridge.run.waveform import keep, wave_names
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.request import prime_document


def simulate(job: Job, *, quiet: bool = False) -> Report:
    """Run a job; `quiet` runs are not announced.

    Raises ParameterError for a wrong request or description before anything is built, ToolError when a tool or the
    service fails.
    """
    return simulate_run(settle(job), quiet=quiet)


def simulate_run(run: Run, *, quiet: bool = False, code: CountedCode | None = None) -> Report:
    """Build and simulate a run that is settled already; `quiet` runs are not announced. Raises ToolError.

    PointCounts of its code coverage are added to `code`.
    """
    if run.job.sandbox:
        check_sandbox()
    check_conversion(run, partial(_simulated, quiet=True))
    return _simulated(run, quiet=quiet, code=code)


def _simulated(run: Run, *, quiet: bool, code: CountedCode | None = None) -> Report:
    job = run.job
    if not quiet:
        print(f"limbtrace: {_announce(run)}", file=sys.stderr, flush=True)
    waves_here = job.waves is not None and run.mode.writes_waves
    model = build(run.shell, job.simulator, job.mode, waves_here, sandboxed=job.sandbox, counted=code is not None)
    with tempfile.TemporaryDirectory(prefix="limbtrace-") as folder, _disk(folder):
        work = Path(folder) / "run"
        work.mkdir()
        waves = work / "waves.vcd" if waves_here else None
        stretches = _Stretches(run)
        driver(job.mode).drive(run, model, work, waves, stretches)
        if code is not None:
            code.add(run.bound, counts_below(Path(folder), model.names))
        if job.waves is not None and waves is not None:
            keep(run.bound, waves, job.waves, stretches.ran[0][1])
    report = _report(run, stretches.ran)
    if job.waves is not None and not run.mode.writes_waves:
        _replayed_waves(job, report)
    return report


def _replayed_waves(job: Job, report: Report) -> None:
    """Write the waveform of a replay of the product that differs, in the first mode, which can."""
    if (found := report.tally.divergence) is None:
        said = (
            f"no product differs, and so mode {job.mode} has no waveform to write; mode {MODES[0]} writes that of all"
        )
    else:
        said = f"{job.waves} is of case {found.case} alone, simulated again in mode {MODES[0]}"
        only = min(found.case, job.cases - 1)
        again = simulate(job.model_copy(update={"mode": MODES[0], "only": only, "keep_going": None}), quiet=True)
        said += ", where it agrees: what differs depends on the products before it" if again.passed else ""
    print(f"limbtrace: {said}", file=sys.stderr, flush=True)


class _Stretches:
    """A run up to the first difference; and as long as there may be more of them, the rest up to the next one.

    Nothing that a difference left behind, in the core or in the testbench, is there in the next stretch, and so its
    difference is the one that the replay finds.
    """

    def __init__(self, run: Run) -> None:
        self._next = run
        self.ran: list[tuple[Run, Tally]] = []

    def __call__(self, tally: Tally) -> Run | None:
        """The run that follows a stretch that came so far; None at the end."""
        self.ran.append((self._next, tally))
        if tally.divergence is None or len(self.ran) >= (self._next.job.keep_going or 1):
            return None
        rest = self._next.after(tally.divergence.case)
        self._next = rest or self._next
        return rest


@contextmanager
def _disk(folder: str) -> Iterator[None]:
    """Say which folder it is that cannot be written."""
    try:
        yield
    except OSError as error:
        raise ToolError(f"{error.filename or folder}: {error.strerror}; TMPDIR says where simulations work") from error


def _announce(run: Run) -> str:
    job, bound, products = run.job, run.bound, run.stimulus.products
    parameters = ", ".join(f"{name} = {value}" for name, value in bound.parameters.items())
    return (
        f"{bound.core.file.name}{f' ({parameters})' if parameters else ''}, "
        f"modulus of {bound.multiplier.modulus.bits} bits, {products} product{'' if products == 1 else 's'}, "
        f"{job.mode} in {job.simulator}"
    )


def _circumstances(run: Run, divergence: Divergence) -> dict[str, Any]:
    """Circumstances of a product that differs: how it was disturbed, or that it followed another one closely."""
    before = gap(divergence.case // run.stimulus.size * run.stimulus.size, run.bound.core.file)
    if run.job.disturb or run.bound.in_order or not before.behind:
        return divergence.disturbed
    return {"behind": {"cycles": before.cycles}}


def _whole(run: Run, stretches: Sequence[tuple[Run, Tally]]) -> tuple[Tally, tuple[Divergence, ...]]:
    """Tally of all stretches of a run, with the first difference; and all differences."""
    tallies = [tally for _, tally in stretches]
    differences = tuple(
        replace(found, replay=run.replay(found.case), disturbed=_circumstances(run, found))
        for found in (tally.divergence for tally in tallies)
        if found is not None
    )
    kinds = tallies[0].disturbances
    whole = Tally(
        verified=sum(tally.verified for tally in tallies),
        cycles=sum(tally.cycles for tally in tallies),
        seconds=sum(tally.seconds for tally in tallies),
        divergence=differences[0] if differences else None,
        disturbances={kind: sum(tally.disturbances.get(kind, 0) for tally in tallies) for kind in kinds},
        warnings=tuple(dict.fromkeys(warning for tally in tallies for warning in tally.warnings)),
        latencies=reduce(joined, (tally.latencies for tally in tallies)),
    )
    return whole, differences


def _reached(run: Run, stretches: Sequence[tuple[Run, Tally]]) -> int:
    """Products up to the last one that was looked at; of a stream that differs all."""
    last, tally = stretches[-1]
    size, found = run.stimulus.size, tally.divergence
    end = run.stimulus.products if found is None else (found.case - run.stimulus.first) // size * size + size
    return min(max(end, (last.skipped - run.skipped) * size + tally.verified), run.stimulus.products)


def _report(run: Run, stretches: Sequence[tuple[Run, Tally]]) -> Report:
    job, bound, multiplier = run.job, run.bound, run.bound.multiplier
    tally, differences = _whole(run, stretches)
    firsts = {tally.divergence.case: stretch.stimulus.first for stretch, tally in stretches if tally.divergence}
    return Report(
        core=bound.core.file.name,
        model=multiplier.model.id,
        simulator=job.simulator,
        mode=job.mode,
        seed=job.seed,
        signals=len(bound.watches) if run.compares_signals else 0,
        tally=tally,
        reached=_reached(run, stretches),
        most=job.keep_going,
        differences=differences,
        observe=Observer(run, firsts).observed,
        not_tried=() if tally.divergence else not_tried(run, tally.disturbances),
        about={
            "prime": prime_document(multiplier.modulus),
            "radix": multiplier.radix,
            "params": bound.head["params"],
            "build": bound.parameters,
            "count": job.cases,
            **({"operands": job.operands} if job.operands else {"kind": job.kind}),
            **({"exhausted": run.exhausts} if run.exhausts else {}),
            **({"stream": run.stimulus.size} if bound.products > 1 else {}),
        },
        wave_names=wave_names(bound),
    )
