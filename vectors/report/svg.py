# SPDX-License-Identifier: Apache-2.0
"""The waves of a report as SVG: each watched signal with what it should be above it, the differing cycle marked."""

from collections.abc import Iterator, Sequence

from limbtrace.vectors.cycles.picture import Wave, svg
from limbtrace.vectors.report.document import ReportDocument, SeenRows, ShownWave, ShownWaves
from limbtrace.vectors.report.render import compared_rows, differs

LONGEST_NAME = 30
"""Characters of a name in a picture."""


def drawn(report: ReportDocument, waves: ShownWaves) -> str:
    """The picture; the last of the report's rows is the one that differs."""
    rows = compared_rows(report)
    marked = rows.rows[-1].cycle if rows and rows.rows else waves.first_cycle
    names = report.wave_names
    golden = "golden modulo p" if report.rows is None and names and names.result and names.result.modulo else "golden"
    return svg(list(_lines(rows, waves, golden)), waves.first_cycle, marked, clocked=waves.clocked)


def _lines(rows: SeenRows | None, waves: ShownWaves, title: str) -> Iterator[Wave]:
    """The handshake, the signals that differ, and the others; what a signal should be stands above it, so called."""
    pairs = [(wave, _golden(rows, waves, wave)) for wave in waves.signals]
    pairs.sort(key=lambda pair: (pair[0].column is not None, not _wrong(*pair)))
    for wave, golden in pairs:
        name = wave.column or wave.name.rpartition(".")[2]
        name = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
        late = wave.kind == "register"
        cells = [None if cell is None else cell[2:] for cell in wave.cells]
        bit = _is_bit(wave)
        if any(cell is not None for cell in golden):
            yield Wave(f"{name}, {title}", [cell and cell[2:] for cell in golden], late, golden=True, bit=bit)
        yield Wave(name, cells, late, wrong=_wrong(wave, golden), bit=bit)


def _is_bit(wave: ShownWave) -> bool:
    """True if a signal has one bit; of an excerpt that says no widths, if it is one of the handshake and looks so."""
    looks = all(cell is None or cell[2:].lower() in ("0", "1", "x", "z") for cell in wave.cells)
    return looks and (wave.width == 1 or (wave.width is None and wave.column is None))


def _wrong(wave: ShownWave, golden: Sequence[str | None]) -> frozenset[int]:
    """Positions of the cells that are not what they should be."""
    pairs = zip(golden, wave.cells, strict=True)
    return frozenset(at for at, (wanted, seen) in enumerate(pairs) if differs(wanted, seen or ""))


def _golden(rows: SeenRows | None, waves: ShownWaves, wave: ShownWave) -> list[str | None]:
    """The expected value of the signal in each cycle, None if unknown."""
    found: list[str | None] = [None] * len(wave.cells)
    if rows is None or wave.column not in rows.columns:
        return found
    is_numbered = wave.number is not None and wave.number < len(rows.columns)
    column = wave.number if is_numbered and wave.number is not None else rows.columns.index(wave.column)
    for row in rows.rows:
        if row.golden and 0 <= row.cycle - waves.first_cycle < len(found):
            found[row.cycle - waves.first_cycle] = row.golden[column]
    return found
