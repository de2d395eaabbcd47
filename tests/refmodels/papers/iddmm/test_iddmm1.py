# SPDX-License-Identifier: Apache-2.0
"""IDDMM with three carries: Algorithm 1."""

from typing import Any

from limbtrace.refmodels.papers.iddmm import iddmm1
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape


class TestIddmm1(Conformance):
    model = iddmm1.MODEL
    shapes = (
        Shape(61, {"k": 2}),
        Shape(1023, {"k": 4}),
        Shape(2**12 - 1, {"k": 4}),
        Shape(0xEA7, {"k": 4, "passes": 4}),
        Shape(2**31 - 1, {"k": 8}),
        Shape(2**64 - 59, {"k": 16, "passes": 5}),
    )
    mutations = (
        Mutation(pattern="(CS := 0)", replacement="(CS := 0 if i == 0 else CS)", first="CS"),
        Mutation(pattern="s = A[j] + X[j] * Y[i] + CS", replacement="s = A[j] + X[j] * Y[i]", first="S"),
        Mutation(pattern="q := (S * p_) & low", replacement="q := (S * p_) & (low >> 1)", first="q"),
        Mutation(pattern="r = q * p[j] + CR", replacement="r = q * p[j] + (CR & 1)", first="R"),
        Mutation(pattern="(CU := u >> k)", replacement="(CU := u >> (k + 1))", first="CU"),
        Mutation(pattern="A[j - 1] = U\n", replacement="A[j - 1] = U if j < n else S\n", first="S"),
        Mutation(pattern="A[n] = (CS + CR + CU) * keep", replacement="A[n] = (CS | CR | CU) * 0", first="A"),
        Mutation(pattern="A[n] = (CS + CR + CU) * keep", replacement="A[n] = (CS + CR) * keep", first="A"),
        Mutation(
            pattern="for j in range(n + 1):",
            replacement="X = X if i == 0 else [*X[:-1], 0]\n        for j in range(n + 1):",
            first="S",
        ),
    )

    @staticmethod
    def order(params: Any) -> Order:
        n, passes = params.digits, params.passes
        for i in range(passes):
            yield from (("CS", (i, 0)), ("CR", (i, 0)), ("CU", (i, 0)))
            for j in range(n + 1):
                yield from (("CS", (i, j + 1)), ("S", (i, j)))
                if j == 0:
                    yield "q", (i, 0)
                yield from (("CR", (i, j + 1)), ("R", (i, j)), ("CU", (i, j + 1)), ("U", (i, j)))
                if j > 0:
                    yield "A", (i + 1, j - 1)
            yield "A", (i + 1, n)
