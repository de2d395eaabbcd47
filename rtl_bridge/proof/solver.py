# SPDX-License-Identifier: Apache-2.0
"""Obligations and who settles them: processes with a solver, each question asked with no more facts than it takes."""

import math
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from types import TracebackType

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool, cone
from limbtrace.rtl_bridge.proof.case_values import CaseValues
from limbtrace.rtl_bridge.proof.cases import CASES, EVERY, HandshakeCase, comparisons, under_comparisons
from limbtrace.rtl_bridge.proof.drawn_values import Settled, contradiction
from limbtrace.rtl_bridge.proof.integers.adders import AdderReader
from limbtrace.rtl_bridge.proof.integers.settle import IntegerForm, IntegerProof
from limbtrace.rtl_bridge.proof.linear import FEW_TERMS, LinearForms
from limbtrace.rtl_bridge.proof.reach import answered
from limbtrace.rtl_bridge.proof.smt import OPEN, PROVED, REFUTED, SolverAnswer, text, variables
from limbtrace.rtl_bridge.proof.solver_cache import Remembered
from limbtrace.rtl_bridge.proof.substitute import narrowed
from limbtrace.rtl_bridge.proof.workers import Workers
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.proof import ProductName, Verdict

QUICK = 10
"""Seconds, at most, of a question in which products are any functions."""
FEW_FACTS = 30
"""Seconds, at most, of a question in which products are multiplied, and that may be asked with more facts."""
MEGABYTES = 1000
"""Memory of all questions that are asked at a time."""
LEAST_MEGABYTES = 200
"""Memory of a question, however many there are at a time."""
MOST_WAITING = 64
"""Questions that are open at the same time."""
RESULT = "result"
"""The signal of obligations about results."""
_METHODS = {
    "same": "the rules of terms",
    "sums": "sums of integers",
    "integers": "integers modulo p",
    "solver": "bitwuzla",
}
DEEPEST = 12
"""Most definitions of cut values that are followed in turn."""


@dataclass
class Obligation:
    """Two values that have to be equal; in no valuation may `difference` be 1."""

    number: int
    product: ProductName
    """Which product of the scenario it belongs to."""
    signal: str
    cycle: int | None
    step: str
    sides: tuple[BitTerm, BitTerm]
    difference: BitTerm
    original: tuple[BitTerm, BitTerm]
    """Both sides as they were given."""
    verdict: Verdict = OPEN
    assumed: tuple[BitTerm, ...] = ()
    """Bits that are 1 in the case of the product that it is about."""
    facts: list[BitTerm] = field(default_factory=list)
    """Definitions of cut values that may be used."""
    depth: int = 0
    exact: bool = False
    """True if products are multiplied."""
    stages: list[int] = field(default_factory=list)
    """Numbers of facts with which it is yet to be asked with products multiplied; fewer are easier for a solver."""
    values: Mapping[str, int] = field(default_factory=dict)
    """For a refuted one: values of variables, by name."""
    asked: bytes = b""
    """Digest of the last question."""
    form: IntegerForm | None = None
    """The value as an integer, where that did not settle it."""


class Solver:
    """Asks about obligations in other processes while the design is stepped on."""

    def __init__(
        self,
        pool: TermPool,
        processes: int,
        seconds: int,
        limit: float | None = None,
        remembered: Remembered | None = None,
    ) -> None:
        """`seconds` limit a question, `limit` all of them, from now on; `remembered` by default knows nothing."""
        self.pool, self._seconds = pool, seconds
        self._ends = math.inf if limit is None else time.monotonic() + limit
        self._remembered = remembered or Remembered(fresh=True)
        self._proved: set[bytes] = set()
        """Digests of questions that were proved here; another product may lead to the same ones."""
        self._waiting: dict[int, Obligation] = {}
        self._workers: Workers[Obligation] = Workers(processes, max(MEGABYTES // processes, LEAST_MEGABYTES))
        self.definitions: dict[BitTerm, BitTerm] = {}
        """Definition of each value that was cut off."""
        self._further: dict[BitTerm, list[tuple[int, BitTerm]]] = {}
        self.exact: dict[BitTerm, BitTerm] = {}
        """Sums that do not wrap and are equal to such values as numbers, where their definition may wrap."""
        self._linear = LinearForms(pool, self.definitions, self.exact)
        self._adders = AdderReader(pool)
        self.failed: list[Obligation] = []
        self.counts = {"same": 0, "sums": 0, "integers": 0, "solver": 0}
        """Obligations that hold by the form of their terms, as sums of integers, modulo p, and by a solver."""
        self.integers: IntegerProof | None = None
        """Settles results before a solver is asked; None: a solver is asked at once."""
        self.obligations = 0
        """Number of obligations, settled or not."""
        self.remembered = 0
        """Number of those proved by a solver that it proved at an earlier time."""
        self.case = EVERY
        """The case that obligations are about."""
        self._cases: Workers[str] = Workers(1, MEGABYTES)
        self._values = CaseValues(pool, self._answered_now)
        self._settled: list[Settled] = []
        self._once: set[tuple[BitTerm, BitTerm, tuple[BitTerm, ...]]] = set()
        self.late = False
        """True if there was no time left for what is open."""

    def __enter__(self) -> "Solver":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._workers.close()
        self._cases.close()

    def equal(self, x: BitTerm, y: BitTerm, product: ProductName, signal: str, cycle: int | None, step: str) -> None:
        """Sees to it that two terms are equal in every valuation."""
        self.obligations += 1
        if x is y:
            self.counts["same"] += 1
            return
        x, y = self.case.applied(self.pool, (x, y))
        form = None
        if self.integers is not None and signal == RESULT:
            if self.integers.equal(x, y) or self._equal_in_range(x, y):
                self._note_settled((x, y), signal, step, "integers", self.case.assumed)
                return
            form = self.integers.stopped
        original = x, y
        x, y = narrowed(self.pool, self._in_words(x, y))
        difference = self.pool.bvnot(self.pool.equal(x, y))
        obligation = Obligation(self.obligations, product, signal, cycle, step, (x, y), difference, original, form=form)
        obligation.assumed = self.case.assumed
        if difference.is_constant:
            if not difference.value:
                self._note_settled(original, signal, step, "same", self.case.assumed)
                return
            if self.case.values is not None:  # else nothing may lead to it
                obligation.verdict, obligation.values = REFUTED, self.case.values
            self.failed.append(obligation)
            return
        self._waiting[obligation.number] = obligation
        if self._linear.equal(x, y, FEW_TERMS):
            self._settle(obligation, "sums")
            return
        self._ask(obligation)
        self._collect(block=self._workers.open > MOST_WAITING)
        self._look_at_the_clock()

    def _equal_in_range(self, x: BitTerm, y: BitTerm) -> bool:
        """True if two terms are equal as integers modulo p by what the case says of ranges; False says nothing."""
        assert self.integers is not None
        stopped = self.integers.stopped
        if any(self.integers.equal(each, y) for each in under_comparisons(self.pool, self.case, x, y)):
            return True
        self.integers.stopped = stopped
        return False

    def _in_words(self, x: BitTerm, y: BitTerm) -> list[BitTerm]:
        """Two terms with sums and products in place of gates."""
        try:
            return self._adders.read([x, y], time.monotonic() + self._seconds)
        except TimeoutError:
            return [x, y]

    def equal_once(self, x: BitTerm, y: BitTerm, product: ProductName, signal: str, step: str) -> None:
        """As `equal`, of two terms that are compared again and again: the solver is asked about them once."""
        if (x, y, self.case.assumed) in self._once:
            self.obligations += 1
            self.counts["same"] += 1
            return
        self._once.add((x, y, self.case.assumed))
        self.equal(x, y, product, signal, None, step)

    def settled(self, case: HandshakeCase) -> HandshakeCase | None:
        """As `CaseValues.settled`; None, too, where the ranges of integers say so."""
        known = {} if self.integers is None else comparisons(case)
        by_ranges = bool(known) and self.integers is not None and self.integers.excludes(known)
        found = None if by_ranges else self._values.settled(case)
        if found is None:  # no drawn values may fulfil it
            every = reduce(self.pool.bvand, case.assumed)
            sides = every, self.pool.constant(1, 0)
            self._settled.append(Settled(sides, CASES, "dropped", "integers" if by_ranges else "solver"))
        return found

    def sharpened(self, case: HandshakeCase, terms: Iterable[BitTerm]) -> HandshakeCase:
        """A case that also knows which bits of terms are constants in it."""
        return case.knowing(self.pool, self._values.constant_bits(case, terms))

    def _answered_now(self, bits: list[BitTerm], seconds: float) -> SolverAnswer | None:
        """The answer to a question about a case; None where no time is left."""
        left = min(seconds, self._seconds, self._ends - time.monotonic())
        return answered(self._cases, bits, int(left)) if left >= 1 else None

    def note(self, x: BitTerm, y: BitTerm) -> None:
        """Notes that bits of variables are equal to something else, too, as the last obligation says.

        Only later obligations may use it: it is what that one asks, and earlier ones may be what that one rests on.
        """
        fact = self.pool.equal(x, y)
        for variable in variables([x]):
            self._further.setdefault(variable, []).append((self.obligations, fact))

    def finish(self) -> None:
        """Wait for all answers, or until one fails."""
        while self._workers.open and not self.failed:
            self._collect(block=True)
            self._look_at_the_clock()

    def try_values(self) -> None:
        """Evaluate what was settled on drawn values. Raises ToolError where that contradicts a method."""
        if found := contradiction(self._settled, self.definitions):
            text = f"{found.signal} is not {found.step} for drawn values, although {_METHODS[found.how]} said so"
            raise ToolError(f"{text}; please report this core as a fault of limbtrace")

    def _look_at_the_clock(self) -> None:
        """When the time is over, whatever has no answer is open."""
        if self._waiting and not self.failed and time.monotonic() > self._ends:
            self.late = True
            self.failed += self._waiting.values()

    def _ask(self, obligation: Obligation, facts: int | None = None) -> None:
        """Ask with so many of the facts, by default all."""
        wanted = [obligation.difference, *obligation.assumed, *obligation.facts[:facts]]
        multiplies = any(term.operation == "product" for term in cone(wanted))
        exact = obligation.exact or not multiplies
        if not exact:
            obligation.stages.append(len(obligation.facts))
        question = text(wanted, products=exact)
        limit = QUICK if not exact else FEW_FACTS if obligation.stages else self._seconds
        obligation.asked = self._remembered.digest(question)
        if obligation.asked in self._remembered:
            self.remembered += 1
        if obligation.asked in self._remembered or obligation.asked in self._proved:
            self._settle(obligation)
            return
        self._workers.ask(obligation, question, min(limit, self._seconds))

    def _collect(self, *, block: bool) -> None:
        for obligation, answer in self._workers.answers(block=block, until=self._ends):
            self._answered(obligation, answer)

    def _answered(self, obligation: Obligation, answer: SolverAnswer) -> None:
        if answer.verdict == PROVED:
            self._remembered.add(obligation.asked)
            self._proved.add(obligation.asked)
            self._settle(obligation)
            return
        if not obligation.depth and not obligation.exact and self._linear.equal(*obligation.sides):
            self._settle(obligation, "sums")
            return
        obligation.values = answer.values
        with_all = not (obligation.exact and obligation.stages)
        deeper = with_all and answer.verdict == REFUTED and obligation.depth < DEEPEST
        if deeper and self._more(obligation):
            obligation.depth += 1
            self._ask(obligation)
        elif obligation.stages:
            obligation.exact = True
            self._ask(obligation, obligation.stages.pop(0))
        else:
            obligation.verdict = answer.verdict
            del self._waiting[obligation.number]
            self.failed.append(obligation)

    def _settle(self, obligation: Obligation, how: str = "solver") -> None:
        obligation.verdict = PROVED
        assumed = obligation.assumed
        self._note_settled(obligation.original, obligation.signal, obligation.step, how, assumed)
        del self._waiting[obligation.number]

    def _note_settled(
        self, sides: tuple[BitTerm, BitTerm], signal: str, step: str, how: str, assumed: tuple[BitTerm, ...]
    ) -> None:
        self.counts[how] += 1
        if assumed:  # drawn values need not fulfil it
            x, y = sides
            for bit in assumed:
                x = self.pool.ite(bit, x, y)
            sides = x, y
        self._settled.append(Settled(sides, signal, step, how))

    def _more(self, obligation: Obligation) -> bool:
        """Adds the definitions of the values that the question depends on; whether there are new ones."""
        known = set(obligation.facts)
        found: list[BitTerm] = []
        for variable in variables([obligation.difference, *obligation.assumed, *obligation.facts]):
            found += [fact for number, fact in self._further.get(variable, ()) if number < obligation.number]
            if variable in self.definitions:
                found.append(self.pool.equal(variable, self.definitions[variable]))
        new = [fact for fact in dict.fromkeys(found) if fact not in known and not fact.is_constant]
        obligation.facts += new
        return bool(new)
