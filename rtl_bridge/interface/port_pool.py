# SPDX-License-Identifier: Apache-2.0
"""Ports of a core without a description while their purposes are looked for: those that are left, by side and name."""

import re
from collections.abc import Callable, Collection, Iterable

from limbtrace.rtl_bridge.interface.module_ports import SketchPort

WIDE = 4
"""An operand, a modulus or a result has at least that many bits."""

START = re.compile(
    r"^(start|go|begin|st|launch|req|run|kick|trigger|exec|calc|compute|enable|en|load|ld|valid|vld|in_valid|new)"
    r"|(^|_)start(_|$)"
)
VALID = re.compile(r"(valid|vld|(^|_)val$|^i?v$|^ov$|_v$)")
READY = re.compile(r"(ready|rdy|^[io]r$|_r$)")
"""Names of signals that several protocols have."""
ENABLE = re.compile(r"^(en|ena|enable|ce|clk_en|clken|clock_enable)$")
"""Names of a start that may be an enable of all registers instead."""
LOADS = ("load", "ld")
"""Prefixes of the name of a start that is high with the operands, or that loads constants."""


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def words_of(name: str) -> str:
    """A name in lower case with its words apart, `oDataOut` as `o_data_out`; a member without its struct."""
    return _HUMP.sub("_", name.rpartition(".")[2]).lower()


def plain(name: str) -> str:
    """A port in lower case without what only says its direction: `i_a`, `iA` and `a_i` are `a`."""
    text = re.sub(r"^(i|o|in|out)_(?=[a-z])|^(s|m|ap)_(?=[a-z]{2})", "", words_of(name))
    return re.sub(r"(?<=.)_(i|o|in|out|ni|no|d|q)$", "", text)


_LOW = re.compile(r"_(n|ni|no|n_i|n_o)$|(start|go|done|finish|busy|req|ack)_b$", re.IGNORECASE)
_TELLING = ("start", "go", "done", "finish", "complete", "valid", "ready")
"""Names of signals of a handshake, each of which says more than those behind it."""


def _weakness(name: str) -> tuple[int, bool]:
    """The place of a name among those that say most, and True unless it is that very word."""
    words = plain(name).split("_")
    place = next((place for place, word in enumerate(_TELLING) if word in words), len(_TELLING))
    return place, len(words) > 1


def level(port: SketchPort) -> str:
    """A signal of a handshake as a description names it: the inverse if the port is active low by its name."""
    return f"!{port.name}" if _LOW.search(port.name) else port.name


class Ports:
    """The ports without a purpose so far. Code that gives a port a purpose takes it."""

    def __init__(self, ports: Iterable[SketchPort], *, clocked: bool = True) -> None:
        """`clocked` is false for a design in which nothing waits for an edge."""
        self.clocked = clocked
        self._left = {port.name: port for port in ports}
        self._aside: set[str] = set()

    @property
    def every(self) -> list[SketchPort]:
        """Ports that were not taken, in the order of the module, including those set aside."""
        return [*self._left.values()]

    @property
    def left(self) -> list[SketchPort]:
        """Ports that were not taken, in the order of the module."""
        return [port for name, port in self._left.items() if name not in self._aside]

    def set_aside(self, ports: Iterable[SketchPort] = ()) -> None:
        """Show these ports in `every` alone, and others again that were set aside before."""
        self._aside = {port.name for port in ports}

    def take(self, port: SketchPort) -> SketchPort:
        """The port, which is not left any more."""
        return self._left.pop(port.name)

    def take_named(self, name: str | None) -> SketchPort | None:
        """The port of that name; None if it is not left."""
        return self._left.pop(name or "", None)

    def wide(self, side: str) -> list[SketchPort]:
        """Ports that may hold a number; `side` is input or output."""
        return [port for port in self.left if port.direction == side and port.width >= WIDE]

    def bits(self, side: str, pattern: re.Pattern[str] | None = None) -> list[SketchPort]:
        """Ports of one bit; with a pattern those of such a name alone, an exact name before similar ones."""
        found = [port for port in self.left if port.has_one_bit and port.direction == side]
        if pattern is None:
            return found
        named = [p for p in found if pattern.search(plain(p.name)) or pattern.search(p.name.lower())]
        return sorted(named, key=lambda port: _weakness(port.name))

    def bit(self, side: str, pattern: re.Pattern[str]) -> SketchPort | None:
        """The first of `bits`."""
        return next(iter(self.bits(side, pattern)), None)

    def take_bit(self, side: str, pattern: re.Pattern[str]) -> SketchPort | None:
        """The first port of one bit with such a name apart from its direction, taken."""
        return self._first(side, pattern, lambda port: port.has_one_bit)

    def take_several(self, side: str, pattern: re.Pattern[str]) -> SketchPort | None:
        """The first port of several bits with such a name apart from its direction, taken."""
        return self._first(side, pattern, lambda port: not port.has_one_bit)

    def take_any(self, side: str, pattern: re.Pattern[str], but: Collection[SketchPort] = ()) -> SketchPort | None:
        """The first port of any width with such a name apart from its direction, taken."""
        return self._first(side, pattern, lambda port: port not in but)

    def _first(self, side: str, pattern: re.Pattern[str], fits: Callable[[SketchPort], bool]) -> SketchPort | None:
        found = (p for p in self.left if p.direction == side and fits(p) and pattern.search(plain(p.name)))
        port = next(found, None)
        return self.take(port) if port else None
