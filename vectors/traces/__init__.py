# SPDX-License-Identifier: Apache-2.0
"""Digit-level traces: every intermediate of one product."""

from typing import TYPE_CHECKING

from limbtrace.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from limbtrace.vectors.traces.formats import FORMATS, render
    from limbtrace.vectors.traces.request import MAX_STEPS, TraceQuery, TraceRequest

__all__ = ["FORMATS", "MAX_STEPS", "TraceQuery", "TraceRequest", "render"]

__getattr__ = lazy_exports(
    __name__,
    {
        "formats": "FORMATS render",
        "request": "MAX_STEPS TraceQuery TraceRequest",
    },
)
