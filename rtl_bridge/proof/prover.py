# SPDX-License-Identifier: Apache-2.0
"""A core against its model for all operands: every register in every cycle, step by step.

Products are proved from every idle state that the core can be in: first those after the reset, with anything in the
registers before it, then those that earlier products lead to, until no state is new.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from limbtrace.rtl_bridge.proof.bench import STALL_SEED, CoreState, StartState, SymbolicBench, covers
from limbtrace.rtl_bridge.proof.bitvector import TermPool
from limbtrace.rtl_bridge.proof.btor2 import SteppedDesign
from limbtrace.rtl_bridge.proof.context import ProofContext
from limbtrace.rtl_bridge.proof.integers.settle import IntegerProof
from limbtrace.rtl_bridge.proof.product_proof import BEHIND, FIRST, NEXT, ProductProof
from limbtrace.rtl_bridge.proof.solver import Solver
from limbtrace.rtl_bridge.proof.solver_cache import Remembered
from limbtrace.rtl_bridge.run.spacing import STALL_PATTERNS, gap, stall_pattern
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors.progress import Progress
from limbtrace.vectors.proof import Method, ProductName

STEPS: Method = "steps"
INTEGERS: Method = "integers"
WHOLE: Method = "whole"
MOST_PHASES = 64
"""Idle states of a core that go round, each of which is one that a product starts from."""
COUNTED = ("same", "sums", "integers", "solved")
"""Counts of a scenario."""
MOST_ROUNDS = 64
"""Idle states, and cycles until one of them lasts."""


@dataclass(frozen=True)
class ProofOptions:
    """The way to prove a core."""

    method: Method
    """steps: compare what rows show; integers: read results as integers first; whole: leave them to the solver."""
    processes: int
    """Solvers at a time."""
    seconds: int
    """Limit of a question."""
    remembered: Remembered


@dataclass(frozen=True)
class Scenario:
    """The obligations of one product, counted."""

    name: ProductName
    cycles: int
    """From its start to done."""
    same: int
    sums: int
    integers: int
    solved: int


class Prover:
    """A proof of a bound core in its shell, for all operands of its modulus."""

    def __init__(self, shell: Shell, options: ProofOptions, limit: float | None = None) -> None:
        """`limit`: seconds in all. Raises ParameterError if the core or the model does not allow such a proof."""
        self.solver = Solver(TermPool(), options.processes, options.seconds, limit, options.remembered)
        self._context = ProofContext.of(shell, self.solver, steps=options.method == STEPS)
        self._bound = shell.bound
        if options.method == INTEGERS:
            modulus = shell.bound.multiplier.modulus.modulus
            self.solver.integers = IntegerProof(self.solver.pool, modulus, options.seconds)
        self.scenarios: list[Scenario] = []
        self._begun: dict[tuple[ProductName, int], list[StartState]] = {}
        """Kind and number of products that were proved, and what was there until they started."""

    def prove(self, design: SteppedDesign) -> None:
        """All scenarios of the core in its shell, up to the first one with an obligation that does not hold."""
        with self.solver:
            self._prove(design)
            self.solver.finish()

    def _prove(self, design: SteppedDesign) -> None:
        bench = SymbolicBench(self._context.shell, design, self._context.pool)
        with Progress("cycles of the core", 0) as progress:
            self._progress = progress
            bench.reset()
            reset = bench.state
            known: list[CoreState] = []
            first = self._rest(bench, FIRST)
            rested = bench.state
            for number, phase in enumerate(first):
                self._expect(len(first) - number, states=1)
                bench.state = {**reset, **phase}
                if self._product(bench, FIRST, self._turns(behind=False)[0]):
                    known += self._new(known, self._rest(bench, FIRST))
                    rested = bench.state
            waiting = [*known]
            while waiting and not self.solver.failed:
                self._expect(0, states=len(waiting))
                phase = waiting.pop(0)
                for name, turn in self._following():
                    if self.solver.failed:
                        return
                    bench.state = {**rested, **phase}  # else the bench may be where another product was left
                    if self._product(bench, name, turn):
                        new = self._new(known, self._rest(bench, name))
                        rested = bench.state
                        known += new
                        waiting += new
                if len(known) > MOST_ROUNDS:
                    self._context.fail(NEXT, "idle state", None, "one of those that were there before")

    def _following(self) -> list[tuple[ProductName, int]]:
        """The products after the first one: after any idle time, and after each gap that leaves no time to load; of
        streams, one for each way to stall."""
        if self._bound.in_order:
            return [(NEXT, turn) for turn in self._stalled_turns()]
        behind = self._turns(behind=True) if self._bound.core.file.again else []
        return [(NEXT, self._turns(behind=False)[0]), *((BEHIND, turn) for turn in behind)]

    @staticmethod
    def _new(known: Sequence[CoreState], phases: Sequence[CoreState]) -> list[CoreState]:
        return [phase for phase in phases if not any(covers(old, phase) for old in known)]

    def _rest(self, bench: SymbolicBench, last: ProductName) -> list[CoreState]:
        """Forget all data and let the core idle; its states until one comes again.

        Where that takes long, as with a counter that runs all the time, the bits that change are anything.
        """
        bench.forget()
        phases = [bench.shape()]
        while len(phases) <= MOST_PHASES and not self.solver.failed:
            self._idle(bench, last)
            if any(covers(phase, bench.shape()) for phase in phases):
                return phases
            phases.append(bench.shape())
        for _ in range(MOST_ROUNDS):
            if self.solver.failed:
                break
            before = bench.shape()
            self._idle(bench, last)
            rests = covers(before, bench.shape())
            bench.weaken(before)
            if rests:
                return [bench.shape()]
        self._context.fail(last, "idle state", None, "what it was a cycle before")
        return [bench.shape()]

    def _idle(self, bench: SymbolicBench, last: ProductName) -> None:
        """A cycle in which nothing is offered, and after which all data are forgotten again."""
        self._context.check_handshake(bench.step(alone=True), last, None)
        bench.forget()

    def _expect(self, products: int, *, states: int) -> None:
        """So much is left, as far as the idle states that are known say: first products, and those that follow."""
        behind = len(self._following()) - 1  # each with the one in front of it
        each = self._bound.longest + sum(self._bound.words) + self._bound.result_words + 8
        self._progress.total = self._progress.done + (products + states * (1 + 2 * behind)) * each

    @staticmethod
    def _stalled_turns() -> list[int]:
        """Numbers of streams, one for each way to stall."""
        found: dict[int, int] = {}
        for turn in range(1000):
            found.setdefault(stall_pattern(turn, STALL_SEED), turn)
        return [found[pattern] for pattern in range(STALL_PATTERNS)]

    def _turns(self, *, behind: bool) -> list[int]:
        """Numbers of products that start right behind another one or not, one for each length of the gap."""
        found: dict[int, int] = {}
        for turn in range(1000):
            before = gap(turn, self._bound.core.file)
            if before.behind == behind:
                found.setdefault(before.cycles, turn)
        return [found[cycles] for cycles in sorted(found)]

    def _product(self, bench: SymbolicBench, name: ProductName, turn: int) -> bool:
        """One product from where the core is; False where what is there leads to one that was proved before."""
        before = dict(self.solver.counts)
        begun = self._begun.setdefault((name, turn), [])
        product = ProductProof(self._context, bench, name, turn)
        if not product.prove(begun, self._progress):
            return False
        if product.cycles is not None and not self.solver.failed:
            begun += product.path
            counts = (self.solver.counts[how] - before[how] for how in ("same", "sums", "integers", "solver"))
            self._count(Scenario(name, product.cycles, *counts))
        return True

    def _count(self, new: Scenario) -> None:
        """Add a product to those of its kind: from another idle state, or after another gap."""
        for number, old in enumerate(self.scenarios):
            if (old.name, old.cycles) == (new.name, new.cycles):
                counts = {how: getattr(old, how) + getattr(new, how) for how in COUNTED}
                self.scenarios[number] = replace(old, **counts)
                return
        self.scenarios.append(new)
