# SPDX-License-Identifier: Apache-2.0
"""x^(2^t), a chain of squarings: section 4."""

from typing import Any

from limbtrace.refmodels.papers.llmonpro import vdf
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape


class TestVdf(Conformance):
    model = vdf.MODEL
    shapes = (
        Shape(61, {"d": 3, "t": 3}),
        Shape(1023, {"d": 4, "t": 3}),
        Shape(2**12 - 1, {"d": 4, "t": 3}),
        Shape(0xEA7, {"d": 4, "t": 3}),
        Shape(2**31 - 1, {"d": 8, "t": 3}),
        Shape(2**64 - 59, {"d": 16, "t": 3}),
    )
    mutations = (
        Mutation(
            pattern="Z = multiply(params, Z, Z)\n        yield",
            replacement="Z = multiply(params, Z, x)\n        yield",
            first="z",
        ),
        Mutation(
            pattern="        Z = Z[: params.k + 1]\n    _, y = leave",
            replacement="        Z = [z & params.radix - 1 for z in Z]\n    _, y = leave",
            first="z",
        ),
        Mutation(
            pattern="one: list[Digit] = [1, *[0] * params.k]",
            replacement="one: list[Digit] = [2, *[0] * params.k]",
            first="y",
        ),
        Mutation(pattern="return subtract(y, params.modulus, params.r_bits)", replacement="return 0, y", first="y"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        yield "x_mont", (0,)
        yield from (("z", (i,)) for i in range(1, params.t + 1))
        yield "y", ()
