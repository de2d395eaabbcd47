# SPDX-License-Identifier: Apache-2.0
"""`limbtrace sim`."""

import os
from pathlib import Path

import click

from refmodels.errors import ParameterError
from rtl_bridge.run.job import DISTURBANCES, MODES
from rtl_bridge.run.simulation import simulate
from rtl_bridge.run.stimulus import Stimulus, stimulus_options
from rtl_bridge.run.tools import SIMULATORS
from vectors.cli import MISMATCH, json_option
from vectors.files import write_file
from vectors.wire import dump

_PATH = click.Path(path_type=Path)


@click.command()
@stimulus_options
@click.option("--simulator", type=click.Choice(SIMULATORS), default=SIMULATORS[0], show_default=True)
@click.option(
    "--mode",
    type=click.Choice(MODES),
    default=MODES[0],
    show_default=True,
    help="lockstep: every watched signal in every cycle; bulk: results only, no Python in the loop; "
    "fast: as lockstep, in batches, without cocotb.",
)
@click.option(
    "--disturb",
    multiple=True,
    type=click.Choice((*DISTURBANCES, "all")),
    help="In mode lockstep, disturb the core on purpose; repeatable.",
)
@click.option(
    "--patience",
    type=click.FloatRange(min=0),
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="Stop a simulator that makes no progress for so long; 0: never.",
)
@click.option("--service", metavar="URL", help="Take golden data from this service.")
@click.option("--waves", type=_PATH, metavar="FILE", help="Write a waveform: FST if so named, else VCD.")
@click.option("--junit", type=_PATH, metavar="FILE", help="Write a JUnit report.")
@json_option
def sim(
    stimulus: Stimulus,
    simulator: str,
    mode: str,
    disturb: tuple[str, ...],
    patience: float,
    service: str | None,
    waves: Path | None,
    junit: Path | None,
    as_json: bool,
) -> int:
    """Run a core in a simulator against golden data; exit 1 at the first difference.

    CORE is a built-in core or a folder with RTL and a core.toml.
    """
    for path in (waves, junit):
        _check_writable(path)
    if (
        junit is not None
        and waves is not None
        and junit.absolute() in (waves.absolute(), waves.absolute().with_suffix(".gtkw"))
    ):
        raise ParameterError("junit", f"{junit} is the name of the waveform or of its save file")
    if waves is not None and waves.suffix == ".gtkw":
        raise ParameterError("waves", f"{waves} is the name of the save file that is written beside the waveform")
    job = stimulus.job(
        simulator=simulator,
        mode=mode,
        service=service,
        waves=waves,
        disturb=tuple(kind for kind in DISTURBANCES if kind in disturb or "all" in disturb),
        patience=patience,
    )
    report = simulate(job)
    if junit is not None:
        write_file(junit, [report.junit().encode()])
    if report.tally.divergence is not None:
        click.echo(report.tally.divergence.table(), err=True, nl=False)
    click.echo(dump(report.document) if as_json else report.text(), nl=as_json)
    return 0 if report.passed else MISMATCH


def _check_writable(path: Path | None) -> None:
    """Complain before the simulation, not after it."""
    if path is None:
        return
    if (path.exists() and not path.is_file()) or not os.access(path.absolute().parent, os.W_OK):
        raise ParameterError("output", f"{path} cannot be written")
