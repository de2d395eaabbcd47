# SPDX-License-Identifier: Apache-2.0
"""The environment of proofs: several products in flight, stalls, and inputs that a core must not sample."""

from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.proof import simulations
from limbtrace.rtl_bridge.proof.cli import decide
from limbtrace.rtl_bridge.proof.elaborate import elaborated
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import job
from tests.rtl_bridge.proof.small_core import START_DONE, core, described, proved, shell_of
from tests.sample import full

PIPELINE = """module dut (
  input  wire       clk, rst, in_valid, out_ready,
  input  wire [3:0] a, b, p,
  output wire       in_ready, out_valid,
  output wire [3:0] z
);
  reg [2:0] v;
  reg [3:0] x, y, r;
  reg [7:0] m;
  wire go = {go};
  assign in_ready  = go;
  assign out_valid = v[2];
  assign z = r;
  always @(posedge clk) begin
    if (rst) v <= 0;
    else if (go) begin
      v <= {{v[1:0], in_valid}};
      x <= a;
      y <= b;
      m <= x * {other};
      r <= {result};
    end
  end
endmodule
"""
HANDSHAKE = """kind = "valid-ready"
in_valid = "in_valid"
in_ready = "in_ready"
out_valid = "out_valid"
out_ready = "out_ready"
"""
RIGHT = {"go": "out_ready | ~v[2]", "other": "y", "result": "m % p"}
FAULTS = {
    "ignores stalls": {"go": "1'b1"},
    "takes b of the product behind": {"other": "(in_valid & v[0] & (a != x) ? b : y)"},
    "wrong with three in flight": {"result": "&v ? 4'd0 : m % p"},
    "overwritten while it waits": {"go": "out_ready | ~v[2] | (&v & in_valid)"},
}


def pipeline(folder: Path, **change: str) -> Path:
    return described(folder, PIPELINE.format(**{**RIGHT, **change}), HANDSHAKE)


@pytest.mark.budget(8)
def test_a_pipeline(tmp_path: Path) -> None:
    proofs = proved(pipeline(tmp_path))
    assert not proofs.failed
    streams = [each.cycles for each in proofs.scenarios if each.name == "stream"]
    assert min(streams) == 16 + 3  # one product in every cycle
    assert len(streams) > 4  # some ways to stall take longer


@pytest.mark.budget(4)
@pytest.mark.parametrize("fault", ["wrong with three in flight", *map(full, [*FAULTS][:2]), full([*FAULTS][3])])
def test_faults_of_pipelines(fault: str, tmp_path: Path) -> None:
    """A proof of one product at a time does not see them."""
    proofs = proved(pipeline(tmp_path, **FAULTS[fault]))
    assert [each.bound.in_order for each in proofs.shells] == [False, True]
    assert proofs.failed


EARLY = "reg [3:0] early, taken; always @(posedge clk) begin early <= a; if (start & ~run) taken <= {}; end"


@pytest.mark.parametrize(("taken", "fails"), [("early", ["first"]), ("a", [])])
def test_an_operand_read_before_its_start(taken: str, fails: list[str], tmp_path: Path) -> None:
    """Already the first product shows it, since its operands may come with its start."""
    proofs = proved(core(tmp_path, EARLY.format(taken), "({4'd0, taken} * y) % p"))
    assert [each.product for each in proofs.failed] == fails


def late(folder: Path, key: str = "") -> Path:
    """A core that looks at b one cycle after the start, and says when it may look at operands."""
    return core(folder, value="({4'd0, x} * {4'd0, b}) % p", protocol=START_DONE + key)


@pytest.mark.parametrize(
    ("key", "fails", "sampled_late"),
    [("", True, True), ('sampled = "done"', False, False), ('sampled = "start"', True, False)],
)
def test_an_operand_read_after_its_start(key: str, fails: bool, sampled_late: bool, tmp_path: Path) -> None:
    proofs = proved(late(tmp_path, key))
    assert (bool(proofs.failed), proofs.sampled_late) == (fails, sampled_late)


def test_the_key_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulations, "DISTURBED", 8)
    asked = BindRequest(core=str(late(tmp_path)), prime="13")
    document, text = decide(asked, jobs=1, simulators=["icarus"])
    assert (document["verdict"], document["sampled_late"]) == ("open", True)
    assert 'core may look at them as long as they stay, say sampled = "done" in [protocol]' in text


def test_a_simulation_changes_operands_after_the_start(tmp_path: Path) -> None:
    report = simulate(job(late(tmp_path, 'sampled = "start"'), "13", simulator="icarus", count=3))
    assert not report.passed


def test_a_combinational_loop_is_refused(tmp_path: Path) -> None:
    """It is none in any state, but has no order in which to evaluate it."""
    more = "wire [3:0] u, v; assign u = run ? v : x; assign v = run ? y : u;"
    shell = shell_of(core(tmp_path, more, "({4'd0, x} * u) % p"))
    with pytest.raises(ParameterError, match="dut has a combinational loop, and no proof is made of that"):
        elaborated(shell)


@pytest.mark.parametrize(("cycles", "verdicts"), [(3, ["refuted"]), (30, ["refuted"]), (68, ["refuted"]), (None, [])])
def test_a_start_in_the_midst_of_a_long_idle_time(cycles: int | None, verdicts: list[str], tmp_path: Path) -> None:
    """The core has more idle states than are proved one by one."""
    wrong = "0" if cycles is None else f"since[{cycles - 1}] & ~since[{cycles}]"
    more = (
        "reg [69:0] since; reg wrong; always @(posedge clk) begin"
        " if (rst | run | start) since <= 0; else since <= {since[68:0], 1'b1};"
        f" if (start & ~run) wrong <= {wrong}; end"
    )
    assert [failed.verdict for failed in proved(core(tmp_path, more, "wrong ? 4'd0 : good")).failed] == verdicts


@pytest.mark.budget(3)
@pytest.mark.parametrize("cycles", [4, *map(full, (1, 2, 3, 5, 6))])
def test_a_start_some_cycles_after_done(cycles: int, tmp_path: Path) -> None:
    """Also those that the bench does not make, whose own products start within 3 cycles or from the 5th one on."""
    more = (
        "reg [2:0] since; reg soon; always @(posedge clk) begin"
        " if (rst) since <= 7; else if (run) since <= 0; else if (~&since) since <= since + 1;"
        f" if (start & ~run) soon <= since == {cycles}; end"
    )
    assert [failed.verdict for failed in proved(core(tmp_path, more, "soon & bad ? 4'd0 : good")).failed] == ["refuted"]
