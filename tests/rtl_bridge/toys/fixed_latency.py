# SPDX-License-Identifier: Apache-2.0
"""A protocol outside of the bridge: its class, with its SystemVerilog module beside it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar, Literal

from limbtrace.protocols import BoundView, Connection, DesignPort, Formula, Protocol, ShellView, VerilogName, Wire


class FixedLatency(Protocol):
    """`start` begins a product at any time; the result is available `latency` cycles later, without a signal."""

    kind: Literal["fixed-latency"]
    start: VerilogName
    latency: Formula

    modules: ClassVar[tuple[Path, ...]] = (Path(__file__).with_suffix(".sv"),)

    @property
    def finished(self) -> str:
        return f"{self.latency} cycles after {self.start}"

    @property
    def taken(self) -> tuple[str, int]:
        return self.start, 1

    @property
    def ports(self) -> list[str]:
        return [self.start]

    def meanings(self, ports: Mapping[str, DesignPort]) -> dict[str, str]:
        return {self.start: "begins a product"}

    def bits(self) -> Iterator[Wire]:
        yield Wire("protocol.start", self.start, "input")

    def problems(self, bound: BoundView, largest: Mapping[str, int]) -> Iterator[str]:
        if not bound.formula("protocol.latency", self.latency):
            yield "protocol.latency is 0, and should be 1 at least"

    def outputs(self, ports: Mapping[str, DesignPort]) -> list[str]:
        return []

    def connect(self, shell: ShellView) -> Connection:
        cycles = shell.bound.formula("protocol.latency", self.latency)
        operands = shell.bound.core.file.operand
        values = {o.port: shell.or_noise("operands", f"{o.name}_i", o.port) for o in operands}
        lines = [
            "  assign accept = 1'b1;",
            f"  fixed_latency #(.Cycles({cycles})) u_latency (",
            "    .clk_i(clk_i), .rst_i(rst_i), .start_i(started_o), .done_o(core_done)",
            "  );",
        ]
        return Connection({self.start: "offer", **values}, lines, {"operands": "offer | run"}) + shell.storage()
