# SPDX-License-Identifier: Apache-2.0
"""`limbtrace digest`, and `limbtrace verify --digest`: one hash over the results of any number of cases."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.cli.options import MISMATCH, asks, emit, output_option
from limbtrace.vectors.digests import DigestQuery, render
from limbtrace.vectors.digests.read import DigestFile, read_file
from limbtrace.vectors.digests.records import check_results
from limbtrace.vectors.digests.request import Advance
from limbtrace.vectors.digests.verify import LocalGolden, Oracle, There, verify
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.progress import Progress
from limbtrace.vectors.request import within
from limbtrace.vectors.sets.jobs import MAX_JOBS

jobs_option = click.option(
    "--jobs", metavar="N", default="1", help="Processes that make the cases, with the same hash."
)


@click.command()
@asks(DigestQuery)
@click.option("--leaves", is_flag=True, help="Also all leaves: --level 0.")
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    help="Results that were measured instead of the golden ones: one after the other, each as in format raw.",
)
@jobs_option
@output_option
def digest(asked: DigestQuery, leaves: bool, results: Path | None, jobs: str, output: Path | None) -> None:
    """One hash over operands and results of up to 2^48 cases, as a tree in which `verify --digest` finds a difference.

    Kind chained has none, since each of its cases needs those before it.
    """
    if leaves and asked.level is not None:
        raise ParameterError("level", "--leaves is --level 0: give one of them")
    if leaves:
        asked.level = 0
    request, processes = asked.resolve(asked.multiplier, results), _processes(jobs)
    with Progress("cases", request.cases.count) as progress:
        emit(render(request, processes, progress.advance), output)


def _processes(jobs: str) -> int:
    return within("jobs", jobs, 1, MAX_JOBS)


def verify_digest(path: Path, results: Path | None, service: str | None, jobs: str | None) -> int:
    """`limbtrace verify --digest`; returns the exit code."""
    processes, found = _processes(jobs or "1"), read_file(path)
    if results is not None:
        check_results(results, found.request.hashed.vectors)
    passes = (results is not None) + (service is None)
    with (
        Progress("cases", passes * found.request.cases.count) as progress,
        _golden(found, service, processes, progress.advance) as golden,
    ):
        verdict = verify(found, golden, results, processes, progress.advance)
    click.echo(dump(verdict))
    click.echo(f"limbtrace: {_sentence(verdict, found.request.hashed.leaf, results)}", err=True)
    return MISMATCH if verdict["mismatches"] else 0


@contextmanager
def _golden(found: DigestFile, service: str | None, jobs: int, advance: Advance) -> Iterator[Oracle]:
    """The source of golden results."""
    if service is None:
        yield LocalGolden(found.request.hashed, jobs, advance)
        return
    from limbtrace.vectors.client import Client

    with Client(service) as client:
        yield There(found.request.hashed.tree, lambda first, last: client.digest_of(found.request.hashed, first, last))


def _sentence(verdict: dict[str, Any], leaf: int, results: Path | None) -> str:
    """The verdict in words."""
    number = verdict["questions"]
    questions = f"{number} question" + ("" if number == 1 else "s")
    if not verdict["mismatches"]:
        return f"{verdict['verified']} cases agree, one hash ({questions})"
    first, last = verdict["differs"]["first"], verdict["differs"]["last"]
    if first < last:
        nodes = ", or a digest with leaves (digest --leaves)" if last - first >= leaf else ""
        wanted = f"to find where, give the results that the digest was made of (--results){nodes}"
        return f"cases {first} to {last} differ ({questions}); {wanted}"
    case = verdict["first_divergence"]
    operands = ", ".join(f"{name} = {case[name]}" for name in ("a", "b") if name in case)
    seen = "" if results is None else f", seen {case['seen']}"
    return f"case {first} differs ({questions}): {operands}, expected {case['expected']}{seen}"
