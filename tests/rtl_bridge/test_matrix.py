# SPDX-License-Identifier: Apache-2.0
"""The full matrix of the checked-in cores (`./run test --full`): every digit size at every operand size."""

import pytest

from refmodels.primes import find
from rtl_bridge.simulation import simulate
from tests.rtl_bridge.helpers import CORES, job

PRIMES = ("generic128", "secp256k1", "p521", "iddmm-a512", "iddmm-a1024")
DIGITS = (4, 8, 16, 32, 64)
CYCLES = {"verilator": 300_000, "icarus": 30_000}
"""Clock cycles for each entry of the matrix, where two products are not longer."""


@pytest.mark.full
@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
@pytest.mark.parametrize("prime", PRIMES)
@pytest.mark.parametrize("k", DIGITS)
@pytest.mark.parametrize("simulator", list(CYCLES))
@pytest.mark.parametrize("core", CORES)
def test_the_core(core: str, simulator: str, k: int, prime: str, mode: str) -> None:
    n = -(-find(prime).bits // k)
    cycles = n * (n + 2)
    count = max(CYCLES[simulator] // cycles, 2)
    asked = job(core, prime, settings={"radix": f"2^{k}"}, kind="lazy", mode=mode, simulator=simulator, count=count)
    report = simulate(asked)
    assert report.passed, report.text()
    assert report.document["verified"] == count
    assert report.document["cycles"] == count * cycles
