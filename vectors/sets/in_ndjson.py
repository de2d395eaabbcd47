# SPDX-License-Identifier: Apache-2.0
"""A vector set as NDJSON: a head line, one line per case, and an end line with the digest."""

from collections.abc import Iterator
from typing import IO

from limbtrace.vectors.encoding import dump
from limbtrace.vectors.format import Format
from limbtrace.vectors.sets.cases import Case
from limbtrace.vectors.sets.read import VectorReader, json_object, read_head, text_lines, until_end
from limbtrace.vectors.sets.vector_set import Digest, VectorSet
from limbtrace.vectors.sets.write import end, json_lines


def write(vectors: VectorSet) -> Iterator[bytes]:
    """The chunks of the file."""
    digest = Digest(vectors)
    yield (dump({**vectors.head, "group": vectors.group}) + "\n").encode()
    yield from json_lines(vectors, digest)
    yield (dump(end(vectors, digest)) + "\n").encode()


def read(stream: IO[bytes]) -> VectorReader:
    """A vector set from a file. Raises DamagedFileError."""
    lines = text_lines(stream)
    head = read_head(lines, "")

    def entries() -> Iterator[tuple[str, Case]]:
        for number, line in until_end(lines, "", lambda: reader):
            place = f"line {number}"
            yield place, reader.case(json_object(line, place), place)

    reader = VectorReader(head, head["group"], entries())
    return reader


def _recognises(start: bytes) -> bool:
    return start.startswith(b"{") and b'"group":' in start.partition(b"\n")[0]


FORMAT = Format("ndjson", "application/x-ndjson", "ndjson", write, read, _recognises)
