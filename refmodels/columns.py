# SPDX-License-Identifier: Apache-2.0
"""A digit is an int, or a NumPy column of the same digit of a whole batch of products.

The same text of a model serves both, because it selects by arithmetic and never branches on data. A column is uint64
where the widest sum of the model fits 64 bits, else an object column of exact ints.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Digit = Any
"""int, or Column; steps of a model carry either."""
Column = NDArray[Any]


def split(value: Digit, bits: int, count: int) -> list[Digit]:
    """The `count` low digits of `bits` bits of an int or of an object column, least significant first."""
    mask = (1 << bits) - 1
    return [(value >> (bits * j)) & mask for j in range(count)]


def split_columns(values: Sequence[int], bits: int, count: int, widest_bits: int) -> list[Column]:
    """As `split` for a batch: `count` columns of len(values) digits each."""
    digits = split(np.array(values, dtype=object), bits, count)
    return [d.astype(np.uint64) for d in digits] if widest_bits <= 64 else digits


@dataclass(frozen=True)
class Wide:
    """A column of integers wider than a digit, kept as its digit columns until somebody asks."""

    digits: tuple[Column, ...]
    bits: int

    def integers(self) -> list[int]:
        """One int per product of the batch."""
        return [row(self, at) for at in range(len(self.digits[0]))]


def join(digits: Sequence[Digit], bits: int) -> Digit:
    """The integer that the digits (least significant first) stand for: an int, or a Wide for columns."""
    if isinstance(digits[-1], np.ndarray):
        return Wide(tuple(digits), bits)
    return sum(d << (bits * j) for j, d in enumerate(digits))


def row(value: Digit, at: int) -> int:
    """Entry `at` of a step's value in a batch, as an int; an int step has the same value in every product."""
    if isinstance(value, Wide):
        return sum(int(d[at]) << (value.bits * j) for j, d in enumerate(value.digits))
    return int(value[at]) if isinstance(value, np.ndarray) else int(value)
