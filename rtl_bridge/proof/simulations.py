# SPDX-License-Identifier: Apache-2.0
"""Simulations that end a proof: what Yosys reads in another way than simulators, a proof cannot see.

Values that are unknown, several drivers of a net, an order of processes: a core may be proved as Yosys reads it and
still be wrong in every simulator.
"""

import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.run.builds import BuildError
from limbtrace.rtl_bridge.run.contract import certain
from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.replays import confirmed
from limbtrace.rtl_bridge.run.report import Divergence
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate_run
from limbtrace.rtl_bridge.run.simulators import SIMULATORS, simulator
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.request import EXHAUSTIVE

MOST_PAIRS = 1 << 16
"""Most pairs of operands of which all are simulated: those of moduli of up to 8 bits."""
DISTURBED = 300
"""Products of a disturbed run: as many find nearly all faults of the mutant bank that disturbances reveal."""
LEFT_OUT = ("modulus", "size", "idle")
"""Kinds of disturbances that are not about the modulus of the proof, and idle times, which it covers."""


class Simulated(NamedTuple):
    """Products of a simulation, and how it ended."""

    run: Run
    products: int
    """Those that agree."""
    divergence: Divergence | None

    @property
    def exhausted(self) -> bool:
        """True if these are all pairs of operands."""
        return self.run.exhausts is not None and self.divergence is None

    def text(self) -> str:
        """The products that agree, in words."""
        job = self.run.job
        which = "all " if self.exhausted else ""
        how = "disturbed " if job.disturb else ""
        return f"{which}{self.products} {how}product{'' if self.products == 1 else 's'} in {job.simulator}"


def available() -> list[str]:
    """The simulators that are installed; others are named on standard error. Raises ToolError without any."""
    found, missing = [], []
    for name in SIMULATORS:
        try:
            simulator(name)
            found.append(name)
        except ToolError as error:
            missing.append(str(error))
    if not found:
        raise ToolError("; ".join(missing))
    for sentence in missing:
        _warn(f"in it: {sentence}")
    return found


def _warn(sentence: str) -> None:
    print(f"limbtrace: warning: the proof ends without a simulation {sentence}", file=sys.stderr, flush=True)


def simulated(asked: BindRequest, bound: Bound, simulators: Sequence[str]) -> Iterator[Simulated]:
    """The default run in each simulator and all pairs of operands where these are few; in the first one that takes the
    RTL products with each disturbance that the contract permits for certain, too. Up to the first difference.

    One that does not take the RTL is named on standard error. Raises ToolError, BuildError if none does.
    """
    refused: list[BuildError] = []
    for number, name in enumerate(simulators):
        try:
            for each in _simulated(asked, bound, name, disturbed=number == len(refused)):
                yield each
                if each.divergence is not None:
                    return
        except BuildError as error:
            refused.append(error)
            if len(refused) == len(simulators):
                raise
            _warn(f"in {name}: {error}")


def _simulated(asked: BindRequest, bound: Bound, name: str, *, disturbed: bool) -> Iterator[Simulated]:
    """The runs of one simulator."""
    for job in _jobs(asked, bound, name, disturbed=disturbed):
        try:
            run = settle(job, like=bound, many=True)
        except ParameterError as error:
            if job.kind != EXHAUSTIVE:  # which a core may not have
                _warn(f"in {name}: {error}")
            continue
        report = confirmed(run, simulate_run(run))
        yield Simulated(run, report.tally.verified, report.tally.divergence)


def _jobs(asked: BindRequest, bound: Bound, name: str, *, disturbed: bool) -> Iterator[Job]:
    job = Job(**asked.model_dump(), simulator=name)
    yield job
    kinds = tuple(kind for kind in DISTURBANCES if kind not in LEFT_OUT and certain(bound, kind))
    if kinds and disturbed:
        yield job.model_copy(update={"disturb": kinds, "count": DISTURBED})
    a, b = (most + 1 for most in bound.numbers_of_all)
    if a * (1 if bound.core.file.unary else b) <= MOST_PAIRS:
        yield job.model_copy(update={"mode": "bulk", "kind": EXHAUSTIVE, "count": None})


def summary(simulations: list[Simulated]) -> str:
    """Simulations in words, for people."""
    parts = [each.text() for each in simulations]
    if simulations and simulations[-1].divergence is not None:
        return ", ".join(parts)
    missing = [name for name in SIMULATORS if name not in {each.run.job.simulator for each in simulations}]
    return (", ".join(parts) or "no product") + (f"; not in {' and '.join(missing)}" if missing else "")
