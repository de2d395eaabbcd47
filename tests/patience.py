# SPDX-License-Identifier: Apache-2.0
"""How long tests wait for an event: long enough for a busy machine, so that only a hang fails."""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

PATIENCE = 300.0
"""Time limit of a wait, in seconds."""


def eventually(holds: Callable[[], bool]) -> bool:
    """Whether a condition becomes true; False if it does not in time."""
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def computed(process: int) -> float:
    """CPU time of a process in seconds, which does not depend on the load of the machine."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def get(url: str, **options: Any) -> httpx.Response:
    """The response of a service."""
    return httpx.get(url, timeout=PATIENCE, **options)


class Pulse:
    """A monitor: a context in which /healthz is asked again and again; `seconds` are the times of the answers."""

    def __init__(self, url: str, pause: float = 0.02) -> None:
        self._url, self._pause = f"{url}/healthz", pause
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._ask)
        self.seconds: list[float] = []
        self.failures = 0

    @property
    def answered(self) -> bool:
        """Whether there were answers, and nothing else."""
        return bool(self.seconds) and not self.failures

    def percentile(self, share: float) -> float:
        """The time within which this share of the answers came."""
        return sorted(self.seconds)[round(share * (len(self.seconds) - 1))]

    def __enter__(self) -> "Pulse":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _ask(self) -> None:
        with httpx.Client(timeout=PATIENCE, verify=False) as client:
            while not self._done.wait(self._pause):
                begin = time.perf_counter()
                try:
                    self.failures += client.get(self._url).status_code != 200
                except httpx.HTTPError:
                    self.failures += 1
                self.seconds.append(time.perf_counter() - begin)
