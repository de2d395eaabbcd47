# SPDX-License-Identifier: Apache-2.0
"""Copies of cores, changed in places, and with faults of which one is chosen while the simulation runs."""

import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from limbtrace.rtl_bridge.core.core import BUILT_IN, CELLS, Core, load

PORT = "fault_i"
"""Input of a copy that chooses its fault; 0 for none."""

Edit = tuple[str, str, str]
"""(file, old text, new text)"""


@dataclass(frozen=True)
class Place:
    """An expression of a source, found by the text in front of it, and what a fault makes of it."""

    file: str
    before: str
    good: str
    bad: str


class PlaceError(ValueError):
    """A text that does not stand exactly once in its file, or overlaps another one."""


def copy_of(core: str | Path, target: Path, *edits: Edit) -> Path:
    """A copy of a core with (file, old text, new text) replaced; every old text must occur exactly once.

    Shared cells become files of the copy, so that they can be changed too; a file may be a pattern such as *.sv. Files
    of another core keep their path relative to the copy. Raises PlaceError.
    """
    folder = target / Path(core).name
    shutil.copytree(BUILT_IN / core, folder)  # an absolute path of a toy stands for itself
    for name in load(BUILT_IN / core, allow_outside=True).file.files:
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(BUILT_IN / core / name, folder / name)
    if cells := load(folder, allow_outside=True).file.cells:
        for cell in cells:
            shutil.copyfile(CELLS / cell, folder / cell)
        edits = (("core.toml", "\ncells = [", "\nfiles = ["), ("core.toml", "]\nfiles = [", ", "), *edits)
    for name, old, new in edits:
        places = [path for path in folder.glob(name) for _ in range(path.read_text().count(old))]
        if len(places) != 1:
            raise PlaceError(f"{old!r} occurs {len(places)} times in {name}")
        places[0].write_text(places[0].read_text().replace(old, new))
    return folder


def give(folder: Path, **inputs: int) -> None:
    """Add ports with these values to the description of a copy, named without their _i."""
    tables = "".join(f'\n[[input]]\nport = "{port}_i"\nvalue = {value}\n' for port, value in inputs.items())
    (folder / "core.toml").write_text((folder / "core.toml").read_text() + tables)


def spoil(folder: Path, places: Sequence[Place], port: str = PORT) -> None:
    """Put all the faults into a copy; `port` is the name by which every module sees which one is there, from 1 on.

    Several may stand in one place, and one inside another. Raises PlaceError.
    """
    for file in dict.fromkeys(place.file for place in places):
        path = folder / file
        text = path.read_text()
        faults: dict[tuple[int, int], list[tuple[int, str]]] = {}
        for number, place in enumerate(places, 1):
            if place.file == file:
                faults.setdefault(_span(text, place), []).append((number, place.bad))
        path.write_text(_marked(text, faults, port))


def _span(text: str, place: Place) -> tuple[int, int]:
    """Begin and end of the expression."""
    whole = place.before + place.good
    if (times := text.count(whole)) != 1:
        raise PlaceError(f"{whole!r} occurs {times} times in {place.file}")
    begin = text.index(whole) + len(place.before)
    return begin, begin + len(place.good)


def _marked(text: str, faults: dict[tuple[int, int], list[tuple[int, str]]], port: str) -> str:
    """The text with a choice in place of every expression, inner ones first."""
    spans = sorted(faults, key=lambda span: (span[0], -span[1]))

    def render(begin: int, end: int, inside: Sequence[tuple[int, int]]) -> str:
        parts, at, rest = [], begin, list(inside)
        while rest:
            first = rest.pop(0)
            inner = [span for span in rest if span[0] < first[1]]
            if any(span[1] > first[1] for span in inner):
                raise PlaceError(f"two faults overlap at {text[first[0] : first[1]]!r}")
            del rest[: len(inner)]
            choices = "".join(f"({port} == {number}) ? ({bad}) : " for number, bad in faults[first])
            parts += [text[at : first[0]], f"({choices}({render(*first, inner)}))"]
            at = first[1]
        return "".join(parts) + text[at:end]

    return render(0, len(text), spans)


def without_assertions(folder: Path) -> None:
    """Take the checks of a copy of itself out of it, so that only comparisons find its faults."""
    for path in folder.glob("**/*.sv"):
        path.write_text(path.read_text().replace("`ifndef SYNTHESIS", "`ifdef LIMBTRACE_NEVER"))


def chooser(core: Core) -> str:
    """Add the port that chooses a fault to the top module of a copy; the name by which all of its modules see it."""
    top = core.file.simulated_top
    for path in core.sources:
        head, port = rf"(module {top}\b.*?\n\) \(\n)", rf"\1  input wire logic [7:0] {PORT},\n"
        changed, found = re.subn(head, port, path.read_text(), count=1, flags=re.S)
        if found:
            path.write_text(changed)
            return f"{top}.{PORT}"
    raise PlaceError(f"module {top} has no list of ports that begins on a line of its own")


def declare(folder: Path, items: Iterable[tuple[str, str]]) -> None:
    """Add (file, text) behind the ports of the first module of a file."""
    for file, text in items:
        source = (folder / file).read_text()
        head, end, rest = source.partition("\n);\n")
        (folder / file).write_text(f"{head}{end}{text}\n{rest}")
