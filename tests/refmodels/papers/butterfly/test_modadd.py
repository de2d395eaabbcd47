# SPDX-License-Identifier: Apache-2.0
"""Sums modulo p."""

from typing import Any

from limbtrace.refmodels.papers.butterfly import modadd
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, once

MODEL = modadd.MODEL


class TestModadd(Conformance):
    model = MODEL
    shapes = (Shape(13, {}), Shape(3329, {}), Shape(2**64, {}))
    mutations = (
        Mutation(
            pattern="subtract(s, params.modulus, params.bits + 1)",
            replacement="subtract(s, params.modulus + 1, params.bits + 1)",
            first="sub",
            part="family",
        ),
    )

    @staticmethod
    def order(params: Any) -> Order:
        return once("s sub Z")
