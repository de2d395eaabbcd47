# SPDX-License-Identifier: Apache-2.0
"""Integers as limbs, low ones first: what emulations of faults in multi-word arithmetic share."""

from collections.abc import Sequence


def to_limbs(value: int, width: int, count: int) -> list[int]:
    """`count` limbs of `width` bits; bits above them are dropped."""
    return [value >> (width * k) & ((1 << width) - 1) for k in range(count)]


def from_limbs(limbs: Sequence[int], width: int) -> int:
    """The integer; limbs may be wider than `width`, or negative."""
    return sum(limb << (width * k) for k, limb in enumerate(limbs))


def signed(value: int, width: int) -> int:
    """The low `width` bits as a number in two's complement."""
    return (value + (1 << (width - 1))) % (1 << width) - (1 << (width - 1))
