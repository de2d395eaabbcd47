# SPDX-License-Identifier: Apache-2.0
"""Cores behind an AXI4-Lite port: lock-step in both simulators, disturbances, faults, rejected requests."""

import importlib.util
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from refmodels.errors import ParameterError
from rtl_bridge.core.core import find
from rtl_bridge.run.disturb import DISTURBANCES
from rtl_bridge.run.run import Run
from rtl_bridge.run.simulation import simulate
from tests.patience import PATIENCE
from tests.rtl_bridge.helpers import TOYS, Edit, Fault, copy_of, faulty
from tests.rtl_bridge.helpers import job as job_inside
from vectors.cli import main
from vectors.errors import ToolError

CORE = "vdf_squarer_axil"
job = partial(job_inside, allow_outside=True)
"""Copies name files of another core beside them."""
TOY = TOYS / "bus_toy"
PRIME = "2^30-35"
SETTINGS: dict[str, str | int] = {"d": 17, "t": 100}
"""A modulus with two digits in two words."""


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
def test_every_signal_in_every_cycle(simulator: str) -> None:
    """Pauses in every channel, accesses while busy, resets, another modulus and unknown inputs, with one build."""
    asked: dict[str, Any] = {"settings": SETTINGS, "kind": "random", "simulator": simulator}
    for disturb in ((), DISTURBANCES):
        report = simulate(job(CORE, PRIME, count=4, disturb=disturb, **asked))
        assert report.passed, report.text()
        assert (report.document["signals"], report.document["cycles"]) == (9, 4 * (100 + 2 + 2))
    counts = report.document["disturbances"]
    assert [kind for kind, times in counts.items() if not times] == ["again", "write"]


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
def test_a_core_that_the_bridge_has_never_heard_of(simulator: str) -> None:
    """64 bits, upper-case names, no strobes, only OKAY responses, start and done only in registers."""
    report = simulate(job(TOY, "2^31-1", count=12, simulator=simulator, disturb=DISTURBANCES))
    assert report.passed, report.text()
    counts = report.document["disturbances"]
    assert [kind for kind, times in counts.items() if not times] == ["start", "again", "write"]


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


def spoilt(target: Path, fault: int) -> Path:
    """A copy of the core with that fault; 0 for none."""
    port = "  input  logic [4:0] fault_i,\n"
    first = {
        PORT: "  input  logic         clk_i,\n",
        "../vdf_squarer/lt_vdf_squarer.sv": "  input  logic             clk_i,\n",
    }
    edits: list[Edit] = [(name, text, f"{port}{text}") for name, text in first.items()]
    edits += [(PORT, ") u_core (\n", ") u_core (\n    .fault_i(fault_i),\n")]
    faults: list[Fault] = [(f"../vdf_squarer/{f[0]}" if "axil" not in f[0] else f[0], *f[1:]) for f in EVERY.values()]
    return faulty(CORE, target, edits, faults, fault=fault)


@pytest.mark.parametrize("what", [None, *EVERY])
def test_faults_are_found_and_named(what: str | None, tmp_path: Path) -> None:
    """Each fault with the disturbance that it needs; a fault that needs one is not seen without it."""
    disturb = ("stalls",) if what in STALLED else ("start",) if what in BUSY else ()
    folder = spoilt(tmp_path, list(EVERY).index(what) + 1 if what else 0)
    asked: dict[str, Any] = {"settings": SETTINGS, "kind": "random", "count": 3}
    if disturb or what is None:
        assert simulate(job(folder, PRIME, **asked)).passed
    if what is not None:
        found = simulate(job(folder, PRIME, disturb=disturb, **asked)).tally.divergence
        assert found is not None
        assert found.signal == EVERY[what][4]
        assert (", on the bus: " in found.sentence()) == (found.cycle is None and found.signal != "assertion")


def test_what_starts_the_core_may_be_a_formula(tmp_path: Path) -> None:
    """The fault is found in accesses that disturb the core, too."""
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
        ('value = "t", offset = 0x0004 },\n  { value = "a"', 'value = "t", offset = 0x0006 },\n  { value = "a"',
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
        Run.settle(job(copy_of(CORE, tmp_path, ("core.toml", old, new)), "2^61-1"))


def test_widths_of_the_bus(tmp_path: Path) -> None:
    folder = copy_of(TOY, tmp_path, ("bus_toy.v", "input      [63:0] S_AXI_WDATA", "input      [15:0] S_AXI_WDATA"))
    with pytest.raises(ParameterError, match="have 32 or 64 bits, and S_AXI_WDATA has 16"):
        Run.settle(job(folder))
    apart = "input [6:0] S_AXI_AWADDR;\n  input [5:0]"
    folder = copy_of(TOY, tmp_path / "other", ("bus_toy.v", "input      [5:0]  S_AXI_AWADDR,", apart))
    with pytest.raises(ParameterError, match="S_AXI_ARADDR has 6 bits and should have 7"):
        Run.settle(job(folder))


@pytest.mark.parametrize("mode", ["bulk", "fast"])
def test_other_modes_are_refused(mode: str) -> None:
    with pytest.raises(ParameterError, match=f"^mode: {CORE} is behind a bus, which mode lockstep alone drives"):
        Run.settle(job(CORE, "2^61-1", mode=mode, simulator="verilator"))


def test_there_is_no_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["export", CORE, "--prime", "2^61-1", "-o", str(tmp_path / "out")])
    assert ended.value.code == 2
    assert "there is no export" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_library_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ToolError, match=r"need cocotbext-axi: pip install 'limbtrace\[axi\]'$"):
        simulate(job(CORE, "2^61-1"))


def axil(folder: Path, prime: int, x: int, t: int, cycles: int, waits: int) -> list[str]:
    """The output of the testbench of the AXI4-Lite port, for digits of 16 bits."""
    k = -(-(prime.bit_length() + 3) // 16)
    R, words = 1 << 16 * k, -(-k // 2)
    values = (x, R * R % prime, prime, -pow(prime, -1, R) % R)
    text = "".join(f"{value >> 32 * i & 0xFFFFFFFF:08x}\n" for value in values for i in range(words))
    (folder / "words.hex").write_text(text)
    sources = [
        Path(__file__).parent / "toys" / "axil_tb.sv",
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
