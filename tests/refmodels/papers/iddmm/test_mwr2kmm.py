# SPDX-License-Identifier: Apache-2.0
"""MWR2^kMM, by Booth digits of X and word by word of Y: figure 3."""

from typing import Any

from limbtrace.refmodels.papers.iddmm import mwr2kmm
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape


class TestMwr2kmm(Conformance):
    model = mwr2kmm.MODEL
    shapes = (
        Shape(61, {"k": 2, "w": 2}),
        Shape(1023, {"k": 4, "w": 4}),
        Shape(2**12 - 1, {"k": 4, "w": 4}),
        Shape(0xEA7, {"k": 4, "w": 4}),
        Shape(2**31 - 1, {"k": 8, "w": 8}),
        Shape(2**64 - 59, {"k": 16, "w": 16}),
    )
    mutations = (
        Mutation(pattern="((group + 1) >> 1)", replacement="(group >> 1)", first="qY"),
        Mutation(pattern=" - ((group >> booth) << booth)", replacement="", first="qY"),
        Mutation(pattern="qYY = (qYY >> w) + qY * Y[j]", replacement="qYY = qY * Y[j]", first="Sa"),
        Mutation(
            pattern="qYY = (qYY >> w) + qY * Y[j]",
            replacement="qYY = ((qYY & ~(-1 << 2 * w)) >> w) + qY * Y[j]",
            first="Sa",
        ),
        Mutation(pattern="s = Ca + S[j] + (qYY & low)", replacement="s = S[j] + (qYY & low)", first="Sa"),
        Mutation(
            pattern="qp := ((Sa & digit) * p_) & digit",
            replacement="qp := ((Sa & digit) * p_) & (digit >> 1)",
            first="qp",
        ),
        Mutation(
            pattern="qp := ((Sa & digit) * p_) & digit", replacement="qp := ((S[0] & digit) * p_) & digit", first="qp"
        ),
        Mutation(pattern="qpp = (qpp >> w) + qp * p[j]", replacement="qpp = qp * p[j]", first="Sb"),
        Mutation(pattern="s = Cb + Sa + (qpp & low)", replacement="s = Sa + (qpp & low)", first="Sb"),
        Mutation(pattern="((S[j] & digit) << (w - k))", replacement="((S[j] & digit >> 1) << (w - k))", first="S"),
        Mutation(pattern="S[NW - 1] >> (w - 1) if params.fills_with_sign else Ca | Cb", replacement="0", first="S"),
        Mutation(
            pattern="S[NW - 1] >> (w - 1) if params.fills_with_sign else Ca | Cb", replacement="Ca | Cb", first="S"
        ),
        Mutation(
            pattern="Ca = Cb = qYY = qpp = 0", replacement="Ca = Cb = qYY = qpp = 0 if i == 0 else Ca", first="Ca"
        ),
        Mutation(pattern="subtract(Sfinal, params.modulus, w * (top + 1))", replacement="(0, Sfinal)", first="sub"),
        Mutation(
            pattern="subtract(Sfinal, params.modulus, w * (top + 1))",
            replacement="subtract(Sfinal, params.modulus - 1, w * (top + 1))",
            first="Z",
        ),
    )

    @staticmethod
    def order(params: Any) -> Order:
        D, NW = params.digits, params.NW
        for i in range(D):
            yield "qY", (i,)
            for j in range(NW):
                yield from (("Ca", (i, j + 1)), ("Sa", (i, j)))
                if j == 0:
                    yield "qp", (i,)
                yield from (("Cb", (i, j + 1)), ("Sb", (i, j)))
                if j > 0:
                    yield "S", (i, j - 1)
            yield "S", (i, NW - 1)
        yield from (("Sfinal", ()), ("sub", ()), ("Z", ()))
