# SPDX-License-Identifier: Apache-2.0
"""How a tool runs that works on the RTL of a stranger: it writes in one folder alone and has no network.

bubblewrap does it where it is installed, otherwise namespaces of our own (`programs.box`) where the system lets users
have them. Each way is tried before it is used, and without any nothing runs.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from vectors.errors import ToolError

BOX = Path(__file__).with_name("box.py")
WAYS = ("bubblewrap", "namespaces")
"""In the order in which they are tried."""


def check() -> None:
    """Raises ToolError where this system has no sandbox."""
    way(WAYS)


def confined(command: Sequence[str], folder: Path) -> list[str]:
    """The command with which a program runs in `folder` and writes nowhere else. Raises ToolError."""
    return _confined(way(WAYS), command, folder)


def exit_code(code: int) -> int:
    """The exit code of what ran inside, as of Popen: bubblewrap says of a signal what a shell does."""
    return 128 - code if code - 128 in set(signal.Signals) else code


def surroundings(folder: Path) -> dict[str, str]:
    """What else its environment says: temporary files go into the folder, and no cache of a compiler is written."""
    return {"TMPDIR": str(folder), "CCACHE_DISABLE": "1"}


def _confined(way: str, command: Sequence[str], folder: Path) -> list[str]:
    place = os.path.realpath(folder)
    if way == "namespaces":
        return [sys.executable, "-I", "-S", str(BOX), place, *command]
    shown = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/run", "--bind", place, place]
    own = ["--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--cap-drop", "ALL"]
    return ["bwrap", *own, *shown, "--die-with-parent", "--new-session", "--chdir", place, "--", *command]


@cache
def way(ways: Sequence[str]) -> str:
    """The first of the ways that works here. Raises ToolError."""
    for way in ways:
        if way == "bubblewrap" and shutil.which("bwrap") is None:
            continue
        with tempfile.TemporaryDirectory(prefix="limbtrace-") as folder:
            mark = Path(folder) / "mark"
            command = _confined(way, ["sh", "-c", f"echo > {mark.name}; : > {folder}.outside"], mark.parent)
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
