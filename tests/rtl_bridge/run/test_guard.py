# SPDX-License-Identifier: Apache-2.0
"""Nothing wrong passes: faults outside of the arithmetic, in cores that the bridge has never heard of."""

import subprocess
from pathlib import Path

import pytest

from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.log_parser import LONGEST_LINE, Failure, LogParser
from limbtrace.rtl_bridge.run.report import Report
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.cli import main
from tests.rtl_bridge.helpers import CORE, TOYS, copy_of, job
from tests.sample import full

SIMULATORS = ("icarus", "verilator")
VALUE = 'port = "fault"\nvalue = '
TEXT = (TOYS / "guard_toy" / "guard_toy.sv").read_text()


def line(text: str) -> str:
    """File and line in which a text stands."""
    return f"guard_toy.sv:{1 + TEXT[: TEXT.index(text)].count(chr(10))}"


FAULTS = {
    1: ("assertion", f"{line('$error')}: left is 5"),
    2: ("busy", "no product is at work"),
    3: ("done", "no product is at work"),
    4: ("result", ""),
    5: ("done", "no product is at work"),
    6: ("busy", "a product is at work"),
    7: ("busy", "no product is at work"),
    8: ("result", ""),
    9: ("result", ""),
    10: ("busy", "a product is at work"),
    11: ("assertion", f"{line('$fatal')}: nothing is left"),
}
"""Numbers of the faults of guard_toy, the signal that shows each, and the reason."""
AT_ONCE = (1, 3, 6, 7, 8, 11)
"""Those that need no disturbance."""


def guard(target: Path, fault: int, simulator: str, mode: str = "lockstep", **fields: object) -> Report:
    """A run of guard_toy with one of its faults."""
    core = copy_of(TOYS / "guard_toy", target, ("core.toml", f"{VALUE}0", f"{VALUE}{fault}"))
    return simulate(job(core, "2^31-1", simulator=simulator, mode=mode, **{"count": 60, **fields}))


@pytest.mark.parametrize(
    ("mode", "simulator"), [*((mode, simulator) for mode in ("lockstep", "bulk") for simulator in SIMULATORS),
                            ("fast", "verilator")],
)  # fmt: skip
def test_the_core_without_a_fault_passes(mode: str, simulator: str, tmp_path: Path) -> None:
    disturb = DISTURBANCES if mode == "lockstep" else ()
    report = guard(tmp_path, 0, simulator, mode, disturb=disturb)
    assert report.passed, report.text()
    counts = report.tally.disturbances
    assert all(counts[kind] for kind in disturb if kind not in ("stalls", "write", "load")), counts


RESET = "  wire         reset  = rst & (fault != 4'd2);"
LAST = "  always_ff @(posedge clk) begin\n    if (!rst) begin\n      assert"
STYLES = {
    "reset through two registers": [
        (RESET, "logic [1:0] r; always_ff @(posedge clk) r <= {r[0], rst}; wire reset = r[1];"),
    ],
    "done while it is idle, also after a reset": [
        ("      done_q <= 1'b0;\n      idle   <= '0;", "done_q <= 1'b1; idle <= '0;"),
        ("      done_q <= 1'b0;\n      if (idle", "if (start) done_q <= 1'b0;\n      if (idle"),
    ],
    "busy during a reset and after it": [
        (RESET, f"logic rst_q; always_ff @(posedge clk) rst_q <= rst;\n{RESET}"),
        ("assign busy = (", "assign busy = rst_q | ("),
        ("if (start &", "if (start & ~rst_q &"),
    ],
    "prints, and a finer unit of time": [
        ("module guard_toy", "`timescale 1ns / 1ps\nmodule guard_toy"),
        (LAST, f"""
  always_ff @(posedge clk) begin
    assert (busy_q !== 1'bx);  // fails in the first reset, where nobody listens
    if (left == 16'd5) begin
      $display("ERROR: guard_toy.sv:1: it is not");
      $warning("nor is this");
      $display("FATAL: guard_toy.sv:1: nor this");
      $info("nor this");
    end
  end
{LAST}"""),
    ],
}  # fmt: skip
"""What correct cores do: (text of guard_toy, other text)."""


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("mode", "disturb"), [("lockstep", DISTURBANCES), ("bulk", ())])
def test_cores_of_any_style_pass(style: str, mode: str, disturb: tuple[str, ...], tmp_path: Path) -> None:
    core = copy_of(TOYS / "guard_toy", tmp_path, *(("guard_toy.sv", old, new) for old, new in STYLES[style]))
    report = simulate(job(core, "2^31-1", mode=mode, disturb=disturb, count=12))
    assert report.passed, report.text()


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("simulator", SIMULATORS)
def test_a_disturbed_core_with_a_fault_does_not(fault: int, simulator: str, tmp_path: Path) -> None:
    found = guard(tmp_path, fault, simulator, disturb=DISTURBANCES).tally.divergence
    assert found is not None
    assert (found.signal, found.reason) == FAULTS[fault]


@pytest.mark.parametrize("fault", AT_ONCE)
@pytest.mark.parametrize(
    ("simulator", "mode"), [("icarus", "bulk"), ("verilator", "bulk"), ("verilator", "fast"), ("verilator", "lockstep")]
)
def test_what_needs_no_disturbance_is_found_in_every_mode(
    fault: int, simulator: str, mode: str, tmp_path: Path
) -> None:
    seed = 3  # that of registers in Verilator, too: half of all seeds show a bit that no reset reaches
    found = guard(tmp_path, fault, simulator, mode, seed=seed, count=200, kind="edge").tally.divergence
    assert found is not None
    assert (found.signal, found.reason) == FAULTS[fault]
    if fault in (1, 11):
        assert found.cycle == 43
        assert "guard_toy.sv:8" in found.sentence()


def test_an_assertion_of_every_simulator_names_its_product(tmp_path: Path) -> None:
    """One that fails in the middle of a run: case and cycle are those at work, and what came before agrees."""
    edit = ("guard_toy.sv", "fault == 4'd1 && busy_q", "fault == 4'd1 && busy_q && b == Steps'(33)")
    core = copy_of(TOYS / "guard_toy", tmp_path, ("core.toml", f"{VALUE}0", f"{VALUE}1"), edit)
    operands = ("5,7", "6,8", "9,33", "1,1")
    for simulator, mode in (("icarus", "lockstep"), ("icarus", "bulk"), ("verilator", "fast"), ("verilator", "bulk")):
        report = simulate(job(core, "2^31-1", simulator=simulator, mode=mode, operands=operands))
        found = report.tally.divergence
        assert found is not None, (simulator, mode)
        assert (found.case, found.cycle, found.a, found.b, report.tally.verified) == (2, 43, "0x9", "0x21", 2)
        assert report.document["first_divergence"]["reason"] == FAULTS[1][1]


_SAID = {0: "PASS ", 1: "ASSERTION ", 6: "RULE ", 11: "ASSERTION "}


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        *(("run_icarus.sh", fault) for fault in _SAID),
        ("run_verilator.sh", 1),
        *(full(("run_verilator.sh", fault)) for fault in (0, 6, 11)),
    ],
)
def test_an_export_says_so_too(script: str, fault: int, tmp_path: Path) -> None:
    core = copy_of(TOYS / "guard_toy", tmp_path, ("core.toml", f"{VALUE}0", f"{VALUE}{fault}"))
    with pytest.raises(SystemExit) as ended:
        main(["export", str(core), "--prime", "2^31-1", "--count", "5", "-o", str(tmp_path / "out")])
    assert ended.value.code == 0
    done = subprocess.run(["sh", tmp_path / "out" / script], capture_output=True, text=True, check=False)
    assert done.returncode == int(fault != 0), done.stderr
    assert done.stdout.startswith(_SAID[fault])
    if fault == 6:
        assert "busy: expected 1, seen 0, 45 cycles after the last start" in done.stdout
    if fault in (1, 11):
        assert FAULTS[fault][1] in done.stdout.replace("Assertion failed in lt_files_tb.u_shell.u_core: ", "")


END = b"INFO: /x/lt_clock.sv:3: LIMBTRACE UP\n      Time: 45 Scope: t.c\n"
"""What lt_clock says in Icarus Verilog when the first reset is over."""


def test_a_reader_hears_an_assertion_in_pieces() -> None:
    parser = LogParser()
    log = b"LIMBTRACE TAKEN 7 95\nERROR: /x/core.sv:12: wrong\n       Time: 125 Scope: t.u\nend"
    parser(END)
    kept = b"".join(parser(log[at : at + 3]) for at in range(0, len(log), 3)) + parser.finish()
    assert kept == log.partition(b"\n")[2]
    assert parser.failure == Failure("core.sv:12", "wrong", 7, 2)


def test_an_assertion_at_the_edge_of_a_start_belongs_to_what_starts() -> None:
    """Simulators differ in what they print first of what happens at one edge."""
    early, late = LogParser(), LogParser()
    mark, error = b"LIMBTRACE TAKEN 3 95\n", b"[95] %Error: core.sv:4: Assertion failed in TOP.t: odd\n"
    early(END + mark + error)
    late(END + b"LIMBTRACE TAKEN 2 55\n" + error + mark)
    assert early.failure == late.failure == Failure("core.sv:4", "odd", 3, -1)


def test_what_a_core_says_does_nothing_to_a_terminal() -> None:
    parser = LogParser()
    parser(END + b"ERROR: /x/core.sv:12: \x1b[2Jgone\x07\n       Time: 125 Scope: t.u\n")
    assert parser.failure is not None
    assert parser.failure.message == "\ufffd[2Jgone\ufffd"


def test_an_endless_line_is_not_kept() -> None:
    parser = LogParser()
    assert parser(b"x" * (LONGEST_LINE + 1)) == b"x" * (LONGEST_LINE + 1)
    assert parser.finish() == b""


def test_assertions_before_the_end_of_the_first_reset_do_not_count() -> None:
    parser = LogParser()
    parser(b"[25] %Error: core.sv:3: Assertion failed in TOP.t: early\n")
    parser(b"[45] -Info: lt_clock.sv:3: t.c: LIMBTRACE UP\n[45] %Error: core.sv:3: Assertion failed in TOP.t: early\n")
    assert parser.failure is None
    parser(b"[65] %Error: core.sv:4: Assertion failed in TOP.t: late\n")
    assert parser.failure == Failure("core.sv:4", "late", None, None)


@pytest.mark.parametrize(
    "log",
    [
        b"ERROR: core.sv:1: $display\n",
        b"FATAL: core.sv:1: $display\n",
        b"ERROR: core.sv:1: $display\nWARNING: core.sv:2: w\n         Time: 125 Scope: t.u\n",
        b"INFO: core.sv:2: i\n      Time: 125 Scope: t.u\nFATAL: core.sv:1: $display\n",
        b"[125] %Warning: core.sv:2: t.u: w\n[125] -Info: core.sv:2: t.u: i\n%Error: foo\n",
    ],
)
def test_what_is_no_assertion_does_not_count(log: bytes) -> None:
    parser = LogParser()
    assert parser(END + b"LIMBTRACE TAKEN 7 95\n" + log) + parser.finish() == log
    assert parser.failure is None


@pytest.mark.parametrize(
    ("up", "late"),
    [
        (b"[45000] -Info", b"[125000] %Error: core.sv:4: Assertion failed in t: m"),
        (b"[   45.00ns] -Info", b"[  125.00ns] %Error: core.sv:4: Assertion failed in t: m"),
        (b"INFO: lt_clock.sv:3: LIMBTRACE UP\n Time: 45000 Scope: t.c\n",
         b"ERROR: core.sv:4: m\nmore\n Time: 125000 Scope: t.u"),
    ],
)  # fmt: skip
def test_times_are_in_the_unit_of_the_simulator(up: bytes, late: bytes) -> None:
    """A `timescale of the core makes it finer, and $timeformat writes it otherwise."""
    parser = LogParser()
    parser(up if b"INFO" in up else up + b": lt_clock.sv:3: t.c: LIMBTRACE UP\n")
    parser(b"LIMBTRACE TAKEN 7 95\n" + late + b"\n")
    assert parser.failure == Failure("core.sv:4", "m", 7, 2)


def test_a_valid_that_is_withdrawn(tmp_path: Path) -> None:
    core = copy_of(
        TOYS / "digit_toy",
        tmp_path,
        (
            "digit_toy.sv",
            "assign rsp_valid  = phase == OFFERING;",
            "assign rsp_valid  = phase == OFFERING & ~rounds[0];",
        ),
        ("digit_toy.sv", "default: if (rsp_ready) phase", "default: if (!rsp_ready) rounds <= rounds + 1; else phase"),
    )
    found = simulate(job(core, settings={"radix": "2^4"}, patience=20)).tally.divergence
    assert found is not None
    assert found.signal == "rsp_valid"


def test_a_result_that_is_not_held(tmp_path: Path) -> None:
    """It goes away after a while, which only a consumer that waits long sees."""
    edit = ("bit_toy.v", "    end else if (full && OR)\n", "    end else if (full && (OR || left == 16'hff80))\n")
    counter = "always @(posedge CLK) if (full) left <= left - 1;"
    counting = ("bit_toy.v", "reg             busy, full;", f"reg             busy, full; {counter}")
    core = copy_of(TOYS / "bit_toy", tmp_path, edit, counting)
    for stream in (1, 16):
        asked = job(core, "2^31-1", count=10 * stream, stream=stream)
        assert simulate(asked).passed
        found = simulate(asked.model_copy(update={"disturb": ("hold",)})).tally.divergence
        assert found is not None
        assert (found.signal, found.expected, found.reason) == ("OV", "0x1", "it was high and the result was not taken")


def test_a_result_that_outlives_a_reset(tmp_path: Path) -> None:
    """Only a reset shows it that comes when the core is done."""
    edit = ("bit_toy.v", "      full <= 0;\n    end else if (IV", "      if (!full) full <= 0;\n    end else if (IV")
    begin = ("bit_toy.v", "reg             busy, full;", "reg             busy, full = 0;")
    core = copy_of(TOYS / "bit_toy", tmp_path, edit, begin)
    found = simulate(job(core, "2^31-1", seed=7, stream=1, disturb=("reset",))).tally.divergence
    assert found is not None
    assert (found.signal, found.reason) == ("OV", "no product is at work")
    assert found.disturbed["reset"]["from_end"]


@pytest.mark.parametrize(
    ("instead", "why"),
    [
        ("done_d", "no product is at work"),
        ("(done_q === 1'b1)", "a reset has struck, and otherwise it falls by itself"),
    ],
)
def test_a_done_that_the_reset_leaves_out(instead: str, why: str, tmp_path: Path) -> None:
    """It stands there in the first cycle after a reset of one cycle."""
    core = copy_of(CORE, tmp_path, ("lt_mont_frame.sv", "done_q  <= 1'b0;", f"done_q  <= {instead};"))
    found = simulate(job(core, settings={"radix": "2^4"}, disturb=("reset",), count=200)).tally.divergence
    assert found is not None
    assert (found.signal, found.reason) == ("done_o", why)


def test_a_write_to_a_busy_core(tmp_path: Path) -> None:
    edit = ("lt_mont_frame.sv", "assign wr_take = wr_en_i & ~busy_o;", "assign wr_take = wr_en_i;")
    core = copy_of(CORE, tmp_path, edit)
    settings = {"radix": "2^4"}
    assert simulate(job(core, settings=settings)).passed
    assert not simulate(job(core, settings=settings, disturb=("write",))).passed


def test_a_size_that_stays_where_it_was(tmp_path: Path) -> None:
    """The number of passes is an input: a core that keeps that of its first product is found when it changes."""
    kept = "logic [NW-1:0] kept; always_ff @(posedge clk_i) if (!rst_ni) kept <= passes_i;\n"
    edit = ("lt_mont_frame.sv", "assign last_pass  = (pass_q + NW'(1) == passes_i);",
            f"{kept}assign last_pass = (pass_q + NW'(1) == kept);")  # fmt: skip
    core = copy_of(CORE, tmp_path, edit)
    settings = {"radix": "2^4"}
    assert simulate(job(core, settings=settings, disturb=("modulus",))).passed
    assert not simulate(job(core, settings=settings, disturb=("size",))).passed


def test_a_size_next_to_the_largest(tmp_path: Path) -> None:
    """A core that takes the size of its build for the next smaller one passes with one that is much smaller."""
    edit = ("lt_mont_frame.sv", "assign last_pass  = (pass_q + NW'(1) == passes_i);",
            "assign last_pass = (pass_q + NW'(1) == (passes_i == NW'(7) ? NW'(8) : passes_i));")  # fmt: skip
    core = copy_of(CORE, tmp_path, edit)
    found = simulate(job(core, "2^31-1", settings={"radix": "2^4"}, disturb=("size",), count=4)).tally.divergence
    assert found is not None
    assert found.disturbed["modulus"] == "0x7ffffff"


@pytest.mark.parametrize(("stream", "place"), [(-1, (None, None)), (0, (0, 5)), (3, (3, 5))])
def test_an_assertion_before_the_first_product_of_mode_fast(stream: int, place: tuple[int | None, int | None]) -> None:
    parser = LogParser(timed=False)
    parser(b"[90] %%Error: dut.sv:12: Assertion failed in lt.dut: a load\nLIMBTRACE FAILED %d 5\n" % stream)
    assert parser.failure == Failure("dut.sv:12", "a load", *place)
