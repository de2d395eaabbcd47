# SPDX-License-Identifier: Apache-2.0
"""The core `fpmm`: the designs of the paper's Table II, every register in every cycle, and faults that are found."""

from pathlib import Path

import pytest

from refmodels.papers.fpmm.design import Design
from rtl_bridge.run.disturb import DISTURBANCES
from rtl_bridge.run.job import Job
from rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import copy_of

PRIMES = {128: "2^128-159", 256: "secp256k1"}
TABLE_2 = [(128, code) for code in ("F44B", "S44B", "F44D", "S44D")] + [
    (256, code) for code in ("F28B", "F28D", "F48B", "F48D", "S28B", "S48B")
]
VERSIONS = {"F": "fast", "S": "small"}


def asked(bits: int, code: str, core: str | Path = "fpmm", simulator: str = "icarus", disturb: bool = True) -> Job:
    design = Design.parse(code, bits)
    settings: dict[str, str | int] = {"sigma": design.sigma, "theta": design.theta, "version": VERSIONS[design.version]}
    return Job(
        core=str(core), prime=PRIMES[bits], settings=settings, build={"Dram": int(design.storage == "D")}, count=12,
        kind="lazy", simulator=simulator, disturb=DISTURBANCES if disturb else (),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("bits", "code"),
    [row if row[0] == 128 or row == (256, "F28D") else pytest.param(*row, marks=pytest.mark.full) for row in TABLE_2],
)
def test_designs_of_table_2(bits: int, code: str) -> None:
    """Back to back, with gaps, after resets and other moduli, with unknown values on idle ports."""
    report = simulate(asked(bits, code))
    assert report.passed, report.text()
    assert report.document["verified"] == 12
    counts = report.document["disturbances"]
    assert [kind for kind, times in counts.items() if not times] == ["size", "again", "write"]


def test_a_load_without_ready(tmp_path: Path) -> None:
    """A load that is taken before there is a modulus, or while there is a new one."""
    edit = (
        "lt_fpmm.sv",
        "assign active     = run_q & (load_i | (iter != '0));",
        "assign active     = load_i | (iter != '0);",
    )
    wanted = asked(128, "F44D", core=copy_of("fpmm", tmp_path, edit), disturb=False)
    assert simulate(wanted).passed
    assert not simulate(wanted.model_copy(update={"disturb": ("start", "modulus")})).passed


@pytest.mark.parametrize(
    ("bits", "code"), [row if row == (128, "F44D") else pytest.param(*row, marks=pytest.mark.full) for row in TABLE_2]
)
def test_designs_of_table_2_in_verilator(bits: int, code: str) -> None:
    assert simulate(asked(bits, code, simulator="verilator")).passed


@pytest.mark.parametrize(
    ("old", "new", "signals"),
    [
        ("vu_d              = v_p3 + W'(vh_q[D])", "vu_d              = v_p3", {"vu"}),
        ("1'b1} + {1'b0, vu_q, u_q[W]}", "1'b1} + {1'b0, vu_q, 1'b0}", {"u"}),
        ("w_p3_late_q, t_q[W]}", "w_p3_late_q, 1'b0}", {"t"}),
        ("tm_q       <= feed ? tm_d : '0;", "tm_q       <= tm_d;", {"tm_d", "tm"}),
        ("lm_o       = lm_q;", "lm_o       = '0;", {"lm", "lm_o"}),
    ],
    ids=["carry of VH", "carry of U", "carry of T", "old words in a new product", "taker"],
)
def test_a_fault_is_found_and_located(old: str, new: str, signals: set[str], tmp_path: Path) -> None:
    core = copy_of("fpmm", tmp_path, ("lt_fpmm.sv", old, new))
    found = simulate(asked(128, "F44D", core, disturb=False)).tally.divergence
    assert found is not None
    assert found.signal in signals
