# SPDX-License-Identifier: Apache-2.0
"""Certificates: SageMath confirms correct values, and finds wrong ones although every digest fits."""

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors import certificate, sets
from limbtrace.vectors.certificate import (
    beside,
    certify,
    check,
    default_path,
    describe,
    file_digest,
    parse,
    render,
    sage_referee,
)
from limbtrace.vectors.cli import main
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.files import write_directory
from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.sets import CaseMaker, VectorSet
from limbtrace.vectors.validation import DamagedFileError
from limbtrace.vectors.verify import verify_file
from tests.patience import PATIENCE, computed, eventually
from tests.shapes import ANY_MODULUS, BUTTERFLIES, KOC, WHOLE

MULTIPLIER = Multiplier.resolve("iddmm2", "p192.fp", {"k": 32})
COMMAND = (sys.executable, "-c", "from limbtrace.vectors.cli import main; main()")
SAGE = sage_referee.versions()["sage"]


def content(multiplier: Multiplier, form: str, count: int = 12) -> bytes:
    return b"".join(sets.render(VectorSet(VectorRequest.resolve(multiplier, count, 3, "lazy")), form))


def write(path: Path, form: str = "json", multiplier: Multiplier = MULTIPLIER) -> Path:
    """A vector set in a file, or in a folder if its name has no suffix."""
    if path.suffix:
        path.write_bytes(content(multiplier, form))
    else:
        vectors = VectorSet(VectorRequest.resolve(multiplier, 12, 3, "lazy"))
        write_directory(path, sets.memory_files(vectors), sets.MANIFEST)
    return path


def sealed(document: dict[str, Any]) -> dict[str, Any]:
    """The document with recomputed ids and digest, as in a consistently forged set."""
    (group,) = document["testGroups"]
    maker = CaseMaker(MULTIPLIER)
    tests = [{**case, "id": maker.case_id(int(case["a"], 16), int(case["b"], 16))} for case in group["tests"]]
    head = {name: value for name, value in document.items() if name not in ("testGroups", "digest")}
    group_head = {name: value for name, value in group.items() if name != "tests"}
    lines = [dump({**head, **group_head}), *map(dump, tests)]
    digest = hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    return {**head, "testGroups": [{**group_head, "tests": tests}], "digest": f"sha256:{digest}"}


def run(capfd: Any, *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    out, err = capfd.readouterr()
    assert isinstance(stop.value.code, int)
    return stop.value.code, out, err


@pytest.mark.parametrize("name", ["s.json", "s.ndjson", "s.csv", "s.readmemh", "folder"])
def test_every_format_is_certified(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, name.partition(".")[2])
    found = certify(path)
    assert (found.verdict, found.cases, found.disagreements, found.first_disagreements) == ("agrees", 12, 0, [])
    assert (found.file.name, found.file.sha256) == (name, file_digest(path))
    document = json.loads(content(MULTIPLIER, "json"))
    holds_digest = name not in ("s.readmemh", "folder")
    assert (found.set.id, found.set.digest) == (document["id"], document["digest"] if holds_digest else None)
    assert (found.set.model, found.set.params, found.set.R) == ("iddmm2", {"n": 6, "passes": 6}, hex(2**192))
    assert set(found.statements) == set(sage_referee.STATEMENTS)
    assert found.referee.package == f"passagemath-pari {SAGE}"
    assert re.fullmatch(r"[0-9]+(\.[0-9]+){2}", found.referee.pari)


def test_a_set_that_was_formatted_anew_is_certified(tmp_path: Path) -> None:
    path = tmp_path / "pretty.json"
    path.write_text(json.dumps(json.loads(content(MULTIPLIER, "json")), indent=2))
    default_path(path).write_bytes(render(certify(path)))
    assert verify_file(path)["certificate"]["status"] == "agrees"


PRIMES = ("mlkem", "sike-p434", "sike-p503", "curve25519", "3")
COMPOSITES = {"15": [[3, 1], [5, 1]], "3^161": [[3, 161]], "2^64+1": [[274177, 1], [67280421310721, 1]]}
SETTINGS: dict[str, dict[str, str | int]] = {
    "cios": {"w": 17},
    **{name: {"w": 17, "below": "2*p"} for name in KOC},
    "fpmm": {"w": 17, "sigma": 2},
    "r2mm": {},
    "mwr2mm": {"w": 8},
    "mwr2kmm": {"k": 4, "w": 9},
    "imm": {"k": 16},
    "iddmm1": {"k": 16, "passes": 3},
    "iddmm2": {"k": 8},
    "orup": {"r": 16},
    "redundant": {"r1": 16, "tail": 1},
    "monpro": {},
    "montgomery": {"r": 20, "below": "4*p"},
    "redmonpro": {},
    "llmonpro": {},
    "vdf": {"t": 30},
}


@pytest.mark.parametrize("prime", [*PRIMES, *COMPOSITES])
def test_every_model_is_certified(tmp_path: Path, prime: str) -> None:
    assert set(SETTINGS) == {name for name in ANY_MODULUS if MODELS[name].has_modulus}
    for model, settings in SETTINGS.items():
        found = certify(write(tmp_path / "s.csv", "csv", Multiplier.resolve(model, prime, settings)))
        assert (found.verdict, found.disagreements) == ("agrees", 0), found.first_disagreements
        assert found.modulus is not None
        assert (found.ring, found.modulus.finding) == (
            ("Z/mZ", "composite") if prime in COMPOSITES else ("GF(p)", "prime")
        )
        factors = [[int(factor.prime, 16), factor.exponent] for factor in found.modulus.factors]
        assert factors == COMPOSITES.get(prime, [])
        assert found.modulus.reason == ""


WHOLE_SETS: list[tuple[str, str, dict[str, str | int]]] = [
    ("barrett", "p192.fp", {}), ("barrett", "2^64+1", {"k": 90}), ("effm", "71", {}), ("effm", "sike-p610", {}),
    ("blakley", "p256", {}), ("blakley", "1000", {"r": 4}),
    ("fold", "goldilocks64", {}), ("fold", "2^255-19", {"k": 256, "below": "2^256"}),
    ("solinas", "p256", {}), ("solinas", "goldilocks64", {"below": "2^N", "w": 8}),
    ("ffm1", "2*(2^7*3^4)^2-1", {}), ("ffm1", "p771", {}), ("ffm2", "73", {"sign": 1}), ("ffm2", "sike-p503", {}),
    ("ffm2", "139*2^216*3^137+1", {}), ("hffm", "35", {}), ("hffm", "sike-p434", {}), ("hffm", "59", {"split": 8}),
    ("hffm", "sike-p751", {"window": "hac"}), ("hffm", "p771", {"window": "half"}),
    ("hffm", "sike-p503", {"window": "register", "split": 8}), ("modmul", "2^64", {}), ("modmul", "2", {}),
    ("modmul", "15", {"below": "2^N"}),
    ("modmul", "p256", {}), ("square", "2^64-2", {"below": "2*p"}), ("square", "p256", {}),
    ("barrett_reduce", "p256", {"beta": 0}), ("barrett_mul", "2^64", {}), ("barrett_mul", "p256", {"alpha": 260}),
    ("butterfly_ct", "mlkem", {"r": 16}), ("butterfly_gs", "mldsa", {"halve": 1}), ("butterfly_gs", "15", {"r": 3}),
    ("modmac", "p256", {}), ("modmac", "2", {}), ("modadd", "2^64", {}), ("modsub", "p256", {}),
    ("modneg", "2", {}), ("modneg", "p256", {}), ("modhalve", "15", {}), ("modhalve", "p256", {}),
    ("reduce", "2^64", {}), ("reduce", "p256", {"below": "2^(2*N)"}), ("reduce", "2", {"below": "9"}),
]  # fmt: skip


@pytest.mark.parametrize(("model", "prime", "settings"), WHOLE_SETS)
def test_models_without_r_are_certified(tmp_path: Path, model: str, prime: str, settings: dict[str, str | int]) -> None:
    """SageMath checks every constant, and finds a wrong one."""
    multiplier = Multiplier.resolve(model, prime, settings)
    found = certify(write(tmp_path / "s.json", "json", multiplier))
    assert (found.verdict, found.disagreements, found.set.R) == ("agrees", 0, None), found.first_disagreements
    for name, value in multiplier.params.constants.items():
        stated = {**multiplier.params.constants, name: value + 1}
        head = sage_referee.Head(
            model, multiplier.modulus.modulus, "prime", None, dict(multiplier.params.named), None, stated
        )
        assert [key for key, _, _ in head.check("prime")] == ["constants"]
    assert {name for name, _, _ in WHOLE_SETS} == set(WHOLE) - {"redc"}


@pytest.mark.parametrize(("prime", "settings"), [("p256", {}), ("3", {"r": 9}), ("15", {"final": "unreduced"})])
def test_reductions_of_one_operand_are_certified(tmp_path: Path, prime: str, settings: dict[str, str | int]) -> None:
    """R and the constants are judged as those of a product, and a result that is off by one is seen."""
    multiplier = Multiplier.resolve("redc", prime, settings)
    path = write(tmp_path / "s.json", "json", multiplier)
    found = certify(path)
    assert (found.verdict, found.disagreements) == ("agrees", 0), found.first_disagreements
    assert hex(multiplier.params.domain or 0) == found.set.R
    referee = sage_referee.Referee(11, True, 16, {"a": 175, "b": 175, "result": 10}, True)
    assert list(referee.check(160, 1, 10, 10)) == []
    assert {key for key, _, _ in referee.check(160, 1, 9, 9)} >= {"product", "residue"}


@pytest.mark.parametrize("model", BUTTERFLIES)
def test_numbers_of_a_wrong_result_are_found(tmp_path: Path, model: str) -> None:
    """One more, and one more in the second number, which the residue of the whole does not show."""
    multiplier = Multiplier.resolve(model, "mlkem", {})
    path = write(tmp_path / "s.json", "json", multiplier)
    assert certify(path).verdict == "agrees"
    head = sage_referee.Head(
        model, 3329, "prime", None, dict(multiplier.params.named), None, dict(multiplier.params.constants)
    )
    b = 0 if multiplier.model.unary else 7
    right = multiplier.model.result(multiplier.params, 5, b)
    referee = sage_referee.ButterflyReferee(
        head, dict(zip("ab", multiplier.params.limits, strict=True)) | {"result": 3329**2}
    )
    assert list(referee.check(5, b, right, right)) == []
    for wrong in (right + 1, right + 3329):
        assert "numbers" in {key for key, _, _ in referee.check(5, b, wrong, wrong)}


@pytest.mark.parametrize("prime", ["3", "mlkem", "goldilocks64", "p192.fp", "curve448", "p771"])
def test_the_proof_of_primality_holds(prime: str) -> None:
    modulus = Multiplier.resolve("cios", prime, {}).modulus.modulus
    found = sage_referee.examine(modulus)
    assert found["finding"] == "prime"
    proof = found["proof"]
    assert sage_referee.proves(modulus, proof)
    assert not sage_referee.proves(modulus + 2, proof)
    last = re.findall(r"[0-9]+", proof)[-1]
    assert not sage_referee.proves(modulus, f"{int(last) + 1}".join(proof.rsplit(last, 1)))
    assert len(found["proof"]) < certificate.MAX_BYTES // 4


@pytest.mark.parametrize("proof", ["", "x", 'system("true")', "[1,2];1", "9", "15", "-7", "[", "[]", "[7]", "[[15]]"])
def test_what_proves_nothing(proof: str) -> None:
    assert not sage_referee.proves(15, proof)


def test_what_is_too_large_is_said_to_be() -> None:
    found = sage_referee.examine(2**1279 - 1)
    assert (found["finding"], found["proof"]) == ("probable prime", None)
    assert found["reason"] == "not proven: it has 1279 bits, and the limit of a proof is 1024 bits"
    left = (2**127 - 1) * (2**89 - 1)
    found = sage_referee.examine(9 * left)
    assert found["factors"] == [{"prime": "0x3", "exponent": 2}]
    assert (found["finding"], found["cofactor"]) == ("composite", hex(left))
    assert found["reason"] == "not factored: a rest of 216 bits, and the limit after trial division is 160 bits"
    assert sage_referee.examine(3 * (2**521 - 1))["factors"][1] == {"prime": hex(2**521 - 1), "exponent": 1}
    assert sage_referee.examine((2**89 - 1) ** 5)["factors"] == [{"prime": hex(2**89 - 1), "exponent": 5}]


P = MULTIPLIER.modulus.modulus
R = 2**192


def add(field: str, value: int) -> Callable[[dict[str, Any]], None]:
    """Adds a value to a number of case 5."""

    def change(group: dict[str, Any]) -> None:
        case = group["tests"][5]
        case[field] = hex(int(case[field], 16) + value)

    return change


def both(group: dict[str, Any]) -> None:
    for field in ("result", "residue"):
        group["tests"][5][field] = "0x1"


def swap(group: dict[str, Any]) -> None:
    case = next(case for case in group["tests"] if 0 < int(case["b"], 16) < P and case["a"] != case["b"])
    case["a"], case["b"] = case["b"], case["a"]


def another_r(group: dict[str, Any]) -> None:
    """A changed R, and everything that follows from it, consistently."""
    group["domain"]["R"] = group["constants"]["R"] = hex(R << 32)
    group["constants"]["R mod p"] = hex((R << 32) % P)
    group["constants"]["R^2 mod p"] = hex((R << 32) ** 2 % P)


def another_constant(group: dict[str, Any]) -> None:
    group["constants"]["p'"] = "0x3"


TAMPERED: dict[str, tuple[Callable[[dict[str, Any]], None], set[str]]] = {
    "result": (add("result", 1), {"product", "reduction", "quotient"}),
    "the other result of that residue": (add("result", P), {"quotient"}),
    "result beyond its range": (add("result", 1000 * P), {"range", "quotient"}),
    "residue": (add("residue", 1), {"residue", "reduction"}),
    "residue not reduced": (add("residue", P), {"residue", "reduction"}),
    "result and residue": (both, {"product", "residue", "quotient"}),
    "operand": (add("a", 1), {"product", "residue", "quotient"}),
    "operand beyond its range": (add("b", R), {"range", "product", "residue", "quotient"}),
    "operands that change places": (swap, set()),
    "R": (another_r, {"R", "constants", "product", "residue", "quotient"}),
    "constant": (another_constant, {"constants"}),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_what_was_forged_is_found(tmp_path: Path, name: str) -> None:
    document = json.loads(content(MULTIPLIER, "json"))
    assert sealed(document) == document
    change, statements = TAMPERED[name]
    change(document["testGroups"][0])
    (tmp_path / "s.json").write_text(dump(sealed(document)))
    found = certify(tmp_path / "s.json")
    assert {entry.statement for entry in found.first_disagreements} == statements
    assert found.verdict == ("disagrees" if statements else "agrees")
    if name not in ("R", "constant"):
        case = sealed(document)["testGroups"][0]["tests"][5]["id"]
        assert {(entry.case, entry.place) for entry in found.first_disagreements} <= {(case, "case 5")}
        assert found.disagreements == len(statements)


def test_a_disagreement_says_both_values(tmp_path: Path) -> None:
    document = json.loads(content(MULTIPLIER, "json"))
    case = document["testGroups"][0]["tests"][5]
    right = case["residue"]
    case["residue"] = "0x5"
    another_constant(document["testGroups"][0])
    (tmp_path / "s.json").write_text(dump(sealed(document)))
    constant, residue, reduction = certify(tmp_path / "s.json").first_disagreements
    inverse = -pow(P, -1, 2**32) % 2**32
    assert (constant.case, constant.place) == (None, "head")
    assert (constant.expected, constant.found) == (f"p' = {inverse:#x}", "p' = 0x3")
    assert (residue.expected, residue.found) == (reduction.expected, reduction.found) == (right, "0x5")


def test_disagreements_are_all_counted_and_some_listed(tmp_path: Path) -> None:
    printed = Multiplier.resolve("iddmm2", "13", {"k": 2, "form": "printed"})
    path = tmp_path / "s.csv"
    path.write_bytes(content(printed, "csv", 200))
    found = certify(path)
    assert found.disagreements > certificate.MAX_LISTED == len(found.first_disagreements)
    assert describe(found) == f"SageMath {SAGE} disagrees {found.disagreements} times about 200 cases in GF(p)"


def test_words_in_memory_files_are_recomputed(tmp_path: Path) -> None:
    path = write(tmp_path / "folder")
    lines = (path / "result.hex").read_text().splitlines()
    lines[7] = "1".zfill(len(lines[7]))
    (path / "result.hex").write_text("".join(f"{line}\n" for line in lines))
    manifest = json.loads((path / "manifest.json").read_text())
    manifest["files"][2]["sha256"] = hashlib.sha256((path / "result.hex").read_bytes()).hexdigest()
    (path / "manifest.json").write_text(dump(manifest))
    found = certify(path)
    assert {entry.statement for entry in found.first_disagreements} == {"product", "residue", "quotient"}
    assert {entry.place for entry in found.first_disagreements} == {"line 8"}


def test_a_wrong_model_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The purpose of the referee: a faulty model whose files, digests and verdicts are all consistent."""
    right = type(MULTIPLIER.params).domain
    assert isinstance(right, property)
    monkeypatch.setattr(type(MULTIPLIER.params), "domain", property(lambda p: 2 << p.r_bits))
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("iddmm2", 251, {"k": 4}), 12, 3, "random"))
    path = tmp_path / "s.csv"
    path.write_bytes(b"".join(sets.render(vectors, "csv")))
    assert verify_file(path)["verdict"] == "pass"
    found = certify(path)
    assert found.verdict == "disagrees"
    assert found.first_disagreements[0].statement == "R"


def head(**changes: Any) -> list[str]:
    stated = sage_referee.Head("cios", 15, "composite", 2, {"s": 3}, 64, {"R": 64, "R mod P": 4, "P'": 1, "P''": 17})
    return [statement for statement, _, _ in stated._replace(**changes).check("composite")]


def test_the_head_is_judged() -> None:
    assert head() == []
    assert head(primality="prime") == ["primality"]
    assert head(r=32) == ["R"]
    assert head(r=None) == ["R"]
    assert head(constants={"R": 64, "R mod P": 5, "P''": 18}) == ["constants", "constants"]
    assert head(constants={"mu": 64}) == ["constants"]
    assert head(model="ozturk", r=None, constants={}) == []
    assert list(sage_referee.Head("ozturk", 17, "prime", None, {}, None, {}).check("probable prime")) == []


@pytest.mark.parametrize(
    ("subtracts", "result", "wrong"),
    [(True, 3, []), (False, 14, []), (True, 14, ["quotient"]), (False, 3, ["quotient"]), (True, 25, ["quotient"])],
)
def test_a_sum_from_which_the_modulus_was_subtracted(subtracts: bool, result: int, wrong: list[str]) -> None:
    """14 * 16 = 7 * 10 + 14 * 11, and 3 is 14 less 11."""
    referee = sage_referee.Referee(11, True, 16, {"a": 15, "b": 11, "result": 99}, subtracts)
    assert [name for name, _, _ in referee.check(7, 10, result, 3)] == wrong


def test_a_model_without_a_domain_returns_the_product_itself() -> None:
    for prime in (True, False):
        referee = sage_referee.Referee(97, prime, None, {"a": 96, "b": 96, "result": 96})
        assert list(referee.check(50, 60, 50 * 60 % 97, 50 * 60 % 97)) == []
        assert [name for name, _, _ in referee.check(50, 60, 3, 3)] == ["product", "residue"]
        assert [name for name, _, _ in referee.check(50, 60, 50 * 60 % 97 - 97, 50 * 60 % 97)] == ["range"]


def test_the_same_file_gets_the_same_certificate(tmp_path: Path) -> None:
    path = write(tmp_path / "s.json")
    for output in ("one", "two"):
        command = [*COMMAND, "certify", str(path), "-o", str(tmp_path / output)]
        assert subprocess.run(command, capture_output=True, timeout=PATIENCE).returncode == 0
    sage_referee.examine(2**255 - 19)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes() == render(certify(path))


def test_the_command(capfd: Any, tmp_path: Path) -> None:
    path = write(tmp_path / "s.json")
    assert run(capfd, "certify", str(path)) == (0, "", f"limbtrace: SageMath {SAGE} confirms 12 cases in GF(p)\n")
    written = (tmp_path / "s.json.certificate.json").read_bytes()
    code, out, _ = run(capfd, "certify", str(path), "-o", "-")
    assert (code, out.encode()) == (0, written)
    assert parse(written) == certify(path)
    folder = write(tmp_path / "folder")
    assert run(capfd, "certify", str(folder))[0] == 0
    assert {entry.name for entry in tmp_path.iterdir()} == {
        "s.json", "s.json.certificate.json", "folder", "folder.certificate.json"
    }  # fmt: skip


def test_the_command_says_that_it_disagrees(capfd: Any, tmp_path: Path) -> None:
    path = write(tmp_path / "s.json", multiplier=Multiplier.resolve("iddmm2", "13", {"k": 2, "form": "printed"}))
    code, out, err = run(capfd, "certify", str(path))
    assert (code, out) == (1, "")
    assert re.fullmatch(rf"limbtrace: SageMath {SAGE} disagrees [0-9]+ times about 12 cases in GF\(p\)\n", err)
    code, out, err_verify = run(capfd, "verify", str(path))
    assert (code, err_verify) == (1, err)
    verdict = json.loads(out)
    assert (verdict["verdict"], verdict["mismatches"], verdict["certificate"]["status"]) == ("pass", 0, "disagrees")


def test_damaged_files_get_no_certificate(capfd: Any, tmp_path: Path) -> None:
    document = json.loads(content(MULTIPLIER, "json"))
    document["testGroups"][0]["tests"][5]["result"] = "0x1"
    (tmp_path / "edited.json").write_text(dump(document))
    (tmp_path / "cut.csv").write_bytes(content(MULTIPLIER, "csv")[:-200])
    group = document["testGroups"][0]
    group["domain"]["R"] = hex(P)
    (tmp_path / "r.json").write_text(dump(sealed(document)))
    group["domain"]["R"] = "five"
    (tmp_path / "text.json").write_text(dump(sealed(document)))
    before = sorted(tmp_path.iterdir())
    for name, sentence in (
        ("edited.json", "file: digest: the content is not what was written: something was edited"),
        ("cut.csv", "cut short"),
        ("r.json", "file: head: the R it states has no inverse modulo the modulus"),
        ("text.json", "domain, R: 'five' is not a hexadecimal integer"),
        ("nonesuch", "nonesuch cannot be read: No such file or directory"),
        (".", "manifest.json cannot be read: No such file or directory"),
    ):
        code, out, err = run(capfd, "certify", str(tmp_path / name))
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert sentence in err
    assert sorted(tmp_path.iterdir()) == before


def test_verify_still_refuses_constants_that_are_not_ours(tmp_path: Path) -> None:
    for change in (another_r, another_constant):
        document = json.loads(content(MULTIPLIER, "json"))
        change(document["testGroups"][0])
        (tmp_path / "s.json").write_text(dump(sealed(document)))
        with pytest.raises(DamagedFileError) as caught:
            verify_file(tmp_path / "s.json")
        assert caught.value.place == "head"


def test_outputs_that_cannot_be(capfd: Any, tmp_path: Path) -> None:
    path = write(tmp_path / "s.json")
    before = path.read_bytes()
    code, _, err = run(capfd, "certify", str(path), "-o", str(path))
    assert (code, err) == (2, f"limbtrace: output: {path} is the file to be certified\n")
    assert path.read_bytes() == before
    code, _, err = run(capfd, "certify", str(path), "-o", str(tmp_path / "missing" / "c"))
    assert (code, err.count("\n")) == (2, 1)
    assert "limbtrace: output: " in err
    assert [entry.name for entry in tmp_path.iterdir()] == ["s.json"]


def test_without_sage_a_sentence(tmp_path: Path) -> None:
    path = write(tmp_path / "s.json")
    program = "import sys; sys.modules['sage'] = None\n" + COMMAND[2]
    command = [COMMAND[0], "-c", program]
    done = subprocess.run([*command, "certify", str(path)], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (
        "limbtrace: certify needs SageMath: pip install 'limbtrace[sage]', or `sage -python -m limbtrace certify` in a "
        "SageMath of your own\n"
    )
    assert [entry.name for entry in tmp_path.iterdir()] == ["s.json"]
    default_path(path).write_bytes(render(certify(path)))
    done = subprocess.run([*command, "verify", str(path)], capture_output=True, text=True, timeout=PATIENCE)
    assert json.loads(done.stdout)["certificate"]["status"] == "agrees"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set that takes several seconds."""
    path = tmp_path_factory.mktemp("set") / "s.ndjson"
    path.write_bytes(content(Multiplier.resolve("cios", "p256", {}), "ndjson", 150_000))
    return path


@pytest.mark.parametrize(("stop", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_certificate_leaves_nothing(
    tmp_path: Path, large: Path, stop: signal.Signals, code: int
) -> None:
    command = [*COMMAND, "certify", str(large), "-o", str(tmp_path / "certificate")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as child:
        assert child.stderr is not None
        assert child.stderr.readline().startswith("cases: ")  # a second's work is done, and more is left
        child.send_signal(stop)
        assert child.wait(timeout=PATIENCE) == code
        assert "Traceback" not in child.stderr.read()
    assert not list(tmp_path.iterdir())


def test_an_interrupted_proof_is_quiet(tmp_path: Path) -> None:
    path = write(tmp_path / "s.csv", "csv", Multiplier.resolve("cios", "2^1024-105", {}))
    program = "import sys\nfrom limbtrace.vectors.certificate import sage_referee as s\nexamine = s.examine\n"
    program += "s.examine = lambda m: print('proof', file=sys.stderr, flush=True) or [examine(m) for _ in range(999)]\n"
    command = [COMMAND[0], "-c", program + COMMAND[2], "certify", str(path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as child:
        assert child.stderr is not None
        assert child.stderr.readline() == "proof\n"
        begin = computed(child.pid)
        assert eventually(lambda: computed(child.pid) > begin + 0.4)  # one of the proofs takes a second or two
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=PATIENCE) == 130
        assert child.stderr.read().strip() == "limbtrace: interrupted"
    assert list(tmp_path.iterdir()) == [path]


def certified(tmp_path: Path) -> tuple[Path, Path]:
    """A set with its certificate."""
    path = write(tmp_path / "s.json")
    default_path(path).write_bytes(render(certify(path)))
    return path, default_path(path)


def test_verify_shows_the_certificate(capfd: Any, tmp_path: Path) -> None:
    path, place = certified(tmp_path)
    code, out, err = run(capfd, "verify", str(path))
    assert (code, err) == (0, "")
    assert json.loads(out)["certificate"] == {
        "status": "agrees",
        "file": "s.json.certificate.json",
        "detail": f"SageMath {SAGE} confirms 12 cases in GF(p)",
    }
    path.write_bytes(path.read_bytes() + b"\n")
    code, out, err = run(capfd, "verify", str(path))
    assert (code, err) == (0, "")
    assert json.loads(out)["certificate"]["status"] == "other file"
    place.unlink()
    assert "certificate" not in verify_file(path)


BROKEN: dict[str, Callable[[dict[str, Any]], object]] = {
    "no member": lambda d: d.pop("cases"),
    "no number": lambda d: d.update(cases="many"),
    "another format": lambda d: d.update(format="limbtrace/9"),
    "a verdict that its count contradicts": lambda d: d.update(disagreements=3),
    "the other way round": lambda d: d.update(verdict="disagrees"),
    "too large": lambda d: d.update(note="x" * certificate.MAX_BYTES),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_certificate_is_said_to_be(capfd: Any, tmp_path: Path, name: str) -> None:
    path, place = certified(tmp_path)
    document = json.loads(place.read_text())
    BROKEN[name](document)
    place.write_text(dump(document))
    code, out, err = run(capfd, "verify", str(path))
    assert (code, err) == (0, "")
    verdict = json.loads(out)
    assert (verdict["verdict"], verdict["certificate"]["status"]) == ("pass", "broken")
    assert "\n" not in verdict["certificate"]["detail"]


def test_what_is_no_certificate_is_said_to_be_broken(tmp_path: Path) -> None:
    path, place = certified(tmp_path)
    for text in (b"", b"\xff", b"[" * 100_000, b"{}", b"[]", b'{"format":"\\ud800"}'):
        place.write_bytes(text)
        assert verify_file(path)["certificate"]["status"] == "broken"
    place.unlink()
    place.mkdir()
    assert verify_file(path)["certificate"]["status"] == "broken"


def test_a_certificate_is_tied_to_its_set(tmp_path: Path) -> None:
    path, place = certified(tmp_path)
    found = parse(place.read_bytes())
    document = json.loads(path.read_text())
    assert check(found, document["id"], document["digest"]) == "agrees"
    assert check(found, "0" * 32, document["digest"]) == "other set"
    assert check(found, document["id"], "sha256:" + "0" * 64) == "other set"
    assert check(found, document["id"], None) == "other set"
    summary = beside(path, "0" * 32)
    assert summary is not None
    assert summary["status"] == "other set"
    with pytest.raises(ParameterError, match=r"^certificate: it is larger than the limit of 1048576 bytes$"):
        parse(place.read_bytes() + b" " * certificate.MAX_BYTES)
    with pytest.raises(ParameterError, match=r"^certificate: it is not as limbtrace writes it, see the document$"):
        parse(b"no")


def test_the_digest_of_a_folder_is_that_of_its_listing(tmp_path: Path) -> None:
    folder = write(tmp_path / "folder")
    names = ["manifest.json", "a.hex", "b.hex", "result.hex"]
    listing = subprocess.run(["sha256sum", *names], cwd=folder, capture_output=True, check=True).stdout
    assert file_digest(folder) == hashlib.sha256(listing).hexdigest()
    default_path(folder).write_bytes(render(certify(folder)))
    assert verify_file(folder)["certificate"]["status"] == "agrees"
    (folder / "b.hex").write_text((folder / "b.hex").read_text().upper())
    summary = beside(folder, json.loads((folder / "manifest.json").read_text())["id"])
    assert summary is not None
    assert summary["status"] == "other file"


def test_a_name_that_is_no_utf8_is_escaped(capfd: Any, tmp_path: Path) -> None:
    path = write(tmp_path / os.fsdecode(b"set\xff.json"))
    assert run(capfd, "certify", str(path))[0] == 0
    assert parse(default_path(path).read_bytes()).file.name == r"set\xff.json"
    assert json.loads(run(capfd, "verify", str(path))[1])["certificate"]["file"] == r"set\xff.json.certificate.json"


def test_a_name_too_long_for_a_certificate_beside_it(capfd: Any, tmp_path: Path) -> None:
    path = write(tmp_path / f"{240 * 'n'}.json")
    assert run(capfd, "verify", str(path))[0] == 0
