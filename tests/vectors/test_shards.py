# SPDX-License-Identifier: Apache-2.0
"""Parts of a set: the cases that the whole set has there, made without those in front of them."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.event_search import RUN_EVERY, Occurrences, occurrences
from limbtrace.refmodels.event_search.candidates import search
from limbtrace.vectors.operands import PAIRS, RandomStream, operands
from limbtrace.vectors.request import CHAINED, EVERY_KIND, EXHAUSTIVE, MAX_COUNT, MAX_WHOLE, Multiplier, VectorRequest
from limbtrace.vectors.sets import FORMATS, VectorSet, native, open_vectors, render
from limbtrace.vectors.strategies import multipliers
from limbtrace.vectors.verify import verify_file
from tests.vectors.test_exhaustive import SMALL, ended
from tests.vectors.test_exhaustive import request as exhaustive

KINDS = [kind for kind in EVERY_KIND if kind not in (CHAINED, EXHAUSTIVE)]
IDDMM2 = Multiplier.resolve("iddmm2", "p256", {"radix": "2^32"})


def shards(whole: VectorRequest, parts: int) -> list[VectorRequest]:
    return [
        VectorRequest.resolve(whole.multiplier, whole.count, whole.seed, whole.kind, shard=f"{part}/{parts}")
        for part in range(1, parts + 1)
    ]


@given(multipliers(), st.sampled_from(KINDS), st.integers(1, 700), st.integers(1, 9), st.integers(0, 2**64 - 1))
@settings(max_examples=40)
def test_joined_they_are_the_whole_set(m: Multiplier, kind: str, count: int, parts: int, seed: int) -> None:
    whole = VectorRequest.resolve(m, 1 + count // 50 if m.model.chain else count, seed, kind)
    golden = list(VectorSet(whole).cases())
    parts = min(parts, whole.count)
    several = shards(whole, parts)
    assert [case for shard in several for case in VectorSet(shard).cases()] == golden
    assert {shard.count - whole.count // parts for shard in several} <= {0, 1}
    assert len({shard.id for shard in (whole, *several)}) == parts + 1


@pytest.mark.parametrize("kind", ["lazy", "events", "directed"])
@pytest.mark.parametrize("name", ["cios", "redundant", "barrett", "square", "hffm"])
def test_in_every_phase_of_a_kind(name: str, kind: str) -> None:
    """Ranges that begin in the first turn of the events, at its end, in chunks of later turns, and in blocks drawn."""
    m = Multiplier.resolve(name, "71" if name == "hffm" else "0xd01", {})
    whole = VectorRequest.resolve(m, 1200, 5, kind)
    golden = list(operands(whole))
    turn = len(list(Occurrences(m.model, m.params, 5).first_turn()))
    for first in {1, 2, turn - 1, turn, 2 * turn - 1, 2 * turn, 2 * turn + 1, 2 * turn + 15, 379, 1023, 1136}:
        assert list(operands(whole.range(first, 64))) == golden[first : first + 64], first


@pytest.mark.parametrize("model", SMALL)
def test_all_pairs(model: str) -> None:
    whole = exhaustive(model)
    golden = list(operands(whole))
    for parts in (1, 2, 7, len(golden) // 2, len(golden)):
        assert [case for shard in shards(whole, parts) for case in operands(shard)] == golden


def test_kind_chained_goes_through_the_cases_in_front() -> None:
    m = Multiplier.resolve("cios", "p256", {})
    whole = VectorRequest.resolve(m, 90, 1, CHAINED)
    golden = list(operands(whole))
    assert list(operands(whole.range(41, 20))) == golden[41:61]
    assert [(case.a, case.b) for case in VectorSet(whole.range(41, 20)).cases()] == [case[:2] for case in golden[41:61]]


FAR = MAX_WHOLE // 200
"""So many parts of a set of MAX_WHOLE cases have about 200 cases."""


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_a_far_part_takes_no_work_for_those_in_front(
    kind: str, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted in blocks of random numbers, and in places of events for which operands are constructed."""
    request = VectorRequest.resolve(IDDMM2, MAX_WHOLE, 1, kind, shard=f"{FAR // 2}/{FAR}")
    assert request.first > 10**13
    blocks: list[int] = []
    places: list[Any] = []
    raw = RandomStream.raw

    def counted(self: RandomStream, first: int, last: int) -> bytes:
        blocks.extend(range(first, last))
        return raw(self, first, last)

    def counted_places(products: Any, wanted: Any, *rest: Any) -> Any:
        places.extend(wanted)
        return search(products, wanted, *rest)

    monkeypatch.setattr(RandomStream, "raw", counted)
    monkeypatch.setattr(occurrences, "search", counted_places)
    monkeypatch.setattr(native, "WORTH", 1 if compiled else 10**9)
    text = b"".join(render(VectorSet(request), "ndjson"))
    assert text.count(b"\n") == request.count + 2
    assert len(blocks) <= 2 * request.count // PAIRS + 8
    first_turn = len(Occurrences(IDDMM2.model, IDDMM2.params).places)
    assert len(places) <= (first_turn + 1024 if kind in ("events", "directed") else 0)


@pytest.mark.parametrize("kind", KINDS)
def test_far_cases_are_those_of_an_earlier_beginning(kind: str) -> None:
    """Beyond what anybody goes through, two ranges that overlap have the same cases."""
    whole = VectorRequest.resolve(IDDMM2, 1, 1, kind)
    far = 10**9 + 7
    assert list(operands(whole.range(far, 50))) == list(operands(whole.range(far - 3001, 3051)))[3001:]


def test_turns_of_events_far_away() -> None:
    """Each reachable place that no product is run for has its turn, and the others every fourth one."""
    known = Occurrences(IDDMM2.model, IDDMM2.params)
    found = list(known.first_turn())
    rota = [len(list(known.looked_at(found, False, turn))) for turn in range(1, RUN_EVERY + 1)]
    at = 10**7 * sum(rota)
    turn = [wanted for wanted, _ in zip(known.turns(found, False, at), range(sum(rota)), strict=False)]
    assert [wanted.turn - turn[0].turn for wanted in turn] == [k for k, size in enumerate(rota) for _ in range(size)]
    assert turn[0].turn == 1 + RUN_EVERY * 10**7
    assert {wanted.place for wanted in turn} == {occurrence.place for occurrence in found}


HEAD_IN_TEXT = ("wycheproof", "acvp", "rooterberg")
"""Formats of which the head is a text in JSON."""


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(("model", "kind"), [("cios", "directed"), ("redundant", "lazy")])
def test_files(form: str, model: str, kind: str, tmp_path: Path) -> None:
    """Every format says which part it is, is read back, and is judged."""
    request = VectorRequest.resolve(Multiplier.resolve(model, "p256", {}), 10**9, 1, kind, shard="70000000/100000000")
    path = tmp_path / f"set.{FORMATS[form].extension}"
    path.write_bytes(b"".join(render(VectorSet(request), form)))
    with open_vectors(path) as reader:
        assert reader.request == request
        assert [case[1:5] for _, case in reader.cases()] == [case[1:5] for case in VectorSet(request).cases()]
    verdict = verify_file(path)
    assert (verdict["verdict"], verdict["verified"], verdict["id"]) == ("pass", 10, request.id)
    for old, new in ((b'part":70000000', b'part":70000001'), (b'first":699999990', b'first":699999991')):
        if form in HEAD_IN_TEXT:
            old, new = (text.replace(b'"', b'\\"') for text in (old, new))
        edited = path.read_bytes().replace(old, new)
        assert edited != path.read_bytes()
        (tmp_path / "edited").write_bytes(edited)
        with pytest.raises(ParameterError):
            verify_file(tmp_path / "edited")


def test_requests_of_whole_sets_are_as_they_were() -> None:
    request = VectorRequest.resolve(Multiplier.resolve("cios", "p256", {}), 16)
    assert "shard" not in request.document
    assert "first" not in request.document
    assert "shard" not in VectorSet(request).head
    assert request.id == "73becd71cdd2585059ee296d48859bee"
    (shard,) = shards(request, 1)
    assert shard.document == {**request.document, "shard": "1/1"}


@pytest.mark.parametrize(
    ("count", "shard", "kind", "wrong", "why"),
    [
        ("16", "0/0", "random", "shard", "none of 1/n to n/n"),
        ("16", "0/3", "random", "shard", "none of 1/n to n/n"),
        ("16", "3/2", "random", "shard", "none of 1/n to n/n"),
        ("16", "1/17", "random", "shard", "more shards than the set has cases, 16"),
        ("16", "-1/4", "random", "shard", "not of the form i/n"),
        ("16", "1", "random", "shard", "not of the form i/n"),
        ("16", "1/2/3", "random", "shard", "not of the form i/n"),
        ("16", "1/" + "9" * 40, "random", "shard", "not of the form i/n"),
        ("16", "\u0661/\u0662", "random", "shard", "not of the form i/n"),
        ("16", "1/2", CHAINED, "shard", "each of its cases needs those before it"),
        ("2^30", "1/2", "random", "shard", f"at most {MAX_COUNT} are made at once: ask for one of 108 or more"),
        ("2^49", "1/2^40", "random", "count", f"1 to {MAX_WHOLE}"),
        ("2^24", "", "random", "shard", "not of the form i/n"),
    ],
)
def test_refused(count: str, shard: str, kind: str, wrong: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert ended("vectors", "cios", "--prime", "p256", "--count", count, "--shard", shard, "--kind", kind) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"limbtrace: {wrong}: ")
    assert why in said.err
    assert said.err.count("\n") == 1


def test_command(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    """The lines of the shards are those of the set; `cover` and `verify` take them."""
    asked = ["vectors", "iddmm2", "--prime", "p256", "--count", "100", "--format", "ndjson"]
    lines = []
    for part in (1, 2, 3):
        assert ended(*asked, "--shard", f"{part}/3", "-o", tmp_path / f"{part}.ndjson") == 0
        lines += (tmp_path / f"{part}.ndjson").read_bytes().splitlines()[1:-1]
    assert ended(*asked) == 0
    assert capsysbinary.readouterr().out.splitlines()[1:-1] == lines
    assert ended("cover", "--json", *(tmp_path / f"{part}.ndjson" for part in (1, 2, 3))) == 0
    covered = json.loads(capsysbinary.readouterr().out)
    assert covered["cases"] == 100
    assert ended("verify", tmp_path / "3.ndjson") == 0
