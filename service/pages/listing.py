# SPDX-License-Identifier: Apache-2.0
"""The loop of a model as it is written: the specification that people read is the code that runs."""

import inspect
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from limbtrace.refmodels.model import Model


class CodeLine(NamedTuple):
    """A line of the loop, and the symbols of the steps that it yields."""

    text: str
    symbols: tuple[str, ...]


_YIELDED = re.compile(r'yield (?:\(?)"([^"]+)"')


@cache
def _lines(loop: Any) -> tuple[CodeLine, ...]:
    text = inspect.cleandoc("\n" + inspect.getsource(loop))
    return tuple(CodeLine(line, tuple(_YIELDED.findall(line))) for line in text.split("\n"))


def _loop(model: Model) -> Any:
    shown = model if model.chain is None else model.chain.link_model
    return shown.loop or shown.steps


def loop_of(model: Model) -> tuple[CodeLine, ...]:
    """The lines of a model's loop; of a chain, those of one link."""
    return _lines(_loop(model))


def place_of(model: Model, file: str, line: int) -> int | None:
    """The index in `loop_of(model)` of a line of a source file, None if that is elsewhere.

    `file` is the path below the folder of the package; `line` counts from 1.
    """
    loop = _loop(model)
    first = inspect.getsourcelines(loop)[1]
    inside = 0 <= line - first < len(_lines(loop))
    return line - first if inside and Path(inspect.getfile(loop)).as_posix().endswith(f"/{file}") else None
