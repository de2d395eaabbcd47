# SPDX-License-Identifier: Apache-2.0
"""Residues at the ends of their range, of products that are large: there estimates of quotients and folds err most."""

from collections.abc import Callable, Iterator
from itertools import islice

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Pair
from limbtrace.refmodels.mechanisms.mechanism import ATTEMPTS, Mechanism, ReducedProduct
from limbtrace.refmodels.mechanisms.solutions import with_product


def _sizes(operation: ReducedProduct) -> list[int]:
    """Bits of a distance from the end of the range."""
    known = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 33, 48, 52, 63, 64, 65, 96, 127, 128, 224, 255)
    return [bits for bits in known if bits < operation.bits]


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
    for _ in range(8 if operation.squares else 4):
        distance = draw.between(1 << bits - 1, (1 << bits) - 1)
        found += islice(with_product(operation, residue(distance), operation.modulus, draw), ATTEMPTS // 4)
    yield from sorted(found, key=lambda pair: -operation.product(*pair))


def _has_small_residue(operation: ReducedProduct, width: int, variant: int, a: int, b: int) -> bool:
    residue = operation.product(a, b) % operation.modulus
    return residue.bit_length() == _sizes(operation)[variant]


def _has_large_residue(operation: ReducedProduct, width: int, variant: int, a: int, b: int) -> bool:
    residue = operation.product(a, b) % operation.modulus
    return (operation.modulus - residue).bit_length() == _sizes(operation)[variant]


SMALL = Mechanism(
    "residue=small",
    "the product is a small residue, and as large as such a product can be",
    "an estimate of a quotient, or a fold, with too few corrections",
    _residue_variants,
    _small_residue,
    _has_small_residue,
    per_word=False,
)
LARGE = Mechanism(
    "residue=large",
    "the product is a residue just below p, and as large as such a product can be",
    "a comparison with p that looks at its highest words alone, or a last subtraction too many",
    _residue_variants,
    _large_residue,
    _has_large_residue,
    per_word=False,
)
