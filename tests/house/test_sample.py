# SPDX-License-Identifier: Apache-2.0
"""Which tests of a slow function `./run test` runs."""

import math

from hypothesis import given
from hypothesis import strategies as st

from tests.parts import function
from tests.sample import BUDGET, FILE_BUDGET, SLOW, within_budget

SIZES = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 30), min_size=1)
SECONDS = st.floats(0, 40)


@given(SIZES, st.dictionaries(st.sampled_from("abcdef"), SECONDS), st.sampled_from([0, BUDGET, 20, math.inf]))
def test_as_many_as_the_budget_allows(sizes: dict[str, int], durations: dict[str, float], budget: float) -> None:
    """At least one, the first; all where a test is fast, or all of them fit."""
    budgets = {f"{name}[{case}]": budget for name, size in sizes.items() for case in range(size)}
    chosen = within_budget(budgets, durations)
    for name, size in sizes.items():
        taken, seconds = [id for id in chosen if function(id) == name], durations.get(name, 0)
        assert f"{name}[0]" in taken
        if seconds < SLOW or seconds * size <= budget:
            assert len(taken) == size
        else:
            assert len(taken) == max(1, min(size, int(budget / seconds)))


@given(st.dictionaries(st.sampled_from([f"test_a.py::{name}" for name in "abcdef"]), SECONDS, min_size=1))
def test_slow_functions_of_a_file(durations: dict[str, float]) -> None:
    """The fastest of them run, one at least; fast ones and marked ones all run."""
    chosen = within_budget(dict.fromkeys(durations, BUDGET), durations)
    slow = sorted(seconds for seconds in durations.values() if seconds >= BUDGET)
    taken = sorted(durations[name] for name in chosen if durations[name] >= BUDGET)
    assert {name for name, seconds in durations.items() if seconds < BUDGET} <= chosen
    assert taken == slow[: len(taken)]
    assert len(taken) >= min(1, len(slow))
    assert len(taken) < 2 or sum(taken) <= FILE_BUDGET
    assert len(taken) == len(slow) or sum(slow[: len(taken) + 1]) > FILE_BUDGET
    assert within_budget(dict.fromkeys(durations, math.inf), durations) == {*durations}


def test_the_others_do_not_depend_on_what_else_there_is() -> None:
    """Parameters are neither taken in order nor drawn anew when there is one more."""
    few, more = ({f"f[{case}]": 9.0 for case in range(size)} for size in (20, 21))
    chosen = within_budget(few, {"f": 1.0})
    assert chosen != {f"f[{case}]" for case in range(9)}
    assert len(chosen - within_budget(more, {"f": 1.0})) <= 1
