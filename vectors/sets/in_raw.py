# SPDX-License-Identifier: Apache-2.0
"""A vector set as binary records behind a header, for programs in C and for boards.

All integers are unsigned, low byte first. The file has

* 8 bytes `LTRACE\\x01\\n`;
* 8 bytes: offset of the first record, a multiple of 64;
* 8 bytes: number of records;
* 8 bytes: bytes of a record, a multiple of 8;
* the head of the set as JSON, with a member `record`: a list of `{"field", "offset", "bytes", "bits"}`; filled with
  blanks up to the first record;
* the records, one for each case: its numbers at their offsets, each filled with zeros up to a multiple of 8 bytes;
* 32 bytes: SHA-256 of all that stands before them.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from struct import Struct
from typing import IO, Any

from limbtrace.refmodels.errors import shown
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.format import Format
from limbtrace.vectors.representations import digit_vectors
from limbtrace.vectors.sets.cases import Case, CaseMaker
from limbtrace.vectors.sets.in_memory import MemoryFile, check, memory_list
from limbtrace.vectors.sets.layout import CaseFields, Piece
from limbtrace.vectors.sets.read import VectorReader, json_object
from limbtrace.vectors.sets.vector_set import VectorSet
from limbtrace.vectors.validation import DamagedFileError, check_members, document_multiplier

MAGIC = b"LTRACE\x01\n"
_SIZES = Struct("<QQQ")
_ALIGNED = 64
_MOST_HEAD = 1 << 24
"""Most bytes of a header that is read."""


@dataclass(frozen=True)
class Records:
    """The layout of a record: its numbers side by side."""

    fields: tuple[MemoryFile, ...]

    @staticmethod
    def octets(file: MemoryFile) -> int:
        """Bytes of a number: whole words of 64 bits."""
        return -(-file.bits // 64) * 8

    @property
    def size(self) -> int:
        """Bytes of a record."""
        return sum(map(self.octets, self.fields))

    @property
    def described(self) -> list[dict[str, Any]]:
        """The member `record` of the head."""
        found, offset = [], 0
        for file in self.fields:
            size = self.octets(file)
            found.append({"field": file.stem, "offset": offset, "bytes": size, "bits": file.bits})
            offset += size
        return found

    @property
    def pieces(self) -> list[Piece] | None:
        """The numbers in order; None if some are digits, which only Python writes."""
        if any(file.form is not None for file in self.fields):
            return None
        return [Piece("bytes", file.field, self.octets(file)) for file in self.fields]

    def of(self, cases: CaseFields) -> bytes:
        """The records of the cases."""
        columns = [self._column(file, cases) for file in self.fields]
        return b"".join(b"".join(record) for record in zip(*columns, strict=True))

    def _column(self, file: MemoryFile, cases: CaseFields) -> Iterator[bytes]:
        numbers = cases.numbers(file.field) if file.form is None else map(file.word, cases.column("digits"))
        return (int(number).to_bytes(self.octets(file), "little") for number in numbers)

    def numbers(self, record: bytes) -> list[int]:
        """The numbers of a record."""
        found, at = [], 0
        for file in self.fields:
            size = self.octets(file)
            found.append(int.from_bytes(record[at : at + size], "little"))
            at += size
        return found


def _records(vectors: VectorSet) -> Records:
    return Records(tuple(memory_list(vectors)))


def _header(vectors: VectorSet, records: Records) -> bytes:
    head = dump(
        {**vectors.head, "notes": vectors.every_note, "group": vectors.group, "record": records.described}
    ).encode()
    before = len(MAGIC) + _SIZES.size
    first = -(-(before + len(head) + 1) // _ALIGNED) * _ALIGNED
    sizes = _SIZES.pack(first, vectors.request.count, records.size)
    return (MAGIC + sizes + head).ljust(first - 1) + b"\n"


def write(vectors: VectorSet) -> Iterator[bytes]:
    """The chunks of the file."""
    records, content = _records(vectors), hashlib.sha256()

    def parts() -> Iterator[bytes]:
        yield _header(vectors, records)
        for written in vectors.texts(records):
            yield written.text

    for part in parts():
        content.update(part)
        yield part
    yield content.digest()


def read(stream: IO[bytes]) -> VectorReader:
    """A vector set from a file; ids and flags are generated again. Raises DamagedFileError."""
    start = stream.read(len(MAGIC) + _SIZES.size)
    if len(start) < len(MAGIC) + _SIZES.size:
        raise DamagedFileError("the header", "it is missing: the file was cut short")
    first, _, _ = _SIZES.unpack(start[len(MAGIC) :])
    if not len(start) <= first <= _MOST_HEAD:
        raise DamagedFileError("the header", f"the first record cannot be at byte {first}")
    text = stream.read(first - len(start))
    try:
        head = json_object(text.decode(), "the header")
    except UnicodeDecodeError:
        raise DamagedFileError("the header", "this is no text") from None
    group = head.get("group")
    if not isinstance(group, dict):
        raise DamagedFileError("the header", "this is not the head of a vector set")
    record_stated = head.pop("record", None)
    maker = CaseMaker(document_multiplier(group))

    def entries() -> Iterator[tuple[str, Case]]:
        content = hashlib.sha256(start + text)
        grade = reader.head.get("grade")
        vectors = VectorSet(reader.request, grade=None if grade is None else lambda _: grade)
        records = _records(vectors)
        check_members({"record": record_stated}, {"record": records.described}, "the header")
        if start[len(MAGIC) :] != _header(vectors, records)[len(MAGIC) : len(start)]:
            raise DamagedFileError("the header", "its sizes are not those of this set")
        for number in range(reader.request.count):
            place = f"record {number}"
            record = stream.read(records.size)
            if len(record) < records.size:
                raise DamagedFileError(place, "it is not whole: the file was cut short")
            content.update(record)
            yield place, _case(reader, maker, records, record, place)
        rest = stream.read(33)
        if len(rest) != 32:
            raise DamagedFileError("the end", "these are no 32 bytes: the file was cut short or added to")
        if rest != content.digest():
            raise DamagedFileError("the end", "the content is not what was written: something was edited")

    reader = VectorReader(head, group, entries())
    return reader


def _case(reader: VectorReader, maker: CaseMaker, records: Records, record: bytes, place: str) -> Case:
    pairs = list(zip(records.fields, records.numbers(record), strict=True))
    for file, number in pairs:
        if number >> file.bits:
            raise DamagedFileError(place, f"{shown(file.stem)} has more than {file.bits} bits")
    given = {file.field: number for file, number in pairs if file.form is None}
    case = maker.case(given["a"], given.get("b", 0), result=given["result"])
    if any(file.form is not None for file, _ in pairs):
        digits = digit_vectors(reader.multiplier, *reader.written(case, place))
        for file, number in pairs:
            if file.form is not None and not file.is_word(digits, number):
                raise DamagedFileError(place, f"{shown(file.stem)} is not the digits of {file.field}")
    return case


FORMAT = Format(
    "raw", "application/octet-stream", "bin", write, read, lambda start: start.startswith(MAGIC), check=check
)
