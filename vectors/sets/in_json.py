# SPDX-License-Identifier: Apache-2.0
"""A vector set as one JSON document with one case per line, so that text tools can process it."""

from collections.abc import Iterator
from typing import IO, Any

from limbtrace.vectors.encoding import dump
from limbtrace.vectors.format import Format
from limbtrace.vectors.sets.cases import Case
from limbtrace.vectors.sets.read import VectorReader
from limbtrace.vectors.sets.vector_set import Digest, VectorSet
from limbtrace.vectors.sets.write import json_lines
from limbtrace.vectors.validation import DamagedFileError, load_json


def write(vectors: VectorSet) -> Iterator[bytes]:
    """The chunks of the document."""
    digest = Digest(vectors)
    group = dump(vectors.group)
    yield (dump(vectors.head)[:-1] + f',"testGroups":[{group[:-1]},"tests":[\n').encode()
    held = b""
    for lines in json_lines(vectors, digest):
        yield held
        held = lines.replace(b"\n", b",\n")
    yield held.removesuffix(b",\n")
    yield (f'\n]}}],"digest":"{digest.text()}"}}\n').encode()


def read_document(document: dict[str, Any]) -> VectorReader:
    """A vector set from its JSON document. Raises DamagedFileError."""
    groups = document.get("testGroups")
    if not isinstance(groups, list) or len(groups) != 1 or not isinstance(groups[0], dict):
        raise DamagedFileError("testGroups", "there must be exactly one group")
    tests = groups[0].get("tests")
    if not isinstance(tests, list):
        raise DamagedFileError("testGroups[0].tests", "there is no list of cases")

    def entries() -> Iterator[tuple[str, Case]]:
        for k, entry in enumerate(tests):
            yield f"case {k}", reader.case(entry, f"case {k}")

    reader = VectorReader(document, groups[0], entries())
    reader.written_digest = str(document.get("digest"))
    return reader


def read(stream: IO[bytes]) -> VectorReader:
    """A vector set from a file. Raises DamagedFileError."""
    return read_document(load_json(stream))


FORMAT = Format("json", "application/json", "json", write, read)
