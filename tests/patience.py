# SPDX-License-Identifier: Apache-2.0
"""How long tests wait for an event: long enough for a busy machine, so that only a hang fails."""

import os
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
