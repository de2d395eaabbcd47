# SPDX-License-Identifier: Apache-2.0
"""One handshake for the operands and one for the result; either side may delay both."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from rtl_bridge.core.pins import Pin
from rtl_bridge.core.ports import READY, VALID
from rtl_bridge.protocols.base import Connection, HandshakeRule, Protocol, Wire
from rtl_bridge.protocols.recognition import Recognition

if TYPE_CHECKING:
    from rtl_bridge.core.design import DesignPort
    from rtl_bridge.core.ports import Ports
    from rtl_bridge.shell.text import Shell


class ValidReady(Protocol):
    """Operands and results are transferred at a clock edge at which valid and ready are both high."""

    kind: Literal["valid-ready"]
    in_valid: Pin
    in_ready: Pin
    out_valid: Pin
    out_ready: Pin

    stalls: ClassVar[bool] = True
    early: ClassVar[bool] = True
    again: ClassVar[bool] = True

    @classmethod
    def recognised(cls, ports: "Ports") -> Recognition | None:
        """By a valid and a ready on either side."""
        handshake = {
            "in_valid": ports.bit("input", VALID),
            "in_ready": ports.bit("output", READY),
            "out_valid": ports.bit("output", VALID),
            "out_ready": ports.bit("input", READY),
        }
        found = [port for port in handshake.values() if port is not None]
        if len(found) < len(handshake):
            return None
        for port in found:
            ports.take(port)
        return Recognition("valid-ready", handshake)

    @property
    def finished(self) -> str:
        return self.out_valid

    @property
    def taken(self) -> tuple[str, int]:
        return self.in_ready, 1

    @property
    def ports(self) -> list[str]:
        return [self.in_valid, self.in_ready, self.out_valid, self.out_ready]

    def meanings(self, ports: Mapping[str, "DesignPort"]) -> dict[str, str]:
        return {
            self.in_valid: "operands: valid",
            self.in_ready: "operands: ready",
            self.out_valid: "result: valid",
            self.out_ready: "result: ready",
        }

    def bits(self) -> Iterator[Wire]:
        yield Wire("protocol.in_valid", self.in_valid, "input")
        yield Wire("protocol.in_ready", self.in_ready, "output")
        yield Wire("protocol.out_valid", self.out_valid, "output")
        yield Wire("protocol.out_ready", self.out_ready, "input")

    def outputs(self, ports: Mapping[str, "DesignPort"]) -> list[str]:
        return [self.in_ready, self.out_valid]

    def connect(self, shell: "Shell") -> Connection:
        """Operands change after their edge; an early offer has half of each operand, which is always in range."""
        operands = shell.bound.core.file.operand
        inputs = {self.in_valid: "offer", self.out_ready: "willing"}
        for operand in operands:
            offered, other = f"(extra ? {operand.halved} : {operand.name}_i)", f"~{operand.name}_i"
            inputs[operand.port] = f"offer ? {offered} : {shell.or_noise('operands', other, operand.port)}"
        lines = [f"  assign accept = {shell.net(self.in_ready)};", f"  assign core_done = {shell.net(self.out_valid)};"]
        rules = (
            HandshakeRule(self.out_valid, 0, "held == '0", "no product is at work"),
            HandshakeRule(self.out_valid, 1, "shown", "it was high and nobody took the result"),
            HandshakeRule(self.in_ready, None, "1'b1", "the core has been reset"),
        )
        lines += [
            "  logic shown;  // a result that waits",
            "  always_ff @(posedge clk_i) shown <= ~rst_i & (core_done === 1'b1) & ~willing;",
        ]
        return Connection(inputs, lines, {"operands": "offer"} if operands else {}, rules) + shell.storage()
