# SPDX-License-Identifier: Apache-2.0
"""Points of code coverage, and the counts that Verilator writes of them."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from limbtrace.vectors.errors import ToolError

LINE, BRANCH, EXPRESSION, TOGGLE = "line", "branch", "expression", "toggle"
COUNTS = "coverage.dat"
"""The file that a model writes into the folder in which it runs."""
_BLOCK = "block"
"""Verilator's word for statements that no condition guards."""
_PAGES = {"v_line": BRANCH, "v_branch": BRANCH, "v_expr": EXPRESSION, "v_toggle": TOGGLE}
"""Kind of a point by the page that Verilator puts it on; ways of if and case are on the first two."""
_ENTRY = re.compile(r"C '(.*)' (\d+)")
_FIELD = re.compile("\x01([^\x02]*)\x02([^\x01]*)")
_RANGE = re.compile(r"(\d+)(?:-(\d+))?")


class CoveragePoint(NamedTuple):
    """A point of the source. Instances of a module share it, and so do modules that differ in their parameters."""

    file: str
    """Path from the folder of the core."""
    line: int
    column: int
    kind: str
    """LINE for statements that no condition guards, else BRANCH, EXPRESSION or TOGGLE."""
    what: str
    """The way of a branch (if, else, case ...), the values of an expression, the bit and perhaps its edge."""
    lines: str
    """The lines of its statements, as 7-8,10; empty without any."""

    def numbers(self) -> Iterator[int]:
        """Each line of its statements."""
        for first, last in _RANGE.findall(self.lines):
            yield from range(int(first), int(last or first) + 1)


PointCounts = dict[CoveragePoint, int]
"""How often each point was hit, 0 for those that were not."""


def add_counts(counts: PointCounts, more: PointCounts) -> None:
    """Add the second ones to the first ones, in place."""
    for point, count in more.items():
        counts[point] = counts.get(point, 0) + count


def read_counts(path: Path, name_of: Callable[[str], str | None]) -> PointCounts:
    """PointCounts of the points in the files to which `name_of` gives a name, by the path that Verilator was given.

    Raises ToolError where the file has another form.
    """
    counts: PointCounts = {}
    first, *lines = path.read_text(errors="replace").split("\n")
    if not first.startswith("# SystemC::Coverage"):
        raise ToolError(f"{path.name}: Verilator wrote counts in an unknown form: {first[:60]!r}")
    for line in filter(None, lines):
        found = _ENTRY.fullmatch(line)
        if found is None:
            raise ToolError(f"{path.name}: Verilator wrote a count in an unknown form: {line[:60]!r}")
        point = _point(dict(_FIELD.findall(found[1])), name_of)
        if point is not None:
            add_counts(counts, {point: int(found[2])})
    return counts


def _point(fields: dict[str, str], name_of: Callable[[str], str | None]) -> CoveragePoint | None:
    """The point with Verilator's fields; None for those of other kinds, and in other files."""
    kind = _PAGES.get(fields.get("page", "").partition("/")[0])
    file = name_of(fields.get("f", ""))
    if kind is None or file is None:
        return None
    what = fields.get("o", "")
    kind = LINE if kind == BRANCH and what == _BLOCK else kind
    return CoveragePoint(file, int(fields.get("l", 0)), int(fields.get("n", 0)), kind, what, fields.get("S", ""))
