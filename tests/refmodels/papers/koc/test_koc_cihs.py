# SPDX-License-Identifier: Apache-2.0
"""CIHS: half of the product by rows, the rest while it is reduced."""

from typing import Any

from limbtrace.refmodels.papers.koc import koc_cihs
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape
from tests.refmodels.papers.koc.common import SHAPES, subtraction_order, without_subtraction


class TestKocCihs(Conformance):
    model = koc_cihs.MODEL
    shapes = (*SHAPES, Shape(2**64 - 59, {"w": 16}))
    mutations = (
        Mutation(pattern="t[i + j] + a[j] * b[i] + C", replacement="t[i + j] + a[i] * b[j] + C", first="t1"),
        Mutation(
            pattern='t[s], t[s + 1] = S & low, t[s + 1] + (S >> w)\n        yield "t1"',
            replacement='t[s], t[s + 1] = S & low, S >> w\n        yield "t1"',
            first="t1",
        ),
        Mutation(pattern="m := t[0] * p_", replacement="m := t[1] * p_", first="m"),
        Mutation(pattern="(C := t[0] + m * p[0] >> w)", replacement="(C := m * p[0] >> w)", first="C2"),
        Mutation(
            pattern="t[s - 1], S = S & low, t[s + 1] + (S >> w)",
            replacement="t[s - 1], S = S & low, S >> w",
            first="t2",
        ),
        Mutation(pattern="b[j] * a[s - j + i]", replacement="b[j] * a[s - j]", first="t"),
        Mutation(
            pattern="t[s - 1], S = S & low, t[s] + (S >> w)", replacement="t[s - 1], S = S & low, t[s]", first="t"
        ),
        Mutation(
            pattern="t[s], t[s + 1] = S & low, t[s + 1] + (S >> w)\n            yield from",
            replacement="t[s], t[s + 1] = S & low, S >> w\n            yield from",
            first="t",
        ),
    )

    @staticmethod
    def order(params: Any) -> Order:
        s = params.digits
        for i in range(s):
            for k in range(i, s):
                yield from (("t1", (i, k)), ("C1", (i, k + 1)))
            yield from (("t1", (i, s)), ("t1", (i, s + 1)))
        for i in range(s):
            yield from (("m", (i,)), ("C2", (i, 1)))
            for j in range(1, s):
                yield from (("t2", (i, j - 1)), ("C2", (i, j + 1)))
            yield from (("t2", (i, k)) for k in (s - 1, s, s + 1))
            for j in range(i + 1, s):
                yield from (("t", (i, j, k)) for k in (s - 1, s, s + 1))
            yield "T", (i,)
        yield from subtraction_order(params)

    @staticmethod
    def absent(params: Any) -> set[str]:
        """Of one word all products are in the first half."""
        return without_subtraction(params) | (set() if params.digits > 1 else {"t"})
