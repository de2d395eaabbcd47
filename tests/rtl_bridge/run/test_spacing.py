# SPDX-License-Identifier: Apache-2.0
"""How products follow each other without disturbances: alike in all modes, close enough to show what a gap can hide."""

from pathlib import Path

import pytest

from limbtrace.rtl_bridge.core.core import load
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.rtl_bridge.run.spacing import gap
from tests.rtl_bridge.helpers import TOYS, Edit, copy_of, job
from tests.vectors.test_waves import in_vcd

WAYS = [("lockstep", "icarus"), ("bulk", "icarus"), ("fast", "verilator")]
BIT_SERIAL = "lt_r2mm_bitserial.sv"
START = "  assign take_start = start_i & ~busy_o;\n"
LOST = """  logic [1:0] rest_q;  // a start within two cycles after done is lost
  always_ff @(posedge clk_i) rest_q <= {rest_q[0], done_q};
  assign take_start = start_i & ~busy_o & ~(|rest_q);
"""
LEFT = """  logic left_q;  // the bit counter is not cleared for a start in the cycle of done
  always_ff @(posedge clk_i) left_q <= take_start & done_q;
  assign take_start = start_i & ~busy_o;
"""
NEXT = "        x_bit_d = x_bit_q + BitW'(1);\n"
FAULTS: dict[str, list[Edit]] = {
    "lost": [(BIT_SERIAL, START, LOST)],
    "left": [(BIT_SERIAL, START, LEFT), (BIT_SERIAL, NEXT, NEXT.replace(";", " + BitW'(left_q);"))],
}


def risen(waves: Path, name: str) -> list[int]:
    """Clock cycles in which a port rises."""
    _, changes = in_vcd(waves)
    inside = {signal for _, signal, _ in changes if signal.rpartition(".")[2] == name}
    return sorted({time // 10 for time, signal, value in changes if signal in inside and value == "1"})


PULSES = (
    "core.toml",
    'kind = "valid-ready"\nin_valid = "IV"\nin_ready = "IR"\nout_valid = "OV"\nout_ready = "OR"\n',
    'kind = "start-done"\nstart = "IV"\ndone = "OV"\n\n[[input]]\nport = "OR"\nvalue = 1\n',
)
"""A core that does not say when it is busy."""


@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
@pytest.mark.parametrize("busy", [True, False])
def test_what_a_waveform_shows(busy: bool, mode: str, tmp_path: Path) -> None:
    """Every start is as far from the done before it as `gap` says; all gaps occur."""
    waves, count = tmp_path / "w.vcd", 90
    if busy:
        asked = job(settings={"radix": "2^4"}, count=count, mode=mode, waves=waves)
        start, done = "start_i", "done_o"
    else:
        asked = job(copy_of(TOYS / "bit_toy", tmp_path, PULSES), "2^31-1", count=count, mode=mode, waves=waves)
        start, done = "IV", "OV"
    assert simulate(asked).passed
    file = settle(asked).bound.core.file
    starts, ends = risen(waves, start), risen(waves, done)
    gaps = [gap(case, file) for case in range(count)]
    assert len(starts) == len(ends) == count + sum(found.behind for found in gaps)
    distances = [start - end for start, end in zip(starts[1:], ends, strict=False)]
    loads, at = set(), 0
    for found in gaps[1:]:
        if found.behind:
            loads.add(distances[at])  # of the product in front
            at += 1
            assert distances[at] == found.cycles
        else:
            loads.add(distances[at] - found.cycles)
        at += 1
    assert at == len(distances)
    assert len(loads) == 1  # otherwise loading and reading take as long as ever
    assert {found.cycles for found in gaps if found.behind} == set(range(0 if busy else 1, 4))
    assert {found.cycles for found in gaps if not found.behind} == set(range(8))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_that_a_long_gap_hides(fault: str, tmp_path: Path) -> None:
    """It is found in every mode, in the same product, and that one alone shows it."""
    core = copy_of("r2mm_bitserial", tmp_path, *FAULTS[fault])
    found = []
    for mode, simulator in WAYS:
        shown = simulate(job(core, "mldsa", mode=mode, simulator=simulator)).tally.divergence
        assert shown is not None
        found.append((shown.case, shown.cycle, shown.signal))
        before = gap(shown.case, load(core).file)
        assert before.behind
        assert shown.disturbed == {"behind": {"cycles": before.cycles}}
        assert f"  started {before.cycles} cycle" in shown.gap
        alone = simulate(job(core, "mldsa", mode=mode, simulator=simulator, only=shown.case)).tally.divergence
        assert alone is not None
        assert (alone.case, alone.signal) == (shown.case, shown.signal)
    assert found[0] == found[2]
    assert found[0][0] == found[1][0]


def test_operands_that_a_product_consumes() -> None:
    """No other product comes in front, which would need a load of its own."""
    file = settle(job("hffm", "sike-p434")).bound.core.file
    assert not any(gap(case, file).behind for case in range(1000))
