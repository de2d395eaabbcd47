# SPDX-License-Identifier: Apache-2.0
"""A wish for a modulus with a property, and the width and words that all wishes are about."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class ModulusWords:
    """A modulus of `bits` bits, at least 2, in words of `word` bits, at least 1; word 0 is the lowest."""

    bits: int
    word: int

    @property
    def count(self) -> int:
        """Number of words; the highest may have fewer bits."""
        return -(-self.bits // self.word)

    @property
    def end(self) -> int:
        """2^bits, above every modulus."""
        return 1 << self.bits

    @property
    def least(self) -> int:
        """2^(bits - 1), the least number of that width."""
        return 1 << (self.bits - 1)

    def mask(self, index: int) -> int:
        """All bits of a word, at their place in the modulus."""
        low = self.word * index
        return ((1 << min(self.word, self.bits - low)) - 1) << low

    def down(self, start: int, step: int = 2) -> range:
        """Numbers of that width from an odd start, or the one below an even start, downwards."""
        return range(start if start % 2 else start - 1, self.least - 1, -step)

    def up(self, start: int, step: int = 2) -> range:
        """Numbers of that width from an odd start, or the one above an even start, upwards."""
        return range(start | 1, self.end, step)


def _any(_: int) -> bool:
    return True


@dataclass(frozen=True)
class Wish:
    """A property that a modulus is to have."""

    reason: str
    """The property, a phrase about the modulus p."""
    candidates: Iterable[int]
    """Numbers that may have it, the one that shows it best first."""
    holds: Callable[[int], bool] = _any
    """True for a candidate that has it."""
    factors: Callable[[int], str] = lambda p: ""
    """An expression of the factors by which a candidate is made; empty for others."""
