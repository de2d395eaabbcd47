# SPDX-License-Identifier: Apache-2.0
"""Montgomery's product for any R = 2^r."""

from typing import Any

import pytest

from limbtrace.refmodels.papers.textbook import montgomery
from limbtrace.refmodels.registry import MODELS
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, once


class TestMontgomery(Conformance):
    model = montgomery.MODEL
    shapes = (
        Shape(61, {}),
        Shape(1023, {"below": "2*p", "r": 12}),
        Shape(0xEA7, {"final": "unreduced"}),
        Shape(0xEA7, {"r": 5, "below": "2^N"}),
        Shape(2**64 - 59, {"r": 64, "below": "2^N"}),
        Shape(2**255 - 19, {"r": 256}),
    )
    mutations = (
        Mutation(pattern="(T := a * b)", replacement="(T := a * (b & ~1))", first="T"),
        Mutation(
            pattern="params.negative_inverse & low)", replacement="params.negative_inverse & low >> 1)", first="m"
        ),
        Mutation(pattern="(T + m * p) >> params.r", replacement="(T >> params.r) + (m * p >> params.r)", first="t"),
        Mutation(pattern="subtract(t, p, ", replacement="subtract(t, p + 1, ", first="sub"),
        Mutation(pattern="sub := t // p", replacement="sub := (t >= p) * 1", first="sub"),
        Mutation(pattern="t - sub * p", replacement="t - (sub & 1) * p", first="Z"),
    )  # fmt: skip

    @staticmethod
    def order(params: Any) -> Order:
        return once("T m t sub Z" if params.reduces else "T m t")

    @staticmethod
    def absent(params: Any) -> set[str]:
        return set() if params.reduces else {"sub", "Z"}


@pytest.mark.parametrize("final", ["reduced", "unreduced"])
def test_every_product_of_small_moduli(final: str) -> None:
    """For R above and below p, over all operands, also beyond p."""
    for p in range(3, 16, 2):
        for r in range(1, 7):
            for below in ("p", "2*p"):
                params = montgomery.MODEL.resolve(p, {"r": r, "below": below, "final": final})
                for a in range(params.limits[0] + 1):
                    for b in range(params.limits[1] + 1):
                        run = montgomery.MODEL.run(params, a, b)
                        assert (run.result * 2**r - a * b) % p == 0
                        assert run.result < params.result_limit
                        assert final == "unreduced" or run.result < p
                        assert not list(montgomery.MODEL.violations(run))


def test_it_is_monpro_and_r2mm_where_r_is_theirs() -> None:
    p = 2**61 - 1
    params = montgomery.MODEL.resolve(p, {})
    for name in ("monpro", "r2mm"):
        other = MODELS[name].resolve(p, {})
        for corner in MODELS[name].corners(other):
            if max(corner.a, corner.b) < p:
                assert MODELS[name].result(other, corner.a, corner.b) == montgomery.MODEL.result(
                    params, corner.a, corner.b
                )


def test_an_unreduced_result_stays_below_2p_with_two_bits_more() -> None:
    """R > 4p: results below 2p are operands below 2p."""
    params = montgomery.MODEL.resolve(2**61 - 1, {"r": 63, "below": "2*p", "final": "unreduced"})
    assert params.result_limit <= 2 * params.modulus
    assert montgomery.MODEL.resolve(2**61 - 1, {"r": 62, "below": "2*p", "final": "unreduced"}).result_limit > 2**62 - 2
