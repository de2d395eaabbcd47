# SPDX-License-Identifier: Apache-2.0
"""`limbtrace init` of further kinds of cores: reducers, ones without a clock, pipelines with an enable, faulty ones."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from limbtrace.rtl_bridge.description.writer import FILL_IN
from limbtrace.rtl_bridge.init import trial
from limbtrace.rtl_bridge.init.inference import Guess
from limbtrace.rtl_bridge.init.rtl_scan import scan
from limbtrace.rtl_bridge.init.variants import Variant, variants
from limbtrace.rtl_bridge.init.ways import chosen
from limbtrace.rtl_bridge.interface.module_ports import Sketch
from limbtrace.vectors.core_draft import CoreDraft
from limbtrace.vectors.errors import ToolError
from tests.rtl_bridge.init.test_init import init


def written(folder: Path, text: str, *options: str, simulated: bool = False) -> Mapping[str, Any]:
    """What is described of a core with one source."""
    (folder / "core.v").write_text(text)
    assert init(folder, *options, trial=simulated) == 0
    return tomllib.loads((folder / "core.toml").read_text())


def tried(folder: Path, text: str, prime: str) -> list[Variant]:
    """The descriptions that a trial simulates as long as none agrees."""
    (folder / "core.v").write_text(text)

    def described(sketch: Sketch, kind: str) -> Guess:
        return chosen(sketch, "core", prime, kind)

    return list(variants(scan(folder), [described]))


LITERAL = """module step(input [23:0] x, input [12:0] q, output [11:0] y); assign y = x % q; endmodule
module fold(input [23:0] x, output [11:0] r); step u(.x(x), .q(3329), .y(r)); wire [15:0] c = x[12:0] * 5039; endmodule
"""
"""A reducer whose modulus is a literal beside another prime."""


def test_a_comment_in_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "core.v").write_bytes(
        b"// r\xe9duction\nmodule m(\n  input [7:0] a, // op\xe9rande\n  output [3:0] r);\nassign r = a;\nendmodule\n"
    )
    assert init(tmp_path) == 0
    assert 'port = "r"' in (tmp_path / "core.toml").read_text()


def test_a_modulus_that_is_a_literal(tmp_path: Path) -> None:
    """The largest prime that the result holds: 5039 has 13 bits."""
    found = written(tmp_path, LITERAL)
    assert (found["model"], found["modulus"]) == ("reduce", ["p == 3329"])


@pytest.mark.parametrize(
    "edit",
    [
        ("input [23:0] x, output [11:0] r", "input [23:0] x, input [12:0] way, output [11:0] r"),
        (".q(3329)", ".q(13'd53)"),
        (".q(3329)", ".q(13'd3328)"),
    ],
    ids=["another input", "too small", "not prime"],
)
def test_a_literal_that_need_not_be_the_modulus(edit: tuple[str, str], tmp_path: Path) -> None:
    found = written(tmp_path, LITERAL.replace(*edit))
    assert ("modulus" in found, found["model"]) == (False, FILL_IN)


@pytest.mark.parametrize(("value", "fixed"), [(17, False), (8380417, True)])
def test_a_parameter_that_may_count_something(value: int, fixed: bool, tmp_path: Path) -> None:
    """M = 17 is not the modulus of results of 32 bits."""
    text = f"module m(input [31:0] a, b, output [31:0] r); localparam M = {value}; assign r = a * b % M; endmodule\n"
    assert ("modulus" in written(tmp_path, text)) == fixed


def test_no_reducer_is_tried_with_operands_that_are_reduced_already(tmp_path: Path) -> None:
    """Of operands below p every wire is a reducer."""
    found = tried(tmp_path, LITERAL, "3329")
    bounds = {str(line.value) for one in found for line in one.draft.lines if line.key == "below"}
    assert bounds == {"2^24", "p^2", "(p - 1)^2 + 1"}


@pytest.mark.parametrize(("top", "model"), [("small_reduce", "reduce"), ("barrett16", "reduce"), ("power", "square")])
def test_a_reducer_by_its_name(top: str, model: str, tmp_path: Path) -> None:
    """Its operand need not be wider than its result. Of a signed one, what is not negative is tried."""
    text = f"module {top}(input signed [15:0] a, output [15:0] r); localparam Q = 3329; assign r = a % Q; endmodule\n"
    found = written(tmp_path, text)
    assert found["model"] == model
    assert found.get("settings") == ({"below": "2^15"} if model == "reduce" else None)


def test_parameters_beside_a_modulus_inside(tmp_path: Path) -> None:
    """Their defaults go with it, and [build] takes no negative ones."""
    text = """module reduce #(parameter Q = 3329, INV = -3327, WIDTH = 16, N = 26)
(input [2*WIDTH-1:0] a, output [WIDTH-1:0] r); assign r = a % Q; endmodule\n"""
    found = written(tmp_path, text)
    assert found["build"] == {"Q": 3329, "WIDTH": 16, "N": 26}
    assert found["settings"]["below"] == "2^32"


def test_nothing_waits_for_an_edge(tmp_path: Path) -> None:
    """A bit without a meaning is no start then; with a clock it may be one."""
    text = "module mul(input CLOCK input go, input [11:0] a, b, output [11:0] r); BODY endmodule\n"
    at_once = text.replace("CLOCK input", "").replace("BODY", "assign r = go ? a * b % 3329 : 0;")
    found = written(tmp_path, at_once)
    assert "clock" not in found
    assert "reset" not in found
    assert (found["protocol"], found["modulus"]) == ({"kind": "start-done", "latency": 0}, ["p == 3329"])
    assert [one.what for one in tried(tmp_path, at_once, "3329")] == ["go = 0", "go = 1"]
    clocked = text.replace("CLOCK", "tick,").replace(
        "BODY", "reg [11:0] s; always @(posedge tick) s <= a; assign r = s;"
    )
    (tmp_path / "core.toml").unlink()
    assert written(tmp_path, clocked)["protocol"]["start"] == "go"


ENABLED = """module barrett_mul(input clk, rst_n, input en, input clr, input [5:0] k, input [32:0] u,
input [31:0] data0, data1, q, output reg [31:0] y);
always @(posedge clk or negedge rst_n) if (!rst_n) y <= 0; else if (clr) y <= 0; else if (en) y <= data0 * data1 % q;
endmodule
"""


def test_a_pipeline_with_an_enable_and_constants_of_barrett(tmp_path: Path) -> None:
    """A count of bits by its few bits, and the quotient by more bits than the modulus has."""
    found = tried(tmp_path, ENABLED, "2^32-5")[0]
    assert found.what == "en = 1, k = N, u = 2^(2 * N) // p"
    assert found.latency_open
    assert not found.draft.has("protocol", "start")
    described = tomllib.loads(found.draft.text)
    inputs = {one["port"]: one["value"] for one in described["input"]}
    assert inputs == {"q": "p", "en": 1, "clr": 0, "k": "N", "u": "2^(2 * N) // p"}
    assert [operand["port"] for operand in described["operand"]] == ["data0", "data1"]


def test_the_high_bits_of_a_modulus(tmp_path: Path) -> None:
    text = "module redc(input clk, input [63:0] c, input [18:0] qh, output reg [31:0] t); "
    found = tried(tmp_path, text + "always @(posedge clk) t <= c; endmodule\n", "0xffffe001")
    assert [one.what for one in found][1] == "qh = p // 2^(N - 19)"


def test_a_handshake_of_val_and_rdy(tmp_path: Path) -> None:
    """An error that comes in is off, and a tag that travels along is a number."""
    text = """module fold(input i_clk, i_rst, i_val, i_err, i_rdy, input [3:0] i_ctl, input [23:0] i_dat,
output o_rdy, output reg o_val, output reg [11:0] o_dat); localparam Q = 3329; assign o_rdy = i_rdy;
always @(posedge i_clk) if (i_rst) o_val <= 0; else if (i_rdy) begin o_val <= i_val; o_dat <= i_dat % Q; end
endmodule
"""
    found = tried(tmp_path, text, "3329")
    described = tomllib.loads(found[0].draft.text)
    handshake = {"in_valid": "i_val", "in_ready": "o_rdy", "out_valid": "o_val", "out_ready": "i_rdy"}
    assert described["protocol"] == {"kind": "valid-ready", **handshake}
    assert [one.what for one in found[:2]] == ["i_ctl = N", "i_ctl = 0"]
    assert {"port": "i_err", "value": 0} in described["input"]


@pytest.mark.budget(6)
def test_an_inverse_of_a_core_that_nothing_calls_montgomery(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the values that are tried for pn, one makes the results a*b/2^N mod p."""
    text = """module mm #(parameter W = 8) (input [W-1:0] a, b, p, pn, output [W-1:0] z);
wire [2*W-1:0] t = a * b; wire [W-1:0] m = t * pn; wire [2*W:0] s = t + m * p; wire [W:0] u = s[2*W:W];
assign z = u >= p ? u - p : u;
endmodule
"""
    found = written(tmp_path, text, simulated=True)
    assert (found["model"], found["settings"]) == ("montgomery", {"r": "N"})
    assert {"port": "pn", "value": "-p^-1 mod 2^(N)"} in found["input"]
    assert "agrees: 16 products modulo 2^32-5 in icarus, with pn = -p^-1 mod 2^(N)\n" in capsys.readouterr().out


LATE = """module mul(input clk, input enable, input signed [15:0] a, b, output reg signed [15:0] r, output valid);
localparam Q = 3329;
reg [2:0] count; reg [31:0] m;
assign valid = count == 1;
always @(posedge clk) if (enable) begin count <= 0; m <= a * b % Q; end
else if (count < 2) begin count <= count + 1; r <= m; end
endmodule
"""


@pytest.mark.budget(6)
def test_a_done_that_is_unknown_until_the_first_start(tmp_path: Path) -> None:
    found = written(tmp_path, LATE, simulated=True)
    assert (found["protocol"]["idle"], found["modulus"]) == ("any", ["p == 3329"])


SUMS = """// a*b/2^len mod m; the sums of the loop have the bits of the ports
module mont(input clk, rst, start, input [7:0] len, input [11:0] a, b, m, output reg [11:0] r, output reg done);
reg [7:0] k; reg busy;
wire [11:0] sum = r + (a[k] ? b : 12'd0), even = sum + (sum[0] ? m : 12'd0);
always @(posedge clk) if (rst) {busy, done} <= 0;
else if (start) begin busy <= 1; done <= 0; k <= 0; r <= 0; end
else if (busy && k != len) begin r <= even >> 1; k <= k + 1; end
else if (busy) begin busy <= 0; done <= 1; r <= r >= m ? r - m : r; end else done <= 0;
endmodule
"""


@pytest.mark.budget(10)
def test_sums_that_need_bits_of_the_ports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A modulus of 12 bits overflows, one of 10 bits does not."""
    found = written(tmp_path, SUMS, simulated=True)
    said = capsys.readouterr().out
    assert (found["model"], found["ranges"]) == ("montgomery", {"N": [2, 10]})
    assert "agrees: 16 products modulo 2^10-3 in icarus\ndo not agree: a modulus of 12 bits" in said


@pytest.mark.budget(10)
def test_a_faulty_core_ends_in_a_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The model is open, the handshake is that with which results came, and no line says that products agree."""
    text = """module mul #(parameter W = 32) (input clk, rst, go, input [W-1:0] a, b, p,
output reg [W+1:0] r, output reg done);
reg [2:0] k; wire [2*W-1:0] x = a * b % p;
always @(posedge clk) if (rst || !go) {k, done} <= 0; else if (k < 3) k <= k + 1;
else begin done <= 1; r <= x + (x[1:0] == 2 ? 34'd4294967296 : 0); end
endmodule
"""
    found = written(tmp_path, text, simulated=True)
    said = capsys.readouterr().out
    assert found["model"] == FILL_IN
    assert found["protocol"]["held"] is True
    assert "does not agree modulo 2^32-5 in icarus, with start and operands held until done: as modmul, case " in said
    assert "16 random products: result = a*b mod p in " in said
    assert said.endswith(f"next: limbtrace identify {tmp_path} --prime 2^32-5\n")
    assert "products agree" not in (tmp_path / "core.toml").read_text()


def test_a_simulator_that_fails_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ToolError("the simulator failed: no room\nsecond line")

    monkeypatch.setattr(trial, "simulate", fails)
    written(tmp_path, LITERAL, simulated=True)
    assert "\nnot simulated: the simulator failed: no room\n" in capsys.readouterr().out


@pytest.mark.budget(6)
def test_a_signed_port_that_holds_what_is_not_negative(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Read as a number in two's complement, every second result would be wrong."""
    text = "module fold(input [23:0] x, output signed [11:0] r); localparam Q = 3329; assign r = x % Q; endmodule\n"
    (tmp_path / "core.v").write_text(text)
    assert init(tmp_path, "--json", trial=True) == 0
    document = CoreDraft.model_validate_json(capsys.readouterr().out)
    assert document.trial is not None
    assert document.trial.agrees == 16
    found = tomllib.loads(document.text)
    assert ("signed" in found["result"], "compare" in found, found["settings"]["below"]) == (False, False, "2^24")


SIGNED = """module mul(input signed [15:0] a, b, output signed [15:0] r); localparam signed [15:0] Q = 3329;
wire signed [31:0] t = PRODUCT % Q; assign r = t[15:0]; endmodule
"""


@pytest.mark.budget(6)
@pytest.mark.parametrize(("product", "is_signed"), [("a * b", True), ("{16'd0, a} * {16'd0, b}", False)])
def test_operands_of_signed_ports(product: str, is_signed: bool, tmp_path: Path) -> None:
    """They are in two's complement if products of negative numbers agree."""
    found = written(tmp_path, SIGNED.replace("PRODUCT", product), "--prime", "3329", simulated=True)
    assert [operand.get("signed", False) for operand in found["operand"]] == [is_signed] * 2
    assert [operand.get("below") for operand in found["operand"]] == ["p" if is_signed else None] * 2
