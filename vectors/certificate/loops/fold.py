# SPDX-License-Identifier: Apache-2.0
"""Folding, read on whole numbers."""

from sage.rings.integer import Integer

from limbtrace.vectors.certificate.loops.numbers import LoopInput, LoopSteps


def fold(given: LoopInput) -> LoopSteps:
    """Each round takes a multiple of 2^k - c away."""
    power = Integer(2) ** given.params["k"]
    c = power % given.modulus
    T = given.a * given.b
    yield "T", (0,), T
    for i in range(given.params["rounds"]):
        H, L = T.quo_rem(power)
        T -= H * (power - c)
        yield from (("L", (i,), L), ("H", (i,), H), ("Hc", (i,), T - L), ("T", (i + 1,), T))
    sub, Z = T.quo_rem(given.modulus)
    yield from (("sub", (), sub), ("Z", (), Z))
