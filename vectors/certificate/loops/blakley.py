# SPDX-License-Identifier: Apache-2.0
"""Interleaved multiplication, read on whole numbers."""

from sage.rings.integer import Integer

from limbtrace.vectors.certificate.loops.numbers import LoopInput, LoopSteps, digit


def blakley(given: LoopInput) -> LoopSteps:
    """S is the product of b and the digits of a so far, modulo p."""
    r, n, p, b = given.params["r"], given.params["n"], given.modulus, given.b
    for i in range(n):
        place = n - 1 - i
        before = (given.a >> r * (place + 1)) * b % p
        T = Integer(2) ** r * before + digit(given.a, place, r) * b
        q, S = T.quo_rem(p)
        yield from (("d", (i,), digit(given.a, place, r)), ("T", (i,), T), ("q", (i,), q), ("S", (i,), S))
