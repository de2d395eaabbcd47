# SPDX-License-Identifier: Apache-2.0
"""Operands, start, done and result as registers behind an AXI4-Lite port."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Literal

from pydantic import Field as Key

from limbtrace.rtl_bridge.description.table import COUNT_BITS, SLACK, Formula, SignalName, Table, VerilogName
from limbtrace.rtl_bridge.description.tables import LoadedValue, Result
from limbtrace.rtl_bridge.description.writer import FILL_IN, DraftLine
from limbtrace.rtl_bridge.interface.port_pool import Ports
from limbtrace.rtl_bridge.interface.port_types import DesignPort
from limbtrace.rtl_bridge.protocols.axi import bus_of
from limbtrace.rtl_bridge.protocols.axi4_lite_actions import ACTIONS
from limbtrace.rtl_bridge.protocols.base import WATCHED, Protocol, Wire
from limbtrace.rtl_bridge.protocols.connection import Connection, HandshakeRule
from limbtrace.rtl_bridge.protocols.fields import CYCLE_BITS, Field
from limbtrace.rtl_bridge.protocols.recognition import Recognition
from limbtrace.rtl_bridge.protocols.view import BoundView, DescriptionView, LayoutView, RolesView, ShellView

SIGNALS = {
    **dict.fromkeys(("awaddr", "awvalid", "wdata", "wvalid", "bready", "araddr", "arvalid", "rready"), "input"),
    **dict.fromkeys(("awready", "wready", "bvalid", "arready", "rdata", "rvalid"), "output"),
}
"""Signals of the bus that every core has, and their direction."""
MORE_SIGNALS = {"awprot": "input", "wstrb": "input", "arprot": "input", "bresp": "output", "rresp": "output"}
"""Optional signals of the bus."""
ALL_SIGNALS = {**SIGNALS, **MORE_SIGNALS}
SENT = tuple(signal for signal, direction in SIGNALS.items() if direction == "input")
"""Signals that the master drives and every core has."""
RECEIVED = tuple(signal for signal, direction in ALL_SIGNALS.items() if direction == "output")
"""Signals that the core drives."""
OBSERVED = (
    *("checked", "polled", "never", "hidden", "unlike", "unequal", "differing"),
    *("foreign", "excused", "owed", "kept", "moved", "missing"),
)
"""Outputs of the master that the rules of the handshake are about."""
EXCUSES = {"b": "excused", "r": "foreign"}
"""For each channel of responses, whether the core may refuse the access that is to be answered next."""
ACCESS = 64
"""Most clock cycles of an access, including stalls of both sides."""


class Register(Table):
    """A register behind a bus: byte address."""

    offset: int = Key(ge=0)


class RegisterLoad(Register, LoadedValue):
    """A value written before a start: an operand ("a", "b") or a constant, `words` words, low word at the address."""

    words: Formula = 1
    readable: Formula = 0
    """Low bits of the value that hold whatever is written to them before a start and can be read back."""


class RegisterValue(Register):
    """A value that is written to a register, or expected in it."""

    value: Formula


class StartValue(RegisterValue):
    """The value of the write that starts a product."""

    free: int = Key(default=0, ge=0)
    """Bits of the register that do not matter to the core, as a mask; all others are written as in the value."""
    idle: Formula | None = None
    """A value that starts nothing and changes nothing, whenever it is written; None if none is known."""


class RegisterBits(Register):
    """Some bits of a register, at least one."""

    mask: int = Key(default=1, ge=1)


@dataclass(frozen=True)
class _Bus(Recognition):
    """A prefix is all that ports show of registers."""

    prefix: str = ""
    seen: str = ""

    def lines(self, roles: RolesView) -> Iterator[DraftLine]:
        yield DraftLine("prefix", self.prefix, guess=f"as in {self.seen}")
        yield DraftLine("start", FILL_IN, open="{ offset, value } of the write that starts a product")
        yield DraftLine("done", FILL_IN, open="{ offset, mask } of the register that shows done")
        yield DraftLine("load", FILL_IN, open='a list of { value = "a", offset, words }, for a, b and constants')

    def result_lines(self, roles: RolesView) -> Iterator[DraftLine]:
        yield DraftLine("offset", FILL_IN, open="byte address of the low word of the result")
        yield DraftLine("words", FILL_IN, open="words of the result")


class Axi4Lite(Protocol):
    """Operands, start, done and result are registers behind an AXI4-Lite port; while busy, writes are ignored.

    `starts` is high in the cycle at whose end the core takes its product, `finishes` in the first cycle in which it is
    done. Without them, the response to the start and the poll that sees `done` take their place.
    """

    kind: Literal["axi4-lite"]
    prefix: VerilogName
    """Prefix of the ports' names. The AXI signal's name follows in upper or lower case, optionally with _i or _o."""
    load: tuple[RegisterLoad, ...] = Key(min_length=1)
    """Loads in the order of writing; constants are written once, operands for every product."""
    check: tuple[RegisterValue, ...] = ()
    """Registers that are read before every start, with their expected values."""
    start: StartValue
    done: RegisterBits
    strobes: Literal["bytes", "whole", "ignored"] | None = None
    """The part of a word that a write without all strobes changes: bytes that have one, none of it, or all of it.

    A slave may do any of these; if it is not said, every write has all strobes."""
    unmapped: bool | None = None
    """True if accesses to other addresses have no effect; if it is not said, or False, there are none."""
    any_order: bool = True
    """False if words have to be written in the order of `load`."""
    reread: bool = True
    """False if reading a word of the result changes something, so that each is read once, low words first."""
    retained: bool = False
    """True if operands survive a product, so that only what changes has to be written for the next one."""
    starts: SignalName | None = None
    finishes: SignalName | None = None

    stalls: ClassVar[bool] = True
    paused: ClassVar[bool] = True
    always: ClassVar[frozenset[str]] = frozenset({"both at once"})

    @classmethod
    def recognised(cls, ports: Ports) -> Recognition | None:
        """By a port whose name ends like the first signal of a write."""
        seen = next((port.name for port in ports.every if re.search("awvalid", port.name, re.IGNORECASE)), None)
        if seen is None:
            return None
        prefix = re.split("awvalid", seen, flags=re.IGNORECASE)[0]
        signals = {f"{prefix}{signal}".lower() for signal in ALL_SIGNALS}
        for port in ports.every:
            if re.sub("_[io]$", "", port.name.lower()) in signals:
                ports.take(port)
        return _Bus("axi4-lite", has_data=False, prefix=prefix, seen=seen)

    def bus(self, ports: Mapping[str, DesignPort]) -> dict[str, DesignPort]:
        """Ports of the bus by the names of its signals."""
        return bus_of(self.prefix, ALL_SIGNALS, ports)

    def words(self, bound: BoundView) -> list[int]:
        """Words of every load."""
        return [bound.formula(f"protocol.load[{k}].words", load.words) for k, load in enumerate(self.load)]

    @property
    def keeps(self) -> bool:
        return False

    @property
    def finished(self) -> str:
        return self.finishes or f"register {self.done.offset:#x}"

    @property
    def taken(self) -> tuple[str, int]:
        return self.starts or f"register {self.start.offset:#x}", 1

    @property
    def ports(self) -> list[str]:
        return [port for port in (self.starts, self.finishes) if port]

    def meanings(self, ports: Mapping[str, DesignPort]) -> dict[str, str]:
        meant = {self.starts: "a product is taken", self.finishes: "the result is there"}
        bus = {port.name: f"AXI4-Lite: {signal}" for signal, port in self.bus(ports).items()}
        return {port: text for port, text in meant.items() if port is not None} | bus

    def registers(self, bound: BoundView) -> list[tuple[int, int, str]]:
        rows = [
            (load.offset, words, f"written: {load.value}")
            for load, words in zip(self.load, self.words(bound), strict=True)
        ]
        rows.append((self.start.offset, 1, f"written: {self.start.value} to start"))
        rows.append((self.done.offset, 1, f"read: done where one of the bits {self.done.mask:#x} is 1"))
        return [*rows, (bound.core.file.result.offset or 0, bound.result_words, "read: the result")]

    def check_file(self, file: DescriptionView) -> None:
        self.check_result(file.result)
        if file.memory:
            raise ValueError(f'memory does not go with the protocol "{self.kind}"')
        if file.operand:
            raise ValueError(f'operand does not go with the protocol "{self.kind}"')
        cycle_rows = [row.source for row in file.row if row.match == "cycle"]
        if cycle_rows and not (self.starts and self.finishes):
            raise ValueError(f'row {cycle_rows[0]} has match "cycle", which needs protocol.starts and finishes')

    def check_result(self, result: Result) -> None:
        if result.keys(whole=True) != {"offset", "words"}:
            raise ValueError(f'result needs offset and words where the protocol is "{self.kind}"')

    @property
    def loads(self) -> tuple[LoadedValue, ...]:
        return self.load

    def bits(self) -> Iterator[Wire]:
        for name in ("starts", "finishes"):
            if port := getattr(self, name):
                yield Wire(f"protocol.{name}", port, WATCHED)

    def wires(self, bound: BoundView) -> Iterator[Wire]:
        bus = self.bus(bound.ports)
        for signal, direction in ALL_SIGNALS.items():
            if signal in bus or signal in SIGNALS:
                port = bus[signal].name if signal in bus else self.prefix + signal
                yield Wire(f"protocol.prefix with {signal}", port, direction)

    def problems(self, bound: BoundView, largest: Mapping[str, int]) -> Iterator[str]:
        """Checks the widths of the bus, and that registers hold their values and are within the address range."""
        bus = self.bus(bound.ports)
        width, address = bus["wdata"].width, bus["awaddr"].width
        if width not in (32, 64):
            yield f"the data of an AXI4-Lite bus have 32 or 64 bits, and {bus['wdata'].name} has {width}"
            return
        wanted = {
            "rdata": width,
            "wstrb": width // 8,
            "araddr": address,
            "awprot": 3,
            "arprot": 3,
            "bresp": 2,
            "rresp": 2,
            **dict.fromkeys((signal for signal in SIGNALS if signal.endswith(("valid", "ready"))), 1),
        }
        for signal, bits in wanted.items():
            if signal in bus and bus[signal].width != bits:
                yield f"{bus[signal].name} has {bus[signal].width} bits and should have {bits}"
        registers = self._values(bound, largest)
        for key, register, words, value in registers:
            if register % (width // 8) or register + words * width // 8 > 1 << address:
                where = f"and should be that of a word of {width} bits below {1 << address:#x}"
                yield f"{key}.offset is {register:#x}, {where}"
            if not 1 <= words < 1 << COUNT_BITS or value.bit_length() > words * width:
                yield f"{key} has {words} words of {width} bits, and its value may have {value.bit_length()} bits"
        written = sorted(registers[: len(self.load)], key=lambda entry: entry[1])
        for (first, register, words, _), (second, offset, _, _) in pairwise(written):
            if register + words * width // 8 > offset:
                which = f"the {words} words of {first} from {register:#x} on"
                yield f"{second}.offset is {offset:#x}, where {which} lie, too"

    def _values(self, bound: BoundView, largest: Mapping[str, int]) -> list[tuple[str, int, int, int]]:
        """(key, byte address, words, largest value) of every register in `core.toml`; the loads first."""
        registers = []
        for k, (load, words) in enumerate(zip(self.load, self.words(bound), strict=True)):
            text, key = str(load.value), f"protocol.load[{k}]"
            value = largest[text] if text in ("a", "b") else bound.value(f"{key}.value", load.value)
            registers.append((key, load.offset, words, value))
        for k, check in enumerate(self.check):
            key = f"protocol.check[{k}]"
            registers.append((key, check.offset, 1, bound.value(f"{key}.value", check.value)))
        start = bound.formula("protocol.start.value", self.start.value) | self.start.free | self._idle(bound)
        registers.append(("protocol.start", self.start.offset, 1, start))
        registers.append(("protocol.done", self.done.offset, 1, self.done.mask))
        registers.append(("result", bound.core.file.result.offset or 0, bound.result_words, largest["result"]))
        return registers

    def _idle(self, bound: BoundView) -> int:
        """A value that does nothing in the start register; 0 if none is known."""
        return 0 if self.start.idle is None else bound.formula("protocol.start.idle", self.start.idle)

    def _readable(self, bound: BoundView) -> list[int]:
        """Low bits of each load that can be read back."""
        return [bound.formula(f"protocol.load[{k}].readable", load.readable) for k, load in enumerate(self.load)]

    def permits(self, bound: BoundView) -> dict[str, bool]:
        """Of each of ACTIONS."""
        strobes = "wstrb" in self.bus(bound.ports) and self.strobes in ("bytes", "whole")
        denied = {
            "partial writes": not (strobes and self.strobes == "bytes"),
            "writes that are refused": not (strobes and self.strobes == "whole"),
            "empty writes": not strobes,
            "free bits": self.start.free == 0,
            "no start": self.start.idle is None,
            "unmapped": not self.unmapped,
            "patterns": not any(self._readable(bound)),
            "any order": not self.any_order,
            "results again": not self.reread,
            "one operand": not self.retained,
            "start when done": not (self.retained and self.starts and self.finishes and bound.plan),
        }
        return {action.name: not denied.get(action.name, False) for action in ACTIONS}

    def left_open(self, bound: BoundView) -> list[str]:
        strobes = self.strobes is None and "wstrb" in self.bus(bound.ports)
        return [
            *["writes without all strobes (strobes)"] * strobes,
            *["other addresses (unmapped)"] * (self.unmapped is None),
        ]

    def result_words(self, bound: BoundView) -> int:
        return bound.named_result_words

    def cycles(self, bound: BoundView) -> int:
        return ACCESS * (sum(self.words(bound)) + len(self.check) + bound.result_words + SLACK // ACCESS)

    def delay(self, bound: BoundView) -> int:
        return 0 if self.starts and self.finishes else 4 * ACCESS

    def operand_width(self, layout: LayoutView, name: str) -> int:
        bound = layout.bound
        width, loads = self.bus(bound.ports)["wdata"].width, zip(self.load, self.words(bound), strict=True)
        return max((words * width for load, words in loads if load.value == name), default=1)

    def result_width(self, layout: LayoutView) -> int:
        bound = layout.bound
        return self.bus(bound.ports)["rdata"].width * bound.result_words

    @property
    def inside(self) -> list[str]:
        """Names of outputs that may also be internal signals of the core."""
        return [name for name in (self.starts, self.finishes) if name]

    def outputs(self, ports: Mapping[str, DesignPort]) -> list[str]:
        return [*self.ports, *(port.name for port in self.bus(ports).values() if port.direction == "output")]

    def constants(self, layout: LayoutView) -> list[Field]:
        """Images of constant loads, values of checked registers and of the start, and the cycles of a product."""
        bound = layout.bound
        width = self.bus(bound.ports)["wdata"].width
        fields = [
            Field(f"load_{k}", width * words, bound.value(f"protocol.load[{k}].value", load.value))
            for k, (load, words) in enumerate(zip(self.load, self.words(bound), strict=True))
            if load.value not in ("a", "b")
        ]
        for k, check in enumerate(self.check):
            fields.append(Field(f"check_{k}", width, bound.value(f"protocol.check[{k}].value", check.value)))
        fields.append(Field("start_value", width, bound.formula("protocol.start.value", self.start.value)))
        return [*fields, Field("cycles", CYCLE_BITS, bound.plan.cycles if bound.plan else 0)]

    def connect(self, shell: ShellView) -> Connection:
        """The master, and what it finds on the bus."""
        bus = self.bus(shell.bound.ports)
        width = bus["wdata"].width
        lines = [
            "  logic wants, lasting, bus_started, bus_finished, polled, never;",
            "  logic [1:0] owed, kept, moved;  // {read, write}",
            "  logic [4:0] missing;",
            "  logic hidden, unequal, foreign, excused;",
            f"  logic [{len(self.load) - 1}:0] unlike;",
            f"  logic [{width - 1}:0] differing;",
            f"  logic [{width // 8 - 1}:0] sent_wstrb;",
            f"  logic [{max(len(self.check), 1) - 1}:0] checked;",
            *(f"  logic [{bus[signal].width - 1}:0] sent_{signal};" for signal in SENT),
            "  assign stray = 1'b0;",
            f"  assign accept = {shell.net(self.starts) if self.starts else 'bus_started'};",
            f"  assign core_done = {shell.net(self.finishes) if self.finishes else 'bus_finished'};",
            *self._master(shell, bus),
        ]
        inputs = {bus[signal].name: f"sent_{signal}" for signal in SENT}
        payload = {signal: f"sent_{signal}" for signal in ("awaddr", "wdata", "araddr")}
        payload |= {"awprot": "3'b000", "arprot": "3'b000", "wstrb": "sent_wstrb"}
        for signal, value in payload.items():
            if signal in bus:
                channel = "w" if signal.startswith("w") else signal[:2]
                inputs[bus[signal].name] = shell.or_noise(channel, value, bus[signal].name)
        looked_at = {channel: f"sent_{channel}valid" for channel in ("aw", "w", "ar")}
        rules = (*self._channel_rules(shell, bus), *self._register_rules(shell, bus["rdata"]))
        return Connection(inputs, lines, looked_at, rules, given="wants", lasting="lasting")

    def _master(self, shell: ShellView, bus: Mapping[str, DesignPort]) -> Iterator[str]:
        """The instance of lt_axil."""
        bound, address, width = shell.bound, bus["awaddr"].width, bus["wdata"].width
        words = self.words(bound)
        size = max(words) * width
        images = [
            f"{size}'({f'{load.value}_i' if load.value in ('a', 'b') else f'load_{k}'})"
            for k, load in enumerate(self.load)
        ]
        once = "".join("0" if load.value in ("a", "b") else "1" for load in reversed(self.load))
        counts = [f"{COUNT_BITS}'d{count}" for count in reversed(words)]
        parameters = {
            "AddrW": address,
            "DataW": width,
            "Loads": len(self.load),
            "Depth": max(words),
            "Checks": len(self.check),
            "Words": bound.result_words,
            "CountW": COUNT_BITS,
            "CycleW": CYCLE_BITS,
            "Patience": SLACK,
            "Once": f"{len(self.load)}'b{once}",
            "LoadAt": _addresses(self.load, address),
            **({"CheckAt": _addresses(self.check, address)} if self.check else {}),
            "StartAt": _addresses([self.start], address),
            "DoneAt": _addresses([self.done], address),
            "ResultAt": f"{address}'h{bound.core.file.result.offset or 0:x}",
            "DoneMask": f"{width}'h{self.done.mask:x}",
            "Budget": self.cycles(bound) // 2,
            **self._permissions(bound, width),
        }
        ports = {
            **{name: name for name in ("clk_i", "rst_i", "turn_i", "stall_seed_i", "seed_i", "disturb_i", "renew_i")},
            "hold_i": "lasting",
            "wants_o": "wants",
            "begin_i": "valid_i & ready_o",
            "images_i": f"{{{', '.join(reversed(images))}}}",
            "words_i": f"{{{', '.join(counts)}}}",
            "start_i": "start_value",
            "cycles_i": "cycles",
            "load_i": "load",
            "loaded_o": "loaded",
            "offer_i": "offer",
            "started_o": "bus_started",
            "accept_i": "accept === 1'b1",
            "run_i": "run",
            "finished_o": "bus_finished",
            "read_i": "read",
            "read_done_o": "read_done",
            "result_o": shell.result_net,
            "wait_o": "held_back",
            "intrude_o": "early",
            **{f"{name}_o": name for name in OBSERVED},
            **{f"{name}_i": shell.net(bus[name].name) if name in bus else "'0" for name in RECEIVED},
            **{f"{name}_o": f"sent_{name}" for name in (*SENT, "wstrb")},
        }
        yield "  lt_axil #("
        yield ",\n".join(f"    .{name}({value})" for name, value in parameters.items())
        yield "  ) u_axil ("
        yield ",\n".join(f"    .{name}({value})" for name, value in ports.items())
        yield "  );"

    def _permissions(self, bound: BoundView, width: int) -> dict[str, int | str]:
        """Parameters of lt_axil that say what a master of the core may do."""
        permits = self.permits(bound)
        operands = reversed(["1" if load.value in ("a", "b") and not load.signed else "0" for load in self.load])
        readable = ", ".join(f"32'd{bits}" for bits in reversed(self._readable(bound)))
        return {
            "Partial": f"1'b{permits['partial writes']:d}",
            "Refusing": f"1'b{permits['writes that are refused']:d}",
            "Unmapped": f"1'b{permits['unmapped']:d}",
            "AnyOrder": f"1'b{permits['any order']:d}",
            "Reread": f"1'b{permits['results again']:d}",
            "Retains": f"1'b{permits['one operand']:d}",
            "Starts": f"1'b{self.starts is not None:d}",
            "Shown": f"1'b{bool(self.starts and self.finishes):d}",
            "IdleThere": f"1'b{permits['no start']:d}",
            "IdleValue": f"{width}'h{self._idle(bound):x}",
            "StartFree": f"{width}'h{self.start.free:x}",
            "Halves": f"{len(self.load)}'b{''.join(operands)}",
            "Readable": f"{{{readable}}}",
        }

    def _channel_rules(self, shell: ShellView, bus: Mapping[str, DesignPort]) -> Iterator[HandshakeRule]:
        """Rules for start, done and the channels of the bus."""
        if self.starts:
            yield HandshakeRule(self.starts, 0, "~offer & ~hidden", "nothing was started")
        if self.finishes:
            idle = "(held == '0) & ~hidden"
            yield HandshakeRule(self.finishes, 0, idle, "no product is at work", moves=True, from_reset=True)
        shown = [bus[signal].name for signal in ("awready", "wready", "bvalid", "arready", "rvalid")]
        for name in shown:
            yield HandshakeRule(name, None, "1'b1", "the core has been reset")
        for number, (channel, access) in enumerate((("b", "write"), ("r", "read"))):
            valid = bus[f"{channel}valid"].name
            yield HandshakeRule(valid, 1, f"kept[{number}]", "it was high and the response was not taken")
            yield HandshakeRule(valid, 0, f"moved[{number}]", "the response changed before it was taken")
            yield HandshakeRule(valid, 0, f"~owed[{number}]", f"no {access} is to be answered")
            if response := bus.get(f"{channel}resp"):
                net = shell.net(response.name)
                refused = f"{EXCUSES[channel]} & (({net} === 2'b10) | ({net} === 2'b11))"
                wrong = f"owed[{number}] & ({shell.net(valid)} === 1'b1) & ({net} !== 2'b00) & ~({refused})"
                yield HandshakeRule(response.name, 0, wrong, f"the {access} is allowed", value=net, width=2)
        for number, name in enumerate(shown):
            yield HandshakeRule(name, 1, f"missing[{number}]", f"the master has waited for {SLACK} cycles")

    def _register_rules(self, shell: ShellView, rdata: DesignPort) -> Iterator[HandshakeRule]:
        """Rules for the values of registers when they are read."""
        net, width = shell.net(rdata.name), rdata.width
        for k, check in enumerate(self.check):
            value = shell.bound.value(f"protocol.check[{k}].value", check.value)
            wrong = f"checked[{k}] & ({net} !== check_{k})"
            why = "that is what it holds before a start"
            yield HandshakeRule(f"register {check.offset:#x}", value, wrong, why, value=net, width=width)
        for k, (load, readable) in enumerate(zip(self.load, self._readable(shell.bound), strict=True)):
            if readable:
                name, why = f"register {load.offset:#x} read back", "bits in which it differs from what was written"
                yield HandshakeRule(name, 0, f"unlike[{k}]", why, value="differing", width=width)
        if self.reread:
            name = f"register {shell.bound.core.file.result.offset or 0:#x} read again"
            why = "bits in which it differs from what was read before"
            yield HandshakeRule(name, 0, "unequal", why, value="differing", width=width)
        name, bits = f"register {self.done.offset:#x}", f"({net} & {width}'h{self.done.mask:x})"
        if self.finishes:
            wrong = f"polled & run & (core_done === 1'b0) & ({bits} !== '0)"
            yield HandshakeRule(name, 0, wrong, "the product is at work", value=bits, width=width)
        yield HandshakeRule(name, self.done.mask, "never", "the product is done", value=bits, width=width)


def _addresses(registers: Sequence[Register], width: int) -> str:
    """The addresses of registers as an expression, the first in the low bits."""
    return f"{{{', '.join(f'{width}{chr(39)}h{register.offset:x}' for register in reversed(registers))}}}"
