# SPDX-License-Identifier: Apache-2.0
"""Operands whose product is a wanted residue."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, islice

import gmpy2

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Pair
from limbtrace.refmodels.mechanisms.mechanism import ATTEMPTS, ReducedProduct


def with_product(operation: ReducedProduct, target: int, modulus: int, draw: Draw) -> Iterator[Pair]:
    """Operands whose product is `target` modulo `modulus`, and as large as that leaves them."""
    target %= modulus
    if operation.squares:
        yield from ((root, 0) for root in square_roots(target, modulus))
        return
    if operation.unary:
        yield target + modulus * ((operation.a_most - target) // modulus), 0
        yield target + modulus * draw.below(max((operation.a_most - target) // modulus + 1, 1)), 0
        return
    least = operation.a_most - operation.a_most // 4
    for _ in range(ATTEMPTS):
        a = draw.between(least, operation.a_most) | 1
        if a <= operation.a_most and gmpy2.gcd(a, modulus) == 1:
            b = int(target * gmpy2.invert(a, modulus) % modulus)
            if b <= operation.b_most:
                yield a, b + modulus * ((operation.b_most - b) // modulus)


def several_with_product(operation: ReducedProduct, target: int, modulus: int, draw: Draw, count: int) -> list[Pair]:
    """The first `count` of `with_product`, in less time."""
    if operation.unary:
        return list(islice(with_product(operation, target, modulus, draw), count))
    found: list[Pair] = []
    target, a_most, b_most, left = target % modulus, operation.a_most, operation.b_most, ATTEMPTS
    while left and len(found) < count:
        drawn = [draw.between(a_most - a_most // 4, a_most) | 1 for _ in range(min(count - len(found), left))]
        left -= len(drawn)
        for a, inverse in zip(drawn, _inverses(drawn, modulus), strict=True):
            if a <= a_most and inverse is not None and (b := int(target * inverse % modulus)) <= b_most:
                found.append((a, b + modulus * ((b_most - b) // modulus)))
    return found


def _inverses(values: Sequence[int], modulus: int) -> list[int | None]:
    """Their inverses, by one inversion of their product where all have one."""
    products = list(accumulate(map(gmpy2.mpz, values), lambda x, y: x * y % modulus, initial=gmpy2.mpz(1)))
    if gmpy2.gcd(products[-1], modulus) != 1:
        return [gmpy2.invert(value, modulus) if gmpy2.gcd(value, modulus) == 1 else None for value in values]
    found, inverse = [], gmpy2.invert(products.pop(), modulus)
    for value, before in zip(reversed(values), reversed(products), strict=True):
        found.append(inverse * before % modulus)
        inverse = inverse * value % modulus
    return found[::-1]


def square_roots(value: int, modulus: int) -> Iterator[int]:
    """Square roots modulo a prime of the form 4n + 3 or 8n + 5, or modulo a power of two, largest first; else none."""
    if modulus & modulus - 1 == 0:
        if value % 8 == 1 and modulus > 4:
            root, bits = 1, 3
            while 1 << bits < modulus:  # root^2 is value modulo 2^bits
                root += (root * root - value >> bits & 1) << bits - 1
                bits += 1
            yield from sorted({root % modulus, -root % modulus, (root + modulus // 2) % modulus}, reverse=True)
        return
    if modulus % 4 == 3:
        root = int(gmpy2.powmod(value, (modulus + 1) // 4, modulus))
    elif modulus % 8 == 5:
        root = int(gmpy2.powmod(value, (modulus + 3) // 8, modulus))
        if root * root % modulus != value:
            root = root * int(gmpy2.powmod(2, (modulus - 1) // 4, modulus)) % modulus
    else:
        return
    if root * root % modulus == value:
        yield from sorted({root, modulus - root}, reverse=True)
