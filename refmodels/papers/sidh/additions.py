# SPDX-License-Identifier: Apache-2.0
"""The additions and subtractions of Algorithm 1 of the SIDH paper, with the bits that each needs.

The paper says that HFFM has fewer than FFM1 and FFM2, and lists none. These are those of the algorithm with Karatsuba's
product, and those of the last steps, which it lacks; an adder may take several cycles for one of them.
"""

from collections.abc import Callable
from typing import NamedTuple

from limbtrace.refmodels.architecture import Cost, Shape
from limbtrace.refmodels.papers.sidh.hffm.algorithm import Hffm


class Addition(NamedTuple):
    """A sum or a difference of two values."""

    operation: str
    where: str
    most: Callable[[Hffm], int]
    """Largest value of its operands and its result; of `rhat`, which is found modulo a power of 2, of the result."""
    last: bool = False
    """True if it belongs to the last steps, for results in [0, p)."""


def _cross(p: Hffm) -> int:
    return 2 * ((1 << p.a) - 1) * (p.D - 1)


def _sum(p: Hffm) -> int:
    return (1 << p.a) + p.D - 2


ADDITIONS = (
    Addition("a1 + a2", "line 3", _sum),
    Addition("b1 + b2", "line 3", _sum),
    Addition("(a1+a2)(b1+b2) - a1b1", "line 3", lambda p: _sum(p) ** 2),
    Addition("that - a2b2 = a1b2+a2b1", "line 3", lambda p: _cross(p) + (p.D - 1) ** 2),
    Addition("c2 = a2b2 + m1", "line 4", lambda p: p.D**2 - 1),
    Addition("c2 + u", "line 5", lambda p: p.D**2 + p.D - 3),
    Addition("c1 = q1 + m2", "line 6", lambda p: 2 * (1 << p.a) - 3),
    Addition("c1 + v", "line 7", lambda p: 3 * (1 << p.a) - 4),
    Addition("rhat = c2 - qhat*D", "line 8", lambda p: (p.barrett.corrections + 1) * p.D - 1),
    Addition("rhat - D", "line 8", lambda p: (p.barrett.corrections + 1) * p.D - 1),
    Addition("c1 + q", "line 8", lambda p: 3 * (1 << p.a) - 4 + p.D),
    Addition("c2 + carry", "line 9", lambda p: min(2 * p.D - 2, p.D - 1 + p.carry_limit)),
    Addition("c2 - D", "after line 9", lambda p: min(2 * p.D - 2, p.D - 1 + p.carry_limit), last=True),
    Addition("c1 + 1", "after line 9", lambda p: 1 << p.a, last=True),
)


def additions(shape: Shape) -> tuple[Addition, ...]:
    """Those of a multiplier with or without the last steps."""
    return tuple(entry for entry in ADDITIONS if shape.own["normalise"] or not entry.last)


def bits(entry: Addition, params: Hffm) -> int:
    """Bits that the addition needs."""
    return entry.most(params).bit_length()


def _listed(entry: Addition) -> Cost:
    return Cost(
        f"adder of {entry.operation}", "bits", f"{entry.where}: bits of the largest value",
        lambda shape: bits(entry, shape.params) if entry in additions(shape) else 0,
    )  # fmt: skip


COSTS = (
    Cost(
        "additions", "of a product", "12 of Algorithm 1, and 2 of the last steps with normalise",
        lambda shape: len(additions(shape)),
    ),
    *map(_listed, ADDITIONS),
)  # fmt: skip
"""Their number, and the bits of each; 0 for one that the multiplier does not have."""
