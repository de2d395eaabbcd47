# SPDX-License-Identifier: Apache-2.0
"""C text as a loaded library: compiled once on a machine, with the compiler that is there, and kept in the cache.

What a caller does with the library must have a slower way in Python, which gives the same values: a machine may have no
compiler, or no folder to keep anything in.
"""

import ctypes
import hashlib
import logging
import os
import platform
import shlex
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from limbtrace.vectors import cache
from limbtrace.vectors.errors import ToolError

FLAGS = ("-std=c11", "-O2", "-fPIC", "-shared")
NAMES = ("cc", "gcc", "clang")
"""Compilers in the order in which they are looked for, where $CC names none; an empty $CC is for none at all."""
new_allowed = True
"""True if this process may compile what is not in the cache; a service, whose clients decide what it is, may not."""
_LOG = logging.getLogger("limbtrace")
_loaded: dict[str, ctypes.CDLL] = {}
_said: set[str] = set()


def compiler() -> list[str] | None:
    """The command that compiles C, its program as a path; None without a compiler."""
    chosen = os.environ.get("CC")
    for command in map(shlex.split, NAMES if chosen is None else (chosen,)):
        if command and (path := shutil.which(command[0])):
            return [path, *command[1:]]
    return None


def compiled(text: str, name: str) -> ctypes.CDLL | None:
    """The library of a C text, loaded; `name` is how its file begins.

    None, and what is raised, as by `kept`.
    """
    if (path := kept(text, name)) is None:
        return None
    with suppress(KeyError):
        return _loaded[str(path)]
    try:
        return _loaded.setdefault(str(path), ctypes.CDLL(str(path)))
    except OSError as error:
        _say_once(f"compiled code cannot be loaded: {error}")
        return None


def usable(text: str, name: str) -> ctypes.CDLL | None:
    """As `compiled`, but None too where a compiler fails, with a word to the log."""
    try:
        return compiled(text, name)
    except ToolError as error:
        _say_once(str(error))
        return None


def kept(text: str, name: str, *, make: bool = True) -> Path | None:
    """The library of a C text as a file of the cache; if missing, it is compiled, or without `make` None.

    None, too, if it would have to be new and that is not allowed, and, with a message in the log, without a
    compiler or a place to keep it. Raises ToolError with the last lines of a compiler that fails. Safe against other
    threads and processes that compile the same, and against being killed: a library appears whole.
    """
    if (command := compiler()) is None:
        _say_once("there is no C compiler")
        return None
    path = cache.folder() / f"{name}-{_key(text, command)}.so"
    try:
        if not _is_whole(path):
            if not (make and new_allowed):
                return None
            path.parent.mkdir(parents=True, exist_ok=True)
            with cache.locked(path):
                if not _is_whole(path):
                    _compile(text, command, path)
    except OSError as error:
        _say_once(f"compiled code cannot be kept: {error.filename or path}: {error.strerror or error}")
        return None
    return path


def _key(text: str, command: list[str]) -> str:
    """A hash of everything that goes into a library."""
    found = Path(command[0]).resolve().stat()
    tool = (*command, *FLAGS, found.st_size, found.st_mtime_ns, platform.machine())
    return hashlib.sha256(f"{tool}\0{text}".encode()).hexdigest()[:24]


def _compile(text: str, command: list[str], kept: Path) -> None:
    """Raises ToolError, OSError."""
    with tempfile.TemporaryDirectory(prefix=f".{kept.stem}.", dir=kept.parent) as work:
        made = Path(work) / kept.name
        whole = [*command, *FLAGS, "-x", "c", "-o", str(made), "-"]
        done = subprocess.run(whole, input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            lines = done.stdout.decode(errors="replace").strip().splitlines()[-4:]
            raise ToolError(f"{command[0]} failed with exit code {done.returncode}: {' | '.join(lines)[-600:]}")
        made.replace(kept)


def _is_whole(file: Path) -> bool:
    """True if a file is there; a machine that crashed may have left an empty one."""
    return file.is_file() and file.stat().st_size > 0


def _say_once(why: str) -> None:
    """Say once why the slower way is taken."""
    if why not in _said:
        _said.add(why)
        _LOG.info("%s; Python computes, which is slower and gives the same values", why)
