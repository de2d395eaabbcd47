# SPDX-License-Identifier: Apache-2.0
"""`limbtrace prove` of cores whose multiplier is written in gates, with a reduction in words behind it."""

from pathlib import Path

import pytest

from limbtrace.vectors.cli import UNDECIDED
from tests.rtl_bridge.proof.integers.test_prove import P16, proved
from tests.sample import full

TOML = """
format = "limbtrace-core/1"
name = "gates"
model = "modmul"
files = ["gates.sv"]
top = "gates"
build = { W = "N" }
protocol = { kind = "start-done", latency = 0 }
operand = [{ name = "a", port = "x_i" }, { name = "b", port = "y_i" }]
input = [{ port = "p_i", value = "p" }, { port = "mu_i", value = "2^(2 * N) // p" }]
result = { port = "z_o" }
"""
BARRETT = """
module gates #(parameter int W = 16) (
    input wire logic [W-1:0] x_i,
    input wire logic [W-1:0] y_i,
    input wire logic [W-1:0] p_i,
    input wire logic [W:0]   mu_i,
    output     logic [W-1:0] z_o
);
  logic [2*W-1:0] t;
  logic [3*W:0]   by_mu;
  logic [W+1:0]   rest, once, twice;
MULTIPLIER
  assign by_mu = (3 * W + 1)'(t) * (3 * W + 1)'(mu_i);
  assign rest  = (W + 2)'(t) - (W + 2)'(by_mu >> 2 * W) * (W + 2)'(p_i);
  assign once  = rest >= (W + 2)'(p_i) ? rest - (W + 2)'(p_i) : rest;
  assign twice = once >= (W + 2)'(p_i) ? once - (W + 2)'(p_i) : once;
  assign z_o   = twice[W-1:0];
endmodule
"""
ARRAY = """
  logic [W-1:0] sums[W], carries[W];
  logic [W:0]   ripple;
  always_comb begin
    sums[0]    = x_i & {W{y_i[0]}};
    carries[0] = '0;
    t[0]       = sums[0][0];
    for (int j = 1; j < W; j++) begin
      for (int i = 0; i < W; i++) begin
        automatic logic row   = x_i[i] & y_i[j];
        automatic logic above = i == W - 1 ? 1'b0 : sums[j-1][(i + 1) % W];
        sums[j][i]    = row ^ above ^ carries[j-1][i];
        carries[j][i] = (row & above) | ((row ^ above) & carries[j-1][i]);
      end
      t[j] = sums[j][0];
    end
    ripple[0] = 1'b0;
    for (int i = 0; i < W; i++) begin
      automatic logic above = i == W - 1 ? 1'b0 : sums[W-1][(i + 1) % W];
      t[W+i]      = above ^ carries[W-1][i] ^ ripple[i];
      ripple[i+1] = (above & carries[W-1][i]) | (ripple[i] & (above | carries[W-1][i]));
    end
  end
"""
CARRY_SAVE = """
  logic [2*W-1:0] s, c, row, parity;
  always_comb begin
    s = '0;
    c = '0;
    for (int j = 0; j < W; j++) begin
      row    = {{W{1'b0}}, x_i & {W{y_i[j]}}} << j;
      parity = s ^ c ^ row;
      c      = ((s & c) | (s & row) | (c & row)) << 1;
      s      = parity;
    end
    t = s + c;
  end
"""


def core(folder: Path, multiplier: str) -> Path:
    (folder / "core.toml").write_text(TOML)
    (folder / "gates.sv").write_text(BARRETT.replace("MULTIPLIER", multiplier))
    return folder


@pytest.mark.parametrize("multiplier", [full(ARRAY), CARRY_SAVE], ids=["array", "carry save"])
def test_multipliers_in_gates_are_proved(multiplier: str, tmp_path: Path) -> None:
    code, document, _ = proved(core(tmp_path, multiplier), P16)
    assert (code, document["method"], document["verdict"]) == (0, "integers", "proved")
    assert not any(each["solved"] for each in document["products"])


FAULTS = {
    "and for xor": (ARRAY, "row ^ above ^", "row ^ above &"),
    "carry dropped": (ARRAY, "(row & above) | ((row ^ above)", "(row & above & (j != 3)) | ((row ^ above)"),
    "carry from the wrong column": (CARRY_SAVE, "(c & row)) << 1", "(c & row)) << 2"),
    "missing row": (CARRY_SAVE, "x_i & {W{y_i[j]}}", "x_i & {W{y_i[j] & (j != 5)}}"),
    "wrong product of bits": (ARRAY, "x_i[i] & y_i[j]", "x_i[i ^ (j == 7)] & y_i[j]"),
}


@pytest.mark.parametrize("fault", ["missing row", *(full(fault) for fault in FAULTS if fault != "missing row")])
def test_faults_in_gates_are_not_proved(fault: str, tmp_path: Path) -> None:
    multiplier, right, wrong = FAULTS[fault]
    assert right in multiplier
    code, document, _ = proved(core(tmp_path, multiplier.replace(right, wrong)), P16)
    assert code != 0
    assert document["verdict"] != "proved"
    assert code == UNDECIDED or document["failed"]
