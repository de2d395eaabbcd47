# SPDX-License-Identifier: Apache-2.0
"""Grades of vectors: files of any kind, mechanisms, faults, and what to add."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from limbtrace.refmodels.defects.families import FaultyProduct, faults
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.loop_mutants import MutantKind
from limbtrace.vectors.cli import cli
from limbtrace.vectors.grades import grade, graded
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.sets import open_vectors
from limbtrace.vectors.validation import DamagedFileError

P256 = Multiplier.resolve("modmul", "p256", {})


def made(tmp_path: Path, *options: str) -> Path:
    path = tmp_path / f"{len(list(tmp_path.iterdir()))}.json"
    assert CliRunner().invoke(cli, ["vectors", *options, "-o", str(path)]).exit_code == 0
    return path


def of_file(path: Path, multiplier: Multiplier | None = None, count: int = 10_000) -> dict[str, Any]:
    return grade(graded([path], multiplier, count))


def missing(document: dict[str, Any]) -> set[str]:
    return {fault["name"] for fault in document["faults"] if fault["first"] is None}


@pytest.mark.parametrize("model", ["modmul", "montgomery", "square"])
def test_what_is_to_be_added_shows_what_is_missing(model: str, tmp_path: Path) -> None:
    document = of_file(made(tmp_path, model, "--prime", "p256", "--kind", "random", "--count", "40"))
    promised = {name for entry in document["additions"] for name in entry["faults"]}
    possible = {fault["name"] for fault in document["faults"] if fault["first"] is None and fault["known"]}
    assert promised == possible
    assert possible
    lines = [f"{entry['a']},{entry['b'] or 0}" for entry in document["additions"]]
    more = tmp_path / "more.csv"
    more.write_text("\n".join(lines))
    assert not missing(of_file(more, Multiplier.resolve(model, "p256", {}))) & promised


def test_directed_vectors_have_a_better_grade(tmp_path: Path) -> None:
    drawn, directed = (
        of_file(made(tmp_path, "modmul", "--prime", "secp256k1", "--kind", kind, "--count", "100"))
        for kind in ("random", "directed")
    )
    assert missing(directed) < missing(drawn)
    assert sum(m["shown"] for m in directed["mechanisms"]) > 10 * sum(m["shown"] for m in drawn["mechanisms"])


def test_first_cases_are_those_that_differ(tmp_path: Path) -> None:
    path = made(tmp_path, "montgomery", "--prime", "p256", "--count", "30")
    document = of_file(path)
    m = Multiplier.resolve("montgomery", "p256", {})
    asked = FaultyProduct(m.modulus.modulus, "a*b", 2**256, *m.params.limits)
    known = {fault.name: fault for fault in faults(asked, (64, 32))}
    pairs = graded([path], None, 30).pairs
    for entry in document["faults"]:
        if entry["name"] in known:
            wrong = [
                known[entry["name"]].compute(a, b, m.modulus.modulus) != m.model.result(m.params, a, b)
                for a, b in pairs
            ]
            assert entry["first"] == (wrong.index(True) if True in wrong else None)


def test_first_cases_that_show_a_mechanism(tmp_path: Path) -> None:
    path = tmp_path / "few.csv"
    path.write_text("3,4\n5,5\n0x10000000000000000,1\n7,7\n")
    first = {m["name"]: m["first"] for m in of_file(path, Multiplier.resolve("modmul", "p256", {}))["mechanisms"]}
    assert (first["relation"], first["constant"], first["quotient"]) == (1, 2, None)


def test_a_set_of_ours_that_was_edited_or_cut_short(tmp_path: Path) -> None:
    path = made(tmp_path, "modmul", "--prime", "13", "--count", "6", "--format", "ndjson")
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:4]))
    with pytest.raises(DamagedFileError, match="the end of the set is missing"):
        graded([path], None, 6)
    assert len(graded([path], None, 2).pairs) == 2
    path.write_text("".join([*lines[:3], lines[3].replace('"a":"0x', '"a":"0xz'), *lines[4:]]))
    with pytest.raises(ParameterError, match="line 4, a: '0xz"):
        graded([path], None, 6)


def test_public_faults_of_the_same_multiplier_are_among_them(tmp_path: Path) -> None:
    document = of_file(made(tmp_path, "montgomery", "--prime", "2^512-569", "--count", "30"))
    assert "openssl-cve-2015-3193" in {fault["name"] for fault in document["faults"]}


FILES = {
    "columns.csv": "a,b\n5,7\n11,1\n",
    "plain.txt": "# operands\n5 7\n11 1 12\n",
    "hexadecimal.txt": "05 07\n0b 01\n",
    "prefixed.txt": "0x5, 7\n0xB, 1\n",
    "wycheproof.json": '{"testGroups": [{"tests": [{"a": "05", "b": "07"}, {"a": "0b", "b": "01"}]}]}',
    "acvp.json": '[{"acvVersion":"1.0"},{"testGroups":[{"tests":[{"a":"05","b":"07"},{"a":"0b","b":"01"}]}]}]',
    "integers.json": '[{"a": 5, "b": 7}, {"a": 11, "b": 1}]',
}


@pytest.mark.parametrize("name", FILES)
def test_files_of_others(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(FILES[name])
    found = graded([path], Multiplier.resolve("modmul", 13, {}), 10)
    assert list(found.pairs) == [(5, 7), (11, 1)]


def test_a_memory_image_of_each_operand(tmp_path: Path) -> None:
    a, b = tmp_path / "a.mem", tmp_path / "b.mem"
    a.write_text("@0\n05 // first\n0b\n")
    b.write_text("10\n01\n")
    assert list(graded([a, b], Multiplier.resolve("modmul", 17, {}), 10).pairs) == [(5, 16), (11, 1)]


@pytest.mark.parametrize("format", ["json", "ndjson", "csv", "readmemh"])
def test_sets_of_ours_in_any_format(format: str, tmp_path: Path) -> None:
    name = tmp_path / ("set.tar" if format == "readmemh" else "set")
    words = ["vectors", "modmul", "--prime", "13", "--count", "6", "--format", format, "-o", str(name)]
    assert CliRunner().invoke(cli, words).exit_code == 0
    found = graded([name], None, 4)
    assert (len(found.pairs), found.more, found.multiplier.modulus.modulus) == (4, True, 13)


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        ("5,7\n", [], "prime: needed, since"),
        ("", ["--prime", "13"], "has no operands"),
        ("5,7\n13,1\n", ["--prime", "13"], "case 1, from 0 on: a: 0xd is outside"),
        ("a,b\n5,7\nsix,7\n", ["--prime", "13"], "'six 7' should be a line of 2 numbers"),
        ('[{"a": 1.5, "b": 2}]', ["--prime", "13"], "'1.5' should be an integer"),
    ],
)
def test_what_is_refused(text: str, options: list[str], sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text(text)
    seen = CliRunner().invoke(cli, ["grade", str(path), *options])
    assert isinstance(seen.exception, ParameterError)
    assert sentence in str(seen.exception)


def test_a_set_of_another_multiplier_is_refused(tmp_path: Path) -> None:
    path = made(tmp_path, "modmul", "--prime", "13", "--count", "4")
    with pytest.raises(ParameterError, match="is of modmul"):
        graded([path], P256, 4)


@pytest.mark.parametrize("options", [("cios", "--radix", "2^16"), ("iddmm2", "--radix", "2^8")])
def test_operands_for_mutants_that_survive_kill_them(options: tuple[str, ...], tmp_path: Path) -> None:
    document = of_file(made(tmp_path, *options, "--prime", "0xfffffffb", "--kind", "random", "--count", "12"))
    loop = document["loop"]
    killed = [entry for entry in loop["survivors"] if entry["a"] is not None]
    assert killed
    more = tmp_path / "more.csv"
    more.write_text("".join(f"{entry['a']},{entry['b'] or 0}\n" for entry in killed))
    again = of_file(more, Multiplier.resolve(options[0], 0xFFFFFFFB, {"radix": options[2]}))
    left = {entry["mutant"] for entry in again["loop"]["survivors"]}
    assert not left & {entry["mutant"] for entry in killed}


def test_mutants_are_counted_by_kind_and_step(tmp_path: Path) -> None:
    loop = of_file(made(tmp_path, "cios", "--prime", "0xfffffffb", "--radix", "2^16", "--count", "40"))["loop"]
    assert loop["judged"] == loop["mutants"] == sum(entry["mutants"] for entry in loop["classes"])
    assert loop["killed"] == sum(entry["killed"] for entry in loop["classes"])
    assert loop["killed"] + len(loop["survivors"]) == loop["judged"]
    assert {entry["kind"] for entry in loop["classes"]} == {kind.value for kind in MutantKind}
    shares = [entry["killed"] / entry["mutants"] for entry in loop["classes"]]
    assert shares == sorted(shares)
    assert loop["killed"] > loop["judged"] // 2


def test_a_model_with_events_is_graded_by_its_loop_alone(tmp_path: Path) -> None:
    path = made(tmp_path, "cios", "--prime", "p256", "--count", "20")
    text = CliRunner().invoke(cli, ["grade", str(path)]).stdout
    assert text.startswith("cios has events of its own (`limbtrace cover`)\n")
    assert "mutants of the loop  killed by the first 20 cases; 616 operations\n" in text
    assert "\nweakest\n" in text
    assert "mutants of the loop in 20 cases\n" in text


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("vdf", "--prime", "241", "--set", "t=4"), "is a chain of squarings, of which no mutants are made"),
        (("redundant", "--prime", "p256", "--set", "overlap=1"), "as it branches on the operands"),
        (("mwr2mm", "--prime", "p256"), "operations or more here and mutants are made of up to 20000"),
    ],
)
def test_loops_of_which_no_mutants_are_made(options: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    path = made(tmp_path, *options, "--count", "2")
    document = of_file(path)
    assert document["loop"] is None
    assert sentence in document["no_loop"]
    assert sentence in CliRunner().invoke(cli, ["grade", str(path)]).stdout


@pytest.mark.parametrize("format", ["json", "ndjson", "csv", "readmemh", "raw", "sv"])
def test_sets_with_their_grade(format: str, tmp_path: Path) -> None:
    plain, with_grade = tmp_path / "plain.tar", tmp_path / "grade.tar"
    words = ["vectors", "modmul", "--prime", "13", "--count", "6", "--format", format]
    for more, path in (([], plain), (["--grade"], with_grade)):
        assert CliRunner().invoke(cli, [*words, *more, "-o", str(path)]).exit_code == 0
    for path in (plain, with_grade):
        assert json.loads(CliRunner().invoke(cli, ["verify", str(path)]).stdout)["verdict"] == "pass"
    with open_vectors(with_grade) as reader:
        found = of_file(with_grade)
        assert reader.head["grade"] == {name: found[name] for name in reader.head["grade"]}
    with open_vectors(plain) as reader:
        assert "grade" not in reader.head


def test_a_grade_that_was_edited_is_noticed(tmp_path: Path) -> None:
    path = made(tmp_path, "modmul", "--prime", "13", "--count", "6", "--grade")
    path.write_text(path.read_text().replace('"killed":', '"killed":1'))
    assert isinstance(CliRunner().invoke(cli, ["verify", str(path)]).exception, DamagedFileError)
    path.write_text(path.read_text().replace('"faults":', '"flaws":'))
    assert isinstance(CliRunner().invoke(cli, ["verify", str(path)]).exception, DamagedFileError)


def test_the_command(tmp_path: Path) -> None:
    path = made(tmp_path, "modmul", "--prime", "p256", "--kind", "random", "--count", "20")
    text = CliRunner().invoke(cli, ["grade", str(path)]).stdout
    assert " of 14 faults, " in text
    assert " mutants of the loop in 20 cases; limbs of 64, 32, " in text
    assert "\nadd\n" in text
    document = json.loads(
        CliRunner().invoke(cli, ["grade", str(path), "--json", "--words", "32", "--count", "10"]).stdout
    )
    assert (document["words"], document["cases"], document["more"]) == ([32], 10, True)
    assert (
        "mutants of the loop in the first 10 cases"
        in CliRunner().invoke(cli, ["grade", str(path), "--count", "10"]).stdout
    )
