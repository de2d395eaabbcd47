# SPDX-License-Identifier: Apache-2.0
"""Architectures: a schedule says which register holds which step in which cycle, and computes nothing.

Products that are in a core at the same time form a stream: one generator yields the steps of all of them, and one table
shows them. A single product is a stream of one.

A schedule is pulled: each row of it maps a cycle to the subscripts of the step that stands there, by integer
arithmetic on the cycle number alone. The order of steps depends on the shape of the core and never on data, so one
dry run per shape fixes where every value comes from, and a table is one look-up per cell.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from limbtrace.refmodels.batch_digits import Digit, Words, as_limbs, has_negatives, integers
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.model import CORRECTED, Index, Model, Source, Step
from limbtrace.refmodels.settings import Given, Parameter, Settings

MAX_CELLS = 20_000_000
"""Largest cycle table, in cells."""
BATCH_WORDS = 1 << 22
"""Most 64-bit words of cycle tables in one batch, unless a single product has more."""
BATCH_PRODUCTS = 4096
"""Most products of one batch; more are hardly faster."""

At = Callable[[int], Index | None]
"""Cycle -> subscripts of the step in that cycle, None for don't care."""


class Part(NamedTuple):
    """Some bits of a register: a step, and which of its bits (high, low); None for all bits."""

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
    """Shape (cycles, words, batch): 64-bit words, low word first; 0 for don't care."""
    cares: NDArray[np.bool_]
    """Shape (cycles,): False for don't care."""


Owner = Callable[[str, Index], int | None]
"""Step -> number of its product within the stream, None for a step of an idle slot."""


def _the_only(name: str, index: Index) -> int | None:
    """The owner of every step of a single product."""
    return 0


class Plan:
    """The origin of every cell of a cycle table, for one shape of a core."""

    def __init__(
        self,
        columns: Sequence[Column],
        order: Sequence[tuple[str, Index]],
        cycles: int,
        starts: Sequence[int] = (0,),
        owner: Owner = _the_only,
    ) -> None:
        """`order` is (name, subscripts) of every step in the order in which the model yields them.

        Raises ValueError when the schedule names a step that the model does not have.
        """
        self.columns = tuple(columns)
        self.cycles = cycles
        self.starts = tuple(starts)
        self._owner = owner
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

    def cell(self, column: int, cycle: int) -> list[int | None]:
        """The contents of a cell: a number for each part of its signal, high part first.

        It is the position of a step in the order of the model, -1 for the reset value, None for don't care; for a
        Control, its value.
        """
        source = self._sources[column]
        if isinstance(self.columns[column], Control):
            return [source[cycle]]
        return [positions[cycle] for positions in source]

    def step_at(self, column: int, cycle: int, bit: int = 0) -> tuple[str, Index] | None:
        """The step behind a bit of a cell."""
        target = self.columns[column]
        if isinstance(target, Control):
            return None
        parts = list(target.parts)
        part, width = parts.pop()
        while parts and bit >= width:
            bit -= width
            part, width = parts.pop()
        index = part.at(cycle)
        return None if index is None else (part.step, index)

    def product_at(self, column: int, cycle: int) -> int:
        """Number of the product behind a cell within its stream; for a cell without a step, the last one started."""
        step = self.step_at(column, cycle)
        place = None if step is None else self._owner(*step)
        if place is None or not 0 <= place < len(self.starts):
            return max(bisect_right(self.starts, cycle) - 1, 0)
        return place

    def table(self, values: Sequence[Digit]) -> list[list[Any]]:
        """One list per column, one entry per cycle, None for don't care; values[k] is the value of step k."""
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
                    if has_negatives(known[k]):
                        value = as_limbs(value)
                word = (word << width) | value
            out.append(word)
        return out

    @property
    def words(self) -> int:
        """Size of the table of one stream, in 64-bit words."""
        return self.cycles * sum(_words(column) for column in self.columns)

    def cells(self, values: Sequence[Digit], batch: int) -> tuple[Cells, ...]:
        """Like `table`, for the steps of a batch of that size."""
        known = [value if isinstance(value, int) or has_negatives(value) else as_limbs(value) for value in values]
        table = self.table(known)
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


class TimedPair(NamedTuple):
    """One product, and the cycle in which it starts (None: as early as possible)."""

    a: int
    b: int
    start: int | None = None


class TableProduct(NamedTuple):
    """One product in a cycle table."""

    a: int
    b: int
    result: int
    start: int
    table: list[list[int | None]]
    """[column][row of its stream]; products of one stream share it."""


@dataclass(frozen=True)
class Batch:
    """Streams of equal starts with their cycle tables.

    Entry k of a list is product k, those of a stream side by side; entry k of the last axis of the columns is stream k.
    """

    a: list[int]
    b: list[int]
    results: list[int]
    starts: list[int]
    columns: tuple[Cells, ...]
    """One per column of the plan."""

    def column(self, column: int, at: int) -> list[int | None]:
        """One column of stream `at`, one entry per cycle, None for don't care."""
        cells, cares = self.columns[column]
        size = 8 * cells.shape[1]
        octets = cells[:, :, at].astype("<u8").tobytes()
        values = (int.from_bytes(octets[start : start + size], "little") for start in range(0, len(octets), size))
        return [value if care else None for value, care in zip(values, cares, strict=True)]


@dataclass(frozen=True)
class Shape:
    """Everything that a schedule depends on: the model's parameters, and those of the hardware by name."""

    params: Any
    own: Mapping[str, int]
    starts: tuple[int, ...] = (0,)
    """Row in which each product of a stream starts, ascending; a single row for an architecture without overlap."""


@dataclass(frozen=True)
class Overlap:
    """Additional functions of an architecture that processes several products of a stream at the same time.

    Its `steps`, `columns` and `cycles` describe a whole stream: they follow `shape.starts`, and `steps` takes lists of
    operands with one entry per product. `interval` is the least distance between two starts, in clock cycles.
    """

    next_start: Callable[[Shape, int], int]
    """(shape with the starts so far, row) -> the first row, from that one on, in which the next product may start."""
    results: Callable[[Shape, Sequence[Step]], list[Digit]]
    """(shape, all steps of a stream) -> the result of each product."""
    owner: Callable[[Shape, str, Index], int | None]
    """(shape, a step) -> number of its product within the stream, None for a step of an idle slot."""


@dataclass(frozen=True)
class Cost:
    """A cost of an architecture, with its formula."""

    name: str
    unit: str
    formula: str
    value: Callable[[Shape], int]


@dataclass(frozen=True)
class Architecture:
    """A hardware architecture. Without `overlap`, a product starts when the one before is done."""

    id: str
    title: str
    source: Source
    model: Model
    own_parameters: tuple[Parameter, ...]
    """Parameters that the model does not have; vectors do not depend on them."""
    own: Callable[[Any, Settings], Mapping[str, int]]
    """(parameters of the model, settings) -> values of the hardware parameters; raises ParameterError."""
    first_cycle: int
    """Number that the paper gives to the first row."""
    steps: Callable[[Shape, Any, Any], Iterator[Step]]
    """The steps of the model and, between them, other register values; untimed."""
    columns: Callable[[Shape], tuple[Column, ...]]
    cycles: Callable[[Shape], int]
    """Clock cycles from start to done; if products overlap, up to the last word of the last result."""
    interval: Callable[[Shape], int]
    """Least distance between two starts, in clock cycles."""
    costs: tuple[Cost, ...]
    published: Mapping[str, Mapping[str, Any]]
    """Figures printed in the paper, by the cost they belong to."""
    overlap: Overlap | None = None
    """None: every product is a stream of its own."""
    defaults: Callable[[Any], Given] = lambda _: {}
    """(parameters of the model) -> the hardware's own defaults for them, by name."""
    forms: tuple[str, ...] = (CORRECTED,)
    """Forms of the model that the architecture can be built for."""
    example: str = "secp256k1.fp"
    """Modulus of the catalogue that descriptions and examples use."""
    example_settings: Given = field(default_factory=dict)
    """Settings of a small product to follow by hand, if radix 2^4 with defaults is not suitable."""
    occupation: Callable[[Shape], Mapping[str, list[str | None]]] | None = None
    """For shared units: what each unit is busy with in each row of a stream, None for idle."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters of the model and of the hardware."""
        return (*self.model.parameters, *self.own_parameters)

    def divide(self, given: Given) -> tuple[Given, Given]:
        """The settings of the model, and those of the hardware."""
        own = {name for parameter in self.own_parameters for name in (parameter.name, *parameter.aliases)}
        return (
            {name: value for name, value in given.items() if name not in own},
            {name: value for name, value in given.items() if name in own},
        )

    def missing(self, params: Any, asked: Given) -> Given:
        """The hardware's defaults for parameters of the model that the settings leave open."""
        aliases = Settings(self.id, self.parameters, {}).aliases
        return {name: value for name, value in self.defaults(params).items() if not {*aliases[name]} & {*asked}}

    def resolve(self, modulus: int, given: Given) -> Shape:
        """The shape, checked for this architecture. Raises ParameterError."""
        Settings(self.id, self.parameters, given)  # one sentence that names all parameters
        models, own = self.divide(given)
        params = self.model.resolve(modulus, models)
        missing = self.missing(params, models)
        if missing:
            params = self.model.resolve(modulus, {**models, **missing})
        return self.shape(params, own)

    def shape(self, params: Any, own: Given) -> Shape:
        """The shape for resolved parameters of the model and settings of the hardware. Raises ParameterError."""
        if params.form not in self.forms:
            raise ParameterError("form", f"{self.id} is built for the corrected form only")
        return Shape(params, self.own(params, Settings(self.id, self.own_parameters, own)))

    def own_settings(self, shape: Shape) -> dict[str, str | int]:
        """The values of the parameters that the model does not have, as documents show them."""
        known = {parameter.name: parameter for parameter in self.own_parameters}
        shown = {name: value for name, value in shape.own.items() if value or not known[name].silent}
        return {name: known[name].names[value] if known[name].names else value for name, value in shown.items()}

    def plan(self, shape: Shape) -> Plan:
        """The schedule for one shape, from a dry run with operands 0.

        Raises ParameterError, naming the radix or the length of a chain, when one stream would have more than MAX_CELLS
        cells.
        """
        params, count = shape.params, len(shape.starts)
        cells = self.cycles(shape) * self.width(shape)
        if cells > MAX_CELLS:
            what = "one product" if count == 1 else f"a stream of {count} products"
            name = "radix" if self.model.chain is None else self.model.chain.parameter
            raise ParameterError(name, f"the table of {what} has {shown(cells)} cells and the limit is {MAX_CELLS}")
        order = [(name, index) for name, index, _ in self.stream_steps(shape, [params.split(0, 0)] * count)]
        overlap = self.overlap
        owner = (lambda name, index: overlap.owner(shape, name, index)) if overlap else _the_only
        return Plan(self.columns(shape), order, self.cycles(shape), shape.starts, owner)

    def width(self, shape: Shape) -> int:
        """Number of columns of a table. It does not depend on the starts, which could make a table very long."""
        return len(self.columns(replace(shape, starts=(0,))))

    def least_cells(self, shape: Shape, products: int) -> int:
        """Least number of cells in a table of that many products."""
        interval = min(self.interval(shape), self.cycles(shape))
        return ((products - 1) * interval + self.cycles(shape)) * self.width(shape)

    def next_start(self, shape: Shape, wanted: int) -> int:
        """The first row, from `wanted` on, in which another product may start after those of the shape."""
        if self.overlap is not None:
            return self.overlap.next_start(shape, wanted)
        return max(wanted, shape.starts[-1] + self.interval(shape)) if shape.starts else wanted

    def placed(self, shape: Shape, jobs: Iterable[TimedPair]) -> Iterator[tuple[TimedPair, int]]:
        """Every job with its start cycle; raises ParameterError if the core cannot start one in the cycle asked for."""
        free, interval, so_far = 0, self.interval(shape), replace(shape, starts=())
        for number, job in enumerate(jobs):
            wanted = free if job.start is None else job.start - self.first_cycle
            start = max(wanted, free)
            if self.overlap is not None:
                start = self.next_start(so_far, start)
                so_far = replace(so_far, starts=(*so_far.starts, start))
            if job.start is not None and start != wanted:
                raise ParameterError(
                    "operands",
                    f"product {number} cannot start in cycle {shown(job.start)}: the next cycle in which {self.id} "
                    f"takes one is {shown(self.first_cycle + start)}",
                )
            yield job, self.first_cycle + start
            free = start + interval

    def loaded(self, shape: Shape, starts: Sequence[int]) -> Shape:
        """The shape for products with these start cycles; if products overlap, all of them form one stream."""
        return replace(shape, starts=tuple(start - self.first_cycle for start in starts)) if self.overlap else shape

    def products(self, shape: Shape, jobs: Iterable[TimedPair], plan: Plan) -> Iterator[TableProduct]:
        """Every job with its cycle table, generated lazily; each stream has as many jobs as the shape has starts.

        If products overlap, the starts of the shape apply and not those of the jobs. Raises ParameterError for a
        start that is not possible, ValueError when the last stream is not full.
        """
        params = shape.params
        for stream in self._streams(shape, jobs, 1):
            steps = list(self.stream_steps(shape, [params.split(job.a, job.b) for job, _ in stream]))
            table = plan.table([value for _, _, value in steps])
            for (job, start), result in zip(stream, self.stream_results(shape, steps), strict=True):
                yield TableProduct(job.a, job.b, result, start, table)

    def batches(self, shape: Shape, jobs: Iterable[TimedPair], plan: Plan, size: int | None = None) -> Iterator[Batch]:
        """Like `products`, but `size` streams at a time; without a size, a number that is fast."""
        params, count = shape.params, len(shape.starts)
        size = size or min(max(BATCH_WORDS // plan.words, 1), BATCH_PRODUCTS)
        for chunk in self._streams(shape, jobs, size):
            a, b = [job.a for job, _ in chunk], [job.b for job, _ in chunk]
            steps = list(self.stream_steps(shape, [params.split_batch(a[k::count], b[k::count]) for k in range(count)]))
            streams = len(chunk) // count
            columns = [integers(result, streams) for result in self.stream_results(shape, steps)]
            results = [result for stream in zip(*columns, strict=True) for result in stream]
            cells = plan.cells([value for _, _, value in steps], streams)
            yield Batch(a, b, results, [start for _, start in chunk], cells)

    def _streams(self, shape: Shape, jobs: Iterable[TimedPair], size: int) -> Iterator[list[tuple[TimedPair, int]]]:
        """The jobs of `size` streams at a time, with their start cycles."""
        count = len(shape.starts)
        placed = self.placed(shape, jobs) if self.overlap is None else self._dealt(shape, jobs)
        while chunk := list(islice(placed, size * count)):
            if len(chunk) % count:
                raise ValueError(f"the last stream has {len(chunk) % count} products and not {count}")
            yield chunk

    def _dealt(self, shape: Shape, jobs: Iterable[TimedPair]) -> Iterator[tuple[TimedPair, int]]:
        """The jobs distributed to streams, one stream after the other."""
        for number, job in enumerate(jobs):
            stream, place = divmod(number, len(shape.starts))
            yield job, self.first_cycle + stream * self.cycles(shape) + shape.starts[place]

    def stream_steps(self, shape: Shape, operands: Sequence[tuple[Any, Any]]) -> Iterator[Step]:
        """The steps of a stream, given the operands of each product as `split` or `split_batch` gives them."""
        if self.overlap is None:
            return self.steps(shape, *operands[0])
        return self.steps(shape, [a for a, _ in operands], [b for _, b in operands])

    def stream_results(self, shape: Shape, steps: Sequence[Step]) -> list[Digit]:
        """The result of every product of a stream."""
        return self.overlap.results(shape, steps) if self.overlap else [self.model.result_of(shape.params, steps)]
