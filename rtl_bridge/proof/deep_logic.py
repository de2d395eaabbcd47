# SPDX-License-Identifier: Apache-2.0
"""Logic that is too deep for Yosys' stack: `write_btor` follows each output down to registers and inputs.

It takes outputs one after the other, the newest first, and what it has written it does not follow again. With
intermediate outputs, of which the shallowest are the newest, it has to follow a few levels each time.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

LEVELS = 64
"""Cells between two intermediate outputs."""
_NETLIST = "deep.json"
_NAME_WIRES = "rename -enumerate -pattern lt_wire_% w:$*\n"
"""Wires without a name have none that a command could give."""
WRITE_NETLIST = f"{_NAME_WIRES}write_json {_NETLIST}\n"
"""Commands that write a netlist for `with_intermediate_outputs`."""
_STATEFUL = ("$dff", "$mem", "$anyseq", "$anyconst")
"""Beginnings of the types of cells whose outputs do not depend on their inputs in the same cycle."""
_PREFIX = "lt_deep_"


class LoopError(Exception):
    """Combinational logic is behind itself."""


def with_intermediate_outputs(work: Path, top: str) -> str:
    """Commands that give a design intermediate outputs; WRITE_NETLIST has written its netlist into the folder.

    Raises LoopError.
    """
    module = json.loads((work / _NETLIST).read_text())["modules"][top]
    places = {bit: (name, at) for name, net in module["netnames"].items() for at, bit in enumerate(net["bits"])}
    deep = [(level, bits) for level, bits in _levels(module["cells"].values()) if not level % LEVELS]
    lines = [_NAME_WIRES, f"cd {top}\n"]
    for number, (_, bits) in enumerate(sorted(deep, key=lambda each: -each[0])):
        name, whole = f"{_PREFIX}{number}", ",".join("{}[{}]".format(*places[bit]) for bit in reversed(bits))
        lines.append(f"add -output {name} {len(bits)}\nconnect -set {name} {whole}\n")
    return "".join([*lines, "cd ..\n"])


def without_intermediate_outputs(design: str) -> str:
    """A design in BTOR2 without the outputs that `with_intermediate_outputs` adds."""
    return re.sub(rf"^\d+ output \d+ {_PREFIX}\d+\n", "", design, flags=re.MULTILINE)


def _levels(cells: Iterable[Any]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Level and output bits of each cell of combinational logic: 1 behind registers and inputs.

    Raises LoopError for a combinational loop, whose cells have none.
    """
    logic = [cell for cell in cells if not cell["type"].startswith(_STATEFUL)]
    drivers = {bit: number for number, cell in enumerate(logic) for bit in _bits(cell, "output")}
    levels: dict[int, int] = {}
    entered: set[int] = set()
    for root in range(len(logic)):
        waiting = [root]
        while waiting:
            number = waiting[-1]
            behind = {drivers[bit] for bit in _bits(logic[number], "input") if bit in drivers}
            if number not in entered:
                entered.add(number)
                waiting += behind - entered
                continue
            waiting.pop()
            if not behind <= levels.keys():
                raise LoopError
            if number not in levels:
                levels[number] = 1 + max((levels[each] for each in behind), default=0)
                yield levels[number], tuple(_bits(logic[number], "output"))


def _bits(cell: Any, direction: str) -> list[int]:
    """Numbers of the nets at the ports of a cell; constants have none."""
    ports = [name for name, each in cell["port_directions"].items() if each == direction]
    return [bit for name in ports for bit in cell["connections"][name] if isinstance(bit, int)]
