# SPDX-License-Identifier: Apache-2.0
"""The core koc_cios: lock-step, file harness, disturbances, faults that are found and located."""

from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.report import Divergence
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import Edit, Fault, copy_of, faulty, job

CORE, RTL = "koc_cios", "lt_koc_cios.sv"
EVERY_CYCLE: dict[str, Any] = {"mode": "bulk", "every_cycle": True}
SIGNALS = 13
WIDTH: dict[str, str | int] = {"w": 16}

# Moduli that one build accepts: of one word, filling their words, not filling them, with spare words and wide operands.
Shape = tuple[str, dict[str, str | int], str]
SHAPES: list[Shape] = [
    ("3", {}, "lazy"),
    ("2^32-5", {}, "events"),
    ("2^61-1", {}, "directed"),
    ("2^31-1", {"s": 5, "below": "2*p"}, "lazy"),
    ("2^256-189", {}, "edge"),
]


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
def test_every_shape_from_one_build(simulator: str) -> None:
    for prime, settings, kind in SHAPES[:: 1 if simulator == "verilator" else 2]:
        report = simulate(job(CORE, prime, settings={**WIDTH, **settings}, kind=kind, simulator=simulator, count=20))
        assert report.passed, report.text()
        s = report.about["params"]["s"]
        assert report.about["build"] == {"W": 16, "SMax": 16}
        assert report.document["verified"] == 20
        assert report.document["cycles"] == 20 * s * (2 * s + 4)
        assert report.document["signals"] == SIGNALS


@pytest.mark.parametrize(
    ("prime", "settings", "build"),
    [
        ("2^22-3", {"w": 11}, {"SMax": 2}),
        ("15", {"w": 5}, {"SMax": 1}),
        ("2^127-1", {"w": 64}, {}),
        ("63", {"w": 2}, {}),
    ],
)
def test_other_widths(prime: str, settings: dict[str, str | int], build: dict[str, int]) -> None:
    """Widths that are not powers of two, a single word, the smallest and the largest words."""
    assert simulate(job(CORE, prime, settings=settings, build=build, kind="events", count=25)).passed


def test_every_cycle_in_the_file_harness() -> None:
    for prime, settings, kind in SHAPES[1:3]:
        report = simulate(job(CORE, prime, settings={**WIDTH, **settings}, kind=kind, **EVERY_CYCLE))
        assert report.passed, report.text()
        assert (report.document["verified"], report.document["signals"]) == (40, SIGNALS)


def test_a_good_core_bears_everything() -> None:
    for prime in ("2^32-5", "mldsa"):
        report = simulate(job(CORE, prime, settings=WIDTH, kind="random", disturb=DISTURBANCES))
        assert report.passed, report.text()
        assert [kind for kind, times in report.document["disturbances"].items() if not times] == ["stalls"]


# What is wrong: what stands before, expression, faulty one, signal, cycle. Port fault_i says which of them is there.
# The modulus has 16 bits, 4 words of 4.
FAULTS: dict[str, tuple[str, str, str, str, int]] = {
    "C one bit short": ("? ", "mac_high", "W'(mac_high[W-2:0])", "C1", 0),
    "t not 0 at first": ("if (", "pass_q == '0", "1'b0", "t1", 0),
    "t_s+1 lost": ("if (row && top_word) tx_q <= ", "mac_high[0]", "1'b0", "t1x", 26),
    "t_s+1 not added": ("ts_d = ", "W'(tx_q)", "W'(0)", "ts", 32),
    "no carry into t_s": ("+ ", "W'(mac_high[0])", "W'(0)", "ts", 43),
    "m of the word before": ("if (quotient) m_q <= ", "mac_low", "mac_low ^ W'(1)", "m", 5),
    "C kept by the quotient": ("c_d = ((row | reduce) & ", "~top_word", "1'b1", "t1", 11),
    "t written a word too high": (": ", "word_addr - AddrW'(1)", "word_addr", "t_addr", 7),
    "word 0 of t + m*p written": ("(reduce & ", "(word_q != '0)", "1'b1", "t_we", 6),
    "done a cycle early": ("done_o     = ", "done_q", "(subtract & last_word)", "done_o", 46),
    "borrow lost": ("borrow_d = ", "difference[W] & subtract", "1'b0", "B", 45),
    "borrow not taken": ("- (W + 1)'(p_word) - ", "(W + 1)'(borrow_q)", "(W + 1)'(0)", "D", 46),
    "p not subtracted from p": ("sub_d    = ", "ts_q[0] | ~difference[W]", "ts_q[0]", "sub", 47),
    "t_s left out": ("sub_d    = ", "ts_q[0]", "1'b0", "sub", 47),
    "the difference always": ("rd_data_o = ", "sub_q", "1'b1", "result", 48),
}


def spoilt(target: Path, fault: int) -> Path:
    """A copy of the core with that fault; 0 for none."""
    edits: list[Edit] = [(RTL, "  // operand memories\n", "  input wire logic [4:0]       fault_i,\n")]
    faults: list[Fault] = [(RTL, before, good, bad, signal) for before, good, bad, signal, _ in FAULTS.values()]
    return faulty(CORE, target, edits, faults, fault=fault)


def found(folder: Path, **fields: Any) -> Divergence | None:
    asked: dict[str, Any] = {"settings": {"w": 4}, "kind": "events", "build": {"SMax": 4}, **fields}
    return simulate(job(folder, "2^16-15", **asked)).tally.divergence


def test_faults_are_found_and_located(tmp_path: Path) -> None:
    assert found(spoilt(tmp_path / "none", 0), **EVERY_CYCLE) is None
    for number, (what, fault) in enumerate(FAULTS.items(), 1):
        divergence = found(spoilt(tmp_path / str(number), number), **EVERY_CYCLE)
        assert divergence is not None, what
        assert (what, divergence.signal, divergence.cycle) == (what, *fault[3:])


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("start", "take_start = start_i & ~busy;", "take_start = start_i;"),
        ("reset", "if (take_start) ts_d = '0;", "if (take_start) ts_d = (^ts_q === 1'bx) ? '0 : ts_q;"),
    ],
)
def test_a_fault_that_only_a_disturbance_shows(kind: str, old: str, new: str, tmp_path: Path) -> None:
    folder = copy_of(CORE, tmp_path, (RTL, old, new))
    asked: dict[str, Any] = {"settings": WIDTH, "kind": "random"}
    assert simulate(job(folder, "2^31-1", **asked)).passed
    assert not simulate(job(folder, "2^31-1", disturb=(kind,), **asked)).passed


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"w": 1}, r"^w: koc_cios takes 2 to 64, and here it is 1$"),
        ({"w": 65}, r"^w: koc_cios takes 2 to 64, and here it is 65$"),
        ({"final": "unreduced"}, r"^final: koc_cios subtracts p at the end, and unreduced is asked for$"),
    ],
)
def test_what_is_refused(settings: dict[str, str | int], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        settle(job(CORE, "251", settings=settings))


def test_a_build_that_is_too_small_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"words"):
        settle(job(CORE, "2^64-59", settings=WIDTH, build={"SMax": 3}))
