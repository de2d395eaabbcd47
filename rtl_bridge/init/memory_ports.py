# SPDX-License-Identifier: Apache-2.0
"""The memory of operands and the read port of results, recognised among the ports of a core by their names."""

import re
from dataclasses import dataclass, fields

from limbtrace.rtl_bridge.interface.module_ports import SketchPort
from limbtrace.rtl_bridge.interface.port_pool import Ports, plain

_DATA = re.compile(r"^(wr|write|w|ld|mem_w|in)?_?(data|din|word)")
_ADDRESS = re.compile(r"(wr|write|w|ld|load|mem_w|in)_?(addr|adr|address)")
_ENABLE = re.compile(r"^(wr|write|w|ld|mem_w)?_?(en|we|wen|enable)")
_WRITE = re.compile(r"^(wr|write|w|ld|load|mem_w|we|wen)")
_SELECT = re.compile(r"(wr|write|w|ld)_?(sel|select|bank|which|op)")
_PRODUCT = re.compile(r"(wr|write|w)_?(way|product|unit|tag)")
_READ_ADDRESS = re.compile(r"^(rd|read|r|res|out)_?(addr|adr|address)")
_READ_DATA = re.compile(r"(data|dout|word)")
_READ_PRODUCT = re.compile(r"^(rd|read|r)_?(way|product|unit|tag)")


@dataclass(frozen=True)
class MemoryPorts:
    """Ports by their keys in [memory] and [result]; those for writing are None if no data and address show."""

    enable: SketchPort | None = None
    select: SketchPort | None = None
    product: SketchPort | None = None
    address: SketchPort | None = None
    data: SketchPort | None = None
    read_product: SketchPort | None = None
    read_address: SketchPort | None = None
    read_data: SketchPort | None = None

    @property
    def ports(self) -> list[SketchPort]:
        """All of them."""
        return [port for field in fields(self) if (port := getattr(self, field.name)) is not None]

    @classmethod
    def among(cls, ports: Ports) -> "MemoryPorts":
        """Those among the ports, of which none is taken."""
        rest = Ports(ports.left)
        found: dict[str, SketchPort | None] = {}
        data = [port for port in rest.wide("input") if _DATA.search(plain(port.name))]
        if data and (address := rest.take_any("input", _ADDRESS, but=data)):
            found |= {"address": address, "data": rest.take(data[0])}
            found["enable"] = rest.take_bit("input", _ENABLE) or rest.take_bit("input", _WRITE)
            found["select"] = rest.take_several("input", _SELECT)
            found["product"] = rest.take_several("input", _PRODUCT)
        if read := rest.take_several("input", _READ_ADDRESS):
            outputs = rest.wide("output")
            named = [port for port in outputs if _READ_DATA.search(port.name.lower())] or outputs
            found |= {"read_address": read, "read_data": rest.take(named[0]) if named else None}
            found["read_product"] = rest.take_several("input", _READ_PRODUCT)
        return cls(**found)
