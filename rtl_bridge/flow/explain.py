# SPDX-License-Identifier: Apache-2.0
"""`limbtrace explain`: the first difference of a simulation in words."""

import json
import sys
from pathlib import Path

import click

from refmodels.errors import ParameterError
from vectors.cli import json_option
from vectors.reading import DamagedFileError
from vectors.report import MAX_BYTES, ReportDocument, read
from vectors.report.explain import Explanation
from vectors.wire import FORMAT, dump


@click.command()
@click.argument("report", type=click.Path(path_type=Path, allow_dash=True))
@json_option
def explain(report: Path, as_json: bool) -> None:
    """Say what the first difference of a simulation means: the step, its line in the algorithm, and likely defects.

    REPORT is what `limbtrace sim --json` wrote; - reads standard input.
    """
    document = _read(report)
    if document.first_divergence is None:
        text = f"{document.verified} products agree, so there is nothing to explain\n"
        click.echo(dump({"format": FORMAT, "difference": None}) if as_json else text, nl=as_json)
        return
    explained = Explanation.of(document)
    headline = explained.headline
    text = explained.text().replace(f"\n{headline}\n", f"\n{click.style(headline, bold=True)}\n", 1)
    click.echo(dump(explained.document) if as_json else text, nl=as_json)


def _read(path: Path) -> ReportDocument:
    """A report. Raises ParameterError("report")."""
    try:
        stream = sys.stdin.buffer if path == Path("-") else path.open("rb")
        with stream:
            text = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise ParameterError("report", f"{path} cannot be read: {error.strerror}") from None
    if len(text) > MAX_BYTES:
        raise ParameterError("report", f"{path} is longer than {MAX_BYTES} bytes")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise ParameterError("report", f"{path} is not JSON; `limbtrace sim --json` writes a report") from None
    if not isinstance(document, dict) or not {"format", "core", "model", "first_divergence"} <= set(document):
        raise ParameterError("report", f"{path} is no report of `limbtrace sim --json`")
    try:
        return read(document)
    except DamagedFileError as error:
        raise ParameterError("report", error.reason) from None
    except ParameterError as error:
        raise ParameterError("report", str(error)) from None
