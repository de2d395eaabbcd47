# SPDX-License-Identifier: Apache-2.0
"""The full matrix of the checked-in cores (`./run test --full`): every digit size and level at every operand size."""

from typing import Any

import pytest

from limbtrace.refmodels.primes import find
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import CORES, job

PRIMES = ("generic128", "secp256k1", "p521", "iddmm-a512", "iddmm-a1024")
DIGITS = (4, 8, 16, 32, 64)
CYCLES = {"verilator": 300_000, "icarus": 30_000}
"""Clock cycles for each entry of the matrix, unless two products take longer."""
LARGEST = 1024
"""Bits."""
WAYS = (("verilator", "lockstep"), ("verilator", "bulk"), ("icarus", "lockstep"))
"""Simulator and mode. Mode bulk in Icarus is left to other tests: how it reads its files depends on no size."""


@pytest.mark.full
@pytest.mark.parametrize("prime", PRIMES)
@pytest.mark.parametrize("k", DIGITS)
@pytest.mark.parametrize("levels", [0, 1, 2])
@pytest.mark.parametrize(("simulator", "mode"), WAYS)
@pytest.mark.parametrize("core", CORES)
def test_the_core(core: str, simulator: str, levels: int, k: int, prime: str, mode: str) -> None:
    """In Icarus each size has a build of its own; in Verilator the largest serves all, as in test_appendix.py."""
    n = -(-find(prime).bits // k)
    cycles = n * (n + 2 + levels) + levels
    asked: dict[str, Any] = {"settings": {"radix": f"2^{k}", "pipeline": levels}, "kind": "lazy", "mode": mode}
    asked["count"] = count = max(CYCLES[simulator] // cycles, 2)
    if simulator == "verilator":
        asked["build"] = {"NMax": LARGEST // k}
    report = simulate(job(core, prime, simulator=simulator, **asked))
    assert report.passed, report.text()
    assert report.document["verified"] == count
    assert report.document["cycles"] == count * cycles
