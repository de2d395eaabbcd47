# SPDX-License-Identifier: Apache-2.0
"""Truncated or edited files, and invented documents: rejected with the place, or a mismatch."""

import copy
import csv
import io
import json
import random
import re
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limbtrace.refmodels.architecture import TimedPair
from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors import cycles, fp2, sets, traces
from limbtrace.vectors.cli import main
from limbtrace.vectors.cycles import CycleRequest
from limbtrace.vectors.files import write_directory
from limbtrace.vectors.request import CoreRequest, Multiplier, VectorRequest
from limbtrace.vectors.sets import VectorSet
from limbtrace.vectors.traces import TraceRequest
from limbtrace.vectors.validation import DamagedFileError
from limbtrace.vectors.verify import verify, verify_file

MULTIPLIER = Multiplier.resolve("iddmm2", 251, {"k": 4})
VECTORS = VectorSet(VectorRequest.resolve(MULTIPLIER, 12, 3, "mixed"))
TRACE = TraceRequest(MULTIPLIER, 7, 200)
TABLE = CycleRequest(CoreRequest.resolve("iddmm_arch2", 251, {"k": 4}), [TimedPair(7, 200), TimedPair(3, 5, 11)])

ELEMENTS = fp2.Fp2Request.resolve(MULTIPLIER, "mul", count=1)

FILES = (
    *(f"vectors.{form}" for form in sets.FORMATS),
    *(f"{kind}.{form}" for kind in ("trace", "cycles", "fp2") for form in ("json", "csv")),
)


@cache
def whole(name: str) -> bytes:
    kind, form = name.split(".")
    if kind == "vectors":
        return b"".join(sets.render(VECTORS, form))
    if kind == "fp2":
        return b"".join(fp2.render(ELEMENTS, form))
    return b"".join(traces.render(TRACE, form) if kind == "trace" else cycles.render(TABLE, form))


def number(value: Any) -> Any:
    """JSON with hexadecimal texts converted to integers, so that their spelling does not matter."""
    if isinstance(value, dict):
        return {key: number(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [number(entry) for entry in value]
    if isinstance(value, str) and re.fullmatch(r"-?0x[0-9a-fA-F]+", value):
        return int(value, 16)
    return value


COLLECTIONS = ("wycheproof", "acvp", "rooterberg", "accumulated")
ARCHIVES = ("vectors.readmemh", "vectors.coe", "vectors.mif")


def content(name: str, data: bytes) -> Any:
    """The contents of a file, read without our readers; raises ValueError or tarfile.TarError if inconsistent."""
    if name == "vectors.raw":
        return data
    if name in ARCHIVES:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            files = {entry.name: (archive.extractfile(entry) or io.BytesIO()).read() for entry in archive}
        return {key: json.loads(text) if key.endswith("json") else text for key, text in files.items()}
    text = data.decode()
    if name.endswith((".json", *COLLECTIONS)):
        return number(json.loads(text))
    if name.endswith(".ndjson"):
        return [number(json.loads(line)) for line in text.splitlines()]
    lines = text.splitlines()
    heads = [number(json.loads(line[2:])) for line in (lines[0], lines[-1])]
    rows = list(csv.reader(lines[1:-1]))
    if name == "cycles.csv":  # cells of which nobody cares
        golden = list(csv.reader(whole(name).decode().splitlines()[1:-1]))
        rows = [[s if g else "" for g, s in zip(gs, ss, strict=True)] for gs, ss in zip(golden, rows, strict=True)]
    return [heads, data.endswith(b"\n"), [[number(cell) for cell in row] for row in rows]]


def cared_for(name: str, value: Any) -> Any:
    if name == "cycles.json":
        golden = json.loads(whole(name))["rows"]
        value["rows"] = [[s if g is not None else None for g, s in zip(gs, ss, strict=True)]
                         for gs, ss in zip(golden, value["rows"], strict=True)]  # fmt: skip
    return value


def unchanged(name: str, data: bytes) -> bool:
    try:
        return bool(cared_for(name, content(name, data)) == cared_for(name, content(name, whole(name))))
    except (ValueError, KeyError, TypeError, IndexError, tarfile.TarError):
        return False


def judge(path: Path, name: str, data: bytes) -> str:
    """The outcome of a damaged file; fails if the file passes with changed contents."""
    path.write_bytes(data)
    verdict, sentence = "refused", ""
    try:
        verdict = str(verify_file(path)["verdict"])
    except ParameterError as error:
        sentence = str(error)
    assert len(sentence) < 400
    assert "\n" not in sentence
    if verdict == "pass":
        assert unchanged(name, data), f"{name} was edited and passes"
    return verdict


@pytest.mark.parametrize("name", FILES)
def test_the_whole_file_passes(tmp_path: Path, name: str) -> None:
    assert judge(tmp_path / "file", name, whole(name)) == "pass"


@pytest.mark.parametrize("name", FILES)
def test_cut_at_every_50th_byte(tmp_path: Path, name: str) -> None:
    data = whole(name)
    if name in ARCHIVES:
        data = data.rstrip(b"\0")  # nothing is said in the zeros at the end of an archive
    outcomes = [judge(tmp_path / "file", name, data[:cut]) for cut in range(0, len(data) - 1, 50)]
    assert set(outcomes) == {"refused"}
    assert judge(tmp_path / "file", name, data[:-2]) == "refused"


def edits(data: bytes, seed: int, count: int) -> Iterator[bytes]:
    draw = random.Random(seed)
    for _ in range(count):
        place = draw.randrange(len(data))
        new = bytes([draw.choice(b'0123456789abcdefx"{}[],:.-+# \n\xff')])
        edited = data[:place] + draw.choice((new, new, b"", new + data[place : place + 1])) + data[place + 1 :]
        if edited != data:
            yield edited


@pytest.mark.parametrize("name", FILES)
def test_single_characters_edited(tmp_path: Path, name: str) -> None:
    outcomes = [judge(tmp_path / "file", name, edited) for edited in edits(whole(name), 20, 400)]
    assert outcomes.count("refused") > 200
    assert outcomes.count("pass") < (140 if name in ARCHIVES else 20)  # an archive is half padding


@pytest.mark.parametrize("name", ["vectors.ndjson", "vectors.csv", "vectors.json", "trace.csv", "trace.json"])
def test_lines_dropped_doubled_and_swapped(tmp_path: Path, name: str) -> None:
    lines = whole(name).splitlines(keepends=True)
    for k in range(1, len(lines) - 2):
        for damaged in (
            lines[:k] + lines[k + 1 :],
            [*lines[:k], lines[k], *lines[k:]],
            [*lines[:k], lines[k + 1], lines[k], *lines[k + 2 :]],
        ):
            if damaged != lines:
                assert judge(tmp_path / "file", name, b"".join(damaged)) == "refused"


def test_the_place_is_named(tmp_path: Path) -> None:
    def place(name: str, old: bytes, new: bytes) -> str:
        data = whole(name)
        assert old in data
        (tmp_path / "file").write_bytes(data.replace(old, new, 1))
        with pytest.raises(DamagedFileError) as caught:
            verify_file(tmp_path / "file")
        return caught.value.place

    first = next(iter(VECTORS.cases()))
    assert place("vectors.ndjson", first.id.encode(), b"0" * 16) == "line 2"
    assert place("vectors.csv", first.id.encode(), b"0" * 16) == "line 3"
    assert place("vectors.json", first.id.encode(), b"0" * 16) == "case 0"
    assert place("vectors.json", b"mixed", b"mi\xffed") == "the file"
    assert place("vectors.json", b'"kind":"mixed"', b'"kind":"mixed",') == "line 1, column 173"
    assert place("trace.json", b'["S",[0,0]', b'["S",[0,1]') == "steps[1]"
    assert place("trace.csv", b"S,0 0,", b"S,0,") == "steps[1]"
    assert place("cycles.csv", b"\n3,", b"\n4,") == "line 6"
    assert place("vectors.readmemh", b'"words":12', b'"words":11') == "manifest.json, a.hex"


def test_a_word_too_many_in_one_file(tmp_path: Path) -> None:
    for name in ("a.hex", "b.hex", "result.hex"):
        write_directory(tmp_path / "set", sets.memory_files(VECTORS), sets.MANIFEST)
        with (tmp_path / "set" / name).open("a") as stream:
            stream.write("0\n")
        with pytest.raises(DamagedFileError) as caught:
            verify_file(tmp_path / "set")
        assert caught.value.place == f"{name}, line 13"


def test_a_wrong_result_is_a_mismatch_and_located(tmp_path: Path) -> None:
    cases = list(VECTORS.cases())
    wrong = next(case for case in cases if case.result > 16)
    for form in ("json", "ndjson", "csv"):
        data = whole(f"vectors.{form}")
        text = f"{wrong.id}" + data.decode().split(wrong.id)[1].split("\n")[0]
        edited = text.replace(f"{wrong.result:#x}", f"{wrong.result + 1:#x}", 1)
        assert edited != text
        (tmp_path / "file").write_bytes(data.replace(text.encode(), edited.encode()))
        divergence = verify_file(tmp_path / "file")["first_divergence"]
        assert divergence["case"] == wrong.id
        assert (divergence["expected"], divergence["seen"]) == (f"{wrong.result:#x}", f"{wrong.result + 1:#x}")
        assert f"--a {wrong.a:#x} --b {wrong.b:#x}" in divergence["replay"]


def test_a_wrong_register_is_located() -> None:
    document = json.loads(whole("cycles.json"))
    rows = copy.deepcopy(document["rows"])
    for cycle, name, step in ((2, "C", ["C", [0, 2]]), (6, "A", ["A", [2, 0]]), (13, "q", ["q", [0, 0]])):
        column = [entry["name"] for entry in document["columns"]].index(name)
        damaged = copy.deepcopy(rows)
        damaged[cycle][column] = "0xf"
        verdict = verify({**document, "rows": damaged})
        divergence = verdict["first_divergence"]
        assert verdict["mismatches"] == 1
        assert (divergence["cycle"], divergence["signal"], divergence["step"]) == (cycle, name, step)
        assert divergence["case"] == f"product {cycle // 11}"
    results = [document["results"][0], "0x1f"]
    assert verify({**document, "results": results})["first_divergence"]["signal"] == "result"


RESULTS: dict[str, Any] = {
    "model": "iddmm2", "prime": "251", "radix": "2^4", "params": {}, "compare": "residue",
    "results": [{"a": "0x7", "b": "0xc8", "result": "0x1d"}],
}  # fmt: skip
DOCUMENTS = {
    "results": RESULTS,
    **{name: json.loads(whole(f"{name}.json")) for name in ("vectors", "trace", "cycles", "fp2")},
}
VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 1e300, float("nan"), 10**30, "", "x", "0x", "-0x1", "0x1", "\ud800", "\0", "9^9^9",
    "2^9999", [], [[]], [None], [1, 1, 1], {}, {"a": 1}, {"modulus": None},
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Path of every value in a document; for long lists only of the first entries."""
    if path:
        yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value[:3]) if isinstance(value, list) else ()
    for key, entry in entries:
        yield from places(entry, (*path, key))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_with_any_value_anywhere(name: str) -> None:
    document = DOCUMENTS[name]
    sentences = []
    assert verify(document)["verdict"] == "pass"
    for path in places(document):
        for value in VALUES:
            damaged = copy.deepcopy(document)
            target = damaged
            for key in path[:-1]:
                target = target[key]
            target[path[-1]] = value
            try:
                verdict = verify(damaged)
            except ParameterError as error:
                sentences.append(str(error))
                continue
            assert json.dumps(verdict, ensure_ascii=False).encode()
            if verdict["verdict"] == "pass":
                said_less = value in (None, {}) and path[0] in ("prime", "params", "form", "constants", "starts")
                no_result = value is None and path[0] in ("result", "residue")
                nobody_cares = path[0] == "rows" and len(path) == 3 and document["rows"][path[1]][path[2]] is None
                defaults = path == ("params",) and not value
                same = number(damaged) == number(document)
                assert said_less or no_result or nobody_cares or defaults or same, (path, value)
    assert all("\n" not in sentence and sentence.encode() for sentence in sentences)


@pytest.mark.parametrize("name", ["vectors", "trace", "fp2"])
def test_a_member_of_another_document_is_named(name: str) -> None:
    with pytest.raises(DamagedFileError, match="it has no member 'core'"):
        verify({**DOCUMENTS[name], "core": "iddmm_arch2"})


NULLS = {
    **DOCUMENTS,
    "certified": DOCUMENTS["vectors"],
}
PYTHON = re.compile(r"\b(None|True|False|Traceback|\w+Error)\b|<class")
ANY = st.one_of(
    st.sampled_from(VALUES),
    st.integers(),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["0x7", "mixed", "iddmm2"]),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=5,
    ),
)


@settings(max_examples=150, derandomize=True, database=None, deadline=None)
@given(data=st.data(), name=st.sampled_from(sorted(NULLS)))
def test_whatever_stands_anywhere_is_one_sentence(name: str, data: st.DataObject) -> None:
    """A value replaced, a member lost, the text truncated or not: one of our exit codes, and no Python traceback."""
    document = copy.deepcopy(NULLS[name])
    path = data.draw(st.sampled_from(sorted(places(document), key=str)))
    target = document
    for key in path[:-1]:
        target = target[key]
    if data.draw(st.booleans()):
        target[path[-1]] = data.draw(ANY)
    else:
        del target[path[-1]]
    text = json.dumps(document)
    text = text[: data.draw(st.sampled_from([len(text), len(text), len(text), len(text) // 2]))]
    with tempfile.TemporaryDirectory() as folder, redirect_stderr(io.StringIO()) as said:
        file = Path(folder, "file.json")
        file.write_text(text)
        with pytest.raises(SystemExit) as ended, redirect_stdout(io.TextIOWrapper(io.BytesIO())):
            main(["certify" if name == "certified" else "verify", str(file)])
    sentences = said.getvalue()
    assert ended.value.code in (0, 1, 2)
    assert not PYTHON.search(sentences), sentences
    assert sentences.count("\n") == (1 if ended.value.code == 2 or name == "certified" else 0)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"model": None}, "model: the document does not say it"),
        ({"model": 3}, "model: it is written as the id of a model, not 3"),
        ({"radix": [None]}, "radix: it is written as text or as an integer, not [null]"),
        ({"compare": None}, "compare: it is result or residue, not null"),
        (
            {"results": [{"a": None, "b": "0x1", "result": "0x1"}]},
            "results[0], a: null is not a hexadecimal integer such as 0x1f",
        ),
        ({"results": [{"a": "0x1", "b": "0x1", "result": "0x1", "id": None}]}, "file: results[0], id: null is no text"),
    ],
)
def test_sentences_about_json_speak_json(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParameterError) as caught:
        verify({**RESULTS, **change})
    assert str(caught.value) == sentence


def test_a_cycle_table_has_the_model_and_the_parameters_of_its_core() -> None:
    core, params = DOCUMENTS["cycles"]["core"], DOCUMENTS["cycles"]["params"]
    verdict = verify(DOCUMENTS["cycles"])
    assert (verdict["core"], verdict["params"]) == (core, params)
    assert "pipeline" in params
    with pytest.raises(ParameterError, match="iddmm_arch2 computes iddmm2, and the document says 'iddmm1'"):
        verify({**DOCUMENTS["cycles"], "model": "iddmm1"})
    with pytest.raises(ParameterError, match=r"^L: iddmm_arch2 has no such parameter; .*pipeline"):
        verify({**DOCUMENTS["cycles"], "params": {**params, "L": 1}})


def test_results_may_say_more_than_we_know() -> None:
    more = [{**entry, "note": 1} for entry in RESULTS["results"]]
    assert verify({**RESULTS, "board": "none", "results": more})["verdict"] == "pass"


@pytest.mark.parametrize("name", sorted(set(DOCUMENTS) - {"results"}))
def test_documents_with_a_member_more(name: str) -> None:
    for path in places(DOCUMENTS[name]):
        damaged = copy.deepcopy(DOCUMENTS[name])
        target: Any = damaged
        for key in path:
            target = target[key]
        if isinstance(target, dict):
            target["surplus"] = 1
            with pytest.raises(ParameterError):
                verify(damaged)


@pytest.mark.parametrize(
    ("change", "parameter"),
    [({"prime": "250"}, "prime"), ({"prime": None}, "prime"), ({"model": "nonesuch"}, "model"),
     ({"radix": "3"}, "radix"), ({"params": {"n": 1}}, "n"), ({"params": [1]}, "params"),
     ({"compare": "bits"}, "compare"), ({"results": []}, "results"), ({"results": {}}, "results"),
     ({"results": [{"a": "0x1", "b": "0x1"}]}, "file"),
     ({"results": [{"a": "0x1f6", "b": "0x1", "result": "0x0"}]}, "a"),
     ({"results": [{"a": "1", "b": "0x1", "result": "0x0"}]}, "results[0], a"), ({"format": "limbtrace/9"}, "format")],
)  # fmt: skip
def test_wrong_requests_name_the_parameter(change: dict[str, Any], parameter: str) -> None:
    with pytest.raises(ParameterError) as caught:
        verify({**RESULTS, **change})
    assert caught.value.parameter == parameter


def test_results_may_be_compared_as_residues() -> None:
    m = MULTIPLIER
    a, b = 250, 255
    result = m.model.result(m.params, a, b)
    assert result >= 251
    seen = {"a": hex(a), "b": hex(b), "result": hex(result - 251)}
    assert verify({**RESULTS, "compare": "residue", "results": [seen]})["verdict"] == "pass"
    assert verify({**RESULTS, "compare": "result", "results": [seen]})["verdict"] == "fail"


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"^file: .*nonesuch cannot be read: No such file or directory$"):
        verify_file(tmp_path / "nonesuch")
    with pytest.raises(DamagedFileError, match=r"manifest\.json: it cannot be read"):
        verify_file(tmp_path)


def test_a_manifest_is_not_the_set(tmp_path: Path) -> None:
    write_directory(tmp_path / "set", sets.memory_files(VECTORS), sets.MANIFEST)
    assert verify_file(tmp_path / "set")["verdict"] == "pass"
    with pytest.raises(DamagedFileError, match="the set is the folder that it is in"):
        verify_file(tmp_path / "set" / "manifest.json")


def test_a_name_beside_another_modulus_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"'p256\.fp' has another modulus"):
        verify({**RESULTS, "prime": {"name": "p256.fp", "modulus": "0xfb"}})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("q,0 0,", "q,0 0\r,"),
        ("q,0 0,", f"q,{'0' * 200_000},"),
        ("q,0 0,", f"q,{'1' * 5000},"),
        ("q,0 0,", "q,0 0\x1d,"),
    ],
)
def test_rows_that_no_csv_has(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "trace.csv"
    text = b"".join(traces.render(TraceRequest(Multiplier.resolve("iddmm2", "251", {"k": 4}), 7, 200), "csv")).decode()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), newline="")
    with pytest.raises(ParameterError, match="line "):
        verify_file(path)


def test_what_is_no_regular_file_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="no regular file"):
        verify_file(Path("/dev/zero"))
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("iddmm2", "251", {}), 5))
    write_directory(tmp_path / "set", sets.memory_files(vectors), sets.MANIFEST)
    (tmp_path / "set" / "a.hex").unlink()
    (tmp_path / "set" / "a.hex").symlink_to("/dev/zero")
    with pytest.raises(ParameterError, match="no regular file"):
        verify_file(tmp_path / "set")


@pytest.mark.parametrize("target", ["a.hex", "b.hex", "/dev/zero"])
def test_links_in_an_archive_are_not_followed(tmp_path: Path, target: str) -> None:
    """A link to itself would be followed endlessly."""
    path = tmp_path / "vectors.tar"
    with tarfile.open(fileobj=io.BytesIO(whole("vectors.readmemh"))) as good, tarfile.open(path, "w:") as damaged:
        for member in good:
            if member.name == "a.hex":
                link = tarfile.TarInfo("a.hex")
                link.type, link.linkname = tarfile.SYMTYPE, target
                damaged.addfile(link)
            else:
                damaged.addfile(member, good.extractfile(member))
    with pytest.raises(DamagedFileError, match="does not hold it"):
        verify_file(path)
