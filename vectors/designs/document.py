# SPDX-License-Identifier: Apache-2.0
"""The JSON document of the designs that a core can be."""

from typing import Literal

from vectors.document import Document, Hex, Shape, member


class QuantityShape(Shape, name="Quantity"):
    """What a figure of every design means."""

    name: str
    unit: str = member("empty for what is no measure")
    meaning: str


class ClockFrequency(Shape):
    """The clock that nanoseconds are for."""

    mhz: float = member(gt=0)
    source: Literal["given", "published"]


class Times(Shape):
    """Times for 1, 2, 3 ... products that do not depend on each other."""

    cycles: list[int]
    clock: ClockFrequency | None = member("null where none was asked for, or none is known")
    ns: list[float] | None


class DesignSynthesis(Shape):
    """What Yosys makes of a design."""

    core: str
    parameters: dict[str, int | Hex] = member("of the RTL")
    family: str
    area: dict[str, int]
    tool: str


class DesignFigures(Times):
    """A design that a core can be, by itself."""

    name: str
    built: bool = member("whether our core can be built as this design")
    obstacle: str = member("why not, empty where it can")
    figures: dict[str, bool | int | float | str | None] = member("by the names of the quantities")
    rtl: dict[str, int] = member("parameters of the RTL, empty where the core cannot be built")
    settings: dict[str, str] = member("parameters of the core, for its vectors and cycle tables")
    synthesis: DesignSynthesis | None = member("null where it was not measured")


class DesignPoint(DesignFigures):
    """A design that a core can be."""

    compared: list[float] | None = member("the objectives, null where not all of them are known")
    front: bool | None = member(
        "on the Pareto front: no other design is as good in all objectives, better in one; null where "
        "fewer than two designs are compared"
    )


class OtherWork(Times):
    """What a paper compares its designs with."""

    name: str
    latency: int = member("clock cycles of one product")
    interval: int = member("clock cycles between two products")


class Designs(Document):
    """The designs that a core can be, for moduli of one width."""

    schema: Literal["limbtrace-explore-1.schema.json"]
    core: str
    source: str
    bits: int
    device: str | None = member("whose published clocks are used")
    frequency: float | None = member("clock that is used for everything, in MHz")
    quantities: list[QuantityShape]
    objectives: list[QuantityShape] = member("what is to be small")
    points: list[DesignPoint]
    others: list[OtherWork]
