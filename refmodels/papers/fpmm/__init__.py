# SPDX-License-Identifier: Apache-2.0
"""The FPMM paper: CIOS without a final subtraction, and products interleaved in one pipeline."""

from limbtrace.refmodels.paper import Paper

PAPER = Paper(
    id="fpmm",
    package=__name__,
    algorithms=("cios", "fpmm"),
    schedules={"fpmm": "pipeline"},
    designs={"fpmm": "designs"},
)
