# SPDX-License-Identifier: Apache-2.0
"""The tables of a `core.toml`, a type each; `core.core_file` is the whole file."""

import re
from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from limbtrace.refmodels.errors import shown
from limbtrace.rtl_bridge.description.formula import MAX_LENGTH, evaluate
from limbtrace.rtl_bridge.description.signal_expression import SignalExpression, is_expression, signals_in
from limbtrace.rtl_bridge.description.table import LIBRARY, Formula, Order, Table, VerilogName
from limbtrace.rtl_bridge.interface.pins import Pin

Family = Literal["xc7", "xcu", "xcup", "xc6v", "xc5v"]
"""7 series, UltraScale, UltraScale+, Virtex-6, Virtex-5."""
VhdlStandard = Literal["87", "93", "93c", "00", "02", "08"]


def _own_library(name: str) -> str:
    """The name. Raises ValueError (half a sentence) if it is that of a library without sources of a core."""
    if name.lower() in ("work", "std", "ieee"):
        raise ValueError(f"is {name!r}, and takes libraries beside work, std and ieee")
    return name


VhdlLibrary = Annotated[str, Field(pattern=LIBRARY), AfterValidator(_own_library)]
"""A library of sources in VHDL."""
DEFINED = r"^[A-Za-z0-9_'.:*/()<>~^&|=!?,-]*$"
"""Values of macros that file lists and the scripts of an export hold as they are."""
Cell = Annotated[str, Field(pattern=r"^\w+\.sv$")]


class Probe(Table):
    """A wrapper with the core's ports and additional outputs for computed values, for simulation only."""

    file: str
    top: VerilogName


class Flags(Table):
    """Flags that a simulator is given besides ours; each has to be one that changes neither files nor our own."""

    verilator: tuple[str, ...] = ()
    icarus: tuple[str, ...] = ()

    @field_validator("verilator", "icarus")
    @classmethod
    def _harmless(cls, flags: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        simulator = info.field_name or ""
        for flag in flags:
            if not _FLAGS[simulator].fullmatch(flag):
                raise ValueError(f"has {shown(flag)}, and takes {_SAID_OF_FLAGS[simulator]} alone")
        return flags


_FLAGS = {
    "verilator": re.compile(
        r"-W(no-|warn-)?[A-Za-z0-9-]+|--?(no-)?(assert|autoflush|relative-includes|decoration)|-O[0-3]|-fno-[a-z-]+|"
        r"--?bbox-(sys|unsup)|--?x-(assign|initial)(-edge)?( (0|1|fast|unique))?|"
        r"--?(converge-limit|unroll-count|unroll-stmts|max-num-width|output-split|if-depth) \d{1,7}|"
        r"--?(default-)?language 1[38]\d\d-20\d\d|--?timescale(-override)? [0-9munpfs]+/[0-9munpfs]+"
    ),
    "icarus": re.compile(r"-W[a-z-]+|-T(min|typ|max)|-g(no-)?(specify|assertions|supported-assertions|"
                         r"relative-include|io-range-error|strict-[a-z-]+|xtypes|icarus-misc|shared-loop-index)"),
}  # fmt: skip
_SAID_OF_FLAGS = {
    "verilator": "-W..., -O0 to -O3, -fno-..., --assert, --bbox-sys, --bbox-unsup, --x-assign, --x-initial, "
    "--timescale, --language, --relative-includes, --converge-limit, --unroll-count and --max-num-width",
    "icarus": "-W..., -Tmin, -Ttyp, -Tmax, -gspecify, -gassertions, -grelative-include and -gno-...",
}


class Clock(Table):
    port: Pin


class Reset(Table):
    """An asynchronous reset changes half a clock period away from the edges.

    `registers`: how many registers it may pass through in the core. The handshake is compared as many cycles after the
    first edge of a reset.
    """

    port: Pin
    active: Literal["low", "high"]
    synchronous: bool
    registers: int = Field(default=2, ge=0, le=2)


class InputValue(Table):
    """A value on an input port, or word by word where the core reads it out of a memory.

    In that memory it has `words` words from `base` on, formulas over the RTL parameters; address `base` holds the low
    word, unless `order` says otherwise. The core puts out `address`, and if it has one `enable`, and finds the word on
    `port` in the same cycle or, with a latency of 1, in the next one. Values with one `port` and one `address` are in
    one memory.
    """

    port: Pin
    address: Pin | None = None
    enable: Pin | None = None
    latency: Literal[0, 1] | None = None
    words: Formula | None = None
    base: Formula | None = None
    order: Order | None = None

    @model_validator(mode="after")
    def _of_a_memory(self) -> "InputValue":
        keys = [name for name in ("enable", "latency", "words", "base", "order") if getattr(self, name) is not None]
        if self.address is None and keys:
            raise ValueError(f"takes {keys[0]} only together with address, for a core that reads it out of a memory")
        if self.address is not None and self.words is None:
            raise ValueError("needs words, since the core reads it word by word")
        return self


class Input(InputValue):
    """A port with a constant value: a formula over the parameters, or a constant of the model by name.

    `with = "product"`: the value comes with the operands of its product, and the next product may have another one.
    `with = "stream"`: it is there from the start of a product or stream until the core is done, and all products of
    the stream have the same. `with = "always"`: it is there before and after that, too.
    """

    value: Formula
    with_: Literal["product", "stream", "always"] | None = Field(None, alias="with")

    @model_validator(mode="after")
    def _comes_on_a_port(self) -> "Input":
        if self.with_ is not None and self.address is not None:
            raise ValueError("takes with only without address, for a value on a port")
        return self


class OperandRange(Table):
    """The range of an operand, narrower than that of the model or with negative numbers.

    `below`: the core is given smaller operands only, a number over p, N, R and the parameters. With `signed` it is
    given numbers in two's complement that are above `above`, by default -below.
    """

    below: Formula | None = None
    above: Formula | None = None
    signed: Literal[True] | None = None

    @model_validator(mode="after")
    def _complete_range(self) -> "OperandRange":
        if self.above is not None and not self.signed:
            raise ValueError("takes above together with signed = true, for negative operands")
        if self.signed and self.below is None:
            raise ValueError('needs below with signed = true, such as "p"')
        return self


class LoadedValue(OperandRange):
    """A value that is written into the core: an operand ("a", "b"), which may have a range, or a constant."""

    value: Formula

    @model_validator(mode="after")
    def _operand_below(self) -> "LoadedValue":
        if self.below is not None and self.value not in ("a", "b"):
            raise ValueError(f"takes below for a and b alone, and its value is {self.value!r}")
        return self


class Operand(InputValue, OperandRange):
    """An operand on a port of its own, or out of a memory that the core reads.

    With `radix`, a constant of the model or a formula, it is split into two digits, the low digit in the low half of
    the port. With `weight` and `digits` that many digits are side by side on the port, low digit in the low bits: those
    that the model splits the operand into. Each has 2^weight times the weight of the one before.
    """

    name: Literal["a", "b"]
    radix: Formula | None = None
    weight: Formula | None = None
    digits: Formula | None = None

    @model_validator(mode="after")
    def _complete(self) -> "Operand":
        if (self.weight is None) != (self.digits is None) or None not in (self.radix, self.weight):
            raise ValueError("takes weight together with digits, and not beside radix")
        if self.address is not None and (self.radix or self.weight):
            raise ValueError("takes no radix and no digits together with address")
        if self.signed and (self.radix or self.weight):
            raise ValueError("takes no radix and no digits together with signed")
        return self

    @property
    def halved(self) -> str:
        """SystemVerilog of another value that the core takes, for a product in front: half of this one."""
        if self.signed:
            return half_of_signed(f"{self.name}_i")
        return f"{self.name}_i" if self.radix or self.weight else f"{self.name}_i >> 1"  # digits would mix


def half_of_signed(value: str) -> str:
    """SystemVerilog of half of a signed vector, rounded down: in the range of the vector, if that has 0 or -1."""
    return f"$unsigned($signed({value}) >>> 1)"


class Load(LoadedValue):
    """A value written through the port: an operand ("a", "b") or a constant, `words` words, low word first.

    With `weight` the words are digits, each with 2^weight times the weight of the one before: for an operand those that
    the model splits it into, including overlap bits; for a constant digits without overlap bits.
    """

    words: Formula
    select: int = Field(default=0, ge=0)
    weight: Formula | None = None

    @model_validator(mode="after")
    def _whole(self) -> "Load":
        if self.signed and self.weight is not None:
            raise ValueError("takes no weight together with signed")
        return self


class Memory(Table):
    """A write port for operands, low word first unless `order` says otherwise.

    `depth` (over the RTL parameters) is the largest number of words of a load.

    If a start begins several products, the input `product` receives the number of the operand's product. `locked`: the
    core ignores writes while it is busy, or, with the value "start", those in the cycle of a start, too; with "next" it
    takes those of the next product's operands. `consumed`: operands do not survive a product, so each start needs new
    ones. `ordered`: the words of a load have to be written from address 0 up, and the loads in their order here.
    `with_start`: whether a start may come in the cycle in which the last word of its operands is written.
    """

    enable: Pin
    address: Pin
    data: Pin
    depth: Formula
    load: tuple[Load, ...] = Field(min_length=1)
    select: Pin | None = None
    product: Pin | None = None
    locked: Literal[False, True, "start", "next"] = False
    consumed: bool = False
    ordered: bool = False
    with_start: bool | None = None
    order: Order = "low-first"
    """Which word address 0 has."""


_NO_PLACE = ("below", "above", "signed", "stays")
"""Keys of a result about its value and its time."""


class Result(Table):
    """The result on one port, or through a read port, low word first unless `order` says otherwise.

    A read port answers within the cycle, or with a latency of 1 in the next one. With `enable`, an output, the core
    writes its result itself: `enable`, `address` and `data` are outputs then, and nothing is read.

    With `weight` the words of a read port are digits, each with 2^weight times the weight of the one before; their
    weighted sum is the result. The input `product` receives the number of the product if a start begins several. For
    word-serial results there are `port`, `words` and `order`. With `radix` the port has two digits like those of an
    operand, in range or not; with `digits` it has that many, with weights as above. Behind a bus there are `offset`,
    the byte address of the low word, and `words`. `below`: every result is smaller, a number as that of an operand.
    With `signed` the port has a number in two's complement, and every result is above -below, too. With `above` it is
    above that, and both limits are exact.

    `stays`: until when the core keeps its result: "done", in the first cycle with done alone; "load", until operands
    are written; or "start", until the next start.
    """

    port: Pin | None = None
    address: Pin | None = None
    data: Pin | None = None
    words: Formula | None = None
    depth: Formula | None = None
    weight: Formula | None = None
    product: Pin | None = None
    order: Order | None = None
    radix: Formula | None = None
    digits: Formula | None = None
    offset: int | None = None
    enable: Pin | None = None
    latency: Literal[0, 1] | None = None
    below: Formula | None = None
    above: Formula | None = None
    signed: Literal[True] | None = None
    stays: Literal["done", "load", "start"] | None = None

    def keys(self, *, whole: bool) -> set[str]:
        """Names of the given keys, without those that divide the result on its port into digits.

        `whole`: the port carries the whole result at once. Raises ValueError if keys for digits have nothing to divide.
        """
        given = {name for name, value in self if value is not None and name not in _NO_PLACE}
        if self.above is not None and not self.signed:
            raise ValueError("above of result goes with signed = true, for negative results")
        if self.signed and not (self.port and whole and given <= {"port", "words", "order"}):
            raise ValueError("signed of result goes with a port that has the whole result, without digits")
        if (self.radix or self.digits) and not (self.port and whole):
            raise ValueError("radix and digits of result go with a port that has the whole result")
        if self.digits is not None and (self.weight is None or self.radix is not None):
            raise ValueError("digits of result need weight, and do not go beside radix")
        return given - ({"radix"} if self.digits is None else {"digits", "weight"})


def _watched(text: str) -> str:
    """The text. Raises ValueError (half a sentence) if it is neither the name of a signal nor an expression."""
    if is_expression(text):
        SignalExpression.parse(text, compared=False)
    return text


def _when(text: str) -> str:
    """Like `_watched`, with comparisons."""
    if is_expression(text):
        SignalExpression.parse(text, compared=True)
    return text


WatchedName = Annotated[str, Field(min_length=1, max_length=MAX_LENGTH), AfterValidator(_watched)]
WhenName = Annotated[str, Field(min_length=1, max_length=MAX_LENGTH), AfterValidator(_when)]


class Row(Table):
    """A watched output or internal signal, and the values that it is compared with.

    match "cycle": `column` of the schedule, in every cycle; "event": the next value of `step` whenever `when` is high;
    "result": the last value of `step` in the first cycle in which the core is done.
    """

    port: Pin | None = None
    signal: WatchedName | None = None
    """An internal signal, or an expression over outputs and internal signals."""
    match: Literal["cycle", "event", "result"] = "cycle"
    column: str | None = None
    step: str | None = None
    when: WhenName | None = None
    """An output or an internal signal of one bit, or a comparison of expressions over such signals."""
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
    def name(self) -> str:
        """Name of the signal in reports."""
        return self.column or self.source

    @property
    def signals(self) -> tuple[str, ...]:
        """Outputs and internal signals that `signal` and `when` read."""
        return tuple(name for text in (self.signal, self.when) if text for name in signals_in(text))

    @property
    def source(self) -> str:
        """The output or the internal signal."""
        return self.port or self.signal or ""


MAX_POINTS = 1000
"""Most points for synthesis, or for place and route, in a description; each takes some seconds at least."""


class Points(BaseModel):
    """Points for a tool: each RTL parameter is a number, a list of numbers, or a formula over the others."""

    model_config = ConfigDict(defer_build=True, extra="allow", frozen=True)
    __pydantic_extra__: dict[str, Formula | list[int]]

    @property
    def parameters(self) -> dict[str, Formula | list[int]]:
        return self.__pydantic_extra__

    @property
    def size(self) -> int:
        """Number of points."""
        return prod(len(value) for value in self.parameters.values() if isinstance(value, list))

    @property
    def points(self) -> Iterator[dict[str, int]]:
        """Every combination of the lists; the last list changes fastest. Raises FormulaError."""
        choices = [value if isinstance(value, list) else [value] for value in self.parameters.values()]
        for chosen in product(*choices):
            point = dict(zip(self.parameters, chosen, strict=True))
            numbers = {name: value for name, value in point.items() if isinstance(value, int)}
            yield {name: evaluate(value, numbers) for name, value in point.items()}


class Synth(Points):
    """Points for synthesis for a Xilinx family."""

    family: Family = "xc7"


class ProofPoint(BaseModel):
    """A modulus and settings of the model for which a proof is kept."""

    model_config = ConfigDict(defer_build=True, extra="allow", frozen=True)
    __pydantic_extra__: dict[str, str | int]

    prime: str

    @property
    def settings(self) -> dict[str, str | int]:
        return self.__pydantic_extra__


def _and(names: set[str]) -> str:
    return " and ".join(sorted(names))
