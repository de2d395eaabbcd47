# SPDX-License-Identifier: Apache-2.0
"""The switching activity of a simulated core."""

import re
from pathlib import Path

from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import TOYS, job


def test_the_activity_of_a_core(tmp_path: Path) -> None:
    """The clock changes twice in a cycle, and the input with the modulus never once it is known."""
    target = tmp_path / "activity.saif"
    report = simulate(job(TOYS / "modmul_toy", "mlkem", count=3, simulator="icarus", waves=target), quiet=True)
    assert report.passed
    text = target.read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["activity.saif"]  # no save file for GTKWave
    duration, unit = re.findall(r"\(DURATION (\d+)\)|\(TIMESCALE (1 ns)\)", text)[::-1]
    assert unit[1] == "1 ns"
    clock = re.search(r"\(clk \(T0 (\d+)\) \(T1 (\d+)\) \(TX 0\) \(TC (\d+)\)", text)
    assert clock is not None
    assert int(clock[1]) + int(clock[2]) == int(duration[0])
    assert int(clock[3]) == int(duration[0]) // 5
    assert set(re.findall(r"\(p\\\[\d+\\\] .* \(TC (\d+)\)", text)) == {"0"}
