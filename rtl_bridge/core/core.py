# SPDX-License-Identifier: Apache-2.0
"""A core's folder: how it is found, and the one-sentence errors about its `core.toml`."""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.rtl_bridge.core.core_file import CoreFile
from limbtrace.rtl_bridge.core.file_list import ListingError, SourceList, listing
from limbtrace.rtl_bridge.description.toml_file import read
from limbtrace.rtl_bridge.description.writer import FILL_IN
from limbtrace.rtl_bridge.protocols import kinds

BUILT_IN = Path(__file__).resolve().parents[1] / "rtl"
CELLS = BUILT_IN / "cells"
"""Modules that the built-in cores share; any core may use them."""
DEFECTS = Path(__file__).resolve().parents[1] / "defects"
"""Cores with the public faults of the atlas: a folder for each entry in hardware, named by its id."""


@dataclass(frozen=True)
class Core:
    """A core's folder and its description."""

    folder: Path
    file: CoreFile
    allow_outside: bool = False
    """True if files outside `folder` may be part of it."""
    listing: SourceList = field(default_factory=SourceList)
    """The sources of the description, with its file lists read."""
    sandboxed: bool = False
    """True if what looks into the sources for us, as GHDL does, may write in its own folder alone."""

    @property
    def place(self) -> str:
        """Path of the description, for messages."""
        return str(self.folder / "core.toml")

    def error(self, sentence: str) -> ParameterError:
        """A complaint about the description."""
        return ParameterError("core", f"{self.place}: {sentence}")

    def check_places(self, paths: Iterable[Path]) -> None:
        """Raises ParameterError("core") for a file outside the folder of the core and those of the built-in cores.

        Links count as their targets. Call this before reading or copying files that a core names.
        """
        for path in paths:
            if not (self.allow_outside or _is_inside(self.folder, path)):
                raise self.error(f"{_named(self.folder, path)} {_OUTSIDE}")

    def check_hardware(self, who: str) -> None:
        """Raises ParameterError("core") for VHDL that GHDL simulates, where `who` needs all that a core consists of."""
        if self.file.ghdl == "simulate":
            raise self.error(f'{who} needs VHDL that GHDL can synthesise, and ghdl is "simulate" here')

    @property
    def cells(self) -> list[Path]:
        """Shared files, in compilation order."""
        return [CELLS / name for name in self.file.cells]

    @property
    def rtl(self) -> list[Path]:
        """The hardware sources that are named, in compilation order; tools are told `Bound.sources`."""
        return [*self.cells, *self.listing.files]

    @property
    def sources(self) -> list[Path]:
        """Those and the probe, which comes last."""
        return [*self.rtl, *self.listing.probe]


def find(name: str, *, allow_outside: bool = False, sandboxed: bool = False, any_model: bool = False) -> Core:
    """A built-in core by name, one with a public fault by the id of its defect, or the core in a folder.

    Files may be outside the folder where `allow_outside` says so.

    `any_model`: model and settings of the description may still be open.

    Raises ParameterError("core"), also for a name that a built-in core and a folder here have: one of them would be
    taken for the other.
    """
    folder = supplied(name)
    if folder is None:
        folder = Path(name)
    elif Path(name).is_dir() and not Path(name).samefile(folder):
        both = f"{name} is a built-in core and a folder here"
        raise ParameterError("core", f"{both}: write ./{name} for the folder, or run elsewhere for the built-in core")
    if not folder.is_dir():
        known = ", ".join(core.name for core in built_in())
        raise ParameterError("core", f"there is no core {name[:80]!r}, neither a folder nor one of {known}")
    try:
        str(folder.absolute()).encode()
    except UnicodeEncodeError:
        raise ParameterError("core", "the name of its folder is not UTF-8") from None
    return load(folder, allow_outside=allow_outside, sandboxed=sandboxed, any_model=any_model)


def supplied(name: str) -> Path | None:
    """The folder of a built-in core, or of a core with a public fault; None for any other name."""
    root = BUILT_IN if name.isidentifier() else DEFECTS
    plain = bool(re.fullmatch(r"[\w-]+", name))
    return root / name if plain and (root / name / "core.toml").is_file() else None


def built_in() -> Iterator[Path]:
    """Folders of the built-in cores."""
    return (path.parent for path in sorted(BUILT_IN.glob("*/core.toml")))


def with_faults() -> Iterator[Path]:
    """Folders of the cores with public faults."""
    return (path.parent for path in sorted(DEFECTS.glob("*/core.toml")))


def kept_files(name: str) -> Iterator[Path]:
    """The files of that name, beside the built-in cores that have one."""
    return (folder / name for folder in built_in() if (folder / name).is_file())


_OUTSIDE = "leads outside the folder of the core, which --allow-outside permits"


def _is_inside(folder: Path, path: Path) -> bool:
    """True if a file is in the folder or among the built-in cores, after every link on the way to it."""
    place = Path(os.path.realpath(path))
    return any(place.is_relative_to(os.path.realpath(root)) for root in (folder, BUILT_IN))


def _named(folder: Path, path: Path) -> str:
    """A file as the description names it."""
    return shown(os.path.normpath(path.relative_to(folder) if path.is_relative_to(folder) else path))


def load(folder: Path, *, allow_outside: bool = False, sandboxed: bool = False, any_model: bool = False) -> Core:
    """The core in a folder; the arguments are those of `find`.

    Raises ParameterError("core"), one sentence that names file and key.
    """
    path = folder / "core.toml"
    if not (allow_outside or _is_inside(folder, path)):
        raise ParameterError("core", f"{path} {_OUTSIDE}")
    file = read(path, CoreFile, "a core.toml", partial(_unfilled, any_model=any_model), kinds())
    if isinstance(file, str):
        raise ParameterError("core", f"{path} {file}")
    core = Core(folder, file, allow_outside, sandboxed=sandboxed)
    for cell in core.cells:
        if not cell.is_file():
            known = ", ".join(path.name for path in sorted(CELLS.iterdir()))
            raise core.error(f"there is no cell {cell.name}; there is {known}")
    try:
        core = replace(core, listing=listing(folder, file, lambda path: core.check_places([path])))
    except ListingError as error:
        raise core.error(str(error)) from None
    return core


def _unfilled(text: str, *, any_model: bool) -> str | None:
    """The first line whose value is FILL_IN; with `any_model`, of those beside model and settings."""
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        table = line.strip() if line.startswith("[") else table
        key, _, rest = line.partition("=")
        if any_model and (table == "[settings]" or (not table and key.strip() in ("model", "settings"))):
            continue
        if f'"{FILL_IN}"' in rest and not key.lstrip().startswith("#"):
            said = rest.partition(f"# {FILL_IN}: ")[2].partition(";")[0].strip()
            return f"has a line that is to be filled in, line {number}: {key.strip()}{f', {said}' if said else ''}"
    return None
