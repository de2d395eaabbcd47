# SPDX-License-Identifier: Apache-2.0
"""Barrett reduction of a product: section II."""

from typing import Any

from limbtrace.refmodels.papers.sidh import barrett
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, once


class TestBarrett(Conformance):
    model = barrett.MODEL
    kind = "random"
    count = 20
    shapes = (
        Shape(61, {}),
        Shape(1023, {}),
        Shape(2**31 - 1, {"k": 70}),
        Shape(2**64 - 59, {}),
    )
    mutations = (
        Mutation(pattern="barrett.estimate(AB)", replacement="barrett.estimate(AB >> 1)", first="qhat"),
        Mutation(pattern="rhat := AB - qhat * p", replacement="rhat := AB - (qhat - (qhat > 0)) * p", first="rhat"),
        Mutation(pattern="barrett.correct(rhat, 1)", replacement="barrett.correct(rhat, 0)", first="corr"),
        Mutation(pattern='yield "q", (), qhat + corr', replacement='yield "q", (), qhat', first="q"),
        Mutation(pattern='yield "r", (), rhat - corr * p', replacement='yield "r", (), rhat', first="r"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        return once("AB qhat rhat corr q r")
