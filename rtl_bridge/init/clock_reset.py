# SPDX-License-Identifier: Apache-2.0
"""Clock and reset of an elaborated module, from the edges and the first conditions of its always blocks."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from pyslang.ast import EdgeKind, ExpressionKind, StatementKind, SymbolKind, TimingControlKind, UnaryOperator

from limbtrace.rtl_bridge.init.port_parts import bit_indices, parts_of
from limbtrace.rtl_bridge.interface.module_ports import SketchReset

_RESET = re.compile(r"^(i_)?(a|s|ap|sys|async|sync)?_?(rst|reset|clr|clear|nrst|nreset|resetn|rstn)", re.IGNORECASE)
_LOW = re.compile(r"(_?n|_ni|_n_i|_b|_l)$|^n_?(rst|reset)", re.IGNORECASE)
_EDGES = (EdgeKind.PosEdge, EdgeKind.NegEdge, EdgeKind.BothEdges)
_CLOCK = re.compile(r"(^|_)(clk|clock|ck|aclk)($|_)|^(clk|clock)", re.IGNORECASE)


def clock_by_name(inputs: Iterable[str]) -> str | None:
    """The first input whose name says that it is a clock."""
    return next((name for name in inputs if _CLOCK.search(name)), None)


def reset_by_name(inputs: Iterable[str]) -> SketchReset | None:
    """The first input whose name says that it is a reset."""
    for name in inputs:
        if _RESET.search(name):
            return SketchReset(name, "low" if _LOW.search(name) else "high", synchronous=True, from_code=False)
    return None


def waits_for_edges(body: Any) -> bool:
    """True if an event control in a design has an edge, or a user-defined primitive is sequential."""
    found: list[Any] = []

    def collect(node: Any) -> None:
        edge = node.kind == TimingControlKind.SignalEvent and node.edge in _EDGES
        if edge or (node.kind == SymbolKind.PrimitiveInstance and node.primitiveType.isSequential):
            found.append(node)

    body.visit(collect)
    return bool(found)


class _Condition(NamedTuple):
    """A condition that is one signal or its inverse."""

    signal: str
    level: str
    """The level at which it holds: high or low."""


def clock_and_reset(body: Any) -> tuple[str | None, SketchReset | None]:
    """The inputs that most always blocks have as clock and as reset, each None if no block has one.

    An asynchronous reset takes precedence over synchronous ones.
    """
    uses = _ClockUses(body)
    clock = max(sorted(uses.clocks), key=uses.clocks.__getitem__) if uses.clocks else None
    resets = {key: count for key, count in uses.resets.items() if key[0] != clock}
    if not resets:
        return clock, None
    port, active, synchronous = max(sorted(resets), key=lambda key: (not key[2], resets[key]))
    return clock, SketchReset(port, active, synchronous, from_code=True)


class _ClockUses:
    """Number of always blocks of a design, at any depth, that have an input of the top module as clock or reset."""

    def __init__(self, body: Any) -> None:
        parts = parts_of(body)
        inputs = {part.name for part in parts if part.width == 1}
        inputs |= {f"{part.name}[{bit}]" for part in parts if part.width > 1 for bit in bit_indices(part.symbol)}
        self.clocks: Counter[str] = Counter()
        self.resets: Counter[tuple[str, str, bool]] = Counter()
        """By port, active level, and whether it is synchronous."""
        self._count_scope(body, {name: name for name in inputs})

    def _count_scope(self, scope: Any, top_ports: Mapping[str, str]) -> None:
        """Count the blocks of a scope; `top_ports` are ports of the top module by the names that they have in it."""
        for member in scope:
            if member.kind == SymbolKind.ProceduralBlock and member.body.kind == StatementKind.Timed:
                self._count_block(member.body, top_ports)
            elif member.kind == SymbolKind.GenerateBlock or member.kind == SymbolKind.GenerateBlockArray:
                self._count_scope(member, top_ports)
            elif member.kind == SymbolKind.Instance and (inner := _names_inside(member, top_ports)):
                self._count_scope(member.body, inner)

    def _count_block(self, block: Any, top_ports: Mapping[str, str]) -> None:
        edges = _edges(block.timing, top_ports)
        condition = _first_condition(block.stmt)
        port = top_ports.get(condition.signal, "") if condition else ""
        if port in edges and len(edges) > 1:  # an asynchronous reset has an edge beside that of the clock
            self.clocks.update(name for name in edges if name != port)
            self.resets[port, "high" if edges[port] == EdgeKind.PosEdge else "low", False] += 1
            return
        self.clocks.update(name for name in edges if not _RESET.search(name))
        if condition and port and port not in edges and _RESET.search(port):
            self.resets[port, condition.level, True] += 1


def _names_inside(instance: Any, top_ports: Mapping[str, str]) -> dict[str, str]:
    """Ports of the top module by the names of the ports of an instance that are connected to them."""
    inner = {}
    for connection in instance.portConnections:
        name = _signal_name(connection.expression) if connection.expression else None
        if name in top_ports:
            inner[connection.port.name] = top_ports[str(name)]
    return inner


def _edges(timing: Any, top_ports: Mapping[str, str]) -> dict[str, EdgeKind]:
    """The ports of the top module at whose edges a block runs, with the edge."""
    events = timing.events if timing.kind == TimingControlKind.EventList else [timing]
    edges: dict[str, EdgeKind] = {}
    for event in events:
        name = _signal_name(event.expr) if event.kind == TimingControlKind.SignalEvent else None
        if name in top_ports and event.edge in (EdgeKind.PosEdge, EdgeKind.NegEdge):
            edges[top_ports[str(name)]] = event.edge
    return edges


def _signal_name(expression: Any) -> str | None:
    """The target of an expression, through conversions: a signal, a bit of one, or a member of a struct."""
    expression = _unconverted(expression)
    if expression.kind == ExpressionKind.MemberAccess:
        struct = _signal_name(expression.value)
        return struct and f"{struct}.{expression.member.name}"
    if expression.kind == ExpressionKind.ElementSelect:
        vector, index = _signal_name(expression.value), _constant(expression.selector)
        return vector and index and f"{vector}[{index}]"
    return str(expression.symbol.name) if expression.kind == ExpressionKind.NamedValue else None


def _unconverted(expression: Any) -> Any:
    """The operand of conversions around it."""
    while expression.kind == ExpressionKind.Conversion:
        expression = expression.operand
    return expression


def _constant(expression: Any) -> str | None:
    """An index that never changes, as a text."""
    value = expression.constant
    try:
        return None if value is None else str(int(value.value))
    except (AttributeError, TypeError, ValueError):
        return None


def _first_condition(statement: Any) -> _Condition | None:
    """The condition of the first `if`, or of an assignment with ?:, in a block; None unless it is one signal."""
    if statement.kind == StatementKind.Block:
        return _first_condition(statement.body)
    if statement.kind == StatementKind.List:
        return next((condition for part in statement.list if (condition := _first_condition(part))), None)
    if statement.kind == StatementKind.Conditional and len(statement.conditions) == 1:
        # Without an assignment it is an assertion that holds outside of a reset.
        return _condition(statement.conditions[0].expr) if _has_assignment(statement.ifTrue) else None
    if statement.kind == StatementKind.ExpressionStatement and statement.expr.kind == ExpressionKind.Assignment:
        value = _unconverted(statement.expr.right)
        if value.kind == ExpressionKind.ConditionalOp and len(value.conditions) == 1:
            return _condition(value.conditions[0].expr)
    return None


def _has_assignment(statement: Any) -> bool:
    """True if a statement has an assignment in it, at any depth."""
    assignments = []

    def collect(node: Any) -> None:
        if node.kind == ExpressionKind.Assignment:
            assignments.append(node)

    statement.visit(collect)
    return bool(assignments)


def _condition(expression: Any) -> _Condition | None:
    """A signal, its inverse, a comparison of it with a constant, or the first operand of an or."""
    level = "high"
    while expression.kind in (ExpressionKind.Conversion, ExpressionKind.UnaryOp):
        if expression.kind == ExpressionKind.UnaryOp:
            if expression.op not in (UnaryOperator.LogicalNot, UnaryOperator.BitwiseNot):
                return None
            level = "low" if level == "high" else "high"
        expression = expression.operand
    if expression.kind == ExpressionKind.BinaryOp:
        if level == "high" and _operator(expression) in ("LogicalOr", "BinaryOr"):
            return _condition(expression.left)
        return _comparison(expression)
    name = _signal_name(expression)
    return _Condition(name, level) if name else None


def _comparison(expression: Any) -> _Condition | None:
    """A comparison with a constant, such as rst_n == 1'b0."""
    name, constant = _signal_name(expression.left), expression.right.constant
    if name is None or constant is None or _operator(expression) != "Equality":
        return None
    return _Condition(name, "low" if int(constant.value) == 0 else "high")


def _operator(expression: Any) -> str:
    """slang's name of a binary operator."""
    return str(expression.op).rpartition(".")[2]
