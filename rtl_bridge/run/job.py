# SPDX-License-Identifier: Apache-2.0
"""A simulation as it was asked for: every field with its option, and with what a replay says of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, ClassVar

import click

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.core.core import Core, find
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.options import ClickCommand, CommandParameters, again, integer, option
from limbtrace.rtl_bridge.run.simulators import SIMULATORS
from limbtrace.vectors.cli import set_options
from limbtrace.vectors.request import DEFAULT_KIND, EXHAUSTIVE, drawn_by, kind_with

MODES = ("lockstep", "bulk", "fast")
"""Each is a module beside this one with a `MODE`, loaded when it is asked for; the first is the default."""
MOST_DIFFERENCES = 1000
"""Most differences of a run, each of which takes a start of the simulator."""


def _declared_sets(command: ClickCommand) -> ClickCommand:
    """Operands that are drawn, and all of them by a flag of its own."""
    every = click.option("--exhaustive", is_flag=True, help="All pairs of operands: as --kind exhaustive.")
    declared: ClickCommand = set_options(every(command))
    return declared


def _drawn(name: str, given: CommandParameters) -> str | None:
    """About operands that are drawn, and so it excludes given ones."""
    text: str | None = drawn_by(given["operands"], **{name: given[name]}).get(name)
    return text


def _kind(name: str, given: CommandParameters) -> str | None:
    """The kind, with the events that were chosen, or with widths of limbs."""
    kind = given[name]
    if given["exhaustive"]:
        if kind not in (None, EXHAUSTIVE):
            raise ParameterError(EXHAUSTIVE, f"it is a kind of its own, and {shown(kind)} is asked for")
        kind = EXHAUSTIVE
    return _drawn(name, {**given, name: kind_with(kind, given["event"], given["words"])})


def _count(name: str, given: CommandParameters) -> int | None:
    return integer(name, {name: _drawn(name, given)})


def _disturb(name: str, given: CommandParameters) -> tuple[str, ...]:
    return tuple(kind for kind in DISTURBANCES if kind in given[name] or "all" in given[name])


def _through(job: Job, bound: Bound, case: int) -> int:
    """Cases up to the end of the stream of this one."""
    size = len(bound.starts)
    return min(job.cases, (case // size + 1) * size)


def _replayed_operands(job: Job, bound: Bound, case: int) -> Sequence[str]:
    return again("operands", job.operands[: _through(job, bound, case)])


def _replayed_count(job: Job, bound: Bound, case: int) -> Sequence[str]:
    return [] if job.operands else again("count", _through(job, bound, case))


def _replayed_kind(job: Job, bound: Bound, _: int) -> Sequence[str]:
    return [] if job.operands else again("kind", job.kind)


def _replayed_seed(job: Job, bound: Bound, _: int) -> Sequence[str]:
    decides = not job.operands or job.disturb or bound.protocol.stalls or job.simulator == "verilator"
    return again("seed", job.seed) if decides else []


def _replayed_only(job: Job, bound: Bound, case: int) -> Sequence[str]:
    return again("only", min(case, _through(job, bound, case) - 1))  # what fills the last stream has no number


class Job(BindRequest):
    """All that determines a simulation, and what limits it.

    The order of the fields is that of a replay. A field with `replay=None` does not change the outcome.
    """

    heeds_rules: ClassVar[bool] = True
    """False: a product whose handshake breaks a rule is compared by its result like others."""
    cycles_after: ClassVar[int] = 0
    """Cycles that are simulated after a difference, for a waveform."""

    operands: Annotated[
        tuple[str, ...],
        option(
            "vectors",
            replay=_replayed_operands,
            multiple=True,
            metavar="A,B[@CYCLE]",
            help="Operands A,B of one product, optionally its start cycle; repeatable. Default: COUNT drawn products.",
        ),
    ] = ()
    """A,B or A,B@CYCLE of every product as it was asked for, instead of a seeded set."""

    count: Annotated[int | None, option("vectors", declare=_declared_sets, read=_count, replay=_replayed_count)] = None
    """Number of drawn products; None: 16, or all of kind exhaustive, until the run is settled."""

    kind: Annotated[str, option("vectors", read=_kind, replay=_replayed_kind)] = DEFAULT_KIND

    seed: Annotated[int, option("vectors", read=integer, replay=_replayed_seed)] = 1
    """That of operands that are drawn, of waits and disturbances, and of registers before the reset in Verilator."""

    only: Annotated[
        int | None,
        option(
            "vectors",
            read=integer,
            replay=_replayed_only,
            metavar="N",
            help="Run case N of the set alone, or its stream; the first is 0.",
        ),
    ] = None
    """Number of the one case to run, with the others of its stream."""

    stream: Annotated[
        int | None,
        option(
            "vectors",
            read=integer,
            metavar="N",
            help="Products per stream; default: the core's maximum.",
        ),
    ] = None
    """Products of a stream, if the core takes several at a time; None: as many as it takes."""

    simulator: Annotated[str, option("run", type=click.Choice(SIMULATORS), show_default=True)] = SIMULATORS[0]

    mode: Annotated[
        str,
        option(
            "run",
            type=click.Choice(MODES),
            show_default=True,
            help="lockstep: every watched signal in every cycle; bulk: results only, no Python in the loop; "
            "fast: as lockstep, in batches, without cocotb.",
        ),
    ] = MODES[0]

    every_cycle: Annotated[
        bool,
        option(
            "vectors",
            modes=("bulk",),
            is_flag=True,
            help="Without Python in the loop, compare every watched signal in every cycle.",
        ),
    ] = False
    """In mode bulk: compare every watched signal in every cycle too."""

    disturb: Annotated[
        tuple[str, ...],
        option(
            "run",
            read=_disturb,
            modes=("lockstep",),
            multiple=True,
            type=click.Choice((*DISTURBANCES, "all")),
            help="In mode lockstep, disturb the core on purpose; repeatable.",
        ),
    ] = ()
    """Disturbances that the core has to tolerate: some of DISTURBANCES, in that order."""

    sandbox: Annotated[
        bool,
        option(
            "run",
            is_flag=True,
            help="Run untrusted RTL in a sandbox: no network, writes only to the work directory.",
        ),
    ] = False
    """True if what the core makes a simulator do stays in the folder of the run."""

    patience: Annotated[
        float,
        option(
            "run",
            replay=None,
            type=click.FloatRange(min=0),
            show_default=True,
            metavar="SECONDS",
            help="Kill the simulator after SECONDS without progress; 0 disables.",
        ),
    ] = 120.0
    """Seconds without progress after which a simulator is stopped; 0: never."""

    service: Annotated[
        str | None, option("run", replay=None, metavar="URL", help="Take golden data from this service.")
    ] = None
    """Address of the service that golden data comes from; None: computed here."""

    keep_going: Annotated[
        int | None,
        option(
            "run",
            replay=None,
            type=click.IntRange(1, MOST_DIFFERENCES),
            metavar="N",
            help="Go on after a difference, up to N of them, and report them in groups.",
        ),
    ] = None
    """Differences after which the run ends; None: at the first."""

    waves: Annotated[
        Path | None,
        option(
            "run",
            replay=None,
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Write a waveform: FST if so named, else VCD; or the activity of the core as SAIF if so named.",
        ),
    ] = None

    def find(self) -> Core:
        return find(self.core, allow_outside=self.allow_outside, sandboxed=self.sandbox)

    @property
    def binds_other_moduli(self) -> bool:
        return bool(self.disturb)

    @property
    def cases(self) -> int:
        """Cases of a run that is settled, of which `only` may choose one."""
        assert self.operands or self.count is not None
        return len(self.operands) or self.count or 0

    @property
    def timed(self) -> bool:
        """True if operands say in which cycles their products start: then all products are one stream."""
        return any("@" in text for text in self.operands)

    @property
    def stall_seed(self) -> int:
        """Seed of the stalls of a core either side of which may wait, never 0."""
        return (self.seed * 2 + 1) & 0xFFFF

    @property
    def power_up(self) -> int:
        """Seed of the values with which registers begin in Verilator, never 0; in Icarus Verilog they are x."""
        return self.seed % ((1 << 31) - 1) + 1


class ResultsJob(Job):
    """A job about results alone, whatever the handshake does around them."""

    heeds_rules: ClassVar[bool] = False


class TracedJob(Job):
    """A job whose waveform goes on after a difference."""

    cycles_after: ClassVar[int] = 12
