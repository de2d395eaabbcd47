# SPDX-License-Identifier: Apache-2.0
"""A core against its model for all operands: every register in every cycle, step by step.

Products are proved from every idle state that the core can be in: first those after the reset, with anything in the
registers before it, then those that earlier products lead to, until no state is new.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.program import Program
from limbtrace.rtl_bridge.proof.bench import MOST_STATES, CoreState, IdleState, StartState, SymbolicBench, uncovered
from limbtrace.rtl_bridge.proof.bitvector import TermPool
from limbtrace.rtl_bridge.proof.btor2 import SteppedDesign
from limbtrace.rtl_bridge.proof.context import ProofContext
from limbtrace.rtl_bridge.proof.integers.settle import IntegerProof
from limbtrace.rtl_bridge.proof.product_proof import Ending, ProductProof
from limbtrace.rtl_bridge.proof.proof_log import NO_LOG, ProofLog
from limbtrace.rtl_bridge.proof.scenarios import (
    FIRST,
    NEXT,
    STREAM,
    Scenario,
    count,
    first_turn,
    following,
    waiting_turn,
)
from limbtrace.rtl_bridge.proof.solver import Solver
from limbtrace.rtl_bridge.proof.solver_cache import Remembered
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors.progress import Progress
from limbtrace.vectors.proof import Method, ProductName

STEPS: Method = "steps"
INTEGERS: Method = "integers"
WHOLE: Method = "whole"
DEPTH = "depth of terms"
"""In place of a signal: terms are deeper than Python's recursion."""


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
    logged: bool = False
    """Keep what a certificate takes."""


class Prover:
    """A proof of a bound core in its shell, for all operands of its modulus."""

    def __init__(
        self,
        shell: Shell,
        options: ProofOptions,
        limit: float | None = None,
        log: ProofLog = NO_LOG,
        *,
        splits: bool = False,
    ) -> None:
        """`limit`: seconds in all; `splits`: as in ProofContext.

        Raises ParameterError if the core or the model does not allow such a proof.
        """
        self.solver = Solver(TermPool(), options.processes, options.seconds, limit, options.remembered)
        self._context = ProofContext.of(shell, self.solver, steps=options.method == STEPS, log=log, splits=splits)
        self._log = log
        self._extends = log is NO_LOG
        """Whether there are products that a certificate has no lines for."""
        self._bound = shell.bound
        if options.method == INTEGERS:
            modulus = shell.bound.multiplier.modulus.modulus
            self.solver.integers = IntegerProof(self.solver.pool, modulus, options.seconds)
        self.scenarios: list[Scenario] = []
        self.depends: set[str] = set()
        """Outputs of the handshake that depend on operands."""
        self.may_depend: set[str] = set()
        """Those that may depend on operands, or on what was there before."""
        self.depends_from: int | None = None
        """The first cycle after the start of a product in which one of these does."""
        self._begun: dict[tuple[ProductName, int], list[StartState]] = {}
        """Kind and number of products that were proved, and what was there until they started."""

    @property
    def program(self) -> Program:
        """The program of the model."""
        return self._context.program

    @property
    def operands(self) -> dict[str, int]:
        """The operands with their largest values."""
        return {**self._context.limits}

    def prove(self, design: SteppedDesign) -> None:
        """All scenarios of the core in its shell, up to the first one with an obligation that does not hold.

        Raises ParameterError for what no proof is made of, unless an obligation before it does not hold, and
        SplitNeededError.
        """
        with self.solver:
            try:
                self._prove(design)
            except ParameterError:  # what is asked may come before what is refused
                self.solver.finish()
                if not self.solver.failed:
                    raise
            except RecursionError:
                self._context.undecided(FIRST, DEPTH, None, "within the recursion limit of Python")
            self.solver.finish()
            if not self.solver.failed:
                self.solver.try_values()

    def _prove(self, design: SteppedDesign) -> None:
        bench = SymbolicBench(self._context.shell, design, self._context.pool, log=self._log)
        with Progress("cycles of the core", 0) as progress:
            self._progress = progress
            bench.reset()
            bench.forget()
            reset = bench.state
            self._log.record(reset, reset)
            known: list[IdleState] = []
            first = self._rest(bench, FIRST)
            rested = self._rested(bench)
            for number, phase in enumerate(first):
                self._expect(len(first) - number, states=1)
                bench.state = {**reset, **phase.core}
                self._log.mixed(reset, phase.core)
                if product := self._product(bench, FIRST, first_turn(self._bound)):
                    known += self._behind(bench, product, known)
                    rested = self._rested(bench)
                    known += self._late_starts(bench, FIRST, {**reset, **phase.core}, known)
            waiting = [*known]
            while waiting and not self.solver.failed:
                self._expect(0, states=len(waiting))
                phase = waiting.pop(0)
                products = [(name, turn, False) for name, turn in following(self._bound)]
                if phase.is_first:
                    products.append((NEXT, first_turn(self._bound), True))
                for name, turn, at_once in products:
                    if self.solver.failed:
                        return
                    # Else the bench may be where another product was left.
                    bench.state = {**rested, **phase.bench, **phase.core}
                    self._log.mixed(rested, phase.core)
                    if product := self._product(bench, name, turn, at_once=at_once):
                        new = self._behind(bench, product, known)
                        rested = self._rested(bench)
                        known += new
                        waiting += new
                new = self._late_starts(bench, NEXT, {**rested, **phase.bench, **phase.core}, known)
                known += new
                waiting += new
                if len(known) > MOST_STATES:
                    self._context.fail(NEXT, "idle state", None, "one of those that were there before")

    def _rested(self, bench: SymbolicBench) -> CoreState:
        """The registers as they are now, to come back to."""
        self._log.record(bench.state, bench.state)
        return bench.state

    def _rest(self, bench: SymbolicBench, last: ProductName) -> list[IdleState]:
        """The idle states of the core behind a product."""
        phases = bench.rest(self._idle(bench, last))
        if phases is None:
            self._context.fail(last, "idle state", None, "what it was a cycle before")
            return [IdleState(bench.shape(), {})]
        return [IdleState(phase, {}) for phase in phases]

    def _behind(self, bench: SymbolicBench, product: ProductProof, known: Sequence[IdleState]) -> list[IdleState]:
        """The idle states of the core behind a product in any of its cases that are not known."""
        found, rested = list[IdleState](), list[CoreState]()
        for ending in product.endings:
            if self.solver.failed:
                break
            if product.endings[1:]:
                bench.state = {**ending.at_rest}
            found += _uncovered([*known, *found], self._behind_case(bench, product.name, ending))
            rested.append(bench.state)
        for other in rested[:-1]:
            bench.weaken(other)
        return found

    def _behind_case(self, bench: SymbolicBench, name: ProductName, ending: Ending) -> list[IdleState]:
        """The idle states of the core behind a product, and those before the bench rests: the core may be given the
        next product as soon as its result is taken. A certificate has none of the latter."""
        found = self._rest(bench, name)
        if ending.taken is None or not self._extends:
            return found
        rested, bench.state = bench.state, {**ending.taken}
        bench.forget()
        for cycle in range(MOST_STATES):
            state = bench.idle_state(is_first=cycle == 0)
            if not _uncovered(found, [state]):
                break
            found.append(state)
            self._idle(bench, name)()
            bench.forget()
        bench.state = rested
        return found

    def _idle(self, bench: SymbolicBench, last: ProductName) -> Callable[[], None]:
        """A cycle of the bench in which the core is left alone, and breaks no rule of its protocol."""
        return lambda: self._context.check_handshake(bench.step(alone=True), last, None)

    def _expect(self, products: int, *, states: int) -> None:
        """So much is left, as far as the idle states that are known say: first products, and those that follow."""
        behind = len(following(self._bound)) - 1  # each with the one in front of it
        each = self._bound.longest + sum(self._bound.words) + self._bound.result_words + 8
        self._progress.total = self._progress.done + (products + states * (1 + 2 * behind)) * each

    def _late_starts(
        self, bench: SymbolicBench, name: ProductName, before: CoreState, known: list[IdleState]
    ) -> list[IdleState]:
        """Products that are loaded from a state of all registers and start any time after that, not at once.

        Idle states that are new behind one of them. A certificate has none of these products.
        """
        file = self._bound.core.file
        loads = file.memory is not None or file.protocol.loaded(file)
        if not loads or not self._extends or self.solver.failed:
            return []
        turn, found = waiting_turn(self._bound), list[IdleState]()
        bench.state = {**before}
        waiting = ProductProof(self._context, bench, name, turn).waiting()
        if not waiting:
            return []
        cores = bench.while_waiting(waiting, self._idle(bench, name), self._context.is_of_operands)
        if cores is None:
            self._context.fail(name, "the core that waits for its start", None, "what it was a cycle before")
            return []
        for core in cores:
            bench.state = {**waiting[-1].registers, **core}
            if not self.solver.failed and (product := self._product(bench, name, turn, loaded=True)):
                found += self._behind(bench, product, [*known, *found])
        return found

    def _product(
        self, bench: SymbolicBench, name: ProductName, turn: int, *, loaded: bool = False, at_once: bool = False
    ) -> ProductProof | None:
        """One product from where the core is; None where what is there leads to one that was proved before.

        `loaded`, `at_once`: as in `ProductProof.prove`.
        """
        before = dict(self.solver.counts)
        begun = self._begun.setdefault((name, turn), [])
        product = ProductProof(self._context, bench, name, turn)
        if not product.prove(begun, self._progress, loaded=loaded, at_once=at_once):
            return None
        self.depends |= product.depends
        self.may_depend |= product.may_depend
        self.depends_from = earlier(self.depends_from, product.depends_from)
        if product.endings and not self.solver.failed:
            begun += product.path
            counts = [self.solver.counts[how] - before[how] for how in ("same", "sums", "integers", "solver")]
            for ending in product.endings:
                count(self.scenarios, Scenario(STREAM if self._bound.in_order else name, ending.cycles, *counts))
                counts = [0] * len(counts)  # obligations of cases are counted together
        return product


def _uncovered(known: Sequence[IdleState], new: Sequence[IdleState]) -> list[IdleState]:
    """States of the core that are new."""
    return [state for state in new if uncovered([old.core for old in known], [state.core])]


def earlier(one: int | None, other: int | None) -> int | None:
    """The earlier one of two cycles, as far as there are any."""
    return other if one is None else one if other is None else min(one, other)
