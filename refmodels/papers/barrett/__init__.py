# SPDX-License-Identifier: Apache-2.0
"""The family of Barrett's reductions: one algorithm with the parameters of all forms that hardware has."""

from limbtrace.refmodels.paper import Paper

PAPER = Paper(
    id="barrett_general",
    package=__name__,
    algorithms=("barrett_reduce", "barrett_mul"),
    schedules={"barrett_pipeline": "barrett_pipeline", "barrett_reducer": "barrett_reducer"},
)
