# SPDX-License-Identifier: Apache-2.0
"""Testbenches of the modes: top module, parameters, options of the simulators."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from limbtrace.rtl_bridge.shell.text import MODULES, STATIC

TIMED = ("--timing", "-CFLAGS", "-fcoroutines")
"""Options of Verilator for a testbench that makes its own clock."""


@dataclass(frozen=True)
class Testbench:
    """A top module of `rtl_bridge/sv`, and how models of it are built and run."""

    top: str
    parameters: Mapping[str, int]
    """Its parameters besides those of the shell."""
    verilator: tuple[str, ...]
    """Options of Verilator."""
    make: tuple[str, ...] = ()
    """Variables of the makefile that Verilator writes."""
    vvp: tuple[str, ...] = ()
    """Options of Icarus Verilog when it runs a model."""
    sources: tuple[Path, ...] = ()
    """C++ that goes into a model."""
    loader: str | None = None
    """The module of Python that loads a model, if it is a library."""

    @property
    def files(self) -> list[Path]:
        """The testbench, which sets the time unit and so comes first, and its modules."""
        return [STATIC / f"{self.top}.sv", *MODULES]
