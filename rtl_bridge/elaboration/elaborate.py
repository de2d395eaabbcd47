# SPDX-License-Identifier: Apache-2.0
"""The actual ports and signals of a core with concrete parameters, found without a simulator."""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from pyslang.ast import ArgumentDirection, SymbolKind

from limbtrace.rtl_bridge.core.core import Core
from limbtrace.rtl_bridge.elaboration import slang
from limbtrace.rtl_bridge.elaboration.causes import cause, with_cause
from limbtrace.rtl_bridge.elaboration.design import ElaboratedDesign, Sources
from limbtrace.rtl_bridge.elaboration.ghdl_stub import stand_in
from limbtrace.rtl_bridge.elaboration.ghdl_synthesis import as_verilog, is_vhdl
from limbtrace.rtl_bridge.interface.port_types import DesignPort, PortType

MOST_WARNINGS = 3
"""Most things that are said of one design."""


def elaborate(core: Core, parameters: Mapping[str, int]) -> ElaboratedDesign:
    """The core, or its probe if it has one. Raises ParameterError("core"), ToolError where GHDL is missing or fails.

    What simulators take and slang does not is said on standard error, once in a process.
    """
    top = core.file.simulated_top
    design = _compile(core, _sources(core, parameters), top, parameters)
    core.check_places(path for path in design.files if path not in design.sources.converted)
    if design.error is not None:
        raise core.error(f"the RTL {design.error}")
    for name in parameters:
        if name not in design.parameters:
            known = ", ".join(design.parameters) or "none"
            raise core.error(f"build.{name} is no parameter of {top}, which has {known}")
    _warn(design.warnings)
    return design


@cache
def _warn(warnings: tuple[str, ...]) -> None:
    for warning in warnings[:MOST_WARNINGS]:
        print(f"limbtrace: warning: {warning}", file=sys.stderr, flush=True)
    if (more := len(warnings) - MOST_WARNINGS) > 0:
        print(f"limbtrace: warning: and {more} more of this kind", file=sys.stderr, flush=True)


def _sources(core: Core, parameters: Mapping[str, int]) -> Sources:
    """The sources as Verilog, without those that are found in libraries."""
    listed = core.listing
    if not any(map(is_vhdl, core.sources)):
        return Sources(tuple(core.rtl), tuple(core.sources), listed.include, listed.defines)
    if core.file.ghdl == "simulate":
        if not all(map(is_vhdl, core.sources)):
            raise core.error('ghdl is "simulate", which takes sources in VHDL alone')
        module, beside = stand_in(core, core.sources, parameters)
        return Sources((module,), (module,), listed.include, listed.defines, (module,), beside)
    rtl = as_verilog(core, core.file.top, core.rtl, parameters)
    probed = as_verilog(core, core.file.simulated_top, core.sources, parameters) if listed.probe else rtl
    converted = tuple(dict.fromkeys(path for path in (*rtl, *probed) if path not in core.sources))
    return Sources(rtl, probed, listed.include, listed.defines, converted)


def read_design(
    core: Core, sources: Sources, top: str, parameters: Mapping[str, int], options: Sequence[str] = ()
) -> slang.ReadSources | None:
    """The simulated sources of a core as slang reads them, with its libraries; None if nothing can be read."""
    listed = core.listing
    searched = [f"-y{folder}" for folder in listed.libraries] + [f"-v{file}" for file in listed.library_files]
    searched += [f"-Y{suffix}" for suffix in listed.suffixes] if searched else []
    return slang.read(sources.simulated, top, parameters, [*sources.options(), *searched, *options])


def _compile(core: Core, sources: Sources, top: str, parameters: Mapping[str, int]) -> ElaboratedDesign:
    read = read_design(core, sources, top, parameters)
    if read is None:
        return ElaboratedDesign(error="cannot be read")
    if read.errors:
        said = [read.text(error) for error in read.errors]
        first = with_cause(said[0], "\n".join(said) if cause(said[0]) else "")
        return ElaboratedDesign(error=f"has an error: {first}", files=read.files, sources=sources)
    found = tuple(path for path in read.libraries if path not in sources.simulated)
    sources = replace(sources, rtl=(*sources.rtl, *found), simulated=(*sources.simulated, *found))
    body = read.compilation.getRoot().topInstances[0].body
    inside, core_body = next(_instances(body, core.file.top), ("", None))
    widths = {name: _width(core_body, name) for name in core.file.inside} if core_body else {}
    return ElaboratedDesign(
        tuple(parameter.name for parameter in body.parameters),
        tuple(_port(port) for port in body.portList),
        inside,
        {name: width for name, width in widths.items() if width is not None},
        read.files,
        sources=sources,
        warnings=read.warnings,
    )


def _port(port: Any) -> DesignPort:
    form = form_of(port.type)
    return DesignPort(port.name, direction(port), form.width, form)


def form_of(kind: Any) -> PortType:
    """A type of slang as far as parts of it can be named."""
    kind = kind.canonicalType
    if kind.isArray and kind.hasFixedRange:
        element = form_of(kind.elementType)
        ends = int(kind.range.left), int(kind.range.right)
        inner = None if element == PortType(1) else element
        return PortType(element.width * (max(ends) - min(ends) + 1), ends, inner, bool(kind.isUnpackedArray))
    if kind.isIntegral and (kind.isStruct or kind.isPackedUnion):
        members = {member.name: (int(member.bitOffset), form_of(member.type)) for member in kind}
        return PortType(int(kind.bitWidth), members=members)
    return PortType(int(kind.bitWidth), (int(kind.bitWidth) - 1, 0) if kind.bitWidth > 1 else None)


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
