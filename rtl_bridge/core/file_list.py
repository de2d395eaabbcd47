# SPDX-License-Identifier: Apache-2.0
"""The sources of a description, with its file lists read: files, macros, folders for included files and libraries."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from limbtrace.refmodels.errors import shown
from limbtrace.rtl_bridge.core.core_file import CoreFile
from limbtrace.rtl_bridge.description.tables import DEFINED

LIST = ".f"
"""Suffix of a file list."""
VHDL = (".vhd", ".vhdl")
"""Suffixes of sources in VHDL."""
NAME = re.compile(r"(?:(?:^|/)(?![-+@])[\w .+@,=~()-]*)+")
"""A file name that no tool takes for an option, a variable or a command."""
MAX_DEPTH = 20
"""Most file lists inside of each other."""
MAX_ENTRIES = 10_000
"""Most entries of all file lists of a core."""

_SPOKEN = re.compile(r"-sv|-sverilog|-g20\d\d(-sv)?|\+v2k|-v2k|--?timing|--?assert|-full64|--?language")
_HOW = {"-I": "include", "-y": "libraries", "-v": "library_files", "-f": "list", "-F": "list", "-D": "define"}


class ListingError(ValueError):
    """A file list that cannot be read; the message is a sentence without the name of the description."""


@dataclass(frozen=True)
class SourceList:
    """The sources of a core; folders and files below it are paths from where the program runs."""

    files: tuple[Path, ...] = ()
    """In compilation order, without shared cells and the probe."""
    probe: tuple[Path, ...] = ()
    """The probe, if there is one."""
    include: tuple[Path, ...] = ()
    """Folders for included files; that of the core is the first."""
    defines: Mapping[str, str] = field(default_factory=dict)
    libraries: tuple[Path, ...] = ()
    """Folders with one file per module."""
    library_files: tuple[Path, ...] = ()
    """Files of which modules are taken that are nowhere else."""
    suffixes: tuple[str, ...] = (".v", ".sv")
    """Suffixes of files in library folders."""
    vhdl_libraries: Mapping[Path, str] = field(default_factory=dict)
    """The libraries of sources in VHDL that are not in `work`."""


def listing(folder: Path, file: CoreFile, check: Callable[[Path], object]) -> SourceList:
    """The sources of the description in a folder. Raises ListingError.

    `check` is called with every file and folder before anybody looks at it, and may raise an error of its own.
    """
    reader = _Reader(folder, check)
    for kind, names in (("include", file.include), ("libraries", file.libraries)):
        for name in names:
            reader.add(kind, folder / name)
    for name in file.files:
        if name.endswith(LIST):
            reader.read(folder / name, folder / Path(name).parent, "", 1)
        else:
            reader.add("files", folder / name)
    if file.probe:
        reader.add("probe", folder / file.probe.file)
    reader.defines |= {name: str(value) for name, value in file.defines.items()}
    for name in reader.defines:
        if name.lower().startswith("lt_"):
            raise ListingError(f"the macro {name} begins with lt_, as limbtrace's own names do")
    if not reader.paths["files"]:
        raise ListingError("files names lists without a source in them")
    return SourceList(
        tuple(reader.paths["files"]),
        tuple(reader.paths["probe"]),
        (folder, *(path for path in reader.paths["include"] if path != folder)),
        reader.defines,
        tuple(reader.paths["libraries"]),
        tuple(reader.paths["library_files"]),
        (*SourceList.suffixes, *reader.suffixes),
        dict(_in_libraries(folder, file, [*reader.paths["files"], *reader.paths["probe"]])),
    )


def _in_libraries(folder: Path, file: CoreFile, sources: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """(source, library) for all that `vhdl_libraries` names. Raises ListingError."""
    known = {os.path.normpath(path): path for path in sources if path.suffix.lower() in VHDL}
    for library, names in file.vhdl_libraries.items():
        for name in names:
            path = known.pop(os.path.normpath(folder / name), None)
            if path is None:
                why = "is in two libraries" if any(name in other for other in _others(file, library)) else _NO_SOURCE
                raise ListingError(f"vhdl_libraries.{library} names {shown(name)}, which {why}")
            yield path, library


_NO_SOURCE = "files does not name as a source in VHDL"


def _others(file: CoreFile, library: str) -> Iterator[tuple[str, ...]]:
    return (names for other, names in file.vhdl_libraries.items() if other != library)


class _Reader:
    """Files and folders named so far, each once, in the order of its first mention."""

    def __init__(self, folder: Path, check: Callable[[Path], object]) -> None:
        kinds = ("files", "include", "libraries", "library_files", "lists", "probe")
        self.paths: dict[str, dict[Path, None]] = {kind: {} for kind in kinds}
        self.defines: dict[str, str] = {}
        self.suffixes: dict[str, None] = {}
        self._folder, self._check, self._entries = folder, check, 0

    def add(self, kind: str, path: Path, where: str = "") -> None:
        """A file or folder; `where`, if there is one, is the entry of a list that names it."""
        name = str(path.relative_to(self._folder) if path.is_relative_to(self._folder) else path)
        where = f"{where}: " if where else ""
        what = "folder" if kind in ("include", "libraries") else "file"
        if not NAME.fullmatch(name):
            raise ListingError(f"{where}the {what} name {shown(name)} has characters that not every tool takes")
        self._check(path)
        if not (path.is_dir() if what == "folder" else path.is_file()):
            raise ListingError(f"{where}there is no {what} {os.path.normpath(name)}")
        self.paths[kind][path] = None

    def read(self, path: Path, base: Path, where: str, depth: int) -> None:
        """A file list; its entries are relative to `base`, and those of a list named with -F to the list."""
        if depth > MAX_DEPTH:
            raise ListingError(f"{where}: file lists are more than {MAX_DEPTH} deep inside of each other")
        self.add("lists", path, where)
        name = os.path.relpath(path, self._folder)
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError):
            raise ListingError(f"the file list {name} cannot be read as text") from None
        words = _words(text)
        for line, word in words:
            self._entries += 1
            here = f"{name}:{line}: {shown(word)}"
            if self._entries > MAX_ENTRIES:
                raise ListingError(f"{here}: the file lists have more than {MAX_ENTRIES} entries")
            if "$" in word or "%" in word or "`" in word:
                raise ListingError(f"{here} has a variable of the environment, which is not looked up; write the path")
            if word.startswith("+"):
                self._plus(word, base, here)
                continue
            option = next((name for name in _HOW if word.startswith(name)), None)
            if option is None and word.startswith("-"):
                if not _SPOKEN.fullmatch(word):
                    raise ListingError(f"{here} is no option that a file list may have; flags go below [flags]")
                continue
            if option is None:
                self.add("files", base / word, here)
                continue
            value = word[len(option) :]
            if not value:
                value = next(words, (line, ""))[1]
                if not value:
                    raise ListingError(f"{here} ends the list, and needs a name behind it")
                here += f" {shown(value)}"
            if option == "-D":
                self._define(value, here)
            elif _HOW[option] == "list":
                nested = base / value
                self.read(nested, nested.parent if option == "-F" else base, here, depth + 1)
            else:
                self.add(_HOW[option], base / value, here)

    def _plus(self, word: str, base: Path, here: str) -> None:
        _, name, *values = word.rstrip("+").split("+")
        if name == "incdir":
            for value in values:
                self.add("include", base / value, here)
        elif name == "define":
            for value in values:
                self._define(value, here)
        elif name == "libext":
            for value in values:
                if not re.fullmatch(r"(\.\w+)+", value):
                    raise ListingError(f"{here} is no list of endings such as +libext+.v")
            self.suffixes |= dict.fromkeys(values)
        elif not _SPOKEN.fullmatch(word):
            raise ListingError(f"{here} is none of +incdir+, +define+ and +libext+")

    def _define(self, text: str, here: str) -> None:
        name, _, value = text.partition("=")
        if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) or not re.fullmatch(DEFINED, value, re.ASCII):
            raise ListingError(f"{here} is no macro such as NAME or NAME=8'hff")
        self.defines[name] = value


def _words(text: str) -> Iterator[tuple[int, str]]:
    """(line, word) of a file list, without its comments: //, # and /* */."""
    blank = re.sub(r"/\*.*?\*/", lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.DOTALL)
    for number, line in enumerate(blank.splitlines(), 1):
        for quoted, plain in re.findall(r'"([^"]*)"|(\S+)', re.sub(r"(^|\s)(//|#).*", "", line)):
            yield number, quoted or plain
