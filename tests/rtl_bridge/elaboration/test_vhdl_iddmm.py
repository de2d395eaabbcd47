# SPDX-License-Identifier: Apache-2.0
"""The core iddmm_arch2 in VHDL, with every row of the original."""

from pathlib import Path

import pytest

from limbtrace.rtl_bridge.core.core import find
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import CORE, SIGNALS, TOYS, Edit, copy_of, job

VHDL = TOYS / "vhdl_iddmm"


def test_it_is_described_as_the_original() -> None:
    own, original = find(str(VHDL)).file, find(CORE).file
    same = ("model", "schedule", "compare", "ranges", "build", "clock", "reset", "protocol", "input", "memory", "row")
    assert [getattr(own, name) for name in same] == [getattr(original, name) for name in same]
    assert len(own.row) == 14


@pytest.mark.parametrize("logic", [0, 1], ids=["operator", "logic"])
@pytest.mark.parametrize(("pipeline", "signals"), [(0, SIGNALS[CORE]), (1, 12), (2, 14)])
def test_every_register_in_every_cycle(pipeline: int, signals: int, logic: int) -> None:
    """K = 5 halves an odd width twice over in the multiplier of logic."""
    settings = {"radix": "2^5", "pipeline": str(pipeline)}
    report = simulate(job(VHDL, "2^15-19", settings=settings, build={"UseDsp": 1 - logic}, count=60))
    assert report.passed, report.text()
    assert (report.document["verified"], report.document["signals"]) == (60, signals)


def test_disturbed() -> None:
    kinds = ("reset", "start", "again", "modulus", "size", "write")
    report = simulate(job(VHDL, settings={"radix": "2^4", "pipeline": "2"}, disturb=kinds, count=20))
    assert report.passed, report.text()


def test_in_the_fast_mode() -> None:
    report = simulate(job(VHDL, "p256", settings={"radix": "2^32"}, mode="fast", simulator="verilator", count=300))
    assert report.passed, report.text()
    assert (report.document["verified"], report.document["signals"]) == (300, SIGNALS[CORE])


FAULTS: list[tuple[Edit, int, int, str]] = [
    (("digit_mul_logic.vhd", " high(M - 1 downto 0) +\n", " (high(M - 1 downto 0) xor mixed(M - 1 downto 0)) +\n"),
     0, 0, "S"),
    (("mont_products.vhd", "pr_q <= qp_product", "pr_q <= shift_left(qp_product, 1)"), 1, 1, "PR"),
    (("mont_frame.vhd", "a_top_q <= top_i", "a_top_q <= '0' & top_i(0)"), 0, 1, "An"),
    (("vhdl_iddmm.vhd", "take_start = '1' or u_last = '1'", "take_start = '1'"), 2, 1, "C"),
]  # fmt: skip


@pytest.mark.parametrize(("edit", "pipeline", "dsp", "signal"), FAULTS, ids=[fault[3] for fault in FAULTS])
def test_a_planted_fault_is_caught(edit: Edit, pipeline: int, dsp: int, signal: str, tmp_path: Path) -> None:
    settings = {"radix": "2^5", "pipeline": str(pipeline)}
    core = copy_of(VHDL, tmp_path, edit)
    found = simulate(job(core, "2^15-19", settings=settings, build={"UseDsp": dsp}, count=100)).tally.divergence
    assert found is not None
    assert found.signal == signal
