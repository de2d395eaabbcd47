# SPDX-License-Identifier: Apache-2.0
"""`limbtrace synth --depth`: the slowest path of a core on 7 series by the times of its cells, from Yosys' `sta`.

The times are those of Artix-7 that Yosys has from Project X-Ray. Wires take no time here, so this is a lower bound of
the period, and no frequency. `sta` knows the times only if it reads the library with `-specify`.
"""

import json
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from limbtrace.rtl_bridge.elaboration.yosys import run_yosys, top_module, version
from limbtrace.rtl_bridge.synthesis.result_rows import Measured
from limbtrace.rtl_bridge.synthesis.source_map import places
from limbtrace.vectors import cache
from limbtrace.vectors.errors import ToolError

FAMILY: Final = "xc7"
HEAD = ("core", "parameters", "family", "ns", "levels", "start", "end", "tool")

_SCRIPT = """read_json netlist.json
delete =A:blackbox
read_verilog -lib -specify +/xilinx/cells_sim.v
tee -q -o sta.txt sta
"""
_STEP = re.compile(
    r"^ +(?P<ps>\d+) +(?:\\?(?P<cell>\S+)(?: \[\d+\])? )?\((?P<pins>[^()]+)\)(?:\n {9,}\\?(?P<net>\S+))?", re.MULTILINE
)
"""A cell on the path or a port, the last one first, and the wire in front of it; an output has no name of its own."""


@dataclass(frozen=True)
class Depth(Measured):
    """The slowest path of one core with one set of RTL parameters."""

    ns: float
    """From a clock edge or a port, with the times of both registers."""
    levels: int
    """Cells between its ends; a carry chain is one."""
    start: str
    """File and line of the register or memory, or `port` with its name."""
    end: str
    tool: str

    @property
    def cells(self) -> list[str]:
        """The row as texts, in the order of HEAD."""
        return [*self.subject, FAMILY, f"{self.ns:.3f}", str(self.levels), self.start, self.end, self.tool]

    @property
    def document(self) -> dict[str, Any]:
        return {
            **self.about,
            "family": FAMILY,
            "ns": self.ns,
            "levels": self.levels,
            "start": self.start,
            "end": self.end,
            "tool": self.tool,
        }


def depth(core: str, parameters: Mapping[str, int], document: Mapping[str, Any]) -> Depth:
    """The slowest path of a netlist that `write_json` wrote for FAMILY. Raises ToolError."""
    with tempfile.TemporaryDirectory(prefix="limbtrace-") as folder:
        work = Path(folder)
        (work / "netlist.json").write_text(json.dumps(document))
        run_yosys(_SCRIPT, work, cache.folder() / f"{core}-sta.log")
        text = (work / "sta.txt").read_text()
    return Depth(core, parameters, *_path(text, top_module(document)), version(document))


def _path(text: str, module: Mapping[str, Any]) -> tuple[float, int, str, str]:
    """Nanoseconds, levels, start and end from what `sta` says."""
    steps = list(_STEP.finditer(text.partition("Arrival histogram")[0]))
    if not steps:
        raise ToolError("Yosys found no path between registers and ports")
    where = {cell: place for place, cells in places(module, "line").items() for cell in cells}

    def end(step: re.Match[str]) -> str:
        return where.get(step["cell"], f"port {step['cell'] or step['net']}")

    ended, *inner = steps
    if inner[-1]["pins"] == "<primary input>" and len(inner) > 1 and _is_clocked(module, inner[-2]):
        inner.pop()
    start = inner.pop()
    chains = [step["pins"].startswith("CARRY") and step["pins"].split(".")[1].startswith("CI->") for step in inner]
    return int(ended["ps"]) / 1000, chains.count(False), end(start), end(ended)


def _is_clocked(module: Mapping[str, Any], step: re.Match[str]) -> bool:
    """True if the step is from the clock of a cell to its output."""
    pin = step["pins"].partition(".")[2].partition("->")[0]
    return pin in ("C", "CLK", "WCLK", "CLKARDCLK", "CLKBWRCLK") and step["cell"] in module["cells"]
