# SPDX-License-Identifier: Apache-2.0
"""What the simulators take is taken when a core is looked into; what no tool takes is an error."""

import subprocess
from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.elaboration import elaborate, slang
from limbtrace.rtl_bridge.init.rtl_scan import scan
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulators import icarus, verilator
from tests.rtl_bridge.helpers import TOYS, copy_of, job

HEAD = "module t (input clk, input [7:0] a, output [7:0] y);\n"
SUB = "module s (input x, input e, output z, output q); assign z = x; assign q = e; endmodule\n"
TAKEN = {
    "used before its declaration": HEAD + "assign y = w + r; wire [7:0] w = a; reg [7:0] r;\nalways "
    "@(posedge clk) r <= a;",
    "memory before its declaration": HEAD + "always @(posedge clk) m[a[1:0]] <= a;\nassign y = m[0];\n"
    "reg [7:0] m [0:3];",
    "parameter before its declaration": "module t (clk, a, y); input clk; input [W-1:0] a; output [W-1:0] y;\n"
    "parameter W = 8; assign y = a;",
    "timescale in one file alone": SUB + "`timescale 1ns/1ps\n" + HEAD + "s u (a[0], a[1], y[0], y[1]);\n"
    "assign y[7:2] = 0;",
    "implicit net": HEAD + "assign n = a[0] & a[1]; assign y = {8{n}};",
    "unconnected ports": SUB + HEAD + "s u (.x(a[0]), .z(y[0])); s v (a[1], , y[1], ); assign y[7:2] = 0;",
    "primitive in a branch that is not built": HEAD + "parameter X = 0; generate if (X) begin : g\n"
    "DSP48E1 #(.AREG(1)) u (.A(a), .P(y)); end else begin : h assign y = a; end endgenerate",
    "old directives": "`delay_mode_path\n`suppress_faults\n`celldefine\n" + HEAD + "assign y = a;",
    "macro defined twice": "`define A 1\n`define A 2\n" + HEAD + "assign y = a + `A;",
    "select beyond a vector": HEAD + "wire [7:0] w = a; assign y = w[9:2];",
    "two writers of parts": HEAD + "reg [7:0] r; always @(posedge clk) r[3:0] <= a[3:0];\n"
    "always @(posedge clk) r[7:4] <= a[7:4];\nassign y = r;",
    "two drivers of a net": HEAD + "assign y = a; assign y = a;",
    "pragmas and attributes": HEAD + '(* keep = "true", mark_debug *) reg [7:0] r; // synthesis keep\n'
    "always @(posedge clk) r <= a;assign y = r;",
    "width mismatch at a port": "module s (input [3:0] x, output [8:0] z); assign z = x; endmodule\n"
    + HEAD + "s u (a, y);",
    "initial value twice": HEAD + "reg [7:0] r = 0; initial r = 1; always @(posedge clk) r <= a; assign y = r;",
}  # fmt: skip


def simulators(path: Path) -> list[list[str]]:
    lint = [verilator().path, "--lint-only", "-Wno-fatal", "--timing", "--top-module", "t", str(path)]
    return [[icarus().path, "-g2012", "-t", "null", "-s", "t", str(path)], lint]


@pytest.mark.parametrize("name", TAKEN)
def test_what_the_simulators_take(name: str, tmp_path: Path) -> None:
    path = tmp_path / "t.v"
    path.write_text(TAKEN[name] + "\nendmodule\n")
    for command in simulators(path):
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    read = slang.read([path], "t", {})
    assert read is not None
    assert not read.errors
    assert all(f"{path.name}:" in warning and "error:" not in warning for warning in read.warnings)
    assert scan(tmp_path).top == "t"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("assign y = a +;", "2:15: error: expected expression"),
        ("assign y = nowhere;", "use of undeclared identifier 'nowhere'"),
        ("missing u (a, y);", "unknown module 'missing'"),
        ("assign y = `UNDEF;", "unknown macro or compiler directive '`UNDEF'"),
        ("wire [7:0] w; always @(*) w = a; assign y = w;", "cannot assign to a net within a procedural context"),
        ('`include "gone.vh"\nassign y = a;', "'gone.vh': No such file"),
    ],
)
def test_what_no_simulator_takes(body: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "t.v"
    path.write_text(f"{HEAD}{body}\nendmodule\n")
    for command in simulators(path):
        assert subprocess.run(command, capture_output=True).returncode
    read = slang.read([path], "t", {})
    assert read is not None
    assert said in read.text(read.errors[0])
    with pytest.raises(ParameterError, match="has an error: "):
        scan(tmp_path)


def test_a_macro_of_one_file_is_known_in_the_next(tmp_path: Path) -> None:
    (tmp_path / "a.v").write_text("`define W 8\n")
    (tmp_path / "b.v").write_text("module t (input [`W-1:0] a); endmodule\n")
    read = slang.read([tmp_path / "a.v", tmp_path / "b.v"], "t", {})
    assert read is not None
    assert (read.errors, read.warnings) == ((), ())


def test_warnings_are_said_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The first three, with file and line; the rest is counted."""
    elaborate._warn.cache_clear()
    late = "wire [7:0] late0 = later + later + later + later; wire [7:0] later = 0;"
    core = copy_of(
        TOYS / "modmul_toy", tmp_path, ("modmul_toy.v", "    reg [15:0]      count;\n", f"{late}\nreg [15:0] count;\n")
    )
    for _ in range(2):
        assert settle(job(core, "1000")).bound
    err = capfd.readouterr().err
    assert err.count("limbtrace: warning: ") == 4
    assert "modmul_toy.v:19:20: identifier 'later' used before its declaration\n" in err
    assert err.endswith("limbtrace: warning: and 1 more of this kind\n")
