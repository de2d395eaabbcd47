# SPDX-License-Identifier: Apache-2.0
"""FIPS: column by column of both products."""

from typing import Any

from limbtrace.refmodels.papers.koc import koc_fips
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape
from tests.refmodels.papers.koc.common import SHAPES, subtraction_order, without_subtraction


class TestKocFips(Conformance):
    model = koc_fips.MODEL
    shapes = (*SHAPES, Shape(2**64 - 59, {"w": 16}))
    mutations = (
        Mutation(
            pattern="t[0], S = S & low, t[1] + (S >> w)", replacement="t[0], S = S & low, t[1] | (S >> w)", first="t1"
        ),
        Mutation(pattern="t[1], t[2] = S & low, t[2] + (S >> w)", replacement="t[1], t[2] = S & low, t[2]", first="t1"),
        Mutation(pattern="m[j] * p[i - j]", replacement="m[j - 1] * p[i - j]", first="t"),
        Mutation(pattern="m.append(t[0] * p_ & low)", replacement="m.append(t[0] * p_ & (low >> 1))", first="m"),
        Mutation(
            pattern='accumulate("t1", i, i, a[i] * b[0])', replacement='accumulate("t1", i, i, a[0] * b[i])', first="t1"
        ),
        Mutation(pattern="t = [t[1], t[2], 0]", replacement="t = [t[1], 0, 0]", first="t1"),
        Mutation(pattern='yield "u", (s,), t[0]', replacement='yield "u", (s,), 0', first="u"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        s = params.digits
        for i in range(2 * s):
            for j in range(max(0, i - s + 1), min(i + 1, s)):
                yield from (("t1", (i, j, k)) for k in range(3))
                if j == i:
                    yield "m", (i,)
                yield from (("t", (i, j, k)) for k in range(3))
            if i >= s:
                yield "u", (i - s,)
        yield from (("u", (s,)), ("T", (s - 1,)))
        yield from subtraction_order(params)

    absent = staticmethod(without_subtraction)
