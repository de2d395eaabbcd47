# SPDX-License-Identifier: Apache-2.0
"""A core at one modulus after the other: which of them it takes, and how each turned out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.description.formula import all_hold
from limbtrace.rtl_bridge.domain.products import WrongProduct, newest, products
from limbtrace.rtl_bridge.domain.session import tallies
from limbtrace.rtl_bridge.run.contract import has_constants
from limbtrace.rtl_bridge.run.driver import driver
from limbtrace.rtl_bridge.run.job import MODES, Job
from limbtrace.rtl_bridge.run.report import Divergence
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.progress import Progress
from limbtrace.vectors.request import DEFAULT_KIND, DIRECTED, EXHAUSTIVE

TOGETHER = 96
"""Runs in one process."""
CARRIED = 8
"""Witnesses that are carried to a modulus."""
EVERY = 1 << 30
"""As hard as a modulus can be tried: with all operands."""
EVERY_PAIR = 1 << 8
"""Up to so many pairs of operands, a modulus is tried with all of them."""
Hardware = tuple[object, ...]


@dataclass(frozen=True)
class ModulusTrial:
    """A core at a modulus."""

    modulus: int
    products: int
    """Those that agree, of all runs."""
    exhausted: bool
    """True if these are all pairs of operands."""
    difference: Divergence | None
    """The difference of the product that is wrong."""
    run: Run
    """The run that shows it, or the last one."""

    @property
    def right(self) -> bool:
        """True if no product was seen to be wrong."""
        return self.difference is None

    @property
    def witness(self) -> WrongProduct | None:
        """The operands of the product that is wrong; None if they are no integers, or if nothing is wrong."""
        if self.difference is None:
            return None
        try:
            return WrongProduct(self.modulus, int(self.difference.a, 16), int(self.difference.b or "0", 16))
        except ValueError:
            return None


class Trials:
    """All that a core was tried with. Raises ParameterError, ToolError."""

    def __init__(self, job: Job, count: int, builds: int) -> None:
        """`job`: its modulus says which build of the core it is about; `count`: products at a modulus; `builds`: most
        builds beside that one."""
        self.outcomes: dict[int, ModulusTrial] = {}
        self.simulated = 0
        """Products that were simulated."""
        self.built = 0
        """Builds beside the first."""
        self.first = _first(job)
        self._count, self.builds = count, builds
        self._runs: dict[int, Run | None] = {}
        self._hardest: dict[int, int] = {}
        """How hard moduli were tried last."""
        self._hardware: set[Hardware] = {_hardware(self.first)}

    @cached_property
    def carries(self) -> bool:
        """True if the core is given its modulus, by a port or a parameter; else it is the only one that it takes."""
        if has_constants(self.first.bound):
            return True
        asked = self.first.bound.multiplier.modulus.modulus
        near = (asked ^ 1 << bit for bit in range(1, max(asked.bit_length() - 1, 2)))
        runs = filter(None, map(self._settled, near))
        return any(_hardware(run) != _hardware(self.first) for run in runs)

    def takes(self, p: int) -> bool:
        """True if the core takes a modulus, by its description, without a further build or with one that is left."""
        run = self._settled(p) if p > 1 else None
        return run is not None and (_hardware(run) in self._hardware or self.built < self.builds)

    def shares_build(self, p: int) -> bool:
        """True if the core takes a modulus without a further build."""
        run = self._settled(p) if p > 1 else None
        return run is not None and _hardware(run) in self._hardware

    def has(self, p: int) -> bool:
        """True if the core takes a modulus, by its description, with however many builds."""
        return p > 1 and self.permitted(p) and self._settled(p) is not None

    def pairs(self, p: int) -> int:
        """Number of pairs of operands at a modulus that the core takes."""
        run = self._settled(p)
        assert run is not None
        a, b = run.bound.numbers_of_all
        return a + 1 if run.bound.core.file.unary else (a + 1) * (b + 1)

    def permitted(self, p: int) -> bool:
        """True if the conditions of the description hold."""
        return all_hold(self.first.bound.core.file.modulus, p)

    @property
    def right(self) -> list[int]:
        return sorted(p for p, outcome in self.outcomes.items() if outcome.right)

    @property
    def wrong(self) -> list[int]:
        return sorted(p for p, outcome in self.outcomes.items() if not outcome.right)

    def try_all(self, some: Iterable[int], *, harder: int = 1, every: bool = False) -> None:
        """Try moduli that are not known to be wrong, and were not tried as hard before.

        `harder`: times as many products, and then directed ones, too. `every`: with all operands.
        """
        wanted = [p for p in dict.fromkeys(some) if self._is_open(p, EVERY if every else harder)]
        groups: dict[Hardware, list[int]] = {}
        for p in wanted:
            if self.takes(p):
                run = self._settled(p)
                assert run is not None
                hardware = _hardware(run)
                if hardware not in self._hardware:
                    self._hardware.add(hardware)
                    self.built += 1
                groups.setdefault(hardware, []).append(p)
        with Progress("moduli", sum(map(len, groups.values()))) as progress:
            for group in groups.values():
                for at in range(0, len(group), TOGETHER):
                    part = group[at : at + TOGETHER]
                    self._try(part, harder, every=every)
                    progress.advance(len(part))

    def add(self, job: Job) -> bool:
        """Take in a simulation of a modulus that differs, if it does so again; whether it does."""
        own = {name: getattr(self.first.job, name) for name in ("simulator", "mode", "sandbox", "patience")}
        run = settle(job.model_copy(update=own), self.first.bound.core, self.first.bound)
        difference = tallies([run])[0].divergence
        if difference is not None:
            p = _modulus(run)
            self.outcomes[p] = ModulusTrial(
                p, self.outcomes[p].products, exhausted=False, difference=difference, run=run
            )
        return difference is not None

    def _is_open(self, p: int, harder: int) -> bool:
        """True if a modulus was not tried so hard, and neither seen to be wrong nor tried with all operands."""
        if p not in self.outcomes:
            return True
        outcome = self.outcomes[p]
        return outcome.right and not outcome.exhausted and harder > self._hardest.get(p, 1)

    def _settled(self, p: int) -> Run | None:
        """A run at a modulus; None if the core does not take it."""
        if p not in self._runs:
            job = self.first.job.model_copy(update={"prime": hex(p)})
            try:
                self._runs[p] = settle(job, self.first.bound.core, self.first.bound)
            except ParameterError:
                self._runs[p] = None
        return self._runs[p]

    def _try(self, some: Sequence[int], harder: int, *, every: bool) -> None:
        """Try moduli of one build."""
        self._hardest |= dict.fromkeys(some, harder)
        runs = [run for p in some for run in self._asked(p, harder, every=every)]
        found = tallies(runs)
        self.simulated += sum(tally.verified + (tally.divergence is not None) for tally in found)
        shown: dict[int, tuple[Run, Divergence]] = {}
        for run, tally in zip(runs, found, strict=True):
            if tally.divergence is not None:
                shown.setdefault(_modulus(run), (run, tally.divergence))
        confirmed = self._confirmed(list(shown.values()))
        for p in some:
            own = [(run, tally) for run, tally in zip(runs, found, strict=True) if _modulus(run) == p]
            before = self.outcomes[p].products if p in self.outcomes else 0
            run, difference = confirmed.get(p, (own[-1][0], None))
            exhausted = difference is None and any(run.exhausts is not None for run, _ in own)
            agreed = sum(tally.verified for _, tally in own)
            self.outcomes[p] = ModulusTrial(p, agreed if exhausted else before + agreed, exhausted, difference, run)

    def _asked(self, p: int, harder: int, *, every: bool) -> list[Run]:
        """The runs of a modulus: all operands if they are few, else chosen ones, and directed ones."""
        settled = self._settled(p)
        assert settled is not None
        if every or (self.pairs(p) <= EVERY_PAIR and not settled.bound.narrowed):
            return [self._with(p, kind=EXHAUSTIVE, count=None)]
        witnesses = [found for outcome in self.outcomes.values() if (found := outcome.witness)]
        pairs = products(settled.bound, harder * self._count, harder, newest(witnesses, p, CARRIED * harder))
        chosen = self._with(p, operands=tuple(settled.bound.operand_text(a, b) for a, b in pairs))
        if harder == 1:
            return [chosen]
        return [chosen, self._with(p, kind=DIRECTED, count=harder * self._count)]

    def _with(self, p: int, **fields: object) -> Run:
        job = self.first.job.model_copy(update={"prime": hex(p), "operands": (), "kind": DEFAULT_KIND, **fields})
        return settle(job, self.first.bound.core, self.first.bound)

    def _confirmed(self, shown: Sequence[tuple[Run, Divergence]]) -> dict[int, tuple[Run, Divergence]]:
        """By modulus the runs that differ again: of the product alone, or else of all up to it. Raises ToolError."""
        if not shown:
            return {}
        alone = [self._alone(run, difference) for run, difference in shown]
        found = dict[int, tuple[Run, Divergence]]()
        for (run, _), single, tally in zip(shown, alone, tallies(alone), strict=True):
            if tally.divergence is not None:
                found[_modulus(run)] = single, tally.divergence
                continue
            again = tallies([run])[0].divergence
            if again is None:
                core, p = run.bound.core.file.name, _modulus(run)
                raise ToolError(f"{core}: modulus {p:#x} differs in one simulation and not in the next one")
            found[_modulus(run)] = run, again
        return found

    def _alone(self, run: Run, difference: Divergence) -> Run:
        """A run of the product alone; of what fills a stream, the run itself."""
        operands = (difference.a,) if difference.b is None else (f"{difference.a},{difference.b}",)
        try:
            return self._with(_modulus(run), operands=operands)
        except ParameterError:
            return run


def _first(job: Job) -> Run:
    """The run at the modulus that was asked for, in the fastest mode that takes the core. Raises ParameterError."""
    run = settle(job.model_copy(update={"mode": MODES[0]}))
    for mode in reversed(MODES[1:]):  # the fastest one comes last
        other = replace(run, job=run.job.model_copy(update={"mode": mode}))
        try:
            driver(mode).check(other)
        except ParameterError:
            continue
        return other
    return run


def _hardware(run: Run) -> Hardware:
    """All that a build of the core follows from."""
    shell: Shell = run.shell
    return shell.text, *sorted(shell.parameters.items()), *sorted(run.bound.parameters.items())


def _modulus(run: Run) -> int:
    return run.bound.multiplier.modulus.modulus
