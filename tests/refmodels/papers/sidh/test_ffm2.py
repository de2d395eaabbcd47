# SPDX-License-Identifier: Apache-2.0
"""FFM2, quotient and remainder by p + 1 or p - 1: equations 9 to 13."""

from typing import Any

from limbtrace.refmodels.papers.sidh import ffm2
from limbtrace.refmodels.primes import CATALOGUE
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, once


class TestFfm2(Conformance):
    model = ffm2.MODEL
    kind = "random"
    count = 20
    shapes = (
        Shape(71, {}),
        Shape(73, {"sign": 1}),
        Shape(163, {"sign": 1}),
        Shape(11, {}),
        Shape(107, {}),
        Shape(59, {}),
        Shape(CATALOGUE["sike-p610"].modulus, {}),
    )
    mutations = (
        Mutation(pattern="AB := a * b", replacement="AB := a * (b & ~1)", first="AB"),
        Mutation(pattern="s := q + r", replacement="s := q | r", first="q+r"),
        Mutation(pattern="sub, C = subtract(s, p, bits)", replacement="sub, C = subtract(s, p + 1, bits)", first="C"),
        Mutation(pattern="s := r - q", replacement="s := q - r", first="r-q"),
        Mutation(pattern="add := 1 - ((s + (1 << bits)) >> bits)", replacement="add := 0", first="add"),
        Mutation(pattern="C = s + add * p", replacement="C = s", first="C"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        end = "q+r sub C" if params.sign < 0 else "r-q add C"
        return once(f"AB AB.hi AB.lo AB.qhat AB.corr q r {end}")

    @staticmethod
    def absent(params: Any) -> set[str]:
        return {"r-q", "add"} if params.sign < 0 else {"q+r", "sub"}
