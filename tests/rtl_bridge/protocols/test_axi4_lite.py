# SPDX-License-Identifier: Apache-2.0
"""Cores behind an AXI4-Lite port: every mode, exports, disturbances, faults, rejected requests."""

import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.core.core import find
from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.report import Divergence
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.cli import main
from tests.patience import PATIENCE
from tests.rtl_bridge.helpers import TOYS, Edit, Fault, copy_of, faulty
from tests.rtl_bridge.helpers import job as job_inside

CORE = "vdf_squarer_axil"
job = partial(job_inside, allow_outside=True)
"""Copies name files of another core beside them."""
TOY = TOYS / "bus_toy"
PRIME = "2^30-35"
SETTINGS: dict[str, str | int] = {"d": 17, "t": 100}
"""A modulus with two digits in two words."""
RUNS: dict[str, dict[str, Any]] = {
    "lockstep": {"mode": "lockstep"},
    "fast": {"mode": "fast"},
    "every cycle": {"mode": "bulk", "every_cycle": True},
    "bulk": {"mode": "bulk"},
}
"""What a job says of each way to compare products."""


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
def test_every_signal_in_every_cycle(simulator: str) -> None:
    """Pauses in every channel, accesses while busy, resets, another modulus and unknown inputs, with one build."""
    asked: dict[str, Any] = {"settings": SETTINGS, "kind": "random", "simulator": simulator}
    for disturb in ((), DISTURBANCES):
        report = simulate(job(CORE, PRIME, count=4, disturb=disturb, **asked))
        assert report.passed, report.text()
        assert (report.document["signals"], report.document["cycles"]) == (9, 4 * (100 + 2 + 2))
    counts = report.document["disturbances"]
    never = [kind for kind, times in counts.items() if not times and kind != "size"]  # four products are few for sizes
    assert never == ["again", "write", "load"]


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
def test_a_core_that_the_bridge_has_never_heard_of(simulator: str) -> None:
    """64 bits, upper-case names, no strobes, only OKAY responses, start and done only in registers."""
    report = simulate(job(TOY, "2^31-1", count=12, simulator=simulator, disturb=DISTURBANCES))
    assert report.passed, report.text()
    counts = report.document["disturbances"]
    assert [kind for kind, times in counts.items() if not times] == ["start", "again", "write", "load"]


# Faults: file, preceding text, expression, faulty expression, signal. Port fault_i selects one of them. An assertion of
# the core about its operands may fail before any signal differs.
PORT = "lt_vdf_squarer_axil.sv"
FAULTS: dict[str, Fault] = {
    "no write of M": (PORT, ".wr_en_i  (", "write & whole & wr_word",
                      "write & whole & wr_word & (s_axil_awaddr_i[14:13] != 2'd2)", "assertion"),
    "order of words": (PORT, ".wr_addr_i(", "s_axil_awaddr_i[2+:AddrW]", "~s_axil_awaddr_i[2+:AddrW]", "assertion"),
    "order of words of y": (PORT, ".rd_addr_i(", "s_axil_araddr_i[2+:AddrW]", "~s_axil_araddr_i[2+:AddrW]", "result"),
    "start without a strobe": (PORT, "assign start     = ", "write & whole & (s_axil_awaddr_i == AddrControl) & "
                               "s_axil_wdata_i[0]", "write & s_axil_wdata_i[0]", "assertion"),
    "never done": (PORT, "there_d   = ", "there_q | done", "there_q", "register 0x0"),
    "done for ever": (PORT, "if (start & ~busy) there_d = ", "1'b0", "there_q", "register 0x0"),
    "a register too many": (PORT, "rdata_d = ", "'0", "W'(1)", "register 0x8"),
    "t is not kept": (PORT, "(s_axil_awaddr_i == AddrCount)) count_d = ", "s_axil_wdata_i", "'0", "register 0x4"),
    "done before the digits are resolved": (PORT, "there_d   = ", "there_q | done",
                                            "there_q | (u_core.state_q == 2'd2)", "register 0x0"),
    "error at one address": (PORT, "partial_d = write ? ", "~whole", "(~whole | (s_axil_awaddr_i == 16'hc000))",
                             "s_axil_bresp_o"),
    "a response to no write": (PORT, "assign s_axil_bvalid_o  = ", "bvalid_q", "(bvalid_q | rvalid_q)",
                               "s_axil_bvalid_o"),
    "a response to an address that was not taken": (PORT, "assign s_axil_arready_o = ", "rready_q",
                                                    "(rready_q & (s_axil_araddr_i[15:14] != 2'd1))", "s_axil_rvalid_o"),
    "never ready for an address": (PORT, "rready_d  = ", "~rready_q", "~rready_q & (s_axil_araddr_i[15:14] != 2'd1)",
                                   "s_axil_arready_o"),
    "error": (PORT, "s_axil_bresp_o   = ", "partial_q ? RespSlverr : RespOkay", "2'b10", "s_axil_bresp_o"),
    "no answer": (PORT, "bvalid_q <= ", "bvalid_d", "bvalid_d & (s_axil_awaddr_i != AddrControl)", "s_axil_bvalid_o"),
    "unknown word": (PORT, "if (rd_result) rdata_d = ", "rd_data", "'x", "result"),
}  # fmt: skip
STALLED: dict[str, Fault] = {
    "answer to a write lost": (PORT, "bvalid_d  = ", "(bvalid_q & ~s_axil_bready_i) | write", "write",
                               "s_axil_bvalid_o"),
    "answer to a read lost": (PORT, "rvalid_d  = ", "(rvalid_q & ~s_axil_rready_i) | read", "read",
                              "s_axil_rvalid_o"),
    "another word while one waits": (PORT, "s_axil_rdata_o   = ", "rdata_q", "(s_axil_rready_i ? rdata_q : '0)",
                                     "s_axil_rvalid_o"),
}  # fmt: skip
BUSY: dict[str, Fault] = {
    "t while busy": (PORT, "if (write & whole & ", "~busy", "1'b1", "B"),
    "operands while busy": ("lt_vdf_squarer.sv", "assign wr_take = wr_en_i & ", "~busy_o", "1'b1", "S"),
    "start while busy": ("lt_vdf_squarer.sv", "assign take_start   = start_i & ", "~busy_o", "1'b1", "A"),
}
EVERY = {**FAULTS, **STALLED, **BUSY}
VALUES = {
    "error": ("0x0", "0x2"),
    "t is not kept": ("0x64", "0x0"),
    "done for ever": ("0x0", "0x2"),
    "never done": ("0x2", "0x0"),
    "no answer": ("0x1", "0x0"),
}
"""What reports say should have been there and was, for faults on the bus."""
ALSO = {"operands while busy": {"Q", "T"}, "another word while one waits": {"register 0x4"}}
"""What is reached first, too: it depends on when the write, or the wait, comes."""


def spoilt(target: Path, fault: int) -> Path:
    """A copy of the core with that fault; 0 for none."""
    port = "  input wire logic [4:0] fault_i,\n"
    first = {
        PORT: "  input wire logic         clk_i,\n",
        "../vdf_squarer/lt_vdf_squarer.sv": "  input wire logic             clk_i,\n",
    }
    edits: list[Edit] = [(name, text, f"{port}{text}") for name, text in first.items()]
    edits += [(PORT, ") u_core (\n", ") u_core (\n    .fault_i(fault_i),\n")]
    faults: list[Fault] = [(f"../vdf_squarer/{f[0]}" if "axil" not in f[0] else f[0], *f[1:]) for f in EVERY.values()]
    return faulty(CORE, target, edits, faults, fault=fault)


def found_by(folder: Path, run: str, **fields: Any) -> Divergence | None:
    """The first difference of products of which some have pauses, and some a write to the busy core."""
    asked = {"settings": SETTINGS, "kind": "random", "count": 32, **RUNS[run], **fields}
    return simulate(job(folder, PRIME, **asked), quiet=True).tally.divergence


@pytest.mark.parametrize("what", [None, *EVERY])
def test_faults_are_found_and_named(what: str | None, tmp_path: Path) -> None:
    found = found_by(spoilt(tmp_path, list(EVERY).index(what) + 1 if what else 0), "lockstep")
    assert (found is None) == (what is None)
    if found is not None and what is not None:
        assert found.signal in {EVERY[what][4], *ALSO.get(what, ())}
        assert (found.expected, found.seen) == VALUES.get(what, (found.expected, found.seen))
        assert (found.kind == "handshake") == found.signal.startswith(("register", "s_axil"))


@pytest.mark.parametrize("what", [None, *EVERY])
@pytest.mark.budget(20)
def test_faults_are_found_in_every_mode(what: str | None, tmp_path: Path) -> None:
    """With one difference in all modes, where no assertion fails, which ends a run at once, as a rule does in bulk."""
    folder = spoilt(tmp_path, list(EVERY).index(what) + 1 if what else 0)
    found = {run: found_by(folder, run, simulator="verilator") for run in RUNS}
    if what is None:
        assert set(found.values()) == {None}
        return
    differences = [difference for difference in found.values() if difference is not None]
    assert len(differences) == len(RUNS)
    if any(difference.kind == "assertion" for difference in differences):
        return
    assert len({difference.case for difference in differences}) == 1
    first, fast, *others = differences
    assert first.sentence() == fast.sentence()
    if first.kind == "handshake":
        assert [(o.signal, o.expected, o.seen, o.reason) for o in others] == [
            (first.signal, first.expected, first.seen, first.reason)
        ] * 2


@pytest.mark.parametrize(
    ("what", "kind"), [*((what, "stalls") for what in STALLED), *((what, "start") for what in BUSY)]
)
def test_disturbances_find_at_once_what_is_rare(what: str, kind: str, tmp_path: Path) -> None:
    folder = spoilt(tmp_path, list(EVERY).index(what) + 1)
    found = found_by(folder, "lockstep", disturb=(kind,), count=5)
    assert found is not None
    assert found.signal in {EVERY[what][4], *ALSO.get(what, ())}


def test_what_starts_the_core_may_be_a_formula(tmp_path: Path) -> None:
    folder = spoilt(tmp_path, 0)
    description = folder / "core.toml"
    plain = description.read_text()
    description.write_text(plain.replace("offset = 0x0000, value = 1", 'offset = 0x0000, value = "entry"'))
    assert description.read_text() != plain
    report = simulate(job(folder, PRIME, settings=SETTINGS, kind="random", count=3, disturb=("start",)))
    assert report.passed, report.text()
    assert report.document["disturbances"]["start"] > 9


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('prefix = "s_axil_"', 'prefix = "m_axil_"', "'m_axil_awaddr', and .* has no such port"),
        ('finishes = "u_core.done_q"\n', "",
         'row u_core.a_q has match "cycle", which needs protocol.starts and finishes'),
        ('value = "t", offset = 0x0004, readable', 'value = "t", offset = 0x0006, readable',
         r"load\[0\].offset is 0x6, and should be that of a word of 32 bits below 0x10000"),
        ("offset = 0x4000", "offset = 0xfffc", "result.offset is 0xfffc"),
        ("offset = 0xa000", "offset = 0x8004",
         r"load\[2\].offset is 0x8004, where the 2 words of protocol.load\[1\] from 0x8000 on lie, too"),
        ('value = "a", offset = 0x8000, words = "(d * k + 31) // 32"', 'value = "a", offset = 0x8000',
         r"load\[1\] has 1 words of 32 bits, and its value may have 61 bits"),
        ('[result]\noffset = 0x4000\n', '[result]\nport = "s_axil_rdata_o"\n', "result needs offset and words"),
        ('value = "a", offset', 'value = "b", offset', r"a and b must each be given once"),
    ],
)  # fmt: skip
def test_a_wrong_description_is_refused(old: str, new: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=sentence):
        settle(job(copy_of(CORE, tmp_path, ("core.toml", old, new)), "2^61-1"))


def test_widths_of_the_bus(tmp_path: Path) -> None:
    folder = copy_of(TOY, tmp_path, ("bus_toy.v", "input      [63:0] S_AXI_WDATA", "input      [15:0] S_AXI_WDATA"))
    with pytest.raises(ParameterError, match="have 32 or 64 bits, and S_AXI_WDATA has 16"):
        settle(job(folder))
    apart = "input [6:0] S_AXI_AWADDR;\n  input [5:0]"
    folder = copy_of(TOY, tmp_path / "other", ("bus_toy.v", "input      [5:0]  S_AXI_AWADDR,", apart))
    with pytest.raises(ParameterError, match="S_AXI_ARADDR has 6 bits and should have 7"):
        settle(job(folder))


# How a core may take a write: address and data apart and in either order, both at once, and one after the response to
# a read is gone.
ORDERS: dict[str, tuple[tuple[str, str], ...]] = {
    "either": (),
    "address first": (("assign S_AXI_WREADY  = !w_full;", "assign S_AXI_WREADY  = !w_full && aw_full;"),),
    "data first": (("assign S_AXI_AWREADY = !aw_full;", "assign S_AXI_AWREADY = !aw_full && w_full;"),),
    "together": (
        ("assign S_AXI_AWREADY = !aw_full;", "assign S_AXI_AWREADY = !aw_full && S_AXI_WVALID;"),
        ("assign S_AXI_WREADY  = !w_full;", "assign S_AXI_WREADY  = !w_full && S_AXI_AWVALID;"),
    ),
    "reads last": (
        ("assign S_AXI_ARREADY = !S_AXI_RVALID;", "assign S_AXI_ARREADY = !S_AXI_RVALID && !aw_full && !w_full;"),
        ("(aw_full && w_full && !S_AXI_BVALID)", "(aw_full && w_full && !S_AXI_BVALID && !S_AXI_RVALID)"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("order", ORDERS)
def test_a_write_may_be_taken_in_any_order(order: str, tmp_path: Path) -> None:
    """With the same products and the same cycles in every mode."""
    folder = copy_of(TOY, tmp_path, *(("bus_toy.v", *edit) for edit in ORDERS[order]))
    cycles = set()
    for run, fields in RUNS.items():
        if run != "every cycle":  # which needs rows
            report = simulate(job(folder, "2^31-1", count=40, **fields, simulator="verilator"))
            assert report.passed, (run, report.text())
            cycles.add(report.document["cycles"])
    assert len(cycles) == 1


# What a core may rely on: what is offered stays until it is taken, and nothing is offered in a reset.
REFEREE = """
  reg [2:0] held;
  reg [1:0] tick = 0;
  reg [75:0] was;
  wire [75:0] sent = {S_AXI_ARADDR, S_AXI_WDATA, S_AXI_AWADDR};
  wire [2:0] valid = {S_AXI_ARVALID, S_AXI_WVALID, S_AXI_AWVALID};
  wire [2:0] ready = {S_AXI_ARREADY, S_AXI_WREADY, S_AXI_AWREADY};
  reg [1:0] ahead;  // addresses without data, and the other way round
  always @(posedge CLK) begin
    tick <= tick + 1;
    held <= RST ? 3'd0 : valid & ~ready;
    was  <= sent;
    if (!RST && |(held & ~valid)) $error("an offer is withdrawn");
    if (!RST && (held[0] && sent[5:0] != was[5:0] || held[1] && sent[69:6] != was[69:6] ||
        held[2] && sent[75:70] != was[75:70])) $error("an offer changes");
    if (!RST && (^{valid, S_AXI_BREADY, S_AXI_RREADY}) === 1'bx) $error("a handshake is unknown");
    if (RST) ahead <= 0;
    else ahead <= ahead + (valid[0] && ready[0]) - (valid[1] && ready[1]);
    if (!RST && ahead == 2) $error("two addresses, and no data");
  end
endmodule
"""


@pytest.mark.parametrize("order", ["address first", "data first"])
def test_the_master_keeps_to_the_protocol(order: str, tmp_path: Path) -> None:
    """Where the core keeps every channel waiting."""
    edits = [*ORDERS[order], ("!S_AXI_RVALID;", "!S_AXI_RVALID && tick[1];"), ("endmodule\n", REFEREE)]
    folder = copy_of(TOY, tmp_path, *(("bus_toy.v", *edit) for edit in edits))
    for disturb in ((), DISTURBANCES):
        report = simulate(job(folder, "2^31-1", disturb=disturb))
        assert report.passed, report.text()


# Faults of a core that takes address and data one by one.
LOST: dict[str, Fault] = {
    "a write whose address comes last": ("bus_toy.v", "at      <= ", "S_AXI_AWADDR[5:3]",
                                         "(w_full ? 3'd6 : S_AXI_AWADDR[5:3])", "result"),
    "a write whose data come last": ("bus_toy.v", "data   <= ", "S_AXI_WDATA", "(aw_full ? 64'd0 : S_AXI_WDATA)",
                                     "register 0x0"),
    "a word without valid": ("bus_toy.v", "if (S_AXI_WVALID && S_AXI_WREADY) begin\n        w_full <= 1;\n        "
                             "data   <= S_AXI_WDATA;\n      end\n", "      if (S_AXI_BREADY) S_AXI_BVALID <= 0;",
                             "      if (S_AXI_BREADY) S_AXI_BVALID <= 0; if (!aw_full) data <= S_AXI_WDATA;", "result"),
    "words in another order": ("bus_toy.v", "2: ", "b[63:0] <= data", "b[127:64] <= data", "result"),
    "done for ever": ("bus_toy.v", "              done <= ", "0", "done", "result"),
}  # fmt: skip


@pytest.mark.parametrize("what", LOST)
def test_what_gets_lost_is_found_in_every_mode(what: str, tmp_path: Path) -> None:
    file, before, good, bad, signal = LOST[what]
    folder = copy_of(TOY, tmp_path, (file, before + good, before + bad))
    for run, fields in RUNS.items():
        if run != "every cycle":
            found = simulate(job(folder, "2^31-1", count=20, **fields, simulator="verilator")).tally.divergence
            assert found is not None, run
            assert found.signal == signal


def test_a_run_goes_on_after_a_difference(tmp_path: Path) -> None:
    """From the reset on, with every constant written again."""
    folder = spoilt(tmp_path, list(EVERY).index("order of words of y") + 1)
    for run in RUNS:
        asked = {"settings": SETTINGS, "kind": "random", "count": 6, "keep_going": 9, **RUNS[run]}
        report = simulate(job(folder, PRIME, **asked, simulator="verilator"))
        assert [found.case for found in report.differences] == [*range(6)]
        assert {found.signal for found in report.differences} == {"result"}


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
@pytest.mark.parametrize("what", [None, "a register too many"])
def test_an_export(what: str | None, simulator: str, tmp_path: Path) -> None:
    folder = spoilt(tmp_path, list(EVERY).index(what) + 1 if what else 0)
    settings = ["--set", "d=17", "--set", "t=20", "--allow-outside"]
    with pytest.raises(SystemExit) as ended:
        main(["export", str(folder), "--prime", PRIME, *settings, "--count", "5", "-o", str(tmp_path / "out")])
    assert ended.value.code == 0
    script = tmp_path / "out" / f"run_{simulator}.sh"
    done = subprocess.run(["sh", script], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == int(what is not None), done.stderr
    if what is None:
        assert done.stdout == "PASS cases=5 cycles=120\n"
    else:
        assert "register_0x8: expected 0, seen 1, " in done.stdout


def test_a_waveform_shows_the_bus(tmp_path: Path) -> None:
    wave = tmp_path / "wave.vcd"
    assert simulate(job(CORE, PRIME, settings=SETTINGS, count=2, mode="bulk", waves=wave)).passed
    assert "s_axil_awvalid_i" in wave.read_text()


def axil(folder: Path, prime: int, x: int, t: int, cycles: int, waits: int) -> list[str]:
    """The output of the testbench of the AXI4-Lite port, for digits of 16 bits."""
    k = -(-(prime.bit_length() + 3) // 16)
    R, words = 1 << 16 * k, -(-k // 2)
    values = (x, R * R % prime, prime, -pow(prime, -1, R) % R)
    text = "".join(f"{value >> 32 * i & 0xFFFFFFFF:08x}\n" for value in values for i in range(words))
    (folder / "words.hex").write_text(text)
    sources = [
        Path(__file__).parents[1] / "toys" / "axil_tb.sv",
        *find(CORE).rtl,
    ]
    settings = {"K": k, "Cycles": cycles, "Count": t, "Waits": waits}
    options = [f"-Paxil_tb.{name}={value}" for name, value in settings.items()]
    build: list[str | Path] = ["iverilog", "-g2012", "-s", "axil_tb", "-o", folder / "axil.vvp", *options, *sources]
    subprocess.run(build, check=True, timeout=PATIENCE)
    done = subprocess.run(
        ["vvp", "-n", "axil.vvp"], cwd=folder, check=True, capture_output=True, text=True, timeout=PATIENCE
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize(("prime", "t", "cycles", "waits"), [(2**61 - 1, 60, 1, 0), (2**45 - 55, 30, 3, 2)])
def test_as_a_processor_uses_it(prime: int, t: int, cycles: int, waits: int, tmp_path: Path) -> None:
    """Writes and starts while busy have no effect, nor do partial words; an unmapped word reads as 0."""
    x = prime // 3
    y = pow(x, 2**t, prime)
    words = [f"y {y >> 32 * i & 0xFFFFFFFF:08x}" for i in range(2)]
    seen = axil(tmp_path, prime, x, t, cycles, waits)
    assert seen == [f"t {t}", "before 0", "still 0", "during 1", "after 2", *words, "beyond 0"]
