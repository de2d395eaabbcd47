# SPDX-License-Identifier: Apache-2.0
"""A core in its shell as a design of registers and terms, by Yosys."""

import tempfile
from pathlib import Path

from refmodels.errors import ParameterError
from rtl_bridge.core.yosys import copied, reading, run_yosys
from rtl_bridge.proof.btor2 import SteppedDesign
from rtl_bridge.shell.text import STATIC, Shell
from vectors import cache

_BENCHES = ("lt_clock",)
"""Modules that no shell uses, and no synthesis reads."""

INSIDE = "u_core."
"""What names of registers of the core begin with."""

_SCRIPT = """hierarchy -top lt_shell
proc
flatten
opt_clean
select -set clocked w:clk_i %co1:+[CLK]
tee -q -o apart.txt select -list t:$*dff* t:$memwr* %u @clocked %d t:$*dff* r:CLK_POLARITY=0 %i t:$*latch* t:$sr
async2sync
opt_expr
opt_clean
memory -nomap
memory_map
opt_expr
opt_merge
opt_clean
dffunmap
opt_clean
write_btor -s design.btor
"""
"""`opt -full` would remove watched registers. BTOR2 has no clocks: apart.txt lists what has not that of the shell."""


def elaborated(shell: Shell) -> SteppedDesign:
    """The design. Raises ToolError where Yosys does not read it, ParameterError for a register with another clock."""
    core, sources = shell.bound.core, shell.bound.sources
    log = cache.folder() / f"{core.file.name}-proof.log"
    with tempfile.TemporaryDirectory(prefix="limbtrace-") as folder:
        work = Path(folder)
        copied(core, sources, (*shell.bound.files, *sources.simulated), work)
        static = [path for path in sorted(STATIC.glob("*.sv")) if "_tb" not in path.stem and path.stem not in _BENCHES]
        for path in static:
            (work / path.name).write_text(path.read_text())
        (work / "lt_shell.sv").write_text(shell.text)
        more = [*(path.name for path in static), "lt_shell.sv"]
        run_yosys(reading(core, sources, sources.simulated, "--top lt_shell", more) + _SCRIPT, work, log)
        apart = [line for line in (work / "apart.txt").read_text().splitlines() if INSIDE in line]
        if apart:
            name = apart[0].partition(INSIDE)[2]
            why = "is a latch, or a register without the rising edge of the clock, of which no proof is made"
            raise ParameterError("core", f"{name} in {core.file.name} {why}")
        return SteppedDesign(work / "design.btor")
