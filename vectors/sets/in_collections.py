# SPDX-License-Identifier: Apache-2.0
"""A vector set in the form of public collections of test vectors: Wycheproof, Rooterberg, and ACVP of NIST.

Numbers are hexadecimal, of whole bytes, high byte first, and the first bit is 0, as for signed integers. These
collections have no arithmetic of this kind, so names of types and members are ours. Our head is a text where their form
has room for documentation.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.format import Format, json_with
from limbtrace.vectors.sets.cases import Case, CaseMaker
from limbtrace.vectors.sets.read import VectorReader, json_object
from limbtrace.vectors.sets.vector_set import Digest, VectorSet
from limbtrace.vectors.validation import DamagedFileError, check_members, document_multiplier

_TYPE = "ModularMultiplication"
_SAID = "Written by limbtrace, whose head and digest follow."
_MEMBERS = {"a": "a", "b": "b", "result": "output"}
"""Names of numbers; `result` says whether a case is valid in Wycheproof."""
_NUMBER = re.compile(r"(?:[0-9a-f]{2})+")


def whole_bytes(value: int) -> str:
    """A number >= 0 in whole bytes, of which the first bit is 0."""
    return value.to_bytes(value.bit_length() // 8 + 1, "big").hex()


def check(vectors: VectorSet) -> None:
    """Raises ParameterError for checkpoints of chains."""
    if vectors.request.checkpoints:
        raise ParameterError("checkpoints", "this form has no room for them; json, ndjson and csv have")


@dataclass(frozen=True)
class Collection:
    """The form of one collection."""

    opening: Callable[[VectorSet], dict[str, Any]]
    """The document up to its cases; the last list in it is that of the cases, which is empty."""
    closing: Callable[[str, str], str]
    """(our head as a text, digest) -> the document behind the list of its cases."""
    opened: str
    """Brackets that end `opening` behind the empty list, and are not written."""
    verdict: dict[str, Any]
    """Members of each case that say that it is valid."""
    begins: bytes
    found: Callable[[Any], tuple[str, str, Any]]
    """(the document) -> our head as a text, the digest, and the list of the cases. Raises KeyError and the like."""

    def write(self, vectors: VectorSet) -> Iterator[bytes]:
        """The chunks of the document."""
        digest = Digest(vectors)
        opening: Any = self.opening(vectors)
        text = dump(opening)
        yield text[: len(text) - len(self.opened) - 1].encode() + b"\n"
        held = ""
        named = [name for name in ("a", "b", "result") if name in vectors.request.multiplier.model.operands]
        for number, case in enumerate(vectors.cases(), 1):
            digest.add(case.line())
            vectors.made = number
            numbers = {_MEMBERS[name]: whole_bytes(int(getattr(case, name))) for name in named}
            entry = {
                "tcId": number,
                "comment": case.comment,
                "flags": [*case.flags],
                **numbers,
                **self.verdict,
            }
            yield held.encode()
            held = dump(entry) + ",\n"
        yield (held.removesuffix(",\n") + "\n" + self.closing(_head_of(vectors), digest.text()) + "\n").encode()

    def _around(self, vectors: VectorSet, digest: str) -> Any:
        """The document without its cases."""
        opening = dump(self.opening(vectors))
        return json.loads(opening[: len(opening) - len(self.opened) - 1] + self.closing(_head_of(vectors), digest))

    def read(self, stream: IO[bytes]) -> VectorReader:
        """A vector set from a file; ids and residues follow from the numbers. Raises DamagedFileError."""
        try:
            document = json.loads(stream.read())
            text, digest, tests = self.found(document)
        except (ValueError, KeyError, IndexError, TypeError, RecursionError):
            raise DamagedFileError("the file", "it is not what was written: it was cut short or edited") from None
        if not isinstance(text, str) or not isinstance(tests, list):
            raise DamagedFileError("the file", "it has no head of limbtrace, or no list of cases")
        head = json_object(text, "the head")
        if not isinstance(group := head.get("group"), dict):
            raise DamagedFileError("the head", "this is not the head of a vector set")
        maker = CaseMaker(document_multiplier(group))
        tests, listed = [*tests], tests

        def entries() -> Iterator[tuple[str, Case]]:
            for number, entry in enumerate(tests, 1):
                place = f"test case {number}"
                case = self._case(maker, entry, number, place)
                reader.written(case, place)
                yield place, case

        reader = VectorReader(head, group, entries())
        reader.written_digest = digest
        listed.clear()
        check_members({"document": document}, {"document": self._around(reader.vectors, digest)}, "the file")
        return reader

    def _case(self, maker: CaseMaker, entry: Any, number: int, place: str) -> Case:
        m = maker.multiplier
        named = [_MEMBERS[name] for name in ("a", "b", "result") if name in m.model.operands]
        members = {"tcId", "comment", "flags", *named, *self.verdict}
        if not isinstance(entry, dict) or {*entry} != members:
            raise DamagedFileError(place, f"it has other members than {', '.join(sorted(members))}")
        stated = {name: entry[name] for name in ("tcId", *self.verdict)}
        if stated != {"tcId": number, **self.verdict}:
            raise DamagedFileError(place, f"it says {dump(stated)}: something was edited")
        texts = [*(entry[name] for name in named), entry["comment"]]
        flags = entry["flags"]
        if not isinstance(flags, list) or not all(isinstance(text, str) for text in (*texts, *flags)):
            raise DamagedFileError(place, "its members are not texts")
        numbers = [int(entry[name], 16) if _NUMBER.fullmatch(entry[name]) else 0 for name in named]
        if [whole_bytes(value) for value in numbers] != [entry[name] for name in named]:
            raise DamagedFileError(place, "its numbers are not hexadecimal, of whole bytes, with a first bit of 0")
        a, *b, result = numbers
        other = b[0] if b else 0
        points = None if m.model.chain is None else ()
        return Case(
            maker.case_id(a, other), a, other, result, m.residue(result), tuple(flags), entry["comment"], points
        )


def _head_of(vectors: VectorSet) -> str:
    return dump({**vectors.head, "group": vectors.group})


def _domain(vectors: VectorSet) -> dict[str, str]:
    """Modulus and R, as far as there are some."""
    params = vectors.request.multiplier.params
    modulus = vectors.request.multiplier.modulus.modulus
    found = {"modulus": whole_bytes(int(modulus))} if modulus else {}
    return found if params.domain is None else {**found, "R": whole_bytes(int(params.domain))}


def _wycheproof(vectors: VectorSet) -> dict[str, Any]:
    notes = {name: {"bugType": "EDGE_CASE", "description": text} for name, text in vectors.notes.items()}
    source = {"name": "limbtrace", "version": "1"}
    group = {"type": f"{_TYPE}Test", "source": source, "model": vectors.request.multiplier.model.id}
    return {
        "algorithm": _TYPE,
        "schema": "modular_multiplication_test_schema.json",
        "numberOfTests": vectors.request.count,
        "notes": notes,
        "testGroups": [{**group, **_domain(vectors), "tests": []}],
    }


WYCHEPROOF = Collection(
    _wycheproof,
    lambda head, digest: f']}}],"header":{dump([_SAID, head, digest])}}}',
    "}]}",
    {"result": "valid"},
    f'{{"algorithm":"{_TYPE}",'.encode(),
    lambda document: (document["header"][1], document["header"][2], document["testGroups"][0]["tests"]),
)


def _rooterberg(vectors: VectorSet) -> dict[str, Any]:
    algorithm = {"algorithmType": _TYPE, "primitive": vectors.request.multiplier.model.id, **_domain(vectors)}
    return {
        "testType": _TYPE,
        "algorithm": algorithm,
        "version": "1",
        "numTests": vectors.request.count,
        "references": [],
        "notes": {name: {"type": "EDGE_CASE", "desc": text} for name, text in vectors.notes.items()},
        "tests": [],
    }


ROOTERBERG = Collection(
    _rooterberg,
    lambda head, digest: f'],"description":{dump([_SAID, head, digest])}}}',
    "}",
    {"valid": True},
    f'{{"testType":"{_TYPE}",'.encode(),
    lambda document: (document["description"][1], document["description"][2], document["tests"]),
)


def _acvp(vectors: VectorSet) -> Any:
    group = {"tgId": 1, "testType": "AFT", **_domain(vectors), "tests": []}
    model = vectors.request.multiplier.model.id
    suite = {"vsId": 0, "algorithm": _TYPE, "mode": model, "revision": "1.0", "isSample": True, "testGroups": [group]}
    return [{"acvVersion": "1.0", "generator": "limbtrace"}, suite]


ACVP = Collection(
    _acvp,
    lambda head, digest: f']}}],"limbtrace":{dump([head, digest])}}}]',
    "}]}]",
    {},
    b'[{"acvVersion":"1.0","generator":"limbtrace"}',
    lambda document: (*document[1]["limbtrace"], document[1]["testGroups"][0]["tests"]),
)


def _format(name: str, form: Collection) -> Format[VectorSet]:
    return Format(name, "application/json", "json", form.write, form.read, json_with(form.begins), check)


FORMATS = (_format("wycheproof", WYCHEPROOF), _format("acvp", ACVP), _format("rooterberg", ROOTERBERG))
