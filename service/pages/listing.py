# SPDX-License-Identifier: Apache-2.0
"""The loop of a model as it is written: the specification that people read is the code that runs."""

import inspect
import re
from functools import cache
from typing import Any, NamedTuple

from refmodels.model import Model


class CodeLine(NamedTuple):
    """A line of the loop, and the symbols of the steps that it yields."""

    text: str
    symbols: tuple[str, ...]


_YIELDED = re.compile(r'yield (?:\(?)"([^"]+)"')


@cache
def _lines(loop: Any) -> tuple[CodeLine, ...]:
    text = inspect.cleandoc("\n" + inspect.getsource(loop))
    return tuple(CodeLine(line, tuple(_YIELDED.findall(line))) for line in text.split("\n"))


def loop_of(model: Model) -> tuple[CodeLine, ...]:
    """The lines of a model's loop; of a chain, those of one link."""
    shown = model if model.chain is None else model.chain.link_model
    return _lines(shown.loop or shown.steps)
