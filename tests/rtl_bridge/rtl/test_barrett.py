# SPDX-License-Identifier: Apache-2.0
"""The cores barrett_pipeline and barrett_reducer: lock-step, file harness, disturbances, faults, proofs."""

from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import Fault, copy_of, job, located
from tests.rtl_bridge.proof.test_proof import proved
from tests.sample import full

PRODUCT, REDUCER = "barrett_pipeline", "barrett_reducer"
Settings = dict[str, str | int]
SIZES: dict[str, Settings] = {
    "mlkem": {}, "mldsa": {"beta": 0}, "2^32-5": {"alpha": "N + 1"}, "2^60-93": {"beta": "-N", "alpha": "N"},
    "2^64-59": {"width": 100}, "1024": {"corrections": 3}, "1000": {"below": "2^N"},
}  # fmt: skip
QUICK = [(PRODUCT, "mlkem", "icarus"), (REDUCER, "mldsa", "icarus"), (PRODUCT, "1024", "icarus")]
OTHERS = [(core, prime, simulator) for core in (PRODUCT, REDUCER) for prime in SIZES
          for simulator in ("icarus", "verilator")]  # fmt: skip
CELL = "lt_barrett_stages.sv"


@pytest.mark.parametrize(
    ("core", "prime", "simulator"), [*QUICK, *(full(size) for size in OTHERS if size not in QUICK)]
)
def test_members_of_the_family(core: str, prime: str, simulator: str) -> None:
    """Every register in every cycle; modulus and mu are inputs, and a modulus may be even."""
    asked = job(core, prime, settings=SIZES[prime], kind="events", count=40, simulator=simulator)
    report = simulate(asked)
    assert report.passed, report.text()
    corrections = settle(asked).bound.multiplier.params.named["corrections"]
    assert report.document["signals"] == {PRODUCT: 9, REDUCER: 7}[core] + corrections


@pytest.mark.parametrize(("core", "simulator"), [(PRODUCT, "icarus"), full((REDUCER, "verilator"))])
def test_good_cores_bear_everything(core: str, simulator: str) -> None:
    """Other moduli of the same size among it, each with its own mu."""
    report = simulate(job(core, "mldsa", simulator=simulator, count=60, disturb=DISTURBANCES))
    assert report.passed, report.text()
    assert all(report.document["disturbances"][kind] for kind in ("reset", "modulus", "unknown", "stalls", "idle"))


FAULTS: dict[str, Fault] = {
    "the estimate one too large": (CELL, "qhat_q    <= ", "y[Shift+:QuotientW]",
                                   "(y[Shift+:QuotientW] + QuotientW'(1))", "qhat"),
    "the top bit of the estimate lost": (CELL, "product_q <= ", "Width'(qhat_q)", "Width'(qhat_q[N-1:0])", "qplow"),
    "low bits of the next x": (CELL, "delayed_q <= ", "low_q", "x_i[Width-1:0]", "xlow2"),
    "the product added": (CELL, "rhat_q    <= ", "delayed_q - product_q", "delayed_q + product_q", "rhat"),
    "never corrected": (CELL, "rest_q <= ", "difference[Width]", "1'b1", "R1"),
    "p is left as it is": (CELL, "rest_q <= ", "difference[Width]", "(difference[Width] | (rests[i-1] == Width'(p_i)))",
                           "R1"),
    "valid a cycle early": (CELL, "valid_o = ", "valid_q[Corrections+2]", "valid_q[Corrections+1]", "valid"),
}  # fmt: skip


def test_faults_are_found_and_located(tmp_path: Path) -> None:
    """A single build has all of them; operands constructed for events find the one that needs a multiple of p."""
    located(REDUCER, tmp_path, "2^12+3", FAULTS, settings={"below": "2^(2*N)"})


@pytest.mark.full
def test_a_fault_for_one_multiple_of_p_is_found_and_replayed(tmp_path: Path) -> None:
    """Of all x below p^2 one alone is wrong: the solver finds it, and a simulation shows it."""
    wrong = f"difference[Width] | (x_i == {4001 * 8380417} && i == 1)"
    folder = copy_of(REDUCER, tmp_path, (CELL, "difference[Width] ?", f"({wrong}) ?"))
    assert proved(REDUCER, "mldsa")[0] == 0
    code, found = proved(folder, "mldsa", "--allow-outside")
    assert (code, found["verdict"]) == (1, "refuted")


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"corrections": 4}, r"^corrections: 4: the pipeline is built with 1 to 3 corrections$"),
        ({"below": "2*p"}, "has 23 bits"),
        ({"beta": 0, "corrections": 1}, r"^corrections: 1 is outside 2 to 8 \(with alpha = 26, beta = 0"),
    ],
)
def test_what_is_refused(settings: Settings, sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        settle(job(PRODUCT, "mldsa", settings=settings))
