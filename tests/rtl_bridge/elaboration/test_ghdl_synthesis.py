# SPDX-License-Identifier: Apache-2.0
"""Cores in VHDL: converted by GHDL, and from there on like Verilog in every mode, export and guess."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.elaboration import ghdl_synthesis
from limbtrace.rtl_bridge.elaboration.ghdl_synthesis import Conversion, _Rewriter
from limbtrace.rtl_bridge.flow.export import Export
from limbtrace.rtl_bridge.init.rtl_scan import scan
from limbtrace.rtl_bridge.programs import ghdl as program
from limbtrace.rtl_bridge.programs.ghdl import VhdlError
from limbtrace.rtl_bridge.programs.process import supervise
from limbtrace.rtl_bridge.programs.tool import Tool
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.rtl_bridge.synthesis.areas import script
from limbtrace.vectors.errors import ToolError
from tests.rtl_bridge.helpers import TOYS, Edit, copy_of, job
from tests.rtl_bridge.programs.test_sandbox import needs_namespaces
from tests.vectors.test_cli import run

MONT, VALID, SERIAL = TOYS / "vhdl_mont", TOYS / "vhdl_valid", TOYS / "vhdl_serial"
TOML = "core.toml"
PRIME = "8380417"


@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
@pytest.mark.parametrize("toy", [MONT, VALID, SERIAL], ids=lambda toy: toy.name)
def test_in_icarus(mode: str, toy: Path) -> None:
    report = simulate(job(toy, PRIME, mode=mode, count=60))
    assert report.passed, report.text()
    assert report.document["verified"] == 60


def test_in_the_fast_mode() -> None:
    report = simulate(job(MONT, "2^61-1", mode="fast", simulator="verilator", count=300))
    assert report.passed, report.text()
    assert report.document["verified"] == 300


def test_disturbed() -> None:
    report = simulate(job(MONT, PRIME, disturb=("reset", "start", "again", "modulus"), count=15))
    assert report.passed, report.text()


FAULTS: list[tuple[Path, Edit, str]] = [
    (MONT, ("vhdl_mont.vhd", "when acc >= m and", "when acc > m + 5 and"), "result"),
    (MONT, ("mont_step.vhd", "halved(with_b + m) when", "halved(resize(with_b(W downto 0) + m, W + 2)) when"), "acc"),
    (VALID, ("vhdl_valid.vhd", "sum := sum + a;", "sum := sum + a(W - 2 downto 0);"), "result"),
    (SERIAL, ("vhdl_serial.vhd", "for k in 1 to 2 loop", "for k in 1 to 1 loop"), "result"),
]  # fmt: skip


@pytest.mark.parametrize(("toy", "edit", "signal"), FAULTS, ids=[str(k) for k in range(len(FAULTS))])
def test_a_planted_fault_is_caught(toy: Path, edit: Edit, signal: str, tmp_path: Path) -> None:
    mode = "lockstep" if toy == MONT else "bulk"
    found = simulate(job(copy_of(toy, tmp_path, edit), PRIME, mode=mode, count=100)).tally.divergence
    assert found is not None
    assert found.signal == signal


def test_the_modes_see_one_fault_alike(tmp_path: Path) -> None:
    core = copy_of(VALID, tmp_path, ("vhdl_valid.vhd", "sum := sum + a;", "sum := sum + a(W - 2 downto 0);"))
    found = [simulate(job(core, "1000", mode=mode, count=60)).tally.divergence for mode in ("lockstep", "bulk")]
    assert found[0] is not None
    assert found[1] is not None
    assert (found[0].case, found[0].expected, found[0].seen) == (found[1].case, found[1].expected, found[1].seen)


def test_a_signal_below_an_instance_in_a_loop(tmp_path: Path) -> None:
    """GHDL puts the name of the loop and the number of its turn in front of those inside."""
    row = '{ signal = "step_n1_u_step.with_b", match = "result", step = "t", kind = "register" }'
    core = copy_of(MONT, tmp_path, (TOML, "row = [\n", f"row = [\n  {row},\n"))
    bound = settle(job(core, PRIME)).bound
    assert bound.signals == {"acc": 25, "step_n1_u_step.with_b": 25}
    (core / TOML).write_text((core / TOML).read_text().replace("with_b", "nothing"))
    with pytest.raises(ParameterError, match=r"row\[0\].signal is 'step_n1_u_step.nothing', and vhdl_mont has no such "
                                             r"signal in what GHDL made of it, /\S+/vhdl_mont.v$"):  # fmt: skip
        settle(job(core, PRIME))


BUILD = 'WIDTH = "N", DIGIT = 3, LAZY = 0, LEVEL = 1, SEED = 0'
WRONG = [
    ((TOML, "DIGIT = 3", "DIGITS = 3"), "build.DIGITS is no generic of the entity vhdl_mont, which has WIDTH, DIGIT, "
     "LAZY, LEVEL, SEED"),
    ((TOML, "LAZY = 0", "LAZY = 2"), "build.LAZY is 2, and the generic LAZY is a boolean: 0 or 1"),
    ((TOML, "LEVEL = 1", "LEVEL = 2"), "build.LEVEL is 2, and the generic LEVEL is a std_logic: 0 or 1"),
    ((TOML, "DIGIT = 3", "DIGIT = 4294967296"), "build.DIGIT is 4294967296, and the generic DIGIT is of type "
     "positive, of at most 31 bits"),
    ((TOML, "SEED = 0", "SEED = 8388608"), "build.SEED is 8388608, and the generic SEED is a std_logic_vector of 23 "
     "bits"),
    (("vhdl_mont.vhd", "LEVEL : std_logic := '1'", "LEVEL : string := \"x\""), "build.LEVEL is 1, and the generic "
     "LEVEL is a string, for which core.toml has no value; its default in the VHDL counts"),
    (("vhdl_mont.vhd", "count <= count - 1", "count <= counts - 1"), "the VHDL has an error: vhdl_mont.vhd:70:20: no "
     "declaration for \"counts\""),
    ((TOML, 'top = "vhdl_mont"', 'top = "other"'), "no source has other, and the entities of those in VHDL are "
     "mont_step, vhdl_mont"),
    ((TOML, '"mont_pkg.vhd", ', ""), "the VHDL has an error: vhdl_mont.vhd:8:10: unit \"mont_pkg\" not found in "
     "library \"work\""),
    ((TOML, '"reg_"', '"reg"'), "result.port is 'reg', a word of SystemVerilog; a name of VHDL that is one is reg_ "
     "here"),
    ((TOML, 'model =', 'vhdl = "19"\nmodel ='), "vhdl is '19', and should be '87', '93', '93c', '00', '02' "
     "or '08'"),
]  # fmt: skip


@pytest.mark.parametrize(("edit", "sentence"), WRONG, ids=[str(k) for k in range(len(WRONG))])
def test_what_is_wrong_is_one_sentence(
    edit: Edit, sentence: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capfd, "sim", str(copy_of(MONT, tmp_path, edit)), "--prime", PRIME)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert sentence in err
    assert TOML in err


@pytest.mark.parametrize("said", ["a.vhd:1:2: no x\n", "a.vhd:1:2:error: no x\n", "a.vhd:1:2:error: no x\n  x\n  ^\n"])
def test_ghdl_of_any_release_is_heard(said: str) -> None:
    """GHDL 2 and 5 word their errors differently."""
    assert program._complaint(said) == "a.vhd:1:2: no x"


def test_without_ghdl(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    program.ghdl.cache_clear()
    monkeypatch.setattr(shutil, "which", lambda name, **_: None)
    code, out, err = run(capfd, "sim", str(MONT), "--prime", PRIME)
    program.ghdl.cache_clear()
    assert (code, out) == (3, "")
    assert err == "limbtrace: GHDL is not on PATH, which converts VHDL: apt-get install ghdl\n"


def test_a_conversion_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By sources, generics, standard and spelling; a conversion that was made is not made again."""
    monkeypatch.setenv("LIMBTRACE_BUILD", str(tmp_path / "cache"))
    core = copy_of(VALID, tmp_path)
    (first,) = settle(job(core, PRIME)).bound.sources.converted
    (other,) = settle(job(core, "1000")).bound.sources.converted
    source = core / "vhdl_valid.vhd"
    source.write_text(source.read_text().replace("not full", "(not full)"))
    (changed,) = settle(job(core, PRIME)).bound.sources.converted
    assert len({first, other, changed}) == 3
    source.write_text(source.read_text().replace("(not full)", "not full"))
    monkeypatch.setattr(ghdl_synthesis, "GhdlNetlist", None)
    assert settle(job(core, PRIME)).bound.sources.converted == (first,)
    assert str(tmp_path) not in first.read_text()
    (core / TOML).write_text((core / TOML).read_text().replace('vhdl = "93"', 'vhdl = "93c"'))
    with pytest.raises(TypeError):
        settle(job(core, PRIME))


def test_an_empty_conversion_is_made_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LIMBTRACE_BUILD", str(tmp_path / "cache"))
    (first,) = settle(job(VALID, PRIME)).bound.sources.converted
    text = first.read_text()
    first.write_text("")
    assert settle(job(VALID, PRIME)).bound.sources.converted == (first,)
    assert first.read_text() == text


def test_upper_and_lower_case_are_those_of_the_description(tmp_path: Path) -> None:
    core = copy_of(
        VALID,
        tmp_path,
        (TOML, '"x"', '"X"'),
        (TOML, '"vhdl_valid"\ntimeout', '"VHDL_Valid"\ntimeout'),
        (TOML, 'port = "reset"', 'port = "RESET"'),
    )
    bound = settle(job(core, PRIME)).bound
    assert {"X", "y", "RESET"} <= bound.ports.keys()
    assert bound.sources.converted[0].name == "VHDL_Valid.v"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("module Core\n  (input  [3:0] reg,\n   output Do,\n   input input);\n",
         "module CORE\n  (input  [3:0] reg_,\n   output do_,\n   input input_);\n"),
        ("  wire wire;\n  reg [3:0] reg;\n  reg posedge;\n", "  wire wire_;\n  reg [3:0] reg_;\n  reg posedge_;\n"),
        ("  assign wire = ~posedge;\n  assign n1 = reg[0];\n", "  assign wire_ = ~posedge_;\n  assign n1 = reg_[0];\n"),
        ("  always @(posedge posedge or negedge int)\n    reg <= 4'b01XX;\n",
         "  always @(posedge posedge_ or negedge int_)\n    reg_ <= 4'b01XX;\n"),
        ("    if (n1)\n      reg[n2] <= wire;\n", "    if (n1)\n      reg_[n2] <= wire_;\n"),
        ("  sub u (\n    .input(reg),\n    .y(output[3:0]));\n",
         "  sub u (\n    .input_(reg_),\n    .y(output_[3:0]));\n"),
        ("    case (n1)\n      4'b1: x <= 8'hBe;\n      default: x <= y;\n    endcase\n",
         "    case (n1)\n      4'b1: x <= 8'hBe;\n      default: x <= y;\n    endcase\n"),
        ("  /* reg.vhd:3:wire */\n  assign \\always  = $unsigned(A_B) + 4; // int\n",
         "  /* reg.vhd:3:wire */\n  assign always_ = $unsigned(a_B) + 4; // int\n"),
        ("  assign \\a+b  = n4;\n", "  assign \\a+b  = n4;\n"),
    ],
)  # fmt: skip
def test_names_that_are_words_of_verilog(before: str, after: str) -> None:
    found = _Rewriter({"core": "CORE", "a_b": "a_B", "words": "words_"}).text(before)
    assert found == after


def test_a_probe_in_systemverilog_looks_inside(tmp_path: Path) -> None:
    probe = 'probe = { file = "probe.sv", top = "vhdl_mont_probe" }\nrow = [\n'
    row = '  { port = "half_o", match = "result", step = "t", kind = "register" },\n'
    core = copy_of(MONT, tmp_path, (TOML, "row = [\n", probe + row))
    (core / "probe.sv").write_text(
        "module vhdl_mont_probe #(parameter WIDTH=1, DIGIT=1, LAZY=0, LEVEL=1, SEED=0) (input clk, rst_n, start,\n"
        "  input [WIDTH-1:0] a, b, m, output busy, done, output [WIDTH-1:0] reg_, output [WIDTH+1:0] half_o);\n"
        "  vhdl_mont #(.WIDTH(WIDTH), .DIGIT(DIGIT), .LAZY(LAZY), .LEVEL(LEVEL), .SEED(SEED)) u_core (.*);\n"
        "  assign half_o = u_core.acc;\nendmodule\n"
    )
    report = simulate(job(core, PRIME, count=20))
    assert report.passed, report.text()


def test_a_probe_in_vhdl(tmp_path: Path) -> None:
    """Its core is a module of its name, although GHDL adds the generics to it."""
    probe = 'probe = { file = "probe.vhd", top = "valid_probe" }\nresult ='
    row = 'row = [{ port = "same", match = "result", step = "r" }, { signal = "t", match = "result", step = "r" }]\n'
    core = copy_of(VALID, tmp_path, (TOML, "result =", probe), (TOML, "operand =", f"{row}operand ="))
    ports = (
        "clk, reset, in_valid, out_ready : in std_logic; in_ready, out_valid : out std_logic;\n"
        "x, y, modulus : in std_logic_vector(W-1 downto 0); z, same : out std_logic_vector(W-1 downto 0)"
    )
    (core / "probe.vhd").write_text(
        "library ieee; use ieee.std_logic_1164.all;\n"
        f"entity valid_probe is generic (W : integer); port ({ports}); end;\n"
        "architecture a of valid_probe is signal r : std_logic_vector(W-1 downto 0); begin\n"
        "u_core : entity work.vhdl_valid generic map (W) port map (clk, reset, in_valid, out_ready, in_ready,\n"
        "  out_valid, x, y, modulus, r);\nz <= r; same <= r;\nend;\n"
    )
    run_ = settle(job(core, PRIME))
    assert run_.bound.inside == "u_core."
    assert run_.bound.sources.rtl[0].name == "vhdl_valid.v"
    assert run_.bound.sources.simulated[0].name == "valid_probe.v"


STEP = """module mont_step #(parameter W = 1) (input [W+1:0] acc, input factor, input [W-1:0] b, m, output [W+1:0] sum);
  wire [W+1:0] with_b = factor ? acc + b : acc;
  assign sum = (with_b[0] ? with_b + m : with_b) >> 1;
endmodule
"""


def test_verilog_below_vhdl(tmp_path: Path) -> None:
    """A component that no entity is bound to is a module of Verilog; its generics are parameters of that."""
    declared = "component mont_step is generic (W : positive); port (acc : in unsigned(W + 1 downto 0); factor : in " \
               "std_logic; b : in std_logic_vector(W - 1 downto 0); m : in unsigned(W - 1 downto 0); sum : out " \
               "unsigned(W + 1 downto 0)); end component;\n"  # fmt: skip
    core = copy_of(
        MONT, tmp_path, (TOML, '"mont_step.vhd"', '"mont_step.v"'),
        ("vhdl_mont.vhd", "  signal row ", f"  {declared}  signal row "),
        ("vhdl_mont.vhd", "u_step : entity work.mont_step", "u_step : mont_step"),
    )  # fmt: skip
    (core / "mont_step.v").write_text(STEP)
    report = simulate(job(core, PRIME, count=20))
    assert report.passed, report.text()


def test_vhdl_below_verilog(tmp_path: Path) -> None:
    edits = (TOML, '"vhdl_valid.vhd"', '"vhdl_valid.vhd", "top.v"'), (TOML, 'top = "vhdl_valid"', 'top = "top"')
    core = copy_of(VALID, tmp_path, *edits, ("vhdl_valid.vhd", "W : integer := 32", "W : integer := 23"))
    text = (
        "module top #(parameter W = 1) (input clk, reset, in_valid, out_ready, input [W-1:0] x, y, modulus,\n"
        "  output in_ready, out_valid, output [W-1:0] z);\n"
        "  vhdl_valid #(.W(W)) u_core (.*);\nendmodule\n"
    )
    (core / "top.v").write_text(text.replace("#(.W(W)) ", ""))
    report = simulate(job(core, PRIME, count=20))
    assert report.passed, report.text()
    (core / "top.v").write_text(text)
    with pytest.raises(ParameterError, match="vhdl_valid is an entity of VHDL that Verilog around it gives parameters"):
        settle(job(core, PRIME))


def test_a_component_that_nobody_has(tmp_path: Path) -> None:
    declared = "  component gone is port (x : in std_logic); end component;\n"
    core = copy_of(
        MONT,
        tmp_path,
        ("vhdl_mont.vhd", "  signal row ", f"{declared}  signal row "),
        ("vhdl_mont.vhd", "  row(0) <= acc;", "  u_gone : gone port map (start);\n  row(0) <= acc;"),
    )
    with pytest.raises(ParameterError, match="unknown module 'gone'"):
        settle(job(core, PRIME))


def test_an_export_runs_without_vhdl(tmp_path: Path) -> None:
    Export.resolve(job(MONT, PRIME, mode="bulk", count=5), "xc7k160tffg676-3", "5").write(tmp_path / "out")
    assert (tmp_path / "out" / "converted" / "vhdl_mont.v").is_file()
    assert "converted/vhdl_mont.v\n" in (tmp_path / "out" / "sources.f").read_text()
    done = subprocess.run(["sh", tmp_path / "out" / "run_icarus.sh"], capture_output=True, text=True)
    assert (done.returncode, done.stdout.split()[:2]) == (0, ["PASS", "cases=5"]), done.stderr


def test_yosys_reads_the_verilog() -> None:
    bound = settle(job(SERIAL, "251")).bound
    text = script(bound.core, bound.sources, bound.parameters, "xc7")
    assert re.search(r"^read_slang .*--top vhdl_serial .*-G Words=1 converted/vhdl_serial.v$", text, re.MULTILINE)


@needs_namespaces
def test_in_a_sandbox(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LIMBTRACE_BUILD", str(tmp_path / "cache"))
    given = []

    def watched(*arguments: object, sandboxed: bool = False, **more: object) -> int:
        given.append(sandboxed)
        return supervise(*arguments, sandboxed=sandboxed, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(program, "supervise", watched)
    settle(job(VALID, PRIME, sandbox=True))
    assert given == [True]


@pytest.mark.parametrize(
    ("toy", "reset"),
    [(MONT, ("Rst_N", "low", False)), (VALID, ("reset", "high", True)), (SERIAL, ("rst_i", "high", True))],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_a_scan(toy: Path, reset: tuple[str, str, bool], tmp_path: Path) -> None:
    for path in toy.glob("*.vhd"):
        shutil.copy(path, tmp_path)
    (tmp_path / "bench.vhd").write_text(f"entity bench is end; architecture a of bench is begin u : entity "
                                        f"work.{toy.name} port map (open); end;\n")  # fmt: skip
    sketch = scan(tmp_path)
    assert sketch.top == toy.name
    assert sketch.reset is not None
    if toy != SERIAL:
        assert (sketch.reset.port, sketch.reset.active, sketch.reset.synchronous) == reset
    assert sketch.spare == ("bench.vhd",)
    assert sketch.files == {MONT: ("mont_pkg.vhd", "mont_step.vhd", "vhdl_mont.vhd")}.get(toy, (f"{toy.name}.vhd",))
    widths = {port.name: port.terms for port in sketch.ports}
    wide = {MONT: "a", VALID: "x", SERIAL: "a_i"}[toy]
    assert widths[wide] == {MONT: {("WIDTH",): 1}, VALID: {("W",): 1}, SERIAL: {(): 16}}[toy]


def test_a_first_description_runs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shutil.copy(VALID / "vhdl_valid.vhd", tmp_path)
    code, out, err = run(capfd, "init", str(tmp_path), "--model", "modmul", "--prime", PRIME)
    assert (code, err) == (0, "")
    assert "agrees: 16 products" in out
    report = simulate(job(tmp_path, PRIME, count=20))
    assert report.passed, report.text()


def test_a_scan_of_more_than_one_entity(tmp_path: Path) -> None:
    shutil.copy(VALID / "vhdl_valid.vhd", tmp_path)
    shutil.copy(SERIAL / "vhdl_serial.vhd", tmp_path)
    with pytest.raises(
        ParameterError, match="several entities are candidates: vhdl_serial, vhdl_valid; --top names one"
    ):
        scan(tmp_path)
    assert scan(tmp_path, "vhdl_serial").top == "vhdl_serial"
    with pytest.raises(ParameterError, match="'other' is no entity of the VHDL"):
        scan(tmp_path, "other")
    with pytest.raises(ParameterError, match=r"vhdl_\w+.vhd is VHDL, which GHDL reads with all that it names"):
        scan(tmp_path, "vhdl_serial", includes=False)


def test_what_ghdl_does_not_survive_is_no_fault_of_the_vhdl(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = tmp_path / "ghdl"
    bug = "******************** GHDL Bug occurred ****\nraised CONSTRAINT_ERROR : x.adb:3\n"
    fake.write_text(f"#!/bin/sh\n[ \"$1\" = --version ] && echo GHDL 9 && exit\nprintf '{bug}' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("LIMBTRACE_BUILD", str(tmp_path / "cache"))
    monkeypatch.setattr(program, "ghdl", lambda: Tool(str(fake), "GHDL 9"))
    monkeypatch.setattr(ghdl_synthesis, "ghdl", program.ghdl)
    with pytest.raises(ToolError, match=r"^GHDL gave up on vhdl_valid with an error of its own: raised CONSTRAINT"):
        settle(job(VALID, PRIME))


def test_two_entities_of_one_name_below_verilog(tmp_path: Path) -> None:
    """Modules that two conversions share are there once."""
    source = tmp_path / "x.vhd"
    unit = (
        "library ieee; use ieee.std_logic_1164.all; entity {0} is generic (W : natural := 2);\n"
        "port (a : in std_logic_vector(W-1 downto 0); y : out std_logic_vector(W-1 downto 0)); end;\n"
        "architecture r of {0} is begin {1} end;\n"
    )
    both = unit.format("leaf", "y <= not a;") + "".join(
        unit.format(name, "u : entity work.leaf port map (a, y);") for name in ("one", "two")
    )
    source.write_text(both)
    text = Conversion((("x.vhd", source),), "08", (("one", {}), ("two", {}))).place.read_text()
    assert re.findall(r"^module (\w+)", text, re.MULTILINE) == ["leaf_2", "one", "two"]
    with pytest.raises(VhdlError, match="no generic"):
        Conversion((("x.vhd", source),), "08", (("one", {"V": 1}),)).place  # noqa: B018
