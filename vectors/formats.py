# SPDX-License-Identifier: Apache-2.0
"""Vector sets as JSON, NDJSON, CSV and `$readmemh` files, streamed: no set is ever held in memory."""

import csv
import hashlib
import io
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from typing import IO, Any

import gmpy2
import numpy as np

from refmodels.errors import ParameterError
from refmodels.model import Model
from vectors.representations import members
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


def csv_fields(model: Model) -> tuple[str, ...]:
    """The columns of CSV."""
    return CSV_FIELDS if model.chain is None else CHAIN_CSV_FIELDS


def memory_fields(model: Model) -> tuple[str, ...]:
    """The fields of which there are `$readmemh` files."""
    return tuple(field for field in MEMORY_FILES if field in model.operands)


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
    names = csv_fields(vectors.request.multiplier.model)
    yield ("# " + dump({**vectors.head, "group": vectors.group}) + "\n" + ",".join(names) + "\n").encode()
    for batch in vectors.batches():
        texts = vectors.maker.texts(batch)
        digest.add_lines(_joined(texts))
        comments = {comment: _csv_cell(comment) for comment in set(texts.comment)}
        shared = zip(*texts[:7], strict=True)
        if texts.checkpoints is None:
            rows = [
                f"{id},0x{a},0x{b},0x{result},0x{residue},{' '.join(flags)},{comments[comment]}\n"
                for id, a, b, result, residue, flags, comment in shared
            ]
        else:
            rows = [
                f"{id},0x{a},0x{result},0x{residue},{' '.join(flags)},{comments[comment]},{_csv_points(points)}\n"
                for (id, a, _, result, residue, flags, comment), points in zip(shared, texts.checkpoints, strict=True)
            ]
        yield "".join(rows).encode()
    yield ("# " + dump(_end(vectors, digest)) + "\n").encode()


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
    columns = zip(lines.splitlines(), *(map(int, column) for column in batch[:3]), strict=True)
    return b"".join(
        line[:-1] + f",{dump(members(multiplier, a, b, result))[1:]}\n".encode() for line, a, b, result in columns
    )


def _joined(texts: TextBatch) -> bytes:
    return ("\n".join(texts.lines()) + "\n").encode()


def _bits(vectors: VectorSet, field: str) -> int:
    return max(int(vectors.group["ranges"][field]["bits"]), 1)


def _digits(vectors: VectorSet, field: str) -> int:
    """Digits of every word of a `$readmemh` file: those that the largest value needs."""
    return -(-_bits(vectors, field) // 4)


def _words(column: Sequence[int], digits: int) -> bytes:
    """One word a line, each with that many digits."""
    width = -(-digits // 2)
    packed = gmpy2.pack([*reversed(column)], 8 * width)
    text = packed.to_bytes(width * len(column), "big").hex("\n", width) + "\n"
    lines = np.frombuffer(text.encode(), np.uint8).reshape(len(column), 2 * width + 1)
    return lines[:, 2 * width - digits :].tobytes()


def memory_entry(vectors: VectorSet, field: str) -> dict[str, Any]:
    """What the manifest says of the file with one field of every case, but for its hash."""
    return {
        "name": f"{field}.hex",
        "field": field,
        "bits": _bits(vectors, field),
        "words": vectors.request.count,
    }


def memory_files(vectors: VectorSet) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Name and chunks of each file for `$readmemh`, the manifest last; each must be drained before the next.

    The later files wait in temporary files. Where there is no room for them, the set is generated once per file.
    """
    check_format(vectors, "readmemh")
    fields = memory_fields(vectors.request.multiplier.model)
    digits = {field: _digits(vectors, field) for field in fields}
    first, *later = fields
    entries: list[dict[str, Any]] = []
    waiting: dict[str, IO[bytes]] = {}

    def generated(field: str) -> Iterator[bytes]:
        for batch in vectors.batches():
            try:
                for other, file in waiting.items():
                    file.write(_words(getattr(batch, other), digits[other]))
                    file.flush()  # nothing is left that could fail later
            except OSError:
                waiting.clear()
                with suppress(OSError):
                    stack.close()
            yield _words(getattr(batch, field), digits[field])

    def counted(field: str) -> Iterator[bytes]:
        content = hashlib.sha256()
        for chunk in _from_start(waiting[field]) if field in waiting else generated(field):
            content.update(chunk)
            yield chunk
        entries.append({**memory_entry(vectors, field), "sha256": content.hexdigest()})

    with ExitStack() as stack:
        if sum(digits[field] + 1 for field in later) * vectors.request.count <= SPOOL:
            for field in later:
                waiting[field] = stack.enter_context(tempfile.SpooledTemporaryFile(SPOOL_MEMORY))
        for field in (first, *later):
            yield f"{field}.hex", counted(field)
        manifest = {**vectors.head, "group": vectors.group, "files": entries}
        yield MANIFEST, iter([(dump(manifest) + "\n").encode()])


def _from_start(file: IO[bytes]) -> Iterator[bytes]:
    file.seek(0)
    return iter(lambda: file.read(SPOOL_MEMORY), b"")


def _readmemh(vectors: VectorSet) -> Iterator[bytes]:
    """A tar archive of the `$readmemh` files; sizes are known beforehand, since all lines are equally long."""
    for name, chunks in memory_files(vectors):
        if name == MANIFEST:
            content = b"".join(chunks)
            yield from _member(name, len(content), iter([content]))
        else:
            line = _digits(vectors, name.removesuffix(".hex")) + 1
            yield from _member(name, line * vectors.request.count, chunks)
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
