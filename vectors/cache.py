# SPDX-License-Identifier: Apache-2.0
"""The cache of things that take long to make: simulation models and compiled C."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def folder() -> Path:
    """$LIMBTRACE_BUILD, or build/sim of a checkout, or the user's cache folder; it may not be there yet."""
    if chosen := os.environ.get("LIMBTRACE_BUILD"):
        return Path(chosen).absolute()
    checkout = Path(__file__).resolve().parents[1]
    if (checkout / "pyproject.toml").is_file():
        return checkout / "build" / "sim"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").absolute() / "limbtrace"


@contextmanager
def locked(kept: Path) -> Iterator[None]:
    """One process or thread at a time makes `kept`; the lock ends with the process that holds it. Raises OSError."""
    with kept.with_suffix(".lock").open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield
