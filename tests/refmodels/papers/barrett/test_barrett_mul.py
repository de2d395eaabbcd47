# SPDX-License-Identifier: Apache-2.0
"""Barrett's product of two integers."""

from collections.abc import Set
from typing import Any

from limbtrace.refmodels.papers.barrett import barrett_mul
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape
from tests.refmodels.papers.barrett.test_barrett_reduce import MUTATIONS, absent_steps, order_of_steps


class TestBarrettMul(Conformance):
    model = barrett_mul.MODEL
    count = 40
    shapes = (
        Shape(61, {}),
        Shape(1000, {"below": "2^N", "beta": 0}),
        Shape(2**31 - 1, {"beta": 1, "alpha": 31}),
        Shape(2**64 - 59, {"beta": -64, "alpha": 64}),
        Shape(2**255 - 19, {"below": "2*p"}),
    )
    mutations = (Mutation(pattern="x := a * b", replacement="x := a * (b & ~1)", first="x"), *MUTATIONS)

    @staticmethod
    def order(params: Any) -> Order:
        return order_of_steps(params)

    @staticmethod
    def absent(params: Any) -> Set[str]:
        return absent_steps(params)
