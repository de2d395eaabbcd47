# SPDX-License-Identifier: Apache-2.0
"""Obligations and who settles them: processes with a solver, each question asked with no more facts than it takes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType

from rtl_bridge.proof.bits import BitTerm, TermPool, cone
from rtl_bridge.proof.linear import LinearForms
from rtl_bridge.proof.smt import OPEN, PROVED, REFUTED, SolverAnswer, text, variables
from rtl_bridge.proof.workers import Workers
from vectors.proof import ProductName, Verdict

QUICK = 10
"""Seconds, at most, of a question in which products are any functions."""
MEGABYTES = 1000
"""Memory of a question."""
MOST_WAITING = 64
"""Questions that are open at the same time."""
DEEPEST = 12
"""How often definitions of cut values are followed."""


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
    verdict: Verdict = OPEN
    facts: list[BitTerm] = field(default_factory=list)
    """Definitions of cut values that may be used."""
    depth: int = 0
    multiplies: bool = False
    """Whether there are products in the question."""
    exact: bool = False
    """Whether they are multiplied."""
    values: Mapping[str, int] = field(default_factory=dict)
    """Where it is refuted: values of variables, by name."""


class Solver:
    """Asks about obligations in other processes while the design is stepped on."""

    def __init__(self, pool: TermPool, processes: int, seconds: int) -> None:
        """`seconds` limit a question."""
        self._pool, self._seconds = pool, seconds
        self._workers: Workers[Obligation] = Workers(processes, MEGABYTES)
        self.definitions: dict[BitTerm, BitTerm] = {}
        """What each value that was cut off is equal to."""
        self._further: dict[BitTerm, list[BitTerm]] = {}
        self.exact: dict[BitTerm, BitTerm] = {}
        """Sums that do not wrap and are equal to such values as numbers, where their definition may wrap."""
        self._linear = LinearForms(pool, self.definitions, self.exact)
        self.failed: list[Obligation] = []
        self.counts = {"same": 0, "sums": 0, "solver": 0}
        """Obligations that hold by the form of their terms, as sums of integers, and by a solver."""
        self.obligations = 0
        """How many there are, settled or not."""

    def __enter__(self) -> "Solver":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._workers.close()

    def equal(self, x: BitTerm, y: BitTerm, product: ProductName, signal: str, cycle: int | None, step: str) -> None:
        """Sees to it that two terms are equal in every valuation."""
        self.obligations += 1
        if x is y:
            self.counts["same"] += 1
            return
        x, y = self._pool.narrowed([x, y])
        difference = self._pool.inverted(self._pool.equal(x, y))
        obligation = Obligation(self.obligations, product, signal, cycle, step, (x, y), difference)
        if difference.is_constant:
            if not difference.value:
                self.counts["same"] += 1
                return
            obligation.verdict = REFUTED
            self.failed.append(obligation)
            return
        self._ask(obligation)
        self._collect(block=self._workers.open > MOST_WAITING)

    def note(self, x: BitTerm, y: BitTerm) -> None:
        """Notes that bits of variables are equal to something else, too; an obligation has to say so."""
        fact = self._pool.equal(x, y)
        for variable in variables([x]):
            self._further.setdefault(variable, []).append(fact)

    def finish(self) -> None:
        """Wait for all answers, or until one fails."""
        while self._workers.open and not self.failed:
            self._collect(block=True)

    def _ask(self, obligation: Obligation) -> None:
        wanted = [obligation.difference, *obligation.facts]
        obligation.multiplies = any(term.operation == "product" for term in cone(wanted))
        exact = obligation.exact or not obligation.multiplies
        question = text(wanted, products=exact)
        seconds = self._seconds if exact else min(QUICK, self._seconds)
        self._workers.ask(obligation, question, seconds)

    def _collect(self, *, block: bool) -> None:
        for obligation, answer in self._workers.answers(block=block):
            self._answered(obligation, answer)

    def _answered(self, obligation: Obligation, answer: SolverAnswer) -> None:
        if answer.verdict == PROVED:
            obligation.verdict = PROVED
            self.counts["solver"] += 1
            return
        if not obligation.depth and not obligation.exact and self._linear.equal(*obligation.sides):
            obligation.verdict = PROVED
            self.counts["sums"] += 1
            return
        obligation.values = answer.values
        if answer.verdict == REFUTED and obligation.depth < DEEPEST and self._more(obligation):
            obligation.depth += 1
            self._ask(obligation)
        elif obligation.multiplies and not obligation.exact:
            obligation.exact = True
            self._ask(obligation)
        else:
            obligation.verdict = answer.verdict
            self.failed.append(obligation)

    def _more(self, obligation: Obligation) -> bool:
        """Adds the definitions of the values that the question depends on; whether there are new ones."""
        known = set(obligation.facts)
        found: list[BitTerm] = []
        for variable in variables([obligation.difference, *obligation.facts]):
            found += self._further.get(variable, ())
            if variable in self.definitions:
                found.append(self._pool.equal(variable, self.definitions[variable]))
        new = [fact for fact in dict.fromkeys(found) if fact not in known and not fact.is_constant]
        obligation.facts += new
        return bool(new)
