# SPDX-License-Identifier: Apache-2.0
"""LLMonPro from operand registers to a result register, in one cycle or with pipeline registers.

A product may start in every cycle. The paper shares multipliers between the cycles of a product instead, so that a
product starts when the one before is done, but does not say how.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence

from refmodels.architecture import Architecture, At, Column, Control, Cost, Overlap, Part, Shape, Signal
from refmodels.columns import Digit, weighted_sum
from refmodels.errors import ParameterError
from refmodels.model import Index, Step
from refmodels.papers.llmonpro import family as llmonpro
from refmodels.papers.llmonpro.llmonpro import MODEL, Llmonpro
from refmodels.settings import Parameter, Settings

CUTS: dict[int, tuple[int, ...]] = {
    1: (), 2: (3,), 3: (2, 4), 4: (1, 3, 5), 5: (1, 3, 5, 6), 6: (1, 2, 3, 4, 5), 7: (1, 2, 3, 4, 5, 6),
}  # fmt: skip
"""Cycles -> places with a register: 1, 3, 5 follow the column sums of T, Q, S, and 2, 4, 6 follow their digits."""
BEFORE = {"T": 2, "Q": 4, "S": 6, "carry": 7, "E": 7, "Z": 7}
"""Step -> the place before which it is computed."""

OWN_PARAMETERS = (
    Parameter("cycles", "clock cycles from the operand registers to that of the result", "1", f"1 to {len(CUTS)}"),
)


def own(params: Llmonpro, settings: Settings) -> dict[str, int]:
    """The cycles, 1 to 7. Raises ParameterError for digits of less than 3 bits and for fewer than 2 digits."""
    if params.radix_bits < 3:
        raise ParameterError("radix", f"2^{params.radix_bits}: the datapath takes digits of at least 3 bits")
    if params.k < 2:
        raise ParameterError("k", "the datapath takes at least 2 digits")
    return {"cycles": settings.integer("cycles", 1, 1, len(CUTS))}


def lag(cycles: int, step: str) -> int:
    """Cycles from the operands in the operand registers to the computation of a step."""
    return sum(cut < BEFORE[step] for cut in CUTS[cycles])


def vector(name: str, kind: str, width: int, digits: Sequence[int], at: At, step: str | None = None) -> Signal:
    """Digits of a step side by side, low digit in the low bits; `at` gives the subscripts before that of the digit."""

    def digit(j: int) -> At:
        def index(row: int) -> Index | None:
            product = at(row)
            return None if product is None else (*product, j)

        return index

    parts = tuple((Part(step or name, digit(j)), width) for j in reversed(digits))
    return Signal(name, width * len(digits), kind, parts)


def datapath(params: Llmonpro, cycles: int, product: Callable[[int], Index | None]) -> tuple[Column, ...]:
    """The watched sums and digits; `product(row)` is the product in the operand registers during a row."""
    d, k = params.radix_bits, params.k

    def at(step: str) -> At:
        return lambda row: product(row - lag(cycles, step))

    return (
        vector("T", "combinational", d + 1, range(2 * k + 1), at("T")),
        vector("Q", "combinational", d + 1, range(k), at("Q")),
        vector("S", "combinational", d + 1, range(k - 1, 2 * k + 1), at("S")),
        Signal("carry", 2, "combinational", ((Part("carry", at("carry")), 2),)),
        vector("E", "combinational", d + 2, range(k + 1), at("E")),
    )


def steps(shape: Shape, A: Sequence[list[Digit]], B: Sequence[list[Digit]]) -> Iterator[Step]:
    """A and B and the steps of the model for one product after the other, its number as first subscript."""
    for job, (a, b) in enumerate(zip(A, B, strict=True)):
        yield from (("A", (job, j), digit) for j, digit in enumerate(a))
        yield from (("B", (job, j), digit) for j, digit in enumerate(b))
        for name, index, value in MODEL.steps(shape.params, a, b):
            yield name, (job, *index), value


def columns(shape: Shape) -> tuple[Column, ...]:
    """Operand registers, datapath, result register and valid; registers hold their values while no product arrives."""
    params: Llmonpro = shape.params
    d, k, cycles = params.radix_bits, params.k, shape.own["cycles"]

    def product(row: int) -> Index | None:
        """The product in the operand registers during a row: the last one that started in an earlier row."""
        started = bisect_right(shape.starts, row - 1)
        return (started - 1,) if started else None

    def after(row: int) -> Index | None:
        return product(row + 1)

    def result(row: int) -> Index | None:
        return product(row + 1 - cycles)

    digits = range(k + 1)
    return (
        vector("A", "register", d + 1, digits, after),
        vector("B", "register", d + 1, digits, after),
        *datapath(params, cycles, product),
        vector("Z", "register", d + 1, digits, result),
        Control("valid", 1, "combinational", lambda row: int(row - cycles - 1 in shape.starts)),
    )


def cycles(shape: Shape) -> int:
    """Clock cycles from the first one to the one with the last result on its port, both included."""
    return max(shape.starts) + shape.own["cycles"] + 2


def next_start(shape: Shape, wanted: int) -> int:
    """The wanted cycle, but not before the cycle after the latest start: a product may start in every cycle."""
    return max(wanted, shape.starts[-1] + 1 if shape.starts else 0)


def results(shape: Shape, steps: Sequence[Step]) -> list[Digit]:
    """The value of Z of every product."""
    d = shape.params.radix_bits
    return [
        weighted_sum((value, d * index[1]) for name, index, value in steps if name == "Z" and index[0] == job)
        for job in range(len(shape.starts))
    ]


def multipliers(shape: Shape) -> int:
    """Number of digit products: all of T, those of Q at positions below k, those of S at positions from k - 4 on."""
    k: int = shape.params.k
    return (k + 1) ** 2 + k * (k + 1) // 2 + k * k - max(k - 4, 0) * max(k - 3, 0) // 2


ARCHITECTURE = Architecture(
    id="llmonpro",
    title="LLMonPro, three products of redundant digits in a row, one product a cycle",
    source=llmonpro.paper("Algorithms 5 and 7"),
    model=MODEL,
    own_parameters=OWN_PARAMETERS,
    own=own,
    first_cycle=0,
    steps=steps,
    columns=columns,
    cycles=cycles,
    interval=lambda shape: 1,
    costs=(
        Cost("cycles", "clock cycles", "from operand registers to result register, as asked for",
             lambda shape: shape.own["cycles"]),
        Cost("interval", "clock cycles", "a product in every cycle", lambda shape: 1),
        Cost("multipliers", "digit products", "(k+1)^2 + k(k+1)/2 + k^2, less (k-4)(k-3)/2 from k = 5 on", multipliers),
    ),
    published={
        "cycles": {"Table 1": 1, "Table 2": [3, 5, 8, 9, 16, 18]},
        "multipliers": {"Algorithm 7, three times (k+1)^2": {"k = 4": 75, "k = 8": 243, "k = 16": 867, "k = 32": 3267}},
    },
    overlap=Overlap(next_start, results, lambda shape, name, index: index[0]),
)  # fmt: skip
