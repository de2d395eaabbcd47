# SPDX-License-Identifier: Apache-2.0
"""The full matrix of the checked-in cores (`./run test --full`): every digit size and level at every operand size."""

import pytest

from refmodels.primes import find
from rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import CORES, job

PRIMES = ("generic128", "secp256k1", "p521", "iddmm-a512", "iddmm-a1024")
DIGITS = (4, 8, 16, 32, 64)
CYCLES = {"verilator": 300_000, "icarus": 30_000}
"""Clock cycles for each entry of the matrix, unless two products take longer."""


@pytest.mark.full
@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
@pytest.mark.parametrize("prime", PRIMES)
@pytest.mark.parametrize("k", DIGITS)
@pytest.mark.parametrize("levels", [0, 1, 2])
@pytest.mark.parametrize("simulator", list(CYCLES))
@pytest.mark.parametrize("core", CORES)
def test_the_core(core: str, simulator: str, levels: int, k: int, prime: str, mode: str) -> None:
    n = -(-find(prime).bits // k)
    cycles = n * (n + 2 + levels) + levels
    count = max(CYCLES[simulator] // cycles, 2)
    settings = {"radix": f"2^{k}", "pipeline": levels}
    report = simulate(job(core, prime, settings=settings, kind="lazy", mode=mode, simulator=simulator, count=count))
    assert report.passed, report.text()
    assert report.document["verified"] == count
    assert report.document["cycles"] == count * cycles
