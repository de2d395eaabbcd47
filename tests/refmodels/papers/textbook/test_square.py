# SPDX-License-Identifier: Apache-2.0
"""a^2 mod p, for every modulus of at least 2."""

from typing import Any

from limbtrace.refmodels.papers.textbook import square
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, once


class TestSquare(Conformance):
    model = square.MODEL
    shapes = (
        Shape(2, {}),
        Shape(61, {}),
        Shape(1024, {"below": "2*p"}),
        Shape(2**64 - 59, {"below": "2^N"}),
        Shape(2**255 - 19, {}),
    )
    mutations = (Mutation(pattern="division(a * a, ", replacement="division(a * (a & ~1), ", first="t"),)

    @staticmethod
    def order(params: Any) -> Order:
        return once("t q r")
