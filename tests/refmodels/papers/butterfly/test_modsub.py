# SPDX-License-Identifier: Apache-2.0
"""Differences modulo p."""

from typing import Any

from limbtrace.refmodels.papers.butterfly import modsub
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, once

MODEL = modsub.MODEL


class TestModsub(Conformance):
    model = MODEL
    shapes = (Shape(13, {}), Shape(3329, {}), Shape(2**64, {}))
    mutations = (
        Mutation(
            pattern="borrow := 1 - (d >> params.bits)", replacement="borrow := 0 * d", first="borrow", part="family"
        ),
    )

    @staticmethod
    def order(params: Any) -> Order:
        return once("d borrow Z")
