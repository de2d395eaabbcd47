# SPDX-License-Identifier: Apache-2.0
"""The loops of the FPMM paper, read on whole numbers."""

from typing import Any

from sage.rings.integer import Integer

from limbtrace.vectors.certificate.loops.numbers import LoopInput, LoopSteps, below, digit, quotient_digit


def cios(given: LoopInput) -> LoopSteps:
    """Algorithm 1: carries are what sums of the low words have above them."""
    P, w, s, B = given.modulus, given.bits, given.params["s"], given.b
    T = Integer(0)
    for i in range(s):
        a = digit(given.a, i, w)
        total = T + a * B
        q = quotient_digit(total, P, Integer(2) ** w)
        yield "q", (i,), q
        yield "us", (i,), total >> w * s
        for j in range(s):
            yield "v", (i, j), digit(T, j, w) + a * digit(B, j, w)
            yield "u", (i, j), digit(total, j, w)
            yield "d", (i, j), (below(T, j + 1, w) + a * below(B, j + 1, w)) >> w * (j + 1)
            yield "c", (i, j), (below(total, j + 1, w) + q * below(P, j + 1, w)) >> w * (j + 1)
            yield "t", (i, j - 1), digit(total + q * P, j, w)
        T = (total + q * P) >> w
        yield "ts", (i,), digit(T, s - 1, w)
        yield "ovf", (i,), T >> w * s
        yield "T", (i,), T


def fpmm(given: LoopInput) -> LoopSteps:
    """Algorithm 2 for one product in LM 0; a visit of another LM, or of none, only passes carries on."""
    P, w, B = given.modulus, given.bits, given.b
    s, sigma, theta = given.params["s"], given.params["sigma"], given.params["theta"]
    T = [Integer(0)] * sigma
    us, cs = Integer(0), Integer(0)
    last = sigma * (s - 1)
    for g in range(last + 1 + (theta == s)):
        lm = g % sigma
        busy = lm == 0 and g <= last
        if theta == s and g > 0:  # the top word of the visit before comes out of slot 0, and may be needed at once
            yield from _top(T, g - 1, (us + cs) % Integer(2) ** w, given)
        before = T[lm] if busy and g > 0 else Integer(0)
        a, b = (digit(given.a, g // sigma, w), B) if busy else (Integer(0), Integer(0))
        total = before + a * b
        q = quotient_digit(total, P, Integer(2) ** w)
        for name, value in (("lm", lm), ("it", g // sigma if busy else -1), ("job", 0 if busy else -1)):
            yield name, (g,), Integer(value)
        # With a slot s the carries of a visit end in it; otherwise they enter the next visit.
        entering, carried = (us, cs) if theta == s else (Integer(0), Integer(0))
        row = total + entering
        sum_of_row = below(row, s, w) + q * P + carried if theta == s else row + q * P
        yield "us_p", (g,), entering
        yield "c_p", (g,), carried
        yield "q", (g,), q
        yield from _slots(given, g, (before, a, b), (entering, carried, q))
        us, cs = row >> w * s, (below(row, s, w) + q * P + carried) >> w * s
        yield "us", (g,), us
        yield "cs", (g,), cs
        T[lm] = below(sum_of_row, s, w) >> w
        if theta > s:
            yield from _top(T, g, us + cs, given)


def _slots(given: LoopInput, g: int, factors: tuple[Any, Any, Any], carries: tuple[Any, Any, Any]) -> LoopSteps:
    """The slots of a visit."""
    w, (before, a, b), (entering, carried, q) = given.bits, factors, carries
    for j in range(given.params["theta"]):
        low = below(before, j + 1, w) + a * below(b, j + 1, w) + entering
        mixed = below(low, j + 1, w) + q * below(given.modulus, j + 1, w) + carried
        yield "t_in", (g, j), digit(before, j, w)
        yield "v", (g, j), digit(before, j, w) + a * digit(b, j, w)
        yield "u", (g, j), digit(low, j, w)
        yield "d", (g, j), low >> w * (j + 1)
        yield "t_out", (g, j), digit(mixed, j, w)
        yield "c", (g, j), mixed >> w * (j + 1)


def _top(T: list[Any], g: int, word: Any, given: LoopInput) -> LoopSteps:
    """The top word of visit g joins the words below it."""
    lm = g % len(T)
    T[lm] += word << given.bits * (given.params["s"] - 1)
    yield "shared", (g,), word
    yield "T", (g,), T[lm]
