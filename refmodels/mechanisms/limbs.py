# SPDX-License-Identifier: Apache-2.0
"""Limbs of operands: all ones, so that columns are full."""

from collections.abc import Callable, Iterator, Sequence

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Pair
from limbtrace.refmodels.mechanisms.mechanism import Mechanism, ReducedProduct
from limbtrace.refmodels.pair_columns import BoolColumn, PairColumns

_ZERO, _ONE, _HIGH_BIT, _BUT_ONE, _ONES = range(5)
"""Values of a limb: 0, 1, its highest bit alone, all ones but the lowest, all ones."""
_PATTERNS = (
    ((_ONES,), (_ONES,)),
    ((_HIGH_BIT, _ONES), (_HIGH_BIT, _ONES)),
    ((_ONES, _ZERO), (_ZERO, _ONES)),
    ((_ONES, _ZERO), (_ONES, _ZERO)),
    ((_ONES, _ONE), (_ONES,)),
    ((_HIGH_BIT,), (_ONES,)),
    ((_HIGH_BIT,), (_HIGH_BIT,)),
    ((_BUT_ONE,), (_ONES,)),
)
"""Limbs of a and of b, low ones first, again and again."""
_BESIDE_ONE = (
    ((_ONES,), (_ONE, _ZERO)),
    ((_ONE,), (_ONES,)),
    ((_ONES,), (_ONE,)),
    ((_ONE, _ONES), (_ONES,)),
    ((_ONE, _ZERO), (_ONES,)),
    ((_ONE,), (_ONE,)),
)
"""Limbs of 1 in one operand shift rows of ones of the other one."""

_Pattern = tuple[tuple[int, ...], tuple[int, ...]]


def _limb(kind: int, width: int) -> int:
    return (0, 1, 1 << width - 1, (1 << width) - 2, (1 << width) - 1)[kind]


def _with_limbs(kinds: Sequence[int], width: int, most: int) -> int:
    """The number of these limbs, again and again; the highest one as large as `most` permits, unless it is 0."""
    if most == 0:
        return 0
    places = range(0, most.bit_length(), width)
    *low, top = (_limb(kinds[k % len(kinds)], width) << at for k, at in enumerate(places))
    value = sum(low)
    return value + min(top, max(most - value >> places[-1], 0) << places[-1])


def _all_but_one(operation: ReducedProduct, width: int, which: int) -> _Pattern:
    """All ones, but for one limb of a."""
    limbs = operation.limbs(width)
    return tuple(_ZERO if k == which else _ONES for k in range(limbs)), (_ONES,)


def _pattern(operation: ReducedProduct, width: int, variant: int) -> _Pattern:
    if variant < len(_PATTERNS):
        return _PATTERNS[variant]
    return _all_but_one(operation, width, variant - len(_PATTERNS))


def _limb_variants(operation: ReducedProduct, width: int) -> int:
    limbs = operation.limbs(width)
    return 0 if limbs < 2 else len(_PATTERNS) + limbs


def _beside_one_variants(operation: ReducedProduct, width: int) -> int:
    return 0 if operation.limbs(width) < 2 or operation.unary else len(_BESIDE_ONE)


def _limbs(operation: ReducedProduct, width: int, variant: int, draw: Draw) -> Iterator[Pair]:
    yield _of_pattern(operation, width, _pattern(operation, width, variant))


def _limbs_beside_one(operation: ReducedProduct, width: int, variant: int, draw: Draw) -> Iterator[Pair]:
    yield _of_pattern(operation, width, _BESIDE_ONE[variant])


def _of_pattern(operation: ReducedProduct, width: int, pattern: _Pattern) -> Pair:
    a, b = pattern
    return _with_limbs(a, width, operation.a_most), _with_limbs(b, width, operation.b_most)


def _has_limbs(operation: ReducedProduct, width: int, variant: int, a: int, b: int) -> bool:
    return _follows(operation, width, _pattern(operation, width, variant), (a, b))


def _has_limbs_beside_one(operation: ReducedProduct, width: int, variant: int, a: int, b: int) -> bool:
    return _follows(operation, width, _BESIDE_ONE[variant], (a, b))


def _follows(operation: ReducedProduct, width: int, pattern: _Pattern, pair: Pair) -> bool:
    """True if all limbs below the highest one of the modulus are those of the pattern."""
    return all(
        value >> (width * k) & ((1 << width) - 1) == _limb(kinds[k % len(kinds)], width)
        for value, kinds in zip(pair[: 1 if operation.unary else 2], pattern, strict=False)
        for k in range(operation.limbs(width) - 1)
    )


def _may_have_limbs(operation: ReducedProduct, width: int, variant: int, pairs: PairColumns) -> BoolColumn:
    return _may_follow(operation, width, _pattern(operation, width, variant), pairs)


def _may_have_limbs_beside_one(operation: ReducedProduct, width: int, variant: int, pairs: PairColumns) -> BoolColumn:
    return _may_follow(operation, width, _BESIDE_ONE[variant], pairs)


def _may_follow(operation: ReducedProduct, width: int, pattern: _Pattern, pairs: PairColumns) -> BoolColumn:
    """By the lowest limbs."""
    of_a = pairs.agrees("a", 0, width, _limb(pattern[0][0], width))
    return of_a if operation.unary else of_a & pairs.agrees("b", 0, width, _limb(pattern[1][0], width))


_HALVES: tuple[Callable[[int], Pair], ...] = (
    lambda full: (full, full),
    lambda full: (full, 0),
    lambda full: (0, full),
    lambda full: (full, 1),
    lambda full: (1, full),
)
"""(all ones) -> (high half, low half)."""


def _half(operation: ReducedProduct, width: int) -> int:
    return width * (-(-operation.limbs(width) // 2)) if operation.limbs(width) > 1 else max(operation.bits // 2, 1)


def _halves(operation: ReducedProduct, width: int, variant: int, draw: Draw) -> Iterator[Pair]:
    yield _with_halves(operation, width, variant)


def _with_halves(operation: ReducedProduct, width: int, variant: int) -> Pair:
    """Operands of these halves; a high half is as large as the range permits."""
    half, of_a, of_b = _half(operation, width), variant % len(_HALVES), variant // len(_HALVES)
    values = []
    for which, most in ((of_a, operation.a_most), (of_b, operation.b_most)):
        high, low = _HALVES[which]((1 << half) - 1)
        low = min(low, most)
        values.append((min(high, most - low >> half) << half) + low)
    return values[0], 0 if operation.unary else values[1]


def _has_halves(operation: ReducedProduct, width: int, variant: int, a: int, b: int) -> bool:
    return (a, b) == _with_halves(operation, width, variant)


def _may_have_halves(operation: ReducedProduct, width: int, variant: int, pairs: PairColumns) -> BoolColumn:
    a, b = _with_halves(operation, width, variant)
    of_a = pairs.agrees("a", 0, operation.a_most.bit_length(), a)
    return of_a if operation.unary else of_a & pairs.agrees("b", 0, operation.b_most.bit_length(), b)


def _half_variants(operation: ReducedProduct, width: int) -> int:
    return len(_HALVES) if operation.unary else len(_HALVES) ** 2


ONES = Mechanism(
    "ones",
    "limbs are all ones, their highest bit alone, or 0: all of them, in turn, or all but one",
    "a carry that is lost in a column of limb products, or a column that is too narrow",
    _limb_variants,
    _limbs,
    _has_limbs,
    _may_have_limbs,
)
BESIDE_ONE = Mechanism(
    "ones beside 1",
    "limbs of one operand are 1, and those of the other one all ones",
    "a carry out of a sum that is all ones before the carry comes in",
    _beside_one_variants,
    _limbs_beside_one,
    _has_limbs_beside_one,
    _may_have_limbs_beside_one,
)
HALVES = Mechanism(
    "halves",
    "halves of the operands are all ones, 0 or 1",
    "the middle term of Karatsuba's product: its carry, or its sign",
    _half_variants,
    _halves,
    _has_halves,
    _may_have_halves,
)
