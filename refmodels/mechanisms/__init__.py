# SPDX-License-Identifier: Apache-2.0
"""Mechanisms of hardware that multiplies and reduces, whatever its algorithm: operands that drive each to its extreme.

A model that promises a result alone says nothing of how the result is made. What hardware has in common is here: limbs
of some width, carries between them, a quotient that is estimated, folds, last subtractions, and constants. Each pair of
operands is judged before it is used, by `Mechanism.holds`, from the operands alone.
"""

from collections.abc import Iterator
from itertools import islice

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Pair
from limbtrace.refmodels.mechanisms import carries, constants, limbs, quotients, residues
from limbtrace.refmodels.mechanisms.mechanism import ATTEMPTS, Mechanism
from limbtrace.refmodels.mechanisms.mechanism import MechanismCase as MechanismCase
from limbtrace.refmodels.mechanisms.mechanism import ReducedProduct as ReducedProduct

MECHANISMS = (
    limbs.ONES,
    residues.SMALL,
    carries.PRODUCT,
    limbs.BESIDE_ONE,
    residues.LARGE,
    quotients.QUOTIENT,
    carries.DOUBLED,
    quotients.ESTIMATE,
    carries.PART,
    carries.SQUARE,
    constants.RELATION,
    quotients.BIT_ESTIMATE,
    residues.NEAR,
    limbs.HALVES,
    constants.CONSTANT,
    quotients.COLUMNS,
    carries.FOLD,
)
"""In the order in which they are shown."""


def shown(operation: ReducedProduct, seed: int, words: tuple[int, ...] = ()) -> Iterator[MechanismCase]:
    """Every mechanism at its first variant and width, then at the next ones; each pair once, and none that fails."""
    seen: set[Pair] = set()
    for mechanism, width, variant in _in_turn(operation, operation.words(words)):
        draw = Draw(f"{operation.modulus:x}|{mechanism.name}|{width}|{variant}|{seed}")
        for a, b in islice(mechanism.construct(operation, width, variant, draw), ATTEMPTS):
            fits = 0 <= a <= operation.a_most and 0 <= b <= operation.b_most
            if fits and (a, b) not in seen and mechanism.holds(operation, width, variant, a, b):
                seen.add((a, b))
                yield MechanismCase(mechanism, width, variant, (a, b))
                break


def _in_turn(operation: ReducedProduct, words: tuple[int, ...]) -> Iterator[tuple[Mechanism, int, int]]:
    """(mechanism, width, variant): at first few variants of few widths, then in turn more of both."""
    places = [
        (max(variant + 1 - mechanism.first, 0) + (2 * rank if variant else rank), number, rank, variant)
        for number, mechanism in enumerate(MECHANISMS)
        for rank, width in enumerate(words if mechanism.per_word else words[:1])
        for variant in range(_variants(operation, mechanism, width))
    ]
    return ((MECHANISMS[number], words[rank], variant) for _, number, rank, variant in sorted(places))


def _variants(operation: ReducedProduct, mechanism: Mechanism, width: int) -> int:
    return 0 if operation.whole and mechanism.reduces else mechanism.variants(operation, width)
