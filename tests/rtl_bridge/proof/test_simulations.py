# SPDX-License-Identifier: Apache-2.0
"""Simulations that end a proof: faults that Yosys does not see; and divisions by zero, which it sees otherwise."""

import json
from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.proof import simulations
from limbtrace.rtl_bridge.proof.simulations import simulated, summary
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.run.builds import BuildError
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.report import Report
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.simulation import simulate_run
from limbtrace.vectors.errors import ToolError
from tests.rtl_bridge.proof.small_core import core
from tests.vectors.test_cli import run

FAULTS = {
    "unknown": ("", "good & {4{~bad | 1'bx}}"),
    "memory": ("reg [3:0] ram [0:3]; always @(posedge clk) if (start && a == 7) ram[0] <= 4'd1;",
               "bad ? ram[0] : good"),
    "drivers": ("wire [3:0] w; assign w = good; assign w = bad ? 4'd0 : good;", "w"),
    "x as one bit": ("wire u;", "good ^ {4{bad & u & ~u}}"),
    "race": ("reg late; always @(posedge clk) late = run & bad;", "late ? 4'd0 : good"),
    "literal": ("", "(bad && 4294967296 != 0) ? 4'd0 : good"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def few_disturbed_products(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough for the environment of small cores."""
    monkeypatch.setattr(simulations, "DISTURBED", 24)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.budget
def test_what_a_proof_does_not_see(fault: str, tmp_path: Path) -> None:
    """Each shows for one pair of operands, which the default run need not have; all pairs have it."""
    asked = BindRequest(core=str(core(tmp_path, *FAULTS[fault])), prime="13")
    found = list(simulated(asked, asked.bind(asked.find()), ["icarus"]))
    assert found[-1].divergence is not None
    assert "not in" not in summary(found)  # it ended there


def test_a_core_that_is_right(tmp_path: Path) -> None:
    asked = BindRequest(core=str(core(tmp_path)), prime="13")
    found = list(simulated(asked, asked.bind(asked.find()), ["icarus"]))
    assert [(each.run.job.disturb, each.exhausted, each.divergence) for each in found] == [
        ((), False, None),
        (("start", "reset", "unknown"), False, None),
        ((), True, None),
    ]
    first = found[0].products
    assert first >= 256
    assert summary(found) == (
        f"{first} products in icarus, 24 disturbed products in icarus, all 169 products in icarus; not in verilator"
    )


@pytest.fixture
def icarus_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def only(name: str) -> None:
        if name != "icarus":
            raise ToolError(f"{name} is not on PATH")

    monkeypatch.setattr(simulations, "simulator", only)


@pytest.mark.usefixtures("icarus_alone")
def test_a_proof_that_simulations_refute(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, "prove", str(core(tmp_path, *FAULTS["x as one bit"])), "--prime", "13", "--json")
    document = json.loads(out)
    assert (code, document["verdict"], document["failed"]) == (1, "refuted", [])
    assert document["simulations"][-1]["simulator"] == "icarus"
    assert document["replay"].startswith("limbtrace sim ")
    assert "the proof ends without a simulation in it: verilator is not on PATH" in err


@pytest.mark.usefixtures("icarus_alone")
def test_a_simulator_that_refuses_the_run_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def refuse(job: Job, like: Bound, *, many: bool) -> Run:
        raise ParameterError("simulator", "it takes no such core")

    monkeypatch.setattr(simulations, "settle", refuse)
    code, out, err = run(capfd, "prove", str(core(tmp_path)), "--prime", "13")
    assert code == 0
    assert "simulated: no product; not in verilator and icarus\n" in out
    assert "warning: the proof ends without a simulation in icarus: simulator: it takes no such core\n" in err


def test_a_simulator_that_does_not_take_the_rtl_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """As Icarus Verilog does not take concurrent assertions; the next one disturbs the core."""
    asked = BindRequest(core=str(core(tmp_path)), prime="13")
    bound = asked.bind(asked.find())

    def one(run: Run) -> Report:
        if run.job.simulator == "verilator":
            raise BuildError("syntax error")
        return simulate_run(run)

    monkeypatch.setattr(simulations, "simulate_run", one)
    found = list(simulated(asked, bound, ["verilator", "icarus"]))
    assert {each.run.job.simulator for each in found} == {"icarus"}
    assert any(each.run.job.disturb for each in found)
    assert "the proof ends without a simulation in verilator: syntax error" in capfd.readouterr().err
    with pytest.raises(BuildError):
        list(simulated(asked, bound, ["verilator"]))


QUOTIENT = "wire [7:0] q = prod / {4'b0, y};"


@pytest.mark.usefixtures("icarus_alone")
@pytest.mark.parametrize(
    ("value", "code"),
    [("(y == 0) ? 4'd0 : (q[3:0] == x) ? good : 4'd0", 0), ("(y == 0) ? ~q[3:0] : good", 1)],
    ids=["guarded", "by zero"],
)
def test_a_division(value: str, code: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """SMT-LIB says that a quotient by 0 has ones in all bits, and for simulators it is unknown."""
    found, out, _ = run(capfd, "prove", str(core(tmp_path, QUOTIENT, value)), "--prime", "13", "--json")
    document = json.loads(out)
    assert (found, document["verdict"]) == (code, "refuted" if code else "proved")
    assert bool(document["failed"]) == bool(code)  # the proof itself sees it


@pytest.mark.parametrize(("core_id", "waits"), [("redundant", False), ("r2mm_bitserial", False)])
def test_only_a_core_that_takes_several_products_waits_for_one(core_id: str, waits: bool) -> None:
    """The replay of a refuted proof has a stream of one product for such a core, which others may not take."""
    asked = BindRequest(core=core_id, prime="mersenne31")
    assert asked.bind(asked.find()).single is waits
