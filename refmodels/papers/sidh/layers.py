# SPDX-License-Identifier: Apache-2.0
"""The layers of the SIDH paper: when the multiplications of a pair of products begin, in both readings of its text.

The paper gives a layer four cycles, and its layers 10 and 13 one; 66 cycles for a pair, and 54 from one pair to the
next. Whether layers are counted from 0 or from 1 is open. Both readings keep nine cycles from a multiplication to one
that needs its product, and both totals; which other layers stay empty, and the order of products that do not need each
other, is ours. The paper leaves open in which cycles sums are formed, so that this schedule shows operands, products
and results only. Architecture `hffm` and its core have the first reading, and all registers.

Row 0 is the cycle in which the first product of a stream begins. The first subscript of every step is the number of
the product.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

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
from limbtrace.refmodels.model import Index, Step
from limbtrace.refmodels.papers.sidh import family as sidh
from limbtrace.refmodels.papers.sidh import units
from limbtrace.refmodels.papers.sidh.hffm import MODEL
from limbtrace.refmodels.papers.sidh.hffm.algorithm import Hffm
from limbtrace.refmodels.papers.sidh.units import MULTIPLICATIONS, RESULT_DIGITS
from limbtrace.refmodels.settings import Parameter, Settings

CYCLES = 4
"""Cycles of a layer, and issue cycles of a multiplication."""
LAYERS = 15
"""Layers from one pair to the next."""
ENDING = 3
"""Layers of the next pair in which the last additions of a pair take place."""
PRODUCTS = ("a1 * b1", "a2 * b2", "(a1+a2) * (b1+b2)", "r1 * f*l^b", "hi * x", "qhat * f*l^b")
"""The multiplications of a product, in the order of MULTIPLICATIONS."""
LOW, WHOLE = 6, 7
"""Cycle of a multiplication at the end of which its low word, and its product, is there."""

OWN_PARAMETERS = (
    *units.OWN_PARAMETERS,
    Parameter("first_layer", "the number that the paper's first layer has: its layers 10 and 13 take one cycle", "0",
              "0 or 1"),
)  # fmt: skip


class Issue(NamedTuple):
    """A multiplication: which product of its pair it is for, and which of the six of that product it is."""

    second: int
    multiplication: int


M1, M2 = (tuple(Issue(second, k) for k in range(len(MULTIPLICATIONS))) for second in range(2))
READINGS: tuple[Mapping[int, Issue], ...] = (
    dict(zip((0, 1, 2, 3, 9, 12, 5, 6, 7, 8, 11, 14), (*M1, *M2), strict=True)),
    dict(zip((0, 1, 2, 3, 8, 11, 4, 5, 6, 7, 10, 13), (*M1, *M2), strict=True)),
)
"""The multiplication that begins in a layer, by the number of the first layer; layers are counted from 0 here."""


@lru_cache
def begins(first_layer: int) -> tuple[int, ...]:
    """The first cycle of every layer of a pair, and of the layer after them."""
    short = (10 - first_layer, 13 - first_layer)
    return tuple(accumulate((1 if layer in short else CYCLES for layer in range(LAYERS)), initial=0))


def pair(first_layer: int) -> int:
    """Cycles from one pair to the next."""
    return begins(first_layer)[LAYERS]


def total(first_layer: int) -> int:
    """Cycles of a pair."""
    return pair(first_layer) + begins(first_layer)[ENDING]


@lru_cache
def issues(first_layer: int) -> Mapping[Issue, int]:
    """The cycle of a pair in which each multiplication begins."""
    return {issue: begins(first_layer)[layer] for layer, issue in READINGS[first_layer].items()}


def second(first_layer: int) -> int:
    """Cycles from the first product of a pair to the second."""
    return issues(first_layer)[M2[0]]


def own(params: Hffm, settings: Settings) -> Mapping[str, int]:
    """Raises ParameterError."""
    return {**units.own(params, settings), "first_layer": settings.integer("first_layer", 0, 0, 1)}


def pairs(shape: Shape) -> list[list[int]]:
    """The rows in which the products of each pair start, one or two."""
    found: list[list[int]] = []
    for start in shape.starts:
        if found and start == found[-1][0] + second(shape.own["first_layer"]):
            found[-1].append(start)
        else:
            found.append([start])
    return found


def next_start(shape: Shape, wanted: int) -> int:
    """The second product of a pair has one row; the next pair may start as soon as the first layer is free."""
    if not shape.starts:
        return wanted
    reading = shape.own["first_layer"]
    start, last = pairs(shape)[-1][0], shape.starts[-1]
    if last == start and wanted <= start + second(reading):
        return start + second(reading)
    return max(wanted, start + pair(reading))


def cycles(shape: Shape) -> int:
    """Number of rows up to the last result."""
    return pairs(shape)[-1][0] + total(shape.own["first_layer"])


def steps(shape: Shape, A: Sequence[list[Digit]], B: Sequence[list[Digit]]) -> Iterator[Step]:
    """The steps of the model for every product, then the operands and the product of its multiplications."""
    params: Hffm = shape.params
    for number, (a, b) in enumerate(zip(A, B, strict=True)):
        at: dict[str, Digit] = {"f*l^b": params.D, "x": params.barrett.x}
        for name, index, value in MODEL.steps(params, a, b):
            at[name] = value
            yield name, (number, *index), value
        for k, multiplication in enumerate(MULTIPLICATIONS):
            x, y = at[multiplication.x], at[multiplication.y]
            yield "operand x", (number, k), x
            yield "operand y", (number, k), y
            yield "product", (number, k), x * y


class LayerRows:
    """The work that begins in each row: the number of the product, the multiplication and its quarter."""

    def __init__(self, shape: Shape) -> None:
        self.reading: int = shape.own["first_layer"]
        self.frames: dict[int, int] = {}
        """Row in which a pair starts -> number of its first product."""
        self.ends: dict[int, tuple[int, int]] = {}
        """Row -> number of the first product whose pair ends there, and how many products that pair has."""
        self.issued: dict[int, tuple[int, Issue, int]] = {}
        number = 0
        for starts in pairs(shape):
            self.frames[starts[0]] = number
            self.ends[starts[0] + total(self.reading) - 1] = number, len(starts)
            for issue, cycle in issues(self.reading).items():
                if issue.second < len(starts):
                    for quarter in range(CYCLES):
                        self.issued[starts[0] + cycle + quarter] = number + issue.second, issue, quarter
            number += len(starts)

    def frame(self, row: int) -> int | None:
        """The row in which the last pair started; None before the first one."""
        return max((frame for frame in self.frames if frame <= row), default=None)

    def layer(self, row: int) -> int | None:
        """The layer, counted as the paper is read; None before the first and after the last layer of a pair."""
        frame = self.frame(row)
        if frame is None or row - frame >= pair(self.reading):
            return None
        cycle = row - frame
        return self.reading + sum(begin <= cycle for begin in begins(self.reading)) - 1

    def operand(self, row: int) -> Index | None:
        found = self.issued.get(row)
        return None if found is None else (found[0], found[1].multiplication)

    def finished(self, late: int) -> At:
        """The multiplication that began that many rows before, or up to three rows earlier."""

        def index(row: int) -> Index | None:
            for began in range(row - late, row - late - CYCLES, -1):
                if (found := self.issued.get(began)) and found[2] == 0:
                    return found[0], found[1].multiplication
            return None

        return index

    def result(self, which: int) -> At:
        """The first or the second product of a pair, at its end."""

        def index(row: int) -> Index | None:
            number, count = self.ends.get(row, (0, 0))
            return (number + which,) if which < count else None

        return index


def columns(shape: Shape) -> tuple[Column, ...]:
    """Layer, multiplication and its operands, the product when it is there, and the results of a pair at its end."""
    rows, N = LayerRows(shape), shape.params.N
    digits = RESULT_DIGITS[shape.own["normalise"]]

    def issue(row: int) -> tuple[int, Issue, int] | None:
        return rows.issued.get(row)

    def result(which: int) -> Column:
        parts = tuple((Part(step, rows.result(which)), N) for step in digits)
        return Signal(f"r{which}", 2 * N, "register", parts)

    return (
        Control("layer", 4, "combinational", rows.layer),
        Control("issue", 1, "combinational", lambda row: int(row in rows.issued)),
        Control("second", 1, "combinational", lambda row: (found := issue(row)) and found[1].second),
        Control("mul", 3, "combinational", lambda row: (found := issue(row)) and found[1].multiplication),
        Control("quarter", 2, "combinational", lambda row: (found := issue(row)) and found[2]),
        signal("x", N, "combinational", "operand x", rows.operand),
        signal("y", N, "combinational", "operand y", rows.operand),
        Signal("low", N, "register", ((Part("product", rows.finished(LOW), (N - 1, 0)), N),)),
        signal("xy", 2 * N, "register", "product", rows.finished(WHOLE)),
        result(0),
        result(1),
    )


def occupation(shape: Shape) -> dict[str, list[str | None]]:
    """The layer and the multiplication that begins in each row, with the number of its product."""
    rows, every = LayerRows(shape), range(cycles(shape))
    found = [rows.issued.get(row) for row in every]
    frames = [rows.frame(row) for row in every]
    return {
        "layer": [
            None if frame is None or (layer := rows.layer(row)) is None else f"{rows.frames[frame]} {layer}"
            for row, frame in enumerate(frames)
        ],
        "multiplier": [one and f"{one[0]} {PRODUCTS[one[1].multiplication]}" for one in found],
    }


ARCHITECTURE = Architecture(
    id="hffm_layers",
    title="layers of the interleaved multiplier in both readings, multiplications only; there is no core for it",
    source=sidh.paper("section III.B"),
    model=MODEL,
    own_parameters=OWN_PARAMETERS,
    own=own,
    defaults=units.defaults,
    first_cycle=0,
    steps=steps,
    columns=columns,
    cycles=cycles,
    interval=lambda shape: second(shape.own["first_layer"]),
    costs=(
        Cost("cycles", "clock cycles", "66 for a pair of products", lambda shape: total(shape.own["first_layer"])),
        Cost("interval", "clock cycles", "54 from one pair to the next", lambda shape: pair(shape.own["first_layer"])),
        Cost("issues", "of these cycles", "12 multiplications of 4 cycles",
             lambda shape: CYCLES * len(issues(shape.own["first_layer"]))),
    ),
    published={"cycles": {"all": 66}, "interval": {"all": 54}},
    overlap=Overlap(next_start, units.results, lambda shape, name, index: index[0]),
    forms=units.ARCHITECTURE.forms,
    example="sike-p434",
    occupation=occupation,
)  # fmt: skip
