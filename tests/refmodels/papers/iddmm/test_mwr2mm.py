# SPDX-License-Identifier: Apache-2.0
"""MWR2MM, bit by bit of X and word by word of Y: figure 2."""

from typing import Any

from limbtrace.refmodels.papers.iddmm import mwr2mm
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape


class TestMwr2mm(Conformance):
    model = mwr2mm.MODEL
    shapes = (
        Shape(61, {"w": 2}),
        Shape(1023, {"w": 4}),
        Shape(2**12 - 1, {"w": 4}),
        Shape(0xEA7, {"w": 4}),
        Shape(2**31 - 1, {"w": 8}),
        Shape(2**64 - 59, {"w": 16}),
    )
    mutations = (
        Mutation(pattern="s = Ca + x[i] * Y[j] + S[j]", replacement="s = x[i] * Y[j] + S[j]", first="Sa"),
        Mutation(pattern="par := Sa & 1", replacement="par := S[0] & 1", first="par"),
        Mutation(pattern="s = Cb + par * p[j] + Sa", replacement="s = par * p[j] + Sa", first="Sb"),
        Mutation(pattern="s = Cb + par * p[j] + Sa", replacement="s = Cb + (Sa & 1) * p[j] + Sa", first="Sb"),
        Mutation(pattern="(Cb := s >> w)", replacement="(Cb := s >> (w + 1))", first="Cb"),
        Mutation(pattern="((S[j] & 1) << (w - 1)) | (S[j - 1] >> 1)", replacement="(S[j - 1] >> 1)", first="S"),
        Mutation(
            pattern="((S[j] & 1) << (w - 1)) | (S[j - 1] >> 1)",
            replacement="((S[j] >> (w - 1)) << (w - 1)) | (S[j - 1] >> 1)",
            first="S",
        ),
        Mutation(pattern="        S[e] = 0\n", replacement="", first="Sa"),
        Mutation(pattern="S[e] = 0\n", replacement="S[e] = S[e - 1] = 0\n", first="Sa"),
        Mutation(pattern="join(S[:e], w)", replacement="join(S[:e - 1], w)", first="Z"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        bits, e = params.bits, params.e
        for i in range(bits):
            yield "x", (i,)
            for j in range(e + 1):
                yield from (("Ca", (i, j + 1)), ("Sa", (i, j)))
                if j == 0:
                    yield "par", (i,)
                yield from (("Cb", (i, j + 1)), ("Sb", (i, j)))
                if j > 0:
                    yield "S", (i, j - 1)
        yield "Z", ()
