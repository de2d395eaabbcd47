# SPDX-License-Identifier: Apache-2.0
"""The input of a loop, and helpers for digits in Sage's ZZ."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sage.rings.finite_rings.integer_mod_ring import Integers
from sage.rings.integer import Integer

LoopStep = tuple[str, tuple[int, ...], Any]
"""(name, subscripts, value)"""
LoopSteps = Iterator[LoopStep]


class LoopInput(NamedTuple):
    """A product as a document states it; `constants` are recomputed."""

    modulus: Any
    """In ZZ; 0 for a model without one."""
    bits: int
    """Bits of a digit; 0 without a radix."""
    params: Mapping[str, Any]
    constants: Mapping[str, int]
    a: Any
    b: Any
    a_digits: Sequence[Any] | None = None
    """Digits of a, low digit first, where the document states them because they are redundant."""
    b_digits: Sequence[Any] | None = None


def digit(value: Any, place: int, bits: int) -> Any:
    """A digit of a number that is not negative."""
    return (value >> bits * place) % Integer(2) ** bits


def below(value: Any, count: int, bits: int) -> Any:
    """The low `count` digits of a number; of a negative one, of its two's complement."""
    return value % Integer(2) ** (bits * count)


def value_of(digits: Sequence[Any], bits: int) -> Any:
    """The number that digits stand for, redundant ones too."""
    return sum((digit << bits * place for place, digit in enumerate(digits)), Integer(0))


def negated_inverse(modulus: Any, ring: Any) -> Any:
    """-modulus^-1 in Z/ring."""
    return (-(Integers(ring)(modulus) ** -1)).lift()


def quotient_digit(low: Any, modulus: Any, radix: Any) -> Any:
    """The q below the radix for which low + q*modulus is a multiple of the radix."""
    return (Integers(radix)(low) / -Integers(radix)(modulus)).lift()


def signed(value: Any, bits: int) -> Any:
    """The number that a word stands for in two's complement."""
    word = value % Integer(2) ** bits
    return word - (word >> bits - 1 << bits)
