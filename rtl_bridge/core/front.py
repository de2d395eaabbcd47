# SPDX-License-Identifier: Apache-2.0
"""Verilog read by slang, which refuses no more than the simulators do.

What slang refuses and takes in its mode of compatibility is a warning: simulators take it too, and they have the last
word.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyslang import DiagnosticEngine, DiagnosticSeverity
from pyslang.driver import Driver

from rtl_bridge.core.formula import literal

LENIENT = "--compat all"
"""Options with which slang takes what simulators take."""
UNIT = "--single-unit"
"""All files are one compilation unit: a macro of one is known in the next, as in the simulators."""
_TOLERATED = {"AssignedToLocalBodyParam"}
"""Errors in that mode too that a simulator takes."""
_DIRECTIVES = (
    "delay_mode_path", "delay_mode_distributed", "delay_mode_unit", "delay_mode_zero", "suppress_faults",
    "nosuppress_faults", "enable_portfaults", "disable_portfaults", "protect", "endprotect", "accelerate",
    "noaccelerate", "expand_vectornets", "noexpand_vectornets", "autoexpand_vectornets", "remove_gatenames",
    "noremove_gatenames", "remove_netnames", "noremove_netnames", "uselib",
)  # fmt: skip
"""Directives of older simulators, which newer ones pass over."""


@dataclass(frozen=True)
class ReadSources:
    """Sources that were read. slang's objects live as long as this does."""

    driver: Any
    compilation: Any
    files: tuple[Path, ...]
    """All that was read, included files too; sorted, since threads read them."""
    libraries: tuple[Path, ...]
    """Those files that were found by the name of a module, in the order of the sources that need them."""
    errors: tuple[Any, ...]
    """slang's errors."""
    warnings: tuple[str, ...] = ()
    """`file:line:column: text` of each thing that slang alone refuses."""

    @property
    def manager(self) -> Any:
        """slang's source manager."""
        return self.compilation.sourceManager

    def text(self, diagnostic: Any) -> str:
        """`file:line:column: error: text`."""
        return DiagnosticEngine.reportAll(self.manager, [diagnostic]).partition("\n")[0]


def read(
    files: Sequence[Path], top: str | None, parameters: Mapping[str, int], options: Sequence[str] = ()
) -> ReadSources | None:
    """The design below a top module, or below every module that no other instantiates; None where nothing can be read.

    Strictly first, and as simulators do where there is an error.
    """
    given = (f"-G{name}={literal(value)}" for name, value in parameters.items())
    words = [*options, *given, *(str(path.absolute()) for path in files)]  # no name begins like an option
    line = " ".join(f'"{word}"' for word in words)
    fixed = f"{UNIT} --timescale 1ns/1ps --ignore-directive {','.join(_DIRECTIVES)}"
    strict = _read(f"slang {fixed} {f'--top {top}' if top else ''} {line}")
    if strict is None or not strict.errors:
        return strict
    lenient = _read(f"slang {fixed} {LENIENT} {f'--top {top}' if top else ''} {line}")
    if lenient is None:
        return strict
    errors = tuple(error for error in lenient.errors if code(error) not in _TOLERATED)
    said = () if errors else tuple(dict.fromkeys(map(strict.text, strict.errors)))
    warnings = tuple(re.sub(r": (?:error|warning): (.*?)(?: \[-W[\w-]+\])?$", r": \1", text) for text in said)
    return ReadSources(lenient.driver, lenient.compilation, lenient.files, lenient.libraries, errors, warnings)


def _read(command: str) -> ReadSources | None:
    driver = Driver()
    driver.addStandardArgs()
    if not (driver.parseCommandLine(command) and driver.processOptions() and driver.parseAllSources()):
        return None
    compilation = driver.createCompilation()
    manager, engine = compilation.sourceManager, driver.diagEngine
    paths = [Path(manager.getFullPath(buffer)) for buffer in manager.getAllBuffers()]
    trees = [tree for tree in compilation.getSyntaxTrees() if tree.isLibraryUnit]
    libraries = [Path(manager.getFullPath(tree.root.sourceRange.start.buffer)) for tree in trees]
    serious = (DiagnosticSeverity.Error, DiagnosticSeverity.Fatal)
    errors = [d for d in compilation.getAllDiagnostics() if engine.getSeverity(d.code, d.location) in serious]
    return ReadSources(
        driver,
        compilation,
        tuple(sorted(path for path in paths if path.is_file())),
        tuple(dict.fromkeys(path for path in libraries if path.is_file())),
        tuple(errors),
    )


def code(diagnostic: Any) -> str:
    """The name that slang has for a kind of error."""
    return str(diagnostic.code).removeprefix("DiagCode(").removesuffix(")")
