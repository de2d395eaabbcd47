# SPDX-License-Identifier: Apache-2.0
"""Quotients: those of Montgomery, and the estimates of Barrett."""

from collections.abc import Callable, Iterator
from itertools import islice

import gmpy2

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.defects.estimates import largest_short_rest
from limbtrace.refmodels.event import Pair
from limbtrace.refmodels.mechanisms.mechanism import ATTEMPTS, Mechanism, ReducedProduct
from limbtrace.refmodels.mechanisms.solutions import with_product
from limbtrace.refmodels.pair_columns import BoolColumn, PairColumns

_QUOTIENTS: tuple[Callable[[int, int], int], ...] = (
    lambda limbs, width: (1 << (width * limbs)) - 1,
    lambda limbs, width: 0,
    lambda limbs, width: 1,
    lambda limbs, width: 1 << (width * limbs - 1),
    lambda limbs, width: ((1 << (width * (limbs - 1))) - 1) << width if limbs > 1 else 1 << width - 1,
    *(lambda limbs, width, low=low: (1 << (width * limbs)) - 1 - low for low in (2, 4, 6)),
)
"""(limbs, width) -> the quotient: all ones, 0, 1, its highest bit alone, all ones above a word of 0, and all ones but
for some of the lowest bits, one of which a square has."""


def _quotient_variants(operation: ReducedProduct, width: int) -> int:
    return 0 if operation.modulus % 2 == 0 else len(_QUOTIENTS)


def _quotient(operation: ReducedProduct, width: int, variant: int, draw: Draw) -> Iterator[Pair]:
    R, wanted = operation.montgomery(width), _QUOTIENTS[variant](operation.limbs(width), width)
    if wanted == 0:
        yield from _multiples(operation, R.bit_length() - 1, draw)
    else:
        yield from with_product(operation, -wanted * operation.modulus, R, draw)


def _multiples(operation: ReducedProduct, bits: int, draw: Draw) -> Iterator[Pair]:
    """Operands whose product is a multiple of 2^bits."""
    share = bits if operation.reduced == "a" else -(-bits // 2)
    for _ in range(ATTEMPTS):
        a, b = (draw.below((most >> share) + 1) << share for most in (operation.a_most, operation.b_most))
        yield a, b


def _has_quotient(operation: ReducedProduct, width: int, variant: int, a: int, b: int) -> bool:
    R, wanted = operation.montgomery(width), _QUOTIENTS[variant](operation.limbs(width), width)
    t = operation.product(a, b)
    return t > 0 and (t + wanted * operation.modulus) % R == 0


def _may_have_quotient(operation: ReducedProduct, width: int, variant: int, pairs: PairColumns) -> BoolColumn:
    R, wanted = operation.montgomery(width), _QUOTIENTS[variant](operation.limbs(width), width)
    return pairs.agrees("t", 0, R.bit_length() - 1, -wanted * operation.modulus % R)


def _estimate(operation: ReducedProduct, width: int, t: int) -> int:
    """Barrett's quotient with limbs of that width (Handbook of Applied Cryptography, 14.42); of one bit where 1."""
    limbs, p = operation.limbs(width), operation.modulus
    mu = (1 << (2 * width * limbs)) // p
    return int((t >> (width * (limbs - 1))) * mu >> (width * (limbs + 1)))


_SHORT = (1, 2)
"""How far an estimate is below the quotient."""


def _estimate_variants(operation: ReducedProduct, width: int) -> int:
    return len(_SHORT)


def _short_estimate(operation: ReducedProduct, width: int, variant: int, draw: Draw) -> Iterator[Pair]:
    for size in (1, 2, 4, max(operation.bits // 2, 1), max(operation.bits - 4, 1)):
        wanted = draw.below(1 << size)
        yield from islice(with_product(operation, wanted, operation.modulus, draw), ATTEMPTS // 5)


def _has_short_estimate(operation: ReducedProduct, width: int, variant: int, a: int, b: int) -> bool:
    t = operation.product(a, b)
    if t >> (2 * width * operation.limbs(width)):
        return False
    return t // operation.modulus - _estimate(operation, width, t) == _SHORT[variant]


def _has_short_estimate_of_bits(operation: ReducedProduct, width: int, variant: int, a: int, b: int) -> bool:
    return _has_short_estimate(operation, 1, variant, a, b)


def _may_have_short_estimate(operation: ReducedProduct, width: int, variant: int, pairs: PairColumns) -> BoolColumn:
    limbs = operation.limbs(width)
    largest = min(operation.largest, (1 << 2 * width * limbs) - 1)
    most = largest_short_rest(largest, operation.modulus, width * (limbs - 1), width * (limbs + 1), _SHORT[variant])
    return pairs.at_most("rest", most)


def _may_have_short_estimate_of_bits(
    operation: ReducedProduct, width: int, variant: int, pairs: PairColumns
) -> BoolColumn:
    return _may_have_short_estimate(operation, 1, variant, pairs)


# Columns of limb products that are added up without carries in between, in lanes or in accumulators of multipliers.

_TOP_BITS = 5
"""Bits of ones at the top of a limb. A product of two such limbs is above 93% of the largest one."""
_LEAST_WIDTH = 16
"""Bits of a limb, of which those below the top leave enough to choose among."""
_TRIES = 512
"""Limbs that are tried at one place; one of 2^_TOP_BITS fits."""


def _column_variants(operation: ReducedProduct, width: int) -> int:
    fits = width >= _LEAST_WIDTH and operation.limbs(width) > 2 and operation.modulus % 2 == 1
    shortest = operation.a_most if operation.unary else min(operation.a_most, operation.b_most)
    return 1 if fits and operation.reduced != "a" and shortest >> width * _column_limbs(operation, width) else 0


def _column_limbs(operation: ReducedProduct, width: int) -> int:
    """Limbs below the highest one, which is shorter for most moduli."""
    return operation.limbs(width) - 1


def _full_columns(operation: ReducedProduct, width: int, variant: int, draw: Draw) -> Iterator[Pair]:
    """The limbs of b, or of a square's a, from the lowest on, each with a digit of the quotient that is large."""
    count = _column_limbs(operation, width)
    for _ in range(ATTEMPTS):
        a = sum(_large_limb(width, draw) << width * k for k in range(count)) | 1
        a += max((operation.a_most >> width * count) - 1, 0) << width * count
        chosen = _with_large_digits(operation, width, a, draw)
        if chosen is not None:
            most = operation.a_most if operation.squares else operation.b_most
            chosen += max((most >> width * count) - 1, 0) << width * count
            yield (chosen, 0) if operation.squares else (a, chosen)


def _large_limb(width: int, draw: Draw) -> int:
    return (1 << width) - 1 - draw.below(1 << width - _TOP_BITS)


def _with_large_digits(operation: ReducedProduct, width: int, a: int, draw: Draw) -> int | None:
    """Large limbs of a factor of a, or of the root of a square, for which Montgomery's digits are large, too."""
    modulus, unit = operation.modulus, 1 << width
    inverse, least = -int(gmpy2.invert(modulus, unit)), unit - (unit >> _TOP_BITS)
    value = rest = 0
    for k in range(_column_limbs(operation, width)):
        for _ in range(_TRIES):
            limb = _large_limb(width, draw)
            if operation.squares:
                limb |= k == 0
                added = (2 * value + (limb << width * k)) * limb
            else:
                added = a * limb
            digit = (rest + added) * inverse % unit
            if digit >= least:
                break
        else:
            return None
        value += limb << width * k
        rest = rest + added + digit * modulus >> width
    return value


def _has_full_columns(operation: ReducedProduct, width: int, variant: int, a: int, b: int) -> bool:
    count = _column_limbs(operation, width)
    tops = sum((1 << _TOP_BITS) - 1 << width * (k + 1) - _TOP_BITS for k in range(count))
    if a & tops != tops or (not operation.unary and b & tops != tops):
        return False
    R = 1 << width * count
    return -operation.product(a, b) * int(gmpy2.invert(operation.modulus, R)) % R & tops == tops


def _may_have_full_columns(operation: ReducedProduct, width: int, variant: int, pairs: PairColumns) -> BoolColumn:
    found, ones = pairs.every, (1 << _TOP_BITS) - 1
    for name in ("a",) if operation.unary else ("a", "b"):
        for k in range(2):
            found &= pairs.agrees(name, width * (k + 1) - _TOP_BITS, _TOP_BITS, ones)
    return found


QUOTIENT = Mechanism(
    "quotient",
    "Montgomery's quotient is all ones, 0, 1, its highest bit alone, or ones above a word of 0",
    "a carry that is lost while the multiple of p is added",
    _quotient_variants,
    _quotient,
    _has_quotient,
    _may_have_quotient,
    reduces=True,
)
ESTIMATE = Mechanism(
    "estimate=short",
    "Barrett's estimate with these limbs is 1 or 2 below the quotient",
    "a correction that is left out",
    _estimate_variants,
    _short_estimate,
    _has_short_estimate,
    _may_have_short_estimate,
    first=0,
    reduces=True,
)
BIT_ESTIMATE = Mechanism(
    "bit estimate=short",
    "Barrett's estimate with the bits of p is 1 or 2 below the quotient",
    "a correction that is left out",
    _estimate_variants,
    _short_estimate,
    _has_short_estimate_of_bits,
    _may_have_short_estimate_of_bits,
    first=0,
    per_word=False,
    reduces=True,
)
COLUMNS = Mechanism(
    "columns=full",
    "limbs of the operands and of Montgomery's quotient begin with ones: the sums of their products are close to the "
    "largest ones",
    "a lane or an accumulator that is too narrow for a column of limb products",
    _column_variants,
    _full_columns,
    _has_full_columns,
    _may_have_full_columns,
    first=0,
    reduces=True,
)
