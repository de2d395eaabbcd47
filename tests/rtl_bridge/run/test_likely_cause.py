# SPDX-License-Identifier: Apache-2.0
"""The likely cause of failing products: a single event, one at any place, two together, and nothing by chance."""

from random import Random
from typing import Any

import pytest

from limbtrace.refmodels.event import Event
from limbtrace.refmodels.event_search import Place
from limbtrace.refmodels.registry import model
from limbtrace.rtl_bridge.run.likely_cause import LikelyCause, likely_cause

EVENTS = {event.name: event for event in model("iddmm2").events}
FIRST, SECOND, THIRD = list(EVENTS.values())[:3]
FAILING, PASSING = 4, 60


def place(event: Event[Any], *index: int) -> Place[Any]:
    return Place(event, index)


def hits(*failing: bool, good: int = 0) -> list[bool]:
    """One that failing products have as given, and so many of the passing ones."""
    return [*failing, *([True] * good), *([False] * (PASSING - good))]


ALL = hits(*[True] * FAILING)


def test_an_event_at_its_place() -> None:
    found = likely_cause([(place(FIRST, 1), ALL), (place(SECOND, 0), hits(*[True] * FAILING, good=1))], FAILING)
    assert found == LikelyCause("each", (place(FIRST, 1).label,))


def test_an_event_at_any_place() -> None:
    """No place alone: each product has it at another one."""
    by_place = [(place(FIRST, k), hits(*(k == number for number in range(FAILING)))) for k in range(FAILING)]
    assert likely_cause(by_place, FAILING) == LikelyCause("any", (FIRST.name,))
    with_a_good_one = [*by_place, (place(FIRST, 9), hits(*[False] * FAILING, good=1))]
    assert likely_cause(with_a_good_one, FAILING) is None


def test_two_events_together() -> None:
    passing = [k % 2 == 0 for k in range(PASSING)]
    bad = [True] * FAILING
    one, other = place(FIRST, 0), place(SECOND, 0)
    together = [(one, bad + passing), (other, bad + [not seen for seen in passing]), (place(THIRD, 0), bad + passing)]
    found = likely_cause(together, FAILING)
    assert found == LikelyCause("all", (one.label, other.label))
    assert "have both and no other has: x and y" in found.text("x and y")
    overlapping = [(one, bad + passing), (other, [*bad, True, *passing[1:]])]
    assert likely_cause(overlapping, FAILING) is None


@pytest.mark.parametrize(("failing", "passing"), [(1, PASSING), (FAILING, 0), (0, PASSING)])
def test_it_takes_failing_and_passing_products(failing: int, passing: int) -> None:
    assert likely_cause([(place(FIRST, 0), [True] * failing + [False] * passing)], failing) is None


def test_events_of_chance_are_no_pair() -> None:
    """Many events that happen in a quarter of all products: two of them are always somewhere apart."""
    for seed in range(20):
        draw = Random(seed)
        events = [(place(FIRST, k), [True] * 2 + [draw.random() < 0.1 for _ in range(12)]) for k in range(60)]
        found = likely_cause(events, 2)
        assert found is None or found.kind != "all"
