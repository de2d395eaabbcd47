# SPDX-License-Identifier: Apache-2.0
"""A core as gates: the netlist of Yosys in a folder of its own, described as the core is at its ports."""

import re
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.core.core import load
from limbtrace.rtl_bridge.description.writer import toml
from limbtrace.rtl_bridge.elaboration.yosys import copied, reading_top, run_yosys
from limbtrace.vectors import cache
from limbtrace.vectors.files import write_directory

NETLIST = "netlist.v"
_LOST = (
    "build", "ranges", "synth", "route", "prove", "cells", "include", "defines", "libraries", "flags", "vhdl",
    "vhdl_libraries", "ghdl", "probe", "row",
)  # fmt: skip
"""Keys of a description that are about its sources, or about signals inside."""
_SCRIPT = "synth -flatten -top {top}\nclean\nwrite_verilog -noattr netlist.v\n"


def netlist_core(bound: Bound, folder: Path) -> None:
    """Write the netlist of a bound core, and its description, into a new folder.

    Raises ParameterError where its description is about signals that a netlist does not have, ToolError.
    """
    core, sources = bound.core, bound.sources
    core.check_hardware("a netlist")
    described = tomllib.loads((core.folder / "core.toml").read_text(encoding="utf-8"))
    kept = _settled({name: value for name, value in described.items() if name not in _LOST}, bound.parameters)
    text = "# SPDX-License-Identifier: Apache-2.0\n" + "".join(
        f"{name} = {toml(value)}\n" for name, value in {**kept, "files": [NETLIST]}.items()
    )
    with tempfile.TemporaryDirectory(prefix="limbtrace-") as temporary:
        work = Path(temporary)
        copied(core, sources, bound.files, work)
        script = reading_top(core, sources, bound.parameters) + _SCRIPT.format(top=core.file.top)
        run_yosys(script, work, cache.folder() / f"{core.file.name}-netlist.log")
        (work / "core.toml").write_text(text)
        if inside := load(work).file.inside:
            raise ParameterError("core", f"its description names {next(iter(inside))}, which a netlist does not have")
        gates = re.sub(r"^/\*.*\*/\n", "", (work / NETLIST).read_text())
        write_directory(folder, [("core.toml", [text.encode()]), (NETLIST, [gates.encode()])], NETLIST)


def _settled(value: Any, parameters: Mapping[str, int]) -> Any:
    """A value of a description with numbers in place of RTL parameters, which a netlist does not have.

    No port has the name of a parameter.
    """
    if isinstance(value, dict):
        return {name: _settled(entry, parameters) for name, entry in value.items()}
    if isinstance(value, list):
        return [_settled(entry, parameters) for entry in value]
    if isinstance(value, str):
        return re.sub(r"[A-Za-z_]\w*", lambda found: str(parameters.get(found[0], found[0])), value)
    return value
