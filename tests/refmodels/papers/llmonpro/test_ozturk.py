# SPDX-License-Identifier: Apache-2.0
"""OzturkPolMul, redundant digits multiplied without a carry chain: Algorithm 4."""

from typing import Any

from limbtrace.refmodels.papers.llmonpro import ozturk
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, digits_of


class TestOzturk(Conformance):
    model = ozturk.MODEL
    shapes = (
        Shape(None, {"d": 3, "k": 3}),
        Shape(None, {"d": 4, "k": 3}),
        Shape(None, {"d": 4, "k": 3}),
        Shape(None, {"d": 4, "k": 3}),
        Shape(None, {"d": 8, "k": 3}),
        Shape(None, {"d": 16, "k": 3}),
    )
    mutations = (
        Mutation(pattern="D[i + j] + (P & low)", replacement="D[i + j] + (P & low >> 1)", first="D"),
        Mutation(pattern="((P >> d) & low)", replacement="(P >> d)", first="D"),
        Mutation(pattern="D[i + j + 2] + (P >> 2 * d)", replacement="D[i + j + 2]", first="D"),
        Mutation(pattern="D[i + j + 2] + (P >> 2 * d)", replacement="D[i + j + 2] + (P >> 2 * d & 1)", first="D"),
        Mutation(
            pattern="return [D[0] & low, *((D[i] & low) + (D[i - 1] >> d)",
            replacement="return [D[0] & low, *((D[i] & low) + (D[i - 1] >> d & 1)",
            first="C",
        ),
        Mutation(pattern=", D[-1] + (D[-2] >> d)]", replacement=", D[-1]]", first="C"),
        Mutation(
            pattern="if widths:\n        D = [column & ((1 << 2 * d) - 1)",
            replacement="if True:\n        D = [column & ((1 << 2 * d - 1) - 1)",
            first="D",
        ),
    )

    @staticmethod
    def order(params: Any) -> Order:
        return digits_of(("D", 2 * params.k + 3), ("C", 2 * params.k + 3))
