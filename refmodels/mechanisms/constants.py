# SPDX-License-Identifier: Apache-2.0
"""Constants that hardware holds, and operands that are the inverse or the negative of each other."""

from collections.abc import Callable, Iterator
from functools import lru_cache

import gmpy2
import numpy as np

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Pair
from limbtrace.refmodels.mechanisms.mechanism import ATTEMPTS, MOST_WORDS, Mechanism, ReducedProduct
from limbtrace.refmodels.pair_columns import WORD, BoolColumn, PairColumns


@lru_cache(maxsize=2 * MOST_WORDS)
def _constants(operation: ReducedProduct, width: int) -> list[int]:
    """Values that hardware holds, modulo p."""
    p = operation.modulus
    R = operation.montgomery(width)
    found = [R % p, R * R % p, (R - 1) % p, (1 << width) % p, (1 << 2 * operation.bits) // p % p]
    if p % 2:
        found += [int(gmpy2.invert(R, p)) if p > 1 else 0, int(-gmpy2.invert(p, R) % R) % p]
    return [value + near for value in found for near in (0, 1, -1)]


def _constant(operation: ReducedProduct, width: int, variant: int, draw: Draw) -> Iterator[Pair]:
    value = _constants(operation, width)[variant]
    yield value, value if not operation.unary else 0
    yield value, 0 if operation.unary else draw.below(operation.b_most + 1)


def _is_constant(operation: ReducedProduct, width: int, variant: int, a: int, b: int) -> bool:
    return a == _constants(operation, width)[variant]


def _may_be_constant(operation: ReducedProduct, width: int, variant: int, pairs: PairColumns) -> BoolColumn:
    value = _constants(operation, width)[variant]
    return pairs.agrees("a", 0, max(operation.a_most, value).bit_length(), value)


def _constant_variants(operation: ReducedProduct, width: int) -> int:
    return len(_constants(operation, width))


_RELATIONS: tuple[Callable[[int, int], int | None], ...] = (
    lambda a, p: p - a,
    lambda a, p: a,
    lambda a, p: int(gmpy2.invert(a, p)) if gmpy2.gcd(a, p) == 1 else None,
    lambda a, p: int(p - gmpy2.invert(a, p)) if gmpy2.gcd(a, p) == 1 else None,
)
"""(a, p) -> b: -a, a, 1/a and -1/a modulo p; None without an inverse."""


def _relation(operation: ReducedProduct, width: int, variant: int, draw: Draw) -> Iterator[Pair]:
    for _ in range(ATTEMPTS):
        a = draw.between(1, max(operation.modulus - 1, 1))
        b = _RELATIONS[variant](a, operation.modulus)
        if b is not None:
            yield a, b


def _related(operation: ReducedProduct, width: int, variant: int, a: int, b: int) -> bool:
    return 0 < a < operation.modulus and b == _RELATIONS[variant](a, operation.modulus)


def _may_be_related(operation: ReducedProduct, width: int, variant: int, pairs: PairColumns) -> BoolColumn:
    """By the low words of a and b, or by the rest of their product, which is then 1 or -1."""
    p = operation.modulus
    if variant >= 2:
        return pairs.agrees("rest", 0, operation.bits, (1 if variant == 2 else p - 1) % p)
    a, b = (pairs.field(name, 0, WORD) for name in "ab")
    found: BoolColumn = a == b if variant else a + b == np.uint64(p % (1 << WORD))
    return found


RELATION = Mechanism(
    "relation",
    "b is -a, a, 1/a or -1/a modulo p",
    "a last subtraction, or equal operands",
    lambda operation, width: 0 if operation.unary else len(_RELATIONS),
    _relation,
    _related,
    _may_be_related,
    first=0,
    per_word=False,
    reduces=True,
)
CONSTANT = Mechanism(
    "constant",
    "a is a constant of the hardware, or next to one",
    "a conversion into or out of a domain that is left out",
    _constant_variants,
    _constant,
    _is_constant,
    _may_be_constant,
    first=0,
    reduces=True,
)
