# SPDX-License-Identifier: Apache-2.0
"""A core against its model for all operands: every register in every cycle, step by step.

Products are proved from every idle state that the core can be in: first those after the reset, with anything in the
registers before it, then those that earlier products lead to, until no state is new.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from limbtrace.rtl_bridge.proof.bench import RESET, CoreState, StartState, SymbolicBench, covers
from limbtrace.rtl_bridge.proof.bitvector import TermPool
from limbtrace.rtl_bridge.proof.btor2 import State, SteppedDesign
from limbtrace.rtl_bridge.proof.context import ProofContext
from limbtrace.rtl_bridge.proof.product_proof import BEHIND, FIRST, NEXT, ProductProof
from limbtrace.rtl_bridge.proof.solver import Solver
from limbtrace.rtl_bridge.proof.solver_cache import Remembered
from limbtrace.rtl_bridge.run.spacing import gap
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors.progress import Progress
from limbtrace.vectors.proof import ProductName

MOST_PHASES = 64
"""Idle states of a core that go round, each of which is one that a product starts from."""
MOST_ROUNDS = 64
"""Idle states, and cycles until one of them lasts."""


@dataclass(frozen=True)
class Scenario:
    """The obligations of one product, counted."""

    name: ProductName
    cycles: int
    """From its start to done."""
    same: int
    sums: int
    solved: int


class Prover:
    """A proof of a bound core in its shell, for all operands of its modulus."""

    def __init__(
        self,
        shell: Shell,
        *,
        steps: bool,
        processes: int,
        seconds: int,
        limit: float | None = None,
        remembered: Remembered | None = None,
    ) -> None:
        """`steps`: compare what rows show; else results alone. The rest is for the solver.

        Raises ParameterError if the core or the model does not allow such a proof.
        """
        self.solver = Solver(TermPool(), processes, seconds, limit, remembered)
        self._context = ProofContext.of(shell, self.solver, steps=steps)
        self._bound = shell.bound
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
            bench.hold_reset(RESET)
            held = bench.state
            known: list[CoreState] = []
            first: list[CoreState] = []
            rested = self._after_reset(bench, first, known)
            bench.state = held
            for phase in self._longer_resets(bench):
                bench.state = {**held, **phase}
                rested = self._after_reset(bench, first, known)
            waiting = [*known]
            while waiting and not self.solver.failed:
                self._expect(0, states=len(waiting))
                phase = waiting.pop(0)
                for name, turn in self._following():
                    bench.state = {**rested, **phase}  # else the bench may be where another product was left
                    if self._product(bench, name, turn):
                        new = self._new(known, self._rest(bench, name))
                        rested = bench.state
                        known += new
                        waiting += new
                if len(known) > MOST_ROUNDS:
                    self._context.fail(NEXT, "idle state", None, "one of those that were there before")

    def _longer_resets(self, bench: SymbolicBench) -> list[CoreState]:
        """States of the core in a reset that goes on, until one comes again."""
        if self._bound.core.file.reset is None:
            return []
        return self._until_repeated(bench, FIRST, bench.hold_reset)

    def _after_reset(self, bench: SymbolicBench, first: list[CoreState], known: list[CoreState]) -> State:
        """First products from each idle state behind a reset that ends now, other than those in `first`, to which they
        are added, as the states that these products lead to are to `known`; the core and its bench at rest."""
        bench.release_reset()
        reset = bench.state
        phases = self._new(first, self._rest(bench, FIRST))
        rested = bench.state
        first += phases
        for number, phase in enumerate(phases):
            self._expect(len(phases) - number, states=1)
            bench.state = {**reset, **phase}
            if self._product(bench, FIRST, self._turns(behind=False)[0]):
                known += self._new(known, self._rest(bench, FIRST))
                rested = bench.state
        return rested

    def _following(self) -> list[tuple[ProductName, int]]:
        """The products after the first one: after any idle time, and after each gap that leaves no time to load."""
        behind = self._turns(behind=True) if self._bound.core.file.again else []
        return [(NEXT, self._turns(behind=False)[0]), *((BEHIND, turn) for turn in behind)]

    @staticmethod
    def _new(known: Sequence[CoreState], phases: Sequence[CoreState]) -> list[CoreState]:
        return [phase for phase in phases if not any(covers(old, phase) for old in known)]

    def _rest(self, bench: SymbolicBench, last: ProductName) -> list[CoreState]:
        """Forget all data and let the core idle; its states until one comes again."""

        def idle() -> None:
            self._context.check_handshake(bench.step(alone=True), last, None)

        return self._until_repeated(bench, last, idle)

    def _until_repeated(self, bench: SymbolicBench, last: ProductName, step: Callable[[], None]) -> list[CoreState]:
        """The states of the core in cycles that are alike, until one comes again; all data are forgotten in each.

        Where that takes long, as with a counter that runs all the time, the bits that change are anything.
        """
        bench.forget()
        phases = [bench.shape()]
        while len(phases) <= MOST_PHASES and not self.solver.failed:
            step()
            bench.forget()
            if any(covers(phase, bench.shape()) for phase in phases):
                return phases
            phases.append(bench.shape())
        for _ in range(MOST_ROUNDS):
            if self.solver.failed:
                break
            before = bench.shape()
            step()
            bench.forget()
            rests = covers(before, bench.shape())
            bench.weaken(before)
            if rests:
                return [bench.shape()]
        self._context.fail(last, "idle state", None, "what it was a cycle before")
        return [bench.shape()]

    def _expect(self, products: int, *, states: int) -> None:
        """So much is left, as far as the idle states that are known say: first products, and those that follow."""
        behind = len(self._following()) - 1  # each with the one in front of it
        each = self._bound.longest + sum(self._bound.words) + self._bound.result_words + 8
        self._progress.total = self._progress.done + (products + states * (1 + 2 * behind)) * each

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
            same, sums, solved = (self.solver.counts[how] - before[how] for how in ("same", "sums", "solver"))
            self._count(Scenario(name, product.cycles, same, sums, solved))
        return True

    def _count(self, new: Scenario) -> None:
        """Add a product to those of its kind: from another idle state, or after another gap."""
        for number, old in enumerate(self.scenarios):
            if (old.name, old.cycles) == (new.name, new.cycles):
                counts = {how: getattr(old, how) + getattr(new, how) for how in ("same", "sums", "solved")}
                self.scenarios[number] = replace(old, **counts)
                return
        self.scenarios.append(new)
