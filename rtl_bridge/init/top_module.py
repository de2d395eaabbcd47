# SPDX-License-Identifier: Apache-2.0
"""The top module of a folder without a description: which module it is, and its elaboration by slang."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyslang.ast import SymbolKind

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.rtl_bridge.core.core import CELLS
from limbtrace.rtl_bridge.core.source_files import (
    header_folders,
    included_in,
    shared_cells,
    sources_below,
    text_of,
)
from limbtrace.rtl_bridge.elaboration.ghdl_synthesis import Entity, is_vhdl
from limbtrace.rtl_bridge.elaboration.slang import ReadSources, code
from limbtrace.rtl_bridge.elaboration.slang import read as read_with_slang
from limbtrace.rtl_bridge.init.vhdl_scan import VhdlFolder

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")
"""The names that a description takes: those of Verilog that need no escape."""
_MULTIPLIER = re.compile(
    r"mont(gomery)?_?(mu?l|pro|red)|mod(ular)?_?(mu?l|red|sq)|mu?l(t|tiply)?_?mod|mmul|barrett|redc", re.IGNORECASE
)
_MISSING = re.compile(r"unknown module '(\w+)'")


@dataclass(frozen=True)
class SourceSet:
    """The sources of a folder, to be elaborated with several values of the parameters."""

    folder: Path
    files: tuple[Path, ...]
    """All sources in the folder, sorted."""
    cells: tuple[Path, ...]
    """Shared cells that they need."""
    includes: bool
    """False if sources may include no file."""
    vhdl: VhdlFolder
    entity: Entity | None
    """The top, if it is in VHDL."""
    headers: tuple[Path, ...]
    """Folders with files that sources may include."""
    build: Mapping[str, int]
    """Values of parameters of the top other than their defaults."""

    @classmethod
    def of(cls, folder: Path, top: str | None, *, includes: bool, build: Mapping[str, int]) -> SourceSet:
        """The sources in a folder and below it. Raises ParameterError("core") or ("top")."""
        files = sources_below(folder)
        included = included_in(files) if includes else set()
        files = [path for path in files if path not in included] or files
        vhdl = [path for path in files if is_vhdl(path)]
        verilog = [path for path in files if not is_vhdl(path)]
        if vhdl and not includes:
            raise ParameterError("core", f"{vhdl[0].name} is VHDL, which GHDL reads with all that it names")
        vhdl_folder = VhdlFolder(folder, vhdl)
        entity = vhdl_folder.top(top, map(text_of, verilog)) if vhdl else None
        if vhdl and entity is None and not verilog:
            raise ParameterError("top", f"{shown(top)} is no entity of the VHDL" if top else "no entity has any port")
        cells = tuple(shared_cells(verilog))
        headers = header_folders(folder, included)
        return cls(folder, tuple(files), cells, includes, vhdl_folder, entity, headers, build)

    @property
    def verilog(self) -> tuple[Path, ...]:
        """The sources in Verilog, without cells."""
        return tuple(path for path in self.files if not is_vhdl(path))

    def read_files(self, parameters: Mapping[str, int]) -> tuple[Path, ...]:
        """All Verilog that slang reads, that of the entity with these generics first. Raises ParameterError."""
        converted = [self.vhdl.converted(self.entity, {**self.build, **parameters})] if self.entity else []
        return (*converted, *self.cells, *self.verilog)


@dataclass(frozen=True)
class ElaboratedTop:
    """A design below one top module; slang's objects live as long as `front` does."""

    front: ReadSources
    body: Any
    """The instance body of the top module."""
    others: tuple[str, ...] = ()
    """Further candidates, among which it was chosen by its name."""

    @property
    def manager(self) -> Any:
        """slang's source manager."""
        return self.front.manager


def elaborated(sources: SourceSet, top: str | None, parameters: Mapping[str, int]) -> ElaboratedTop:
    """The design below one top module: the entity, `top`, or the only candidate. Raises ParameterError.

    Candidates are the modules with ports that no other instantiates. Where only testbenches are such modules, what
    they instantiate are the candidates. Of several candidates the only one that is named like a multiplier is taken.
    """
    if top and not IDENTIFIER.fullmatch(top):
        raise ParameterError("top", f"{shown(top)} is no name of a module")
    top = sources.entity.name if sources.entity else top
    front = _read(sources, top, parameters)
    modules = _uninstantiated(sources, front)
    candidates = {name: body for name, body in modules.items() if len(body.portList)}
    if not candidates and not top:
        return elaborated(sources, _only(_instantiated_in(modules.values())), parameters)
    chosen = _only(list(candidates))
    if not top and (len(candidates) > 1 or sources.build):  # elaborated alone, it may have other parameters
        design = elaborated(sources, chosen, parameters)
        return ElaboratedTop(design.front, design.body, tuple(sorted(candidates.keys() - {chosen})))
    return ElaboratedTop(front, candidates[chosen])


def _read(sources: SourceSet, top: str | None, parameters: Mapping[str, int]) -> ReadSources:
    """The sources as slang reads them. Raises ParameterError for an error in them."""
    options = [f"-I{path}" for path in (sources.folder, *sources.headers)]
    if not sources.includes:  # slang looks at the depth before it looks for the file
        options += ["--max-include-depth", "0"]
    values = {**sources.build, **parameters} if top else dict(parameters)
    front = read_with_slang(sources.read_files(parameters), top, values, options)
    if front is None:
        raise ParameterError("core", f"the RTL in {sources.folder} cannot be read")
    if front.errors:
        raise _source_error(sources, top, front)
    return front


def _source_error(sources: SourceSet, top: str | None, front: ReadSources) -> ParameterError:
    """slang's first error; it is one of `top` where no module has that name."""
    first = front.errors[0]
    if not sources.includes and "MaxIncludeDepth" in code(first):
        return ParameterError("core", "a source includes another file; put the text of that file in its place")
    missing = {found[1]: None for error in front.errors if (found := _MISSING.search(front.text(error)))}
    if len(missing) > 1:
        return ParameterError("core", f"the RTL in {sources.folder} has no source of {', '.join(missing)}")
    is_missing = top and not list(front.compilation.getRoot().topInstances)
    text = f"the RTL in {sources.folder} has an error: {front.text(first)}"
    return ParameterError("top" if is_missing else "core", text)


def _uninstantiated(sources: SourceSet, front: ReadSources) -> dict[str, Any]:
    """Bodies of the modules at the top of slang's hierarchy by name, without shared cells."""
    cells = {path.stem for path in (*sources.cells, *sources.verilog) if path.parent == CELLS}
    bodies = (instance.body for instance in front.compilation.getRoot().topInstances)
    return {body.definition.name: body for body in bodies if body.definition.name not in cells}


def _instantiated_in(testbenches: Iterable[Any]) -> list[str]:
    """Names of the modules with ports that testbenches instantiate, sorted."""
    instances = (instance for body in testbenches for instance in _instances(body))
    return sorted({instance.body.definition.name for instance in instances if len(instance.body.portList)})


def _only(candidates: Sequence[str]) -> str:
    """The only candidate, or the only one that is named like a multiplier. Raises ParameterError("top")."""
    named = [name for name in candidates if _MULTIPLIER.search(name)]
    for chosen in (candidates, named):
        if len(chosen) == 1:
            return chosen[0]
    if candidates:
        text = f"several modules are candidates: {', '.join(sorted(candidates))}"
    else:
        text = "no module could be found with any port"
    raise ParameterError("top", f"{text}; --top names one")


def _instances(body: Any) -> Iterator[Any]:
    """Instances of modules at or below a scope, not those inside of other instances."""
    for member in body:
        if member.kind == SymbolKind.Instance:
            yield member
        elif member.kind in (SymbolKind.GenerateBlock, SymbolKind.GenerateBlockArray, SymbolKind.InstanceArray):
            yield from _instances(member)
