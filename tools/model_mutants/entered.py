# SPDX-License-Identifier: Apache-2.0
"""A plugin for pytest that notes which functions of the models each test enters, and how long it takes.

A mutant is then tried by the tests that enter the function that it is in, fastest first. Those are all that can notice
it, but for a value that was computed before a test began: a function that is entered while tests are collected counts
as entered by every test that enters its module.
"""

import ast
import json
import os
import sys
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

OUTPUT = "LIMBTRACE_ENTERED"
"""The variable that names the file which the plugin writes."""
MODELS = f"{os.sep}refmodels{os.sep}"
MOST_SECONDS = 20.0
"""Processor time of the tests of a mutant, while the plugin watches them."""
BEFORE = ""
"""In place of the id of a test: what is entered while tests are collected."""

Function = tuple[str, int]
"""A path from `refmodels` on, and the line in which a function begins, its decorators included."""


@dataclass(frozen=True)
class Entered:
    """Functions that tests enter."""

    seconds: Mapping[str, float]
    """Processor time of each test, by its id."""
    functions: Mapping[str, frozenset[Function]]
    """The functions that each test enters, and those of BEFORE."""

    def tests(self, module: Path, line: int, column: int, source: str) -> list[str]:
        """The tests that may notice a change at this place of a module, fastest first, within MOST_SECONDS."""
        name = module.as_posix()
        start = _function_at(ast.parse(source), line, column)
        if start is None or (name, start) in self.functions[BEFORE]:
            chosen = {id for id, found in self.functions.items() if any(path == name for path, _ in found)}
        else:
            chosen = {id for id, found in self.functions.items() if (name, start) in found}
        found: list[str] = []
        total = 0.0
        for id in sorted(chosen - {BEFORE}, key=lambda id: (self.seconds[id], id)):
            total += self.seconds[id]
            if found and total > MOST_SECONDS:
                break
            found.append(id)
        return found

    @classmethod
    def read(cls, paths: Sequence[Path]) -> "Entered":
        """Read files that the plugin has written."""
        seconds: dict[str, float] = {}
        functions: dict[str, frozenset[Function]] = {BEFORE: frozenset()}
        for path in paths:
            for id, (taken, found) in json.loads(path.read_text()).items():
                seconds[id] = taken
                functions[id] = functions.get(id, frozenset()) | {(name, line) for name, line in found}
        return cls(seconds, functions)


def _function_at(tree: ast.AST, line: int, column: int) -> int | None:
    """The line in which the innermost function begins whose body has this place; None outside of functions."""
    found, place = None, (line, column)
    for node in ast.walk(tree):  # outer ones come first
        if isinstance(node, ast.FunctionDef):
            first, last = node.body[0], node.body[-1]
            start = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        elif isinstance(node, ast.Lambda):
            first, last, start = node.body, node.body, node.lineno  # type: ignore[assignment]
        else:
            continue
        if (first.lineno, first.col_offset) <= place < (last.end_lineno or 0, last.end_col_offset or 0):
            found = start
    return found


class Recorder:
    """The plugin."""

    def __init__(self, output: Path) -> None:
        self._output = output
        self._known: dict[CodeType, Function | None] = {}
        self._here: set[Function] = set()
        self._found: dict[str, tuple[float, list[Function]]] = {}
        sys.settrace(self._enter)

    def _enter(self, frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if code not in self._known:
            _, models, rest = code.co_filename.rpartition(MODELS)
            self._known[code] = (f"refmodels/{rest}", code.co_firstlineno) if models else None
        if (function := self._known[code]) is not None:
            self._here.add(function)

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self) -> Generator[None, Any, Any]:
        """Note what is entered before the tests."""
        result = yield
        self._close(BEFORE, 0.0)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Note what a test enters."""
        begin = time.process_time()
        sys.settrace(self._enter)  # a test may have ended the last trace
        result = yield
        self._close(item.nodeid, time.process_time() - begin)
        return result

    def _close(self, id: str, seconds: float) -> None:
        self._found[id] = (seconds, sorted(self._here))
        self._here.clear()

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Write the file, if all tests have passed."""
        sys.settrace(None)
        if exitstatus == pytest.ExitCode.OK:
            self._output.write_text(json.dumps(self._found))


def pytest_configure(config: pytest.Config) -> None:
    """Register the plugin."""
    config.pluginmanager.register(Recorder(Path(os.environ[OUTPUT])))
