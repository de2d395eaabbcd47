# SPDX-License-Identifier: Apache-2.0
"""Batches through a shared library: the same differences in the same places as in lock-step."""

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from limbtrace.rtl_bridge.programs.process import run
from limbtrace.rtl_bridge.run import builds, compiled, fast
from limbtrace.rtl_bridge.run.builds import build
from limbtrace.rtl_bridge.run.compare import Comparator
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.report import Tally
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.service.server import background
from limbtrace.vectors.cli import main
from limbtrace.vectors.errors import ToolError
from tests.rtl_bridge.helpers import CORE, TOYS, copy_of, faulty, job

pytestmark = pytest.mark.usefixtures("compiler")

# (file, preceding text, expression, faulty expression, signal that shows it). A port selects the fault, counted from 1,
# so that one build serves all of them.
CORE_SV, FRAME, TOML = "lt_iddmm_arch2.sv", "lt_mont_frame.sv", "core.toml"
FAULTS = [
    (CORE_SV, "a_top   = ", "2'(u_carry)", "2'd0", "An"),
    (FRAME, "a_wr_addr = ", "u_addr - AddrW'(1)", "u_addr", "A_addr"),
    (FRAME, "last_pass  = ", "(pass_q + NW'(1) == passes_i)", "(pass_q == passes_i)", "done_o"),
    (FRAME, "done_o     = ", "done_q", "(last_digit & last_pass)", "done_o"),
    (FRAME, "done_d  = (Pipeline == 0) ? ", "last_digit & last_pass", "1'b0", "done_o"),
    (CORE_SV, "rd_data_o = ", "rd_data", "rd_data ^ K'(1)", "result"),
    (FRAME, "busy_o     = ", "(state_q != StIdle)", "1'b1", "busy_o"),
    (CORE_SV, "c_q <= ", "u_carry", "u_carry ^ (K + 1)'(u_frame.x_mem[0] == trigger_i)", "C"),
    (CORE_SV, "u_seen = ", "u_sum", "u_sum ^ ((2*K+1)'(1) << 2*K)", "U"),
    (CORE_SV, "q_seen = ", "u_products.quot_q", "u_products.quot_q | (70'(1) << 69)", "q"),
]
SPARSE = 8
"""A fault that affects only products with one low digit of a."""
FATAL, ENDLESS = 30, 31
DISASTERS = f"""  always @(posedge clk_i) begin
    if (take_start && fault_i == {FATAL}) $fatal(1, "this core gives up");
    while (take_start && fault_i == {ENDLESS}) $display("this core does not");
  end

endmodule
"""
PORTS = "  input wire logic [4:0] fault_i,\n  input wire logic [K-1:0] trigger_i,\n"
SEEN = """  logic [K2:0] u_seen;
  logic [69:0] q_seen;

  assign rd_data_o = rd_data;
  assign u_seen = u_sum;
  assign q_seen = u_products.quot_q;

`ifndef SYNTHESIS
"""
CORE_EDITS = [
    (CORE_SV, "  // operand memories\n", PORTS),
    (CORE_SV, "endmodule\n", DISASTERS),
    (CORE_SV, "    .wr_en_i   (wr_en_i),\n", "    .wr_en_i(wr_en_i), .fault_i(fault_i),\n"),
    (FRAME, "  // operand memories\n", "  input wire logic [4:0] fault_i,\n"),
    (CORE_SV, "    .a_o       (rd_data_o),\n", "    .a_o(rd_data),\n"),
    (CORE_SV, "    .a_i      (rd_data_o),\n", "    .a_i(rd_data),\n"),
    (CORE_SV, "  localparam int K2 = 2 * K;\n", "  localparam int K2 = 2 * K;\n  logic [K-1:0] rd_data;\n"),
    (CORE_SV, "`ifndef SYNTHESIS\n", SEEN),
    (TOML, 'signal = "u_sum"', 'signal = "u_seen"'),
    (TOML, 'signal = "u_products.quot_q"', 'signal = "q_seen"'),
]
RADIX = {"radix": "2^34"}
PRIME = "2^68-23"
"""A modulus that fills its digits; sums are wider than 64 bits."""

TOY = "digit_toy.sv"
TOY_FAULTS = [
    (TOY, "factor = ", "row[D-1:0] * minus_inverse", "row[D-1:0] * minus_inverse + 1", "dbg_digit"),
    (TOY, "y        <= ", "y >> D", "(y >> D) ^ (BITS + D)'(ticks > 300)", "dbg_digit"),  # time since reset
    (TOY, "dbg_strobe = ", "phase == ROWS", "phase == ROWS && rounds != 2", "dbg_digit"),
    (TOY, "dbg_loaded = ", "phase == ROWS", "phase == ROWS || phase == REDUCING", "dbg_kept"),
    (TOY, "default: if (", "rsp_ready", "1", "rsp_valid"),
    (TOY, "row    = acc + W'(x) * ", "W'(y[D-1:0])", "W'(rhs[D-1:0])", "dbg_digit"),
    (TOY, "req_ready  = ", "phase == WAITING", "0", "rsp_valid"),  # it takes what it refuses
]
TOY_EDITS = [
    (
        TOY,
        "  input wire logic            req_valid,\n",
        "  input wire logic [4:0] fault_i,\n  input wire logic req_valid,\n",
    ),
    (
        TOY,
        "endmodule\n",
        "  always_ff @(posedge clock or posedge areset) if (areset) ticks <= 0; else ticks <= ticks + 1;\nendmodule\n",
    ),
    (TOY, "  logic [D-1:0]      factor;\n", "  logic [D-1:0]      factor;\n  logic [15:0] ticks;\n"),
]

BIT = "bit_toy.v"
BIT_FAULTS = [
    (BIT, "full <= ", "1", "0", "OV"),
    (BIT, "t    <= ", "even >> 1", "(even >> 1) ^ (left == 1 && t[3:0] == 5)", "result"),
]
BIT_EDITS = [
    (BIT, "module bit_toy (CLK, ", "module bit_toy (CLK, fault_i, "),
    (BIT, "  input              CLK, ", "  input [4:0] fault_i;\n  input              CLK, "),
]


def spoilt_core(target: Path, fault: int = 0, trigger: int = 0) -> Path:
    return faulty(CORE, target, CORE_EDITS, FAULTS, fault=fault, trigger=trigger)


def asked(core: str | Path, **fields: Any) -> Job:
    return job(core, **{"prime": PRIME, "settings": RADIX, "simulator": "verilator", "mode": "fast", **fields})


def one_way(run: Run, golden: Path | None) -> Tally:
    """The outcome of a run, in this process."""
    model = build(run.shell, run.job.simulator, run.job.mode, waves=False)
    beat = os.memfd_create("beat")
    try:
        return fast.compare(run, model.folder / "sim", beat, golden)
    finally:
        os.close(beat)


def tally(wanted: Job) -> Tally:
    """The outcome of a job, the same with golden data in C, where there are any, and product by product."""
    run = settle(wanted)
    slow = one_way(run, None)
    golden = compiled.library(run)
    assert (golden is not None) == (wanted.service is None)
    if golden is not None:
        quick = one_way(run, golden)
        assert replace(quick, seconds=0) == replace(slow, seconds=0)
    return slow


@pytest.fixture(autouse=True)
def dirty_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Data that the library does not write are wrong."""
    empty = np.empty

    def dirty(shape: Any, dtype: Any) -> Any:
        array = empty(shape, dtype)
        if not array.dtype.hasobject:
            array.reshape(-1).view(np.uint8)[:] = 0xA5
        return array

    monkeypatch.setattr(np, "empty", dirty)


def check_same(wanted: Job, signal: str | None) -> None:
    """Compare with a lock-step run in Icarus, which shows x where Verilator has any value."""
    lockstep = simulate(wanted.model_copy(update={"mode": "lockstep", "simulator": "icarus"})).tally
    seen = tally(wanted)
    assert (seen.verified, seen.cycles) == (lockstep.verified, lockstep.cycles)
    if signal is None:
        assert seen.divergence is lockstep.divergence is None
        return
    assert seen.divergence is not None
    assert lockstep.divergence is not None
    assert seen.divergence.signal == signal
    assert replace(seen.divergence, rows=()) == replace(lockstep.divergence, rows=(), replay="", disturbed={})
    assert len(seen.divergence.rows) == len(lockstep.divergence.rows)
    for row, other in zip(seen.divergence.rows, lockstep.divergence.rows, strict=True):
        assert [cell for cell, x in zip(row, other, strict=True) if "x" not in x] == [x for x in other if "x" not in x]


@pytest.mark.parametrize("fault", range(len(FAULTS) + 1))
def test_the_first_divergence_of_a_core_with_a_schedule(fault: int, tmp_path: Path) -> None:
    wanted = asked(spoilt_core(tmp_path, fault), kind="lazy")
    if fault == SPARSE:
        sparse = list(settle(wanted).golden.streams(steps=False, table=False))[23]
        wanted = asked(spoilt_core(tmp_path / "sparse", fault, sparse.a % 2**34), kind="lazy")
    check_same(wanted, FAULTS[fault - 1][-1] if fault else None)


@pytest.mark.parametrize("fault", range(len(TOY_FAULTS) + 1))
def test_the_first_divergence_of_events_behind_stalls(fault: int, tmp_path: Path) -> None:
    core = faulty(TOYS / "digit_toy", tmp_path, TOY_EDITS, TOY_FAULTS, fault=fault)
    wanted = asked(core, prime="0xea7", settings={"radix": "2^4"}, kind="random", seed=5)
    check_same(wanted, TOY_FAULTS[fault - 1][-1] if fault else None)


@pytest.mark.parametrize("fault", range(len(BIT_FAULTS) + 1))
def test_the_first_divergence_of_a_core_with_nothing_watched(fault: int, tmp_path: Path) -> None:
    core = faulty(TOYS / "bit_toy", tmp_path, BIT_EDITS, BIT_FAULTS, fault=fault)
    wanted = asked(core, prime="2^31-1", settings={}, kind="lazy")
    check_same(wanted, BIT_FAULTS[fault - 1][-1] if fault else None)


@pytest.mark.parametrize(
    ("prime", "port"),
    [("2^64-59", 64), ("2^63-25", 63), ("2^61-1", 64), ("2^61-1", 65), ("2^61-1", 200), ("2^128-159", 130)],
    ids=["narrower", "equal", "wider", "wider by a word", "wider by words", "wider in the last word"],
)
def test_ports_of_other_sizes_than_the_range_of_the_model(prime: str, port: int, tmp_path: Path) -> None:
    """Operands of a model in radix 2^16 are below 2p: 65, 64, 62 and 129 bits here, with ports at borders of words."""
    asked = job(TOYS / "port_toy", prime, mode="fast", simulator="verilator", count=60, build={"PORT": port})
    run = settle(asked)
    golden = compiled.library(run)
    assert golden is not None
    found = one_way(run, golden)
    assert (found.verified, found.divergence) == (60, None)
    bad = copy_of(TOYS / "port_toy", tmp_path, ("port_toy.v", "* b % p", "* (b ^ (b == p - 1)) % p"))
    wrong = settle(asked.model_copy(update={"core": str(bad)}))
    assert one_way(wrong, compiled.library(wrong)).divergence is not None


def test_operands_of_another_size_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not beyond an array: the library refuses them."""
    run = settle(job(TOYS / "port_toy", "2^64-59", mode="fast", simulator="verilator", count=20))
    golden = compiled.library(run)
    monkeypatch.setattr(fast._Work, "_integers", lambda *arguments: arguments[-1])
    with pytest.raises(ToolError, match="not packed as the golden data"):
        one_way(run, golden)


def test_the_last_product_of_a_later_batch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """17 products per batch, case 50 is wrong; then the same case alone, and an earlier one."""
    good = asked(spoilt_core(tmp_path / "good"), count=60, kind="random")
    run = settle(good)
    assert run.bound.plan is not None
    monkeypatch.setattr(fast, "BATCH", 17)
    monkeypatch.setattr(fast, "CHUNK", 17)
    with monkeypatch.context() as patch:
        patch.setattr(Comparator, "check", None)  # what C compares is enough
        assert one_way(run, compiled.library(run)).verified == 60
    case = list(run.golden.streams(steps=False, table=False))[50]
    bad = asked(spoilt_core(tmp_path / "bad", SPARSE, case.a % 2**34), count=60, kind="random")
    found = tally(bad)
    assert found.divergence is not None
    assert (found.verified, found.divergence.case, found.divergence.signal) == (50, 50, "C")
    assert found.cycles == 50 * run.bound.plan.cycles
    alone = tally(bad.model_copy(update={"only": 50}))
    assert alone.divergence is not None
    assert replace(alone.divergence, rows=()) == replace(found.divergence, rows=())
    assert alone.verified == 0
    assert tally(bad.model_copy(update={"only": 49})).verified == 1


def test_golden_data_from_a_service(tmp_path: Path) -> None:
    """Product by product instead of in columns, with the same outcome."""
    bad, good = asked(spoilt_core(tmp_path / "bad", 1)), asked(spoilt_core(tmp_path / "good"))
    with background() as url:
        remote, fine = (tally(wanted.model_copy(update={"service": url})) for wanted in (bad, good))
    assert fine.verified == 40
    assert remote.divergence == tally(bad).divergence is not None


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    core = spoilt_core(tmp_path, 1)
    arguments = ["sim", str(core), "--prime", PRIME, "--radix", "2^34", "--count", "40", "--mode", "fast", "--json"]
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    report = json.loads(capsys.readouterr().out)
    assert ended.value.code == 1
    assert (report["mode"], report["signals"], report["mismatches"]) == ("fast", 9, 1)
    assert report["verified"] == report["first_divergence"]["case"]
    assert report["first_divergence"]["signal"] == "An"
    assert "--mode fast" in report["first_divergence"]["replay"]


def test_a_core_that_never_returns(tmp_path: Path) -> None:
    """The library prints without end: one sentence, and this process survives."""
    # On a busy machine the program may not have started yet.
    with pytest.raises(ToolError, match=r"no progress for 2 s (in case 0|before the first product)"):
        simulate(asked(spoilt_core(tmp_path, ENDLESS), patience=2))


def test_a_core_that_takes_the_program_with_it(tmp_path: Path) -> None:
    """$fatal ends the process, which leaves no report: it is an assertion that fails, and a difference."""
    found = simulate(asked(spoilt_core(tmp_path, FATAL))).tally.divergence
    assert found is not None
    assert (found.case, found.signal) == (0, "assertion")
    assert found.reason.endswith(": this core gives up")


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        (["--simulator", "icarus"], "simulator: mode fast needs verilator; icarus is asked for"),
        (["--every-cycle"], "every-cycle: goes with mode bulk; mode fast is asked for"),
    ],
)
def test_what_it_cannot_do(
    option: list[str],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["sim", CORE, "--prime", "mlkem", "--mode", "fast", *option])
    output = capsys.readouterr()
    assert (ended.value.code, output.out) == (2, "")
    assert sentence in output.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("step", [1, 2, 3], ids=["Verilator", "the flags", "the runtime"])
def test_a_build_that_is_killed_leaves_nothing(step: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A changed C++ driver needs another build."""
    monkeypatch.setenv("LIMBTRACE_BUILD", str(tmp_path / "cache"))
    ran: list[Path] = []

    def interrupted(command: Sequence[str], folder: Path, log: Path, what: str, *, sandboxed: bool) -> None:
        ran.append(folder)
        if len(ran) % step == 0:
            raise KeyboardInterrupt
        run(command, folder, log, what, sandboxed=sandboxed)

    monkeypatch.setattr(builds, "run", interrupted)
    shell = settle(asked(CORE)).shell
    other = tmp_path / "fast.cpp"
    (source,) = fast.Fast.testbench.sources
    other.write_text(f"{source.read_text()}// edited\n")
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            build(shell, "verilator", "fast", waves=False)
        monkeypatch.setattr(fast.Fast, "testbench", replace(fast.Fast.testbench, sources=(other,)))
    assert [path for path in (tmp_path / "cache").iterdir() if path.is_dir()] == []
    assert len({path.name.split("-")[-1].split(".")[0] for path in ran}) == 2
