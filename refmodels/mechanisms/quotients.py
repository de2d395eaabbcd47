# SPDX-License-Identifier: Apache-2.0
"""Quotients: those of Montgomery, and the estimates of Barrett."""

from collections.abc import Callable, Iterator
from itertools import islice

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
