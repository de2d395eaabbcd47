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

from pyslang import Bag, DiagnosticEngine, DiagnosticSeverity, SourceManager
from pyslang.driver import Driver
from pyslang.parsing import PreprocessorOptions, Token
from pyslang.syntax import SyntaxTree

from limbtrace.rtl_bridge.interface.verilog_words import literal

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
    """The design below a top module, or below every module that no other instantiates; None if nothing can be read.

    Strictly first, then, after an error, as simulators do.
    """
    command = _command(files, top, parameters, options)
    strict = _read(command)
    if strict is None or not strict.errors:
        return strict
    lenient = _read(f"{command} {LENIENT}")
    if lenient is None:
        return strict
    errors = tuple(error for error in lenient.errors if code(error) not in _TOLERATED)
    said = () if errors else tuple(dict.fromkeys(map(strict.text, strict.errors)))
    warnings = tuple(re.sub(r": (?:error|warning): (.*?)(?: \[-W[\w-]+\])?$", r": \1", text) for text in said)
    return ReadSources(lenient.driver, lenient.compilation, lenient.files, lenient.libraries, errors, warnings)


@dataclass(frozen=True)
class SlangFinding:
    """A diagnostic of slang about a source, read strictly."""

    name: str
    """The name that slang has for findings of this kind."""
    place: str
    """`file:line`"""
    text: str
    error: bool
    """True if it is more than a warning."""


def findings(
    files: Sequence[Path], top: str | None, parameters: Mapping[str, int], options: Sequence[str] = ()
) -> list[SlangFinding]:
    """Errors and warnings of the standard and of nothing else; none where nothing can be read."""
    read = _read(_command(files, top, parameters, options))
    if read is None:
        return []
    found, manager, engine = [], read.manager, read.driver.diagEngine
    for diagnostic in read.compilation.getAllDiagnostics():
        severity = engine.getSeverity(diagnostic.code, diagnostic.location)
        if severity in (*_SERIOUS, DiagnosticSeverity.Warning):
            text = re.sub(
                r"^.*?: (?:fatal error|error|warning): (.*?)(?: \[-W[\w-]+\])?$", r"\1", read.text(diagnostic)
            )
            found.append(
                SlangFinding(code(diagnostic), place(manager, diagnostic.location), text, severity in _SERIOUS)
            )
    return found


_SERIOUS = (DiagnosticSeverity.Error, DiagnosticSeverity.Fatal)


def synthesized_tokens(text: str) -> list[str]:
    """The tokens of a source without includes as a front end for synthesis reads it: SYNTHESIS is defined."""
    options = PreprocessorOptions()
    options.predefines = ["SYNTHESIS"]
    tokens: list[str] = []
    tree = SyntaxTree.fromText(text, SourceManager(), "text", "", Bag([options]))
    tree.root.visit(lambda node: tokens.append(node.rawText) if isinstance(node, Token) else None)
    return [token for token in tokens if token]


def place(manager: Any, location: Any) -> str:
    """`file:line` of a place in a source, or of the use of the macro that it is in; a file below here without here."""
    at = manager.getFullyExpandedLoc(location)
    return f"{shown_path(Path(manager.getFullPath(at.buffer)))}:{manager.getLineNumber(at)}"


def shown_path(path: Path) -> Path:
    """A path from the current folder if it is below it."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _command(files: Sequence[Path], top: str | None, parameters: Mapping[str, int], options: Sequence[str]) -> str:
    """slang's command line, without its mode of compatibility."""
    given = (f"-G{name}={literal(value)}" for name, value in parameters.items())
    words = [*options, *given, *(str(path.absolute()) for path in files)]  # no name begins like an option
    line = " ".join(f'"{word}"' for word in words)
    fixed = f"{UNIT} --timescale 1ns/1ps --ignore-directive {','.join(_DIRECTIVES)}"
    return f"slang {fixed} {f'--top {top}' if top else ''} {line}"


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
    errors = [d for d in compilation.getAllDiagnostics() if engine.getSeverity(d.code, d.location) in _SERIOUS]
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
