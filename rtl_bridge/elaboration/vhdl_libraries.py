# SPDX-License-Identifier: Apache-2.0
"""Libraries of VHDL other than `work`: which source belongs to which, by the names that other sources use."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

GIVEN = frozenset(("std", "work", "ieee", "synopsys", "vital2000"))
"""Libraries that no source belongs to by name: GHDL has them, or it is the one that a source is in."""

_UNIT = re.compile(r"\b(?:entity|package(?!\s+body)|context|configuration)\s+(\w+)\s+(?:is|of)\b")
_PART = re.compile(r"\b(?:architecture\s+\w+\s+of|package\s+body)\s+(\w+)")
_CLAUSE = re.compile(r"\blibrary\s+([\w\s,]+);")


def plain(text: str) -> str:
    """VHDL without its comments."""
    return re.sub(r"--[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)


@dataclass(frozen=True)
class Use:
    """A unit that a source names in a library."""

    source: str
    library: str
    unit: str
    homes: tuple[str, ...]
    """The sources that have it, none or the one with its declaration and those with its bodies."""


@dataclass(frozen=True)
class VhdlNames:
    """The names in some sources; a source has a name, too, and its text is in lower case and without comments."""

    texts: Mapping[str, str]
    assigned: Mapping[str, str] = field(default_factory=dict)
    """The libraries of sources that are not in `work`."""

    @classmethod
    def read(cls, sources: Mapping[str, Path], assigned: Mapping[str, str]) -> "VhdlNames":
        """The names in the files of some sources."""
        texts = {name: path.read_text(encoding="utf-8", errors="replace") for name, path in sources.items()}
        return cls({name: plain(text).lower() for name, text in texts.items()}, assigned)

    def library(self, source: str) -> str:
        """The library of a source, in lower case."""
        return self.assigned.get(source, "work").lower()

    @cached_property
    def homes(self) -> dict[str, tuple[str, ...]]:
        """The sources of each unit: that with its declaration, and those with its bodies and architectures."""
        found: dict[str, dict[str, None]] = {}
        for pattern in (_UNIT, _PART):
            for source, text in self.texts.items():
                for unit in pattern.findall(text):
                    if pattern is _UNIT or unit in found:
                        found.setdefault(unit, {})[source] = None
        return {unit: tuple(sources) for unit, sources in found.items()}

    def uses(self, source: str) -> Iterator[Use]:
        """The units that a source names in libraries of its library clauses, and in its own as `work`."""
        text = self.texts[source]
        named = {name for clause in _CLAUSE.findall(text) for name in re.findall(r"\w+", clause)} - GIVEN
        for library, unit in dict.fromkeys(re.findall(r"\b(\w+)\s*\.\s*(\w+)", text)):
            if library in named or library == "work":
                yield Use(source, library, unit, self.homes.get(unit, ()))

    def misplaced(self) -> Use | None:
        """The first use of a unit that is in another library than the use says."""
        for source in self.texts:
            for use in self.uses(source):
                wanted = self.library(source) if use.library == "work" else use.library
                if any(self.library(home) != wanted for home in use.homes):
                    return use
        return None

    def inferred(self) -> dict[str, str]:
        """The libraries of sources as the uses of their units show them; those of `work` are left out.

        A source is in the library of what it names as `work`.
        """
        found: dict[str, str] = {}
        uses = [use for source in self.texts for use in self.uses(source)]
        for use in uses:
            if use.library != "work":
                found = dict.fromkeys(use.homes, use.library) | found
        before = -1
        while before < len(found):
            before = len(found)
            for use in uses:
                together = (use.source, *use.homes) if use.library == "work" and use.homes else ()
                known = next((found[source] for source in together if source in found), None)
                if known:
                    found = dict.fromkeys(together, known) | found
        return {source: found[source] for source in self.texts if source in found}


def by_library(assigned: Mapping[str, str]) -> dict[str, list[str]]:
    """The sources of each library, as `vhdl_libraries` names them."""
    found: dict[str, list[str]] = {}
    for source, library in assigned.items():
        found.setdefault(library, []).append(source)
    return found


def advice(names: VhdlNames) -> str | None:
    """A sentence about the first unit that is not in the library in which it is looked for."""
    use = names.misplaced()
    if use is None:
        return None
    wanted = names.library(use.source) if use.library == "work" else use.library
    home = next(home for home in use.homes if names.library(home) != wanted)
    said = (
        f"{use.source} uses {use.library}.{use.unit}, and {home}, which has it, is in the library {names.library(home)}"
    )
    complete = by_library(VhdlNames(names.texts).inferred())
    if not complete:
        return f"{said} by vhdl_libraries"
    listed = ", ".join(f"{library} = {json.dumps(sources)}" for library, sources in complete.items())
    return f"{said}; it needs vhdl_libraries = {{ {listed} }}"
