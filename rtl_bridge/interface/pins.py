# SPDX-License-Identifier: Apache-2.0
"""Ports as a `core.toml` names them: a port, a part of one, its inverse, or several side by side."""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import AfterValidator

from limbtrace.rtl_bridge.interface.port_types import DesignPort, PortBits, PortType
from limbtrace.rtl_bridge.interface.verilog_words import unreserved

_STEP = r"\[[0-9]{1,9}(?::[0-9]{1,9})?\]|\.[A-Za-z_][A-Za-z0-9_$]*"
_PART = re.compile(rf"(!?)([A-Za-z_][A-Za-z0-9_$]*)((?:{_STEP})*)")
_LIST = re.compile(r"\{(.*)\}")
_EXTENDED = "$signed("


def _checked(text: str) -> str:
    """The text without spaces. Raises ValueError."""
    plain = "".join(text.split())
    if not all(_PART.fullmatch(part) for part in pin_parts(plain)):
        raise ValueError(
            f"is {text[:80]!r}; right are a port, a part of one such as 'a_i[7:0]', 'a_i[1]' or 'req_i.a', '!x' for "
            "the inverse of x, and '{hi, lo}' for several side by side"
        )
    for name in ports_in(plain):
        unreserved(name)
    return plain


Pin = Annotated[str, AfterValidator(_checked)]
"""A port of the core or what stands in its place: `a_i`, `bus_i[255:0]`, `req_i.a`, `!start_ni`, `{hi_o, lo_o}`."""


def pin_parts(text: str) -> list[str]:
    """The parts of a pin, the high one first."""
    listed = _LIST.fullmatch(text)
    return listed[1].split(",") if listed else [text]


def extended(text: str) -> str:
    """A pin with copies of its top bit above it, as many as it has bits; no description can name it."""
    return f"{_EXTENDED}{text})"


def original(text: str) -> str:
    """The pin that is extended, or the pin itself."""
    return text[len(_EXTENDED) : -1] if text.startswith(_EXTENDED) else text


def ports_in(text: str) -> list[str]:
    """The names of the ports in a pin."""
    return [found[2] for part in pin_parts(original(text)) if (found := _PART.fullmatch(part))]


class PinError(KeyError):
    """A missing pin; the message is half a sentence with the reason, None if the port is not there at all."""


class Pins(Mapping[str, DesignPort]):
    """The ports of an elaborated design, which are what it lists, and by lookup everything that a pin may name."""

    def __init__(self, ports: Mapping[str, DesignPort]) -> None:
        self._ports = dict(ports)
        self._found: dict[str, DesignPort] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self._ports)

    def __len__(self) -> int:
        return len(self._ports)

    def __getitem__(self, text: str) -> DesignPort:
        if text not in self._found:
            self._found[text] = self._resolved(text)
        return self._found[text]

    def port(self, name: str) -> DesignPort:
        """A port of the design, as it is."""
        return self._ports[name]

    def why(self, text: str) -> str | None:
        """Half a sentence with the reason for a missing pin; None if a port is not there at all."""
        try:
            self[text]
        except PinError as error:
            return str(error.args[0]) if error.args[0] else None
        return None

    def _resolved(self, text: str) -> DesignPort:
        if (inner := original(text)) != text:
            return _extended(text, self[inner])
        plain = self._ports.get(text)
        if plain is not None and not plain.form.is_unpacked:
            return plain
        directions: list[str] = []
        bits: list[PortBits] = []
        for part in reversed(pin_parts(text)):
            found = _PART.fullmatch(part)
            port = self._ports.get(found[2]) if found else None
            if found is None or port is None:
                raise PinError(None)
            directions.append(port.direction)
            bits += _selected(port, re.findall(_STEP, found[3]), bool(found[1]))
        if len(set(directions)) > 1:
            raise PinError("which are not all inputs or all outputs")
        return DesignPort(text, directions[0], sum(one.width for one in bits), bits=tuple(bits), wire=_net(text))


def _net(text: str) -> str:
    """Name of a pin in the shell, behind a prefix."""
    return re.sub(r"\W+", "__", text.replace("!", "not_")).strip("_")


def _extended(text: str, pin: DesignPort) -> DesignPort:
    """A pin with copies of its top bit above it."""
    last = pin.taken[-1]
    top = last._replace(low=last.low + last.width - 1, width=1)
    return DesignPort(text, pin.direction, 2 * pin.width, bits=(*pin.taken, *[top] * pin.width), wire=_net(text))


def _selected(port: DesignPort, steps: list[str], inverted: bool) -> Iterator[PortBits]:
    """The bits of a part of a port, low ones first. Raises PinError."""
    form, element, low, width = port.form, "", 0, port.form.width
    for step in steps:
        if step[0] == ".":
            member = form.members.get(step[1:])
            if member is None:
                known = ", ".join(form.members) or "none"
                raise PinError(f"and {port.name} has no member {step[1:]!r}, only {known}")
            low, form = low + member[0], member[1]
            width = form.width
            continue
        first, _, last = step[1:-1].partition(":")
        if not form.holds(int(first)) or (last and not form.holds(int(last))):
            raise PinError(f"and {port.name} has {form.said}, of which {step} is none")
        if form.is_unpacked:
            if last:
                raise PinError(f"and of the elements of {port.name} one at a time may be named")
            element, form = f"{element}[{int(first)}]", form.inner
            width = form.width
            continue
        places = sorted(map(form.place, (int(first), int(last or first))))
        if last and form.place(int(first)) < form.place(int(last)):
            raise PinError(f"and the range of {port.name} runs the other way")
        count, inner = places[1] - places[0] + 1, form.inner
        low, width = low + places[0] * inner.width, count * inner.width
        form = inner if not last else PortType(width, range=(count - 1, 0), element=inner)
    yield from _all(port.name, form, element, low, width, inverted)


def _all(port: str, form: PortType, element: str, low: int, width: int, inverted: bool) -> Iterator[PortBits]:
    """The bits of a form; elements of an unpacked array are separate, the one with the lowest index first."""
    if not form.is_unpacked:
        yield PortBits(port, element, low, width, inverted)
        return
    assert form.range is not None
    for index in range(min(form.range), max(form.range) + 1):
        yield from _all(port, form.inner, f"{element}[{index}]", low, form.inner.width, inverted)
