# SPDX-License-Identifier: Apache-2.0
"""The constants of a multiplier that a core or a program needs."""

from collections.abc import Callable, Iterator

from limbtrace.vectors.catalogue.document import Constants
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT, dump, identifier
from limbtrace.vectors.format import Format, table
from limbtrace.vectors.request import Multiplier


def _constants(multiplier: Multiplier) -> list[tuple[str, str, int]]:
    """(name on the wire, identifier, value) of the modulus and of every constant."""
    named = {**({"modulus": multiplier.modulus.modulus} if multiplier.prime else {}), **multiplier.params.constants}
    return [(name, identifier(name), value) for name, value in named.items()]


def _constants_json(multiplier: Multiplier) -> str:
    return dump(members(Constants, format=FORMAT, **multiplier.head)) + "\n"


def _banner(multiplier: Multiplier, mark: str) -> str:
    return f"{mark} SPDX-License-Identifier: CC0-1.0\n{mark} Constants of {multiplier.title}\n"


def _constants_sv(multiplier: Multiplier) -> str:
    lines = [
        f"localparam logic [{max(value.bit_length(), 1) - 1}:0] {name} = {max(value.bit_length(), 1)}'h{value:x};"
        f"  // {wire}\n"
        for wire, name, value in _constants(multiplier)
    ]
    return _banner(multiplier, "//") + "".join(lines)


def _constants_vhdl(multiplier: Multiplier) -> str:
    def literal(value: int) -> str:
        return f'"{value:0{max(value.bit_length(), 1)}b}"'

    lines = [
        f"  constant {name} : std_logic_vector({max(value.bit_length(), 1) - 1} downto 0) := {literal(value)};"
        f"  -- {wire}\n"
        for wire, name, value in _constants(multiplier)
    ]
    return (
        _banner(multiplier, "--")
        + "library ieee;\nuse ieee.std_logic_1164.all;\n\npackage limbtrace_constants is\n"
        + "".join(lines)
        + "end package;\n"
    )


def _encoded(text: Callable[[Multiplier], str]) -> Callable[[Multiplier], Iterator[bytes]]:
    return lambda multiplier: iter([text(multiplier).encode()])


CONSTANT_FORMATS = table(
    Format("json", "application/json", "json", _encoded(_constants_json)),
    Format("sv", "text/plain", "sv", _encoded(_constants_sv)),
    Format("vhdl", "text/plain", "vhd", _encoded(_constants_vhdl)),
)


def render_constants(multiplier: Multiplier, format: str) -> bytes:
    """The constants of a multiplier in one of CONSTANT_FORMATS."""
    return b"".join(CONSTANT_FORMATS[format].write(multiplier))
