# SPDX-License-Identifier: Apache-2.0
"""A pulse begins a product, and a signal marks its end."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from rtl_bridge.core.pins import Pin
from rtl_bridge.core.ports import LOADS, START, plain
from rtl_bridge.core.table import Formula
from rtl_bridge.protocols.base import Connection, HandshakeRule, Protocol, Wire
from rtl_bridge.protocols.recognition import Recognition

if TYPE_CHECKING:
    from rtl_bridge.core.design import DesignPort
    from rtl_bridge.core.ports import Ports
    from rtl_bridge.shell.text import Shell


_FALLS = (
    "  // done, a start and a reset at the last edge; whether done has been seen to fall without the others.",
    "  logic [2:0] was;",
    "  logic falls;",
    "  initial falls = 1'b0;",
    "  always @(posedge clk_i) begin",
    "    if (was !== {core_done, offer, rst_i}) was <= {core_done, offer, rst_i};",
    "    if (was === 3'b100 && core_done === 1'b0 && ~rst_i) falls <= 1'b1;",
    "  end",
)
"""A core may be done until the next start, also over a reset; one whose `done` is a pulse may not."""

_DONE = re.compile(r"(done|finish|complete|eoc|ack|there|^end$|valid|vld|ready|rdy)")
_BUSY = re.compile(r"(busy|active|running|working)")
_MEANINGS = {"start": "high when a product begins", "done": "high when the result is there"}


class StartDone(Protocol):
    """A pulse of `start` while not busy begins a product; operands stay stable; `done` means the result is available.

    With `products` a start begins that many products at once, and `done` means that all results are available.
    """

    kind: Literal["start-done"]
    start: Pin
    done: Pin
    busy: Pin | None = None
    products: Formula | None = None

    pulses: ClassVar[bool] = True
    again: ClassVar[bool] = True

    @classmethod
    def recognised(cls, ports: "Ports") -> Recognition:
        """Always: a start or a done that does not show has to be filled in."""
        starts = sorted(ports.bits("input", START), key=lambda port: plain(port.name).startswith(LOADS))
        start, busy = next(iter(starts), None), ports.bit("output", _BUSY)
        others = [port for port in ports.bits("output") if port is not busy]
        named = [port for port in ports.bits("output", _DONE) if port is not busy]
        done = named[0] if named else others[0] if len(others) == 1 else None
        for port in (start, busy, done):
            if port:
                ports.take(port)
        handshake = {"start": start, **({"busy": busy} if busy else {}), "done": done}
        return Recognition("start-done", handshake, _MEANINGS, locks=busy is not None)

    @property
    def at_once(self) -> bool:
        return self.busy is not None

    @property
    def finished(self) -> str:
        return self.done

    @property
    def taken(self) -> tuple[str, int]:
        return (self.busy, 0) if self.busy else (self.start, 1)

    @property
    def ports(self) -> list[str]:
        return [self.start, *([self.busy] if self.busy else []), self.done]

    def meanings(self, ports: Mapping[str, "DesignPort"]) -> dict[str, str]:
        busy = {self.busy: "a start is ignored"} if self.busy else {}
        return {self.start: "begins a product", **busy, self.done: "the result is there"}

    @property
    def products_formula(self) -> Formula | None:
        return self.products

    def bits(self) -> Iterator[Wire]:
        yield Wire("protocol.start", self.start, "input")
        yield Wire("protocol.done", self.done, "output")
        if self.busy:
            yield Wire("protocol.busy", self.busy, "output")

    def outputs(self, ports: Mapping[str, "DesignPort"]) -> list[str]:
        return [self.done, *([self.busy] if self.busy else [])]

    def connect(self, shell: "Shell") -> Connection:
        operands = shell.bound.core.file.operand
        full = "~other | (offer & ~extra)"  # else those of a product in front of the one that is asked for
        values = {o.port: shell.or_noise("operands", f"(({full}) ? {o.name}_i : {o.halved})", o.port) for o in operands}
        lines = [
            f"  assign accept = {f'~{shell.net(self.busy)}' if self.busy else '~run'};",
            f"  assign core_done = {shell.net(self.done)};",
            *_FALLS,
        ]
        looked_at = {"operands": "offer | run"} if operands else {}
        rules = [
            HandshakeRule(self.done, 0, "held == '0", "no product is at work", moves=True, from_reset=True),
            HandshakeRule(self.done, 0, "falls & was[0]", "a reset has struck, and otherwise it falls by itself"),
        ]
        if self.busy:
            rules.append(HandshakeRule(self.busy, 1, "(held != '0) & (core_done === 1'b0)", "a product is at work"))
            rules.append(HandshakeRule(self.busy, 0, "reset_over & (held == '0)", "no product is at work", moves=True))
        return Connection({self.start: "offer", **values}, lines, looked_at, tuple(rules)) + shell.storage()
