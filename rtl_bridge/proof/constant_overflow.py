# SPDX-License-Identifier: Apache-2.0
"""Constants that are calculated in more bits by some simulators than by others.

Icarus Verilog gives a sum, a product or a power of constants without a size as many bits as its value needs, and so
does it in each parameter without a type; elsewhere the result is cut to the size of the operands.
"""

from collections.abc import Callable, Iterator
from typing import Any

from pyslang.ast import (
    BinaryExpression,
    BinaryOperator,
    ConversionExpression,
    EvalContext,
    IntegerLiteral,
    NamedValueExpression,
    ParameterSymbol,
)

_MOST_BITS = 4096
"""Of a power or a shift, which are not calculated beyond."""
_INT = 32


def _shifted(x: int, y: int) -> int | None:
    return x << y if 0 <= y < _MOST_BITS else None


def _power(x: int, y: int) -> int | None:
    return x**y if 0 <= y < _MOST_BITS and abs(x) < 1 << _INT else None


_EXACT: dict[Any, Callable[[int, int], int | None]] = {
    BinaryOperator.Add: lambda x, y: x + y,
    BinaryOperator.Subtract: lambda x, y: x - y,
    BinaryOperator.Multiply: lambda x, y: x * y,
    BinaryOperator.LogicalShiftLeft: _shifted,
    BinaryOperator.ArithmeticShiftLeft: _shifted,
    BinaryOperator.Power: _power,
}


def overflows(node: Any, root: Any) -> Iterator[Any]:
    """The operations on constants in a node, itself or the value of a parameter, whose result is cut.

    `root`: a symbol in whose scope constants are known. Nodes in the value of a parameter are not asked about.
    """
    if isinstance(node, ParameterSymbol):
        if node.initializer is not None:
            typed = bool(str(node.declaredType.typeSyntax or "").strip())
            if typed and _is_same_when_cut(node, root):
                return
            found: list[Any] = []
            node.initializer.visit(lambda each: found.extend(_cut(each, root, every=not typed)))
            yield from found
    else:
        yield from _cut(node, root, every=False)


def _cut(node: Any, root: Any, *, every: bool) -> Iterator[Any]:
    """The node if it is such an operation; `every`: of any size, and not only on numbers without one.

    The latter may be negative, or read as 32 bits without a sign.
    """
    if not isinstance(node, BinaryExpression) or node.op not in _EXACT or not node.type.isIntegral:
        return
    value = _value(node, root)
    if value is None or not (every or (node.type.bitWidth == _INT and _has_no_size(node))):
        return
    exact = _exact(node, root)
    if exact is not None and exact != value and (every or not -1 << _INT - 1 <= exact < 1 << _INT):
        yield node


def _is_same_when_cut(parameter: Any, root: Any) -> bool:
    """True if the bits that a type leaves of sums, products and shifts are the same, however many there were before."""
    value, exact = _value(parameter, root), _exact(parameter.initializer, root)
    if value is None or exact is None or not parameter.type.isIntegral or not _is_ring(parameter.initializer):
        return False
    return not (exact - value) & ((1 << parameter.type.bitWidth) - 1)


def _is_ring(operand: Any) -> bool:
    """True if high bits of what is calculated do not reach low ones: no division, no right shift, no comparison."""
    operand = _inside(operand)
    if isinstance(operand, BinaryExpression):
        return operand.op in _EXACT and _is_ring(operand.left) and _is_ring(operand.right)
    return isinstance(operand, (IntegerLiteral, NamedValueExpression))


def _exact(operand: Any, root: Any) -> int | None:
    """The value of what is calculated on constants, as if it had as many bits as it needs."""
    operand = _inside(operand)
    if not isinstance(operand, BinaryExpression) or operand.op not in _EXACT:
        return _value(operand, root)
    x, y = _exact(operand.left, root), _exact(operand.right, root)
    return None if x is None or y is None else _EXACT[operand.op](x, y)


def _inside(operand: Any) -> Any:
    while isinstance(operand, ConversionExpression) and operand.isImplicit:
        operand = operand.operand
    return operand


def _has_no_size(operand: Any) -> bool:
    """True for numbers without a size, parameters that are such numbers, and what is calculated of both."""
    operand = _inside(operand)
    if isinstance(operand, BinaryExpression):
        return _has_no_size(operand.left) and _has_no_size(operand.right)
    if isinstance(operand, NamedValueExpression) and isinstance(operand.symbol, ParameterSymbol):
        return bool(operand.symbol.type.isSigned and operand.symbol.type.bitWidth == _INT)
    return isinstance(operand, IntegerLiteral) and bool(operand.isDeclaredUnsized)


def _value(node: Any, root: Any) -> int | None:
    value: Any = node.value if isinstance(node, ParameterSymbol) else node.eval(EvalContext(root))
    try:
        return int(value.value)
    except (AttributeError, TypeError, ValueError):
        return None
