# SPDX-License-Identifier: Apache-2.0
"""Cores that the bridge has never heard of: nothing but a folder with RTL and a core.toml."""

import pytest

from rtl_bridge.simulation import simulate
from tests.rtl_bridge.helpers import TOYS, job


@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
@pytest.mark.parametrize(
    ("toy", "settings", "prime"),
    [("digit_toy", {"radix": "2^16"}, "2^61-1"), ("digit_toy", {"radix": "2^8"}, "mldsa"), ("bit_toy", {}, "2^31-1")],
)
def test_in_icarus(mode: str, toy: str, settings: dict[str, str], prime: str) -> None:
    report = simulate(job(TOYS / toy, prime, settings=settings, mode=mode, kind="lazy", count=60))
    assert report.passed, report.text()
    assert report.document["verified"] == 60


@pytest.mark.parametrize(
    ("toy", "settings", "prime", "mode"),
    [("digit_toy", {"radix": "2^16"}, "2^61-1", "lockstep"), ("bit_toy", {}, "2^31-1", "bulk")],
)
def test_in_verilator(toy: str, settings: dict[str, str], prime: str, mode: str) -> None:
    asked = job(TOYS / toy, prime, settings=settings, mode=mode, simulator="verilator", kind="lazy", count=500)
    report = simulate(asked)
    assert report.passed, report.text()
    assert report.document["verified"] == 500


def test_the_convention_of_the_core_is_a_parameter() -> None:
    bound = job(TOYS / "digit_toy", "2^61-1", settings={"radix": "2^16"}).bind()
    assert bound.multiplier.params.named == {"n": 4, "passes": 5}
    assert bound.parameters == {"BITS": 64, "D": 16}
