# SPDX-License-Identifier: Apache-2.0
"""The loops of the IDDMM paper, read on whole numbers: a digit or carry is a part of a sum of the low digits."""

from typing import Any

from sage.rings.integer import Integer

from limbtrace.vectors.certificate.loops.numbers import LoopInput, LoopSteps, below, digit, quotient_digit, signed


def r2mm(given: LoopInput) -> LoopSteps:
    """Figure 1."""
    p, S = given.modulus, Integer(0)
    for i in range(int(p.nbits())):
        x = digit(given.a, i, 1)
        total = S + x * given.b
        yield "x", (i,), x
        yield "T", (i,), total
        yield "q", (i,), total % 2
        S = (total + total % 2 * p) // 2
        yield "S", (i,), S
    yield "sub", (), Integer(p <= S)
    yield "Z", (), S - p if p <= S else S


def mwr2mm(given: LoopInput) -> LoopSteps:
    """Figure 2, with e words and the word above them."""
    p, w, S = given.modulus, given.params["w"], Integer(0)
    e = given.params["e"]
    for i in range(int(p.nbits())):
        x = digit(given.a, i, 1)
        first = S + x * given.b
        par = first % 2
        second = first + par * p
        S_before, S = S, second // 2
        yield "x", (i,), x
        yield "par", (i,), par
        for j in range(e + 1):
            yield "Sa", (i, j), digit(first, j, w)
            yield "Sb", (i, j), digit(second, j, w)
            yield "Ca", (i, j + 1), (below(S_before, j + 1, w) + x * below(given.b, j + 1, w)) >> w * (j + 1)
            yield "Cb", (i, j + 1), (below(first, j + 1, w) + par * below(p, j + 1, w)) >> w * (j + 1)
        for j in range(e):
            yield "S", (i, j), digit(S, j, w)
    yield "Z", (), S


def mwr2kmm(given: LoopInput) -> LoopSteps:
    """Figure 3, on numbers in two's complement."""
    p, k, w, NW = given.modulus, given.bits, given.params["w"], given.params["NW"]
    S = Integer(0)
    for i in range(given.params["D"]):
        group = (given.a << 1 >> k * i) % (2 << k)
        booth = (group + 1 >> 1) - (group >> k << k)
        product = booth * given.b
        first = S + product
        qp = quotient_digit(first, p, Integer(2) ** k)
        second = first + qp * p
        yield "qY", (i,), booth
        yield "qp", (i,), qp
        for j in range(NW):
            yield "Sa", (i, j), digit(below(first, NW, w), j, w)
            yield "Sb", (i, j), digit(below(second, NW, w), j, w)
        for j in range(1, NW + 1):
            yield "Ca", (i, j), (below(S, j, w) + below(product, j, w)) >> w * j
            yield "Cb", (i, j), (below(first, j, w) + below(qp * p, j, w)) >> w * j
        S = signed(second, w * NW) >> k
        for j in range(NW):
            yield "S", (i, j), digit(below(S, NW, w), j, w)
    yield "Sfinal", (), S
    yield "sub", (), Integer(p <= S)
    yield "Z", (), S - p if p <= S else S


def _passes(given: LoopInput, A: Any) -> Any:
    """(i, A, Y_i, q, next A) of every pass."""
    p, k = given.modulus, given.bits
    for i in range(given.params["passes"]):
        y = digit(given.b, i, k)
        total = A + given.a * y
        q = quotient_digit(total, p, Integer(2) ** k)
        yield i, A, y, q, (total + q * p) >> k
        A = (total + q * p) >> k


def imm(given: LoopInput) -> LoopSteps:
    """Figure 4."""
    for i, _, _, q, A in _passes(given, Integer(0)):
        yield "q", (i,), q
        yield "A", (i + 1,), A


def iddmm1(given: LoopInput) -> LoopSteps:
    """Algorithm 1: the carry into digit j is what the sum of the digits below j has above them."""
    p, k, n, X = given.modulus, given.bits, given.params["n"], given.a
    for i, A, y, q, following in _passes(given, Integer(0)):
        yield "q", (i, 0), q
        S = R = U = Integer(0)
        for j in range(n + 2):
            carry_S = (below(A, j, k) + y * below(X, j, k)) >> k * j
            carry_R = q * below(p, j, k) >> k * j
            carry_U = (below(S, j, k) + below(R, j, k)) >> k * j
            yield "CS", (i, j), carry_S
            yield "CR", (i, j), carry_R
            yield "CU", (i, j), carry_U
            if j > n:
                break
            s = (digit(A, j, k) + y * digit(X, j, k) + carry_S) % Integer(2) ** k
            r = digit(q * p, j, k)
            S, R = S + (s << k * j), R + (r << k * j)
            U = S + R
            yield "S", (i, j), s
            yield "R", (i, j), r
            yield "U", (i, j), digit(U, j, k)
        for j in range(n + 1):
            yield "A", (i + 1, j), digit(following, j, k)


def iddmm2(given: LoopInput) -> LoopSteps:
    """Algorithm 2."""
    p, k, n, X = given.modulus, given.bits, given.params["n"], given.a
    for i, A, y, q, following in _passes(given, Integer(0)):
        yield "q", (i, 0), q
        for j in range(n + 2):
            low = below(A, j, k) + y * below(X, j, k) + q * below(p, j, k)
            yield "C", (i, j), low >> k * j
            if j <= n:
                yield "S", (i, j), digit(A, j, k) + digit(X, j, k) * y
                yield "R", (i, j), q * digit(p, j, k)
                yield "U", (i, j), digit(A + X * y + q * p, j, k)
                yield "A", (i + 1, j), digit(following, j, k)
