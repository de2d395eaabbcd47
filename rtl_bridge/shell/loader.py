# SPDX-License-Identifier: Apache-2.0
"""The writes into a memory of the core: the images of operands and constants, and stray writes between them."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from limbtrace.rtl_bridge.description.table import COUNT_BITS
from limbtrace.rtl_bridge.description.tables import Load, Memory, half_of_signed
from limbtrace.rtl_bridge.shell.layout import Layout
from limbtrace.rtl_bridge.shell.verilog import instance, or_noise, repeated

_MIXED = (
    "  wire [15:0] mixed = 16'(random * 16'h9e37) >> 6;",
    "  wire [15:0] times = random * 16'h6a5d;",
    "  wire [15:0] turned = {times[10:0], times[15:11]};",
)
"""More random numbers of the same cycle."""
_SOURCES = {"address": "random", "data": "turned"}
"""The random number of a port in a stray write; `mixed` for the others, or each address would get the same few data."""
_OPERANDS = ("a", "b")
LOAD_ENABLE = "`LT_WORD(load_enable)"
"""High in the cycles in which a word is loaded."""
NO_LOADER = ("  assign loaded = 1'b1;", "  assign stray = 1'b0;")
"""Lines of a shell whose core has no memory."""


class _MemoryImage(NamedTuple):
    """A load of the image of one operand of one product, or of one constant."""

    number: int
    """Of the load in `memory.load`."""
    load: Load
    product: int
    """0 for a constant."""

    @property
    def is_constant(self) -> bool:
        return self.load.value not in _OPERANDS


@dataclass(frozen=True)
class Loader:
    """lt_loader, and stray writes: writes that a core has to ignore while it works, for a memory that it locks."""

    layout: Layout
    memory: Memory

    @property
    def inputs(self) -> dict[str, str]:
        """Drivers of the ports of the memory."""
        drivers = {self.memory.enable: f"{LOAD_ENABLE} | stray"}
        for name in ("address", "data", "select", "product"):
            if port := getattr(self.memory, name):
                value = f"(stray ? {self._stray_value(name)} : load_{name})"
                drivers[port] = or_noise("write", value, self.layout.width(port))
        return drivers

    @property
    def lines(self) -> list[str]:
        """Declarations, stray writes and the instance of lt_loader."""
        wires, stray = self._stray_wires, self._stray_condition
        return [
            *([f"  wire {', '.join(wires)};"] if wires else []),
            f"  assign stray = {stray};",
            *(_MIXED if self.memory.locked else []),
            "  logic load_enable;",
            f"  logic [{self._select_width - 1}:0] load_select;",
            f"  logic [{self._product_width - 1}:0] load_product;",
            *([self._loaded_line] if self._is_grouped else []),
            f"  logic [{self._address_width - 1}:0] load_address;",
            f"  logic [{self._data_width - 1}:0] load_data;",
            *(f"  assign {name} = {value};" for name, value in wires.items()),
            *instance("lt_loader", "u_loader", self._parameters, self._ports),
        ]

    # Widths.

    @property
    def _is_grouped(self) -> bool:
        """True if the products of a stream take several starts."""
        return self.layout.bound.groups > 1

    @property
    def _select_width(self) -> int:
        return self.layout.width(self.memory.select) if self.memory.select else 1

    @property
    def _product_width(self) -> int:
        return self.layout.width(self.memory.product) if self.memory.product else 1

    @property
    def _address_width(self) -> int:
        return self.layout.width(self.memory.address)

    @property
    def _data_width(self) -> int:
        return self.layout.width(self.memory.data)

    # The instance.

    @cached_property
    def _images(self) -> list[_MemoryImage]:
        """In the order in which they are written."""
        bound = self.layout.bound
        return [
            _MemoryImage(number, load, product)
            for number, load in enumerate(bound.loads)
            for product in range(bound.products if load.value in _OPERANDS else 1)
        ]

    @property
    def _selects(self) -> list[str]:
        """{product, select} of each image, the last one first."""
        return [
            f"{self._product_width}'d{image.product}, {self._select_width}'d{image.load.select}"
            for image in reversed(self._images)
        ]

    @property
    def _loaded_line(self) -> str:
        """Operands are loaded with the last image, which is written while the core works on the groups before it."""
        last = f"{{load_product, load_select}} == {{{self._selects[0]}}}"
        return f"  assign loaded = filled | (load_enable & ({last}));"

    @property
    def _parameters(self) -> dict[str, object]:
        once = "".join(f"{image.is_constant:d}" for image in reversed(self._images))
        return {
            "CountW": COUNT_BITS,
            "Loads": len(self._images),
            "Depth": self.layout.image_width // self._data_width,
            "DataW": self._data_width,
            "AddrW": self._address_width,
            "SelectW": self._product_width + self._select_width,
            **({"HighFirst": 1} if self.memory.order == "high-first" else {}),
            "Once": f"{len(self._images)}'b{once}",
        }

    @property
    def _ports(self) -> dict[str, str]:
        return {
            "clk_i": "clk_i",
            "rst_i": "rst_i",
            "load_i": "fill" if self._is_grouped else "load",
            "renew_i": "renew_i & ~reload",
            "skip_i": f"{{{', '.join(map(self._skip, reversed(self._images)))}}}",
            "order_i": "4'd0" if self.memory.ordered else "load_order_i",
            "ready_i": "`LT_WORD(1'b1)",
            "loaded_o": "filled" if self._is_grouped else "loaded",
            "last_o": "last",
            "images_i": f"{{{', '.join(map(self._image_net, reversed(self._images)))}}}",
            "words_i": f"{{{', '.join(f'words_{image.number}' for image in reversed(self._images))}}}",
            "selects_i": f"{{{', '.join(self._selects)}}}",
            "enable_o": "load_enable",
            "select_o": "{load_product, load_select}",
            "address_o": "load_address",
            "data_o": "load_data",
        }

    def _image_net(self, image: _MemoryImage) -> str:
        if image.is_constant:
            return f"image_{image.number}"
        name, size = str(image.load.value), self.layout.image_width
        part = f"[{size * image.product} +: {size}]"
        bound, value = self.layout.bound, f"{name}_i{part}"
        if bound.reloads_first and image.load.weight is None:  # digits would mix
            half = half_of_signed(value) if image.load.signed else f"{value} >> 1"
            value = f"refill ? {half} : {value}"
        if bound.loads_ahead:
            value = f"swap ? {'b' if name == 'a' else 'a'}_i{part} : ({value})"
        return value

    def _skip(self, image: _MemoryImage) -> str:
        """When an image is not written: a constant in a second load, an operand that the last product had, too."""
        if image.is_constant:
            return "reload"
        return f"load_skip_i[{_OPERANDS.index(str(image.load.value))}]"

    # Stray writes.

    @property
    def _ignores_writes(self) -> bool:
        """True if the core ignores writes while it works."""
        return self.memory.locked in (True, "start")

    @property
    def _works(self) -> str:
        """While the core works. Never in the last cycle: the core is done then."""
        return "write_i & run & (held != '0) & (core_done === 1'b0) & random[9]"

    @cached_property
    def _stray_wires(self) -> dict[str, str]:
        """Wires of writes that the core has to ignore, {name: expression}.

        `works`: while the last group is at work, for operands of that group are locked while it keeps the core busy;
        `late`: of a constant after the core would take another start, for constants are locked until the end;
        `starting`: in the cycle of a start.
        """
        wires = {}
        if self._ignores_writes and self._is_grouped:
            wires["works"] = f"{self._works} & last_group & ~load_enable"
            if self._constant_selects:
                wires["late"] = "works & accept"
        if self.memory.locked == "start":
            offered = "(offer | next_start)" if self._is_grouped else "offer"
            wires["starting"] = f"write_i & {offered} & accept & ~load_enable & random[9]"
        return wires

    @property
    def _stray_condition(self) -> str:
        """When a write is one that the core has to ignore."""
        if self.memory.locked == "next":
            # Operands of the next product, which are all written again before it. A prefix still needs its own.
            return "load_ahead_i & run & ~other & (held != '0) & (core_done === 1'b0) & random[9]"
        if not self._ignores_writes:
            return "1'b0"
        works = "(works & ~accept)" if self._is_grouped else self._works
        return " | ".join([works, *(name for name in ("late", "starting") if name in self._stray_wires)])

    @cached_property
    def _constant_selects(self) -> list[int]:
        """The `select` of each constant, once; empty without `select`."""
        loads = self.layout.bound.loads if self.memory.select else []
        return list(dict.fromkeys(load.select for load in loads if load.value not in _OPERANDS))

    def _stray_value(self, name: str) -> str:
        """The value on an input of the memory during a stray write."""
        width = self.layout.width(getattr(self.memory, name))
        if self.memory.locked == "next" and name in ("select", "address"):
            return self._operand_select(width) if name == "select" else self._operand_address(width)
        if self._ignores_writes and self._is_grouped:
            if name == "product":
                return self._stray_product(width)
            if name == "select" and self._constant_selects:
                return self._stray_select(width)
        return self._drawn(name, width)

    def _operand_select(self, width: int) -> str:
        """The place of an operand."""
        loads = (load for load in self.layout.bound.loads if load.value in _OPERANDS)
        return self._one_of(list(dict.fromkeys(load.select for load in loads)), width)

    def _operand_address(self, width: int) -> str:
        """A word that every operand has."""
        words = [f"words_{k}" for k, load in enumerate(self.layout.bound.loads) if load.value in _OPERANDS]
        least = words[0] if len(words) == 1 else f"({words[0]} < {words[-1]} ? {words[0]} : {words[-1]})"
        return f"{width}'(random % {least})"

    def _one_of(self, selects: list[int], width: int) -> str:
        """One of these values, drawn."""
        places = ", ".join(f"{width}'d{select}" for select in reversed(selects))
        return f"{width}'({{{places}}} >> (16'd{width} * (mixed % 16'd{len(selects)})))"

    def _drawn(self, name: str, width: int) -> str:
        return repeated(_SOURCES.get(name, "mixed") if self.memory.locked else "random", width)

    def _stray_product(self, width: int) -> str:
        """A product of the group at work, or of the one that starts."""
        bound = self.layout.bound
        products_per_group = bound.products // bound.groups
        group = f"other ? 16'd0 : 16'd{bound.groups - 1}"
        if self.memory.locked == "start":
            group = f"starting ? 16'(next_group) : {group}"
        return f"{width}'(({group}) * 16'd{products_per_group} + mixed % 16'd{products_per_group})"

    def _stray_select(self, width: int) -> str:
        """Late, the place of a constant."""
        return f"(late ? {self._one_of(self._constant_selects, width)} : {self._drawn('select', width)})"
