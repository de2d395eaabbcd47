# SPDX-License-Identifier: Apache-2.0
"""`limbtrace signoff`."""

from pathlib import Path

import click

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.expressions import parse_integer
from limbtrace.rtl_bridge.proof.cli import LIMIT
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.run.options import job_options
from limbtrace.rtl_bridge.run.simulators import SIMULATORS
from limbtrace.rtl_bridge.signoff.items import exit_code
from limbtrace.rtl_bridge.signoff.result import signoff_text, write_signoff
from limbtrace.rtl_bridge.signoff.run import PARTS, SignoffRequest, sign_off
from limbtrace.rtl_bridge.signoff.simulations import check_state
from limbtrace.vectors.cli import json_option
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.files import OutputError

LIMIT_ALL = 600
"""Seconds for the proof, by default."""
_SECONDS = click.IntRange(1, 86_400)


@click.command()
@job_options(BindRequest, "core")
@click.option("-o", "--output", "folder", type=click.Path(path_type=Path), required=True, metavar="DIR",
              help="Folder for page, signoff.json, state, netlist and code coverage.")  # fmt: skip
@click.option("--budget", metavar="N", help="Products of each simulation; default: as many as about two seconds hold.")
@click.option("--simulator", "simulators", multiple=True, type=click.Choice(SIMULATORS),
              help="Use no other simulators; repeatable.")  # fmt: skip
@click.option("--leave-out", "left_out", multiple=True, type=click.Choice(PARTS), help="Leave a part out; repeatable.")
@click.option("--limit", type=_SECONDS, default=LIMIT, show_default=True, metavar="SECONDS",
              help="Timeout per solver query of the proof.")  # fmt: skip
@click.option("--limit-all", type=_SECONDS, default=LIMIT_ALL, show_default=True, metavar="SECONDS",
              help="Timeout of the proof.")  # fmt: skip
@click.option("--workers", type=click.IntRange(1, 1024), metavar="N", help="Simulations at a time.")
@click.option("--resume", is_flag=True, help="Go on with what is in DIR.")
@json_option
def signoff(
    asked: BindRequest,
    folder: Path,
    budget: str | None,
    simulators: tuple[str, ...],
    left_out: tuple[str, ...],
    limit: int,
    limit_all: int,
    workers: int | None,
    resume: bool,
    as_json: bool,
) -> int:
    """Try a core with all that applies to it, and say what is covered, what is not, and why; exit 1 if it differs.

    CORE is a built-in core or a folder with RTL and a core.toml. Exit 3 if a tool failed and nothing differs.
    """
    check_state(folder, resume=resume)
    products = None if budget is None else parse_integer(budget, "budget")
    if products is not None and products < 1:
        raise ParameterError("budget", f"it is {products}, and takes 1 product or more")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(folder, error) from None
    result = sign_off(
        SignoffRequest(asked, folder, simulators, frozenset(left_out), products, limit, limit_all, workers, resume)
    )
    document = write_signoff(folder, result)
    click.echo(dump(document) if as_json else signoff_text(document), nl=as_json)
    return exit_code(result.items)
