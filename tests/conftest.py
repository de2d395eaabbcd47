# SPDX-License-Identifier: Apache-2.0
"""Settings of Hypothesis, and data that several tests share."""

import atexit
import gc
import json
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from limbtrace.vectors import progress
from tests.postgres import Server

pytest_plugins = ["tests.cpu", "tests.parts", "tests.sample"]

# Services started by tests store sets here, not in the user's home directory.
_STATE = tempfile.mkdtemp(prefix="limbtrace-tests-")
atexit.register(shutil.rmtree, _STATE, ignore_errors=True)
os.environ["XDG_STATE_HOME"] = _STATE
# Commands started by tests buffer their output and keep compiled modules, as they do for users, regardless of the
# environment: a simulation starts Python twice, and compiling the modules would take longer than a small simulation.
for _name in ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"):
    os.environ.pop(_name, None)
# Nothing here multiplies matrices of floats, and the threads for that would take time from the other workers.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Under nohup, commands would inherit that a hangup is ignored.
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# "repeatable" draws the same examples in every run; HYPOTHESIS_PROFILE=search looks for new ones.
_COMMON = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("repeatable", _COMMON, derandomize=True, database=None, max_examples=80)
settings.register_profile("search", _COMMON, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


@pytest.fixture(autouse=True)
def no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disables progress lines, which depend on how long a command takes."""
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: 0.0))


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """A C compiler also in a run that does without (`CC= ./run test`), for tests of what it compiles."""
    monkeypatch.delenv("CC", raising=False)


def pytest_collection_finish() -> None:
    """Thousands of collected tests are no garbage: looking through them again and again takes a seventh of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)


def pytest_unconfigure() -> None:
    """At its end an interpreter takes everything apart."""
    gc.unfreeze()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server of this test process."""
    server = Server()
    try:
        yield server
    finally:
        server.close()


ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def iddmm_data() -> Any:
    """Test vectors of the IDDMM paper and corner vectors, in hexadecimal."""
    return json.loads((ROOT / "tests/data/iddmm_appendix_a.json").read_text())


@pytest.fixture(scope="session")
def fpmm_data() -> Any:
    """Corner vectors of the FPMM paper's Algorithm 1, in hexadecimal."""
    return json.loads((ROOT / "tests/data/fpmm_vectors.json").read_text())
