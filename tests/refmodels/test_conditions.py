# SPDX-License-Identifier: Apache-2.0
"""Conditions as terms say of all operands what they say of integers."""

import dataclasses
import random
from collections.abc import Callable
from typing import Any

import pytest

from limbtrace.refmodels.expr import field, value_of
from limbtrace.refmodels.predicates import MOST_PATHS, Paths, SymbolicRun, SymbolicValue, below, equal
from limbtrace.refmodels.program import ordered
from limbtrace.vectors.request import Multiplier
from tests.refmodels.test_events import SMALL, multiplier

X, Y = field("x", 0, 4, 11), field("y", 0, 3, 7) - 3
"""0 to 11 and -3 to 4."""
BRANCHING = {("redundant", 5)}
"""Model and overlap of shapes whose loop branches on operands."""


def value(term: Any, **operands: int) -> int:
    """The value of an int or a term, by Python's integers."""
    values: dict[int, int] = {}

    def known(each: Any) -> int:
        return each if isinstance(each, int) else values[id(each)]

    for each in ordered([term]):
        values[id(each)] = value_of(each, known, operands)
    return known(term)


def pairs(m: Multiplier, count: int) -> list[tuple[int, int]]:
    """Drawn operands."""
    draw, (a_max, b_max) = random.Random(1), m.params.limits
    largest = m.model.largest_b or (lambda params, a: b_max)
    found = []
    for _ in range(count):
        a = draw.randint(0, a_max)
        found.append((a, min(draw.randint(0, b_max), largest(m.params, a))))
    return found


CONDITIONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
    "== 4": lambda x, y: x == 4,
    "== -3": lambda x, y: y == -3,
    "0 ==": lambda x, y: 0 == x,  # noqa: SIM300
    "&": lambda x, y: (x > 3) & (y < 2),
    "|": lambda x, y: (x > 3) | (y < 2) | False,
    "and": lambda x, y: x > 3 and y < 2,
    "or": lambda x, y: x > 3 or y < 2 or x == y,
    "not": lambda x, y: not x,
    "chain": lambda x, y: -2 < y <= x < 9,
    "if": lambda x, y: (x + 1 if y > 0 else x - y) == 7,
    "max": lambda x, y: max(x, y, 2) * 3 > 10,
    "floor": lambda x, y: y // 3 == -1,
    "remainder": lambda x, y: (y - x) % 5 == 2,
    "quotient": lambda x, y: 40 // max(x, 1) == 8,
    "other": lambda x, y: (1 << 4) - x ^ 3 == (-y << 1) + (x >> 1),
    "number": lambda x, y: x & 6,
}  # fmt: skip


@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions_on_small_numbers(name: str) -> None:
    condition, paths = CONDITIONS[name], Paths()
    x, y = SymbolicValue(X, paths), SymbolicValue(Y, paths)
    judged = paths.judged(lambda: condition(x, y))
    seen = set()
    for a in range(12):
        for b in range(8):
            holds = bool(condition(a, b - 3))
            assert value(judged, x=a, y=b) == holds, (a, b - 3)
            seen.add(holds)
    assert seen == {True, False}


def test_ranges_decide() -> None:
    assert (below(X, 12), below(12, X), below(Y, -3), equal(X, -1), equal(X, X), equal(4, 4)) == (1, 0, 0, 0, 1, 1)


def test_what_no_term_says() -> None:
    paths = Paths()
    x: Any = SymbolicValue(X, paths)
    for condition in (lambda: range(x), lambda: 1 << x, lambda: x.dtype, lambda: int(x) > 1):
        with pytest.raises(TypeError):
            paths.judged(condition)
    with pytest.raises(TypeError, match=f"more than {MOST_PATHS} ways"):
        paths.judged(lambda: bool([each for each in range(9) if x == each]))


@pytest.mark.parametrize(
    ("name", "modulus", "given"), [(name, *shape) for name, shapes in SMALL.items() for shape in shapes]
)
def test_events_and_claims_of_models(name: str, modulus: int | None, given: dict[str, Any]) -> None:
    """Events are judged as on integers, and claims hold; few of them have no term."""
    m = multiplier(name, modulus, given)
    if (name, given.get("overlap")) in BRANCHING:
        with pytest.raises(TypeError):
            SymbolicRun(m.model, m.params)
        return
    run, drawn = SymbolicRun(m.model, m.params), pairs(m, 8)
    runs = [m.model.run(m.params, *pair) for pair in drawn]
    assert all(value(run.accepted, a0=a, b0=b) for a, b in drawn)
    without = 0
    for event in m.model.events:
        for index in [*event.where(m.params)][::3]:
            try:
                judged = run.happens(event, index)
            except TypeError:
                without += 1
                continue
            for (a, b), product in zip(drawn, runs, strict=True):
                assert value(judged, a0=a, b0=b) == bool(event.happens(product, index)), event.label(index)
    for claim in m.model.claims:
        try:
            judged = run.broken(claim)
        except TypeError:
            without += 1
            continue
        assert not any(value(judged, a0=a, b0=b) for a, b in drawn), claim
    assert without <= 7


def test_a_wrong_claim_is_broken_where_it_is() -> None:
    m = multiplier("iddmm2", 13, {"k": 2})
    run = SymbolicRun(m.model, m.params)
    claim = next(each for each in m.model.claims if each.name == "range of C")
    wrong = dataclasses.replace(claim, holds=lambda run, index, value: value <= 4 or index != (1, 2))
    judged = run.broken(wrong)
    seen = set()
    for a, b in pairs(m, 200):
        broken = m.model.run(m.params, a, b).at("C", 1, 2) > 4
        assert value(judged, a0=a, b0=b) == broken
        seen.add(broken)
    assert seen == {True, False}


def test_a_pair_that_a_model_does_not_accept() -> None:
    m = multiplier("barrett", 13, {"k": 9})
    accepted = SymbolicRun(m.model, m.params).accepted
    assert [value(accepted, a0=a, b0=b) for a, b in ((0, 511), (1, 511), (2, 255), (2, 256), (511, 2))] == [
        1,
        1,
        1,
        0,
        0,
    ]
