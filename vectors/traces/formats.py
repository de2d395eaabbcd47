# SPDX-License-Identifier: Apache-2.0
"""The formats of a trace."""

import re
from collections.abc import Iterator
from typing import IO, Any

from limbtrace.refmodels.model import step_label
from limbtrace.vectors.format import Format, is_csv, read_csv, table, write_csv, write_json
from limbtrace.vectors.traces.request import TraceRequest
from limbtrace.vectors.validation import DamagedFileError, load_json

_FIELDS = ("name", "index", "value")
_LINES = 4096
"""Lines of text that are written together."""


def _json(request: TraceRequest) -> Iterator[bytes]:
    steps = (f'["{name}",[{",".join(map(str, index))}],"{value:#x}"]' for name, index, value in request.steps())
    return write_json(request.head, "steps", steps)


def _csv(request: TraceRequest) -> Iterator[bytes]:
    rows = (f"{name},{' '.join(map(str, index))},{value:#x}" for name, index, value in request.steps())
    return write_csv(request.head, _FIELDS, rows)


def _read_csv(stream: IO[bytes]) -> dict[str, Any]:
    """The JSON document. Raises DamagedFileError."""
    found = read_csv(stream)
    if found.names != ",".join(_FIELDS):
        raise DamagedFileError("line 2", f"the columns are not {','.join(_FIELDS)}")
    steps = []
    for number, row in enumerate(found.rows, 3):
        if len(row) != len(_FIELDS) or not re.fullmatch(r"(-?[0-9]{1,9}( -?[0-9]{1,9})*)?", row[1]):
            raise DamagedFileError(f"line {number}", "a row has a name, subscripts and a value")
        steps.append([row[0], [int(k) for k in row[1].split()], row[2]])
    return {**found.head, "steps": steps}


def _text(request: TraceRequest) -> Iterator[bytes]:
    """Text for readers: the head as comments, one step per line, passes separated by empty lines."""
    head = request.head
    operands = [f"# {name} = {head[name]}\n" for name in ("a", "b") if name in head]
    operands += [
        f"# {name} = [{', '.join(head[name])}]\n" for name in ("a_digits", "b_digits", "squared") if name in head
    ]
    operands += [f"# step = {head['step']}\n"] if "step" in head else []
    yield f"# {request.multiplier.title}\n{''.join(operands)}".encode()
    first: tuple[str, int] | None = None
    lines: list[str] = []
    passes = request.in_passes
    for name, index, value in request.steps():
        opens = name == first[0] and index[0] != first[1] if first is not None else bool(index)
        if opens and passes:  # the name that opens the first pass opens all; what has no subscript stands before it
            first = (name, index[0])
            lines.append(f"\n# pass {index[0]}\n")
        lines.append(f"{step_label(name, index):<12} {value:#x}\n")
        if len(lines) > _LINES:
            yield "".join(lines).encode()
            lines.clear()
    yield ("".join(lines) + f"\n# result  {head['result']}\n# residue {head['residue']}\n").encode()


FORMATS = table(
    Format("json", "application/json", "json", _json, load_json),
    Format("csv", "text/csv", "csv", _csv, _read_csv, is_csv),
    Format("text", "text/plain", "txt", _text),
)


def render(request: TraceRequest, format: str) -> Iterator[bytes]:
    """The bytes of a trace in one of FORMATS."""
    return FORMATS[format].write(request)
