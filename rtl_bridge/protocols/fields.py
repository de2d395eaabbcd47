# SPDX-License-Identifier: Apache-2.0
"""Fields of the constants that a testbench holds stable."""

from collections.abc import Sequence
from dataclasses import dataclass

CYCLE_BITS = 32
"""Width of the cycle number in a row, and of the start row of a product, in bits."""


@dataclass(frozen=True)
class Field:
    """A field of the constants that a testbench holds stable."""

    name: str
    width: int
    value: int


def pack(fields: Sequence[Field]) -> int:
    """The fields as one integer, first field in the low bits."""
    word = shift = 0
    for field in fields:
        word |= field.value << shift
        shift += field.width
    return word
