# SPDX-License-Identifier: Apache-2.0
"""Montgomery's reduction of one integer."""

from collections.abc import Set
from typing import Any

from limbtrace.refmodels.papers.textbook import redc
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, once


class TestRedc(Conformance):
    model = redc.MODEL
    shapes = (
        Shape(61, {}),
        Shape(1023, {"r": 12}),
        Shape(0xEA7, {"final": "unreduced"}),
        Shape(0xEA7, {"r": 5, "below": "4*p*R"}),
        Shape(2**255 - 19, {"r": 256}),
        Shape(12289, {"r": 0, "below": "p^2"}),
    )
    mutations = (Mutation(pattern="reduction(params, a)", replacement="reduction(params, a & ~1)", first="m"),)

    @staticmethod
    def order(params: Any) -> Order:
        return once("m t sub Z" if params.reduces else "m t")

    @staticmethod
    def absent(params: Any) -> Set[str]:
        return set() if params.reduces else {"sub", "Z"}


def test_every_integer_of_small_moduli() -> None:
    for p in range(3, 16, 2):
        for r in range(7):
            params = redc.MODEL.resolve(p, {"r": r})
            for T in range(p << r):
                run = redc.MODEL.run(params, T, 0)
                assert run.result < p
                assert (run.result << r) % p == T % p
                assert run.at("sub") <= 1


def test_integers_far_below_the_modulus() -> None:
    """p is subtracted from t with as many bits as p takes, however few t has."""
    for p in (13, 241, 2**64 - 2**32 + 1):
        for below in range(2, 24):
            for r in range(4):
                params = redc.MODEL.resolve(p, {"r": r, "below": str(below)})
                for T in range(below):
                    run = redc.MODEL.run(params, T, 0)
                    assert run.at("sub") == run.at("t") // p
                    assert run.result == T * pow(2, -r, p) % p
