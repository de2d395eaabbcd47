# SPDX-License-Identifier: Apache-2.0
"""How long tests wait for what has to happen: so long that a busy machine gets there, and only what hangs does not."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

PATIENCE = 300.0
"""Seconds."""


def eventually(holds: Callable[[], bool]) -> bool:
    """Whether something comes true; False where it hangs."""
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def computed(process: int) -> float:
    """Seconds for which a process has had a processor, whatever else the machine does."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def get(url: str, **options: Any) -> httpx.Response:
    """What a service answers."""
    return httpx.get(url, timeout=PATIENCE, **options)
