# SPDX-License-Identifier: Apache-2.0
"""Cycle tables: every watched register of a core in every cycle."""

from typing import TYPE_CHECKING

from vectors.lazily import lazily

if TYPE_CHECKING:
    from vectors.cycles.formats import FORMATS, OF_UNITS, render
    from vectors.cycles.request import ColumnInfo, CycleQuery, CycleRequest, cycle_request, parse_job, set_cycles

__all__ = [
    "FORMATS",
    "OF_UNITS",
    "ColumnInfo",
    "CycleQuery",
    "CycleRequest",
    "cycle_request",
    "parse_job",
    "render",
    "set_cycles",
]

__getattr__ = lazily(
    __name__,
    formats="FORMATS OF_UNITS render",
    request="ColumnInfo CycleQuery CycleRequest cycle_request parse_job set_cycles",
)
