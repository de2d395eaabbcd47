# SPDX-License-Identifier: Apache-2.0
"""`limbtrace waves`: the cycles around the first difference of a report, from a waveform."""

from dataclasses import replace
from pathlib import Path

import click

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.cli.options import json_option, table
from limbtrace.vectors.report import canonical, read_file
from limbtrace.vectors.report.document import ShownWaves
from limbtrace.vectors.report.waves import excerpt


@click.command()
@click.argument("report", type=click.Path(path_type=Path, allow_dash=True))
@click.argument("waveform", type=click.Path(path_type=Path))
@json_option
def waves(report: Path, waveform: Path, as_json: bool) -> None:
    """Find the first difference of a report in a waveform, and show the cycles around it.

    REPORT is what `limbtrace sim --json` wrote; - reads standard input. WAVEFORM is what `--waves` wrote in that run or
    in its replay, in VCD or FST. With --json the output is the report with these cycles in it.
    """
    document = read_file(report)
    if waveform.exists() and not waveform.is_file():
        raise ParameterError("waves", f"{waveform} is no regular file")
    try:
        with waveform.open("rb"):
            pass
    except OSError as error:
        raise ParameterError("waves", f"{waveform} cannot be read: {error.strerror}") from None
    found = excerpt(document, waveform)
    click.echo(canonical(replace(document, waves=found)) if as_json else _text(found), nl=as_json)


def _text(found: ShownWaves) -> str:
    """A line for each cycle."""
    head = ["cycle", *(wave.column or wave.name.rpartition(".")[2] for wave in found.signals)]
    cells = zip(*(wave.cells for wave in found.signals), strict=True)
    lines = [
        [str(cycle), *(cell[2:] if cell else "" for cell in row)] for cycle, row in enumerate(cells, found.first_cycle)
    ]
    lacking = f"not in the waveform: {', '.join(found.missing)}\n" if found.missing else ""
    return table([head, *lines]) + lacking
