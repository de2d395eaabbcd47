# SPDX-License-Identifier: Apache-2.0
"""Negatives modulo p."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.papers.butterfly import modneg, modsub
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, once

MODEL = modneg.MODEL


class TestModneg(Conformance):
    model = MODEL
    shapes = (Shape(13, {}), Shape(3329, {}), Shape(2**64, {}))
    mutations = (
        Mutation(pattern="d := params.modulus - a", replacement="d := params.modulus - a + 1", first="d"),
        Mutation(
            pattern="subtract(d, params.modulus, params.bits + 1)",
            replacement="subtract(d, params.modulus + 1, params.bits + 1)",
            first="sub",
        ),
    )

    @staticmethod
    def order(params: Any) -> Order:
        return once("d sub Z")


@given(st.sampled_from((2, 15, 3329, 2**64)), st.data())
def test_it_is_a_difference_from_0(p: int, data: st.DataObject) -> None:
    a = data.draw(st.integers(0, p - 1))
    assert MODEL.result(MODEL.resolve(p, {}), a, 0) == modsub.MODEL.result(modsub.MODEL.resolve(p, {}), 0, a)
