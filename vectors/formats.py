# SPDX-License-Identifier: Apache-2.0
"""Vector sets as JSON, NDJSON, CSV and `$readmemh` files, streamed: no set is ever held in memory."""

import csv
import hashlib
import io
import re
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from itertools import repeat
from typing import IO, Any, NamedTuple

import gmpy2
import numpy as np

from refmodels.errors import ParameterError
from refmodels.representations import Representation, side_by_side
from vectors.representations import columns, digit_vectors, digits, members
from vectors.request import Multiplier
from vectors.sets import Batch, Checkpoints, Digest, TextBatch, VectorSet
from vectors.wire import dump

MEMORY_FILES = ("a", "b", "result")
MANIFEST = "manifest.json"
CSV_FIELDS = ("id", "a", "b", "result", "residue", "flags", "comment")
CHAIN_CSV_FIELDS = ("id", "a", "result", "residue", "flags", "comment", "checkpoints")

SPOOL = 1 << 30
"""Bytes of `$readmemh` text that may wait in a temporary file while an earlier file is written."""
SPOOL_MEMORY = 1 << 17
"""The same in memory."""


def csv_fields(multiplier: Multiplier) -> list[str]:
    """The columns of CSV; those of digits are the last."""
    numbers = CSV_FIELDS if multiplier.model.chain is None else CHAIN_CSV_FIELDS
    return [*numbers, *(f"{field} {form.name}" for field, form in columns(multiplier))]


def numbers(batch: Batch) -> Iterable[tuple[int, int, int]]:
    """a, b and result of every case, written as digits where they have digits of their own."""
    if batch.written is not None:
        return batch.written
    return zip(*(map(int, column) for column in batch[:3]), strict=True)


class MemoryFile(NamedTuple):
    """A file for `$readmemh`: a number of every case, or its digits side by side, the lowest in the low bits."""

    field: str
    bits: int
    form: Representation | None = None

    @property
    def name(self) -> str:
        """Named after the field, and the representation in letters, digits and underscores."""
        suffix = "" if self.form is None else "_" + re.sub(r"[^0-9A-Za-z]+", "_", self.form.name)
        return f"{self.field}{suffix}.hex"

    @property
    def places(self) -> int:
        """Hexadecimal digits of every word: those that the largest value needs."""
        return -(-self.bits // 4)

    def entry(self, words: int) -> dict[str, Any]:
        """What the manifest says of it, but for its hash."""
        entry = {"name": self.name, "field": self.field, "bits": self.bits, "words": words}
        if self.form is None:
            return entry
        return {**entry, "representation": self.form.name, "digits": list(self.form.widths)}

    def word(self, vectors: dict[str, dict[str, list[int]]]) -> int:
        """The digits of a case, of all those that it has, as one word."""
        assert self.form is not None
        return side_by_side(vectors[self.field][self.form.name], self.form.widths)


def memory_list(vectors: VectorSet) -> list[MemoryFile]:
    """The `$readmemh` files of a set: of the numbers, then of digits that hold every value of theirs."""
    multiplier, ranges = vectors.request.multiplier, vectors.group["ranges"]
    files = [MemoryFile(field, max(int(ranges[field]["bits"]), 1)) for field in MEMORY_FILES if field in ranges]
    for field, form in columns(multiplier):
        if form.holds(int(ranges[field]["max"], 16)):
            files.append(MemoryFile(field, sum(form.widths), form))
    return files


def check_format(vectors: VectorSet, format: str) -> None:
    """Raises ParameterError for a set that a format does not hold."""
    if format == "readmemh" and vectors.request.checkpoints:
        raise ParameterError("checkpoints", "readmemh files hold no checkpoints; json, ndjson and csv do")


def render(vectors: VectorSet, format: str) -> Iterator[bytes]:
    """The bytes of a set in one of FORMATS; chunks of a few hundred cases. Raises ParameterError as `check_format`."""
    check_format(vectors, format)
    return FORMATS[format][1](vectors)


def _json(vectors: VectorSet) -> Iterator[bytes]:
    """One document; one case a line, so that text tools can work with it."""
    digest = Digest(vectors)
    group = dump(vectors.group)
    yield (dump(vectors.head)[:-1] + f',"testGroups":[{group[:-1]},"tests":[\n').encode()
    separator = b""
    for lines in _lines(vectors, digest):
        yield separator + lines[:-1].replace(b"\n", b",\n")
        separator = b",\n"
    yield (f'\n]}}],"digest":"{digest.text()}"}}\n').encode()


def _ndjson(vectors: VectorSet) -> Iterator[bytes]:
    """A head line, a line a case, and an end line with the digest."""
    digest = Digest(vectors)
    yield (dump({**vectors.head, "group": vectors.group}) + "\n").encode()
    yield from _lines(vectors, digest)
    yield (dump(_end(vectors, digest)) + "\n").encode()


def _csv(vectors: VectorSet) -> Iterator[bytes]:
    """A head comment, the column names, a row a case, and an end comment with the digest."""
    digest = Digest(vectors)
    names = csv_fields(vectors.request.multiplier)
    yield ("# " + dump({**vectors.head, "group": vectors.group}) + "\n").encode()
    yield (",".join(map(_csv_cell, names)) + "\n").encode()
    for batch in vectors.batches():
        texts = vectors.maker.texts(batch)
        digest.add_lines(_joined(texts))
        comments = {comment: _csv_cell(comment) for comment in set(texts.comment)}
        shared = zip(*texts[:7], strict=True)
        endings = _csv_digits(vectors.request.multiplier, batch)
        if texts.checkpoints is None:
            rows = [
                f"{id},0x{a},0x{b},0x{result},0x{residue},{' '.join(flags)},{comments[comment]}{last}\n"
                for (id, a, b, result, residue, flags, comment), last in zip(shared, endings, strict=True)
            ]
        else:
            rows = [
                f"{id},0x{a},0x{result},0x{residue},{' '.join(flags)},{comments[comment]},{_csv_points(points)}\n"
                for (id, a, _, result, residue, flags, comment), points in zip(shared, texts.checkpoints, strict=True)
            ]
        yield "".join(rows).encode()
    yield ("# " + dump(_end(vectors, digest)) + "\n").encode()


def _csv_digits(multiplier: Multiplier, batch: Batch) -> Iterator[str]:
    """The cells of digits of every case, each behind a comma; empty where the digits do not hold the number."""
    shown = columns(multiplier)
    if not shown:
        yield from repeat("", len(batch.a))
        return
    for case in numbers(batch):
        of_case = digits(multiplier, *case)
        yield "".join("," + " ".join(of_case[field].get(form.name, [])) for field, form in shown)


def _csv_points(checkpoints: Checkpoints) -> str:
    return " ".join(f"{links}:{value:#x}" for links, value in checkpoints)


def _csv_cell(text: str) -> str:
    cell = io.StringIO()
    csv.writer(cell, lineterminator="").writerow(["", text])
    return cell.getvalue()[1:]


def _end(vectors: VectorSet, digest: Digest) -> dict[str, Any]:
    return {"end": vectors.request.count, "digest": digest.text()}


def _lines(vectors: VectorSet, digest: Digest) -> Iterator[bytes]:
    """The lines of the cases, which are what the digest sees."""
    for batch in vectors.batches():
        lines = _joined(vectors.maker.texts(batch))
        digest.add_lines(lines)
        yield _with_digits(vectors.request.multiplier, batch, lines)


def _with_digits(multiplier: Multiplier, batch: Batch, lines: bytes) -> bytes:
    """The lines, with the digits of the numbers where the model has several ways to hold these."""
    if not multiplier.params.representations:
        return lines
    pairs = zip(lines.splitlines(), numbers(batch), strict=True)
    return b"".join(line[:-1] + f",{dump(members(multiplier, *case))[1:]}\n".encode() for line, case in pairs)


def _joined(texts: TextBatch) -> bytes:
    return ("\n".join(texts.lines()) + "\n").encode()


def _words(column: Sequence[int], places: int) -> bytes:
    """One word a line, each with that many hexadecimal digits."""
    width = -(-places // 2)
    packed = gmpy2.pack([*reversed(column)], 8 * width)
    text = packed.to_bytes(width * len(column), "big").hex("\n", width) + "\n"
    lines = np.frombuffer(text.encode(), np.uint8).reshape(len(column), 2 * width + 1)
    return lines[:, 2 * width - places :].tobytes()


def _lines_of(files: Sequence[MemoryFile], multiplier: Multiplier, batch: Batch) -> list[bytes]:
    """The lines of these files for a batch."""
    shown: list[dict[str, dict[str, list[int]]]] = []
    if any(file.form for file in files):
        shown = [digit_vectors(multiplier, *case) for case in numbers(batch)]
    return [
        _words([file.word(vectors) for vectors in shown] if file.form else getattr(batch, file.field), file.places)
        for file in files
    ]


def memory_files(vectors: VectorSet) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Name and chunks of each file for `$readmemh`, the manifest last; each must be drained before the next.

    The later files wait in temporary files. Where there is no room for them, the set is generated once per file.
    """
    check_format(vectors, "readmemh")
    multiplier, count = vectors.request.multiplier, vectors.request.count
    first, *later = memory_list(vectors)
    entries: list[dict[str, Any]] = []
    waiting: dict[MemoryFile, IO[bytes]] = {}

    def generated(file: MemoryFile) -> Iterator[bytes]:
        for batch in vectors.batches():
            own, *others = _lines_of([file, *waiting], multiplier, batch)
            try:
                for stream, lines in zip(waiting.values(), others, strict=True):
                    stream.write(lines)
                    stream.flush()  # nothing is left that could fail later
            except OSError:
                waiting.clear()
                with suppress(OSError):
                    stack.close()
            yield own

    def counted(file: MemoryFile) -> Iterator[bytes]:
        content = hashlib.sha256()
        for chunk in _from_start(waiting[file]) if file in waiting else generated(file):
            content.update(chunk)
            yield chunk
        entries.append({**file.entry(count), "sha256": content.hexdigest()})

    with ExitStack() as stack:
        if sum(file.places + 1 for file in later) * count <= SPOOL:
            for file in later:
                waiting[file] = stack.enter_context(tempfile.SpooledTemporaryFile(SPOOL_MEMORY))
        for file in (first, *later):
            yield file.name, counted(file)
        manifest = {**vectors.head, "group": vectors.group, "files": entries}
        yield MANIFEST, iter([(dump(manifest) + "\n").encode()])


def _from_start(file: IO[bytes]) -> Iterator[bytes]:
    file.seek(0)
    return iter(lambda: file.read(SPOOL_MEMORY), b"")


def _readmemh(vectors: VectorSet) -> Iterator[bytes]:
    """A tar archive of the `$readmemh` files; sizes are known beforehand, since all lines are equally long."""
    sizes = {file.name: (file.places + 1) * vectors.request.count for file in memory_list(vectors)}
    for name, chunks in memory_files(vectors):
        if name == MANIFEST:
            content = b"".join(chunks)
            yield from _member(name, len(content), iter([content]))
        else:
            yield from _member(name, sizes[name], chunks)
    yield b"\0" * 1024


def _member(name: str, size: int, chunks: Iterator[bytes]) -> Iterator[bytes]:
    header = tarfile.TarInfo(name)
    header.size = size
    yield header.tobuf(tarfile.USTAR_FORMAT)
    yield from chunks
    yield b"\0" * (-size % tarfile.BLOCKSIZE)


FORMATS: dict[str, tuple[str, Callable[[VectorSet], Iterator[bytes]]]] = {
    "json": ("application/json", _json),
    "ndjson": ("application/x-ndjson", _ndjson),
    "csv": ("text/csv", _csv),
    "readmemh": ("application/x-tar", _readmemh),
}
"""Media type and renderer of each format."""
