# SPDX-License-Identifier: Apache-2.0
"""A core bound to a modulus: every formula of its `core.toml` has a value, every port is there and wide enough."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from refmodels import registry
from refmodels.architecture import Architecture, Plan, Shape
from refmodels.errors import ParameterError
from refmodels.expressions import parse_integer
from refmodels.settings import Given, Settings
from rtl_bridge.corefile import (
    AXI4_LITE,
    AXI4_LITE_MORE,
    Axi4Lite,
    Core,
    Load,
    Operand,
    Result,
    Row,
    SetUp,
    StartDone,
    WordSerial,
)
from rtl_bridge.elaborate import DesignPort, elaborate
from rtl_bridge.formula import FormulaError, evaluate
from rtl_bridge.layout import COUNT_BITS
from vectors.request import Multiplier

LITERAL_SETTINGS = ("radix", "form")
"""Settings that are no formulas."""
_WATCHED = "output or signal"
"""In place of a direction: what may be an output or a signal inside."""
MAX_CYCLES = (1 << 31) - 1
"""Most cycles that the watchdog can be set to."""
SLACK = 256
"""Cycles granted beyond what a product takes: stalls, the handshake."""
ACCESS = 64
"""Cycles granted to an access of a bus, however often both sides wait."""


@dataclass(frozen=True)
class Watch:
    """A watched row; `schedule_column` is the position of its column in the schedule, -1 where it has none."""

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
    """What the schedule depends on; None where there is none."""
    plan: Plan | None
    names: dict[str, int]
    parameters: dict[str, int]
    """RTL parameters of the build."""
    ports: dict[str, DesignPort]
    inside: str
    """What names of signals in the core begin with, below the top that is simulated."""
    signals: Mapping[str, int]
    """Bits of signals in the core that its description names."""
    files: tuple[Path, ...]
    """Every file of the core that a simulator reads, included ones too."""
    starts: tuple[int, ...] = (0,)
    """Row in which each product of a stream starts, or before which it does not where no schedule says it."""

    @cached_property
    def products(self) -> int:
        """Most products of a stream."""
        products = _products(self.core)
        return 1 if products is None else self.formula("protocol.products", products)

    @property
    def operand_words(self) -> int:
        """Words in which an operand comes through its port."""
        protocol = self.core.file.protocol
        return self.formula("protocol.words", protocol.words) if isinstance(protocol, WordSerial) else 1

    @property
    def result_words(self) -> int:
        """Words in which the result leaves through its port."""
        several = isinstance(self.core.file.protocol, WordSerial | Axi4Lite)
        return self.formula("result.words", self.core.file.result.words or 1) if several else 1

    @property
    def setup_words(self) -> int:
        """Cycles of the set-up; 0 where there is none."""
        protocol = self.core.file.protocol
        setup = protocol.setup if isinstance(protocol, WordSerial) else None
        return self.formula("protocol.setup.words", setup.words) if setup else 0

    def stream(self, gaps: Sequence[int]) -> "Bound":
        """The same core for streams of len(gaps) products, each that many cycles later than the core could take it."""
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
        """Parameters that only the hardware has, by name."""
        return self.architecture.own_settings(self.shape) if self.architecture and self.shape else {}

    @property
    def settings(self) -> Given:
        """Settings that resolve to this core again, all of them written out."""
        return {**self.multiplier.settings, **self.own}

    @property
    def head(self) -> dict[str, Any]:
        """What documents say of the multiplier, with the parameters of the hardware."""
        head = self.multiplier.head
        return {**head, "params": {**head["params"], **self.own}}

    @property
    def options(self) -> str:
        """The same as options of the command line."""
        return self.multiplier.options + "".join(f" --set {name}={value}" for name, value in self.own.items())

    @property
    def loads(self) -> tuple[Load, ...]:
        memory = self.core.file.memory
        return memory.load if memory else ()

    @cached_property
    def words(self) -> list[int]:
        """Words of every load."""
        return [self.formula(f"memory.load[{k}].words", load.words) for k, load in enumerate(self.loads)]

    @cached_property
    def bus(self) -> dict[str, DesignPort]:
        """Ports of the AXI4-Lite bus by the names of its signals."""
        protocol = self.core.file.protocol
        if not isinstance(protocol, Axi4Lite):
            return {}
        found = {signal: protocol.port(signal, self.ports) for signal in {**AXI4_LITE, **AXI4_LITE_MORE}}
        return {signal: self.ports[port] for signal, port in found.items() if port}

    @cached_property
    def bus_words(self) -> list[int]:
        """Words of every load of a bus."""
        protocol = self.core.file.protocol
        loads = protocol.load if isinstance(protocol, Axi4Lite) else ()
        return [self.formula(f"protocol.load[{k}].words", load.words) for k, load in enumerate(loads)]

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
        """Width of a port, or of a signal inside."""
        return self.ports[name].width if name in self.ports else self.signals[name]

    @property
    def limit(self) -> int:
        """Cycles after which the watchdog bites."""
        accesses = sum(self.bus_words) + self.result_words + SLACK // ACCESS if self.bus else 0
        return self.longest + sum(self.words) + self.setup_words + ACCESS * accesses + SLACK

    @property
    def longest(self) -> int:
        """Cycles that a stream takes, or may take where nobody knows."""
        if self.plan:
            return self.plan.cycles
        return self.starts[-1] + len(self.starts) * self.formula("timeout", self.core.file.timeout or 0)

    def expected(self, result: int) -> int:
        """What the core returns where the model returns `result`."""
        return result if self.core.file.compare == "result" else result % self.multiplier.modulus.modulus


def example(core: Core) -> str:
    """The modulus for which the core is linted and described."""
    architecture = _architecture(core)
    return architecture.example if architecture else "secp256k1.fp"


def check_build(core: Core, build: Mapping[str, int]) -> None:
    """Raises ParameterError for RTL parameters that core.toml does not have, and for values that it excludes.

    Where an RTL parameter is just a parameter of the model, it has the limits of that.
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
    """Raises ParameterError where an RTL parameter says something else of the hardware than the schedule does."""
    for name, value in build.items():
        own = str(core.file.build[name])
        if own in shape.own and shape.own[own] != value:
            said = architecture.own_settings(shape)[own]
            why = f"{value} contradicts {own} = {said}, which the schedule has; --set {own} decides about both"
            raise ParameterError(name, why)


def bind(core: Core, prime: str | int, given: Given, build: Mapping[str, int], stream: int | None = None) -> Bound:
    """Bind a core; `build` overrides RTL parameters, `stream` is how many products a stream has.

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
    for problem in _problems(bound):
        raise core.error(problem)
    return _streaming(bound, stream)


def _streaming(bound: Bound, asked: int | None) -> Bound:
    """The core for streams of as many products as were asked for, as fast as it takes them."""
    most, serial = bound.products, isinstance(bound.core.file.protocol, WordSerial)
    least = 1 if serial else most
    if asked is not None and not least <= asked <= most:
        some = f"{least} to {most} products" if least < most else "one product" if most == 1 else f"{most} products"
        raise ParameterError("stream", f"{bound.core.file.name} takes {some} at a time, not {asked}")
    if _products(bound.core) is not None:
        bound = bound.stream([0] * (asked or most))
    if bound.limit > MAX_CYCLES:
        what = "a stream" if most > 1 else "a product"
        raise bound.core.error(f"{what} may take {bound.limit} cycles by its timeout, and the limit is {MAX_CYCLES}")
    return bound


def _products(core: Core) -> str | int | None:
    """Formula of the products that are in the core at the same time; None where it takes one after the other."""
    protocol = core.file.protocol
    return protocol.products if isinstance(protocol, StartDone | WordSerial) else None


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
    """Parameters with all their aliases, the logarithm of the radix among them; N, unless the model has one."""
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
    """Set what the core fixes, unless the caller asked for something else."""
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
    if (architecture.overlap is None) != (_products(core) is None):
        kind = "overlap" if architecture.overlap else "do not overlap"
        has = "has no" if architecture.overlap else "has"
        raise core.error(f"protocol {has} products, and those of {architecture.id} {kind}")
    own = dict(given)
    for name, value in fixed.items():
        _fix(core, own, name, value)
    return architecture.resolve(multiplier.modulus.modulus, {**multiplier.settings, **own})


def _problems(bound: Bound) -> Iterator[str]:
    """What the description says and the design has not."""
    top = bound.core.file.simulated_top
    model = bound.multiplier.model
    if model.unary != bound.core.file.unary:
        yield f"{model.id} has no b" if model.unary else "b must be given, as a is"
    driven: set[str] = set()
    for key, name, direction in _wires(bound):
        found = bound.ports.get(name)
        if found is None and direction == _WATCHED and name in bound.signals:
            continue
        if found is None:
            what = "output or signal" if direction == _WATCHED else "port"
            yield f"{key} is {name!r}, and {top} has no such {what}"
            return
        direction = "output" if direction == _WATCHED else direction
        if found.direction != direction:
            yield f"{key} is {name}, which is an {found.direction} of {top} and should be an {direction}"
            return
        if direction == "input" and name in driven:
            yield f"{key} is {name}, which something else drives already"
        if direction == "input":
            driven.add(name)
    for k, row in enumerate(bound.core.file.row):
        if row.signal and row.signal not in bound.signals:
            yield f"row[{k}].signal is {row.signal!r}, and {bound.core.file.top} has no such signal"
            return
    yield from _width_problems(bound)
    for port in bound.ports.values():
        if port.direction != "output" and port.name not in driven:
            yield f"the {port.direction} {port.name} of {top} is driven by nothing"


def _single_bit(bound: Bound) -> Iterator[tuple[str, str, str]]:
    """(key, port, direction) of every port of one bit."""
    file = bound.core.file
    protocol = file.protocol
    yield "clock.port", file.clock.port, "input"
    yield "reset.port", file.reset.port, "input"
    if isinstance(protocol, WordSerial):
        for name in ("start", "load", "ready", "valid"):
            if port := getattr(protocol, name):
                yield f"protocol.{name}", port, "input" if name in ("start", "load") else "output"
        if protocol.setup:
            yield "protocol.setup.port", protocol.setup.port, "input"
    elif isinstance(protocol, StartDone):
        yield "protocol.start", protocol.start, "input"
        yield "protocol.done", protocol.done, "output"
        if protocol.busy:
            yield "protocol.busy", protocol.busy, "output"
    elif isinstance(protocol, Axi4Lite):
        for name in ("starts", "finishes"):
            if port := getattr(protocol, name):
                yield f"protocol.{name}", port, _WATCHED
    else:
        yield "protocol.in_valid", protocol.in_valid, "input"
        yield "protocol.in_ready", protocol.in_ready, "output"
        yield "protocol.out_valid", protocol.out_valid, "output"
        yield "protocol.out_ready", protocol.out_ready, "input"
    if file.memory:
        yield "memory.enable", file.memory.enable, "input"
    for k, row in enumerate(file.row):
        if row.when:
            yield f"row[{k}].when", row.when, _WATCHED


def _wires(bound: Bound) -> Iterator[tuple[str, str, str]]:
    """(key, port, direction) of every port that the description names."""
    file = bound.core.file
    yield from _single_bit(bound)
    for k, constant in enumerate(file.input):
        yield f"input[{k}].port", constant.port, "input"
    for k, operand in enumerate(file.operand):
        yield f"operand[{k}].port", operand.port, "input"
    if isinstance(file.protocol, WordSerial):
        yield from _serial_wires(file.protocol, [operand.port for operand in file.operand])
    if isinstance(file.protocol, Axi4Lite):
        yield from _bus_wires(bound, file.protocol)
    if file.memory:
        yield "memory.address", file.memory.address, "input"
        yield "memory.data", file.memory.data, "input"
        for name in ("select", "product"):
            if port := getattr(file.memory, name):
                yield f"memory.{name}", port, "input"
    if file.result.address and file.result.data:
        yield "result.address", file.result.address, "input"
        yield "result.data", file.result.data, "output"
        if file.result.product:
            yield "result.product", file.result.product, "input"
    if file.result.port:
        yield "result.port", file.result.port, "output"
    for k, row in enumerate(file.row):
        if row.port:
            yield f"row[{k}].port", row.port, "output"


def _serial_wires(protocol: WordSerial, operands: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """The wide ports; constants may share those of the operands."""
    if protocol.tag_in:
        yield "protocol.tag_in", protocol.tag_in, "input"
    for name in ("taker", "tag"):
        if port := getattr(protocol, name):
            yield f"protocol.{name}", port, "output"
    for k, load in enumerate(protocol.setup.load if protocol.setup else ()):
        if load.port not in operands:
            yield f"protocol.setup.load[{k}].port", load.port, "input"


def _bus_wires(bound: Bound, protocol: Axi4Lite) -> Iterator[tuple[str, str, str]]:
    for signal, direction in {**AXI4_LITE, **AXI4_LITE_MORE}.items():
        if signal in bound.bus or signal in AXI4_LITE:
            port = bound.bus[signal].name if signal in bound.bus else protocol.prefix + signal
            yield f"protocol.prefix with {signal}", port, direction


def _width_problems(bound: Bound) -> Iterator[str]:
    file, params = bound.core.file, bound.multiplier.params
    for key, port, _ in _single_bit(bound):
        if bound.width(port) != 1:
            yield f"{key} is {port}, which has {bound.width(port)} bits and should have 1"
    for k, constant in enumerate(file.input):
        value = bound.value(f"input[{k}].value", constant.value)
        yield from _fits(bound, f"input[{k}].port", constant.port, value.bit_length(), f"the value {constant.value}")
    limits = dict(zip("ab", params.limits, strict=True))
    for k, operand in enumerate(file.operand):
        bits, words = limits[operand.name].bit_length(), bound.operand_words
        yield from _fits(bound, f"operand[{k}].port", operand.port, bits, f"the operand {operand.name}", words)
        yield from _digit_problems(bound, f"operand[{k}]", operand, bits)
    largest = params.result_limit - 1 if file.compare == "result" else bound.multiplier.modulus.modulus - 1
    result_bits = largest.bit_length()
    if file.result.port:
        yield from _fits(bound, "result.port", file.result.port, result_bits, "the result", bound.result_words)
        yield from _digit_problems(bound, "result", file.result, result_bits)
    if isinstance(file.protocol, WordSerial):
        yield from _serial_problems(bound, file.protocol)
    if isinstance(file.protocol, Axi4Lite):
        yield from _bus_problems(bound, file.protocol, {**limits, "result": largest})
    if file.memory:
        yield from _memory_problems(bound, limits)
    if file.result.address and file.result.data and file.result.words and file.result.depth:
        words = bound.formula("result.words", file.result.words)
        depth = bound.depth("result.depth", file.result.depth)
        yield from _words_problem(bound, "result", words, depth, file.result.address, file.result.data, result_bits)
    if file.result.product:
        yield from _product_problem(bound, "result.product", file.result.product)
    yield from _row_problems(bound)


def _digit_problems(bound: Bound, key: str, place: Operand | Result, bits: int) -> Iterator[str]:
    """Are the digits on the port of one width, and do they hold the bits?"""
    if place.digits is None or place.port is None:
        return
    weight = bound.formula(f"{key}.weight", place.weight or 0)
    digits, width = bound.formula(f"{key}.digits", place.digits), bound.ports[place.port].width
    if not digits or width % digits:
        yield f"{key}.port is {place.port}, whose {width} bits are not {digits} digits of one width"
    elif not 1 <= weight <= width // digits or weight * digits < bits:
        yield f"{key} has {digits} digits of {width // digits} bits and weight {weight}, and may have {bits} bits"


def _product_problem(bound: Bound, key: str, port: str) -> Iterator[str]:
    """Does the port hold the number of every product?"""
    yield from _fits(bound, key, port, (bound.products - 1).bit_length(), f"{bound.products} products")


def _serial_problems(bound: Bound, protocol: WordSerial) -> Iterator[str]:
    for key, count in (("words", bound.operand_words), ("products", bound.products)):
        if not 1 <= count < 1 << COUNT_BITS:
            yield f"protocol.{key} is {count}, and should be 1 to {(1 << COUNT_BITS) - 1}"
    source = protocol.taker or protocol.tag_in
    if protocol.tag and source and bound.ports[protocol.tag].width != bound.ports[source].width:
        width, other = bound.ports[protocol.tag].width, bound.ports[source].width
        yield f"protocol.tag is {protocol.tag}, which has {width} bits, and {source} has {other}"
    if protocol.setup:
        yield from _setup_problems(bound, protocol.setup)


def _bus_problems(bound: Bound, protocol: Axi4Lite, limits: Mapping[str, int]) -> Iterator[str]:
    """Widths of the bus, and whether registers hold the values and lie in the range of addresses."""
    width, address = bound.bus["wdata"].width, bound.bus["awaddr"].width
    if width not in (32, 64):
        yield f"the data of an AXI4-Lite bus have 32 or 64 bits, and {bound.bus['wdata'].name} has {width}"
        return
    wanted = {"rdata": width, "wstrb": width // 8, "araddr": address, "awprot": 3, "arprot": 3, "bresp": 2, "rresp": 2}
    wanted |= dict.fromkeys((signal for signal in AXI4_LITE if signal.endswith(("valid", "ready"))), 1)
    for signal, bits in wanted.items():
        if signal in bound.bus and bound.bus[signal].width != bits:
            yield f"{bound.bus[signal].name} has {bound.bus[signal].width} bits and should have {bits}"
    registers = []
    for k, (load, words) in enumerate(zip(protocol.load, bound.bus_words, strict=True)):
        text, key = str(load.value), f"protocol.load[{k}]"
        value = limits[text] if text in limits else bound.value(f"{key}.value", load.value)
        registers.append((key, load.offset, words, value))
    for k, check in enumerate(protocol.check):
        key = f"protocol.check[{k}]"
        registers.append((key, check.offset, 1, bound.value(f"{key}.value", check.value)))
    start = bound.formula("protocol.start.value", protocol.start.value)
    registers.append(("protocol.start", protocol.start.offset, 1, start))
    registers.append(("protocol.done", protocol.done.offset, 1, protocol.done.mask))
    registers.append(("result", bound.core.file.result.offset or 0, bound.result_words, limits["result"]))
    for key, register, words, value in registers:
        if register % (width // 8) or register + words * width // 8 > 1 << address:
            yield f"{key}.offset is {register:#x}, and should be that of a word of {width} bits below {1 << address:#x}"
        if not 1 <= words < 1 << COUNT_BITS or value.bit_length() > words * width:
            yield f"{key} has {words} words of {width} bits, and its value may have {value.bit_length()} bits"
    written = sorted(registers[: len(protocol.load)], key=lambda entry: entry[1])
    for (first, register, words, _), (second, offset, _, _) in pairwise(written):
        if register + words * width // 8 > offset:
            yield f"{second}.offset is {offset:#x}, where the {words} words of {first} from {register:#x} on lie, too"


def _setup_problems(bound: Bound, setup: SetUp) -> Iterator[str]:
    count = bound.setup_words
    if not 1 <= count < 1 << COUNT_BITS:
        yield f"protocol.setup.words is {count}, and should be 1 to {(1 << COUNT_BITS) - 1}"
    for k, load in enumerate(setup.load):
        key = f"protocol.setup.load[{k}]"
        words = count if load.words is None else bound.formula(f"{key}.words", load.words)
        if not 1 <= words <= count:
            yield f"{key} has {words} words, and the set-up takes {count} cycles"
        bits = bound.value(f"{key}.value", load.value).bit_length()
        yield from _fits(bound, f"{key}.port", load.port, bits, f"the value {load.value}", words)


def _memory_problems(bound: Bound, limits: Mapping[str, int]) -> Iterator[str]:
    memory = bound.core.file.memory
    assert memory is not None
    depth = bound.depth("memory.depth", memory.depth)
    for k, (load, words) in enumerate(zip(memory.load, bound.words, strict=True)):
        key = f"memory.load[{k}]"
        text = str(load.value)
        value = limits[text] if text in limits else bound.value(f"{key}.value", load.value)
        yield from _words_problem(bound, key, words, depth, memory.address, memory.data, value.bit_length())
        if memory.select:
            yield from _fits(bound, f"{key}.select", memory.select, load.select.bit_length(), str(load.select))
    if memory.product:
        yield from _product_problem(bound, "memory.product", memory.product)


def _words_problem(bound: Bound, key: str, words: int, depth: int, address: str, data: str, bits: int) -> Iterator[str]:
    """Do `words` words hold the bits, does the depth hold the words, does the address reach them?"""
    width = bound.ports[data].width
    if not 1 <= words <= min(depth, (1 << COUNT_BITS) - 1):
        yield f"{key} has {words} words, and the depth is {depth}"
    elif words * width < bits:
        yield f"{key} has {words} words of {width} bits on {data}, and its value may have {bits} bits"
    else:
        yield from _fits(bound, f"{key}.address", address, (words - 1).bit_length(), f"{words} words")


def _fits(bound: Bound, key: str, port: str, bits: int, what: str, words: int = 1) -> Iterator[str]:
    """Do so many words on the port hold the bits?"""
    width = bound.ports[port].width
    if width * words < bits:
        times = f" in each of {words} words" if words > 1 else ""
        yield f"{key} is {port}, which has {width} bits{times} and should have {bits} for {what}"


def _row_problems(bound: Bound) -> Iterator[str]:
    columns = {c.name: c for c in bound.plan.columns} if bound.plan else {}
    steps = [symbol.name for symbol in bound.multiplier.model.vocabulary]
    for k, row in enumerate(bound.core.file.row):
        if row.match != "cycle":
            if row.step not in steps:
                yield f"row[{k}].step is {row.step!r}, which is none of {', '.join(steps)}"
        elif row.column not in columns:
            yield f"row[{k}].column is {row.column!r}, and the schedule has {', '.join(columns)}"
        else:
            bits, wanted, key = bound.bits(row), columns[row.column].width, "port" if row.port else "signal"
            if bits < wanted:
                column = f"the column {row.column}"
                yield f"row[{k}].{key} is {row.source}, which has {bits} bits and should have {wanted} for {column}"
