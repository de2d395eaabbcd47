# SPDX-License-Identifier: Apache-2.0
"""The waves of a report as SVG: each watched signal with what it should be above it, the differing cycle marked."""

from collections.abc import Iterator, Sequence

from limbtrace.vectors.cycles.picture import Wave, svg
from limbtrace.vectors.report.document import ReportDocument, ShownWave, ShownWaves
from limbtrace.vectors.report.render import differs

LONGEST_NAME = 30
"""Characters of a name in a picture."""


def drawn(report: ReportDocument, waves: ShownWaves) -> str:
    """The picture; the last of the report's rows is the one that differs."""
    rows = report.rows.rows if report.rows else []
    marked = rows[-1].cycle if rows else waves.first_cycle
    return svg(list(_lines(report, waves)), waves.first_cycle, marked)


def _lines(report: ReportDocument, waves: ShownWaves) -> Iterator[Wave]:
    """The handshake, the signals that differ, and the others."""
    pairs = [(wave, _golden(report, waves, wave)) for wave in waves.signals]
    pairs.sort(key=lambda pair: (pair[0].column is not None, not _wrong(*pair)))
    for wave, golden in pairs:
        name = wave.column or wave.name.rpartition(".")[2]
        name = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
        late = wave.kind == "register"
        cells = [None if cell is None else cell[2:] for cell in wave.cells]
        if any(cell is not None for cell in golden):
            yield Wave(f"{name}, golden", [cell and cell[2:] for cell in golden], late, golden=True)
        yield Wave(name, cells, late, wrong=_wrong(wave, golden))


def _wrong(wave: ShownWave, golden: Sequence[str | None]) -> frozenset[int]:
    """Positions of the cells that are not what they should be."""
    pairs = zip(golden, wave.cells, strict=True)
    return frozenset(at for at, (wanted, seen) in enumerate(pairs) if differs(wanted, seen or ""))


def _golden(report: ReportDocument, waves: ShownWaves, wave: ShownWave) -> list[str | None]:
    """The expected value of the signal in each cycle, None if unknown."""
    found: list[str | None] = [None] * len(wave.cells)
    if report.rows is None or wave.column not in report.rows.columns:
        return found
    column = report.rows.columns.index(wave.column)
    for row in report.rows.rows:
        if row.golden and 0 <= row.cycle - waves.first_cycle < len(found):
            found[row.cycle - waves.first_cycle] = row.golden[column]
    return found
