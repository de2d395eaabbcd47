# SPDX-License-Identifier: Apache-2.0
"""`limbtrace trace`, `cycles`, `vectors`, `fp2`, `constants`: golden data."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors import cycles, fp2, sets, traces
from limbtrace.vectors.catalogue.constants import CONSTANT_FORMATS
from limbtrace.vectors.cli.options import MISMATCH, asks, emit, format_option, output_option
from limbtrace.vectors.cycles import CycleQuery, CycleRequest
from limbtrace.vectors.files import write_directory
from limbtrace.vectors.fp2 import Fp2Query, Fp2Request
from limbtrace.vectors.grades import grade_of
from limbtrace.vectors.options import ModelQuery
from limbtrace.vectors.progress import Progress
from limbtrace.vectors.request import within
from limbtrace.vectors.sets import VectorQuery, VectorSet
from limbtrace.vectors.sets.jobs import MAX_JOBS
from limbtrace.vectors.traces import TraceQuery, TraceRequest


@click.command()
@asks(TraceQuery)
@format_option(traces.FORMATS)
@output_option
def trace(asked: TraceQuery, form: str, output: Path | None) -> int:
    """Every intermediate of one product, in the paper's symbols."""
    request = TraceRequest.of(asked, asked.multiplier)
    emit(traces.render(request, form), output)
    if not asked.check:
        return 0
    violations = request.violations()
    for violation in violations:
        click.echo(f"limbtrace: {violation}", err=True)
    if not violations:
        click.echo(f"limbtrace: all {request.claims} claims of {asked.model} hold", err=True)
    return MISMATCH if violations else 0


@click.command(name="cycles")
@asks(CycleQuery)
@format_option(cycles.FORMATS)
@output_option
def cycles_command(asked: CycleQuery, form: str, output: Path | None) -> None:
    """Every watched register in every cycle, for given operands or for a seeded set of COUNT products."""
    core = asked.core_request
    cycles.FORMATS[form].check(core)
    emit(cycles.render(CycleRequest.of(asked, core), form), output)


@click.command(name="vectors")
@asks(VectorQuery)
@format_option(sets.FORMATS)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="File instead of standard output; for readmemh, coe and mif a folder, or an archive when it ends in .tar.",
)
@click.option("--jobs", metavar="N", default="1", help="Processes that make the cases, with the same bytes.")
def vectors_command(asked: VectorQuery, form: str, output: Path | None, jobs: str) -> None:
    """Test vectors for a model: the same request gives the same bytes everywhere."""
    request, processes = asked.resolve(asked.multiplier), within("jobs", jobs, 1, MAX_JOBS)
    vectors, format = VectorSet(request, processes, asked.notes, grade_of if asked.grade else None), sets.FORMATS[form]
    format.check(vectors)
    if format.files is not None:
        if output is None and sys.stdout.isatty():
            several = f"{form} writes several files: give a folder with -o, or redirect the archive"
            raise ParameterError("output", several)
        if output is not None and output.suffix != f".{format.extension}":
            files = ((name, _watched(chunks, vectors)) for name, chunks in format.files(vectors))
            write_directory(output, files, format.mark)
            return
    emit(_watched(format.write(vectors), vectors), output)


def _watched(chunks: Iterator[bytes], vectors: VectorSet) -> Iterator[bytes]:
    """The chunks as they come, with progress in cases on standard error."""
    before = vectors.made
    with Progress("cases", vectors.request.count) as progress:
        for chunk in chunks:
            yield chunk
            made = min(vectors.made - before, progress.total) - progress.done
            if made or not progress.done:  # the end of a set has no cases
                progress.advance(made)


@click.command(name="fp2")
@asks(Fp2Query, "prime")
@format_option(fp2.FORMATS)
@output_option
def fp2_command(asked: Fp2Query, form: str, output: Path | None) -> None:
    """Products and squares in GF(p^2), with their base-field operations; 16 cases by default."""
    emit(fp2.render(Fp2Request.asked(asked, asked.multiplier), form), output)


@click.command()
@asks(ModelQuery)
@format_option(CONSTANT_FORMATS)
@output_option
def constants(asked: ModelQuery, form: str, output: Path | None) -> None:
    """The constants that a core or a program needs, as JSON, SystemVerilog or VHDL."""
    emit(CONSTANT_FORMATS[form].write(asked.multiplier), output)
