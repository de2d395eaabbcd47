# SPDX-License-Identifier: Apache-2.0
"""`limbtrace session`: sessions with a service, step by step; each step can be repeated after an interruption."""

from pathlib import Path
from typing import Any

import click

from limbtrace.vectors.cli.options import MISMATCH, emit, output_option
from limbtrace.vectors.client import Client
from limbtrace.vectors.document import Shape
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.validation import load_json, open_file

_service = click.option(
    "--service", metavar="URL", default="http://127.0.0.1:8000", show_default=True, help="The service."
)


@click.group()
def session() -> None:
    """Try what a core can do: cases without results from a service, and verdicts on the results.

    The id of a session is a secret: anyone who knows it can see the session and send results.
    """


@session.command()
@click.argument("file", type=click.Path(path_type=Path))
@_service
def begin(file: Path, service: str) -> None:
    """Begin a session with the abilities in FILE, and print it: its id, and the ids of its sets."""
    with Client(service) as client:
        _show(client.begin_session(_document(file)))


@session.command()
@click.argument("id")
@_service
def show(id: str, service: str) -> int:
    """Print the state of a session, at the end its summary; exit 1 if a case failed."""
    with Client(service) as client:
        state = client.session(id)
    _show(state)
    return MISMATCH if state.verdict == "fail" else 0


@session.command()
@click.argument("id")
@click.argument("set_id", metavar="SET")
@click.option(
    "--expected", type=click.Choice(["none", "failed", "all"]), default="none", show_default=True,
    help="Expected results: of no case, of the failed ones, which alone are printed, or of all.",
)  # fmt: skip
@output_option
@_service
def cases(id: str, set_id: str, expected: Any, output: Path | None, service: str) -> None:
    """Print the cases of a set of a session."""
    with Client(service) as client:
        found = client.session_cases(id, set_id, expected)
    emit([_line(found)], output)


@session.command()
@click.argument("id")
@click.argument("file", type=click.Path(path_type=Path))
@_service
def send(id: str, file: Path, service: str) -> int:
    """Send the results in FILE, all of a set or some, and print the verdicts; exit 1 if a case failed."""
    with Client(service) as client:
        verdicts = client.send_results(id, _document(file))
    _show(verdicts)
    return MISMATCH if verdicts.failed else 0


def _document(file: Path) -> dict[str, Any]:
    with open_file(file) as stream:
        return load_json(stream)


def _line(document: Shape) -> bytes:
    return dump(document.model_dump(exclude_unset=True)).encode() + b"\n"


def _show(document: Shape) -> None:
    emit([_line(document)], None)
