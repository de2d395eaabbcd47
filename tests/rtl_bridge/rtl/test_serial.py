# SPDX-License-Identifier: Apache-2.0
"""The bit-serial and the word-serial core: lock-step, file harness, disturbances, faults that are found and located."""

import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.report import Divergence
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.cli import main
from tests.patience import PATIENCE
from tests.rtl_bridge.helpers import Edit, Fault, copy_of, faulty, job

BIT, WORD = "r2mm_bitserial", "mwr2mm_wordserial"
EVERY_CYCLE: dict[str, Any] = {"mode": "bulk", "every_cycle": True}
SIGNALS = {BIT: 5, WORD: 10}
WIDTH: dict[str, str | int] = {"w": 16}

# Moduli that one build of each core accepts: filling their words, not filling them, and with spare words.
Shape = tuple[str, dict[str, str | int], str]
SHAPES: dict[str, list[Shape]] = {
    BIT: [("3", {}, "lazy"), ("2^32-5", {}, "lazy"), ("curve25519", {}, "lazy"), ("2^256-189", {}, "edge")],
    WORD: [("3", {}, "lazy"), ("2^32-5", {}, "lazy"), ("2^31-1", {"e": 5}, "edge"), ("2^61-1", {}, "lazy")],
}


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
@pytest.mark.parametrize("core", SHAPES)
def test_every_shape_from_one_build(core: str, simulator: str) -> None:
    for prime, settings, kind in SHAPES[core][:: 1 if simulator == "verilator" else 2]:
        asked = job(core, prime, settings={**WIDTH, **settings}, kind=kind, simulator=simulator, count=20)
        report = simulate(asked)
        assert report.passed, report.text()
        N, params = settle(asked).bound.multiplier.modulus.bits, report.about["params"]
        assert report.about["build"] == ({"W": 16, "NMax": 256} if core == BIT else {"W": 16, "EMax": 16})
        assert report.document["verified"] == 20
        assert report.document["cycles"] == 20 * (N + 1 if core == BIT else N * (params["e"] + 1))
        assert report.document["signals"] == SIGNALS[core]


@pytest.mark.parametrize(
    ("core", "prime", "settings", "build"),
    [
        (BIT, "2^61-1", {"w": 7}, {"NMax": 61}),
        (BIT, "7", {"w": 64}, {"NMax": 1}),
        (WORD, "2^22-3", {"w": 11}, {"EMax": 3}),
        (WORD, "15", {"w": 5}, {"EMax": 1}),
        (WORD, "2^127-1", {"w": 64}, {}),
    ],
)
def test_other_widths(core: str, prime: str, settings: dict[str, str | int], build: dict[str, int]) -> None:
    """Widths that are not a whole number of words, a single word, word widths that are not powers of two."""
    assert simulate(job(core, prime, settings=settings, build=build, kind="lazy", count=25)).passed


def test_2048_bits() -> None:
    """69,632 cycles for the largest product word by word, results only."""
    report = simulate(job(BIT, "2^2048-1", kind="lazy", count=1))
    assert (report.passed, report.document["cycles"]) == (True, 2049)
    report = simulate(job(WORD, "2^2048-1", settings={"w": 64}, kind="lazy", count=1, mode="bulk"))
    assert (report.passed, report.document["cycles"]) == (True, 2048 * 34)


@pytest.mark.parametrize("core", SHAPES)
def test_every_cycle_in_the_file_harness(core: str) -> None:
    for prime, settings, kind in SHAPES[core][1:3]:
        asked: dict[str, Any] = {"settings": {**WIDTH, **settings}, "kind": kind, **EVERY_CYCLE}
        report = simulate(job(core, prime, **asked))
        assert report.passed, report.text()
        assert (report.document["verified"], report.document["signals"]) == (40, SIGNALS[core])


@pytest.mark.parametrize("core", SHAPES)
def test_good_cores_bear_everything(core: str) -> None:
    """Includes a modulus that fills its words; registers beyond a narrow modulus keep nothing of a wider one."""
    for prime in ("2^32-5", "mldsa"):
        report = simulate(job(core, prime, settings=WIDTH, kind="random", disturb=DISTURBANCES))
        assert report.passed, report.text()
        assert [kind for kind, times in report.document["disturbances"].items() if not times] == ["stalls"]


@pytest.mark.parametrize("core", SHAPES)
def test_an_export_runs_by_itself(core: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["export", core, "--prime", "mlkem", "--set", "w=8", "--count", "9", "--every-cycle", "-o", str(tmp_path)])
    assert ended.value.code == 0
    done = subprocess.run(["sh", tmp_path / "run_icarus.sh"], capture_output=True, text=True, timeout=PATIENCE)
    assert f"PASS cases=9 cycles={9 * (13 if core == BIT else 36)}\n" in done.stdout


# What is wrong: what stands before, expression, faulty one, signal, cycle. Port fault_i says which of them is there.
# The modulus has 16 bits, 4 words of 4.
FAULTS: dict[str, dict[str, tuple[str, str, str, str, int]]] = {
    BIT: {
        "x not gated at the end": ("y_term   = ", "((state_q == StRun) && x_bit)", "x_bit", "T", 16),
        "a bit too many": ("if (", "pass_d == bits_i", "pass_q == bits_i", "sub", 16),
        "word of X too short": ("if (x_bit_q == ", "BitW'(W - 1)", "BitW'(W - 2)", "x", 15),
        "parity before the sum": ("quot     = ", "t_sum[0]", "s_q[0]", "assertion", 3),
        "p not subtracted from p": ("reduce = ", "~u_sum[Width+1]", "~u_sum[Width+1] & (u_sum != '0)", "sub", 16),
        "complement one bit short": ("p_term = ", "~((Width + 2)'(p_q))", "{2'b00, ~p_q}", "sub", 16),
        "no carry into the difference": ("p_term + (Width + 2)'(", "subtract", "1'b0", "sub", 16),
        "S not cleared": ("if (take_start) s_d = ", "'0", "s_q", "assertion", 0),
        "S one bit short": ("s_d = ", "u_sum[Width+1:1]", "{1'b0, u_sum[Width:1]}", "S", 8),
        "done a cycle early": ("done_o     = ", "done_q", "(state_q == StSubtract)", "done_o", 15),
        "another word of the result": ("s_q[", "rd_addr_i", "(rd_addr_i ^ 1'b1)", "result", 17),
    },
    WORD: {
        "a word too few": ("last_word  = ", "(word_q == words_i)", "(word_q + EW'(1) == words_i)", "S_we", 5),
        "top bit of S lost": ("s_wr_data = {", "b_sum[0]", "(b_sum[0] & (word_q != 4))", "S", 76),
        "parity not held": ("par_d = ", "first_word ? a_sum[0] : par_q", "a_sum[0]", "Sb", 19),
        "S not 0 at first": ("s_word = (last_word || ", "(pass_q == '0)", "1'b0", "Sa", 0),
        "Ca lost": ("ca_d   = ", "a_sum[W]", "1'b0", "Ca", 26),
        "Cb of another bit": ("cb_d   = ", "b_sum[W]", "b_sum[W-1]", "Cb", 20),
        "first sum kept": ("kept_d = ", "b_sum[W-1:1]", "a_sum[W-1:1]", "kept", 28),
        "S a word too high": ("s_wr_addr = ", "word_addr - AddrW'(1)", "word_addr", "S_addr", 1),
        "Y not 0 in word e": ("y_word = ", "last_word ? '0 : y_mem[word_addr]", "y_mem[word_addr]", "assertion", 95),
        "p not 0 in word e": ("p_word = ", "last_word ? '0 : p_mem[word_addr]", "p_mem[word_addr]", "assertion", 29),
        "S not 0 in word e": ("s_word = (", "last_word", "1'b0", "assertion", 11),
        "word of X too short": ("if (x_bit_q == ", "BitW'(W - 1)", "BitW'(W - 2)", "x", 72),
        "done a cycle early": ("done_o     = ", "done_q", "(last_word & last_pass)", "done_o", 94),
        "result inverted": ("rd_data_o = ", "s_read", "~s_read", "result", 96),
    },
}
IN_LOCKSTEP = {BIT: ["a bit too many", "S one bit short"], WORD: ["Y not 0 in word e", "parity not held"]}
EDITS: dict[str, list[tuple[str, str]]] = {
    BIT: [("  // operands\n", "  input wire logic [4:0]       fault_i,\n")],
    WORD: [("  // operand memories\n", "  input wire logic [4:0]       fault_i,\n")],
}


def spoilt(core: str, target: Path, fault: int) -> Path:
    """A copy of the core with that fault; 0 for none."""
    rtl = f"lt_{core}.sv"
    edits: list[Edit] = [(rtl, *edit) for edit in EDITS[core]]
    faults: list[Fault] = [(rtl, before, good, bad, signal) for before, good, bad, signal, _ in FAULTS[core].values()]
    return faulty(core, target, edits, faults, fault=fault)


def found(core: str, folder: Path, **fields: Any) -> Divergence | None:
    build = {"NMax": 16} if core == BIT else {"EMax": 16}
    asked: dict[str, Any] = {"settings": {"w": 4}, "kind": "lazy", "build": build, **fields}
    return simulate(job(folder, "2^16-1", **asked)).tally.divergence


@pytest.mark.parametrize("core", FAULTS)
def test_faults_are_found_and_located(core: str, tmp_path: Path) -> None:
    assert found(core, spoilt(core, tmp_path / "none", 0), **EVERY_CYCLE) is None
    for number, (what, fault) in enumerate(FAULTS[core].items(), 1):
        divergence = found(core, spoilt(core, tmp_path / str(number), number), **EVERY_CYCLE)
        assert divergence is not None, what
        assert (what, divergence.signal, divergence.cycle) == (what, *fault[3:])


@pytest.mark.parametrize(("core", "what"), [(core, what) for core in FAULTS for what in IN_LOCKSTEP[core]])
def test_lockstep_finds_what_the_file_harness_finds(core: str, what: str, tmp_path: Path) -> None:
    """Includes differences in the last row and at the end of a run's first product."""
    folder = spoilt(core, tmp_path, [*FAULTS[core]].index(what) + 1)
    both = [found(core, folder, **fields) for fields in ({}, EVERY_CYCLE)]
    lockstep, bulk = (replace(divergence, replay="") for divergence in both if divergence)
    assert lockstep == bulk


# Faults that only a disturbance shows: core, kind, old text, new text.
DISTURBED = [
    (BIT, "start", "take_start = start_i & ~busy_o;", "take_start = start_i;"),
    (
        BIT,
        "reset",
        "if (take_start) s_d = '0;",
        "if (take_start) s_d = (pass_q == bits_i || ^s_q === 1'bx) ? '0 : s_q;",
    ),
    (WORD, "start", "take_start = start_i & ~busy_q;", "take_start = start_i;"),
    (WORD, "reset", "a_sum[W] & ~take_start", "take_start ? (ca_q === 1'b1) : a_sum[W]"),
]


@pytest.mark.parametrize(("core", "kind", "old", "new"), DISTURBED)
def test_a_fault_that_only_a_disturbance_shows(core: str, kind: str, old: str, new: str, tmp_path: Path) -> None:
    folder = copy_of(core, tmp_path, (f"lt_{core}.sv", old, new))
    asked: dict[str, Any] = {"settings": WIDTH, "kind": "random"}
    assert simulate(job(folder, "2^31-1", **asked)).passed
    assert not simulate(job(folder, "2^31-1", disturb=(kind,), **asked)).passed


@pytest.mark.parametrize(
    ("core", "settings", "sentence"),
    [
        (BIT, {"w": 1}, r"^w: 1 is outside 2 to 64$"),
        (WORD, {"w": 65}, r"^w: mwr2mm_wordserial takes 2 to 64, and here it is 65$"),
        (WORD, {"w": 8, "e": 1}, r"^e: 1 is outside 2 to "),
    ],
)
def test_what_is_refused(core: str, settings: dict[str, str | int], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        settle(job(core, "251", settings=settings))


def test_a_build_that_is_too_small_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"bits_i"):
        settle(job(BIT, "2^64-59", build={"NMax": 32}))
    with pytest.raises(ParameterError, match=r"words"):
        settle(job(WORD, "2^64-59", build={"EMax": 4}))


def test_a_start_right_behind_the_last_write(tmp_path: Path) -> None:
    """Two registers in front of the write port: the last word comes a cycle too late for it."""
    source = copy_of(BIT, tmp_path) / "lt_r2mm_bitserial.sv"
    ports, body = source.read_text().split("\n);\n", 1)
    widths = {"wr_en": "", "wr_sel": "[1:0]", "wr_addr": "[AddrW-1:0]", "wr_data": "[W-1:0]"}
    late = ""
    for name, width in widths.items():
        body = re.sub(rf"\b{name}_i\b", f"{name}_q", body)
        both = f"{{{name}_q, {name}_first}} <= {{{name}_first, {name}_i}}"
        late += f"  logic {width} {name}_first, {name}_q;\n  always_ff @(posedge clk_i) {both};\n"
    source.write_text(f"{ports}\n);\n{late}{body}")
    for disturb in ((), DISTURBANCES):
        asked = job(source.parent, "2^32-5", settings=WIDTH, kind="mixed", count=20, disturb=disturb)
        assert not simulate(asked).passed
