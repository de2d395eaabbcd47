# SPDX-License-Identifier: Apache-2.0
"""A command of limbtrace on files of a request, in a folder and a process of its own, within limits.

`python -m limbtrace.service.routes.command_runner` stands between a worker and the command. A worker may be killed at
any time: then this process, which sees its input end, kills the command and removes the folder.
"""

import base64
import ctypes
import json
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from limbtrace.vectors.errors import ToolError

_PR_SET_PDEATHSIG = 1
_MOST_WRITTEN = 8 << 20
"""Bytes of a file that the command may write, and of its output."""
_SLOWEST = 10
"""A command may take this many times its CPU time, on a machine that has others to serve."""
TIME, MEMORY = "time", "memory"
PREFIX = "limbtrace-aside-"
"""Prefix of the names of the folders."""


class Ended(NamedTuple):
    """The end of a command. `code` is None if a limit ended it, TIME or MEMORY, or if it crashed."""

    code: int | None
    limit: str
    out: str
    said: str
    """The text on standard error."""


def run(folder: str, files: Mapping[str, bytes], arguments: Sequence[str], seconds: int, memory: int) -> Ended:
    """Run `limbtrace ARGUMENTS` beside a folder with these files, within CPU time and bytes of memory.

    Names of files and of the folder are the caller's to check. Nothing of it is left. Raises ToolError.
    """
    asked = {
        "folder": folder,
        "files": {name: base64.b64encode(content).decode() for name, content in files.items()},
        "arguments": [*arguments],
        "seconds": seconds,
        "memory": memory,
    }
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "limbtrace.service.routes.command_runner"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        try:
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            process.stdin.flush()  # and not closed: that would end the command
            answer = process.stdout.read()
        except OSError:
            answer = b""
    if not answer:
        raise ToolError("the process that runs commands has ended")
    return Ended(**json.loads(answer))


def main() -> None:
    """Serve the request on standard input. Ends when that does."""
    asked = json.loads(sys.stdin.buffer.readline())
    place = Path(tempfile.mkdtemp(prefix=PREFIX))
    try:
        answer = _served(place, asked)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    if answer is not None:
        sys.stdout.write(json.dumps(answer._asdict()))


def _served(place: Path, asked: dict[str, Any]) -> Ended | None:
    """The end of the command; None if the worker has gone."""
    folder, files, arguments = asked["folder"], asked["files"], asked["arguments"]
    seconds, memory = asked["seconds"], asked["memory"]
    (place / folder).mkdir()
    for name, content in files.items():
        (place / folder / name).write_bytes(base64.b64decode(content))
    own = {name: value for name, value in os.environ.items() if not name.startswith("LIMBTRACE_")}
    # Files without names: the folder, which the client names, could be called like any other.
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
        command = subprocess.Popen(
            [sys.executable, "-P", "-m", "limbtrace", *arguments],
            cwd=place,
            env={**own, "HOME": str(place), "TMPDIR": str(place), "NO_COLOR": "1"},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=said,
            preexec_fn=lambda: _confine(seconds, memory),  # this process has one thread
        )
        ended = _wait(command, _SLOWEST * seconds)
        if ended is None:
            return None
        texts = []
        for stream in (out, said):
            stream.seek(0)
            texts.append(stream.read(_MOST_WRITTEN).decode(errors="replace"))
    code = command.returncode
    slow = ended == TIME or code in (-signal.SIGXCPU, -signal.SIGKILL)
    limit = TIME if slow else MEMORY if code == -signal.SIGABRT or "not enough memory" in texts[1] else ""
    return Ended(None if limit or code < 0 else code, limit, texts[0], texts[1])


def _wait(command: "subprocess.Popen[bytes]", seconds: int) -> str | None:
    """Wait for the end of the command: "" if it ended, TIME if it was too slow, None if the worker has gone."""
    descriptor = os.pidfd_open(command.pid)
    try:
        ready, _, _ = select.select([descriptor, sys.stdin], [], [], seconds)
    finally:
        os.close(descriptor)
    if descriptor not in ready:
        command.kill()
    command.wait()
    return "" if descriptor in ready else None if ready else TIME


def _confine(seconds: int, memory: int) -> None:
    """End with the parent; limits of CPU time, memory and of what is written."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MOST_WRITTEN, _MOST_WRITTEN))
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    limit = memory if most == resource.RLIM_INFINITY else min(memory, most)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


if __name__ == "__main__":
    main()
