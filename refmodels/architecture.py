# SPDX-License-Identifier: Apache-2.0
"""What an architecture is: a schedule that says which register holds which step in which cycle, and computes nothing.

A schedule is pulled: each row of it maps a cycle to the subscripts of the step that stands there, by integer
arithmetic on the cycle number alone. The order of steps depends on the shape of the core and never on data, so one
dry run per shape fixes where every value comes from, and a table is one look-up per cell.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refmodels.columns import Digit, Words, as_limbs, integers
from refmodels.errors import ParameterError, shown
from refmodels.model import Index, Model, Source, Step
from refmodels.settings import Given, Parameter, Settings

MAX_CELLS = 20_000_000
"""Largest cycle table, in cells."""
BATCH_WORDS = 1 << 22
"""Most 64-bit words of cycle tables in one batch, unless a single product has more."""
BATCH_PRODUCTS = 4096
"""Most products of one batch; more are hardly faster."""

At = Callable[[int], Index | None]
"""Cycle -> subscripts of the step in that cycle, None where nobody cares."""


class Part(NamedTuple):
    """Some bits of a register: a step, and which bits of it (high, low), all where None."""

    step: str
    at: At
    bits: tuple[int, int] | None = None


class Signal(NamedTuple):
    """A watched signal. `parts` stand side by side, high one first, with the width of all but the first known.

    kind "register": the value after the edge that ends the cycle; "combinational": the value during the cycle.
    Subscripts before the first step of that name stand for the reset value.
    """

    name: str
    width: int
    kind: str
    parts: tuple[tuple[Part, int], ...]
    """(part, its width in bits)"""
    reset: int = 0


class Control(NamedTuple):
    """A signal that depends on the cycle alone (an enable, an address)."""

    name: str
    width: int
    kind: str
    at: Callable[[int], int | None]


Column = Signal | Control


def signal(name: str, width: int, kind: str, step: str, at: At) -> Signal:
    """A signal that holds one whole step."""
    return Signal(name, width, kind, ((Part(step, at), width),))


class Cells(NamedTuple):
    """One column of the cycle tables of a batch; `cells` is contiguous."""

    cells: Words
    """(cycles, words, batch), 64-bit words with the low one first; 0 where nobody cares."""
    cares: NDArray[np.bool_]
    """(cycles,), False for don't care."""


class Plan:
    """Where every cell of a cycle table comes from, for one shape of a core."""

    def __init__(self, columns: Sequence[Column], order: Sequence[tuple[str, Index]], cycles: int) -> None:
        """`order` is (name, subscripts) of every step in the order in which the model yields them.

        Raises ValueError when the schedule names a step that the model does not have.
        """
        self.columns = tuple(columns)
        self.cycles = cycles
        self._position = {key: k for k, key in enumerate(order)}
        self._first: dict[str, Index] = {}
        for name, index in order:
            self._first[name] = min(index, self._first.get(name, index))
        self._sources = [self._source(column) for column in self.columns]

    def _source(self, column: Column) -> Any:
        if isinstance(column, Control):
            return [column.at(cycle) for cycle in range(self.cycles)]
        return [self._positions(part, column.name) for part, _ in column.parts]

    def _positions(self, part: Part, name: str) -> list[int | None]:
        """For each cycle the position of the step, -1 for the reset value, None for don't care."""
        positions: list[int | None] = []
        for cycle in range(self.cycles):
            index = part.at(cycle)
            if index is None:
                positions.append(None)
            elif (part.step, index) in self._position:
                positions.append(self._position[part.step, index])
            elif index < self._first[part.step]:
                positions.append(-1)
            else:
                raise ValueError(f"{name} in cycle {cycle} shows {part.step}{list(index)}, which is no step")
        return positions

    def step_at(self, column: int, cycle: int) -> tuple[str, Index] | None:
        """The step behind a cell; the low part's where several stand side by side."""
        target = self.columns[column]
        if isinstance(target, Control):
            return None
        part = target.parts[-1][0]
        index = part.at(cycle)
        return None if index is None else (part.step, index)

    def table(self, values: Sequence[Digit]) -> list[list[Any]]:
        """One list per column, one entry per cycle, None for don't care; values[k] is what the k-th step holds."""
        return [
            source if isinstance(column, Control) else self._gather(column, source, values)
            for column, source in zip(self.columns, self._sources, strict=True)
        ]

    @staticmethod
    def _gather(column: Signal, source: list[list[int | None]], values: Sequence[Digit]) -> list[Digit | None]:
        known = [*values, column.reset]  # position -1 is the reset value
        if len(source) == 1 and column.parts[0][0].bits is None:
            return [None if k is None else known[k] for k in source[0]]
        out: list[Digit | None] = []
        for cells in zip(*source, strict=True):
            if None in cells:
                out.append(None)
                continue
            word: Digit = 0
            for (part, width), k in zip(column.parts, cells, strict=True):
                value = known[k]
                if part.bits is not None:
                    high, low = part.bits
                    value = (value >> low) & ((1 << (high - low + 1)) - 1)
                word = (word << width) | value
            out.append(word)
        return out

    @property
    def words(self) -> int:
        """Size of the table of one product, in 64-bit words."""
        return self.cycles * sum(_words(column) for column in self.columns)

    def cells(self, values: Sequence[Digit], batch: int) -> tuple[Cells, ...]:
        """As `table` for the steps of a batch of that size."""
        table = self.table([value if isinstance(value, int) else as_limbs(value) for value in values])
        return tuple(_cells(column, entries, batch) for column, entries in zip(self.columns, table, strict=True))


def _words(column: Column) -> int:
    return -(-column.width // 64)


def _cells(column: Column, entries: Sequence[Digit | None], batch: int) -> Cells:
    words = _words(column)
    cells = np.zeros((len(entries), words, batch), dtype=np.uint64)
    for cycle, entry in enumerate(entries):
        if entry is not None:
            for word, limb in enumerate(as_limbs(entry).limbs[:words]):
                cells[cycle, word] = limb
    return Cells(cells, np.array([entry is not None for entry in entries]))


class Job(NamedTuple):
    """One product, and the cycle in which it starts (None: as early as possible)."""

    a: int
    b: int
    start: int | None = None


class Product(NamedTuple):
    """One product in a cycle table."""

    a: int
    b: int
    result: int
    start: int
    table: list[list[int | None]]
    """[column][cycle since start]"""


@dataclass(frozen=True)
class Batch:
    """Products with their cycle tables, entry k of every list and last axis being product k."""

    a: list[int]
    b: list[int]
    results: list[int]
    starts: list[int]
    columns: tuple[Cells, ...]
    """One per column of the plan."""

    def column(self, column: int, at: int) -> list[int | None]:
        """One column of product `at`, an entry a cycle, None where nobody cares."""
        cells, cares = self.columns[column]
        size = 8 * cells.shape[1]
        octets = cells[:, :, at].astype("<u8").tobytes()
        values = (int.from_bytes(octets[start : start + size], "little") for start in range(0, len(octets), size))
        return [value if care else None for value, care in zip(values, cares, strict=True)]


@dataclass(frozen=True)
class Shape:
    """All that a schedule depends on: the parameters of the model, and those that only hardware has, by name."""

    params: Any
    own: Mapping[str, int]


@dataclass(frozen=True)
class Cost:
    """A figure that an architecture costs, with the formula that it comes from."""

    name: str
    unit: str
    formula: str
    value: Callable[[Shape], int]


@dataclass(frozen=True)
class Architecture:
    """A hardware architecture whose products run one after the other."""

    id: str
    title: str
    source: Source
    model: Model
    own_parameters: tuple[Parameter, ...]
    """Those that the model does not have: no vector depends on them."""
    own: Callable[[Any, Settings], Mapping[str, int]]
    """(parameters of the model, what was asked for) -> values of the own ones; raises ParameterError."""
    first_cycle: int
    """Number of the first row in the paper's own counting."""
    steps: Callable[[Shape, Any, Any], Iterator[Step]]
    """The steps of the model, and between them what registers hold besides; no clock in it."""
    columns: Callable[[Shape], tuple[Column, ...]]
    cycles: Callable[[Shape], int]
    """Clock cycles from start to done."""
    interval: Callable[[Shape], int]
    """Least distance between two starts, in clock cycles."""
    costs: tuple[Cost, ...]
    published: Mapping[str, Mapping[str, Any]]
    """Figures that the paper prints, by the cost they belong to."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters of the model and of the hardware."""
        return (*self.model.parameters, *self.own_parameters)

    def divide(self, given: Given) -> tuple[Given, Given]:
        """What was asked of the model, and what of the hardware."""
        own = {name for parameter in self.own_parameters for name in (parameter.name, *parameter.aliases)}
        return (
            {name: value for name, value in given.items() if name not in own},
            {name: value for name, value in given.items() if name in own},
        )

    def resolve(self, modulus: int, given: Given) -> Shape:
        """The shape, checked for this architecture. Raises ParameterError."""
        Settings(self.id, self.parameters, given)  # one sentence that names all parameters
        models, own = self.divide(given)
        params = self.model.resolve(modulus, models)
        if params.form != "corrected":
            raise ParameterError("form", f"{self.id} is built for the corrected form only")
        return Shape(params, self.own(params, Settings(self.id, self.own_parameters, own)))

    def plan(self, shape: Shape) -> Plan:
        """The schedule for one shape, from a dry run with operands 0.

        Raises ParameterError("radix") when one product would have more than MAX_CELLS cells.
        """
        columns, params = self.columns(shape), shape.params
        cells = self.cycles(shape) * len(columns)
        if cells > MAX_CELLS:
            raise ParameterError("radix", f"the table of one product has {cells} cells and the limit is {MAX_CELLS}")
        order = [(name, index) for name, index, _ in self.steps(shape, *params.split(0, 0))]
        return Plan(columns, order, self.cycles(shape))

    def placed(self, shape: Shape, jobs: Iterable[Job]) -> Iterator[tuple[Job, int]]:
        """Every job with its start cycle; raises ParameterError when one comes before the core is free."""
        free = self.first_cycle
        for number, job in enumerate(jobs):
            start = free if job.start is None else job.start
            if start < free:
                raise ParameterError(
                    "operands",
                    f"product {number} cannot start in cycle {shown(start)}: {self.id} is free from cycle {free} on",
                )
            yield job, start
            free = start + self.interval(shape)

    def products(self, shape: Shape, jobs: Iterable[Job], plan: Plan) -> Iterator[Product]:
        """Every job with its cycle table, made as it is asked for."""
        params = shape.params
        for job, start in self.placed(shape, jobs):
            steps = list(self.steps(shape, *params.split(job.a, job.b)))
            table = plan.table([value for _, _, value in steps])
            yield Product(job.a, job.b, self.model.result_of(params, steps), start, table)

    def batches(self, shape: Shape, jobs: Iterable[Job], plan: Plan, size: int | None = None) -> Iterator[Batch]:
        """As `products`, but `size` products at a time, as many as is fast where no size is given."""
        params, placed = shape.params, self.placed(shape, jobs)
        size = size or min(max(BATCH_WORDS // plan.words, 1), BATCH_PRODUCTS)
        while chunk := list(islice(placed, size)):
            a, b = [job.a for job, _ in chunk], [job.b for job, _ in chunk]
            steps = list(self.steps(shape, *params.split_batch(a, b)))
            results = integers(self.model.result_of(params, steps), len(chunk))
            cells = plan.cells([value for _, _, value in steps], len(chunk))
            yield Batch(a, b, results, [start for _, start in chunk], cells)
