# SPDX-License-Identifier: Apache-2.0
"""Nets with several drivers that simulators and a proof put together alike."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from pyslang.analysis import AnalysisManager, DriverFlags
from pyslang.ast import (
    AssignmentExpression,
    ConditionalExpression,
    ContinuousAssignSymbol,
    ConversionExpression,
    InstanceBodySymbol,
    InstanceSymbol,
    IntegerLiteral,
    NetSymbol,
    NetType,
    PortSymbol,
    ReplicationExpression,
    UnbasedUnsizedIntegerLiteral,
)

from limbtrace.rtl_bridge.elaboration.slang import ReadSources

_WIRED = (NetType.WAnd, NetType.WOr, NetType.TriAnd, NetType.TriOr)
_BUSES = (NetType.Wire, NetType.Tri)


class CutValue(NamedTuple):
    """The value of a driver that has more bits than its net, which takes the low ones."""

    path: Path
    start: int
    end: int
    """Its place in the source, in bytes."""
    bits: int
    """Of the net."""


class TriStateNets:
    """Which nets of a design several drivers may drive."""

    def __init__(self, read: ReadSources, manager: AnalysisManager) -> None:
        """`manager`: slang's analysis of the design, which knows the drivers."""
        self._read, self._manager = read, manager

    def are_resolved(self, net: Any, drivers: Sequence[Any]) -> bool:
        """True for a wired net, and for a bus: every driver is `assign net = condition ? value : 'z`, in either order.

        It may be in a module with an output or inout that the net is connected to.
        Two of them drive the same bits of it, or none in common: so Yosys puts them together.
        In a proof the bits of a bus are those of its active drivers; where none is active, or two differ, they are
        anything.
        """
        kind = net.netType.netKind
        if kind not in _BUSES:
            return kind in _WIRED
        pairs = combinations([driver.bounds for driver in drivers], 2)
        return all(one == other or one[1] < other[0] or other[1] < one[0] for one, other in pairs) and all(
            self._drives_z(net, driver.containingSymbol) for driver in drivers
        )

    def _drives_z(self, net: Any, symbol: Any) -> bool:
        """True for a driver that drives z, or else a value without z in it."""
        if isinstance(symbol, InstanceBodySymbol):
            tops = self._read.compilation.getRoot().topInstances
            return symbol.parentInstance not in tops  # by an inout, whose net outside has drivers of its own
        if isinstance(symbol, InstanceSymbol):
            return all(self._port_drives_z(net, symbol, each) for each in symbol.portConnections)
        if (driver := _tri_state(symbol)) is None:
            return False
        value, bits = driver
        return bits == value.type.bitWidth or _cut_value(self._read, value, bits) in cut_values(self._read)

    def _port_drives_z(self, net: Any, instance: Any, connection: Any) -> bool:
        """True for a port that does not drive the net, or drives it with all of its bits by such drivers alone."""
        named: list[Any] = []
        if connection.expression is not None:
            connection.expression.visit(lambda node: named.append(getattr(node, "symbol", None)))
        if not any(isinstance(each, NetSymbol) and each.hierarchicalPath == net.hierarchicalPath for each in named):
            return True
        if not isinstance(connection.expression, AssignmentExpression):
            return True  # an input
        same: Any = instance.canonicalBody or instance.body  # the one of its kind that slang analysed
        port = same.findPort(connection.port.name)
        inner = port.internalSymbol if isinstance(port, PortSymbol) else None
        if not isinstance(inner, NetSymbol) or connection.expression.left.type.bitWidth != inner.type.bitWidth:
            return False
        drivers = [each for each in self._manager.getDrivers(inner) if not each.flags & DriverFlags.InputPort]
        return inner.netType.netKind in _BUSES and bool(drivers) and self.are_resolved(inner, drivers)


def cut_values(read: ReadSources) -> list[CutValue]:
    """The values of tri-state drivers that are cut, but for those of macros, and of modules that cut them in two ways.

    Yosys' slang takes a z that is cut for an x; where the value alone is cut, it does not.
    """
    found: dict[tuple[Path, int], set[CutValue]] = defaultdict(set)

    def look(symbol: Any) -> None:
        driver = _tri_state(symbol)
        if driver and driver[1] < driver[0].type.bitWidth and (cut := _cut_value(read, *driver)):
            found[cut.path, cut.start].add(cut)

    read.compilation.getRoot().visit(look)
    return [next(iter(cuts)) for cuts in found.values() if len(cuts) == 1]


def with_cut_values(source: bytes, cuts: Sequence[CutValue]) -> bytes:
    """A source with a cast around each of these values."""
    for cut in sorted(cuts, reverse=True):
        source = b"%s%d'(%s)%s" % (source[: cut.start], cut.bits, source[cut.start : cut.end], source[cut.end :])
    return source


def _cut_value(read: ReadSources, value: Any, bits: int) -> CutValue | None:
    """None where an end of the value comes from a macro."""
    start, end = value.sourceRange.start, value.sourceRange.end
    if read.manager.isMacroLoc(start) or read.manager.isMacroLoc(end) or start.buffer != end.buffer:
        return None
    return CutValue(Path(read.manager.getFullPath(start.buffer)), start.offset, end.offset, bits)


def _tri_state(symbol: Any) -> tuple[Any, int] | None:
    """(value, bits of the net) of a continuous assignment `net = condition ? value : 'z`, in either order.

    The z is as wide as the net, and there is none in the value, which is as wide or wider.
    """
    if not isinstance(symbol, ContinuousAssignSymbol) or symbol.delay is not None:
        return None
    if not isinstance(symbol.assignment, AssignmentExpression):  # in a generate block that is left out
        return None
    right, bits = symbol.assignment.right, symbol.assignment.left.type.bitWidth
    if isinstance(right, ConversionExpression) and right.isImplicit and right.operand.type.bitWidth > bits:
        right = right.operand
    if not isinstance(right, ConditionalExpression):
        return None
    values = [branch for branch in (right.left, right.right) if not _is_z_of(bits, branch)]
    if len(values) != 1 or _has_z(values[0]):
        return None
    return values[0], bits


def _is_z_of(bits: int, operand: Any) -> bool:
    """True for a constant z of so many bits, which may be extended."""
    if isinstance(operand, ConversionExpression) and operand.isImplicit:
        operand = operand.operand
    return _is_z(operand) and (isinstance(operand, UnbasedUnsizedIntegerLiteral) or operand.type.bitWidth == bits)


def _has_z(value: Any) -> bool:
    found: list[bool] = []
    value.visit(lambda node: found.append(_is_z(node)))
    return any(found)


def _is_z(operand: Any) -> bool:
    """True for a constant all of whose bits are z."""
    if isinstance(operand, ReplicationExpression):
        repeated: Any = operand.concat
        return all(_is_z(each) for each in repeated.operands)
    if isinstance(operand, (IntegerLiteral, UnbasedUnsizedIntegerLiteral)):
        return bool(operand.value.countZs() == operand.value.bitWidth)
    return False
