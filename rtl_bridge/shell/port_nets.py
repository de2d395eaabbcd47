# SPDX-License-Identifier: Apache-2.0
"""The nets at the ports of the core: whole ports, elements of arrays, and parts that a description names."""

from collections.abc import Iterable, Mapping
from functools import cached_property

from limbtrace.rtl_bridge.interface.pins import Pins
from limbtrace.rtl_bridge.interface.port_types import PortBits


class PortNets:
    """Declarations and connections of the ports; `outputs` are the pins that the shell reads."""

    def __init__(self, ports: Pins, outputs: Iterable[str]) -> None:
        self._ports = ports
        self._outputs = [ports[name] for name in outputs]

    @cached_property
    def outputs(self) -> dict[str, str]:
        """Net of each output port of the core that the shell uses; elements of an array have none of their own."""
        used = dict.fromkeys(bits.port for pin in self._outputs for bits in pin.taken)
        return {port: self._net("out", port) for port in used}

    @property
    def output_lines(self) -> list[str]:
        """A wire for every output of the core, and for every part of one that is named."""
        lines = [self._declaration(port, net) for port, net in self.outputs.items()]
        for pin in self._outputs:
            if pin.bits:
                parts = [f"{'~' * bits.inverted}{self._select('out', bits)}" for bits in reversed(pin.bits)]
                lines.append(f"  wire [{pin.width - 1}:0] out_{pin.net} = {{{', '.join(parts)}}};")
        return lines

    def inputs(self, drivers: Mapping[str, str]) -> dict[str, str]:
        """Connection of each input port of the core, from the drivers of the pins."""
        connections: dict[str, str] = {}
        for name, signal in drivers.items():
            pin = self._ports[name]
            connections |= {b.port: self._net("in", b.port) for b in pin.bits} if pin.bits else {name: signal}
        return connections

    def input_lines(self, drivers: Mapping[str, str]) -> list[str]:
        """The nets of input ports that are driven in parts, and what drives the parts."""
        parts = {name: pin for name in drivers if (pin := self._ports[name]).bits}
        ports = dict.fromkeys(bits.port for pin in parts.values() for bits in pin.bits)
        lines = [self._declaration(port, self._net("in", port)) for port in ports]
        for name, pin in parts.items():
            lines.append(f"  wire [{pin.width - 1}:0] to_{pin.net} = {drivers[name]};")
            low = 0
            for bits in pin.bits:
                value = f"to_{pin.net}[{low + bits.width - 1}:{low}]"
                lines.append(f"  assign {self._select('in', bits)} = {'~' * bits.inverted}{value};")
                low += bits.width
        return lines

    def _net(self, side: str, port: str) -> str:
        """Net of a port of the core; `side` is in or out."""
        return f"{'each' if self._ports.port(port).form.is_unpacked else side}_{port}"

    def _declaration(self, port: str, net: str) -> str:
        """Declaration of the net of a port, an array where the port is one."""
        form, ranges = self._ports.port(port).form, ""
        while form.is_unpacked and form.range:
            ranges += f" [{form.range[0]}:{form.range[1]}]"
            form = form.inner
        return f"  wire [{form.width - 1}:0] {net}{ranges};"

    def _select(self, side: str, bits: PortBits) -> str:
        """The bits of a port by the net of the port."""
        return f"{self._net(side, bits.port)}{bits.element}[{bits.low + bits.width - 1}:{bits.low}]"
