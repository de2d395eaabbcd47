# SPDX-License-Identifier: Apache-2.0
"""Every figure of the redundant paper, and that a verdict depends on the formula and on the figure."""

from collections import Counter
from dataclasses import replace

import pytest

from limbtrace.refmodels.erratum import FigureErratum
from limbtrace.refmodels.figures import AGREES, DIFFERS, MEASURED, OTHER_WORK, Figure, Finding
from limbtrace.refmodels.papers.redundant import figures as redundant
from limbtrace.refmodels.registry import MODELS, errata

FIGURES = redundant.FIGURES

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
    unknown = "proposed 3-way, 504 or 512 (not stated) bits (section V)"
    assert {at: (f.figure.value, f.ours, f.erratum) for at, f in anew().items() if f.verdict == DIFFERS} == {
        (1, "proposed 3-way", 256, "latency per multiplication"): ("76.6", "75.65", "redundant.E21"),
        (1, "proposed 2-way", 504, "slices relative to 1-way"): ("1.23", "1.357", "redundant.E22"),
        (1, "proposed 3-way", 504, "slices relative to 1-way"): ("1.42", "1.570", "redundant.E22"),
        (0, "proposed 2-way (section IV-D)", 256, "clock cycles relative to 1-way"): ("2", "2.07", "redundant.E20"),
        (0, unknown, None, "clock cycles per multiplication"): ("27", "26", "redundant.E23"),
        (0, "proposed 3-way (section V)", 256, "clock cycles per multiplication"): ("15", "15.67", "redundant.E24"),
    }
    known = {erratum.id for erratum in errata(FigureErratum) if erratum.figures.paper == "redundant"}
    assert known == {f.erratum for f in anew().values() if f.erratum}
    ours = [erratum for erratum in errata(FigureErratum) if erratum.figures.paper == "redundant"]
    assert sum(len(erratum.findings) for erratum in ours) == 6


def test_every_figure_has_a_verdict() -> None:
    found = anew().values()
    assert Counter(finding.verdict for finding in found) == {AGREES: 48, DIFFERS: 6, MEASURED: 29, OTHER_WORK: 18}
    assert Counter(f.table for f in FIGURES.rows) == {0: 45, 1: 56}
    assert all((f.verdict in (AGREES, DIFFERS)) <= bool(f.ours and f.formula) for f in found)


def test_cycles_and_blocks_are_those_of_the_model() -> None:
    """Table I, from the model's digit counts for the largest modulus of that size."""
    for (table, design, bits, metric), finding in anew().items():
        if table == 1 and bits is not None:
            params = MODELS["redundant"].resolve(2**bits - 2**22 + 1, {})
            ways = int(design[9])
            iterations = params.passes + 1
            golden = {"clock cycles": ways * iterations + ways - 1, "DSP blocks": 2 * params.d}.get(metric)
            assert golden is None or finding.ours == str(golden) == finding.figure.value


def test_registers_of_the_data() -> None:
    """A little less than is printed, in all six designs."""
    seen = {at[1:3]: f for at, f in anew().items() if at[3] == "flip-flops"}
    ours = [697, 2066, 3490, 1241, 3682, 6186]
    assert [int(f.ours or 0) for f in seen.values()] == ours
    assert all(0 < int(f.figure.value) - int(f.ours or 0) < 80 for f in seen.values())
    assert {f.verdict for f in seen.values()} == {MEASURED}


@pytest.mark.parametrize(
    ("metric", "value"),
    [("clock cycles", "48"), ("DSP blocks", "41"), ("latency per multiplication", "75.64"),
     ("speed-up over 1-way", "2.2"), ("slices relative to 1-way", "1.36"), ("parallel multiplications", "2")],
)  # fmt: skip
def test_another_figure_gets_another_verdict(metric: str, value: str) -> None:
    at = (1, "proposed 3-way", 256, metric)
    (figure,) = (f for f in FIGURES.rows if key(f) == at)
    before = redundant.derive(FIGURES, figure)
    after = redundant.derive(FIGURES, replace(figure, value=value))
    assert before is not None
    assert after is not None
    assert after.agrees == (metric == "latency per multiplication") != before.agrees


def test_another_formula_gets_another_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redundant, "cycles", lambda ways, ma: ways * (ma + 3))
    changed = [at for at, finding in anew().items() if finding.verdict == DIFFERS and at[3] == "clock cycles"]
    assert len(changed) == 5


def test_cores_that_stand_for_a_printed_area() -> None:
    rtl = {"R1": 22, "R2": 15, "MA": 23, "MB": 34, "DS": 37, "Ways": 2, "Steady": 0}
    meant = redundant.synthesised(anew()[1, "proposed 2-way", 504, "flip-flops"].figure)
    assert meant is not None
    assert (meant.core, meant.resource) == ("redundant", "FF")
    assert meant.fits(rtl)
    for name in ("R1", "R2", "MA", "MB", "Ways", "Steady"):
        assert not meant.fits({**rtl, name: rtl[name] + 1})
    assert redundant.synthesised(anew()[1, "proposed 2-way", 504, "slices"].figure) is None
