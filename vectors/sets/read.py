# SPDX-License-Identifier: Apache-2.0
"""Reading back a vector set: common parts of the formats, and the checks of a case."""

import json
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import IO, Any

from limbtrace.refmodels.errors import shown
from limbtrace.vectors.encoding import parse_hexadecimal
from limbtrace.vectors.operands import Link, chained
from limbtrace.vectors.representations import digits_member
from limbtrace.vectors.request import CHAINED, VectorRequest
from limbtrace.vectors.sets.cases import NOTES, Case, CaseMaker
from limbtrace.vectors.sets.document import CaseShape, SeenShape, ShardShape
from limbtrace.vectors.sets.grade import Grade
from limbtrace.vectors.sets.vector_set import Digest, VectorSet
from limbtrace.vectors.validation import DamagedFileError, check_members, document_multiplier, shaped

MAX_LINE = 1 << 26
"""Bytes of a line that is read."""


def parse_case(entry: Any, place: str) -> Case:
    """A case from its JSON object; the digest reveals missing empty members. Raises DamagedFileError."""
    if isinstance(entry, dict):
        entry = {"id": "", "residue": "-0x1", "flags": [], "comment": "", **entry}
    found = shaped(CaseShape, entry, place, closed="a case")
    if found.b is not None and found.checkpoints is not None:
        raise DamagedFileError(place, f"a case has no member {shown('b')}")
    return as_case(found, place, False)


def as_case(found: CaseShape | SeenShape, place: str, unary: bool) -> Case:
    """A case as given in a document; the residue is -1 if the document gives none. Raises DamagedFileError.

    A chain is recognised by its checkpoints or by an explicit missing b; its b is 0.
    """
    chain = unary or found.checkpoints is not None
    if found.b is None and not chain:
        raise DamagedFileError(place, "it has no b")
    texts = found.a, found.b or "0x0", found.result, found.residue or "-0x1"
    a, b, result, residue = (int(text, 16) for text in texts)
    points = tuple((links, int(value, 16)) for links, value in found.checkpoints or ()) if chain else None
    flags, comment = (found.flags, found.comment) if isinstance(found, CaseShape) else ((), "")
    return Case(found.id, a, 0 if chain else b, result, residue, tuple(flags), comment, points)


_CONTENT = ("testGroups", "tests", "digest", "group", "files")
"""Members of a vector set that do not belong to its head."""


class _StatedSet(VectorSet):
    """A set with the R and constants stated in a file, right or wrong. Raises ParameterError if one is not a number."""

    def __init__(self, request: VectorRequest, head: dict[str, Any], group: dict[str, Any], every_note: bool) -> None:
        grade = head.get("grade")
        if grade is not None:
            shaped(Grade, grade, "grade")
        super().__init__(request, grade=None if grade is None else lambda _: grade)
        self._stated, self._stated_notes = group, None if every_note else head.get("notes")

    @cached_property
    def notes(self) -> dict[str, str]:
        """All notes, or the file's, if those of events are some of ours: which of them a set has, its digest says."""
        every, stated = self.every_note, self._stated_notes
        if (
            not isinstance(stated, dict)
            or not {*NOTES} <= {*stated}
            or any(every.get(name) != text for name, text in stated.items())
        ):
            return every
        return {name: text for name, text in every.items() if name in stated}

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

    R and the constants in `group` are as stated in the file. `vectors.verify` checks them and the results with our
    models, `vectors.certificate` with SageMath.
    """

    def __init__(
        self,
        head: dict[str, Any],
        group: dict[str, Any],
        entries: Iterator[tuple[str, Case]],
        every_note: bool = False,
    ) -> None:
        """`every_note`: of a format whose heads have all notes, as nothing else would show that some were removed."""
        self.multiplier = document_multiplier(group)
        shard = None if "shard" not in head else shaped(ShardShape, head["shard"], "shard")
        self.request = VectorRequest.resolve(
            self.multiplier, shard.cases if shard else head.get("numberOfTests", 0), head.get("seed", 0),
            head.get("kind", "mixed"), checkpoints=head.get("checkpoints", 0),
            shard=f"{shard.part}/{shard.parts}" if shard else None,
        )  # fmt: skip
        self.vectors: VectorSet = _StatedSet(self.request, head, group, every_note)
        """The set of that request, with R and the constants as stated."""
        vectors = self.vectors
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
        self._link: Link | None = None
        self.written_digest: str | None = None

    def check_constants(self) -> None:
        """Raises DamagedFileError if R or a constant differs from that of our model."""
        check_members(self.group, VectorSet(self.request).group, "head")

    def cases(self) -> Iterator[tuple[str, Case]]:
        """(place, case) of every case, operands that are results with their digits.

        Raises DamagedFileError at the first inconsistent case.
        """
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
            if count > self.request.count:
                break
            yield place, case if self._link is None else case._replace(a=self._link.a, b=self._link.b)
        if count != self.request.count:
            raise DamagedFileError(
                f"after case {count}", f"the set has {self.request.count} cases: the file was cut short or added to"
            )

    def case(self, entry: Any, place: str) -> Case:
        """The next case from its JSON object. Raises DamagedFileError, also for digits of other numbers."""
        rest = {name: value for name, value in entry.items() if name != "digits"} if isinstance(entry, dict) else entry
        case = parse_case(rest, place)
        written = self.written(case, place)
        if rest != entry and min(case[1:4]) >= 0:
            check_members({"digits": entry["digits"]}, digits_member(self.multiplier, *written), place)
        return case

    def written(self, case: Case, place: str) -> tuple[int, int, int]:
        """a, b and result of the next case, as digits if they do not follow from the integers.

        Raises DamagedFileError for a case of a chain that does not continue the chain.
        """
        if self._links is None:
            return case.a, case.b, case.result
        link = self._link = next(self._links)
        if (link.a, link.b) != (case.a, case.b):
            raise DamagedFileError(place, "its operands are not the results before it: something was edited")
        return link.a, link.b, link.result if link.result == case.result else case.result

    def check_digest(self) -> None:
        """Raises DamagedFileError if something was edited that no other check covers, for example a comment."""
        if self.written_digest not in (None, self._digest.text()):
            raise DamagedFileError("digest", "the content is not what was written: something was edited")


def json_object(text: str, place: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise DamagedFileError(place, "this is no JSON: the file was cut short or edited") from None
    if not isinstance(value, dict):
        raise DamagedFileError(place, "it is no JSON object")
    return value


def text_lines(stream: IO[bytes]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(iter(lambda: stream.readline(MAX_LINE + 1), b""), 1):
        if len(line) > MAX_LINE:
            raise DamagedFileError(f"line {number}", f"it has more than {MAX_LINE} bytes")
        try:
            yield number, line.decode()
        except UnicodeDecodeError:
            raise DamagedFileError(f"line {number}", "this is no text") from None


def read_head(lines: Iterator[tuple[int, str]], prefix: str) -> dict[str, Any]:
    _, line = next(lines, (0, ""))
    head = json_object(line.removeprefix(prefix), "line 1")
    if not isinstance(head.get("group"), dict):
        raise DamagedFileError("line 1", "this is not the head of a vector set")
    if "files" in head:
        raise DamagedFileError("line 1", "this is the manifest of memory files: the set is the folder that it is in")
    return head


def until_end(
    lines: Iterator[tuple[int, str]], prefix: str, reader: Callable[[], VectorReader]
) -> Iterator[tuple[int, str]]:
    """Lines up to the end line, which is recorded. Raises DamagedFileError if it is missing or not the last line."""
    number = 1
    for number, line in lines:
        if line.startswith(prefix + '{"end"'):
            end = json_object(line.removeprefix(prefix), f"line {number}")
            if end.get("end") != reader().request.count:
                raise DamagedFileError(f"line {number}", f"the end is that of a set of {shown(end.get('end'))} cases")
            reader().written_digest = str(end.get("digest"))
            if next(lines, None) is not None:
                raise DamagedFileError(f"line {number + 1}", "something follows the end of the set")
            return
        yield number, line
    raise DamagedFileError(f"after line {number}", "the end of the set is missing: the file was cut short")
