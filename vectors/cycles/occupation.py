# SPDX-License-Identifier: Apache-2.0
"""The occupation of units that products share: as a table, and as a picture with one box per job.

A cell is None, or a job: the number of its product, and the operation.
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

Units = Mapping[str, Sequence[str | None]]
"""The job in every cycle, by unit."""

CYCLE = 24
"""Width of a clock cycle, in pixels."""
CYCLES = 27
"""Cycles side by side: as many as are readable on a page, and half of a pair of the SIDH paper."""
NAMES = 124
"""Room for the names of the units."""
HEAD, GAP = 20, 14
"""Height of the axis, and of the space between two bands, in pixels."""
LINE, ROOM = 13, 5
"""Height of a line of text, and the padding of a box, in pixels."""
LETTER = 6.1
"""Width of a letter, in pixels."""
COLOURS = ("#9ec5e8", "#f4c095", "#b7dbb0", "#d6b8e0", "#efe1a1", "#c9c9c9")

_STYLE = (
    "text{font:10px monospace;fill:#222}.axis{text-anchor:middle}.job{text-anchor:middle}"
    ".ground{fill:#fff}.box{stroke:#555}.grid{stroke:#e4e4e4}"
)


def table(units: Units, first_cycle: int) -> Iterator[str]:
    """CSV: a line for every cycle, a column for every unit."""
    yield ",".join(["cycle", *units]) + "\n"
    for cycle, cells in enumerate(zip(*units.values(), strict=True), first_cycle):
        yield ",".join([str(cycle), *(cell or "" for cell in cells)]) + "\n"


def svg(units: Units, first_cycle: int = 0) -> str:
    """The picture, in bands of CYCLES, each with all units; a job that continues in the next band is cut.

    It begins with the first cycle that has a job.
    """
    cycles = max(len(cells) for cells in units.values())
    idle = next((k for k, cells in enumerate(zip(*units.values(), strict=True)) if any(cells)), 0)
    heights = {name: _height(cells) for name, cells in units.items()}
    band = HEAD + sum(heights.values()) + GAP
    width = NAMES + min(cycles - idle, CYCLES) * CYCLE + 6
    body = list(_legend(units))
    top = HEAD
    for begin in range(idle, cycles, CYCLES):
        count = min(CYCLES, cycles - begin)
        body += _axis(begin + first_cycle, count, top, band - GAP)
        y = top + HEAD
        for name, cells in units.items():
            body.append(f'<text x="4" y="{y + heights[name] // 2 + 4}">{_text(name)}</text>')
            body += _jobs(cells[begin : begin + count], y, heights[name] - 4)
            y += heights[name]
        top += band
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top}" width="{width}" height="{top}" '
        f'role="img" aria-label="What every unit is busy with"><style>{_STYLE}</style>'
        f'<rect class="ground" width="{width}" height="{top}"/>{"".join(body)}</svg>\n'
    )


def _text(words: str) -> str:
    """Words between tags."""
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _split(job: str) -> tuple[int, str]:
    """Number of the product, and the operation."""
    number, what = job.split(maxsplit=1)
    return int(number), what


def _runs(cells: Sequence[str | None]) -> Iterator[tuple[int, int, str]]:
    """(first cycle, cycles, job) of every job."""
    at = 0
    for job, same in groupby(cells):
        count = len(list(same))
        if job is not None:
            yield at, count, job
        at += count


def _lines(what: str, width: int) -> list[str]:
    """The words in lines that fit into a box of that width in pixels; no lines if a word is wider."""
    letters = int((width - 4) / LETTER)
    lines = textwrap.wrap(what, max(letters, 1), break_long_words=False, break_on_hyphens=False)
    return lines if len(lines) <= 2 and max(map(len, lines)) <= letters else []


def _height(cells: Sequence[str | None]) -> int:
    """Height of a unit's row, which has to fit the vertical words of its jobs."""
    found = 2 * LINE
    for _, count, job in _runs(cells):
        what = _split(job)[1]
        if not _lines(what, count * CYCLE):
            found = max(found, int(len(what) * LETTER) + ROOM)
    return found + ROOM + 4


def _legend(units: Units) -> Iterator[str]:
    """The legend: the colour of each product."""
    count = 1 + max((_split(job)[0] for cells in units.values() for job in cells if job is not None), default=-1)
    x = NAMES
    yield '<text x="4" y="13">product</text>'
    for number, colour in enumerate(COLOURS[:count]):
        numbers = range(number, count, len(COLOURS))
        text = ", ".join(map(str, numbers[:3])) + (", ..." if len(numbers) > 3 else "")
        yield f'<rect class="box" x="{x}" y="4" width="14" height="11" fill="{colour}"/>'
        yield f'<text x="{x + 19}" y="13">{text}</text>'
        x += 33 + int(len(text) * LETTER)


def _axis(first: int, count: int, top: int, height: int) -> Iterator[str]:
    """The number of every cycle, and lines between them."""
    yield f'<text x="4" y="{top + 14}">cycle</text>'
    for k in range(count + 1):
        x = NAMES + k * CYCLE
        yield f'<path class="grid" d="M{x},{top + HEAD - 2}V{top + height}"/>'
        if k < count:
            yield f'<text class="axis" x="{x + CYCLE // 2}" y="{top + 14}">{first + k}</text>'


def _jobs(cells: Sequence[str | None], y: int, height: int) -> Iterator[str]:
    """The boxes of one unit; words that do not fit are vertical, or only in the tooltip if that does not fit either."""
    for at, count, job in _runs(cells):
        number, what = _split(job)
        x, width = NAMES + at * CYCLE, count * CYCLE
        middle, centre = x + width / 2, y + height / 2
        lines = _lines(what, width)
        highest = centre + 4 - (len(lines) - 1) / 2 * LINE
        text = "".join(
            f'<text class="job" x="{middle:g}" y="{highest + k * LINE:g}">{_text(line)}</text>'
            for k, line in enumerate(lines)
        )
        if not lines and len(what) * LETTER <= height:
            turned = f"rotate(-90 {middle:g} {centre:g})"
            text = f'<text class="job" x="{middle:g}" y="{centre + 4:g}" transform="{turned}">{_text(what)}</text>'
        yield (
            f"<g><title>{_text(f'product {number}: {what}')}</title>"
            f'<rect class="box" x="{x}" y="{y}" width="{width}" height="{height}" '
            f'fill="{COLOURS[number % len(COLOURS)]}"/>{text}</g>'
        )
