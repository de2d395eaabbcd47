# SPDX-License-Identifier: Apache-2.0
"""a mod p, for every modulus of at least 2 and any bound of a."""

from collections import Counter
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.papers.textbook import reduce
from limbtrace.vectors.operands import operands
from limbtrace.vectors.request import Multiplier, VectorRequest
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, once


class TestReduce(Conformance):
    model = reduce.MODEL
    shapes = (
        Shape(2, {}),
        Shape(61, {}),
        Shape(1024, {"below": "2^(N+3)"}),
        Shape(2**64 - 59, {"below": "4*p^2"}),
        Shape(2**255 - 19, {"below": "2^(2*N)"}),
    )
    mutations = (Mutation(pattern="division(a, ", replacement="division(a & ~1, ", first="t"),)

    @staticmethod
    def order(params: Any) -> Order:
        return once("t q r")


def test_every_integer_of_small_moduli() -> None:
    for p in range(2, 30):
        params = reduce.MODEL.resolve(p, {})
        for a in range(p * p):
            run = reduce.MODEL.run(params, a, 0)
            assert (run.at("q"), run.result) == divmod(a, p)
        with pytest.raises(ParameterError, match="outside"):
            reduce.MODEL.check_operands(params, p * p, 0)


@pytest.mark.parametrize("kind", ["mixed", "random", "edge", "runs", "lazy", "directed", "events"])
def test_every_kind_reaches_the_whole_range(kind: str) -> None:
    """Operands below the modulus are their own residues, and every wire is right for them."""
    multiplier = Multiplier.resolve("reduce", "p256", {})
    drawn = [int(a) for a, _, _ in operands(VectorRequest.resolve(multiplier, 60, 1, kind))]
    sizes = Counter(a.bit_length() > 256 for a in drawn)
    assert sizes[True] > 15
    assert max(drawn).bit_length() == 512
    assert max(drawn) < multiplier.modulus.modulus**2
