# SPDX-License-Identifier: Apache-2.0
"""The file harness: results only, compared inside the simulator."""

from pathlib import Path

import pytest

from rtl_bridge import bulk
from rtl_bridge.builds import SIZES
from rtl_bridge.shell import Shell
from rtl_bridge.simulation import simulate
from tests.rtl_bridge.helpers import CORE, copy_of, job


@pytest.mark.parametrize(("simulator", "count"), [("icarus", 60), ("verilator", 10000)])
def test_the_core(simulator: str, count: int) -> None:
    asked = job(prime="mldsa", settings={"radix": "2^16"}, mode="bulk", simulator=simulator, count=count, kind="lazy")
    report = simulate(asked)
    assert report.passed, report.text()
    assert report.document["verified"] == count
    assert report.document["cycles"] == count * 8


def test_a_wrong_result_is_found_in_the_second_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(SIZES, "bulk", {"Chunk": 8})
    core = copy_of(CORE, tmp_path, ("iddmm_arch2.sv", "a_top_d = 2'(u_carry);", "a_top_d = '0;"))
    report = simulate(job(core, prime="2^32-5", settings={"radix": "2^16"}, mode="bulk", count=200, kind="random"))
    found = report.tally.divergence
    assert found is not None
    assert found.signal == "result"
    assert found.case >= 8
    again = simulate(job(core, prime="2^32-5", settings={"radix": "2^16"}, count=200, kind="random", only=found.case))
    assert again.tally.divergence is not None
    assert again.tally.divergence.case == found.case
    assert again.tally.divergence.signal == "An"
    assert [row[0] for row in found.rows] == [str(cycle) for cycle in range(1, 9)]


def test_files_are_split_and_end_with_the_last_case(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(SIZES, "bulk", {"Chunk": 16})
    asked = job(settings={"radix": "2^4"}, count=40)
    assert bulk.write_files(asked, Shell(asked.bind()), tmp_path) == 40
    lines = {path.name: len(path.read_text().split()) for path in tmp_path.iterdir()}
    chunks = {f"{name}.{k}.hex": size for name in ("a", "b", "result") for k, size in enumerate((16, 16, 8))}
    assert lines == {"constants.hex": 1, **chunks}
