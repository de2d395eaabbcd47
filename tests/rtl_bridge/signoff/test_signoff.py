# SPDX-License-Identifier: Apache-2.0
"""Sign-offs: nothing that did not run counts as covered; faults, missing tools and time limits are told apart."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.run.contract import permitted, title
from limbtrace.rtl_bridge.run.disturb import KINDS
from limbtrace.rtl_bridge.run.mode import hung
from limbtrace.rtl_bridge.run.not_tried import tried_by_none
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.rtl_bridge.signoff import run
from limbtrace.rtl_bridge.signoff.items import SignoffItem, exit_code
from limbtrace.rtl_bridge.signoff.netlist import netlist_core
from limbtrace.rtl_bridge.signoff.result import VERDICTS, signoff_text
from limbtrace.rtl_bridge.signoff.run import SignoffRequest
from limbtrace.rtl_bridge.signoff.simulations import Simulations, check_state
from limbtrace.rtl_bridge.signoff.steps import SignoffStep, StepList
from limbtrace.vectors.cli import main
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.signoff import SignoffDocument, Status
from limbtrace.vectors.validation import shaped
from tests.rtl_bridge.helpers import CORE, TOYS, copy_of, job

QUICK = ["--prime", "13", "--simulator", "icarus", "--budget", "8", "--json"]
ALONE = [word for part in run.PARTS for word in ("--leave-out", part)]
"""Simulations at the modulus alone."""


def signoff(capsys: pytest.CaptureFixture[str], core: Path, out: Path, *words: str) -> tuple[Any, Any]:
    """(exit code, document)"""
    with pytest.raises(SystemExit) as ended:
        main(["signoff", str(core), *QUICK, "-o", str(out), *words])
    said = capsys.readouterr()
    assert ended.value.code in (0, 1), said.err
    return ended.value.code, json.loads(said.out)


def statuses(document: dict[str, Any]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for item in document["items"]:
        found.setdefault(item["group"], set()).add(item["status"])
    return found


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (["passed", "does not apply", "tool missing", "timed out", "open", "left out", "denied by contract"], 0),
        (["passed", "tool failed"], 3),
        (["passed", "tool failed", "differs"], 1),
        (["does not apply", "tool missing"], 3),
    ],
)
def test_the_exit_code(given: list[Status], code: int) -> None:
    assert exit_code(SignoffItem("mode", "one", status) for status in given) == code


def test_what_every_run_left_out_was_tried_by_none() -> None:
    assert tried_by_none([]) == []
    assert tried_by_none([["resets", "stalls"], ["resets", "idle times"]]) == ["resets"]
    assert tried_by_none([["resets"], []]) == []


RESETS = title("reset")
SUMS: dict[str, Any] = {"verified": 8, "differing": 0, "aside": 0}


@pytest.mark.parametrize(
    ("sums", "reason", "untried", "status"),
    [
        (SUMS, "", [], "passed"),
        (SUMS, "", [RESETS], "open"),  # asked for, and it happened to no product
        ({**SUMS, "verified": 7}, "", [], "open"),
        (None, "", [], "open"),
        ({**SUMS, "differing": 1}, "", [], "differs"),
        ({**SUMS, "verified": 0, "aside": 1}, "the compiler failed", [], "tool failed"),
        ({**SUMS, "verified": 0, "aside": 1}, str(hung(job(), "17")), [], "timed out"),
    ],
)
def test_what_became_of_a_simulation(
    sums: dict[str, int] | None, reason: str, untried: list[str], status: Status
) -> None:
    cell: Any = SimpleNamespace(cell=SimpleNamespace(number=0), total=8)
    summary: Any = SimpleNamespace(
        sums={} if sums is None else {0: SimpleNamespace(**sums)}, aside_of={0: reason}, untried={0: untried}
    )
    shards: Any = SimpleNamespace(cells=[cell])
    (item,) = Simulations(shards, [SignoffStep("disturbance", RESETS, {}, (RESETS,))], []).items(summary)
    assert item.status == status


def test_everything_is_an_entry() -> None:
    """Each simulator, mode, kind of operands and disturbance, or the reason why it is not there."""
    asked = BindRequest(core=str(TOYS / "modmul_toy"), prime="2^31-1")
    bound = asked.bind(asked.find(), single=False)
    found = list(StepList(asked, bound, ("verilator", "icarus"), 8))
    steps = [entry for entry in found if isinstance(entry, SignoffStep)]
    others = [entry for entry in found if isinstance(entry, SignoffItem)]
    ran = {(step.matrix["simulator"], step.matrix["mode"]) for step in steps}
    assert ran == {*((name, mode) for name in ("verilator", "icarus") for mode in ("lockstep", "bulk"))} | {
        ("verilator", "fast")
    }
    for name in KINDS:
        applies = bool(permitted(bound, name))
        assert any(step.matrix.get("disturb") == [[name]] for step in steps) == applies
        assert any(item.name.startswith(title(name)) for item in others) == (not applies)
    assert {item.status for item in others} == {"denied by contract", "does not apply"}
    assert [item.name for item in others if item.group == "operands"] == [
        "exhaustive in verilator", "exhaustive in icarus",
    ]  # fmt: skip
    assert {int(step.matrix["prime"], 16).bit_length() for step in steps if step.group == "size"} == {15, 30, 32}


@pytest.mark.budget(30)
def test_a_core_that_agrees_and_one_that_does_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, document = signoff(capsys, TOYS / "comb_toy", tmp_path / "good", *ALONE)
    assert (code, document["verdict"], document["differences"]) == (0, "agrees", [])
    shaped(SignoffDocument, document)
    assert json.loads((tmp_path / "good" / "signoff.json").read_text()) == document
    assert statuses(document)["proof"] == statuses(document)["netlist"] == {"left out"}
    assert "verilator" in document["not_tried"]
    page = (tmp_path / "good" / "index.html").read_text()
    assert "All that ran agrees with the golden data." in page
    assert "<li>verilator</li>" in page
    again = signoff(capsys, TOYS / "comb_toy", tmp_path / "good", *ALONE, "--resume")
    assert again == (code, document)
    with pytest.raises(ParameterError, match="--resume goes on with it"):
        check_state(tmp_path / "good", resume=False)


@pytest.mark.full
def test_a_core_that_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = copy_of(TOYS / "modmul_toy", tmp_path / "core", ("modmul_toy.v", "y << 1", "y << 2"))
    code, document = signoff(capsys, bad, tmp_path / "bad", *ALONE)
    assert (code, document["verdict"]) == (1, "differs")
    assert "differs" in statuses(document)["operands"]
    assert "limbtrace sim" in document["differences"][0]
    assert "Something differs" in (tmp_path / "bad" / "index.html").read_text()


@pytest.mark.full
def test_netlist_proof_and_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--leave-out", "moduli", "--leave-out", "sizes", "--simulator", "verilator"]
    code, document = signoff(capsys, TOYS / "modmul_toy", tmp_path / "out", *words)
    found = statuses(document)
    assert (code, found["netlist"], found["proof"], found["code coverage"]) == (0, *3 * ({"passed"},))
    assert (tmp_path / "out" / "code" / "coverage.info").read_text().startswith("TN:\nSF:modmul_toy.v\n")
    assert document["code_coverage"]["runs"] > 5


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["passed", "left out"], "All that ran agrees"),
        (["passed", "open"], "1 entry is undecided."),
        (["passed", "open", "timed out"], "2 entries are undecided."),
        (["passed", "open", "differs"], "Something differs"),
    ],
)
def test_an_undecided_entry_does_not_agree(given: list[Status], sentence: str) -> None:
    items = [SignoffItem("proof", "one", status) for status in given]
    document = {
        "core": "m", "covered": 1, "not_tried": [], "differences": [], "verdict": VERDICTS[exit_code(items)],
        "items": [{"group": item.group, "name": item.name, "status": item.status} for item in items],
    }  # fmt: skip
    head = signoff_text(document).partition("\n")[0]
    assert sentence in head
    assert ("All that ran agrees" in head) == ("agrees" in sentence)


def request(asked: BindRequest, folder: Path, *left_out: str) -> SignoffRequest:
    return SignoffRequest(asked, folder, (), frozenset(left_out), 8, 60, 60, None, resume=False)


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ({"verdict": "proved", "statement": "all"}, "passed"),
        ({"verdict": "refuted", "core": "m", "difference": "x", "replay": "limbtrace sim"}, "differs"),
        ({"verdict": "open", "late": True}, "timed out"),
        ({"verdict": "open", "late": False, "failed": [1]}, "open"),
        (ParameterError("core", "no proof"), "does not apply"),
        (ToolError("Yosys failed"), "tool failed"),
    ],
)
def test_what_became_of_a_proof(answer: Any, status: Status, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def decided(*_: object, **__: object) -> tuple[Any, str]:
        if isinstance(answer, Exception):
            raise answer
        return answer, ""

    monkeypatch.setattr(run, "decide", decided)
    monkeypatch.setattr(run, "_yosys", str)
    monkeypatch.setattr(run, "check_solver", lambda: None)
    asked = BindRequest(core=str(TOYS / "modmul_toy"), prime="13")
    differences: list[str] = []
    item = run._proof(request(asked, tmp_path), asked.bind(asked.find()), (), differences)
    assert (item.status, bool(differences)) == (status, status == "differs")


def test_a_proof_without_its_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise ToolError("bitwuzla is not installed")

    monkeypatch.setattr(run, "check_solver", missing)
    asked = BindRequest(core=str(TOYS / "modmul_toy"), prime="13")
    bound = asked.bind(asked.find())
    assert run._proof(request(asked, tmp_path), bound, (), []).status == "tool missing"
    assert run._proof(request(asked, tmp_path, "proof"), bound, (), []).status == "left out"
    monkeypatch.setattr(run, "check_solver", lambda: None)
    monkeypatch.setattr(run, "_yosys", str)

    def refused(*_: Any, **__: Any) -> None:
        raise ParameterError("core", "its model chooses digits of operands by branches")

    monkeypatch.setattr(run, "decide", refused)
    assert run._proof(request(asked, tmp_path), bound, (), []).status == "does not apply"


@pytest.mark.full
def test_a_netlist_of_a_core_with_memories(tmp_path: Path) -> None:
    """Formulas of its description name RTL parameters, which a netlist does not have."""
    asked = BindRequest(core=CORE, prime="0xea7", settings={"radix": "2^4"})
    bound = asked.bind(asked.find())
    folder = tmp_path / "netlist"
    netlist_core(bound, folder)
    settings = {name: str(value) for name, value in bound.settings.items()}
    assert simulate(job(folder, settings=settings, mode="bulk")).passed
    text = (folder / "netlist.v").read_text()
    (folder / "netlist.v").write_text(text.replace(" ^ ", " | ", 1))
    assert not simulate(job(folder, settings=settings, mode="bulk")).passed
