# SPDX-License-Identifier: Apache-2.0
"""Facts that the tests of all five methods share."""

from typing import Any

from tests.refmodels.conformance import Order, Shape

SHAPES = (
    Shape(61, {"w": 2}),
    Shape(1023, {"w": 5}),
    Shape(2**12 - 1, {"w": 4}),
    Shape(0xEA7, {"w": 4, "s": 4, "below": "2*p"}),
    Shape(2**31 - 1, {"w": 8, "final": "unreduced", "below": "R"}),
)


def subtraction_order(params: Any) -> Order:
    """The steps of the subtraction, if there is one."""
    if params.subtracts:
        for j in range(params.digits):
            yield from (("B", (j + 1,)), ("D", (j,)))
        yield from (("sub", ()), ("Z", ()))


def without_subtraction(params: Any) -> set[str]:
    """Names that do not occur."""
    return set() if params.subtracts else {"B", "D", "sub", "Z"}
