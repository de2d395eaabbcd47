# SPDX-License-Identifier: Apache-2.0
"""Interleaved multiplication, bit by bit and digit by digit."""

from typing import Any

import pytest

from limbtrace.refmodels.papers.blakley import blakley
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape

MODEL = blakley.MODEL


class TestBlakley(Conformance):
    model = MODEL
    shapes = (
        Shape(13, {}),
        Shape(1000, {"r": 2}),
        Shape(2**64 - 59, {"r": 3}),
        Shape(2**255 - 19, {"r": 8, "n": 33}),
    )
    mutations = (
        Mutation(pattern="enumerate(reversed(a))", replacement="enumerate(a)", first="d"),
        Mutation(pattern="(S << params.r) + digit * b", replacement="(S << params.r) + (digit & 1) * b", first="T"),
        Mutation(pattern="(S << params.r) + digit", replacement="(S << 1) + digit", first="T"),
        Mutation(pattern="T // p", replacement="(T - 1) // p", first="q"),
        Mutation(pattern="T % p", replacement="(T % p) ^ (T // p >> 1)", first="S"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        return ((name, (i,)) for i in range(params.n) for name in ("d", "T", "q", "S"))


@pytest.mark.parametrize(("p", "r"), [(2, 1), (3, 2), (13, 1), (16, 1), (29, 2), (31, 3)])
def test_every_product_of_small_moduli(p: int, r: int) -> None:
    """Every claim for all operands, and the most subtractions are made where a and b are as large as they can be."""
    params = MODEL.resolve(p, {"r": r})
    most = 0
    for a in range(params.limits[0] + 1):
        for b in range(params.limits[1] + 1):
            run = MODEL.run(params, a, b)
            assert not list(MODEL.violations(run))
            most = max(most, *(run.at("q", i) for i in range(params.n)))
    assert most <= params.most_subtractions <= 2 ** (r + 1) - 2
