# SPDX-License-Identifier: Apache-2.0
"""Areas of a core from Yosys for Xilinx parts, as rows.

Areas differ by some percent between versions of Yosys, so the version is part of a row. Vivado gives other areas.
"""

import csv
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from limbtrace.rtl_bridge.core.core import Core
from limbtrace.rtl_bridge.description.tables import Family
from limbtrace.rtl_bridge.elaboration.design import Sources
from limbtrace.rtl_bridge.elaboration.elaborate import elaborate
from limbtrace.rtl_bridge.elaboration.yosys import copied, reading_top, run_yosys, top_module, version
from limbtrace.rtl_bridge.synthesis.lut_sites import Sites, in_sites
from limbtrace.rtl_bridge.synthesis.result_rows import Measured
from limbtrace.rtl_bridge.synthesis.source_map import By, places
from limbtrace.rtl_bridge.synthesis.stored_areas import TABLE
from limbtrace.vectors import cache
from limbtrace.vectors.errors import ToolError

FAMILIES: tuple[Family, ...] = get_args(Family)
"""Families; the first one is the default for a request with a modulus."""

NETLIST = "netlist.json"
"""File that Yosys writes."""

Point = tuple[str, Mapping[str, int]]
"""Family and RTL parameters."""

_RAM_LUTS = {"32X1S": 1, "32X1D": 2, "32M": 4, "32M16": 8, "64X1S": 1, "64X1D": 2, "64M": 4, "64M8": 8}
_RAM_LUTS |= {"128X1S": 2, "128X1D": 4, "256X1S": 4, "256X1D": 8, "512X1S": 8}
"""Number of LUTs of a memory primitive RAM<name>."""

_FREE = re.compile(r"INV|GND|VCC|I?BUFG?|OBUF")

_KINDS = (
    ("LUT", re.compile(r"LUT[1-6]")),
    ("FF", re.compile(r"FD[RSCP]E(_1)?|LD[CP]E")),
    ("DSP", re.compile(r"DSP48\w*")),
    ("CARRY", re.compile(r"CARRY[48]")),
    ("MUX", re.compile(r"MUXF[5-9]")),
    ("BRAM18", re.compile(r"RAMB18\w*")),
    ("BRAM36", re.compile(r"RAMB36\w*")),
)
"""Resources that are counted cell by cell."""

RESOURCES = ("LUT", "SITES", "THRU", "LUTRAM", "FF", "DSP", "CARRY", "MUX", "BRAM18", "BRAM36")
"""SITES and THRU are those of `synthesis.lut_sites`: sites that hold the LUT cells, and sites that pass a signal on."""


@dataclass(frozen=True)
class AreaRow(Measured):
    """Area of one core with one set of RTL parameters in one family."""

    family: str
    area: Mapping[str, int]
    """RESOURCES; LUTRAM in sites, CARRY in CARRY4 or CARRY8."""
    tool: str

    @property
    def cells(self) -> list[str]:
        """The row as texts, in the order of HEAD."""
        return [*self.subject, self.family, *(str(self.area[name]) for name in RESOURCES), self.tool]

    @property
    def document(self) -> dict[str, Any]:
        return {
            **self.about,
            "family": self.family,
            "area": dict(self.area),
            "tool": self.tool,
        }


HEAD = ("core", "parameters", "family", *RESOURCES, "tool")


@dataclass(frozen=True)
class SourceRow(AreaRow):
    """The share of a row that comes from one file, or from one line."""

    source: str

    @property
    def cells(self) -> list[str]:
        """As texts, in the order of PARTS."""
        return [*super().cells, self.source]

    @property
    def document(self) -> dict[str, Any]:
        return {**super().document, "source": self.source}


PARTS = (*HEAD, "source")


def area(cells: Mapping[str, Any], sites: Sites) -> dict[str, int]:
    """RESOURCES of some cells of a module that `write_json` wrote. Raises ToolError for a cell of unknown kind."""
    counted = count(Counter(cell["type"] for cell in cells.values()))
    counted["SITES"], counted["THRU"] = sites.used(cells)
    return {name: counted[name] for name in RESOURCES}


def count(cells: Mapping[str, int]) -> Counter[str]:
    """Resources from the number of cells by type. Raises ToolError for a cell of unknown kind."""
    found: Counter[str] = Counter()
    for cell, number in cells.items():
        kind = next((name for name, pattern in _KINDS if pattern.fullmatch(cell)), None)
        if kind is not None:
            found[kind] += number
        elif cell.startswith("RAM") and cell[3:] in _RAM_LUTS:
            found["LUTRAM"] += number * _RAM_LUTS[cell[3:]]
        elif cell in ("SRL16E", "SRLC32E"):
            found["LUTRAM"] += number
        elif not _FREE.fullmatch(cell):
            raise ToolError(f"Yosys left {number} cells {cell}, which are none of {', '.join(RESOURCES)}")
    return found


def netlist(core: Core, parameters: Mapping[str, int], family: str) -> dict[str, Any]:
    """Netlist of the core, not its probe, out of context, by `write_json`. Raises ParameterError, ToolError."""
    core.check_hardware("synthesis")
    design = elaborate(core, parameters)
    log = cache.folder() / f"{core.file.name}-yosys.log"
    with tempfile.TemporaryDirectory(prefix="limbtrace-") as folder:
        work = Path(folder)
        copied(core, design.sources, design.files, work)
        run_yosys(script(core, design.sources, parameters, family), work, log)
        document: dict[str, Any] = json.loads((work / NETLIST).read_text())
    return document


def synthesise(core: Core, parameters: Mapping[str, int], family: str) -> AreaRow:
    """The area of a netlist. Raises ParameterError, ToolError."""
    document = netlist(core, parameters, family)
    module = top_module(document)
    return AreaRow(core.file.name, parameters, family, area(module["cells"], in_sites(module)), version(document))


def synthesise_parts(core: Core, parameters: Mapping[str, int], family: str, by: By) -> list[SourceRow]:
    """The area of a netlist by the sources that its cells come from, in the order of files and lines.

    Raises ParameterError, ToolError.
    """
    document = netlist(core, parameters, family)
    module = top_module(document)
    sites = in_sites(module)
    return [
        SourceRow(core.file.name, parameters, family, area(cells, sites), version(document), place)
        for place, cells in places(module, by).items()
    ]


def script(core: Core, sources: Sources, parameters: Mapping[str, int], family: str) -> str:
    """The commands for Yosys, which write NETLIST.

    ABC's check of its own result is left out: it changes no area, and takes a third of ABC's time where large
    multipliers and adders follow each other without registers.
    """
    return (
        reading_top(core, sources, parameters)
        + "scratchpad -set abc9.verify 0\n"
        + f"synth_xilinx -family {family} -top {core.file.top} -flatten -noiopad -noclkbuf\n"
        + f"write_json {NETLIST}\n"
    )


def kept(core: Core) -> list[list[str]]:
    """The rows in the folder of the core, as texts in the order of HEAD; none without the file."""
    path = core.folder / TABLE
    core.check_places([path])
    return list(csv.reader(path.read_text().splitlines()))[1:] if path.is_file() else []


def measure(core: Core, points: Sequence[Point]) -> Iterator[AreaRow]:
    """Synthesise the core for each point. Raises like `synthesise`."""
    return (synthesise(core, parameters, family) for family, parameters in announced(points))


def announced(points: Sequence[Point]) -> Iterator[Point]:
    """The points, each named on standard error before its turn."""
    for number, (family, parameters) in enumerate(points, 1):
        named = ", ".join([family, *(f"{name} = {value}" for name, value in parameters.items())])
        print(f"limbtrace: Yosys, {number} of {len(points)}: {named}", file=sys.stderr, flush=True)
        yield family, parameters
