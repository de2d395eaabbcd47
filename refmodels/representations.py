# SPDX-License-Identifier: Apache-2.0
"""An integer as the digits that hardware keeps for it: canonical, redundant with overlap bits, or mixed radix.

Digit j has the weight 2^(bits*j). Without overlap bits it is below 2^bits, and an integer has one digit vector. With
overlap bits, digits reach into their neighbours and an integer has many vectors; the overlap bits determine which.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import ClassVar, Protocol, TypeGuard

from limbtrace.refmodels.batch_digits import Digit, split, weighted_sum
from limbtrace.refmodels.errors import ParameterError, shown

CANONICAL, MAXIMAL = 0, 1
"""Fillings of the overlap bits: none, or as many as possible. Every other number seeds a random filling."""


def low(digit: Digit, bits: int) -> Digit:
    """The principal bits of a digit."""
    return digit & ((1 << bits) - 1)


def high(digit: Digit, bits: int) -> Digit:
    """The overlap bits of a digit, in units of 2^bits."""
    return digit >> bits


def value_of(digits: Iterable[Digit], bits: int) -> Digit:
    """The value of the digits, low digit first: an int, or a column."""
    return weighted_sum((digit, bits * j) for j, digit in enumerate(digits))


class Written(int):
    """An integer that was given as digits and keeps them."""

    digits: tuple[int, ...]
    bits: int

    def __new__(cls, digits: Iterable[int], bits: int) -> "Written":
        digits = tuple(digits)
        number = super().__new__(cls, value_of(digits, bits))
        number.digits, number.bits = digits, bits
        return number


class Representation(Protocol):
    """A way to write integers as digits, low digit first."""

    @property
    def name(self) -> str:
        """Its common name."""

    @property
    def overlap(self) -> int:
        """Overlap bits of a digit; with 0 of them an integer has one vector of digits."""

    @property
    def widths(self) -> tuple[int, ...]:
        """Bits of every digit, overlap bits included."""

    def holds(self, value: int) -> bool:
        """True if the integer has digits."""

    def write(self, value: int, filling: int = CANONICAL) -> list[int]:
        """The digits, the overlap bits filled as `filling` says."""

    def read(self, name: str, digits: Sequence[int]) -> int:
        """The integer that the digits stand for. Raises ParameterError(name) for a digit out of its range."""


@dataclass(frozen=True)
class Digits:
    """`count` digits of `bits` bits and `overlap` bits above them; values from 0 to 2^(bits*count) - 1."""

    bits: int
    count: int
    overlap: int = 0

    @property
    def name(self) -> str:
        """Its common name."""
        return f"radix 2^{self.bits}"

    @property
    def widths(self) -> tuple[int, ...]:
        """Bits of every digit, overlap bits included."""
        return (self.bits + self.overlap,) * self.count

    def holds(self, value: int) -> bool:
        """True if `count` digits hold the integer."""
        return value >> (self.bits * self.count) == 0

    @property
    def largest(self) -> int:
        """The largest digit."""
        return (1 << (self.bits + self.overlap)) - 1

    def canonical(self, value: Digit) -> list[Digit]:
        """The digits without overlap bits; of an int, or of limbs."""
        return split(value, self.bits, self.count)

    def write(self, value: int, filling: int = CANONICAL) -> list[int]:
        """The digits with the overlap bits filled as `filling` says, always the same for the same value.

        Raises OverflowError for a value that `count` digits do not hold.
        """
        if not self.holds(value):
            raise OverflowError(f"{self.count} digits of {self.bits} bits do not hold {shown(value)}")
        if filling == CANONICAL or not self.overlap:
            return self.canonical(value)
        return self._choose(value, _filler(value, filling))

    def _choose(self, rest: int, choose: Callable[[int, int], int]) -> list[int]:
        """The overlap bits of digit j are `choose(j, most)`; their value is subtracted from the digits above."""
        digits = []
        for j in range(self.count):
            principal, rest = low(rest, self.bits), high(rest, self.bits)
            above = choose(j, min(rest, (1 << self.overlap) - 1))
            rest -= above
            digits.append(principal | above << self.bits)
        return digits

    def read(self, name: str, digits: Sequence[int]) -> Written:
        """The integer that the digits stand for. Raises ParameterError(name) for digits that are too many or too wide.

        An integer of 2^(bits*count) or more is an overflow (section III.A of the redundant paper), which the highest
        digit does not always show: a carry may run through all of them.
        """
        if len(digits) > self.count:
            raise ParameterError(name, f"it has {len(digits)} digits, and {self.count} are enough for every operand")
        for position, digit in enumerate(digits):
            if not 0 <= digit <= self.largest:
                raise ParameterError(name, f"digit {position} is outside 0 to 2^{self.bits + self.overlap}-1")
        return Written([*digits, *[0] * (self.count - len(digits))], self.bits)

    def overflows(self, digits: Sequence[int]) -> bool:
        """True if the digits stand for more than `count` digits without overlap bits can hold."""
        return bool(value_of(digits, self.bits) >> (self.bits * self.count))

    def resolve(self, digits: Sequence[Digit]) -> list[Digit]:
        """The canonical digits of a redundant vector, by an adder with carries; digit `count` shows the overflow.

        Two rows are added: the principal bits, and the overlap bits one place higher.
        """
        out: list[Digit] = []
        carry: Digit = 0
        for principal, above in zip([*digits, 0], [0, *digits], strict=True):
            total = low(principal, self.bits) + high(above, self.bits) + carry
            out.append(low(total, self.bits))
            carry = high(total, self.bits)
        return out


@dataclass(frozen=True)
class MixedRadix:
    """Integers as digits of different radices: the weight of digit j is the product of the radices below it."""

    radices: tuple[int, ...]
    names: tuple[str, ...]
    """The paper's names of the radices."""

    overlap: ClassVar[int] = 0

    @property
    def name(self) -> str:
        """Its common name."""
        return f"radices {', '.join(self.names)}"

    @property
    def widths(self) -> tuple[int, ...]:
        """Bits of every digit."""
        return tuple((radix - 1).bit_length() for radix in self.radices)

    def holds(self, value: int) -> bool:
        """True if the digits hold the integer."""
        return 0 <= value < prod(self.radices)

    def write(self, value: int, filling: int = CANONICAL) -> list[int]:
        """The digits; there is one way to fill them."""
        return self.canonical(value)

    def canonical(self, value: Digit) -> list[Digit]:
        """The digits of an int or of a column; any excess stays in the highest digit."""
        digits = []
        for radix in self.radices[:-1]:
            digits.append(value % radix)
            value = value // radix
        return [*digits, value]

    def value(self, digits: Sequence[Digit]) -> Digit:
        """The value of the digits, low digit first: an int, or a column."""
        total: Digit = 0
        for digit, radix in zip(reversed(digits), reversed(self.radices), strict=True):
            total = total * radix + digit
        return total

    def read(self, name: str, digits: Sequence[int]) -> int:
        """The integer that the digits stand for. Raises ParameterError(name) for too many digits or too large ones."""
        if len(digits) > len(self.radices):
            raise ParameterError(
                name, f"it has {len(digits)} digits, and {len(self.radices)} are enough for every operand"
            )
        for position, (digit, radix) in enumerate(zip(digits, self.radices, strict=False)):
            if not 0 <= digit < radix:
                raise ParameterError(name, f"digit {position} is outside 0 to {self.names[position]} - 1")
        return int(self.value([*digits, *[0] * (len(self.radices) - len(digits))]))


def side_by_side(digits: Sequence[int], widths: Sequence[int]) -> int:
    """Digits of these widths as one word, the lowest digit in the low bits."""
    word = shift = 0
    for digit, width in zip(digits, widths, strict=True):
        word |= digit << shift
        shift += width
    return word


def _filler(value: int, filling: int) -> Callable[[int, int], int]:
    if filling == MAXIMAL:
        return lambda j, most: most
    label = f"{value:x}|{filling}".encode()
    chosen: dict[int, bytes] = {}

    def draw(j: int, most: int) -> int:
        block, at = divmod(j, 32)
        if block not in chosen:
            chosen[block] = hashlib.sha256(label + f"|{block}".encode()).digest()
        return chosen[block][at] % (most + 1)

    return draw


def reslice(digits: Sequence[Digit], bits: int, overlap: int, width: int, count: int) -> list[Digit]:
    """The integer in `count` digits of `width` bits, without a carry: every field keeps its weight.

    The fields are the principal bits of a digit and its overlap bits; a field that crosses the border of a new digit
    is cut there. A new digit is the sum of the fields that fall into it, so it may be wider than `width`. Anything
    beyond `count` digits is lost.
    """
    out: list[Digit] = [0] * count
    for j, digit in enumerate(digits):
        for field, size, at in (
            (low(digit, bits), bits, bits * j),
            (high(digit, bits), overlap, bits * (j + 1)),
        ):
            start = 0
            while start < size:
                place, shift = divmod(at + start, width)
                piece = min(width - shift, size - start)
                if place < count:
                    out[place] = out[place] + (low(field >> start, piece) << shift)
                start += piece
    return out


def shown_in(
    representations: Mapping[str, Representation], value: int, filling: int = CANONICAL
) -> dict[str, list[int]]:
    """A value in each of the representations that hold it, the overlap bits filled as `filling` says."""
    return {
        name: list(value.digits) if _written_in(value, form) else form.write(int(value), filling)
        for name, form in representations.items()
        if form.holds(value)
    }


def _written_in(value: int, form: Representation) -> TypeGuard[Written]:
    return isinstance(value, Written) and isinstance(form, Digits) and value.bits == form.bits
