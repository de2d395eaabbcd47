# SPDX-License-Identifier: Apache-2.0
"""From which files and lines the cells of a netlist come.

Registers, carry chains and multipliers keep the line that they were made from. LUTs do not, since ABC makes all logic
anew, and neither do memories.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Literal

By = Literal["file", "line"]

_OWN = re.compile(r"(?:core|cells|converted)/(?P<file>[^|]*):(?P<line>\d+)\.")
"""The first line of a cell in what Yosys read of the core, which `elaboration.yosys.copied` put into these folders."""
PORTS = "ports"
"""The place of logic that no register follows."""

_Place = tuple[str, int]


def places(module: Mapping[str, Any], by: By) -> dict[str, dict[str, Any]]:
    """The cells of a module that `write_json` wrote, by `file` or `file:line`, in this order, PORTS last.

    A cell without a line of its own is where the nearest one is that follows it and has one, the first of equals.
    """
    found = _found(module)
    groups: dict[str, dict[str, Any]] = defaultdict(dict)
    for name in sorted(module["cells"], key=lambda name: found.get(name, (chr(0x10FFFF), 0))):
        file, line = found.get(name, (PORTS, 0))
        groups[f"{file}:{line}" if line and by == "line" else file][name] = module["cells"][name]
    return dict(groups)


def _found(module: Mapping[str, Any]) -> dict[str, _Place]:
    """The places of all cells that a cell with a line follows."""
    drivers = {net: name for name, cell in module["cells"].items() for net in _nets(cell, "output")}
    owned = ((name, _OWN.search(cell["attributes"].get("src", ""))) for name, cell in module["cells"].items())
    found = {name: (own["file"], int(own["line"])) for name, own in owned if own}
    queue = list(found)
    for name in queue:  # grows: those in front of it come behind all that are as near as it is
        for driver in (drivers[net] for net in _nets(module["cells"][name], "input") if net in drivers):
            if driver not in found:
                found[driver] = found[name]
                queue.append(driver)
    return found


def _nets(cell: Mapping[str, Any], direction: str) -> Iterator[int]:
    for pin, nets in cell["connections"].items():
        if cell["port_directions"][pin] == direction:
            yield from (net for net in nets if isinstance(net, int))
