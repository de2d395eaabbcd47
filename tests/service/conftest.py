# SPDX-License-Identifier: Apache-2.0
"""One service for all tests without special limits, over real HTTP."""

from collections.abc import Iterator

import httpx
import pytest

from limbtrace.service.server import background
from tests.patience import PATIENCE


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    with background() as address:
        yield address


@pytest.fixture(scope="session")
def api(url: str) -> Iterator[httpx.Client]:
    """A client that requests uncompressed responses; compressed ones have separate tests."""
    with httpx.Client(base_url=url, timeout=PATIENCE, headers={"Accept-Encoding": "identity"}) as client:
        yield client
