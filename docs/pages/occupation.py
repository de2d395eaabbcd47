# SPDX-License-Identifier: Apache-2.0
"""What units are busy with as a picture: one line a unit, one box for each job, in the colour of its product."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from xml.sax.saxutils import escape

CYCLE = 12
"""Width of a clock cycle, in pixels."""
LINE = 34
"""Distance of two lines."""
BOX = 24
"""Height of a box."""
NAMES = 120
"""Room for the names of the units."""
TICK = 4
"""Cycles from one number on the axis to the next."""
COLOURS = ("#9ec5e8", "#f4c095", "#b7dbb0", "#d6b8e0", "#efe1a1", "#c9c9c9")

_STYLE = "text{font:11px monospace;fill:#333}.axis{text-anchor:middle}rect{stroke:#555}"


def svg(units: Mapping[str, Sequence[str | None]]) -> str:
    """The picture. A job is "number what": the number of its product and what is done; a box shows the number."""
    cycles = max(len(cells) for cells in units.values())
    width, height = NAMES + cycles * CYCLE + 8, (len(units) + 1) * LINE
    body = [
        f'<text class="axis" x="{NAMES + cycle * CYCLE + CYCLE // 2}" y="14">{cycle}</text>'
        for cycle in range(0, cycles, TICK)
    ]
    for number, (name, cells) in enumerate(units.items()):
        body += _line(name, cells, 22 + number * LINE)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="Occupation of every unit"><style>{_STYLE}</style>{"".join(body)}</svg>\n'
    )


def _line(name: str, cells: Sequence[str | None], y: int) -> Iterator[str]:
    yield f'<text x="4" y="{y + 16}">{escape(name)}</text>'
    cycle = 0
    for job, same in groupby(cells):
        count = len(list(same))
        if job is not None:
            product = job.split()[0]
            x, colour = NAMES + cycle * CYCLE, COLOURS[int(product) % len(COLOURS)]
            yield (
                f'<g><title>{escape(job)}</title><rect x="{x}" y="{y}" width="{count * CYCLE}" height="{BOX}" '
                f'fill="{colour}"/><text x="{x + 3}" y="{y + 16}">{product}</text></g>'
            )
        cycle += count
