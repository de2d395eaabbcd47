# SPDX-License-Identifier: Apache-2.0
"""Products with a sum."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.papers.butterfly import modmac
from limbtrace.refmodels.papers.textbook import modmul
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, once

MODEL = modmac.MODEL


class TestModmac(Conformance):
    model = MODEL
    shapes = (Shape(13, {}), Shape(3329, {}), Shape(2**64, {}))
    mutations = (
        Mutation(pattern="xy := x * b", replacement="xy := x * (b + 1)", first="xy"),
        Mutation(pattern="t := xy + z", replacement="t := xy", first="t"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        return once("x z xy t q r")


@given(st.sampled_from((2, 15, 3329, 2**64)), st.data())
def test_without_a_sum_it_is_a_product(p: int, data: st.DataObject) -> None:
    x, y = (data.draw(st.integers(0, p - 1)) for _ in range(2))
    assert MODEL.result(MODEL.resolve(p, {}), x, y) == modmul.MODEL.result(modmul.MODEL.resolve(p, {}), x, y)
