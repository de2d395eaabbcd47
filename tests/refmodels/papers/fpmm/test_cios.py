# SPDX-License-Identifier: Apache-2.0
"""CIOS without final subtraction: IEEE Trans. Computers 68(11), 2019, Algorithm 1."""

from typing import Any

from limbtrace.refmodels.papers.fpmm import cios
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape


class TestCios(Conformance):
    model = cios.MODEL
    shapes = (
        Shape(61, {"w": 2}),
        Shape(1023, {"w": 4}),
        Shape(2**12 - 1, {"w": 4}),
        Shape(0xEA7, {"w": 4}),
        Shape(2**31 - 1, {"w": 8}),
        Shape(2**64 - 59, {"w": 16}),
    )
    mutations = (
        Mutation(pattern="v := t[j] + a[i] * b[j]", replacement="v := t[j] + a[j] * b[i]", first="v"),
        Mutation(
            pattern='yield "d", (i, j), (d := v >> w)',
            replacement='yield "d", (i, j), (d := t[j] + a[i] * b[j] >> w)',
            first="d",
        ),
        Mutation(pattern="        d: Digit = 0\n", replacement="        d: Digit = 0 if i == 0 else d\n", first="u"),
        Mutation(pattern="us := d", replacement="us := d & (low >> 1)", first="us"),
        Mutation(pattern="q := (u[0] * P_) & low", replacement="q := (u[0] * P_) & (low >> 1)", first="q"),
        Mutation(pattern="q := (u[0] * P_)", replacement="q := (u[-1] * P_)", first="q"),
        Mutation(pattern="y = u[j] + q * p[j] + c", replacement="y = u[j] + q * p[j] + (c & (low >> 1))", first="t"),
        Mutation(pattern="        c: Digit = 0\n", replacement="        c: Digit = 0 if i == 0 else c\n", first="t"),
        Mutation(pattern="y = us + c", replacement="y = us", first="ts"),
        Mutation(pattern="y = us + c", replacement="y = us | c", first="ts"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        s = params.digits
        for i in range(s):
            for j in range(s):
                yield from (("v", (i, j)), ("u", (i, j)), ("d", (i, j)))
            yield "us", (i,)
            yield "q", (i,)
            for j in range(s):
                yield from (("t", (i, j - 1)), ("c", (i, j)))
            yield from (("ts", (i,)), ("ovf", (i,)), ("T", (i,)))
