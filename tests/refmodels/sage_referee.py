# SPDX-License-Identifier: Apache-2.0
"""SageMath as the referee: the one module that imports it. It never sees a model's arithmetic."""

from collections.abc import Iterable

from sage.arith.misc import factor
from sage.rings.finite_rings.finite_field_constructor import GF
from sage.rings.finite_rings.integer_mod_ring import Integers
from sage.rings.integer import Integer


def is_prime(value: int) -> bool:
    """Whether `value` is prime, proved."""
    return bool(Integer(value).is_prime(proof=True))


def smallest_factor(value: int) -> int:
    """Smallest prime factor of a `value` that factors quickly."""
    return int(factor(Integer(value))[0][0])


def wrong_products(modulus: int, prime: bool, r: int, products: Iterable[tuple[int, int, int]]) -> list[int]:
    """Numbers of the products (a, b, result) with result * r != a * b in GF(modulus), or Z/modulus for a composite."""
    ring = GF(modulus, proof=False) if prime else Integers(modulus)
    factor_r = ring(r)
    return [k for k, (a, b, result) in enumerate(products) if ring(result) * factor_r != ring(a) * ring(b)]
