# SPDX-License-Identifier: Apache-2.0
"""HFFM, two digits of mixed radix: Algorithm 1."""

from typing import Any

from limbtrace.refmodels.papers.sidh import hffm
from limbtrace.refmodels.primes import CATALOGUE
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, once


class TestHffm(Conformance):
    model = hffm.MODEL
    kind = "random"
    count = 20
    shapes = (
        Shape(11, {}),
        Shape(107, {}),
        Shape(59, {}),
        Shape(8747, {"N": 12}),
        Shape(9 * 2**61 - 1, {"split": 8}),
        Shape(CATALOGUE["sike-p610"].modulus, {}),
        Shape(107, {"window": "half"}),
    )
    mutations = (
        Mutation(
            pattern="(both := sum_a * sum_b)",
            replacement="(both := (sum_a & ((2 << a) - 1)) * sum_b)",
            first="(a1+a2)(b1+b2)",
        ),
        Mutation(pattern="cross := both - a1b1 - a2b2", replacement="cross := both - a1b1", first="a1b2+a2b1"),
        Mutation(pattern="(q1 := a1b1 >> a)", replacement="(q1 := (a1b1 >> a) & (low >> 1))", first="q1"),
        Mutation(pattern="r1D := r1 * D", replacement="r1D := r1 * (D - 1)", first="r1*f*l^b"),
        Mutation(pattern="c2 := a2b2 + m1", replacement="c2 := a2b2 | m1", first="c2@4"),
        Mutation(pattern="c2 := c2 + u", replacement="c2 := c2", first="c2@5"),
        Mutation(pattern="c1 := q1 + m2", replacement="c1 := q1 ^ m2", first="c1@6"),
        Mutation(pattern="c1 := c1 + v", replacement="c1 := (c1 + v) & (2 * low + 1)", first="c1@7"),
        Mutation(
            pattern="high := c2 >> barrett.dropped",
            replacement="high := c2 >> (barrett.dropped + 1)",
            first="barrett.hi",
        ),
        Mutation(
            pattern="(rhat := c2 - multiple)",
            replacement="(rhat := (c2 - multiple) & ((1 << params.n) - 1))",
            first="barrett.rhat",
        ),
        Mutation(
            pattern="barrett.correct(rhat, params.corrections)",
            replacement="barrett.correct(rhat, 0)",
            first="barrett.corr",
        ),
        Mutation(
            pattern="barrett.correct(rhat, params.corrections)",
            replacement="barrett.correct(rhat, 1)",
            first="barrett.corr",
        ),
        Mutation(pattern="(r := rhat - corr * D)", replacement="(r := rhat)", first="r"),
        Mutation(pattern="(c1 := c1 + q)", replacement="(c1 := q)", first="c1@8"),
        Mutation(pattern="(carry := c1 >> a)", replacement="(carry := (c1 >> a) & 1)", first="carry@9"),
        Mutation(pattern="(c2 := c2 + carry)", replacement="(c2 := c2 | carry)", first="c2@9"),
        Mutation(pattern="fix, c2 = subtract(c2, D, params.n + 1)", replacement="fix = 0", first="fix"),
        Mutation(pattern="c1, c2 = c1 & low, c2 + (c1 >> a)", replacement="c1, c2 = c1 & low, c2", first="c2"),
        Mutation(
            pattern="is_p := subtract(c1 * D + c2, params.modulus, params.bits + 1)[0]",
            replacement="is_p := 0",
            first="is_p",
        ),
        Mutation(pattern="(c2 := c2 - is_p * c2)", replacement="(c2 := c2)", first="c2"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        return once(
            "a1 a2 b1 b2 a1b1 a1+a2 b1+b2 (a1+a2)(b1+b2) a2b2 a1b2+a2b1 r1 q1 r1*f*l^b m1 m2 c2@4 u c2@5 c1@6 v c1@7 "
            "barrett.hi barrett.prod barrett.qhat barrett.qhat*D barrett.rhat barrett.corr q r c2@8 c1@8 carry@9 c1@9 "
            "c2@9 C@9 fix is_p c1 c2 C"
        )
