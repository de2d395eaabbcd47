# SPDX-License-Identifier: Apache-2.0
"""The notes in the head of a set: of the events that happen in its cases, or of all, with the bytes of before."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors import sets
from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.sets import NOTES, VectorQuery, VectorSet
from limbtrace.vectors.sets.vector_set import ALL, MOST_NOTED
from limbtrace.vectors.verify import verify, verify_file

OLD = {
    ("cios", "p256", "2^34", 1, "directed", "json"): "8fff7bd99bf307d4421f948139bcab52",
    ("iddmm2", "mlkem", "2^8", 20, "events", "json"): "d1b9a2641f69cc2c36bf381af7fa0f25",
    ("hffm", "sike-p434", None, 3, "directed", "ndjson"): "2ba74ddb662106c698be2aed8082b8ff",
    ("cios", "p256", None, 5000, "directed", "csv"): "610a21bd6a78e7e75965818a57f474e2",
}  # fmt: skip
"""First half of the SHA-256 of sets with all notes; since the notes of small operands say 'a needless special case'."""
WITH_DIGEST = ("json", "ndjson", "csv", "sv", "vhdl", "wycheproof", "acvp", "rooterberg")


def made(count: int, kind: str = "directed", model: str = "iddmm2", **more: Any) -> VectorSet:
    multiplier = Multiplier.resolve(model, "mlkem", {"radix": "2^8"})
    notes = more.pop("notes", "cases")
    return VectorSet(VectorRequest.resolve(multiplier, count, kind=kind, **more), notes=notes)


def text(vectors: VectorSet, form: str = "json") -> bytes:
    return b"".join(sets.render(vectors, form))


@pytest.mark.parametrize("asked", OLD)
def test_all_notes_have_the_bytes_of_before(asked: tuple[str, str, str | None, int, str, str]) -> None:
    model, prime, radix, count, kind, form = asked
    multiplier = Multiplier.resolve(model, prime, {} if radix is None else {"radix": radix})
    request = VectorRequest.resolve(multiplier, count, kind=kind)
    assert hashlib.sha256(text(VectorSet(request, notes=ALL), form)).hexdigest()[:32] == OLD[asked]
    few = text(VectorSet(request), form)
    assert (hashlib.sha256(few).hexdigest()[:32] == OLD[asked]) == (count > MOST_NOTED)


@pytest.mark.parametrize("kind", ["directed", "events", "events:q[0]=max;q[1]=max"])
@pytest.mark.parametrize("count", [1, 2, 7, 100, 700])
def test_the_head_has_the_notes_of_its_cases(count: int, kind: str) -> None:
    vectors = made(count, kind)
    flags = {flag for case in vectors.cases() for flag in case.flags}
    assert {*vectors.head["notes"]} == {*NOTES, *flags}
    every = made(count, kind, notes=ALL).head["notes"]
    assert vectors.head["notes"].items() <= every.items()
    assert len(every) > 40


def test_a_shard_has_the_notes_of_its_own_cases() -> None:
    for shard in ("1/40", "17/40"):
        vectors = made(400, shard=shard)
        flags = {flag for case in vectors.cases() for flag in case.flags}
        assert {*vectors.head["notes"]} == {*NOTES, *flags}
        assert len(flags) < 12


def test_kinds_without_events_are_as_before() -> None:
    assert text(made(5, "mixed")) == text(made(5, "mixed", notes=ALL))


def test_a_set_of_a_case_is_small() -> None:
    assert len(text(made(1))) < 2500 < 7000 < len(text(made(1, notes=ALL)))


@pytest.mark.parametrize("form", sets.FORMATS)
@pytest.mark.parametrize("notes", ["cases", ALL])
def test_both_are_read_and_have_the_same_id(form: str, notes: str, tmp_path: Path) -> None:
    path = tmp_path / f"set.{'tar' if sets.FORMATS[form].files else form}"
    path.write_bytes(text(made(6, notes=notes), form))
    verdict = verify_file(path) if sets.FORMATS[form].files is None else None
    if verdict is not None:
        assert (verdict["verdict"], verdict["verified"], verdict["id"]) == ("pass", 6, made(6).request.id)
    same = text(made(6), form) == text(made(6, notes=ALL), form)
    assert same == (form not in WITH_DIGEST), "nothing else would show that notes were removed"


@pytest.mark.parametrize("change", ["removed", "added", "edited", "of the standard"])
def test_notes_that_were_edited_are_seen(change: str) -> None:
    document = json.loads(text(made(6)))
    notes, every = document["notes"], made(6, notes=ALL).head["notes"]
    own = next(name for name in notes if name not in NOTES)
    if change == "removed":
        del notes[own]
    elif change == "added":
        notes[next(name for name in every if name not in notes)] = "anything"
    elif change == "edited":
        notes[own] += "!"
    else:
        del notes["ZeroOperand"]
    with pytest.raises(ParameterError):
        verify(document)
    notes = {**every, "one": "more"}
    with pytest.raises(ParameterError):
        verify({**document, "notes": notes})


def test_another_choice_is_refused() -> None:
    query = VectorQuery(model="cios", prime="p256", notes="some")
    with pytest.raises(ParameterError, match="notes: 'some' is none of cases, all"):
        query.resolve(query.multiplier)
