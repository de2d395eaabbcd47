# SPDX-License-Identifier: Apache-2.0
"""The source files of a folder without a description: which there are, and which a top module needs."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.rtl_bridge.core.core import CELLS
from limbtrace.rtl_bridge.core.file_list import NAME, VHDL

SOURCE_SUFFIXES = (".v", ".sv", *VHDL)
HEADER_SUFFIXES = (".vh", ".svh", ".h", ".inc", ".vinc")
"""Suffixes of the files that sources include."""
MAX_FILES = 1000
"""Limit of the number of sources in a folder."""

_DEFINITION = re.compile(r"^\s*(?:module|interface|package)\s+(?:automatic\s+|static\s+)?(\w+)", re.MULTILINE)
_PACKAGE = re.compile(r"^\s*package\s+(\w+)", re.MULTILINE)
_LINE_COMMENT = re.compile(r"//.*")
_INCLUDE = re.compile(r'^\s*`include\s+"([^"\n]+)"', re.MULTILINE)


def text_of(path: Path) -> str:
    """The text of a source in whatever encoding."""
    return path.read_text(encoding="utf-8", errors="replace")


def sources_below(folder: Path) -> list[Path]:
    """Sources of a folder and the folders below it, sorted. Raises ParameterError("core")."""
    if not folder.is_dir():
        raise ParameterError("core", f"there is no folder {shown(str(folder))}")
    sources = [path for path in _files_below(folder, SOURCE_SUFFIXES) if not _is_hidden(path.relative_to(folder))]
    if not sources:
        raise ParameterError("core", f"{folder} has no file that ends in {' or '.join(SOURCE_SUFFIXES)}")
    if len(sources) > MAX_FILES:
        raise ParameterError("core", f"{folder} has {len(sources)} sources, and the limit is {MAX_FILES}")
    for path in sources:
        if not NAME.fullmatch(name := str(path.relative_to(folder))):
            raise ParameterError("core", f"the file name {shown(name)} has characters that not every tool takes")
    return sources


def included_in(files: Sequence[Path]) -> set[Path]:
    """Those of some sources that others include by name, and that are no sources of their own for that."""
    names = {path: {*_INCLUDE.findall(text_of(path))} for path in files}
    return {
        path
        for path in files
        for other, included in names.items()
        if path != other and any(f"/{path}".endswith(f"/{name.lstrip('./')}") for name in included)
    }


def header_folders(folder: Path, included: Iterable[Path] = ()) -> tuple[Path, ...]:
    """Folders below the folder that hold files to be included, those with such a suffix and `included`; sorted."""
    folders = {path.parent for path in (*_files_below(folder, HEADER_SUFFIXES), *included)} - {folder}
    return tuple(path for path in sorted(folders) if NAME.fullmatch(str(path.relative_to(folder))))


def _files_below(folder: Path, suffixes: tuple[str, ...]) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in suffixes and path.is_file())


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def shared_cells(files: Iterable[Path]) -> list[Path]:
    """Shared cells that the sources mention and do not define, each after the cells that it needs."""
    files = list(files)
    cells = {path.stem: path for path in sorted(CELLS.iterdir())}
    visited = {path.stem for path in files}
    needed: list[Path] = []

    def visit(source: Path) -> None:
        code = _LINE_COMMENT.sub("", text_of(source))
        for name, cell in cells.items():
            if name not in visited and re.search(rf"\b{name}\b", code):
                visited.add(name)
                visit(cell)
                needed.append(cell)

    for path in files:
        visit(path)
    return needed


def in_package_order(files: Iterable[Path]) -> list[Path]:
    """Files that define packages before those that import them; otherwise in the order given."""
    texts = {path: text_of(path) for path in files}
    packages = {name: path for path, text in texts.items() for name in _PACKAGE.findall(text)}
    order: list[Path] = []

    def visit(path: Path, importers: tuple[Path, ...]) -> None:
        for name, source in packages.items():
            if source not in (path, *importers) and re.search(rf"\b{name}\s*::", texts[path]):
                visit(source, (*importers, path))
        if path not in order:
            order.append(path)

    for path in texts:
        visit(path, ())
    return order


def needed_sources(files: Iterable[Path], first: Path) -> set[Path]:
    """The resolved paths of `first` and of the files whose modules, interfaces and packages it names, at any depth.

    By name and not by elaboration, which leaves out what other values of parameters need.
    """
    texts = {path.resolve(): _LINE_COMMENT.sub("", text_of(path)) for path in files}
    definitions = {name: path for path, text in texts.items() for name in _DEFINITION.findall(text)}
    needed = {first.resolve()}
    pending = list(needed)
    while pending:
        words = set(re.findall(r"\w+", texts[pending.pop()]))
        new = {path for name, path in definitions.items() if name in words} - needed
        needed |= new
        pending += sorted(new)
    return needed
