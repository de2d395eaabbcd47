# SPDX-License-Identifier: Apache-2.0
"""RTL without a description, read with slang: top module, files, ports, clock and reset. Nothing is run."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pyslang.ast import SymbolKind

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.rtl_bridge.core.source_files import in_package_order, needed_sources, text_of
from limbtrace.rtl_bridge.init.clock_reset import clock_and_reset, clock_by_name, reset_by_name, waits_for_edges
from limbtrace.rtl_bridge.init.fixed_numbers import integer, literals_in, parameters_below, parameters_derived
from limbtrace.rtl_bridge.init.port_parts import PortPart, parts_of, split_at
from limbtrace.rtl_bridge.init.top_module import IDENTIFIER, ElaboratedTop, SourceSet, elaborated
from limbtrace.rtl_bridge.init.width_formulas import width_formulas
from limbtrace.rtl_bridge.interface.module_ports import SizeTerm, Sketch, SketchParameter, SketchPort, SketchReset

MAX_COMMENT = 120
"""Characters taken of a comment."""

_NAME_RULE = "a name that core.toml does not take: letters, digits, _ and $, of which a digit or $ is not the first"


def scan(
    folder: Path, top: str | None = None, *, includes: bool = True, build: Mapping[str, int] | None = None
) -> Sketch:
    """The sources in a folder and below it, and their top module: `top`, or the one that no other instantiates.

    `build` are values of RTL parameters other than their defaults.
    Without `includes` no other file is read, whatever the sources say: an `include of any kind is an error.
    Raises ParameterError("core") or ("top"), one sentence.
    """
    sources = SourceSet.of(folder, top, includes=includes, build=build or {})
    design = elaborated(sources, top, {})
    _check_names(design.body)
    files = _file_roles(sources, design)
    parameters = _parameters(design)
    for name in sources.build:
        if all(name != parameter.name for parameter in parameters):
            known = ", ".join(parameter.name for parameter in parameters) or "none"
            raise ParameterError("build", f"{shown(name)} is not a parameter that a build may set; these are: {known}")
    widths = width_formulas(sources, design, {p.name: p.default for p in parameters})
    clock, reset = clock_and_reset(design.body)
    bits = {name for name in (clock, reset and reset.port) if name}
    ports = tuple(_sketch_port(design, part, widths) for part in split_at(parts_of(design.body), bits))
    inputs = [port.name for port in ports if port.direction == "input" and port.width == 1]
    clock_port = clock or clock_by_name(inputs)
    return Sketch(
        top=design.body.definition.name,
        **files._asdict(),
        parameters=parameters,
        ports=ports,
        clock=clock_port,
        reset=_vhdl_reset(sources, inputs) or reset or reset_by_name(inputs),
        vhdl=sources.vhdl.standard if sources.entity else "",
        simulated=sources.vhdl.simulated,
        libraries=sources.vhdl.libraries(sources.entity.name) if sources.entity else {},
        numbers=tuple(parameters_below(design.body, design.front.compilation.getPackages())),
        literals=literals_in(text_of(folder / name) for name in files.files),
        other_tops=design.others,
        build=sources.build,
        clocked=clock_port is not None or sources.vhdl.simulated or waits_for_edges(design.body),
    )


def _check_names(body: Any) -> None:
    """Raises ParameterError where the top module has a name that a description cannot hold."""
    if not IDENTIFIER.fullmatch(str(body.definition.name)):
        raise ParameterError("top", f"the module {shown(str(body.definition.name))} has {_NAME_RULE}")
    for kind, symbols in (("port", body.portList), ("parameter", body.parameters)):
        for symbol in symbols:
            if not IDENTIFIER.fullmatch(str(symbol.name)):
                raise ParameterError("core", f"the {kind} {shown(str(symbol.name))} has {_NAME_RULE}")


class _FileRoles(NamedTuple):
    """Files and folders by what they are for, as a Sketch names them."""

    files: tuple[str, ...]
    cells: tuple[str, ...]
    spare: tuple[str, ...]
    include: tuple[str, ...]


def _file_roles(sources: SourceSet, design: ElaboratedTop) -> _FileRoles:
    """Sources that the top module needs, and those that it does not need."""
    read = sources.read_files({})
    needed = needed_sources(read, Path(design.manager.getFullPath(design.body.definition.location.buffer)))
    files = sources.vhdl.needed(sources.entity.name) if sources.entity else []
    files += [path for path in in_package_order(sources.verilog) if path.resolve() in needed]
    needed |= {path.resolve() for path in files}
    resolved = {path.resolve() for path in read}
    included = {path.parent for path in design.front.files if path not in resolved}

    def relative(paths: Iterable[Path]) -> tuple[str, ...]:
        return tuple(str(path.relative_to(sources.folder)) for path in paths)

    return _FileRoles(
        files=relative(files),
        cells=tuple(path.name for path in sources.cells if path.resolve() in needed),
        spare=relative(path for path in sources.files if path.resolve() not in needed),
        include=relative(path for path in sources.headers if path.resolve() in included),
    )


def _parameters(design: ElaboratedTop) -> tuple[SketchParameter, ...]:
    """The parameters that a build may set: those in the header of the module, or all if the header has none.

    Without those whose defaults depend on others, which follow them.
    """
    derived = parameters_derived({p.name: p for p in design.body.parameters if p.kind == SymbolKind.Parameter})
    settable = [p for p in design.body.parameters if not p.isLocalParam and p.name not in derived]
    parameters = [p for p in settable if p.isPortParam] or settable
    return tuple(SketchParameter(p.name, integer(p), _comment(design.manager, p)) for p in parameters)


def _sketch_port(
    design: ElaboratedTop, part: PortPart, widths: Mapping[str, Mapping[SizeTerm, int] | None]
) -> SketchPort:
    comment = _comment(design.manager, part.symbol)
    signed = bool(part.symbol.type.isSigned)
    return SketchPort(part.name, part.direction, part.width, widths.get(part.name), comment, part.elements, signed)


def _comment(manager: Any, symbol: Any) -> str:
    """The comment behind a declaration, on its line; slang counts bytes, which need not be UTF-8."""
    path = Path(manager.getFullPath(symbol.location.buffer))
    if not path.is_file():  # a macro, or the converted text of an entity that is gone
        return ""
    line = path.read_bytes()[symbol.location.offset :].partition(b"\n")[0].decode(errors="replace")
    comment = re.search(r"//\s*(.*?)\s*$", line) or re.search(r"/\*\s*(.*?)\s*\*/", line)
    if comment is None or not comment[1].isprintable():
        return ""
    return re.sub(r"[^\x20-\x7e]", "?", comment[1])[:MAX_COMMENT]


def _vhdl_reset(sources: SourceSet, inputs: Iterable[str]) -> SketchReset | None:
    """The reset by the VHDL itself: GHDL's Verilog has other names, and its always blocks have no conditions."""
    return sources.vhdl.reset(sources.entity.name, inputs) if sources.entity else None
