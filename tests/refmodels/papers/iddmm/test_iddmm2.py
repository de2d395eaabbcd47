# SPDX-License-Identifier: Apache-2.0
"""IDDMM with one carry: Algorithm 2."""

from typing import Any

from limbtrace.refmodels.papers.iddmm import iddmm2
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape


class TestIddmm2(Conformance):
    model = iddmm2.MODEL
    shapes = (
        Shape(61, {"k": 2}),
        Shape(1023, {"k": 4}),
        Shape(2**12 - 1, {"k": 4}),
        Shape(0xEA7, {"k": 4, "passes": 4}),
        Shape(2**31 - 1, {"k": 8}),
        Shape(2**64 - 59, {"k": 16, "passes": 5}),
    )
    mutations = (
        Mutation(pattern="(C := 0)", replacement="(C := 0 if i == 0 else C)", first="C"),
        Mutation(pattern="S := A[j] + X[j] * Y[i]", replacement="S := A[j] + (X[j] * Y[i] & low)", first="S"),
        Mutation(pattern="q := ((S & low) * p_) & low", replacement="q := ((S & low) * p_) & (low >> 1)", first="q"),
        Mutation(
            pattern="q := ((S & low) * p_) & low", replacement="q := (((S ^ C) + (i > 0) & low) * p_) & low", first="q"
        ),
        Mutation(pattern="R := q * p[j]", replacement="R := q * p[j] & ((1 << (2 * k - 1)) - 1)", first="R"),
        Mutation(pattern="CU = S + R + C\n", replacement="CU = S + R + (C & low)\n", first="C"),
        Mutation(pattern="CU = S + R + C\n", replacement="CU = S + R\n", first="U"),
        Mutation(pattern="A[n] = C * keep", replacement="A[n] = 0", first="A"),
        Mutation(pattern="A[n] = C * keep", replacement="A[n] = (C & 1) * keep", first="A"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        n, passes = params.digits, params.passes
        for i in range(passes):
            yield "C", (i, 0)
            for j in range(n + 1):
                yield "S", (i, j)
                if j == 0:
                    yield "q", (i, 0)
                yield from (("R", (i, j)), ("C", (i, j + 1)), ("U", (i, j)))
                if j > 0:
                    yield "A", (i + 1, j - 1)
            yield "A", (i + 1, n)
