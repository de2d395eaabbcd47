# SPDX-License-Identifier: Apache-2.0
"""Reductions for moduli of a special form: folding on whole numbers, sums of words as remainders of polynomials."""

from sage.libs.pari import pari
from sage.rings.integer import Integer

from limbtrace.vectors.certificate.loops.numbers import LoopInput, LoopSteps, digit, signed


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


def solinas(given: LoopInput) -> LoopSteps:
    """The words of T as coefficients; the sums are those of the remainder by x^n - (f[0] + f[1]*x + ...)."""
    p, w = given.modulus, given.params["w"]
    n, rest = p.nbits() // w, Integer(2) ** p.nbits() - p
    f = []
    for _ in range(n):
        f.append(signed(rest, w))
        rest = (rest - f[-1]) >> w
    T = given.a * given.b
    c = [digit(T, i, w) for i in range(2 * n)]
    yield "T", (), T
    yield from (("c", (i,), word) for i, word in enumerate(c))
    remainder = pari(c).Polrev() % (pari("x") ** n - pari(f).Polrev())
    U = given.params["m"] * p
    for j in range(n):
        s = Integer(remainder.polcoef(j))
        yield "s", (j,), s
        U += s << w * j
    yield "U", (), U
    for k in reversed(range(given.params["K"])):
        d, U = U.quo_rem(p << k)
        yield from (("d", (k,), d), ("R", (k,), U))
