# SPDX-License-Identifier: Apache-2.0
"""LLMonPro from operand registers to a result register, in one cycle or with pipeline registers.

A product may start in every cycle. In Table 2 the paper shares multipliers between the cycles of a product instead, so
that a product starts when the one before is done. It gives cycles and DSP blocks of each row but no schedule; the one
here, with `shared` = s, is our own.

T, Q and S follow each other, and so they have the same k*ceil(k/s) digit multipliers in turn, for s cycles each. A
cycle multiplies ceil(k/s) digits of X (A, T0, Q0), the lowest first, with the k low digits of Y (B, M', M). Digit k of
an operand is 0 or 1 and takes no multiplier. Sums that no later row reaches become digits in the same cycle. They enter
X at its upper end while the digits used leave it at the lower end, so that after s cycles X holds the low half of the
product, which is what the next one takes. A product takes 3s cycles; the last of them also adds the high halves.
"""

from collections.abc import Callable, Iterator, Sequence

from limbtrace.refmodels.architecture import Architecture, At, Column, Control, Cost, Overlap, Part, Shape, Signal
from limbtrace.refmodels.batch_digits import Digit, weighted_sum
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Index, Step
from limbtrace.refmodels.papers.llmonpro import family as llmonpro
from limbtrace.refmodels.papers.llmonpro.llmonpro import MODEL
from limbtrace.refmodels.papers.llmonpro.llmonpro.algorithm import Llmonpro
from limbtrace.refmodels.papers.llmonpro.ozturk import algorithm as ozturk
from limbtrace.refmodels.pipeline import latest
from limbtrace.refmodels.settings import Parameter, Settings

CUTS: dict[int, tuple[int, ...]] = {
    1: (), 2: (3,), 3: (2, 4), 4: (1, 3, 5), 5: (1, 3, 5, 6), 6: (1, 2, 3, 4, 5), 7: (1, 2, 3, 4, 5, 6),
}  # fmt: skip
"""Cycles -> places with a register: 1, 3, 5 follow the column sums of T, Q, S, and 2, 4, 6 follow their digits."""
BEFORE = {"T": 2, "Q": 4, "S": 6, "carry": 7, "E": 7, "Z": 7}
"""Step -> the place before which it is computed."""

PHASES = 3
"""T, Q and S."""

CYCLES = Parameter("cycles", "clock cycles from the operand registers to that of the result", "1", f"1 to {len(CUTS)}")
SHARED = Parameter(
    "shared", "cycles for which each of T, Q and S has the digit multipliers, which they share; 0: none is shared", "0",
    "0 to k, with (shared - 1)*ceil(k/shared) < k; cycles is then 3*shared", silent=True,
)  # fmt: skip


def own(params: Llmonpro, settings: Settings) -> dict[str, int]:
    """Cycles and cycles of sharing, as `unshared` if none is shared. Raises ParameterError."""
    k, shared = params.k, settings.integer("shared", 0, 0, params.k, f"k = {params.k}")
    if not shared:
        return {**unshared(params, settings), "shared": 0}
    check(params)
    taken = -(-k // rows(k, shared))
    if taken != shared:
        raise ParameterError(
            "shared", f"{shared}: {k} digits are done after {taken} cycles of {rows(k, shared)} digits each"
        )
    why = "T, Q and S take as many as shared says each"
    return {
        "cycles": settings.integer("cycles", PHASES * shared, PHASES * shared, PHASES * shared, why),
        "shared": shared,
    }


def unshared(params: Llmonpro, settings: Settings) -> dict[str, int]:
    """The cycles, 1 to 7. Raises ParameterError for digits of less than 3 bits and for fewer than 2 digits."""
    check(params)
    return {"cycles": settings.integer("cycles", 1, 1, len(CUTS))}


def rows(k: int, shared: int) -> int:
    """Digits of X that a cycle multiplies."""
    return -(-k // shared)


def check(params: Llmonpro) -> None:
    """Raises ParameterError for digits of less than 3 bits and for fewer than 2 digits."""
    if params.radix_bits < 3:
        raise ParameterError("radix", f"2^{params.radix_bits}: the datapath takes digits of at least 3 bits")
    if params.k < 2:
        raise ParameterError("k", "the datapath takes at least 2 digits")


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
    """A and B and the steps of the model for one product after the other, its number as first subscript.

    Where multipliers are shared, the factors and sums of each cycle follow those of the product.
    """
    for job, (a, b) in enumerate(zip(A, B, strict=True)):
        yield from (("A", (job, j), digit) for j, digit in enumerate(a))
        yield from (("B", (job, j), digit) for j, digit in enumerate(b))
        found: dict[str, list[Digit]] = {"T": [], "Q": [], "S": []}
        for name, index, value in MODEL.steps(shape.params, a, b):
            yield name, (job, *index), value
            if name in found:
                found[name].append(value)
        if shape.own["shared"]:
            for name, index, value in shared_steps(shape, a, b, found):
                yield name, (job, *index), value


def shared_steps(shape: Shape, A: list[Digit], B: list[Digit], products: dict[str, list[Digit]]) -> Iterator[Step]:
    """Factors and sums of a product, the number of the phase (0 to 2 for T, Q, S; 3 when they are done) as subscript.

    X and Y are the factors, `top` their digits k; V are digits k - 1 to 2k of what is computed. After i cycles,
    `sums` are those that later rows reach, and `below` is what the sum below them carries.
    """
    params: Llmonpro = shape.params
    d, k, shared = params.radix_bits, params.k, shape.own["shared"]
    count = rows(k, shared)
    T, Q, S = products.values()
    M_, M = params.factors
    X = [A, *([*low[:k], 0] for low in (T, Q, S))]
    Y = [B, M_, M, M]
    for phase in range(PHASES + 1):
        padding = [0] * (shared * count - k)
        yield from (("X", (phase, j), digit) for j, digit in enumerate([*X[phase][:k], *padding]))
        yield from (("Y", (phase, j), Y[phase][j]) for j in range(k))
        yield "top", (phase, 0), X[phase][k]
        yield "top", (phase, 1), Y[phase][k]
        if phase < PHASES:
            yield from (("V", (phase, j), (T, Q, S)[phase][j]) for j in range(k - 1, 2 * k + 1))
        sums: list[Digit] = [0] * (2 * k + 3)
        for i in range(shared if phase < PHASES else 1):
            base = i * count
            yield from (("sums", (phase, i, j), sums[base + j] if base + j < len(sums) else 0) for j in range(k + 1))
            yield "below", (phase, i), sums[base - 1] >> d if i else 0
            some = X[phase][base : base + count if i + 1 < shared else None]
            for j, column in enumerate(ozturk.sums(some, Y[phase], d)):
                if base + j < len(sums):
                    sums[base + j] = sums[base + j] + column


def columns(shape: Shape) -> tuple[Column, ...]:
    """The watched signals of the core; registers hold their values while no product arrives."""
    return shared_columns(shape) if shape.own["shared"] else own_columns(shape)


def own_columns(shape: Shape) -> tuple[Column, ...]:
    """Operand registers, datapath, result register and valid."""
    params: Llmonpro = shape.params
    d, k, cycles = params.radix_bits, params.k, shape.own["cycles"]

    def product(row: int) -> Index | None:
        """The product in the operand registers during a row: the last one that started in an earlier row."""
        return latest(shape, row - 1)

    def after(row: int) -> Index | None:
        return latest(shape, row)

    def result(row: int) -> Index | None:
        return latest(shape, row - cycles)

    digits = range(k + 1)
    return (
        vector("A", "register", d + 1, digits, after),
        vector("B", "register", d + 1, digits, after),
        *datapath(params, cycles, product),
        vector("Z", "register", d + 1, digits, result),
        Control("valid", 1, "combinational", lambda row: int(row - cycles - 1 in shape.starts)),
    )


def shared_columns(shape: Shape) -> tuple[Column, ...]:
    """Factors, sums between the cycles of a phase, digits in the last of them, result, ready and valid."""
    params: Llmonpro = shape.params
    d, k, shared, cycles = params.radix_bits, params.k, shape.own["shared"], shape.own["cycles"]
    count = rows(k, shared)
    size = shared * count
    column_bits = d + (2 * k + 2).bit_length()

    def after(row: int) -> Index | None:
        """(product, phase, cycle of the phase) of the registers behind the edge that ends a row."""
        job = latest(shape, row)
        return job and (*job, *divmod(min(row - shape.starts[job[0]], cycles), shared))

    def phase(row: int) -> Index | None:
        at = after(row)
        return at and at[:2]

    def x_digit(place: int) -> At:
        def index(row: int) -> Index | None:
            at = after(row)
            if at is None:
                return None
            behind, j = divmod(place + at[2] * count, size)
            return at[0], at[1] + behind, j

        return index

    def above(row: int) -> Index | None:
        """The value that the last cycle of a phase completes, during that cycle."""
        at = after(row - 1)
        return at[:2] if at and at[1] < PHASES and at[2] == shared - 1 else None

    def end(row: int) -> Index | None:
        at = above(row)
        return at[:1] if at and at[1] == PHASES - 1 else None

    x_parts = tuple((Part("X", x_digit(place)), d + 1) for place in reversed(range(size)))
    return (
        Signal("X", size * (d + 1), "register", x_parts),
        vector("Y", "register", d + 1, range(k), phase),
        vector("top", "register", 1, (1, 0), phase),
        vector("sums", "register", column_bits, range(k + 1), after),
        Signal("below", column_bits - d, "register", ((Part("below", after), column_bits - d),)),
        vector("V", "combinational", d + 1, range(k - 1, 2 * k + 1), above),
        vector("T1", "register", d + 1, range(k - 1, 2 * k + 1), lambda row: latest(shape, row - shared), "T"),
        Signal("carry", 2, "combinational", ((Part("carry", end), 2),)),
        vector("E", "combinational", d + 2, range(k + 1), end),
        vector("Z", "register", d + 1, range(k + 1), lambda row: latest(shape, row - cycles)),
        Control("ready", 1, "combinational", lambda row: int(not any(1 <= row - s < cycles for s in shape.starts))),
        Control("valid", 1, "combinational", lambda row: int(row - cycles - 1 in shape.starts)),
    )


def cycles(shape: Shape) -> int:
    """Clock cycles from the first one to the one with the last result on its port, both included."""
    return max(shape.starts) + shape.own["cycles"] + 2


def next_start(shape: Shape, wanted: int) -> int:
    """The wanted cycle, but not before the interval after the latest start has passed."""
    return max(wanted, shape.starts[-1] + interval(shape) if shape.starts else 0)


def interval(shape: Shape) -> int:
    """A product may start in every cycle; where multipliers are shared, when the one before is done."""
    return shape.own["cycles"] if shape.own["shared"] else 1


def results(shape: Shape, steps: Sequence[Step]) -> list[Digit]:
    """The value of Z of every product."""
    d = shape.params.radix_bits
    return [
        weighted_sum((value, d * index[1]) for name, index, value in steps if name == "Z" and index[0] == job)
        for job in range(len(shape.starts))
    ]


def multipliers(shape: Shape) -> int:
    """Number of digit multipliers: one for each digit product, or k for each of the digits that a cycle multiplies."""
    k: int = shape.params.k
    return k * rows(k, shape.own["shared"]) if shape.own["shared"] else digit_products(shape)


def digit_products(shape: Shape) -> int:
    """Number of digit products: all of T, those of Q at positions below k, those of S at positions from k - 4 on."""
    k: int = shape.params.k
    return (k + 1) ** 2 + k * (k + 1) // 2 + k * k - max(k - 4, 0) * max(k - 3, 0) // 2


ARCHITECTURE = Architecture(
    id="llmonpro",
    title="LLMonPro, three products of redundant digits in a row, one product a cycle",
    source=llmonpro.paper("Algorithms 5 and 7"),
    model=MODEL,
    own_parameters=(CYCLES, SHARED),
    own=own,
    first_cycle=0,
    steps=steps,
    columns=columns,
    cycles=cycles,
    interval=interval,
    costs=(
        Cost("cycles", "clock cycles", "from operand registers to result register, as asked for; shared: 3*shared",
             lambda shape: shape.own["cycles"]),
        Cost("interval", "clock cycles", "a product in every cycle; shared: 3*shared", interval),
        Cost("multipliers", "digit products", "(k+1)^2 + k(k+1)/2 + k^2, less (k-4)(k-3)/2 from k = 5 on; "
             "shared: k*ceil(k/shared)", multipliers),
    ),
    published={
        "cycles": {"Table 1": 1, "Table 2": [3, 5, 8, 9, 16, 18]},
        "multipliers": {"Algorithm 7, three times (k+1)^2": {"k = 4": 75, "k = 8": 243, "k = 16": 867, "k = 32": 3267}},
    },
    overlap=Overlap(next_start, results, lambda shape, name, index: index[0]),
)  # fmt: skip
