# SPDX-License-Identifier: Apache-2.0
"""Choices that somebody else makes: a model says which settings make sense, and a test or a search picks among them."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Choice(Protocol):
    """Whoever chooses: a property test by drawing, a test by always taking the smallest, a search by its seed.

    The smallest integer and the first option are the simplest ones, towards which a failing case is made smaller.
    """

    def integer(self, low: int, high: int) -> int:
        """An integer from low to high, both inclusive."""

    def one_of(self, options: Sequence[T]) -> T:
        """One of the options, of which there is at least one; one that stands there twice is meant to come often."""


def radix_bits(choice: Choice, bits: int, smallest: int, max_digits: int) -> int:
    """Logarithm, of at least `smallest`, of a radix with which `bits` bits take at most `max_digits` digits."""
    low = max(smallest, -(-bits // max_digits))
    any_width = choice.integer(low, max(low, bits) + 3)
    divisors = [k for k in range(low, bits + 1) if bits % k == 0]  # the modulus fills its digits
    return choice.one_of((any_width, choice.one_of(divisors))) if divisors else any_width


def word_bits(choice: Choice, bits: int, smallest: int, max_digits: int) -> int:
    """Bits of a word, at least `smallest`; the 64 of today's machines are among them."""
    return choice.one_of((radix_bits(choice, bits, smallest, max_digits), max(smallest, 64)))


def digits_for(choice: Choice, bits: int, width: int) -> int:
    """As many digits of that width as `bits` bits need, or one more."""
    return -(-bits // width) + choice.integer(0, 1)
