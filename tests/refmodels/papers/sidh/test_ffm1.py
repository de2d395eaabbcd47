# SPDX-License-Identifier: Apache-2.0
"""FFM1, signs and two digits of radix R: equations 5 to 8."""

from typing import Any

from limbtrace.refmodels.papers.sidh import ffm1
from limbtrace.refmodels.primes import CATALOGUE
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, once


class TestFfm1(Conformance):
    model = ffm1.MODEL
    kind = "random"
    count = 20
    shapes = (
        Shape(71, {}),
        Shape(199, {}),
        Shape(647, {}),
        Shape(CATALOGUE["sike-p610"].modulus, {}),
    )
    mutations = (
        Mutation(pattern="R**2 + literal", replacement="R**2 + 1", first="A'"),
        Mutation(pattern="R - 1 - 2 * digit", replacement="R - 2 * digit", first="a2'"),
        Mutation(pattern="a2 * b3 + a3 * b2", replacement="a2 * b3 + a3 * b3", first="a2'b3'+a3'b2'"),
        Mutation(pattern="(c1 := a2b2 & 1)", replacement="(c1 := 0)", first="c1'"),
        Mutation(pattern="a3b3 + (a2b2 >> 1)", replacement="a3b3 + a2b2", first="c3'"),
        Mutation(pattern="sign := a[0] ^ b[0]", replacement="sign := a[0] | b[0]", first="a1^b1"),
        Mutation(pattern="sign * (nonzero | literal)", replacement="sign", first="C"),
        Mutation(pattern="(p - 2 * C)", replacement="(p - C)", first="C"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        return once(
            "a1 a2 a3 b1 b2 b3 A' B' a2' a3' b2' b3' a2'b2' a2'b3'+a3'b2' a3'b3' c1' c2' c3' c3.hi c3.lo c3.qhat "
            "c3.corr c3.q c3.r c2+q3 c2.hi c2.lo c2.qhat c2.corr c2.q c2.r c1+q2 h e S sub C' a1^b1 C"
        )
