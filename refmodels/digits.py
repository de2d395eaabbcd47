# SPDX-License-Identifier: Apache-2.0
"""Operands of redundant digits: one bit more than the radix needs, so that a value has several digit vectors."""

from typing import Any

from limbtrace.refmodels.expr import smaller, whole
from limbtrace.refmodels.representations import Written


def largest_digits(bits: int, count: int) -> int:
    """Value of `count` redundant digits that are all 2^(bits+1) - 1."""
    return ((2 << bits) - 1) * ((1 << (bits * count)) - 1) // ((1 << bits) - 1)


def redundant_digits(value: Any, bits: int, count: int) -> list[Any]:
    """Digits of a Written; of any other value up to `largest_digits` canonical ones, as far as these can hold it."""
    if isinstance(value, Written):
        return list(value.digits)
    rest, most, digits = whole(value), (2 << bits) - 1, []
    for i in range(count - 1, -1, -1):
        above = rest >> (bits * i)
        digit = smaller(above, most)
        rest = rest & ((1 << (bits * i)) - 1) if digit is above else rest - (digit << (bits * i))
        digits.append(digit)
    return digits[::-1]


def chosen_digits(value: int) -> tuple[int, ...] | None:
    """The digits of an operand, if they do not follow from its value alone."""
    if not isinstance(value, Written):
        return None
    implied = redundant_digits(int(value), value.bits, len(value.digits))
    return None if list(value.digits) == implied else value.digits
