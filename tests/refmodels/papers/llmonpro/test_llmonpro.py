# SPDX-License-Identifier: Apache-2.0
"""LLMonPro, three redundant products in a row: Algorithms 5 and 7."""

from typing import Any

from limbtrace.refmodels.papers.llmonpro import llmonpro
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, digits_of


class TestLlmonpro(Conformance):
    model = llmonpro.MODEL
    shapes = (
        Shape(61, {"d": 3}),
        Shape(1023, {"d": 4}),
        Shape(2**12 - 1, {"d": 4}),
        Shape(0xEA7, {"d": 4}),
        Shape(2**31 - 1, {"d": 8}),
        Shape(2**64 - 59, {"d": 16}),
    )
    mutations = (
        Mutation(pattern="ozturk.product([*T[:k], 0], M_", replacement="ozturk.product([*T[: k + 1]], M_", first="Q"),
        Mutation(
            pattern="ozturk.product([*T[:k], 0], M_",
            replacement="ozturk.product([*(t & low for t in T[:k]), 0], M_",
            first="Q",
        ),
        Mutation(pattern="ozturk.product([*Q[:k], 0], M,", replacement="ozturk.product([*Q[: k + 1]], M,", first="S"),
        Mutation(pattern="S[k - 1] + 3) >> d if", replacement="S[k - 1]) >> d if", first="carry"),
        Mutation(pattern=") >> d if params.corrected else", replacement=") >> d if False else", first="carry"),
        Mutation(pattern="E = [T[k] + carry,", replacement="E = [T[k] + (carry & 1),", first="E"),
        Mutation(pattern="for i in range(summed):", replacement="for i in range(1, summed):", first="E"),
        Mutation(pattern="E[i] + S[k + i]", replacement="E[i] | S[k + i]", first="E"),
        Mutation(pattern="(E[i - 1] >> d)", replacement="(E[i - 1] >> d & 1)", first="Z"),
        Mutation(pattern="Z = [E[0] & low,", replacement="Z = [E[0],", first="Z"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        k = params.k
        yield from digits_of(*((name, 2 * k + 3) for name in "TQS"))
        yield "carry", ()
        yield from digits_of(("E", k + 1), ("Z", k + 1))
