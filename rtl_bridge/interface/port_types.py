# SPDX-License-Identifier: Apache-2.0
"""Ports of an elaborated design and their types."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True)
class PortType:
    """The type of a port or of a part of it; `width` in bits, of all elements together."""

    width: int
    range: tuple[int, int] | None = None
    """Left and right index of a vector or an array."""
    element: "PortType | None" = None
    """Type of an indexed element; None for one bit."""
    is_unpacked: bool = False
    members: Mapping[str, tuple[int, "PortType"]] = field(default_factory=dict)
    """Of a packed struct or union: the lowest bit and the type of each member."""

    @property
    def inner(self) -> "PortType":
        """The type that an index selects."""
        return self.element or PortType(1)

    def holds(self, index: int) -> bool:
        """True if there is such an index."""
        return self.range is not None and min(self.range) <= index <= max(self.range)

    def place(self, index: int) -> int:
        """Position of an element of a packed array, counted from the low end."""
        assert self.range is not None
        return abs(index - self.range[1])

    @property
    def said(self) -> str:
        """The possible selections, in words."""
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
    """A port of the elaborated design, or what a description names in its place (`interface.pins`); `width` in bits."""

    name: str
    direction: str
    width: int
    form: PortType = field(default_factory=lambda: PortType(0))
    bits: tuple[PortBits, ...] = ()
    """Its parts, low bits first; empty for a port as it is."""
    wire: str = ""

    @property
    def net(self) -> str:
        """Its name in the shell, behind a prefix."""
        return self.wire or self.name

    @property
    def taken(self) -> tuple[PortBits, ...]:
        """The bits of ports that it stands for."""
        return self.bits or (PortBits(self.name, "", 0, self.width, inverted=False),)
