# SPDX-License-Identifier: Apache-2.0
"""The loops of Koç, Acar and Kaliski, read on whole numbers."""

from typing import Any

from sage.rings.integer import Integer

from limbtrace.vectors.certificate.loops.numbers import LoopInput, LoopSteps, below, digit, quotient_digit


def cios(given: LoopInput) -> LoopSteps:
    """CIOS: carries are what sums of the low words have above them."""
    p, w, s, a = given.modulus, given.bits, given.params["s"], given.a
    t = Integer(0)
    for i in range(s):
        word = digit(given.b, i, w)
        row = t + a * word
        m = quotient_digit(row, p, Integer(2) ** w)
        for j in range(s + 2):
            yield "t1", (i, j), digit(row, j, w)
        for j in range(1, s + 1):
            yield "C1", (i, j), (below(t, j, w) + word * below(a, j, w)) >> w * j
        yield "m", (i,), m
        for j in range(1, s + 2):
            yield "C2", (i, j), (below(row, j, w) + m * below(p, j, w)) >> w * j
        t = (row + m * p) >> w
        for j in range(s + 1):
            yield "t", (i, j), digit(t, j, w)
        yield "T", (i,), t
    yield from subtraction(given, t)


def subtraction(given: LoopInput, t: Any) -> LoopSteps:
    """t - p, and t itself if that is below 0."""
    p, w = given.modulus, given.bits
    if given.params["final"] == "unreduced":
        return
    for j in range(given.params["s"]):
        yield "B", (j + 1,), Integer(below(t, j + 1, w) < below(p, j + 1, w))
        yield "D", (j,), digit(t - p, j, w)
    yield "sub", (), Integer(t >= p)
    yield "Z", (), t - p if t >= p else t
