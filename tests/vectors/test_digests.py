# SPDX-License-Identifier: Apache-2.0
"""Digests: the tree of RFC 6962 over records, made in any way; and what is found where one differs."""

import hashlib
import json
import random
import subprocess
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.service.server import background
from limbtrace.service.settings import ServiceSettings
from limbtrace.vectors.client import Client
from limbtrace.vectors.compiled import build
from limbtrace.vectors.digests import DigestRequest, render
from limbtrace.vectors.digests import request as module
from limbtrace.vectors.digests.read import read
from limbtrace.vectors.digests.records import RecordFields
from limbtrace.vectors.digests.request import KEPT, MAX_LEAF, MAX_NODES, Hashed
from limbtrace.vectors.digests.tree import Growing, Tree, leaves, root
from limbtrace.vectors.digests.verify import LocalGolden, There, verify
from limbtrace.vectors.operands import PAIRS, RandomStream
from limbtrace.vectors.request import MAX_WHOLE, Multiplier, VectorRequest
from limbtrace.vectors.sets import Case, VectorSet, native
from limbtrace.vectors.sets import render as render_set
from limbtrace.vectors.sets.in_raw import MAGIC
from limbtrace.vectors.strategies import multipliers
from tests.vectors.test_exhaustive import ended

CIOS = Multiplier.resolve("cios", "p256", {"radix": "2^34"})
KINDS = ["random", "mixed", "directed", "edge"]
DATA = Path(__file__).parents[1] / "data"

_INPUTS = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
_ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
"""The roots over the first inputs that implementations of Certificate Transparency are tested with."""


def leaf_hash(records: bytes) -> bytes:
    return hashlib.sha256(b"\0" + records).digest()


def tree_hash(hashes: Sequence[bytes]) -> bytes:
    """MTH of RFC 6962, section 2.1, word by word."""
    if len(hashes) == 1:
        return hashes[0]
    k = 1
    while 2 * k < len(hashes):
        k *= 2
    return hashlib.sha256(b"\1" + tree_hash(hashes[:k]) + tree_hash(hashes[k:])).digest()


def record(m: Multiplier, case: Case) -> bytes:
    """A record by its description in the documentation."""
    a_max, b_max = m.params.limits
    numbers = [(case.a, a_max), *([] if m.model.unary else [(case.b, b_max)]), (case.result, m.params.result_limit - 1)]
    return b"".join(value.to_bytes(-(-max(most.bit_length(), 1) // 64) * 8, "little") for value, most in numbers)


def golden_records(vectors: VectorRequest) -> list[bytes]:
    return [record(vectors.multiplier, case) for case in VectorSet(vectors).cases()]


def hashed_leaves(of: Sequence[bytes], leaf: int) -> list[bytes]:
    return [leaf_hash(b"".join(of[at : at + leaf])) for at in range(0, len(of), leaf)]


def asked(count: int, kind: str = "random", leaf: int = 16, **own: Any) -> DigestRequest:
    return DigestRequest.resolve(CIOS, count=count, kind=kind, leaf=leaf, **own)


def test_trees_of_certificate_transparency() -> None:
    hashes = [leaf_hash(bytes.fromhex(data)) for data in _INPUTS]
    for count, known in enumerate(_ROOTS, 1):
        assert root(hashes[:count]).hex() == known
        assert tree_hash(hashes[:count]).hex() == known


@given(multipliers(), st.sampled_from(KINDS), st.integers(1, 90), st.sampled_from([1, 2, 8, 64]), st.integers(0, 9))
@settings(max_examples=40)
def test_the_root_is_that_of_the_records(m: Multiplier, kind: str, count: int, leaf: int, seed: int) -> None:
    count = 1 + count // 20 if m.model.chain else count
    request = DigestRequest.resolve(m, count=count, seed=seed, kind=kind, leaf=leaf, level=0)
    of = golden_records(VectorRequest.resolve(m, count, seed, kind))
    document = request.document()
    assert document["root"] == tree_hash(hashed_leaves(of, leaf)).hex()
    assert document["nodes"] == [node.hex() for node in hashed_leaves(of, leaf)]
    assert sum(field["bytes"] for field in document["record"]) == len(of[0])


@given(st.binary(max_size=300), st.integers(1, 70), st.lists(st.integers(0, 300), max_size=6))
def test_leaves_do_not_depend_on_chunks(data: bytes, size: int, cuts: list[int]) -> None:
    cuts = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    chunks = [data[begin:end] for begin, end in pairwise(cuts)]
    assert list(leaves(chunks, size)) == [leaf_hash(data[at : at + size]) for at in range(0, len(data), size)]


@pytest.mark.parametrize("count", [1, 7, 16, 17, 100, 113])
def test_nodes_and_parts_of_leaves(count: int) -> None:
    """Every range has the hash that the tree has there, or is refused; the halves of a node are nodes."""
    leaf = 16
    of = golden_records(VectorRequest.resolve(CIOS, count, 1, "random"))
    hashes, tree, nodes = hashed_leaves(of, leaf), Tree(count, leaf), set()

    def collect(begin: int, end: int) -> None:
        nodes.add((begin * leaf, min(end * leaf, count) - 1))
        if end - begin > 1:
            k = 1 << (end - begin - 1).bit_length() - 1
            collect(begin, begin + k)
            collect(begin + k, end)

    collect(0, len(hashes))
    every = [(first, last) for first in range(count) for last in range(first, count)]
    for first, last in random.Random(count).sample(every, min(len(every), 150)) + sorted(nodes):
        inside = first // leaf == last // leaf
        if not inside and (first, last) not in nodes:
            with pytest.raises(ParameterError, match=r"^last: cases"):
                asked(count, first=first, last=last)
            continue
        request = asked(count, first=first, last=last)
        known = (
            leaf_hash(b"".join(of[first : last + 1])) if inside else tree_hash(hashes[first // leaf : last // leaf + 1])
        )
        assert request.document()["range"] == {"first": first, "last": last, "hash": known.hex()}
        if (first, last) in nodes and last - first >= leaf:
            middle = tree.middle(first, last)
            assert {(first, middle - 1), (middle, last)} <= nodes


@pytest.mark.parametrize(
    ("model", "kind"), [("cios", "random"), ("cios", "directed"), ("redundant", "mixed"), ("square", "lazy")]
)
def test_the_same_by_c_by_python_and_by_several_processes(
    model: str, kind: str, compiler: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    m = Multiplier.resolve(model, "p256", {})
    request = DigestRequest.resolve(m, count=333, kind=kind, leaf=8, level=1)
    documents = []
    for worth, jobs in ((1, 1), (1, 3), (10**9, 1), (10**9, 50 if kind == "random" else 2)):
        monkeypatch.setattr(native, "WORTH", worth)
        monkeypatch.setattr(native, "BATCH", 60)
        documents.append(request.document(jobs))
    assert documents == documents[:1] * 4


def test_what_is_kept_does_not_grow() -> None:
    growing = Growing()
    for number in range(3000):
        growing.add(number.to_bytes(32, "big"))
        assert len(growing._waiting) <= 12
    for count in (1, KEPT * 4096, 10**9, MAX_WHOLE):
        tree = Tree(count, 4096)
        assert 1 <= tree.nodes(tree.level(KEPT)) <= KEPT


def test_far_nodes_take_no_work_for_those_in_front(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks: list[int] = []
    raw = RandomStream.raw

    def counted(self: RandomStream, first: int, last: int) -> bytes:
        blocks.extend(range(first, last))
        return raw(self, first, last)

    monkeypatch.setattr(RandomStream, "raw", counted)
    first = 3 * (1 << 40)
    document = DigestRequest.resolve(
        CIOS, count=MAX_WHOLE, kind="random", leaf=64, first=first, last=first + 255
    ).document()
    of = golden_records(VectorRequest.resolve(CIOS, 1, 1, "random").range(first, 256))
    assert document["range"]["hash"] == tree_hash(hashed_leaves(of, 64)).hex()
    assert len(blocks) <= 2 * 256 // PAIRS + 4


def test_a_set_of_format_raw_has_the_records() -> None:
    vectors = VectorRequest.resolve(CIOS, 50, 1, "mixed")
    data = b"".join(render_set(VectorSet(vectors), "raw"))
    begin = int.from_bytes(data[len(MAGIC) : len(MAGIC) + 8], "little")
    assert data[begin:-32] == b"".join(golden_records(vectors))


# Measured results and differences ------------------------------------------------------------------------------------


def results_file(path: Path, vectors: VectorRequest, wrong: Sequence[int] = ()) -> Path:
    """The results of a set, some of them with another lowest bit."""
    size = RecordFields.of(vectors).result
    found = [case.result ^ (number in wrong) for number, case in enumerate(VectorSet(vectors).cases())]
    path.write_bytes(b"".join(result.to_bytes(size, "little") for result in found))
    return path


def digest_of(results: Path, count: int, leaf: int = 16, level: int | None = None, **own: Any) -> dict[str, Any]:
    return DigestRequest.resolve(
        CIOS, count=count, kind="random", leaf=leaf, level=level, results=results, **own
    ).document()


def limited(hashed: Hashed, most: int) -> There:
    """Somebody who answers for at most so many cases."""

    def ask(first: int, last: int) -> bytes:
        if last + 1 - first > most:
            raise ParameterError("last", f"the limit is {most}")
        return hashed.hash(first, last)

    return There(hashed.tree, ask)


@given(st.integers(1, 230), st.data())
@settings(max_examples=30)
def test_the_first_difference_is_found_in_few_questions(tmp_path_factory: Any, count: int, data: st.DataObject) -> None:
    wrong = data.draw(st.sets(st.integers(0, count - 1), min_size=1, max_size=3))
    vectors = VectorRequest.resolve(CIOS, count, 1, "random")
    results = results_file(tmp_path_factory.mktemp("results") / "results.bin", vectors, sorted(wrong))
    level = data.draw(st.sampled_from([None, 0]))
    found = read(digest_of(results, count, level=level))
    few = 1 + (-(-count // 16) - 1).bit_length() + 4
    for golden in (LocalGolden(found.request.hashed), limited(found.request.hashed, 33)):
        verdict = verify(found, golden, results)
        assert verdict["differs"] == {"first": min(wrong), "last": min(wrong)}
        difference = verdict["first_divergence"]
        assert (verdict["verdict"], difference["place"]) == ("fail", f"case {min(wrong)}")
        assert int(difference["expected"], 16) == int(difference["seen"], 16) ^ 1
        case = list(VectorSet(vectors).cases())[min(wrong)]
        assert [int(difference[name], 16) for name in ("a", "b", "expected")] == list(case[1:4])
        assert verdict["questions"] == golden.questions
        assert golden.questions <= (few if isinstance(golden, LocalGolden) else few + 2 * count // 16 + 8)
    alone = verify(found, LocalGolden(found.request.hashed))
    begin = min(wrong) // 16 * 16
    whole = {"first": 0, "last": count - 1} if level is None else {"first": begin, "last": min(begin + 16, count) - 1}
    if whole["first"] < whole["last"]:
        assert (alone["differs"], alone["first_divergence"], alone["mismatches"]) == (whole, None, 1)


def test_one_hash_agrees(tmp_path: Path) -> None:
    vectors = VectorRequest.resolve(CIOS, 100, 1, "random")
    results = results_file(tmp_path / "results.bin", vectors)
    document = digest_of(results, 100)
    golden = asked(100).document()
    assert document == {**golden, "results": "measured"}
    found = read(document)
    for own in (None, results):
        verdict = verify(found, LocalGolden(found.request.hashed), own)
        assert (verdict["verdict"], verdict["verified"], verdict["questions"]) == ("pass", 100, 1)
        assert (verdict["mismatches"], verdict["first_divergence"], "differs" in verdict) == (0, None, False)


def test_a_node_is_verified_as_a_whole_digest_is(tmp_path: Path) -> None:
    vectors = VectorRequest.resolve(CIOS, 100, 1, "random")
    results = results_file(tmp_path / "results.bin", vectors, [70])
    for first, last, differs in ((0, 63, None), (64, 99, 70), (67, 75, 70), (70, 70, 70), (71, 79, None)):
        found = read(digest_of(results, 100, first=first, last=last))
        verdict = verify(found, LocalGolden(found.request.hashed), results)
        assert verdict["verified"] == last + 1 - first
        assert verdict.get("differs") == (None if differs is None else {"first": differs, "last": differs})


def test_results_of_another_digest(tmp_path: Path) -> None:
    vectors = VectorRequest.resolve(CIOS, 100, 1, "random")
    found = read(digest_of(results_file(tmp_path / "one", vectors, [3]), 100))
    with pytest.raises(ParameterError, match="the digest was made of others"):
        verify(found, LocalGolden(found.request.hashed), results_file(tmp_path / "other", vectors, [4]))


# The command and the service -----------------------------------------------------------------------------------------

COMMAND = ["digest", "cios", "--prime", "p256", "--radix", "2^34", "--kind", "random"]


def said(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    code = ended(*words)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize(
    ("options", "wrong", "why"),
    [
        (["--count", "0"], "count", f"1 to {MAX_WHOLE}"),
        (["--count", "2^48+1"], "count", f"1 to {MAX_WHOLE}"),
        (["--leaf", "0"], "leaf", f"1 to {MAX_LEAF}"),
        (["--leaf", "12"], "leaf", "no power of two"),
        (["--leaf", "2^21"], "leaf", f"1 to {MAX_LEAF}"),
        (["--leaf", "x"], "leaf", "'x'"),
        (["--level", "-1"], "level", "0 to 0"),
        (["--level", "1"], "level", "0 to 0"),
        (["--count", "2^40", "--leaves"], "level", f"at most {MAX_NODES}: ask for level 8"),
        (["--leaves", "--level", "0"], "level", "give one of them"),
        (["--first", "0"], "last", "given together"),
        (["--last", "0"], "first", "given together"),
        (["--first", "3", "--last", "2"], "last", "not among cases 0 to 15"),
        (["--first", "0", "--last", "16"], "last", "0 to 15"),
        (["--count", "100", "--leaf", "8", "--first", "8", "--last", "23"], "last", "neither part of a leaf"),
        (["--first", "0", "--last", "1", "--level", "0"], "level", "give no first and last"),
        (["--kind", "chained"], "kind", "has no digests"),
        (["--jobs", "0"], "jobs", "1 to 64"),
        (["--results", "nowhere"], "results", "cannot be read"),
        (["--results", "."], "results", "no regular file"),
    ],
)
def test_refused(options: list[str], wrong: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, *COMMAND, *options)
    assert (code, out) == (2, "")
    assert err.startswith(f"limbtrace: {wrong}: ")
    assert why in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(("size", "why"), [(639, "shorter"), (0, "shorter"), (641, "longer"), (1280, "longer")])
def test_results_of_another_length(size: int, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "results.bin").write_bytes(bytes(size))
    code, _, err = said(capsys, *COMMAND, "--results", tmp_path / "results.bin")
    assert code == 2
    assert f"has {size} bytes and is {why} than 16 results of 40 bytes" in err
    vectors = VectorSet(VectorRequest.resolve(CIOS, 16, 1, "random"))
    (tmp_path / "raw.bin").write_bytes(b"".join(render_set(vectors, "raw")))
    assert "what is read are results alone" in said(capsys, *COMMAND, "--results", tmp_path / "raw.bin")[2]


def test_damaged_digests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Cut anywhere, or with any member changed or taken away: a sentence and exit 2, or another hash and exit 1."""
    text = json.dumps(asked(100, level=1).document())
    path = tmp_path / "digest.json"
    for cut in range(0, len(text), 97):
        path.write_text(text[:cut])
        code, out, err = said(capsys, "verify", "--digest", path)
        assert (code, out, err.count("\n")) == (2, "", 1), cut
    document = json.loads(text)
    changed: Any
    for name in document:
        for changed in (None, 7, "x", [], {}, ["x"], -1, 2**70, "0" * 64):
            for edited in ({**document, name: changed}, {key: document[key] for key in document if key != name}):
                path.write_text(json.dumps(edited))
                code, out, err = said(capsys, "verify", "--digest", path)
                assert err.count("\n") == 1, (name, changed)
                # without a schema it is a claim, which may have any further members
                assert code in ((2,) if name not in ("results", "schema") else (0, 2)), (name, changed)
    path.write_text(json.dumps({**asked(100).document(), "root": "0" * 64}))
    code, out, err = said(capsys, "verify", "--digest", path)
    assert (code, json.loads(out)["differs"]) == (1, {"first": 0, "last": 99})
    assert "cases 0 to 99 differ (1 question); to find where, give the results" in err


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vectors = VectorRequest.resolve(CIOS, 1000, 1, "random")
    results = results_file(tmp_path / "results.bin", vectors, [777])
    path, options = tmp_path / "digest.json", ["--count", "1000", "--leaf", "64"]
    assert said(capsys, *COMMAND, *options, "--jobs", "2", "-o", path)[0] == 0
    assert path.read_bytes() == b"".join(render(asked(1000, leaf=64)))
    code, out, err = said(capsys, "verify", "--digest", path, "--jobs", "2")
    assert (code, err) == (0, "limbtrace: 1000 cases agree, one hash (1 question)\n")
    assert json.loads(out)["kind"] == "digest"
    assert said(capsys, *COMMAND, *options, "--results", results, "--leaves", "-o", path)[0] == 0
    code, out, err = said(capsys, "verify", "--digest", path)
    assert (code, json.loads(out)["differs"]) == (1, {"first": 768, "last": 831})
    assert "cases 768 to 831 differ (5 questions); to find where, give the results" in err
    code, out, err = said(capsys, "verify", "--digest", path, "--results", results)
    assert code == 1
    assert err.startswith("limbtrace: case 777 differs (11 questions): a = 0x")
    assert ended("verify", path) == 2
    assert "limbtrace verify --digest FILE" in capsys.readouterr().err
    for wrong in (["verify"], ["verify", str(path), "--digest", str(path)], ["verify", str(path), "--jobs", "2"]):
        assert said(capsys, *wrong)[0] == 2


def test_over_http(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command line's bytes; a service that answers for few cases at a time still finds the difference."""
    vectors = VectorRequest.resolve(CIOS, 1000, 1, "random")
    results = results_file(tmp_path / "results.bin", vectors, [777, 999])
    path = tmp_path / "digest.json"
    path.write_text(json.dumps(digest_of(results, 1000, 64)))
    with background(ServiceSettings(max_count=200)) as url, Client(url) as client:
        query = ("cios", "p256", {"radix": "2^34"})
        found = client.digest(*query, count=150, kind="random", leaf=16, level=1)
        assert found.root == asked(150).document()["root"]
        named = {"model": "cios", "prime": "p256", "radix": "2^34", "count": "150", "kind": "random"}
        answer = client._http.get("/v1/digests", params={**named, "leaf": "16", "level": "1"})
        assert answer.content == b"".join(render(asked(150, level=1)))
        with pytest.raises(ParameterError, match="the limit here is 200") as refused:
            client.digest(*query, count=1000, kind="random")
        assert refused.value.parameter == "count"
        with pytest.raises(ParameterError, match="the limit here is 200") as refused:
            client.digest(*query, count=1000, kind="random", leaf=64, first=0, last=511)
        assert refused.value.parameter == "last"
        code, _, err = said(capsys, "verify", "--digest", path, "--results", results, "--service", url)
        assert code == 1
        assert err.startswith("limbtrace: case 777 differs (")
        path.write_text(json.dumps(asked(1000, leaf=64).document()))
        code, _, err = said(capsys, "verify", "--digest", path, "--service", url)
        assert (code, err) == (0, "limbtrace: 1000 cases agree, one hash (12 questions)\n")
    assert said(capsys, "verify", "--digest", path, "--service", "nowhere")[0] == 2
    assert said(capsys, "verify", "--digest", path, "--service", "http://127.0.0.1:9")[0] == 3


def test_progress_counts_every_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_TOLD", 32)
    for jobs in (1, 3):
        told: list[int] = []
        asked(333).document(jobs, told.append)
        assert sum(told) == 333
        assert max(told) <= 48
    told = []
    asked(333, first=0, last=255).document(1, told.append)
    assert sum(told) == 256


@pytest.mark.parametrize(("model", "count", "log"), [("cios", 1000, 4), ("iddmm2", 1, 2), ("modmul", 97, 0)])
def test_a_program_in_c(model: str, count: int, log: int, tmp_path: Path, compiler: None) -> None:
    """What docs/reference/digests.md says is enough for a program that shares no code with this one."""
    made: list[str | Path] = ["library", model, "--prime", "p256", "--name", "golden", "-o", tmp_path / "made"]
    assert ended(*made) == 0
    vectors = VectorRequest.resolve(Multiplier.resolve(model, "p256", {}), count, 5, "mixed")
    (tmp_path / "cases.bin").write_bytes(b"".join(render_set(VectorSet(vectors), "raw")))
    flags = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", f"-I{tmp_path / 'made'}", "-o", tmp_path / "root")
    sources = (DATA / "root.c", tmp_path / "made" / "golden.c")
    subprocess.run([*(build.compiler() or ()), *flags, *sources], check=True)
    root_of: list[str | Path] = [tmp_path / "root", tmp_path / "cases.bin", str(log)]
    done = subprocess.run(root_of, capture_output=True, text=True, check=True)
    hashed = DigestRequest.resolve(vectors.multiplier, count=count, seed=5, kind="mixed", leaf=1 << log)
    assert done.stdout.strip() == hashed.document()["root"]
    for first, last in {(0, count - 1), (count // 2, count // 2), (count - 1, count - 1)}:
        done = subprocess.run([*root_of, str(first), str(last)], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == hashed.hashed.hash(first, last).hex()
    assert subprocess.run([*root_of, "0", str(count)], check=False).returncode == 2
