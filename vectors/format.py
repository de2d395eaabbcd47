# SPDX-License-Identifier: Apache-2.0
"""A format as one record, and the two formats that most documents have: JSON with a list at its end, and CSV."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import IO, Any, Generic, TypeVar

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.validation import DamagedFileError, csv_row, load_json

R = TypeVar("R", contravariant=True)
"""The object that is written: a request, or a document."""

_CHUNK = 256
"""Number of lines that are written together."""


@dataclass(frozen=True)
class Format(Generic[R]):
    """A format of a document, with everything that the command line, the service and `verify` need."""

    name: str
    media_type: str
    extension: str
    write: Callable[[R], Iterator[bytes]]
    read: Callable[[IO[bytes]], Any] | None = None
    """Reads a file that `recognises` accepted, as input for the document's verdict. Raises DamagedFileError."""
    recognises: Callable[[bytes], bool] = lambda start: False
    """True if a file has this format, from its first 512 bytes, or its first line if that is longer."""
    check: Callable[[Any], None] = lambda asked: None
    """Raises ParameterError for an object that cannot be written in this format."""
    files: Callable[[R], Iterator[tuple[str, Iterator[bytes]]]] | None = None
    """Name and content of every file, for a format that is a folder unless it is written as an archive."""
    mark: str = ""
    """The file that identifies such a folder."""


Formats = Mapping[str, Format[R]]


def table(*formats: Format[R]) -> dict[str, Format[R]]:
    """Formats by name; the first one is the default."""
    return {form.name: form for form in formats}


def known(name: str, formats: Mapping[str, Any]) -> str:
    """The name, if there is such a format; otherwise raises ParameterError("format")."""
    if name not in formats:
        raise ParameterError("format", f"{name[:40]!r} is none of {', '.join(formats)}")
    return name


RawRows = Iterable[tuple[bytes, int]]
"""Text of some rows, each with what ends it, and their number."""


JSON_END, CSV_END = ",\n", "\n"
"""End of a row of a list in JSON, which the last row does not have, and of a row of CSV."""


def _rows(lines: Iterable[str], end: str) -> RawRows:
    iterator = iter(lines)
    while chunk := list(islice(iterator, _CHUNK)):
        yield (end.join(chunk) + end).encode(), len(chunk)


def write_json(head: Mapping[str, Any], name: str, entries: Iterable[str]) -> Iterator[bytes]:
    """A JSON document whose last member is a list, with one entry per line."""
    return json_around(head, name, _rows(entries, JSON_END))


def json_around(head: Mapping[str, Any], name: str, entries: RawRows) -> Iterator[bytes]:
    """As `write_json`, of entries that are written already."""
    yield (dump(head)[:-1] + f',"{name}":[\n').encode()
    separator = b""
    for text, _ in entries:
        yield separator + text.removesuffix(JSON_END.encode())
        separator = JSON_END.encode()
    yield b"\n]}\n"


def write_csv(head: Mapping[str, Any], names: Iterable[str], rows: Iterable[str]) -> Iterator[bytes]:
    """The head as a comment, the names of the columns, rows, and their number as a comment."""
    return csv_around(head, names, _rows(rows, CSV_END))


def csv_around(head: Mapping[str, Any], names: Iterable[str], rows: RawRows) -> Iterator[bytes]:
    """As `write_csv`, of rows that are written already."""
    yield f"# {dump(head)}\n{','.join(names)}\n".encode()
    count = 0
    for text, number in rows:
        yield text
        count += number
    yield f'# {{"end":{count}}}\n'.encode()


@dataclass(frozen=True)
class CsvTable:
    """The contents of a CSV file of `write_csv`; the first row is in line 3."""

    head: dict[str, Any]
    names: str
    rows: list[list[str]]


def is_csv(start: bytes) -> bool:
    """True if a file is a CSV file of `write_csv`; vector sets are not."""
    return start.startswith(b"# {") and b'"group":' not in start.partition(b"\n")[0]


def csv_with(member: bytes) -> Callable[[bytes], bool]:
    """True if a file is a CSV file of `write_csv` with this member in its head."""
    pattern = re.compile(rb'"' + member + rb'"\s*:')
    return lambda start: is_csv(start) and pattern.search(start.partition(b"\n")[0]) is not None


def read_csv(stream: IO[bytes]) -> CsvTable:
    """Raises DamagedFileError."""
    first = stream.readline()
    content = first + stream.read()
    try:
        lines = content.decode().removesuffix("\n").split("\n")
    except UnicodeDecodeError:
        raise DamagedFileError("the file", "this is no text") from None
    document = load_json(io.BytesIO(first.removeprefix(b"# ")))
    if len(lines) < 3 or not content.endswith(b"\n") or not lines[-1].startswith('# {"end"'):
        raise DamagedFileError(f"after line {len(lines)}", "the end of the table is missing: the file was cut short")
    rows = [csv_row(line, f"line {number}") for number, line in enumerate(lines[2:-1], 3)]
    end = load_json(io.BytesIO(lines[-1].removeprefix("# ").encode()))
    if end != {"end": len(rows)}:
        raise DamagedFileError(f"line {len(lines)}", f"it says {shown(end)}, and {len(rows)} rows are here")
    return CsvTable(document, lines[1], rows)


def json_with(opening: bytes) -> Callable[[bytes], bool]:
    """True if a file is JSON that begins so, however it is laid out; `opening` has no blanks."""
    return lambda start: b"".join(start[:512].split()).startswith(opening)


def beginning(stream: IO[bytes]) -> bytes:
    """The first bytes of a file, as `Format.recognises` takes them; it is left at its first byte."""
    start = stream.readline()
    start += stream.read(max(512 - len(start), 0))
    stream.seek(0)
    return start


def csv_cell(text: str) -> str:
    """A text as a cell of CSV, in quotes if it needs them."""
    cell = io.StringIO()
    csv.writer(cell, lineterminator="").writerow(["", text])
    return cell.getvalue()[1:]
