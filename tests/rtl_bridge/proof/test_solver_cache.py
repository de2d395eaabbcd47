# SPDX-License-Identifier: Apache-2.0
"""Proofs that go on where another one ended: what is remembered, and what of a damaged file is not."""

import importlib.metadata
import json
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from jsonschema import Draft202012Validator

from limbtrace.rtl_bridge.proof.solver_cache import Remembered
from limbtrace.vectors.cli import UNDECIDED
from limbtrace.vectors.schemas import published
from tests.rtl_bridge.helpers import TOYS, copy_of
from tests.rtl_bridge.proof.test_proof import proved

TOY, PRIME = TOYS / "modmul_toy", "0x1d"
QUESTION = """(declare-const |x t9| (_ BitVec 4))
(define-fun t9 () (_ BitVec 4) (bvnot |x t9|))
(define-fun t12 () (_ BitVec 4) (bvadd t9 |x t9|))
(assert (= t12 t9))
"""


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of what is remembered, in a folder of its own."""
    monkeypatch.setenv("LIMBTRACE_BUILD", str(tmp_path / "cache"))
    return tmp_path / "cache" / "proved" / f"bitwuzla-{importlib.metadata.version('bitwuzla')}.txt"


def test_what_was_proved_is_not_asked_again(kept: Path) -> None:
    code, first = proved(TOY, PRIME)
    solved = sum(product["solved"] for product in first["products"])
    assert (code, solved > 0, "remembered" in first) == (0, True, False)
    size = kept.stat().st_size
    code, second = proved(TOY, PRIME, remembering=True)
    assert (code, second["remembered"], second["products"]) == (0, solved, first["products"])
    assert second["trusted"][:-1] == first["trusted"]
    assert kept.stat().st_size == size
    Draft202012Validator(json.loads(published("limbtrace-proof-1.schema.json"))).validate(second)
    assert "remembered" not in proved(TOY, PRIME)[1]


def test_another_core_has_other_questions(tmp_path: Path) -> None:
    """A fault is refuted with a file that is full of proofs of the core without it, and once more after itself."""
    assert proved(TOY, "27")[0] == 0
    edit = ("modmul_toy.v", "once >= modulus ? once - modulus : once;", "once > modulus ? once - modulus : once;")
    folder = copy_of(TOY, tmp_path, edit)
    for _ in range(2):
        code, document = proved(folder, "27", remembering=True)
        assert (code, document["verdict"]) == (1, "refuted")


@pytest.mark.parametrize(
    "damage",
    [
        lambda lines: b"\n".join(line[:-1] for line in lines),  # each cut off
        lambda lines: b"".join(lines),  # without ends of lines
        lambda lines: b"\n".join(line.upper() for line in lines),
        lambda lines: b"\0" * 4096,
        lambda lines: b"proved\n\n\n" + b"\n".join(b" " + line for line in lines),
    ],
)
def test_a_damaged_file_says_nothing(damage: object, kept: Path) -> None:
    digests = [Remembered().digest(f"{QUESTION}{number}") for number in range(20)]
    for digest in digests:
        Remembered().add(digest)
    assert all(digest in Remembered() for digest in digests)
    lines = [line for line in kept.read_bytes().split(b"\n") if line]
    assert callable(damage)
    kept.write_bytes(damage(lines))
    assert not any(digest in Remembered() for digest in digests)
    Remembered().add(digests[3])
    assert digests[3] in Remembered()


def test_a_line_that_was_cut_off_costs_itself_alone(kept: Path) -> None:
    first, second, third = (Remembered().digest(text) for text in ("a", "b", "c"))
    Remembered().add(first)
    Remembered().add(second)
    kept.write_bytes(kept.read_bytes()[:-10])
    Remembered().add(third)
    assert [digest in Remembered() for digest in (first, second, third)] == [True, False, True]


def test_another_version_of_the_solver_begins_anew(monkeypatch: pytest.MonkeyPatch, kept: Path) -> None:
    old = Remembered()
    old.add(old.digest(QUESTION))
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "99.0")
    new = Remembered()
    assert new.digest(QUESTION) != old.digest(QUESTION)
    assert new.digest(QUESTION) not in new
    kept.rename(kept.with_name("bitwuzla-99.0.txt"))  # nor does another name of the file help
    assert new.digest(QUESTION) not in Remembered()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("BitVec 4) (bvnot", "BitVec 5) (bvnot"),
        ("bvadd t9", "bvsub t9"),
        ("(= t12 t9)", "(= t9 t12)"),
        ("(bvadd t9 |x t9|)", "(bvadd t9 |x t8|)"),
        ("(= t12 t9)", "(= t12 t12)"),
    ],
)
def test_a_changed_question_is_another_one(old: str, new: str) -> None:
    assert old in QUESTION
    assert Remembered().digest(QUESTION.replace(old, new)) != Remembered().digest(QUESTION)


def test_numbers_of_terms_do_not_matter() -> None:
    """They depend on the order of answers. That of a variable's name is no such number."""
    other = QUESTION.replace("t12", "t40").replace(" t9 ", " t31 ").replace("t9)", "t31)").replace("|x t31|", "|x t9|")
    assert other != QUESTION
    assert Remembered().digest(other) == Remembered().digest(QUESTION)


def test_a_folder_that_cannot_be_written(kept: Path) -> None:
    kept.parent.parent.mkdir(parents=True)
    kept.parent.write_text("a file in place of the folder")
    Remembered().add(b"0")
    assert b"0" not in Remembered()


def test_time_for_the_whole_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends with what is open, and the next one goes on. Each look at the clock is a second later here."""
    with monkeypatch.context() as patch:
        patch.setattr("limbtrace.rtl_bridge.proof.solver.time", SimpleNamespace(monotonic=count().__next__))
        code, document = proved("r2mm_bitserial", "0xea7", "--limit-all", "40")
    assert (code, document["verdict"], document["late"]) == (UNDECIDED, "open", True)
    assert {failed["verdict"] for failed in document["failed"]} == {"open"}
    assert document["difference"] is None
    code, document = proved("r2mm_bitserial", "0xea7", remembering=True)
    assert (code, document["verdict"], "late" in document) == (0, "proved", False)
    solved = sum(product["solved"] for product in document["products"])
    assert 0 < document["remembered"] < solved
