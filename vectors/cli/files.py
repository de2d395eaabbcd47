# SPDX-License-Identifier: Apache-2.0
"""`limbtrace verify` and `certify`: verdicts and certificates of files."""

from collections.abc import Iterator
from pathlib import Path

import click

from refmodels.errors import ParameterError
from vectors import certificate
from vectors.cli.options import MISMATCH, emit
from vectors.verify import verify_file
from vectors.wire import dump


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def verify(file: Path) -> int:
    """Compare results or any limbtrace document with golden data; exit 1 at a divergence.

    The certificate beside a set of cases (FILE.certificate.json) is shown; exit 1 also if it disagrees with the set.
    """
    verdict = verify_file(file)
    click.echo(dump(verdict))
    contested = verdict.get("certificate", {}).get("status") == "disagrees"
    if contested:
        click.echo(f"limbtrace: {verdict['certificate']['detail']}", err=True)
    return MISMATCH if verdict["mismatches"] or contested else 0


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, allow_dash=True),
    help="Certificate instead of FILE.certificate.json beside the file or folder; - for standard output.",
)
def certify(file: Path, output: Path | None) -> int:
    """Let SageMath recompute every case of a vector set or in GF(p^2), and certify the result; exit 1 if it disagrees.

    This needs the extra `sage`. SageMath shares no arithmetic with the models.
    """
    target = output or certificate.default_path(file)
    if file.exists() and target.exists() and target.samefile(file):
        raise ParameterError("output", f"{target} is the file to be certified")
    made = []

    def chunks() -> Iterator[bytes]:
        made.append(certificate.certify(file))
        yield certificate.render(made[0])

    emit(chunks(), None if output == Path("-") else target)
    click.echo(f"limbtrace: {certificate.describe(made[0])}", err=True)
    return MISMATCH if made[0].disagreements else 0
