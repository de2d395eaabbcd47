# SPDX-License-Identifier: Apache-2.0
"""The records of cases: operands and result side by side, as a vector set of format raw has them, without digits."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

import numpy as np

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.digests.document import RecordField
from limbtrace.vectors.document import members
from limbtrace.vectors.operands import operands
from limbtrace.vectors.request import VectorRequest
from limbtrace.vectors.sets import VectorSet, native
from limbtrace.vectors.sets.in_memory import memory_list
from limbtrace.vectors.sets.in_raw import MAGIC, Records
from limbtrace.vectors.validation import open_file

_BATCH = 512
"""Cases that are made together by Python."""


@dataclass(frozen=True)
class RecordFields:
    """The numbers of a record, with the bytes and bits of each."""

    fields: tuple[tuple[str, int, int], ...]

    @classmethod
    def of(cls, request: VectorRequest) -> "RecordFields":
        """The layout of the records of a set."""
        files = [file for file in memory_list(VectorSet(request)) if file.form is None]
        return cls(tuple((file.field, Records.octets(file), file.bits) for file in files))

    @property
    def described(self) -> list[Any]:
        """The member `record` of the document."""
        return [members(RecordField, field=name, bytes=size, bits=bits) for name, size, bits in self.fields]  # type: ignore[arg-type]

    @property
    def size(self) -> int:
        """Bytes of a record."""
        return sum(size for _, size, _ in self.fields)

    @property
    def result(self) -> int:
        """Bytes of a result, which is the last number."""
        return self.fields[-1][1]


def check_results(path: Path, request: VectorRequest) -> None:
    """Raises ParameterError("results") for a file that does not have a result for each case."""
    size = RecordFields.of(request).result
    try:
        with open_file(path) as stream:
            start, length = stream.read(len(MAGIC)), os.fstat(stream.fileno()).st_size
    except ParameterError as error:
        raise ParameterError("results", error.reason) from None
    if start == MAGIC and length != size * request.count:
        raise ParameterError("results", f"{path} is a vector set of format raw; what is read are results alone")
    if length != size * request.count:
        what = "shorter" if length < size * request.count else "longer"
        raise ParameterError("results", f"{path} has {length} bytes and is {what} than {request.count} results of "
                             f"{size} bytes")  # fmt: skip


def records(request: VectorRequest, results: Path | None = None) -> Iterator[Any]:
    """The records of the cases in order, in chunks of whole records that the next one may overwrite.

    The results are those of the model, or those of a file with one for each case of the whole set.
    """
    layout = RecordFields.of(request)
    if results is None:
        yield from _records(request, layout, None)
        return
    with results.open("rb") as stream:
        stream.seek(layout.result * request.first)
        yield from _records(request, layout, stream)


def _records(request: VectorRequest, layout: RecordFields, results: IO[bytes] | None) -> Iterator[Any]:
    made = native.columns(request, VectorSet(request).maker, results is None)
    return _plain(request, layout, results) if made is None else _from_columns(made, layout, results)


def _from_columns(made: Iterator[native.Columns], layout: RecordFields, results: IO[bytes] | None) -> Iterator[Any]:
    """The records of cases that C made."""
    whole = np.empty((native.BATCH, layout.size // 8), np.dtype("<u8"))
    for cases in made:
        chunk, at = whole[: len(cases.a)], 0
        for name, size, _ in layout.fields:
            words = size // 8
            if name == "result" and results is not None:
                data = _read(results, size * len(cases.a))
                chunk[:, at : at + words] = np.frombuffer(data, np.dtype("<u8")).reshape(-1, words)
            else:
                chunk[:, at : at + words] = getattr(cases, name)[:, :words]
            at += words
        yield chunk


def _plain(request: VectorRequest, layout: RecordFields, results: IO[bytes] | None) -> Iterator[bytes]:
    """The records of cases that Python makes."""
    m, sizes = request.multiplier, [size for _, size, _ in layout.fields]
    cases = operands(request)
    while chunk := list(islice(cases, _BATCH)):
        a, b, _ = zip(*chunk, strict=True)
        given = [[int(number).to_bytes(size, "little") for number in column]
                 for column, size in zip((a, b), sizes[:-1], strict=False)]  # fmt: skip
        if results is None:
            found = [int(result).to_bytes(sizes[-1], "little") for result in m.model.results(m.params, a, b)]
        else:
            data = _read(results, sizes[-1] * len(chunk))
            found = [data[at : at + sizes[-1]] for at in range(0, len(data), sizes[-1])]
        yield b"".join(b"".join(record) for record in zip(*given, found, strict=True))


def _read(results: IO[bytes], size: int) -> bytes:
    """Raises ParameterError("results") if the file has become shorter."""
    data = results.read(size)
    if len(data) != size:
        raise ParameterError("results", "the file was cut short while it was read")
    return data
