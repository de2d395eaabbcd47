# SPDX-License-Identifier: Apache-2.0
"""Folding in a pipeline, one product a cycle: the product, a register for each round, and the last subtraction.

For p = 2^N - c with c below 2^(N//2), which is a constant of the hardware. Two rounds then leave less than 2p: after
the first one T is at most 2^N - 1 + (2^N - 2)*c, so that H is at most c, and 2^N - 1 + c^2 is below 2*(2^N - c).
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from limbtrace.refmodels.architecture import Architecture, Column, Control, Cost, Overlap, Shape, signal
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Index, Step
from limbtrace.refmodels.papers.fold.fold import HANDBOOK, MODEL, Fold
from limbtrace.refmodels.settings import Parameter, Settings

CONSTANT_BITS = 64
MOST_STAGES = 16

STAGES = Parameter(
    "stages", "registers behind the product, which tools move into the multiplier", "1", f"1 to {MOST_STAGES}"
)


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
    return {"stages": settings.integer("stages", 1, 1, MOST_STAGES)}


def latency(shape: Shape) -> int:
    """Cycles from the operand registers to the result register."""
    return int(shape.own["stages"]) + int(shape.params.rounds) + 1


def steps(shape: Shape, A: Sequence[Digit], B: Sequence[Digit]) -> Iterator[Step]:
    """a and b and the steps of the model for one product after the other, its number as first subscript."""
    for job, (a, b) in enumerate(zip(A, B, strict=True)):
        yield "a", (job,), a
        yield "b", (job,), b
        for name, index, value in MODEL.steps(shape.params, a, b):
            yield name, (job, *index), value


def columns(shape: Shape) -> tuple[Column, ...]:
    """Registers, each of which keeps what came last, and valid."""
    params: Fold = shape.params
    N, stages = params.bits, shape.own["stages"]

    def last(row: int) -> Index | None:
        """The last product that started in this row or an earlier one."""
        started = bisect_right(shape.starts, row)
        return (started - 1,) if started else None

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


def cycles(shape: Shape) -> int:
    """Clock cycles from the first one to the one with the last result on its port, both included."""
    return max(shape.starts) + latency(shape) + 2


def results(shape: Shape, steps: Sequence[Step]) -> list[Digit]:
    """Z of every product."""
    found = {index[0]: value for name, index, value in steps if name == "Z"}
    return [found[job] for job in range(len(shape.starts))]


ARCHITECTURE = Architecture(
    id="fold_pipeline",
    title="folding for p = 2^N - c in a pipeline, one product a cycle",
    source=HANDBOOK,
    model=MODEL,
    own_parameters=(STAGES,),
    own=own,
    first_cycle=0,
    steps=steps,
    columns=columns,
    cycles=cycles,
    interval=lambda shape: 1,
    costs=(
        Cost("cycles", "clock cycles", "from operand registers to result register, stages + rounds + 1", latency),
        Cost("interval", "clock cycles", "a product in every cycle", lambda shape: 1),
    ),
    published={},
    overlap=Overlap(
        lambda shape, wanted: max(wanted, shape.starts[-1] + 1 if shape.starts else 0),
        results,
        lambda shape, name, index: index[0],
    ),
)
