# SPDX-License-Identifier: Apache-2.0
"""The loops of the paper on the redundant multiplier."""

from collections.abc import Sequence
from typing import Any

from sage.rings.integer import Integer

from limbtrace.vectors.certificate.loops.numbers import LoopInput, LoopSteps, below, digit, negated_inverse, value_of


def orup(given: LoopInput) -> LoopSteps:
    """Algorithm 1 with M~ = M'*M; a tail step takes M itself with q' = q*M' mod 2^r in the last iteration."""
    M, r, m = given.modulus, given.bits, given.params["m"]
    inverse = negated_inverse(M, Integer(2) ** r)
    yield from (
        ("m", (), Integer(m)),
        ("M'", (), inverse),
        ("M~", (), inverse * M),
        ("log2R", (), Integer(r * (m + 2))),
    )
    S = Integer(0)
    for i in range(m + 3):
        a, q = digit(given.a, i, r), below(S, 1, r)
        added = q * inverse * M
        if given.params["tail"] and i == m + 2:
            yield "q'", (i,), below(q * inverse, 1, r)
            added = below(q * inverse, 1, r) * M
        for name, value in (("a", a), ("q", q), ("aB", a * given.b), ("SqM", S + added), ("H", (S + added) >> r)):
            yield name, (i,), value
        S = ((S + added) >> r) + a * given.b
        yield "S", (i + 1,), S


def redundant(given: LoopInput) -> LoopSteps:
    """Section IV, not fused and without a carry in q: digits in radix 2^r2 with overlap bits."""
    M, r1, r2 = given.modulus, given.bits, given.params["r2"]
    count, last = given.params["ds"], given.params["ma"] + 2
    inverse = negated_inverse(M, Integer(2) ** r1)
    assert given.a_digits is not None
    assert given.b_digits is not None
    a_digits = [*given.a_digits, *[Integer(0)] * (last + 1 - len(given.a_digits))]
    S = [Integer(0)] * count
    yield from _vector("S", 0, S)
    for i in range(last + 1):
        q, added = below(value_of(S, r2), 1, r1), inverse * M
        factor = q
        if given.params["tail"] and i == last:
            factor, added = below(q * inverse, 1, r1), M
            yield "q'", (i,), factor
        a = a_digits[i]
        P = [a * digit for digit in given.b_digits]
        W = [factor * digit(added, j, r2) for j in range(len(P))]
        K = [_slices(P, j, r2) for j in range(len(P) + 2)]
        T = [_slices(W, j, r2) + _joined(S, j, r2) for j in range(count + 1)]
        kept = r1 - r2
        dropped = T[0] + (below(T[1], 1, kept) << r2) if kept else T[0]
        c = dropped >> r1
        U = [
            (_at(T, j + 1) >> kept) + (below(_at(T, j + 2), 1, kept) << r2 - kept if kept else 0) for j in range(count)
        ]
        U[0] += c
        for name, value in (("a", a), ("q", q), ("c", c)):
            yield name, (i,), value
        for name, digits in (("P", P), ("K", K), ("W", W), ("T", T), ("U", U)):
            yield from _vector(name, i, digits)
        S = [_joined(U, j, r2) + _joined(K, j, r2) for j in range(count)]
        yield from _vector("S", i + 1, S)


def _vector(name: str, i: int, digits: Sequence[Any]) -> LoopSteps:
    return ((name, (i, j), value) for j, value in enumerate(digits))


def _at(digits: Sequence[Any], place: int) -> Any:
    return digits[place] if 0 <= place < len(digits) else Integer(0)


def _slices(products: Sequence[Any], place: int, bits: int) -> Any:
    """The parts of products that stand at a place: the low one, the middle one and the high one."""
    return (
        below(_at(products, place), 1, bits)
        + digit(_at(products, place - 1), 1, bits)
        + (_at(products, place - 2) >> 2 * bits)
    )


def _joined(digits: Sequence[Any], place: int, bits: int) -> Any:
    """The low bits of a digit, and the overlap bits of the one below."""
    return below(_at(digits, place), 1, bits) + (_at(digits, place - 1) >> bits)
