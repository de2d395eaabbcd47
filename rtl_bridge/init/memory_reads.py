# SPDX-License-Identifier: Apache-2.0
"""Memories that a core reads or writes itself, recognised among its ports by their names."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from limbtrace.rtl_bridge.interface.module_ports import SketchPort
from limbtrace.rtl_bridge.interface.port_pool import Ports, words_of

MOST_ADDRESS_BITS = 10
"""Bits of an address whose memory is thought to be as large as a value."""

_ADDRESS = re.compile(r"^(?:(.*?)_)?(?:addr|adr|address)$|^(.+?)(?:addr|adr)$")
_ANY = ("", "rd", "read", "r", "mem", "mem_rd", "rom", "ram", "op", "wr", "write", "w")
"""Prefixes of an address that do not name a value."""
_WORDS = ("data", "rdata", "rd_data", "wdata", "wr_data", "din", "dout", "q", "d", "word")
_ENABLES = {
    "input": ("rd", "re", "ren", "rd_en", "read", "read_en", "en", "ce", "req"),
    "output": ("we", "wen", "wr", "wr_en", "write", "write_en", "en", "valid"),
}
"""By the side of the word: what stands in the name of a signal that is high with an address."""


class Reached(NamedTuple):
    """A memory by its ports, of which a core puts out the address."""

    stem: str
    """Prefix of the address, which names the contents; empty if it names nothing in particular."""
    data: SketchPort
    """The word: an input of the core for reads, an output for writes."""
    address: SketchPort
    enable: SketchPort | None

    @property
    def ports(self) -> list[SketchPort]:
        """All of them."""
        return [port for port in (self.data, self.address, self.enable) if port]

    @property
    def words(self) -> int | None:
        """Number of addresses; None if it depends on a parameter or is too large."""
        terms = self.address.terms
        fixed = terms is not None and set(terms) <= {()}
        return 1 << self.address.width if fixed and self.address.width <= MOST_ADDRESS_BITS else None


def reached(ports: Ports) -> Iterator[Reached]:
    """The memories that show among ports, of which none is taken; of those that the core writes, with an enable alone.

    An output that is an address belongs to a word and to an enable whose names begin as its own.
    """
    rest = Ports(ports.left)
    for address in [port for port in rest.left if port.direction == "output"]:
        found = _ADDRESS.search(_plain(address.name))
        if found is None:
            continue
        stem = found[1] or found[2] or ""
        for side in ("input", "output"):
            data = _named(rest, side, stem, _WORDS, wide=True)
            enable = _named(rest, "output", stem, _ENABLES[side], wide=False)
            if data is None or data is address or (side == "output" and enable is None):
                continue
            memory = Reached("" if stem in _ANY else stem, data, address, enable)
            for port in memory.ports:
                rest.take_named(port.name)
            yield memory
            break


def _plain(name: str) -> str:
    """A port without its direction. Unlike `ports.plain`, m_ and s_ are kept, which may say what is in a memory."""
    text = re.sub(r"^(i|o|in|out)_(?=[a-z]{2})", "", words_of(name))
    return re.sub(r"(?<=.)_(i|o|in|out)$", "", text)


def _named(ports: Ports, side: str, stem: str, ends: tuple[str, ...], *, wide: bool) -> SketchPort | None:
    """A port that is called like a stem with one of these ends, or, if it is wide, like the stem alone."""
    names = [f"{stem}_{end}" for end in ends] + [f"{stem}{end}" for end in ends if stem]
    if stem and wide:
        names.insert(0, stem)
    if stem in _ANY:
        names += ends
    found = {_plain(port.name): port for port in (ports.wide(side) if wide else ports.bits(side))}
    return next((found[name] for name in names if name in found), None)
