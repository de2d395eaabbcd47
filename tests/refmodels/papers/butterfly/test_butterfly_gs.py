# SPDX-License-Identifier: Apache-2.0
"""The butterfly of Gentleman and Sande."""

from typing import Any

from limbtrace.refmodels.papers.butterfly import butterfly_gs
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, once

MODEL = butterfly_gs.MODEL


class TestButterflyGs(Conformance):
    model = MODEL
    shapes = (Shape(13, {}), Shape(3329, {"r": 16, "halve": 1}), Shape(2**255 - 19, {"halve": 1}))
    mutations = (
        Mutation(pattern="even + params.modulus * odd", replacement="odd + params.modulus * even", first="Z"),
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
        return once("u v s sub x d borrow y f t q r even odd Z")
