# SPDX-License-Identifier: Apache-2.0
"""Cores with signed operands whose number of cycles depends on these: what is proved of time, and of results."""

from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from tests.rtl_bridge.proof.integers.test_prove import proved
from tests.rtl_bridge.proof.test_timing import timed

RTL = """module waits (
  input  wire              clk, rst, start,
  input  wire signed [4:0] a, b,
  input  wire        [4:0] p,
  output reg               done,
  output reg  signed [4:0] z
);
  reg run, slow;
  reg signed [4:0] x, y;
  wire signed [9:0] t = x * y;
  wire signed [9:0] r = t % $signed({5'd0, p});
  always @(posedge clk) begin
    done <= 1'b0;
    if (rst) {run, slow} <= 2'b00;
    else if (start & ~run) begin
      x <= a;
      y <= b;
      slow <= SLOW;
      run <= 1'b1;
    end else if (run & slow) slow <= 1'b0;
    else if (run) begin
      z <= RESULT;
      done <= 1'b1;
      run <= 1'b0;
    end
  end
endmodule
"""
TOML = """format = "limbtrace-core/1"
name = "waits"
model = "modmul"
compare = "congruent"
files = ["waits.v"]
top = "waits"
timeout = 4
clock = { port = "clk" }
reset = { port = "rst", active = "high", synchronous = true }
protocol = { kind = "start-done", start = "start", done = "done" }
operand = [
  { name = "a", port = "a", signed = true, below = "p" },
  { name = "b", port = "b", signed = true, below = "p" },
]
input = [{ port = "p", value = "p" }]
result = { port = "z", signed = true, above = "-p", below = "p" }
"""


def core(folder: Path, slow: str, result: str = "r[4:0]") -> Path:
    """A core that waits for a cycle more where `slow` says so."""
    (folder / "waits.v").write_text(RTL.replace("SLOW", slow).replace("RESULT", result))
    (folder / "core.toml").write_text(TOML)
    return folder


def test_a_cycle_more_for_negative_numbers_is_shown(tmp_path: Path) -> None:
    code, document = timed(core(tmp_path, "a[4]"), "5")
    assert (code, document["verdict"]) == (1, "depends")
    replays = [witness["replay"] for found in document["dependences"] for witness in found["witnesses"]]
    assert any("--operands -0x" in replay for replay in replays)


def test_numbers_that_are_never_given_are_no_witnesses(tmp_path: Path) -> None:
    _, document = timed(core(tmp_path, "(a == -5'sd7)"), "5")
    assert document["verdict"] == "open"
    assert not any(found["shown"] for found in document["dependences"])


def test_ranges_that_follow_from_the_modulus_are_not_any(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="waits has signed operands, whose range follows from the modulus"):
        timed(core(tmp_path, "1'b0"), "5", "--any-modulus")


def test_results_behind_a_handshake_that_depends_on_signs_are_proved(tmp_path: Path) -> None:
    """Products in front have numbers of their own there, all of the range."""
    _, document, _ = proved(core(tmp_path, "a[4]"), "5", "--limit", "20")
    assert (document["verdict"], document["depends"]) == ("proved", ["finished"])


def test_a_fault_of_slow_products_is_not(tmp_path: Path) -> None:
    _, document, _ = proved(core(tmp_path, "a[4]", "x[4] & y[4] ? r[4:0] + 5'd1 : r[4:0]"), "5", "--limit", "20")
    assert document["verdict"] == "open"
