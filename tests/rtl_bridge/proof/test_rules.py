# SPDX-License-Identifier: Apache-2.0
"""Each rule that simplifies terms is the plain operation, for all values at widths up to 6, as two solvers find."""

from collections import deque
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from limbtrace.rtl_bridge.proof.bitvector import TermPool
from tests.rtl_bridge.proof.rules.branches import Branch, branches, gone_through, statements
from tests.rtl_bridge.proof.rules.operands import Operands
from tests.rtl_bridge.proof.rules.recorded import Question, RecordingPool
from tests.rtl_bridge.proof.rules.solvers import SOLVERS
from tests.rtl_bridge.proof.rules.table import RULES, Rule
from tests.sample import full


def _call(shapes: Callable[[Operands], object], operands: Operands) -> None:
    made = shapes(operands)
    if isinstance(made, Iterator):
        deque(made, 0)


@cache
def asked(width: int, *methods: str) -> list[Question]:
    """What is to be proved at a width, of the rules of some methods or of all of them.

    It is one question, and one for each of the shapes that take something for granted.
    """
    shared = RecordingPool()
    questions = []
    rules = [rule for rule in RULES if width in rule.widths and (not methods or rule.method in methods)]
    for shapes in dict.fromkeys(rule.shapes for rule in rules):
        own = RecordingPool()
        _call(shapes, Operands(own, width))
        if own.assumed:
            questions.append(Question(own))
        else:
            _call(shapes, Operands(shared, width))
    return [Question(shared), *questions]


def branch_of(rule: Rule) -> Branch:
    """The branch that a rule names: in full, or by its beginning, which no other one has."""
    named = (rule.method, rule.branch)
    if named in branches():
        return named
    (found,) = [each for each in branches() if each[0] == rule.method and each[1].startswith(rule.branch)]
    return found


@cache
def lines_of(shapes: Callable[[Operands], object], width: int) -> set[int]:
    """The lines of the rules that some shapes go through."""
    return gone_through(lambda: _call(shapes, Operands(TermPool(), width)))


@pytest.mark.budget(6)
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("width", [1, 2, full(3), full(4), full(5), full(6)])
def test_rules_are_plain_operations(width: int, solver: str) -> None:
    for question in asked(width):
        assert not question.broken(SOLVERS[solver])


def test_each_branch_of_a_rule_has_operands() -> None:
    assert {branch_of(rule) for rule in RULES} == set(branches())


@pytest.mark.parametrize("width", [1, 2, full(3), full(4), full(5), full(6)])
def test_operands_go_through_their_branch(width: int) -> None:
    """At each width from the least one on that it is said to have."""
    missed = [
        str(rule)
        for rule in RULES
        if width in rule.widths and lines_of(rule.shapes, width).isdisjoint(branches()[branch_of(rule)])
    ]
    assert not missed


def test_every_statement_of_a_rule_is_executed() -> None:
    lines = set().union(*(lines_of(rule.shapes, 2) for rule in RULES))
    assert not {text for line, text in statements().items() if line not in lines}


def test_a_least_width_is_the_least() -> None:
    """Below it, no operands that a rule has go through its branch."""
    early = [
        str(rule)
        for rule in RULES
        for width in range(1, rule.least)
        if not lines_of(rule.shapes, width).isdisjoint(branches()[branch_of(rule)])
    ]
    assert not early
