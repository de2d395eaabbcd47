# SPDX-License-Identifier: Apache-2.0
"""Operands, start, done and result as registers behind an AXI4-Lite port that Python drives."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from rtl_bridge.core.draft import FILL_IN, DraftLine
from rtl_bridge.core.table import COUNT_BITS, SLACK, Formula, Port, Signal, Table
from rtl_bridge.protocols.axi import bus_of
from rtl_bridge.protocols.base import LOCKSTEP, WATCHED, Connection, HandshakeRule, Master, Protocol, Wire
from rtl_bridge.protocols.recognition import Recognition

if TYPE_CHECKING:
    from rtl_bridge.core.bound import Bound
    from rtl_bridge.core.design import DesignPort
    from rtl_bridge.core.file import CoreFile, Result
    from rtl_bridge.core.ports import Ports
    from rtl_bridge.core.roles import Roles
    from rtl_bridge.shell.layout import Layout
    from rtl_bridge.shell.text import Shell

SIGNALS = {
    **dict.fromkeys(("awaddr", "awvalid", "wdata", "wvalid", "bready", "araddr", "arvalid", "rready"), "input"),
    **dict.fromkeys(("awready", "wready", "bvalid", "arready", "rdata", "rvalid"), "output"),
}
"""Signals of the bus that every core has, and their direction."""
MORE_SIGNALS = {"awprot": "input", "wstrb": "input", "arprot": "input", "bresp": "output", "rresp": "output"}
"""Optional signals of the bus."""
ALL_SIGNALS = {**SIGNALS, **MORE_SIGNALS}
ACCESS = 64
"""Most clock cycles of an access, including stalls of both sides."""


class Register(Table):
    """A register behind a bus: byte address."""

    offset: int = Field(ge=0)


class RegisterLoad(Register):
    """A value written before a start: an operand ("a", "b") or a constant, `words` words, low word at the address."""

    value: Formula
    words: Formula = 1


class RegisterValue(Register):
    """A value that is written to a register, or expected in it."""

    value: Formula


class RegisterBits(Register):
    """Some bits of a register, at least one."""

    mask: int = Field(default=1, ge=1)


@dataclass(frozen=True)
class _Bus(Recognition):
    """A prefix is all that ports show of registers."""

    prefix: str = ""
    seen: str = ""

    def lines(self, roles: "Roles") -> Iterator[DraftLine]:
        yield DraftLine("prefix", self.prefix, guess=f"as in {self.seen}")
        yield DraftLine("start", FILL_IN, open="{ offset, value } of the write that starts a product")
        yield DraftLine("done", FILL_IN, open="{ offset, mask } of the register that shows done")
        yield DraftLine("load", FILL_IN, open='a list of { value = "a", offset, words }, for a, b and constants')

    def result_lines(self, roles: "Roles") -> Iterator[DraftLine]:
        yield DraftLine("offset", FILL_IN, open="byte address of the low word of the result")
        yield DraftLine("words", FILL_IN, open="words of the result")


class Axi4Lite(Protocol):
    """Operands, start, done and result are registers behind an AXI4-Lite port; while busy, writes are ignored.

    `starts` is high in the cycle at whose end the core takes its product, `finishes` in the first cycle in which it is
    done. Without them, the response to the start and the poll that sees `done` take their place.
    """

    kind: Literal["axi4-lite"]
    prefix: Port
    """Prefix of the ports' names. The AXI signal's name follows in upper or lower case, optionally with _i or _o."""
    load: tuple[RegisterLoad, ...] = Field(min_length=1)
    """Loads in the order of writing; constants are written once, operands for every product."""
    check: tuple[RegisterValue, ...] = ()
    """Registers that are read before every start, with their expected values."""
    start: RegisterValue
    done: RegisterBits
    starts: Signal | None = None
    finishes: Signal | None = None

    modes: ClassVar[tuple[str, ...]] = (LOCKSTEP,)
    requires: ClassVar[tuple[str, ...]] = ("cocotb_bus", "cocotbext", "cocotbext.axi")
    missing: ClassVar[str] = "cores behind AXI4-Lite need cocotbext-axi: pip install 'limbtrace[axi]'"

    @classmethod
    def recognised(cls, ports: "Ports") -> Recognition | None:
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

    def bus(self, ports: Mapping[str, "DesignPort"]) -> dict[str, "DesignPort"]:
        """Ports of the bus by the names of its signals."""
        return bus_of(self.prefix, ALL_SIGNALS, ports)

    def words(self, bound: "Bound") -> list[int]:
        """Words of every load."""
        return [bound.formula(f"protocol.load[{k}].words", load.words) for k, load in enumerate(self.load)]

    @property
    def nature(self) -> str:
        return "is behind a bus"

    @property
    def finished(self) -> str:
        return self.finishes or f"register {self.done.offset:#x}"

    @property
    def taken(self) -> tuple[str, int]:
        return self.starts or f"register {self.start.offset:#x}", 1

    @property
    def ports(self) -> list[str]:
        return [port for port in (self.starts, self.finishes) if port]

    def meanings(self, ports: Mapping[str, "DesignPort"]) -> dict[str, str]:
        meant = {self.starts: "a product is taken", self.finishes: "the result is there"}
        bus = {port.name: f"AXI4-Lite: {signal}" for signal, port in self.bus(ports).items()}
        return {port: text for port, text in meant.items() if port is not None} | bus

    def registers(self, bound: "Bound") -> list[tuple[int, int, str]]:
        rows = [
            (load.offset, words, f"written: {load.value}")
            for load, words in zip(self.load, self.words(bound), strict=True)
        ]
        rows.append((self.start.offset, 1, f"written: {self.start.value} to start"))
        rows.append((self.done.offset, 1, f"read: done where one of the bits {self.done.mask:#x} is 1"))
        return [*rows, (bound.core.file.result.offset or 0, bound.result_words, "read: the result")]

    def check_file(self, file: "CoreFile") -> None:
        self.check_result(file.result)
        if file.memory:
            raise ValueError(f'memory does not go with the protocol "{self.kind}"')
        if file.operand:
            raise ValueError(f'operand does not go with the protocol "{self.kind}"')
        cycle_rows = [row.source for row in file.row if row.match == "cycle"]
        if cycle_rows and not (self.starts and self.finishes):
            raise ValueError(f'row {cycle_rows[0]} has match "cycle", which needs protocol.starts and finishes')

    def check_result(self, result: "Result") -> None:
        if result.keys(whole=True) != {"offset", "words"}:
            raise ValueError(f'result needs offset and words where the protocol is "{self.kind}"')

    def loaded(self, file: "CoreFile") -> list[str | int]:
        return [load.value for load in self.load]

    def bits(self) -> Iterator[Wire]:
        for name in ("starts", "finishes"):
            if port := getattr(self, name):
                yield Wire(f"protocol.{name}", port, WATCHED)

    def wires(self, bound: "Bound") -> Iterator[Wire]:
        bus = self.bus(bound.ports)
        for signal, direction in ALL_SIGNALS.items():
            if signal in bus or signal in SIGNALS:
                port = bus[signal].name if signal in bus else self.prefix + signal
                yield Wire(f"protocol.prefix with {signal}", port, direction)

    def problems(self, bound: "Bound", largest: Mapping[str, int]) -> Iterator[str]:
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

    def _values(self, bound: "Bound", largest: Mapping[str, int]) -> list[tuple[str, int, int, int]]:
        """(key, byte address, words, largest value) of every register in `core.toml`; the loads first."""
        registers = []
        for k, (load, words) in enumerate(zip(self.load, self.words(bound), strict=True)):
            text, key = str(load.value), f"protocol.load[{k}]"
            value = largest[text] if text in ("a", "b") else bound.value(f"{key}.value", load.value)
            registers.append((key, load.offset, words, value))
        for k, check in enumerate(self.check):
            key = f"protocol.check[{k}]"
            registers.append((key, check.offset, 1, bound.value(f"{key}.value", check.value)))
        start = bound.formula("protocol.start.value", self.start.value)
        registers.append(("protocol.start", self.start.offset, 1, start))
        registers.append(("protocol.done", self.done.offset, 1, self.done.mask))
        registers.append(("result", bound.core.file.result.offset or 0, bound.result_words, largest["result"]))
        return registers

    def result_words(self, bound: "Bound") -> int:
        return bound.named_result_words

    def cycles(self, bound: "Bound") -> int:
        return ACCESS * (sum(self.words(bound)) + bound.result_words + SLACK // ACCESS)

    def delay(self, bound: "Bound") -> int:
        return 0 if self.starts and self.finishes else ACCESS

    def operand_width(self, layout: "Layout", name: str) -> int:
        bound = layout.bound
        width, loads = self.bus(bound.ports)["wdata"].width, zip(self.load, self.words(bound), strict=True)
        return max((words * width for load, words in loads if load.value == name), default=1)

    def result_width(self, layout: "Layout") -> int:
        bound = layout.bound
        return self.bus(bound.ports)["rdata"].width * bound.result_words

    @property
    def inside(self) -> list[str]:
        """Names of outputs that may also be internal signals of the core."""
        return [name for name in (self.starts, self.finishes) if name]

    def outputs(self, ports: Mapping[str, "DesignPort"]) -> list[str]:
        return [*self.ports, *(port.name for port in self.bus(ports).values() if port.direction == "output")]

    def connect(self, shell: "Shell") -> Connection:
        """The bus between the core and the master in Python."""
        bus = self.bus(shell.bound.ports)
        inputs, signals = {}, []
        for signal, direction in ALL_SIGNALS.items():
            if direction == "output":
                signals.append((f"{signal}_i", shell.net(bus[signal].name) if signal in bus else "'0"))
                continue
            signals.append((f"{signal}_o", f"sent_{signal}"))
            if signal in bus:
                channel = "w" if signal in ("wdata", "wstrb") else signal[:2]
                payload = not signal.endswith(("valid", "ready"))
                port = bus[signal].name
                inputs[port] = shell.or_noise(channel, f"sent_{signal}", port) if payload else f"sent_{signal}"
        widths = {"awprot": 3, "arprot": 3, "wstrb": bus["wdata"].width // 8}
        widths |= {signal: port.width for signal, port in bus.items()}
        sent = [signal for signal, direction in ALL_SIGNALS.items() if direction == "input"]
        lines = [
            "  logic bus_started, bus_finished;",
            "  assign stray = 1'b0;",
            "  assign early = 1'b0;",
            f"  assign accept = {shell.net(self.starts) if self.starts else 'bus_started'};",
            f"  assign core_done = {shell.net(self.finishes) if self.finishes else 'bus_finished'};",
            *(f"  logic [{widths[signal] - 1}:0] sent_{signal};" for signal in sent),
            "  lt_axil #(",
            f"    .AddrW({bus['awaddr'].width}),",
            f"    .DataW({bus['wdata'].width}),",
            f"    .Words({shell.bound.result_words})",
            "  ) u_axil (",
            "    .clk_i(clk_i),",
            "    .rst_i(rst_i),",
            "    .load_i(load),",
            "    .loaded_o(loaded),",
            "    .offer_i(offer),",
            "    .started_o(bus_started),",
            "    .run_i(run),",
            "    .finished_o(bus_finished),",
            "    .read_i(read),",
            "    .read_done_o(read_done),",
            f"    .result_o({shell.result_net}),",
            "    .wait_o(held_back),",
            ",\n".join(f"    .{port}({signal})" for port, signal in signals),
            "  );",
        ]
        rules = []
        if self.starts:
            rules.append(HandshakeRule(self.starts, 0, "~offer", "nothing was started"))
        if self.finishes:
            rules.append(
                HandshakeRule(self.finishes, 0, "held == '0", "no product is at work", moves=True, from_reset=True)
            )
        rules += [
            HandshakeRule(bus[signal].name, None, "1'b1", "the core has been reset")
            for signal in ("awready", "wready", "bvalid", "arready", "rvalid")
        ]
        looked_at = {channel: f"sent_{channel}valid" for channel in ("aw", "w", "ar")}
        return Connection(inputs, lines, looked_at, tuple(rules))

    def master(self, dut: Any, seed: int, disturb: Collection[str]) -> Master | None:
        from rtl_bridge.protocols.axi4_lite_master import Axi4LiteMaster  # needs cocotb, and a simulator around it

        return Axi4LiteMaster(self, dut.u_shell.u_axil, seed, disturb)
