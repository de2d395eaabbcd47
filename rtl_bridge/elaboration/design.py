# SPDX-License-Identifier: Apache-2.0
"""An elaborated design: the properties that the bridge uses."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from limbtrace.rtl_bridge.interface.port_types import DesignPort
from limbtrace.rtl_bridge.programs.cosim.launcher import Beside


@dataclass(frozen=True)
class Sources:
    """The sources of a core with concrete parameters, for every tool; all of them are Verilog."""

    rtl: tuple[Path, ...] = ()
    """Hardware, in compilation order: shared cells, the files of the core, and what was found in its libraries."""
    simulated: tuple[Path, ...] = ()
    """Those and the probe; where VHDL was converted, instead of `rtl`."""
    include: tuple[Path, ...] = ()
    """Folders for included files; that of the core is the first."""
    defines: Mapping[str, str] = field(default_factory=dict)
    converted: tuple[Path, ...] = ()
    """Those of the files that were made from VHDL, and belong to no folder of the core."""
    beside: Beside | None = None
    """VHDL that is simulated, for which one of `converted` stands."""

    def options(self, place: Callable[[Path], object] = Path.absolute) -> list[str]:
        """Include folders and macros as slang, Verilator, Icarus Verilog and Yosys take them.

        `place` says where a folder is for the tool.
        """
        given = [f"-D{name}{value and f'={value}'}" for name, value in self.defines.items()]
        return [*(f"-I{place(folder)}" for folder in self.include), *given]


@dataclass(frozen=True)
class ElaboratedDesign:
    """An elaborated design in types of our own: an exception must not keep the compiler's objects alive."""

    parameters: tuple[str, ...] = ()
    ports: tuple[DesignPort, ...] = ()
    inside: str = ""
    """Prefix of the names of signals of the core, below the top that is simulated: the core in its probe."""
    signals: Mapping[str, int] = field(default_factory=dict)
    """Bits of the signals inside that the description names, as far as they are there."""
    files: tuple[Path, ...] = ()
    """All that was read, included files too; sorted, since threads read them."""
    error: str | None = None
    sources: Sources = Sources()
    warnings: tuple[str, ...] = ()
    """Constructs that the simulators take and this front end would not, one sentence each."""
