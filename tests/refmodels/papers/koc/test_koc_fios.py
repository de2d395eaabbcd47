# SPDX-License-Identifier: Apache-2.0
"""FIOS: one inner loop for both products."""

from typing import Any

from limbtrace.refmodels.papers.koc import koc_fios
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape
from tests.refmodels.papers.koc.common import SHAPES, subtraction_order, without_subtraction


class TestKocFios(Conformance):
    model = koc_fios.MODEL
    shapes = (*SHAPES, Shape(2**64 - 59, {"w": 16}))
    mutations = (
        Mutation(pattern="S = t[j] + a[j] * b[i] + C", replacement="S = t[j] + a[i] * b[j] + C", first="S"),
        Mutation(pattern="S = t[j] + a[j] * b[i] + C", replacement="S = t[j] + a[j] * b[i]", first="S"),
        Mutation(pattern="m := S * p_", replacement="m := t[0] * p_", first="m"),
        Mutation(pattern="(C := S + m * p[0] >> w)", replacement="(C := m * p[0] >> w)", first="C2"),
        Mutation(pattern="S = t[k] + carry\n", replacement="S = t[k] + carry * (k == j + 1)\n", first="S"),
        Mutation(pattern="carry, t[k] = S", replacement="carry, t[k] = 0 * S, S & params.radix - 1  #", first="S"),
        Mutation(
            pattern="t[j] = (t[j] + C) & params.radix - 1",
            replacement="t[j] = (t[j] | C) & params.radix - 1",
            first="S",
        ),
        Mutation(pattern="            S = S + m * p[j]\n", replacement="            S = S | m * p[j]\n", first="t"),
        Mutation(pattern="t[s + 1] + C, 0\n", replacement="C, 0\n", first="t"),
        Mutation(pattern="t[s + 1] + C, 0\n", replacement="t[s + 1] + C, t[s + 1]\n", first="t"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        s = params.digits
        for i in range(s):
            yield from (("S", (i, 0)), ("C1", (i, 1)), ("A", (i, 1)), ("m", (i,)), ("C2", (i, 1)))
            for j in range(1, s):
                yield from (("S", (i, j)), ("C1", (i, j + 1)), ("A", (i, j + 1)), ("t", (i, j - 1)), ("C2", (i, j + 1)))
            yield from (("t", (i, s - 1)), ("C2", (i, s + 1)), ("t", (i, s)), ("T", (i,)))
        yield from subtraction_order(params)

    absent = staticmethod(without_subtraction)
