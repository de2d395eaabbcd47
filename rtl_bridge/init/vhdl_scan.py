# SPDX-License-Identifier: Apache-2.0
"""VHDL without a description: the top entity, the sources that it needs in compilation order, and their Verilog."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product
from pathlib import Path

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.elaboration.ghdl_synthesis import Conversion, Entity, entities
from limbtrace.rtl_bridge.elaboration.vhdl_libraries import VhdlNames, by_library, plain
from limbtrace.rtl_bridge.interface.module_ports import SketchReset
from limbtrace.rtl_bridge.programs.ghdl import VhdlError
from limbtrace.vectors.errors import ToolError

STANDARDS = ("08", "93")
"""Standards in the order in which they are tried."""

_UNIT = re.compile(r"\b(?:entity|package(?!\s+body)|context)\s+(\w+)\s+is\b", re.IGNORECASE)
_PART = re.compile(r"\b(?:architecture\s+\w+\s+of|package\s+body)\s+(\w+)", re.IGNORECASE)
_ASKED = r"\bif\s*\(?\s*(\w+)\s*=\s*'([01])'\s*\)?\s*then\b"
_EDGE = r"(?:rising_edge\b|falling_edge\b|\w+'event\b)"
_ASYNCHRONOUS = re.compile(rf"{_ASKED}(?:(?!\bend\s+process\b).)*?\belsif\s*\(?\s*{_EDGE}", re.DOTALL)
_SYNCHRONOUS = re.compile(rf"\b{_EDGE}[^;]*?\bthen\s+{_ASKED}")


class VhdlFolder:
    """The VHDL in a folder."""

    def __init__(self, folder: Path, paths: Sequence[Path]) -> None:
        self._folder = folder
        self._texts = {path: plain(path.read_text(encoding="utf-8", errors="replace")).lower() for path in paths}
        self._entities = entities(paths)
        self.standard = STANDARDS[0]
        """The standard of the last conversion."""
        self.simulated = False
        """True if GHDL cannot synthesise the sources of the last conversion, which has the ports alone."""

    def top(self, asked: str | None, verilog: Iterable[str]) -> Entity | None:
        """The top entity: the requested one, or the only one with ports that is not instantiated.

        `verilog` are the texts of other sources. None if the top is to be found there. Raises ParameterError("top").
        """
        if asked is not None:
            return self._entities.get(asked.lower())
        benches = {entity.path for entity in self._entities.values() if not entity.has_ports}
        texts = [text for path, text in self._texts.items() if path not in benches]
        texts += [text.lower() for text in verilog]
        tops = [
            entity
            for name, entity in self._entities.items()
            if entity.has_ports and not any(_instantiates(text, name) for text in texts)
        ]
        if len(tops) > 1:
            names = ", ".join(sorted(entity.name for entity in tops))
            raise ParameterError("top", f"several entities are candidates: {names}; --top names one")
        return tops[0] if tops else None

    def needed(self, top: str) -> list[Path]:
        """The sources of an entity and of all that it names, each after those that it needs."""
        found: list[Path] = []

        def add(path: Path, above: tuple[Path, ...]) -> None:
            words = set(re.findall(r"\w+", self._texts[path]))
            for name in sorted(words & self._homes.keys()):
                home = self._homes[name]
                if home not in (path, *above):
                    add(home, (*above, path))
            if path not in found:
                found.append(path)
            for name in _UNIT.findall(self._texts[path]):
                for part in self._parts.get(name, []):
                    if part not in (*found, *above):
                        add(part, (*above, path))

        add(self._homes[top.lower()], ())
        return found

    def _libraries(self, top: str) -> dict[str, str]:
        """The libraries of sources that are not in `work`, as the sources show them."""
        texts = {str(path.relative_to(self._folder)): self._texts[path] for path in self.needed(top)}
        return VhdlNames(texts).inferred()

    def libraries(self, top: str) -> dict[str, list[str]]:
        """The sources of libraries other than `work`, as a description names them."""
        return by_library(self._libraries(top))

    def reset(self, top: str, inputs: Iterable[str]) -> SketchReset | None:
        """The input that a process asks about first, beside its clock or at its edge."""
        names = {name.lower(): name for name in inputs}
        for path in reversed(self.needed(top)):
            for pattern, synchronous in ((_ASYNCHRONOUS, False), (_SYNCHRONOUS, True)):
                for name, level in pattern.findall(self._texts[path]):
                    if name in names:
                        return SketchReset(names[name], ("low", "high")[int(level)], synchronous, from_code=True)
        return None

    @cached_property
    def _homes(self) -> dict[str, Path]:
        """The files of entities and packages by name."""
        return {name: path for path, text in self._texts.items() for name in _UNIT.findall(text)}

    @cached_property
    def _parts(self) -> dict[str, list[Path]]:
        """The files of architectures and package bodies by what they belong to."""
        found: dict[str, list[Path]] = {}
        for path, text in self._texts.items():
            for name in _PART.findall(text):
                found.setdefault(name, []).append(path)
        return found

    def converted(self, top: Entity, values: Mapping[str, int]) -> Path:
        """The entity as Verilog with these values of its generics, and the defaults of others.

        Where GHDL reads its sources and cannot synthesise them, a module with its ports. Raises ParameterError("core"),
        ToolError.
        """
        sources = tuple((str(path.relative_to(self._folder)), path) for path in self.needed(top.name))
        defaults = {g.name: g.integer for g in top.generics if g.is_number}
        given = {name: value for name, value in (defaults | dict(values)).items() if value is not None}
        scalars = {g.name: given[g.name] for g in top.generics if g.name in given and g.is_scalar}
        libraries = tuple(self._libraries(top.name).items())
        said: list[VhdlError | ToolError] = []
        standards = (self.standard, *(other for other in STANDARDS if other != self.standard))
        for hollow, standard in product((False, True), standards):
            tops = ((top.name, scalars if hollow else given),)
            try:
                place = Conversion(sources, standard, tops, hollow=hollow, libraries=libraries).place
            except (VhdlError, ToolError) as error:
                said.append(error)
            else:
                self.standard, self.simulated = standard, hollow
                return place
        if isinstance(said[0], ToolError):
            raise said[0]
        raise ParameterError("core", f"{self._folder}: {said[0]}")


def _instantiates(text: str, name: str) -> bool:
    """True if a source has an instance of an entity: directly, as a component, or as a module of Verilog."""
    direct = rf":\s*entity\s+(\w+\.)?{name}\b"
    return bool(re.search(rf"{direct}|\bcomponent\s+{name}\b|:\s*{name}\s+(generic|port)\s+map\b|"
                          rf"^\s*{name}\s*(#\s*\(|\w+\s*\()", text, re.MULTILINE))  # fmt: skip
