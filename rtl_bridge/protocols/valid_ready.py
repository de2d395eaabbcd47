# SPDX-License-Identifier: Apache-2.0
"""One handshake for the operands and one for the result; either side may delay both."""

from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

from limbtrace.rtl_bridge.description.table import COUNT_BITS, Formula
from limbtrace.rtl_bridge.interface.pins import Pin
from limbtrace.rtl_bridge.interface.port_pool import READY, VALID, Ports
from limbtrace.rtl_bridge.interface.port_types import DesignPort
from limbtrace.rtl_bridge.protocols.base import Protocol, Wire
from limbtrace.rtl_bridge.protocols.connection import Connection, HandshakeRule
from limbtrace.rtl_bridge.protocols.fields import Field
from limbtrace.rtl_bridge.protocols.recognition import Recognition
from limbtrace.rtl_bridge.protocols.view import BoundView, DescriptionView, LayoutView, ShellView

_STREAM = 16
"""Products of a stream unless `core.toml` says otherwise."""
_SLACK = 128
"""Cycles that stalls may add to a product of a stream."""


class ValidReady(Protocol):
    """Operands and results are transferred at a clock edge at which valid and ready are both high.

    Without `in_ready` the core takes operands while no product is at work, or with `products` in every cycle; without
    `out_ready` a result has to be taken when it comes. A core whose operands and result are on ports is given streams
    of `products` products, as fast as it takes them, unless it has rows, which would not say to which product they
    belong.
    """

    kind: Literal["valid-ready"]
    in_valid: Pin
    in_ready: Pin | None = None
    out_valid: Pin
    out_ready: Pin | None = None
    products: Formula | None = None
    """Products of a stream; by default 16 with `in_ready`, and one at a time without."""

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

    def in_order_formula(self, file: DescriptionView) -> Formula | None:
        on_ports = file.memory is None and file.result.port is not None
        on_ports &= all(operand.address is None for operand in file.operand)
        if not on_ports or file.row:
            return None
        return _STREAM if self.products is None and self.in_ready else self.products

    def _stalls(self, bound: BoundView) -> int:
        """Cycles that the stalls of a stream may take."""
        return bound.products * _SLACK if bound.in_order else 0

    def cycles(self, bound: BoundView) -> int:
        return self._stalls(bound)

    def delay(self, bound: BoundView) -> int:
        return self._stalls(bound)

    def constants(self, layout: LayoutView) -> list[Field]:
        """The number of products in a stream."""
        return [Field("products", COUNT_BITS, len(layout.bound.starts))] if layout.bound.in_order else []

    def problems(self, bound: BoundView, largest: Mapping[str, int]) -> Iterator[str]:
        if not 1 <= bound.products < 1 << COUNT_BITS:
            yield f"protocol.products is {bound.products}, and should be 1 to {(1 << COUNT_BITS) - 1}"

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
        if shell.bound.in_order:
            return self._stream(shell)
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
        looked_at = {"operands": "offer"} if operands else {}
        return Connection(inputs, lines, looked_at, tuple(rules), given="offer") + shell.storage()

    def _stream(self, shell: ShellView) -> Connection:
        """A stream of products; while none is offered, the ports carry the inverse of the next one's operands."""
        operands, result = shell.bound.core.file.operand, shell.bound.core.file.result.port
        assert result is not None
        b = "b_i" if len(operands) > 1 else "'0"
        ready = shell.net(self.in_ready) if self.in_ready else "1'b1"
        inputs = {self.in_valid: "send", **({self.out_ready: "receive"} if self.out_ready else {})}
        for operand in operands:
            inputs[operand.port] = f"send ? sent_{operand.name} : " + shell.or_noise(
                "operands", f"~sent_{operand.name}", operand.port
            )
        lines = [
            "  assign accept = 1'b1;",
            "  logic send, receive, empty;",
            f"  logic [{COUNT_BITS - 1}:0] number;",
            *(f"  logic [{shell.width(operand.port) - 1}:0] sent_{operand.name};" for operand in operands),
            *([] if len(operands) > 1 else ["  logic [0:0] sent_b;"]),
            "  lt_handshake_stream #(",
            f"    .CountW({COUNT_BITS}),",
            f"    .Products({shell.bound.products}),",
            *(f"    .{operand.name.upper()}W({shell.width(operand.port)})," for operand in operands),
            f"    .ResultW({shell.width(result)}),",
            f"    .Holds(1'b{int(self.out_ready is not None)})",
            "  ) u_stream (",
            "    .clk_i(clk_i),",
            "    .rst_i(rst_i),",
            "    .begin_i(started_o),",
            "    .run_i(run),",
            "    .products_i(products),",
            "    .turn_i(turn_i),",
            "    .stall_seed_i(stall_seed_i),",
            "    .random_i(random),",
            "    .result_stall_i(result_stall_i),",
            "    .a_i(a_i),",
            f"    .b_i({b}),",
            "    .done_o(core_done),",
            "    .wait_o(held_back),",
            "    .empty_o(empty),",
            f"    .result_o({shell.result_net}),",
            "    .number_o(number),",
            "    .valid_o(send),",
            f"    .ready_i({ready}),",
            "    .a_o(sent_a),",
            "    .b_o(sent_b),",
            f"    .valid_i({shell.net(self.out_valid)}),",
            "    .ready_o(receive),",
            f"    .word_i({shell.whole_result()})",
            "  );",
            "  assign loaded = 1'b1;",
            "  assign read_done = 1'b1;",
            "  assign stray = 1'b0;",
            "  assign early = 1'b0;",
        ]
        rules = [HandshakeRule(self.out_valid, 0, "empty", "no product is at work")]
        if self.out_ready:
            rules.append(HandshakeRule(self.out_valid, 1, "shown", "it was high and the result was not taken"))
            lines += [
                "  logic shown;  // a result that waits",
                f"  always_ff @(posedge clk_i) shown <= ~rst_i & ({shell.net(self.out_valid)} === 1'b1) & ~receive;",
            ]
        if self.in_ready:
            rules.append(HandshakeRule(self.in_ready, None, "1'b1", "the core has been reset"))
        return Connection(inputs, lines, {"operands": "send"}, tuple(rules), number="number", given="send")
