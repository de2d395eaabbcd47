# SPDX-License-Identifier: Apache-2.0
"""Cores, testbenches and shells have no complaints; constructs that a tool rejects are found."""

import subprocess
from pathlib import Path

import pytest

from limbtrace.refmodels.settings import Given
from limbtrace.rtl_bridge.binding.bind import bind
from limbtrace.rtl_bridge.core.core import built_in, find
from limbtrace.rtl_bridge.flow.lint import commands, lint, standard, subset
from limbtrace.rtl_bridge.flow.subset import complaints
from limbtrace.rtl_bridge.programs.process import environment
from limbtrace.rtl_bridge.run.job import MODES
from limbtrace.rtl_bridge.shell.text import Shell
from tests.rtl_bridge.helpers import CORE, CORES, TOYS, copy_of

_RESULT = "assign rsp        = acc[BITS-1:0];"
"""Of digit_toy."""


@pytest.mark.budget
@pytest.mark.parametrize("core", [folder.name for folder in built_in()])
def test_clean(core: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert lint([core]) == 0, capsys.readouterr().err


@pytest.mark.parametrize(
    ("core", "settings", "build"),
    [
        *((core, {"pipeline": levels}, {"UseDsp": dsp}) for core in CORES for levels, dsp in ((1, 1), (2, 0))),
        *(("fpmm", {"w": 17, "version": version}, {}) for version in ("fast", "small")),
    ],
    ids=str,
)
def test_clean_in_other_shapes(core: str, settings: Given, build: dict[str, int], tmp_path: Path) -> None:
    shell = Shell(bind(find(core), "secp256k1", settings, build))
    for what, command in commands(shell, tmp_path):
        done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
        assert (what, done.returncode, done.stderr) == (what, 0, "")
    for what, found in subset(shell, tmp_path):
        assert (what, found) == (what, [])


def test_a_complaint_is_heard(tmp_path: Path) -> None:
    core = copy_of(CORE, tmp_path, ("lt_iddmm_arch2.sv", "<= u_carry;", "<= u_sum;"))
    assert lint([str(core)]) == 4
    assert lint([str(tmp_path / "nowhere")]) == 1


def test_a_complaint_of_the_subset_is_heard(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    core = copy_of(TOYS / "digit_toy", tmp_path, ("digit_toy.sv", _RESULT, f"{_RESULT} initial #1 $display;"))
    assert lint([str(core)]) == 1
    error = capsys.readouterr().err
    assert "digit_toy for every tool: complaints" in error
    assert "digit_toy.sv:46: a delay; Vivado synthesis ignores it (UG901)" in error


@pytest.mark.parametrize("toy", ["fetch_toy", "store_toy", "stream_toy"])
def test_modules_that_no_core_here_has_around_it(toy: str, tmp_path: Path) -> None:
    """Memories that a core reads or writes, and AXI4-Streams, by the standard."""
    shell = Shell(bind(find(str(TOYS / toy)), "2^61-1", {}, {}))
    (tmp_path / "lt_shell.sv").write_text(shell.text)
    assert [found for _, found in standard(shell, tmp_path)] == [[]] * (1 + len(MODES))


@pytest.mark.parametrize(
    ("new", "said"),
    [
        ("assign rsp = tail; logic [BITS-1:0] tail; assign tail = acc[BITS-1:0];", "used before its declaration"),
        (r'assign rsp = acc[BITS-1:0]; initial $display("\q");', "unknown character escape sequence"),
    ],
)
def test_what_the_standard_does_not_have_is_heard(new: str, said: str, tmp_path: Path) -> None:
    """In the core, and with it in every testbench; slang takes the second with a warning alone."""
    core = find(str(copy_of(TOYS / "digit_toy", tmp_path / "core", ("digit_toy.sv", _RESULT, new))))
    shell = Shell(bind(core, "mlkem", {}, {}))
    (tmp_path / "lt_shell.sv").write_text(shell.text)
    found = dict(standard(shell, tmp_path))
    assert len(found) == 1 + len(MODES)
    for what, complaints_ in found.items():
        assert said in complaints_[0], what


# Further constructs of rules of the table: (declarations before the module, its ports, its body, the complaint).
ANYWHERE = {
    "assume": ("", "input logic c, d", "assume property (@(posedge c) d);", "a property"),
    "cover": ("", "input logic c, d", "cover property (@(posedge c) d);", "a property"),
    "disable": ("", "input logic d", "default disable iff (d);", "a property"),
    "checker": ("checker k; endchecker", "", "", "verification"),
    "covergroup": ("", "input logic c", "covergroup g @(posedge c); coverpoint c; endgroup", "verification"),
    "bind": ("module u; endmodule", "", "endmodule bind t u i (); module t2;", "let or bind"),
    "nettype": ("", "", "nettype logic n; n x;", "a net alias or net type"),
    "export": ("", "", 'export "DPI-C" function f; function int f(); f = 1; endfunction', "a foreign function"),
    "continue": ("", "", "initial for (int i = 0; i < 2; i++) continue;", "break or continue"),
    "case inside": ("", "input logic c", "always_comb case (c) inside 1'b0: ; default: ; endcase", "inside"),
    "unnamed if": ("", "", "generate if (1) begin wire x; end endgenerate", "a generate block without a name"),
    "unnamed else": (
        "",
        "",
        "generate if (1) begin : a end else wire y; endgenerate",
        "a generate block without a name",
    ),
    "initial": (
        "",
        "input logic c, output logic q",
        "initial q = 0; always_ff @(posedge c) q <= 1;",
        "q: a variable of",
    ),
    "one net of none": (
        "`default_nettype none",
        "",
        "endmodule\nmodule t3 (input [3:0] a, inout b);",
        "port a: a port",
    ),
    "body": ("`default_nettype none", "", "endmodule\nmodule t3 (a);\ninput a;", "port a: a port"),
    "two dimensions": ("", "", "logic [0:-1][3:0] m;", "m has the range [0:-1]"),
}
HARDWARE = {
    "event": ("", "", "event e; initial -> e;", "a named event"),
    "forever": ("", "input logic c", "initial forever @(posedge c);", "waiting"),
    "wait": ("", "input logic c", "initial wait (c);", "waiting"),
    "final": ("", "", "final $display;", "a class, program or final block"),
    "structure": ("typedef struct packed { logic a; } s_t;", "input s_t s", "", "port s of type s_t"),
    "array": ("", "input logic a [2]", "", "port a of type"),
    "down": ("", "output logic q", "always_comb for (int i = 9000; i > 0; i -= 2) q = i[0];", "a loop of 4500 steps"),
    "do": ("", "output logic q", "always_comb do q = 1; while (!q);", "a while loop"),
    "wide": ("", "", "wire [1000000:0] m;", "m has 1000001 bits"),
}


def written(case: tuple[str, str, str, str], folder: Path) -> Path:
    before, ports, body, _ = case
    path = folder / "t.sv"
    path.write_text(f"{before}\nmodule t ({ports});\n{body}\nendmodule\n")
    return path


@pytest.mark.parametrize("name", [*ANYWHERE, *HARDWARE])
def test_every_construct_of_a_rule_is_found(name: str, tmp_path: Path) -> None:
    case = {**ANYWHERE, **HARDWARE}[name]
    path = written(case, tmp_path)
    found = complaints([path], "t", [], {}, synthesised=True)
    assert any(complaint.text.startswith(case[3]) for complaint in found), found
    elsewhere = complaints([path], "t", [], {}, synthesised=False)
    assert any(complaint.text.startswith(case[3]) for complaint in elsewhere) == (name in ANYWHERE), elsewhere


def test_what_breaks_no_rule(tmp_path: Path) -> None:
    """Near misses: loops within the limit, blocks that are not instantiated, variables of loops."""
    body = """
      parameter int N = 1;
      logic [7:0] q;
      always_ff @(posedge c) for (int i = 0; i < 8; i++) q[i] <= ~q[i];
      generate
      if (N > 1) begin : gen_none
        logic [N-2:0] none;
      end
      endgenerate
    """.replace("parameter int N", "localparam int N")
    path = written(
        ("`default_nettype none", "input wire logic c, d, input var logic [1:0] e, output f", body, ""), tmp_path
    )
    text = path.read_text().replace("output f", "output wire f") + "`default_nettype wire\n"
    path.write_text(text)
    assert complaints([path], "t", [], {}, synthesised=True) == []


def test_what_synthesis_does_not_see_is_no_complaint(tmp_path: Path) -> None:
    path = tmp_path / "t.sv"
    path.write_text("module t;\n`ifndef SYNTHESIS\nstring s; initial #1 $display;\n`endif\nendmodule\n")
    assert complaints([path], "t", [], {}, synthesised=True) == []


def test_sources_that_are_wrong(tmp_path: Path) -> None:
    path = tmp_path / "t.sv"
    path.write_text("module t; assign x = ; endmodule\n")
    (found,) = complaints([path], "t", [], {}, synthesised=True)
    assert str(found).startswith(f"{path}:1: expected expression")
    (found,) = complaints([tmp_path / "none.sv"], "t", [], {}, synthesised=True)
    assert str(found) == "t: the sources cannot be read"
