# SPDX-License-Identifier: Apache-2.0
"""Cycle-level traces of an architecture: every watched register in every cycle of some products."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from limbtrace.refmodels.architecture import MAX_CELLS, Column, Control, Plan, TableProduct, TimedPair
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.model import Index
from limbtrace.vectors.cycles import occupation
from limbtrace.vectors.cycles.document import ColumnShape, CycleHead
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import hexadecimal
from limbtrace.vectors.operands import pairs
from limbtrace.vectors.options import COUNT_HELP, CoreQuery, DrawnQuery, option
from limbtrace.vectors.representations import digits as digits_of
from limbtrace.vectors.request import DEFAULT_KIND, CoreRequest, Multiplier, VectorRequest, drawn_by, within

TableRow = tuple[int | None, ...]


@dataclass(frozen=True)
class ColumnInfo:
    """One column of a cycle table; `step` is None for a signal that depends on the cycle alone."""

    name: str
    width: int
    step: str | None
    kind: str
    parts: tuple[str, ...] = ()

    @classmethod
    def of(cls, column: Column) -> "ColumnInfo":
        if isinstance(column, Control):
            return cls(column.name, column.width, None, column.kind)
        parts = tuple(part.step for part, _ in column.parts)
        return cls(column.name, column.width, parts[-1], column.kind, parts)

    @property
    def document(self) -> Any:
        return members(
            ColumnShape,
            name=self.name,
            width=self.width,
            step=self.step,
            kind=self.kind,  # type: ignore[arg-type]
            parts=list(self.parts) if len(self.parts) > 1 else [],
        )


MAX_TIME = 10**12
"""Longest clock period, and latest edge, in picoseconds: a second."""


class SampleClock(NamedTuple):
    """The clock of samples in time, in picoseconds."""

    period: int = 10_000
    edge: int = 0
    """The start of row 0."""


class _OperandsQuery(CoreQuery):
    operands: Sequence[str] = option(
        "A product A,B, followed by @CYCLE to start it in that cycle; repeatable.",
        [["5,7", "0x11,3@100"]], default=(),
        help="A product and when it starts; repeatable.", metavar="A,B[@CYCLE]",
    )  # fmt: skip


class CycleQuery(DrawnQuery, _OperandsQuery):
    """The query for a cycle table: operands, or those of a seeded set of `count` cases."""

    count: str | int | None = option(
        "Instead of operands: the number of cases of a seeded vector set.", ["4"], default=None,
        help=COUNT_HELP, metavar="N", least=1,
    )  # fmt: skip
    period: str | int = option(
        "Clock period of the format samples, in picoseconds.", ["2500"], default=SampleClock().period,
        help="Clock period of the format samples, in picoseconds.", metavar="PS", least=1,
    )  # fmt: skip
    edge: str | int = option(
        "Time of the rising edge with which row 0 of the format samples begins, in picoseconds.", ["101250"],
        default=SampleClock().edge, help="Time of the rising edge that begins row 0 of the format samples.",
        metavar="PS",
    )  # fmt: skip


class CycleRequest:
    """A request for every register in every cycle of some products."""

    def __init__(
        self, core: CoreRequest, jobs: Iterable[TimedPair], max_cells: int = MAX_CELLS, asked: str = "operands"
    ) -> None:
        """Raises ParameterError if an operand is out of range, a start too early or the table too large.

        `asked` is the parameter that determines the number of products.
        """
        self.core = core
        self.clock = SampleClock()
        self.jobs = tuple(jobs)
        m, architecture = core.multiplier, core.architecture
        if not self.jobs:
            raise ParameterError("operands", "at least one pair A,B is needed")
        for job in self.jobs:
            m.model.check_operands(m.params, job.a, job.b)
        cells = architecture.least_cells(core.shape, len(self.jobs))
        if cells > max_cells:
            raise ParameterError(asked, f"the table would have {shown(cells)} cells and the limit is {max_cells}")
        self.starts = [start for _, start in architecture.placed(core.shape, self.jobs)]
        self.shape = architecture.loaded(core.shape, self.starts)
        self.count = self.begin(len(self.jobs) - 1) - self.first_cycle + architecture.cycles(self.shape)
        """Number of rows."""
        cells = self.count * architecture.width(self.shape)
        if cells > max_cells:
            if any(job.start is not None for job in self.jobs):
                raise ParameterError(
                    asked, f"the start cycles make the table larger than the limit of {max_cells} cells"
                )
            raise ParameterError(asked, f"the table would have {shown(cells)} cells and the limit is {max_cells}")

    @classmethod
    def of(cls, asked: CycleQuery, core: CoreRequest, max_cells: int = MAX_CELLS) -> "CycleRequest":
        """The request of a query. Raises ParameterError."""
        clock = SampleClock(within("period", asked.period, 2, MAX_TIME), within("edge", asked.edge, 0, MAX_TIME))
        request = cycle_request(core, asked.operands, asked.count, asked.seed, asked.drawn_kind, max_cells)
        request.clock = clock
        return request

    @cached_property
    def plan(self) -> Plan:
        return self.core.architecture.plan(self.shape)

    @property
    def columns(self) -> list[ColumnInfo]:
        return [ColumnInfo.of(column) for column in self.plan.columns]

    @property
    def first_cycle(self) -> int:
        return self.core.architecture.first_cycle

    def products(self) -> Iterator[TableProduct]:
        """Every product with the table of its stream, generated lazily."""
        return self.core.architecture.products(self.shape, self.jobs, self.plan)

    @property
    def units(self) -> occupation.Units:
        """The job of every unit in every row, for cores whose products share units."""
        assert self.core.architecture.occupation is not None
        return self.core.architecture.occupation(self.shape)

    def begin(self, product: int) -> int:
        """The cycle of the first row of the stream of a product."""
        return self.starts[product] - self.shape.starts[product % len(self.shape.starts)]

    def rows(self) -> Iterator[TableRow]:
        """The rows of all streams, in cycle order; the rows between two streams are don't care."""
        cycle = self.first_cycle
        idle: TableRow = (None,) * len(self.plan.columns)
        for number, product in enumerate(self.products()):
            if number % len(self.shape.starts):
                continue  # it has the table of the first product of its stream
            begin = self.begin(number)
            for _ in range(begin - cycle):
                yield idle
            yield from zip(*product.table, strict=True)
            cycle = begin + self.plan.cycles

    def behind(self, column: int, cycle: int) -> tuple[int, tuple[str, Index] | None]:
        """Number of the product, and the step, behind a cell."""
        latest = max((k for k, start in enumerate(self.starts) if start <= cycle), default=0)
        row = cycle - self.begin(latest)
        first = latest - latest % len(self.shape.starts)
        return first + self.plan.product_at(column, row), self.plan.step_at(column, row)

    @property
    def head(self) -> dict[str, Any]:
        """The document without its rows."""
        m = self.core.multiplier
        results = [m.model.result(m.params, job.a, job.b) for job in self.jobs]
        digits: list[Any] = [digits_of(m, job.a, job.b, result) for job, result in zip(self.jobs, results, strict=True)]
        operands: Any = [[hexadecimal(value) for value in m.model.given(job.a, job.b)] for job in self.jobs]
        document: dict[str, Any] = members(
            CycleHead,
            **self.core.head,
            operands=operands,
            results=[hexadecimal(result) for result in results],
            digits=digits if any(digits) else None,
            starts=list(self.starts),
            columns=[column.document for column in self.columns],
            first_cycle=self.first_cycle,
        )
        return document


def parse_job(multiplier: Multiplier, text: str) -> TimedPair:
    """A product from A,B[@CYCLE], or A[@CYCLE] without a b; digit vectors have their commas in brackets.

    Raises ParameterError("operands").
    """
    pair, at, cycle = text.partition("@")
    depth, commas = 0, []
    for position, character in enumerate(pair):
        depth += (character in "[(") - (character in "])")
        if character == "," and depth == 0:
            commas.append(position)
    form, count = ("A", 0) if multiplier.model.unary else ("A,B", 1)
    if len(commas) != count:
        raise ParameterError("operands", f"{shown(text)} is not of the form {form} or {form}@CYCLE")
    parts = (pair[: commas[0]], pair[commas[0] + 1 :]) if commas else (pair, "0")
    a, b = (multiplier.operand("operands", part, which) for which, part in enumerate(parts))
    return TimedPair(a, b, multiplier.operand("operands", cycle) if at else None)


def set_cycles(
    core: CoreRequest, count: str | int, seed: str | int = 1, kind: str = DEFAULT_KIND, max_cells: int = MAX_CELLS
) -> CycleRequest:
    """The cycle tables of the cases of a vector request with the same count, seed and kind."""
    vectors = VectorRequest.resolve(core.multiplier, count, seed, kind)
    cells = core.architecture.least_cells(core.shape, vectors.count)
    if cells > max_cells:
        raise ParameterError(
            "count", f"the table would have at least {shown(cells)} cells and the limit is {max_cells}"
        )
    return CycleRequest(core, (TimedPair(a, b) for a, b in pairs(vectors)), max_cells, "count")


def cycle_request(
    core: CoreRequest,
    operands: Sequence[str],
    count: str | int | None = None,
    seed: str | int | None = None,
    kind: str | None = None,
    max_cells: int = MAX_CELLS,
) -> CycleRequest:
    """Cycle tables of operands A,B[@CYCLE] or of a seeded set, as requested. Raises ParameterError."""
    asked = drawn_by(operands, count=count, seed=seed, kind=kind)
    if "count" in asked:
        return set_cycles(core, **asked, max_cells=max_cells)
    return CycleRequest(core, [parse_job(core.multiplier, text) for text in operands], max_cells)
