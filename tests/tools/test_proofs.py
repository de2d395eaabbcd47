# SPDX-License-Identifier: Apache-2.0
"""Kept proofs are of the cores as they are, `./run proofs` renews the others, and everybody shows them."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from limbtrace.rtl_bridge.core.core import BUILT_IN, built_in, find, load
from limbtrace.rtl_bridge.description.tables import ProofPoint
from limbtrace.rtl_bridge.proof.digest import digest, is_current
from limbtrace.rtl_bridge.proof.stored_proofs import FILE, is_of, kept, kept_proofs
from limbtrace.rtl_bridge.run import fingerprint
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.shell.text import MODULES, Shell
from limbtrace.vectors.catalogue import core_document
from limbtrace.vectors.catalogue.proofs import HEAD, core_proofs, proof_cells, prove_words
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.proof import ProofDocument
from limbtrace.vectors.schemas import published
from tests.rtl_bridge.helpers import TOYS, copy_of
from tools import proofs
from tools.docs.pages import core_page

CORE = "iddmm_arch2"
SMALL = {"prime": "0xea7", "settings": {"radix": "2^4"}}
POINTS = [
    pytest.param(folder.name, point, id=" ".join(prove_words(folder.name, point.prime, point.settings)[1:]))
    for folder in built_in()
    for point in load(folder).file.prove
]


def bound(core: str | Path = CORE, **fields: Any) -> Shell:
    asked = BindRequest(core=str(core), **{**SMALL, **fields})
    return Shell(asked.bind(asked.find()))


@pytest.mark.budget(4)
@pytest.mark.parametrize(("core", "point"), POINTS)
def test_a_kept_proof_is_of_the_core_as_it_is_now(core: str, point: ProofPoint) -> None:
    """If not, `./run proofs` proves it again."""
    (row,) = [row for row in kept_proofs(find(core)) if is_of(row, point)]
    shell, proof = proofs.bound(core, point), row["proof"]
    assert (row["core"], proof["core"]) == (core, core)
    assert is_current(shell, proof), "its sources, its core.toml or the bench have changed: ./run proofs"
    Draft202012Validator(json.loads(published("limbtrace-proof-1.schema.json"))).validate(proof)
    assert not proof.keys() - ProofDocument.names()
    assert str(BUILT_IN.parent) not in json.dumps(row)
    assert shell.bound.plan is not None
    if proof["verdict"] == "proved":
        behind = {"behind"} if find(core).file.again else set()
        assert {product["name"] for product in proof["products"]} == {"first", "next", *behind}
        assert {product["cycles"] for product in proof["products"]} == {shell.bound.plan.cycles}
        settled_ones = sum(
            product["same"] + product.get("sums", 0) + product["solved"] for product in proof["products"]
        )
        idle = 1.1 if core == "fpmm" else 1.03  # cycles without a product; fpmm has 35 or more states in them
        assert 0 < settled_ones <= proof["obligations"] < idle * settled_ones


@pytest.mark.parametrize("folder", [*built_in()], ids=lambda folder: folder.name)
def test_what_is_kept_is_what_is_listed(folder: Path) -> None:
    core = load(folder)
    rows = kept_proofs(core)
    assert [(row["prime"], row["settings"]) for row in rows] == [(p.prime, p.settings) for p in core.file.prove]
    assert [row for row in kept() if row["core"] == core.file.name] == rows


def test_the_table_of_the_page_is_made_of_them() -> None:
    text = proofs.PAGE.read_text(encoding="utf-8")
    assert proofs.page(text) == text
    spoilt = text.replace("| proved |", "| open |")
    assert spoilt != text
    assert proofs.page(spoilt) == text


def test_everybody_shows_them() -> None:
    """Found by entry point, with the whole document."""
    for folder in built_in():
        core, shown = load(folder), core_document(folder.name)["proofs"]
        assert [entry["proof"] for entry in shown] == [row["proof"] for row in kept_proofs(core)]
        assert [entry["command"].partition(" --prime")[0] for entry in shown] == [
            f"limbtrace prove {folder.name}" for _ in shown
        ]
    page = core_page(find(CORE), None)
    for entry in core_proofs(CORE):
        assert f"| {' | '.join(proof_cells(entry))} | {entry['proof']['digest'][:16]}" in page
        assert all(f"* {text}\n" in page for name in ("hypotheses", "trusted") for text in entry["proof"][name])
    assert len(proof_cells(core_proofs(CORE)[0])) == len(HEAD)


# What a digest is of.


def edited(target: Path, *edits: tuple[str, str, str]) -> str:
    """Digest of a copy with (file, old text, new text) replaced."""
    return digest(bound(copy_of(CORE, target, *edits)))


def test_a_digest_does_not_depend_on_the_place(tmp_path: Path) -> None:
    shutil.copytree(BUILT_IN / CORE, tmp_path / "deep" / CORE)
    assert digest(bound(tmp_path / "deep" / CORE)) == digest(bound())
    assert edited(tmp_path / "z") == edited(tmp_path / "a")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# One build serves", "# And one build serves"),
        ('{ prime = "p256", radix = "2^32" },', '{ prime = "p384", radix = "2^32" },'),
        ("  { Pipeline = [0, 1, 2], K = [16, 32], NMax", "  { Pipeline = [0, 1, 2], K = [16], NMax"),
        ('kind = "start-done"\nstart = "start_i"', 'start   = "start_i"\nkind = "start-done"'),
    ],
)
def test_a_digest_does_not_depend_on_what_is_not_proved(tmp_path: Path, old: str, new: str) -> None:
    assert edited(tmp_path / "edited", ("core.toml", old, new)) == edited(tmp_path / "plain")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("lt_iddmm_arch2.sv", "K2'(a_digit) + xy;", "K2'(a_digit) + xy + K2'(0);"),
        ("lt_mul.sv", "endmodule", "  // or not\nendmodule"),
        ("core.toml", 'signal = "qp"\ncolumn = "R"', 'signal = "qp"\ncolumn = "S"'),
        ("core.toml", "registers = 0", "registers = 1"),
    ],
)
def test_a_digest_is_of_sources_and_description(tmp_path: Path, file: str, old: str, new: str) -> None:
    assert edited(tmp_path / "edited", (file, old, new)) != edited(tmp_path / "plain")


def test_a_digest_is_of_modulus_and_settings() -> None:
    others: list[dict[str, Any]] = [
        {"prime": "0xea9"},
        {"settings": {"radix": "2^3"}},
        {"settings": {"radix": "2^4", "pipeline": 1}},
    ]
    assert len({digest(bound(**other)) for other in ({}, *others)}) == 4
    proof = {"digest": digest(bound()), "multiplier": bound().bound.head, "parameters": bound().bound.parameters}
    assert is_current(bound(), proof)
    assert not any(is_current(bound(**other), proof) for other in others)
    for name in proof:
        assert not is_current(bound(), {**proof, name: None})


@pytest.mark.parametrize(
    ("core", "module", "matters"),
    [
        (CORE, "lt_sequencer", True),
        (CORE, "lt_loader", True),
        (CORE, "lt_axil_bus", False),
        (CORE, "lt_clock", False),  # a comment of lt_monitor has its name
        ("vdf_squarer_axil", "lt_axil_bus", True),  # a part of lt_axil
    ],
)
def test_a_digest_is_of_the_modules_of_its_bench(
    core: str, module: str, matters: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = bound(core, prime="p256", settings={})
    before = digest(shell)
    other = tmp_path / f"{module}.sv"
    (path,) = [path for path in MODULES if path.stem == module]
    other.write_text(f"{path.read_text()}// and more\n")
    monkeypatch.setattr(fingerprint, "MODULES", tuple(other if path.stem == module else path for path in MODULES))
    assert digest(shell) == before  # of what synthesis sees
    other.write_text(f"{path.read_text()}package more; endpackage\n")
    monkeypatch.setattr(fingerprint, "MODULES", tuple(other if path.stem == module else path for path in MODULES))
    assert (digest(shell) != before) == matters


def test_limbs_matter_to_simulations_and_not_to_proofs(tmp_path: Path) -> None:
    """They only decide which operands are drawn."""
    one = bound(copy_of(CORE, tmp_path / "one"))
    limbs = ("core.toml", 'compare = "result"', 'compare = "result"\nlimbs = [3]')
    other = bound(copy_of(CORE, tmp_path / "other", limbs))
    assert digest(one) == digest(other)
    assert [*fingerprint.contents(one)] != [*fingerprint.contents(other)]


def test_a_digest_is_the_same_in_every_process() -> None:
    program = "import sys; from tests.tools.test_proofs import *; print(digest(bound()))"
    for seed in ("1", "2"):
        command = ["env", f"PYTHONHASHSEED={seed}", sys.executable, "-c", program]
        assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == digest(bound())


# The command.

Proved = Callable[[Sequence[str]], tuple[int, dict[str, Any]]]
POINT = '{ prime = "0xea7", radix = "2^4" }'


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the page, which the command may write."""
    target = tmp_path / "proofs.md"
    shutil.copyfile(proofs.PAGE, target)
    monkeypatch.setattr(proofs, "PAGE", target)
    return target


@pytest.fixture
def core(tmp_path: Path) -> Path:
    """A copy of a core that lists two small points, with nothing kept."""
    folder = copy_of(CORE, tmp_path)
    description = folder / "core.toml"
    before, _, rest = description.read_text().partition("prove = [\n")
    description.write_text(f"{before}prove = [{POINT}, {POINT[:-2]}, pipeline = 1 }}]\n{rest.partition(']')[2]}")
    (folder / FILE).unlink(missing_ok=True)
    return folder


def command(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr(sys, "argv", ["proofs", *map(str, words)])
    return proofs.main()


def answering(core: Path, asked: list[list[str]], codes: Mapping[int, int | BaseException]) -> Proved:
    """In place of proofs: documents with a verdict by number of the question, from 0; the words are noted."""

    def answer(words: Sequence[str]) -> tuple[int, dict[str, Any]]:
        asked.append(list(words))
        code = codes.get(len(asked) - 1, 0)
        if isinstance(code, BaseException):
            raise code
        settings = {"radix": "2^4"} | ({"pipeline": 1} if "pipeline=1" in words else {})
        shell = bound(core, settings=settings)
        about = {"digest": digest(shell), "multiplier": shell.bound.head, "parameters": dict(shell.bound.parameters)}
        verdict = {0: "proved", 1: "refuted", 4: "open"}[code]
        return code, {**about, "verdict": verdict, "obligations": 5, "seconds": 1.5}

    return answer


def verdicts(core: Path) -> list[tuple[Any, str]]:
    return [(row["settings"].get("pipeline"), row["proof"]["verdict"]) for row in kept_proofs(find(str(core)))]


def test_two_points_are_proved_and_kept(
    core: Path, page: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each in a process of its own; the second run finds them current, and proves the one that is not."""
    assert command(monkeypatch, core) == 0
    assert verdicts(core) == [(None, "proved"), (1, "proved")]
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err.count(" obligations\n") == 2
    rows = kept_proofs(find(str(core)))
    for row in rows:
        assert row["proof"]["memory"] > 50
        Draft202012Validator(json.loads(published("limbtrace-proof-1.schema.json"))).validate(row["proof"])
    assert (core / FILE).read_text().count("\n") == 2 + len(rows)
    assert page.read_text() == proofs.PAGE.read_text()
    monkeypatch.setattr(proofs, "proved", None)
    assert command(monkeypatch, core) == 0
    assert capfd.readouterr().err.count(": kept, proved in ") == 2
    asked: list[list[str]] = []
    monkeypatch.setattr(proofs, "proved", answering(core, asked, {}))
    rows[1]["proof"]["digest"] = "0" * 64
    (core / FILE).write_text(json.dumps(rows))
    assert command(monkeypatch, core, "--limit", 9, "--jobs", 1) == 0
    told = ["--limit", "9", "--jobs", "1"]
    assert asked == [["prove", str(core), "--prime", "0xea7", "--radix", "2^4", "--set", "pipeline=1", *told]]
    assert command(monkeypatch, core, "--again") == 0
    assert len(asked) == 3


def test_what_is_open_is_kept_as_such(core: Path, page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(proofs, "proved", answering(core, asked, {0: 4, 2: 4, 3: 1}))
    assert command(monkeypatch, core) == 4
    assert verdicts(core) == [(None, "open"), (1, "proved")]
    assert command(monkeypatch, core) == 0
    assert len(asked) == 2
    assert command(monkeypatch, core, "--again") == 1
    assert verdicts(core) == [(None, "open"), (1, "refuted")]


@pytest.mark.parametrize(
    ("failure", "code", "sentence"),
    [
        (KeyboardInterrupt(), 130, "interrupted; what was proved is kept"),
        (ToolError("no document"), 3, "proofs: no document"),
    ],
)
def test_an_interrupted_run_goes_on(
    failure: BaseException,
    code: int,
    sentence: str,
    core: Path,
    page: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(proofs, "proved", answering(core, asked, {1: failure}))
    page.write_text(page.read_text().replace("| proved |", "| spoilt |"))
    assert command(monkeypatch, core) == code
    assert sentence in capfd.readouterr().err
    assert verdicts(core) == [(None, "proved")]
    assert "| spoilt |" not in page.read_text()
    assert command(monkeypatch, core) == 0
    assert verdicts(core) == [(None, "proved"), (1, "proved")]
    assert [("pipeline=1" in words) for words in asked] == [False, True, True]


def test_what_is_not_listed_any_more_goes(core: Path, page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "proved", answering(core, [], {}))
    assert command(monkeypatch, core) == 0
    description = core / "core.toml"
    description.write_text(description.read_text().replace(f"{POINT}, ", ""))
    assert command(monkeypatch, core) == 0
    assert verdicts(core) == [(1, "proved")]


def test_what_is_refused(
    core: Path, page: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert command(monkeypatch, "nix") == 2
    assert "proofs: core: there is no core 'nix'" in capfd.readouterr().err
    description = core / "core.toml"
    text = description.read_text()
    for old, new, sentence in (
        ('prime = "0xea7", ', "", "is wrong: prove[0].prime is missing"),
        ("pipeline = 1", "pipeline = 1.5", "is wrong: prove[1].pipeline"),
        ("pipeline = 1", "pipeline = 7", "pipeline: 7 is outside"),
    ):
        description.write_text(text.replace(old, new, 1))
        monkeypatch.setattr(proofs, "proved", answering(core, [], {}))
        assert command(monkeypatch, core) == 2
        assert sentence in (said := capfd.readouterr().err), said
    monkeypatch.undo()
    with pytest.raises(ToolError, match=r"no document: limbtrace prove .* ended with exit code 2"):
        proofs.proved(["prove", str(TOYS / "wide_toy"), "--prime", "28"])
