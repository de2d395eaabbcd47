# SPDX-License-Identifier: Apache-2.0
"""`limbtrace sim`: reports, exit codes, files."""

import importlib.util
import json
import os
import shlex
import shutil
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path

import pytest

from limbtrace.rtl_bridge.run import simulators
from limbtrace.service.server import background
from limbtrace.vectors.cli import main
from tests.rtl_bridge.helpers import CORE, TOYS, copy_of

SMALL = ["--prime", "0xea7", "--radix", "2^4", "--simulator", "icarus"]


def sim(*arguments: object) -> int:
    """Exit code of the command."""
    with pytest.raises(SystemExit) as ended:
        main(["sim", *map(str, arguments)])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_the_report(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    junit, waves = tmp_path / "report.xml", tmp_path / "waves.vcd"
    options = ["--count", "20", "--seed", "7", "--json", "--junit", junit, "--waves", waves]
    assert sim(CORE, *SMALL, *options) == 0
    output = capsys.readouterr()
    report = json.loads(output.out)
    rate = report.pop("products_per_second")
    assert rate > 0
    assert {name: report[name] for name in list(report)[:10]} == {
        "format": "limbtrace/1",
        "core": CORE,
        "model": "iddmm2",
        "simulator": "icarus",
        "mode": "lockstep",
        "verified": 20,
        "mismatches": 0,
        "cycles": 300,
        "signals": 9,
        "seed": 7,
    }
    assert report["first_divergence"] is None
    suite = ElementTree.parse(junit).getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == ("1", "0")
    text = waves.read_text()
    assert "quot_q" in text
    assert "$enddefinitions" in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.xml", "waves.gtkw", "waves.vcd"]


def test_a_folder_whose_name_is_no_text(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"\xff")
    shutil.copytree(TOYS / "bit_toy", folder)
    assert sim(folder, "--prime", "13") == 2
    assert capsys.readouterr().err == "limbtrace: core: the name of its folder is not UTF-8\n"


def test_a_divergence_and_its_replay(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    core = copy_of(CORE, tmp_path, ("lt_iddmm_arch2.sv", "a_top   = 2'(u_carry);", "a_top   = '0;"))
    junit = tmp_path / "report.xml"
    assert sim(core, *SMALL, "--count", "40", "--kind", "mixed", "--json", "--junit", junit) == 1
    output = capsys.readouterr()
    report = json.loads(output.out)
    found = report["first_divergence"]
    assert report["mismatches"] == 1
    assert report["verified"] == found["case"] == 3
    assert (found["signal"], found["step"], found["cycle"]) == ("An", ["A", [1, 3]], 4)
    assert (found["expected"], found["seen"]) == ("0x1", "0x0")
    header, *rows = [line.split() for line in output.err.splitlines() if line.startswith("  ")]
    assert header == ["cycle", "q", "C", "An", "S", "R", "U", "A_we", "A_addr", "A"]
    assert [row[0] for row in rows] == ["-1", "0", "1", "2", "3", "4"]
    failure = ElementTree.parse(junit).getroot()[0][0][0]
    assert "An (A[1, 3]) should be 0x1 and is 0x0" in (failure.get("message") or "")
    assert found["replay"] in (failure.text or "")
    command = shlex.split(found["replay"])
    assert command[:2] == ["limbtrace", "sim"]
    assert sim(*command[2:], "--json") == 1
    again = json.loads(capsys.readouterr().out)
    assert again["first_divergence"] == found
    assert again["verified"] == 0


GIVEN = ["--operands", "0,[1,2]", "--operands", "0xe8a,0xd66", "--operands", "5, 7"]


@pytest.mark.parametrize("mode", [["--mode", "lockstep"], ["--mode", "bulk"], ["--mode", "bulk", "--every-cycle"]])
def test_given_operands_and_their_replay(mode: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert sim(CORE, *SMALL, *mode, *GIVEN, "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["verified"], report["count"], report["operands"]) == (3, 3, GIVEN[1::2])
    assert "kind" not in report
    core = copy_of(CORE, tmp_path, ("lt_iddmm_arch2.sv", "a_top   = 2'(u_carry);", "a_top   = '0;"))
    assert sim(core, *SMALL, *mode, *GIVEN, "--json") == 1
    found = json.loads(capsys.readouterr().out)["first_divergence"]
    assert (found["case"], found["a"], found["b"]) == (1, "0xe8a", "0xd66")
    command = shlex.split(found["replay"])
    assert [word for flag, word in pairwise(command) if flag == "--operands"] == GIVEN[1:4:2]
    assert sim(*command[2:], "--json") == 1
    assert json.loads(capsys.readouterr().out)["first_divergence"] == found


def test_given_operands_of_a_core_without_a_schedule_and_from_a_service(capsys: pytest.CaptureFixture[str]) -> None:
    toy = TOYS / "digit_toy"
    assert sim(toy, *SMALL, "--operands", "0xe8a,0xd66", "--operands", "1,2", "--only", "1") == 0
    assert "1 product agrees" in capsys.readouterr().out
    with background() as url:
        for core in (CORE, toy):
            assert sim(core, *SMALL, *GIVEN, "--service", url) == 0
            assert "3 products agree" in capsys.readouterr().out


def test_given_operands_are_disturbed_too(capsys: pytest.CaptureFixture[str]) -> None:
    """Given operands may be too large for the other modulus, whose products come from a seeded set."""
    assert sim(CORE, *SMALL, "--operands", "0x1d4d,0xfff", "--operands", "1,2", "--disturb", "all", "--json") == 0
    counts = json.loads(capsys.readouterr().out)["disturbances"]
    assert counts["modulus"] + counts["size"] == 3


def test_the_report_for_people(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert sim(CORE, *SMALL, "--count", "5") == 0
    assert "5 products agree, 9 watched signals, 75 cycles" in capsys.readouterr().out
    core = copy_of(TOYS / "bit_toy", tmp_path, ("bit_toy.v", "{2'b0, a}", "{2'b0, a} + 1"))
    assert sim(core, "--prime", "mlkem", "--simulator", "icarus") == 1
    assert "result should be 0x" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--prime", "12"], "prime: the modulus must be odd"),
        (["--prime", "13", "--operands", "1"], "operands: '1' is not of the form A,B"),
        (["--prime", "13", "--operands", "1,2@3"], "operands: '1,2@3' says a cycle; only word-serial cores "),
        (["--prime", "13", "--operands", "26,2"], "a: 0x1a is outside 0 <= a"),
        (["--prime", "13", "--operands", "1,2", "--count", "1"], "operands: operands and count exclude each other"),
        (["--prime", "13", "--operands", "1,2", "--kind", "edge"], "operands: operands and kind exclude each other"),
        (["--prime", "13", "--operands", "1,2", "--only", "1"], "only: 1 is outside 0 to 0"),
        (["--prime", "p256", "--radix", "3"], "radix: the radix must be a power of two"),
        (["--prime", "p256", "--radix", "2^4", "--set", "n=3"], "n: 3 digits of 4 bits do not hold"),
        (
            ["--prime", "p256", "--set", "level=1"],
            "level: iddmm_arch2 has no such parameter; it has radix, k, w, n, passes",
        ),
        (["--prime", "p256", "--set", "level=1"], "form, pipeline\n"),
        (["--prime", "p256", "--stream", "2"], "stream: iddmm_arch2 takes one product at a time, not 2"),
        (["--prime", "p256", "--count", "0"], "count: 0 is outside 1"),
        (["--prime", "p256", "--count", "9^9^9^9"], "count: "),
        (
            ["--prime", "p256", "--count", "2^32+1"],
            "count: mode lockstep takes 1 to 4294967296 products, not 4294967297",
        ),
        (["--prime", "p256", "--count", "10^7+1", "--mode", "bulk"], "writes the golden data of all of them to files"),
        (["--prime", "p256", "--kind", "odd"], "kind: 'odd' is none of"),
        (["--prime", "p256", "--only", "1000"], "only: 1000 is outside 0 to 999"),
        (["--prime", "p256", "--build", "NMax"], "'NMax' is not of the form NAME=VALUE"),
        (["--prime", "p256", "--build", "UseDsp=2"], "UseDsp: iddmm_arch2 takes 0 to 1, and here it is 2"),
        (["--prime", "p256", "--build", "K=1"], "K: iddmm_arch2 takes 2 to 64, and here it is 1"),
        (["--prime", "p256", "--build", "Pipeline=1"], "Pipeline: 1 contradicts pipeline = 0, which the schedule has"),
        (["--prime", "p256", "--set", "pipeline=2", "--build", "Pipeline=1"], "Pipeline: 1 contradicts pipeline = 2"),
        (["--prime", "p256", "--build", "NMax=7"], "memory.load[0] has 9 words, and the depth is 8"),
        (["--prime", "p256", "--waves", "/nowhere/w.vcd"], "output: /nowhere/w.vcd cannot be written"),
        (["--prime", "p256", "--waves", "/dev/null"], "output: /dev/null cannot be written\n"),
        (["--prime", "p256", "--waves", "w.vcd", "--junit", "./w.vcd"], "junit: w.vcd is the name of the waveform or"),
        (["--prime", "p256", "--waves", "w.vcd", "--junit", "w.gtkw"], "junit: w.gtkw is the name of the waveform or"),
        (["--prime", "p256", "--service", "nonsense"], "service: 'nonsense' is no address"),
        (["--prime", "p256", "--simulator", "ghdl"], "'ghdl' is not one of"),
    ],
)
def test_wrong_requests(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert sim(CORE, *arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert sentence in output.err
    assert output.err.count("\n") == 1


def test_a_service_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert sim(CORE, *SMALL, "--service", "http://127.0.0.1:9") == 3
    assert "http://127.0.0.1:9: the connection failed" in capsys.readouterr().err


@pytest.mark.parametrize("simulator", simulators.SIMULATORS)
def test_a_missing_simulator(
    simulator: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    for lookup in (simulators.verilator, simulators.icarus):
        lookup.cache_clear()
    assert sim(CORE, "--prime", "mlkem", "--simulator", simulator) == 3
    error = capsys.readouterr().err
    assert "is not on PATH" in error
    assert "Traceback" not in error
    for lookup in (simulators.verilator, simulators.icarus):
        lookup.cache_clear()


def test_a_model_that_cannot_be_compiled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("LIMBTRACE_BUILD", str(tmp_path / "cache"))
    # pyslang accepts this, Icarus does not.
    core = copy_of(CORE, tmp_path, ("*.sv", "assign digit      =", "let same(x) = x;\n  assign digit ="))
    assert sim(core, *SMALL) == 3
    error = capsys.readouterr().err
    assert "Icarus Verilog failed" in error
    log = next((tmp_path / "cache").glob("*.log"))
    assert str(log) in error
    assert not [path for path in (tmp_path / "cache").iterdir() if path.is_dir()]


def test_a_simulator_that_dies(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    core = copy_of(CORE, tmp_path, ("lt_iddmm_arch2.sv", "`ifndef SYNTHESIS", "`ifndef SYNTHESIS\n  initial $finish;"))
    assert sim(core, *SMALL) == 3
    error = capsys.readouterr().err
    assert "no report" in error
    log = next(Path(word.rstrip(":")) for word in error.split() if word.endswith(".log:"))
    log.unlink()
