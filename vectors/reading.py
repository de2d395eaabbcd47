# SPDX-License-Identifier: Apache-2.0
"""Reading back what was written, in every format; a file that was cut short or edited is refused with the place."""

import csv
import hashlib
import io
import json
import re
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import IO, Any

from refmodels.errors import ParameterError, shown
from refmodels.fp2 import SEQUENCES
from refmodels.representations import Representation
from vectors.formats import CHAIN_CSV_FIELDS, CSV_FIELDS, MANIFEST, MemoryFile, csv_fields, memory_list
from vectors.fp2 import CSV_FIELDS as FP2_CSV_FIELDS
from vectors.operands import chained
from vectors.representations import columns, digit_vectors, members
from vectors.request import CHAINED, Multiplier, VectorRequest
from vectors.sets import Case, CaseMaker, Checkpoints, Digest, VectorSet
from vectors.wire import FORMAT, dump, parse_hexadecimal


class DamagedFileError(ParameterError):
    """A document that is not as it was written; `place` says where it stops making sense."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__("file", f"{place}: {reason}")
        self.place = place


def document_multiplier(document: dict[str, Any]) -> Multiplier:
    """The multiplier a document speaks of: model, prime, radix, params and form. Raises ParameterError."""
    if document.get("format", FORMAT) != FORMAT:
        raise ParameterError("format", f"{shown(document['format'])} is not {FORMAT}")
    if document.get("model") is None:
        raise ParameterError("model", "the document does not say it")
    if "prime" not in document:
        raise ParameterError("prime", "the document does not say it")
    prime = document["prime"]
    if isinstance(prime, dict):
        prime = prime.get("modulus", prime.get("name"))
    if not isinstance(document["model"], str):
        raise ParameterError("model", f"it is written as the id of a model, not {shown(document['model'])}")
    if prime is not None and type(prime) not in (str, int):
        raise ParameterError("prime", "it is written as a name, an expression or an object with the modulus")
    params = document.get("params") or {}
    if not isinstance(params, dict) or not all(type(v) in (str, int) for v in params.values()):
        raise ParameterError("params", "it is written as an object of names and integers")
    settings: dict[str, str | int] = dict(params)
    for key in ("radix", "form"):
        if (value := document.get(key)) is not None:
            if type(value) not in (str, int):
                raise ParameterError(key, f"it is written as text or as an integer, not {shown(value)}")
            settings[key] = value
    multiplier = Multiplier.resolve(document["model"], prime, settings)
    if isinstance(document["prime"], dict) and document["prime"].get("name") not in (None, multiplier.modulus.name):
        # Two catalogue names may share a modulus: keep the one that the document uses.
        named = Multiplier.resolve(document["model"], document["prime"]["name"], settings)
        if named.modulus.modulus != multiplier.modulus.modulus:
            raise ParameterError("prime", f"{shown(named.modulus.name)} has another modulus than the one beside it")
        return named
    return multiplier


def parse_case(entry: Any, place: str, others: bool = False, unary: bool = False) -> Case:
    """A case from its JSON object, which may have members of others where told so. Raises DamagedFileError.

    A chain is known by its checkpoints, or by being told that there is no b; its b is 0.
    """
    if not isinstance(entry, dict):
        raise DamagedFileError(place, "it is no object")
    unary = unary or "checkpoints" in entry
    known = CHAIN_CSV_FIELDS if unary else CSV_FIELDS
    missing = [field for field in ("a", "b", "result") if field not in entry and field in known]
    if missing:
        raise DamagedFileError(place, f"it has no {missing[0]}")
    surplus = [field for field in entry if field not in known]
    if surplus and not others:
        raise DamagedFileError(place, f"a case has no member {shown(surplus[0])}")
    a, result, residue = (
        parse_hexadecimal(entry[field], f"{place}, {field}") if field in entry else -1
        for field in ("a", "result", "residue")
    )
    b = 0 if unary else parse_hexadecimal(entry["b"], f"{place}, b")
    flags = entry.get("flags", [])
    if not isinstance(flags, list):
        raise DamagedFileError(place, "flags is no list")
    return Case(
        _text(entry.get("id", ""), f"{place}, id"), a, b, result, residue,
        tuple(_text(flag, f"{place}, flags") for flag in flags), _text(entry.get("comment", ""), f"{place}, comment"),
        _parse_checkpoints(entry.get("checkpoints", []), place) if unary else None,
    )  # fmt: skip


def _parse_checkpoints(entries: Any, place: str) -> Checkpoints:
    """Checkpoints from their JSON. Raises DamagedFileError."""
    if not isinstance(entries, list):
        raise DamagedFileError(place, "checkpoints is no list")
    for entry in entries:
        if not isinstance(entry, list) or len(entry) != 2 or not isinstance(entry[0], int):
            raise DamagedFileError(place, f"the checkpoint {shown(entry)} is not [links, value]")
    return tuple((links, parse_hexadecimal(value, f"{place}, checkpoint {links}")) for links, value in entries)


def _text(value: Any, place: str) -> str:
    """Text from a document, without the lone surrogates that JSON can smuggle in and no output takes.

    Raises DamagedFileError.
    """
    if not isinstance(value, str):
        raise DamagedFileError(place, f"{shown(value)} is no text")
    return value.encode(errors="replace").decode()


def check_members(seen: dict[str, Any], golden: dict[str, Any], place: str) -> None:
    """Raises DamagedFileError when a member is not one of `golden`, or has another value than there."""
    for name, value in seen.items():
        if name not in golden:
            raise DamagedFileError(place, f"it has no member {shown(name)}")
        if dump(value) != dump(golden[name]):
            member, found, wanted = _innermost(name, value, golden[name])
            raise DamagedFileError(place, f"{member} is {found[:80]}, and {wanted[:80]} belongs there")


def _innermost(name: str, seen: Any, golden: Any) -> tuple[str, str, str]:
    """Where two values begin to differ, as a path, and what stands there in either."""
    parts: list[tuple[str, Any, Any]] = []
    if isinstance(seen, dict) and isinstance(golden, dict) and seen.keys() == golden.keys():
        parts = [(f"{name}.{key}", seen[key], value) for key, value in golden.items()]
    elif isinstance(seen, list) and isinstance(golden, list) and len(seen) == len(golden):
        parts = [(f"{name}[{k}]", *pair) for k, pair in enumerate(zip(seen, golden, strict=True))]
    for part in parts:
        if dump(part[1]) != dump(part[2]):
            return _innermost(*part)
    return name, dump(seen), dump(golden)


_CONTENT = ("testGroups", "tests", "digest", "group", "files")
"""Members of a vector set that are not its head."""


class _StatedSet(VectorSet):
    """A set whose R and constants are those that a file states, right or wrong. Raises ParameterError for no number."""

    def __init__(self, request: VectorRequest, group: dict[str, Any]) -> None:
        super().__init__(request)
        self._stated = group

    @property
    def group(self) -> dict[str, Any]:
        group = super().group
        for name, own in (("domain", ("R",)), ("constants", group["constants"])):
            golden, stated = group[name], self._stated.get(name)
            if isinstance(golden, dict) and isinstance(stated, dict):
                for member in own:
                    if member not in stated:
                        raise DamagedFileError(name, f"{member} is missing")
                    parse_hexadecimal(stated.get(member), f"{name}, {member}")
                group[name] = {**golden, **{member: stated[member] for member in own}}
        return group


class VectorReader:
    """A vector set from a file: `head` and `group`, then `cases()` once, which checks structure, ids and count.

    R and the constants in `group` are as the file states them. Whether they and the results are right is for
    `vectors.verify` to say, which asks our models, and for `vectors.certificate`, which asks SageMath.
    """

    def __init__(self, head: dict[str, Any], group: dict[str, Any], entries: Iterator[tuple[str, Case]]) -> None:
        self.multiplier = document_multiplier(group)
        self.request = VectorRequest.resolve(
            self.multiplier, head.get("numberOfTests", 0), head.get("seed", 0), head.get("kind", "mixed"),
            checkpoints=head.get("checkpoints", 0),
        )  # fmt: skip
        vectors = _StatedSet(self.request, group)
        golden = {**vectors.head, **vectors.group}
        seen = {name: value for name, value in {**head, **group}.items() if name not in _CONTENT}
        check_members(seen, golden, "head")
        for name in golden:
            if name not in seen:
                raise DamagedFileError("head", f"{name} is missing")
        self.head, self.group = vectors.head, vectors.group
        self._entries = entries
        self._digest = Digest(vectors)
        self._maker = CaseMaker(self.multiplier)
        self._links = chained(self.multiplier, self.request.seed) if self.request.kind == CHAINED else None
        self.written_digest: str | None = None

    def check_constants(self) -> None:
        """Raises DamagedFileError when R or a constant is not that of our model."""
        check_members(self.group, VectorSet(self.request).group, "head")

    def cases(self) -> Iterator[tuple[str, Case]]:
        """(place, case) of every case. Raises DamagedFileError at the first one that cannot be as it was written."""
        count = 0
        for place, case in self._entries:
            if case.id != self._maker.case_id(case.a, case.b):
                raise DamagedFileError(
                    place, f"the id {shown(case.id)} is not that of these operands: they were edited"
                )
            if [links for links, _ in case.checkpoints or ()] != self.request.checkpoint_indices:
                raise DamagedFileError(place, "the checkpoints are not after as many squarings as the head says")
            self._digest.add(case.line())
            count += 1
            yield place, case
        if count != self.request.count:
            raise DamagedFileError(
                f"after case {count}", f"the set has {self.request.count} cases: the file was cut short or added to"
            )

    def case(self, entry: Any, place: str) -> Case:
        """The next case from its JSON object. Raises DamagedFileError, for digits that are not those of its numbers
        too."""
        rest = {name: value for name, value in entry.items() if name != "digits"} if isinstance(entry, dict) else entry
        case = parse_case(rest, place)
        written = self.written(case, place)
        if rest != entry and min(case[1:4]) >= 0:
            check_members({"digits": entry["digits"]}, members(self.multiplier, *written), place)
        return case

    def written(self, case: Case, place: str) -> tuple[int, int, int]:
        """a, b and result of the next case, written as digits where they have digits of their own.

        Raises DamagedFileError for a case of a chain that is not the next one.
        """
        if self._links is None:
            return case.a, case.b, case.result
        link = next(self._links)
        if (link.a, link.b) != (case.a, case.b):
            raise DamagedFileError(place, "its operands are not the results before it: something was edited")
        return link.a, link.b, link.result if link.result == case.result else case.result

    def check_digest(self) -> None:
        """Raises DamagedFileError when something was edited that no other check sees, a comment for example."""
        if self.written_digest not in (None, self._digest.text()):
            raise DamagedFileError("digest", "the content is not what was written: something was edited")


@contextmanager
def open_vectors(path: Path) -> Iterator[VectorReader]:
    """A vector set in any of the formats. Raises DamagedFileError, or ParameterError when there is no such file."""
    if path.is_dir():
        yield _read_memory(_directory_files(path))
        return
    with open_file(path) as stream:
        start = stream.read(512)
        stream.seek(0)
        if start[257:262] == b"ustar":
            with _archive(stream) as archive:
                yield _read_memory(lambda name: _member(archive, name))
        elif start.startswith(b"# "):
            yield _read_csv(stream)
        elif b'"group":' in stream.readline():
            stream.seek(0)
            yield _read_ndjson(stream)
        else:
            stream.seek(0)
            yield read_document(load_json(stream))


@contextmanager
def open_file(path: Path) -> Iterator[BufferedReader]:
    """A file for reading; raises ParameterError("file") when it cannot be opened."""
    if path.exists() and not path.is_file():
        raise ParameterError("file", f"{path} is no regular file, and is read more than once")
    try:
        stream = path.open("rb")
    except OSError as error:
        raise ParameterError("file", f"{path} cannot be read: {error.strerror}") from None
    with stream:
        yield stream


def load_json(stream: IO[bytes]) -> dict[str, Any]:
    """A JSON document. Raises DamagedFileError with line and column."""
    try:
        document = json.load(stream)
    except json.JSONDecodeError as error:
        raise DamagedFileError(
            f"line {error.lineno}, column {error.colno}", "this is no JSON: the file was cut short or edited"
        ) from None
    except (UnicodeDecodeError, RecursionError, ValueError):
        raise DamagedFileError("the file", "this is no JSON text") from None
    if not isinstance(document, dict):
        raise DamagedFileError("the document", "it is no JSON object")
    return document


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


def _object(text: str, place: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise DamagedFileError(place, "this is no JSON: the file was cut short or edited") from None
    if not isinstance(value, dict):
        raise DamagedFileError(place, "it is no JSON object")
    return value


def _lines(stream: IO[bytes]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(stream, 1):
        try:
            yield number, line.decode()
        except UnicodeDecodeError:
            raise DamagedFileError(f"line {number}", "this is no text") from None


def _head(lines: Iterator[tuple[int, str]], prefix: str) -> dict[str, Any]:
    _, line = next(lines, (0, ""))
    head = _object(line.removeprefix(prefix), "line 1")
    if not isinstance(head.get("group"), dict):
        raise DamagedFileError("line 1", "this is not the head of a vector set")
    if "files" in head:
        raise DamagedFileError("line 1", "this is the manifest of memory files: the set is the folder that it is in")
    return head


def _until_end(
    lines: Iterator[tuple[int, str]], prefix: str, reader: Callable[[], VectorReader]
) -> Iterator[tuple[int, str]]:
    """Lines up to the end line; what it says is noted. Raises DamagedFileError when it is missing or not the last."""
    number = 1
    for number, line in lines:
        if line.startswith(prefix + '{"end"'):
            end = _object(line.removeprefix(prefix), f"line {number}")
            if end.get("end") != reader().request.count:
                raise DamagedFileError(f"line {number}", f"the end is that of a set of {shown(end.get('end'))} cases")
            reader().written_digest = str(end.get("digest"))
            if next(lines, None) is not None:
                raise DamagedFileError(f"line {number + 1}", "something follows the end of the set")
            return
        yield number, line
    raise DamagedFileError(f"after line {number}", "the end of the set is missing: the file was cut short")


def _read_ndjson(stream: IO[bytes]) -> VectorReader:
    lines = _lines(stream)
    head = _head(lines, "")

    def entries() -> Iterator[tuple[str, Case]]:
        for number, line in _until_end(lines, "", lambda: reader):
            place = f"line {number}"
            yield place, reader.case(_object(line, place), place)

    reader = VectorReader(head, head["group"], entries())
    return reader


def _read_csv(stream: IO[bytes]) -> VectorReader:
    lines = _lines(stream)
    head = _head(lines, "# ")
    _, names = next(lines, (0, ""))
    multiplier = document_multiplier(head["group"])
    fields, of_digits = csv_fields(multiplier), columns(multiplier)
    if csv_row(names, "line 2") != fields:
        raise DamagedFileError("line 2", f"the columns are not {','.join(fields)}")

    def entries() -> Iterator[tuple[str, Case]]:
        for number, line in _until_end(lines, "# ", lambda: reader):
            place = f"line {number}"
            row = csv_row(line, place)
            if len(row) != len(fields) or not line.endswith("\n"):
                raise DamagedFileError(place, f"it has {len(row)} fields of {len(fields)}: cut short or edited")
            cells = len(fields) - len(of_digits)
            entry: dict[str, Any] = dict(zip(fields[:cells], row[:cells], strict=True))
            entry["flags"] = entry["flags"].split()
            if "checkpoints" in entry:
                entry["checkpoints"] = [_csv_checkpoint(cell, place) for cell in entry["checkpoints"].split()]
            if of_digits:
                entry["digits"] = _csv_digits(of_digits, row[cells:])
            yield place, reader.case(entry, place)

    reader = VectorReader(head, head["group"], entries())
    return reader


def _csv_digits(of_digits: list[tuple[str, Representation]], row: list[str]) -> dict[str, dict[str, list[str]]]:
    """The member `digits` of a case from its cells."""
    found: dict[str, dict[str, list[str]]] = {field: {} for field, _ in of_digits}
    for (field, form), cell in zip(of_digits, row, strict=True):
        if cell:
            found[field][form.name] = cell.split(" ")
    return found


def _csv_checkpoint(cell: str, place: str) -> list[Any]:
    links, separator, value = cell.partition(":")
    if not separator or not links.isdecimal():
        raise DamagedFileError(place, f"the checkpoint {shown(cell)} is not LINKS:VALUE")
    return [int(links), value]


def csv_row(line: str, place: str) -> list[str]:
    """The fields of one line of CSV. Raises DamagedFileError."""
    try:
        return next(csv.reader([line]))
    except (csv.Error, StopIteration):
        raise DamagedFileError(place, "this is no row of CSV") from None


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


def _read_memory(open_member: Callable[[str], IO[bytes]]) -> VectorReader:
    """The `$readmemh` files; ids, flags and comments are not in them, so ids and flags are made anew."""
    with open_member(MANIFEST) as stream:
        head = load_json(stream)
    group = head.get("group")
    if not isinstance(group, dict):
        raise DamagedFileError(MANIFEST, "this is not the head of a vector set")
    maker = CaseMaker(document_multiplier(group))

    def entries() -> Iterator[tuple[str, Case]]:
        files = _memory_files(head, reader)
        lines = zip(*(_words(open_member, entry) for entry in head["files"]), strict=True)
        for number, words in enumerate(lines, 1):
            place = f"line {number}"
            given = {file.field: word for file, word in zip(files, words, strict=True) if file.form is None}
            case = maker.case(given["a"], given.get("b", 0), result=given["result"])
            vectors = digit_vectors(reader.multiplier, *reader.written(case, place))
            for file, word in zip(files, words, strict=True):
                if file.form is not None and file.word(vectors) != word:
                    raise DamagedFileError(f"{file.name}, {place}", f"these are not the digits of {file.field}")
            yield place, case

    reader = VectorReader(head, group, entries())
    return reader


def _memory_files(head: dict[str, Any], reader: VectorReader) -> list[MemoryFile]:
    """The files that a manifest lists, which must be those of its set. Raises DamagedFileError."""
    entries, files = head.get("files"), memory_list(VectorSet(reader.request))
    if not isinstance(entries, list) or len(entries) != len(files):
        raise DamagedFileError(MANIFEST, f"it does not list {', '.join(file.name for file in files)}")
    for file, entry in zip(files, entries, strict=True):
        if not isinstance(entry, dict):
            raise DamagedFileError(MANIFEST, f"the entry of {file.name} is no object")
        golden = {**file.entry(reader.request.count), "sha256": entry.get("sha256")}
        check_members({name: entry.get(name) for name in {**golden, **entry}}, golden, f"{MANIFEST}, {file.name}")
    return files


def _words(open_member: Callable[[str], IO[bytes]], entry: dict[str, Any]) -> Iterator[int]:
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


def check_head(document: dict[str, Any], golden: dict[str, Any], content: tuple[str, ...]) -> None:
    """What a document says of itself, beyond its `content`, must be true; it need not say all.

    What names the multiplier may be written in other ways than ours: whoever resolved it has seen to it.
    """
    seen = {name: value for name, value in document.items() if name not in content}
    if isinstance(seen.get("constants"), dict):
        check_members(seen.pop("constants"), golden["constants"], "constants")
    if isinstance(prime := seen.get("prime"), dict):
        said = {name: value for name, value in prime.items() if name != "modulus" and (name, value) != ("name", None)}
        check_members(said, golden["prime"], "prime")
    check_members(seen, {**golden, **{name: seen.get(name) for name in _RESOLVED}}, "the document")


_RESOLVED = ("format", "model", "core", "form", "prime", "radix", "params")
"""Members by which a document names its multiplier."""


def table_document(first: bytes, content: bytes) -> dict[str, Any]:
    """The JSON document that a trace, a cycle table or cases in GF(p^2) in CSV stand for. Raises DamagedFileError."""
    try:
        lines = content.decode().removesuffix("\n").split("\n")
    except UnicodeDecodeError:
        raise DamagedFileError("the file", "this is no text") from None
    document = load_json(io.BytesIO(first.removeprefix(b"# ")))
    if len(lines) < 3 or not content.endswith(b"\n") or not lines[-1].startswith('# {"end"'):
        raise DamagedFileError(f"after line {len(lines)}", "the end of the table is missing: the file was cut short")
    body = [csv_row(line, f"line {number}") for number, line in enumerate(lines[2:-1], 3)]
    end = load_json(io.BytesIO(lines[-1].removeprefix("# ").encode()))
    if end != {"end": len(body)}:
        raise DamagedFileError(f"line {len(lines)}", f"it says {shown(end)}, and {len(body)} rows are here")
    if "core" in document:
        return {**document, "rows": list(_csv_cells(lines[1], body, document))}
    if "sequence" in document:
        return {**document, "tests": _csv_extension(lines[1], body, document)}
    return {**document, "steps": list(_csv_steps(lines[1], body))}


def _csv_cells(names: str, body: list[list[str]], document: dict[str, Any]) -> Iterator[list[str | None]]:
    columns = document.get("columns")
    known = [entry.get("name") for entry in columns if isinstance(entry, dict)] if isinstance(columns, list) else []
    if names.split(",") != ["cycle", *known]:
        raise DamagedFileError("line 2", "the names are not those of the columns")
    first_cycle = document.get("first_cycle")
    for number, row in enumerate(body):
        if not isinstance(first_cycle, int) or row[:1] != [str(first_cycle + number)]:
            raise DamagedFileError(f"line {number + 3}", "this is not the row of the next cycle")
        yield [cell or None for cell in row[1:]]


def _csv_steps(names: str, body: list[list[str]]) -> Iterator[list[Any]]:
    if names != "name,index,value":
        raise DamagedFileError("line 2", "the columns are not name,index,value")
    for number, row in enumerate(body, 3):
        if len(row) != 3 or not re.fullmatch(r"(-?[0-9]{1,9}( -?[0-9]{1,9})*)?", row[1]):
            raise DamagedFileError(f"line {number}", "a row has a name, subscripts and a value")
        yield [row[0], [int(k) for k in row[1].split()], row[2]]


def _csv_extension(names: str, body: list[list[str]], document: dict[str, Any]) -> list[dict[str, Any]]:
    """Cases in GF(p^2) from their operations: elements are the operands that the sequence calls a0, a1, b0 and b1."""
    if names != ",".join(FP2_CSV_FIELDS):
        raise DamagedFileError("line 2", f"the columns are not {','.join(FP2_CSV_FIELDS)}")
    operations = SEQUENCES.get(str(document.get("op")))
    if operations is None:
        raise DamagedFileError("head", f"op is none of {', '.join(SEQUENCES)}")
    tests = []
    for at in range(0, len(body), len(operations)):
        rows = body[at : at + len(operations)]
        if [row[1:3] for row in rows] != [[operation.name, operation.kind] for operation in operations]:
            raise DamagedFileError(f"line {at + 3}", "here a case begins, and these are not its operations")
        if any(len(row) != len(FP2_CSV_FIELDS) or row[0] != rows[0][0] for row in rows):
            raise DamagedFileError(f"line {at + 3}", "a row has 8 fields, and all rows of a case its id")
        values: dict[str, str] = {}
        for operation, (_, name, _, x, y, _, value, _) in zip(operations, rows, strict=True):
            for symbol, stated in ((operation.x, x), (operation.y, y)):
                values.setdefault(symbol, stated)
            values[name] = value
        second = {} if document["op"] == "sqr" else {"b": [values["b0"], values["b1"]]}
        tests.append({
            "id": rows[0][0], "a": [values["a0"], values["a1"]], **second, "result": [values["c0"], values["c1"]],
            "operations": [{key: text for key, text in zip(FP2_CSV_FIELDS[1:], row[1:], strict=True) if text}
                           for row in rows],
        })  # fmt: skip
    return tests
