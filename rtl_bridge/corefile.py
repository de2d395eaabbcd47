# SPDX-License-Identifier: Apache-2.0
"""`core.toml`: all that the bridge knows about a core."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from refmodels.errors import ParameterError
from rtl_bridge.formula import FormulaError, evaluate

FORMAT = "limbtrace-core/1"
BUILT_IN = Path(__file__).parent / "rtl"
CELLS = BUILT_IN / "cells"
"""Modules that cores of the house share; any core may use them."""

Port = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_$]*$")]
_PART = r"[A-Za-z_][A-Za-z0-9_$]*(\[[0-9]+\])?"
Signal = Annotated[str, Field(pattern=rf"^{_PART}(\.{_PART})*$")]
"""A name below the top of the core: instances, blocks and the signal itself, each with an index where it has one."""
Formula = Annotated[str, Field(min_length=1)] | int
Family = Literal["xc7", "xcu", "xcup", "xc6v", "xc5v"]
"""7 series, UltraScale, UltraScale+, Virtex-6, Virtex-5."""
Cell = Annotated[str, Field(pattern=r"^\w+\.sv$")]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Probe(_Table):
    """A wrapper with the core's ports and those that show what has to be computed, for simulation only."""

    file: str
    top: Port


class Clock(_Table):
    port: Port


class Reset(_Table):
    """One that is not synchronous changes half a clock away from the edges."""

    port: Port
    active: Literal["low", "high"]
    synchronous: bool


class StartDone(_Table):
    """A pulse of `start` while not busy begins a product; operands stay; `done` says that the result is there.

    With `products` it begins so many at once, and `done` says that all results are there.
    """

    kind: Literal["start-done"]
    start: Port
    done: Port
    busy: Port | None = None
    products: Formula | None = None

    @property
    def finished(self) -> str:
        """The port that says that the core is done."""
        return self.done

    @property
    def taken(self) -> tuple[str, int]:
        """The port that lets a start happen, and its value then."""
        return (self.busy, 0) if self.busy else (self.start, 1)

    @property
    def ports(self) -> list[str]:
        """The ports of the handshake."""
        return [self.start, *([self.busy] if self.busy else []), self.done]


class ValidReady(_Table):
    """Operands and results change hands at an edge at which valid and ready are both high."""

    kind: Literal["valid-ready"]
    in_valid: Port
    in_ready: Port
    out_valid: Port
    out_ready: Port

    @property
    def finished(self) -> str:
        """The port that says that the core is done."""
        return self.out_valid

    @property
    def taken(self) -> tuple[str, int]:
        """The port that lets a start happen, and its value then."""
        return self.in_ready, 1

    @property
    def ports(self) -> list[str]:
        """The ports of the handshake."""
        return [self.in_valid, self.in_ready, self.out_valid, self.out_ready]


class SetUpLoad(_Table):
    """A constant on an input port, word by word; after its last word the port keeps that."""

    port: Port
    value: Formula
    words: Formula | None = None
    """As many as the set-up takes, where not given."""


class SetUp(_Table):
    """`words` cycles with `port` high, in which constants come: after a reset and when the modulus changes."""

    port: Port
    words: Formula
    load: tuple[SetUpLoad, ...] = Field(min_length=1)


Order = Literal["low-first", "high-first"]


class WordSerial(_Table):
    """Operands come and results leave one word a cycle, with several products on their way.

    `start` is high with the first word of a product, `load` with all of them. A product starts only in a cycle in
    which `ready` is high, and words leave whenever `valid` is. Results come in the order of the products, or each word
    with its `tag`: what `tag_in` was given or `taker` showed when the product started.
    """

    kind: Literal["word-serial"]
    words: Formula
    """Of an operand."""
    order: Order = "low-first"
    """Of operands and constants."""
    products: Formula
    """Most products of a stream."""
    start: Port | None = None
    load: Port | None = None
    ready: Port | None = None
    taker: Port | None = None
    tag_in: Port | None = None
    valid: Port
    tag: Port | None = None
    setup: SetUp | None = None

    @model_validator(mode="after")
    def _complete(self) -> "WordSerial":
        if self.start is None and self.load is None:
            raise ValueError("needs start or load")
        if (self.tag is None) != (self.taker is None and self.tag_in is None) or None not in (self.taker, self.tag_in):
            raise ValueError("takes tag together with either taker or tag_in")
        return self

    @property
    def finished(self) -> str:
        """The port that says that the core is done."""
        return self.valid

    @property
    def taken(self) -> tuple[str, int]:
        """The port that lets a start happen, and its value then."""
        return (self.ready, 1) if self.ready else (self.start or self.load or "", 1)

    @property
    def ports(self) -> list[str]:
        """The ports of the handshake."""
        setup = self.setup.port if self.setup else None
        names = (setup, self.start, self.load, self.ready, self.taker, self.tag_in, self.valid, self.tag)
        return [name for name in names if name]


class Register(_Table):
    """A register behind a bus: byte address."""

    offset: int = Field(ge=0)


class RegisterLoad(Register):
    """What is written before a start: an operand ("a", "b") or a constant, `words` words, low word at the address."""

    value: Formula
    words: Formula = 1


class RegisterValue(Register):
    """A value that is written to a register, or that stands in it."""

    value: Formula


class RegisterBits(Register):
    """Some bits of a register, one of which is 1 at least."""

    mask: int = Field(default=1, ge=1)


class Axi4Lite(_Table):
    """Operands, start, done and result are registers behind an AXI4-Lite port; while busy, writes are ignored.

    `starts` is high in the cycle at whose end the core takes its product, `finishes` in the first one in which it is
    done: without them the answer to the start, and the poll that sees `done`. Each is an output or a signal inside.
    """

    kind: Literal["axi4-lite"]
    prefix: Port
    """Of the ports' names; after the name of the signal, in either case, they may have _i or _o."""
    load: tuple[RegisterLoad, ...] = Field(min_length=1)
    """Written in this order; constants once, operands for every product."""
    check: tuple[RegisterValue, ...] = ()
    """Read in front of every start."""
    start: RegisterValue
    done: RegisterBits
    starts: Signal | None = None
    finishes: Signal | None = None

    def port(self, signal: str, names: Iterable[str]) -> str | None:
        """The one of `names` that is that signal of the bus."""
        wanted = f"{self.prefix}{signal}".lower()
        return next((name for name in names if re.sub("_[io]$", "", name.lower()) == wanted), None)

    @property
    def finished(self) -> str:
        """What says that the core is done."""
        return self.finishes or f"register {self.done.offset:#x}"

    @property
    def taken(self) -> tuple[str, int]:
        """What says that the core has taken its product, and its value then."""
        return self.starts or f"register {self.start.offset:#x}", 1

    @property
    def ports(self) -> list[str]:
        """The ports of the handshake."""
        return [port for port in (self.starts, self.finishes) if port]


AXI4_LITE = {
    **dict.fromkeys(("awaddr", "awvalid", "wdata", "wvalid", "bready", "araddr", "arvalid", "rready"), "input"),
    **dict.fromkeys(("awready", "wready", "bvalid", "arready", "rdata", "rvalid"), "output"),
}
"""Signals of the bus that every core has, and their direction."""
AXI4_LITE_MORE = {"awprot": "input", "wstrb": "input", "arprot": "input", "bresp": "output", "rresp": "output"}
"""Those that it may have."""


class Input(_Table):
    """A port that keeps one value: a formula over the parameters, or a constant of the model by its name."""

    port: Port
    value: Formula


class Operand(_Table):
    """An operand on a port of its own.

    With `radix`, a constant of the model or a formula, it is there as two digits, each in a half of the port, the low
    one in the low half. With `weight` and `digits` so many digits stand side by side on the port, low one in the low
    bits: those that the model splits it into, each of which counts 2^weight times as much as the one before.
    """

    name: Literal["a", "b"]
    port: Port
    radix: Formula | None = None
    weight: Formula | None = None
    digits: Formula | None = None

    @model_validator(mode="after")
    def _complete(self) -> "Operand":
        if (self.weight is None) != (self.digits is None) or None not in (self.radix, self.weight):
            raise ValueError("takes weight together with digits, and not beside radix")
        return self


class Load(_Table):
    """What is written through the port: an operand ("a", "b") or a constant, `words` words, low word first.

    With `weight` a word is a digit that counts 2^weight times as much as the one before: those that the model splits
    an operand into, overlap bits included, and digits without them for a constant.
    """

    value: Formula
    words: Formula
    select: int = Field(default=0, ge=0)
    weight: Formula | None = None


class Memory(_Table):
    """A write port for operands; `depth` (over the RTL parameters) is the most words that a load can have.

    Where a start begins several products, `product` gets the number of the one that an operand is for.
    """

    enable: Port
    address: Port
    data: Port
    depth: Formula
    load: tuple[Load, ...] = Field(min_length=1)
    select: Port | None = None
    product: Port | None = None


class Result(_Table):
    """The result on one port, or through a read port that answers within the cycle, low word first.

    With `weight` the words of a read port are digits, each of which counts 2^weight times as much as the one before;
    what they add up to is the result. `product` gets the number of the product where a start begins several. Where
    words come by themselves: `port`, `words` and `order`. With `radix` the port has two digits as those of an operand,
    in their ranges or not; with `digits` it has so many, each of which counts 2^weight times as much as the one before.
    Behind a bus: `offset`, the byte address of the low word, and `words`.
    """

    port: Port | None = None
    address: Port | None = None
    data: Port | None = None
    words: Formula | None = None
    depth: Formula | None = None
    weight: Formula | None = None
    product: Port | None = None
    order: Order | None = None
    radix: Formula | None = None
    digits: Formula | None = None
    offset: int | None = None

    def check(self, protocol: "StartDone | ValidReady | WordSerial | Axi4Lite") -> None:
        """Raises ValueError where keys are missing, or too many."""
        serial = isinstance(protocol, WordSerial)
        given = {name for name, value in self if value is not None} - ({"order"} if serial else set())
        if (self.radix or self.digits) and (not self.port or (serial and self.words != 1)):
            raise ValueError("radix and digits of result go with a port that has the whole result")
        if self.digits is not None and (self.weight is None or self.radix is not None):
            raise ValueError("digits of result need weight, and do not go beside radix")
        given -= {"radix"} if self.digits is None else {"digits", "weight"}
        if isinstance(protocol, Axi4Lite):
            if given != {"offset", "words"}:
                raise ValueError('result needs offset and words where the protocol is "axi4-lite"')
            return
        if serial and given != {"port", "words"}:
            raise ValueError('result needs port and words, and takes order, where the protocol is "word-serial"')
        if not serial and given - {"weight", "product"} not in ({"port"}, {"address", "data", "words", "depth"}):
            raise ValueError("result needs either port, or address, data, words and depth")
        if self.port and given & {"weight", "product"}:
            raise ValueError("weight and product of result go with a read port")


class Row(_Table):
    """A watched output, or signal inside, and what it shows.

    match "cycle": `column` of the schedule, in every cycle; "event": the next value of `step` whenever `when` is high;
    "result": the last value of `step` in the first cycle in which the core is done.
    """

    port: Port | None = None
    signal: Signal | None = None
    match: Literal["cycle", "event", "result"] = "cycle"
    column: str | None = None
    step: str | None = None
    when: Signal | None = None
    """An output or a signal inside."""
    kind: Literal["register", "combinational"] | None = None
    where: Formula | None = None
    """Watched only where this formula is not 0."""

    @model_validator(mode="after")
    def _complete(self) -> "Row":
        if (self.port is None) == (self.signal is None):
            raise ValueError("takes either port or signal")
        wanted = {"cycle": {"column"}, "event": {"step", "when"}, "result": {"step"}}[self.match]
        allowed = wanted | ({"kind"} if self.match != "cycle" else set())
        given = {name for name in ("column", "step", "when", "kind") if getattr(self, name) is not None}
        if not wanted <= given <= allowed:
            raise ValueError(f'of match "{self.match}" takes {", ".join(sorted(allowed))}, and needs {_and(wanted)}')
        return self

    @property
    def source(self) -> str:
        """The output or the signal inside."""
        return self.port or self.signal or ""

    @property
    def name(self) -> str:
        """What reports call the signal."""
        return self.column or self.source


class Synth(BaseModel):
    """Points for synthesis: each RTL parameter is a number, a list of numbers, or a formula over the others."""

    model_config = ConfigDict(extra="allow", frozen=True)
    __pydantic_extra__: dict[str, Formula | list[int]]

    family: Family = "xc7"

    @property
    def parameters(self) -> dict[str, Formula | list[int]]:
        return self.__pydantic_extra__

    @property
    def points(self) -> Iterator[dict[str, int]]:
        """Every combination of the lists, the last one changing fastest. Raises FormulaError."""
        choices = [value if isinstance(value, list) else [value] for value in self.parameters.values()]
        for chosen in product(*choices):
            point = dict(zip(self.parameters, chosen, strict=True))
            numbers = {name: value for name, value in point.items() if isinstance(value, int)}
            yield {name: evaluate(value, numbers) for name, value in point.items()}


def _and(names: set[str]) -> str:
    return " and ".join(sorted(names))


class CoreFile(_Table):
    """A core: files, parameters, ports, protocol, model, watched signals."""

    format: Literal["limbtrace-core/1"]
    name: Port
    model: str
    files: tuple[str, ...] = Field(min_length=1)
    top: Port
    clock: Clock
    reset: Reset
    protocol: Annotated[StartDone | ValidReady | WordSerial | Axi4Lite, Field(discriminator="kind")]
    result: Result
    cells: tuple[Cell, ...] = ()
    """Files in CELLS, compiled before the core's own."""
    schedule: str | None = None
    compare: Literal["result", "residue"] = "result"
    """"residue": the core returns its result reduced to [0, p)."""
    probe: Probe | None = None
    settings: dict[str, str | int] = Field(default_factory=dict)
    ranges: dict[str, tuple[int, int]] = Field(default_factory=dict)
    build: dict[Port, Formula] = Field(default_factory=dict)
    input: tuple[Input, ...] = ()
    operand: tuple[Operand, ...] = ()
    memory: Memory | None = None
    row: tuple[Row, ...] = ()
    timeout: Formula | None = None
    synth: tuple[Synth, ...] = ()
    """Points for which the folder keeps the area that Yosys reports."""

    @model_validator(mode="after")
    def _consistent(self) -> "CoreFile":
        if sorted(self._operands) not in (["a", "b"], ["a"]):
            raise ValueError("a and b must each be given once, by [[operand]], [[memory.load]] or [[protocol.load]]")
        self.result.check(self.protocol)
        if isinstance(self.protocol, WordSerial | Axi4Lite) and self.memory:
            raise ValueError(f'memory does not go with the protocol "{self.protocol.kind}"')
        if isinstance(self.protocol, Axi4Lite):
            self._check_bus(self.protocol)
        several = isinstance(self.protocol, StartDone) and self.protocol.products is not None
        ports = (self.memory.product if self.memory else None, self.result.product)
        if several != (ports[0] is not None) or several != (ports[1] is not None):
            raise ValueError("protocol.products of a start, memory.product and result.product go together")
        if self.schedule is None:
            if self.timeout is None:
                raise ValueError("timeout is needed where no schedule says how long a product takes")
            if cycle_rows := [row.source for row in self.row if row.match == "cycle"]:
                raise ValueError(f'row {cycle_rows[0]} has match "cycle", which needs a schedule')
        for k, entry in enumerate(self.synth):
            if set(entry.parameters) != set(self.build):
                raise ValueError(f"an entry of synth must name {', '.join(self.build) or 'nothing'}")
            try:
                list(entry.points)
            except FormulaError as error:
                raise ValueError(f"synth[{k}] has a formula that {error}") from None
        return self

    def _check_bus(self, protocol: Axi4Lite) -> None:
        if self.operand:
            raise ValueError('operand does not go with the protocol "axi4-lite"')
        cycle_rows = [row.source for row in self.row if row.match == "cycle"]
        if cycle_rows and not (protocol.starts and protocol.finishes):
            raise ValueError(f'row {cycle_rows[0]} has match "cycle", which needs protocol.starts and finishes')

    @property
    def _operands(self) -> list[str]:
        """Names of the operands, as often as they are given."""
        loads = [*(self.memory.load if self.memory else ())]
        given = [load.value for load in (self.protocol.load if isinstance(self.protocol, Axi4Lite) else loads)]
        return [*(operand.name for operand in self.operand), *(str(value) for value in given if value in ("a", "b"))]

    @property
    def points(self) -> list[tuple[Family, dict[str, int]]]:
        """(family, RTL parameters) of every point for synthesis."""
        return [
            (entry.family, {name: point[name] for name in self.build}) for entry in self.synth for point in entry.points
        ]

    @property
    def unary(self) -> bool:
        """Whether there is no b."""
        return "b" not in self._operands

    @property
    def stalls(self) -> bool:
        """Whether the protocol lets either side wait."""
        return isinstance(self.protocol, ValidReady)

    @property
    def inside(self) -> list[str]:
        """Names that are, or may be, those of signals below `top`, each once."""
        protocol = self.protocol
        bus = [protocol.starts, protocol.finishes] if isinstance(protocol, Axi4Lite) else []
        names = [*(row.signal for row in self.row), *(row.when for row in self.row), *bus]
        return list(dict.fromkeys(name for name in names if name))

    @property
    def simulated_top(self) -> str:
        """The module that is simulated: the probe where there is one."""
        return self.probe.top if self.probe else self.top


@dataclass(frozen=True)
class Core:
    """A core's folder and its description."""

    folder: Path
    file: CoreFile

    @property
    def place(self) -> str:
        """Path of the description, for messages."""
        return str(self.folder / "core.toml")

    def error(self, sentence: str) -> ParameterError:
        """A complaint about the description."""
        return ParameterError("core", f"{self.place}: {sentence}")

    @property
    def cells(self) -> list[Path]:
        """Shared files, in order of compilation."""
        return [CELLS / name for name in self.file.cells]

    @property
    def rtl(self) -> list[Path]:
        """All that is hardware, in order of compilation."""
        return [*self.cells, *(self.folder / name for name in self.file.files)]

    @property
    def sources(self) -> list[Path]:
        """All that is simulated, in order of compilation: the probe comes last."""
        return [*self.rtl, *([self.folder / self.file.probe.file] if self.file.probe else [])]


def find(name: str) -> Core:
    """A built-in core by name, or the core in a folder. Raises ParameterError("core")."""
    folder = BUILT_IN / name
    if not name.isidentifier() or not (folder / "core.toml").is_file():
        folder = Path(name)
    if not folder.is_dir():
        known = ", ".join(core.name for core in built_in())
        raise ParameterError("core", f"there is no core {name[:80]!r}, neither a folder nor one of {known}")
    return load(folder)


def built_in() -> Iterator[Path]:
    """Folders of the built-in cores."""
    return (path.parent for path in sorted(BUILT_IN.glob("*/core.toml")))


def load(folder: Path) -> Core:
    """The core in a folder. Raises ParameterError("core"), one sentence that names file and key."""
    path = folder / "core.toml"
    file = _read(path)
    if isinstance(file, str):
        raise ParameterError("core", f"{path} {file}")
    core = Core(folder, file)
    for cell in core.cells:
        if not cell.is_file():
            known = ", ".join(path.name for path in sorted(CELLS.iterdir()))
            raise core.error(f"there is no cell {cell.name}; there is {known}")
    for source in core.sources:
        if not source.is_file():
            raise core.error(f"there is no file {source.relative_to(folder)}")
    return core


def _read(path: Path) -> CoreFile | str:
    """The description, or what is wrong with it.

    Not an exception: pydantic's keep the frames of their validators alive, and the caller's with them.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        return CoreFile.model_validate(document)
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return f"is not TOML: {error}"
    except ValidationError as error:
        return f"is wrong: {_sentence(error)}"


def _sentence(error: ValidationError) -> str:
    """The first complaint: key, what is wrong, what stands there."""
    first = error.errors()[0]
    key = ""
    for part in first["loc"]:
        if isinstance(part, int):
            key += f"[{part}]"
        elif part not in (
            "start-done",
            "valid-ready",
            "word-serial",
            "axi4-lite",
            "constrained-str",
            "int",
            "[key]",
        ):  # alternatives are no keys
            key += f".{part}" if key else str(part)
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        return f"{key} is no key of a core.toml"
    if first["type"] == "missing":
        return f"{key} is missing"
    if first["type"] == "value_error":
        return f"{key} {message}".strip()
    return f"{key}: {message[:1].lower()}{message[1:]}, not {str(first['input'])[:60]!r}"
