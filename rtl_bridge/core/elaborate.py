# SPDX-License-Identifier: Apache-2.0
"""The ports that a core really has, with concrete parameters, found without a simulator."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyslang import DiagnosticEngine
from pyslang.ast import ArgumentDirection
from pyslang.driver import Driver

from rtl_bridge.core.core import Core
from rtl_bridge.core.formula import literal


@dataclass(frozen=True)
class DesignPort:
    """A port of the elaborated design; `width` in bits."""

    name: str
    direction: str
    width: int


@dataclass(frozen=True)
class Design:
    """What is of interest, in types of our own: an exception must not keep the compiler's objects alive."""

    parameters: tuple[str, ...] = ()
    ports: tuple[DesignPort, ...] = ()
    files: tuple[Path, ...] = ()
    """All that was read, included files too; sorted, since threads read them."""
    error: str | None = None


def elaborate(core: Core, parameters: Mapping[str, int]) -> Design:
    """The core (its probe where it has one). Raises ParameterError("core")."""
    top = core.file.simulated_top
    design = _compile(core, top, parameters)
    if design.error is not None:
        raise core.error(f"the RTL {design.error}")
    for name in parameters:
        if name not in design.parameters:
            known = ", ".join(design.parameters) or "none"
            raise core.error(f"build.{name} is no parameter of {top}, which has {known}")
    return design


def _compile(core: Core, top: str, parameters: Mapping[str, int]) -> Design:
    driver = Driver()
    driver.addStandardArgs()
    names = " ".join(f'"{source}"' for source in core.sources)
    overrides = " ".join(f'"-G{name}={literal(value)}"' for name, value in parameters.items())
    ready = driver.parseCommandLine(f'slang --top {top} -I"{core.folder}" {overrides} {names}')
    if not (ready and driver.processOptions() and driver.parseAllSources()):
        return Design(error="cannot be read")
    compilation = driver.createCompilation()
    errors = [diagnostic for diagnostic in compilation.getAllDiagnostics() if diagnostic.isError()]
    if errors:
        text = DiagnosticEngine.reportAll(compilation.sourceManager, errors[:1]).partition("\n")[0]
        return Design(error=f"has an error: {text}")
    body = compilation.getRoot().topInstances[0].body
    manager = compilation.sourceManager
    paths = [Path(manager.getFullPath(buffer)) for buffer in manager.getAllBuffers()]
    return Design(
        tuple(parameter.name for parameter in body.parameters),
        tuple(DesignPort(port.name, _direction(port), int(port.type.bitWidth)) for port in body.portList),
        tuple(sorted(path for path in paths if path.is_file())),
    )


def _direction(port: Any) -> str:
    return {ArgumentDirection.In: "input", ArgumentDirection.Out: "output"}.get(port.direction, "inout")
