# SPDX-License-Identifier: Apache-2.0
"""The core solinas_pipeline: lock-step, disturbances, faults, and words that it does not take."""

from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import Fault, job, located
from tests.sample import full

CORE = "solinas_pipeline"
Settings = dict[str, str | int]
SIZES: dict[str, Settings] = {
    "2^32-2^16+1": {}, "goldilocks64": {"stages": 3, "below": "2^N"}, "p192": {"w": 32}, "p224": {"m": 3, "K": 4},
    "p256": {}, "p384": {}, "2^24-2^12-2": {"K": 5}, "2^448-2^224-1": {},
}  # fmt: skip
QUICK = [("2^32-2^16+1", "icarus"), ("2^24-2^12-2", "icarus"), ("p256", "icarus")]
OTHERS = [(prime, simulator) for prime in SIZES for simulator in ("icarus", "verilator")]
TOP, TERM = "lt_solinas_pipeline.sv", "lt_solinas_term.sv"


@pytest.mark.parametrize(("prime", "simulator"), [*QUICK, *(full(size) for size in OTHERS if size not in QUICK)])
def test_sizes(prime: str, simulator: str) -> None:
    """Every register in every cycle; sums with a sign and without, more multiples than it takes, even moduli."""
    asked = job(CORE, prime, settings=SIZES[prime], kind="events", count=40, simulator=simulator)
    report = simulate(asked)
    assert report.passed, report.text()
    assert report.document["signals"] == 6 + settle(asked).bound.multiplier.params.named["K"]


@pytest.mark.parametrize("simulator", ["icarus", full("verilator")])
def test_a_good_core_bears_everything(simulator: str) -> None:
    report = simulate(job(CORE, "goldilocks64", simulator=simulator, count=60, disturb=DISTURBANCES))
    assert report.passed, report.text()
    assert all(report.document["disturbances"][kind] for kind in ("reset", "unknown", "stalls", "idle"))


FAULTS: dict[str, Fault] = {
    "a word added for a word subtracted": (TERM, "assign sum_o    = ", "Factor[3]", "1'b0", "s"),
    "the sign of a sum lost": (TOP, "assign upper_words[j]    = ", "W'(upper)", "W'(upper[UpperW-2:0])", "U"),
    "upper parts a word too low": (TOP, "total_q <= TotalW'(low_words) + ", "(TotalW'(upper_words) << W)",
                                   "TotalW'(upper_words)", "U"),
    "a multiple of p left out": (TOP, "(TotalW'(upper_words) << W) + ", "Offset", "(Offset - Modulus)", "U"),
    "never subtracted": (TOP, "rest_q <= ", "difference[RestW+1]", "1'b1", "R1"),
    "valid a cycle early": (TOP, "assign valid_o = ", "valid_q[Latency]", "valid_q[Latency-1]", "valid"),
}  # fmt: skip


def test_faults_are_found_and_located(tmp_path: Path) -> None:
    """A single build has all of them."""
    located(CORE, tmp_path, "goldilocks64", FAULTS)


@pytest.mark.parametrize(
    ("prime", "settings", "sentence"),
    [
        ("p256", {"w": 4}, r"^w: sums of words have \d+ bits above a word of 4, and at most 4$"),
        ("p256", {"K": 7}, r"^K: 7: the pipeline is built with 1 to 6 subtractions$"),
        ("curve25519.fp", {}, r"^prime: p is not 2\^255 without a few words"),
    ],
)
def test_what_is_refused(prime: str, settings: Settings, sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        settle(job(CORE, prime, settings=settings))
