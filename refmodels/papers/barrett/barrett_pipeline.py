# SPDX-License-Identifier: Apache-2.0
"""Barrett's product in a pipeline, with registers behind operands, products, estimate, difference and corrections."""

from limbtrace.refmodels.architecture import Architecture, Column, Shape, signal
from limbtrace.refmodels.papers.barrett import family as barrett
from limbtrace.refmodels.papers.barrett import stages
from limbtrace.refmodels.papers.barrett.barrett_mul import MODEL
from limbtrace.refmodels.pipeline import latest, of_stream, one_per_cycle

LOADED = 2
"""Cycles from the one with the operands to the one with x in its register."""


def columns(shape: Shape) -> tuple[Column, ...]:
    """The operand registers and the stages."""
    N = shape.params.bits
    loaded = (signal(name, N, "register", name, lambda row: latest(shape, row)) for name in "ab")
    return (*loaded, *stages.columns(shape, LOADED))


_CYCLES, _COSTS = stages.timing(LOADED)

ARCHITECTURE = Architecture(
    id="barrett_pipeline",
    title="Barrett's product in a pipeline, one product a cycle",
    source=barrett.SOURCE,
    model=MODEL,
    own_parameters=(),
    own=stages.own,
    first_cycle=0,
    steps=of_stream(MODEL, "ab"),
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
