# SPDX-License-Identifier: Apache-2.0
"""The slowest path by the times of cells: circuits whose paths are known, and the rows of the command."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from limbtrace.rtl_bridge.elaboration.yosys import run_yosys
from limbtrace.rtl_bridge.synthesis import critical_path
from limbtrace.vectors.cli import main
from limbtrace.vectors.errors import ToolError
from tests.rtl_bridge.helpers import TOYS

CLOCK_TO_Q = 0.303
"""Of FDRE, in the library of Yosys."""


def netlist(folder: Path, body: str) -> Any:
    text = f"module t(input clk, input [63:0] a, b, output reg [63:0] s);\nreg [63:0] x, y;\n{body}\nendmodule\n"
    (folder / "t.v").write_text(text)
    script = "read_verilog t.v\nsynth_xilinx -top t -flatten -noiopad -noclkbuf\nwrite_json t.json\n"
    run_yosys(script, folder, folder / "log")
    return json.loads((folder / "t.json").read_text())


@pytest.mark.parametrize(
    ("body", "levels", "least", "most"),
    [
        ("always @(posedge clk) begin x <= a; s <= x; end", 0, CLOCK_TO_Q, CLOCK_TO_Q),
        ("always @(posedge clk) begin x <= a; y <= b; s <= x ^ y; end", 1, CLOCK_TO_Q + 0.1, CLOCK_TO_Q + 0.3),
        ("always @(posedge clk) begin x <= a; y <= b; s <= x + y; end", 2, 2.5, 4.0),
    ],
)
def test_paths_that_are_known(body: str, levels: int, least: float, most: float, tmp_path: Path) -> None:
    """A register alone, one LUT, and a LUT in front of a chain of 16 carry cells."""
    found = critical_path.depth("t", {}, netlist(tmp_path, body))
    assert found.levels == levels
    assert least <= found.ns <= most


def test_ends_at_ports_have_their_names(tmp_path: Path) -> None:
    found = critical_path.depth("t", {}, netlist(tmp_path, "always @* s = a & b;"))
    assert (found.start.partition(" ")[0], found.end.partition(" ")[0], found.levels) == ("port", "port", 1)
    assert found.start.split()[1] in ("a", "b")
    assert found.end.split()[1] == "s"


def test_no_path_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="no path between registers and ports"):
        critical_path.depth("t", {}, netlist(tmp_path, "always @* s = 0;"))


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["synth", str(TOYS / "bit_toy"), "--prime", "mlkem", "--depth"])
    assert ended.value.code == 0
    head, row = csv.reader(capsys.readouterr().out.splitlines())
    assert head == list(critical_path.HEAD)
    found = dict(zip(head, row, strict=True))
    assert (found["core"], found["family"]) == ("bit_toy", "xc7")
    assert found["start"].startswith("bit_toy.v:")
    assert float(found["ns"]) > CLOCK_TO_Q
    assert int(found["levels"]) > 1
