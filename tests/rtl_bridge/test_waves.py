# SPDX-License-Identifier: Apache-2.0
"""Waveforms of a simulation: VCD or FST, with a save file that shows the handshake and the watched signals."""

import json
import shlex
from pathlib import Path

import pytest

from rtl_bridge.run.run import Run
from rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import CORE, copy_of, job
from tests.rtl_bridge.test_cli import SMALL, sim
from tests.vectors.test_waves import in_fst, in_vcd, settled
from vectors.cli import main
from vectors.cycles.waves import signals
from vectors.report import read_file
from vectors.report.waves import excerpt


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


def test_a_difference_is_found_in_the_waveform(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """In the one of the run, and for a report of mode bulk in the one of its replay, as users go about it."""
    core = copy_of(CORE, tmp_path, ("lt_iddmm_arch2.sv", "a_top   = 2'(u_carry);", "a_top   = '0;"))
    report, waves = tmp_path / "report.json", tmp_path / "waves.fst"
    for mode in ("lockstep", "bulk"):
        assert sim(core, *SMALL, "--mode", mode, "--json", *(["--waves", waves] if mode == "lockstep" else [])) == 1
        report.write_text(capsys.readouterr().out)
        if mode == "bulk":
            replay = shlex.split(json.loads(report.read_text())["first_divergence"]["replay"])
            assert sim(*replay[2:], "--waves", waves) == 1
            capsys.readouterr()
        found = excerpt(read_file(report), waves)
        assert not found.missing
        (top,) = [wave for wave in found.signals if wave.column == "An"]
        assert {*top.cells[-8:]} == {"0x0"}, "the fault"
        with pytest.raises(SystemExit) as ended:
            main(["waves", str(report), str(waves)])
        assert ended.value.code == 0
        shown = capsys.readouterr().out.splitlines()
        assert shown[0].split()[:2] == ["cycle", "rst_ni"]
        assert len(shown) == 1 + len(top.cells)
    with pytest.raises(SystemExit) as ended:
        main(["waves", str(report), str(tmp_path / "nix")])
    assert (ended.value.code, "nix cannot be read" in capsys.readouterr().err) == (2, True)


def test_digits_of_arrays_are_in_the_waveform(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A core with outputs that it watches, and with elements of arrays; one fault, and every signal is found."""
    core = copy_of("hffm", tmp_path, ("lt_hffm_mul.sv", "even_d = TopW'(carry_q", "even_d = TopW'((W+1)'(0)"))
    options = ["--simulator", "icarus", "--count", 40, "--json", "--waves", tmp_path / "w.vcd"]
    assert sim(core, "--prime", "sike-p434", *options) == 1
    (tmp_path / "r.json").write_text(capsys.readouterr().out)
    found = excerpt(read_file(tmp_path / "r.json"), tmp_path / "w.vcd")
    assert not found.missing
    assert [wave.name for wave in found.signals if "[" in wave.name]


def test_the_save_file_is_no_waveform(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert sim(CORE, *SMALL, "--waves", tmp_path / "a.gtkw") == 2
    assert "waves: " in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == []
