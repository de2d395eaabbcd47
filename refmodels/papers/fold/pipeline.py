# SPDX-License-Identifier: Apache-2.0
"""Folding in a pipeline, one product a cycle: the product, a register for each round, and the last subtraction.

For p = 2^N - c with c below 2^(N//2), which is a constant of the hardware. Two rounds then leave less than 2p: after
the first one T is at most 2^N - 1 + (2^N - 2)*c, so that H is at most c, and 2^N - 1 + c^2 is below 2*(2^N - c).
"""

from limbtrace.refmodels import pipeline
from limbtrace.refmodels.architecture import Architecture, Column, Control, Shape, signal
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Index
from limbtrace.refmodels.papers.fold.fold import HANDBOOK, MODEL, Fold
from limbtrace.refmodels.pipeline import latest, of_stream, one_per_cycle
from limbtrace.refmodels.settings import Settings

CONSTANT_BITS = 64


def own(params: Fold, settings: Settings) -> dict[str, int]:
    """The stages. Raises ParameterError for a modulus whose c the hardware does not take."""
    N = params.bits
    if params.k != N:
        raise ParameterError("k", f"the pipeline folds at N = {N} bits, and k is {params.k}")
    limit = min(N // 2, CONSTANT_BITS)
    if params.c >> limit:
        raise ParameterError(
            "prime", f"2^{N} - p has {params.c.bit_length()} bits, and the pipeline takes at most {limit} for {N} bits"
        )
    return pipeline.stages(settings)


def latency(shape: Shape) -> int:
    """Cycles from the operand registers to the result register."""
    return int(shape.own["stages"]) + int(shape.params.rounds) + 1


def columns(shape: Shape) -> tuple[Column, ...]:
    """Registers, each of which keeps what came last, and valid."""
    params: Fold = shape.params
    N, stages = params.bits, shape.own["stages"]

    def last(row: int) -> Index | None:
        return latest(shape, row)

    def T(row: int, i: int) -> Index | None:
        product = last(row - stages - i)
        return product and (*product, i)

    widths = [2 * N, *(most.bit_length() for most in params.largest_sums[1:])]
    return (
        signal("a", N, "register", "a", last),
        signal("b", N, "register", "b", last),
        *(
            signal(f"T{i}", width, "register", "T", lambda row, i=i: T(row, i))  # type: ignore[misc]
            for i, width in enumerate(widths)
        ),
        signal("sub", 1, "combinational", "sub", lambda row: last(row - latency(shape))),
        signal("Z", N, "register", "Z", lambda row: last(row - latency(shape))),
        Control("valid", 1, "combinational", lambda row: int(row - latency(shape) - 1 in shape.starts)),
    )


ARCHITECTURE = Architecture(
    id="fold_pipeline",
    title="folding for p = 2^N - c in a pipeline, one product a cycle",
    source=HANDBOOK,
    model=MODEL,
    own_parameters=(pipeline.STAGES,),
    own=own,
    first_cycle=0,
    steps=of_stream(MODEL, "ab"),
    columns=columns,
    cycles=pipeline.cycles(latency),
    interval=lambda shape: 1,
    costs=pipeline.costs(latency, "stages + rounds + 1"),
    published={},
    overlap=one_per_cycle("Z"),
)
