# SPDX-License-Identifier: Apache-2.0
"""Decimal numbers without a size that an int cannot hold: simulators give them different sizes.

2^63 has 64 bits in Verilator and is negative there, and 65 in Icarus Verilog. That makes no difference in most places,
such as a comparison with an unsigned vector. Two readings of a design, one with each size, are compared here.
"""

from collections.abc import Iterator
from typing import Any

from pyslang.ast import (
    BinaryExpression,
    BinaryOperator,
    CallExpression,
    CaseStatement,
    ConcatenationExpression,
    ConditionalExpression,
    ConditionalStatement,
    ConversionExpression,
    ElementSelectExpression,
    EvalContext,
    Expression,
    IntegerLiteral,
    NetSymbol,
    ParameterSymbol,
    RangeSelectExpression,
    UnaryExpression,
    VariableSymbol,
    VisitAction,
)

from limbtrace.rtl_bridge.elaboration import slang

_COMPARISONS = (
    BinaryOperator.Equality,
    BinaryOperator.Inequality,
    BinaryOperator.LessThan,
    BinaryOperator.LessThanEqual,
    BinaryOperator.GreaterThan,
    BinaryOperator.GreaterThanEqual,
)
_MODULAR = (
    BinaryOperator.Add,
    BinaryOperator.Subtract,
    BinaryOperator.Multiply,
    BinaryOperator.BinaryAnd,
    BinaryOperator.BinaryOr,
    BinaryOperator.BinaryXor,
)
"""Operators whose low bits depend on those of their operands alone."""


def is_same(one: slang.ReadSources, other: slang.ReadSources) -> bool:
    """True if two readings give each constant one value, and each other expression one sign and size.

    The operands of a comparison, and what is a sum, product or the like, may have several sizes. Icarus Verilog loses
    no carry of a sum with such a number, so this may stand where the low bits alone count, and not in a comparison,
    shift or quotient.
    """
    return list(_Shape(one).parts()) == list(_Shape(other).parts())


class _Shape:
    """Values and sizes in a design, in the order of its text."""

    def __init__(self, read: slang.ReadSources) -> None:
        self._root = read.compilation.getRoot()
        self._parts: list[tuple[object, ...]] = []

    def parts(self) -> Iterator[tuple[object, ...]]:
        """One for each net, variable, constant and operation."""
        self._root.visit(self._node)
        yield from self._parts

    def _node(self, node: Any) -> Any:
        if isinstance(node, ParameterSymbol):  # what counts is its use
            return VisitAction.Skip
        if isinstance(node, (NetSymbol, VariableSymbol)):
            self._parts.append((node.hierarchicalPath, node.type.bitstreamWidth))
        sizes = [size for operand in _operands(node) for size in _calculated(operand)]
        if sizes:
            self._parts.append(("sizes", *sizes))
        if not isinstance(node, Expression):
            return VisitAction.Advance
        if (value := self._constant(node)) is not None:
            self._parts.append(("constant", value))
            return VisitAction.Skip
        if isinstance(node, BinaryExpression) and node.op in (*_COMPARISONS, *_MODULAR):
            signed = node.left.type.isSigned and node.right.type.isSigned
            self._parts.append((node.op, signed))
        elif isinstance(node, ConditionalExpression):
            self._parts.append((node.kind, node.type.isSigned))
        elif not (isinstance(node, ConversionExpression) and node.isImplicit):
            self._parts.append((node.kind, node.type.bitstreamWidth, node.type.isSigned))
        return VisitAction.Advance

    def _constant(self, node: Any) -> int | None:
        value: Any = node.eval(EvalContext(self._root))
        try:
            return int(value.value)
        except (AttributeError, TypeError, ValueError):
            return None


def _calculated(operand: Any) -> Iterator[int]:
    """Sizes of the numbers that a sum, product or the like has; none for a number alone."""
    operand = _inside(operand)
    if isinstance(operand, BinaryExpression) and operand.op in _MODULAR:
        yield from (size for each in (operand.left, operand.right) for size in _sizes(each))


def _sizes(operand: Any) -> Iterator[int]:
    operand = _inside(operand)
    if isinstance(operand, IntegerLiteral):
        yield operand.value.bitWidth
    elif isinstance(operand, ConditionalExpression):
        yield from (size for each in (operand.left, operand.right) for size in _sizes(each))
    else:
        yield from _calculated(operand)


def _inside(operand: Any) -> Any:
    while isinstance(operand, ConversionExpression):
        operand = operand.operand
    return operand


def _operands(node: Any) -> Iterator[Any]:
    """Operands of which more than the low bits count."""
    if isinstance(node, BinaryExpression) and node.op not in _MODULAR:
        yield from (node.left, node.right)
    elif isinstance(node, UnaryExpression):
        yield node.operand
    elif isinstance(node, ConcatenationExpression):
        yield from node.operands
    elif isinstance(node, CallExpression):
        yield from node.arguments
    elif isinstance(node, ElementSelectExpression):
        yield node.selector
    elif isinstance(node, RangeSelectExpression):
        yield from (node.left, node.right)
    elif isinstance(node, (ConditionalExpression, ConditionalStatement)):
        yield from (condition.expr for condition in node.conditions)
    elif isinstance(node, CaseStatement):
        yield node.expr
