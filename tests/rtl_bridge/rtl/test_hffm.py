# SPDX-License-Identifier: Apache-2.0
"""The interleaved multiplier of the SIDH paper: lock-step, disturbances, faults that are found and located."""

import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.refmodels.registry import MODELS
from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.report import Divergence
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.cli import main
from tests.patience import PATIENCE
from tests.rtl_bridge.helpers import Edit, Fault, copy_of, faulty, job

CORE = "hffm"
EVERY_CYCLE: dict[str, Any] = {"mode": "bulk", "every_cycle": True}
SMALL = "2^23*3^14-1"
"""Words of 24 bits, one more than f*l^b has; c1 has one bit more than that, like SIKEp610 with words of 306 bits."""
SIGNALS = 41

C1_BITS = {"sike-p434": 219, "sike-p503": 253, "sike-p610": 307, "sike-p751": 379, "p771": 389}
"""The primes of the paper, and the largest width of c1."""
CORNERS = 60
"""Settings of the model for each of them."""

# Table I of the paper: prime, split, bits of a word.
TABLE_I = [("sike-p434", 6, 222), ("sike-p503", 8, 256), ("sike-p610", 6, 306), ("sike-p751", 6, 384), ("p771", 6, 390)]


FORMS = ("corrected", "printed")


def corners(prime: str, split: int, form: str) -> tuple[str, ...]:
    """All corners of the model: the largest carry, corrections of the quotient, p as an operand, 307 bits of c1."""
    model = MODELS["hffm"]
    params = model.resolve(CATALOGUE[prime].modulus, {"split": split, "form": form})
    runs = [model.run(params, corner.a, corner.b) for corner in model.corners(params)]
    assert max(run.at("carry@9") for run in runs) == params.carry_limit
    assert max(run.at("c1@8") for run in runs).bit_length() == C1_BITS[prime]
    assert {run.at("barrett.corr") for run in runs} == {0, 1}
    assert max(run.at("C@9") for run in runs) > params.modulus
    return tuple(f"{run.a},{run.b}" for run in runs)


@pytest.mark.parametrize(("prime", "split", "word"), TABLE_I)
def test_primes_of_table_1(prime: str, split: int, word: int) -> None:
    """Streams of three pairs."""
    report = simulate(job(CORE, prime, settings={"split": split}, operands=corners(prime, split, "corrected")))
    assert report.passed, report.text()
    assert (report.about["build"]["N"], report.about["build"]["Split"]) == (word, split)
    assert report.document["signals"] == SIGNALS
    assert report.document["cycles"] == CORNERS // 6 * (2 * 54 + 66 + 2)


@pytest.mark.full
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
@pytest.mark.parametrize("split", [6, 8])
@pytest.mark.parametrize("prime", C1_BITS)
def test_every_configuration(prime: str, split: int, simulator: str, form: str) -> None:
    """Results in [0, p) and in the range of the paper: every corner, then other operands."""
    settings = {"split": split, "form": form}
    for asked in ({"operands": corners(prime, split, form)}, {"count": 90}):
        report = simulate(job(CORE, prime, settings=settings, simulator=simulator, **asked))
        assert report.passed, report.text()
        assert (report.about["build"]["Split"], report.about["build"]["Normalise"]) == (split, form == "corrected")


@pytest.mark.full
@pytest.mark.parametrize("prime", C1_BITS)
def test_thousands_of_products(prime: str) -> None:
    report = simulate(job(CORE, prime, kind="lazy", count=6000, simulator="verilator", mode="fast"))
    assert report.passed, report.text()
    assert (report.document["verified"], report.document["signals"]) == (6000, SIGNALS)


@pytest.mark.parametrize(("prime", "split"), [("11", 6), ("35", 8), ("59", 8), ("191", 6)])
def test_small_moduli(prime: str, split: int) -> None:
    """One of the moduli is composite: is_p is 1 there for operands other than p."""
    report = simulate(job(CORE, prime, settings={"split": split}, kind="edge", count=120))
    assert report.passed, report.text()


@pytest.mark.parametrize("form", FORMS)
def test_good_cores_bear_everything(form: str) -> None:
    """Resets, operands that change after their edge, pairs without a second product, gaps between pairs."""
    report = simulate(job(CORE, SMALL, settings={"form": form}, kind="edge", count=90, disturb=DISTURBANCES))
    assert report.passed, report.text()
    assert report.about["build"]["Normalise"] == int(form == "corrected")
    counted = report.document["disturbances"]
    assert [kind for kind, times in counted.items() if not times] == ["modulus", "size", "again", "write", "load"]


def test_a_start_without_ready(tmp_path: Path) -> None:
    """Operands that any start registers are those of a product that has not been taken."""
    core = copy_of(
        CORE,
        tmp_path,
        (
            "lt_hffm.sv",
            "always_ff @(posedge clk_i) begin\n    if (take",
            "always_ff @(posedge clk_i) begin\n    if (start_i",
        ),
    )
    assert simulate(job(core, SMALL, disturb=set(DISTURBANCES) - {"start"})).passed
    assert not simulate(job(core, SMALL, disturb=("start",))).passed


def test_results_in_the_range_of_the_paper(tmp_path: Path) -> None:
    """17: a result of p + 1 and a second zero are returned unchanged."""
    report = simulate(job(CORE, "17", settings={"form": "printed"}, kind="edge", count=60, mode="bulk"))
    assert report.passed, report.text()
    core = copy_of(CORE, tmp_path, ("core.toml", 'Normalise = "normalise"', "Normalise = 0"))
    assert not simulate(job(core, "17", kind="edge", count=60, mode="bulk")).passed


def test_verilator() -> None:
    for kind in ("edge", "mixed"):
        report = simulate(job(CORE, "11", kind=kind, count=60, simulator="verilator"))
        assert report.passed, report.text()
        assert (report.document["verified"], report.document["signals"]) == (60, SIGNALS)


@pytest.mark.parametrize("products", [1, 2, 3])
def test_streams_of_fewer_products(products: int) -> None:
    report = simulate(job(CORE, SMALL, kind="edge", count=6, stream=products))
    assert report.passed, report.text()
    assert report.document["cycles"] == 6 // products * {1: 61, 2: 68, 3: 115}[products]


def test_an_export_runs_by_itself(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["export", CORE, "--prime", "2^86*3^57-1", "--count", "12", "--every-cycle", "-o", str(tmp_path)])
    assert ended.value.code == 0
    done = subprocess.run(["sh", tmp_path / "run_icarus.sh"], capture_output=True, text=True, timeout=PATIENCE)
    assert re.search(r"PASS cases=\d+ cycles=352\n", done.stdout), done.stdout + done.stderr
    text = (tmp_path / "vivado" / "lt_hffm_set.sv").read_text()  # too wide for Vivado's -generic
    assert re.search(r"\.D\(91'h[0-9a-f]+\)", text)
    assert re.search(r"\.X\(96'h[0-9a-f]+\)", text)


def test_two_digits_are_in_one_word(tmp_path: Path) -> None:
    folder = copy_of(CORE, tmp_path, ("core.toml", 'port = "r_o"\nwords = 1\n', 'port = "r_o"\nwords = 2\n'))
    with pytest.raises(ParameterError, match="radix and digits of result go with a port that has the whole result"):
        settle(job(folder, "11"))


def test_one_core_for_one_modulus() -> None:
    texts = {settle(job(CORE, prime)).shell.text for prime in ("11", "17", "11")}
    assert len(texts) == 2


@pytest.mark.parametrize(
    ("prime", "settings", "name"),
    [("secp256k1", {}, "prime"), ("107", {"N": 6}, "N"), ("11", {"split": 7}, "split"),
     ("11", {"normalise": 0}, "normalise"), ("11", {"N": 9}, "N"), ("11", {"window": "hac"}, "window")],
)  # fmt: skip
def test_what_it_cannot_be(prime: str, settings: dict[str, str | int], name: str) -> None:
    with pytest.raises(ParameterError) as caught:
        settle(job(CORE, prime, settings=settings))
    assert caught.value.parameter == name


EDITS: list[Edit] = [
    (
        "lt_hffm.sv",
        "  input wire logic           start_i,\n",
        "  input wire logic [5:0] fault_i,\n  input wire logic start_i,\n",
    ),
    ("lt_hffm.sv", "    .first_i((mul", "    .fault_i(fault_i),\n    .first_i((mul"),
    (
        "lt_hffm_mul.sv",
        "  input wire logic         first_i,\n",
        "  input wire logic [5:0] fault_i,\n  input wire logic first_i,\n",
    ),
]

# Faults: file, preceding text, expression, faulty expression, signal, cycle.
# fmt: off
FAULTS: dict[str, tuple[str, str, str, str, str, int | None]] = {
    "a tile a bit too high": ("lt_hffm_mul.sv", "tile_q[((K*i+j)*4+1)*PW+:PW]) << (", "A - B", "A - B + 1",
                              "early", 2),
    "a sum too low": ("lt_hffm_mul.sv", "s / 2 * PW + ", "s % 2 * B", "s % 2", "xy", 4),
    "early tiles of the next quarter": ("lt_hffm_mul.sv", "sums_d = ", "early_q", "early_d", "sums", 4),
    "accumulator not cleared": ("lt_hffm_mul.sv", "acc_d = (", "first_q[4]", "1'b0", "acc", 5),
    "accumulator not shifted": ("lt_hffm_mul.sv", "first_q[5] || ", "last_q[4]", "1'b0", "acc", 8),
    "carry out of HL lost": ("lt_hffm_mul.sv", "(N + 1)'(", "acc_q[N:H]", "(H+1)'(acc_q[N-1:H])", "acc", 16),
    "halves of y in the wrong order": ("lt_hffm.sv", "assign half_y = ", "quarter[0]", "quarter[1]", "y", 2),
    "high half of x too early": ("lt_hffm.sv", "6'd42: slot = {MulHi,   ", "LH", "LL", "quarter", 43),
    "r1 not cut": ("lt_hffm.sv", "mul_x = N'(", "p1_q[A-1:0]", "p1_q[N-1:0]", "x", 69),
    "window of the first product": ("lt_hffm.sv", "{c2h_q, window_q[", "slot.mul_of", "M1", "x", 42),
    "carry between words lost": ("lt_hffm.sv", "add_y = ~midh_q;\n        add_c = ", "carry_q", "1'b1", "midh", 17),
    "m1 not shifted enough": ("lt_hffm.sv", "add_y = N'({midh_q, midl_q} >> ", "A", "(A - 1)", "c2l0", 18),
    "carry of c2 + m1 lost": ("lt_hffm.sv", "OpC2H: add_c = ", "carry_q", "1'b0", "c2h", 20),
    "carry of c2 + u lost": ("lt_hffm.sv", "(op == OpC2U) && ", "carry", "1'b0", "c2h", 21),
    "v of too many bits": ("lt_hffm.sv", "add_y = N'(", "lo[A-1:0]", "lo", "c10", 77),
    "qhat not shifted": ("lt_hffm.sv", "qhat_q <= high >> ", "QS", "(QS + 1)", "qhat", 45),
    "c2 of the other product": ("lt_hffm.sv", "FileR} : {", "slot.op_of", "~slot.op_of", "c2l0", 21),
    "D never subtracted": ("lt_hffm.sv", "OpCorr:  file_we = ", "carry", "1'b0", "r1", 62),
    "corr not added to c1": ("lt_hffm.sv", "OpC1Corr: add_c = ", "flag_q", "1'b0", "c11", 63),
    "carry of c1 cut to one bit": ("lt_hffm.sv", "add_y = N'(", "top_q", "top_q[0]", "r0", 56),
    "c1 of N bits": ("lt_hffm.sv", "file_d = (to == FileC1) ? ", "sum", "SW'(sum[N-1:0])", "c10", 23),
    "p is a result": ("lt_hffm.sv", "add_c = ", "ones_q", "1'b0", "r0", 57),
    "fix not made": ("lt_hffm.sv", "OpFix:   file_we = ", "carry", "1'b0", "r0", 57),
    "fix not added to c1": ("lt_hffm.sv", "OpC1Fix: add_c = ", "flag_q", "1'b0", "c1", 59),
    "result of the other product": ("lt_hffm.sv", "valid_q ? {", "result_of_q", "M1", "r", 67),
    "second product at any time": ("lt_hffm.sv", "ready_o = ~run_q | wraps | (m1_q & (", "slot.ends == EndStartM2",
                                   "slot.ends == EndStartM2 || slot.mul_of == M2", "ready", 21),
    "a pair that has not begun": ("lt_hffm.sv", "m1_d    = ", "take", "1'b1", "assertion", None),
}  # fmt: skip


def spoilt(target: Path, fault: int) -> Path:
    """A copy of the core with that fault; 0 for none."""
    faults: list[Fault] = [(file, before, good, bad, signal) for file, before, good, bad, signal, _ in FAULTS.values()]
    return faulty(CORE, target, EDITS, faults, fault=fault)


def found(folder: Path, **fields: Any) -> Divergence | None:
    return simulate(job(folder, SMALL, kind="edge", count=60, **fields)).tally.divergence


def test_faults_are_found_and_located(tmp_path: Path) -> None:
    asked = job(CORE, SMALL, kind="edge", count=60)
    cases = list(settle(asked).stimulus.pairs())
    assert found(spoilt(tmp_path / "none", 0), **EVERY_CYCLE) is None
    for number, (what, fault) in enumerate(FAULTS.items(), 1):
        divergence = found(spoilt(tmp_path / str(number), number), **EVERY_CYCLE)
        assert divergence is not None, what
        assert (what, divergence.signal, divergence.cycle) == (what, *fault[4:])
        a, b, _ = cases[divergence.case]
        assert (int(divergence.a, 16), int(divergence.b or "", 16)) == (a, b)  # from the digits on the ports


@pytest.mark.parametrize("what", FAULTS)
def test_lockstep_finds_what_the_file_harness_finds(what: str, tmp_path: Path) -> None:
    folder = spoilt(tmp_path, [*FAULTS].index(what) + 1)
    both = [found(folder, **fields) for fields in ({}, EVERY_CYCLE)]
    lockstep, bulk = (replace(divergence, replay="") for divergence in both if divergence)
    assert lockstep == bulk
