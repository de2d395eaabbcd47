# SPDX-License-Identifier: Apache-2.0
"""Every figure of the FPMM paper's tables, and that a verdict depends on the formula and on the figure."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from limbtrace.refmodels.figures import AGREES, DIFFERS, MEASURED, OTHER_WORK, Figure, Finding
from limbtrace.refmodels.papers.fpmm import design as algorithm3
from limbtrace.refmodels.papers.fpmm import figures as fpmm
from limbtrace.refmodels.papers.fpmm.design import Design

FIGURES = fpmm.FIGURES

Key = tuple[int, str, int | None, str]


def key(figure: Figure) -> Key:
    return figure.table, figure.design, figure.bits, figure.metric


def anew() -> dict[Key, Finding]:
    """The findings, recomputed with the current formulas."""
    findings = replace(FIGURES).findings
    found = {key(finding.figure): finding for finding in findings}
    assert len(found) == len(findings)
    return found


def test_what_differs_is_what_is_known_to_be_wrong() -> None:
    metric = "mean rate per resource"
    assert {at: (f.figure.value, f.ours, f.erratum) for at, f in anew().items() if f.verdict == DIFFERS} == {
        (4, "F44D on V7", 128, metric): ("1.20", "1.161", "fpmm.E18"),
        (4, "MA16 on V5", 256, metric): ("0.77", "0.077", "fpmm.E18"),
    }


def test_every_figure_has_a_verdict() -> None:
    found = anew().values()
    assert Counter(finding.verdict for finding in found) == {AGREES: 269, DIFFERS: 2, MEASURED: 190, OTHER_WORK: 114}
    assert Counter(f.table for f in FIGURES.rows) == {1: 12, 2: 210, 3: 146, 4: 135, 5: 96}
    for finding in found:
        figure, derived = finding.figure, finding.verdict in (AGREES, DIFFERS)
        metrics = {
            1: (), 2: ("lambda", "DSPs", "BRAMs", "time of 8 products"), 3: ("time of 8 products",),
            5: ("DSPs", "interconnect width"),
        }  # fmt: skip
        assert derived == (figure.table == 4 or figure.metric in metrics[figure.table])
        assert derived == bool(finding.ours and finding.formula)
        assert (finding.verdict == OTHER_WORK) == (figure.table == 3 and not derived)


def test_all_latencies_and_times() -> None:
    """Table II: 24 designs."""
    latencies = [f for (table, _, _, metric), f in anew().items() if (table, metric) == (2, "lambda")]
    times = [f for (table, _, _, metric), f in anew().items() if (table, metric) == (2, "time of 8 products")]
    assert len(latencies) == len(times) == 24
    assert {f.ours for f in latencies} == {"74", "75", "142", "143", "254", "255"}
    assert anew()[2, "F44B on V4", 128, "time of 8 products"].ours == "390.2"
    assert anew()[2, "F44B on V4", 128, "time of 8 products"].formula == "Lambda(8) = 151 cycles at 387 MHz"
    assert anew()[3, "MA16 on V7", 128, "time of 8 products"].formula == "7*interval + lambda = 167 cycles at 350 MHz"
    estimate = anew()[3, "MAS1 on I2", 256, "time of 8 products"]
    assert (estimate.ours, estimate.formula) == ("18656.0", "8*lambda = 4664 cycles at 250 MHz")
    assert estimate.note == "the paper's estimate: one product after the other"


@pytest.mark.parametrize(
    ("name", "wrong", "metrics"),
    [
        ("latency", lambda unit: unit.alpha * unit.s, {"lambda", "time of 8 products"}),
        ("latency", lambda unit: unit.alpha * unit.sigma * (unit.s - 1) + unit.alpha_min + unit.s + unit.epsilon,
         {"lambda", "time of 8 products"}),
        ("interval", lambda unit: unit.alpha * (unit.s + 1), {"time of 8 products"}),
        ("dsps", lambda unit: 11, {"DSPs"}),
    ],
)  # fmt: skip
def test_a_wrong_formula_changes_verdicts(
    monkeypatch: pytest.MonkeyPatch, name: str, wrong: Any, metrics: set[str]
) -> None:
    monkeypatch.setattr(Design, name, property(wrong))
    assert {f.figure.metric for f in anew().values() if f.verdict == DIFFERS and f.erratum is None} == metrics


def test_a_wrong_epsilon_changes_the_version_it_belongs_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(algorithm3.EPSILON, "S", 8)
    wrong = [at for at, f in anew().items() if f.verdict == DIFFERS and at[3] == "lambda"]
    assert len(wrong) == 10
    assert all(design.startswith("S") for _, design, _, _ in wrong)


@pytest.mark.parametrize(
    ("at", "value", "changed"),
    [((2, "F44D on V7", 128, "frequency"), "600", 5), ((2, "F44D on V7", 128, "slices"), "400", 1),
     ((2, "F44D on V7", 128, "time of 8 products"), "241", 1), ((3, "MR8 on A7", 256, "lambda"), "40", 4),
     ((4, "AM32 on V7", 256, "mean rate per resource"), "0.13", 1), ((5, "A3 on V4", 128, "DSPs"), "9", 1),
     ((5, "A3 on V4", 128, "interconnect width"), "34", 1), ((2, "F44D on V7", 128, "BRAMs"), "2", 1)],
)  # fmt: skip
def test_another_printed_figure_changes_verdicts(at: Key, value: str, changed: int) -> None:
    """As many as are derived from it, of those that agree."""
    other = replace(FIGURES)
    other.__dict__["rows"] = tuple(replace(f, value=value) if key(f) == at else f for f in FIGURES.rows)
    pairs = zip(FIGURES.findings, other.findings, strict=True)
    assert sum((old.verdict, new.verdict) == (AGREES, DIFFERS) for old, new in pairs) == changed


def test_cores_that_stand_for_a_printed_area() -> None:
    rtl = {"W": 34, "S": 4, "Sigma": 4, "Theta": 4, "Fast": 1, "Dram": 1}
    meant = fpmm.synthesised(anew()[2, "F44D on V7", 128, "LUTs"].figure)
    assert meant is not None
    assert (meant.core, meant.resource) == ("fpmm", "LUT")
    assert meant.fits(rtl)
    for name, value in (("S", 8), ("Sigma", 5), ("Theta", 5), ("Fast", 0), ("Dram", 0)):
        assert not meant.fits({**rtl, name: value})
    for at in ((2, "F44D on V7", 128, "slices"), (3, "MA16 on V7", 128, "LUTs"), (5, "A2 on V4", 128, "LUTs")):
        assert fpmm.synthesised(anew()[at].figure) is None
