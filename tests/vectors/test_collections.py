# SPDX-License-Identifier: Apache-2.0
"""Sets in the form of public collections, and as hashes: their members, and edits that are noticed."""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.grades import graded
from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.sets import VectorSet, render
from limbtrace.vectors.sets.in_collections import whole_bytes
from limbtrace.vectors.validation import DamagedFileError
from limbtrace.vectors.verify import verify_file

COLLECTIONS = ("wycheproof", "acvp", "rooterberg")


def made(model: str = "montgomery", count: int = 5, **settings: str) -> VectorSet:
    return VectorSet(VectorRequest.resolve(Multiplier.resolve(model, "p256", settings), count, 3))


def document(form: str, vectors: VectorSet) -> Any:
    return json.loads(b"".join(render(vectors, form)))


def listed_in(form: str, found: Any) -> list[dict[str, Any]]:
    group = {"wycheproof": lambda: found["testGroups"][0], "acvp": lambda: found[1]["testGroups"][0]}
    listed: list[dict[str, Any]] = group.get(form, lambda: found)()["tests"]
    return listed


@pytest.mark.parametrize("form", COLLECTIONS)
@pytest.mark.parametrize("model", ["montgomery", "square"])
def test_cases_of_collections(form: str, model: str) -> None:
    vectors = made(model)
    tests = listed_in(form, document(form, vectors))
    for number, (entry, case) in enumerate(zip(tests, vectors.cases(), strict=True), 1):
        assert (entry["tcId"], entry["comment"], entry["flags"]) == (number, case.comment, [*case.flags])
        assert int(entry["a"], 16) == case.a
        assert ("b" in entry) == (model != "square")
        assert int(entry["output"], 16) == case.result


def test_the_members_of_wycheproof() -> None:
    found = document("wycheproof", made())
    assert {*found} == {"algorithm", "schema", "numberOfTests", "notes", "testGroups", "header"}
    assert all(isinstance(text, str) for text in found["header"])
    assert all({*note} == {"bugType", "description"} for note in found["notes"].values())
    (group,) = found["testGroups"]
    assert {"type", "source", "tests"} <= {*group}
    assert group["source"] == {"name": "limbtrace", "version": "1"}
    assert {entry["result"] for entry in group["tests"]} == {"valid"}
    assert found["numberOfTests"] == len(group["tests"]) == 5


def test_the_members_of_the_others() -> None:
    head, suite = document("acvp", made())
    assert head == {"acvVersion": "1.0", "generator": "limbtrace"}
    assert {"vsId", "algorithm", "revision", "isSample", "testGroups"} <= {*suite}
    assert [(group["tgId"], group["testType"]) for group in suite["testGroups"]] == [(1, "AFT")]
    found = document("rooterberg", made())
    assert {"testType", "algorithm", "version", "description", "numTests", "references", "notes", "tests"} == {*found}
    assert {entry["valid"] for entry in found["tests"]} == {True}
    assert all({*note} == {"type", "desc"} for note in found["notes"].values())


@pytest.mark.parametrize(("value", "text"), [(0, "00"), (0x7F, "7f"), (0x80, "0080"), (0x1234, "1234")])
def test_numbers_are_whole_bytes_with_a_sign(value: int, text: str) -> None:
    assert whole_bytes(value) == text


EDITS: dict[str, Callable[[str], str]] = {
    "a number": lambda text: re.sub(r'("output":"\w*?)(.)"', r'\g<1>g"', text, count=1),
    "a zero in front": lambda text: text.replace('"a":"', '"a":"00', 1),
    "a comment": lambda text: text.replace('"comment":"', '"comment":"so ', 1),
    "a flag": lambda text: text.replace('"flags":[', '"flags":["LazyOperand",', 1),
    "its number": lambda text: text.replace('"tcId":1,', '"tcId":7,', 1),
    "a member more": lambda text: text.replace('"tcId":1,', '"tcId":1,"x":1,', 1),
    "a case less": lambda text: "\n".join(line for line in text.splitlines() if '"tcId":5,' not in line),
    "cut short": lambda text: text[:-40],
    "the head": lambda text: text.replace("limbtrace-vectors-1.schema.json", "x", 1),
}


@pytest.mark.parametrize("form", COLLECTIONS)
@pytest.mark.parametrize("edit", EDITS)
def test_edits_of_collections_are_noticed(form: str, edit: str, tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    text = b"".join(render(made("modmul"), form)).decode()
    path.write_text(text)
    assert verify_file(path)["verdict"] == "pass"
    edited = EDITS[edit](text)
    assert edited != text
    path.write_text(edited)
    with pytest.raises(DamagedFileError):
        verify_file(path)


@pytest.mark.parametrize("form", COLLECTIONS)
@pytest.mark.parametrize("member", ["a", "b", "output"])
def test_a_wrong_number_is_a_divergence(form: str, member: str, tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    text = b"".join(render(made("modmul"), form)).decode()
    path.write_text(re.sub(rf'"{member}":"\w+"', f'"{member}":"05"', text, count=1))
    verdict = verify_file(path)
    assert (verdict["verdict"], verdict["mismatches"]) == ("fail", 1)


@pytest.mark.parametrize("form", [*COLLECTIONS, "accumulated"])
@pytest.mark.parametrize("model", ["modmul", "square", "cios"])
def test_they_can_be_graded(form: str, model: str, tmp_path: Path) -> None:
    path, vectors = tmp_path / "set.json", made(model)
    path.write_bytes(b"".join(render(vectors, form)))
    assert list(graded([path], None, 10).pairs) == [(case.a, case.b) for case in vectors.cases()]


@pytest.mark.parametrize("form", [*COLLECTIONS, "accumulated"])
def test_checkpoints_are_refused(form: str) -> None:
    m = Multiplier.resolve("vdf", 241, {"t": 4})
    with pytest.raises(ParameterError, match=r"^checkpoints: "):
        next(render(VectorSet(VectorRequest.resolve(m, 2, checkpoints=2)), form))


@pytest.mark.parametrize("model", ["modmul", "square"])
def test_hashes_over_operands_and_results(model: str) -> None:
    vectors = made(model, 40, below="2^300")
    found = document("accumulated", vectors)
    *sizes, last = found["bytes"]
    assert (sizes[0], last) == (38, 32)
    inputs = b"".join(value.to_bytes(size, "little") for case in vectors.cases()
                      for value, size in zip((case.a, case.b), sizes, strict=False))  # fmt: skip
    outputs = b"".join(case.result.to_bytes(last, "little") for case in vectors.cases())
    assert found["inputs"] == hashlib.shake_128(inputs).hexdigest(32)
    assert found["outputs"] == hashlib.shake_128(outputs).hexdigest(32)
    assert (found["accumulated"], found["cases"], len(sizes)) == ("SHAKE128", 40, 1 if model == "square" else 2)


@pytest.mark.parametrize("member", ["inputs", "outputs", "bytes", "cases", "head", "multiplier"])
def test_edits_of_hashes_are_noticed(member: str, tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_bytes(b"".join(render(made(), "accumulated")))
    assert verify_file(path)["verified"] == 5
    found = json.loads(path.read_text())
    changed = {"bytes": [1, 2, 3], "cases": 6, "head": {}, "multiplier": []}
    path.write_text(json.dumps({**found, member: changed.get(member, 64 * "0")}, separators=(",", ":")))
    with pytest.raises(ParameterError):
        verify_file(path)
