# SPDX-License-Identifier: Apache-2.0
"""A vector set as files for `$readmemh`: a folder, or an archive, of numbers without ids, flags and comments."""

import hashlib
import re
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from refmodels.errors import ParameterError, shown
from refmodels.representations import Representation, side_by_side
from vectors.format import Format
from vectors.reading import DamagedFileError, check_members, document_multiplier, load_json
from vectors.representations import columns, digit_vectors
from vectors.sets.cases import Case, CaseMaker, VectorSet
from vectors.sets.layout import Layout, Line, Word
from vectors.sets.read import VectorReader
from vectors.wire import dump

FIELDS = ("a", "b", "result")
MANIFEST = "manifest.json"

SPOOL = 1 << 26
"""Most bytes of text that may wait in temporary files while an earlier file is written, for each set.

The files of a larger set are generated one after the other, the same set again for each.
"""
SPOOL_MEMORY = 1 << 17
"""Most bytes of text that wait in memory before such a file is created."""


class MemoryFile(NamedTuple):
    """A file for `$readmemh`: one number of every case, or its digits side by side, lowest digit in the low bits."""

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
        """Hexadecimal digits of every word, as many as the largest value needs."""
        return -(-self.bits // 4)

    def entry(self, words: int) -> dict[str, Any]:
        """The entry in the manifest, without the hash."""
        entry = {"name": self.name, "field": self.field, "bits": self.bits, "words": words}
        if self.form is None:
            return entry
        return {**entry, "representation": self.form.name, "digits": list(self.form.widths)}

    @property
    def layout(self) -> Layout:
        """What a line of the file looks like."""
        if self.form is None:
            return Word(self.field, self.places)
        return Line("%s\n", ("digits",), {"digits": lambda vectors: f"{self.word(vectors):0{self.places}x}"})

    def word(self, vectors: dict[str, dict[str, list[int]]]) -> int:
        """The digits of this file's number, out of all digits of a case, as one word."""
        assert self.form is not None
        return side_by_side(vectors[self.field][self.form.name], self.form.widths)

    def is_word(self, vectors: dict[str, dict[str, list[int]]], word: int) -> bool:
        """Whether a word matches a case; False if the digits cannot hold the number."""
        return self.form is not None and self.form.name in vectors[self.field] and self.word(vectors) == word


def memory_list(vectors: VectorSet) -> list[MemoryFile]:
    """The `$readmemh` files of a set: first those of the numbers, then those of digits that hold every value."""
    multiplier, ranges = vectors.request.multiplier, vectors.group["ranges"]
    files = [MemoryFile(field, max(int(ranges[field]["bits"]), 1)) for field in FIELDS if field in ranges]
    for field, form in columns(multiplier):
        if form.holds(int(ranges[field]["max"], 16)):
            files.append(MemoryFile(field, sum(form.widths), form))
    return files


def check(vectors: VectorSet) -> None:
    """Raises ParameterError for a set that cannot be written as these files."""
    if vectors.request.checkpoints:
        raise ParameterError("checkpoints", "readmemh files hold no checkpoints; json, ndjson and csv do")


def memory_files(vectors: VectorSet) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Name and chunks of each file for `$readmemh`, the manifest last; each must be consumed before the next.

    The later files wait in temporary files. If these would be large, or there is no room for them, the set is generated
    once per file.
    """
    check(vectors)
    count = vectors.request.count
    first, *later = memory_list(vectors)
    entries: list[dict[str, Any]] = []
    waiting: dict[MemoryFile, IO[bytes]] = {}

    def generated(file: MemoryFile) -> Iterator[bytes]:
        for _, own, others in vectors.texts(file.layout, *(other.layout for other in waiting)):
            try:
                for stream, lines in zip(waiting.values(), others, strict=False):  # none waits if the disk was full
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


def write(vectors: VectorSet) -> Iterator[bytes]:
    """A tar archive of the `$readmemh` files; sizes are known in advance, since all lines have the same length."""
    sizes = {file.name: (file.places + 1) * vectors.request.count for file in memory_list(vectors)}
    for name, chunks in memory_files(vectors):
        if name == MANIFEST:
            content = b"".join(chunks)
            yield from _archived(name, len(content), iter([content]))
        else:
            yield from _archived(name, sizes[name], chunks)
    yield b"\0" * 1024


def _archived(name: str, size: int, chunks: Iterator[bytes]) -> Iterator[bytes]:
    header = tarfile.TarInfo(name)
    header.size = size
    yield header.tobuf(tarfile.USTAR_FORMAT)
    yield from chunks
    yield b"\0" * (-size % tarfile.BLOCKSIZE)


def _directory_files(path: Path) -> Callable[[str], IO[bytes]]:
    def open_member(name: str) -> IO[bytes]:
        if (path / name).exists() and not (path / name).is_file():
            raise DamagedFileError(name, "it is no regular file")
        try:
            return (path / name).open("rb")
        except OSError as error:
            raise DamagedFileError(name, f"it cannot be read: {error.strerror}") from None

    return open_member


def _archive(stream: IO[bytes]) -> tarfile.TarFile:
    try:
        return tarfile.open(fileobj=stream, mode="r:")
    except tarfile.TarError as error:
        raise DamagedFileError("the archive", f"{error}: it was cut short or edited") from None


def _member(archive: tarfile.TarFile, name: str) -> IO[bytes]:
    try:
        member = archive.getmember(name)
        stream = archive.extractfile(member) if member.isfile() else None  # a link could lead anywhere, or to itself
    except (KeyError, tarfile.TarError):
        stream = None
    if stream is None:
        raise DamagedFileError(name, "the archive does not hold it: it was cut short")
    return stream


def _read(open_member: Callable[[str], IO[bytes]]) -> VectorReader:
    """Reads `$readmemh` files; they have no ids, flags and comments, so ids and flags are generated again."""
    with open_member(MANIFEST) as stream:
        head = load_json(stream)
    group = head.get("group")
    if not isinstance(group, dict):
        raise DamagedFileError(MANIFEST, "this is not the head of a vector set")
    maker = CaseMaker(document_multiplier(group))

    def entries() -> Iterator[tuple[str, Case]]:
        files = _memory_files(head, reader)
        lines = zip(*(_read_words(open_member, entry) for entry in head["files"]), strict=True)
        for number, words in enumerate(lines, 1):
            place = f"line {number}"
            given = {file.field: word for file, word in zip(files, words, strict=True) if file.form is None}
            case = maker.case(given["a"], given.get("b", 0), result=given["result"])
            vectors = digit_vectors(reader.multiplier, *reader.written(case, place))
            for file, word in zip(files, words, strict=True):
                if file.form is not None and not file.is_word(vectors, word):
                    raise DamagedFileError(f"{file.name}, {place}", f"these are not the digits of {file.field}")
            yield place, case

    reader = VectorReader(head, group, entries())
    return reader


def _memory_files(head: dict[str, Any], reader: VectorReader) -> list[MemoryFile]:
    """The files listed in a manifest, which must be those of its set. Raises DamagedFileError."""
    entries, files = head.get("files"), memory_list(VectorSet(reader.request))
    if not isinstance(entries, list) or len(entries) != len(files):
        raise DamagedFileError(MANIFEST, f"it does not list {', '.join(file.name for file in files)}")
    for file, entry in zip(files, entries, strict=True):
        if not isinstance(entry, dict):
            raise DamagedFileError(MANIFEST, f"the entry of {file.name} is no object")
        golden = {**file.entry(reader.request.count), "sha256": entry.get("sha256")}
        check_members({name: entry.get(name) for name in {**golden, **entry}}, golden, f"{MANIFEST}, {file.name}")
    return files


def _read_words(open_member: Callable[[str], IO[bytes]], entry: dict[str, Any]) -> Iterator[int]:
    content = hashlib.sha256()
    name, count = str(entry.get("name")), 0
    with open_member(name) as stream:
        for line in stream:
            content.update(line)
            count += 1
            if count > entry["words"]:
                raise DamagedFileError(f"{name}, line {count}", f"the manifest has {entry['words']} words: added to")
            try:
                yield int(line, 16)
            except ValueError:
                raise DamagedFileError(f"{name}, line {count}", "this is no hexadecimal word") from None
    if count != entry.get("words"):
        stated = shown(entry.get("words"))
        raise DamagedFileError(f"{name}, after line {count}", f"the manifest has {stated} words: cut short")
    if content.hexdigest() != entry.get("sha256"):
        raise DamagedFileError(name, "the content is not what the manifest says, so a word was edited")


def read_folder(path: Path) -> VectorReader:
    """A vector set from a folder. Raises DamagedFileError."""
    return _read(_directory_files(path))


def read(stream: IO[bytes]) -> VectorReader:
    """A vector set from an archive, which stays open as long as its file. Raises DamagedFileError."""
    archive = _archive(stream)
    return _read(lambda name: _member(archive, name))


FORMAT = Format(
    "readmemh",
    "application/x-tar",
    "tar",
    write,
    read,
    lambda start: start[257:262] == b"ustar",
    check=check,
    files=memory_files,
    mark=MANIFEST,
)
