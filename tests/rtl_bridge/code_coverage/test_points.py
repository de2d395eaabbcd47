# SPDX-License-Identifier: Apache-2.0
"""PointCounts as Verilator writes them, in the forms of its oldest version that is supported and of later ones."""

from pathlib import Path

import pytest

from limbtrace.rtl_bridge.code_coverage.counted import CountedPoint, LineCount, line_counts, unpacked
from limbtrace.rtl_bridge.code_coverage.options import counting_options
from limbtrace.rtl_bridge.code_coverage.points import (
    BRANCH,
    EXPRESSION,
    LINE,
    TOGGLE,
    CoveragePoint,
    PointCounts,
    add_counts,
    read_counts,
)
from limbtrace.rtl_bridge.code_coverage.signals import joined
from limbtrace.rtl_bridge.code_coverage.tied_bits import tied
from limbtrace.rtl_bridge.programs.tool import Tool
from limbtrace.vectors.errors import ToolError


def written(folder: Path, *entries: tuple[dict[str, str], int]) -> Path:
    path = folder / "coverage.dat"
    lines = [
        "C '" + "".join(f"\x01{name}\x02{value}" for name, value in fields.items()) + f"' {count}\n"
        for fields, count in entries
    ]
    path.write_text("# SystemC::Coverage-3\n" + "".join(lines))
    return path


def name_of(path: str) -> str | None:
    return {"/core/a.v": "a.v"}.get(path)


def fields(page: str, what: str, line: str = "7", **more: str) -> dict[str, str]:
    return {"f": "/core/a.v", "l": line, "n": "3", "page": page, "o": what, "h": "top.u", **more}


@pytest.mark.parametrize("more", [{}, {"t": "branch"}], ids=["5.032", "later"])
def test_kinds_and_parameters_of_modules(more: dict[str, str], tmp_path: Path) -> None:
    """Later versions say the type of a point, too; modules with other parameters have the same points."""
    counts = read_counts(
        written(
            tmp_path,
            (fields("v_branch/m", "if", S="8-9,12", **more), 0),
            (fields("v_branch/m__P1", "if", S="8-9,12", **more), 3),
            (fields("v_line/m", "block", line="2", S="2"), 5),
            (fields("v_line/m", "case", line="3", S="3"), 0),
            (fields("v_toggle/m", "x[3]:0->1"), 1),
            (fields("v_expr/m", "(a==1) => 1"), 2),
            (fields("v_user/m", "cover"), 2),
            ({**fields("v_line/m", "block"), "f": "/bench/b.sv"}, 9),
        ),
        name_of,
    )
    assert counts == {
        CoveragePoint("a.v", 7, 3, BRANCH, "if", "8-9,12"): 3,
        CoveragePoint("a.v", 2, 3, LINE, "block", "2"): 5,
        CoveragePoint("a.v", 3, 3, BRANCH, "case", "3"): 0,
        CoveragePoint("a.v", 7, 3, TOGGLE, "x[3]:0->1", ""): 1,
        CoveragePoint("a.v", 7, 3, EXPRESSION, "(a==1) => 1", ""): 2,
    }
    assert [*next(iter(counts)).numbers()] == [8, 9, 12]


@pytest.mark.parametrize("text", ["", "C 'x' 1\n", "# SystemC::Coverage-3\nC 'x' many\n"])
def test_other_forms_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "coverage.dat"
    path.write_text(text)
    with pytest.raises(ToolError, match="unknown form"):
        read_counts(path, name_of)


def test_counts_add_up_and_keep_what_was_not_hit() -> None:
    first, second = (CoveragePoint("a.v", line, 1, LINE, "block", str(line)) for line in (1, 2))
    counts: PointCounts = {first: 0}
    add_counts(counts, {first: 0, second: 4})
    add_counts(counts, {second: 1})
    assert counts == {first: 0, second: 5}
    assert unpacked([[*point, count] for point, count in counts.items()]) == counts


def test_a_line_is_hit_by_any_of_its_points() -> None:
    def point(hits: int, reason: str, lines: str) -> CountedPoint:
        return CountedPoint(CoveragePoint("a.v", 1, hits, BRANCH, "if", lines), hits, reason)

    points = [point(0, "", "1"), point(3, "", "1-2"), point(0, "never", "3-4"), point(0, "", "4")]
    assert [*line_counts(points)] == [
        LineCount(1, 3, ""),
        LineCount(2, 3, ""),
        LineCount(3, 0, "never"),
        LineCount(4, 0, ""),  # one of its points may still be reached
    ]


def test_bits_in_words() -> None:
    bits = ["a[3]", "a[4]", "a[7]", "c[-1]", "c[0]", "done", "b[0]:0->1", "b[1]:0->1", "b[0]:1->0"]
    assert [*joined(bits)] == ["done", "a[4:3]", "a[7]", "c[0:-1]", "b[1:0] 0->1", "b[0] 1->0"]


def test_a_bit_is_tied_if_it_is_in_every_instance() -> None:
    def net(*bits: int | str, **more: int) -> dict[str, object]:
        return {"bits": list(bits), "attributes": {"src": "core/a.v:7.3-7.9"}, **more}

    assert tied({"u.x": net("0", "1", 4), "v.x": net("0", 5, "0")}) == {("a.v", 7, "x[0]")}
    assert tied({"u.x": net("0"), "v.x": net("1")}) == set()
    assert tied({"u.y": net("1", 3, offset=4)}) == {("a.v", 7, "y[4]")}
    assert tied({"u.y": net("1", 3, upto=1), "z": {"bits": ["0"], "attributes": {}}, "w": net("x")}) == set()


@pytest.mark.parametrize(
    ("said", "known"),
    [("Verilator 5.032 2025-01-01 rev (Debian 5.032-1)", False), ("Verilator 5.034", True), ("rev vUNKNOWN", True)],
)
def test_expressions_are_counted_where_the_version_can(said: str, known: bool) -> None:
    assert ("--coverage-expr" in counting_options(Tool("verilator", said))) == known
