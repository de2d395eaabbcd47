# SPDX-License-Identifier: Apache-2.0
"""docs/reference/events.md is that of the models and kinds of today."""

import pytest

from limbtrace.refmodels.registry import MODELS
from tests.sample import full
from tools.coverage import OUTPUT, line, measure, multiplier, page

SLOW = {"llmonpro", "mwr2kmm", "mwr2mm", "redundant", "vdf"}


def test_every_model_has_a_line_and_nothing_else_is_there() -> None:
    head = "\n".join(page([]))
    text = OUTPUT.read_text(encoding="utf-8")
    assert text.startswith(head)
    titles = [row.split(" | ")[0].removeprefix("| ") for row in text.removeprefix(head).splitlines() if row]
    assert titles == [multiplier(name).title for name in sorted(MODELS)]


@pytest.mark.parametrize("name", [full(name) if name in SLOW else name for name in sorted(MODELS)])
def test_a_line_is_current(name: str) -> None:
    """`./run events` writes it anew."""
    assert line(measure(name)) in OUTPUT.read_text(encoding="utf-8").splitlines()
