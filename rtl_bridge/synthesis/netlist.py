# SPDX-License-Identifier: Apache-2.0
"""A netlist of Yosys for ECP5, with registers around it in place of pins, and names of registers for its cells."""

import re
from collections.abc import Collection
from typing import Any

from limbtrace.rtl_bridge.elaboration.yosys import top_module
from limbtrace.vectors.errors import ToolError

PORT_CLOCK = "lt_port_clk"
"""The clock of the registers around a core."""

_FLIP_FLOP = {
    "CEMUX": "1 ",  # Yosys writes texts that look like a number with a space
    "CLKMUX": "CLK",
    "GSR": "DISABLED",
    "LSRMUX": "LSR",
    "REGSET": "RESET",
    "SRMODE": "LSR_OVER_CE",
}
_MADE = re.compile(r"_TRELLIS_FF_.*|_\$_.*|(\.\d+)+(_D[IO].*)?$")
"""Suffixes that `autoname` gives to the name of a register, and `memory_libmap` to that of a memory."""


class Netlist:
    """The top module of what `write_json` wrote; `document` is that with the changes.

    Registers have to be named before `abc9`, which leaves one of the names of a wire, and rarely the register's.
    """

    def __init__(self, document: dict[str, Any]) -> None:
        """Raises ToolError where a port is neither an input nor an output."""
        self.document = document
        self._module = top_module(document)
        self._ports: dict[str, str] = {}
        for name, port in self._module["ports"].items():
            if port["direction"] == "inout":
                raise ToolError(f"port {name} is an inout, and only inputs and outputs are routed")

    @property
    def registers(self) -> int:
        """Number of registers around the core."""
        return len(self._ports)

    def surround(self, pins: Collection[tuple[str, int]]) -> None:
        """Give a register to every bit of a port that is not among `pins` (port, bit) and not constant."""
        ports, cells = self._module["ports"], self._module["cells"]
        clock = 1 + max((bit for bits in self._bits() for bit in bits if isinstance(bit, int)), default=1)
        for name, port in list(ports.items()):
            outward = port["direction"] == "input"
            around = [(k, bit) for k, bit in enumerate(port["bits"]) if (name, k) not in pins and isinstance(bit, int)]
            for k, bit in around:
                cell = f"lt_port_{name}_{k}"
                self._ports[cell] = name
                cells[cell] = _flip_flop(clock, "Q" if outward else "DI", bit)
            port["bits"] = [bit for k, bit in enumerate(port["bits"]) if (name, k) in pins]
            if not port["bits"]:
                del ports[name]
        ports[PORT_CLOCK] = {"direction": "input", "bits": [clock]}
        self._module["netnames"][PORT_CLOCK] = {"hide_name": 0, "bits": [clock], "attributes": {}}

    def is_port(self, cell: str) -> bool:
        """True if a cell is a register around the core."""
        return cell in self._ports

    def name(self, cell: str) -> str:
        """The register or memory of the sources that a cell is part of, or the port that it stands at."""
        return f"port {self._ports[cell]}" if cell in self._ports else _MADE.sub("", cell)

    def _bits(self) -> list[list[int | str]]:
        cells = (bits for cell in self._module["cells"].values() for bits in cell["connections"].values())
        return [*cells, *(port["bits"] for port in self._module["ports"].values())]


def _flip_flop(clock: int, pin: str, bit: int) -> dict[str, Any]:
    return {
        "hide_name": 0,
        "type": "TRELLIS_FF",
        "parameters": _FLIP_FLOP,
        "attributes": {},
        "port_directions": {"CLK": "input", "CE": "input", "LSR": "input", pin: "output" if pin == "Q" else "input"},
        "connections": {"CLK": [clock], "CE": ["1"], "LSR": ["0"], pin: [bit]},
    }
