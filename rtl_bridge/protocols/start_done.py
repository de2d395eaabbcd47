# SPDX-License-Identifier: Apache-2.0
"""A start begins a product, and a signal or a number of cycles marks its end."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, Self

from pydantic import model_validator

from limbtrace.rtl_bridge.description.table import Formula
from limbtrace.rtl_bridge.description.writer import FILL_IN, DraftLine
from limbtrace.rtl_bridge.interface.pins import Pin
from limbtrace.rtl_bridge.interface.port_pool import LOADS, START, Ports, plain
from limbtrace.rtl_bridge.interface.port_types import DesignPort
from limbtrace.rtl_bridge.protocols.base import Protocol, Wire, fits
from limbtrace.rtl_bridge.protocols.connection import Connection, HandshakeRule
from limbtrace.rtl_bridge.protocols.recognition import Recognition
from limbtrace.rtl_bridge.protocols.view import BoundView, DescriptionView, RolesView, ShellView

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
_MEANINGS = {
    "start": "high when a product begins",
    "done": "high when the result is there, or latency = ... in place of done",
}


_HELD = re.compile(r"^(ap_start ap_done|\w*req\w* \w*ack\w*)$", re.IGNORECASE)
"""Names of a start and a done of which the start stays until the done."""


@dataclass(frozen=True)
class _Recognised(Recognition):
    """A start and a done, as far as they show."""

    held: bool = False

    def lines(self, roles: RolesView) -> Iterator[DraftLine]:
        yield from super().lines(roles)
        if self.held:
            yield DraftLine("held", value=True, guess="by the names of start and done")


@dataclass(frozen=True)
class _Fixed(Recognition):
    """Neither a start nor a done: results follow the operands."""

    def lines(self, roles: RolesView) -> Iterator[DraftLine]:
        if roles.clock is None:
            yield DraftLine("latency", 0, guess="no port is a clock, so results follow their operands at once")
        else:
            yield DraftLine("latency", FILL_IN, open="cycles from operands to their result, a formula")


class StartDone(Protocol):
    """`start` while not busy begins a product; operands stay stable; `done` means the result is available.

    With `latency` in place of `done` the result is available that many cycles after the one with the start. Without a
    start too, operands come for one cycle, and the result is available that many cycles later; 0 for a core without a
    clock. `held`: start, or operands without one, stay until done, and the next start comes when done is low again.
    With `products` a start begins that many products at once, and `done` means that all results are available. With
    `groups` their products come in that many starts of equal size, each with a `done` of its own: the next one is made
    in the first cycle that is not busy, perhaps before the `done` of the last one, and `group` gets its number.
    """

    kind: Literal["start-done"]
    start: Pin | None = None
    done: Pin | None = None
    latency: Formula | None = None
    busy: Pin | None = None
    held: bool = False
    restart: Literal["done", "after"] | None = None
    """Without `busy`: the first cycle in which the next product may start, that of `done` or the one after it; if it is
    not said, disturbed runs try both."""
    while_working: Literal["ignored", "undefined"] | None = None
    """The effect of a start while the core works on a product. If it is not said, it is ignored with `busy`; without
    `busy` disturbed runs expect that, and no proof relies on it."""
    sampled: Literal["start", "done"] | None = None
    """The last cycle in which the core may look at operands on ports, that of the start or that of `done`; if it is not
    said, they stay until `done`, and no proof relies on that."""
    idle: Literal["low", "any"] = "low"
    """Level of `done` while no product is at work."""
    products: Formula | None = None
    groups: Formula | None = None
    group: Pin | None = None

    @model_validator(mode="after")
    def _complete(self) -> "StartDone":
        if (self.done is None) == (self.latency is None):
            raise ValueError("takes either done, or latency where nothing shows that the result is there")
        if self.start is None and self.latency is None:
            raise ValueError("needs start, which only a core with a latency can do without")
        if self.start is None and (self.busy or self.products):
            raise ValueError("takes busy and products only together with start")
        if self.restart is not None and (self.busy or self.held):
            raise ValueError("takes restart only without busy and held")
        if self.while_working is not None and (self.start is None or self.held):
            raise ValueError("takes while_working only together with start, and not with held")
        if self.sampled is not None and (self.start is None or self.held or self.groups):
            raise ValueError("takes sampled only together with start, and not with held or groups")
        if (self.groups is None) != (self.group is None):
            raise ValueError("takes groups together with group")
        if self.groups is not None and (not self.products or not self.busy or self.held or self.done is None):
            raise ValueError("takes groups only together with products, busy and done, and not with held")
        return self

    @classmethod
    def recognised(cls, ports: Ports) -> Recognition:
        """Always: a start or a done that does not show has to be filled in, unless no port can be one."""
        starts = sorted(ports.bits("input", START), key=lambda port: plain(port.name).startswith(LOADS))
        start, busy = next(iter(starts), None), ports.bit("output", _BUSY)
        others = [port for port in ports.bits("output") if port is not busy]
        named = [port for port in ports.bits("output", _DONE) if port is not busy]
        done = named[0] if named else others[0] if len(others) == 1 else None
        if not ports.clocked or (not ports.bits("input") and not ports.bits("output")):
            return _Fixed("start-done")
        for port in (start, busy, done):
            if port:
                ports.take(port)
        handshake = {"start": start, **({"busy": busy} if busy else {}), "done": done}
        held = start is not None and done is not None and _HELD.search(f"{start.name} {done.name}") is not None
        return _Recognised("start-done", handshake, _MEANINGS, stays=True, locks=busy is not None, held=held)

    @property
    def stay(self) -> bool:
        return True

    @property
    def sampled_at_start(self) -> Self | None:
        if self.sampled is not None or self.start is None or self.held or self.groups is not None:
            return None
        return self.model_copy(update={"sampled": "start"})

    @property
    def pulses(self) -> bool:
        return not self.held

    @property
    def refuses(self) -> bool:
        """Without a start there is nothing to refuse."""
        return self.pulses and self.start is not None

    @property
    def ignores(self) -> bool | None:
        """With `busy` a start is ignored, and else what `while_working` says."""
        if self.while_working is None:
            return True if self.busy or self.start is None or self.held else None
        return self.while_working == "ignored"

    def left_open(self, bound: BoundView) -> list[str]:
        """A core that has neither start nor done may be a pipeline."""
        if self.start is not None or self.latency is None or bound.span("protocol.latency", self.latency) < 2:
            return []
        return ['a product in every cycle (kind = "word-serial" in [protocol])']

    @property
    def again(self) -> bool:
        return not self.held

    @property
    def at_once(self) -> bool:
        return (self.busy is not None or self.restart == "done") and not self.held

    @property
    def tries_at_once(self) -> bool:
        return self.busy is None and self.restart is None and not self.held

    @property
    def finished(self) -> str:
        return self.done or f"{self.latency} cycles after {self.start or 'the operands'}"

    @property
    def taken(self) -> tuple[str, int]:
        if self.busy:
            return self.busy, 0
        return (self.done, 0) if self.held and self.done else (self.start or "the operands", 1)

    @property
    def ports(self) -> list[str]:
        return [port for port in (self.start, self.group, self.busy, self.done) if port]

    def meanings(self, ports: Mapping[str, DesignPort]) -> dict[str, str]:
        meant = {
            self.start: "begins a product",
            self.group: "the group that it begins",
            self.busy: "a start is ignored",
            self.done: "the result is there",
        }
        return {port: text for port, text in meant.items() if port is not None}

    @property
    def products_formula(self) -> Formula | None:
        return self.products

    @property
    def groups_formula(self) -> Formula | None:
        return self.groups

    @property
    def latency_formula(self) -> Formula | None:
        return self.latency

    def bits(self) -> Iterator[Wire]:
        for key, port, direction in (
            ("start", self.start, "input"),
            ("done", self.done, "output"),
            ("busy", self.busy, "output"),
        ):
            if port:
                yield Wire(f"protocol.{key}", port, direction)

    def check_file(self, file: DescriptionView) -> None:
        super().check_file(file)
        if self.groups is not None and (file.memory is None or file.memory.consumed or file.result.address is None):
            raise ValueError("protocol.groups goes with a memory that is not consumed, and a result in a memory")

    def wires(self, bound: BoundView) -> Iterator[Wire]:
        if self.group:
            yield Wire("protocol.group", self.group, "input")

    def problems(self, bound: BoundView, largest: Mapping[str, int]) -> Iterator[str]:
        if self.group:
            if bound.groups < 1 or bound.products % bound.groups:
                yield f"protocol.groups is {bound.groups}, and should divide the {bound.products} products"
            else:
                bits = (bound.groups - 1).bit_length()
                yield from fits(bound, "protocol.group", self.group, bits, f"{bound.groups} groups")
        if self.latency is None:
            return
        if bound.span("protocol.latency", self.latency) < 1 and (self.start or bound.core.file.clock):
            yield "protocol.latency is 0, and should be 1 at least: the cycle after the one with the operands"

    def outputs(self, ports: Mapping[str, DesignPort]) -> list[str]:
        return [port for port in (self.done, self.busy) if port]

    def connect(self, shell: ShellView) -> Connection:
        operands = shell.bound.core.file.ported
        stay = self.start is not None or self.held or shell.bound.core.file.clock is None
        full = "~other | (offer & ~extra)"  # else those of a product in front of the one that is asked for
        if self.start is None:  # nothing else tells the core when they come
            full = f"(offer & ~extra){' | (run & ~other)' if stay else ''}"
        given = {o.port: f"(({full}) ? {o.name}_i : {o.halved})" for o in operands}
        if self.sampled == "start":
            stay = False
            values = {o.port: f"offer ? {given[o.port]} : {shell.or_noise('operands', f'~{o.name}_i', o.port)}"
                      for o in operands}  # fmt: skip
        else:
            values = {port: shell.or_noise("operands", value, port) for port, value in given.items()}
        more = " | next_start" if shell.bound.groups > 1 else ""
        if self.start:
            values = {self.start: "offer | run" if self.held else f"offer{more}", **values}
        looked_at = {"operands": "offer | run" if stay else "offer"} if operands else {}
        if self.group:
            looked_at["group"] = f"offer{more}"
            number = "next_group" if more else f"{shell.width(self.group)}'d0"
            values[self.group] = shell.or_noise("group", number, self.group)
        lines = [f"  assign accept = {self._accepts(shell)};", *self._end(shell)]
        rules = tuple(self._rules(shell.bound.groups))
        return Connection(values, lines, looked_at, rules, given="offer") + shell.storage()

    def _accepts(self, shell: ShellView) -> str:
        """The condition under which a start begins a product."""
        if self.busy:
            return f"~{shell.net(self.busy)}{' & ~core_done' if self.held else ''}"
        if self.latency is not None:
            return "1'b1"
        if self.held:
            return "~core_done"
        return "~run" if self.restart == "after" else "~run | (core_done === 1'b1)"

    def _end(self, shell: ShellView) -> Iterator[str]:
        """The lines that say when the core is done."""
        if self.done:
            if shell.bound.groups > 1:
                yield from self._groups(shell, self.done)
            else:
                yield f"  assign core_done = {shell.net(self.done)};"
            yield from _FALLS
            return
        cycles = max(shell.bound.span("protocol.latency", self.latency or 0), 1)
        yield f"  lt_latency #(.Cycles({cycles})) u_latency ("
        yield "    .clk_i(clk_i), .rst_i(rst_i), .start_i(offer & accept), .done_o(core_done)"
        yield "  );"

    def _groups(self, shell: ShellView, done: Pin) -> Iterator[str]:
        """The lines that start the groups of a stream behind the first one."""
        width = shell.width(self.group or "")
        yield from (
            "  logic fill, filled, next_start, last_group;",
            f"  logic [{width - 1}:0] next_group;",
            f"  lt_groups #(.Groups({shell.bound.groups}), .GroupW({width})) u_groups (",
            "    .clk_i(clk_i),",
            "    .rst_i(rst_i),",
            "    .begin_i(offer & ~extra & accept),",
            "    .front_i(extra & accept),",
            "    .accept_i(accept),",
            f"    .done_i({shell.net(done)}),",
            "    .load_i(load),",
            "    .loaded_i(filled),",
            "    .fill_o(fill),",
            "    .start_o(next_start),",
            "    .group_o(next_group),",
            "    .last_o(last_group),",
            "    .done_o(core_done)",
            "  );",
        )

    @property
    def _is_ready(self) -> bool:
        """True if `done` is high whenever the core is not busy: it rises after a reset, too."""
        return {self.done, self.busy} in ({name, f"!{name}"} for name in (self.done, self.busy))

    def _rules(self, groups: int) -> Iterator[HandshakeRule]:
        if self.done and self.idle == "low" and not self._is_ready:
            yield HandshakeRule(
                self.done, 0, "held == '0", "no product is at work", moves=True, from_reset=True, lenient=True
            )
        if self.done:
            yield HandshakeRule(self.done, 0, "falls & was[0]", "a reset has struck, and otherwise it falls by itself")
        if self.busy and groups == 1:
            yield HandshakeRule(self.busy, 1, "(held != '0) & (core_done === 1'b0)", "a product is at work")
        if self.busy:
            yield HandshakeRule(self.busy, 0, "reset_over & (held == '0)", "no product is at work", moves=True)
