# SPDX-License-Identifier: Apache-2.0
"""FuseSoC takes the cores, and runs an export."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from limbtrace.rtl_bridge.flow.export import Export
from limbtrace.rtl_bridge.programs import process
from limbtrace.rtl_bridge.run.simulators import verilator
from tests.conftest import ROOT
from tests.rtl_bridge.helpers import CORE, TOYS, copy_of, job
from tools.fusesoc import descriptions

RTL = ROOT / "rtl_bridge" / "rtl"


def fusesoc(folder: Path, cores: Path, target: str, core: str, *options: str) -> str:
    """What FuseSoC and the tools that it calls say."""
    path = os.pathsep.join([str(Path(verilator().path).parent), process.environment()["PATH"]])
    command = [sys.executable, "-m", "fusesoc.main", "--cores-root", str(cores), "run", *options]
    command += [f"--target={target}", core]
    environment = {**os.environ, "PATH": path, "XDG_CACHE_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_descriptions_are_current() -> None:
    """`python -m tools.fusesoc` writes them."""
    for path, text in descriptions():
        assert path.read_text() == text


@pytest.mark.parametrize("core", ["iddmm_arch2", "vdf_squarer"])
def test_lint_of_a_checked_in_core(core: str, tmp_path: Path) -> None:
    said = fusesoc(tmp_path, RTL, "lint", f"limbtrace::{core}")
    assert "%Warning" not in said
    assert "Built from" in said


def vivado(folder: Path, cores: Path, core: str) -> str:
    """The Tcl that FuseSoC writes for Vivado, which is not run."""
    fusesoc(folder, cores, "vivado", f"limbtrace::{core}", "--setup")
    (script,) = folder.glob("build/*/vivado/limbtrace__*_0.tcl")
    return script.read_text()


def test_vivado_and_a_checked_in_core(tmp_path: Path) -> None:
    text = vivado(tmp_path, RTL, "iddmm_arch2")
    assert "set_property part xc7k160tffg676-3 [current_project]" in text
    assert "set_property generic {K=32 NMax=16 Pipeline=0 UseDsp=1 } [get_filesets sources_1]" in text
    assert re.search(r"^read_verilog -sv \{\S+/lt_iddmm_arch2.sv\}$", text, re.MULTILINE)
    assert "set_property top lt_iddmm_arch2 [current_fileset]" in text


@pytest.mark.parametrize(("core", "prime"), [("iddmm_arch2", "p256"), ("hffm", "sike-p434"), ("vhdl_iddmm", "p256")])
def test_vivado_and_an_export(core: str, prime: str, tmp_path: Path) -> None:
    """With the clock, out of context; VHDL as it is, and wide parameters in a module around the core."""
    name = str(TOYS / core) if core.startswith("vhdl") else core
    Export.resolve(job(name, prime, mode="bulk", count=1), "xc7vx690tffg1157-3", "4").write(tmp_path / "out")
    text = vivado(tmp_path, tmp_path / "out", core)
    assert "set_property part xc7vx690tffg1157-3 [current_project]" in text
    assert re.search(r"^read_xdc \{\S+/vivado/clock.xdc\}$", text, re.MULTILINE)
    assert re.search(r"^source \{\S+/vivado/out_of_context.tcl\}$", text, re.MULTILINE)
    read = re.findall(r"^read_(verilog -sv|vhdl -vhdl2008) \{\S+?/(\w+)\.\w+\}$", text, re.MULTILINE)
    if core == "vhdl_iddmm":
        assert {language for language, _ in read} == {"vhdl -vhdl2008"}
        assert read[0][1] == "digit_pkg"
    else:
        assert {language for language, _ in read} == {"verilog -sv"}
    assert ("set_property generic" in text) == (core != "hffm")
    top = {"iddmm_arch2": "lt_iddmm_arch2", "hffm": "lt_hffm_set"}.get(core, core)
    assert f"set_property top {top} [current_fileset]" in text
    assert read[-1][1] == top


@pytest.mark.parametrize("fault", [False, True])
def test_an_export_runs(fault: bool, tmp_path: Path) -> None:
    core = copy_of(CORE, tmp_path, ("lt_iddmm_arch2.sv", "c_q <= u_carry", "c_q <= ~u_carry")) if fault else CORE
    Export.resolve(job(core, settings={"radix": "2^4"}, prime="0xea7", mode="bulk"), "xc7k160tffg676-3", "5").write(
        tmp_path / "out"
    )
    said = fusesoc(tmp_path, tmp_path / "out", "sim", "limbtrace::iddmm_arch2")
    assert ("LIMBTRACE PASS" in said) != fault
    assert ("LIMBTRACE MISMATCH" in said) == fault
