# SPDX-License-Identifier: Apache-2.0
"""Cores, testbenches and shells have no complaints; constructs that a tool rejects are found."""

import subprocess
from pathlib import Path

import pytest

from refmodels.settings import Given
from rtl_bridge.core.bind import bind
from rtl_bridge.core.core import built_in, find
from rtl_bridge.flow.lint import commands, lint, standard, subset
from rtl_bridge.flow.subset import complaints
from rtl_bridge.programs.process import environment
from rtl_bridge.run.mode import MODES
from rtl_bridge.run.simulators import icarus
from rtl_bridge.shell.text import Shell
from tests.rtl_bridge.helpers import CORE, CORES, TOYS, copy_of

ICARUS = "Icarus Verilog 11 does not take it"
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


# Every rule with a source that breaks it: (declarations before the module, its ports, its body, the complaint).
ANYWHERE = {
    "package": ("package p; localparam int A = 1; endpackage", "", "localparam int B = p::A;", "a package"),
    "interface": ("interface i; endinterface module u(i q); endmodule", "", "i j (); u k (j);", "an interface"),
    "assert": ("", "input logic c, d", "assert property (@(posedge c) d);", "a property"),
    "assume": ("", "input logic c, d", "assume property (@(posedge c) d);", "a property"),
    "cover": ("", "input logic c, d", "cover property (@(posedge c) d);", "a property"),
    "clocking": ("", "input logic c", "clocking cb @(posedge c); endclocking", "verification"),
    "checker": ("checker k; endchecker", "", "", "verification"),
    "covergroup": ("", "input logic c", "covergroup g @(posedge c); coverpoint c; endgroup", "verification"),
    "let": ("", "input logic c, output logic d", "let f(x) = ~x; assign d = f(c);", "let or bind"),
    "bind": ("module u; endmodule", "", "endmodule bind t u i (); module t2;", "let or bind"),
    "alias": ("", "", "wire a, b; alias a = b;", "a net alias or net type"),
    "nettype": ("", "", "nettype logic n; n x;", "a net alias or net type"),
    "dpi": ("", "", 'import "DPI-C" function int f();', "a foreign function"),
    "unsigned": ("", "", "localparam int unsigned A = 3;", "an unsigned parameter"),
    "unpacked": ("", "", "struct { logic a; } q;", "an unpacked structure"),
}
HARDWARE = {
    "string": ("", "", "string s;", "a string, handle or event"),
    "event": ("", "", "event e; initial -> e;", "a named event"),
    "real": ("", "", "real r;", "a real variable"),
    "queue": ("", "", "int q [$];", "a queue or associative array"),
    "forever": ("", "input logic c", "initial forever @(posedge c);", "waiting"),
    "wait": ("", "input logic c", "initial wait (c);", "waiting"),
    "fork": ("", "", "initial fork join", "a fork"),
    "force": ("", "", "logic a; initial force a = 1;", "force or release"),
    "iff": ("", "input logic c, d, output logic q", "always @(posedge c iff d) q = 1;", "an event with a condition"),
    "delay": ("", "output logic q", "assign #1 q = 1;", "a delay"),
    "class": ("", "", "class c; endclass", "a class, program or final block"),
    "final": ("", "", "final $display;", "a class, program or final block"),
    "return": ("", "", "function int f(int x); return x; endfunction", "return"),
    "query": ("", "", "logic [3:0] m; localparam int N = $size(m);", "the array query $size"),
    "file": ("", "", 'logic [3:0] m [4]; initial $readmemh("m.hex", m);', "the name of a file in the text"),
    "reach": ("module u; logic x; endmodule", "output logic q", "u i (); assign q = i.x;", "a name that reaches into"),
    "structure": ("typedef struct packed { logic a; } s_t;", "input s_t s", "", "port s of type s_t"),
    "array": ("", "input logic a [2]", "", "port a of type"),
}


def written(case: tuple[str, str, str, str], folder: Path) -> Path:
    before, ports, body, _ = case
    path = folder / "t.sv"
    path.write_text(f"{before}\nmodule t ({ports});\n{body}\nendmodule\n")
    return path


@pytest.mark.parametrize("name", [*ANYWHERE, *HARDWARE])
def test_every_rule_finds_what_it_is_about(name: str, tmp_path: Path) -> None:
    case = {**ANYWHERE, **HARDWARE}[name]
    path = written(case, tmp_path)
    found = complaints([path], "t", [], {}, synthesised=True)
    assert any(f": {case[3]}" in line for line in found), found
    elsewhere = complaints([path], "t", [], {}, synthesised=False)
    assert any(f": {case[3]}" in line for line in elsewhere) == (name in ANYWHERE), elsewhere
    if any(line.endswith(ICARUS) for line in found):
        done = subprocess.run(["iverilog", "-g2012", "-t", "null", path], capture_output=True)
        # A later version may accept it; the finding does not depend on the version.
        assert done.returncode != 0 or "version 11" not in icarus().version


def test_what_synthesis_does_not_see_is_no_complaint(tmp_path: Path) -> None:
    path = tmp_path / "t.sv"
    path.write_text("module t;\n`ifndef SYNTHESIS\nstring s; initial #1 $display;\n`endif\nendmodule\n")
    assert complaints([path], "t", [], {}, synthesised=True) == []


def test_sources_that_are_wrong(tmp_path: Path) -> None:
    path = tmp_path / "t.sv"
    path.write_text("module t; assign x = ; endmodule\n")
    (found,) = complaints([path], "t", [], {}, synthesised=True)
    assert "t.sv:1:" in found
    (found,) = complaints([tmp_path / "none.sv"], "t", [], {}, synthesised=True)
    assert found == "t: the sources cannot be read"
