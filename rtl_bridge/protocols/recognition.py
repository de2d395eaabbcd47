# SPDX-License-Identifier: Apache-2.0
"""A protocol that was recognised among the ports of a core without a description, and the lines that follow from it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from limbtrace.rtl_bridge.description.writer import DraftLine, port_line
from limbtrace.rtl_bridge.interface.module_ports import SketchPort
from limbtrace.rtl_bridge.interface.port_pool import level
from limbtrace.rtl_bridge.protocols.view import RolesView


@dataclass(frozen=True)
class Recognition:
    """The outcome of `Protocol.recognised`. A protocol whose tables have other lines overrides the methods."""

    kind: str
    handshake: Mapping[str, SketchPort | None] = field(default_factory=dict)
    """The ports by their keys in [protocol]; None for one that has to be filled in."""
    meanings: Mapping[str, str] = field(default_factory=dict)
    """Meaning of the port of a key, if it has to be filled in."""
    has_data: bool = True
    """True if operands and result have ports or a memory of their own."""
    digits: bool = False
    """True if a port of an operand has one digit."""
    stays: bool = False
    """True if operands stay during a product, so that the core may read them out of memories of its own choice."""
    locks: bool = False
    """True if a signal says that writes are ignored during a product."""

    def lines(self, roles: RolesView) -> Iterator[DraftLine]:
        """The table [protocol] after `kind`; `roles` are the purposes of all ports."""
        for key, port in self.handshake.items():
            line = port_line(key, port, self.meanings.get(key, key), "by its name")
            yield replace(line, value=level(port)) if port else line

    def result_lines(self, roles: RolesView) -> Iterator[DraftLine]:
        """Further lines of the table [result] of a core without a read port."""
        yield from ()
