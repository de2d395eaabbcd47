# SPDX-License-Identifier: Apache-2.0
"""The core blakley_serial: lock-step, disturbances, faults."""

from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import Fault, job, located
from tests.sample import full

CORE, TOP = "blakley_serial", "lt_blakley_serial.sv"
Settings = dict[str, str | int]
SIZES: dict[str, Settings] = {"13": {}, "1000": {"r": 3}, "mldsa": {"r": 2, "n": 13}, "2^64-59": {}, "p256": {"r": 2}}
QUICK = [("1000", "icarus"), ("13", "icarus")]
OTHERS = [(prime, simulator) for prime in SIZES for simulator in ("icarus", "verilator")]


@pytest.mark.parametrize(("prime", "simulator"), [*QUICK, *(full(size) for size in OTHERS if size not in QUICK)])
def test_sizes(prime: str, simulator: str) -> None:
    """Every register in every cycle; digits of 1 to 3 bits, even moduli too."""
    report = simulate(job(CORE, prime, settings=SIZES[prime], kind="events", count=60, simulator=simulator))
    assert report.passed, report.text()
    assert report.document["signals"] == 4


@pytest.mark.parametrize("simulator", ["icarus", full("verilator")])
def test_a_good_core_bears_everything(simulator: str) -> None:
    """Other moduli of the same size among it."""
    report = simulate(job(CORE, "mlkem", simulator=simulator, count=40, disturb=DISTURBANCES))
    assert report.passed, report.text()
    assert all(
        report.document["disturbances"][kind] for kind in ("start", "reset", "modulus", "unknown", "idle", "hold")
    )


FAULTS: dict[str, Fault] = {
    "p is left as it is": (TOP, "if (", "t_sum >= SumW'(k) * SumW'(p_q)", "t_sum > SumW'(k) * SumW'(p_q)", "q"),
    "subtracted once at most": (TOP, "quot = ", "(R+1)'(k)", "(R+1)'(1)", "q"),
    "the top bit of S lost": (TOP, "always_comb t_sum = ", "{1'b0, s_q, R'(0)}", "{2'b0, s_q[N-2:0], R'(0)}", "T"),
    "S of the product before": (TOP, "s_q <= ", "'0", "s_q", "T"),
    "a digit too few": (TOP, "done_q <= (left_q == ", "CountW'(1)", "CountW'(2)", "done_o"),
}  # fmt: skip


def test_faults_are_found_and_located(tmp_path: Path) -> None:
    """A single build has all of them."""
    located(CORE, tmp_path, "mlkem", FAULTS)


def test_digits_that_it_does_not_take() -> None:
    with pytest.raises(ParameterError, match=r"^r: 4: the core takes digits of 1 to 3 bits$"):
        settle(job(CORE, "p256", settings={"r": 4}))
