# SPDX-License-Identifier: Apache-2.0
"""Products that stand for every sequence of products of the bench, and what is counted of them."""

from dataclasses import dataclass, replace

from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.proof.bench import STALL_SEED
from limbtrace.rtl_bridge.run.spacing import stalled_turns, turns
from limbtrace.vectors.proof import ProductName

FIRST: ProductName = "first"
"""The product after a reset, with anything in the registers of the core before it."""
NEXT: ProductName = "next"
"""One after others, with anything in the registers that held data."""
BEHIND: ProductName = "behind"
"""One that starts right after another one is done."""
STREAM: ProductName = "stream"
"""One of several in flight."""
COUNTED = ("same", "sums", "integers", "solved")
"""Counts of a scenario."""
NAMES: dict[ProductName, str] = {
    FIRST: "after a reset",
    NEXT: "after any other product",
    BEHIND: "right behind another product",
    STREAM: "in streams, one with each pattern of stalls",
}
"""In texts."""


@dataclass(frozen=True)
class Scenario:
    """The obligations of one product, counted."""

    name: ProductName
    cycles: int
    """From its start to done."""
    same: int
    sums: int
    integers: int
    solved: int


def count(scenarios: list[Scenario], new: Scenario) -> None:
    """Add a product to the ones of its kind that take as many cycles: from another idle state, after another gap."""
    for number, old in enumerate(scenarios):
        if (old.name, old.cycles) == (new.name, new.cycles):
            scenarios[number] = replace(old, **{how: getattr(old, how) + getattr(new, how) for how in COUNTED})
            return
    scenarios.append(new)


def first_turn(bound: Bound) -> int:
    """The number of a product in front of which the core has time to load."""
    return turns(bound.core.file, behind=False)[0]


def waiting_turn(bound: Bound) -> int:
    """The number of a product that waits longest when it is loaded."""
    return turns(bound.core.file, behind=False)[-1]


def following(bound: Bound) -> list[tuple[ProductName, int]]:
    """The products after the first one, by their kinds and numbers: after any idle time, and after each gap that leaves
    no time to load; of streams, one for each way to stall."""
    if bound.in_order:
        return [(NEXT, turn) for turn in stalled_turns(STALL_SEED)]
    behind = turns(bound.core.file, behind=True) if bound.core.file.again else []
    return [(NEXT, first_turn(bound)), *((BEHIND, turn) for turn in behind)]
