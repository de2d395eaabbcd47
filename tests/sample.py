# SPDX-License-Identifier: Apache-2.0
"""What of slow tests `./run test` runs; the full matrix runs all.

The tests of one function have a budget of processor time. A function with slow parameters that takes longer, as
`durations.txt` says, is tried with as many of them as the budget allows. Which they are depends on their names alone,
so that they are the same on every machine, and no row of a table of parameters is preferred.

The slow functions of one file have a budget, too. The fastest of them run, as many as it allows, and one at least.
A function that has to run whatever it takes is marked with a budget of its own.
"""

import math
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from zlib import crc32

import pytest

from tests.parts import function, read_durations

FULL = "LIMBTRACE_FULL" in os.environ
"""Whether the full matrix was requested (`./run test --full`)."""
BUDGET = 1.5
"""Processor seconds of all tests of a function, unless it is marked with another `budget`."""
FILE_BUDGET = 4.0
"""Processor seconds of all functions of a file that take BUDGET or more, but for those that are marked."""
SLOW = 0.4
"""Processor seconds of a test; functions with faster ones have no budget: they are tables of vectors and errata."""


def within_budget(budgets: Mapping[str, float], durations: Mapping[str, float]) -> set[str]:
    """The tests, by id, that are run: of a slow function the first one, and what else its budget allows.

    `budgets` are those of the functions of all tests, by the id of the test.
    """
    by_function: dict[str, list[str]] = defaultdict(list)
    for id in budgets:
        by_function[function(id)].append(id)
    chosen: dict[str, set[str]] = {}
    slow: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for name, (first, *others) in by_function.items():
        seconds, budget = durations.get(name, 0.0), budgets[first]
        more = len(others)
        if seconds >= SLOW and seconds * (1 + more) > budget:
            more = max(int(budget / seconds) - 1, 0)
        chosen[name] = {first, *sorted(others, key=lambda id: crc32(id.encode()))[:more]}
        if budget == BUDGET and seconds * (1 + more) >= BUDGET:
            slow[name.partition("::")[0]].append((seconds * (1 + more), name))
    for functions in slow.values():
        for name in _beyond(FILE_BUDGET, sorted(functions)):
            del chosen[name]
    return set().union(*chosen.values())


def _beyond(budget: float, functions: Sequence[tuple[float, str]]) -> Iterator[str]:
    """The names of functions, fastest first, that a budget does not reach; it reaches the first one."""
    total = 0.0
    for number, (seconds, name) in enumerate(functions):
        total += seconds
        if number and total > budget:
            yield name


def budget_of(item: pytest.Item) -> float:
    """What the function of a test is marked with."""
    marker = item.get_closest_marker("budget")
    if marker is None:
        return BUDGET
    return float(marker.args[0]) if marker.args else math.inf


def full(value: Any) -> Any:
    """One value, or a tuple of them for as many names, that is tried with --full alone."""
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.full)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselects what the full matrix alone runs. Where a test or a keyword is named, no budget counts."""
    if FULL:
        return
    budgets = {item.nodeid: budget_of(item) for item in items if not item.get_closest_marker("full")}
    named = config.option.keyword or any("::" in argument for argument in config.args)
    chosen = budgets if named else within_budget(budgets, read_durations())
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in chosen])
    items[:] = [item for item in items if item.nodeid in chosen]
