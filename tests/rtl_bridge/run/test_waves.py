# SPDX-License-Identifier: Apache-2.0
"""Waveforms of a simulation: VCD or FST, with a save file that shows the handshake and the watched signals."""

import json
import shlex
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from limbtrace.rtl_bridge.run import simulation
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.log_parser import CYCLE
from limbtrace.rtl_bridge.run.report import Divergence, Report, Tally
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.cli import main
from limbtrace.vectors.cycles.waves import signals
from limbtrace.vectors.report import read_file
from limbtrace.vectors.report.waves import excerpt
from tests.rtl_bridge.helpers import CORE, TOYS, Edit, copy_of, job
from tests.rtl_bridge.run.test_cli import SMALL, sim
from tests.vectors.test_waves import in_fst, in_vcd, settled


def test_fst_and_vcd_of_a_run_are_the_same(tmp_path: Path) -> None:
    for name in ("waves.vcd", "waves.fst"):
        assert simulate(job(settings={"radix": "2^4"}, count=3, waves=tmp_path / name)).passed
    vcd, fst = in_vcd(tmp_path / "waves.vcd"), in_fst(tmp_path / "waves.fst")
    assert fst[0] == vcd[0]
    assert settled(fst[1]) == settled(vcd[1])
    shown = [
        line.partition("[")[0].rpartition(".")[2]
        for line in (tmp_path / "waves.gtkw").read_text().splitlines()
        if line[0] not in "[@*-"
    ]
    watched = [watch.row.source.rpartition(".")[2] for watch in settle(job(settings={"radix": "2^4"})).bound.watches]
    ports = ["wr_en_i", "wr_addr_i", "wr_data_i", "wr_sel_i", "start_i", "busy_o", "done_o", "rd_addr_i", "rd_data_o"]
    assert shown == ["clk_i", "rst_ni", *ports, *watched]
    assert {signal.name for signal in signals(tmp_path / "waves.vcd")} >= set(shown)
    assert '[dumpfile] "waves.fst"' in (tmp_path / "waves.gtkw").read_text()


WRONG: list[tuple[Path | str, dict[str, Any], Edit]] = [
    (CORE, {"settings": {"radix": "2^4"}}, ("lt_iddmm_arch2.sv", "a_top   = 2'(u_carry);", "a_top   = '0;")),
    (TOYS / "modmul_toy", {"prime": "65521"}, ("modmul_toy.v", "x       <= a;", "x       <= a ^ 16'(b[3:0] == 5);")),
    (TOYS / "mont_toy", {"prime": "2^61-1"}, ("mont_toy.sv", "row[15:0] * minv_i", "row[15:0] * (minv_i ^ 16'd2)")),
]


@pytest.mark.parametrize(("core", "fields", "edit"), WRONG, ids=[str(k) for k in range(len(WRONG))])
@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
def test_the_marker_stands_where_the_difference_is(
    core: Path | str, fields: dict[str, Any], edit: Edit, mode: str, tmp_path: Path
) -> None:
    """Just before it a signal that is combinational has the value of the report, and right behind it a register."""
    waves = tmp_path / "w.vcd"
    asked = job(copy_of(core, tmp_path, edit), **fields, mode=mode, every_cycle=mode == "bulk" and core == CORE)
    report = simulate(asked.model_copy(update={"waves": waves, "keep_going": 2}))
    found, run = report.tally.divergence, settle(asked)
    assert found is not None
    save = (tmp_path / "w.gtkw").read_text().splitlines()
    marker = int(next(line for line in save if line[0] == "*").split()[1])
    names = [line.partition("[")[0] for line in save if line[0] not in "[@*-"]
    values: dict[str, tuple[str, str]] = {}
    for time, name, value in in_vcd(waves)[1]:
        before, _ = values.get(name, ("", ""))
        values[name] = (value if time < marker else before, value if time <= marker else values[name][1])
    assert set(names) <= set(values)
    protocol = run.bound.core.file.protocol
    moves, cycles = (protocol.finished, 0) if found.signal == "result" else (protocol.taken[0], found.cycle or 0)
    rises = [time for time, name, value in in_vcd(waves)[1] if name.endswith(f".{moves}") and value == "1"]
    ends = [time + CYCLE * (cycles + 1) for time in rises]
    assert marker in (ends if run.bound.in_order else ends[-1:])  # in a stream the product may be any of it
    port = run.bound.core.file.result.port
    watch = next((watch for watch in run.bound.watches if watch.row.name == found.signal), None)
    shown = port if watch is None else watch.row.source.rpartition(".")[2]
    name = next(name for name in names if name.endswith(f".{shown}"))
    place = int(watch is None or watch.kind == "register")
    assert int(values[name][place], 2) == int(found.seen or "", 16)


def test_in_mode_fast_the_product_that_differs_is_simulated_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest of both modes is tested elsewhere, and takes long to build."""
    asked: list[Job] = []

    def instead(job: Job, *, quiet: bool) -> SimpleNamespace:
        assert quiet
        asked.append(job)
        return SimpleNamespace(passed=False)

    found = Divergence(7, "0x1", "0x2", 3, "result", None, "0x0", "0x1")
    monkeypatch.setattr(simulation, "simulate", instead)
    fast = job(mode="fast", simulator="verilator", waves=tmp_path / "w.fst", keep_going=3)
    for tally in (Tally(7, 0, 1.0, found), Tally(40, 0, 1.0, None)):
        simulation._replayed_waves(fast, Report("x", "y", "verilator", "fast", 1, 0, tally))
    assert [(again.mode, again.only, again.waves, again.keep_going) for again in asked] == [
        ("lockstep", 7, tmp_path / "w.fst", None)
    ]
    first, second = capsys.readouterr().err.splitlines()
    assert first.endswith("w.fst is of case 7 alone, simulated again in mode lockstep")
    assert second == (
        "limbtrace: no product differs, and so mode fast has no waveform to write; mode lockstep writes that of all"
    )


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
    """A core with outputs that it watches, and with elements of arrays: all are found but words of a memory, of which
    Icarus Verilog writes none.
    """
    core = copy_of("hffm", tmp_path, ("lt_hffm_mul.sv", "sums_d = early_q", "sums_d = early_d"))
    options = ["--simulator", "icarus", "--count", 40, "--json", "--waves", tmp_path / "w.vcd"]
    assert sim(core, "--prime", "sike-p434", *options) == 1
    (tmp_path / "r.json").write_text(capsys.readouterr().out)
    found = excerpt(read_file(tmp_path / "r.json"), tmp_path / "w.vcd")
    assert set(found.missing) <= {f"{name}{word}" for name in ("c2l", "c1", "r") for word in (0, 1)}  # a memory
    assert [wave.name for wave in found.signals if "[" in wave.name]


def test_the_save_file_is_no_waveform(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert sim(CORE, *SMALL, "--waves", tmp_path / "a.gtkw") == 2
    assert "waves: " in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == []
