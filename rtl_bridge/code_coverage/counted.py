# SPDX-License-Identifier: Apache-2.0
"""PointCounts of the points of a core, merged over simulations of several modes, sizes and builds."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.code_coverage.points import (
    COUNTS,
    TOGGLE,
    CoveragePoint,
    PointCounts,
    add_counts,
    read_counts,
)
from limbtrace.rtl_bridge.code_coverage.unreachable import Unreachable
from limbtrace.rtl_bridge.core.core import Core

OPTION = "code-coverage"


def check_countable(bound: Bound, simulator: str) -> None:
    """Raises ParameterError where the code of a core cannot be counted in this simulator."""
    if simulator != "verilator":
        raise ParameterError(OPTION, f"is counted by Verilator, and {simulator} is asked for")
    if bound.sources.converted:
        why = "has VHDL, and lines of the Verilog that GHDL makes of it are not its own"
        raise ParameterError(OPTION, f"counts lines of Verilog: {bound.core.file.name} {why}")


def source_names(bound: Bound) -> dict[Path, str]:
    """The core's own RTL, included files too, with names that are the same on every machine; without the probe."""
    core = bound.core
    cells = {cell.resolve() for cell in core.cells}
    probe = {path.resolve() for path in core.listing.probe}
    return {path: _name(core, path, cells) for path in (path.resolve() for path in bound.files) if path not in probe}


def _name(core: Core, path: Path, cells: set[Path]) -> str:
    return f"cells/{path.name}" if path in cells else os.path.relpath(path, core.folder.resolve())


def counts_below(folder: Path, names: Mapping[str, str]) -> PointCounts | None:
    """PointCounts that models of a core wrote into a folder and those in it; None without any.

    `names` of the sources by the paths that Verilator was given. Raises ToolError.
    """
    counts: PointCounts | None = None
    for path in sorted(folder.rglob(COUNTS)):
        counts = {} if counts is None else counts
        add_counts(counts, read_counts(path, lambda text: names.get(str(Path(text).resolve()))))
    return counts


def unpacked(rows: Iterable[Sequence[Any]]) -> PointCounts:
    """PointCounts of plain data."""
    return {CoveragePoint(*point): count for *point, count in rows}


class CountedPoint(NamedTuple):
    """A point with what all simulations say of it."""

    point: CoveragePoint
    hits: int
    reason: str
    """Reason why no simulation with these parameters reaches it; empty if one did, or may."""


class _Hardware(NamedTuple):
    """RTL with concrete parameters."""

    bound: Bound
    points: set[CoveragePoint]


class CountedCode:
    """PointCounts of the simulations of one core."""

    def __init__(self) -> None:
        self.runs = 0
        """Simulations whose counts are here."""
        self.uncounted = 0
        """Simulations that ended before Verilator wrote their counts."""
        self._counts: PointCounts = {}
        self._hardware: dict[tuple[tuple[str, int], ...], _Hardware] = {}

    def add(self, bound: Bound, counts: PointCounts | None, runs: int = 1) -> None:
        """Add what so many simulations of the bound core wrote; None if they wrote nothing."""
        if counts is None:
            self.uncounted += runs
            return
        self.runs += runs
        add_counts(self._counts, counts)
        key = tuple(sorted(bound.parameters.items()))
        self._hardware.setdefault(key, _Hardware(bound, set())).points.update(counts)
        self.__dict__.pop("_judged", None)

    def packed(self) -> list[list[Any]]:
        """The counts as plain data; `unpacked` is the inverse."""
        return [[*point, count] for point, count in sorted(self._counts.items())]

    @property
    def core(self) -> Core | None:
        """The core; None before anything was counted."""
        return next((hardware.bound.core for hardware in self._hardware.values()), None)

    @cached_property
    def _judged(self) -> tuple[list[CountedPoint], list[str]]:
        """Every point, and notes."""
        why = [(hardware.points, self._unreachable(hardware)) for hardware in self._all]
        found = []
        for point, count in sorted(self._counts.items()):
            reasons = [] if count else [ruled_out.reason(point) for points, ruled_out in why if point in points]
            found.append(CountedPoint(point, count, reasons[0] if reasons and all(reasons) else ""))
        return found, list(dict.fromkeys(note for _, ruled_out in why for note in ruled_out.notes))

    @property
    def points(self) -> list[CountedPoint]:
        """Every point, in the order of the source. Those that parameters rule out in all hardware have a reason."""
        return self._judged[0]

    @property
    def notes(self) -> list[str]:
        """Sentences about points that are not told apart, with the reason."""
        return self._judged[1]

    @property
    def _all(self) -> list[_Hardware]:
        return [self._hardware[key] for key in sorted(self._hardware)]

    def _unreachable(self, hardware: _Hardware) -> Unreachable:
        toggles = any(point.kind == TOGGLE and not self._counts[point] for point in hardware.points)
        return Unreachable(hardware.bound, source_names(hardware.bound), toggles=toggles)

    def texts(self) -> Mapping[str, str]:
        """The sources with points, by name."""
        named = {point.file for point in self._counts}
        paths = {name: path for each in self._all for path, name in source_names(each.bound).items()}
        return {name: paths[name].read_text(errors="replace") for name in sorted(named)}


class LineCount(NamedTuple):
    """A line with statements."""

    line: int
    hits: int
    reason: str
    """As that of CountedPoint."""


def line_counts(points: list[CountedPoint]) -> Iterator[LineCount]:
    """The lines of one file that have statements: hit as often as the point of them that was hit most."""
    by_line: dict[int, list[CountedPoint]] = {}
    for each in points:
        for number in each.point.numbers():
            by_line.setdefault(number, []).append(each)
    for number, own in sorted(by_line.items()):
        reasons = [each.reason for each in own]
        yield LineCount(number, max(each.hits for each in own), reasons[0] if all(reasons) else "")
