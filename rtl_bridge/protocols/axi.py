# SPDX-License-Identifier: Apache-2.0
"""Shared by the AXI protocols: ports that are named by a prefix and the name of a signal."""

import re
from collections.abc import Iterable, Mapping

from limbtrace.rtl_bridge.interface.port_types import DesignPort


def port_of(prefix: str, signal: str, names: Iterable[str]) -> str | None:
    """The port among `names` that is that signal, in upper or lower case, with or without _i or _o at its end."""
    wanted = f"{prefix}{signal}".lower()
    return next((name for name in names if re.sub("_[io]$", "", name.lower()) == wanted), None)


def bus_of(prefix: str, signals: Iterable[str], ports: "Mapping[str, DesignPort]") -> "dict[str, DesignPort]":
    """Ports by the names of their signals, as far as they are there."""
    found = {signal: port_of(prefix, signal, ports) for signal in signals}
    return {signal: ports[port] for signal, port in found.items() if port}
