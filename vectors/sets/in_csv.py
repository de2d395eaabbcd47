# SPDX-License-Identifier: Apache-2.0
"""A vector set as CSV: a head comment, the column names, one row per case, and an end comment with the digest."""

from collections.abc import Callable, Iterator
from typing import IO, Any

from limbtrace.refmodels.errors import shown
from limbtrace.refmodels.representations import Representation
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.format import Format, csv_cell
from limbtrace.vectors.representations import as_texts, columns
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.sets.cases import Case, Checkpoints
from limbtrace.vectors.sets.layout import LineTemplate
from limbtrace.vectors.sets.read import VectorReader, read_head, text_lines, until_end
from limbtrace.vectors.sets.vector_set import Digest, VectorSet
from limbtrace.vectors.sets.write import digested, end
from limbtrace.vectors.validation import DamagedFileError, csv_row, document_multiplier

FIELDS = ("id", "a", "b", "result", "residue", "flags", "comment")
CHAIN_FIELDS = ("id", "a", "result", "residue", "flags", "comment", "checkpoints")


def _names(multiplier: Multiplier) -> list[str]:
    """The columns of CSV; those of digits are the last."""
    shared = FIELDS if multiplier.model.chain is None else CHAIN_FIELDS
    return [*shared, *(f"{field} {form.name}" for field, form in columns(multiplier))]


def _row(multiplier: Multiplier) -> LineTemplate:
    """The layout of a row; the digit cells are the last, empty if the digits do not hold the number."""
    if multiplier.model.chain is not None:
        return LineTemplate("%s,0x%s,0x%s,0x%s,%s,%s,%s\n", CHAIN_FIELDS, {**_CELLS, "checkpoints": _points})
    row = LineTemplate("%s,0x%s,0x%s,0x%s,0x%s,%s,%s\n", FIELDS, _CELLS)
    if not (forms := columns(multiplier)):
        return row

    def cells(digits: dict[str, dict[str, list[int]]]) -> str:
        of_case = as_texts(digits)
        return "".join("," + " ".join(of_case[field].get(form.name, [])) for field, form in forms)

    return row.and_then("%s\n", "digits", cells)


def _points(checkpoints: Checkpoints) -> str:
    return " ".join(f"{links}:{value:#x}" for links, value in checkpoints)


_CELLS: dict[str, Callable[[Any], str]] = {"flags": " ".join, "comment": csv_cell}


def write(vectors: VectorSet) -> Iterator[bytes]:
    """The chunks of the file."""
    digest, multiplier = Digest(vectors), vectors.request.multiplier
    yield ("# " + dump({**vectors.head, "group": vectors.group}) + "\n").encode()
    yield (",".join(map(csv_cell, _names(multiplier))) + "\n").encode()
    yield from digested(vectors, digest, _row(multiplier))
    yield ("# " + dump(end(vectors, digest)) + "\n").encode()


def read(stream: IO[bytes]) -> VectorReader:
    """A vector set from a file. Raises DamagedFileError."""
    lines = text_lines(stream)
    head = read_head(lines, "# ")
    _, names = next(lines, (0, ""))
    multiplier = document_multiplier(head["group"])
    fields, of_digits = _names(multiplier), columns(multiplier)
    if csv_row(names, "line 2") != fields:
        raise DamagedFileError("line 2", f"the columns are not {','.join(fields)}")

    def entries() -> Iterator[tuple[str, Case]]:
        for number, line in until_end(lines, "# ", lambda: reader):
            place = f"line {number}"
            row = csv_row(line, place)
            if len(row) != len(fields) or not line.endswith("\n"):
                raise DamagedFileError(place, f"it has {len(row)} fields of {len(fields)}: cut short or edited")
            cells = len(fields) - len(of_digits)
            entry: dict[str, Any] = dict(zip(fields[:cells], row[:cells], strict=True))
            entry["flags"] = entry["flags"].split()
            if "checkpoints" in entry:
                entry["checkpoints"] = [_checkpoint(cell, place) for cell in entry["checkpoints"].split()]
            if of_digits:
                entry["digits"] = _read_digits(of_digits, row[cells:])
            yield place, reader.case(entry, place)

    reader = VectorReader(head, head["group"], entries())
    return reader


def _read_digits(of_digits: list[tuple[str, Representation]], row: list[str]) -> dict[str, dict[str, list[str]]]:
    """The member `digits` of a case from its cells."""
    found: dict[str, dict[str, list[str]]] = {field: {} for field, _ in of_digits}
    for (field, form), cell in zip(of_digits, row, strict=True):
        if cell:
            found[field][form.name] = cell.split(" ")
    return found


def _checkpoint(cell: str, place: str) -> list[Any]:
    links, separator, value = cell.partition(":")
    if not separator or not links.isdecimal():
        raise DamagedFileError(place, f"the checkpoint {shown(cell)} is not LINKS:VALUE")
    return [int(links), value]


FORMAT = Format("csv", "text/csv", "csv", write, read, lambda start: start.startswith(b"# "))
