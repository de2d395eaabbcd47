# SPDX-License-Identifier: Apache-2.0
"""A term that has one value, or two valuations of its variables that give it different ones."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool
from limbtrace.rtl_bridge.proof.evaluation import evaluated
from limbtrace.rtl_bridge.proof.reach import answered
from limbtrace.rtl_bridge.proof.smt import OPEN, PROVED, REFUTED, variables
from limbtrace.rtl_bridge.proof.substitute import replaced
from limbtrace.rtl_bridge.proof.workers import Workers
from limbtrace.vectors.proof import TimingSource

DRAWS = 16
"""Valuations that are tried before the solver is asked."""
SEED = 39
OTHER = "other "
"""Prefix of the variables of the second valuation in a question."""

Valuation = Mapping[str, int]


@dataclass(frozen=True)
class TwoValuations:
    """Two valuations of variables for which a term has different values."""

    source: TimingSource
    """The variables that differ between them."""
    values: tuple[Valuation, Valuation]


class Judge:
    """Decides whether terms have one value; each term is looked at once."""

    def __init__(
        self, pool: TermPool, source: Callable[[str], TimingSource], workers: Workers[str], limit: int
    ) -> None:
        """`source`: what a variable stands for, by its name; `limit`: seconds of a question to the solver."""
        self._pool, self._source, self._workers, self._limit = pool, source, workers, limit
        self._known: dict[BitTerm, int | TwoValuations | None] = {}
        self.solved = 0
        """Terms of which the solver proved that they have one value."""

    def __call__(self, term: BitTerm) -> int | TwoValuations | None:
        """The value of the term, or two valuations with different ones; None if neither was found."""
        if term.is_constant:
            return term.value
        if term not in self._known:
            self._known[term] = self._judged(term)
        return self._known[term]

    def _judged(self, term: BitTerm) -> int | TwoValuations | None:
        free = variables([term])
        groups = self._groups(free)
        for source, group in groups:
            if (pair := self._drawn(term, free, group)) is not None:
                return TwoValuations(source, pair)
        *_, (_, every) = groups
        answer = self._asked(term, free, every)
        if answer is None or isinstance(answer, int):
            return answer
        for source, group in groups[:-1]:  # with less that differs it is easier to see why
            if isinstance(narrower := self._asked(term, free, group), tuple):
                return TwoValuations(source, narrower)
        return TwoValuations(groups[-1][0], answer)

    def _groups(self, free: Sequence[BitTerm]) -> list[tuple[TimingSource, list[BitTerm]]]:
        """Variables that may differ: those of one source, then all of them."""
        by: dict[TimingSource, list[BitTerm]] = {}
        for variable in free:
            by.setdefault(self._source(str(variable.detail)), []).append(variable)
        order: tuple[TimingSource, ...] = ("operands", "modulus", "earlier", "power-on")
        known = [(source, by[source]) for source in order if source in by]
        return known if len(known) == 1 else [*known, (known[-1][0], list(free))]

    def _drawn(
        self, term: BitTerm, free: Sequence[BitTerm], group: Sequence[BitTerm]
    ) -> tuple[Valuation, Valuation] | None:
        """Two drawn valuations that differ in a group of variables alone, and for which the term differs."""
        draw = random.Random(SEED)
        base = {str(variable.detail): draw.randint(0, variable.most) for variable in free}
        first: tuple[int, Valuation] | None = None
        for changes in self._changes(draw, group):
            values = base | changes
            (value,) = evaluated([term], values)
            if first is None:
                first = value, values
            elif value != first[0]:
                return first[1], values
        return None

    @staticmethod
    def _changes(draw: random.Random, group: Sequence[BitTerm]) -> Iterator[dict[str, int]]:
        """The least and the largest values, then some of these and some in between."""
        for corner in (0, 1):
            yield {str(variable.detail): corner * variable.most for variable in group}
        for _ in range(DRAWS):
            yield {
                str(variable.detail): draw.choice((0, min(1, variable.most), variable.most, *[
                    draw.randint(0, variable.most) for _ in range(3)
                ])) for variable in group
            }  # fmt: skip

    def _asked(
        self, term: BitTerm, free: Sequence[BitTerm], group: Sequence[BitTerm]
    ) -> int | tuple[Valuation, Valuation] | None:
        """The value of the term, or two valuations that differ in a group, by the solver; None if it does not know."""
        others = {
            variable: self._pool.variable(f"{OTHER}{variable.detail}", variable.width, variable.most)
            for variable in group
        }
        (copy,) = replaced(self._pool, [term], others)
        differs = self._pool.bvnot(self._pool.equal(term, copy))
        if differs.is_constant and not differs.value:
            return evaluated([term], {})[0]
        answer = answered(self._workers, [differs], self._limit)
        if answer.verdict == PROVED:
            self.solved += 1
            return evaluated([term], {})[0]
        if answer.verdict == OPEN:
            return None
        assert answer.verdict == REFUTED
        values = {str(variable.detail): answer.values.get(str(variable.detail), 0) for variable in free}
        changes = {str(variable.detail): answer.values.get(f"{OTHER}{variable.detail}", 0) for variable in group}
        return values, values | changes
