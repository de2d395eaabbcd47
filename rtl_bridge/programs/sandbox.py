# SPDX-License-Identifier: Apache-2.0
"""Sandbox for a tool that works on the RTL of a stranger: it writes in one folder alone, and makes no socket.

bubblewrap does it if it is installed, otherwise namespaces of our own (`sandbox_exec`) if the system lets users
have them; a filter of system calls (`seccomp`) is added to both. Each way is tried before it is used, and without any
nothing runs. Folders with files of people are empty inside, but for what its command and environment name.
"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache as once
from pathlib import Path
from typing import Any

from limbtrace.vectors import cache
from limbtrace.vectors.errors import ToolError

EXEC, FILTER = (Path(__file__).resolve().with_name(name) for name in ("sandbox_exec.py", "seccomp.py"))
EMPTY = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/home", "/root", "/media", "/mnt")
"""Folders in which nothing is inside, as far as they are there, and the home of the user."""
INHERITED = ("PATH", "LANG", "LANGUAGE", "TZ", "TERM", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "VERILATOR_ROOT", "IVL_ROOT",
             "GHDL_PREFIX", "CC", "CXX", "CFLAGS", "CXXFLAGS", "LIMBTRACE_BUILD")  # fmt: skip
"""Variables of the environment that a tool gets inside, and those that begin with LC_."""
WAYS = ("bubblewrap", "namespaces")
"""In the order in which they are tried."""


def check() -> None:
    """Raises ToolError where this system has no sandbox."""
    way(WAYS)


def confined(command: Sequence[str], folder: Path, surroundings: Mapping[str, str] | None = None) -> list[str]:
    """The command with which a program runs in `folder` and writes nowhere else.

    It can read what it and its environment `surroundings` name. Raises ToolError.
    """
    return _confined(way(WAYS), command, folder, surroundings or {})


def exit_code(code: int) -> int:
    """The exit code of what ran inside, as of Popen: bubblewrap says of a signal what a shell does."""
    return 128 - code if code - 128 in set(signal.Signals) else code


def surroundings(given: Mapping[str, str], folder: Path) -> dict[str, str]:
    """The environment inside: the given one without secrets and addresses of services.

    Temporary files go into the folder, and no cache of a compiler is written.
    """
    kept = {name: value for name, value in given.items() if name in INHERITED or name.startswith("LC_")}
    return {**kept, "HOME": str(folder), "TMPDIR": str(folder), "CCACHE_DISABLE": "1"}


def _confined(way: str, command: Sequence[str], folder: Path, surroundings: Mapping[str, str]) -> list[str]:
    place = os.path.realpath(folder)
    empty = _empty()
    kept = _kept([*command, *surroundings.values()], empty, place)
    filtered = [sys.executable, "-I", "-S", str(FILTER), *command]
    if way == "namespaces":
        places = json.dumps({"folder": place, "empty": empty, "kept": kept})
        return [sys.executable, "-I", "-S", str(EXEC), places, *filtered]
    shown = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    shown += [word for name in empty for word in ("--tmpfs", name)]
    shown += [word for name in kept for word in ("--ro-bind", name, name)]
    shown += ["--bind", place, place, *(word for name in empty for word in ("--remount-ro", name))]
    own = ["--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--cap-drop", "ALL"]
    return ["bwrap", *own, *shown, "--die-with-parent", "--new-session", "--chdir", place, "--", *filtered]


def _empty() -> list[str]:
    """The folders in which nothing is to be, of which none is in another one."""
    found = [os.path.realpath(name) for name in (*EMPTY, os.path.expanduser("~")) if os.path.isdir(name)]
    return [name for name in dict.fromkeys(found) if name != "/" and not {*map(str, Path(name).parents)} & {*found}]


def _kept(texts: Sequence[str], empty: Sequence[str], folder: str) -> list[str]:
    """Files and folders below the empty ones that texts name or this Python needs."""
    own = [sys.prefix, sys.base_prefix, sys.executable, str(Path(__file__).parents[3]), str(cache.folder())]
    found = {os.path.normpath(path) for text in (*own, *texts) for path in _paths(text)}
    found |= {os.path.realpath(path) for path in found}
    # A program that is installed in a home has what it needs beside its folder there.
    programs = (Path(path) for path in found if Path(path).parent.name == "bin" and os.path.isfile(path))
    found |= {str(path.parents[1]) for path in programs}
    barred = {folder, *empty, os.path.realpath(os.path.expanduser("~")), "/"}
    kept: list[str] = []
    for path in sorted(found - barred):
        is_below = any(path.startswith(f"{name}/") for name in empty) and os.path.exists(path)
        if is_below and not any(path.startswith(f"{above}/") for above in kept):
            kept.append(path)
    return kept


def _paths(text: str) -> Iterator[str]:
    """Absolute paths in a word of a command, in one for a shell, in a list, or in JSON."""
    if text.startswith(("{", "[")):
        try:
            yield from _in_json(json.loads(text))
        except ValueError:
            return
        return
    try:
        words = shlex.split(text)
    except ValueError:
        words = [text]
    for word in (text, *words):
        for part in re.split(r"[=;:,+]", word):
            path = part[2:] if part[:2] in ("-I", "-L", "-y", "-v", "-f") else part
            if path.startswith("/"):
                yield path
        if word.startswith("/"):
            yield word


def _in_json(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from _paths(value)
    elif isinstance(value, dict | list):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _in_json(entry)


@once
def way(ways: Sequence[str]) -> str:
    """The first of the ways that works here. Raises ToolError."""
    for way in ways:
        if way == "bubblewrap" and shutil.which("bwrap") is None:
            continue
        with tempfile.TemporaryDirectory(prefix="limbtrace-") as folder:
            mark = Path(folder) / "mark"
            command = _confined(way, ["sh", "-c", f"echo > {mark.name}; : > {folder}.outside"], mark.parent, {})
            try:
                subprocess.run(
                    command, capture_output=True, stdin=subprocess.DEVNULL, timeout=60, check=False, cwd=folder
                )
            except (OSError, subprocess.TimeoutExpired):
                continue
            outside = Path(f"{folder}.outside")
            if mark.exists() and not outside.exists():
                return way
            outside.unlink(missing_ok=True)
    raise ToolError(
        "--sandbox takes bubblewrap (on Debian, apt-get install bubblewrap) or user namespaces, "
        "and this system has or allows neither"
    )
