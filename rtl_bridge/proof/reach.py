# SPDX-License-Identifier: Apache-2.0
"""Reachability of an event: operands that make it happen, by construction or by a solver, or proof of none."""

import importlib.util
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from limbtrace.refmodels.event import Pair
from limbtrace.refmodels.event_search import MOST_STEPS, Occurrences, Place
from limbtrace.refmodels.model import Model, Parameters
from limbtrace.refmodels.predicates import SymbolicRun
from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool, cone
from limbtrace.rtl_bridge.proof.golden import GoldenTerms
from limbtrace.rtl_bridge.proof.smt import PROVED, REFUTED, SolverAnswer, text
from limbtrace.rtl_bridge.proof.workers import Workers
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.proof import ReachMethod, ReachVerdict

QUICK = 5
"""Seconds, at most, of the question in which products are any functions, of which a "no" holds for products too."""
MEGABYTES = 2000
"""Memory of a question."""


@dataclass(frozen=True)
class PlaceAnswer:
    """The answer for an event at a place."""

    verdict: ReachVerdict
    method: ReachMethod | None
    pair: Pair | None = None
    reason: str | None = None


class Questions:
    """Conditions on the operands of a model at parameters, answered by a solver."""

    def __init__(self, model: Model[Any], params: Parameters, limits: Pair | None = None) -> None:
        """`limits`: largest a and b, if they are less than those of the model.

        Raises TypeError for a loop that branches on operands.
        """
        self.run = SymbolicRun(model, params)
        self._pool = TermPool()
        self._operands = {
            name: self._pool.variable(name, max(most.bit_length(), 1), most)
            for name, most in self._largest(limits or params.limits).items()
        }
        self._golden = GoldenTerms(self._pool, self._operands, ())

    def _largest(self, limits: Pair) -> dict[str, int]:
        known = self.run.program.operands
        return {name: min(known[name], most) for name, most in zip(("a0", "b0"), limits, strict=True) if name in known}

    @cached_property
    def _accepted(self) -> Any:
        return self.run.accepted

    def bits(self, *conditions: Any) -> list[BitTerm] | None:
        """Conditions as bits that have to be 1 together, beside those that always are; None if one never is."""
        made = [self._pool.extract(self._golden(each), 0, 0) for each in (*conditions, self._accepted)]
        if any(bit.is_constant and not bit.value for bit in made):
            return None
        return [bit for bit in made if not bit.is_constant]

    def pair(self, answer: SolverAnswer) -> Pair:
        """The operands of an answer; 0 for those that do not matter."""
        return answer.values.get("a0", 0), answer.values.get("b0", 0)


def answered(workers: "Workers[str]", bits: list[BitTerm], seconds: int) -> SolverAnswer:
    """The solver's answer, first with products as arbitrary functions, which settles most unreachable places."""
    last = SolverAnswer(REFUTED)
    for exact in (False, True):
        if not exact and not any(term.operation == "product" for term in cone(bits)):
            continue
        workers.ask("event", text(bits, products=exact), seconds if exact else min(QUICK, seconds))
        while workers.open:
            for _, answer in workers.answers(block=True):
                last = answer
        if last.verdict == PROVED:
            return last
    return last


def reached(known: Occurrences[Any], place: Place[Any], method: str | None, limits: Pair, seconds: int) -> PlaceAnswer:
    """The answer for a place and operands up to these limits; the solver may take that many seconds.

    `method`: what is looked at, "construction" or "solver"; None for the solver where construction does not settle it.
    Raises ToolError.
    """
    found = None if method == "solver" else _constructed(known, place, limits)
    if found is None or (found.verdict == "open" and method is None):
        return _solved(known, place, limits, seconds)
    return found


def _constructed(known: Occurrences[Any], place: Place[Any], limits: Pair) -> PlaceAnswer:
    """The answer of construction and a bounded search."""
    (found,) = known.look([place])
    by: ReachMethod = "exhaustive" if found.exhausted else "construction"
    if found.pair is None:
        if found.excluded:
            return PlaceAnswer("none", "exhaustive" if found.exhausted else "reason", reason=found.reason)
        return PlaceAnswer("open", None, reason=found.reason)
    if any(value > most for value, most in zip(found.pair, limits, strict=True)):
        return PlaceAnswer("open", None, reason="the operands that were found are too large for the core")
    return PlaceAnswer("operands", by, found.pair)


def _solved(known: Occurrences[Any], place: Place[Any], limits: Pair, seconds: int) -> PlaceAnswer:
    """The answer of the solver; its operands are run."""
    model, params = known.model, known.params
    if model.work(params) > MOST_STEPS:
        return PlaceAnswer(
            "open", None, reason=f"products of {model.work(params)} steps are no question for the solver"
        )
    try:
        questions = Questions(model, params, limits)
        bits = questions.bits(questions.run.happens(place.event, place.index))
    except TypeError as error:
        return PlaceAnswer("open", None, reason=f"the solver cannot be asked, since no term says what happens: {error}")
    if bits is None:
        return PlaceAnswer("none", "intervals", reason="the ranges of the steps exclude it")
    if importlib.util.find_spec("bitwuzla") is None:
        raise ToolError("bitwuzla is not installed: pip install 'limbtrace[prove]'")
    workers: Workers[str] = Workers(1, MEGABYTES)
    try:
        answer = answered(workers, bits, seconds)
    finally:
        workers.close()
    if answer.verdict == PROVED:
        return PlaceAnswer("none", "solver", reason="proved for this modulus and these settings")
    if answer.verdict != REFUTED:
        return PlaceAnswer("open", None, reason=f"the solver did not decide within {seconds} s")
    pair = questions.pair(answer)
    model.check_operands(params, *pair)
    if not place.event.happens(model.run(params, *pair), place.index):
        raise ToolError(f"the solver's operands a = {pair[0]:#x}, b = {pair[1]:#x} do not make {place.label} happen")
    return PlaceAnswer("operands", "solver", pair)
