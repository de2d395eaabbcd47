# SPDX-License-Identifier: Apache-2.0
"""A digit is an int, or a column: the same digit of every product of a batch.

The code of a model works for both, because it selects by arithmetic and never branches on data. A column is a uint64
array if the widest sum of the model fits 64 bits, otherwise `Limbs`, which are several such arrays; beyond WIDEST it is
an object array of ints, which is then faster. Digits that may be negative are in int64 or object arrays.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from limbtrace.refmodels.expr import Term

Digit = Any
"""int, column (uint64 array, Limbs, int64 or object array, Wide) or Term; steps of a model carry any of them."""
Words = NDArray[np.uint64]

WORD = 64
FULL = (1 << WORD) - 1
NARROW = 40
"""Widest factor, in bits, that is multiplied whole with pieces of the other; else both are cut in halves of a word."""
WIDEST = 2 * WORD + 1
"""Widest sum of a model, in bits, that is faster in limbs than in an object column of ints: digits of one word."""


class Limbs:
    """Non-negative integers of a batch: 64-bit limbs, low one first, and a limit that none of the integers exceeds.

    + - * & | take another column or an int >= 0, << and >> an int, and all are exact. The limit follows from the limits
    of the operands, never from data, and there are as many limbs as it needs; a result whose limit is 0 is the int 0.
    A limb of shape (1,) is the same in every product. Raises OverflowError for a difference or an int below 0.
    """

    __slots__ = ("limbs", "limit")
    __array_ufunc__ = None  # leaves `array + Limbs` to this class

    def __init__(self, limbs: Sequence[Words], limit: int) -> None:
        self.limbs = tuple(limbs[: _count(limit)])
        self.limit = limit

    def __add__(self, other: Digit) -> Digit:
        if isinstance(other, int) and other == 0:
            return self
        other = as_limbs(other)
        limit = self.limit + other.limit
        if limit <= FULL:
            return Limbs([self.limbs[0] + other.limbs[0]], limit)
        limbs: list[Words] = []
        carry: Any = None
        for place in range(_count(limit)):
            terms = [term.limbs[place] for term in (self, other) if place < len(term.limbs)]
            limb, carry = terms.pop() if carry is None else carry.astype(np.uint64), None
            for term in terms:
                limb = limb + term
                if place + 1 < _count(limit):  # the top limb has room
                    wrapped = limb < term
                    carry = wrapped if carry is None else carry | wrapped
            limbs.append(limb)
        return Limbs(limbs, limit)

    __radd__ = __add__

    def __sub__(self, other: Digit) -> Digit:
        limbs: list[Words] = []
        borrow: Any = 0
        for x, y in zip_longest(self.limbs, as_limbs(other).limbs, fillvalue=_constant(0).limbs[0]):
            limb = x - y
            limbs.append(limb - borrow)
            borrow = ((x < y) | (limb < borrow)).astype(np.uint64)
        if np.any(borrow):
            raise OverflowError("a difference is below 0")
        return Limbs(limbs, self.limit)

    def __rsub__(self, other: Digit) -> Digit:
        return as_limbs(other) - self

    def __mul__(self, other: Digit) -> Digit:
        if isinstance(other, int) and other == 0:
            return 0
        limit = self.limit * _limit(other)
        if limit <= FULL:
            return Limbs([self.limbs[0] * as_limbs(other).limbs[0]], limit)
        narrow, wide = sorted((self, other), key=_limit)
        bits = _limit(narrow).bit_length()
        width = WORD - bits if bits <= NARROW else WORD // 2
        short = [narrow] if bits <= NARROW else _pieces(narrow, width)
        long = _pieces(wide, width)
        total: Digit = 0
        for place in range(len(long) + len(short) - 1):
            products = (long[place - at] * piece for at, piece in enumerate(short) if 0 <= place - at < len(long))
            total = total + (sum(products) << (place * width))
        return Limbs(total.limbs, limit)

    __rmul__ = __mul__

    def __and__(self, other: Digit) -> Digit:
        if isinstance(other, int) and not other & (other + 1) and self.limit <= other:
            return self
        limit = min(self.limit, _limit(other))
        pairs = zip(self.limbs, as_limbs(other).limbs, strict=False)
        return Limbs([x & y for x, y in pairs], limit) if limit else 0

    __rand__ = __and__

    def __or__(self, other: Digit) -> Digit:
        other = as_limbs(other)
        pairs = zip_longest(self.limbs, other.limbs)
        limbs = [y if x is None else x if y is None else x | y for x, y in pairs]
        return Limbs(limbs, (1 << (self.limit | other.limit).bit_length()) - 1)

    __ror__ = __or__

    def __lshift__(self, bits: int) -> Digit:
        whole, rest = divmod(bits, WORD)
        limit = self.limit << bits
        zeros = _constant(0).limbs * whole
        if not rest:
            return Limbs(zeros + self.limbs, limit)
        pairs = zip_longest((None, *self.limbs), self.limbs)
        return Limbs([*zeros, *(_window(x, y, WORD - rest) for x, y in islice(pairs, _count(limit) - whole))], limit)

    def __rshift__(self, bits: int) -> Digit:
        whole, rest = divmod(bits, WORD)
        limit = self.limit >> bits
        if not limit:
            return 0
        if not rest:
            return Limbs(self.limbs[whole:], limit)
        pairs = zip_longest(self.limbs[whole:], self.limbs[whole + 1 :])
        return Limbs([_window(x, y, rest) for x, y in islice(pairs, _count(limit))], limit)


@dataclass(frozen=True)
class Wide:
    """A column of integers wider than a digit, kept as digits (columns or ints) until the integers are needed."""

    digits: tuple[Digit, ...]
    bits: int

    @cached_property
    def joined(self) -> Limbs:
        return as_limbs(weighted_sum((digit, self.bits * j) for j, digit in enumerate(self.digits)))


def _count(limit: int) -> int:
    """Limbs of a column with this limit."""
    return (limit.bit_length() + WORD - 1) // WORD or 1


def _limit(value: Digit) -> int:
    return value if isinstance(value, int) else as_limbs(value).limit


def _window(low: Any, high: Any, start: int) -> Words:
    """64 bits of two neighbouring limbs, from bit `start` on; None stands for zeros."""
    if low is None:
        return high << (WORD - start)  # type: ignore[no-any-return]
    if high is None:
        return low >> start  # type: ignore[no-any-return]
    return low >> start | high << (WORD - start)  # type: ignore[no-any-return]


def _words(values: Sequence[int], count: int) -> list[Words]:
    """`count` arrays of len(values) words, low words first. Raises OverflowError for what does not fit."""
    data = b"".join([value.to_bytes(8 * count, "little") for value in values])
    return list(np.frombuffer(data, "<u8").reshape(len(values), count).T.astype(np.uint64, order="C"))


@lru_cache(maxsize=1024)
def _constant(value: int) -> Limbs:
    return Limbs(_words([value], _count(value)), max(value, 1))


def as_limbs(value: Digit) -> Limbs:
    """Any digit as limbs; of shape (1,) for an int."""
    if isinstance(value, Limbs):
        return value
    if isinstance(value, Wide):
        return value.joined
    if isinstance(value, int):
        return _constant(value)
    if value.dtype == np.uint64:
        return Limbs([value], FULL)
    limit = max(int(value.max()), 1)
    return Limbs(_words(value.tolist(), _count(limit)), limit)


def has_negatives(value: Digit) -> bool:
    """True for a column with a number below 0, whose bits have to be cut out before it is in limbs."""
    return isinstance(value, np.ndarray) and value.dtype != np.uint64 and bool((value < 0).any())


def integers(value: Digit, batch: int) -> list[int]:
    """The digit of every product of a batch of that size; an int is repeated for all of them."""
    if isinstance(value, int):
        return [value] * batch
    if isinstance(value, np.ndarray) and value.dtype != np.uint64:  # the kinds that may be below 0
        return [int(entry) for entry in value]
    words = [np.broadcast_to(limb, batch) for limb in as_limbs(value).limbs]
    size = 8 * len(words)
    data = np.stack(words, axis=1).astype("<u8", copy=False).tobytes()
    return [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)]


def chosen(value: Digit, rows: Sequence[int]) -> Digit:
    """The digit of some products of a batch, by their places in it."""
    if isinstance(value, int):
        return value
    if isinstance(value, Wide):
        return Wide(tuple(chosen(digit, rows) for digit in value.digits), value.bits)
    if isinstance(value, Limbs):
        return Limbs([limb if len(limb) == 1 else limb[rows] for limb in value.limbs], value.limit)
    return value[rows]


def objects(value: Digit, batch: int) -> Any:
    """The digit of every product of a batch of that size as an array of Python integers."""
    if isinstance(value, Limbs) and len(value.limbs) <= 2:
        low, *high = (np.broadcast_to(limb, batch).astype(object) for limb in value.limbs)
        return low | high[0] << WORD if high else low
    column = np.empty(batch, dtype=object)
    column[:] = integers(value, batch)
    return column


def split(value: Digit, bits: int, count: int) -> list[Digit]:
    """The `count` low digits of `bits` bits of an int or of limbs, least significant first."""
    mask = (1 << bits) - 1
    return [(value >> (bits * j)) & mask for j in range(count)]


def _pieces(value: Digit, bits: int) -> list[Digit]:
    """All digits of `bits` bits."""
    return split(value, bits, -(-_limit(value).bit_length() // bits))


def split_columns(values: Sequence[int], bits: int, count: int, widest_bits: int) -> list[Digit]:
    """Like `split`, for a batch: `count` columns of the kind that suits sums of up to `widest_bits` bits.

    Raises OverflowError for a value below 0 or wider than the 64-bit words that `count` digits need.
    """
    if widest_bits > WIDEST:
        return split(np.array([int(value) for value in values], dtype=object), bits, count)
    words = -(-bits * count // WORD)
    digits = split(Limbs(_words(values, words), (1 << (WORD * words)) - 1), bits, count)
    return [digit.limbs[0] for digit in digits] if widest_bits <= WORD else digits


def split_signed_columns(values: Sequence[int], bits: int, step: int, count: int, widest_bits: int) -> list[Digit]:
    """`count` columns of `bits` bits, one starting at every `step`-th bit, for models whose digits become negative.

    They are int64 where magnitudes of up to `widest_bits` bits fit, else objects. Values are not negative.
    """
    whole = np.array([int(value) for value in values], dtype=object)
    kind = np.int64 if widest_bits < WORD else object
    return [(whole >> (step * j) & (1 << bits) - 1).astype(kind) for j in range(count)]


def join(digits: Sequence[Digit], bits: int) -> Digit:
    """The integer that the digits (least significant first) stand for: an int, or a Wide if some are columns."""
    if all(isinstance(digit, int) for digit in digits):
        return weighted_sum((digit, bits * j) for j, digit in enumerate(digits))
    return Wide(tuple(digits), bits)


def weighted_sum(parts: Iterable[tuple[Digit, int]]) -> Digit:
    """Sum of value << shift over (value, shift): an int, a Term, or Limbs if some are columns."""
    return sum((value if isinstance(value, (int, Term)) else as_limbs(value)) << shift for value, shift in parts)
