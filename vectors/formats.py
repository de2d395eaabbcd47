# SPDX-License-Identifier: Apache-2.0
"""Vector sets as JSON, NDJSON, CSV and `$readmemh` files, streamed: no set is ever held in memory."""

import csv
import hashlib
import io
import tarfile
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from vectors.sets import Case, Digest, VectorSet
from vectors.wire import dump

MEMORY_FILES = ("a", "b", "result")
MANIFEST = "manifest.json"
CSV_FIELDS = ("id", "a", "b", "result", "residue", "flags", "comment")

CHUNK = 512
"""Cases per chunk of output."""


def render(vectors: VectorSet, format: str) -> Iterator[bytes]:
    """The bytes of a set in one of FORMATS; chunks of a few hundred cases."""
    return FORMATS[format][1](vectors)


def _json(vectors: VectorSet) -> Iterator[bytes]:
    """One document; one case a line, so that text tools can work with it."""
    digest = Digest(vectors)
    group = dump(vectors.group)
    yield (dump(vectors.head)[:-1] + f',"testGroups":[{group[:-1]},"tests":[\n').encode()
    separator = ""
    for lines in _lines(vectors, digest):
        yield (separator + ",\n".join(lines)).encode()
        separator = ",\n"
    yield (f'\n]}}],"digest":"{digest.text()}"}}\n').encode()


def _ndjson(vectors: VectorSet) -> Iterator[bytes]:
    """A head line, a line a case, and an end line with the digest."""
    digest = Digest(vectors)
    yield (dump({**vectors.head, "group": vectors.group}) + "\n").encode()
    for lines in _lines(vectors, digest):
        yield ("\n".join(lines) + "\n").encode()
    yield (dump(_end(vectors, digest)) + "\n").encode()


def _csv(vectors: VectorSet) -> Iterator[bytes]:
    """A head comment, the column names, a row a case, and an end comment with the digest."""
    digest = Digest(vectors)
    yield ("# " + dump({**vectors.head, "group": vectors.group}) + "\n" + ",".join(CSV_FIELDS) + "\n").encode()
    for cases in _chunks(vectors):
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        for case in cases:
            digest.add(case.line())
            numbers = (f"{value:#x}" for value in (case.a, case.b, case.result, case.residue))
            writer.writerow([case.id, *numbers, " ".join(case.flags), case.comment])
        yield text.getvalue().encode()
    yield ("# " + dump(_end(vectors, digest)) + "\n").encode()


def _end(vectors: VectorSet, digest: Digest) -> dict[str, Any]:
    return {"end": vectors.request.count, "digest": digest.text()}


def _chunks(vectors: VectorSet) -> Iterator[list[Case]]:
    cases = vectors.cases()
    while chunk := list(islice(cases, CHUNK)):
        yield chunk


def _lines(vectors: VectorSet, digest: Digest) -> Iterator[list[str]]:
    for cases in _chunks(vectors):
        lines = [case.line() for case in cases]
        digest.add("\n".join(lines))
        yield lines


def _bits(vectors: VectorSet, field: str) -> int:
    return max(int(vectors.group["ranges"][field]["bits"]), 1)


def _memory(vectors: VectorSet, field: str) -> Iterator[bytes]:
    """One word a line, all with the digits that the largest value needs."""
    position = Case._fields.index(field)
    form = f"%0{-(-_bits(vectors, field) // 4)}x\n"
    for cases in _chunks(vectors):
        yield "".join(form % case[position] for case in cases).encode()


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

    The set is generated once per file rather than kept.
    """
    entries: list[dict[str, Any]] = []

    def counted(field: str) -> Iterator[bytes]:
        content = hashlib.sha256()
        for chunk in _memory(vectors, field):
            content.update(chunk)
            yield chunk
        entries.append({**memory_entry(vectors, field), "sha256": content.hexdigest()})

    for field in MEMORY_FILES:
        yield f"{field}.hex", counted(field)
    manifest = {**vectors.head, "group": vectors.group, "files": entries}
    yield MANIFEST, iter([(dump(manifest) + "\n").encode()])


def _readmemh(vectors: VectorSet) -> Iterator[bytes]:
    """A tar archive of the `$readmemh` files; sizes are known beforehand, since all lines are equally long."""
    for name, chunks in memory_files(vectors):
        if name == MANIFEST:
            content = b"".join(chunks)
            yield from _member(name, len(content), iter([content]))
        else:
            digits = -(-_bits(vectors, name.removesuffix(".hex")) // 4)
            yield from _member(name, (digits + 1) * vectors.request.count, chunks)
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
