# SPDX-License-Identifier: Apache-2.0
"""The interface of a module that no `core.toml` describes yet, in types of our own."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

SizeTerm = tuple[str, ...]
"""Names of RTL parameters that are multiplied; empty for the constant."""


@dataclass(frozen=True)
class SketchParameter:
    """A parameter of the top module that a build may set."""

    name: str
    default: int | None
    """Its value without a build; None if it is not an integer."""
    comment: str = ""


@dataclass(frozen=True)
class SketchPort:
    """A port of the top module, or a part of one."""

    name: str
    """As a description names it: `a_i`, `req_i.a`, `clks_i[1]`."""
    direction: str
    """input, output or inout."""
    width: int
    """Bits, with the default parameters."""
    terms: Mapping[SizeTerm, int] | None
    """The width as a sum of products of up to two parameters, in bits; None if it is not such a sum."""
    comment: str = ""
    """The comment behind it on its line."""
    elements: int = 0
    """Those of an unpacked array, which stand side by side; else 0."""
    signed: bool = False
    """True if it is a number in two's complement."""

    @property
    def has_one_bit(self) -> bool:
        """True if it has one bit, whatever the parameters are."""
        return self.width == 1 and self.terms in (None, {(): 1})


class ConstantPort(NamedTuple):
    """An input that does not change during a product."""

    port: SketchPort
    value: str
    why: str


class OperandPort(NamedTuple):
    """The input of operand `name`, a or b."""

    name: str
    port: SketchPort
    """Of an operand that holds several numbers, that of the low one."""
    why: str
    above: tuple[SketchPort, ...] = ()
    """The ports of its other numbers, low ones first."""


@dataclass(frozen=True)
class SketchReset:
    """A reset, and how it was recognised."""

    port: str
    active: str
    """high or low."""
    synchronous: bool
    from_code: bool
    """True if an always block or a process says so; otherwise its name does."""


@dataclass(frozen=True)
class Sketch:
    """A top module without a description."""

    top: str
    files: tuple[str, ...]
    """Sources that the top module needs, relative to the folder, in compilation order."""
    cells: tuple[str, ...]
    """Shared cells that it uses, in compilation order."""
    parameters: tuple[SketchParameter, ...]
    ports: tuple[SketchPort, ...]
    clock: str | None
    """The input at whose edges always blocks run."""
    reset: SketchReset | None
    spare: tuple[str, ...] = field(default=())
    """Sources in the folder that the top module does not need."""
    include: tuple[str, ...] = field(default=())
    """Folders, relative to the folder, with files that sources include."""
    vhdl: str = ""
    """The standard of the sources in VHDL; empty if the top is Verilog."""
    simulated: bool = False
    """True if GHDL cannot synthesise them."""
    libraries: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Those of them that are in libraries other than `work`."""
    numbers: Sequence[tuple[str, int]] = ()
    """Name and value of parameters anywhere in the design, packages and local ones included."""
    literals: Collection[int] = ()
    """Integers that its sources have as literals."""
    other_tops: Sequence[str] = ()
    """Further modules that no other instantiates, where the top was chosen among several by its name."""
    build: Mapping[str, int] = field(default_factory=dict)
    """Values of parameters that were asked for."""
    clocked: bool = True
    """False if nothing in the design waits for an edge."""

    @property
    def pinned(self) -> "Sketch":
        """The sketch with every width as it is now, whatever parameter it depends on."""
        return replace(self, ports=tuple(replace(port, terms={(): port.width}) for port in self.ports))
