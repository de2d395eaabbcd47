# SPDX-License-Identifier: Apache-2.0
"""A vector set as memory images: a folder, or an archive, of numbers without ids, flags and comments.

The images are files for `$readmemh`, COE files of AMD or MIF files of Intel.
"""

import hashlib
import re
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import IO, Any, NamedTuple

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.representations import Representation, side_by_side
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.format import Format
from limbtrace.vectors.representations import columns, digit_vectors
from limbtrace.vectors.sets.cases import Case, CaseMaker
from limbtrace.vectors.sets.layout import CaseLayout, LineTemplate, Word
from limbtrace.vectors.sets.read import VectorReader
from limbtrace.vectors.sets.vector_set import VectorSet
from limbtrace.vectors.validation import DamagedFileError, check_members, document_multiplier, load_json

FIELDS = ("a", "b", "result")
MANIFEST = "manifest.json"

SPOOL = 1 << 26
"""Most bytes of text that may wait in temporary files while an earlier file is written, for each set.

The files of a larger set are generated one after the other, the same set again for each.
"""
SPOOL_MEMORY = 1 << 17
"""Most bytes of text that wait in memory before such a file is created."""


class ImageStyle(NamedTuple):
    """The format of an image around its words: `head`, a line for each word with `between` two of them, `tail`."""

    name: str
    extension: str
    about: str
    head: str = ""
    """With the names `bits` and `words`."""
    address: str = ""
    """The text before a word, with the name `at`; numbers in it have as many digits as the last one."""
    between: str = "\n"
    tail: str = "\n"

    @property
    def plain(self) -> bool:
        """True if the words stand one per line and nothing else is there."""
        return not self.head and not self.address and self.between == self.tail == "\n"

    def ends(self, bits: int, words: int) -> tuple[bytes, bytes]:
        """The texts before and after the words."""
        return self.head.format(bits=bits, words=words).encode(), self.tail.encode()

    def prefix(self, at: int, words: int) -> str:
        """The text before word number `at`."""
        return self.address.format(at=f"{at:0{len(f'{words - 1:x}')}x}")

    def written(self, bits: int, words: int, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """An image of words that come one per line, all of the same length, in chunks of whole lines."""
        if self.plain:
            yield from chunks
            return
        held, (head, tail), at = b"", self.ends(bits, words), 0
        yield head
        for chunk in chunks:
            lines = chunk.decode().splitlines()
            if held:
                yield held + self.between.encode()
            placed = (self.prefix(number, words) + word for number, word in enumerate(lines, at))
            held, at = self.between.join(placed).encode(), at + len(lines)
        yield held + tail

    def size(self, bits: int, words: int, places: int) -> int:
        """Bytes of an image."""
        line = len(self.prefix(0, words)) + places + len(self.between)
        return sum(map(len, self.ends(bits, words))) + line * words - len(self.between)

    def word(self, line: str, at: int, words: int) -> str | None:
        """The word of a line with its end; None if it is not a line of word number `at`."""
        end, prefix = self.tail if at == words - 1 else self.between, self.prefix(at, words)
        end = end.partition("\n")[0] + "\n"
        return line[len(prefix) : -len(end)] if line.startswith(prefix) and line.endswith(end) else None


READMEMH = ImageStyle("readmemh", "hex", "for `$readmemh`")
COE = ImageStyle(
    "coe",
    "coe",
    "for block memories of AMD",
    head="memory_initialization_radix=16;\nmemory_initialization_vector=\n",
    between=",\n",
    tail=";\n",
)
MIF = ImageStyle(
    "mif",
    "mif",
    "for block memories of Intel",
    head="WIDTH={bits};\nDEPTH={words};\nADDRESS_RADIX=HEX;\nDATA_RADIX=HEX;\nCONTENT BEGIN\n",
    address="{at} : ",
    between=";\n",
    tail=";\nEND;\n",
)
STYLES = {style.name: style for style in (READMEMH, COE, MIF)}


class MemoryFile(NamedTuple):
    """A memory image: one number of every case, or its digits side by side, lowest digit in the low bits."""

    field: str
    bits: int
    form: Representation | None = None
    style: ImageStyle = READMEMH

    @property
    def stem(self) -> str:
        """Named after the field, and the representation in letters, digits and underscores."""
        return self.field + ("" if self.form is None else "_" + re.sub(r"[^0-9A-Za-z]+", "_", self.form.name))

    @property
    def name(self) -> str:
        return f"{self.stem}.{self.style.extension}"

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
    def layout(self) -> CaseLayout:
        """The format of a line of a plain file."""
        if self.form is None:
            return Word(self.field, self.places)
        return LineTemplate("%s\n", ("digits",), {"digits": lambda vectors: f"{self.word(vectors):0{self.places}x}"})

    def word(self, vectors: dict[str, dict[str, list[int]]]) -> int:
        """The digits of this file's number, out of all digits of a case, as one word."""
        assert self.form is not None
        return side_by_side(vectors[self.field][self.form.name], self.form.widths)

    def is_word(self, vectors: dict[str, dict[str, list[int]]], word: int) -> bool:
        """True if a word matches a case; False if the digits cannot hold the number."""
        return self.form is not None and self.form.name in vectors[self.field] and self.word(vectors) == word

    def read(self, open_member: Callable[[str], IO[bytes]], entry: dict[str, Any]) -> Iterator[int]:
        """The words. Raises DamagedFileError."""
        name, words, count = self.name, int(entry["words"]), 0
        content = hashlib.sha256()
        head, tail = (text.decode().splitlines(keepends=True) for text in self.style.ends(self.bits, words))
        longest = max(map(len, [*head, *tail, self.style.prefix(0, words)])) + self.places + 4
        for place, line in _lines(open_member(name), name, longest):
            content.update(line.encode())
            if place <= len(head):
                if line != head[place - 1]:
                    raise DamagedFileError(f"{name}, line {place}", f"this is not {shown(head[place - 1].strip())}")
            elif count < words:
                word = self.style.word(line, count, words)
                if word is None or not re.fullmatch(f"[0-9a-f]{{{self.places}}}", word):
                    raise DamagedFileError(f"{name}, line {place}", f"this is no hexadecimal word {self.style.about}")
                yield int(word, 16)
                count += 1
            elif line not in tail[1:] or place != len(head) + words + tail.index(line, 1):
                raise DamagedFileError(f"{name}, line {place}", f"the manifest has {words} words: added to")
        if count != words:
            raise DamagedFileError(
                f"{name}, after line {len(head) + count}", f"the manifest has {words} words: cut short"
            )
        if content.hexdigest() != entry.get("sha256"):
            raise DamagedFileError(name, "the content is not what the manifest says, so a word was edited")


def _lines(stream: IO[bytes], name: str, longest: int) -> Iterator[tuple[int, str]]:
    """The lines with their numbers; one that is longer comes in parts, which are no lines of an image."""
    with stream:
        for number, line in enumerate(iter(lambda: stream.readline(longest), b""), 1):
            try:
                yield number, line.decode("ascii")
            except UnicodeDecodeError:
                raise DamagedFileError(f"{name}, line {number}", "this is no text") from None


def memory_list(vectors: VectorSet, style: ImageStyle = READMEMH) -> list[MemoryFile]:
    """The images of a set: first those of the numbers, then those of digits that hold every value."""
    multiplier, ranges = vectors.request.multiplier, vectors.group["ranges"]
    files = [MemoryFile(name, max(int(ranges[name]["bits"]), 1), None, style) for name in FIELDS if name in ranges]
    for name, form in columns(multiplier):
        if form.holds(int(ranges[name]["max"], 16)):
            files.append(MemoryFile(name, sum(form.widths), form, style))
    return files


def check(vectors: VectorSet) -> None:
    """Raises ParameterError for a set that cannot be written as these files."""
    if vectors.request.checkpoints:
        raise ParameterError("checkpoints", "memory images hold no checkpoints; json, ndjson and csv do")


def memory_files(vectors: VectorSet, style: ImageStyle = READMEMH) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Name and chunks of each image, the manifest last; each must be consumed before the next.

    The later files wait in temporary files. If these would be large, or do not fit on the disk, the set is generated
    once per file.
    """
    check(vectors)
    count = vectors.request.count
    first, *later = memory_list(vectors, style)
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
        lines = _from_start(waiting[file], file.places + 1) if file in waiting else generated(file)
        for chunk in style.written(file.bits, count, lines):
            content.update(chunk)
            yield chunk
        entries.append({**file.entry(count), "sha256": content.hexdigest()})

    with ExitStack() as stack:
        if sum(file.places + 1 for file in later) * count <= SPOOL:
            for file in later:
                waiting[file] = stack.enter_context(tempfile.SpooledTemporaryFile(SPOOL_MEMORY))
        for file in (first, *later):
            yield file.name, counted(file)
        manifest = {**vectors.head, "notes": vectors.every_note, "group": vectors.group, "files": entries}
        yield MANIFEST, iter([(dump(manifest) + "\n").encode()])


def _from_start(file: IO[bytes], line: int) -> Iterator[bytes]:
    """The file in chunks of whole lines of that many bytes."""
    file.seek(0)
    size = max(SPOOL_MEMORY // line, 1) * line
    return iter(lambda: file.read(size), b"")


def write(vectors: VectorSet, style: ImageStyle = READMEMH) -> Iterator[bytes]:
    """A tar archive of the images; sizes are known in advance, since all lines have the same length."""
    count = vectors.request.count
    sizes = {file.name: style.size(file.bits, count, file.places) for file in memory_list(vectors, style)}
    for name, chunks in memory_files(vectors, style):
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
        # A link could lead anywhere, or to itself; a file with holes could be of any size.
        stream = archive.extractfile(member) if member.isfile() and not member.issparse() else None
    except (KeyError, tarfile.TarError):
        stream = None
    if stream is None:
        raise DamagedFileError(name, "the archive does not hold it: it was cut short")
    return stream


def _read(open_member: Callable[[str], IO[bytes]]) -> VectorReader:
    """Reads memory images; they have no ids, flags and comments, so ids and flags are generated again."""
    with open_member(MANIFEST) as stream:
        head = load_json(stream)
    group = head.get("group")
    if not isinstance(group, dict):
        raise DamagedFileError(MANIFEST, "this is not the head of a vector set")
    maker = CaseMaker(document_multiplier(group))

    def entries() -> Iterator[tuple[str, Case]]:
        files = _memory_files(head, reader)
        pairs = zip(files, head["files"], strict=True)
        lines = zip(*(file.read(open_member, entry) for file, entry in pairs), strict=True)
        for number, words in enumerate(lines, files[0].style.head.count("\n") + 1):
            place = f"line {number}"
            given = {file.field: word for file, word in zip(files, words, strict=True) if file.form is None}
            case = maker.case(given["a"], given.get("b", 0), result=given["result"])
            vectors = digit_vectors(reader.multiplier, *reader.written(case, place))
            for file, word in zip(files, words, strict=True):
                if file.form is not None and not file.is_word(vectors, word):
                    raise DamagedFileError(f"{file.name}, {place}", f"these are not the digits of {file.field}")
            yield place, case

    reader = VectorReader(head, group, entries(), every_note=True)
    return reader


def _memory_files(head: dict[str, Any], reader: VectorReader) -> list[MemoryFile]:
    """The files listed in a manifest, which must be those of its set. Raises DamagedFileError."""
    entries = head.get("files")
    files = memory_list(VectorSet(reader.request), _style(entries))
    if not isinstance(entries, list) or len(entries) != len(files):
        raise DamagedFileError(MANIFEST, f"it does not list {', '.join(file.name for file in files)}")
    for file, entry in zip(files, entries, strict=True):
        if not isinstance(entry, dict):
            raise DamagedFileError(MANIFEST, f"the entry of {file.name} is no object")
        golden = {**file.entry(reader.request.count), "sha256": entry.get("sha256")}
        check_members({name: entry.get(name) for name in {**golden, **entry}}, golden, f"{MANIFEST}, {file.name}")
    return files


def _style(entries: Any) -> ImageStyle:
    """The style of the files that a manifest lists, by the extension of the first."""
    first = entries[0] if isinstance(entries, list) and entries else None
    name = first.get("name") if isinstance(first, dict) else None
    return next((style for style in STYLES.values() if str(name).endswith(f".{style.extension}")), READMEMH)


def read_folder(path: Path) -> VectorReader:
    """A vector set from a folder. Raises DamagedFileError."""
    return _read(_directory_files(path))


def read(stream: IO[bytes]) -> VectorReader:
    """A vector set from an archive, which stays open as long as its file. Raises DamagedFileError."""
    archive = _archive(stream)
    return _read(lambda name: _member(archive, name))


def _is_archive(start: bytes) -> bool:
    return start[257:262] == b"ustar"


FORMATS = [
    Format(
        style.name,
        "application/x-tar",
        "tar",
        partial(write, style=style),
        read,
        _is_archive,
        check=check,
        files=partial(memory_files, style=style),
        mark=MANIFEST,
    )
    for style in STYLES.values()
]
