# SPDX-License-Identifier: Apache-2.0
"""A core bound to a modulus: every formula of its `core.toml` has a value, every port exists and is wide enough."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from refmodels import registry
from refmodels.architecture import Architecture, Plan, Shape
from refmodels.errors import ParameterError
from refmodels.expressions import parse_integer
from refmodels.settings import Given, Settings
from rtl_bridge.core.core import Core
from rtl_bridge.core.elaborate import DesignPort, elaborate
from rtl_bridge.core.file import Load, Row
from rtl_bridge.core.formula import FormulaError, evaluate
from rtl_bridge.core.problems import problems
from rtl_bridge.core.table import SLACK
from rtl_bridge.protocols.base import Protocol
from vectors.request import Multiplier

LITERAL_SETTINGS = ("radix", "form")
"""Settings that are not formulas."""
MAX_CYCLES = (1 << 31) - 1
"""Upper limit of the watchdog, in cycles."""


@dataclass(frozen=True)
class Watch:
    """A watched row; `schedule_column` is the position of its column in the schedule, -1 if it has none."""

    row: Row
    kind: str
    width: int
    schedule_column: int


@dataclass(frozen=True)
class Bound:
    """A core for one modulus and one set of parameters."""

    core: Core
    multiplier: Multiplier
    shape: Shape | None
    """The parameters of the schedule; None without a schedule."""
    plan: Plan | None
    names: dict[str, int]
    parameters: dict[str, int]
    """RTL parameters of the build."""
    ports: dict[str, DesignPort]
    inside: str
    """Prefix of the names of internal signals, below the simulated top."""
    signals: Mapping[str, int]
    """Widths of the internal signals that the description names, in bits."""
    files: tuple[Path, ...]
    """Every file of the core that a simulator reads, including included files."""
    starts: tuple[int, ...] = (0,)
    """Row in which each product of a stream starts; without a schedule, the earliest row."""

    @property
    def protocol(self) -> Protocol:
        """The protocol of operands and results."""
        return self.core.file.protocol

    @cached_property
    def products(self) -> int:
        """Largest number of products in a stream."""
        products = self.protocol.products_formula
        return 1 if products is None else self.formula("protocol.products", products)

    @cached_property
    def operand_words(self) -> int:
        """Number of words in which an operand passes its port."""
        return self.protocol.operand_words(self)

    @cached_property
    def result_words(self) -> int:
        """Number of words in which the result passes its port or the bus."""
        return self.protocol.result_words(self)

    def stream(self, gaps: Sequence[int]) -> "Bound":
        """The core for streams of len(gaps) products, each delayed by that many cycles beyond its earliest start."""
        starts: tuple[int, ...] = ()
        for gap in gaps:
            wanted = (starts[-1] if starts else 0) + gap
            if self.architecture and self.shape:
                wanted = self.architecture.next_start(replace(self.shape, starts=starts), wanted)
            starts = (*starts, wanted)
        if not (self.architecture and self.shape):
            return replace(self, starts=starts)
        shape = replace(self.shape, starts=starts)
        return replace(self, starts=starts, shape=shape, plan=self.architecture.plan(shape))

    @property
    def architecture(self) -> Architecture | None:
        """The architecture whose schedule the core follows."""
        return registry.ARCHITECTURES[self.core.file.schedule] if self.core.file.schedule else None

    def value(self, key: str, text: str | int) -> int:
        """Value of a constant of the model by its name, of the modulus as p, or of a formula."""
        return _value(self.core, key, text, self.multiplier, self.names)

    def formula(self, key: str, text: str | int) -> int:
        """Value of a formula over the model's parameters, not negative."""
        return _formula(self.core, key, text, self.names)

    def depth(self, key: str, text: str | int) -> int:
        """Value of a formula over the RTL parameters, at least 1."""
        return max(_formula(self.core, key, text, self.parameters), 1)

    @property
    def own(self) -> Given:
        """Parameters of the hardware that the model does not have, by name."""
        return self.architecture.own_settings(self.shape) if self.architecture and self.shape else {}

    @property
    def settings(self) -> Given:
        """Complete settings that resolve to this core again."""
        return {**self.multiplier.settings, **self.own}

    @property
    def head(self) -> dict[str, Any]:
        """The multiplier as in documents, with the parameters of the hardware."""
        head = self.multiplier.head
        return {**head, "params": {**head["params"], **self.own}}

    @property
    def loads(self) -> tuple[Load, ...]:
        memory = self.core.file.memory
        return memory.load if memory else ()

    @cached_property
    def words(self) -> list[int]:
        """Number of words of every load."""
        return [self.formula(f"memory.load[{k}].words", load.words) for k, load in enumerate(self.loads)]

    @cached_property
    def watches(self) -> list[Watch]:
        """The rows, in the order of the file."""
        columns = {c.name: k for k, c in enumerate(self.plan.columns)} if self.plan else {}
        watches = []
        for row in self.core.file.row:
            at = columns.get(row.column or "", -1)
            kind = row.kind or "combinational" if self.plan is None or at < 0 else self.plan.columns[at].kind
            watches.append(Watch(row, kind, self.bits(row), at))
        return watches

    def bits(self, row: Row) -> int:
        """Width of a watched row."""
        return self.signals[row.signal] if row.signal else self.ports[row.source].width

    def width(self, name: str) -> int:
        """Width of a port or of an internal signal, in bits."""
        return self.ports[name].width if name in self.ports else self.signals[name]

    @property
    def limit(self) -> int:
        """Number of cycles after which the watchdog ends a product."""
        return self.longest + sum(self.words) + self.protocol.cycles(self) + SLACK

    @property
    def longest(self) -> int:
        """Cycles that a stream takes, or without a schedule the most that `timeout` allows."""
        if self.plan:
            return self.plan.cycles
        return self.starts[-1] + len(self.starts) * self.formula("timeout", self.core.file.timeout or 0)

    def expected(self, result: int) -> int:
        """The value that the core returns if the model returns `result`."""
        return result if self.core.file.compare == "result" else result % self.multiplier.modulus.modulus


def example(core: Core) -> str:
    """The modulus used for lint and documentation of the core."""
    architecture = _architecture(core)
    return architecture.example if architecture else "secp256k1.fp"


def check_build(core: Core, build: Mapping[str, int]) -> None:
    """Raises ParameterError for RTL parameters that core.toml does not have, and for values out of its ranges.

    An RTL parameter that equals a parameter of the model has the limits of that parameter.
    """
    for name, value in build.items():
        if name not in core.file.build:
            known = ", ".join(core.file.build) or "none"
            raise ParameterError("build", f"{core.file.name} has no parameter {name!r}; it has {known}")
        for limited in (name, core.file.build[name]):
            if limited in core.file.ranges:
                _check_range(core, name, value, core.file.ranges[str(limited)])
        if value < 0:
            raise ParameterError(name, f"no RTL parameter is negative, and here it is {value}")


def _check_range(core: Core, name: str, value: int, limits: tuple[int, int]) -> None:
    low, high = limits
    if not low <= value <= high:
        raise ParameterError(name, f"{core.file.name} takes {low} to {high}, and here it is {value}")


def _check_schedule(core: Core, build: Mapping[str, int], architecture: Architecture, shape: Shape) -> None:
    """Raises ParameterError if an RTL parameter contradicts the schedule."""
    for name, value in build.items():
        own = str(core.file.build[name])
        if own in shape.own and shape.own[own] != value:
            said = architecture.own_settings(shape)[own]
            why = f"{value} contradicts {own} = {said}, which the schedule has; --set {own} decides about both"
            raise ParameterError(name, why)


def bind(core: Core, prime: str | int, given: Given, build: Mapping[str, int], stream: int | None = None) -> Bound:
    """Bind a core; `build` overrides RTL parameters, `stream` is the number of products in a stream.

    Raises ParameterError.
    """
    architecture = _architecture(core)
    if architecture:
        Settings(core.file.name, architecture.parameters, given)  # one sentence that names all parameters
    models, own = architecture.divide(given) if architecture else (given, {})
    fixed, own_fixed = architecture.divide(core.file.settings) if architecture else (core.file.settings, {})
    multiplier = _resolve(core, prime, models, fixed)
    missing = architecture.missing(multiplier.params, {**models, **fixed}) if architecture else {}
    if missing:
        multiplier = _resolve(core, prime, {**models, **missing}, fixed)
    shape = _shape(core, architecture, multiplier, own, own_fixed) if architecture else None
    names = {**_names(multiplier), **(shape.own if shape else {})}
    core = replace(core, file=core.file.model_copy(update={"row": tuple(_watched(core, names))}))
    parameters = {key: _value(core, f"build.{key}", text, multiplier, names) for key, text in core.file.build.items()}
    check_build(core, build)
    if architecture and shape:
        _check_schedule(core, build, architecture, shape)
    parameters |= build
    for name, limits in core.file.ranges.items():
        value = parameters[name] if name in parameters else _formula(core, f"ranges.{name}", name, names)
        _check_range(core, name, value, limits)
    design = elaborate(core, parameters)
    ports = {port.name: port for port in design.ports}
    plan = architecture.plan(shape) if architecture and shape else None
    bound = Bound(core, multiplier, shape, plan, names, parameters, ports, design.inside, design.signals, design.files)
    for problem in problems(bound):
        raise core.error(problem)
    return _streaming(bound, stream)


def _streaming(bound: Bound, asked: int | None) -> Bound:
    """The core for streams of the requested number of products, each started as early as possible."""
    most = bound.products
    least = 1 if bound.protocol.timed else most
    if asked is not None and not least <= asked <= most:
        some = f"{least} to {most} products" if least < most else "one product" if most == 1 else f"{most} products"
        raise ParameterError("stream", f"{bound.core.file.name} takes {some} at a time, not {asked}")
    if bound.protocol.products_formula is not None:
        bound = bound.stream([0] * (asked or most))
    if bound.limit > MAX_CYCLES:
        what = "a stream" if most > 1 else "a product"
        raise bound.core.error(f"{what} may take {bound.limit} cycles by its timeout, and the limit is {MAX_CYCLES}")
    return bound


def _formula(core: Core, key: str, text: str | int, names: Mapping[str, int]) -> int:
    try:
        value = evaluate(text, names)
    except FormulaError as error:
        raise core.error(f"{key} {error}") from None
    if value < 0:
        raise core.error(f"{key} is {text!r}, which is {value}, and must not be negative")
    return value


def _value(core: Core, key: str, text: str | int, multiplier: Multiplier, names: Mapping[str, int]) -> int:
    """Value of a constant of the model by its name, of the modulus as p, or of a formula."""
    constants = {**multiplier.params.constants, "p": multiplier.modulus.modulus}
    return constants[text] if isinstance(text, str) and text in constants else _formula(core, key, text, names)


def _names(multiplier: Multiplier) -> dict[str, int]:
    """Parameters with all their aliases, including the logarithm of the radix; N, unless the model has its own N."""
    params = multiplier.params
    names: dict[str, int] = {}
    for parameter in multiplier.model.parameters:
        if isinstance(value := params.named.get(parameter.name), int):
            names |= dict.fromkeys((parameter.name, *parameter.aliases), value)
        elif parameter.name == "radix" and params.radix_bits is not None:
            names |= dict.fromkeys(parameter.aliases, params.radix_bits)
    return {"N": multiplier.modulus.bits, **names}


def _watched(core: Core, names: Mapping[str, int]) -> Iterator[Row]:
    """The rows that this shape has."""
    for k, row in enumerate(core.file.row):
        if row.where is None or _formula(core, f"row[{k}].where", row.where, names):
            yield row


def _resolve(core: Core, prime: str | int, given: Given, fixed: Given) -> Multiplier:
    """The multiplier with the settings that the core fixes."""
    settings = dict(given)
    formulas = {}
    for name, value in fixed.items():
        if isinstance(value, int) or name in LITERAL_SETTINGS:
            _fix(core, settings, name, value)
        else:
            formulas[name] = value
    multiplier = Multiplier.resolve(core.file.model, prime, settings)
    if formulas:
        names = _names(multiplier)
        for name, value in formulas.items():
            _fix(core, settings, name, _formula(core, f"settings.{name}", value, names))
        multiplier = Multiplier.resolve(core.file.model, prime, settings)
    return multiplier


def _fix(core: Core, settings: dict[str, str | int], name: str, value: str | int) -> None:
    """Set the parameters that the core fixes, unless the caller gave other values."""
    if name in settings:
        asked = settings[name]
        same = asked == value if name == "form" else parse_integer(asked, name) == parse_integer(value, name)
        if not same:
            raise ParameterError(name, f"{asked} was asked for, and the core {core.file.name} is fixed to {value}")
    settings[name] = value


def _architecture(core: Core) -> Architecture | None:
    """The architecture whose schedule the core follows."""
    if core.file.schedule is None:
        return None
    if core.file.schedule not in registry.ARCHITECTURES:
        raise core.error(f"schedule {core.file.schedule!r} is none of {', '.join(registry.ARCHITECTURES)}")
    return registry.ARCHITECTURES[core.file.schedule]


def _shape(core: Core, architecture: Architecture, multiplier: Multiplier, given: Given, fixed: Given) -> Shape:
    """The shape of the schedule, with the parameters of the hardware that the core fixes."""
    if architecture.model.id != core.file.model:
        raise core.error(f"schedule {core.file.schedule} is one of model {architecture.model.id}")
    if (architecture.overlap is None) != (core.file.protocol.products_formula is None):
        kind = "overlap" if architecture.overlap else "do not overlap"
        has = "has no" if architecture.overlap else "has"
        raise core.error(f"protocol {has} products, and those of {architecture.id} {kind}")
    own = dict(given)
    for name, value in fixed.items():
        _fix(core, own, name, value)
    return architecture.resolve(multiplier.modulus.modulus, {**multiplier.settings, **own})
