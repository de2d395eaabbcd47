# SPDX-License-Identifier: Apache-2.0
"""A lock-step run: every watched signal in every cycle, in a simulator that cocotb drives (`run.drive`)."""

from functools import cached_property
from pathlib import Path

from cocotb_tools import config

from limbtrace.rtl_bridge.programs.embedded import surroundings
from limbtrace.rtl_bridge.run.builds import Build
from limbtrace.rtl_bridge.run.driver import Driver, More, enough
from limbtrace.rtl_bridge.run.report import Tally
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.session import call
from limbtrace.rtl_bridge.run.testbench import TIMED, Testbench
from limbtrace.rtl_bridge.shell.outcome import outcome_parameters

_TOP = "lt_lockstep_tb"


class Lockstep(Driver):
    """One product after the other, each compared before the next one begins."""

    @cached_property
    def testbench(self) -> Testbench:
        libraries = f"-Wl,-rpath,{config.libs_dir} -L{config.libs_dir} -lcocotbvpi_verilator"
        return Testbench(
            top=_TOP,
            parameters=outcome_parameters(),
            verilator=(*TIMED, "--vpi", "-LDFLAGS", libraries),
            vvp=("-m", config.lib_entry("vpi", "icarus")),
            sources=(config.share_dir / "lib" / "verilator" / "verilator.cpp",),
        )

    def drive(self, run: Run, build: Build, work: Path, waves: Path | None, more: More = enough) -> Tally:
        return call(run, build, work, waves, _cocotb(build.simulator, work), more)


MODE = Lockstep()


def _cocotb(simulator: str, work: Path) -> dict[str, str]:
    """Environment variables of cocotb."""
    own = {"COCOTB_TRUST_INERTIAL_WRITES": "1" if simulator == "verilator" else "", "TOPLEVEL_LANG": "verilog"}
    return {**surroundings(_TOP, "limbtrace.rtl_bridge.run.drive", work / "cocotb.xml"), **own}
