# SPDX-License-Identifier: Apache-2.0
"""Barrett's reduction of one integer."""

from collections.abc import Set
from typing import Any

from limbtrace.refmodels.papers.barrett import barrett_reduce
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, once


def order_of_steps(params: Any) -> Order:
    yield from once("x x1 y qhat xlow qplow rhat")
    for i in range(1, params.corrections + 1):
        yield from (("corr", (i,)), ("R", (i,)))
    yield from once("q r")


def absent_steps(params: Any) -> Set[str]:
    return set() if params.corrections else {"corr", "R"}


MUTATIONS = (
    Mutation(pattern="x1 := x >> params.dropped", replacement="x1 := x >> params.dropped & ~1", first="x1",
             part="barrett"),
    Mutation(pattern="y := x1 * params.mu", replacement="y := x1 * (params.mu + 1)", first="y", part="barrett"),
    Mutation(pattern="qhat := y >> params.shift", replacement="qhat := (y >> params.shift) + 1", first="qhat",
             part="barrett"),
    Mutation(pattern="xlow := x & mask", replacement="xlow := x & mask >> 1", first="xlow", part="barrett"),
    Mutation(pattern="qplow := qhat * p & mask", replacement="qplow := qhat * p & mask >> 1", first="qplow",
             part="barrett"),
    Mutation(pattern="rhat := xlow + (mask + 1) - qplow & mask", replacement="rhat := xlow + mask - qplow & mask",
             first="rhat", part="barrett"),
    Mutation(pattern="subtract(rest, p, ", replacement="subtract(rest, p + 1, ", first="corr", part="barrett"),
    Mutation(pattern="        q = q + corr\n", replacement="", first="q", part="barrett"),
    Mutation(pattern='yield "r", (), rest', replacement='yield "r", (), rest | 1', first="r", part="barrett"),
)  # fmt: skip


class TestBarrettReduce(Conformance):
    model = barrett_reduce.MODEL
    count = 40
    shapes = (
        Shape(61, {}),
        Shape(1024, {"below": "2^(N+3)"}),
        Shape(2**31 - 1, {"beta": 1, "alpha": 31}),
        Shape(2**64 - 59, {"beta": -64, "alpha": 64}),
        Shape(2**255 - 19, {"below": "2^(2*N)", "width": 300}),
    )
    mutations = MUTATIONS

    @staticmethod
    def order(params: Any) -> Order:
        return order_of_steps(params)

    @staticmethod
    def absent(params: Any) -> Set[str]:
        return absent_steps(params)
