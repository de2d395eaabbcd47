# SPDX-License-Identifier: Apache-2.0
"""The branches of the rules as their source has them, and which of them some calls go through."""

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from limbtrace.rtl_bridge.proof import bitvector

SOURCE = Path(bitvector.__file__)
NO_RULES = {"__init__", "__len__", "__repr__", "_node", "constant", "variable", "fresh", "is_constant", "value",
            "cone", "is_plain", "bits_of"}  # fmt: skip
"""Functions of the file that simplify nothing, and the values of terms."""

Branch = tuple[str, str]
"""A method, and the condition above a `return`, which is empty for the last one."""


def functions() -> Iterator[ast.FunctionDef]:
    """The methods with rules, and the functions that these use."""
    for node in ast.parse(SOURCE.read_text(encoding="utf-8")).body:
        for each in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(each, ast.FunctionDef) and each.name not in NO_RULES:
                yield each


@cache
def branches() -> dict[Branch, range]:
    """The lines of the `return` of each branch of a method; functions beside the class have none of their own."""
    pool = {name for name in vars(bitvector.TermPool) if name not in NO_RULES}
    return {
        (function.name, condition): lines
        for function in functions()
        if function.name in pool
        for condition, lines in _returns(function.body, "")
    }


def _returns(body: Sequence[ast.stmt], condition: str) -> Iterator[tuple[str, range]]:
    for node in body:
        if isinstance(node, ast.Return):
            yield condition, _lines(node)
        elif isinstance(node, ast.If):
            yield from _returns(node.body, ast.unparse(node.test))
            yield from _returns(node.orelse, condition)
        elif isinstance(node, ast.For | ast.While):
            yield from _returns(node.body, condition)


def statements() -> dict[int, str]:
    """The first lines of all statements in these functions, with the text of each."""
    found = {}
    for function in functions():
        for node in ast.walk(function):
            if isinstance(node, ast.stmt) and node is not function and not _is_docstring(node):
                found[node.lineno] = f"{function.name}: {ast.unparse(node).splitlines()[0]}"
    return found


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _lines(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


@cache
def own_lines(code: CodeType) -> frozenset[int]:
    """The lines of a function; the one of its `def` is not executed in it."""
    return frozenset(line for _, _, line in code.co_lines() if line and line != code.co_firstlineno)


def gone_through(call: Callable[[], object]) -> set[int]:
    """The lines of the file that a call executes."""
    lines: set[int] = set()

    def traced(frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if code.co_filename != str(SOURCE) or (event == "call" and own_lines(code) <= lines):
            return None
        if event == "line":
            lines.add(frame.f_lineno)
        return traced

    before = sys.gettrace()
    sys.settrace(traced)
    try:
        call()
    finally:
        sys.settrace(before)
    return lines
