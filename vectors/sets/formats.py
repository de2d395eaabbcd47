# SPDX-License-Identifier: Apache-2.0
"""The formats of a vector set, one module each, and how a reader recognises them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from limbtrace.vectors.format import Format, beginning, table
from limbtrace.vectors.sets import (
    in_accumulated,
    in_collections,
    in_csv,
    in_json,
    in_memory,
    in_ndjson,
    in_package,
    in_raw,
)
from limbtrace.vectors.sets.read import VectorReader
from limbtrace.vectors.sets.vector_set import VectorSet
from limbtrace.vectors.validation import open_file

FORMATS = table(
    in_json.FORMAT, in_ndjson.FORMAT, in_csv.FORMAT, *in_memory.FORMATS, *in_package.FORMATS, in_raw.FORMAT,
    *in_collections.FORMATS, in_accumulated.FORMAT,
)  # fmt: skip


def render(vectors: VectorSet, format: str) -> Iterator[bytes]:
    """The bytes of a set in one of FORMATS, in chunks of a few hundred cases. Raises ParameterError as `check` does."""
    form = FORMATS[format]
    form.check(vectors)
    return form.write(vectors)


@contextmanager
def open_vectors(path: Path) -> Iterator[VectorReader]:
    """A vector set in any of the formats. Raises DamagedFileError, or ParameterError if the file does not exist."""
    if path.is_dir():
        yield in_memory.read_folder(path)
        return
    with open_file(path) as stream:
        yield read_vectors(stream)


def format_of(start: bytes) -> Format[VectorSet] | None:
    """The format of a set, from the beginning of its file; None for `json` and for anything else."""
    return next((form for form in FORMATS.values() if form.recognises(start)), None)


def read_vectors(stream: IO[bytes]) -> VectorReader:
    """A vector set in any of the formats, from its first byte on. Raises DamagedFileError."""
    found = format_of(beginning(stream)) or in_json.FORMAT
    assert found.read is not None
    found_reader: VectorReader = found.read(stream)
    return found_reader
