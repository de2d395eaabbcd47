# SPDX-License-Identifier: Apache-2.0
"""Integer formulas of a `core.toml`: names, integers, + - * // % ( ), max and min; parsed, never run as code."""

import ast
import operator
from collections.abc import Callable, Mapping
from contextlib import suppress

MAX_LENGTH = 200
MAX_VALUE = 1 << 64

_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_FUNCTIONS: dict[str, Callable[..., int]] = {"max": max, "min": min}


def literal(value: int) -> str:
    """A value for an RTL parameter: a sized literal if 32 bits do not hold it."""
    return str(value) if value >> 31 == 0 else f"{value.bit_length()}'h{value:x}"


class FormulaError(ValueError):
    """The text is not a formula, or it has no value; the message is half a sentence with the reason."""


class UnknownNameError(FormulaError):
    """A name in it is none of those that there are."""


def evaluate(text: str | int, names: Mapping[str, int]) -> int:
    """Value of a formula, given the values of its names. Raises FormulaError."""
    if isinstance(text, int):
        return text
    if len(text) > MAX_LENGTH:
        raise FormulaError(f"is longer than {MAX_LENGTH} characters")
    try:
        return _value(ast.parse(text.strip(), mode="eval").body, names)
    except FormulaError as error:
        raise type(error)(f"is {text!r}, {error}") from None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise FormulaError(f"is {text!r}, which is no formula") from None


def names_in(text: str) -> set[str]:
    """The names in a formula; none in a text that is none."""
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        return {node.id for node in ast.walk(ast.parse(text.strip(), mode="eval")) if isinstance(node, ast.Name)}
    return set()


def _value(node: ast.expr, names: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            result = value
        case ast.Name(id=name):
            if name not in names:
                raise UnknownNameError(f"and there is no {name!r}, only {', '.join(names) or 'integers'}")
            result = names[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            result = -_value(operand, names)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            a, b = _value(left, names), _value(right, names)
            if b == 0 and isinstance(op, ast.FloorDiv | ast.Mod):
                raise FormulaError("which divides by 0")
            result = _OPERATORS[type(op)](a, b)
        case ast.Call(func=ast.Name(id=name), args=[_, *_] as arguments, keywords=[]) if name in _FUNCTIONS:
            result = _FUNCTIONS[name]([_value(argument, names) for argument in arguments])
        case _:
            raise FormulaError("which is more than + - * // % ( ), max and min of integers and names")
    if abs(result) >= MAX_VALUE:
        raise FormulaError(f"with a value of {MAX_VALUE} or more in it")
    return result
