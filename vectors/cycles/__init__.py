# SPDX-License-Identifier: Apache-2.0
"""Cycle tables: every watched register of a core in every cycle."""

from typing import TYPE_CHECKING

from limbtrace.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from limbtrace.vectors.cycles.formats import FORMATS, OF_UNITS, render
    from limbtrace.vectors.cycles.request import (
        ColumnInfo,
        CycleQuery,
        CycleRequest,
        cycle_request,
        parse_job,
        set_cycles,
    )

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

__getattr__ = lazy_exports(
    __name__,
    {
        "formats": "FORMATS OF_UNITS render",
        "request": "ColumnInfo CycleQuery CycleRequest cycle_request parse_job set_cycles",
    },
)
