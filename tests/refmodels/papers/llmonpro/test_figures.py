# SPDX-License-Identifier: Apache-2.0
"""Every figure of the LLMonPro paper's tables, and that a verdict depends on the formula and on the figure."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from limbtrace.refmodels.figures import AGREES, DIFFERS, FREQUENCY, MEASURED, Figure, Finding
from limbtrace.refmodels.papers.llmonpro import figures as llmonpro

FIGURES = llmonpro.FIGURES

Key = tuple[int, str, int | None, str]


def key(figure: Figure) -> Key:
    return figure.table, figure.design, figure.bits, figure.metric


def anew() -> dict[Key, Finding]:
    """The findings, recomputed with the current formulas."""
    findings = replace(FIGURES).findings
    found = {key(finding.figure): finding for finding in findings}
    assert len(found) == len(findings) == 214
    return found


def test_every_figure_has_a_verdict() -> None:
    found = anew().values()
    assert Counter(finding.verdict for finding in found) == {AGREES: 42, DIFFERS: 30, MEASURED: 142}
    assert Counter(f.figure.table for f in found) == {1: 70, 2: 100, 3: 44}
    assert all(16 <= llmonpro.digit_bits(f.figure) <= 64 for f in found)


def test_what_differs_in_tables_1_and_3_are_the_rows_with_two_digits() -> None:
    unlike = {at: f for at, f in anew().items() if f.verdict == DIFFERS and at[0] != 2}
    assert {at: (f.figure.value, f.ours, f.erratum) for at, f in unlike.items()} == {
        (1, "d=32, 1 cycle", 64, "DSP"): ("69", "108", "llmonpro.E25"),
        (1, "d=64, 1 cycle", 128, "DSP"): ("230", "432", "llmonpro.E25"),
    }


def test_live_products() -> None:
    """Section 7.2, by enumeration of all pairs of digits."""
    for k in (4, 8, 16, 32, 64):
        pairs = [i + j for i in range(k + 1) for j in range(k + 1)]
        inner = [i + j for i in range(k + 1) for j in range(k)]  # digit k of one factor is 0
        T, Q = len(pairs) - 1, sum(s <= k - 1 for s in pairs)
        S = sum(s >= k - 3 for s in inner)
        assert llmonpro.live_products(k) == T + Q + S == 2 * k * k + 6 * k - 3
    assert [llmonpro.live_products(k) for k in (8, 16, 32)] == [173, 605, 2237]


def test_no_row_is_below_its_lower_bound() -> None:
    for at, finding in anew().items():
        if finding.verdict == MEASURED and finding.ours is not None:
            assert float(finding.figure.value) >= float(finding.ours), at


def test_what_is_said_of_table_3() -> None:
    found = anew()
    overhead = [f.note.split()[0] for at, f in found.items() if at[3] == "cycles of 10000 squarings"]
    assert overhead == ["86", "103", "137", "144"]
    notes = [f.note for at, f in found.items() if (at[0], at[3]) == (3, "DSP")]
    assert notes == ["as many as 2k^2+7k-3"] * 3 + [""]


def test_what_is_said_of_table_2() -> None:
    """Section 7.3: shares of the digit multipliers, all but those with k = 2 and that of 18 cycles."""
    figures = [f for f in anew().values() if f.figure.table == 2]
    notes = [f.note.rpartition("takes none; ")[2] for f in figures if f.figure.metric == "DSP"]
    said = Counter(
        note.split()[0] if "of the digit" in note or "digit multipliers, so" in note else "" for note in notes
    )
    assert said == {"2/3": 4, "4/9": 5, "1/2": 2, "1/4": 3, "1/8": 2, "3(k+1)^2": 1, "": 3}
    assert llmonpro.shared_multipliers(32, Fraction(1, 4)) == 272 + 273 + 273 == 818
    times = {(f.figure.design, f.figure.bits): float(f.note.split()[0]) for f in figures if "ns a product" in f.note}
    assert times["d=64, 3 cycles", 512] == 33.75
    fastest = {key(f.figure)[1:3]: float(f.figure.value) for f in FIGURES.findings
               if (f.figure.table, f.figure.metric) == (1, "clock period")}  # fmt: skip
    assert len(times) == 20
    for (design, bits), time in times.items():
        assert time > fastest[f"{design.split(',')[0]}, 1 cycle", bits]


def test_our_sharing_beside_table_2() -> None:
    """The most sharing that takes no more cycles, and in every row fewer DSP blocks; no row of 2 cycles is possible."""
    found = {at: f for at, f in anew().items() if at[0] == 2}
    cycles = [(f.figure.value, f.ours) for at, f in found.items() if at[3] == "cycles per product"]
    assert Counter(cycles) == {
        ("2", None): 2, ("3", "3"): 6, ("5", "3"): 4, ("8", "6"): 2, ("9", "9"): 1, ("16", "12"): 3, ("16", "15"): 1,
        ("18", "18"): 1,
    }  # fmt: skip
    blocks = {at[1:3]: (f.figure.value, f.ours) for at, f in found.items() if at[3] == "DSP"}
    assert blocks["d=16, 8 cycles", 512] == ("818", "512")
    assert blocks["d=32, 16 cycles", 1024] == ("1640", str(32 * 7 * 4))
    assert all(int(ours or 0) < int(printed) for printed, ours in blocks.values())
    assert [llmonpro.schedule(8, cycles) for cycles in (2, 3, 5, 6, 14, 15, 23, 24, 99)] == [
        None, 1, 1, 2, 4, 4, 4, 8, 8,
    ]  # fmt: skip


def test_what_yosys_makes_of_our_core_stands_beside_rows_of_the_same_form() -> None:
    found = {at: FIGURES.synthesised(f.figure) for at, f in anew().items()}
    metrics = ("LUT", "FF", "DSP", "clock period")
    areas = {at for at in found if at[3] in metrics and (at[0] == 2) > at[1].endswith(" 2 cycles")}
    areas |= {at for at in found if at[3] in metrics and at[1].endswith(" 1 cycle")}
    assert {at for at, meant in found.items() if meant} == areas
    assert Counter(at[0] for at in areas) == {1: 56, 2: 72, 3: 9}
    other = found[2, "d=16, 8 cycles", 512, "LUT"]
    assert other is not None
    assert other.fits({"D": 16, "K": 32, "Cycles": 6, "Shared": 2})
    assert not other.fits({"D": 16, "K": 32, "Cycles": 1, "Shared": 0})
    assert found[1, "d=32, 1 cycle", 128, "clock period"].resource == FREQUENCY  # type: ignore[union-attr]
    meant = found[1, "d=32, 1 cycle", 128, "DSP"]
    assert meant is not None
    assert (meant.core, meant.resource) == ("llmonpro", "DSP")
    built = {"D": 32, "K": 4, "Cycles": 1, "Shared": 0}
    assert meant.fits(built)
    assert not any(
        meant.fits({**built, name: value}) for name, value in (("D", 16), ("K", 8), ("Cycles", 2), ("Shared", 1))
    )


@pytest.mark.parametrize(
    ("at", "value", "changed"),
    [((1, "d=16, 1 cycle", 64, "DSP"), "76", 1), ((1, "d=16, 1 cycle", 64, "cycles per product"), "2", 1),
     ((3, "d=16, 1 cycle", 128, "total delay"), "26.50", 1), ((3, "d=16, 1 cycle", 128, "logic delay"), "11.99", 2),
     ((3, "d=16, 1 cycle", 128, "logic share"), "41.59", 1),
     ((2, "d=32, 9 cycles", 1024, "cycles per product"), "10", 1)],
)  # fmt: skip
def test_another_printed_figure_changes_verdicts(at: Key, value: str, changed: int) -> None:
    other = replace(FIGURES)
    other.__dict__["rows"] = tuple(replace(f, value=value) if key(f) == at else f for f in FIGURES.rows)
    pairs = zip(FIGURES.findings, other.findings, strict=True)
    assert sum((old.verdict, new.verdict) == (AGREES, DIFFERS) for old, new in pairs) == changed


def test_a_wrong_count_of_products_changes_verdicts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llmonpro, "products", lambda k: 3 * k * k)
    assert sum(f.verdict == DIFFERS for at, f in anew().items() if at[0] == 1) == 14
