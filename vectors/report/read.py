# SPDX-License-Identifier: Apache-2.0
"""Reports from elsewhere, checked member by member; what a report says is never run."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any, Final

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.document import Shape
from limbtrace.vectors.encoding import digest, dump
from limbtrace.vectors.report.document import (
    Failures,
    FirstDifference,
    ObservedDifference,
    ReportDocument,
    SeenRows,
    ShownWaves,
    ShrunkProducts,
    SimulatedModulus,
    WaveNames,
)
from limbtrace.vectors.validation import DamagedFileError, shaped

MAX_BYTES: Final = 1 << 24
"""Longest report that the command line reads, in bytes."""

_PARTS: dict[str, type[Shape]] = {
    "prime": SimulatedModulus,
    "first_divergence": FirstDifference,
    "rows": SeenRows,
    "wave_names": WaveNames,
    "shrunk": ShrunkProducts,
    "observed": ObservedDifference,
    "failures": Failures,
    "waves": ShownWaves,
}


def read(document: dict[str, Any]) -> ReportDocument:
    """A report from its JSON. Members that this release does not know are dropped.

    Raises ParameterError or DamagedFileError with the place of what is missing or of another kind.
    """
    for name, shape in _PARTS.items():  # so that the place of a fault inside of them is named
        if isinstance(document.get(name), dict):
            shaped(shape, document[name], name)
    report = shaped(ReportDocument, document)
    found = report.first_divergence
    if report.mismatches != (found is not None):
        raise ParameterError("mismatches", "it is 1 with a first_divergence and 0 without one")
    if found is not None:
        _check_command(found.replay, "first_divergence, replay")
    if report.shrunk is not None:
        _check_command(report.shrunk.replay, "shrunk, replay")
    for number, group in enumerate(report.differences):
        _check_command(group.difference.replay, f"differences[{number}], difference, replay")
    if report.rows is not None:
        _check_rows(report.rows)
    if report.wave_names is not None and report.rows is not None:
        named, wanted = len(report.wave_names.signals), len(report.rows.columns)
        if named != wanted:
            raise ParameterError("wave_names", f"it names {named} signals, and the rows have {wanted} columns")
    if report.waves is not None:
        _check_waves(report.waves)
    return report


def read_file(path: Path) -> ReportDocument:
    """The report in a file, that on standard input for -. Raises ParameterError("report")."""
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


def canonical(report: ReportDocument) -> str:
    """A report as compact JSON in one line, its members in the order in which `limbtrace sim --json` writes them."""
    return dump(report.model_dump(exclude_unset=True))


def report_id(text: str) -> str:
    """The id of a report: 32 digits that follow from its `canonical` text."""
    return digest(text)[:32]


def _check_command(text: str, place: str) -> None:
    """Raises ParameterError for what is not one `limbtrace sim` with its arguments: people copy it into a shell.

    It is empty if no command reproduces the difference.
    """
    if not text:
        return
    try:
        words = shlex.split(text)
    except ValueError:
        words = []
    if words[:2] != ["limbtrace", "sim"] or shlex.join(words) != text:
        raise ParameterError(place, "it is not `limbtrace sim` with arguments, quoted as limbtrace writes them")


def _check_rows(rows: SeenRows) -> None:
    width = len(rows.columns)
    for number, row in enumerate(rows.rows):
        if len(row.seen) != width or len(row.golden) not in (0, width):
            raise ParameterError(f"rows[{number}]", f"it has another number of cells than the {width} columns")


def _check_waves(waves: ShownWaves) -> None:
    lengths = {len(wave.cells) for wave in waves.signals}
    if len(lengths) != 1 or 0 in lengths:
        raise ParameterError("waves", "its signals have values in the same cycles, at least one")
