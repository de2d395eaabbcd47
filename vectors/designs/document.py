# SPDX-License-Identifier: Apache-2.0
"""The JSON document of a core's design space."""

from typing import Literal

from limbtrace.vectors.catalogue.document import RoutedShape
from limbtrace.vectors.document import Document, Hex, Shape, member


class QuantityShape(Shape, name="Quantity"):
    """The meaning of a figure of every design."""

    name: str
    unit: str = member("empty for a quantity without a unit")
    meaning: str


class ClockFrequency(Shape):
    """The clock of the times in nanoseconds."""

    mhz: float = member(gt=0)
    source: Literal["given", "published", "routed"]


class Times(Shape):
    """Times for 1, 2, 3 ... independent products."""

    cycles: list[int]
    clock: ClockFrequency | None = member("null if none was requested or none is known")
    ns: list[float] | None


class DesignSynthesis(Shape):
    """The synthesis of a design by Yosys."""

    core: str
    parameters: dict[str, int | Hex] = member("parameters of the RTL")
    family: str
    area: dict[str, int]
    tool: str


class DesignFigures(Times):
    """A design of a core, without comparison."""

    name: str
    built: bool = member("whether our core can be built as this design")
    obstacle: str = member("the reason why it cannot, otherwise empty")
    figures: dict[str, bool | int | float | str | None] = member("values by the names of the quantities")
    rtl: dict[str, int] = member("parameters of the RTL, empty if the core cannot be built")
    settings: dict[str, str] = member("parameters of the core, for its vectors and cycle tables")
    synthesis: DesignSynthesis | None = member("null if it was not measured")
    routing: RoutedShape | None = member("null if it was not placed and routed")


class DesignPoint(DesignFigures):
    """A design of a core."""

    compared: list[float] | None = member("the objectives, null if not all of them are known")
    front: bool | None = member(
        "on the Pareto front: no other design is as good in all objectives and better in one; null if "
        "fewer than two designs are compared"
    )


class OtherWork(Times):
    """A work by others that a paper compares its designs with."""

    name: str
    latency: int = member("clock cycles of one product")
    interval: int = member("clock cycles between two products")


class Designs(Document):
    """The designs of a core for moduli of one width."""

    schema: Literal["limbtrace-explore-1.schema.json"]
    core: str
    source: str
    bits: int
    device: str | None = member("whose published clocks are used")
    frequency: float | None = member("clock that is used for all designs, in MHz")
    quantities: list[QuantityShape]
    objectives: list[QuantityShape] = member("the quantities to be minimised")
    points: list[DesignPoint]
    others: list[OtherWork]
