# SPDX-License-Identifier: Apache-2.0
"""Reduction for moduli next to a power of two: the bits above the power are folded into those below it."""

from limbtrace.refmodels.paper import Paper

PAPER = Paper(
    id="special",
    package=__name__,
    algorithms=("fold", "solinas"),
    schedules={"fold_pipeline": "pipeline", "solinas_pipeline": "solinas_pipeline"},
)
