# SPDX-License-Identifier: Apache-2.0
"""RedMonPro, halves instead of the whole sum: Algorithm 2."""

from typing import Any

from limbtrace.refmodels.papers.llmonpro import redmonpro
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, once


class TestRedmonpro(Conformance):
    model = redmonpro.MODEL
    shapes = (
        Shape(61, {}),
        Shape(1023, {}),
        Shape(2**12 - 1, {}),
        Shape(0xEA7, {}),
        Shape(2**31 - 1, {}),
        Shape(2**64 - 59, {}),
    )
    mutations = (
        Mutation(pattern="T0 := T & low", replacement="T0 := T & (low >> 1)", first="T0"),
        Mutation(pattern="Q := (T0 * M_) & low", replacement="Q := (T1 * M_) & low", first="Q"),
        Mutation(pattern="S := Q * M)", replacement="S := Q * (M - 2))", first="S"),
        Mutation(pattern="carry := (T0 + S0) >> n", replacement="carry := 1", first="carry"),
        Mutation(pattern="carry := (T0 + S0) >> n", replacement="carry := 0", first="carry"),
        Mutation(pattern="Z := T1 + S1 + carry", replacement="Z := T1 + S1", first="Z_raw"),
        Mutation(pattern="_, Z = subtract(Z, M, n + 1)", replacement="Z = Z", first="Z"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        return once("T T1 T0 Q S S1 S0 carry Z_raw Z")
