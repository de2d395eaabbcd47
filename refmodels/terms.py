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
    Raises TypeError where a branch depends on a term.
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
        """Whether values may be negative."""
        return self.least < 0

    def __repr__(self) -> str:
        return f"<term {self.operation}, {self.least:#x} to {self.most:#x}>"

    def __bool__(self) -> NoReturn:
        raise TypeError("a loop branched on data, which a program without branches cannot")

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

    def __floordiv__(self, divisor: int) -> Any:
        """By an int above 0, of a term that is not negative: times 2^s / divisor, rounded up, and cut by s bits.

        Exact, since the factor is too large by less than 1, and 2^s is above the product of term and divisor.
        """
        if self.least < 0 or divisor < 1:
            raise TypeError(f"{self!r} is divided by {divisor}, which takes a branch")
        s = self.most.bit_length() + divisor.bit_length()
        return _made(">>", (self * -(-(1 << s) // divisor), s), self.least // divisor, self.most // divisor)

    def __mod__(self, divisor: int) -> Any:
        """By an int above 0, of a term that is not negative."""
        if self.least >= 0 and self.most < divisor:
            return self
        return _made("-", (self, self // divisor * divisor), 0, min(self.most, divisor - 1))


def field(operand: str, low: int, bits: int, most: int) -> Any:
    """`bits` bits of an operand from bit `low` on, which are at most `most`; an int if that is 0."""
    return _made("field", (operand, low, bits), 0, min(most, (1 << bits) - 1))


def joined(parts: Iterable[tuple[Any, int]]) -> Any:
    """The sum of value << shift over (value, shift), the values being ints or terms that are not negative."""
    held = tuple((value, shift) for value, shift in parts if not (isinstance(value, int) and value == 0))
    if len(held) == 1:
        value, shift = held[0]
        return value << shift
    least, most = (sum(ends(value)[end] << shift for value, shift in held) for end in (0, 1))
    return _made("join", held, least, most)


def whole(value: Any) -> Any:
    """An int even where it is one of gmpy2; a term as it is."""
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
"""What the operations of two operands compute."""


def value_of(term: Term, known: Callable[[Any], int], operands: dict[str, int]) -> int:
    """The value of a term, given those of its inputs and the operands: what every other reading must agree with."""
    if term.operation == "field":
        operand, low, bits = term.operands
        return int(operands[operand] >> low & (1 << bits) - 1)
    if term.operation == "join":
        return int(sum(known(value) << shift for value, shift in term.operands))
    x, y = term.operands
    return int(_VALUES[term.operation](known(x), known(y)))
