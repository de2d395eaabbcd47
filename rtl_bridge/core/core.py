# SPDX-License-Identifier: Apache-2.0
"""A core's folder: how it is found, and the one-sentence errors about its `core.toml`."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from refmodels.errors import ParameterError
from rtl_bridge.core.file import CoreFile
from rtl_bridge.protocols import kinds

BUILT_IN = Path(__file__).parents[1] / "rtl"
CELLS = BUILT_IN / "cells"
"""Modules that the built-in cores share; any core may use them."""


@dataclass(frozen=True)
class Core:
    """A core's folder and its description."""

    folder: Path
    file: CoreFile

    @property
    def place(self) -> str:
        """Path of the description, for messages."""
        return str(self.folder / "core.toml")

    def error(self, sentence: str) -> ParameterError:
        """A complaint about the description."""
        return ParameterError("core", f"{self.place}: {sentence}")

    @property
    def cells(self) -> list[Path]:
        """Shared files, in compilation order."""
        return [CELLS / name for name in self.file.cells]

    @property
    def rtl(self) -> list[Path]:
        """All hardware sources, in compilation order."""
        return [*self.cells, *(self.folder / name for name in self.file.files)]

    @property
    def sources(self) -> list[Path]:
        """All simulated sources, in compilation order; the probe comes last."""
        return [*self.rtl, *([self.folder / self.file.probe.file] if self.file.probe else [])]


def find(name: str) -> Core:
    """A built-in core by name, or the core in a folder. Raises ParameterError("core")."""
    folder = BUILT_IN / name
    if not name.isidentifier() or not (folder / "core.toml").is_file():
        folder = Path(name)
    if not folder.is_dir():
        known = ", ".join(core.name for core in built_in())
        raise ParameterError("core", f"there is no core {name[:80]!r}, neither a folder nor one of {known}")
    try:
        str(folder.absolute()).encode()
    except UnicodeEncodeError:
        raise ParameterError("core", "the name of its folder is not UTF-8") from None
    return load(folder)


def built_in() -> Iterator[Path]:
    """Folders of the built-in cores."""
    return (path.parent for path in sorted(BUILT_IN.glob("*/core.toml")))


def load(folder: Path) -> Core:
    """The core in a folder. Raises ParameterError("core"), one sentence that names file and key."""
    path = folder / "core.toml"
    file = _read(path)
    if isinstance(file, str):
        raise ParameterError("core", f"{path} {file}")
    core = Core(folder, file)
    for cell in core.cells:
        if not cell.is_file():
            known = ", ".join(path.name for path in sorted(CELLS.iterdir()))
            raise core.error(f"there is no cell {cell.name}; there is {known}")
    for source in core.sources:
        if not source.is_file():
            raise core.error(f"there is no file {source.relative_to(folder)}")
    return core


def _read(path: Path) -> CoreFile | str:
    """The description, or the error in it.

    The error is returned because pydantic's exceptions keep the frames of validators and callers alive.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        return CoreFile.model_validate(document)
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return f"is not TOML: {error}"
    except ValidationError as error:
        return f"is wrong: {_sentence(error)}"


def _sentence(error: ValidationError) -> str:
    """The first complaint: key, fault, and the value given."""
    first = error.errors()[0]
    key = ""
    for part in first["loc"]:
        if isinstance(part, int):
            key += f"[{part}]"
        elif part not in (*kinds(), "constrained-str", "int", "[key]"):  # alternatives are no keys
            key += f".{part}" if key else str(part)
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        return f"{key} is no key of a core.toml"
    if first["type"] == "missing":
        return f"{key} is missing"
    if first["type"] == "value_error":
        return f"{key} {message}".strip()
    return f"{key}: {message[:1].lower()}{message[1:]}, not {str(first['input'])[:60]!r}"
