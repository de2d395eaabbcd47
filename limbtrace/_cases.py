# SPDX-License-Identifier: Apache-2.0
"""Sets of test cases."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.encoding import hexadecimal
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.files import write_directory, write_file
from limbtrace.vectors.request import VectorRequest
from limbtrace.vectors.sets import FORMATS, VectorSet
from limbtrace.vectors.sets import Case as Case

if TYPE_CHECKING:
    from numpy.typing import NDArray

NUMBERS = ("a", "b", "result", "residue")
_WORDS = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}


@dataclass(frozen=True)
class Cases:
    """Test cases of a multiplier, made by `Multiplier.vectors`: generated anew, one batch at a time, for each reader.

    A case has id, a, b, result, residue, flags (what is special about it) and a comment; b is 0 for a model without b.
    """

    request: VectorRequest

    def __len__(self) -> int:
        return self.request.count

    def __iter__(self) -> Iterator[Case]:
        return VectorSet(self.request).cases()

    @property
    def id(self) -> str:
        """Id of the set: a hash of the request."""
        return self.request.id

    def write(self, path: str | Path, format: str | None = None) -> None:
        """Write the set in a format of `limbtrace vectors`, or as Parquet; it appears whole or not at all.

        Without a format, the end of the name says it, such as .json, .csv, .sv or .parquet; .tar is an archive and
        a name without an end a folder for $readmemh. Raises ParameterError, and ToolError where pyarrow is needed and
        missing.
        """
        path = Path(path)
        ends = {f".{form.extension}": form.name for form in reversed(FORMATS.values())}
        ends |= {"": "readmemh", ".parquet": "parquet"}
        chosen = format or ends.get(path.suffix)
        if chosen == "parquet":
            self._write_parquet(path)
            return
        if chosen not in FORMATS:
            raise ParameterError("format", f"{path.name} does not say which: give one of {', '.join(FORMATS)}, parquet")
        form, vectors = FORMATS[chosen], VectorSet(self.request)
        form.check(vectors)
        if form.files is not None and path.suffix != f".{form.extension}":
            write_directory(path, form.files(vectors), form.mark)
        else:
            write_file(path, form.write(vectors))

    def limbs(self, width: int = 64) -> dict[str, "NDArray[Any]"]:
        """Numbers as words for NumPy: name -> array of shape (cases, words), unsigned words, the low one first.

        `width`: bits of a word, 8, 16, 32 or 64. Operands and results have as many words as their largest values need.

            >>> import limbtrace as lt
            >>> words = lt.multiplier("cios", "p256", "2^34").vectors(3).limbs(32)
            >>> words["a"].shape, words["a"].dtype.name
            ((3, 9), 'uint32')
        """
        if width not in _WORDS:
            raise ParameterError("width", f"{width} is none of {', '.join(map(str, _WORDS))}")
        m = self.request.multiplier
        largest = (*m.params.limits, m.params.result_limit - 1, m.modulus.modulus or m.params.result_limit - 1)
        sizes = {name: max(-(-most.bit_length() // width), 1) for name, most in zip(NUMBERS, largest, strict=True)}
        text: dict[str, list[bytes]] = {name: [] for name in NUMBERS}
        for case in self:
            for name, words in sizes.items():
                text[name].append(getattr(case, name).to_bytes(words * width // 8, "little"))
        of = np.dtype(_WORDS[width]).newbyteorder("<")
        return {
            name: np.frombuffer(b"".join(text[name]), dtype=of).reshape(len(self), sizes[name]).astype(_WORDS[width])
            for name in NUMBERS
        }

    def to_arrow(self) -> Any:
        """The set as a pyarrow.Table (extra `arrow`): numbers as hexadecimal text, as in every document.

        Raises ToolError if pyarrow is not installed.
        """
        pa = _arrow()
        return pa.Table.from_batches(list(self._record_batches(pa)), schema=self._schema(pa))

    def _write_parquet(self, path: Path) -> None:
        pa = _arrow()
        from pyarrow import parquet

        sink = pa.BufferOutputStream()
        with parquet.ParquetWriter(sink, self._schema(pa)) as writer:
            for batch in self._record_batches(pa):
                writer.write_batch(batch)
        write_file(path, [sink.getvalue().to_pybytes()])

    def _schema(self, pa: Any) -> Any:
        text = {name: pa.string() for name in ("id", *NUMBERS, "comment")}
        return pa.schema({**text, "flags": pa.list_(pa.string())}, metadata={"limbtrace-set": self.id})

    def _record_batches(self, pa: Any) -> Iterator[Any]:
        schema = self._schema(pa)
        for batch in _chunks(iter(self)):
            columns = {
                "id": [case.id for case in batch],
                **{name: [hexadecimal(getattr(case, name)) for case in batch] for name in NUMBERS},
                "comment": [case.comment for case in batch],
                "flags": [list(case.flags) for case in batch],
            }
            yield pa.RecordBatch.from_pydict(columns, schema=schema)

    def __repr__(self) -> str:
        return f"<{len(self)} cases of {self.request.multiplier.title}, kind {self.request.kind}>"


def _chunks(cases: Iterator[Case], size: int = 4096) -> Iterator[list[Case]]:
    from itertools import islice

    while chunk := list(islice(cases, size)):
        yield chunk


def _arrow() -> Any:
    try:
        import pyarrow
    except ModuleNotFoundError:
        raise ToolError("pyarrow is not installed: pip install 'limbtrace[arrow]'") from None
    return pyarrow
