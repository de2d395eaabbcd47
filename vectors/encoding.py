# SPDX-License-Identifier: Apache-2.0
"""Values on the wire: hexadecimal integers, compact JSON, content hashes, HDL identifiers."""

import hashlib
import json
import re
from typing import Any, Final

from limbtrace.refmodels.errors import ParameterError, shown

FORMAT: Final = "limbtrace/1"
LICENSE: Final = "CC0-1.0"

_ESCAPES = (("'", "_prime"), ("~", "_tilde"), ("^", "_pow"))


def hexadecimal(value: int) -> str:
    """0x..., with a leading minus for a negative value."""
    return f"{value:#x}"


def json_number(value: int) -> int | str:
    """A number if every JSON reader represents it exactly, otherwise hexadecimal text."""
    return value if abs(value) < 1 << 53 else hexadecimal(value)


def parse_hexadecimal(text: Any, place: str) -> int:
    """The integer of a hexadecimal text; raises ParameterError(place)."""
    if isinstance(text, str) and re.fullmatch(r"-?0x[0-9a-fA-F]+", text):
        return int(text, 16)
    raise ParameterError(place, f"{shown(text)} is not a hexadecimal integer such as 0x1f")


def dump(document: Any) -> str:
    """Compact JSON in one line: the same document gives the same bytes everywhere."""
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


def digest(text: str) -> str:
    """SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def identifier(name: str) -> str:
    """A name as an identifier of SystemVerilog, VHDL and VCD.

    The rule: ' becomes _prime, ~ _tilde, ^ _pow; any other run of characters outside letters, digits and _ becomes
    one _; a leading digit gets an n in front.
    """
    for mark, word in _ESCAPES:
        name = name.replace(mark, word)
    name = re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_")
    return f"n{name}" if name[:1].isdigit() else name
