# SPDX-License-Identifier: Apache-2.0
"""EFFM, one bit and two digits of radix R: equations 2 to 4."""

from typing import Any

from limbtrace.refmodels.papers.sidh import effm
from limbtrace.refmodels.primes import CATALOGUE
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, once


class TestEffm(Conformance):
    model = effm.MODEL
    kind = "random"
    count = 20
    shapes = (
        Shape(71, {}),
        Shape(199, {}),
        Shape(647, {}),
        Shape(CATALOGUE["sike-p610"].modulus, {}),
    )
    mutations = (
        Mutation(pattern="a1 * b2 + a2 * b1", replacement="a1 * b2", first="a1b2+a2b1"),
        Mutation(pattern="a1 * b3 + a2 * b2 + a3 * b1", replacement="a1 * b3 + a2 * b2", first="a1b3+a2b2+a3b1"),
        Mutation(pattern="Z := a2 * b3 + a3 * b2", replacement="Z := a2 * b3 + a2 * b3", first="a2b3+a3b2"),
        Mutation(pattern="quarter := R**2 // 2", replacement="quarter := R**2", first="2^-2 mod p"),
        Mutation(pattern="(c1 := X & 1)", replacement="(c1 := Y & 1)", first="c1"),
        Mutation(pattern="(Y >> 1) + Z", replacement="Y + Z", first="c2"),
        Mutation(pattern="(Y & 1) * (R // 2)", replacement="(Y & 1) * R", first="c3"),
        Mutation(pattern="+ (X >> 1) + a3b3", replacement="+ X + a3b3", first="c3"),
        Mutation(
            pattern="sidh.fold(params, c1, c2, c3)", replacement="sidh.fold(params, c1, c2, c3 & ~1)", first="c3.lo"
        ),
        Mutation(pattern="c2 := c2 + q3", replacement="c2 := c2 | q3", first="c2+q3", part="sidh"),
        Mutation(pattern="c1 := c1 + q2", replacement="c1 := c1 ^ q2", first="c1+q2", part="sidh"),
        Mutation(pattern="(e := c1 & 1)", replacement="(e := 0)", first="e", part="sidh"),
        Mutation(pattern="r3 + h)", replacement="r3)", first="S", part="sidh"),
        Mutation(
            pattern="sub, S = subtract(S, p.modulus, 2 * p.bits)", replacement="sub = 0", first="sub", part="sidh"
        ),
        Mutation(
            pattern="sub, S = subtract(S, p.modulus, 2 * p.bits)",
            replacement="sub, _ = subtract(S, p.modulus, 2 * p.bits)",
            first="C",
            part="sidh",
        ),
        Mutation(pattern="corr = barrett.correct(rhat, 1)", replacement="corr = 0", first="c3.corr", part="sidh"),
        Mutation(pattern="qhat + corr, (", replacement="qhat, (", first="c3.q", part="sidh"),
        Mutation(pattern="<< low_bits) + low", replacement="<< low_bits)", first="c3.r", part="sidh"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        return once(
            "a1 a2 a3 b1 b2 b3 a1b1 a1b2+a2b1 a1b3+a2b2+a3b1 a2b3+a3b2 a3b3 2^-2_mod_p c1 c2 c3 c3.hi c3.lo c3.qhat "
            "c3.corr c3.q c3.r c2+q3 c2.hi c2.lo c2.qhat c2.corr c2.q c2.r c1+q2 h e S sub C"
        )
