# SPDX-License-Identifier: Apache-2.0
"""SOS: the product, then its reduction."""

from typing import Any

from limbtrace.refmodels.papers.koc import koc_sos
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape
from tests.refmodels.papers.koc.common import SHAPES, subtraction_order, without_subtraction


class TestKocSos(Conformance):
    model = koc_sos.MODEL
    shapes = (*SHAPES, Shape(2**64 - 59, {"w": 16}))
    mutations = (
        Mutation(pattern="t[i + j] + a[j] * b[i] + C", replacement="t[i + j] + a[i] * b[j] + C", first="t1"),
        Mutation(pattern="        t[i + s] = C\n", replacement="        t[i + s] = 0\n", first="t1"),
        Mutation(pattern="m := t[i] * p_", replacement="m := t[0] * p_", first="m"),
        Mutation(
            pattern="S = t[i + j] + m * p[j] + C", replacement="S = t[i + j] + m * p[j] + (C & (low >> 1))", first="t"
        ),
        Mutation(
            pattern="for k in range(i + s, 2 * s):\n            S = t[k] + C",
            replacement="for k in range(i + s, 2 * s):\n            S = t[k] + C * (k == i + s)",
            first="t",
        ),
        Mutation(
            pattern='C, t[k] = S >> w, S & low\n            yield "t", (i, k)',
            replacement='C, t[k] = 0 * S, S & low\n            yield "t", (i, k)',
            first="C2",
        ),
        Mutation(pattern="t[2 * s] = t[2 * s] + C", replacement="t[2 * s] = 0 * C", first="t"),
        Mutation(pattern="t[s:])", replacement="t[:s] + t[2 * s:])", first="B"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        s = params.digits
        for i in range(s):
            for k in range(i, i + s):
                yield from (("t1", (i, k)), ("C1", (i, k + 1)))
        for i in range(s):
            yield "m", (i,)
            for k in range(i, 2 * s):
                yield from (("t", (i, k)), ("C2", (i, k + 1)))
            yield from (("t", (i, 2 * s)), ("T", (i,)))
        yield from subtraction_order(params)

    absent = staticmethod(without_subtraction)
