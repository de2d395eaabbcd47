# SPDX-License-Identifier: Apache-2.0
"""The butterfly of Cooley and Tukey, alone and before that of Gentleman and Sande."""

from math import gcd
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.papers.butterfly import butterfly_ct, butterfly_gs
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, once

MODEL = butterfly_ct.MODEL


class TestButterflyCt(Conformance):
    model = MODEL
    shapes = (Shape(13, {}), Shape(3329, {"r": 16}), Shape(2**255 - 19, {"r": 256}))
    mutations = (
        Mutation(pattern="params.modulus * odd", replacement="(params.modulus + 1) * odd", first="Z"),
        Mutation(
            pattern="subtract(s, params.modulus, params.bits + 1)",
            replacement="subtract(s, params.modulus + 1, params.bits + 1)",
            first="sub",
            part="family",
        ),
        Mutation(
            pattern="borrow := 1 - (d >> params.bits)", replacement="borrow := 0 * d", first="borrow", part="family"
        ),
        Mutation(pattern="r := t % p", replacement="r := (t + 1) % p", first="r", part="family"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        return once("u v f t q r s sub even d borrow odd Z")


@given(st.sampled_from((3, 15, 3329, 8380417)), st.data())
def test_the_other_butterfly_gives_twice_both_numbers(p: int, data: st.DataObject) -> None:
    u, v, w = (data.draw(st.integers(0, p - 1)) for _ in range(3))
    w = w if gcd(w, p) == 1 else 1
    odd, even = divmod(MODEL.result(MODEL.resolve(p, {}), u + p * v, w), p)
    for halve in (0, 1):
        params = butterfly_gs.MODEL.resolve(p, {"halve": halve})
        high, low = divmod(butterfly_gs.MODEL.result(params, even + p * odd, pow(w, -1, p)), p)
        assert (low, high) == tuple(x * (2 - halve) % p for x in (u, v))


def test_a_modulus_that_is_even_is_refused() -> None:
    for model in (MODEL, butterfly_gs.MODEL):
        with pytest.raises(ParameterError, match="must be odd"):
            model.resolve(16, {})
