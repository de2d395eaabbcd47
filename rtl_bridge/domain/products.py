# SPDX-License-Identifier: Apache-2.0
"""Operands for a modulus: ends of their ranges, witnesses of other moduli, and random ones."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

from limbtrace.rtl_bridge.binding.bound import Bound

QUOTIENTS, LARGEST = 24, 4
"""Numbers b that quotients are made with, and those of the pairs that are taken."""


class WrongProduct(NamedTuple):
    """A product that was wrong at a modulus."""

    modulus: int
    a: int
    b: int


def products(bound: Bound, count: int, seed: int, witnesses: Sequence[WrongProduct] = ()) -> list[tuple[int, int]]:
    """Pairs of operands that a core takes, no pair twice, at most `count`."""
    p, limits, unary = bound.multiplier.modulus.modulus, bound.limits, bound.core.file.unary
    found: dict[tuple[int, int], None] = {}
    bits = bound.names.get("r", p.bit_length())
    for a, b in _all(p, limits, bits, Random(f"{seed}|{p:x}"), witnesses):
        pair = a, 0 if unary else b
        if 0 <= a <= limits[0] and 0 <= b <= limits[1] and pair not in found:
            found[pair] = None
            if len(found) == count:
                break
    return list(found)


def _all(
    p: int, limits: tuple[int, int], bits: int, random: Random, witnesses: Sequence[WrongProduct]
) -> Iterator[tuple[int, int]]:
    """Pairs that are not all in range, endlessly many but for the smallest moduli."""
    a_most, b_most = limits
    yield from ((a_most, b_most), (a_most, b_most - 1), (p - 1, p - 1), (a_most, 1), (1, b_most), (1, 1), (0, b_most))
    yield from _carried(p, witnesses)
    yield from _quotients(p, limits, bits)
    yield from _paired(_values(p, limits[0]), _values(p, limits[1]))
    for _ in range(4 * (a_most + 1) * (b_most + 1) if max(limits) < 1 << 8 else 1 << 20):
        yield _drawn(a_most, random), _drawn(b_most, random)


def _carried(p: int, witnesses: Iterable[WrongProduct]) -> Iterator[tuple[int, int]]:
    """Witnesses as they are, as far from p as from their own modulus, and in proportion to it."""
    for own, a, b in witnesses:
        yield a, b
        yield a + p - own, b + p - own
        yield a * p // own, b * p // own
        yield a, b + p - own


def _quotients(p: int, limits: tuple[int, int], bits: int) -> list[tuple[int, int]]:
    """Large operands of which Montgomery's quotient, modulo 2^bits, is all ones, so that each of its bits adds p."""
    a_most, b_most = limits
    odd = (b for b in range(b_most | 1, max(b_most - 2 * QUOTIENTS, 0), -2) if b <= b_most)
    found = ((p * pow(b, -1, 1 << bits) % (1 << bits), b) for b in odd if p % 2)
    return sorted((pair for pair in found if pair[0] <= a_most), reverse=True)[:LARGEST]


def _values(p: int, most: int) -> list[int]:
    """Ends, halves, powers of two and patterns of bits."""
    bits = most.bit_length()
    top = 1 << max(bits - 1, 0)
    ones = (1 << bits) // 3
    return [most, most // 2, most // 2 + 1, top, top - 1, ones, ones // 2, p - 2, p // 3, (1 << bits // 2) - 1, 2]


def _paired(first: Sequence[int], second: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Each value with itself and with its neighbours."""
    for shift in range(3):
        yield from ((a, second[(at + shift) % len(second)]) for at, a in enumerate(first))


def _drawn(most: int, random: Random) -> int:
    """A number up to `most`; every third one is close to an end."""
    if random.randrange(3):
        return random.randint(0, most)
    near = random.getrandbits(max(random.randrange(most.bit_length() + 1), 1))
    return min(near, most) if random.randrange(2) else max(most - near, 0)


def newest(witnesses: Sequence[WrongProduct], p: int, most: int) -> list[WrongProduct]:
    """Of many witnesses those of the nearest moduli, and the newest ones."""
    nearest = sorted(witnesses, key=lambda witness: abs(witness.modulus - p))
    return list(dict.fromkeys((*islice(nearest, most // 2), *witnesses[-(most - most // 2) :])))
