# SPDX-License-Identifier: Apache-2.0
"""The Tcl for Vivado, run in tclsh against stand-ins, and the parser of Vivado's reports.

Vivado was not run. The reports below are written by hand in the layout of several versions and families.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.core.core import find
from limbtrace.rtl_bridge.elaboration import slang
from limbtrace.rtl_bridge.flow.export import PART, PERIOD, Export
from limbtrace.rtl_bridge.flow.subset import complaints
from limbtrace.rtl_bridge.synthesis.vivado_reports import Timing, reports, rows
from tests.patience import PATIENCE
from tests.rtl_bridge.helpers import CORE, TOYS, copy_of, job

STANDINS = Path(__file__).with_name("vivado_standins.tcl")
REPORTS = [f"{stage}.{kind}" for stage in ("synth", "route") for kind in ("timing.rpt", "utilization.rpt", "dcp")]


def export(core: str | Path, folder: Path, period: str = PERIOD) -> Path:
    Export.resolve(job(core, "p256", mode="bulk", count=2), PART, period).write(folder)
    return folder


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(CORE, tmp_path_factory.mktemp("exported") / "an export")


def build(script: Path, work: Path, *arguments: str, failing: str = "") -> subprocess.CompletedProcess[str]:
    """Run the script in a folder of its own, as `vivado -mode batch -source SCRIPT -tclargs ARGUMENTS` would."""
    command = ["tclsh", str(STANDINS), str(script), str(work / "record"), failing, *arguments]
    return subprocess.run(command, cwd=work, capture_output=True, text=True, timeout=PATIENCE)


def calls(work: Path) -> list[list[str]]:
    """The Vivado commands that were called, with their arguments."""
    return [line.split("\t") for line in (work / "record").read_text().splitlines()]


def test_the_whole_flow(exported: Path, tmp_path: Path) -> None:
    done = build(exported / "vivado" / "build.tcl", tmp_path)
    out = exported / "vivado" / "reports"
    assert (done.returncode, done.stderr, done.stdout) == (0, "", f"build.tcl: reports are in {out}\n")
    project, *seen = calls(tmp_path)
    sources = [*(f"cells/{cell}" for cell in find(CORE).file.cells), f"rtl/lt_{CORE}.sv"]
    reads, seen = seen[: len(sources)], seen[len(sources) :]
    assert reads == [["read_verilog", "-sv", str(exported / name)] for name in sources]
    assert [words[0] for words in seen] == [
        *("read_xdc", "get_ports", "create_clock", "synth_design"),
        *("report_timing_summary", "report_utilization", "report_utilization", "write_checkpoint"),
        *("opt_design", "place_design", "phys_opt_design", "route_design"),
        *("report_timing_summary", "report_utilization", "report_utilization", "write_checkpoint"),
    ]
    assert project == ["create_project", "-in_memory", "-part", PART]
    assert seen[2] == ["create_clock", "-name", "clock", "-period", "5.000", "clk_i"]
    assert seen[3] == [
        *("synth_design", "-top", f"lt_{CORE}", "-part", PART, "-mode", "out_of_context"),
        *("-generic", "K=32", "-generic", "NMax=16", "-generic", "Pipeline=0", "-generic", "UseDsp=1"),
    ]
    assert {path.name for path in out.iterdir()} == {
        "clock.xdc", *REPORTS, "synth.hierarchy.rpt", "route.hierarchy.rpt"
    }  # fmt: skip
    shutil.rmtree(out)


def test_arguments_replace_what_was_exported(exported: Path, tmp_path: Path) -> None:
    options = ["-part", "xc7vx690tffg1157-3", "-period", "2.5", "-until", "synth", "-output", "my reports", "-power"]
    assert build(exported / "vivado" / "build.tcl", tmp_path, *options).returncode == 0
    seen = calls(tmp_path)
    assert seen[0][-1] == "xc7vx690tffg1157-3"
    assert ["create_clock", "-name", "clock", "-period", "2.5", "clk_i"] in seen
    assert [words[0] for words in seen[-2:]] == ["write_checkpoint", "report_power"]
    assert "opt_design" not in [words[0] for words in seen]
    assert (tmp_path / "my reports" / "power.rpt").is_file()
    assert not (exported / "vivado" / "reports").exists()


def test_folders_of_included_files_alone_are_searched(tmp_path: Path) -> None:
    core = copy_of(CORE, tmp_path, ("lt_iddmm_arch2.sv", "2'(u_carry);", '\n`include "deep/top.inc"\n'))
    (core / "deep").mkdir()
    (core / "deep" / "top.inc").write_text("2'(u_carry);\n")
    folder = export(core, tmp_path / "out")
    assert build(folder / "vivado" / "build.tcl", tmp_path, "-until", "synth").returncode == 0
    (synthesis,) = [words for words in calls(tmp_path) if words[0] == "synth_design"]
    assert synthesis[synthesis.index("-include_dirs") + 1] == str(folder / "rtl")


VHDL = ["digit_pkg", "digit_mul_logic", "digit_mul", "mont_products", "mont_frame", "vhdl_iddmm"]


def test_vhdl_is_read_as_such(tmp_path: Path) -> None:
    """In the order of the core, whose generics are parameters; the converted Verilog is for simulators."""
    folder = export(TOYS / "vhdl_iddmm", tmp_path / "out")
    assert build(folder / "vivado" / "build.tcl", tmp_path, "-until", "synth").returncode == 0
    seen = calls(tmp_path)
    files = [str(folder / "rtl" / f"{name}.vhd") for name in VHDL]
    assert seen[1 : 1 + len(files)] == [["read_vhdl", "-vhdl2008", file] for file in files]
    assert "read_verilog" not in [words[0] for words in seen]
    (synthesis,) = [words for words in seen if words[0] == "synth_design"]
    assert synthesis[1:3] == ["-top", "vhdl_iddmm"]
    assert "NMax=16" in synthesis
    for file in files:
        assert Path(file).read_bytes() == (TOYS / "vhdl_iddmm" / Path(file).name).read_bytes()


def test_an_older_standard_of_vhdl(tmp_path: Path) -> None:
    folder = export(TOYS / "vhdl_valid", tmp_path / "out")
    assert build(folder / "vivado" / "build.tcl", tmp_path, "-until", "synth").returncode == 0
    assert ["read_vhdl", str(folder / "rtl" / "vhdl_valid.vhd")] in calls(tmp_path)


def test_wide_parameters_are_set_in_a_module_around_the_core(tmp_path: Path) -> None:
    """An option of a tool might cut them off. The module has the ports of the core, as slang reads it."""
    Export.resolve(job("hffm", "sike-p434", mode="bulk", count=1), PART, PERIOD).write(tmp_path / "out")
    folder = tmp_path / "out"
    assert build(folder / "vivado" / "build.tcl", tmp_path, "-until", "synth").returncode == 0
    (synthesis,) = [words for words in calls(tmp_path) if words[0] == "synth_design"]
    assert synthesis[1:3] == ["-top", "lt_hffm_set"]
    assert "-generic" not in synthesis
    sources = [folder / "rtl" / "lt_hffm.sv", folder / "rtl" / "lt_hffm_mul.sv", folder / "vivado" / "lt_hffm_set.sv"]
    assert ["read_verilog", "-sv", str(sources[2])] in calls(tmp_path)
    assert complaints(sources, "lt_hffm_set", [], {}, synthesised=True) == []
    read = slang.read(sources, "lt_hffm_set", {})
    assert read is not None
    (top,) = read.compilation.getRoot().topInstances
    ports = {port.name: str(port.type) for port in top.body.portList}
    inside = {port.name: str(port.type) for port in top.body.find("u_core").body.portList}
    assert ports == inside
    assert ports["clk_i"] == "logic"


def test_narrow_parameters_are_options(exported: Path) -> None:
    assert {path.name for path in (exported / "vivado").iterdir()} == {
        "build.tcl", "settings.tcl", "clock.xdc", "out_of_context.tcl",
    }  # fmt: skip


def test_a_project(exported: Path, tmp_path: Path) -> None:
    """Design, clock and simulation; nothing is built, and nothing is made over what is there."""
    script = exported / "vivado" / "build.tcl"
    done = build(script, tmp_path, "-project", "my project", "-period", "3")
    folder = tmp_path / "my project"
    assert (done.returncode, done.stderr, done.stdout) == (0, "", f"build.tcl: the project is in {folder}\n")
    seen = calls(tmp_path)
    assert seen[0] == ["create_project", "-part", PART, f"lt_{CORE}", str(folder)]
    assert (folder / "clock.xdc").read_text() == "create_clock -name clock -period 3 [get_ports {clk_i}]\n"
    properties = {
        tuple(words[-3::2]): words[-2] for words in seen if words[0] == "set_property" and "-name" not in words
    }
    assert properties["top", "sources_1"] == f"lt_{CORE}"
    assert properties["generic", "sources_1"] == "K=32 NMax=16 Pipeline=0 UseDsp=1"
    assert properties["top", "sim_1"] == "lt_files_tb"
    assert "Chunk=4096" in properties["generic", "sim_1"]
    options = {words[2]: words[4] for words in seen if words[:2] == ["set_property", "-name"]}
    assert options["STEPS.SYNTH_DESIGN.ARGS.MORE OPTIONS"] == "-mode out_of_context"
    assert f'-testplusarg "folder={exported / "vectors"}"' in options["xsim.simulate.xsim.more_options"]
    assert "synth_design" not in [words[0] for words in seen]
    added = " ".join(words[-1] for words in seen if words[0] == "add_files")
    assert all(str(exported / name) in added for name in (f"rtl/lt_{CORE}.sv", "tb/lt_files_tb.sv", "tb/lt_shell.sv"))
    again = build(script, tmp_path, "-project", "my project")
    assert (again.returncode, again.stderr) == (
        3, f"build.tcl: {folder} is there already, and no project is made over it\n",
    )  # fmt: skip


def test_a_project_of_vhdl_has_no_simulation(tmp_path: Path) -> None:
    folder = export(TOYS / "vhdl_iddmm", tmp_path / "out")
    assert build(folder / "vivado" / "build.tcl", tmp_path, "-project", "p").returncode == 0
    seen = calls(tmp_path)
    assert ["set_property", "file_type", "VHDL 2008", str(folder / "rtl" / "digit_pkg.vhd")] in seen
    assert "sim_1" not in [words[-1] for words in seen]


def test_a_step_of_a_project_that_fails(exported: Path, tmp_path: Path) -> None:
    done = build(exported / "vivado" / "build.tcl", tmp_path, "-project", "p", failing="set_property")
    assert (done.returncode, done.stderr) == (3, "build.tcl: naming the top failed: told to fail\n")


def test_plain_verilog_is_read_as_such(tmp_path: Path) -> None:
    folder = export(TOYS / "bit_toy", tmp_path / "out", period="12.5")
    assert build(folder / "vivado" / "build.tcl", tmp_path).returncode == 0
    seen = calls(tmp_path)
    assert seen[1] == ["read_verilog", str(folder / "rtl" / "bit_toy.v")]
    assert seen[4][-2:] == ["12.500", "CLK"]


@pytest.mark.parametrize(
    ("failing", "what"),
    [
        ("create_project", "making the project"),
        ("read_verilog", "reading cells/lt_mul_logic.sv"),
        ("synth_design", "synthesis"),
        ("place_design", "placement"),
        ("route_design", "routing"),
        ("write_checkpoint", "the checkpoint"),
    ],
)
def test_a_step_that_fails_ends_the_script(failing: str, what: str, exported: Path, tmp_path: Path) -> None:
    done = build(exported / "vivado" / "build.tcl", tmp_path, "-output", "out", failing=failing)
    assert (done.returncode, done.stderr) == (3, f"build.tcl: {what} failed: told to fail\n")
    assert calls(tmp_path)[-1][0] == failing


@pytest.mark.parametrize(
    ("options", "code", "sentence"),
    [
        (["-prat", "x"], 2, "there is no option -prat"),
        (["-part"], 2, "-part needs a value"),
        (["-until", "bitstream"], 2, "-until is bitstream and should be synth or route"),
        (["-period", "fast"], 2, "-period is fast and should be a time in nanoseconds"),
        (["-period", "0"], 2, "-period is 0 and should be"),
        (["-output", "record/in"], 3, "cannot be written"),
    ],
)
def test_wrong_options(options: list[str], code: int, sentence: str, exported: Path, tmp_path: Path) -> None:
    (tmp_path / "record").touch()
    done = build(exported / "vivado" / "build.tcl", tmp_path, *options)
    assert done.returncode == code
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert calls(tmp_path) == []


@pytest.mark.parametrize("name", [f"rtl/lt_{CORE}.sv", "cells/lt_mul.sv", "vivado/settings.tcl"])
def test_a_missing_file(name: str, exported: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(exported, tmp_path / "copy")
    (folder / name).unlink()
    done = build(folder / "vivado" / "build.tcl", tmp_path)
    assert (done.returncode, done.stderr) == (3, f"build.tcl: {folder / name} is missing\n")
    assert not (tmp_path / "record").exists()


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("-mode out_of_context \\", "-mode out_of_context -ooc \\", "synth_design has no option -ooc"),
        ("-mode out_of_context \\", "-mode ooc \\", "no such mode"),
        ('step "placement" place_design\n', "", "phys_opt_design comes before place_design"),
        ("report_power -file", "report_power -out", "report_power has no option -out"),
    ],
)
def test_the_standins_see_a_wrong_script(old: str, new: str, complaint: str, exported: Path, tmp_path: Path) -> None:
    script = shutil.copytree(exported, tmp_path / "copy") / "vivado" / "build.tcl"
    assert script.read_text().count(old) == 1
    script.write_text(script.read_text().replace(old, new))
    done = build(script, tmp_path, "-power")
    assert done.returncode == 3
    assert complaint in done.stderr


def head(command: str, **lines: str) -> str:
    text = "".join(f"| {name.replace('_', ' '):<12} : {value}\n" for name, value in lines.items())
    return f"Copyright\n{'-' * 80}\n| Command      : {command}\n{text}{'-' * 80}\n\n"


def clocks(*periods: str) -> str:
    lines = "".join(f"c{k:<5} {{0.000 {float(p) / 2:.3f}}}        {p}           {1000 / float(p):.3f}         \n"
                    for k, p in enumerate(periods))  # fmt: skip
    return f"\n| Clock Summary\n\nClock  Waveform(ns)       Period(ns)      Frequency(MHz)\n{lines}\n"


def timing(*values: str, columns: int = 12) -> str:
    """The Design Timing Summary: slack, sum, failing and all endpoints of setup, hold and pulse width."""
    names = [
        f"{text}{unit}"
        for w, t in (("WNS", "TNS"), ("WHS", "THS"), ("WPWS", "TPWS"))
        for text, unit in ((w, "(ns)"), (t, "(ns)"), (f"{t} Failing Endpoints", ""), (f"{t} Total Endpoints", ""))
    ][:columns]
    rule = "    " + "  ".join("-" * len(name) for name in names)
    line = "    " + "  ".join(f"{value:>{len(name)}}" for name, value in zip(names, values, strict=True))
    return f"| Design Timing Summary\n| ---------------------\n\n    {'  '.join(names)}  \n{rule}  \n{line}  \n\n\n"


def table(*lines: tuple[object, ...]) -> str:
    """A table as the reports draw it: a frame, the head, the lines; the first column is aligned to the left."""
    cells = [[str(cell) for cell in line] for line in lines]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    rule = f"+{'+'.join('-' * (width + 2) for width in widths)}+\n"
    texts = []
    for first, *rest in cells:
        aligned = [f"{first:<{widths[0]}}", *(f"{c:>{w}}" for c, w in zip(rest, widths[1:], strict=True))]
        texts.append(f"| {' | '.join(aligned)} |\n")
    return f"{rule}{texts[0]}{rule}{''.join(texts[1:])}{rule}\n"


OLD = ("Site Type", "Used", "Fixed", "Available", "Util%")
NEW = ("Site Type", "Used", "Fixed", "Prohibited", "Available", "Util%")
PRIMITIVES = ("Ref Name", "Used", "Functional Category")

SERIES7_2018 = {
    "timing": head("report_timing_summary", Tool_Version="Vivado v.2018.2 (lin64) Build 1", Design="mul",
                   Device="7k160t-ffg676", Speed_File="-3  PRODUCTION 1.12")
    + timing("-0.250", "-3.500", "14", "723", "0.022", "0.000", "0", "723", "2.225", "0.000", "0", "333")
    + clocks("5.000"),
    "utilization": head("report_utilization", Tool_Version="Vivado v.2018.2 (lin64) Build 1", Design="mul",
                        Device="7k160tffg676-3", Design_State="Synthesized")
    + table(OLD, ("Slice LUTs*", 1234, 0, 101400, "1.22"), ("  LUT as Logic", 1170, 0, 101400, "1.15"),
            ("  LUT as Memory", 64, 0, 35000, "0.18"), ("Slice Registers", 567, 0, 202800, "0.28"),
            ("F7 Muxes", 3, 0, 50700, "<0.01"), ("F8 Muxes", 1, 0, 25350, "<0.01"))
    + table(OLD, ("Block RAM Tile", 2.5, 0, 325, "0.77"), ("  RAMB36/FIFO*", 2, 0, 325, "0.62"),
            ("  RAMB18", 1, 0, 650, "0.15"))
    + table(OLD, ("DSPs", 12, 0, 600, "2.00"), ("  DSP48E1 only", 12, "", "", ""))
    + table(PRIMITIVES, ("LUT6", 800, "LUT"), ("CARRY4", 77, "CarryLogic")),
}  # fmt: skip
ULTRASCALE_2024 = {
    "timing": head("report_timing_summary", Tool_Version="Vivado v.2024.1 (lin64) Build 2", Design="mul",
                   Device="xcku5p-ffvb676", Speed_File="-2  PRODUCTION 1.3")
    + timing("0.500", "0.000", "0", "9", "0.010", "0.000", "0", "9", "1.2", "0.000", "0", "4") + clocks("2.500"),
    "utilization": head("report_utilization", Tool_Version="Vivado v.2024.1 (lin64) Build 2", Design="mul",
                        Device="xcku5p-ffvb676-2-e", Speed_File="-2", Design_State="Routed")
    + table(NEW, ("CLB LUTs", 700, 0, 0, 216960, "0.32"), ("  LUT as Memory", 0, 0, 0, 99840, "0.00"),
            ("CLB Registers", 900, 0, 0, 433920, "0.21"), ("CARRY8", 40, 0, 0, 27120, "0.15"),
            ("F7 Muxes", 0, 0, 0, 108480, "0.00"))
    + table(NEW, ("Block RAM Tile", 0, 0, 0, 480, "0.00"), ("URAM", 3, 0, 0, 64, "4.69"))
    + table(NEW, ("DSPs", 7, 0, 0, 1824, "0.38"))
    + table(PRIMITIVES, ("CARRY8", 40, "CLB")),
    "hierarchy": head("report_utilization -hierarchical", Tool_Version="Vivado v.2024.1 (lin64) Build 2", Design="mul",
                      Device="xcku5p-ffvb676-2-e")
    + table(("Instance", "Module", "Total LUTs", "Logic LUTs", "LUTRAMs", "SRLs", "FFs", "RAMB36", "RAMB18", "URAM",
             "DSP Blocks"),
            ("mul", "(top)", 700, 700, 0, 0, 900, 0, 0, 3, 7), ("  (mul)", "(top)", 100, 100, 0, 0, 100, 0, 0, 0, 0),
            ("  u_a", "adder", 400, 400, 0, 0, 500, 0, 0, 0, 0), ("    u_b", "cell", 10, 10, 0, 0, 5, 0, 0, 0, 0),
            ("  u_c", "dsp", 200, 200, 0, 0, 300, 0, 0, 3, 7)),
}  # fmt: skip


def store(folder: Path, stage: str, texts: dict[str, str]) -> Path:
    for kind, text in texts.items():
        (folder / f"{stage}.{kind}.rpt").write_text(text)
    return folder


def run(folder: Path, *options: str) -> None:
    reports.main([str(folder), *options], standalone_mode=False)


def test_rows_of_both_stages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store(store(tmp_path, "synth", SERIES7_2018), "route", ULTRASCALE_2024)
    run(tmp_path, "--json")
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert document["format"] == "limbtrace/1"
    synth, route = document["rows"]
    assert synth == {
        "stage": "synth",
        "design": "mul",
        "part": "xc7k160tffg676-3",
        "tool": "Vivado v.2018.2",
        "wns_ns": -0.25,
        "tns_ns": -3.5,
        "failing_endpoints": 14,
        "whs_ns": 0.022,
        "period_ns": 5.0,
        "fmax_mhz": 190.48,
        "area": {
            "LUT": 1234,
            "LUTRAM": 64,
            "FF": 567,
            "DSP": 12,
            "MUX": 4,
            "BRAM18": 1,
            "BRAM36": 2,
            "URAM": 0,
            "CARRY": 77,
        },
        "instances": [],
    }
    assert (route["part"], route["fmax_mhz"], route["area"]["CARRY"]) == ("xcku5p-ffvb676-2-e", 500.0, 40)
    assert (route["area"]["LUT"], route["area"]["FF"], route["area"]["URAM"]) == (700, 900, 3)
    assert [(entry["path"], entry["module"], entry["area"]["LUT"]) for entry in route["instances"]] == [
        ("mul", "(top)", 700),
        ("mul/u_a", "adder", 400),
        ("mul/u_a/u_b", "cell", 10),
        ("mul/u_c", "dsp", 200),
    ]
    assert [entry["area"]["DSP"] for entry in route["instances"]] == [7, 0, 0, 7]
    run(tmp_path)
    assert capsys.readouterr().out.splitlines()[0] == (
        "synth  mul in xc7k160tffg676-3 (Vivado v.2018.2): WNS -0.25 ns at 5 ns, 190.48 MHz; "
        "1234 LUT, 64 LUTRAM, 567 FF, 12 DSP, 4 MUX, 1 BRAM18, 2 BRAM36, 77 CARRY"
    )


def test_a_report_alone(tmp_path: Path) -> None:
    (row,) = rows(store(tmp_path, "route", {"timing": SERIES7_2018["timing"]}))
    assert (row.part, row.area, row.timing and row.timing.wns_ns) == ("xc7k160t-ffg676-3", {}, -0.25)
    assert row.stage == "route"


def test_a_design_without_paths_or_with_several_clocks(tmp_path: Path) -> None:
    top = head("report_timing_summary", Design="mul", Device="xc7a35tcpg236-1")
    store(tmp_path, "synth", {"timing": top + timing("inf", "0.000", "0", "0", columns=4) + clocks()})
    store(tmp_path, "route", {"timing": top + timing("NA", "NA", "NA", "NA", columns=4) + clocks("4.000", "8.000")})
    synth, route = rows(tmp_path)
    assert synth.timing == Timing(None, 0.0, 0, None, None)
    assert route.timing == Timing(None, None, None, None, None)
    assert "WNS - ns at - ns, - MHz; no utilisation" in route.text()


def test_fmax() -> None:
    assert Timing(0.0, 0.0, 0, 0.1, 4.0).fmax_mhz == 250.0
    assert Timing(4.0, 0.0, 0, 0.1, 4.0).fmax_mhz is None


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        ({}, "holds no report of synth or route"),
        ({"timing": "what?"}, "is no report of Vivado"),
        ({"timing": head("x", Design="m", Device="d")}, "has no Design Timing Summary"),
        (
            {"utilization": head("x", Design="m", Device="d") + table(NEW, ("DSPs", 1, 0, 0, 9, "1"))},
            "no table with LUT",
        ),
        ({**SERIES7_2018, "utilization": head("x", Design="other", Device="d")}, "are of several designs"),
    ],
)
def test_what_is_no_report(texts: dict[str, str], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=sentence):
        run(store(tmp_path, "route", texts))
