# SPDX-License-Identifier: Apache-2.0
"""Residues at the ends of their range, of products that are large: there estimates of quotients and folds err most."""

from collections.abc import Callable, Iterator

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Pair
from limbtrace.refmodels.mechanisms.mechanism import ATTEMPTS, Mechanism, ReducedProduct
from limbtrace.refmodels.mechanisms.solutions import several_with_product
from limbtrace.refmodels.pair_columns import BoolColumn, PairColumns

_SIZES = (2, 8, 32, 64, 16, 3, 4, 5, 6, 10, 12, 20, 24, 33, 48, 52, 63, 65, 96, 127, 128, 224, 255)
"""Bits of a distance from the end of the range."""


def _sizes(operation: ReducedProduct) -> list[int]:
    """Beside those of any modulus, the bits of its distance from the next power of two, which folds multiply with."""
    fold = ((1 << operation.bits) - operation.modulus).bit_length()
    return [
        bits
        for bits in dict.fromkeys((1, fold, 3 * fold // 2, fold - 1, 2 * fold - 1, *_SIZES))
        if 0 < bits < operation.bits
    ]


def _residue_variants(operation: ReducedProduct, width: int) -> int:
    return len(_sizes(operation))


def _small_residue(operation: ReducedProduct, width: int, variant: int, draw: Draw) -> Iterator[Pair]:
    yield from _near_end(operation, variant, draw, lambda distance: distance)


def _large_residue(operation: ReducedProduct, width: int, variant: int, draw: Draw) -> Iterator[Pair]:
    yield from _near_end(operation, variant, draw, lambda distance: -distance)


def _near_end(operation: ReducedProduct, variant: int, draw: Draw, residue: Callable[[int], int]) -> Iterator[Pair]:
    """The largest products among those that have such a residue come first."""
    bits = _sizes(operation)[variant]
    found: list[Pair] = []
    least, most = 1 << bits - 1, (1 << bits) - 1
    for distance in (most, least, *(draw.between(least, most) for _ in range(6 if operation.squares else 2))):
        target = residue(distance) * operation.domain
        found += several_with_product(operation, target, operation.modulus, draw, ATTEMPTS // 4)
    yield from sorted(found, key=lambda pair: -pair[0] if operation.unary else -pair[0] * pair[1])


def _has_small_residue(operation: ReducedProduct, width: int, variant: int, a: int, b: int) -> bool:
    residue = operation.result(a, b)
    return residue.bit_length() == _sizes(operation)[variant]


def _has_large_residue(operation: ReducedProduct, width: int, variant: int, a: int, b: int) -> bool:
    residue = operation.result(a, b)
    return (operation.modulus - residue).bit_length() == _sizes(operation)[variant]


def _may_have_small_residue(operation: ReducedProduct, width: int, variant: int, pairs: PairColumns) -> BoolColumn:
    return _may_have_bits(operation, variant, pairs, "result")


def _may_have_large_residue(operation: ReducedProduct, width: int, variant: int, pairs: PairColumns) -> BoolColumn:
    return _may_have_bits(operation, variant, pairs, "below p")


def _may_have_bits(operation: ReducedProduct, variant: int, pairs: PairColumns, distance: str) -> BoolColumn:
    top = _sizes(operation)[variant] - 1
    return pairs.agrees(distance, top, operation.bits - top, 1)


_NEAR = ((2, -1), (1, -1), (1, 0), (2, 0), (1, 1), (2, 1), (3, -1), (4, -1), (3, 0))
"""(times p, and that much more)"""


def _near(operation: ReducedProduct, width: int, variant: int, draw: Draw) -> Iterator[Pair]:
    times, more = _NEAR[variant]
    t = times * operation.modulus + more
    if operation.reduced == "a":
        yield t, 0
    elif operation.reduced == "a*b":
        for factor in range(1, ATTEMPTS):
            if t % factor == 0:
                yield t // factor, factor


def _is_near(operation: ReducedProduct, width: int, variant: int, a: int, b: int) -> bool:
    times, more = _NEAR[variant]
    return operation.product(a, b) == times * operation.modulus + more


def _may_be_near(operation: ReducedProduct, width: int, variant: int, pairs: PairColumns) -> BoolColumn:
    times, more = _NEAR[variant]
    return pairs.agrees("t", 0, operation.largest.bit_length(), times * operation.modulus + more)


def _near_variants(operation: ReducedProduct, width: int) -> int:
    return 0 if operation.squares else len(_NEAR)


SMALL = Mechanism(
    "residue=small",
    "the result is small, and the product as large as it can then be",
    "an estimate of a quotient, or a fold, with too few corrections",
    _residue_variants,
    _small_residue,
    _has_small_residue,
    _may_have_small_residue,
    first=3,
    per_word=False,
    reduces=True,
)
LARGE = Mechanism(
    "residue=large",
    "the result is just below p, and the product as large as it can then be",
    "a comparison with p that looks at its highest words alone, or a last subtraction too many",
    _residue_variants,
    _large_residue,
    _has_large_residue,
    _may_have_large_residue,
    per_word=False,
    reduces=True,
)
NEAR = Mechanism(
    "product=near",
    "the product is once to four times p, or next to that",
    "a comparison that is off by one",
    _near_variants,
    _near,
    _is_near,
    _may_be_near,
    per_word=False,
    reduces=True,
)
