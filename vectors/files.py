# SPDX-License-Identifier: Apache-2.0
"""Files are written completely or not at all: under a temporary name first, then renamed.

A process that is killed leaves the temporary one. It is locked while it is written, so the next process that writes to
the same path knows that no process does any more, and removes it.
"""

import errno
import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.errors import ToolError


class OutputError(ParameterError):
    """An output that cannot be written to the requested path."""

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__("output", f"{path} cannot be written: {error.strerror or error}")


class DiskError(ToolError):
    """Writing failed half-way, for example because the disk is full; no partial file remains."""


def write_file(path: Path, chunks: Iterable[bytes]) -> None:
    """Write `chunks` to `path`; raises OutputError before the first chunk is generated, DiskError later."""
    with _temporary(path, directory=False) as temporary, temporary.open("wb") as stream:
        _copy(chunks, stream.write)


def write_directory(path: Path, files: Iterable[tuple[str, Iterable[bytes]]], owned_by: str) -> None:
    """Write files into a new folder `path`; a name may contain folders.

    An existing folder is replaced only if it is empty or holds a file called `owned_by`, the mark of an earlier
    output. Raises OutputError, DiskError.
    """
    check_directory(path, owned_by)
    with _temporary(path, directory=True) as temporary:
        for name, chunks in files:
            (temporary / name).parent.mkdir(parents=True, exist_ok=True)
            with (temporary / name).open("wb") as stream:
                _copy(chunks, stream.write)


def check_directory(path: Path, owned_by: str) -> None:
    """Raises ParameterError where `write_directory` would not replace a folder that is there."""
    if path.exists() and not (path.is_dir() and ((path / owned_by).is_file() or not any(path.iterdir()))):
        raise ParameterError("output", f"{path} exists and is not an earlier output of this command")


def _copy(chunks: Iterable[bytes], write: Callable[[bytes], object]) -> None:
    for chunk in chunks:
        try:
            write(chunk)
        except OSError as error:
            raise DiskError(f"writing stopped: {error.strerror}") from error


@contextmanager
def _temporary(path: Path, *, directory: bool) -> Iterator[Path]:
    """A temporary neighbour of `path`, renamed to it at the end and removed on failure."""
    path = Path(os.path.realpath(path))  # a link stays, and what it points to is replaced
    prefix = f".{path.name}.limbtrace-"
    try:
        if path.is_symlink():
            raise OSError(errno.ELOOP, "it is a link to itself")
        if path.is_dir() and not directory:
            raise IsADirectoryError(21, "it is a directory")
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise OSError(22, "it is a device or a pipe, which a rename would replace: redirect standard output to it")
        _remove_abandoned(path.parent, prefix)
        temporary, lock = _locked(path.parent, prefix, directory)
    except OSError as error:
        raise OutputError(path, error) from None
    try:
        yield temporary
        temporary.chmod(_mode(path, directory))
        if directory and path.exists():
            shutil.rmtree(path)
        temporary.replace(path)
    except OSError as error:
        _remove(temporary)
        raise DiskError(f"{path}: {error.strerror}") from error
    except BaseException:
        _remove(temporary)
        raise
    finally:
        os.close(lock)


def _locked(parent: Path, prefix: str, directory: bool) -> tuple[Path, int]:
    """A new temporary file or folder, and a descriptor of it that holds a lock. Raises OSError."""
    while True:
        if directory:
            temporary = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
            descriptor = os.open(temporary, os.O_RDONLY)
        else:
            descriptor, name = tempfile.mkstemp(prefix=prefix, dir=parent)
            temporary = Path(name)
        with suppress(OSError):  # a file system without locks, on which nothing is removed either
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        with suppress(FileNotFoundError):
            if os.path.samestat(temporary.stat(), os.fstat(descriptor)):
                return temporary, descriptor
        os.close(descriptor)  # another process took it for an abandoned one before it was locked


def _remove_abandoned(parent: Path, prefix: str) -> None:
    """Remove temporary files and folders for the same path whose processes were killed."""
    with suppress(OSError):
        for name in os.listdir(parent):
            if re.fullmatch(f"{re.escape(prefix)}[a-z0-9_]{{8}}", name):
                _remove_unlocked(parent / name)


def _remove_unlocked(path: Path) -> None:
    """Remove a file or folder unless a process holds it; one that cannot be read or removed stays."""
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(path)
        finally:
            os.close(descriptor)


def _mode(path: Path, directory: bool) -> int:
    """The mode that a file has already, or that it would get from an ordinary open."""
    if path.exists():
        return path.stat().st_mode & 0o7777
    umask = os.umask(0)
    os.umask(umask)
    return (0o777 if directory else 0o666) & ~umask


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
