# SPDX-License-Identifier: Apache-2.0
"""`limbtrace prove --method integers` on cores in RTL: what is proved, and what is said of the rest."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from limbtrace.rtl_bridge.proof.cli import _text as text_of
from limbtrace.vectors.cli import UNDECIDED, cli
from limbtrace.vectors.schemas import published
from tests.rtl_bridge.helpers import TOYS, copy_of
from tests.rtl_bridge.proof.small_core import START_DONE, described

P16 = "0xfff1"
OF_CORES = {"cios_toy": "2^32-5"}
"""Moduli in place of that, for a core of words."""


def proved(core: str | Path, prime: str, *words: str) -> tuple[int, Any, str]:
    """Exit code, document and text of `limbtrace prove`, without simulations."""
    asked = ["prove", str(core), "--prime", prime, "--limit", "1", "--fresh", *words]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("limbtrace.rtl_bridge.proof.cli.available", lambda: ["icarus"])
        patch.setattr("limbtrace.rtl_bridge.proof.cli.simulated", lambda asked, bound, simulators: iter(()))
        patch.setattr("limbtrace.rtl_bridge.proof.cli.shown", lambda asked, bound, failed: None)
        answer = CliRunner().invoke(cli, [*asked, "--json"], standalone_mode=False)
    if answer.exception is not None:
        raise answer.exception
    document = json.loads(answer.stdout)
    Draft202012Validator(json.loads(published("limbtrace-proof-1.schema.json"))).validate(document)
    return int(answer.return_value), document, text_of(document, "", "")


@pytest.mark.parametrize("core", ["modmul_toy", "mont_toy", "comb_toy", "cios_toy"])
def test_cores_without_rows_are_proved_as_integers(core: str) -> None:
    code, document, text = proved(TOYS / core, OF_CORES.get(core, P16))
    assert (code, document["method"], document["verdict"]) == (0, "integers", "proved")
    products = document["products"]
    assert all(product["integers"] for product in products if product["name"] != "stream")
    assert not any(product["solved"] for product in products)
    assert any("polynomials over the integers" in trusted for trusted in document["trusted"])
    assert "1 of them as integers modulo p, 0 by the solver" in text


def test_small_moduli_are_proved_by_the_solver() -> None:
    _, document, text = proved(TOYS / "comb_toy", "13")
    assert (document["method"], document["verdict"]) == ("whole", "proved")
    assert "integers" not in document["products"][0]
    assert "as integers" not in text


HANDSHAKE = """module dut (
  input  wire        clk, rst, start,
  input  wire [15:0] a, b, p,
  output reg         done,
  output reg  [15:0] z
);
  reg run;
  reg [5:0] count;
  {variables}
  always @(posedge clk) begin
    done <= 1'b0;
    if (rst) run <= 1'b0;
    else if (start & ~run) begin
      run <= 1'b1;
      count <= 6'd0;
      {load}
    end else if (run) begin
      count <= count + 6'd1;
      {step}
      if (count == 6'd{last}) begin
        run <= 1'b0;
        done <= 1'b1;
        z <= {result};
      end
    end
  end
endmodule
"""
SERIAL = {
    "Montgomery by choices": {
        "variables": "reg [15:0] x, y; reg [17:0] s, t, u;",
        "load": "x <= a; y <= b; s <= 18'd0;",
        "step": "t = y[0] ? s + x : s; u = t[0] ? t + p : t; s <= u >> 1; y <= y >> 1;",
        "last": "15",
        "result": "(u >> 1) >= p ? (u >> 1) - p : u >> 1",
    },
    "non-restoring division": {
        "variables": "reg [31:0] t; reg signed [17:0] r, q; wire signed [17:0] m = {2'b00, p};",
        "load": "t <= a * b; r <= 18'sd0;",
        "step": "q = {r[16:0], t[31]}; q = r < 0 ? q + m : q - m; r <= q; t <= t << 1;",
        "last": "31",
        "result": "q < 0 ? q + m : q",
    },
}
IN_MONTGOMERY = 'model = "montgomery"\nsettings = { r = 16 }'


@pytest.mark.parametrize("name", SERIAL)
def test_serial_cores_as_strangers_write_them(name: str, tmp_path: Path) -> None:
    folder = described(tmp_path, HANDSHAKE.format(**SERIAL[name]), START_DONE)
    text = (folder / "core.toml").read_text().replace("timeout = 8", "timeout = 50")
    if name.startswith("Montgomery"):
        text = text.replace('model = "modmul"', IN_MONTGOMERY)
    (folder / "core.toml").write_text(text)
    code, document, _ = proved(folder, "0x7fed", "--method", "integers")
    assert (code, document["verdict"]) == (0, "proved")
    assert not any(product["solved"] for product in document["products"])


FAULTS = [
    ("modmul_toy", ("modmul_toy.v", "once >= modulus", "once > modulus"), "modulo p"),
    ("modmul_toy", ("modmul_toy.v", "result <= twice[WIDTH-1:0]", "result <= once[WIDTH-1:0]"), "modulo p"),
    ("modmul_toy", ("modmul_toy.v", "doubled + {2'b00, x}", "doubled + {2'b00, x[WIDTH-1:1], 1'b0}"), "modulo p"),
    ("mont_toy", ("mont_toy.sv", "row[15:0] * minv_i", "row[14:0] * minv_i"), "modulo p"),
    ("cios_toy", ("cios_toy.sv", "17'(top_q[16]) + 17'(top[16])", "17'(top[16])"), "modulo p"),
    ("cios_toy", ("cios_toy.sv", "17'(top_q[15:0]) + 17'(carry_q)", "{1'b0, top_q[15:0] + carry_q}"), "modulo p"),
    ("cios_toy", ("cios_toy.sv", "if (j_q != '0) sum_q[j_q-1]", "if (j_q > 1) sum_q[j_q-1]"), "modulo p"),
]


@pytest.mark.parametrize(("core", "edit", "said"), FAULTS)
def test_faults_are_not_proved_and_said(core: str, edit: tuple[str, str, str], said: str, tmp_path: Path) -> None:
    code, document, text = proved(copy_of(TOYS / core, tmp_path, edit), OF_CORES.get(core, P16))
    assert (code, document["verdict"]) == (UNDECIDED, "open")
    failed = document["failed"][0]
    assert said in f"{failed['range']}; {failed['why']}"
    assert f"as an integer it is {failed['form']}, {failed['range']}: {failed['why']}" in text
