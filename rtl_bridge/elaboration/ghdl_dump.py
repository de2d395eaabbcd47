# SPDX-License-Identifier: Apache-2.0
"""The dump of a netlist by GHDL: gates and nets under numbers of their own, which its Verilog does not have.

GHDL joins the parts of a name by one underscore in Verilog, so that the port `sum` of the instance `add` and the signal
`add_sum` are the same there. In the dump they are `\\add.\\sum` and `\\add_sum`, each with the number of its net.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

_MODULE = re.compile(r"^  module \{m\d+\} \\(\S+)$")
_PORT = re.compile(r"^    (input|output|inout) (\S+?)(?:\[(?:\d+:0|\?)\])?;$")
_PLACE = re.compile(r"^    # (\S+)$")
_GATE = re.compile(r"^    instance (\S+)\{i\d+\}: (\S+)$")
_INPUT = re.compile(r"^      input (\S+)\{p\d+\} <- \S+\{n(\d+)w\d+\}$")
_OUTPUTS = re.compile(r"(\S+)\{n(\d+)w\d+\}")
_NAMED = ("$signal", "$isignal", "$output", "$ioutput", "$inout", "$iinout", "$port", "$memory", "$memory_init")
"""Gates that have their name from the VHDL, and whose net has it."""
INLINED = ("$const", "$posedge", "$negedge", "$edge")
"""Beginnings of the kinds of gates that GHDL writes at their uses."""


class DumpError(ValueError):
    """A dump of another form than that of GHDL 2.0."""


def written(name: str) -> str:
    """A name of the dump as the Verilog has it."""
    return "_".join(_part(part) for part in name.split("."))


def _part(part: str) -> str:
    return f"n{part[1:]}" if part.startswith("%") else part.removeprefix("\\").removeprefix("$")


@dataclass
class Gate:
    """A gate, or the instance of a module."""

    name: str
    kind: str
    place: str | None
    """FILE:LINE:COLUMN of what it was made of."""
    inputs: list[tuple[str, int]] = field(default_factory=list)
    """(port, number of its net)."""
    outputs: list[tuple[str, int]] = field(default_factory=list)

    @property
    def is_instance(self) -> bool:
        """True for the instance of a module of the VHDL."""
        return self.kind.startswith("\\")

    @property
    def is_inlined(self) -> bool:
        """True if its output has no declaration."""
        return self.kind.startswith(INLINED)

    def net(self, port: str) -> str:
        """The name of the net at an output."""
        return self.name if self.kind in _NAMED else f"{self.name}.{port}"


@dataclass
class Module:
    """A module with its ports, in the order of its header, and its gates."""

    name: str
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    gates: list[Gate] = field(default_factory=list)

    @property
    def ports(self) -> list[str]:
        """All ports in the order of the Verilog."""
        return [*self.inputs, *self.outputs]

    @cached_property
    def own(self) -> Gate | None:
        """The gate that stands for the module itself: its outputs are the input ports."""
        own = f"\\{self.name}"
        return next((gate for gate in self.gates if gate.kind == own and gate.name == own), None)

    @cached_property
    def drivers(self) -> Mapping[int, tuple[Gate, str]]:
        """The gate and its output that drive each net."""
        return {net: (gate, port) for gate in self.gates for port, net in gate.outputs}

    def inner(self) -> Iterator[Gate]:
        """The gates without that which stands for the module itself."""
        return (gate for gate in self.gates if gate is not self.own)


def modules(text: str) -> list[Module]:
    """The modules of a dump that are no gates of GHDL's own. Raises DumpError."""
    found: list[Module] = []
    place = None
    for line in text.splitlines():
        if line.startswith("  module "):
            name = _MODULE.match(line)
            current = Module(name[1]) if name else None
            if current:
                found.append(current)
            continue
        if not found or current is None:
            continue
        if matched := _PLACE.match(line):
            place = matched[1]
            continue
        _read(current, line, place)
        place = None
    return found


def _read(module: Module, line: str, place: str | None) -> None:
    if matched := _PORT.match(line):
        (module.outputs if matched[1] == "output" else module.inputs).append(matched[2])
    elif matched := _GATE.match(line):
        module.gates.append(Gate(matched[1], matched[2], place))
    elif line.startswith("      input ") and (matched := _INPUT.match(line)) and module.gates:
        gate = module.gates[-1]
        gate.inputs.append((_port(gate, matched[1]), int(matched[2])))
    elif line.startswith("      outputs ") and module.gates:
        gate = module.gates[-1]
        gate.outputs += [(_port(gate, name), int(net)) for name, net in _OUTPUTS.findall(line)]
    elif not line.startswith(("      parameters ", "    connect ", "  instance ", "    attribute")) and line.strip():
        raise DumpError(line.strip()[:60])


def _port(gate: Gate, name: str) -> str:
    if name.startswith(f"{gate.name}."):
        return name[len(gate.name) + 1 :]
    return name
