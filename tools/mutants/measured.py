# SPDX-License-Identifier: Apache-2.0
"""Measurements, one file of `measured/` for each bank, from which docs/reference/mutants.md is made."""

import csv
import io
from collections.abc import Mapping
from pathlib import Path

from tools.mutants.measure import Kill

FOLDER = Path(__file__).parent / "measured"
_HEAD = ("mutant", "kind", "results", "rows")
_LICENCE = "# SPDX-License-Identifier: Apache-2.0\n"

Measured = Mapping[tuple[str, str], Kill]
"""(mutant, kind): first case that killed it."""


def read(bank: str) -> dict[tuple[str, str], Kill]:
    """The measurements of a bank; empty if it was never measured."""
    path = FOLDER / f"{bank}.csv"
    if not path.exists():
        return {}
    rows = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8").removeprefix(_LICENCE)))
    return {(row["mutant"], row["kind"]): Kill(_case(row["results"]), _case(row["rows"])) for row in rows}


def write(bank: str, measured: Measured) -> None:
    """Replace what is there of a bank."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_HEAD)
    for (mutant, kind), kill in measured.items():
        writer.writerow([mutant, kind, *("" if case is None else case for case in (kill.results, kill.rows))])
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{bank}.csv").write_text(_LICENCE + text.getvalue(), encoding="utf-8")


def _case(text: str) -> int | None:
    return int(text) if text else None
