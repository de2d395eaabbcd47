# SPDX-License-Identifier: Apache-2.0
"""Rows of values as a table of text that fits on a screen."""

from collections.abc import Sequence

WIDEST_LINE, WIDEST_CELL = 160, 128
"""Characters of a line of rows, and of a value in it."""


def folded(lines: Sequence[Sequence[str]]) -> str:
    """Rows of texts as a table; one wider than WIDEST_LINE in parts, each with some columns behind the first one.

    The first line has the names of the columns. A text longer than WIDEST_CELL goes on in the lines below it.
    """
    cut = [[_pieces(cell) for cell in line] for line in lines]
    widths = [max(len(piece) for line in cut for piece in line[k]) for k in range(len(lines[0]))]
    parts: list[list[int]] = []
    room = 0
    for k in range(1, len(widths)):
        room -= widths[k] + 2
        if not parts or room < 0:
            parts.append([0])
            room = WIDEST_LINE - widths[0] - widths[k] - 4
        parts[-1].append(k)
    return "\n".join(_part(cut, widths, part) for part in parts or [[0]])


def _part(cut: Sequence[Sequence[list[str]]], widths: Sequence[int], columns: Sequence[int]) -> str:
    """Some columns of a table."""
    text = ""
    for line in cut:
        for level in range(max(len(line[k]) for k in columns)):
            cells = [line[k][level] if level < len(line[k]) else "" for k in columns]
            padded = (f"{cell:>{widths[k]}}" for cell, k in zip(cells, columns, strict=True))
            text += "  " + "  ".join(padded) + "\n"
    return text


def _pieces(cell: str) -> list[str]:
    """A text in lines; at least one."""
    return [cell[at : at + WIDEST_CELL] for at in range(0, len(cell), WIDEST_CELL)] or [""]
