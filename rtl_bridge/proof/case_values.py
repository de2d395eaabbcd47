# SPDX-License-Identifier: Apache-2.0
"""Values that fulfil the assumptions of a case, and the bits that are the same for all of them, by a solver."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool, cone
from limbtrace.rtl_bridge.proof.cases import BitMasks, HandshakeCase
from limbtrace.rtl_bridge.proof.evaluation import Values, column
from limbtrace.rtl_bridge.proof.smt import PROVED, REFUTED, SolverAnswer, variables
from limbtrace.rtl_bridge.proof.substitute import replaced

DRAWS = 64
"""Valuations that are drawn at a time."""
SEED = 41
ROUNDS = 24
"""Questions, at most, about bits that may be constant; each answer with values leaves fewer of them."""
SECONDS_OF_BITS = 2
"""Of each of these questions, at most."""
SECONDS = 20
"""Of the question whether a case has any values; without an answer it may have some."""
NARROW = 8
"""Bits of a term that may be a part of the control."""
MOST_MULTIPLIED = 32
"""Bits of a product in what a case assumes: with wider ones nothing is asked but of narrow terms."""

_Ask = Callable[[list[BitTerm], float], SolverAnswer | None]
"""A question whether bits can be 1 together, with seconds that it may take; None where no time is left."""


class CaseValues:
    """Looks for values of cases, and for what is constant in them."""

    def __init__(self, pool: TermPool, ask: _Ask) -> None:
        self._pool, self._ask = pool, ask
        self._random = Random(SEED)
        self._answers: dict[tuple[BitTerm, ...], SolverAnswer | None] = {}
        """Of questions whether there are values, by what they assume."""
        self._open: set[tuple[BitTerm, ...]] = set()
        """Assumptions of which it is not known whether values fulfil them."""

    def settled(self, case: HandshakeCase) -> HandshakeCase | None:
        """A case with values that fulfil its assumptions, without any if none were found; None if there are none."""
        if any(bit.is_constant and not bit.value for bit in case.assumed):
            return None
        free = variables(case.assumed)
        for known in (None, case.values):
            drawn = self._drawn(free, known)
            if places := _fulfilling(case.assumed, drawn):
                return replace(case, values={str(each.detail): drawn[each][places[0]] for each in free})
        if case.assumed not in self._answers:  # products from other states lead to the same cases
            asked = [bit for bit in case.assumed if not bit.is_constant]
            was_open = case.assumed[:-1] in self._open
            self._answers[case.assumed] = self._ask(asked, SECONDS_OF_BITS if was_open else SECONDS)
        answer = self._answers[case.assumed]
        if answer is None or answer.verdict not in (PROVED, REFUTED):
            self._open.add(case.assumed)
            return replace(case, values=None)
        return None if answer.verdict == PROVED else replace(case, values=answer.values)

    def constant_bits(self, case: HandshakeCase, terms: Iterable[BitTerm]) -> dict[BitTerm, BitMasks]:
        """Bits of terms, as masks, that are the same for all values that fulfil the assumptions of a case.

        Nothing is said of bits of which the solver does not say so in time.
        """
        wanted = [term for term in dict.fromkeys(terms) if not term.is_constant]
        if case.values is None or not case.assumed or not wanted:
            return {}
        found = self._maybe(case, wanted)
        known = self._by_comparisons(case, found)
        left = {term: bits for term, bits in found.items() if term not in known}
        is_hard = any(term.operation == "product" and term.width > MOST_MULTIPLIED for term in cone(case.assumed))
        if not is_hard and self._proved(case, left):
            known |= left
        return {term: bits for term, bits in known.items() if any(bits)}

    def _by_comparisons(self, case: HandshakeCase, found: Mapping[BitTerm, BitMasks]) -> dict[BitTerm, BitMasks]:
        """Those of narrow terms that are constant whatever wide words are, by comparisons of these alone."""
        known: dict[BitTerm, BitMasks] = {}
        for term, bits in found.items():
            if term.width > NARROW or not any(bits):
                continue
            asked = [*case.assumed, self._differs(term, bits)]
            compared = [each for each in cone(asked) if each.operation in ("eq", "ult")]
            by = {each: self._pool.fresh("compared", 1) for each in compared if each.operands[0].width > NARROW}
            answer = self._ask(replaced(self._pool, asked, by), SECONDS_OF_BITS)
            if answer is not None and answer.verdict == PROVED:
                known[term] = bits
        return known

    def _proved(self, case: HandshakeCase, found: dict[BitTerm, BitMasks]) -> bool:
        """Leave out bits that are not constant; True if the solver says that all others are."""
        for _ in range(ROUNDS):
            for term in [term for term, bits in found.items() if not any(bits)]:
                del found[term]
            if not found:
                return True
            differs = self._pool.concat(self._differs(term, bits) for term, bits in found.items())
            answer = self._ask([*case.assumed, self._pool.any_bit(differs)], SECONDS_OF_BITS)
            if answer is None or answer.verdict not in (PROVED, REFUTED):
                return False
            if answer.verdict == PROVED:
                return True
            drawn = {each: [answer.values.get(str(each.detail), 0)] for each in variables([*case.assumed, *found])}
            _narrow(found, drawn)
        return False

    def _differs(self, term: BitTerm, bits: BitMasks) -> BitTerm:
        """A bit that is 1 where a term has other bits than these."""
        ones, zeros = bits
        pool = self._pool
        other = pool.bvxor(pool.bvand(term, pool.constant(term.width, ones | zeros)), pool.constant(term.width, ones))
        return pool.any_bit(other)

    def _maybe(self, case: HandshakeCase, wanted: Sequence[BitTerm]) -> dict[BitTerm, BitMasks]:
        """Bits that are the same for all drawn values, as far as they are not known to be constants."""
        found: dict[BitTerm, BitMasks] = {}
        for term in wanted:
            full = (1 << term.width) - 1
            found[term] = full & ~term.zeros, full & ~term.ones
        free = variables([*case.assumed, *wanted])
        for known in (None, case.values):
            drawn = self._drawn(free, known)
            places = _fulfilling(case.assumed, drawn)
            _narrow(found, {each: [values[place] for place in places] for each, values in drawn.items()})
        for term, (ones, zeros) in found.items():
            known_bits = term.ones | term.zeros
            # Where no values were found but those of the case, a bit may be both so far.
            found[term] = ones & ~known_bits, zeros & ~ones & ~known_bits
        return found

    def _drawn(self, free: Sequence[BitTerm], known: Mapping[str, int] | None) -> dict[BitTerm, Values]:
        """Values of variables: uniform, of few bits, and the extremes; with `known`, many are those."""
        random = self._random
        drawn: dict[BitTerm, Values] = {}
        for each in free:
            most, values = each.most, list[int]()
            for number in range(DRAWS):
                value = random.randint(0, most)
                if number % 3 == 1:
                    value &= (1 << random.randrange(each.width + 1)) - 1
                elif number % 3 == 2:
                    value = random.choice((0, min(1, most), most, value))
                if known is not None and random.random() < 0.5:
                    value = known.get(str(each.detail), 0)
                values.append(value)
            if known is not None:
                values[0] = known.get(str(each.detail), 0)
            drawn[each] = values
        return drawn


def _valued(terms: Sequence[BitTerm], drawn: Mapping[BitTerm, Values]) -> list[Values]:
    """The values of terms for several values of their variables."""
    count = max(map(len, drawn.values()), default=1)
    values = dict(drawn)
    for term in cone(terms):
        if term not in values:
            values[term] = column(term, values, count)
    return [values[term] for term in terms]


def _fulfilling(bits: Sequence[BitTerm], drawn: Mapping[BitTerm, Values]) -> list[int]:
    """The places of values for which all bits are 1."""
    return [place for place, values in enumerate(zip(*_valued(bits, drawn), strict=True)) if all(values)]


def _narrow(found: dict[BitTerm, BitMasks], drawn: Mapping[BitTerm, Values]) -> None:
    """Leave out bits that are not the same for all of these values."""
    terms = list(found)
    for term, values in zip(terms, _valued(terms, drawn), strict=True):
        ones, zeros = found[term]
        for value in values:
            ones, zeros = ones & value, zeros & ~value
        found[term] = ones, zeros
