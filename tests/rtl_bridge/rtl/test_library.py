# SPDX-License-Identifier: Apache-2.0
"""`limbtrace library` in a simulator: the example, and a scoreboard around a core with operands of the testbench."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from pyslang import DiagnosticEngine
from pyslang.driver import Driver

from limbtrace.refmodels.registry import ARCHITECTURES, MODELS
from limbtrace.rtl_bridge.programs.process import environment
from limbtrace.rtl_bridge.run.simulators import simulator
from limbtrace.vectors.cli.app import main
from tests.refmodels.test_programs import ANY
from tests.vectors.test_library import any_modulus, small, written

TOP = Path(__file__).parents[3]
RTL = TOP / "rtl_bridge" / "rtl"
CORE = RTL / "iddmm_arch2" / "lt_iddmm_arch2.sv"
CELLS = [RTL / "cells" / f"lt_{name}.sv" for name in ("mul_logic", "mul", "mont_frame", "mont_products")]


def library(folder: Path, *arguments: str) -> Path:
    """Written by the command line."""
    with pytest.raises(SystemExit) as ended:
        main(["library", *arguments, "-o", str(folder)])
    assert ended.value.code == 0
    return folder


def built(folder: Path, top: str, sources: Sequence[Path | str]) -> Path:
    """What Verilator makes of a testbench."""
    flags = ["--binary", "--timing", "-Wno-fatal", "-CFLAGS", "-std=c++20 -fcoroutines -O0", "--top-module", top]
    command = [simulator("verilator").path, *flags, "-Mdir", "model", *map(str, sources)]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "model" / f"V{top}"


def said(program: Path, *arguments: str) -> str:
    """What a simulation prints."""
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["iddmm2", "--prime", "p256", "--radix", "2^32"], "lt_iddmm2"),
        (["iddmm2", "--bits", "256", "--radix", "2^32"], "lt_iddmm2"),
        (["fpmm", "--core", "--bits", "61", "--set", "w=16", "--products", "3", "--name", "golden"], "golden"),
        pytest.param(
            ["fpmm", "--core", "--prime", "2^61-1", "--set", "w=16", "--products", "3", "--name", "golden"],
            "golden",
            marks=pytest.mark.full,
        ),
    ],
)
def test_the_example(arguments: list[str], name: str, tmp_path: Path) -> None:
    """Results agree with the arithmetic of the simulator."""
    library(tmp_path / "made", *arguments)
    program = built(tmp_path / "made", f"{name}_example", ["-f", f"{name}.f", f"{name}_example.sv"])
    assert ", 0 wrong" in said(program)


@pytest.mark.full
def test_a_scoreboard(tmp_path: Path) -> None:
    """Every watched signal of a 256-bit core in every cycle of 300 products; a fault in the core is seen."""
    made = library(
        tmp_path / "made", "iddmm_arch2", "--prime", "p256", "--radix", "2^32", "--name", "golden"
    )  # fmt: skip
    right = "else if (u_run) c_q <= u_carry;"
    text = CORE.read_text()
    assert text.count(right) == 1
    fault = 'else if (u_run) c_q <= $test$plusargs("fault") && u_carry[7:0] == 8\'hfe ? u_carry ^ 1 : u_carry;'
    core = tmp_path / CORE.name
    core.write_text(text.replace(right, fault))
    sources = [*(made / f"golden{end}" for end in ("_pkg.sv", "_dpi.c", ".c")), *CELLS, core,
               TOP / "tests" / "data" / "scoreboard.sv"]  # fmt: skip
    program = built(tmp_path, "scoreboard", [f"-I{RTL / 'cells'}", *sources])
    assert "24000 rows compared, 0 wrong" in said(program)
    found = said(program, "+fault")
    assert "24000 rows compared" in found
    assert ", 0 wrong" not in found


def test_a_wrong_modulus_ends_the_simulation(tmp_path: Path) -> None:
    made = library(tmp_path / "made", "iddmm2", "--bits", "64", "--radix", "2^32", "--name", "any")
    text = (made / "any_example.sv").read_text()
    (made / "any_example.sv").write_text(text.replace("modulus[0] = 1;", "modulus[0] = n < 3;"))
    program = built(made, "any_example", ["-f", "any.f", "any_example.sv"])
    done = subprocess.run([program], capture_output=True, text=True)
    assert done.returncode != 0
    assert "is no odd modulus of 64 bits" in done.stdout


@pytest.mark.parametrize(
    ("name", "core", "bits"),
    [*((name, False, None) for name in MODELS), *((name, True, None) for name in ARCHITECTURES),
     *((name, False, 61) for name in ANY), ("redundant", True, 61)],
)  # fmt: skip
def test_every_package_is_systemverilog(name: str, core: bool, bits: int | None, tmp_path: Path) -> None:
    """By slang, which is strict: names that are no keywords, widths, and types that may cross the DPI."""
    made = written(small(name, core) if bits is None else any_modulus(name, core, bits), tmp_path)
    driver = Driver()
    driver.addStandardArgs()
    assert driver.parseCommandLine(f"slang {made}/lt_{name}_pkg.sv {made}/lt_{name}_example.sv")
    assert driver.processOptions()
    assert driver.parseAllSources()
    found = [diagnostic for diagnostic in driver.createCompilation().getAllDiagnostics() if diagnostic.isError()]
    assert not found, DiagnosticEngine.reportAll(driver.sourceManager, found)
