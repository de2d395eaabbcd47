# SPDX-License-Identifier: Apache-2.0
"""All pairs of operands of a range: the operands of kind `exhaustive`."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import Any

import gmpy2

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Model

MOST = 1 << 24
"""Most pairs."""


@dataclass(frozen=True)
class AllPairs:
    """Every pair of operands that a model takes with both in their ranges; b counts up for each a."""

    model: Model
    params: Any
    limits: tuple[int, int]
    """Largest a and b: those of the model, or less."""

    @cached_property
    def count(self) -> int:
        """Number of pairs. Where the largest b depends on a, it is not counted further than beyond MOST."""
        a_limit, b_limit = self.limits
        if self.model.unary or self.model.largest_b is None:
            return (a_limit + 1) * (1 if self.model.unary else b_limit + 1)
        total = 0
        for a in range(a_limit + 1):
            total += self._largest_b(a) + 1
            if total > MOST:
                break
        return total

    def check(self) -> None:
        """Raises ParameterError("kind") if there are more than MOST."""
        if self.count > MOST:
            huge = self.count >> 64
            number = f"2^{self.count.bit_length() - 1}" if huge else str(self.count)
            more = " or more" if huge or self.model.largest_b else ""
            raise ParameterError(
                "kind", f"exhaustive takes at most {MOST} pairs of operands, and here there are {number}{more}"
            )

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """The pairs, as integers of gmpy2."""
        return self.start(0)

    def start(self, first: int) -> Iterator[tuple[int, int]]:
        """The pairs from number `first` on."""
        mpz = gmpy2.mpz
        begin, behind = self._place(first)
        for a in map(mpz, range(begin, self.limits[0] + 1)):
            yield from zip(repeat(a), map(mpz, range(behind, self._largest_b(a) + 1)), strict=False)
            behind = 0

    def _place(self, number: int) -> tuple[int, int]:
        """The a of a pair, and how many pairs with it are in front; where the largest b depends on a, by adding up."""
        if self.model.unary or self.model.largest_b is None:
            return divmod(number, self._largest_b(0) + 1)
        a = 0
        while a <= self.limits[0] and number > (most := self._largest_b(a)):
            a, number = a + 1, number - most - 1
        return a, number

    def _largest_b(self, a: int) -> int:
        if self.model.unary:
            return 0
        most, largest_b = self.limits[1], self.model.largest_b
        return most if largest_b is None else min(most, int(largest_b(self.params, a)))
