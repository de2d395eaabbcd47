# SPDX-License-Identifier: Apache-2.0
"""Points that no simulation of the hardware can reach, as far as that is certain.

What neither a constant condition nor a tied bit shows may still be unreachable; it counts as not hit.
"""

from functools import cached_property
from pathlib import Path

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.code_coverage.dead_ways import DeadWay, dead_ways
from limbtrace.rtl_bridge.code_coverage.points import TOGGLE, CoveragePoint
from limbtrace.rtl_bridge.code_coverage.tied_bits import TiedBit, tied_bits
from limbtrace.vectors.errors import ToolError

EXCLUDED = "parameters exclude it"
TIED = "the bit is constant"


class Unreachable:
    """Judge of the points of a bound core, whose sources have the names that points have."""

    def __init__(self, bound: Bound, names: dict[Path, str], *, toggles: bool) -> None:
        """`toggles`: tied bits are looked for, too."""
        self._bound, self._toggles = bound, toggles
        self._paths = {name: path for path, name in names.items()}
        self.notes: list[str] = []
        """Sentences about what could not be looked for, with the reason."""

    def reason(self, point: CoveragePoint) -> str:
        """The reason why a point is unreachable; empty if it may be reached."""
        path, place = self._paths[point.file], (point.line, point.column)
        if any(way.covers(path, place, point.what) for way in self._ways):
            return EXCLUDED
        if point.kind != TOGGLE:
            return ""
        signal = point.what.partition(":")[0]
        return TIED if {(path.name, point.line, form) for form in (signal, f"{signal}[0]")} & self._tied else ""

    @cached_property
    def _ways(self) -> list[DeadWay]:
        return dead_ways(self._bound)

    @cached_property
    def _tied(self) -> set[TiedBit]:
        if not self._toggles:
            return set()
        try:
            return tied_bits(self._bound)
        except (ToolError, ParameterError) as error:
            self.notes.append(f"constant bits are not told from others: {error}")
            return set()
