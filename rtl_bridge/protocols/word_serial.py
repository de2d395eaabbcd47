# SPDX-License-Identifier: Apache-2.0
"""Operands and results as streams of words, with several products in flight."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import Field as Key
from pydantic import model_validator

from limbtrace.rtl_bridge.description.table import COUNT_BITS, Formula, Order, Table
from limbtrace.rtl_bridge.description.tables import Result
from limbtrace.rtl_bridge.description.writer import FILL_IN, DraftLine, Value
from limbtrace.rtl_bridge.interface.module_ports import SketchPort
from limbtrace.rtl_bridge.interface.pins import Pin
from limbtrace.rtl_bridge.interface.port_pool import LOADS, READY, START, VALID, Ports, plain
from limbtrace.rtl_bridge.interface.port_types import DesignPort
from limbtrace.rtl_bridge.protocols.base import Protocol, Wire, fits
from limbtrace.rtl_bridge.protocols.connection import Connection, HandshakeRule
from limbtrace.rtl_bridge.protocols.fields import CYCLE_BITS, Field, pack
from limbtrace.rtl_bridge.protocols.recognition import Recognition
from limbtrace.rtl_bridge.protocols.view import BoundView, DescriptionView, LayoutView, RolesView, ShellView


class SetUpLoad(Table):
    """A constant on an input port, word by word; afterwards the port holds the last word."""

    port: Pin
    value: Formula
    words: Formula | None = None
    """Number of words; by default as many as the set-up has cycles."""


class SetUp(Table):
    """`words` cycles with `port` high, in which constants are loaded: after a reset and when the modulus changes."""

    port: Pin
    words: Formula
    load: tuple[SetUpLoad, ...] = Key(min_length=1)

    def count(self, bound: BoundView) -> int:
        """Number of cycles of the set-up."""
        return bound.formula("protocol.setup.words", self.words)

    def words_of(self, bound: BoundView, k: int) -> int:
        """Number of words of load k."""
        words = self.load[k].words
        return self.count(bound) if words is None else bound.formula(f"protocol.setup.load[{k}].words", words)

    def problems(self, bound: BoundView) -> Iterator[str]:
        count = self.count(bound)
        if not 1 <= count < 1 << COUNT_BITS:
            yield f"protocol.setup.words is {count}, and should be 1 to {(1 << COUNT_BITS) - 1}"
        for k, load in enumerate(self.load):
            key, words = f"protocol.setup.load[{k}]", self.words_of(bound, k)
            if not 1 <= words <= count:
                yield f"{key} has {words} words, and the set-up takes {count} cycles"
            bits = bound.value(f"{key}.value", load.value).bit_length()
            yield from fits(bound, f"{key}.port", load.port, bits, f"the value {load.value}", words)

    def image(self, layout: LayoutView, high_first: bool) -> Field:
        """The words of all loads, those of the first cycle in the low bits."""
        bound, loads = layout.bound, []
        for k, load in enumerate(self.load):
            width, words = layout.width(load.port), self.words_of(bound, k)
            value, mask = bound.value(f"protocol.setup.load[{k}].value", load.value), (1 << width) - 1
            places = [min(place, words - 1) for place in range(self.count(bound))]
            if high_first:
                places = [words - 1 - place for place in places]
            loads.append([Field(load.port, width, value >> (width * place) & mask) for place in places])
        image = [word for row in zip(*loads, strict=True) for word in row]
        return Field("setup_image", sum(word.width for word in image), pack(image))


_SETUP = re.compile(r"^(setup|set_up|load_p|load_m|ld_mod)")
_TAG = re.compile(r"(^|_)(tag|(r|res|result|out)_(lm|unit|id|slot))$")
_TAKER = re.compile(r"^(lm|unit|slot|taker)$")


@dataclass(frozen=True)
class _Words(Recognition):
    """Operands and results in words, perhaps after a set-up."""

    setup: SketchPort | None = None

    def lines(self, roles: RolesView) -> Iterator[DraftLine]:
        count = roles.tried.count if roles.digit_port and roles.memory.data is None else None
        yield DraftLine("words", count or 1, guess="words of an operand")
        yield DraftLine("products", 1, guess="most products in the core at the same time")
        yield from super().lines(roles)
        if self.setup:
            yield self._setup_line(self.setup, roles)

    def result_lines(self, roles: RolesView) -> Iterator[DraftLine]:
        yield DraftLine("words", (roles.tried.count if roles.digit_port else None) or 1, guess="words of the result")

    def _setup_line(self, setup: SketchPort, roles: RolesView) -> DraftLine:
        """Constants that are loaded word by word, on the ports of the operands unless they have their own."""
        own = {constant.value for constant in roles.constants}
        inverse, count = roles.tried.inverse, roles.tried.count
        if "p" in own or len(roles.operands) < 2 or not count or inverse is None:
            what = f'{{ port = "{setup.name}", words = ..., load = [{{ port = ..., value = "p" }}] }}'
            return DraftLine("setup", FILL_IN, open=what, note=setup.comment)
        ports = [operand.port.name for operand in roles.operands]
        loads: list[Value] = [{"port": ports[0], "value": "p"}]
        loads += [] if inverse in own else [{"port": ports[1], "value": inverse, "words": 1}]
        value: Value = {"port": setup.name, "words": count, "load": loads}
        return DraftLine("setup", value, guess="constants on the ports of the operands", note=setup.comment)


class WordSerial(Protocol):
    """Operands are taken and results are output one word per cycle, with several products in flight.

    `start` is high with the first word of a product, `load` with all of them. A product starts only in a cycle in
    which `ready` is high, and a result word is output in every cycle with `valid` high. Results come in the order of
    the products, or each word has a `tag`: the value of `tag_in` or `taker` when the product started. With `latency` in
    place of `valid`, the first word of a result is there that many cycles after the first word of its operands, and a
    core that always takes words needs neither start nor load.
    """

    kind: Literal["word-serial"]
    words: Formula = 1
    """Number of words of an operand."""
    order: Order = "low-first"
    """Word order of operands and constants."""
    products: Formula
    """Most products in a stream."""
    start: Pin | None = None
    load: Pin | None = None
    ready: Pin | None = None
    taker: Pin | None = None
    tag_in: Pin | None = None
    valid: Pin | None = None
    latency: Formula | None = None
    tag: Pin | None = None
    setup: SetUp | None = None

    timed: ClassVar[bool] = True
    late: ClassVar[bool] = True
    guard_bits: ClassVar[int] = 1

    @model_validator(mode="after")
    def _complete(self) -> "WordSerial":
        if (self.valid is None) == (self.latency is None):
            raise ValueError("takes either valid, or latency where nothing shows that a word of a result is there")
        if self.start is None and self.load is None and self.latency is None:
            raise ValueError("needs start or load")
        if self.tag and self.latency is not None:
            raise ValueError("takes no tag beside latency, which gives results in the order of the products")
        if (self.tag is None) != (self.taker is None and self.tag_in is None) or None not in (self.taker, self.tag_in):
            raise ValueError("takes tag together with either taker or tag_in")
        return self

    @classmethod
    def recognised(cls, ports: Ports) -> Recognition | None:
        """By a valid result and a start, with a ready, a set-up, or a start that is called load.

        A result that waits for a ready is not a stream of words.
        """
        setup = ports.bit("input", _SETUP)
        start = next((port for port in ports.bits("input", START) if port is not setup), None)
        ready, valid = ports.bit("output", READY), ports.bit("output", VALID)
        if ready and ports.bit("input", VALID) and ports.bit("input", READY):
            return None
        loads = start is not None and plain(start.name).startswith(LOADS)
        if start is None or valid is None or not (ready or loads or setup):
            return None
        key = "load" if loads and not ready else "start"
        handshake: dict[str, SketchPort | None] = {key: start, **({"ready": ready} if ready else {}), "valid": valid}
        for port in (start, ready, valid, setup):
            if port:
                ports.take(port)
        tag, taker = ports.take_any("output", _TAG), ports.take_any("output", _TAKER)
        handshake |= {name: port for name, port in (("tag", tag), ("taker", taker)) if port}
        return _Words("word-serial", handshake, digits=setup is not None, setup=setup)

    @property
    def refuses(self) -> bool:
        return self.ready is not None

    @property
    def finished(self) -> str:
        return self.valid or f"{self.latency} cycles after the operands"

    @property
    def taken(self) -> tuple[str, int]:
        return (self.ready, 1) if self.ready else (self.start or self.load or "the operands", 1)

    @property
    def ports(self) -> list[str]:
        setup = self.setup.port if self.setup else None
        names = (setup, self.start, self.load, self.ready, self.taker, self.tag_in, self.valid, self.tag)
        return [name for name in names if name]

    def meanings(self, ports: Mapping[str, DesignPort]) -> dict[str, str]:
        meant = {
            self.start: "first word of a product",
            self.load: "words of a product",
            self.ready: "a product may start",
            self.taker: "the unit that takes it",
            self.tag_in: "number of the product",
            self.valid: "a word of a result",
            self.tag: "the product that it belongs to",
        }
        if self.setup is not None:
            meant |= {self.setup.port: "words of constants"}
            meant |= {load.port: f"constant: {load.value}" for load in self.setup.load}
        return {port: text for port, text in meant.items() if port is not None}

    @property
    def products_formula(self) -> Formula | None:
        return self.products

    @property
    def latency_formula(self) -> Formula | None:
        return self.latency

    def check_file(self, file: DescriptionView) -> None:
        self.check_result(file.result)
        if file.memory:
            raise ValueError(f'memory does not go with the protocol "{self.kind}"')

    def check_result(self, result: Result) -> None:
        if result.keys(whole=result.words in (None, 1)) - {"order", "words"} != {"port"}:
            raise ValueError(f'result needs port, and takes words and order, where the protocol is "{self.kind}"')

    def bits(self) -> Iterator[Wire]:
        for name in ("start", "load", "ready", "valid"):
            if port := getattr(self, name):
                yield Wire(f"protocol.{name}", port, "input" if name in ("start", "load") else "output")
        if self.setup:
            yield Wire("protocol.setup.port", self.setup.port, "input")

    def wires(self, bound: BoundView) -> Iterator[Wire]:
        """Constants may share the ports of the operands."""
        if self.tag_in:
            yield Wire("protocol.tag_in", self.tag_in, "input")
        for name in ("taker", "tag"):
            if port := getattr(self, name):
                yield Wire(f"protocol.{name}", port, "output")
        operands = [operand.port for operand in bound.core.file.operand]
        for k, load in enumerate(self.setup.load if self.setup else ()):
            if load.port not in operands:
                yield Wire(f"protocol.setup.load[{k}].port", load.port, "input")

    def problems(self, bound: BoundView, largest: Mapping[str, int]) -> Iterator[str]:
        for key, count in (("words", bound.operand_words), ("products", bound.products)):
            if not 1 <= count < 1 << COUNT_BITS:
                yield f"protocol.{key} is {count}, and should be 1 to {(1 << COUNT_BITS) - 1}"
        if self.latency is not None:
            if bound.span("protocol.latency", self.latency) < 1:
                yield "protocol.latency is 0, and should be 1 at least; start-done suits a core without registers"
            if bound.result_words > bound.operand_words:
                yield f"result has {bound.result_words} words, more than the {bound.operand_words} that an operand has"
        source = self.taker or self.tag_in
        if self.tag and source and bound.ports[self.tag].width != bound.ports[source].width:
            width, other = bound.ports[self.tag].width, bound.ports[source].width
            yield f"protocol.tag is {self.tag}, which has {width} bits, and {source} has {other}"
        if self.setup:
            yield from self.setup.problems(bound)

    def operand_words(self, bound: BoundView) -> int:
        return bound.formula("protocol.words", self.words)

    def result_words(self, bound: BoundView) -> int:
        return bound.named_result_words

    def cycles(self, bound: BoundView) -> int:
        return self.setup.count(bound) if self.setup else 0

    def constants(self, layout: LayoutView) -> list[Field]:
        """The number of products in a stream, their starts, and the words of the set-up."""
        bound = layout.bound
        starts = [Field("start", CYCLE_BITS, start) for start in bound.starts]
        fields = [
            Field("products", COUNT_BITS, len(starts)),
            Field("starts", CYCLE_BITS * bound.products, pack(starts)),
        ]
        return [*fields, self.setup.image(layout, self.order == "high-first")] if self.setup else fields

    def outputs(self, ports: Mapping[str, DesignPort]) -> list[str]:
        return [port for port in (self.ready, self.taker, self.valid, self.tag) if port]

    def _latency(self, shell: ShellView) -> list[str]:
        """The wire `valid`, which says that a word of a result is there, where no port does."""
        if self.latency is None:
            return []
        first, words = shell.bound.span("protocol.latency", self.latency), shell.bound.result_words
        return [
            f"  logic [{first + words - 2}:0] way_q;  // starts, and how far they have come",
            f"  always_ff @(posedge clk_i) way_q <= rst_i ? '0 : {first + words - 1}'({{way_q, send_start}});",
            f"  wire valid = |way_q[{first - 1} +: {words}];",
        ]

    def connect(self, shell: ShellView) -> Connection:
        """While no words are sent, the ports carry the inverse of the next ones.

        A start while `ready` is low is a disturbance.
        """
        signals = {self.start: "send_start | early", self.load: "sends | early", self.tag_in: "number"}
        inputs = {port: signal for port, signal in signals.items() if port}
        for operand in shell.bound.core.file.operand:
            other = shell.or_noise("operands", f"~word_{operand.name}", operand.port)
            inputs[operand.port] = f"sends ? word_{operand.name} : {other}"
        lines = self._begin(shell) + self._stream(shell)
        rules = [HandshakeRule(self.valid, 0, "~run & ~started_o", "no product is at work")] if self.valid else []
        if self.ready:
            rules.append(HandshakeRule(self.ready, None, "1'b1", "the core has been reset"))
        lines += self._constants(shell, inputs)
        given = "offer | setting_up" if self.setup else "offer"
        return Connection(inputs, lines, {"operands": "sends"}, tuple(rules), number="number", given=given)

    def _begin(self, shell: ShellView) -> list[str]:
        """A stream begins when unit 0 may start, so that units are numbered alike in all streams."""
        ready = shell.net(self.ready) if self.ready else "1'b1"
        first = f" & ({shell.net(self.taker)} == '0)" if self.taker else ""
        return [f"  wire ready = {ready};", f"  assign accept = ready{first};"]

    def _stream(self, shell: ShellView) -> list[str]:
        """The words of operands and results."""
        bound, file = shell.bound, shell.bound.core.file
        tag_width = shell.width(self.tag) if self.tag else 1
        taker = shell.net(self.taker) if self.taker else f"{tag_width}'(number)"
        assert file.result.port is not None
        early = "disturb_i & (ready === 1'b0) & random[9] & random[5]" if self.ready else "1'b0"
        return [
            "  logic send_start, sends;",
            f"  logic [{COUNT_BITS - 1}:0] number;",
            *self._latency(shell),
            *(f"  logic [{shell.width(o.port) - 1}:0] word_{o.name};" for o in file.operand),
            "  lt_stream #(",
            f"    .CountW({COUNT_BITS}),",
            f"    .StartW({CYCLE_BITS}),",
            f"    .Products({bound.products}),",
            f"    .Words({bound.operand_words}),",
            *(f"    .{o.name.upper()}W({shell.width(o.port)})," for o in file.operand),
            f"    .TagW({tag_width}),",
            f"    .HighFirst({int(self.order == 'high-first')}),",
            f"    .ResultWords({bound.result_words}),",
            f"    .ResultW({shell.width(file.result.port)}),",
            f"    .ResultHighFirst({int(file.result.order == 'high-first')})",
            "  ) u_stream (",
            "    .clk_i(clk_i),",
            "    .rst_i(rst_i),",
            "    .begin_i(started_o),",
            "    .run_i(run),",
            "    .products_i(products),",
            "    .starts_i(starts),",
            "    .a_i(a_i),",
            "    .b_i(b_i),",
            "    .done_o(core_done),",
            "    .wait_o(held_back),",
            f"    .result_o({shell.result_net}),",
            "    .ready_i(ready),",
            f"    .taker_i({taker if self.tag else chr(39) + '0'}),",
            "    .number_o(number),",
            "    .start_o(send_start),",
            "    .load_o(sends),",
            *(f"    .{o.name}_o(word_{o.name})," for o in file.operand),
            f"    .valid_i({shell.net(self.valid) if self.valid else 'valid'}),",
            f"    .tag_i({shell.net(self.tag) if self.tag else chr(39) + '0'}),",
            f"    .word_i({shell.whole_result()})",
            "  );",
            "  assign read_done = 1'b1;",
            "  assign stray = 1'b0;",
            f"  assign early = {early};",
        ]

    def _constants(self, shell: ShellView, inputs: dict[str, str]) -> list[str]:
        """Constants through the operand ports, or through separate ports."""
        if self.setup is None:
            return ["  assign loaded = 1'b1;"]
        inputs[self.setup.port] = "setting_up"
        position = 0
        for load in self.setup.load:
            width = shell.width(load.port)
            word = f"setup_word[{position} +: {width}]"
            inputs[load.port] = f"setting_up ? {word} : ({inputs[load.port]})" if load.port in inputs else word
            position += width
        count = self.setup.count(shell.bound)
        return [
            "  logic setting_up, no_last, no_select, no_address;",
            f"  logic [{position - 1}:0] setup_word;",
            "  lt_loader #(",
            f"    .CountW({COUNT_BITS}),",
            "    .Loads(1),",
            f"    .Depth({count}),",
            f"    .DataW({position}),",
            "    .Once(1'b1)",
            "  ) u_loader (",
            "    .clk_i(clk_i),",
            "    .rst_i(rst_i),",
            "    .load_i(load),",
            "    .renew_i(renew_i),",
            "    .skip_i('0),",
            "    .order_i('0),",
            "    .ready_i(1'b1),",
            "    .loaded_o(loaded),",
            "    .last_o(no_last),",
            "    .images_i(setup_image),",
            f"    .words_i({COUNT_BITS}'d{count}),",
            "    .selects_i(1'b0),",
            "    .enable_o(setting_up),",
            "    .select_o(no_select),",
            "    .address_o(no_address),",
            "    .data_o(setup_word)",
            "  );",
        ]
