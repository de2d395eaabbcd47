# SPDX-License-Identifier: Apache-2.0
"""The server of a soak: its processes, which are killed and looked at."""

import json
import os
import signal
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from limbtrace.vectors.errors import ToolError

START_SECONDS = 60.0
END_SECONDS = 10.0
"""Seconds that the processes of a server may take to end."""


class Server:
    """A server on a port of 127.0.0.1 that stays the same when it is started again."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        """`command` takes --port and --database as `limbtrace serve` does; `folder` is for the database and logs."""
        self._command, self._folder = command, folder
        self._process: subprocess.Popen[bytes] | None = None
        self.starts = 0
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.left = 0
        """Processes that were there after their server had ended."""
        self.end_seconds = 0.0

    def start(self) -> None:
        """Returns when it listens. Raises ToolError."""
        self.starts += 1
        log = self._folder / f"serve-{self.starts}.log"
        database = f"sqlite:///{self._folder}/sets.sqlite3"
        words = [*self._command, "--port", str(self.port), "--database", database]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("LIMBTRACE_")}
        with log.open("wb") as stream:
            self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=stream, env=environment)
        end = time.monotonic() + START_SECONDS
        while b"serving on" not in log.read_bytes():
            if self._process.poll() is not None or time.monotonic() > end:
                self.kill()
                raise ToolError(f"the server did not start: {log.read_text(errors='replace')[-300:]}")
            time.sleep(0.02)

    def kill(self) -> None:
        """End it without a warning, and wait for its processes."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it as a service manager does; notes how long all of its processes took."""
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        if self._process is None:
            return
        everybody = [_started(process) for process in self.processes()]
        begin = time.monotonic()
        self._process.send_signal(number)
        while any(map(_is_there, everybody)) and time.monotonic() < begin + END_SECONDS:
            self._process.poll()  # else it stays as a zombie
            time.sleep(0.02)
        self.end_seconds = time.monotonic() - begin
        for process, start in filter(_is_there, everybody):
            self.left += 1
            if _is_there((process, start)):
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
        self._process.wait()
        self._process = None

    def processes(self) -> list[int]:
        """The server, its process that makes workers, and the workers."""
        if self._process is None:
            return []
        makers = children(self._process.pid)
        return [self._process.pid, *makers, *(worker for maker in makers for worker in children(maker))]

    def kill_worker(self, chosen: int) -> bool:
        """Kill one of the workers; False if there is none."""
        workers = self.processes()[2:]
        if workers:
            with suppress(ProcessLookupError):
                os.kill(workers[chosen % len(workers)], signal.SIGKILL)
        return bool(workers)

    def sizes(self) -> dict[str, int] | None:
        """Memory in bytes and descriptors now; None while it is away."""
        found = {"server": 0, "all": 0, "descriptors": 0}
        try:
            first, *others = self.processes()
            found["server"] = found["all"] = _memory(first)
            found["descriptors"] = len(os.listdir(f"/proc/{first}/fd"))
        except (OSError, ValueError):
            return None
        for process in others:
            with suppress(OSError, ValueError):
                found["all"] += _memory(process)
        return found

    def log(self) -> dict[str, Any]:
        """Bytes that the servers wrote on standard error, lines by level, and tracebacks by their ends."""
        text = "".join(path.read_text(errors="replace") for path in sorted(self._folder.glob("serve-*.log")))
        levels: Counter[str] = Counter()
        tracebacks: Counter[str] = Counter()
        for line in text.splitlines():
            with suppress(ValueError):
                entry = json.loads(line)
                levels[entry["level"]] += 1
                if "exception" in entry:
                    ends = [end.strip(" |+-") for end in entry["exception"].splitlines()]
                    tracebacks[[end for end in ends if end][-1]] += 1
        return {"bytes": len(text.encode()), "levels": dict(levels), "tracebacks": dict(tracebacks)}


def children(process: int) -> list[int]:
    """The children of a process, of all its threads."""
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            with suppress(OSError):
                found += map(int, (task / "children").read_text().split())
    return found


def _started(process: int) -> tuple[int, str]:
    """A process and when it began, which tells it from a later one of the same number."""
    try:
        return process, Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return process, ""


def _is_there(known: tuple[int, str]) -> bool:
    return known[1] != "" and _started(known[0]) == known


def _memory(process: int) -> int:
    """Bytes of memory of a process; pages that it shares with others count in proportion."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024
