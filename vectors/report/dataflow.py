# SPDX-License-Identifier: Apache-2.0
"""The origin of a value of a model: the line of its loop, its operands, and the steps that these come from."""

import ast
import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FrameType, GeneratorType
from typing import Any

from limbtrace.refmodels.model import Index, Model, step_label

MOST_TERMS = 12
"""Most operands of a line that are shown."""


@dataclass(frozen=True)
class LineOperand:
    """An operand on a line of the loop: its text, its value, and the step that it is, if one before has that value."""

    text: str
    value: int
    step: str | None


@dataclass(frozen=True)
class Reason:
    """The computation of a step."""

    file: str
    """The model's source, below the folder of the package."""
    line: int
    text: str
    """The statement."""
    formula: str
    """The expression, without the name that its value is assigned to."""
    terms: tuple[LineOperand, ...]
    """The operands; empty if the line does not show them."""


def reason(model: Model[Any], params: Any, a: int, b: int, name: str, index: Index) -> Reason | None:
    """The reason for the value of a step of a product; None if the model has no such step."""
    steps = model.steps(params, *params.split(a, b))
    before: list[tuple[str, Index, int]] = []
    for found, at, value in steps:
        if (found, at) == (name, index):
            break
        if isinstance(value, int):
            before.append((found, at, value))
    else:
        return None
    assert isinstance(steps, GeneratorType)
    frame = _frame(steps)
    if frame is None:
        return None
    code, line, variables = frame.f_code, frame.f_lineno, {**frame.f_globals, **frame.f_locals}
    lines, tree, first = _source(code)
    statement = _statement(tree, line - first + 1)
    computed = _computed(tree, statement, line - first + 1)
    terms = tuple(_terms(computed, variables, int(value), before)) if computed is not None else ()
    path = Path(code.co_filename).resolve()
    shown = " ".join(part.strip() for part in lines[statement.lineno - 1 : statement.end_lineno])
    formula = ast.unparse(computed) if computed is not None else ""
    return Reason(str(path.relative_to(_top(path))), statement.lineno + first - 1, shown, formula, terms)


def _top(path: Path) -> Path:
    """The folder that holds the package."""
    folder = path.parent
    while (folder / "__init__.py").exists():
        folder = folder.parent
    return folder


def _frame(steps: Any) -> FrameType | None:
    """The frame of the loop: the innermost generator whose name begins with `steps`, or the outermost one."""
    found, inner = steps.gi_frame, steps
    while isinstance(inner := inner.gi_yieldfrom, GeneratorType):
        if inner.gi_code.co_name.startswith("steps"):
            found = inner.gi_frame
    frame: FrameType | None = found
    return frame


@cache
def _source(code: CodeType) -> tuple[list[str], ast.Module, int]:
    """(lines, syntax, number of the first line) of a function."""
    lines, first = inspect.getsourcelines(code)
    indent = len(lines[0]) - len(lines[0].lstrip())
    own = [line[indent:] for line in lines]
    return own, ast.parse("".join(own)), first


def _statement(tree: ast.AST, line: int) -> ast.stmt:
    """The smallest statement around a line."""
    around = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and n.lineno <= line <= (n.end_lineno or n.lineno)]
    return max(around, key=lambda node: (node.lineno, node.col_offset))


def _computed(tree: ast.AST, statement: ast.stmt, line: int) -> ast.expr | None:
    """The expression of a step: the value in its `yield`, or of the assignment before that gave it its name."""
    value = next((n.value for n in ast.walk(statement) if isinstance(n, ast.Yield)), None)
    if not isinstance(value, ast.Tuple) or len(value.elts) != 3:
        return None
    given = value.elts[2]
    if isinstance(given, ast.NamedExpr):
        return given.value
    target = ast.unparse(given)
    assigned = [
        node
        for node in ast.walk(tree)
        if node is not statement
        and getattr(node, "lineno", line) <= line
        and isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr)
        and node.value is not None
        and any(ast.unparse(to) == target for to in (node.targets if isinstance(node, ast.Assign) else [node.target]))
    ]
    last = max(assigned, key=lambda node: (node.lineno, node.col_offset), default=None)
    if last is None or last.value is None:
        return None if isinstance(given, ast.Constant) else given
    return last.value


def _terms(
    computed: ast.expr, variables: Mapping[str, Any], value: int, before: Sequence[tuple[str, Index, int]]
) -> Iterator[LineOperand]:
    """The operands of an expression, if it still has the value that it had."""
    if _value(computed, variables) != value:
        return
    seen: set[str] = set()
    for node in _operands(computed):
        text, found = ast.unparse(node), _value(node, variables)
        if found is None or text in seen or len(seen) == MOST_TERMS:
            continue
        seen.add(text)
        symbol = text.partition("[")[0].partition(".")[0]
        step = next((step_label(n, at) for n, at, v in reversed(before) if n == symbol and v == found), None)
        yield LineOperand(text, found, step)


def _operands(node: ast.AST) -> Iterator[ast.expr]:
    """Names, elements and attributes, the outermost ones; of a call its arguments."""
    if isinstance(node, ast.Name | ast.Subscript | ast.Attribute):
        yield node
    elif isinstance(node, ast.Call):
        for argument in node.args:
            yield from _operands(argument)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _operands(child)


def _value(node: ast.expr, variables: Mapping[str, Any]) -> int | None:
    """Value of an expression of the model's own source; None unless it is an integer."""
    if any(isinstance(part, ast.NamedExpr | ast.Yield) for part in ast.walk(node)):
        return None
    try:
        found = eval(compile(ast.Expression(node), "<model>", "eval"), dict(variables))
    except Exception:  # something that the line changes
        return None
    try:
        return int(found)
    except (TypeError, ValueError):
        return None
