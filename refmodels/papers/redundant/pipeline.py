# SPDX-License-Identifier: Apache-2.0
"""The multiplier of the redundant paper with one, two or three products at once, one iteration per cycle.

A group has as many products as there are ways, and each product enters one cycle after the one before. With k ways an
iteration takes k cycles in k stages. With three ways there is one stage each for the products of digits (MUL), the
digit sums K and T (ADD1), and U and S (ADD2); with fewer ways a stage combines several of these. Steps are those of the
model with the number of the product as first subscript.

A group starts in the cycle after the one in which all results of the last one are there, or with `steady` as soon as
the first stage is free: every k(ma + 3) cycles.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from limbtrace.refmodels.architecture import (
    Architecture,
    At,
    Column,
    Control,
    Cost,
    Overlap,
    Part,
    Shape,
    Signal,
    signal,
)
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Index, Step
from limbtrace.refmodels.papers.redundant import family as redundant
from limbtrace.refmodels.papers.redundant.redundant import MODEL
from limbtrace.refmodels.papers.redundant.redundant.algorithm import Redundant
from limbtrace.refmodels.settings import Parameter, Settings

OWN_PARAMETERS = (
    Parameter("ways", "products at once, and stages of the pipeline", "1", "1 to 3", ("Ways",)),
    Parameter("steady", "1: the next products start as soon as the first stage is free", "0", "0 or 1", ("Steady",),
              silent=True),
)  # fmt: skip


def own(params: Redundant, settings: Settings) -> Mapping[str, int]:
    """The number of ways, 1 to 3, and `steady`, 0 or 1.

    Raises ParameterError for model settings that this pipeline does not support.
    """
    for name in ("tail", "fused", "qcarry"):
        if getattr(params, name):
            raise ParameterError(name, "the pipeline has the iteration without it")
    if params.r1 == params.r2:
        raise ParameterError("r2", f"{params.r2}: the pipeline needs r2 < r1 = {params.r1}")
    if params.ds > params.mb + 4:
        raise ParameterError("ds", f"{params.ds}: the pipeline has at most mb + 4 = {params.mb + 4} digits of S")
    return {"ways": settings.integer("ways", 1, 1, 3), "steady": settings.integer("steady", 0, 0, 1)}


def iterations(shape: Shape) -> int:
    """Number of iterations of a product: ma + 3."""
    return int(shape.params.passes) + 1


def group_cycles(shape: Shape) -> int:
    """Clock cycles from the start of a group to its last result."""
    ways = shape.own["ways"]
    return ways * iterations(shape) + ways - 1


def group_interval(shape: Shape) -> int:
    """Least number of clock cycles from the start of a group to that of the next one."""
    if shape.own["steady"]:
        return shape.own["ways"] * iterations(shape)
    return group_cycles(shape) + 1  # the cycle of done is the first one in which a start is taken


def groups(shape: Shape) -> list[int]:
    """The rows in which groups start; a product that starts less than `ways` rows later belongs to the group."""
    rows: list[int] = []
    for start in shape.starts:
        if not rows or start >= rows[-1] + shape.own["ways"]:
            rows.append(start)
    return rows


def cycles(shape: Shape) -> int:
    """Clock cycles from the start of the first group to the last result."""
    return groups(shape)[-1] + group_cycles(shape)


def next_start(shape: Shape, wanted: int) -> int:
    """The next row of a group that has room; otherwise the one in which the next group can start."""
    if not shape.starts:
        return wanted
    group, row = groups(shape)[-1], shape.starts[-1] + 1
    if row < group + shape.own["ways"] and wanted <= row:
        return row
    return max(wanted, group + group_interval(shape))


def steps(shape: Shape, A: Sequence[list[Digit]], B: Sequence[list[Digit]]) -> Iterator[Step]:
    """The steps of the model for one product after the other, the number of the product as first subscript."""
    for number, (a, b) in enumerate(zip(A, B, strict=True)):
        for name, index, value in MODEL.steps(shape.params, a, b):
            yield name, (number, *index), value


class StageSlots:
    """The product and the iteration in each stage, row by row; None for an empty stage."""

    def __init__(self, shape: Shape) -> None:
        self.ways, self.iterations = shape.own["ways"], iterations(shape)
        self.last = self.ways - 1
        """The last stage."""
        self.groups, self.busy = groups(shape), group_cycles(shape)
        self.product = {start: number for number, start in enumerate(shape.starts)}

    def group(self, row: int) -> int | None:
        """The row in which the latest group started; None before the first."""
        return max((start for start in self.groups if start <= row), default=None)

    def at(self, stage: int) -> At:
        """Row -> (product, iteration) in that stage."""

        def place(row: int) -> Index | None:
            group = self.group(row - stage)
            if group is None:
                return None
            i, way = divmod(row - stage - group, self.ways)
            product = self.product.get(group + way)
            return None if product is None or i >= self.iterations else (product, i)

        return place

    def sum(self, row: int) -> Index | None:
        """(product, number of iterations done) of the S in the register after the row.

        S is 0 up to the first iteration of a group, and does not change after its end.
        """
        group = self.group(row + 1)
        if group is None:
            return None
        made = min(row - self.last - group, self.ways * self.iterations - 1)
        if made < 0:
            return self.product[group], 0
        i, way = divmod(made, self.ways)
        product = self.product.get(group + way)
        return None if product is None else (product, i + 1)

    def earlier(self, behind: int) -> At:
        """Row -> `sum` of `behind` rows before, for the registers behind S.

        They shift while a group is in the pipeline.
        """

        def place(row: int) -> Index | None:
            group = self.group(row)
            if group is None or row < group + behind - 1:
                return None
            return self.sum(min(row, group + self.busy - 1) - behind)

        return place

    def enabled(self, stage: int) -> Callable[[int], int]:
        """Row -> 1 if the stage has an iteration, even that of a way without a product, otherwise 0."""

        def enable(row: int) -> int:
            group = self.group(row - stage)
            return int(group is not None and row - stage - group < self.ways * self.iterations)

        return enable

    def refused(self, row: int) -> int:
        """1 if no start is taken in the row, with `steady`, otherwise 0."""
        group = self.group(row)
        return int(group is not None and row - group < self.ways * self.iterations - 1)

    def done(self, row: int) -> int:
        """1 if the row is the first one in which all results of a group are there, otherwise 0."""
        return int(row - self.busy in self.groups)

    def number(self, what: int) -> Callable[[int], int | None]:
        """Row -> the iteration (`what` = 0) or the way (`what` = 1) in the first stage."""

        def count(row: int) -> int | None:
            group = self.group(row)
            if group is None or not self.enabled(0)(row):
                return None
            return divmod(row - group, self.ways)[what]

        return count


def columns(shape: Shape) -> tuple[Column, ...]:
    """The control signals, the operands of an iteration, its products and sums, and the registers of S.

    With `steady` the handshake is one of them too.

    A digit vector is one column: digits with their overlap bits side by side, the lowest in the low bits. If ds is
    mb + 3, the column of K leaves out its highest digit, which is 0.
    """
    params: Redundant = shape.params
    at, digit = StageSlots(shape), params.r2 + 2
    ways, last = at.ways, at.last

    def vector(name: str, kind: str, step: str, count: int, width: int, where: At) -> Column:
        def part(j: int) -> tuple[Part, int]:
            return Part(step, lambda row: None if (found := where(row)) is None else (*found, j)), width

        return Signal(name, count * width, kind, tuple(part(j) for j in reversed(range(count))))

    multiplied = "register" if ways > 1 else "combinational"
    summed = "register" if ways > 2 else "combinational"
    product, sums = params.r1 + params.r2 + 4, min(1, last)
    control = (("busy", at.refused), ("done", at.done)) if shape.own["steady"] else ()
    handshake = (Control(name, 1, "combinational", value) for name, value in control)
    return (
        Control("run", 1, "combinational", at.enabled(0)),
        Control("iter", iterations(shape).bit_length(), "combinational", at.number(0)),
        Control("way", 2, "combinational", at.number(1)),
        signal("a", params.r1 + 2, "combinational", "a", at.at(0)),
        signal("q", params.r1, "combinational", "q", at.at(0)),
        vector("P", multiplied, "P", params.d, product, at.at(0)),
        vector("W", multiplied, "W", params.d, product, at.at(0)),
        vector("K", summed, "K", params.ds, digit, at.at(sums)),
        vector("T", summed, "T", params.ds + 1, digit, at.at(sums)),
        vector("U", "combinational", "U", params.ds, digit, at.at(last)),
        vector("S", "register", "S", params.ds, digit, at.sum),
        *(vector(f"S{k}", "register", "S", params.ds, digit, at.earlier(k)) for k in range(1, ways)),
        *handshake,
    )


def results(shape: Shape, steps: Sequence[Step]) -> list[Digit]:
    """The result of every product."""
    own_steps: list[list[Step]] = [[] for _ in shape.starts]
    for name, (number, *index), value in steps:
        own_steps[number].append((name, tuple(index), value))
    return [MODEL.result_of(shape.params, part) for part in own_steps]


def _register_bits(shape: Shape) -> int:
    """Bits of the registers of S and B for every way, of M~, and with three ways of K and T."""
    params: Redundant = shape.params
    ways, digit = shape.own["ways"], params.r2 + 2
    sums = (2 * params.ds + 1) * digit if ways == 3 else 0
    return ways * (params.ds + params.d) * digit + params.d * params.r2 + sums


ARCHITECTURE = Architecture(
    id="redundant",
    title="the redundant multiplier, 1 to 3 products at once",
    source=redundant.paper("section IV.C and IV.D"),
    model=MODEL,
    own_parameters=OWN_PARAMETERS,
    own=own,
    # Less than r1, which digits of sums allow from r1 = 6 on.
    defaults=lambda params: {"r2": params.r1 - 1} if params.r1 == params.r2 >= 6 else {},
    first_cycle=0,
    steps=steps,
    columns=columns,
    cycles=cycles,
    interval=lambda shape: group_interval(shape) if shape.own["ways"] == 1 else 1,
    costs=(
        Cost("cycles", "clock cycles", "ways(ma + 3) + ways - 1, for as many products", group_cycles),
        Cost("DSP", "DSP48", "2mb + 4: a_i*B_j and q*M~_j", lambda shape: 2 * int(shape.params.d)),
        Cost("registers", "bits", "S and B for every way, M~, with 3 ways K and T; A and products not counted",
             _register_bits),
    ),
    published={
        "cycles": {"256 bits, 1 to 3 ways": [15, 31, 47], "504 bits": [26, 53, 80]},
        "DSP": {"256 bits": 40, "504 bits": 72},
        "area": {
            "256 bits, 1 to 3 ways, Virtex-7": {"LUT": [1635, 2159, 2480], "FF": [736, 2140, 3565]},
            "504 bits": {"LUT": [2931, 3811, 4291], "FF": [1248, 3712, 6194]},
        },
    },
    example_settings={"radix": "2^8", "r2": 6},  # r2 < r1 from r1 = 6 on
    overlap=Overlap(next_start, results, lambda shape, name, index: index[0]),
)  # fmt: skip
