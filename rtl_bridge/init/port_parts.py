# SPDX-License-Identifier: Apache-2.0
"""The ports of an elaborated module in parts that a description can name: members of structs, and bits of vectors."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from limbtrace.rtl_bridge.elaboration.elaborate import direction, form_of
from limbtrace.rtl_bridge.init.top_module import IDENTIFIER

MAX_SPLIT_BITS = 64
"""Bits of the widest vector of which one bit may be the clock or the reset."""


@dataclass(frozen=True)
class PortPart:
    """A port, or a member of a packed struct at any depth, as a description names it."""

    name: str
    direction: str
    width: int
    symbol: Any
    """Its symbol in slang."""
    elements: int = 0
    """Those of an unpacked array; else 0."""


def parts_of(body: Any) -> list[PortPart]:
    """The parts of all ports of an instance body, in the order of the module."""
    return [part for port in body.portList for part in _parts(port)]


def _parts(port: Any) -> list[PortPart]:
    """A port as it is, or the members of a packed struct, the high one first."""
    parts = list(_members(str(port.name), port, direction(port)))
    is_plain = all(IDENTIFIER.fullmatch(name) for part in parts for name in part.name.split("."))
    return parts if is_plain else [_part(str(port.name), port, direction(port))]


def _members(name: str, symbol: Any, side: str) -> Iterator[PortPart]:
    kind = symbol.type.canonicalType
    if kind.isIntegral and kind.isStruct:
        for member in kind:
            yield from _members(f"{name}.{member.name}", member, side)
    else:
        yield _part(name, symbol, side)


def _part(name: str, symbol: Any, side: str) -> PortPart:
    form = form_of(symbol.type)
    ends = form.range if form.is_unpacked else None
    return PortPart(name, side, form.width, symbol, abs(ends[0] - ends[1]) + 1 if ends else 0)


def split_at(parts: Iterable[PortPart], names: Iterable[str]) -> Iterator[PortPart]:
    """The parts, with each vector of which `names` has a bit replaced by its bits, the high one first."""
    for part in parts:
        if any(name.startswith(f"{part.name}[") for name in names):
            for bit in sorted(bit_indices(part.symbol), reverse=True):
                yield replace(part, name=f"{part.name}[{bit}]", width=1)
        else:
            yield part


def bit_indices(symbol: Any) -> range:
    """The indices of a vector of up to MAX_SPLIT_BITS bits; none for anything else."""
    form = form_of(symbol.type)
    if form.range is None or form.element is not None or form.is_unpacked or form.width > MAX_SPLIT_BITS:
        return range(0)
    return range(min(form.range), max(form.range) + 1)
