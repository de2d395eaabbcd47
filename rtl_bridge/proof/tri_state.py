# SPDX-License-Identifier: Apache-2.0
"""Nets with several drivers that simulators and a proof put together alike."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from pyslang.ast import (
    ConditionalExpression,
    ContinuousAssignSymbol,
    IntegerLiteral,
    NetType,
    ReplicationExpression,
    UnbasedUnsizedIntegerLiteral,
)

_WIRED = (NetType.WAnd, NetType.WOr, NetType.TriAnd, NetType.TriOr)
_BUSES = (NetType.Wire, NetType.Tri)


def are_resolved(net: Any, drivers: Sequence[Any]) -> bool:
    """True for a wired net, and for a bus: every driver is `assign net = condition ? value : 'z`, in either order.

    Two of them drive the same bits of it, or none in common: so Yosys puts them together.
    In a proof the bits of a bus are those of its active drivers; where there is none, or two differ, they are anything.
    """
    kind = net.netType.netKind
    if kind not in _BUSES:
        return kind in _WIRED
    pairs = combinations([driver.bounds for driver in drivers], 2)
    return all(one == other or one[1] < other[0] or other[1] < one[0] for one, other in pairs) and all(
        _drives_z(driver.containingSymbol) for driver in drivers
    )


def _drives_z(symbol: Any) -> bool:
    """True for a continuous assignment that drives z, or else a value without z in it, both as wide as the net.

    Yosys' slang takes a z that is cut or extended for an x.
    """
    if not isinstance(symbol, ContinuousAssignSymbol) or symbol.delay is not None:
        return False
    right = symbol.assignment.right
    if not isinstance(right, ConditionalExpression) or _is_z(right.left) == _is_z(right.right):
        return False
    found: list[bool] = []
    (right.right if _is_z(right.left) else right.left).visit(lambda node: found.append(_is_z(node)))
    return not any(found)


def _is_z(operand: Any) -> bool:
    """True for a constant all of whose bits are z."""
    if isinstance(operand, ReplicationExpression):
        repeated: Any = operand.concat
        return all(_is_z(each) for each in repeated.operands)
    if isinstance(operand, (IntegerLiteral, UnbasedUnsizedIntegerLiteral)):
        return bool(operand.value.countZs() == operand.value.bitWidth)
    return False
