# SPDX-License-Identifier: Apache-2.0
"""Which text of a core a tool reads: macros that it defines, comments that it takes for directives."""

import re
from typing import NamedTuple

from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.elaboration.slang import shown_path
from limbtrace.rtl_bridge.proof.verilog_text import asked_macros


class Reader(NamedTuple):
    """Options of a reading."""

    macros: tuple[str, ...] = ()
    """Those that are defined, beside those of core.toml."""
    has_directives: bool = False
    """True if what is between comments translate_off and translate_on is left out."""

    def and_macros_of(self, other: "Reader") -> "Reader":
        """This reader with the macros of another one, too."""
        return self._replace(macros=self.macros + other.macros)

    @property
    def slang(self) -> list[str]:
        """Options of slang."""
        return [*(f"-U{name}" for name in _OF_SLANG), *(f"-D{name}=1" for name in self.macros)]

    @property
    def yosys(self) -> str:
        """Options of Yosys' slang. Assertions are left out, which are no hardware."""
        directives = "" if self.has_directives else "--no-default-translate-off-format"
        return f"--ignore-assertions --no-synthesis-define {directives} {' '.join(self.slang)}"


_COVERAGE = tuple(
    f"SV_COV_{name}"
    for name in (
        "START", "STOP", "RESET", "CHECK", "MODULE", "HIER", "ASSERTION", "FSM_STATE", "STATEMENT", "TOGGLE",
        "OVERFLOW", "ERROR", "NOCOV", "OK", "PARTIAL",
    )
)  # fmt: skip
_OF_SLANG = ("__slang__", "__slang_major__", "__slang_minor__", *_COVERAGE)
"""Macros that slang defines and not every simulator does."""
AS_SIMULATED = Reader()
FOR_SYNTHESIS = Reader(("SYNTHESIS",), has_directives=True)
VERILATOR = Reader(("VERILATOR", "verilator", "verilator3", "SYSTEMVERILOG", *_COVERAGE))
ICARUS = Reader(("__ICARUS__",))
SIMULATORS = (VERILATOR, ICARUS)

_DIRECTIVE = re.compile(rb"(?://|/\*)\s*\w+\s+translate_off\b")


def asked_of_tools(bound: Bound) -> dict[Reader, str]:
    """By reader: the first `file:line tests MACRO` on which the text depends that it reads."""
    found: dict[Reader, str] = {}
    for path in dict.fromkeys((*bound.sources.simulated, *bound.files)):
        source = path.read_bytes()
        for name, line in asked_macros(source):
            for reader in (FOR_SYNTHESIS, *SIMULATORS):
                if name in reader.macros:
                    found.setdefault(reader, f"{shown_path(path)}:{line} tests {name}")
        if (match := _DIRECTIVE.search(source)) is not None:
            line = source.count(b"\n", 0, match.start()) + 1
            found.setdefault(FOR_SYNTHESIS, f"{shown_path(path)}:{line} has translate_off")
    return found
