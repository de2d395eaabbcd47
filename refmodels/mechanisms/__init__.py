# SPDX-License-Identifier: Apache-2.0
"""Mechanisms of hardware that multiplies and reduces, whatever its algorithm: operands that drive each to its extreme.

A model that promises a result alone says nothing of how the result is made. What hardware has in common is here: limbs
of some width, carries between them, a quotient that is estimated, folds, last subtractions, and constants. Each pair of
operands is judged before it is used, by `Mechanism.holds`, from the operands alone.
"""

from collections.abc import Iterator
from itertools import count, islice

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Pair
from limbtrace.refmodels.mechanisms import constants, limbs, quotients, residues
from limbtrace.refmodels.mechanisms.mechanism import ATTEMPTS, Mechanism
from limbtrace.refmodels.mechanisms.mechanism import MechanismCase as MechanismCase
from limbtrace.refmodels.mechanisms.mechanism import ReducedProduct as ReducedProduct

MECHANISMS = (
    limbs.ONES,
    residues.SMALL,
    limbs.BESIDE_ONE,
    quotients.QUOTIENT,
    quotients.ESTIMATE,
    limbs.PRODUCT,
    residues.LARGE,
    constants.RELATION,
    quotients.BIT_ESTIMATE,
    limbs.HALVES,
    constants.CONSTANT,
)
"""In the order in which they are shown."""


def shown(operation: ReducedProduct, seed: int, words: tuple[int, ...] = ()) -> Iterator[MechanismCase]:
    """Every mechanism at its first variant and width, then at the next ones; each pair once, and none that fails."""
    columns = [
        [(mechanism, width, variant) for variant, width in _places(mechanism, operation, operation.words(words))]
        for mechanism in MECHANISMS
    ]
    seen: set[Pair] = set()
    for rank in count():
        row = [column[rank] for column in columns if rank < len(column)]
        if not row:
            return
        for mechanism, width, variant in row:
            draw = Draw(f"{operation.modulus:x}|{mechanism.name}|{width}|{variant}|{seed}")
            offered = mechanism.construct(operation, width, variant, draw)
            for a, b in islice(offered, ATTEMPTS):
                fits = 0 <= a <= operation.a_most and 0 <= b <= operation.b_most
                if fits and (a, b) not in seen and mechanism.holds(operation, width, variant, a, b):
                    seen.add((a, b))
                    yield MechanismCase(mechanism, width, variant, (a, b))
                    break


def _places(mechanism: Mechanism, operation: ReducedProduct, words: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """(variant, width) by variants first, so that the first variant of each width comes before the second one."""
    sizes = words if mechanism.per_word else words[:1]
    counts = {width: mechanism.variants(operation, width) for width in sizes}
    for variant in range(max(counts.values(), default=0)):
        yield from ((variant, width) for width in sizes if variant < counts[width])
