# SPDX-License-Identifier: Apache-2.0
"""Choices made by the caller: a model says which settings make sense, and a test or a search picks among them."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Choice(Protocol):
    """The one that chooses: a property test by drawing, a test by always taking the smallest, a search by its seed.

    The smallest integer and the first option count as the simplest ones; a failing case is shrunk towards them.
    """

    def integer(self, low: int, high: int) -> int:
        """An integer from low to high, both inclusive."""

    def one_of(self, options: Sequence[T]) -> T:
        """One of the options (at least one); an option that is listed twice should be chosen more often."""


def radix_bits(choice: Choice, bits: int, smallest: int, max_digits: int) -> int:
    """log2, at least `smallest`, of a radix with which `bits` bits take at most `max_digits` digits."""
    low = max(smallest, -(-bits // max_digits))
    any_width = choice.integer(low, max(low, bits) + 3)
    divisors = [k for k in range(low, bits + 1) if bits % k == 0]  # the modulus fills its digits
    return choice.one_of((any_width, choice.one_of(divisors))) if divisors else any_width


def word_bits(choice: Choice, bits: int, smallest: int, max_digits: int) -> int:
    """Bits of a word, at least `smallest`; 64 is one of the choices."""
    return choice.one_of((radix_bits(choice, bits, smallest, max_digits), max(smallest, 64)))


def digits_for(choice: Choice, bits: int, width: int) -> int:
    """The number of digits of that width that `bits` bits need, or one more."""
    return -(-bits // width) + choice.integer(0, 1)
