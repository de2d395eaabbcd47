# SPDX-License-Identifier: Apache-2.0
"""Every figure of Table I and the text of the SIDH paper, and that a verdict depends on the formula and the figure."""

from collections import Counter
from dataclasses import replace

import pytest

from limbtrace.refmodels.figures import AGREES, DIFFERS, MEASURED, OTHER_WORK, Finding
from limbtrace.refmodels.papers.sidh import figures as hffm
from limbtrace.rtl_bridge.synthesis import stored_areas

FIGURES = hffm.FIGURES


def differing(findings: tuple[Finding, ...]) -> set[tuple[int | None, str]]:
    return {(f.figure.bits, f.figure.metric) for f in findings if f.verdict == DIFFERS}


def test_every_figure_has_a_verdict() -> None:
    findings = FIGURES.findings
    assert len(FIGURES.rows) == len(findings) == 94
    assert Counter(f.verdict for f in findings) == {AGREES: 52, DIFFERS: 3, MEASURED: 15, OTHER_WORK: 24}
    assert differing(findings) == {(434, "DSPs"), *SPEED_UPS}
    (wrong,) = (f for f in findings if f.verdict == DIFFERS and f.erratum)
    assert (wrong.figure.value, wrong.ours, wrong.erratum) == ("36", "81", "hffm.E17")
    assert sum(f.note == "the paper's estimate" for f in findings) == 2
    dsps = [f.ours for f in findings if f.figure.metric == "DSPs" and f.ours]
    assert dsps == ["81", "64", "81", "144", "144"]


def test_figures_in_the_text() -> None:
    """Computed by hand: the ratios of the times for P771 are more than two, 1049/434 and 1049/355."""
    text = [f for f in FIGURES.findings if f.figure.table == hffm.TEXT]
    assert [(f.figure.value, f.ours, f.verdict) for f in text] == [
        ("<2", "2.42", DIFFERS), ("<2", "2.95", DIFFERS), ("11", "11.19", AGREES), ("18", "18.69", AGREES),
        ("22", "22.37", AGREES), ("29", "29.43", AGREES), ("9", "9", AGREES), ("12", "12", AGREES),
        ("16", "16", AGREES), ("81", "81", AGREES),
    ]  # fmt: skip
    assert [f.note.split("; ")[1].split()[0] for f in text[:2]] == ["1.42", "1.95"]


def test_what_yosys_takes_stands_beside_it() -> None:
    """The stored areas of the core match the formula, and the only other count has a reason."""
    rows = [row for row in stored_areas.kept() if row["core"] == "hffm"]
    dsps = [f for f in FIGURES.findings if f.figure.metric == "DSPs" and f.figure.design.startswith("HFFM")]
    found = []
    for finding in dsps:
        meant = hffm.synthesised(finding.figure)
        assert meant is not None
        assert (meant.core, meant.resource) == ("hffm", "DSP")
        (row,) = (row for row in rows if meant.fits(row["parameters"]))
        found.append(row["area"]["DSP"])
        assert row["area"]["DSP"] == int(finding.figure.value)
    assert found == [36, 64, 81, 144, 144]
    assert [bool(f.note) for f in dsps] == [True, False, False, False, False]
    assert dsps[0].note == (
        "4 DSPs do not hold 37 by 37 bits; 4 a multiplier are tiles of 20 by 17 bits, as a block has 24 bits one way, "
        "around 3 by 3 bits in LUTs"
    )


def test_the_core_is_no_larger_than_the_papers() -> None:
    """Yosys counts LUT memory apart, which is among the LUTs of the paper."""
    rows = [row for row in stored_areas.kept() if row["core"] == "hffm"]
    compared = 0
    for finding in FIGURES.findings:
        meant = hffm.synthesised(finding.figure)
        if meant is not None and meant.resource in ("LUT", "FF", "DSP"):
            (area,) = (row["area"] for row in rows if meant.fits(row["parameters"]))
            ours = area[meant.resource] + (area["LUTRAM"] if meant.resource == "LUT" else 0)
            assert ours <= int(finding.figure.value)
            compared += 1
    assert compared == 15


def test_areas_are_those_of_our_core_for_the_prime() -> None:
    rows = [row for row in stored_areas.kept() if row["core"] == "hffm"]
    for finding in FIGURES.findings:
        meant = hffm.synthesised(finding.figure)
        shown = finding.figure.metric in ("DSPs", "LUTs", "FFs", "frequency")
        assert (meant is not None) == (shown and finding.figure.design.startswith("HFFM"))
        other = {**rows[0]["parameters"], "Normalise": 0}
        assert meant is None or not meant.fits(other)


def test_times_that_fit_only_a_rounded_clock_are_named() -> None:
    noted = {(f.figure.bits, f.figure.value): f.note for f in FIGURES.findings if "hffm.E22" in f.note}
    assert {key: note.split()[1] for key, note in noted.items()} == {
        (503, "286"): "286.5", (751, "597"): "598.8", (751, "412"): "413.2",
    }  # fmt: skip


SPEED_UPS = {(771, f"speed-up over FFM1 [14], {which}") for which in ("two products", "between pairs")}
SAVED = (None, "cycles saved by four multiplications in a row")
CYCLES = {(p, f"cycles {which}") for p in (434, 503, 610, 751, 771) for which in ("of two products", "between pairs")}


@pytest.mark.parametrize(
    ("name", "value", "wrong"),
    [("TILE", 16, {(434, "DSPs"), (610, "DSPs"), (771, "DSPs")}),
     ("MULTIPLIERS", {6: 9, 8: 9}, {(434, "DSPs"), (503, "DSPs")}), ("SHORT_LAYERS", 3, {(434, "DSPs"), *CYCLES}),
     ("LAYER", 5, {(434, "DSPs"), *CYCLES, SAVED})],
)  # fmt: skip
def test_a_wrong_formula_changes_verdicts(
    monkeypatch: pytest.MonkeyPatch, name: str, value: object, wrong: set[tuple[int | None, str]]
) -> None:
    monkeypatch.setattr(hffm, name, value)
    assert differing(replace(FIGURES).findings) == wrong | SPEED_UPS


@pytest.mark.parametrize(
    ("at", "value", "changed"),
    [((503, "time of two products"), "400", 2), ((610, "frequency"), "180", 2),
     ((751, "cycles between pairs"), "55", 2), ((771, "improvement in time between pairs"), "66.20", 1),
     ((771, "DSPs"), "143", 1), ((751, "improvement in time between pairs"), "19.69", 2),
     ((None, "small multipliers"), "8", 1), ((503, "small multipliers"), "9", 1)],
)  # fmt: skip
def test_another_printed_figure_changes_verdicts(at: tuple[int | None, str], value: str, changed: int) -> None:
    """As many as are derived from it, of the paper's own design."""
    other = replace(FIGURES)
    other.__dict__["rows"] = tuple(
        replace(f, value=value) if (f.bits, f.metric) == at and f.design.startswith("HFFM") else f for f in FIGURES.rows
    )
    assert len(differing(other.findings) - {(434, "DSPs"), *SPEED_UPS}) == changed
