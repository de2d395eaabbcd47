# SPDX-License-Identifier: Apache-2.0
"""MonPro, on whole integers: Algorithm 1."""

from typing import Any

from limbtrace.refmodels.papers.llmonpro import monpro
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, once


class TestMonpro(Conformance):
    model = monpro.MODEL
    shapes = (
        Shape(61, {}),
        Shape(1023, {}),
        Shape(2**12 - 1, {}),
        Shape(0xEA7, {}),
        Shape(2**31 - 1, {}),
        Shape(2**64 - 59, {}),
    )
    mutations = (
        Mutation(pattern="T := A * B", replacement="T := A * (B & ~1)", first="T"),
        Mutation(pattern="Q := ((T & low) * M_) & low", replacement="Q := ((T & low) * M_) & (low >> 1)", first="Q"),
        Mutation(pattern="Z := (T + Q * M) >> n", replacement="Z := (T >> n) + (Q * M >> n)", first="Z_raw"),
        Mutation(pattern="Z := (T + Q * M) >> n", replacement="Z := (T + Q * M) >> n & low", first="Z_raw"),
        Mutation(pattern="_, Z = subtract(Z, M, n + 1)", replacement="Z = Z", first="Z"),
        Mutation(pattern="subtract(Z, M, n + 1)", replacement="subtract(Z, M + 1, n + 1)", first="Z"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        return once("T Q Z_raw Z")
