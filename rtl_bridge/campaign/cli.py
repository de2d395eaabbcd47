# SPDX-License-Identifier: Apache-2.0
"""`limbtrace campaign`."""

import os
import sys
import time
from dataclasses import asdict
from pathlib import Path

import click

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.campaign.code import COVERED, write_code
from limbtrace.rtl_bridge.campaign.coordinator import Coordinator
from limbtrace.rtl_bridge.campaign.page import page
from limbtrace.rtl_bridge.campaign.plan import CampaignPlan
from limbtrace.rtl_bridge.campaign.run import run_campaign
from limbtrace.rtl_bridge.campaign.shards import Shard, Shards
from limbtrace.rtl_bridge.campaign.state import check
from limbtrace.vectors.cli import emit, json_option
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.files import check_directory, write_directory, write_file
from limbtrace.vectors.request import merge_settings

MOST_WORKERS = 1024


@click.command()
@click.argument("plan", type=click.Path(path_type=Path))
@click.option(
    "--state", type=click.Path(path_type=Path), metavar="FILE", help="State; default PLAN.campaign in this folder."
)
@click.option("--resume", is_flag=True, help="Go on with what the state says.")
@click.option("--again", is_flag=True, help="With --resume: try the shards again that were set aside.")
@click.option(
    "--workers", type=click.IntRange(1, MOST_WORKERS), metavar="N", help="LocalExecutor; default: one a processor."
)
@click.option("--scheduler", metavar="ADDRESS", help="Run on the workers of this Dask scheduler.")
@click.option("--until", multiple=True, metavar="NAME=VALUE", help="A limit instead of that of the plan; repeatable.")
@click.option("--list", "listed", is_flag=True, help="List the shards as lines of JSON, and run none.")
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write a JUnit report.")
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Write a page that opens offline.")
@click.option(
    "--coverage", type=click.Path(path_type=Path), metavar="FOLDER", help="Write the events of each model, merged."
)
@click.option(
    "--code-coverage",
    "code_folder",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Write which lines, branches, expressions and bits of each core Verilator reached, merged.",
)
@json_option
def campaign(
    plan: Path,
    state: Path | None,
    resume: bool,
    again: bool,
    workers: int | None,
    scheduler: str | None,
    until: tuple[str, ...],
    listed: bool,
    junit: Path | None,
    html: Path | None,
    coverage: Path | None,
    code_folder: Path | None,
    as_json: bool,
) -> int:
    """Run the matrix of simulations that PLAN describes; exit 1 where something differs.

    PLAN is a TOML file. The campaign can be killed at any time; --resume goes on with it.
    """
    asked = CampaignPlan.load(plan, merge_settings(None, until, option="until"))
    _check_files(junit, html, coverage)
    if again and not resume:
        raise ParameterError("again", "shards of a campaign are tried again with --resume")
    if code_folder is not None:
        check_directory(code_folder, COVERED)
    path = state or Path(f"{plan.stem}.campaign")
    if not listed:
        check(path, resume=resume)
    print(f"limbtrace: {asked.file.name}: {len(asked.cells)} combinations to check", file=sys.stderr, flush=True)
    shards = Shards.of(asked, code=code_folder is not None)
    if listed:
        emit((_line(shards, shard) for shard in shards), None)
        return 0
    summary = run_campaign(
        shards, path, resume=resume, again=again, workers=workers, scheduler=scheduler, told=ShownProgress()
    )
    if junit is not None:
        write_file(junit, [summary.junit().encode()])
    if html is not None:
        write_file(html, [page(summary).encode()])
    if coverage is not None:
        files = [(f"coverage-{at}.json", [dump(one).encode()]) for at, one in enumerate(summary.covered, 1)]
        write_directory(coverage, [(COVERED, [f"{asked.file.name}\n".encode()]), *files], COVERED)
    if code_folder is not None:
        write_code(code_folder, asked.file.name, summary.code)
    click.echo(dump(summary.document) if as_json else summary.text(), nl=as_json)
    return summary.exit_code


def _line(shards: Shards, shard: Shard) -> bytes:
    return (dump({**asdict(shard), "title": shards.cells[shard.cell].cell.axes.title}) + "\n").encode()


class ShownProgress:
    """One line on standard error: on a terminal in place, else every ten seconds."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._next = 0.0

    def __call__(self, coordinator: Coordinator) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (0.5 if self._terminal else 10.0)
        line = said(coordinator)
        print(
            f"\r{line:<100}" if self._terminal else line,
            end="" if self._terminal else "\n",
            file=sys.stderr,
            flush=True,
        )


def said(coordinator: Coordinator) -> str:
    """Progress of a campaign, in one line."""
    verified, total, since = coordinator.verified, coordinator.shards.total, max(coordinator.since, 1e-9)
    rate = coordinator.fresh / since
    parts = [f"{coordinator.ended} shard{'' if coordinator.ended == 1 else 's'}", f"{verified} products ({rate:.0f}/s)"]
    if total:
        parts[1] = f"{verified} of {total} products ({100 * verified // total} %, {rate:.0f}/s)"
    left = [] if total is None or rate <= 0 else [max(total - verified, 0) / rate]
    if (limit := coordinator.until.time) is not None:
        left.append(max(limit - coordinator.elapsed, 0))
    parts += [f"{_clock(min(left))} left"] if left else []
    parts += [f"{coordinator.differing} differ"]
    parts += [f"{coordinator.aside} set aside"] if coordinator.aside else []
    happened, places = coordinator.state.hits
    parts += [f"{happened} of {places} events"] if places else []
    return ", ".join(parts)


def _clock(seconds: float) -> str:
    minutes, second = divmod(int(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}"


def _check_files(junit: Path | None, html: Path | None, coverage: Path | None) -> None:
    """Complain before anything runs, not after it. Raises ParameterError."""
    for path in (junit, html):
        if path is not None and (
            (path.exists() and not path.is_file()) or not os.access(path.absolute().parent, os.W_OK)
        ):
            raise ParameterError("output", f"{path} cannot be written")
    if coverage is not None and not os.access(coverage.absolute().parent, os.W_OK):
        raise ParameterError("coverage", f"{coverage} cannot be written")
