# SPDX-License-Identifier: Apache-2.0
"""RTL that Yosys would read in another way than simulators: refused, or read as they do.

Each fault shows for one pair of operands; the verdicts are those of the proof alone, without the simulations behind it.
"""

import re
from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.elaboration import slang
from limbtrace.rtl_bridge.proof.elaborate import elaborated
from limbtrace.rtl_bridge.proof.literals import is_same
from limbtrace.rtl_bridge.proof.races import races
from limbtrace.rtl_bridge.proof.verilog_text import (
    as_simulated,
    asked_macros,
    icarus_size,
    long_decimals,
    verilator_size,
)
from limbtrace.vectors.errors import ToolError
from tests.conftest import ROOT
from tests.rtl_bridge.proof.small_core import core, proved, shell_of


def verdict(folder: Path) -> str:
    """The verdict of a proof without simulations."""
    failed = proved(folder).failed
    return failed[0].verdict if failed else "proved"


def found(tmp_path: Path, items: str) -> list[str]:
    """Findings in a module with these items, with the line of the first one as 1."""
    path = tmp_path / "t.sv"
    ports = "input wire clk, input wire a, input wire b, input wire [3:0] v, output wire o"
    path.write_text(f"module t ({ports}); {items}\nendmodule\n")
    read = slang.read([path], "t", {})
    assert read is not None
    assert not read.errors, read.text(read.errors[0])
    return [sentence.rpartition("t.sv:")[2] for sentence in races(read)]


RACES = {
    "blocking": ("reg r, q; always @(posedge clk) r = a; always @(posedge clk) q <= r; assign o = q;", "r is assigned"),
    "blocking, by a net": (
        "reg r, q; always @(posedge clk) r = a; wire w = ~r; always @(posedge clk) q <= w; assign o = q;",
        "r is assigned by =",
    ),
    "blocking, in a task": (
        "reg r, q; task t1; r = a; endtask always @(posedge clk) t1; always @(posedge clk) q <= r; assign o = q;",
        "r is assigned by =",
    ),
    "two nets": ("wire w; assign w = a; assign w = b; assign o = w;", "w has several drivers"),
    "a net of two instances": ("sub s1 (a, o); sub s2 (b, o); endmodule module sub (input i, output q); assign q = i;",
                               "o has several drivers"),
    "a driver beside a tri-state one": ("assign o = a ? b : 1'bz; assign o = v[0];", "o has several drivers"),
    "a tri-state bus with z in a value": (
        "wire w; assign w = a ? b : 1'bz; assign w = a ? 1'bz : b ? v[0] : 1'bz; assign o = w;",
        "w has several drivers",
    ),
    "a tri-state bus with a wider z": (
        "wire [1:0] w; assign w = a ? v : 4'bz; assign w = a ? 2'bz : {a, b}; assign o = ^w;", "w has several drivers"
    ),
    "a tri-state bus with a narrower z": (
        "wire [1:0] w; assign w = a ? v : 1'bz; assign w = a ? 2'bz : {a, b}; assign o = ^w;", "w has several drivers"
    ),
    "a tri-state bus whose value is made wider by a z": (
        "wire [1:0] w; assign w = a ? v[1:0] : 4'bz; assign w = a ? 2'bz : v[3:2]; assign o = ^w;",
        "w has several drivers",
    ),
    "a tri-state bus with a cut value of a macro": (
        "`define V v\n assign o = a ? `V : 1'bz; assign o = a ? 1'bz : b;", "o has several drivers"
    ),
    "a tri-state bus with a value that is cut in two ways": (
        "sub #(1) s1 (a, v, o); sub #(2) s2 (b, v, w); wire [1:0] w; assign o = a ? 1'bz : w[0]; endmodule"
        " module sub #(W = 1) (input e, input [3:0] d, output wire [W-1:0] q); assign q = e ? d : 'z;",
        "o has several drivers",
    ),
    "a tri-state bus with an instance that always drives": (
        "sub s1 (a, o); assign o = b ? v[0] : 1'bz; endmodule module sub (input i, output q); assign q = i;",
        "o has several drivers",
    ),
    "a tri-state bus with an inout and another driver": (
        "sub s1 (a, b, o); assign o = b; endmodule"
        " module sub (input e, d, inout q); assign q = e ? d : 1'bz;",
        "o has several drivers",
    ),
    "a tri-state bus with a variable of an instance": (
        "sub s1 (a, b, o); sub s2 (b, a, o); endmodule"
        " module sub (input e, d, output logic q); assign q = e ? d : 1'bz;",
        "o has several drivers",
    ),
    "a tri-state bus of which one driver has a part": (
        "wire [1:0] w; assign w = a ? v[1:0] : 2'bz; assign w[0] = a ? 1'bz : b; assign o = ^w;",
        "w has several drivers",
    ),
    "a tri-state bus that is pulled up": ("tri1 w; assign w = a ? b : 1'bz; assign w = a ? 1'bz : v[0]; assign o = w;",
                                          "w has several drivers"),
    "a tri-state bus with a delay": ("assign o = a ? b : 1'bz; assign #1 o = a ? 1'bz : v[0];", "a delay"),
    "two processes": (
        "reg r; always @(posedge clk) if (a) r <= 1; always @(posedge clk) if (b) r <= 0; assign o = r;",
        "r is written by several processes",
    ),
    "two ports of a memory": (
        "reg m [0:15]; always @(posedge clk) if (a) m[v] <= 1; always @(posedge clk) if (b) m[~v] <= 0;"
        "assign o = m[v];",
        "m is written by several processes",
    ),
    "sensitivity": ("reg r; always @(a) r = a & b; assign o = r;", "it reads b and does not wait"),
    "sensitivity, behind a function": (
        "function f(input i); f = i & b; endfunction reg r; always @* r = f(a); assign o = r;",
        "it reads b and does not wait",
    ),
    "sensitivity, of an assignment": (
        "function f(input i); f = g(i); endfunction function g(input i); g = i & b; endfunction assign o = f(a);",
        "it reads b and does not wait",
    ),
    "initial": ("reg r; initial r = 0; initial r = 1; always @(posedge clk) r <= a ^ r; assign o = r;",
                "r has several initial values"),
    "initial and declared": ("reg r = 1; initial r = 0; always @(posedge clk) r <= a ^ r; assign o = r;",
                             "r has several initial values"),
    "wait": ("reg r; always @(posedge clk) begin wait (a); r <= b; end assign o = r;", "a process that waits"),
    "two processes, by a task": (
        "reg r; task t1; r <= a; endtask always @(posedge clk) t1; always @(posedge clk) if (b) t1; assign o = r;",
        "r is written by several processes",
    ),
    "force": ("wire w; assign w = a; always @(posedge clk) force w = b; assign o = w;", "a procedural assign or force"),
    "fork": ("reg r; always @(posedge clk) fork r <= a; join assign o = r;", "fork"),
    "delay of a net": ("wire #1 w; assign w = a; assign o = w;", "a delay"),
    "delay": ("assign #1 o = a;", "a delay"),
    "delay of a gate": ("wire w; and #3 g (w, a, b); assign o = w;", "a delay"),
    "nothing to wait for": ("reg r; always @* r = 1'b1; assign o = r & a;", "it waits for changes of what it reads"),
    "sensitivity, to a part": (
        "wire [7:0] w = {v, ~v}; reg r; always @(w[3:0]) r = ^w[7:4]; assign o = r;",
        "it reads w and does not wait",
    ),
    "sensitivity, to two parts": (
        "reg r; always @(v[1:0] or v[3]) r = ^v; assign o = r;",
        "it reads v and does not wait",
    ),
    "sensitivity, to a value": ("reg r; always @(a & b) r = a; assign o = r;", "it reads a and does not wait"),
    "sensitivity, to its own result": (
        "reg r, q; always @(a) begin r <= a; q <= r; end assign o = q;",
        "it reads r and does not wait",
    ),
    "sensitivity, always_comb": (
        "reg r, q; always_comb begin r <= a; q <= r; end assign o = q;",
        "it reads r and does not wait",
    ),
    "read first": ("reg r, q; always_comb begin q = r; r = a; end assign o = q;", "it reads r before it assigns it"),
    "read first, by a list": (
        "reg r, q; always @(a) begin q = ~r; r = a; end assign o = q;",
        "it reads r before it assigns it",
    ),
    "read first, one way": (
        "reg r, q; always @* begin if (b) r = a; q = r; r = a; end assign o = q;",
        "it reads r before it assigns it",
    ),
    "read first, in one item": (
        "reg r, q; always @* case (v) 0: begin r = a; q = r; end default: begin q = r; r = b; end endcase"
        " assign o = q;",
        "it reads r before it assigns it",
    ),
    "read first, in a loop": (
        "reg r, q; always @* for (int k = 0; k < 3; k++) begin q = r; r = v[k]; end assign o = q;",
        "it reads r before it assigns it",
    ),
    "read first, on both sides": (
        "reg [3:0] r; always @* begin r += v; r = v; end assign o = ^r;",
        "it reads r before it assigns it",
    ),
    "read first, by an increment": ("reg [3:0] r; always_comb begin r++; r = v; end assign o = ^r;",
                                    "it reads r before it assigns it"),
    "an assertion that acts": (
        "reg r; always @* begin r = a; assert (b) else r = 0; end assign o = r;",
        "an assertion with side effects",
    ),
    "a cover that acts": (
        "reg r; always @(posedge clk) begin r <= a; cover (b) r <= 0; end assign o = r;",
        "an assertion with side effects",
    ),
    "an assertion that calls": (
        "reg r; task t1; r = b; endtask always @* begin r = a; assert (b) t1; end assign o = r;",
        "an assertion with side effects",
    ),
    "a static variable": (
        "function automatic [3:0] f(input [3:0] i); static int n = 0; n = n + 1; return i + n; endfunction"
        " assign o = ^f(v);",
        "n is static and keeps its value",
    ),
    "a constant product": ("localparam P = 65536 * 65536; assign o = P == 0;", "a constant expression that some"),
    "a constant product of four bits": (
        "localparam [3:0] C = 15; localparam F = C * C; wire [7:0] w = F; assign o = w[v];",
        "a constant expression that some",
    ),
    "a constant power": ("localparam P = 2 ** 31; assign o = P < 0;", "a constant expression that some"),
    "a constant difference": (
        "localparam [31:0] C = 5; localparam P = C - 6; wire [39:0] w = P; assign o = w[32];",
        "a constant expression that some",
    ),
    "a constant whose high bits come back": (
        "localparam [31:0] P = (1 << 32) / 2; assign o = P[31];",
        "a constant expression that some",
    ),
    "a constant mask without a type": (
        "localparam M = (1 << 32) - 1; wire [39:0] w = M; assign o = w[39];",
        "a constant expression that some",
    ),
    "a constant in an operator": ("assign o = 2147483647 * 4 / 4 == v;", "a constant expression that some"),
    "an edge of logic": (
        "reg r, s; wire l = s & a; always @(posedge clk) s <= b; always @(posedge clk or posedge l) if (l) r <= 0;"
        "else r <= b; assign o = r;",
        "l, at whose edges it runs, is made of several signals",
    ),
    "an edge of logic in front of an instance": (
        "reg s; always @(posedge clk) s <= b; sub u(.c(clk & s), .d(a), .q(o)); endmodule"
        " module sub(input c, d, output reg q); always @(posedge c) q <= d;",
        "c, at whose edges it runs, is made of several signals",
    ),
    "x in an operator": ("assign o = a & 1'bx;", "an operator on x"),
    "x in a comparison": ("assign o = v == 4'b1x00;", "an operator on x"),
    "x by name": ("localparam X = 4'bxxxx; assign o = |(v & X);", "an operator on x"),
    "x, repeated": ("assign o = |(v ^ {4{1'bx}});", "an operator on x"),
}  # fmt: skip


@pytest.mark.parametrize("name", RACES)
def test_what_simulators_may_read_otherwise_is_found_with_its_line(name: str, tmp_path: Path) -> None:
    items, sentence = RACES[name]
    assert any(each.startswith(f"1: {sentence}") for each in found(tmp_path, items)), found(tmp_path, items)


@pytest.mark.parametrize(
    "items",
    [
        "reg r; always @(posedge clk) begin : own reg t; t = a; r <= t & b; end assign o = r;",
        "reg r, t; always @(posedge clk) begin t = a; r <= t & b; end assign o = r;",
        "reg r; always @(a or b) r = a & b; assign o = r;",
        "reg r, t; always @(a or b) begin t = ~a; r = t & b; end assign o = r;",
        "integer i; reg [3:0] r, s; always @(posedge clk) for (i = 0; i < 4; i = i + 1) r[i] <= v[3 - i];"
        "always @* for (i = 0; i < 4; i = i + 1) s[i] = r[i]; assign o = ^s;",
        "reg [3:0] r; genvar i; generate for (i = 0; i < 4; i = i + 1) begin : g always @(posedge clk) r[i] <= v[i];"
        " end endgenerate assign o = ^r;",
        "wire [1:0] w; assign w[0] = a; assign w[1] = b; assign o = ^w;",
        "function f(input i); reg t; begin t = i & a; f = t; end endfunction reg r; always_comb r = f(b);assign o = r;",
        "function f(input i); reg t; begin t = ~i; f = t; end endfunction assign o = f(a) ^ f(b);",
        "reg r = 0; always @(posedge clk) r <= a; assign o = r;",
        "reg r; initial r = 0; always @(posedge clk) r <= a; assign o = r;",
        "reg r; always @* case (v) 4'd1: r = a; default: r = 1'bx; endcase assign o = r;",
        "reg r; always @* casez (v) 4'b1??x: r = a; default: r = b; endcase assign o = r;",
        "assign o = v === 4'b1x00;",
        "reg r; always @(v[1:0] or v[3:2]) r = ^v; assign o = r;",
        "reg r; always @({a, v[3]}) r = a ^ v[3]; assign o = r;",
        "reg r, q; always @* begin r <= a; q <= r; end assign o = q;",
        "reg [4:0] c; always @* begin c[0] = a; for (int k = 0; k < 4; k++) c[k + 1] = c[k] & v[k]; end"
        " assign o = c[4];",
        "reg [4:0] c; always_comb for (int k = 0; k < 5; k++) if (k == 0) c[k] = a; else c[k] = c[k - 1] & v[k - 1];"
        "assign o = c[4];",
        "reg [4:1] c; always_comb begin c[1] = a; for (int k = 1; k < 4; k++) c[k + 1] = c[k] ^ v[k]; end"
        " assign o = c[4];",
        "reg [1:0] c; assign c[0] = a; always_comb c[1] = c[0] & b; assign o = c[1];",
        "reg r, q; always_comb begin r = b; if (a) r = ~r; q = r; r = q; end assign o = r;",
        "reg r, q; always @* begin case (v[0]) 1'b0: r = a; 1'b1: r = b; endcase q = r; end assign o = q;",
        "reg r, q; task automatic t1(input i, output t); t = ~i; endtask always_comb begin t1(a, r); q = r; end"
        " assign o = q;",
        "reg [3:0] r; always @* begin r = v; r += 4'd3; r[0] ^= r[1]; end assign o = ^r;",
        "reg [3:0] r; always_comb begin r = v; r++; if (a) r--; end assign o = ^r;",
        "reg [3:0] r, s; always @* begin {r, s} = {v, ~v}; {r, s} = {s, r}; end assign o = ^r;",
        'always_comb begin automatic logic t = a; t = t & b; assert (t == (a & b)) else $error("t"); end assign o = a;',
        "function automatic f(input i); int n = 0; n = n + i; return n[0]; endfunction assign o = f(a);",
        "localparam P = 13, Q = P * P - 200, R = (1 << 30) - 1, S = -1; localparam [63:0] T = 65536 * 65536;"
        "localparam [3:0] U = 15, W = U + 4'd1; assign o = v < P + Q + R + S + T[32] + W;",
        "localparam W = 32; localparam [W-1:0] M = (1 << W) - 1; assign o = M[31] & v[0];",
        "genvar g; wire [4:0] w; for (g = 5 - 1; g >= 0; g = g - 1) assign w[g] = v[g % 4] ^ (2**g > 5);assign o = ^w;",
        "wand w; assign w = a; assign w = b; assign o = w;",
        "tri [3:0] w; assign w = a ? v : 'z, w = a ? {4{1'bz}} : ~v; assign o = ^w;",
        "wire [3:0] w; genvar g; generate for (g = 0; g < 8; g = g + 1) begin : u"
        " assign w[g / 2] = a ^ (g % 2) ? v[g / 2] : 1'bz; end endgenerate assign o = ^w;",
        "assign o = a ? v : 1'bz; assign o = a ? 1'bz : b;",
        "wire [1:0] w; assign w = a ? v + v : 'z; assign w = a ? 2'bz : 3'(v); assign o = ^w;",
        "parameter N = 0; generate if (N > 0) begin : g wire [N-1:0] w; assign w = v[N-1:0] ? v[3:4-N] : 'z; end"
        " endgenerate assign o = a;",
        "sub s1 (a, v[0], o); sub s2 (~a, b, o); endmodule"
        " module sub (input e, d, output wire q); assign q = e ? d : 1'bz;",
        "wire [3:0] w; sub #(2) s1 (a, v, w[1:0]); sub #(2) s2 (~a, ~v, w[1:0]); sub #(2) s3 (1'b1, v, w[3:2]);"
        " assign o = ^w; endmodule module sub #(W = 1) (input e, input [3:0] d, inout [W-1:0] q);"
        " assign q = e ? d : 'z;",
        "reg r, s; wire l = ~s; always @(posedge clk) s <= b; always @(posedge clk or posedge l) if (l) r <= 0;"
        "else r <= b; assign o = r;",
        "wire l = ~a; sub u(.c(clk), .l(l | 1'b0), .d(b), .q(o)); endmodule module sub(input c, l, d, output reg q);"
        "always @(posedge c, negedge l) if (!l) q <= 0; else q <= d;",
        "localparam P = 3; function [3:0] f(input [3:0] i); f = i + P; endfunction assign o = ^f(v);",
        "task t1; r <= a; endtask reg r, q; always @(posedge clk) t1; always @(posedge clk) q <= r; assign o = q;",
    ],
)
def test_a_design_that_simulators_read_alike(items: str, tmp_path: Path) -> None:
    assert found(tmp_path, items) == []


@pytest.mark.parametrize(
    ("items", "same"),
    [
        ("assign o = v < 4294967296;", True),
        ("wire [63:0] w = 9223372036854775808; assign o = w[v];", True),
        ("wire [63:0] w = {16{v}}; wire [63:0] x = w - 18446744069414584321; assign o = x[0];", True),
        ("wire [65:0] w = 9223372036854775808; assign o = w[v];", False),
        ("wire signed [40:0] w = {v, v}; assign o = w < 4294967295;", False),
        ("wire [63:0] w = {16{v}}; assign o = (w + 4294967296) > 5;", False),
        ("wire [63:0] w = {16{v}}; wire [63:0] x = (w + 4294967296) >> 1; assign o = x[0];", False),
        ("wire [63:0] w = {16{v}}; wire [63:0] x = (w + 18446744069414584321) / 3; assign o = x[0];", False),
        ("localparam P = 4294967295; wire [35:0] w = P; assign o = w[v];", False),
        ("wire [7:0] w = $bits(4294967296); assign o = w[0];", False),
    ],
)
def test_a_decimal_that_simulators_read_alike(items: str, same: bool, tmp_path: Path) -> None:
    readings = []
    for size in (verilator_size, icarus_size):
        path = tmp_path / f"{size.__name__}.sv"
        path.write_bytes(
            as_simulated(f"module t (input wire [3:0] v, output wire o); {items} endmodule".encode(), size)
        )
        read = slang.read([path], "t", {})
        assert read is not None
        readings.append(read)
    assert is_same(*readings) == same


def test_sizes_of_decimals() -> None:
    """As both simulators print them by $bits."""
    for value, verilator, icarus in ((1 << 31, 32, 33), (1 << 32, 33, 34), (0xFFFFFFFF00000001, 64, 65)):
        assert (verilator_size(value), icarus_size(value)) == (verilator, icarus)
    text = b"x = 4'd5 + 64'd18446744069414584321 + 5000000000; // 5000000000\ny = \"5000000000\" + 2147483647 + 1.5e10;"
    assert as_simulated(text) == text.replace(b"+ 5000000000;", b"+ 34'sd5000000000;")
    assert list(long_decimals(text)) == [(5_000_000_000, 1)]


@pytest.mark.budget
def test_a_decimal_that_simulators_read_otherwise_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"dut.sv:12: a decimal number of more than 31 bits without a size"):
        elaborated(shell_of(core(tmp_path, "wire [39:0] w = -4294967296 + y;", "bad && w > 4294967295 + x ? 0 : good")))


def test_promises_are_taken_out_of_copies() -> None:
    text = b"""// unique case (* full_case *) \xe9
always @(*) (* full_case, parallel_case *) unique case (a) 1: b = "unique"; endcase
unique0 if (* keep *) (c) d = e*(f)*(g); `define U unique
"""
    assert [line.split() for line in as_simulated(text).splitlines()] == [
        b"// unique case (* full_case *) \xe9".split(),
        b'always @(*) priority case (a) 1: b = "unique"; endcase'.split(),
        b"if (* keep *) (c) d = e*(f)*(g); `define U priority".split(),
    ]


def test_macros_that_a_source_tests() -> None:
    text = b'`define A\n// `ifdef B\n`ifdef C\n`elsif D /* x */\n`endif\n`ifndef \\\n E\nstring s = "`ifdef F";\n'
    assert [name for name, _ in asked_macros(text)][:2] == ["C", "D"]
    assert list(asked_macros(b"\n`ifndef E\n`endif")) == [("E", 2)]


FAULTS = {
    "decimal": ("", "(bad && 4294967296 != 0) ? 0 : good"),
    "decimal of 32 bits": ("wire [31:0] w = 4294967295;", "(bad && w > 2147483648) ? 0 : good"),
    "decimal by a macro": ("`define BIG 18_446_744_069_414_584_321\nwire [63:0] w = {60'd0, x};",
                           "(bad && w < `BIG) ? 0 : good"),
    "unknown": ("wire [3:0] u = 'x;", "bad ? u : good"),
    "no driver": ("wire [3:0] u;", "bad ? u : good"),
    "index": ("wire [2:0] i = {bad, 2'b11}; wire [5:0] w = '0;", "{good[3:1], good[0] | (bad & w[i])}"),
    "slice": ("wire [5:0] i = {bad, 5'd0};", "good[i +: 4]"),
    "memory": ("reg [3:0] ram [0:4]; always @(posedge clk) if (start) ram[a[1:0]] <= 0;", "bad ? ram[4] : good"),
    "beyond a memory": ("reg [3:0] ram [0:4]; wire [2:0] at = {bad, 2'b11};"
                        "always @(posedge clk) ram[a[1:0]] <= 0;", "good | ram[at] & {4{bad}}"),
    "two true items": ("reg [3:0] w; always_comb begin w = good; unique case (1'b1) bad: w = 4'd0;"
                       "(x == 4'd12): w = good; default: w = good; endcase end", "w"),
    "parallel_case": ("reg [3:0] w; always @* begin w = good; (* parallel_case *) case (1'b1) bad: w = 4'd0;"
                      "(x == 4'd12): w = good; default: w = good; endcase end", "w"),
    "full_case": ("reg [3:0] w; always @* begin w = 4'd0; (* full_case *) case (bad) 1'b0: w = good; endcase end",
                  "w"),
    "YOSYS": ("`ifdef YOSYS\nlocalparam S = 1;`else\nlocalparam S = 0;\n`endif", "S || !bad ? good : 0"),
    "__slang__": ("`ifndef __slang__\nlocalparam S = 0;\n`else\nlocalparam S = 1;\n`endif", "S || !bad ? good : 0"),
    "SYNTHESIS": ("localparam S =\n`ifdef SYNTHESIS\n1\n`else\n0\n`endif\n;", "S || !bad ? good : 0"),
    "translate_off": ("localparam S = 1\n// synthesis translate_off\n- 1\n// synthesis translate_on\n;",
                      "S || !bad ? good : 0"),
    "a bus that nothing drives": (
        "wire [3:0] w; assign w = x[0] ? good : 4'bz; assign w = x[0] | bad ? 'z : good;", "w"),
    "a bus with two drivers": (
        "wire [3:0] w; assign w = x[0] ? good : 4'bz; assign w = x[0] & !(x == 5 && y == 7) ? 'z : ~good;",
        "x[0] ? w : ~w"),
    "a bus of cut values with two drivers": (
        "wire [3:0] w; assign w = x[0] ? prod % p : 4'bz; assign w = x[0] & !(x == 5 && y == 7) ? 'z : ~(prod % p);",
        "x[0] ? w : ~w"),
    "a bus of instances that nothing drives": (
        "wire [3:0] w; tri_output u0 (x[0], good, w); tri_inout u1 (~x[0] & ~bad, good, w);", "w"),
    "a bus of instances with two drivers": (
        "wire [3:0] w; tri_output u0 (x[0], good, w); tri_inout u1 (~x[0] | (x == 5 && y == 7), ~good, w);",
        "x[0] ? w : ~w"),
    "a net that is not driven": ("wire [3:0] w; assign w = bad ? 4'bz : good;", "w"),
    "signed quotient by 0": ("wire signed [4:0] q = $signed({1'b0, x}) / $signed({4'd0, ~bad});",
                             "bad ? q : good"),
    "signed remainder": ("wire signed [4:0] n = -$signed({1'b0, x}), m = n % 5'sd5;", "bad && m != 3 ? 0 : good"),
    "signed quotient": ("wire signed [4:0] n = -$signed({1'b0, x}), m = n / 5'sd5;", "bad && m != -3 ? 0 : good"),
}  # fmt: skip


@pytest.mark.budget(14)
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_for_one_pair_is_not_proved(name: str, tmp_path: Path) -> None:
    assert verdict(core(tmp_path, *FAULTS[name])) == "refuted"


GOOD = {
    "decimals": (
        "wire [65:0] w = {62'd1, x}; wire [65:0] d = w >= 18446744069414584321 ? w - 18446744069414584321 : w;"
        "localparam M = 18446744069414584321; localparam [63:0] P = 18446744069414584321;",
        "(bad && (d != {62'd1, x} || P != 64'hffffffff00000001 || w >= M)) ? 0 : good",
    ),
    "assertions": (
        "ap: assert property (@(posedge clk) disable iff (rst) done |-> z < p); cover property (@(posedge clk) done);"
        "always @(posedge clk) begin assert (rst || z !== 4'd5); assume (p != 0); cover (done); assert #0 (1); end",
        "good",
    ),
    "a bus": (
        "wire [3:0] w; assign w = x[0] ? good : 4'bz; assign w = x[0] | y[1] ? {4{1'bz}} : ~good;"
        "assign w = ~x[0] & y[1] ? ~good : 'z;",
        "x[0] ? w : ~w",
    ),
    "a bus of cut values": (
        "wire [3:0] w; assign w = x[0] ? prod % p : 4'bz; assign w = x[0] ? 'z : ~(prod % p);", "x[0] ? w : ~w"),
    "a bus of instances": (
        "wire [3:0] w; tri_output u0 (x[0], good, w); tri_inout u1 (~x[0] & y[0], ~good, w);"
        "tri_output u2 (~x[0] & ~y[0], ~good, w);", "x[0] ? w : ~w"),
    "signed": ("wire signed [8:0] m = $signed({1'b0, prod}) % $signed({5'd0, p});", "m[3:0]"),
    "negative": (
        "wire signed [4:0] n = -$signed({1'b0, x}), q = n / 5'sd5, m = n % 5'sd5, r = 5'sd12 / n, s = 5'sd12 % n;",
        "bad && !(q == -2 && m == -2 && r == -1 && s == 0) ? 0 : good",
    ),
    "powers": (
        "wire [7:0] n = {4'd0, x} ** 3, m = {6'd0, x[1:0]} ** y; wire signed [7:0] s = $signed(x) ** y;"
        "wire signed [7:0] t = $signed(x);",
        "(n != 8'(x) * x * x || (y == 5 && (m != 8'(x[1:0]) ** 3 * x[1:0] ** 2 || s != t * t * t * t * t))) ? 0 : good",
    ),
    "x in a way that is not taken": (
        "reg [3:0] w; always @* case (bad) 1'b0, 1'b1: w = good; default: w = 'x; endcase",
        "w",
    ),
    "SYNTHESIS": (
        "`ifndef SYNTHESIS\nalways @(posedge clk) if (done) assert (z < p) else $error(\"z\");\n`endif",
        "good",
    ),
    "a macro that changes nothing": ("`ifdef VERILATOR\n/* verilator lint_off WIDTH */\n`endif", "good"),
}  # fmt: skip


@pytest.mark.budget(5)
@pytest.mark.parametrize("name", GOOD)
def test_a_core_that_is_right_is_proved(name: str, tmp_path: Path) -> None:
    assert verdict(core(tmp_path, *GOOD[name])) == "proved"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            "wire [3:0] w; alias w = good;",
            r"dut\.sv:12: no proof is made, since Yosys' slang does not read this: .*alias",
        ),
        ("wire signed [3:0] w = $signed(x) ** $signed(y);", r"dut has \*\* with an exponent that may be negative"),
    ],
)
def test_what_is_not_read_is_one_sentence(more: str, said: str, tmp_path: Path) -> None:
    with pytest.raises((ParameterError, ToolError), match=said):
        elaborated(shell_of(core(tmp_path, more, "good ^ w")))


@pytest.mark.budget(5)
@pytest.mark.parametrize("macro", ["VERILATOR", "__ICARUS__"])
def test_text_that_one_simulator_reads_is_refused(macro: str, tmp_path: Path) -> None:
    more = f"localparam S =\n`ifdef {macro}\n0\n`else\n1\n`endif\n;"
    with pytest.raises(ParameterError, match=rf"dut.sv:13 tests {macro}, and with that macro the core is another one"):
        elaborated(shell_of(core(tmp_path, more, "S || !bad ? good : 0")))


@pytest.mark.budget
def test_text_for_synthesis_is_said_where_no_other_can_be_read(tmp_path: Path) -> None:
    more = '`ifndef SYNTHESIS\ninitial begin #5 $display("x"); end\n`endif'
    (note,) = elaborated(shell_of(core(tmp_path, more))).notes
    assert note.endswith("dut.sv:12 tests SYNTHESIS, and simulators do not")


def test_each_test_of_the_list_of_risks_exists() -> None:
    folder = Path(__file__).parent
    text = (ROOT / "docs/reference/soundness.md").read_text()
    listed = [(file, test) for file, tests in re.findall(r"`([\w/]+\.py)`((?:, `test_\w+`)+)", text)
              for test in re.findall(r"\w+", tests)]  # fmt: skip
    assert len(listed) > 20
    for file, test in listed:
        assert f"def {test}(" in (folder / file).read_text(), test
