# SPDX-License-Identifier: Apache-2.0
"""Appendix A of the IDDMM paper in the simulated cores: the printed operands give the printed product."""

from typing import Any

import pytest

from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import CORES, job

SIZES = (256, 512, 1024)
DIGITS = (4, 8, 16, 32, 64)


def check(core: str, k: int, bits: int, data: Any, levels: int = 0, **fields: Any) -> None:
    """One build of each k is large enough for all sizes."""
    (row,) = (entry for entry in data["appendix"] if entry["bits"] == bits)
    asked = job(
        core,
        f"0x{row['p']}",
        settings={"radix": f"2^{k}", "pipeline": levels},
        operands=(f"0x{row['x']},0x{row['y']}",),
        **{"build": {"NMax": max(SIZES) // k}, **fields},
    )
    (expected,) = settle(asked).golden.streams(steps=False, table=False)
    assert expected.result == int(row["mm"], 16)
    report = simulate(asked)
    assert report.passed, report.text()
    n = bits // k
    assert (report.document["verified"], report.document["cycles"]) == (1, n * (n + 2 + levels) + levels)


@pytest.mark.budget
@pytest.mark.parametrize(("k", "bits"), [(k, bits) for k in DIGITS for bits in SIZES if bits // k < 256])
@pytest.mark.parametrize("core", CORES)
def test_the_printed_product(core: str, k: int, bits: int, iddmm_data: Any) -> None:
    """Results; the longest product, of 66048 cycles, is left to the full matrix."""
    check(core, k, bits, iddmm_data, mode="bulk")


@pytest.mark.parametrize("core", CORES)
def test_the_printed_product_in_verilator(core: str, iddmm_data: Any) -> None:
    """Compared in every cycle, with builds that other tests share."""
    for levels in (0, 2):
        check(core, 16, 256, iddmm_data, levels, simulator="verilator", build={"NMax": 16})


@pytest.mark.full
@pytest.mark.parametrize("bits", SIZES)
@pytest.mark.parametrize("levels", [0, 1, 2])
@pytest.mark.parametrize("k", [2, *DIGITS])
@pytest.mark.parametrize("core", CORES)
def test_the_printed_product_in_every_cycle(core: str, k: int, levels: int, bits: int, iddmm_data: Any) -> None:
    check(core, k, bits, iddmm_data, levels, simulator="verilator")
