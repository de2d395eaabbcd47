# SPDX-License-Identifier: Apache-2.0
"""What an elaborated design has, as far as the bridge looks at it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from limbtrace.rtl_bridge.programs.beside import Beside


@dataclass(frozen=True)
class PortType:
    """The type of a port or of a part of it; `width` in bits, of all elements together."""

    width: int
    range: tuple[int, int] | None = None
    """Left and right index of a vector or an array."""
    element: "PortType | None" = None
    """What an index selects, one bit where nothing is said."""
    is_unpacked: bool = False
    members: Mapping[str, tuple[int, "PortType"]] = field(default_factory=dict)
    """Of a packed struct or union: the lowest bit and the type of each member."""

    @property
    def inner(self) -> "PortType":
        """What an index selects."""
        return self.element or PortType(1)

    def holds(self, index: int) -> bool:
        """Whether there is such an index."""
        return self.range is not None and min(self.range) <= index <= max(self.range)

    def place(self, index: int) -> int:
        """Position of an element of a packed array, counted from the low end."""
        assert self.range is not None
        return abs(index - self.range[1])

    @property
    def said(self) -> str:
        """What there is to select, in words."""
        if self.range is None:
            return "members" if self.members else "one bit without an index"
        what = "elements" if self.element else "bits"
        return f"{what} [{self.range[0]}:{self.range[1]}]"


class PortBits(NamedTuple):
    """Neighbouring bits of a port: `width` bits from `low` on of the port or of an element of it."""

    port: str
    element: str
    """The index of an element of an unpacked array, such as "[2]"; otherwise empty."""
    low: int
    width: int
    inverted: bool


@dataclass(frozen=True)
class DesignPort:
    """A port of the elaborated design, or what a description names in its place (`core.pins`); `width` in bits."""

    name: str
    direction: str
    width: int
    form: PortType = field(default_factory=lambda: PortType(0))
    bits: tuple[PortBits, ...] = ()
    """What it consists of, low bits first; nothing for a port as it is."""
    wire: str = ""

    @property
    def net(self) -> str:
        """Its name in the shell, behind a prefix."""
        return self.wire or self.name

    @property
    def taken(self) -> tuple[PortBits, ...]:
        """The bits of ports that it stands for."""
        return self.bits or (PortBits(self.name, "", 0, self.width, inverted=False),)


@dataclass(frozen=True)
class Sources:
    """What every tool is told about the sources of a core with concrete parameters; all of them are Verilog."""

    rtl: tuple[Path, ...] = ()
    """Hardware, in compilation order: shared cells, the files of the core, and what was found in its libraries."""
    simulated: tuple[Path, ...] = ()
    """Those and the probe; where VHDL was converted, instead of `rtl`."""
    include: tuple[Path, ...] = ()
    """Folders for included files; that of the core is the first."""
    defines: Mapping[str, str] = field(default_factory=dict)
    converted: tuple[Path, ...] = ()
    """Those of the files that were made from VHDL, and belong to no folder of the core."""
    beside: Beside | None = None
    """VHDL that is simulated, for which one of `converted` stands."""

    def options(self, place: Callable[[Path], object] = Path.absolute) -> list[str]:
        """Include folders and macros as slang, Verilator, Icarus Verilog and Yosys take them.

        `place` says where a folder is for the tool.
        """
        given = [f"-D{name}{value and f'={value}'}" for name, value in self.defines.items()]
        return [*(f"-I{place(folder)}" for folder in self.include), *given]


@dataclass(frozen=True)
class Design:
    """What is of interest, in types of our own: an exception must not keep the compiler's objects alive."""

    parameters: tuple[str, ...] = ()
    ports: tuple[DesignPort, ...] = ()
    inside: str = ""
    """What names of signals of the core begin with, below the top that is simulated: the core in its probe."""
    signals: Mapping[str, int] = field(default_factory=dict)
    """Bits of the signals inside that the description names, as far as they are there."""
    files: tuple[Path, ...] = ()
    """All that was read, included files too; sorted, since threads read them."""
    error: str | None = None
    sources: Sources = Sources()
    warnings: tuple[str, ...] = ()
    """What the simulators take and this front end would not, one sentence each."""
