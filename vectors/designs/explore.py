# SPDX-License-Identifier: Apache-2.0
"""The designs of a core for moduli of one width: the costs of each, and the Pareto front."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple

from limbtrace.refmodels import registry
from limbtrace.refmodels.architecture import Cost, Shape
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.expressions import parse_integer
from limbtrace.refmodels.settings import MAX_WIDTH
from limbtrace.refmodels.space import Rival, Space, front
from limbtrace.vectors.catalogue.document import RoutedShape
from limbtrace.vectors.catalogue.routes import kept_routes
from limbtrace.vectors.catalogue.tables import kept_areas
from limbtrace.vectors.designs.document import (
    ClockFrequency,
    DesignFigures,
    DesignPoint,
    Designs,
    DesignSynthesis,
    OtherWork,
    QuantityShape,
    Times,
)
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT
from limbtrace.vectors.options import Query, option

SCHEMA: Final = "limbtrace-explore-1.schema.json"
MIN_BITS = 2
PRODUCTS = 12
"""Times are given for 1 up to this number of products."""
DECISIVE = 8
"""Number of products whose time counts for the Pareto front, as in the papers."""
FAMILY = "xc7"
"""Default Xilinx family of the syntheses that are shown."""

GIVEN: Final = "given"
PUBLISHED: Final = "published"
ROUTED: Final = "routed"

_MEASURED: tuple[tuple[str, str, str, Callable[[Mapping[str, int]], int]], ...] = (
    ("luts", "LUT", "of the synthesis, LUT + LUTRAM", lambda area: area["LUT"] + area["LUTRAM"]),
    ("dsps", "blocks", "of the synthesis, DSP", lambda area: area["DSP"]),
    ("brams", "18 Kb blocks", "of the synthesis, BRAM18 + 2*BRAM36", lambda area: area["BRAM18"] + 2 * area["BRAM36"]),
)
"""A measured area: name, unit, meaning, and its value in a synthesis."""
_ROUTED: tuple[tuple[str, str, str], ...] = (
    ("LUT", "LUT4", "after place and route, two for a carry cell"),
    ("DSP", "blocks", "after place and route, MULT18X18D"),
    ("BRAM", "18 Kb blocks", "after place and route, DP16KD"),
)
"""A resource of the device: name, unit, meaning."""


class Objective(NamedTuple):
    """A quantity to be minimised."""

    name: str
    unit: str
    meaning: str
    value: Callable[[Mapping[str, Any]], float | None]
    """Its value for a point of the document; None if unknown."""


class KnownClock(NamedTuple):
    """A clock frequency in MHz, and whether it was given, published, or that of our core after place and route."""

    mhz: Fraction
    source: Literal["given", "published", "routed"]


class DesignQuery(Query):
    """The query for designs."""

    core: str = option("Id of a core with a design space.", ["fpmm"], choices=lambda: registry.SPACES)
    bits: str = option("Width of the moduli.", ["128", "256"], help="Width of the moduli.", metavar="N", least=2)
    points: Sequence[str] = option(
        "Only this design; repeatable.", [["F44D"]], flag="point", default=(),
        help="Only this design; repeatable.", metavar="NAME",
    )  # fmt: skip
    device: str | None = option(
        "Give times in ns for designs with a published clock on this device.", ["V7"], default=None,
        help="Give times in ns for designs with a published clock on this device.", metavar="NAME",
    )  # fmt: skip
    frequency: str | None = option(
        "Give times in ns for this clock in MHz.", ["500"], default=None,
        help="Give times in ns for this clock.", metavar="MHZ",
    )  # fmt: skip

    @property
    def exploration(self) -> "Exploration":
        """Raises ParameterError."""
        return Exploration.resolve(self.core, self.bits, self.points, self.device, self.frequency)


@dataclass(frozen=True)
class Exploration:
    """The checked request."""

    space: Space[Any]
    bits: int
    designs: tuple[Any, ...]
    device: str | None
    """The device whose published clocks are used."""
    mhz: Fraction | None
    """The clock that is used for all designs, in MHz."""

    @classmethod
    def resolve(
        cls,
        core: str,
        bits: str | int,
        points: Sequence[str] = (),
        device: str | None = None,
        frequency: str | None = None,
    ) -> "Exploration":
        """Designs of `core` for moduli of `bits` bits: those named in `points`, or all. Raises ParameterError."""
        space = registry.space(core)
        width = parse_integer(bits, "bits")
        if not MIN_BITS <= width <= MAX_WIDTH:
            raise ParameterError("bits", f"{shown(width)} is outside {MIN_BITS} to {MAX_WIDTH}")
        if device is not None and frequency is not None:
            raise ParameterError("frequency", "either a device, for its published clocks, or a frequency, not both")
        request = cls(space, width, tuple(space.designs(width)), device, _mhz(frequency))
        if device is not None:
            request._check_device(device)
        return request.only(points) if points else request

    def _check_device(self, device: str) -> None:
        if device not in self.space.devices:
            raise ParameterError("device", f"{shown(device)} is none of {', '.join(self.space.devices)}")
        if not any(self.clock(design) for design in self.designs):
            raise ParameterError("device", f"the paper has no clock for {self.bits} bits on {device}")

    def only(self, points: Sequence[str]) -> "Exploration":
        """The exploration of some of the designs, in their usual order. Raises ParameterError("point")."""
        names = [self.space.name(design) for design in self.designs]
        for point in points:
            if point not in names:
                built = (name for name, design in zip(names, self.designs, strict=True) if self.built(design))
                raise ParameterError(
                    "point",
                    f"{shown(point)} is no design for {self.bits} bits; there are {len(names)}, of which the core can "
                    f"be {', '.join(built)}",
                )
        chosen = tuple(design for name, design in zip(names, self.designs, strict=True) if name in points)
        return Exploration(self.space, self.bits, chosen, self.device, self.mhz)

    def shape(self, design: Any) -> Shape | ParameterError:
        """Our architecture configured as this design, or the reason why it does not support it."""
        try:
            return self.space.shape(self.bits, design)
        except ParameterError as error:
            return error

    def built(self, design: Any) -> bool:
        """True if our core supports this design."""
        return isinstance(self.shape(design), Shape)

    def clock(self, design: Any) -> KnownClock | None:
        """The clock of a design, or of a work by others; None if unknown."""
        if self.mhz is not None:
            return KnownClock(self.mhz, GIVEN)
        clocks = design.clocks if isinstance(design, Rival) else self.space.clocks(self.bits, design)
        mhz = clocks.get(self.device or "")
        return None if mhz is None else KnownClock(Fraction(mhz), PUBLISHED)


def _mhz(text: str | None) -> Fraction | None:
    if text is None:
        return None
    if not re.fullmatch(r"\d{1,5}(\.\d{1,3})?", text, re.ASCII) or not Fraction(text):
        raise ParameterError("frequency", f"{shown(text)} is no frequency from 0.001 to 99999.999 MHz")
    return Fraction(text)


def designs_document(
    request: Exploration,
    areas: Sequence[Mapping[str, Any]] | None = None,
    family: str | None = None,
    routes: Sequence[Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Every requested design with its figures, and works by others for comparison.

    `areas` are syntheses as `limbtrace synth --json` writes them; the Pareto front is then based on them. Without
    them the stored syntheses are shown and the front is based on formulas. `family` selects the syntheses.
    `routes` are rows as `limbtrace synth --route --json` writes them; times and front are then based on them.
    """
    space = request.space
    objectives = _routed_objectives() if routes is not None else _objectives(request, areas is not None)
    rows = kept_areas() if areas is None else areas
    routed = kept_routes() if routes is None else routes
    points = []
    for design in request.designs:
        route = routing(request, design, routed)
        clock = request.clock(design) if routes is None else _routed_clock(route)
        points.append(_point(request, design, synthesis(request, design, rows, family), route, clock))
    compared = [_compared(point, objectives) for point in points]
    # A single design has no front.
    best = front(compared) if len(compared) - compared.count(None) > 1 else [None] * len(compared)
    found: dict[str, Any] = members(
        Designs,
        format=FORMAT,
        schema=SCHEMA,
        core=space.core,
        source=str(space.source),
        bits=request.bits,
        device=request.device,
        frequency=None if request.mhz is None else float(request.mhz),
        quantities=_described(space),
        objectives=[members(QuantityShape, name=o.name, unit=o.unit, meaning=o.meaning) for o in objectives],
        points=[
            members(DesignPoint, **point, compared=values, front=on_it)
            for point, values, on_it in zip(points, compared, best, strict=True)
        ],
        others=[_other(request, rival) for rival in space.rivals(request.bits)],
    )
    return found


def synthesis(
    request: Exploration, design: Any, areas: Sequence[Mapping[str, Any]], family: str | None = None
) -> Mapping[str, Any] | None:
    """The synthesis of a design in a family, if it is among these."""
    meant = request.space.rtl(design).items()
    fitting = (
        row
        for row in areas
        if (row["core"], row["family"]) == (request.space.core, family or FAMILY) and meant <= row["parameters"].items()
    )
    return next(fitting, None)


def routing(request: Exploration, design: Any, routes: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The place and route of a design, if it is among these."""
    meant = request.space.rtl(design).items()
    fitting = (row for row in routes if row["core"] == request.space.core and meant <= row["parameters"].items())
    return next(fitting, None)


def _routed_clock(route: Mapping[str, Any] | None) -> KnownClock | None:
    return None if route is None else KnownClock(Fraction(str(route["mhz"])), ROUTED)


def _routed_objectives() -> list[Objective]:
    time = Objective(
        "ns", "ns", f"time of {DECISIVE} products", lambda point: point["ns"] and point["ns"][DECISIVE - 1]
    )
    return [time, *(Objective(name, unit, meaning, _used(name)) for name, unit, meaning in _ROUTED)]


def _used(name: str) -> Callable[[Mapping[str, Any]], float | None]:
    return lambda point: point["routing"] and point["routing"]["area"][name]


def _objectives(request: Exploration, measured: bool) -> list[Objective]:
    unit = "cycles" if request.device is None and request.mhz is None else "ns"
    time = Objective(
        unit, unit, f"time of {DECISIVE} products", lambda point: point[unit] and point[unit][DECISIVE - 1]
    )
    if measured:
        return [time, *(Objective(name, unit, text, _measured(value)) for name, unit, text, value in _MEASURED)]
    known = {entry["name"]: entry for entry in _described(request.space)}
    chosen = (known[name] for name in request.space.area)
    return [time, *(Objective(**entry, value=_figure(entry["name"])) for entry in chosen)]


def _figure(name: str) -> Callable[[Mapping[str, Any]], float | None]:
    return lambda point: point["figures"][name]


def _measured(value: Callable[[Mapping[str, int]], int]) -> Callable[[Mapping[str, Any]], float | None]:
    return lambda point: point["synthesis"] and value(point["synthesis"]["area"])


def _compared(point: Mapping[str, Any], objectives: Sequence[Objective]) -> list[float] | None:
    """The coordinates for the front; None for a design that the core does not support, or with an unknown quantity."""
    values = [objective.value(point) for objective in objectives]
    known = [value for value in values if value is not None]
    return None if point["obstacle"] or len(known) < len(values) else known


def _point(
    request: Exploration,
    design: Any,
    area: Mapping[str, Any] | None,
    route: Mapping[str, Any] | None,
    clock: KnownClock | None,
) -> dict[str, Any]:
    space, shape = request.space, request.shape(design)
    built = isinstance(shape, Shape)
    found: dict[str, Any] = members(
        DesignFigures,
        name=space.name(design),
        built=built,
        obstacle="" if built else str(shape),
        figures={
            **{quantity.name: quantity.value(design) for quantity in space.quantities},
            **{name: cost.value(shape) if isinstance(shape, Shape) else None for name, cost in _costs(space)},
        },
        **_times(clock, lambda products: space.time(design, products)),
        rtl=dict(space.rtl(design)) if built else {},
        settings={name: str(value) for name, value in space.settings(design).items()},
        synthesis=None if area is None else members(DesignSynthesis, **area),
        routing=None if route is None else members(RoutedShape, **route),
    )
    return found


def _costs(space: Space[Any]) -> list[tuple[str, Cost]]:
    """Costs of the architecture, by the names used here."""
    costs = {cost.name: cost for cost in space.architecture.costs}
    return [(name, costs[there]) for name, there in space.costs.items()]


def _described(space: Space[Any]) -> list[Any]:
    """Name, unit and meaning of every quantity and cost."""
    own = [(quantity.name, quantity.unit, quantity.meaning) for quantity in space.quantities]
    own += [(name, cost.unit, cost.formula) for name, cost in _costs(space)]
    return [members(QuantityShape, name=name, unit=unit, meaning=meaning) for name, unit, meaning in own]


def _other(request: Exploration, rival: Rival) -> Any:
    return members(
        OtherWork,
        name=rival.name,
        latency=rival.latency,
        interval=rival.interval,
        **_times(request.clock(rival), rival.time),
    )


def _times(clock: KnownClock | None, time: Callable[[int], int]) -> dict[str, Any]:
    """Times for 1 to PRODUCTS products, in nanoseconds where a clock is known."""
    cycles = [time(products) for products in range(1, PRODUCTS + 1)]
    found: dict[str, Any] = members(
        Times,
        cycles=cycles,
        clock=clock and members(ClockFrequency, mhz=float(clock.mhz), source=clock.source),
        ns=clock and [round(float(1000 * count / clock.mhz), 1) for count in cycles],
    )
    return found
