# SPDX-License-Identifier: Apache-2.0
"""Settings of hypothesis and data that several tests share."""

import atexit
import gc
import json
import os
import shutil
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from vectors import progress

# Services that tests start remember sets here, not in the home of whoever runs the tests.
_STATE = tempfile.mkdtemp(prefix="limbtrace-tests-")
atexit.register(shutil.rmtree, _STATE, ignore_errors=True)
os.environ["XDG_STATE_HOME"] = _STATE
# Commands that tests start buffer what they print and keep compiled modules, as they do for users, whatever is set
# where tests are run: a simulation starts twice, and compiling takes longer than all else that a small one does.
for _name in ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"):
    os.environ.pop(_name, None)
# Threads for matrices of floats, which nothing here multiplies, would take time from the other workers.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

FULL = "LIMBTRACE_FULL" in os.environ
"""Whether the full matrix was asked for (`./run test --full`)."""

# "repeatable" draws the same examples in every run; HYPOTHESIS_PROFILE=search looks for new ones.
_COMMON = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("repeatable", _COMMON, derandomize=True, database=None, max_examples=80)
settings.register_profile("search", _COMMON, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


@pytest.fixture(autouse=True)
def no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that takes a second says how far it is, and how long a command takes is no matter of its tests."""
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: 0.0))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests marked `full` belong to the full matrix only; elsewhere they are not part of the suite."""
    rest = [] if FULL else [item for item in items if item.get_closest_marker("full")]
    config.hook.pytest_deselected(items=rest)
    items[:] = [item for item in items if item not in rest]


def pytest_collection_finish() -> None:
    """Thousands of collected tests are no garbage: looking through them again and again takes a seventh of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)


def pytest_unconfigure() -> None:
    """At its end an interpreter takes everything apart."""
    gc.unfreeze()


ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def iddmm_data() -> Any:
    """Test vectors of the IDDMM paper and corner vectors, in hexadecimal."""
    return json.loads((ROOT / "tests/data/iddmm_appendix_a.json").read_text())


@pytest.fixture(scope="session")
def fpmm_data() -> Any:
    """Corner vectors of the FPMM paper's Algorithm 1, in hexadecimal."""
    return json.loads((ROOT / "tests/data/fpmm_vectors.json").read_text())
