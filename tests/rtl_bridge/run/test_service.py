# SPDX-License-Identifier: Apache-2.0
"""Golden data over HTTP: the same simulations with a service between model and simulator."""

from collections.abc import Iterator

import pytest

from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.service.server import background
from tests.rtl_bridge.helpers import CORE, TOYS, job


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with background() as address:
        yield address


@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
@pytest.mark.parametrize("core", [CORE, TOYS / "digit_toy"])
def test_the_same_outcome_as_without(mode: str, core: str, url: str) -> None:
    asked = job(core, settings={"radix": "2^4"}, mode=mode, count=30)
    remote, local = (simulate(asked.model_copy(update={"service": service})) for service in (url, None))
    assert remote.passed
    assert remote.tally.verified == 30
    assert (remote.tally.cycles, remote.signals) == (local.tally.cycles, local.signals)
