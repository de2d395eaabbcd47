# SPDX-License-Identifier: Apache-2.0
"""A core against its model for all operands: every register in every cycle, step by step.

Products are proved from every idle state that the core can be in: first those after the reset, with anything in the
registers before it, then those that earlier products lead to, until no state is new.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from limbtrace.refmodels.program import Program
from limbtrace.rtl_bridge.proof.bench import MOST_STATES, CoreState, StartState, SymbolicBench, uncovered
from limbtrace.rtl_bridge.proof.bitvector import TermPool
from limbtrace.rtl_bridge.proof.btor2 import SteppedDesign
from limbtrace.rtl_bridge.proof.context import ProofContext
from limbtrace.rtl_bridge.proof.integers.settle import IntegerProof
from limbtrace.rtl_bridge.proof.product_proof import ProductProof
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

    def __init__(self, shell: Shell, options: ProofOptions, limit: float | None = None, log: ProofLog = NO_LOG) -> None:
        """`limit`: seconds in all. Raises ParameterError if the core or the model does not allow such a proof."""
        self.solver = Solver(TermPool(), options.processes, options.seconds, limit, options.remembered)
        self._context = ProofContext.of(shell, self.solver, steps=options.method == STEPS, log=log)
        self._unlogged = replace(self._context, log=NO_LOG)
        """The same for what a certificate has nothing of."""
        self._log = log
        self._bound = shell.bound
        if options.method == INTEGERS:
            modulus = shell.bound.multiplier.modulus.modulus
            self.solver.integers = IntegerProof(self.solver.pool, modulus, options.seconds)
        self.scenarios: list[Scenario] = []
        self._begun: dict[tuple[ProductName, int], list[StartState]] = {}
        """Kind and number of products that were proved, and what was there until they started."""

    @property
    def program(self) -> Program:
        """The program of the model."""
        return self._context.program

    @property
    def operands(self) -> dict[str, int]:
        """The operands with their largest values."""
        return {name: variable.most for name, variable in self._context.operands.items()}

    def prove(self, design: SteppedDesign) -> None:
        """All scenarios of the core in its shell, up to the first one with an obligation that does not hold."""
        with self.solver:
            self._prove(design)
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
            known: list[CoreState] = []
            first = self._rest(bench, FIRST)
            rested = self._rested(bench)
            for number, phase in enumerate(first):
                self._expect(len(first) - number, states=1)
                bench.state = {**reset, **phase}
                self._log.mixed(reset, phase)
                if self._product(bench, FIRST, first_turn(self._bound)):
                    known += uncovered(known, self._rest(bench, FIRST))
                    rested = self._rested(bench)
                    known += self._late_starts(bench, FIRST, {**reset, **phase}, known)
            waiting = [*known]
            while waiting and not self.solver.failed:
                self._expect(0, states=len(waiting))
                phase = waiting.pop(0)
                for name, turn in following(self._bound):
                    if self.solver.failed:
                        return
                    bench.state = {**rested, **phase}  # else the bench may be where another product was left
                    self._log.mixed(rested, phase)
                    if self._product(bench, name, turn):
                        new = uncovered(known, self._rest(bench, name))
                        rested = self._rested(bench)
                        known += new
                        waiting += new
                new = self._late_starts(bench, NEXT, {**rested, **phase}, known)
                known += new
                waiting += new
                if len(known) > MOST_STATES:
                    self._context.fail(NEXT, "idle state", None, "one of those that were there before")

    def _rested(self, bench: SymbolicBench) -> CoreState:
        """The registers as they are now, to come back to."""
        self._log.record(bench.state, bench.state)
        return bench.state

    def _rest(self, bench: SymbolicBench, last: ProductName, *, logged: bool = True) -> list[CoreState]:
        """The idle states of the core behind a product."""
        phases = bench.rest(_idle(self._context if logged else self._unlogged, bench, last))
        if phases is None:
            self._context.fail(last, "idle state", None, "what it was a cycle before")
            return [bench.shape()]
        return phases

    def _expect(self, products: int, *, states: int) -> None:
        """So much is left, as far as the idle states that are known say: first products, and those that follow."""
        behind = len(following(self._bound)) - 1  # each with the one in front of it
        each = self._bound.longest + sum(self._bound.words) + self._bound.result_words + 8
        self._progress.total = self._progress.done + (products + states * (1 + 2 * behind)) * each

    def _late_starts(
        self, bench: SymbolicBench, name: ProductName, before: CoreState, known: list[CoreState]
    ) -> list[CoreState]:
        """Products that are loaded from a state of all registers and start any time after that, not at once.

        Idle states that are new after one of them. A certificate has none of these products.
        """
        file = self._bound.core.file
        if self.solver.failed or (file.memory is None and not file.protocol.loaded(file)):
            return []
        bench, context = bench.unlogged(), self._unlogged
        bench.state = {**before}
        turn, found = waiting_turn(self._bound), list[CoreState]()
        waiting = ProductProof(context, bench, name, turn).waiting()
        cores = bench.while_waiting(waiting, _idle(context, bench, name), context.is_of_operands) if waiting else []
        if cores is None:
            context.fail(name, "the core that waits for its start", None, "what it was a cycle before")
            return []
        for core in cores:
            if self.solver.failed:
                break
            bench.state = {**waiting[-1].registers, **core}
            if self._settled(ProductProof(context, bench, name, turn), name, turn, loaded=True):
                found += uncovered([*known, *found], self._rest(bench, name, logged=False))
        if found and self._log is not NO_LOG:
            context.fail(name, "idle state", None, "one that a product without a wait leaves")
        return found

    def _product(self, bench: SymbolicBench, name: ProductName, turn: int) -> bool:
        """One product from where the core is; False where what is there leads to one that was proved before."""
        return self._settled(ProductProof(self._context, bench, name, turn), name, turn)

    def _settled(self, product: ProductProof, name: ProductName, turn: int, *, loaded: bool = False) -> bool:
        """As `_product`; `loaded`: the bench has it already."""
        before = dict(self.solver.counts)
        begun = self._begun.setdefault((name, turn), [])
        if not product.prove(begun, self._progress, loaded=loaded):
            return False
        if product.cycles is not None and not self.solver.failed:
            begun += product.path
            counts = (self.solver.counts[how] - before[how] for how in ("same", "sums", "integers", "solver"))
            count(self.scenarios, Scenario(STREAM if self._bound.in_order else name, product.cycles, *counts))
        return True


def _idle(context: ProofContext, bench: SymbolicBench, last: ProductName) -> Callable[[], None]:
    """A cycle of the bench in which the core is left alone, and breaks no rule of its protocol."""
    return lambda: context.check_handshake(bench.step(alone=True), last, None)
