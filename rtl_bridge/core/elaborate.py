# SPDX-License-Identifier: Apache-2.0
"""The actual ports and signals of a core with concrete parameters, found without a simulator."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pyslang import DiagnosticEngine
from pyslang.ast import ArgumentDirection, SymbolKind
from pyslang.driver import Driver

from rtl_bridge.core.core import Core
from rtl_bridge.core.design import Design, DesignPort, Form
from rtl_bridge.core.formula import literal


def elaborate(core: Core, parameters: Mapping[str, int]) -> Design:
    """The core, or its probe if it has one. Raises ParameterError("core")."""
    top = core.file.simulated_top
    design = _compile(core, top, parameters)
    core.check_places(design.files)
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
    manager = compilation.sourceManager
    paths = [Path(manager.getFullPath(buffer)) for buffer in manager.getAllBuffers()]
    files = tuple(sorted(path for path in paths if path.is_file()))
    errors = [diagnostic for diagnostic in compilation.getAllDiagnostics() if diagnostic.isError()]
    if errors:
        text = DiagnosticEngine.reportAll(manager, errors[:1]).partition("\n")[0]
        return Design(error=f"has an error: {text}", files=files)
    body = compilation.getRoot().topInstances[0].body
    inside, core_body = next(_instances(body, core.file.top), ("", None))
    widths = {name: _width(core_body, name) for name in core.file.inside} if core_body else {}
    return Design(
        tuple(parameter.name for parameter in body.parameters),
        tuple(_port(port) for port in body.portList),
        inside,
        {name: width for name, width in widths.items() if width is not None},
        files,
    )


def _port(port: Any) -> DesignPort:
    form = form_of(port.type)
    return DesignPort(port.name, direction(port), form.width, form)


def form_of(kind: Any) -> Form:
    """A type of slang as far as parts of it can be named."""
    kind = kind.canonicalType
    if kind.isArray and kind.hasFixedRange:
        element = form_of(kind.elementType)
        ends = int(kind.range.left), int(kind.range.right)
        inner = None if element == Form(1) else element
        return Form(element.width * (max(ends) - min(ends) + 1), ends, inner, bool(kind.isUnpackedArray))
    if kind.isIntegral and (kind.isStruct or kind.isPackedUnion):
        members = {member.name: (int(member.bitOffset), form_of(member.type)) for member in kind}
        return Form(int(kind.bitWidth), members=members)
    return Form(int(kind.bitWidth), (int(kind.bitWidth) - 1, 0) if kind.bitWidth > 1 else None)


def direction(port: Any) -> str:
    """input, output or inout."""
    return {ArgumentDirection.In: "input", ArgumentDirection.Out: "output"}.get(port.direction, "inout")


def _instances(body: Any, module: str) -> Iterator[tuple[str, Any]]:
    """(prefix of names, body) of every instance of the module below that scope."""
    found: list[tuple[str, Any]] = []
    below = f"{body.hierarchicalPath}."

    def look(node: Any) -> None:
        if node.kind == SymbolKind.Instance and node.body.definition.name == module:
            found.append((f"{node.hierarchicalPath}.".removeprefix(below), node.body))

    if body.definition.name == module:
        yield "", body
    else:
        body.visit(look)
        yield from found


def _width(body: Any, name: str) -> int | None:
    """Width of the net or variable, or of an element of it, with that name below a module."""
    whole, index = re.fullmatch(r"(.*?)(?:\[(\d+)\])?", name).groups()  # type: ignore[union-attr]
    symbol = body.lookupName(whole)
    if symbol is None or symbol.kind not in (SymbolKind.Net, SymbolKind.Variable):
        return None
    if symbol.hierarchicalPath != f"{body.hierarchicalPath}.{whole}":  # a name from around it, a member
        return None
    kind = symbol.type
    if index is not None:
        if not kind.isArray or not kind.range.lower <= int(index) <= kind.range.upper:
            return None
        kind = kind.elementType
    return int(kind.bitWidth) if kind.isIntegral else None
