# SPDX-License-Identifier: Apache-2.0
"""Leads in reports: small cores with the faults of strangers, and what is said of their wrong results."""

from pathlib import Path

import pytest

from limbtrace.rtl_bridge.run.report import Report
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import job

COMBINATIONAL = 'protocol = { kind = "start-done", latency = 0 }'
HANDSHAKE = (
    'timeout = 8\nclock = { port = "clk" }\nreset = { port = "rst", active = "high", synchronous = true }\n'
    'protocol = { kind = "valid-ready", in_valid = "iv", in_ready = "ir", out_valid = "ov", out_ready = "ready" }'
)


def core(
    folder: Path, name: str, rtl: str, *, model: str = "modmul", keys: str = COMBINATIONAL, inputs: str = ""
) -> Path:
    """A core of that Verilog with operands a and b, modulus p and result z, all of W bits."""
    place = folder / name
    place.mkdir()
    (place / f"{name}.v").write_text(rtl)
    (place / "core.toml").write_text(f"""format = "limbtrace-core/1"
name = "{name}"
model = "{model}"
files = ["{name}.v"]
top = "{name}"
build = {{ W = "N" }}
{keys}
operand = [{{ name = "a", port = "a" }}, {{ name = "b", port = "b" }}]
input = [{{ port = "p", value = "p" }}{inputs}]
result = {{ port = "z" }}
""")
    return place


WRAPPED = """module wrapped #(parameter W = 8) (input [W-1:0] a, b, p, pn, output [W-1:0] z);
  wire [2*W-1:0] t = a * b;
  wire [W-1:0] m = t[W-1:0] * pn;
  wire [2*W:0] s = t + m * p;
  wire [W:0] u = s[2*W:W];
  assign z = u < p ? u - p : u;
endmodule
"""
FOLDED = """module folded #(parameter W = 61) (input [W-1:0] a, b, p, output [W-1:0] z);
  wire [2*W-1:0] t = a * b;
  wire [W+1:0] s = {2'b0, t[W-1:0]} + t[2*W-1:W] + p - (a[4:0] == 5'd30 ? 1 << 42 : 0);
  wire [W+1:0] r = s[W-1:0] + s[W+1:W];
  assign z = r >= p ? r - p : r;
endmodule
"""
LATE = """module late #(parameter W = 8) (
  input clk, rst, iv, ready, input [W-1:0] a, b, p, output ir, output reg ov, output reg [W-1:0] z
);
  reg [W-1:0] a_q; reg first;
  assign ir = !first && !ov;
  always @(posedge clk) if (rst) begin first <= 0; ov <= 0; end else begin
    if (iv && ir) begin a_q <= a; first <= 1; end
    if (first) begin z <= (a_q * {{W{1'b0}}, b}) % p; first <= 0; ov <= 1; end
    if (ov && ready) ov <= 0;
  end
endmodule
"""


def said(report: Report) -> list[str]:
    """Sentences about the wrong result."""
    return [fact["text"] for fact in report.observed["observations"]]


def test_a_subtraction_that_wraps(tmp_path: Path) -> None:
    pn = ', { port = "pn", value = "-p^-1 mod 2^N" }'
    folder = core(tmp_path, "wrapped", WRAPPED, model="montgomery", inputs=pn)
    report = simulate(job(folder, "p256", count=3, kind="random"))
    assert said(report)[0].startswith("it is the right result minus p, modulo 2^256, as after a subtraction")
    assert "signed" not in said(report)[0]


def test_a_carry_before_the_reduction_is_one_group(tmp_path: Path) -> None:
    """The integers differ by the power of two in some of its cases, and only the residues do in others."""
    report = simulate(job(core(tmp_path, "folded", FOLDED), "2^61-1", count=100, keep_going=20))
    differences = [int(found.expected or "", 16) - int(found.seen or "", 16) for found in report.differences]
    assert {difference == 1 << 42 for difference in differences} == {True, False}
    assert len(report.groups) == 1
    assert report.groups[0].observation == "power_of_two"


@pytest.mark.parametrize(("edit", "operand"), [(("a_q * {{W{1'b0}}, b}", "a_q * {{W{1'b0}}, b}"), "b"),
                                               (("a_q * {{W{1'b0}}, b}", "a * {{W{1'b0}}, a_q}"), "a")])  # fmt: skip
def test_an_operand_that_is_read_late(edit: tuple[str, str], operand: str, tmp_path: Path) -> None:
    rtl = LATE.replace(*edit)
    if operand == "a":
        rtl = rtl.replace("a_q <= a;", "a_q <= b;")
    report = simulate(job(core(tmp_path, "late", rtl, keys=HANDSHAKE), "p256", count=3))
    assert f"as if operand {operand} were read a cycle late" in said(report)[0]


PIPE = """module pipe #(parameter W = 8) (input clk, input [W-1:0] a, b, p, output reg [W-1:0] z);
  reg [W-1:0] x, y, w;
  always @(posedge clk) begin x <= (a * {{W{1'b0}}, b}) % p; y <= x; w <= y; z <= w; end
endmodule
"""


@pytest.mark.parametrize("stream", [1, 8])
def test_a_latency_of_streams(stream: int, tmp_path: Path) -> None:
    """The latency is that of the first word, and a stream of one product ends a word later."""
    keys = 'clock = { port = "clk" }\nprotocol = { kind = "word-serial", latency = 4, products = 8 }'
    assert simulate(job(core(tmp_path, "pipe", PIPE, keys=keys), "p256", count=3, stream=stream)).passed
