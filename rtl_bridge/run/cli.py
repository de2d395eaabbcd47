# SPDX-License-Identifier: Apache-2.0
"""`limbtrace sim`."""

import os
import re
from pathlib import Path

import click

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.code_coverage.counted import CountedCode, check_countable
from limbtrace.rtl_bridge.code_coverage.results import LCOV, coverage_text, write_coverage
from limbtrace.rtl_bridge.run import shrink
from limbtrace.rtl_bridge.run.directed import DIRECTED, MOST_BUILDS, check_directed, try_moduli
from limbtrace.rtl_bridge.run.event_coverage import Covered
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.neighbours import with_neighbours
from limbtrace.rtl_bridge.run.options import job_options
from limbtrace.rtl_bridge.run.replays import confirmed
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate_run
from limbtrace.vectors.cli import MISMATCH, json_option
from limbtrace.vectors.coverage import FORMATS
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.files import check_directory, write_file


@click.command()
@job_options(Job, "core", "vectors", "run")
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write a JUnit report.")
@click.option(
    "--coverage",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the events of the model that the products make happen: FILE.xml as UCIS, any other FILE as JSON.",
)
@click.option(
    "--code-coverage",
    "code_folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write which lines, branches, expressions and bits of the RTL are reached: LCOV, a page, text and JSON.",
)
@click.option(
    "--shrink", "shrinks", is_flag=True, help="Make a failing product as simple as can be, and say why it fails."
)
@click.option(
    "--check-replay/--no-check-replay", default=True, show_default=True, help="Run a replay before it is printed."
)
@click.option(
    "--moduli",
    type=click.Choice([DIRECTED]),
    help="Run the core at directed moduli, too: of as many bits, and of a few more and fewer; stop at the first that "
    "differs.",
)
@click.option(
    "--moduli-count",
    "builds",
    type=click.IntRange(min=0),
    metavar="K",
    help=f"Of directed moduli that take another build of the core, at most K; default {MOST_BUILDS}.",
)
@json_option
def sim(
    job: Job,
    junit: Path | None,
    coverage: Path | None,
    code_folder: Path | None,
    shrinks: bool,
    check_replay: bool,
    moduli: str | None,
    builds: int | None,
    as_json: bool,
) -> int:
    """Run a core in a simulator against golden data; exit 1 at the first difference.

    CORE is a built-in core, the id of a public fault in hardware (`limbtrace defects`), or a folder with RTL and a
    core.toml.
    """
    if moduli is not None:
        check_directed(job, {"junit": junit, "coverage": coverage, "code-coverage": code_folder, "shrink": shrinks})
        tried = try_moduli(job, MOST_BUILDS if builds is None else builds, check_replay=check_replay)
        click.echo(tried.table(), err=True, nl=False)
        click.echo(dump(tried.document) if as_json else _coloured(tried.text()), nl=as_json)
        return 0 if tried.passed else MISMATCH
    if builds is not None:
        raise ParameterError("moduli-count", f"it is about --moduli {DIRECTED}")
    _check_files(job.waves, junit, coverage)
    code = CountedCode() if code_folder is not None else None
    if shrinks:
        shrink.check(job)
    run = settle(job, many=True)
    covered = Covered(run) if coverage is not None else None
    if code_folder is not None:
        check_countable(run.bound, job.simulator)
        check_directory(code_folder, LCOV)
    report = simulate_run(run, code=code)
    if check_replay:
        report = confirmed(run, report)
    report = with_neighbours(run, report)
    if junit is not None:
        write_file(junit, [report.junit().encode()])
    if coverage is not None and covered is not None:
        format = FORMATS["ucis" if coverage.suffix == ".xml" else "json"]
        write_file(coverage, format.write(covered.count(report)))
    code_document = None if code is None or code_folder is None else write_coverage(code_folder, code)
    if report.tally.divergence is not None:
        click.echo(report.tally.divergence.table(), err=True, nl=False)
    shrunk = shrink.shrink(run.job, report) if shrinks else None
    document = {**report.document, **({"shrunk": shrunk.document} if shrunk else {})}
    document = {**document, **({"code_coverage": code_document} if code_document else {})}
    text = report.text() + (shrunk.text() if shrunk else "")
    if shrinks and shrunk is None and not report.passed:
        text += f"not shrunk: {shrink.AGREES}\n"
    text += coverage_text(code_document) if code_document else ""
    click.echo(dump(document) if as_json else _coloured(text), nl=as_json)
    return 0 if report.passed else MISMATCH


def _coloured(text: str) -> str:
    """The report with its verdict in colour, which `click.echo` takes away where no terminal shows it."""
    marks = (
        (r"^first divergence, .*$", "red"),
        (r"(all )?\d+ products? (of modulus \S+ |of \d+ moduli )?agrees?\b", "green"),
        (r"^replay: .*$", "cyan"),
    )
    for pattern, colour in marks:
        text = re.sub(pattern, lambda found, fg=colour: click.style(found[0], fg=fg), text, flags=re.MULTILINE)  # type: ignore[misc]
    return text


def _check_files(waves: Path | None, junit: Path | None, coverage: Path | None) -> None:
    """Complain before the simulation, not after it. Raises ParameterError."""
    for path in (waves, junit, coverage):
        if path is not None and (
            (path.exists() and not path.is_file()) or not os.access(path.absolute().parent, os.W_OK)
        ):
            raise ParameterError("output", f"{path} cannot be written")
    if coverage is not None and coverage.absolute() in [path.absolute() for path in (waves, junit) if path]:
        raise ParameterError("coverage", f"{coverage} is the name of another file that is written")
    if waves is None:
        return
    if junit is not None and junit.absolute() in (waves.absolute(), waves.absolute().with_suffix(".gtkw")):
        raise ParameterError("junit", f"{junit} is the name of the waveform or of its save file")
    if waves.suffix == ".gtkw":
        raise ParameterError("waves", f"{waves} is the name of the save file that is written beside the waveform")
