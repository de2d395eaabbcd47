# SPDX-License-Identifier: Apache-2.0
"""A core in its shell as a design of registers and terms, by Yosys."""

import json
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.core.core import Core
from limbtrace.rtl_bridge.elaboration.yosys import copied, reading, run_yosys, top_module
from limbtrace.rtl_bridge.proof.btor2 import SteppedDesign
from limbtrace.rtl_bridge.proof.free_inputs import with_free_inputs
from limbtrace.rtl_bridge.shell.text import MODULES, Shell
from limbtrace.vectors import cache
from limbtrace.vectors.errors import ToolError

_RESET = "lt_shell/$driver$rst"
"""The reset of the bench, which changes at falling edges if it is asynchronous."""
_UNKNOWN = re.compile(r"\(\^\w+\) === 1'bx")
"""The bench's check for unknown bits of addresses; nothing is unknown in a proof."""
INSIDE = "u_core."
"""Prefix of the names of registers of the core."""

_SCRIPT = """hierarchy -top lt_shell
proc
flatten
opt_clean
select -set clocked w:clk_i %co1:+[CLK]
select -set kept t:$*dff* t:$memwr* %u
tee -q -o apart.txt select -list @kept @clocked %d @kept r:CLK_POLARITY=0 %i t:$*latch* t:$sr w:clk_i %co1:-[CLK] t:* %i
async2sync
opt_expr
opt_clean
memory -nomap
memory_map
opt_expr
opt_merge t:* t:$*dff* %d
opt_clean
dffunmap
opt_clean
write_btor -s design.btor
"""
"""`opt -full` would remove watched registers. Equal registers stay apart: one of the core and one of the bench, which
samples the same, would be one register of the bench, and nothing of it would be forgotten after a product. BTOR2 has no
clocks: apart.txt lists what has not that of the shell."""


_LOOP = "topological loop"
"""Words of Yosys for a combinational loop."""
_CLOCKED = re.compile(r"\b(\w+)(?:\[[^;=]*\])?\s*<=|\b(\w+_q)\b")
"""Names that a process of the bench may write."""
_INSTANCE = re.compile(r"\b(u_\w+) \(")


class Registers:
    """Which registers of a design belong to the core: all but those of the bench, since Yosys has no name for some."""

    def __init__(self, shell: Shell) -> None:
        self._own = _written(shell.text)
        self._instances = {name for name in _INSTANCE.findall(shell.text) if f"{name}." != INSIDE}
        self._inside = set[str]().union(*(_written(path.read_text()) for path in MODULES))

    def in_core(self, name: str) -> bool:
        """True if a register of that name is the core's, and not the bench's."""
        instance, _, rest = name.partition(".")
        bench = name in self._own if not rest else instance in self._instances and rest.split(".")[-1] in self._inside
        return not bench


def _written(text: str) -> set[str]:
    return {name for pair in _CLOCKED.findall(text) for name in pair if name}


def _run(core: Core, script: str, work: Path, log: Path) -> None:
    """Run Yosys. Raises ToolError, ParameterError for a combinational loop, which a file in BTOR2 cannot have."""
    try:
        run_yosys(script, work, log)
    except ToolError as error:
        if _LOOP not in str(error):
            raise
        sentence = f"{core.file.name} has a combinational loop, and no proof is made of that"
        raise ParameterError("core", sentence) from None


_INFERRED = "memory -nomap\n"
_SELECTED = "t:$mem_v2 %ci1:+[RD_ADDR,RD_EN,WR_ADDR,WR_EN] t:$mem_v2 %d"
_KEEPING = f"""memory_collect
rename -enumerate -pattern lt_addressed_% {_SELECTED}
expose {_SELECTED}
write_json memories.json
"""
"""Makes the nets at the address ports of memories outputs, and writes down which these are. The ports are those of the
RTL: the optimisations of `memory` make a write enable that depends on data of data that are written back.
"""
_PORTS = {
    "RD_ADDR": "read address", "RD_EN": "read enable", "WR_ADDR": "write address", "WR_EN": "write enable",
}  # fmt: skip
T = TypeVar("T")


@dataclass(frozen=True)
class MemoryPort:
    """The addresses, or the enables, of all ports of a memory that have the same direction."""

    memory: str
    """Its name inside the core."""
    kind: str
    """One of the values of _PORTS."""
    bits: tuple[tuple[str, int], ...]
    """(net, bit of it) of those that are no constants."""


def elaborated(shell: Shell) -> SteppedDesign:
    """The design. Raises ToolError where Yosys does not read it, ParameterError for a register with another clock."""
    return _read(shell, _SCRIPT, lambda work: SteppedDesign(work / "design.btor"))


def elaborated_with_memories(shell: Shell) -> tuple[SteppedDesign, list[MemoryPort]]:
    """The design, and the ports of the memories inside the core; raises as `elaborated`."""
    script = _SCRIPT.replace(_INFERRED, _KEEPING)

    def both(work: Path) -> tuple[SteppedDesign, list[MemoryPort]]:
        module = top_module(json.loads((work / "memories.json").read_text()))
        return SteppedDesign(work / "design.btor"), list(_memory_ports(module))

    return _read(shell, script, both)


def _memory_ports(module: Any) -> Iterator[MemoryPort]:
    """The ports of memories of the core in a module as Yosys writes it in JSON."""
    nets: dict[int, tuple[str, int]] = {}
    for name, net in module["netnames"].items():
        if name in module["ports"]:
            nets |= {bit: (name, place) for place, bit in enumerate(net["bits"]) if isinstance(bit, int)}
    for cell in module["cells"].values():
        name = str(cell.get("parameters", {}).get("MEMID", "")).removeprefix("\\")
        if cell["type"] == "$mem_v2" and name.startswith(INSIDE):
            for port, kind in _PORTS.items():
                bits = dict.fromkeys(bit for bit in cell["connections"][port] if isinstance(bit, int))
                if bits:
                    yield MemoryPort(name.removeprefix(INSIDE), kind, tuple(nets[bit] for bit in bits))


def _read(shell: Shell, script: str, read: Callable[[Path], T]) -> T:
    """Run the script in Yosys and read the folder with its files."""
    core, sources = shell.bound.core, shell.bound.sources
    core.check_hardware("a proof")
    log = cache.folder() / f"{core.file.name}-proof.log"
    with tempfile.TemporaryDirectory(prefix="limbtrace-") as folder:
        work = Path(folder)
        copied(core, sources, (*shell.bound.files, *sources.simulated), work)
        for path in MODULES:
            (work / path.name).write_text(path.read_text())
        (work / "lt_shell.sv").write_text(_UNKNOWN.sub("1'b0", with_free_inputs(shell.text)))
        more = [*(path.name for path in MODULES), "lt_shell.sv"]
        _run(core, reading(core, sources, sources.simulated, "--top lt_shell", more) + script, work, log)
        apart = [line for line in (work / "apart.txt").read_text().splitlines() if line != _RESET]
        if apart:
            where = apart[0].partition(INSIDE)[2] or "something"
            why = "is a latch, uses the clock as data, or keeps data at another edge than that of the clock"
            raise ParameterError("core", f"{where} in {core.file.name} {why}, and no proof is made of that")
        return read(work)
