# SPDX-License-Identifier: Apache-2.0
"""`limbtrace library`: sources for simulators and firmware."""

from pathlib import Path

import click

from limbtrace.vectors import library
from limbtrace.vectors.cli.options import asks
from limbtrace.vectors.files import write_directory
from limbtrace.vectors.library import LibraryQuery


@click.command(name="library")
@asks(LibraryQuery)
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Folder for the sources.")
def library_command(asked: LibraryQuery, output: Path) -> None:
    """A model or core as C, SystemVerilog (DPI-C) and VHDL (GHDL) sources: results, steps, rows of the cycle table."""
    write_directory(output, library.files(asked.request), library.MARK)
