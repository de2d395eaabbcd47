# SPDX-License-Identifier: Apache-2.0
"""Waveforms of a simulation: VCD or FST, with a save file that shows the handshake and the watched signals."""

from pathlib import Path

import pytest

from rtl_bridge.run.run import Run
from rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import CORE, job
from tests.rtl_bridge.test_cli import SMALL, sim
from tests.vectors.test_waves import in_fst, in_vcd, settled
from vectors.cycles.waves import signals


def test_fst_and_vcd_of_a_run_are_the_same(tmp_path: Path) -> None:
    for name in ("waves.vcd", "waves.fst"):
        assert simulate(job(settings={"radix": "2^4"}, count=3, waves=tmp_path / name)).passed
    vcd, fst = in_vcd(tmp_path / "waves.vcd"), in_fst(tmp_path / "waves.fst")
    assert fst[0] == vcd[0]
    assert settled(fst[1]) == settled(vcd[1])
    shown = [
        line.partition("[")[0].rpartition(".")[2]
        for line in (tmp_path / "waves.gtkw").read_text().splitlines()
        if line[0] not in "[@"
    ]
    watched = [
        watch.row.source.rpartition(".")[2] for watch in Run.settle(job(settings={"radix": "2^4"})).bound.watches
    ]
    assert shown == ["clk_i", "rst_ni", "start_i", "busy_o", "done_o", *watched]
    assert {signal.name for signal in signals(tmp_path / "waves.vcd")} >= set(shown)
    assert '[dumpfile] "waves.fst"' in (tmp_path / "waves.gtkw").read_text()


def test_the_save_file_is_no_waveform(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert sim(CORE, *SMALL, "--waves", tmp_path / "a.gtkw") == 2
    assert "waves: " in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == []
