# SPDX-License-Identifier: Apache-2.0
"""Ways of if and case that parameters rule out: the condition is a constant in every instance, as slang reads it."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pyslang.ast import CaseStatementCondition, StatementKind

from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.elaboration.elaborate import read_design

DEFINED = tuple(f"-D{name}=1" for name in ("VERILATOR", "verilator", "verilator3"))
"""Macros that Verilator defines and slang does not."""
LinePlace = tuple[int, int]
"""Line and column, both from 1 on."""


class DeadWay(NamedTuple):
    """Statements that never run."""

    file: Path
    keyword: LinePlace | None
    """The `if` of a way, at which Verilator counts it; None of an item of a case."""
    ways: tuple[str, ...]
    """Verilator's words for it."""
    start: LinePlace
    end: LinePlace
    """The place behind them; that of `start` without any."""

    def covers(self, file: Path, place: LinePlace, what: str) -> bool:
        """True if a point is this way, or inside of it."""
        if file != self.file:
            return False
        return (place == self.keyword and what in self.ways) or self.start <= place < self.end


def dead_ways(bound: Bound) -> list[DeadWay]:
    """Ways that no instance can take."""
    core = bound.core
    read = read_design(core, bound.sources, core.file.simulated_top, bound.parameters, DEFINED)
    if read is None or read.errors:
        return []
    seen: dict[DeadWay, set[bool]] = defaultdict(set)
    reader = _WayReader(read.manager)

    def look(node: Any) -> None:
        for way, dead in reader.ways(node):
            seen[way].add(dead)

    read.compilation.getRoot().visit(look)
    return [way for way, dead in seen.items() if dead == {True}]


class _WayReader:
    """Ways of statements in slang's tree."""

    def __init__(self, manager: Any) -> None:
        self._manager = manager

    def ways(self, node: Any) -> Iterator[tuple[DeadWay, bool]]:
        """The ways of an if or a case, each with True if its condition is constant and excludes it."""
        kind = getattr(node, "kind", None)
        if kind == StatementKind.Conditional:
            yield from self._conditional(node)
        elif kind == StatementKind.Case and node.condition == CaseStatementCondition.Normal:
            yield from self._case(node)

    def _conditional(self, node: Any) -> Iterator[tuple[DeadWay, bool]]:
        at = self._place(node.sourceRange.start)
        if at is None:
            return
        file, (line, column) = at
        values = [_value(condition.expr) for condition in node.conditions]
        truth = None if len(values) != 1 or values[0] is None else bool(values[0])
        for statement, keyword, words, dead in (
            (node.ifTrue, (line, column), ("if", "elsif"), truth is False),
            (node.ifFalse, (line, column + 1), ("else",), truth is True),
        ):
            start, end = self._range(statement, file)
            yield DeadWay(file, keyword, words, start, end), dead

    def _case(self, node: Any) -> Iterator[tuple[DeadWay, bool]]:
        chosen = _value(node.expr)
        labels = [[_value(label) for label in item.expressions] for item in node.items]
        known = chosen is not None and None not in {label for own in labels for label in own}
        taken = next((at for at, own in enumerate(labels) if chosen in own), len(labels)) if known else None
        default = [] if node.defaultCase is None else [node.defaultCase]
        for at, statement in enumerate([*(item.stmt for item in node.items), *default]):
            item = None if statement.syntax is None else statement.syntax.parent
            start = None if item is None else self._place(item.sourceRange.start)
            if start is not None:
                yield DeadWay(start[0], None, (), *self._range(item, start[0])), taken is not None and at != taken

    def _range(self, node: Any, file: Path) -> tuple[LinePlace, LinePlace]:
        """Start and end of statements; nowhere if there are none, or if a macro makes them."""
        ends = [] if node is None else [self._place(node.sourceRange.start), self._place(node.sourceRange.end)]
        places = [end[1] for end in ends if end is not None and end[0] == file]
        return (places[0], places[1]) if len(places) == 2 else ((0, 0), (0, 0))

    def _place(self, location: Any) -> tuple[Path, LinePlace] | None:
        """File and place of a location; None where a macro makes it."""
        manager = self._manager
        if not manager.isFileLoc(location):
            return None
        path = Path(manager.getFullPath(location.buffer)).resolve()
        return path, (manager.getLineNumber(location), manager.getColumnNumber(location))


def _value(expression: Any) -> int | None:
    """The value of a constant; None of anything else, and where a bit of it is unknown."""
    constant = expression.constant
    if constant is None or not hasattr(constant.value, "hasUnknown") or constant.value.hasUnknown:
        return None
    return int(constant.value)
