# SPDX-License-Identifier: Apache-2.0
"""Operands and the result as packets on AXI4-Streams."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import Field as Key
from pydantic import model_validator

from limbtrace.rtl_bridge.description.table import COUNT_BITS, Formula, Order, VerilogName
from limbtrace.rtl_bridge.description.tables import LoadedValue, Result, half_of_signed
from limbtrace.rtl_bridge.description.writer import FILL_IN, DraftLine
from limbtrace.rtl_bridge.interface.module_ports import SketchPort
from limbtrace.rtl_bridge.interface.port_pool import Ports
from limbtrace.rtl_bridge.interface.port_types import DesignPort
from limbtrace.rtl_bridge.protocols.axi import bus_of, port_of
from limbtrace.rtl_bridge.protocols.base import Protocol, Wire
from limbtrace.rtl_bridge.protocols.connection import Connection, HandshakeRule
from limbtrace.rtl_bridge.protocols.fields import Field
from limbtrace.rtl_bridge.protocols.recognition import Recognition
from limbtrace.rtl_bridge.protocols.view import BoundView, DescriptionView, LayoutView, RolesView, ShellView

STALL = 16
"""Cycles that a word may be held up, at most."""
_SENT = {"tvalid": "input", "tready": "output", "tdata": "input", "tlast": "input", "tkeep": "input", "tstrb": "input"}
_OPTIONAL = ("tlast", "tkeep", "tstrb")
_MODULUS = re.compile(r"_(m|n|p|mod|modulus|prime)_", re.IGNORECASE)
_FLIPPED = {"input": "output", "output": "input"}


class StreamLoad(LoadedValue):
    """A value that is sent for every product, `words` words, on the stream whose ports begin with `prefix`."""

    prefix: VerilogName
    words: Formula = 1


def _half(name: str, load: StreamLoad) -> str:
    """SystemVerilog of half of an operand, which is always in range."""
    return half_of_signed(f"{name}_i") if load.signed else f"{name}_i >> 1"


@dataclass(frozen=True)
class _Streams(Recognition):
    """Streams by their prefixes, and the result's."""

    sent: tuple[tuple[str, SketchPort | None], ...] = ()
    """Prefix and data of each stream of operands."""
    returned: tuple[str, SketchPort | None] = ("", None)

    def lines(self, roles: RolesView) -> Iterator[DraftLine]:
        own = [stream for stream in self.sent if _MODULUS.search(stream[0])]
        operands = [stream for stream in self.sent if stream not in own] or [("...", None)]
        streams = [("a", *operands[0]), ("b", *operands[-1])][: 1 if roles.tried.unary else 2]
        streams += [("p", *stream) for stream in own[:1]]
        loads = [
            {"value": value, "prefix": prefix, "words": _words(data) or FILL_IN} for value, prefix, data in streams
        ]
        if all(_words(data) for _, _, data in streams):
            yield DraftLine("load", loads, guess="operands in the order of the streams")
        else:
            yield DraftLine("load", loads, open="words of each operand, a formula")
        yield DraftLine("result", self.returned[0], guess="the stream of outputs")

    def result_lines(self, roles: RolesView) -> Iterator[DraftLine]:
        words = _words(self.returned[1])
        if words:
            yield DraftLine("words", words, guess="words of the result")
        else:
            yield DraftLine("words", FILL_IN, open="words of the result, a formula")


def _words(data: SketchPort | None) -> str | None:
    """Words of the modulus on a port of fixed width."""
    if data is None or data.terms is None or set(data.terms) != {()}:
        return None
    return f"(N + {data.width - 1}) // {data.width}"


class Axi4Stream(Protocol):
    """Every product is a packet on each stream of operands and one on the stream of the result.

    `load` lists what is sent, in order; values with one `prefix` follow each other on one stream. A word of a stream is
    held up at random, and so are words of the result. The next packet may come while the core works; `tready` says when
    it takes the words. `last` says where tlast is high on the streams of operands: with the last word of a product, or
    of every value. On the result's stream it is high with the last word alone.
    """

    kind: Literal["axi4-stream"]
    load: tuple[StreamLoad, ...] = Key(min_length=1)
    result: VerilogName
    """Prefix of the ports of the result's stream."""
    order: Order = "low-first"
    """Word order of what is sent; [result] has its own."""
    last: Literal["product", "value"] = "product"

    stalls: ClassVar[bool] = True

    @model_validator(mode="after")
    def _apart(self) -> "Axi4Stream":
        if self.result in self._prefixes:
            raise ValueError(f"result is {self.result!r}, which is the prefix of a stream of operands too")
        return self

    @classmethod
    def recognised(cls, ports: Ports) -> Recognition | None:
        """By a tvalid on either side."""
        found: dict[str, list[str]] = {"input": [], "output": []}
        for port in ports.every:
            if (seen := re.fullmatch(r"(.*)tvalid(_[io])?", port.name, re.IGNORECASE)) and port.direction in found:
                found[port.direction].append(seen[1])
        if not found["input"] or not found["output"]:
            return None
        prefixes = [*found["input"], found["output"][0]]
        names = {port.name: port for port in ports.every}
        data = {prefix: names.get(port_of(prefix, "tdata", names) or "") for prefix in prefixes}
        for prefix in prefixes:
            for signal in _SENT:
                if name := port_of(prefix, signal, names):
                    ports.take_named(name)
        *sent, returned = data.items()
        return _Streams("axi4-stream", has_data=False, sent=tuple(sent), returned=returned)

    @property
    def _prefixes(self) -> list[str]:
        """The streams of operands, each once."""
        return list(dict.fromkeys(load.prefix for load in self.load))

    def _bus(self, prefix: str, ports: Mapping[str, DesignPort]) -> dict[str, DesignPort]:
        """Ports of a stream by the names of its signals."""
        return bus_of(prefix, _SENT, ports)

    def _words(self, bound: BoundView) -> list[int]:
        """Words of every value."""
        return [bound.formula(f"protocol.load[{k}].words", load.words) for k, load in enumerate(self.load)]

    @property
    def again(self) -> bool:
        return True

    @property
    def at_once(self) -> bool:
        return False

    @property
    def early(self) -> bool:
        return True

    @property
    def ahead(self) -> bool:
        return True

    @property
    def finished(self) -> str:
        return f"the last word of {self.result}*"

    @property
    def taken(self) -> tuple[str, int]:
        return f"the last product by {self.load[0].prefix}*", 1

    @property
    def ports(self) -> list[str]:
        named = [f"{prefix}{signal}" for prefix in (*self._prefixes, self.result) for signal in ("tvalid", "tready")]
        return [form for name in named for form in (name, name.upper())]

    def meanings(self, ports: Mapping[str, DesignPort]) -> dict[str, str]:
        meant: dict[str, str] = {}
        for prefix in (*self._prefixes, self.result):
            sent = ", ".join(str(load.value) for load in self.load if load.prefix == prefix) or "result"
            meant |= {port.name: f"{signal}: {sent}" for signal, port in self._bus(prefix, ports).items()}
        return meant

    def check_file(self, file: DescriptionView) -> None:
        self.check_result(file.result)
        if file.memory or file.operand:
            what = "memory" if file.memory else "operand"
            raise ValueError(f'{what} does not go with the protocol "{self.kind}"')

    def check_result(self, result: Result) -> None:
        if result.keys(whole=True) - {"order"} != {"words"}:
            raise ValueError(f'result needs words, and takes order, where the protocol is "{self.kind}"')

    @property
    def loads(self) -> tuple[LoadedValue, ...]:
        return self.load

    def bits(self) -> Iterator[Wire]:
        yield from ()

    def wires(self, bound: BoundView) -> Iterator[Wire]:
        for prefix in (*self._prefixes, self.result):
            bus = self._bus(prefix, bound.ports)
            for signal, direction in _SENT.items():
                if signal in bus or signal not in _OPTIONAL:
                    port = bus[signal].name if signal in bus else prefix + signal
                    key = "protocol.result" if prefix == self.result else "protocol.load.prefix"
                    yield Wire(
                        f"{key} with {signal}", port, _FLIPPED[direction] if prefix == self.result else direction
                    )

    def problems(self, bound: BoundView, largest: Mapping[str, int]) -> Iterator[str]:
        for prefix in (*self._prefixes, self.result):
            for signal, port in self._bus(prefix, bound.ports).items():
                wanted = 1 if signal in ("tvalid", "tready", "tlast") else port.width
                if port.width != wanted:
                    yield f"{port.name} has {port.width} bits and should have {wanted}"
        values = [
            (f"protocol.load[{k}]", load.prefix, words, self._value(bound, k, largest).bit_length())
            for k, (load, words) in enumerate(zip(self.load, self._words(bound), strict=True))
        ]
        values.append(("result", self.result, bound.result_words, largest["result"].bit_length()))
        for key, prefix, words, bits in values:
            width = self._bus(prefix, bound.ports)["tdata"].width
            if not 1 <= words < 1 << COUNT_BITS or words * width < bits:
                yield f"{key} has {words} words of {width} bits, and its value may have {bits} bits"

    def _value(self, bound: BoundView, k: int, largest: Mapping[str, int]) -> int:
        """The largest value of a load."""
        text = str(self.load[k].value)
        return largest[text] if text in ("a", "b") else bound.value(f"protocol.load[{k}].value", self.load[k].value)

    def result_words(self, bound: BoundView) -> int:
        return bound.named_result_words

    def delay(self, bound: BoundView) -> int:
        return STALL * (sum(self._words(bound)) + bound.result_words)

    def cycles(self, bound: BoundView) -> int:
        return 2 * self.delay(bound)

    def operand_width(self, layout: LayoutView, name: str) -> int:
        words = zip(self.load, self._words(layout.bound), strict=True)
        widths = (self._width(layout, load) * count for load, count in words if load.value == name)
        return next(widths, 1)

    def _width(self, layout: LayoutView, load: StreamLoad) -> int:
        """Bits of a word of a value."""
        return self._bus(load.prefix, layout.bound.ports)["tdata"].width

    def result_width(self, layout: LayoutView) -> int:
        return self._bus(self.result, layout.bound.ports)["tdata"].width * layout.bound.result_words

    def constants(self, layout: LayoutView) -> list[Field]:
        bound = layout.bound
        return [
            Field(f"sent_{k}", self._width(layout, load) * words, bound.value(f"protocol.load[{k}].value", load.value))
            for k, (load, words) in enumerate(zip(self.load, self._words(bound), strict=True))
            if load.value not in ("a", "b")
        ]

    def outputs(self, ports: Mapping[str, DesignPort]) -> list[str]:
        found = [self._bus(prefix, ports)["tready"] for prefix in self._prefixes]
        bus = self._bus(self.result, ports)
        found += [bus[signal] for signal in ("tvalid", "tdata", "tlast") if signal in bus]
        return [port.name for port in found]

    def connect(self, shell: ShellView) -> Connection:
        parts = [self._source(shell, number, prefix) for number, prefix in enumerate(self._prefixes)]
        parts.append(self._sink(shell))
        idle = " & ".join(f"idle_{number}" for number in range(len(self._prefixes)))
        waits = " | ".join([*(f"wait_{number}" for number in range(len(self._prefixes))), "wait_result"])
        lines = [
            "  assign loaded = 1'b1;",
            "  assign read_done = 1'b1;",
            "  assign stray = 1'b0;",
            "  assign early = 1'b0;",
            "  // By the number of the product, so that words are held up alike in all modes.",
            "  logic [15:0] stall_q;",
            "  wire [15:0] stall_first = stall_seed_i ^ 16'((turn_i + 32'd1) * 32'h9E3779B1 >> 7);",
            "  wire stall_next = stall_q[15] ^ stall_q[14] ^ stall_q[12] ^ stall_q[3];",
            "  always_ff @(posedge clk_i) stall_q <= (offer & accept) ? stall_first : {stall_q[14:0], stall_next};",
            "  wire stalling = |stall_seed_i;",
            "  logic after_q, halved_q;",
            "  always_ff @(posedge clk_i) if (offer & accept) begin",
            "    after_q  <= &stall_first[3:2];",
            "    halved_q <= extra;  // the packet of another product",
            "  end",
        ]
        # As AXI demands, no word is offered before the cycle after the one in which a reset ends.
        whole = Connection({}, lines, given="offer")
        for part in parts:
            whole += part
        return whole + Connection({}, [f"  assign accept = {idle};", f"  assign held_back = {waits};"])

    def _source(self, shell: ShellView, number: int, prefix: str) -> Connection:
        """A stream of operands."""
        bus = self._bus(prefix, shell.bound.ports)
        width = bus["tdata"].width
        packet: list[str] = []
        last = ""
        for k, (load, count) in enumerate(zip(self.load, self._words(shell.bound), strict=True)):
            if load.prefix != prefix:
                continue
            name = f"value_{load.value}" if load.value in ("a", "b") else f"sent_{k}"
            places = reversed(range(count)) if self.order == "high-first" else range(count)
            packet += [f"{name}[{width * place} +: {width}]" for place in places]
            last = f"1{'0' * (count - 1)}" + (last if self.last == "value" else "0" * len(last))
        values = [
            f"  wire [{shell.operand_width(name) - 1}:0] value_{name} = halved_q ? {_half(name, load)} : {name}_i;"
            for name in ("a", "b")
            for load in self.load
            if (load.value, load.prefix) == (name, prefix)
        ]
        lines = [
            *values,
            f"  logic idle_{number}, wait_{number}, valid_{number}, last_{number};",
            f"  logic [{width - 1}:0] data_{number};",
            f"  lt_axis_source #(.Words({len(packet)}), .DataW({width}), .Last({len(packet)}'b{last}))",
            f"  u_source_{number} (",
            "    .clk_i(clk_i),",
            "    .rst_i(rst_i),",
            "    .begin_i(offer & accept),",
            f"    .stall_i(stalling & stall_q[{(3 * number + 1) % 16}] & stall_q[{(3 * number + 6) % 16}]),",
            f"    .packet_i({{{', '.join(reversed(packet))}}}),",
            f"    .idle_o(idle_{number}),",
            f"    .wait_o(wait_{number}),",
            f"    .valid_o(valid_{number}),",
            f"    .ready_i({shell.net(bus['tready'].name)}),",
            f"    .data_o(data_{number}),",
            f"    .last_o(last_{number})",
            "  );",
        ]
        group = f"stream_{number}"
        inputs = {
            bus["tvalid"].name: f"valid_{number}",
            bus["tdata"].name: shell.or_noise(group, f"data_{number}", bus["tdata"].name),
        }
        if "tlast" in bus:
            inputs[bus["tlast"].name] = f"last_{number}"
        kept = [bus[signal] for signal in ("tkeep", "tstrb") if signal in bus]
        inputs |= {port.name: f"{{{port.width}{{1'b1}}}}" for port in kept}
        rules = (HandshakeRule(bus["tready"].name, None, "1'b1", "the core has been reset"),)
        return Connection(inputs, lines, {group: f"valid_{number}"}, rules)

    def _sink(self, shell: ShellView) -> Connection:
        """The stream of the result."""
        bus, result = self._bus(self.result, shell.bound.ports), shell.bound.core.file.result
        valid = shell.net(bus["tvalid"].name)
        last = shell.net(bus["tlast"].name) if "tlast" in bus else "1'b0"
        lines = [
            "  logic ends_result, wait_result, kept_result, moved_result, ready_result;",
            f"  logic [{shell.result_width - 1}:0] taken_result, result_q;",
            f"  lt_axis_sink #(.Words({shell.bound.result_words}), .DataW({bus['tdata'].width}), "
            f".HighFirst({int(result.order == 'high-first')}))",
            "  u_sink (",
            "    .clk_i(clk_i),",
            "    .rst_i(rst_i),",
            "    .begin_i(offer & accept),",
            "    .take_i(willing),",
            "    .stall_i(stalling & stall_q[4] & stall_q[13]),",
            "    .after_i(stalling & after_q),",
            "    .done_o(core_done),",
            "    .ends_o(ends_result),",
            "    .wait_o(wait_result),",
            "    .kept_o(kept_result),",
            "    .moved_o(moved_result),",
            f"    .valid_i({valid}),",
            "    .ready_o(ready_result),",
            f"    .data_i({shell.net(bus['tdata'].name)}),",
            f"    .last_i({last}),",
            "    .result_o(taken_result)",
            "  );",
            "  always_ff @(posedge clk_i) if (take) result_q <= taken_result;",
            f"  assign {shell.result_net} = result_q;",
        ]
        name = bus["tvalid"].name
        none = "(held == '0) | ((held == 2'd1) & (core_done === 1'b1))"
        rules = [
            HandshakeRule(name, 0, none, "no word of a result is left"),
            HandshakeRule(name, 1, "kept_result", "it was high and the word was not taken"),
            HandshakeRule(name, 0, "moved_result", "the word changed before it was taken"),
        ]
        if "tlast" in bus:
            offered = f"({valid} === 1'b1) & (held != '0) & ~core_done"
            name = bus["tlast"].name
            rules.append(HandshakeRule(name, 1, f"{offered} & ends_result", "this is the last word of a result"))
            rules.append(HandshakeRule(name, 0, f"{offered} & ~ends_result", "more words of the result follow"))
        return Connection({bus["tready"].name: "ready_result"}, lines, {}, tuple(rules))
