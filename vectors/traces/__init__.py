# SPDX-License-Identifier: Apache-2.0
"""Digit-level traces: every intermediate of one product."""

from typing import TYPE_CHECKING

from vectors.lazily import lazily

if TYPE_CHECKING:
    from vectors.traces.formats import FORMATS, render
    from vectors.traces.request import MAX_STEPS, TraceQuery, TraceRequest

__all__ = ["FORMATS", "MAX_STEPS", "TraceQuery", "TraceRequest", "render"]

__getattr__ = lazily(
    __name__,
    formats="FORMATS render",
    request="MAX_STEPS TraceQuery TraceRequest",
)
