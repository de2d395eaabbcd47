# SPDX-License-Identifier: Apache-2.0
"""FuseSoC takes the cores, and runs an export."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rtl_bridge.flow.export import Export
from rtl_bridge.programs import process
from rtl_bridge.run.simulators import verilator
from tests.conftest import ROOT
from tests.rtl_bridge.helpers import CORE, copy_of, job
from tools.fusesoc import descriptions

RTL = ROOT / "rtl_bridge" / "rtl"


def fusesoc(folder: Path, cores: Path, target: str, core: str) -> str:
    """What FuseSoC and the tools that it calls say."""
    path = os.pathsep.join([str(Path(verilator().path).parent), process.environment()["PATH"]])
    command = [sys.executable, "-m", "fusesoc.main", "--cores-root", str(cores), "run", f"--target={target}", core]
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


@pytest.mark.parametrize("fault", [False, True])
def test_an_export_runs(fault: bool, tmp_path: Path) -> None:
    core = copy_of(CORE, tmp_path, ("lt_iddmm_arch2.sv", "c_q <= u_carry", "c_q <= ~u_carry")) if fault else CORE
    Export.resolve(job(core, settings={"radix": "2^4"}, prime="0xea7", mode="bulk"), "xc7k160tffg676-3", "5").write(
        tmp_path / "out"
    )
    said = fusesoc(tmp_path, tmp_path / "out", "sim", "limbtrace::iddmm_arch2")
    assert ("LIMBTRACE PASS" in said) != fault
    assert ("LIMBTRACE MISMATCH" in said) == fault
