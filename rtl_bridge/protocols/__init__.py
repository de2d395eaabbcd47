# SPDX-License-Identifier: Apache-2.0
"""The protocols for operands and results: one file each, and their list."""

from functools import cache
from typing import Annotated, Any, TypeVar, Union, get_args

from pydantic import Field, TypeAdapter

from limbtrace.rtl_bridge.interface.port_pool import Ports
from limbtrace.rtl_bridge.protocols.axi4_lite import Axi4Lite
from limbtrace.rtl_bridge.protocols.axi4_stream import Axi4Stream
from limbtrace.rtl_bridge.protocols.base import Protocol
from limbtrace.rtl_bridge.protocols.recognition import Recognition
from limbtrace.rtl_bridge.protocols.start_done import StartDone
from limbtrace.rtl_bridge.protocols.valid_ready import ValidReady
from limbtrace.rtl_bridge.protocols.word_serial import WordSerial
from limbtrace.vectors.errors import ToolError

GROUP = "limbtrace.protocols"
"""Entry point group of installed packages that provide protocol classes."""

PROTOCOLS: dict[str, type[Protocol]] = {}
"""Registered protocols by kind."""

P = TypeVar("P", bound=type[Protocol])


def register(protocol: P) -> P:
    """Register a protocol by its kind; usable as a class decorator. Raises ValueError if the kind is taken."""
    described: type[Protocol] = protocol
    (kind,) = get_args(described.model_fields["kind"].annotation)
    if PROTOCOLS.setdefault(kind, protocol) is not protocol:
        raise ValueError(f"there is a protocol {kind!r} already")
    return protocol


for _protocol in (StartDone, ValidReady, WordSerial, Axi4Lite, Axi4Stream):
    register(_protocol)


@cache
def find_installed() -> None:
    """Register the protocols of other packages, once. Raises ToolError if one of them cannot be used."""
    from importlib.metadata import entry_points  # slow, and a simulator's process does not need it

    for entry in entry_points(group=GROUP):
        try:
            register(entry.load())
        except Exception as error:  # from another package's code
            raise ToolError(
                f"the protocol {entry.name}, installed as {entry.value}, cannot be used: {error}"
            ) from error


def kinds() -> tuple[str, ...]:
    """Every kind that `[protocol]` may have."""
    find_installed()
    return tuple(PROTOCOLS)


def recognised(ports: Ports) -> Recognition:
    """The protocol that shows among the ports of a core without a description.

    The protocol that was registered last is asked first, so that those of other packages come before ours and the
    most general one comes last: a start and a done are assumed where nothing shows.
    """
    find_installed()
    found = (protocol.recognised(ports) for protocol in reversed(PROTOCOLS.values()))
    return next(recognition for recognition in found if recognition is not None)


def parse(table: object) -> Protocol:
    """The protocol described by a table [protocol]. Raises pydantic's ValidationError, ToolError."""
    find_installed()
    protocol: Protocol = _adapter(*PROTOCOLS.values()).validate_python(table)
    return protocol


@cache
def _adapter(*protocols: type[Protocol]) -> TypeAdapter[Any]:
    """A union that pydantic discriminates by `kind`."""
    union: Any = Annotated[Union[protocols], Field(discriminator="kind")]  # noqa: UP007
    return TypeAdapter(union)
