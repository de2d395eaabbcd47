# SPDX-License-Identifier: Apache-2.0
"""The ports of memories inside a core, as nets of its design."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from limbtrace.rtl_bridge.elaboration.yosys import top_module
from limbtrace.rtl_bridge.proof.btor2 import SteppedDesign
from limbtrace.rtl_bridge.proof.elaborate import COLLECTING, INSIDE, elaborated_with
from limbtrace.rtl_bridge.shell.text import Shell

_FILE = "memories.json"
_SELECTED = "t:$mem_v2 %ci1:+[RD_ADDR,RD_EN,WR_ADDR,WR_EN] t:$mem_v2 %d"
_KEEPING = f"""rename -enumerate -pattern lt_addressed_% {_SELECTED}
expose {_SELECTED}
write_json {_FILE}
"""
"""Makes the nets at the address ports of memories outputs, and writes down which these are. The ports are those of the
RTL: optimisations of memories make a write enable that depends on data of data that are written back.
"""
_PORTS = {
    "RD_ADDR": "read address", "RD_EN": "read enable", "WR_ADDR": "write address", "WR_EN": "write enable",
}  # fmt: skip


@dataclass(frozen=True)
class MemoryPort:
    """The addresses, or the enables, of all ports of a memory that have the same direction."""

    memory: str
    """Its name inside the core."""
    kind: str
    """One of the values of _PORTS."""
    bits: tuple[tuple[str, int], ...]
    """(net, bit of it) of those that are no constants."""


def elaborated_with_memories(shell: Shell) -> tuple[SteppedDesign, list[MemoryPort]]:
    """The design, and the ports of the memories inside the core; raises as `elaborated`."""
    design, files = elaborated_with(shell, COLLECTING + _KEEPING)
    return design, list(_memory_ports(top_module(json.loads(files[_FILE]))))


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
