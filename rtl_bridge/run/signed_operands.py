# SPDX-License-Identifier: Apache-2.0
"""Operands of a core that takes numbers in two's complement, from those that are drawn for its model.

A model draws residues and integers, which have few negative numbers behind them. So corners of the signed range take
the place of every second pair at first, and any other operand becomes another number with its residue. All of it
follows from the number of the case, so that a case that is run alone has the operands that it has in the set.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count

from limbtrace.refmodels.architecture import TimedPair
from limbtrace.rtl_bridge.binding.signed_range import SignedRange
from limbtrace.vectors.request import EXHAUSTIVE, VectorRequest

CORNERS_EVERY = 2
"""Cases of which one has a corner of the signed range, as long as there are corners."""
WITH_CORNERS = ("mixed", "directed", "events")
"""Kinds of operands whose first cases have the corners; those of others are drawn."""
_SIGNS = ((False, True), (True, True), None, (True, False), (False, False))
"""By turns of the cases, whether a and b are negative; None: as they are drawn."""


def corner_numbers(signed: SignedRange) -> list[int]:
    """Numbers at which sign extension, comparisons and bounds go wrong, each once and within the range."""
    p = signed.modulus
    found = [signed.least, signed.most, -1, 1, 0]
    found += [sign * number for number in (p // 2, (p + 1) // 2, p - 1, p) for sign in (-1, 1)]
    for place in range(signed.bits - 1, 0, -1):
        found += [-1 << place, (1 << place) - 1]
    return [number for number in dict.fromkeys(found) if signed.least <= number <= signed.most]


@dataclass(frozen=True)
class SignedPairs:
    """The operands of a request for the signed ranges of a core."""

    request: VectorRequest
    signed: Mapping[str, SignedRange]
    """The operands in two's complement; others stay as they are."""
    limits: tuple[int, int]
    """Largest a and b as integers."""

    def of(self, pairs: Iterable[TimedPair]) -> Iterator[TimedPair]:
        """The operands of the cases of the request, as integers of its model."""
        request = self.request
        if request.kind == EXHAUSTIVE:
            return (TimedPair(*map(self._nth, "ab", (pair.a, pair.b))) for pair in pairs)
        if request.chosen_events:  # which are of the integers as they are
            return iter(pairs)
        corners = self._corners if request.kind_name in WITH_CORNERS else []
        return (self._pair(case, pair, corners) for case, pair in zip(count(request.first), pairs, strict=False))

    def _nth(self, name: str, place: int) -> int:
        """The operand in that place, in the order of the integers that stand for numbers."""
        signed = self.signed.get(name)
        if signed is None or place <= signed.most:
            return place
        return signed.integer(place - signed.count)

    def _pair(self, case: int, pair: TimedPair, corners: list[TimedPair]) -> TimedPair:
        number, behind = divmod(case, CORNERS_EVERY)
        if not behind and number < len(corners):
            return corners[number]
        turn, wish = divmod(case, len(_SIGNS))
        if (signs := _SIGNS[wish]) is None:
            return pair
        return TimedPair(*(self._other(*one, turn) for one in zip("ab", pair[:2], signs, strict=True)))

    def _other(self, name: str, operand: int, negative: bool, turn: int) -> int:
        """A number with the residue of an operand and with that sign, if there is one, by turns each of them."""
        if name not in self.signed:
            return operand
        signed = self.signed[name]
        first = signed.least + (operand - signed.least) % signed.modulus
        same = range(first, signed.most + 1, signed.modulus)
        below = len(range(first, 0, signed.modulus))
        wished = (same[:below] if negative else same[below:]) or same
        return signed.integer(wished[turn % len(wished)])

    @property
    def _corners(self) -> list[TimedPair]:
        """Pairs of corners: both signs and ends with each other, then all of them with an end and with themselves."""
        a, b = (corner_numbers(self.signed[name]) if name in self.signed else [] for name in "ab")
        if not b or not a:  # the other operand is none, or is not signed
            name, numbers = ("a", a) if a else ("b", b)
            return [self._beside(name, self.signed[name].integer(number)) for number in numbers]
        first = [(a[0], b[0]), (a[1], b[0]), (a[0], b[1]), (a[1], b[1]), (-1, -1), (0, b[0]), (-1, b[1]), (a[0], -1)]
        others = [(number, b[place % len(b)]) for place, number in enumerate(a)]
        others += [(a[place % len(a)], number) for place, number in enumerate(b[1:] + b[:1])]
        signed = [(x, y) for x, y in first if self._has("a", x) and self._has("b", y)]
        return [TimedPair(self.signed["a"].integer(x), self.signed["b"].integer(y))
                for x, y in dict.fromkeys([*signed, *others])]  # fmt: skip

    def _has(self, name: str, number: int) -> bool:
        return self.signed[name].least <= number <= self.signed[name].most

    def _beside(self, name: str, operand: int) -> TimedPair:
        """A signed operand beside the largest one of the other, if there is another one."""
        other = self.limits[1 - "ab".index(name)]
        return TimedPair(operand, other) if name == "a" else TimedPair(other, operand)
