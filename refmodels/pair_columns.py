# SPDX-License-Identifier: Apache-2.0
"""Many pairs of operands at a time, and what is computed of them, as columns: for conditions that few pairs fulfil.

A condition on columns decides nothing. It leaves out pairs that cannot have a property, so that few are left to judge.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

WORD = 64

BoolColumn = NDArray[np.bool_]
WordColumn = NDArray[np.uint64]


class PairColumns:
    """Pairs, and integers >= 0 that are made of each pair, by name; each is computed when it is first asked for."""

    def __init__(self, pairs: Sequence[tuple[int, int]], values: Mapping[str, Callable[[int, int], int]]) -> None:
        self.pairs = pairs
        self._values = values
        self._words: dict[str, NDArray[np.uint64]] = {}

    @property
    def every(self) -> BoolColumn:
        """A condition that leaves out no pair."""
        return np.ones(len(self.pairs), dtype=np.bool_)

    def _of(self, name: str) -> NDArray[np.uint64]:
        """The words of a value, low ones first, a row for each."""
        if name not in self._words:
            value = self._values[name]
            numbers = [value(a, b) for a, b in self.pairs]
            count = max(-(-max(numbers, default=0).bit_length() // WORD), 1)
            text = b"".join([number.to_bytes(8 * count, "little") for number in numbers])
            self._words[name] = np.frombuffer(text, dtype="<u8").reshape(-1, count).T.copy()
        return self._words[name]

    def field(self, name: str, low: int, bits: int) -> WordColumn:
        """`bits` bits of a value from bit `low` on; of more than 64, the lowest 64."""
        words = self._of(name)
        place, shift = divmod(low, WORD)
        if place >= len(words):
            return np.zeros(len(self.pairs), dtype=np.uint64)
        found = words[place] >> np.uint64(shift) if shift else words[place]
        if shift and bits > WORD - shift and place + 1 < len(words):
            found = found | words[place + 1] << np.uint64(WORD - shift)
        cut: WordColumn = found & np.uint64((1 << min(bits, WORD)) - 1)
        return cut

    def agrees(self, name: str, low: int, bits: int, value: int) -> BoolColumn:
        """True where `bits` bits from bit `low` on are those of `value`; of more than 64, the lowest 64."""
        seen = min(bits, WORD)
        found: BoolColumn = self.field(name, low, bits) == np.uint64(value & ((1 << seen) - 1))
        return found

    def at_most(self, name: str, most: int) -> BoolColumn:
        """False only where a value is above `most`: the highest word is compared, of the widest value."""
        if most < 0:
            return ~self.every
        words = self._of(name)
        bound = most >> WORD * (len(words) - 1)
        return self.every if bound >> WORD else words[-1] <= np.uint64(bound)


def product_of_words(x: WordColumn, y: WordColumn, width: int) -> BoolColumn:
    """True where bits width - 1 to 2 * width - 2 of x * y may be all ones: for words of up to 64 bits.

    x * y is then just below a multiple of 2^(2 * width - 1), which the rounded product shows.
    """
    share = x.astype(np.float64) * y.astype(np.float64) * 2.0 ** (1 - 2 * width)
    nearest = np.rint(share)
    return (nearest >= 1) & (np.abs(share - nearest) <= 2.0**-width + 2.0**-50)
