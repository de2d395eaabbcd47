# SPDX-License-Identifier: Apache-2.0
"""a*b mod p, for every modulus of at least 2."""

from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.papers.textbook import modmul
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape, once


class TestModmul(Conformance):
    model = modmul.MODEL
    shapes = (
        Shape(2, {}),
        Shape(61, {}),
        Shape(1024, {"below": "2*p"}),
        Shape(2**31 - 2, {}),
        Shape(2**64 - 59, {"below": "2^N"}),
        Shape(2**255 - 20, {}),
    )
    mutations = (
        Mutation(pattern="division(a * b, ", replacement="division(a * (b & ~1), ", first="t"),
        Mutation(pattern="q := t // p", replacement="q := (t - (t > 0)) // p", first="q"),
        Mutation(pattern="t - q * p", replacement="t - (q - (q > 0)) * p", first="r"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        return once("t q r")


def test_every_product_of_small_moduli() -> None:
    """Even and odd ones, over all operands and beyond p."""
    for p in range(2, 20):
        for below in ("p", "2*p", "2^N"):
            params = modmul.MODEL.resolve(p, {"below": below})
            for a in range(params.limits[0] + 1):
                for b in range(params.limits[1] + 1):
                    run = modmul.MODEL.run(params, a, b)
                    assert run.result == a * b % p
                    assert not list(modmul.MODEL.violations(run))


@pytest.mark.parametrize(
    ("below", "reason"),
    [
        ("1", "1 leaves no operand but 0; it must be at least 2"),
        ("p - 61", "0 leaves no operand but 0; it must be at least 2"),
        ("2*q", "there is no 'q', only p, N"),
        ("2p", "'p' cannot follow '2'"),
        ("p/2", "character '/' is not part of an integer expression, which has only digits, 0x digits, "
                "+ - * // % ^ ** << >> ( ), mod, max and min"),
        ("2^99999", "a bound of 100000 bits is wider than 65536 bits"),
    ],
)  # fmt: skip
def test_bounds_in_one_sentence(below: str, reason: str) -> None:
    with pytest.raises(ParameterError) as error:
        modmul.MODEL.resolve(61, {"below": below})
    assert (error.value.parameter, error.value.reason) == ("below", reason)


def test_bounds_are_written_without_blanks() -> None:
    params = modmul.MODEL.resolve(61, {"below": " 2 * p + 1 "})
    assert (params.below, params.limits) == ("2*p+1", (122, 122))
