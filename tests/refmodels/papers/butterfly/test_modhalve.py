# SPDX-License-Identifier: Apache-2.0
"""Halves modulo p."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.papers.butterfly import modadd, modhalve
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, once

MODEL = modhalve.MODEL


class TestModhalve(Conformance):
    model = MODEL
    shapes = (Shape(13, {}), Shape(3329, {}), Shape(2**255 - 19, {}))
    mutations = (
        Mutation(pattern="odd := a & 1", replacement="odd := 1 - (a & 1)", first="odd"),
        Mutation(pattern="s := a + odd * params.modulus", replacement="s := a + odd", first="s"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        return once("odd s Z")


@given(st.sampled_from((3, 15, 3329, 2**64 - 59)), st.data())
def test_twice_the_half_is_the_operand(p: int, data: st.DataObject) -> None:
    a = data.draw(st.integers(0, p - 1))
    half = MODEL.result(MODEL.resolve(p, {}), a, 0)
    assert modadd.MODEL.result(modadd.MODEL.resolve(p, {}), half, half) == a


def test_a_modulus_that_is_even_is_refused() -> None:
    with pytest.raises(ParameterError, match="must be odd"):
        MODEL.resolve(16, {})
