# SPDX-License-Identifier: Apache-2.0
"""One handshake for the operands and one for the result; either side may delay both."""

from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

from limbtrace.rtl_bridge.interface.pins import Pin
from limbtrace.rtl_bridge.interface.port_pool import READY, VALID, Ports
from limbtrace.rtl_bridge.interface.port_types import DesignPort
from limbtrace.rtl_bridge.protocols.base import Protocol, Wire
from limbtrace.rtl_bridge.protocols.connection import Connection, HandshakeRule
from limbtrace.rtl_bridge.protocols.recognition import Recognition
from limbtrace.rtl_bridge.protocols.view import ShellView


class ValidReady(Protocol):
    """Operands and results are transferred at a clock edge at which valid and ready are both high.

    Without `in_ready` the core always takes operands; without `out_ready` a result has to be taken when it comes.
    """

    kind: Literal["valid-ready"]
    in_valid: Pin
    in_ready: Pin | None = None
    out_valid: Pin
    out_ready: Pin | None = None

    stalls: ClassVar[bool] = True

    @classmethod
    def recognised(cls, ports: Ports) -> Recognition | None:
        """By a valid on either side, each with a ready or both without."""
        handshake = {
            "in_valid": ports.bit("input", VALID),
            "in_ready": ports.bit("output", READY),
            "out_valid": ports.bit("output", VALID),
            "out_ready": ports.bit("input", READY),
        }
        found = {key: port for key, port in handshake.items() if port is not None}
        if set(found) not in ({*handshake}, {"in_valid", "out_valid"}):
            return None
        for port in found.values():
            ports.take(port)
        return Recognition("valid-ready", found)

    @property
    def keeps(self) -> bool:
        return self.out_ready is not None

    @property
    def early(self) -> bool:
        return self.in_ready is not None

    @property
    def again(self) -> bool:
        return True

    @property
    def at_once(self) -> bool:
        return self.in_ready is not None

    @property
    def finished(self) -> str:
        return self.out_valid

    @property
    def taken(self) -> tuple[str, int]:
        return self.in_ready or self.in_valid, 1

    @property
    def ports(self) -> list[str]:
        return [port for port in (self.in_valid, self.in_ready, self.out_valid, self.out_ready) if port]

    def meanings(self, ports: Mapping[str, DesignPort]) -> dict[str, str]:
        meant = {
            self.in_valid: "operands: valid",
            self.in_ready: "operands: ready",
            self.out_valid: "result: valid",
            self.out_ready: "result: ready",
        }
        return {port: text for port, text in meant.items() if port is not None}

    def bits(self) -> Iterator[Wire]:
        yield Wire("protocol.in_valid", self.in_valid, "input")
        if self.in_ready:
            yield Wire("protocol.in_ready", self.in_ready, "output")
        yield Wire("protocol.out_valid", self.out_valid, "output")
        if self.out_ready:
            yield Wire("protocol.out_ready", self.out_ready, "input")

    def outputs(self, ports: Mapping[str, DesignPort]) -> list[str]:
        return [*([self.in_ready] if self.in_ready else []), self.out_valid]

    def connect(self, shell: ShellView) -> Connection:
        """Operands change after their edge; an early offer has half of each operand, which is always in range."""
        operands = shell.bound.core.file.operand
        inputs = {self.in_valid: "offer", **({self.out_ready: "willing"} if self.out_ready else {})}
        for operand in operands:
            offered, other = f"(extra ? {operand.halved} : {operand.name}_i)", f"~{operand.name}_i"
            inputs[operand.port] = f"offer ? {offered} : {shell.or_noise('operands', other, operand.port)}"
        accept = shell.net(self.in_ready) if self.in_ready else "1'b1"
        lines = [f"  assign accept = {accept};", f"  assign core_done = {shell.net(self.out_valid)};"]
        rules = [HandshakeRule(self.out_valid, 0, "held == '0", "no product is at work")]
        if self.out_ready:
            rules.append(HandshakeRule(self.out_valid, 1, "shown", "it was high and the result was not taken"))
            lines += [
                "  logic shown;  // a result that waits",
                "  always_ff @(posedge clk_i) shown <= ~rst_i & (core_done === 1'b1) & ~willing;",
            ]
        if self.in_ready:
            rules.append(HandshakeRule(self.in_ready, None, "1'b1", "the core has been reset"))
        return Connection(inputs, lines, {"operands": "offer"} if operands else {}, tuple(rules)) + shell.storage()
