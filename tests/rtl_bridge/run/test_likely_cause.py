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
    assert "have them together and no other has: x and y" in found.text("x and y")
    overlapping = [(one, bad + passing), (other, [*bad, True, *passing[1:]])]
    assert likely_cause(overlapping, FAILING) is None


@pytest.mark.parametrize(("failing", "passing"), [(1, PASSING), (FAILING, 0), (0, PASSING)])
def test_it_takes_failing_and_passing_products(failing: int, passing: int) -> None:
    assert likely_cause([(place(FIRST, 0), [True] * failing + [False] * passing)], failing) is None


@pytest.mark.parametrize(("failing", "passing", "number"), [(2, 12, 60), (3, 40, 30), (6, 9, 200)])
def test_events_of_chance_are_doubtful_and_no_pair(failing: int, passing: int, number: int) -> None:
    """Events of any frequency that have nothing to do with failing: some divide the products, and chance is said."""
    said = 0
    for seed in range(40):
        draw = Random(seed)
        chances = [draw.random() for _ in range(number)]
        events = [
            (place(FIRST, k), [draw.random() < p for _ in range(failing + passing)]) for k, p in enumerate(chances)
        ]
        found = likely_cause(events, failing)
        assert found is None or found.doubtful
        said += found is not None
    assert failing > 2 or said > 0, "none of these draws can fail"


def test_a_few_products_leave_a_doubt() -> None:
    """The second failing product is one of 13 or of 513 that might have the event."""
    for passing, doubtful in ((12, True), (512, False)):
        found = likely_cause([(place(FIRST, 0), [True] * 2 + [False] * passing)], 2)
        assert found == LikelyCause("each", (place(FIRST, 0).label,), doubtful)
        front = "possible cause, perhaps by chance" if doubtful else "likely cause"
        assert found.text("x") == f"{front}, since all failing products have it and no other: x"


def test_pairs_that_the_other_failing_products_rule_out_count_as_tried() -> None:
    """Two of 80 events of the first product: the others are compared as well, though only two are left at the end."""
    failing, passing = 3, 200
    pair = [(place(FIRST, k), [True] * failing + [at % 2 == k for at in range(passing)]) for k in (0, 1)]
    others = [(place(SECOND, k), [True] + [False] * (failing + passing - 1)) for k in range(78)]
    assert likely_cause(pair, failing) is not None
    assert likely_cause(pair + others, failing) is None
