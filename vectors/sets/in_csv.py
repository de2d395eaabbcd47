# SPDX-License-Identifier: Apache-2.0
"""A vector set as CSV: a head comment, the column names, one row per case, and an end comment with the digest."""

from collections.abc import Iterator
from itertools import repeat
from typing import IO, Any

from refmodels.errors import shown
from refmodels.representations import Representation
from vectors.format import Format, csv_cell
from vectors.reading import DamagedFileError, csv_row, document_multiplier
from vectors.representations import columns, digits
from vectors.request import Multiplier
from vectors.sets.cases import Batch, Case, Checkpoints, Digest, VectorSet
from vectors.sets.read import VectorReader, read_head, text_lines, until_end
from vectors.sets.write import end, joined, numbers
from vectors.wire import dump

FIELDS = ("id", "a", "b", "result", "residue", "flags", "comment")
CHAIN_FIELDS = ("id", "a", "result", "residue", "flags", "comment", "checkpoints")


def _names(multiplier: Multiplier) -> list[str]:
    """The columns of CSV; those of digits are the last."""
    shared = FIELDS if multiplier.model.chain is None else CHAIN_FIELDS
    return [*shared, *(f"{field} {form.name}" for field, form in columns(multiplier))]


def write(vectors: VectorSet) -> Iterator[bytes]:
    """The chunks of the file."""
    digest = Digest(vectors)
    names = _names(vectors.request.multiplier)
    yield ("# " + dump({**vectors.head, "group": vectors.group}) + "\n").encode()
    yield (",".join(map(csv_cell, names)) + "\n").encode()
    for batch in vectors.batches():
        texts = vectors.maker.texts(batch)
        digest.add_lines(joined(texts))
        comments = {comment: csv_cell(comment) for comment in set(texts.comment)}
        shared = zip(*texts[:7], strict=True)
        endings = _digit_cells(vectors.request.multiplier, batch)
        if texts.checkpoints is None:
            rows = [
                f"{id},0x{a},0x{b},0x{result},0x{residue},{' '.join(flags)},{comments[comment]}{last}\n"
                for (id, a, b, result, residue, flags, comment), last in zip(shared, endings, strict=True)
            ]
        else:
            rows = [
                f"{id},0x{a},0x{result},0x{residue},{' '.join(flags)},{comments[comment]},{_points(points)}\n"
                for (id, a, _, result, residue, flags, comment), points in zip(shared, texts.checkpoints, strict=True)
            ]
        yield "".join(rows).encode()
    yield ("# " + dump(end(vectors, digest)) + "\n").encode()


def _digit_cells(multiplier: Multiplier, batch: Batch) -> Iterator[str]:
    """The digit cells of every case, each after a comma; empty if the digits do not hold the number."""
    shown = columns(multiplier)
    if not shown:
        yield from repeat("", len(batch.a))
        return
    for case in numbers(batch):
        of_case = digits(multiplier, *case)
        yield "".join("," + " ".join(of_case[field].get(form.name, [])) for field, form in shown)


def _points(checkpoints: Checkpoints) -> str:
    return " ".join(f"{links}:{value:#x}" for links, value in checkpoints)


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
