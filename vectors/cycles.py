# SPDX-License-Identifier: Apache-2.0
"""Cycle-level traces of an architecture, as JSON and CSV, and as waveforms."""

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from vcd import VCDWriter

from refmodels.architecture import MAX_CELLS, Column, Control, Job, Plan, Product
from refmodels.errors import ParameterError, shown
from refmodels.model import Index
from refmodels.registry import ARCHITECTURES
from vectors import occupation
from vectors.representations import digits as digits_of
from vectors.request import CoreRequest, Multiplier
from vectors.waves import Signal, save_file, write_fst
from vectors.wire import FORMAT, dump, hexadecimal, identifier

Row = tuple[int | None, ...]


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
    def document(self) -> dict[str, Any]:
        head = {"name": self.name, "width": self.width, "step": self.step, "kind": self.kind}
        return {**head, "parts": list(self.parts)} if len(self.parts) > 1 else head


class CycleRequest:
    """Products of which every register in every cycle is asked for."""

    def __init__(
        self, core: CoreRequest, jobs: Iterable[Job], max_cells: int = MAX_CELLS, asked: str = "operands"
    ) -> None:
        """Raises ParameterError when an operand is out of range, a start too early or the table too large.

        `asked` is the parameter by which somebody asked for so many products.
        """
        self.core = core
        self.jobs = tuple(jobs)
        m, architecture = core.multiplier, core.architecture
        if not self.jobs:
            raise ParameterError("operands", "at least one pair A,B is needed")
        for job in self.jobs:
            m.model.check_operands(m.params, job.a, job.b)
        cells = architecture.least_cells(core.shape, len(self.jobs))
        if cells > max_cells:
            raise ParameterError(asked, f"the table would have {cells} cells and the limit is {max_cells}")
        self.starts = [start for _, start in architecture.placed(core.shape, self.jobs)]
        self.shape = architecture.loaded(core.shape, self.starts)
        rows = self._begin(len(self.jobs) - 1) - self.first_cycle + architecture.cycles(self.shape)
        cells = rows * architecture.width(self.shape)
        if cells > max_cells:
            if any(job.start is not None for job in self.jobs):
                raise ParameterError(
                    asked, f"the start cycles make the table larger than the limit of {max_cells} cells"
                )
            raise ParameterError(asked, f"the table would have {cells} cells and the limit is {max_cells}")

    @cached_property
    def plan(self) -> Plan:
        return self.core.architecture.plan(self.shape)

    @property
    def columns(self) -> list[ColumnInfo]:
        return [ColumnInfo.of(column) for column in self.plan.columns]

    @property
    def first_cycle(self) -> int:
        return self.core.architecture.first_cycle

    def products(self) -> Iterator[Product]:
        """Every product with the table of its stream, as they are asked for."""
        return self.core.architecture.products(self.shape, self.jobs, self.plan)

    @property
    def units(self) -> occupation.Units:
        """What every unit is busy with in every row; for cores whose products share units."""
        assert self.core.architecture.occupation is not None
        return self.core.architecture.occupation(self.shape)

    def _begin(self, product: int) -> int:
        """The cycle of the first row of the stream of a product."""
        return self.starts[product] - self.shape.starts[product % len(self.shape.starts)]

    def rows(self) -> Iterator[Row]:
        """The rows of all streams, in cycle order; nobody cares what stands between two of them."""
        cycle = self.first_cycle
        idle: Row = (None,) * len(self.plan.columns)
        for number, product in enumerate(self.products()):
            if number % len(self.shape.starts):
                continue  # it has the table of the first product of its stream
            begin = self._begin(number)
            for _ in range(begin - cycle):
                yield idle
            yield from zip(*product.table, strict=True)
            cycle = begin + self.plan.cycles

    def behind(self, column: int, cycle: int) -> tuple[int, tuple[str, Index] | None]:
        """Number of the product, and the step, behind a cell."""
        latest = max((k for k, start in enumerate(self.starts) if start <= cycle), default=0)
        row = cycle - self._begin(latest)
        first = latest - latest % len(self.shape.starts)
        return first + self.plan.product_at(column, row), self.plan.step_at(column, row)

    @property
    def head(self) -> dict[str, Any]:
        """The document without its rows."""
        m = self.core.multiplier
        results = [m.model.result(m.params, job.a, job.b) for job in self.jobs]
        digits = [digits_of(m, job.a, job.b, result) for job, result in zip(self.jobs, results, strict=True)]
        return {
            **self.core.head,
            "operands": [[hexadecimal(value) for value in m.model.given(job.a, job.b)] for job in self.jobs],
            "results": [hexadecimal(result) for result in results],
            **({"digits": digits} if any(digits) else {}),
            "starts": list(self.starts),
            "columns": [column.document for column in self.columns],
            "first_cycle": self.first_cycle,
        }


def parse_job(multiplier: Multiplier, text: str) -> Job:
    """A product from A,B[@CYCLE], or A[@CYCLE] where there is no b; digit vectors keep their commas in brackets.

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
    return Job(a, b, multiplier.operand("operands", cycle) if at else None)


def render(request: CycleRequest, format: str) -> Iterator[bytes]:
    """The bytes of a cycle table in one of FORMATS."""
    return FORMATS[format][1](request)


def _json(request: CycleRequest) -> Iterator[bytes]:
    yield (dump(request.head)[:-1] + ',"rows":[\n').encode()
    separator = ""
    for row in request.rows():
        cells = ",".join("null" if cell is None else f'"{cell:#x}"' for cell in row)
        yield f"{separator}[{cells}]".encode()
        separator = ",\n"
    yield b"\n]}\n"


def _csv(request: CycleRequest) -> Iterator[bytes]:
    names = ",".join(column.name for column in request.columns)
    yield f"# {dump(request.head)}\ncycle,{names}\n".encode()
    count = 0
    for cycle, row in enumerate(request.rows(), request.first_cycle):
        yield f"{cycle},{','.join('' if cell is None else f'{cell:#x}' for cell in row)}\n".encode()
        count += 1
    yield f'# {{"end":{count}}}\n'.encode()


_PERIOD = 10


def _vcd(request: CycleRequest) -> Iterator[bytes]:
    """A cycle takes 10 ns: registers change at its end, combinational columns at its begin, don't care is x."""
    buffer = io.StringIO()
    writer = VCDWriter(buffer, timescale="1 ns", date="", version=FORMAT, comment=dump(request.head))
    scope = identifier(request.core.architecture.id)
    clock = writer.register_var(scope, "clk", "wire", 1, init=1)
    counter = writer.register_var(scope, "cycle", "integer", 32, init=request.first_cycle)
    signals = [
        writer.register_var(scope, identifier(column.name), "wire", column.width, init="x")
        for column in request.columns
    ]
    late = [column.kind == "register" for column in request.columns]
    registers: Row = (None,) * len(signals)
    time = 0
    for cycle, row in enumerate(request.rows(), request.first_cycle):
        writer.change(clock, time, 1)
        writer.change(counter, time, cycle)
        for variable, is_late, old, new in zip(signals, late, registers, row, strict=True):
            value = old if is_late else new
            writer.change(variable, time, "x" if value is None else value)
        registers = row
        writer.change(clock, time + _PERIOD // 2, 0)
        time += _PERIOD
        yield _take(buffer)
    for variable, is_late, value in zip(signals, late, registers, strict=True):
        writer.change(variable, time, "x" if value is None or not is_late else value)
    writer.change(clock, time, 1)
    writer.close(time + _PERIOD)
    yield _take(buffer)


def _take(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text.encode()


def _fst(request: CycleRequest) -> Iterator[bytes]:
    """The waveform of `vcd` in the compressed form of GTKWave."""
    with TemporaryDirectory(prefix="limbtrace-") as folder:
        vcd, fst = Path(folder, "cycles.vcd"), Path(folder, "cycles.fst")
        with vcd.open("wb") as stream:
            stream.writelines(_vcd(request))
        write_fst(vcd, fst)
        yield fst.read_bytes()


def _gtkw(request: CycleRequest) -> Iterator[bytes]:
    """What GTKWave shows of either waveform: `gtkwave WAVEFORM SAVEFILE`."""
    scope = identifier(request.core.architecture.id)
    columns = [Signal(f"{scope}.{identifier(column.name)}", column.width) for column in request.columns]
    yield save_file([Signal(f"{scope}.clk", 1), Signal(f"{scope}.cycle", 32), *columns])


def _units(request: CycleRequest) -> Iterator[bytes]:
    """What the units that products share are busy with, as CSV."""
    return (line.encode() for line in occupation.table(request.units, request.first_cycle))


def _svg(request: CycleRequest) -> Iterator[bytes]:
    """The same as a picture."""
    yield occupation.svg(request.units, request.first_cycle).encode()


FORMATS: dict[str, tuple[str, Callable[[CycleRequest], Iterator[bytes]]]] = {
    "json": ("application/json", _json),
    "csv": ("text/csv", _csv),
    "vcd": ("text/plain", _vcd),
    "fst": ("application/octet-stream", _fst),
    "gtkw": ("text/plain", _gtkw),
    "units": ("text/csv", _units),
    "svg": ("image/svg+xml", _svg),
}
"""Media type and renderer of each format."""
OF_UNITS = ("units", "svg")
"""Formats for cores whose products share units."""


def check_format(core: CoreRequest, format: str) -> None:
    """Raises ParameterError("format") where a core has nothing to show in it."""
    if format in OF_UNITS and core.architecture.occupation is None:
        shared = ", ".join(entry.id for entry in ARCHITECTURES.values() if entry.occupation)
        raise ParameterError(
            "format", f"{format} shows units that products share, and {core.architecture.id} has none; {shared} has"
        )
