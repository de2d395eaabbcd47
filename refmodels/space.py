# SPDX-License-Identifier: Apache-2.0
"""Design spaces: the configurations of a core and the costs of each, as data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from limbtrace.refmodels.architecture import Architecture, Shape
from limbtrace.refmodels.model import Source

SettingValue = int | float | str | bool | None
_Design = TypeVar("_Design")


class Quantity(NamedTuple):
    """A quantity that is known for every design."""

    name: str
    unit: str
    """Unit; empty for a quantity without one."""
    meaning: str
    value: Callable[[Any], SettingValue]
    """Value of a design; None if it is not known."""


class Rival(NamedTuple):
    """A work by others that a paper compares with."""

    name: str
    latency: int
    """Clock cycles of one product."""
    interval: int
    """Clock cycles between two products."""
    clocks: Mapping[str, int]
    """MHz as published, by device."""

    def time(self, products: int) -> int:
        """Clock cycles for that many independent products, at least one."""
        return (products - 1) * self.interval + self.latency


@dataclass(frozen=True)
class Space(Generic[_Design]):
    """The designs of an architecture. For a design that the architecture does not support, `shape` raises."""

    architecture: Architecture
    source: Source
    designs: Callable[[int], Sequence[_Design]]
    """All designs for moduli of that many bits."""
    name: Callable[[_Design], str]
    """Name of a design, unique among the designs for moduli of that width."""
    quantities: tuple[Quantity, ...]
    costs: Mapping[str, str]
    """Costs of the architecture that are quantities too: name of the quantity -> name of the cost."""
    area: tuple[str, ...]
    """The quantities or costs that represent the area if it is not measured; pictures show the first one."""
    time: Callable[[_Design, int], int]
    """Clock cycles for k >= 1 independent products."""
    rtl: Callable[[_Design], Mapping[str, int]]
    """Parameters of the RTL."""
    settings: Callable[[_Design], Mapping[str, str | int]]
    """Parameters of the architecture."""
    devices: tuple[str, ...]
    """Devices for which the paper prints clock frequencies."""
    clocks: Callable[[int, _Design], Mapping[str, int]]
    """(bits, design) -> MHz as published, by device."""
    rivals: Callable[[int], Sequence[Rival]]
    """Works by others for moduli of that many bits."""

    @property
    def core(self) -> str:
        """Id of the architecture."""
        return self.architecture.id

    def shape(self, bits: int, design: _Design) -> Shape:
        """The architecture configured as this design. Raises ParameterError if it cannot be built."""
        return self.architecture.resolve((1 << bits) - 1, self.settings(design))


def front(points: Sequence[Sequence[float] | None]) -> list[bool]:
    """Membership of each point in the Pareto front; smaller is better in every coordinate, and None is never on it.

    A point is on it unless another one is at least as good everywhere and better somewhere; equal points are both on.
    """
    known = {tuple(point) for point in points if point is not None}
    best = {p for p in known if not any(q != p and all(a <= b for a, b in zip(q, p, strict=True)) for q in known)}
    return [point is not None and tuple(point) in best for point in points]
