# SPDX-License-Identifier: Apache-2.0
"""Certificates of a core of four bits: written, checked, altered, and damaged."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.check_proof.cli import check_proof
from limbtrace.rtl_bridge.check_proof.files import DESIGN, HEAD, LOG, REFUTATIONS
from limbtrace.rtl_bridge.proof.certificate import LoggedProof, write
from limbtrace.rtl_bridge.proof.moduli import Proofs
from limbtrace.rtl_bridge.proof.prover import WHOLE, ProofOptions
from limbtrace.rtl_bridge.proof.solver_cache import Remembered
from limbtrace.vectors.cli import UNDECIDED, cli
from limbtrace.vectors.schemas import published
from tests.rtl_bridge.proof.small_core import core, shell_of

EMPTY = gzip.compress(b"")


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> LoggedProof:
    """The proof of the core at modulus 5, with what its certificate takes."""
    shell = shell_of(core(tmp_path_factory.mktemp("core")), "5")
    proofs = Proofs.of([shell], ProofOptions(WHOLE, 1, 20, Remembered(fresh=True), logged=True))
    assert not proofs.failed
    (found,) = proofs.logged
    return found


@pytest.fixture(scope="module")
def folder(proof: LoggedProof, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its certificate."""
    made = tmp_path_factory.mktemp("certificate") / "dut"
    write(made, proof)
    return made


def run(*words: object) -> tuple[int, str]:
    """Exit code and output of the command. Raises ParameterError."""
    answer = CliRunner().invoke(check_proof, [*map(str, words)], standalone_mode=False)
    if answer.exception is not None:
        raise answer.exception
    return int(answer.return_value), answer.stdout


@pytest.mark.budget(12)
def test_a_certificate_says_what_holds(folder: Path) -> None:
    code, text = run(folder)
    assert code == 0
    first, *others = text.splitlines()
    assert first == (
        "dut: for all operands (a0 up to 0x4, b0 up to 0x4), result_o of the design is a0 * b0 modulo 0x5 in the cycle "
        "with done_o"
    )
    assert others[-1] == "checked"
    assert any(line.startswith("  trusted: ") and "registers that are 0 at power-on: " in line for line in others)
    code, document = run(folder, "--json")
    found = json.loads(document)
    Draft202012Validator(json.loads(published("limbtrace-proof-check-1.schema.json"))).validate(found)
    assert (code, found["verdict"], found["core"]) == (0, "checked", "dut")
    assert found["design"] in text
    assert found["environment"]["valid_i"] == ["0x0", "0x1"]
    assert {product["name"] for product in found["products"]} == {"first", "next", "behind"}
    assert found["refuted"] > 0


@pytest.mark.budget(12)
def test_the_same_proof_has_the_same_certificate(folder: Path, proof: LoggedProof, tmp_path: Path) -> None:
    write(tmp_path, proof)
    for name in (HEAD, DESIGN, LOG, REFUTATIONS):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def altered(folder: Path, to: Path, name: str, change: Callable[[list[str]], None]) -> Path:
    """A copy of a certificate with other lines in one of its files."""
    for each in folder.iterdir():
        (to / each.name).write_bytes(each.read_bytes())
    lines = gzip.decompress((to / name).read_bytes()).decode().splitlines()
    change(lines)
    (to / name).write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
    return to


def _last_hint(lines: list[str]) -> None:
    number = next(n for n, line in enumerate(lines) if line[0] not in "QX" and len(line.split()) > 3)
    lines[number] = lines[number].rpartition(" ")[0]


def _another_clause(lines: list[str]) -> None:
    number = next(n for n, line in enumerate(lines) if line[0] not in "QX" and not line.startswith("0 "))
    lines[number] = f"{-int(lines[number].split()[0])} {lines[number].partition(' ')[2]}"


def _nothing(lines: list[str]) -> None:
    del lines[0]


def _no_answers(lines: list[str]) -> None:
    lines[:] = [f"X {line.split()[1]}" for line in lines if line[0] in "QX" and not line.startswith("X ")]


def _other_gate(lines: list[str]) -> None:
    number = next(n for n, line in enumerate(lines) if " urem " in line)
    lines[number] = lines[number].replace(" urem ", " udiv ")


@pytest.mark.budget(12)
@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        (REFUTATIONS, _last_hint, "does not hold"),
        (REFUTATIONS, _another_clause, "does not hold"),
        (REFUTATIONS, _nothing, "no refutation says otherwise"),
        (DESIGN, _other_gate, "line "),
    ],
)
def test_an_altered_certificate_is_wrong(
    folder: Path, tmp_path: Path, name: str, change: Callable[[list[str]], None], said: str
) -> None:
    code, text = run(altered(folder, tmp_path, name, change))
    assert code == 1
    assert text.startswith(f"{tmp_path}: wrong: line ")
    assert said in text
    code, document = run(tmp_path, "--json")
    assert (code, json.loads(document)["verdict"]) == (1, "wrong")


@pytest.mark.budget(12)
def test_equalities_without_a_refutation_leave_it_open(folder: Path, tmp_path: Path) -> None:
    code, text = run(altered(folder, tmp_path, REFUTATIONS, _no_answers))
    assert code == UNDECIDED
    assert text.startswith("dut: not shown that for all operands")
    assert "\nopen: without a refutation are " in text
    code, document = run(tmp_path, "--json")
    found = json.loads(document)
    Draft202012Validator(json.loads(published("limbtrace-proof-check-1.schema.json"))).validate(found)
    assert (code, found["verdict"], "refuted" in found) == (UNDECIDED, "open", False)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "holds no certificate.json"),
        ({HEAD: b"{}"}, "holds no certificate: "),
        ({HEAD: b"{", DESIGN: b"", LOG: b"", REFUTATIONS: b""}, "certificate.json is damaged"),
        ({HEAD: b"{}", DESIGN: b"x", LOG: b"x", REFUTATIONS: b"x"}, "holds no certificate: "),
        (
            {HEAD: b'{"format": "other/1"}', **dict.fromkeys((DESIGN, LOG, REFUTATIONS), gzip.compress(b""))},
            "its format is not ",
        ),
    ],
)
def test_what_is_no_certificate_is_refused(tmp_path: Path, files: dict[str, Any], said: str) -> None:
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ParameterError, match=said):
        run(tmp_path)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--all-odd"], "certificates: there are none of --all-odd"),
        (["--timing"], "certificates: there are none of --timing"),
        ([], "is there, and not an empty folder"),
    ],
)
def test_where_no_certificate_can_be_written(tmp_path: Path, words: list[str], said: str) -> None:
    (tmp_path / "file").write_text("kept")
    asked = ["prove", "iddmm_arch2", "--prime", "0xea7", "--certificates", str(tmp_path), *words]
    answer = CliRunner().invoke(cli, asked, standalone_mode=False)
    assert isinstance(answer.exception, ParameterError)
    assert said in str(answer.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
