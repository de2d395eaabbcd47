# SPDX-License-Identifier: Apache-2.0
"""What a design space is: the units that a core can be, and what each of them costs, as data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from refmodels.architecture import Architecture, Shape
from refmodels.model import Source

Value = int | float | str | bool | None
_Design = TypeVar("_Design")


class Quantity(NamedTuple):
    """Something that is known of every design."""

    name: str
    unit: str
    """Empty for what is no measure."""
    meaning: str
    value: Callable[[Any], Value]
    """None where nothing is known."""


class Rival(NamedTuple):
    """Another work that a paper compares with."""

    name: str
    latency: int
    """Clock cycles of one product."""
    interval: int
    """Clock cycles between two products."""
    clocks: Mapping[str, int]
    """MHz as published, by device."""

    def time(self, products: int) -> int:
        """Clock cycles for that many products, at least one, that do not depend on each other."""
        return (products - 1) * self.interval + self.latency


@dataclass(frozen=True)
class Space(Generic[_Design]):
    """The designs of an architecture. Some may be beyond it: then `shape` raises."""

    architecture: Architecture
    source: Source
    designs: Callable[[int], Sequence[_Design]]
    """Every design for moduli of so many bits."""
    name: Callable[[_Design], str]
    """Differs from that of every other design for as many bits."""
    quantities: tuple[Quantity, ...]
    costs: Mapping[str, str]
    """Costs of the architecture that are quantities too: what they are called here -> their names there."""
    area: tuple[str, ...]
    """The quantities or costs that stand for the area where nothing is measured; pictures show the first one."""
    time: Callable[[_Design, int], int]
    """Clock cycles for k >= 1 products that do not depend on each other."""
    rtl: Callable[[_Design], Mapping[str, int]]
    """Parameters of the RTL."""
    settings: Callable[[_Design], Mapping[str, str | int]]
    """Parameters of the architecture."""
    devices: tuple[str, ...]
    """Those that the paper has clocks for."""
    clocks: Callable[[int, _Design], Mapping[str, int]]
    """(bits, design) -> MHz as published, by device."""
    rivals: Callable[[int], Sequence[Rival]]
    """Other works for moduli of so many bits."""

    @property
    def core(self) -> str:
        """Id of the architecture."""
        return self.architecture.id

    def shape(self, bits: int, design: _Design) -> Shape:
        """The architecture as this design. Raises ParameterError where it cannot be built."""
        return self.architecture.resolve((1 << bits) - 1, self.settings(design))


def front(points: Sequence[Sequence[float] | None]) -> list[bool]:
    """Which points are on the Pareto front, less being better in every place; None never is.

    A point is on it unless another one is as good everywhere and better somewhere; equal ones are both on it.
    """
    known = {tuple(point) for point in points if point is not None}
    best = {p for p in known if not any(q != p and all(a <= b for a, b in zip(q, p, strict=True)) for q in known)}
    return [point is not None and tuple(point) in best for point in points]
