# SPDX-License-Identifier: Apache-2.0
"""Code coverage of a toy with a branch that no product reaches, and one that its parameters exclude."""

import json
from pathlib import Path
from typing import Any

import pytest

from limbtrace.rtl_bridge.code_coverage.counted import CountedCode
from limbtrace.rtl_bridge.code_coverage.dead_ways import dead_ways
from limbtrace.rtl_bridge.code_coverage.points import BRANCH, CoveragePoint, PointCounts
from limbtrace.rtl_bridge.code_coverage.results import by_file, write_coverage
from limbtrace.rtl_bridge.code_coverage.tied_bits import tied_bits
from limbtrace.rtl_bridge.code_coverage.unreachable import EXCLUDED, TIED
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate_run
from limbtrace.vectors.cli import main
from tests.rtl_bridge.helpers import TOYS, copy_of, job

LAST = "            if (count == 16'd1) begin\n"
WAYS = ("modmul_toy.v", LAST, f"            if (WIDTH > 9) y <= 0;\n            if (count == 16'd99) y <= 1;\n{LAST}")
EXCLUDED_LINE, MISSED_LINE, HIT_LINE = 43, 44, 46
"""Lines of the toy with these ways: statements that parameters exclude, that are never reached, and that are."""


def toy(folder: Path) -> Path:
    return copy_of(TOYS / "modmul_toy", folder, WAYS)


def called(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[Any, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["sim", *words])
    said = capsys.readouterr()
    return ended.value.code, said.out, said.err


def hits(info: str) -> dict[int, int]:
    """PointCounts of lines in a tracefile."""
    lines = [line.removeprefix("DA:").split(",") for line in info.splitlines() if line.startswith("DA:")]
    return {int(number): int(count) for number, count in lines}


def points(*found: tuple[int, int, str, str, int]) -> PointCounts:
    """Points of the toy as line, column, kind, what and count, each with its line as the one of its statements."""
    return {
        CoveragePoint("modmul_toy.v", line, column, kind, what, str(line)): hits
        for line, column, kind, what, hits in found
    }


def counted(core: Path, *found: tuple[int, int, str, str, int]) -> CountedCode:
    """Code coverage of a run with these counts."""
    code = CountedCode()
    code.add(settle(job(core, "13")).bound, points(*found))
    return code


def test_files_of_counts(tmp_path: Path) -> None:
    """Tracefile, page and document say what was reached, what was not, and what parameters exclude."""
    core, out = toy(tmp_path / "core"), tmp_path / "out"
    code = counted(
        core,
        (EXCLUDED_LINE, 13, BRANCH, "if", 0),
        (MISSED_LINE, 13, BRANCH, "if", 0),
        (MISSED_LINE, 14, BRANCH, "else", 39),
        (HIT_LINE, 13, BRANCH, "if", 40),
    )
    document = write_coverage(out, code)
    info = (out / "coverage.info").read_text()
    assert info.startswith("TN:\nSF:modmul_toy.v\n")
    assert hits(info) == {EXCLUDED_LINE: 0, MISSED_LINE: 39, HIT_LINE: 40}
    assert f"BRDA:{MISSED_LINE},0,0,0\nBRDA:{MISSED_LINE},0,1,39\n" in info
    assert json.loads((out / "coverage.json").read_text()) == {"code_coverage": document}
    (file,) = document["files"]
    assert document["total"]["line"] == file["line"] == {"hit": 2, "total": 3, "unreachable": 1}
    assert file["branch"] == {"hit": 2, "total": 4, "unreachable": 1}
    rows = (out / "index.html").read_text().split("<tr")
    marks = {number: next(row for row in rows if f'"number">{number}</td>' in row) for number in range(40, 50)}
    assert marks[EXCLUDED_LINE].startswith(' class="unreachable"')
    assert f"unreachable: branch if ({EXCLUDED})" in marks[EXCLUDED_LINE]
    assert marks[MISSED_LINE].startswith(' class="partly"')
    assert "not hit: branch if" in marks[MISSED_LINE]
    assert marks[HIT_LINE].startswith(' class="hit"')
    assert str(tmp_path) not in "".join(path.read_text() for path in out.iterdir())


@pytest.mark.full
def test_ways_that_are_reached_and_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Verilator counts what `test_files_of_counts` takes as given; its runtime is compiled for that."""
    core, out = toy(tmp_path / "core"), tmp_path / "out"
    words = [str(core), "--prime", "13", "--mode", "bulk", "--count", "40", "--code-coverage", str(out)]
    code, said, err = called(capsys, *words, "--json")
    assert code == 0, err
    counts = hits((out / "coverage.info").read_text())
    assert counts[EXCLUDED_LINE] == counts[MISSED_LINE] == 0
    assert counts[HIT_LINE] >= 40
    document = json.loads(said)["code_coverage"]
    assert document["runs"] == 1
    assert document["total"]["line"] == {"hit": len(counts) - 2, "total": len(counts), "unreachable": 1}
    assert document["total"]["branch"]["unreachable"] == 1
    assert 'class="missed"' in (out / "index.html").read_text()


@pytest.mark.full
@pytest.mark.parametrize("mode", ["lockstep", "fast", "bulk"])
def test_modes_and_runs_add_up(mode: str, tmp_path: Path) -> None:
    """Every mode counts each product once, also behind differences, and other sizes are other points."""
    bad = ("modmul_toy.v", LAST, f"            if (count == 16'd2 && x == 5) result <= 0;\n{LAST}")
    core, code = copy_of(TOYS / "modmul_toy", tmp_path, bad), CountedCode()
    runs = [
        job(core, "13", simulator="verilator", mode=mode, count=40, kind="random", keep_going=3),
        job(core, "0xe5", simulator="verilator", mode=mode, count=40, kind="random"),
    ]
    for asked in runs:
        simulate_run(settle(asked), quiet=True, code=code)
    assert (code.runs, code.uncounted) == (2, 0)
    ((name, points),) = by_file(code)
    assert name == "modmul_toy.v"
    done = next(each for each in points if each.point.line == HIT_LINE - 2 and each.point.what == "if")
    assert done.hits >= 80
    assert {each.reason for each in points if "modulus[9]" in each.point.what} == {TIED}


def test_constant_conditions(tmp_path: Path) -> None:
    """Conditions on parameters, in an if and a case; others, and those that differ between instances, say nothing."""
    text = """
module part #(parameter P = 0) (input clk, input d, output reg q);
  always @(posedge clk) if (P) q <= d; else q <= ~d;
endmodule
"""
    cases = "            case (WIDTH)\n              4: y <= 0;\n              5: y <= 1;\n            endcase\n"
    edits = [
        ("modmul_toy.v", LAST, f"{cases}            if (WIDTH == 4) y <= 1;\n            else y <= 2;\n{LAST}"),
        ("modmul_toy.v", "module modmul_toy", f"{text}\nmodule modmul_toy"),
        ("modmul_toy.v", "    always @(posedge clk) begin\n        if (rst)",
         "    part #(0) u0 (clk, start, ); part #(1) u1 (clk, start, );\n"
         "    always @(posedge clk) begin\n        if (rst)"),
    ]  # fmt: skip
    core = copy_of(TOYS / "modmul_toy", tmp_path, *edits)
    lines = (core / "modmul_toy.v").read_text().splitlines()
    found = [(lines[way.start[0] - 1].strip(), way.ways) for way in dead_ways(settle(job(core, "13")).bound)]
    assert sorted(found) == [("5: y <= 1;", ()), ("else y <= 2;", ("else",))]


def test_a_bit_is_not_tied_where_one_instance_does_not_use_it(tmp_path: Path) -> None:
    """`held` is 0 in the first instance, and follows `d` in the second one, of which nothing is used."""
    text = """
module part #(parameter P = 0) (input wire clk, input wire d, output wire q);
  wire held = P ? d ^ clk : 1'b0;
  wire zero = d & 1'b0;
  reg r;
  always @(posedge clk) r <= held ^ zero;
  assign q = r;
endmodule
"""
    parts = "    part #(0) u0 (clk, start, ); part #(1) u1 (clk, start, );\n"
    edits = [
        ("modmul_toy.v", "module modmul_toy", f"{text}\nmodule modmul_toy"),
        ("modmul_toy.v", "    wire [WIDTH+1:0] modulus", f"{parts}    wire [WIDTH+1:0] modulus"),
    ]
    core = copy_of(TOYS / "modmul_toy", tmp_path, *edits)
    names = {name for _, _, name in tied_bits(settle(job(core, "13")).bound)}
    assert "zero" in names
    assert "held" not in names


@pytest.mark.parametrize(
    ("core", "more", "why"),
    [("modmul_toy", ["--simulator", "icarus"], "counted by Verilator"), ("vhdl_mont", [], "has VHDL")],
)
def test_what_cannot_be_counted_is_refused(
    core: str, more: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(TOYS / core), "--prime", "13", "--code-coverage", str(tmp_path / "out"), *more]
    code, _, err = called(capsys, *words)
    assert (code, why in err, err.count("\n")) == (2, True, 1)


def test_a_folder_of_others_is_not_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").write_text("")
    words = [str(TOYS / "modmul_toy"), "--prime", "13", "--code-coverage", str(tmp_path)]
    code, _, err = called(capsys, *words)
    assert (code, "not an earlier output" in err) == (2, True)
