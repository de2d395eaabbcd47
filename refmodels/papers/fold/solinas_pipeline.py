# SPDX-License-Identifier: Apache-2.0
"""Sums of words in a pipeline, one product a cycle: product, sums, total, and a register for each subtraction.

Each sum is a word and a few bits with a sign above it. Words beside each other are one number, and so are the upper
parts once they are made positive by a constant, so that the total is a sum of three numbers. The schedule is our own.
"""

from limbtrace.refmodels import pipeline
from limbtrace.refmodels.architecture import Architecture, Column, Control, Part, Shape, Signal, signal
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Index
from limbtrace.refmodels.papers.fold.solinas import MODEL
from limbtrace.refmodels.papers.fold.solinas.algorithm import SOURCE, Solinas
from limbtrace.refmodels.pipeline import latest, of_stream, one_per_cycle
from limbtrace.refmodels.settings import Settings

MOST_SUBTRACTIONS = 6
"""Subtractions that a core can be built with."""


def upper_bits(params: Solinas) -> int:
    """Bits of a sum above its word, with the sign: those of 1 and of all numbers of the largest row, and one more."""
    return max(1 + sum(map(abs, row)) for row in params.matrix).bit_length() + 1


def own(params: Solinas, settings: Settings) -> dict[str, int]:
    """The stages. Raises ParameterError for words and multiples that the hardware does not take."""
    if (bits := upper_bits(params)) > params.w:
        raise ParameterError("w", f"sums of words have {bits} bits above a word of {params.w}, and at most {params.w}")
    if params.K > MOST_SUBTRACTIONS:
        raise ParameterError("K", f"{params.K}: the pipeline is built with 1 to {MOST_SUBTRACTIONS} subtractions")
    return pipeline.stages(settings)


def latency(shape: Shape) -> int:
    """Cycles from the operand registers to the result register."""
    return int(shape.own["stages"]) + 2 + int(shape.params.K)


def columns(shape: Shape) -> tuple[Column, ...]:
    """Registers, each of which keeps what came last, and valid."""
    params: Solinas = shape.params
    N, stages = params.bits, shape.own["stages"]
    width = params.w + upper_bits(params)

    def last(row: int) -> Index | None:
        return latest(shape, row)

    def word(row: int, j: int) -> Index | None:
        product = last(row - stages - 1)
        return product and (*product, j)

    def left(row: int, k: int) -> Index | None:
        product = last(row - stages - 2 - params.K + k)
        return product and (*product, k)

    sums = tuple((Part("s", lambda row, j=j: word(row, j), (width - 1, 0)), width)  # type: ignore[misc]
                 for j in reversed(range(params.n)))  # fmt: skip
    return (
        signal("a", N, "register", "a", last),
        signal("b", N, "register", "b", last),
        signal("T", 2 * N, "register", "T", lambda row: last(row - stages)),
        Signal("s", width * params.n, "register", sums),
        signal("U", N + params.K, "register", "U", lambda row: last(row - stages - 2)),
        *(
            signal(f"R{k}", N + k, "register", "R", lambda row, k=k: left(row, k))  # type: ignore[misc]
            for k in reversed(range(params.K))
        ),
        Control("valid", 1, "combinational", lambda row: int(row - latency(shape) - 1 in shape.starts)),
    )


ARCHITECTURE = Architecture(
    id="solinas_pipeline",
    title="sums of words for generalised Mersenne numbers in a pipeline, one product a cycle",
    source=SOURCE,
    model=MODEL,
    own_parameters=(pipeline.STAGES,),
    own=own,
    first_cycle=0,
    steps=of_stream(MODEL, "ab"),
    columns=columns,
    cycles=pipeline.cycles(latency),
    interval=lambda shape: 1,
    costs=pipeline.costs(latency, "stages + 2 + K"),
    published={},
    overlap=one_per_cycle("R", 0),
    example="p256.fp",
    example_settings={},
)
