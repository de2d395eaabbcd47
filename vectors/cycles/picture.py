# SPDX-License-Identifier: Apache-2.0
"""A cycle table as a picture: one line per signal, one box for each run of cycles with an unchanged value."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from xml.sax.saxutils import escape

CYCLE = 66
"""Width of a clock cycle, in pixels."""
LINE = 26
"""Distance of two lines, in pixels."""
BOX = 18
"""Height of a box, in pixels."""
NAMES = 76
"""Space for the names of the signals, in pixels."""
SLANT = 3
"""Horizontal extent of a box's slanted edge at a change of value, in pixels."""

_STYLE = (
    "text{font:11px monospace;fill:#333}.value{text-anchor:middle}.name{text-anchor:end}"
    "path{fill:#eef4fb;stroke:#3c6ea5}.late path{fill:#f3f0fa;stroke:#6a51a3}.clock{fill:none}"
    ".hole{fill:#ddd;stroke:#bbb}.grid{stroke:#ddd;stroke-dasharray:2 3}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}path{fill:#22303f}.late path{fill:#2c2540}.clock{fill:none}"
    ".hole{fill:#444;stroke:#666}.grid{stroke:#555}}"
)
_COMPARED = (
    ".golden path{fill:#eaf6ea;stroke:#2e7d32}.wrong path{fill:#fdecea;stroke:#b3261e;stroke-width:2}"
    ".band{fill:#fff3c4}.bad{fill:#fdecea}.golden .level,.wrong .level,.level{fill:none}.level{stroke-width:1.5}"
    "@media(prefers-color-scheme:dark){.golden path{fill:#1d2f1f;stroke:#7cc47f}"
    ".wrong path{fill:#40201d;stroke:#ff8a80}.band{fill:#4a4120}.bad{fill:#40201d}"
    ".golden .level,.wrong .level,.late .level,.level{fill:none}}"
)
"""Further rules for golden values beside others."""
_LETTER = 6.7
"""Width of a character, in pixels."""


@dataclass(frozen=True)
class Wave:
    """A signal: `cells` hold its value in each cycle as text, None for don't care."""

    name: str
    cells: Sequence[str | None]
    register: bool
    """A register shows what the edge at the end of a cycle loads, so it is drawn half a line's slant later."""
    golden: bool = False
    """True if these are golden values, of the signal that is drawn on the line below."""
    wrong: frozenset[int] = frozenset()
    """Positions of the cells that are not what they should be."""
    bit: bool = False
    """True if the cells are 0, 1, x or z, and are drawn as a line that is low or high."""


def svg(waves: Sequence[Wave], first_cycle: int, marked: int | None = None, *, clocked: bool = True) -> str:
    """The picture: clock, cycle numbers, and a line for each signal; registers in another colour than wires.

    `marked` is the number of a cycle: the cell of each signal in it is marked, of a register in the place of its box.
    Without a clock (`clocked`) there is no line for it and the cells have no numbers.
    """
    cycles = len(waves[0].cells)
    names = max([NAMES, *(round(len(wave.name) * _LETTER) + 12 for wave in waves)])
    width, height = names + (cycles + 1) * CYCLE + 4, (len(waves) + 2) * LINE + 8
    place = None if marked is None else marked - first_cycle
    bands = [] if place is None else [_band(place, 2, 2 * LINE - 6)]
    for number, wave in enumerate(waves if place is not None else ()):
        bands.append(_band((place or 0) + wave.register, (number + 2) * LINE - 4, LINE))
    body = [*bands, *_grid(cycles, height), *(_clock(cycles, first_cycle) if clocked else ())]
    for number, wave in enumerate(waves):
        body += _line(wave, (number + 2) * LINE)
    style = _STYLE if marked is None else _STYLE + _COMPARED
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="Signals in every clock cycle"><style>{style}</style>'
        f'<g transform="translate({names})">{"".join(body)}</g></svg>\n'
    )


def _band(place: int, y: int, height: int) -> str:
    return f'<rect class="band" x="{place * CYCLE}" y="{y}" width="{CYCLE}" height="{height}"/>'


def _grid(cycles: int, height: int) -> Iterator[str]:
    for cycle in range(cycles + 2):
        x = cycle * CYCLE
        yield f'<line class="grid" x1="{x}" x2="{x}" y1="{LINE - 8}" y2="{height}"/>'


def _clock(cycles: int, first_cycle: int) -> Iterator[str]:
    half = CYCLE // 2
    yield _name("clk", LINE)
    steps = f"v-{BOX} h{half} v{BOX} h{half} " * (cycles + 1)
    yield f'<path class="clock" d="M0 {LINE + BOX} {steps}"/>'
    for cycle in range(cycles + 1):
        yield f'<text class="value" x="{cycle * CYCLE + half}" y="14">{first_cycle + cycle}</text>'


def _line(wave: Wave, y: int) -> Iterator[str]:
    """A register has its value in the cycle after the one at whose end it is loaded."""
    delay = int(wave.register)
    kind = "golden" if wave.golden else "late" if wave.register else "now"
    yield f'<g class="{kind}">{_name(wave.name, y)}'
    if wave.bit:
        yield from _levels(wave, y)
        yield "</g>"
        return
    cycle = delay
    for (value, wrong), same in groupby((value, at in wave.wrong) for at, value in enumerate(wave.cells)):
        count = len(list(same))
        left, right = cycle * CYCLE, (cycle + count) * CYCLE
        if value is None:
            yield f'<rect class="hole" x="{left}" y="{y + BOX // 2 - 2}" width="{right - left}" height="4"/>'
        else:
            middle = y + BOX // 2
            shown = _short(value, int((right - left - 2 * SLANT) / _LETTER))
            title = f"<title>{escape(value)}</title>" if shown != value else ""
            begin, end = ('<g class="wrong">', "</g>") if wrong else ("", "")
            yield (
                f'{begin}<path d="M{left} {middle} l{SLANT} -{BOX // 2} H{right - SLANT} l{SLANT} {BOX // 2} '
                f'l-{SLANT} {BOX // 2} H{left + SLANT} Z"/>'
                f'<text class="value" x="{(left + right) // 2}" y="{y + 13}">{title}{escape(shown)}</text>{end}'
            )
        cycle += count
    yield "</g>"


def _levels(wave: Wave, y: int) -> Iterator[str]:
    """A signal of one bit: a line at the bottom or the top, a box for x, a line in the middle for z."""
    height = {"0": y + BOX, "1": y, "z": y + BOX // 2}
    for at in sorted(wave.wrong):
        left = (at + wave.register) * CYCLE
        yield f'<rect class="bad" x="{left}" y="{y}" width="{CYCLE}" height="{BOX}"/>'
    before: str | None = None
    for at, value in enumerate(wave.cells):
        left, right = (at + wave.register) * CYCLE, (at + 1 + wave.register) * CYCLE
        begin, end = ('<g class="wrong">', "</g>") if at in wave.wrong else ("", "")
        if value is None:
            yield f'<rect class="hole" x="{left}" y="{y + BOX // 2 - 2}" width="{CYCLE}" height="4"/>'
        elif (level := height.get(value)) is not None:
            rise = height.get(before or "", level)
            yield f'{begin}<path class="level" d="M{left} {rise} V{level} H{right}"/>{end}'
        else:
            middle = (left + right) // 2
            yield f'{begin}<path d="M{left} {y} H{right} V{y + BOX} H{left} Z"/>'
            yield f'<text class="value" x="{middle}" y="{y + 13}">{escape(value)}</text>{end}'
        before = value


def _short(value: str, room: int) -> str:
    """A value with as many characters as there is room for: the middle gives way."""
    if len(value) <= room:
        return value
    end = (room - 1) // 2
    return f"{value[: room - 1 - end]}…{value[-end:]}"


def _name(text: str, y: int) -> str:
    return f'<text class="name" x="-8" y="{y + 13}">{escape(text)}</text>'
