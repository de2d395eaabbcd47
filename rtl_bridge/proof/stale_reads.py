# SPDX-License-Identifier: Apache-2.0
"""Variables that combinational logic reads before it assigns them: the value of an earlier run in some simulators, that
of the end of the run for Yosys."""

from collections.abc import Iterable, Iterator
from typing import Any

from pyslang.ast import (
    ArgumentDirection,
    AssignmentExpression,
    BlockStatement,
    CallExpression,
    CaseStatement,
    ConcatenationExpression,
    ConditionalStatement,
    DoWhileLoopStatement,
    ElementSelectExpression,
    ForeachLoopStatement,
    ForLoopStatement,
    HierarchicalValueExpression,
    ImmediateAssertionStatement,
    MemberAccessExpression,
    NamedValueExpression,
    RangeSelectExpression,
    RepeatLoopStatement,
    StatementList,
    SubroutineSymbol,
    TimedStatement,
    UnaryExpression,
    UnaryOperator,
    VariableDeclStatement,
    WhileLoopStatement,
)

_VALUES = (NamedValueExpression, HierarchicalValueExpression)
_SELECTS = (ElementSelectExpression, RangeSelectExpression, MemberAccessExpression)
_LOOPS = (WhileLoopStatement, DoWhileLoopStatement, RepeatLoopStatement, ForeachLoopStatement)

_Assigned = frozenset[str]
"""Paths of what has been assigned, at least in part, on each way to a statement."""


STEPS = (
    UnaryOperator.Preincrement,
    UnaryOperator.Predecrement,
    UnaryOperator.Postincrement,
    UnaryOperator.Postdecrement,
)
"""Operators that assign."""


def updated(body: Any) -> set[str]:
    """Paths of the variables that a process assigns in terms of their own values, as in `r += 1`."""
    found: set[str] = set()

    def look(node: Any) -> None:
        if isinstance(node, AssignmentExpression) and node.isCompound:
            found.update(leaf.symbol.hierarchicalPath for leaf in _leaves(node.left))
        elif isinstance(node, UnaryExpression) and node.op in STEPS:
            found.update(leaf.symbol.hierarchicalPath for leaf in _leaves(node.operand))

    body.visit(look)
    return found


def stale_reads(body: Any, paths: set[str]) -> dict[str, Any]:
    """Those of the variables with these paths that the body of a process reads before it assigns them.

    A variable of which a part is assigned counts as assigned, and so does one of which a loop assigns an element, for
    reads of its elements in the loop.
    """
    reading = _Reading(paths)
    reading.run(body, frozenset())
    return reading.found


class _Reading:
    """The statements of a process in their order."""

    def __init__(self, paths: set[str]) -> None:
        self._paths = paths
        self._elements: _Assigned = frozenset()
        """Variables that the loops around a statement assign."""
        self.found: dict[str, Any] = {}

    def run(self, statement: Any, done: _Assigned) -> _Assigned:
        """All that has been assigned after a statement."""
        if isinstance(statement, StatementList):
            for each in statement.list:
                done = self.run(each, done)
            return done
        if isinstance(statement, BlockStatement):
            return self.run(statement.body, done)
        if isinstance(statement, TimedStatement):
            return self.run(statement.stmt, done)
        if isinstance(statement, ConditionalStatement):
            for condition in statement.conditions:
                done = self._expression(condition.expr, done)
            ways = [self.run(statement.ifTrue, done)]
            ways.append(done if statement.ifFalse is None else self.run(statement.ifFalse, done))
            return frozenset.intersection(*ways)
        if isinstance(statement, CaseStatement):
            return self._case(statement, done)
        if isinstance(statement, (ForLoopStatement, *_LOOPS)):
            return self._loop(statement, done)
        if isinstance(statement, VariableDeclStatement):
            first = statement.symbol.initializer
            return done if first is None else self._expression(first, done) | {statement.symbol.hierarchicalPath}
        if isinstance(statement, ImmediateAssertionStatement):
            return done
        expression = getattr(statement, "expr", None)
        return done if expression is None else self._expression(expression, done)

    def _case(self, statement: Any, done: _Assigned) -> _Assigned:
        """One without a default is taken as complete: it is a latch otherwise."""
        done = self._expression(statement.expr, done)
        for item in statement.items:
            for expression in item.expressions:
                done = self._expression(expression, done)
        ways = [self.run(item.stmt, done) for item in statement.items]
        if statement.defaultCase is not None:
            ways.append(self.run(statement.defaultCase, done))
        return frozenset.intersection(*ways) if ways else done

    def _loop(self, statement: Any, done: _Assigned) -> _Assigned:
        """A loop is run once at least."""
        outside = self._elements
        self._elements = outside | frozenset(_assigned_in(statement.body))
        if isinstance(statement, ForLoopStatement):
            for first in (*statement.initializers, statement.stopExpr):
                if first is not None:
                    done = self._expression(first, done)
        done = self.run(statement.body, done)
        for step in getattr(statement, "steps", ()):
            done = self._expression(step, done)
        self._elements = outside
        return done

    def _expression(self, expression: Any, done: _Assigned) -> _Assigned:
        """All that has been assigned after an expression, whose operands are read first."""
        targets: list[Any] = []
        steps: list[Any] = []

        def look(node: Any) -> None:
            if isinstance(node, AssignmentExpression):
                targets.append(node.left)
            elif isinstance(node, UnaryExpression) and node.op in STEPS:
                steps.append(node.operand)
            elif isinstance(node, CallExpression):
                targets.extend(_outputs(node))

        expression.visit(look)
        written = [leaf for target in targets for leaf in _leaves(target)]
        stepped = {leaf.symbol.hierarchicalPath for target in steps for leaf in _leaves(target)}
        elsewhere = {(leaf.sourceRange.start.offset, leaf.symbol.hierarchicalPath) for leaf in written}
        compound = isinstance(expression, AssignmentExpression) and expression.isCompound
        for node, is_element in _reads(expression):
            path = node.symbol.hierarchicalPath
            is_target = (node.sourceRange.start.offset, path) in elsewhere and not compound
            known = done | self._elements if is_element else done
            if path in self._paths and path not in known and not is_target:
                self.found.setdefault(path, node.symbol)
        return done | {leaf.symbol.hierarchicalPath for leaf in written} | stepped


def _reads(expression: Any) -> Iterator[tuple[Any, bool]]:
    """The names in an expression, each with True if an element or a part of it is read."""
    names: list[Any] = []
    elements: set[tuple[int, str]] = set()

    def key(node: Any) -> tuple[int, str]:
        return node.sourceRange.start.offset, node.symbol.hierarchicalPath

    def look(node: Any) -> None:
        if isinstance(node, _VALUES):
            names.append(node)
        elif isinstance(node, _SELECTS):
            elements.update(key(leaf) for leaf in _leaves(node))

    expression.visit(look)
    yield from ((node, key(node) in elements) for node in names)


def _leaves(target: Any) -> Iterator[Any]:
    """The names of variables that an assignment to this target changes."""
    while isinstance(target, _SELECTS):
        target = target.value
    if isinstance(target, ConcatenationExpression):
        for each in target.operands:
            yield from _leaves(each)
    elif isinstance(target, _VALUES):
        yield target


def _outputs(call: Any) -> Iterable[Any]:
    """The arguments that a call assigns."""
    if not isinstance(call.subroutine, SubroutineSymbol):
        return
    for formal, actual in zip(call.subroutine.arguments, call.arguments, strict=False):
        if formal.direction == ArgumentDirection.Out:
            yield actual.left if isinstance(actual, AssignmentExpression) else actual


def _assigned_in(body: Any) -> set[str]:
    found: set[str] = set()

    def look(node: Any) -> None:
        if isinstance(node, AssignmentExpression):
            found.update(leaf.symbol.hierarchicalPath for leaf in _leaves(node.left))

    body.visit(look)
    return found
