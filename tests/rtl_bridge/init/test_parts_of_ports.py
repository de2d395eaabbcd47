# SPDX-License-Identifier: Apache-2.0
"""`limbtrace init` of cores whose ports are structs, arrays and vectors of clocks."""

import re
from pathlib import Path

import pytest

from limbtrace.rtl_bridge.init.rtl_scan import scan
from limbtrace.rtl_bridge.interface.module_ports import Sketch
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import TOYS, Edit, copy_of, job
from tests.rtl_bridge.init.test_init import init

SV = "struct_toy.sv"
PLAIN: list[Edit] = [
    (SV, "  input wire logic [71:0] cfg_i", "  input logic [63:0] p_i"),
    (SV, "128'(cfg_i[71:8])", "128'(p_i)"),
    (SV, "      if (cfg_i[7:0] > 8'd64) z_q <= '0;\n", ""),
    (SV, "    input wire logic [1:0]  clks_i,\n", "    input wire logic [1:1]  clks_i,\n"),
    (SV, "z_o[0]    = z_q[63:32]", "z_o[0] = z_q[31:0]"),
    (SV, "z_o[1]    = z_q[31:0]", "z_o[1] = z_q[63:32]"),
]
"""The toy without what no name says: parts of a vector, another clock, and an array with its high word first."""


def bare(target: Path, *edits: Edit) -> Path:
    folder = copy_of(TOYS / "struct_toy", target, *edits)
    (folder / "core.toml").unlink()
    return folder


def sketch(target: Path, text: str) -> Sketch:
    (target / "m.sv").write_text(text)
    return scan(target)


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
def test_structs_and_arrays_agree_at_the_first_try(
    simulator: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = bare(tmp_path, *PLAIN)
    assert init(folder, "--model", "modmul") == 0
    assert "nothing to fill in" in capsys.readouterr().out
    report = simulate(job(folder, "2^61-1", simulator=simulator))
    assert report.passed, report.text()
    assert report.document["verified"] == 40


def test_what_no_port_shows_is_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = bare(tmp_path)
    assert init(folder, "--model", "modmul") == 0
    assert "to fill in: input.value, input.value\n" in capsys.readouterr().out
    text = (folder / "core.toml").read_text()
    assert 'clock = { port = "clks_i[1]" }\nreset = { port = "rst_ni", active = "low", synchronous = false }' in text
    for line in ('port = "req_i.a"', 'port = "b_i"', 'start = "req_i.valid"', 'port = "clks_i[0]"', 'port = "cfg_i"'):
        assert f"\n{line}" in text
    assert text.count("of its elements the one with the lowest index is the low one") == 2
    for old, new in (
        (r'port = "clks_i\[0\]"\nvalue = .*', 'port = "clks_i[0]"\nvalue = 0'),
        (
            r'port = "cfg_i"\nvalue = .*',
            'port = "cfg_i[71:8]"\nvalue = "p"\n\n[[input]]\nport = "cfg_i[7:0]"\nvalue = "N"',
        ),
        (r'port = "z_o".*', 'port = "{z_o[0], z_o[1]}"'),
    ):
        text, times = re.subn(old, new, text)
        assert times == 1
    (folder / "core.toml").write_text(text)
    report = simulate(job(folder, "2^61-1"))
    assert report.passed, report.text()


def test_members_have_names_and_widths(tmp_path: Path) -> None:
    """Nested structs are taken apart; unions, whose members overlap, and unpacked structs are not."""
    found = sketch(
        tmp_path,
        """
        typedef struct packed { logic [1:0] way; logic [3:0][7:0] words; } inner_t;
        typedef union packed { logic [15:0] whole; logic [1:0][7:0] half; } both_t;
        module m #(parameter int W = 8) (
          input struct packed { logic clk; logic rst_n; } ctl_i,
          input struct packed { logic valid; inner_t [1:0] many; inner_t one; logic [W-1:0] a; } req_i,
          input both_t both_i,
          output logic [W-1:0] z_o [1:0]
        );
          logic [W-1:0] q;
          assign z_o[0] = q;
          assign z_o[1] = q;
          always_ff @(posedge ctl_i.clk or negedge ctl_i.rst_n)
            if (!ctl_i.rst_n) q <= '0; else q <= req_i.a;
        endmodule
        """,
    )
    ports = {port.name: (port.direction, port.width, port.elements) for port in found.ports}
    assert ports == {
        "ctl_i.clk": ("input", 1, 0),
        "ctl_i.rst_n": ("input", 1, 0),
        "req_i.valid": ("input", 1, 0),
        "req_i.many": ("input", 68, 0),
        "req_i.one.way": ("input", 2, 0),
        "req_i.one.words": ("input", 32, 0),
        "req_i.a": ("input", 8, 0),
        "both_i": ("input", 16, 0),
        "z_o": ("output", 16, 2),
    }
    terms = {port.name: port.terms for port in found.ports}
    assert (terms["req_i.a"], terms["z_o"], terms["req_i.one.words"]) == ({("W",): 1}, {("W",): 2}, {(): 32})
    assert found.clock == "ctl_i.clk"
    assert found.reset is not None
    assert (found.reset.port, found.reset.active, found.reset.synchronous) == ("ctl_i.rst_n", "low", False)


def test_a_member_with_an_odd_name_leaves_its_port_whole(tmp_path: Path) -> None:
    found = sketch(
        tmp_path,
        "module m (input struct packed { logic [7:0] \\a+b ; logic c; } x_i, output logic [8:0] z_o);\n"
        "  assign z_o = x_i;\nendmodule\n",
    )
    assert [port.name for port in found.ports] == ["x_i", "z_o"]


def test_members_of_two_structs_with_one_name(tmp_path: Path) -> None:
    """Neither hides the other."""
    (tmp_path / "m.sv").write_text(
        "typedef struct packed { logic valid; logic [63:0] data; } word_t;\n"
        "module m (input logic clk, input word_t left_i, input word_t right_i, input logic [63:0] p_i,\n"
        "          output logic done, output logic [63:0] z_o);\n"
        "  always_ff @(posedge clk) begin\n    done <= left_i.valid & right_i.valid;\n"
        "    z_o <= left_i.data ^ right_i.data ^ p_i;\n  end\nendmodule\n"
    )
    assert init(tmp_path, "--model", "modmul") == 0
    text = (tmp_path / "core.toml").read_text()
    assert 'name = "a"\nport = "left_i.data"' in text
    assert 'name = "b"\nport = "right_i.data"' in text


@pytest.mark.parametrize(("vector", "ports"), [("[1:0]", ["c_i[1]", "c_i[0]"]), ("[0:1]", ["c_i[1]", "c_i[0]"]),
                                              ("[7:6]", ["c_i[7]", "c_i[6]"])])  # fmt: skip
def test_a_vector_with_a_clock_is_taken_apart(vector: str, ports: list[str], tmp_path: Path) -> None:
    clock = ports[0]
    found = sketch(
        tmp_path,
        f"module m (input logic {vector} c_i, input logic [7:0] a_i, output logic [7:0] z_o);\n"
        f"  always_ff @(posedge {clock}) z_o <= a_i;\nendmodule\n",
    )
    assert found.clock == clock
    assert [port.name for port in found.ports] == [*ports, "a_i", "z_o"]
    assert [port.has_one_bit for port in found.ports] == [True, True, False, False]
