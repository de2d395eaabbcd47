# SPDX-License-Identifier: Apache-2.0
"""The formats of a cycle table: JSON and CSV, waveforms, and the occupation of units that products share."""

import io
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from vcd import VCDWriter

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.registry import ARCHITECTURES
from limbtrace.vectors.cycles import native, occupation
from limbtrace.vectors.cycles.request import CycleRequest, TableRow
from limbtrace.vectors.cycles.samples import NAMES, samples
from limbtrace.vectors.cycles.waves import WaveSignal, save_file, write_fst
from limbtrace.vectors.encoding import FORMAT, dump, identifier
from limbtrace.vectors.format import Format, csv_around, csv_with, json_around, read_csv, table, write_csv, write_json
from limbtrace.vectors.request import CoreRequest
from limbtrace.vectors.validation import DamagedFileError, load_json


def _json(request: CycleRequest) -> Iterator[bytes]:
    if (written := native.rows(request, native.JSON)) is not None:
        return json_around(request.head, "rows", written)
    rows = (",".join("null" if cell is None else f'"{cell:#x}"' for cell in row) for row in request.rows())
    return write_json(request.head, "rows", (f"[{cells}]" for cells in rows))


def _csv(request: CycleRequest) -> Iterator[bytes]:
    """One row per cycle, which begins with the number of the cycle."""
    names = ["cycle", *(column.name for column in request.columns)]
    if (written := native.rows(request, native.CSV)) is not None:
        return csv_around(request.head, names, written)
    rows = (
        f"{cycle},{','.join('' if cell is None else f'{cell:#x}' for cell in row)}"
        for cycle, row in enumerate(request.rows(), request.first_cycle)
    )
    return write_csv(request.head, names, rows)


def _read_csv(stream: IO[bytes]) -> dict[str, Any]:
    """The JSON document. Raises DamagedFileError."""
    found = read_csv(stream)
    columns, first_cycle = found.head.get("columns"), found.head.get("first_cycle")
    known = [entry.get("name") for entry in columns if isinstance(entry, dict)] if isinstance(columns, list) else []
    if found.names.split(",") != ["cycle", *known]:
        raise DamagedFileError("line 2", "the names are not those of the columns")
    for number, row in enumerate(found.rows):
        if not isinstance(first_cycle, int) or row[:1] != [str(first_cycle + number)]:
            raise DamagedFileError(f"line {number + 3}", "this is not the row of the next cycle")
    return {**found.head, "rows": [[cell or None for cell in row[1:]] for row in found.rows]}


_PERIOD = 10


def _vcd(request: CycleRequest) -> Iterator[bytes]:
    """A cycle takes 10 ns: registers change at its end, combinational columns at its beginning; don't care is x."""
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
    registers: TableRow = (None,) * len(signals)
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
    """The waveform of `vcd` in GTKWave's compressed format."""
    with TemporaryDirectory(prefix="limbtrace-") as folder:
        vcd, fst = Path(folder, "cycles.vcd"), Path(folder, "cycles.fst")
        with vcd.open("wb") as stream:
            stream.writelines(_vcd(request))
        write_fst(vcd, fst)
        yield fst.read_bytes()


def _gtkw(request: CycleRequest) -> Iterator[bytes]:
    """The signals that GTKWave shows for either waveform: `gtkwave WAVEFORM SAVEFILE`."""
    scope = identifier(request.core.architecture.id)
    columns = [WaveSignal(f"{scope}.{identifier(column.name)}", column.width) for column in request.columns]
    yield save_file([("", [WaveSignal(f"{scope}.clk", 1), WaveSignal(f"{scope}.cycle", 32), *columns])])


def _samples(request: CycleRequest) -> Iterator[bytes]:
    """Sampling times of each signal of a netlist with delays, as CSV."""
    return write_csv(request.head, list(NAMES), samples(request))


def _units(request: CycleRequest) -> Iterator[bytes]:
    """The occupation of shared units as CSV."""
    return (line.encode() for line in occupation.table(request.units, request.first_cycle))


def _svg(request: CycleRequest) -> Iterator[bytes]:
    """The occupation of shared units as SVG."""
    yield occupation.svg(request.units, request.first_cycle).encode()


def _check_units(format: str, core: CoreRequest) -> None:
    """Raises ParameterError("format") for a core whose products share no units."""
    if core.architecture.occupation is None:
        shared = ", ".join(entry.id for entry in ARCHITECTURES.values() if entry.occupation)
        raise ParameterError(
            "format", f"{format} shows units that products share, and {core.architecture.id} has none; {shared} do"
        )


FORMATS = table(
    Format("json", "application/json", "json", _json, load_json),
    Format("csv", "text/csv", "csv", _csv, _read_csv, csv_with(b"core")),
    Format("vcd", "text/plain", "vcd", _vcd),
    Format("fst", "application/octet-stream", "fst", _fst),
    Format("gtkw", "text/plain", "gtkw", _gtkw),
    Format("samples", "text/csv", "csv", _samples),
    Format("units", "text/csv", "csv", _units, check=partial(_check_units, "units")),
    Format("svg", "image/svg+xml", "svg", _svg, check=partial(_check_units, "svg")),
)
"""All formats; `check` examines a core before its table is computed."""


OF_UNITS = ("units", "svg")
"""Formats for cores whose products share units."""


def render(request: CycleRequest, format: str) -> Iterator[bytes]:
    """The bytes of a cycle table in one of FORMATS."""
    return FORMATS[format].write(request)
