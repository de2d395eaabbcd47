# SPDX-License-Identifier: Apache-2.0
"""Core `fpmm` after synthesis: its netlist agrees with the model in every cycle, with either kind of memory.

In a netlist with block RAM every result is X if the simulation library has ports and no behaviour for it, as that of
Yosys; `block_ram.vh` has the behaviour.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest

from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.synthesis.netlists.netlist import library, netlist_core

pytestmark = pytest.mark.full

SMALL = ("65521", {"w": 8, "s": 3})
SINGLE = ("2^127-1", {"w": 17})
F44 = ("2^128-159", {"sigma": 4, "theta": 4})


def job(core: Path, point: tuple[str, Mapping[str, str | int]], count: int) -> Job:
    prime, settings = point
    return Job(core=str(core), prime=prime, settings=dict(settings), simulator="icarus", count=count, kind="lazy")


@pytest.mark.parametrize(("point", "dram"), [(SMALL, 1), (SINGLE, 0), (F44, 0)], ids=["distributed", "17 bits", "F44B"])
def test_a_netlist_agrees(point: tuple[str, Mapping[str, str | int]], dram: int, tmp_path: Path) -> None:
    """Block RAMs of F44B have ports of 36 bits, in mode SDP."""
    core = netlist_core("fpmm", *point, {"Dram": dram}, tmp_path)
    assert ("RAMB18E1" in (core / "netlist.v").read_text()) == (not dram)
    report = simulate(job(core, point, 24))
    assert report.passed, report.text()
    assert report.document["verified"] == 24


def test_block_ram_that_works_and_that_of_the_library(tmp_path: Path) -> None:
    """Ports of 9 bits, in mode TDP; a read register that no reset reaches shows, too."""
    core = netlist_core("fpmm", *SMALL, {"Dram": 0}, tmp_path)
    assert simulate(job(core, SMALL, 24)).passed
    written = (core / "library.v").read_text()
    for spoilt in (library(ram=False), written.replace("rd_rst ? rd_init[j] : data", "data")):
        assert spoilt != written
        (core / "library.v").write_text(spoilt)
        found = simulate(job(core, SMALL, 24)).tally.divergence
        assert found is not None
        assert found.signal == "r"
