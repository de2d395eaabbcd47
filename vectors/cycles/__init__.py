# SPDX-License-Identifier: Apache-2.0
"""Cycle tables: every watched register of a core in every cycle."""

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
