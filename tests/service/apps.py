# SPDX-License-Identifier: Apache-2.0
"""Apps with faults, for workers of services under test: what monkeypatch does in a process, done in theirs."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from fastapi import FastAPI

from limbtrace.refmodels.registry import ARCHITECTURES
from limbtrace.service.app import build
from limbtrace.service.storage.store import Store
from limbtrace.vectors import catalogue, sets
from tests.rtl_bridge.toys import serial_arch

FAULTY = "tests.service.apps:faulty"
"""matplotlib is missing, the list of models fails, and sets of mlkem fail after a byte."""
TOY = "tests.service.apps:with_toy"
"""Has a core of the tests."""
FULL_DISK = "tests.service.apps:full_disk"
"""The disk can be made full."""


def full(database: Path) -> Path:
    """While this file exists, the disk of that database is full."""
    return database.with_suffix(".full")


def faulty() -> FastAPI:
    """See FAULTY."""
    sys.modules["matplotlib"] = cast(Any, None)
    cast(Any, catalogue).models_document = _fail
    render = sets.render
    cast(Any, sets).render = lambda made, name: (
        _broken() if made.request.multiplier.modulus.name == "mlkem" else render(made, name)
    )
    return build()


def with_toy() -> FastAPI:
    """See TOY."""
    cast(Any, ARCHITECTURES)[serial_arch.ARCHITECTURE.id] = serial_arch.ARCHITECTURE
    return build()


def full_disk() -> FastAPI:
    """See FULL_DISK."""
    write = Store._write
    cast(Any, Store)._write = lambda store, new: _write_full(store) if _is_full(store) else write(store, new)
    return build()


def _fail() -> None:
    raise RuntimeError("secret")


def _broken() -> Iterator[bytes]:
    yield b"{"
    raise RuntimeError("too late")


def _is_full(store: Store) -> bool:
    return full(Path(store.database._engine.url.database or "")).exists()


def _write_full(store: Store) -> None:
    """Makes a write fail as on a full disk."""
    with store.database._failures(), store.database._engine.begin() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1")
        connection.exec_driver_sql("CREATE TABLE more (x)")
    raise AssertionError("there was room")
