# SPDX-License-Identifier: Apache-2.0
"""Barrett's reductions for any alpha and beta, each value by what it stands for."""

from typing import Any

from sage.rings.integer import Integer

from limbtrace.vectors.certificate.loops.numbers import LoopInput, LoopSteps


def barrett_reduce(given: LoopInput) -> LoopSteps:
    """x = a; every value but the estimate follows from quotient and remainder."""
    return _reduced(given.a, given)


def barrett_mul(given: LoopInput) -> LoopSteps:
    """x = a*b."""
    return _reduced(given.a * given.b, given)


def _reduced(x: Any, given: LoopInput) -> LoopSteps:
    p, named = given.modulus, given.params
    alpha, beta, full = named["alpha"], named["beta"], Integer(2) ** named["width"]
    N = p.nbits()
    high = x // Integer(2) ** (N + beta)
    scaled = high * (Integer(2) ** (N + alpha) // p)
    estimate = scaled // Integer(2) ** (alpha - beta)
    q, r = x.quo_rem(p)
    for name, value in (
        ("x", x), ("x1", high), ("y", scaled), ("qhat", estimate), ("xlow", x % full), ("qplow", estimate * p % full),
        ("rhat", (q - estimate) * p + r),
    ):  # fmt: skip
        yield name, (), value
    for i in range(1, named["corrections"] + 1):
        yield "corr", (i,), Integer(q - estimate >= i)
        yield "R", (i,), max(q - estimate - i, 0) * p + r
    yield "q", (), q
    yield "r", (), r
