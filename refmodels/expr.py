# SPDX-License-Identifier: Apache-2.0
"""A term is a digit that records how it is computed: the third kind beside ints and columns.

A model's loop selects by arithmetic and never branches on data, so one run of it on terms gives a program without
branches that holds for all operands. Each term has the range that follows from the ranges of the inputs by interval
arithmetic, so a claim about a range that holds for these intervals is proved for all operands.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any, NoReturn


class Term:
    """An integer that is not known: how it is computed from others, and the least and largest value it can have.

    + - * & | ^ take another term or an int, << and >> an int >= 0. A result that can have one value only is that int.
    // and % take a divisor above 0, an int or a term, of what is not negative. A comparison is a bool where the ranges
    decide it, for all values. Raises TypeError if a branch depends on a term.
    """

    __slots__ = ("least", "most", "operands", "operation")
    __array_ufunc__ = None

    def __init__(self, operation: str, operands: tuple[Any, ...], least: int, most: int) -> None:
        self.operation, self.operands, self.least, self.most = operation, operands, least, most

    @property
    def bits(self) -> int:
        """Bits that hold every value: in two's complement with its sign if some are negative, else without one."""
        return max(self.most.bit_length(), (~self.least).bit_length()) + 1 if self.least < 0 else self.most.bit_length()

    @property
    def signed(self) -> bool:
        """True if values may be negative."""
        return self.least < 0

    def bit_length(self) -> int:
        """As of an int, for a term that is not negative and all of whose values have the same one; else TypeError."""
        if self.least < 0 or self.least.bit_length() != self.most.bit_length():
            self._undecided()
        return self.most.bit_length()

    def __repr__(self) -> str:
        return f"<term {self.operation}, {self.least:#x} to {self.most:#x}>"

    def _undecided(self) -> NoReturn:
        raise TypeError("a loop branched on data, which a program without branches cannot")

    __bool__ = _undecided
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (int, Term)):
            return NotImplemented
        least, most = ends(other)
        if self is not other and self.least <= most and least <= self.most:
            self._undecided()
        return self is other

    def __lt__(self, other: Any) -> bool:
        least, most = ends(other)
        if self.least < most and least <= self.most:
            self._undecided()
        return self.most < least

    def __le__(self, other: Any) -> bool:
        least, most = ends(other)
        if self.least <= most and least < self.most:
            self._undecided()
        return self.most <= least

    def __gt__(self, other: Any) -> bool:
        return not self <= other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __add__(self, other: Any) -> Any:
        if isinstance(other, int) and other == 0:
            return self
        least, most = ends(other)
        return _made("+", (self, other), self.least + least, self.most + most)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, int) and other == 0:
            return self
        return _difference(self, other)

    def __rsub__(self, other: Any) -> Any:
        return _difference(other, self)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, int) and other == 1:
            return self
        corners = [x * y for x, y in product(ends(self), ends(other))]
        return _made("*", (self, other), min(corners), max(corners))

    __rmul__ = __mul__

    def __and__(self, other: Any) -> Any:
        if isinstance(other, int) and other >= 0 and not other & (other + 1):
            if self.least >= 0 and self.most <= other:
                return self
            if (bits := other.bit_length()) and self.least >> bits == self.most >> bits:
                return _made("&", (self, other), self.least & other, self.most & other)
            if self.operation == "|" and isinstance(self.operands[1], int) and self.operands[1] & other == other:
                return other
        least, most = ends(other)
        if self.least < 0 and least < 0:
            return _made("&", (self, other), *_signed_ends(self, other))
        return _made("&", (self, other), 0, min(high for low, high in (ends(self), (least, most)) if low >= 0))

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        return _merged("|", self, other, max(self.least, ends(other)[0]))

    __ror__ = __or__

    def __xor__(self, other: Any) -> Any:
        return _merged("^", self, other, 0)

    __rxor__ = __xor__

    def __lshift__(self, bits: int) -> Any:
        return _made("<<", (self, bits), self.least << bits, self.most << bits) if bits else self

    def __rshift__(self, bits: int) -> Any:
        return _made(">>", (self, bits), self.least >> bits, self.most >> bits) if bits else self

    def __floordiv__(self, divisor: Any) -> Any:
        """By an int, it is times 2^s / divisor, rounded up, and cut by s bits.

        Exact, since the factor is too large by less than 1, and 2^s is above the product of term and divisor.
        """
        if isinstance(divisor, Term):
            return _divided(self, divisor)[0]
        if self.least < 0 or divisor < 1:
            raise TypeError(f"{self!r} is divided by {divisor}, which takes a branch")
        s = self.most.bit_length() + divisor.bit_length()
        return _made(">>", (self * -(-(1 << s) // divisor), s), self.least // divisor, self.most // divisor)

    def __rfloordiv__(self, dividend: int) -> Any:
        return _divided(dividend, self)[0]

    def __mod__(self, divisor: Any) -> Any:
        if isinstance(divisor, Term):
            return _divided(self, divisor)[1]
        if self.least >= 0 and self.most < divisor:
            return self
        if self.least >= 0 and divisor > 0 and not divisor & (divisor - 1):
            return self & (divisor - 1)
        return _made("-", (self, self // divisor * divisor), 0, min(self.most, divisor - 1))

    def __rmod__(self, dividend: int) -> Any:
        return _divided(dividend, self)[1]


def field(operand: str, low: int, bits: int, most: int) -> Any:
    """`bits` bits of an operand from bit `low` on, which are at most `most`; an int if that is 0."""
    return _made("field", (operand, low, bits), 0, min(most, (1 << bits) - 1))


def odd(operand: str, bits: int) -> Any:
    """An operand of exactly `bits` bits, at least 2, that is odd: the range holds all such numbers and no other size.

    The highest and the lowest bit of the operand are not read.
    """
    return field(operand, 0, bits - 1, (1 << bits - 1) - 1) | (1 << bits - 1 | 1)


def negative_inverse(value: Term, bits: int) -> Any:
    """-value^-1 mod 2^bits of an odd term, by Newton's iteration.

    If value * n is e - 1, then value * n * (value * n + 2) is e^2 - 1: each round doubles the number of right bits.
    """
    n, right = 8 - (value & 7), 3  # the square of every odd number is 1 modulo 8
    while right < bits:
        right = min(2 * right, bits)
        below = (1 << right) - 1
        n = n * ((value & below) * n + 2) & below
    return _made("&", (n, (1 << bits) - 1), 1, (1 << bits) - 1)


def joined(parts: Iterable[tuple[Any, int]]) -> Any:
    """The sum of value << shift over (value, shift), the values being ints or terms that are not negative."""
    held = tuple((value, shift) for value, shift in parts if not (isinstance(value, int) and value == 0))
    if len(held) == 1:
        value, shift = held[0]
        return value << shift
    least, most = (sum(ends(value)[end] << shift for value, shift in held) for end in (0, 1))
    return _made("join", held, least, most)


def whole(value: Any) -> Any:
    """An integer of gmpy2 as an int; ints and terms unchanged."""
    return value if isinstance(value, Term) else int(value)


def smaller(value: Any, limit: int) -> Any:
    """The smaller one of an int or a term that is not negative, and a limit."""
    if isinstance(value, int):
        return min(value, limit)
    if value.most <= limit:
        return value
    bits = value.most.bit_length()
    above = (value + ((1 << bits) - limit)) >> bits
    return _made("-", (value, above * (value - limit)), min(value.least, limit), limit)


def ends(value: Any) -> tuple[int, int]:
    """Least and largest value of an int or a term."""
    return (value, value) if isinstance(value, int) else (value.least, value.most)


def _divided(dividend: Any, divisor: Any) -> tuple[Any, Any]:
    """Quotient and remainder, bit by bit of the quotient; at least one of both is a term."""
    (low, high), (least, most) = ends(dividend), ends(divisor)
    if low < 0 or least < 1:
        raise TypeError(f"{dividend!r} is divided by {divisor!r}, which takes a branch")
    count = (high // least).bit_length()
    width = most.bit_length() + 1
    complement = (1 << width) - divisor
    rest, quotient = dividend >> count, []  # the rest is below the divisor in every round, also in this one
    for k in reversed(range(count)):
        rest = (rest << 1) + (dividend >> k & 1)
        fits = (rest + complement) >> width
        rest = _made("-", (rest, fits * divisor), 0, min(ends(rest)[1], most - 1))
        quotient.append((fits, k))
    whole = joined(quotient) if quotient else 0
    if isinstance(whole, Term):
        whole = _made(whole.operation, whole.operands, low // most, high // least)
    return whole, rest


def _signed_ends(*values: Any) -> tuple[int, int]:
    """The range of two's complement that holds all of them."""
    bits = max(max(high.bit_length(), (~low).bit_length()) for low, high in map(ends, values))
    return -(1 << bits), (1 << bits) - 1


def _made(operation: str, operands: tuple[Any, ...], least: int, most: int) -> Any:
    return least if least == most else Term(operation, operands, least, most)


def _difference(x: Any, y: Any) -> Any:
    (least, most), (low, high) = ends(x), ends(y)
    return _made("-", (x, y), least - high, most - low)


def _merged(operation: str, x: Term, y: Any, least: int) -> Any:
    """x | y or x ^ y, which is at least `least` where both are not negative."""
    if isinstance(y, int) and y == 0:
        return x
    low, most = ends(y)
    if x.least < 0 or low < 0:
        return _made(operation, (x, y), *_signed_ends(x, y))
    return _made(operation, (x, y), least, (1 << (x.most | most).bit_length()) - 1)


def inputs(term: Term) -> Iterator[Any]:
    """The values that a term is computed from: terms and ints."""
    if term.operation == "join":
        return (value for value, _ in term.operands)
    if term.operation == "field":
        return iter(())
    return iter(term.operands[:1] if term.operation in ("<<", ">>") else term.operands)


def again(term: Term, other: Callable[[Any], Any]) -> Term:
    """The operation of a term on other inputs, whose ranges are those of its own; a field is the term itself."""
    if term.operation == "field":
        return term
    if term.operation == "join":
        operands: tuple[Any, ...] = tuple((other(value), shift) for value, shift in term.operands)
    elif term.operation in ("<<", ">>"):
        operands = other(term.operands[0]), term.operands[1]
    else:
        operands = tuple(map(other, term.operands))
    return Term(term.operation, operands, term.least, term.most)


_VALUES: dict[str, Callable[[int, int], int]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "&": lambda x, y: x & y,
    "|": lambda x, y: x | y,
    "^": lambda x, y: x ^ y,
    "<<": lambda x, y: x << y,
    ">>": lambda x, y: x >> y,
}
"""Functions of the binary operations."""


def value_of(term: Term, known: Callable[[Any], int], operands: dict[str, int]) -> int:
    """The value of a term, given those of its inputs and the operands: what every other reading must agree with."""
    if term.operation == "field":
        operand, low, bits = term.operands
        return int(operands[operand] >> low & (1 << bits) - 1)
    if term.operation == "join":
        return int(sum(known(value) << shift for value, shift in term.operands))
    x, y = term.operands
    return int(_VALUES[term.operation](known(x), known(y)))
