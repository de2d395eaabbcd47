# SPDX-License-Identifier: Apache-2.0
"""The right result one cycle beside the one in which the result is taken, for each way to say that it is there."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.run import neighbours
from limbtrace.vectors.cli import cli
from limbtrace.vectors.errors import ToolError

RTL = """module shifted #(parameter W = 8) (
  input clk, rst, go, back, input [W-1:0] a, b, p, output ready, over, output reg [W-1:0] z
);
  reg [4:0] n; reg [W-1:0] x, y;
  wire [W-1:0] r = (x * {{W{1'b0}}, y}) % p;
  assign ready = n == 0;
  assign over = n == 10;
  always @* z = n == 10 + (DISTANCE) ? r : ~r ^ n;
  always @(posedge clk) if (rst) n <= 0; else if (go && n == 0) begin n <= 1; x <= a; y <= b; end
    else if (n != 10 || (BACK)) if (n != 0) n <= n == 20 ? 0 : n + 1;
endmodule
"""
PROTOCOLS = {
    "done": '{ kind = "start-done", start = "go", done = "over" }\ntimeout = 30',
    "valid": '{ kind = "valid-ready", in_valid = "go", in_ready = "ready", out_valid = "over" }\ntimeout = 30',
    "fixed": '{ kind = "start-done", start = "go", latency = 10 }',
    "held": '{ kind = "valid-ready", in_valid = "go", in_ready = "ready", out_valid = "over", out_ready = "back" }\n'
    "timeout = 30",
    "word": '{ kind = "word-serial", start = "go", ready = "ready", valid = "over", products = 1 }\ntimeout = 30',
    "latency": '{ kind = "word-serial", latency = 10, products = 1, start = "go" }',
}


def core(folder: Path, protocol: str, distance: int) -> Path:
    """A core whose port has the right result that many cycles after the one in which it says so."""
    waits = "back" if protocol == "held" else "1"
    rtl = RTL.replace("DISTANCE", str(distance)).replace("BACK", waits)
    (folder / "shifted.v").write_text(rtl)
    (folder / "core.toml").write_text(f"""format = "limbtrace-core/1"
name = "shifted"
model = "modmul"
files = ["shifted.v"]
top = "shifted"
build = {{ W = "N" }}
clock = {{ port = "clk" }}
reset = {{ port = "rst", active = "high", synchronous = true }}
protocol = {PROTOCOLS[protocol]}
operand = [{{ name = "a", port = "a" }}, {{ name = "b", port = "b" }}]
input = [{{ port = "p", value = "p" }}{"" if protocol == "held" else ', { port = "back", value = 0 }'}]
result = {{ port = "z" }}
""")
    return folder


def observed(folder: Path, prime: str = "2^61-1") -> dict[str, Any]:
    """What a report says of the first difference."""
    words = [
        str(folder),
        "--prime",
        prime,
        "--simulator",
        "icarus",
        "--count",
        "6",
        "--kind",
        "random",
        "--json",
        "--no-check-replay",
    ]
    answer = CliRunner().invoke(cli, ["sim", *words], standalone_mode=False)
    if answer.exception is not None:
        raise answer.exception
    found: dict[str, Any] = json.loads(answer.stdout)["observed"] or {}
    return found


@pytest.mark.parametrize(
    ("protocol", "distance"),
    [("done", -2), ("done", 1), ("valid", 3), ("fixed", 1), ("word", -2), ("latency", 1)],
)
def test_the_distance_is_exact(protocol: str, distance: int, tmp_path: Path) -> None:
    found = observed(core(tmp_path, protocol, distance))
    assert found["right_at"] == distance
    word = "later" if distance > 0 else "earlier"
    number = f"{abs(distance)} cycle{'s' if abs(distance) > 1 else ''}"
    assert found["observations"][0]["text"].startswith(f"the right result stands there {number} {word}, as of a ")


def test_several_products_for_a_small_modulus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number of 14 bits may stand there by chance, of three products none does."""
    monkeypatch.setattr(neighbours, "MOST_SECONDS", 100.0)
    assert observed(core(tmp_path, "done", 1), "12289")["right_at"] == 1


def test_a_result_that_waits_is_not_looked_at(tmp_path: Path) -> None:
    assert "right_at" not in observed(core(tmp_path, "held", 1))


@pytest.mark.parametrize(("distance", "prime"), [(9, "2^61-1"), (1, "97")])
def test_what_is_far_or_may_be_chance_is_not_said(distance: int, prime: str, tmp_path: Path) -> None:
    assert "right_at" not in observed(core(tmp_path, "done", distance), prime)


@pytest.mark.parametrize("error", [ToolError("none"), ParameterError("core", "none"), OSError()])
def test_a_simulation_that_fails_changes_nothing(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise error

    monkeypatch.setattr(neighbours, "_traced", failing)
    found = observed(core(tmp_path, "done", 1))
    assert found["before" if "before" in found else "after"]
    assert "right_at" not in found
