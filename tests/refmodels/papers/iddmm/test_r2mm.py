# SPDX-License-Identifier: Apache-2.0
"""R2MM, bit by bit of X: figure 1."""

from typing import Any

from limbtrace.refmodels.papers.iddmm import r2mm
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape


class TestR2mm(Conformance):
    model = r2mm.MODEL
    shapes = (
        Shape(61, {}),
        Shape(1023, {}),
        Shape(2**12 - 1, {}),
        Shape(0xEA7, {}),
        Shape(2**31 - 1, {}),
        Shape(2**64 - 59, {}),
    )
    mutations = (
        Mutation(pattern="T := S + x[i] * Y", replacement="T := S + x[i] * (Y & ~1)", first="T"),
        Mutation(pattern="T := S + x[i] * Y", replacement="T := S + x[-1 - i] * Y", first="T"),
        Mutation(pattern="q := T & 1", replacement="q := S & 1", first="q"),
        Mutation(
            pattern="S := (T + q * p) >> 1", replacement="S := ((T + q * p) & ((2 << params.bits) - 1)) >> 1", first="S"
        ),
        Mutation(pattern="S := (T + q * p) >> 1", replacement="S := (T >> 1) + q * (p >> 1)", first="S"),
        Mutation(
            pattern="subtract(S, p, params.bits + 1)", replacement="subtract(S, p + 1, params.bits + 1)", first="sub"
        ),
        Mutation(pattern="subtract(S, p, params.bits + 1)", replacement="(0, S)", first="sub"),
        Mutation(pattern='yield "Z", (), Z', replacement='yield "Z", (), S - sub', first="Z"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        bits = params.bits
        for i in range(bits):
            yield from ((name, (i,)) for name in ("x", "T", "q", "S"))
        yield from (("sub", ()), ("Z", ()))
