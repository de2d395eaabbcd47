# SPDX-License-Identifier: Apache-2.0
"""Cores in VHDL that cannot be synthesised: GHDL simulates them beside the simulator of the testbench."""

import os
import re
import shutil
from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.flow.lint import lint
from limbtrace.rtl_bridge.init.rtl_scan import scan
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.rtl_bridge.synthesis.areas import synthesise
from limbtrace.vectors.errors import ToolError
from tests.rtl_bridge.helpers import TOYS, Edit, copy_of, job
from tests.rtl_bridge.programs.test_sandbox import needs_namespaces
from tests.vectors.test_cli import run

BEHAVE, DELAYS, COMB, IDDMM = (TOYS / f"vhdl_{name}" for name in ("behave", "delays", "comb", "iddmm"))
TOML, SOURCE = "core.toml", "vhdl_behave.vhd"
PRIME = "8380417"
KEY = (TOML, "top = ", 'ghdl = "simulate"\ntop = ')


@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
@pytest.mark.parametrize("toy", [BEHAVE, DELAYS, COMB], ids=lambda toy: toy.name)
def test_toys(toy: Path, simulator: str, mode: str) -> None:
    report = simulate(job(toy, PRIME, mode=mode, simulator=simulator, count=30))
    assert report.passed, report.text()
    assert report.document["verified"] == 30


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
@pytest.mark.parametrize(
    ("toy", "more"), [(BEHAVE, ("start", "again", "hold")), (DELAYS, ("stalls",))], ids=["start-done", "valid-ready"]
)
def test_disturbed(toy: Path, more: tuple[str, ...], simulator: str) -> None:
    kinds = ("reset", "modulus", "unknown", "idle", *more)
    report = simulate(job(toy, PRIME, disturb=kinds, simulator=simulator, count=10))
    assert report.passed, report.text()
    assert all(count > 0 for count in report.tally.disturbances.values())


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
@pytest.mark.parametrize(("pipeline", "signals"), [(0, 9), (2, 14)])
def test_every_register_in_every_cycle(pipeline: int, signals: int, simulator: str, tmp_path: Path) -> None:
    """Words of the result leave this core in the cycle in which their address comes."""
    settings = {"radix": "2^5", "pipeline": str(pipeline)}
    report = simulate(job(copy_of(IDDMM, tmp_path, KEY), "2^15-19", settings=settings, simulator=simulator, count=10))
    assert report.passed, report.text()
    assert (report.document["verified"], report.document["signals"]) == (10, signals)


def test_the_cycles_are_those_of_the_netlist(tmp_path: Path) -> None:
    asked = {"settings": {"radix": "2^5"}, "mode": "bulk", "every_cycle": True, "count": 10}
    reports = [simulate(job(core, "2^15-19", **asked)) for core in (IDDMM, copy_of(IDDMM, tmp_path, KEY))]
    assert all(report.passed for report in reports)
    assert reports[0].tally.cycles == reports[1].tally.cycles


FAULTS: list[tuple[Path, Edit, str]] = [
    (BEHAVE, (SOURCE, "while t >= m loop", "while t >= m + 200 loop"), "acc"),
    (BEHAVE, (SOURCE, "for k in W - 1 downto 0", "for k in W - 1 downto 1"), "assertion"),
    (DELAYS, ("vhdl_delays.vhd", "when full = '1' else", "when full = '0' else"), "result"),
    (DELAYS, ("vhdl_delays.vhd", "sum := sum + a;", "sum := sum + a(W - 2 downto 0);"), "result"),
    (COMB, ("vhdl_comb.vhd", "(x_i * y_i) mod p_i", "(x_i * y_i) mod (p_i - 1)"), "result"),
    (IDDMM, ("vhdl_iddmm.vhd", "take_start = '1' or u_last = '1'", "take_start = '1'"), "C"),
    (IDDMM, ("mont_frame.vhd", "a_top_q <= top_i", "a_top_q <= '0' & top_i(0)"), "An"),
]  # fmt: skip


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
@pytest.mark.parametrize(("toy", "edit", "signal"), FAULTS, ids=[str(k) for k in range(len(FAULTS))])
def test_a_planted_fault_is_caught(toy: Path, edit: Edit, signal: str, simulator: str, tmp_path: Path) -> None:
    edits = (KEY, edit) if toy == IDDMM else (edit,)
    prime, settings = ("2^15-19", {"radix": "2^5"}) if toy == IDDMM else (PRIME, {})
    core = copy_of(toy, tmp_path, *edits)
    found = simulate(job(core, prime, settings=settings, simulator=simulator, count=30)).tally.divergence
    assert found is not None
    assert found.signal == signal


def test_what_is_unknown_in_the_vhdl_is_unknown(tmp_path: Path) -> None:
    core = copy_of(DELAYS, tmp_path, ("vhdl_delays.vhd", "when full = '1' else", "when full = '0' else"))
    found = [simulate(job(core, PRIME, simulator=name, count=3)).tally.divergence for name in ("icarus", "verilator")]
    assert found[0] is not None
    assert found[1] is not None
    assert found[0].seen == "0xxxxxxx"
    assert int(found[1].seen or "0", 0) not in (0, (1 << 23) - 1)  # some value, of which each bit is chosen


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
def test_ports_that_are_numbers(simulator: str, tmp_path: Path) -> None:
    core = copy_of(
        COMB,
        tmp_path,
        ("vhdl_comb.vhd", "x_i, y_i, p_i : in  unsigned(",
         "x_i : in integer range 0 to 2 ** W - 1; y_i, p_i : in unsigned("),
        ("vhdl_comb.vhd", "out unsigned(W - 1 downto 0)", "out natural range 0 to 2 ** W - 1"),
        ("vhdl_comb.vhd", "is_x(x_i & y_i & p_i)", "is_x(y_i & p_i)"),
        ("vhdl_comb.vhd", "z_o <= (others => 'X');", "z_o <= 0;"),
        ("vhdl_comb.vhd", "(x_i * y_i) mod p_i;", "to_integer((to_unsigned(x_i, W) * y_i) mod p_i);"),
    )  # fmt: skip
    report = simulate(job(core, PRIME, simulator=simulator, count=30))
    assert report.passed, report.text()


def test_what_nobody_may_look_at_is_unknown_to_the_vhdl(tmp_path: Path) -> None:
    core = copy_of(DELAYS, tmp_path, ("vhdl_delays.vhd", "sum := sum + a;", "sum := sum + unsigned(x);"))
    found = [simulate(job(core, PRIME, count=3, disturb=kinds)).tally.divergence for kinds in ((), ("unknown",))]
    assert ["x" in str(divergence and divergence.seen)[2:] for divergence in found] == [False, True]


FAILURES: list[tuple[str, str]] = [
    ('report "too late" severity failure;', r"vhdl_behave.vhd:\d+: too late"),
    ('assert false report "no good" severity error;', r"vhdl_behave.vhd:\d+: no good"),
    ("t(W + 1 + products.value) := '0';", r"vhdl_behave.vhd:\d+: index \(27\) out of bounds \(24 downto 0\)"),
    ("std.env.stop;", r"vhdl_behave.v:\d+: the simulation of the VHDL has ended"),
]


@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
@pytest.mark.parametrize(("statement", "reason"), FAILURES, ids=["failure", "error", "bound", "stop"])
def test_an_assertion_or_an_error_of_the_vhdl(
    statement: str, reason: str, simulator: str, mode: str, tmp_path: Path
) -> None:
    """In front of the third case there are three products; a cycle has as many nanoseconds on both sides."""
    when = f"if products.value = 3 then {statement} end if;\n      acc   <= t;"
    core = copy_of(BEHAVE, tmp_path, (SOURCE, "acc   <= t;", when))
    found = simulate(job(core, PRIME, mode=mode, simulator=simulator, count=8, patience=30)).tally.divergence
    assert found is not None
    assert (found.kind, found.case, found.cycle) == ("assertion", 2, 0)
    assert re.fullmatch(reason, found.reason or "")


BEFORE = ["constant none : positive := 0;", 'file gone : text open read_mode is "gone";']


@pytest.mark.parametrize("statement", BEFORE, ids=["constant", "file"])
def test_what_fails_before_the_first_cycle(statement: str, tmp_path: Path) -> None:
    core = copy_of(BEHAVE, tmp_path, (SOURCE, "  signal acc ", f"  {statement}\n  signal acc "))
    with pytest.raises(ToolError, match=r"GHDL does not simulate vhdl_behave, exit code 1: .*error"):
        simulate(job(core, PRIME, count=3))
    text = (core / TOML).read_text()
    (core / TOML).write_text(text[: text.index("row =")])
    for mode in ("lockstep", "bulk"):
        with pytest.raises(ToolError, match="the simulation ended with exit code 1 and no report"):
            simulate(job(core, PRIME, mode=mode, count=3))


def test_files_are_beside_the_description(tmp_path: Path) -> None:
    statement = 'file there : text open read_mode is "there.txt";'
    core = copy_of(BEHAVE, tmp_path, (SOURCE, "  signal acc ", f"  {statement}\n  signal acc "))
    (core / "there.txt").write_text("0\n")
    before = sorted(core.iterdir())
    assert simulate(job(core, PRIME, count=3)).passed
    assert sorted(core.iterdir()) == before


def _simulators_of_vhdl() -> set[int]:
    """Processes of ours that are GHDL."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command, owner = (entry / "cmdline").read_bytes(), entry.stat().st_uid
        except OSError:
            continue
        if b"--elab-run" in command and owner == os.getuid():
            found.add(int(entry.name))
    return found


def test_vhdl_that_does_not_end_is_stopped(tmp_path: Path) -> None:
    core = copy_of(BEHAVE, tmp_path, (SOURCE, "acc   <= t;", "acc <= t; while products.value = 2 loop null; end loop;"))
    before = _simulators_of_vhdl()
    with pytest.raises(ToolError, match="made no progress for 3 s in case 1 and was stopped"):
        simulate(job(core, PRIME, count=8, patience=3))
    assert not [number for number in _simulators_of_vhdl() - before if _folder_of(number) == str(core)]


def _folder_of(number: int) -> str:
    try:
        return str(Path(f"/proc/{number}/cwd").readlink())
    except OSError:
        return ""


def test_each_stretch_begins_with_a_new_core(tmp_path: Path) -> None:
    """Differences behind the first are found in simulations of their own, as their replays are."""
    core = copy_of(BEHAVE, tmp_path, (SOURCE, "while t >= m loop", "while t >= m + 200 loop"))
    report = simulate(job(core, PRIME, count=400, keep_going=3))
    assert len(report.differences) == 3
    again = simulate(job(core, PRIME, count=400, only=report.differences[2].case))
    assert again.tally.divergence is not None
    assert again.tally.divergence.seen == report.differences[2].seen


def test_what_the_vhdl_says_is_no_harm() -> None:
    assert simulate(job(BEHAVE, PRIME, build={"Talks": 1}, count=5)).passed
    assert simulate(job(BEHAVE, PRIME, build={"Talks": 1}, mode="bulk", count=5)).passed


def test_a_waveform(tmp_path: Path) -> None:
    assert simulate(job(BEHAVE, PRIME, waves=tmp_path / "waves.vcd", count=2)).passed
    text = (tmp_path / "waves.vcd").read_text()
    assert "acc" in text
    assert "reg_" in text


@needs_namespaces
def test_in_the_sandbox(tmp_path: Path) -> None:
    statement = f'file leak : text open write_mode is "{tmp_path}/leak";'
    assert simulate(job(BEHAVE, PRIME, sandbox=True, count=5)).passed
    core = copy_of(BEHAVE, tmp_path, (SOURCE, "  signal acc ", f"  {statement}\n  signal acc "))
    with pytest.raises(ToolError, match="GHDL does not simulate vhdl_behave"):
        simulate(job(core, PRIME, sandbox=True, count=5))
    assert not (tmp_path / "leak").exists()


def test_names_are_those_of_the_description(tmp_path: Path) -> None:
    """Words of Verilog have an underscore at their ends; a number has the bits of its type."""
    assert settle(job(BEHAVE, PRIME)).bound.signals == {"acc": 25}
    row = '{ signal = "int_", match = "result", step = "r", kind = "register" },\n]'
    core = copy_of(BEHAVE, tmp_path, (TOML, 'kind = "register" },\n]', f'kind = "register" }},\n  {row}'))
    assert settle(job(core, PRIME)).bound.signals == {"acc": 25, "int_": 32}


WRONG: list[tuple[tuple[Edit, ...], str]] = [
    (((TOML, 'ghdl = "simulate"', 'ghdl = "guess"'),), "ghdl is 'guess', and should be 'synthesise' or 'simulate'"),
    (((TOML, 'top = "vhdl', 'vhdl = "87"\ntop = "vhdl'),), 'ghdl = "simulate" does not go with vhdl = "87"'),
    (((TOML, 'top = "vhdl', 'probe = { file = "p.sv", top = "p" }\ntop = "vhdl'),),
     'ghdl = "simulate" does not go with probe'),
    (((TOML, 'top = "vhdl', 'cells = ["lt_mul.sv"]\ntop = "vhdl'),), 'ghdl = "simulate" does not go with cells'),
    (((TOML, '"vhdl_behave.vhd"', '"vhdl_behave.vhd", "x.v"'),),
     'ghdl is "simulate", which takes sources in VHDL alone'),
    (((TOML, 'top = "vhdl_behave"', 'top = "other"'),), 'ghdl is "simulate", and other is no entity of the VHDL'),
    (((SOURCE, "LEVEL  : std_logic := '1'", "LEVEL  : bit_vector(0 downto 0) := \"1\""),
      (SOURCE, "LEVEL = '1'", "LEVEL = \"1\"")),
     "build.LEVEL is a bit_vector, which GHDL takes for synthesis alone"),
    (((SOURCE, "reg   : out", "reg   : inout"),),
     "the port reg_ is an inout, and VHDL that is simulated has inputs and outputs alone"),
    (((SOURCE, "working <= '0';", "worked <= '0';"),),
     "the VHDL has an error: vhdl_behave.vhd:83:7: no declaration for \"worked\""),
    (((TOML, 'signal = "acc"', 'signal = "u_sub.acc"'),),
     "row[0].signal is 'u_sub.acc', and vhdl_behave has no such signal in what GHDL made of it"),
    (((TOML, 'signal = "acc"', 'signal = "mem"'),
      (SOURCE, "  signal acc ", "  type mem_t is array (0 to 3) of bit_vector(7 downto 0); signal mem : mem_t; "
       "signal acc ")),
     "row[0].signal is 'mem', and vhdl_behave has no such signal in what GHDL made of it"),
    (((TOML, 'ghdl = "simulate"\n', ""),), 'ghdl = "simulate" takes VHDL that cannot be synthesised'),
]  # fmt: skip


@pytest.mark.parametrize(("edits", "sentence"), WRONG, ids=[str(k) for k in range(len(WRONG))])
def test_what_is_wrong_is_one_sentence(
    edits: tuple[Edit, ...], sentence: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    core = copy_of(BEHAVE, tmp_path, *edits)
    (core / "x.v").write_text("module x; endmodule\n")
    (core / "p.sv").write_text("module p; endmodule\n")
    code, out, err = run(capfd, "sim", str(core), "--prime", PRIME)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert sentence in err


@pytest.mark.parametrize("toy", [BEHAVE, DELAYS, COMB], ids=lambda toy: toy.name)
def test_init_sees_that_it_cannot_be_synthesised(toy: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for source in toy.glob("*.vhd"):
        shutil.copy(source, tmp_path)
    code, _, err = run(capfd, "init", str(tmp_path), "--model", "modmul", "--prime", PRIME)
    assert (code, err) == (0, "")
    assert 'ghdl = "simulate"  # GHDL cannot synthesise the sources\n' in (tmp_path / TOML).read_text()
    assert simulate(job(tmp_path, PRIME, count=5)).passed


def test_init_of_what_can_be_synthesised_and_of_what_is_wrong(tmp_path: Path) -> None:
    shutil.copy(TOYS / "vhdl_valid" / "vhdl_valid.vhd", tmp_path)
    assert not scan(tmp_path).simulated
    source = tmp_path / "vhdl_valid.vhd"
    source.write_text(source.read_text().replace("not full and", "not fool and"))
    with pytest.raises(ParameterError, match='no declaration for "fool"'):
        scan(tmp_path)


def test_who_needs_all_of_a_core_says_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for words in (
        ["sim", str(BEHAVE), "--prime", PRIME, "--mode", "fast"],
        ["export", str(BEHAVE), "--prime", PRIME, "-o", str(tmp_path / "out")],
    ):
        code, out, err = run(capfd, *words)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert 'needs VHDL that GHDL can synthesise, and ghdl is "simulate" here' in err
    assert lint([str(BEHAVE)]) == 1
    assert "lint needs VHDL that GHDL can synthesise" in capfd.readouterr().err
    core = settle(job(BEHAVE, PRIME)).bound.core
    with pytest.raises(ParameterError, match="synthesis needs VHDL that GHDL can synthesise"):
        synthesise(core, {"W": 23}, "xc7")


def test_without_ghdl(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    from limbtrace.rtl_bridge.programs import ghdl as program

    program.ghdl.cache_clear()
    monkeypatch.setattr(shutil, "which", lambda name, **_: None)
    code, out, err = run(capfd, "sim", str(BEHAVE), "--prime", PRIME)
    program.ghdl.cache_clear()
    assert (code, out) == (3, "")
    assert err == "limbtrace: GHDL is not on PATH, which converts VHDL: apt-get install ghdl\n"
