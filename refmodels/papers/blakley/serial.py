# SPDX-License-Identifier: Apache-2.0
"""Interleaved multiplication with one digit of a per cycle: an adder, and a comparison with each multiple of p."""

from limbtrace.refmodels.architecture import Architecture, Column, Cost, Shape, signal
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Index
from limbtrace.refmodels.papers.blakley.blakley import MODEL, SOURCE, Blakley
from limbtrace.refmodels.settings import Settings

MOST_DIGIT_BITS = 3


def own(params: Blakley, settings: Settings) -> dict[str, int]:
    """Nothing beside the model. Raises ParameterError for digits with more multiples of p than it compares."""
    if params.r > MOST_DIGIT_BITS:
        raise ParameterError("r", f"{params.r}: the core takes digits of 1 to {MOST_DIGIT_BITS} bits")
    return {}


def columns(shape: Shape) -> tuple[Column, ...]:
    """The digit, the sum, the quotient, and what is left."""
    params: Blakley = shape.params

    def every(cycle: int) -> Index:
        return (cycle,)

    N, r = params.bits, params.r
    return (
        signal("d", r, "combinational", "d", every),
        signal("T", N + r + 1, "combinational", "T", every),
        signal("q", r + 1, "combinational", "q", every),
        signal("S", N, "register", "S", every),
    )


def cycles(shape: Shape) -> int:
    """One cycle for each digit of a."""
    return int(shape.params.n)


ARCHITECTURE = Architecture(
    id="blakley_serial",
    title="interleaved multiplication, a digit of a per cycle",
    source=SOURCE,
    model=MODEL,
    own_parameters=(),
    own=own,
    first_cycle=0,
    steps=lambda shape, a, b: MODEL.steps(shape.params, a, b),
    columns=columns,
    cycles=cycles,
    interval=lambda shape: cycles(shape) + 1,
    costs=(
        Cost("cycles", "clock cycles", "n", cycles),
        Cost("comparisons", "multiples of p", "2^(r+1) - 2", lambda shape: int((2 << shape.params.r) - 2)),
    ),
    published={},
)
