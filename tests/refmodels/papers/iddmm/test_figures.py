# SPDX-License-Identifier: Apache-2.0
"""Every printed figure against ours: which agree, which differ and by how much."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from limbtrace.refmodels.erratum import FigureErratum
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.figures import AGREES, DIFFERS, MEASURED, OTHER_WORK, VERDICTS, Finding, Interval, printed
from limbtrace.refmodels.model import Source
from limbtrace.refmodels.papers.iddmm import area
from limbtrace.refmodels.papers.iddmm import figures as iddmm
from limbtrace.refmodels.papers.iddmm.blocks import CellCounts
from limbtrace.refmodels.registry import MODELS, PAPERS, errata, paper

FIGURES = iddmm.FIGURES
SPARTAN, VIRTEX = "This work Arch2-Ver4 xc3S500e", "This work Arch2-Ver4 xc5vlx50"
VER3, VER4 = "This work Arch2-Ver3", "This work Arch2-Ver4"

Rows = dict[tuple[Any, ...], tuple[str, str | None, str | None]]
"""(table, design, bits, k, metric): (printed, ours, erratum)"""


def anew() -> tuple[Finding, ...]:
    """The findings, recomputed with the current formulas."""
    return replace(FIGURES).findings


def key(finding: Finding) -> tuple[Any, ...]:
    figure = finding.figure
    return figure.table, figure.design, figure.bits, figure.k, figure.metric


def differing() -> Rows:
    found = [finding for finding in anew() if finding.verdict == DIFFERS]
    assert len({key(finding) for finding in found}) == len(found)
    return {key(f): (f.figure.value, f.ours, f.erratum) for f in found}


ADDERS: Rows = {
    (3, f"Arch{a} {level}", None, None, cell): (value, ours, "iddmm.E23")
    for level in ("no pipeline", "1 pipeline level", "2 pipeline levels")
    for a, cell, value, ours in (
        (1, "FA", "4k-1", "4k-2"), (1, "HA", "3k+5", "2k+2"), (2, "FA", "4k", "4k-2"), (2, "HA", "2k+4", "2k+2"),
    )
}  # fmt: skip
PATHS: Rows = {
    (3, design, None, None, "critical path"): (value, ours, "iddmm.E24")
    for design, value, ours in (
        ("Arch1 no pipeline", "D_MUL+2*D_ADD3", "max{D_MUL+2*D_ADD3,D_MUL+D_ADD3+D_MULLOW}"),
        ("Arch2 no pipeline", "D_MUL+D_ADD3+D_ADD2", "max{D_MUL+D_ADD3+D_ADD2,D_MUL+D_ADD2+D_MULLOW}"),
        ("Arch1 1 pipeline level", "max{D_MUL,2*D_ADD3}", "max{D_MUL,2*D_ADD3,D_ADD3+D_MULLOW}"),
        ("Arch2 1 pipeline level", "max{D_MUL,D_ADD3+D_ADD2}", "max{D_MUL,D_ADD3+D_ADD2,D_ADD2+D_MULLOW}"),
    )
}
GATES: Rows = {
    (4, "Arch2 no pipeline", None, k, kind): (value, ours, "iddmm.E22")
    for k, kind, value, ours in (
        (4, "AND", "139", "179"), (4, "XOR", "109", "165"), (8, "AND", "667", "747"), (8, "XOR", "589", "701"),
        (16, "AND", "2899", "3059"), (16, "XOR", "2677", "2901"), (32, "AND", "12067", "12387"),
        (32, "XOR", "11365", "11813"), (64, "AND", "49219", "49859"), (64, "XOR", "46789", "47685"),
    )
}  # fmt: skip
TIMES: Rows = {
    (table, design, bits, k, "time"): (value, ours, "iddmm.E25")
    for table, design, bits, k, value, ours in (
        (5, VER4, 1020, 32, "18.9", "17.55"), (5, VER4, 1024, 64, "4.21", "4.455"), (5, VER4, 512, 16, "8.67", "8.542"),
        (6, SPARTAN, 256, 16, "3.06", "3.224"), (6, SPARTAN, 512, 16, "11.53", "11.877"),
        (6, SPARTAN, 1024, 16, "44.70", "45.472"), (6, SPARTAN, 256, 32, "1.25", "1.379"),
        (6, SPARTAN, 512, 32, "4.50", "4.765"), (6, SPARTAN, 1024, 32, "17.03", "17.555"),
        (6, SPARTAN, 256, 64, "0.55", "0.642"), (6, SPARTAN, 512, 64, "1.83", "2.018"),
        (6, SPARTAN, 1024, 64, "6.60", "6.972"), (6, VIRTEX, 256, 16, "2.19", "2.318"),
        (6, VIRTEX, 512, 16, "8.29", "8.542"), (6, VIRTEX, 1024, 16, "32.21", "32.703"),
        (6, VIRTEX, 256, 32, "0.74", "0.815"), (6, VIRTEX, 512, 32, "2.66", "2.816"),
        (6, VIRTEX, 1024, 32, "10.07", "10.376"), (6, VIRTEX, 256, 64, "0.35", "0.410"),
        (6, VIRTEX, 512, 64, "1.17", "1.290"), (6, VIRTEX, 1024, 64, "4.21", "4.455"),
        (7, VER4, 1024, 32, "17.03", "17.555"), (7, VER4, 1024, 64, "4.21", "4.455"),
        (7, VER4, 256, 32, "1.25", "1.379"), (7, VER4, 256, 64, "0.35", "0.410"),
    )
}  # fmt: skip
RATES: Rows = {
    (5, VER4, 1020, 32, "throughput"): ("60.11", "53.968", "iddmm.E25"),
    (5, VER3, 1024, 64, "efficiency"): ("0.16", "0.116", "iddmm.E25"),
    (7, VER4, 1024, 32, "throughput"): ("60.23", "60.129", "iddmm.E25"),
}


def test_what_differs_is_what_is_known_to_be_wrong() -> None:
    assert differing() == {**ADDERS, **PATHS, **GATES, **TIMES, **RATES}


def test_every_figure_has_a_verdict() -> None:
    findings = anew()
    assert [finding.figure for finding in findings] == [f for f in FIGURES.rows if not f.described]
    assert Counter(finding.verdict for finding in findings) == {AGREES: 73, DIFFERS: 54, MEASURED: 35, OTHER_WORK: 47}
    assert Counter(f.table for f in FIGURES.rows) == {3: 36, 4: 40, 5: 62, 6: 54, 7: 76}
    assert all(finding.verdict in VERDICTS for finding in findings)


def test_every_figure_that_can_be_derived_is() -> None:
    for finding in anew():
        figure = finding.figure
        version_3 = figure.metric == "time" and "Ver3" in figure.design  # the paper prints no clock for it
        computed = figure.table in (3, 4) or figure.metric in ("throughput", "efficiency")
        computed = computed or (figure.metric == "time" and not figure.design.startswith("[") and not version_3)
        assert (finding.verdict in (AGREES, DIFFERS)) == computed, key(finding)
        if computed:
            assert finding.ours
            assert finding.formula
        if finding.verdict == DIFFERS:
            assert finding.note
        if finding.verdict == OTHER_WORK:
            assert figure.design.startswith("[")


def one(table: int, design: str, bits: int | None, k: int | None, metric: str) -> Finding:
    (found,) = (finding for finding in anew() if key(finding) == (table, design, bits, k, metric))
    return found


def test_times_fit_the_count_without_a_pipeline_level() -> None:
    """All times of Table 6, and those repeated in Tables 5 and 7, except for the two that fit nothing."""
    neither = [key(f)[:4] for f in anew() if "does not fit either" in f.note]
    assert neither == [(5, VER4, 1020, 32), (5, VER4, 512, 16)]
    assert sum(", fits: " in finding.note for finding in anew()) == 18 + 1 + 4
    assert one(6, SPARTAN, 1024, 16, "time").note.endswith("n(n+2) = 4224 cycles, without one, fits: 44.793")
    assert "give 229.86 Mbps" in one(5, VER4, 1024, 64, "throughput").note
    assert one(5, VER3, 512, 16, "time").note == "Table 6 prints this time for version 4"
    assert one(5, VER4, 512, 16, "time").note.endswith("Table 6 prints 8.29 for the same design")
    for version, bits, k in ((VER3, 1024, 64), (VER4, 1024, 64), (VER4, 1020, 32)):
        assert "Table 6" not in one(5, version, bits, k, "time").note


def test_multiplier_blocks_are_explained() -> None:
    blocks = {
        key(f)[:4]: (f.figure.value, f.ours) for f in anew() if iddmm.synthesised(f.figure) and f.ours is not None
    }
    assert blocks == {
        (5, VER4, 1020, 32): ("11", "11"), (5, VER4, 1024, 64): ("33", "32"), (5, VER4, 512, 16): ("4", "3"),
        (7, VER4, 1024, 32): ("11", "11"), (7, VER4, 1024, 64): ("33", "32"), (7, VER4, 256, 32): ("11", "11"),
        (7, VER4, 256, 64): ("33", "32"),
    }  # fmt: skip
    wide = one(7, VER4, 1024, 64, "area: DSP48E")
    assert wide.verdict == MEASURED
    assert "1 more than the multipliers need" in wide.note
    assert "24 x 17 bits for Virtex-5, 32 blocks, and into 17 x 17 bits for 7 series, where " in wide.note
    assert "cascades shift by 17, 42 blocks" in wide.note
    assert one(7, VER4, 1024, 32, "area: 18x18Mults").note == ""
    assert "193" in one(7, VER4, 1024, 32, "area: FFs").note


def test_cores_that_stand_for_a_printed_area() -> None:
    meant = iddmm.synthesised(one(7, VER4, 1024, 32, "area: FFs").figure)
    assert meant is not None
    assert (meant.core, meant.resource) == ("iddmm_arch2", "FF")
    good = {"K": 32, "NMax": 32, "Pipeline": 1, "UseDsp": 1}
    assert meant.fits(good)
    for other in ({"NMax": 31}, {"K": 64}, {"Pipeline": 0}, {"Pipeline": 2}, {"UseDsp": 0}):
        assert not meant.fits({**good, **other})
    in_logic = iddmm.synthesised(one(5, VER3, 512, 16, "multipliers").figure)
    assert in_logic is not None
    assert in_logic.fits({"K": 16, "NMax": 32, "Pipeline": 1, "UseDsp": 0})
    assert not in_logic.fits({"K": 16, "NMax": 32, "Pipeline": 1, "UseDsp": 1})
    assert iddmm.synthesised(one(5, VER3, 1024, 64, "slices").figure) is None


def test_printed_numbers_are_rounded_or_cut_off() -> None:
    assert printed("4.21") == Interval(Fraction("4.205"), Fraction("4.22"))
    assert printed("868") == Interval(Fraction("867.5"), Fraction(869))
    exact = Interval(Fraction("4.22"), Fraction("4.23"))
    assert not exact.meets(printed("4.21"))
    assert Interval(Fraction("4.2199"), Fraction("4.23")).meets(printed("4.21"))
    assert 1024 / printed("4.21") == Interval(1024 / Fraction("4.22"), 1024 / Fraction("4.205"))


@pytest.mark.parametrize(
    ("name", "wrong", "metrics"),
    [
        ("multiplier", lambda k: CellCounts(AND=k * k), {"AND", "XOR"}),
        ("printed_adders", lambda a, k: CellCounts(), {"AND", "XOR"}),
        ("register_bits", lambda a, level: area.LinearArea(2, 2), {"1-bit registers", "FF"}),
        ("cycles", lambda n, passes, level: passes * (n + 1 + level), {"clock cycles"}),
        ("critical_path", lambda a, level: "D_MUL", {"critical path"}),
        ("MULTIPLIERS", ("one", "two"), {"MUL_k blocks", "AND", "XOR"}),
    ],
)
def test_a_wrong_formula_changes_verdicts(
    monkeypatch: pytest.MonkeyPatch, name: str, wrong: Any, metrics: set[str]
) -> None:
    before = anew()
    monkeypatch.setattr(area, name, wrong)
    pairs = zip(before, anew(), strict=True)
    changed = {new.figure.metric for old, new in pairs if (old.verdict, new.verdict) == (AGREES, DIFFERS)}
    assert changed == metrics


@pytest.mark.parametrize(("metric", "value"), [("time", "7.0"), ("slices", "2000"), ("throughput", "140.0")])
def test_another_printed_figure_changes_verdicts(metric: str, value: str) -> None:
    other = replace(FIGURES)
    other.__dict__["rows"] = tuple(
        replace(f, value=value) if (f.design, f.metric) == ("[24]", metric) else f for f in FIGURES.rows
    )
    changed = [f.figure.metric for f in other.findings if f.figure.design == "[24]" and f.verdict == DIFFERS]
    assert (
        changed
        == {"time": ["throughput"], "slices": ["efficiency"], "throughput": ["throughput", "efficiency"]}[metric]
    )


def test_errata_about_figures() -> None:
    found = {erratum.id: len(erratum.findings) for erratum in errata(FigureErratum)}
    assert found == {"iddmm.E22": 10, "iddmm.E23": 12, "iddmm.E24": 4, "iddmm.E25": 28, "fpmm.E18": 2,
                     "redundant.E20": 1, "redundant.E21": 1, "redundant.E22": 2, "redundant.E23": 1,
                     "redundant.E24": 1, "hffm.E17": 1, "llmonpro.E25": 2}  # fmt: skip
    for erratum in errata(FigureErratum):
        assert erratum.kind == "figure"
        assert {model.id for model in erratum.models} <= set(MODELS)
    known = set(found)
    assert all(f.erratum in known if f.verdict == DIFFERS else f.erratum is None for f in anew())
    unknown = FigureErratum(id="iddmm.E99", models=(), place="", quote="", printed="", corrected="", figures=FIGURES)
    assert unknown.findings == ()


def test_papers() -> None:
    assert paper("iddmm") is PAPERS["iddmm"]
    assert isinstance(FIGURES.source, Source)
    with pytest.raises(ParameterError, match=r"paper: there is no paper 'nix'; there is iddmm, fpmm, redundant, hffm"):
        paper("nix")
