# SPDX-License-Identifier: Apache-2.0
"""Values as the rows of a report show them, and where two of them differ."""

from limbtrace.vectors.document import members
from limbtrace.vectors.report.document import RESULT, ReportDocument, SeenRow, SeenRows

MOST_COLUMNS = 60
"""Columns of rows that are shown, besides those that differ."""


def hexadecimal(bits: str) -> str:
    """0x and a digit for every four bits, x or z where one of them is unknown; shortened where all are known."""
    if not bits:
        return "0xx"
    if not bits.strip("01"):
        return f"{int(bits, 2):#x}"
    padded = bits.rjust(-(-len(bits) // 4) * 4, "0")
    digits = [padded[at : at + 4] for at in range(0, len(padded), 4)]
    return "0x" + "".join(
        f"{int(digit, 2):x}" if not digit.strip("01") else ("z" if not digit.strip("zZ") else "x") for digit in digits
    )


def differs(golden: str | None, seen: str) -> bool:
    """True if a cell is not what it should be; None for golden: any value will do."""
    return golden is not None and _value(golden) != _value(seen)


def _value(text: str) -> str:
    return text.lower().removeprefix("0x").lstrip("0")


def compared_rows(report: ReportDocument) -> SeenRows | None:
    """The rows of a report; of a core without watched signals one with its result, if that differs."""
    found = report.first_divergence
    if report.rows is not None or found is None:
        return report.rows
    if found.signal != RESULT or found.cycle is None or found.seen is None or not _is_shown(found.seen):
        return None
    if found.expected is None or not _is_shown(found.expected):
        return None
    behind = report.wave_names.behind if report.wave_names else 0
    row: SeenRow = members(SeenRow, cycle=found.cycle - behind, seen=[found.seen], golden=[found.expected])
    return SeenRows.model_validate(members(SeenRows, columns=[RESULT], rows=[row]))


def _is_shown(text: str) -> bool:
    """True for a number as a signal shows it, without a sign."""
    return text[:2] == "0x" and not text[2:].lower().strip("0123456789abcdefxz")


def shown_columns(rows: SeenRows) -> list[int]:
    """Numbers of the columns that are shown: the first ones, and those that differ in some row."""
    differing = {k for row in rows.rows for k in range(len(row.golden)) if differs(row.golden[k], row.seen[k])}
    return [k for k in range(len(rows.columns)) if k < MOST_COLUMNS or k in differing]


def cause_phrase(kind: str, *, doubtful: bool) -> str:
    """Words in front of the events of an EventSet of that kind."""
    front = "possible cause, perhaps by chance" if doubtful else "likely cause"
    reasons = {
        "each": "have it and no other",
        "any": "have it at some place and no other at any that was looked at",
        "all": "have them together and no other has",
    }
    return f"{front}, since all failing products {reasons[kind]}"
