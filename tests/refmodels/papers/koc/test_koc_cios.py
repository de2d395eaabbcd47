# SPDX-License-Identifier: Apache-2.0
"""CIOS with the final subtraction."""

from typing import Any

import pytest

from limbtrace.refmodels.papers.koc import koc_cios
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape
from tests.refmodels.papers.koc.common import SHAPES, subtraction_order, without_subtraction


class TestKocCios(Conformance):
    model = koc_cios.MODEL
    shapes = (*SHAPES, Shape(2**64 - 59, {"w": 16}))
    mutations = (
        Mutation(pattern="S = t[j] + a[j] * b[i] + C", replacement="S = t[j] + a[i] * b[j] + C", first="t1"),
        Mutation(pattern="        C: Digit = 0\n", replacement="        C: Digit = 0 if i == 0 else C\n", first="t1"),
        Mutation(
            pattern="C, t[j] = S >> w, S & low",
            replacement="C, t[j] = t[j] + a[j] * b[i] >> w, S & low",
            first="C1",
        ),
        Mutation(pattern="t[s + 1], t[s] = S >> w, S & low", replacement="t[s + 1], t[s] = 0 * S, S & low", first="t1"),
        Mutation(pattern="m := t[0] * p_ & low", replacement="m := t[0] * p_ & (low >> 1)", first="m"),
        Mutation(pattern="m := t[0] * p_", replacement="m := t[-1] * p_", first="m"),
        Mutation(pattern="(C := S >> w)", replacement="(C := m * p[0] >> w)", first="C2"),
        Mutation(pattern="S = t[j] + m * p[j] + C", replacement="S = t[j] + m * p[j] + (C & (low >> 1))", first="t"),
        Mutation(pattern="C, t[s - 1] = S >> w, S & low", replacement="C, t[s - 1] = 0 * S, S & low", first="C2"),
        Mutation(pattern="t[s] = t[s + 1] + C\n", replacement="t[s] = C\n", first="t"),
        Mutation(pattern="t[s] = t[s + 1] + C\n", replacement="t[s] = t[s + 1]\n", first="t"),
        Mutation(pattern="- B\n", replacement="- B * (j == 1)\n", first="B", part="koc"),
        Mutation(pattern="1 - (1 - t[s]) * B", replacement="1 - B", first="sub", part="koc"),
        Mutation(pattern="D[j] * sub + t[j] * (1 - sub)", replacement="D[j]", first="Z", part="koc"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        s = params.digits
        for i in range(s):
            for j in range(s):
                yield from (("t1", (i, j)), ("C1", (i, j + 1)))
            yield from (("t1", (i, s)), ("t1", (i, s + 1)), ("m", (i,)), ("C2", (i, 1)))
            for j in range(1, s + 1):
                yield from (("t", (i, j - 1)), ("C2", (i, j + 1)))
            yield from (("t", (i, s)), ("T", (i,)))
        yield from subtraction_order(params)

    absent = staticmethod(without_subtraction)


@pytest.mark.parametrize(
    ("p", "given"), [(13, {"w": 2}), (61, {"w": 3}), (45, {"w": 3}), (31, {"w": 1}), (251, {"w": 8})]
)
def test_every_product_of_small_moduli(p: int, given: dict[str, Any]) -> None:
    """Every claim, for all operands below p; and for all below R where p is not subtracted."""
    for settings in (given, {**given, "final": "unreduced", "below": "R" if p < 200 else "p"}):
        params = koc_cios.MODEL.resolve(p, settings)
        for a in range(0, params.bound, 1 + p // 100):
            for b in range(0, params.bound, 1 + p // 50):
                run = koc_cios.MODEL.run(params, a, b)
                assert not list(koc_cios.MODEL.violations(run))
