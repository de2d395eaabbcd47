# SPDX-License-Identifier: Apache-2.0
"""IMM, digit by digit of Y: figure 4."""

from typing import Any

from limbtrace.refmodels.papers.iddmm import imm
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape


class TestImm(Conformance):
    model = imm.MODEL
    shapes = (
        Shape(61, {"k": 2}),
        Shape(1023, {"k": 4}),
        Shape(2**12 - 1, {"k": 4}),
        Shape(0xEA7, {"k": 4, "passes": 4}),
        Shape(2**31 - 1, {"k": 8}),
        Shape(2**64 - 59, {"k": 16, "passes": 5}),
    )
    mutations = (
        Mutation(pattern="X0 = X & low", replacement="X0 = X & (low >> 1)", first="q"),
        Mutation(
            pattern="q := (((A & low) + X0 * Y[i] & low) * p_) & low",
            replacement="q := ((X0 * Y[i] & low) * p_) & low",
            first="q",
        ),
        Mutation(
            pattern="q := (((A & low) + X0 * Y[i] & low) * p_) & low",
            replacement="q := (((A & low) + X0 * Y[0] & low) * p_) & low",
            first="q",
        ),
        Mutation(
            pattern="A := (A + X * Y[i] + q * p) >> k", replacement="A := (A + X * Y[i] >> k) + (q * p >> k)", first="A"
        ),
        Mutation(
            pattern="A := (A + X * Y[i] + q * p) >> k", replacement="A := (A + X0 * Y[i] + q * p) >> k", first="A"
        ),
        Mutation(
            pattern="A := (A + X * Y[i] + q * p) >> k",
            replacement="A := (A + X * Y[i] + q * p) >> k & (1 << params.bits + 1) - 1",
            first="A",
        ),
    )

    @staticmethod
    def order(params: Any) -> Order:
        passes = params.passes
        for i in range(passes):
            yield from (("q", (i,)), ("A", (i + 1,)))
