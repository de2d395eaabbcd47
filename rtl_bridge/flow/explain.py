# SPDX-License-Identifier: Apache-2.0
"""`limbtrace explain`: the first difference of a simulation in words."""

from pathlib import Path

import click

from limbtrace.vectors.cli import json_option
from limbtrace.vectors.encoding import FORMAT, dump
from limbtrace.vectors.report import read_file
from limbtrace.vectors.report.explain import Explanation


@click.command()
@click.argument("report", type=click.Path(path_type=Path, allow_dash=True))
@json_option
def explain(report: Path, as_json: bool) -> None:
    """Say what the first difference of a simulation means: the step, its line in the algorithm, and likely defects.

    REPORT is what `limbtrace sim --json` wrote; - reads standard input.
    """
    document = read_file(report)
    if document.first_divergence is None:
        text = f"{document.verified} products agree, so there is nothing to explain\n"
        click.echo(dump({"format": FORMAT, "difference": None}) if as_json else text, nl=as_json)
        return
    explained = Explanation.of(document)
    headline = explained.headline
    text = explained.text().replace(f"\n{headline}\n", f"\n{click.style(headline, bold=True)}\n", 1)
    click.echo(dump(explained.document) if as_json else text, nl=as_json)
