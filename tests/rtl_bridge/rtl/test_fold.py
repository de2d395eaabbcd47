# SPDX-License-Identifier: Apache-2.0
"""The core fold_pipeline: lock-step, disturbances, faults, and moduli that it does not take."""

from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import Fault, job, located
from tests.sample import full

CORE = "fold_pipeline"
Settings = dict[str, str | int]
SIZES: dict[str, Settings] = {
    "13": {}, "2^13-1": {"rounds": 3}, "mersenne31": {"stages": 3}, "2^61-1": {"below": "2^N"}, "goldilocks64": {},
    "2^64-59": {"stages": 2}, "2^127-1": {}, "curve25519.fp": {}, "secp256k1.fp": {"stages": 16}, "2^17-6": {},
}  # fmt: skip
QUICK = [("goldilocks64", "icarus"), ("2^17-6", "icarus"), ("mersenne31", "icarus")]
OTHERS = [(prime, simulator) for prime in SIZES for simulator in ("icarus", "verilator")]
TOP, ROUND = "lt_fold_pipeline.sv", "lt_fold_round.sv"


@pytest.mark.parametrize(("prime", "simulator"), [*QUICK, *(full(size) for size in OTHERS if size not in QUICK)])
def test_sizes(prime: str, simulator: str) -> None:
    """Every register in every cycle; one round or more, even moduli too."""
    asked = job(CORE, prime, settings=SIZES[prime], kind="events", count=40, simulator=simulator)
    report = simulate(asked)
    assert report.passed, report.text()
    rounds = settle(asked).bound.multiplier.params.named["rounds"]
    assert report.document["signals"] == 6 + min(rounds, 2)


@pytest.mark.parametrize("simulator", ["icarus", full("verilator")])
def test_a_good_core_bears_everything(simulator: str) -> None:
    report = simulate(job(CORE, "2^61-1", simulator=simulator, count=60, disturb=DISTURBANCES))
    assert report.passed, report.text()
    assert all(report.document["disturbances"][kind] for kind in ("reset", "unknown", "stalls", "idle"))


FAULTS: dict[str, Fault] = {
    "a carry out of bit K - 1 lost": (ROUND, "assign sum_o = ", "OutW'(sum_i[K-1:0]) + folded",
                                      "OutW'(K'(sum_i[K-1:0] + K'(folded)))", "T1"),
    "the top bit not folded": (ROUND, "folded = ", "OutW'(sum_i[InW-1:K])", "OutW'(sum_i[InW-2:K])", "T1"),
    "never subtracted": (TOP, "assign sub        = ", "!difference[LastW]", "1'b0", "sub"),
    "subtracted from 2^K on": (TOP, "assign sub        = ", "!difference[LastW]", "|last[LastW-1:K]", "sub"),
    "valid a cycle early": (TOP, "assign valid_o = ", "valid_q[Latency]", "valid_q[Latency-1]", "valid"),
}  # fmt: skip


def test_faults_are_found_and_located(tmp_path: Path) -> None:
    """A single build has all of them."""
    located(CORE, tmp_path, "goldilocks64", FAULTS)


@pytest.mark.parametrize(
    ("prime", "settings", "sentence"),
    [
        ("2^64-2^33-1", {}, r"^prime: 2\^64 - p has 34 bits, and the pipeline takes at most 32 for 64 bits$"),
        ("2^448-2^224-1", {}, r"^prime: 2\^448 - p has 225 bits, and the pipeline takes at most 64 for 448 bits$"),
        ("curve25519.fp", {"k": 256}, r"^k: the pipeline folds at N = 255 bits, and k is 256$"),
        ("curve25519.fp", {"stages": 17}, r"^stages: 17 is outside 1 to 16"),
        ("p256", {}, r"^prime: 2\^256 - p has 224 bits, and the pipeline takes at most 64 for 256 bits$"),
    ],
)
def test_what_is_refused(prime: str, settings: Settings, sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        settle(job(CORE, prime, settings=settings))
