# SPDX-License-Identifier: Apache-2.0
"""Barrett's reduction in a pipeline, with registers behind x, estimate, its product, difference and corrections."""

from limbtrace.refmodels.architecture import Architecture, Column, Shape
from limbtrace.refmodels.papers.barrett import family as barrett
from limbtrace.refmodels.papers.barrett import stages
from limbtrace.refmodels.papers.barrett.barrett_reduce import MODEL
from limbtrace.refmodels.pipeline import of_stream, one_per_cycle

LOADED = 1
"""Cycles from the one with x on its port to the one with x in its register."""


def columns(shape: Shape) -> tuple[Column, ...]:
    """The stages; the register of x is that of the operand."""
    return stages.columns(shape, LOADED)


_CYCLES, _COSTS = stages.timing(LOADED)

ARCHITECTURE = Architecture(
    id="barrett_reducer",
    title="Barrett's reduction in a pipeline, one integer a cycle",
    source=barrett.SOURCE,
    model=MODEL,
    own_parameters=(),
    own=stages.own,
    first_cycle=0,
    steps=of_stream(MODEL, ""),
    columns=columns,
    cycles=_CYCLES,
    interval=stages.interval,
    costs=_COSTS,
    published={},
    overlap=one_per_cycle("r"),
    defaults=stages.defaults,
    example="mldsa",
    example_settings={},
)
