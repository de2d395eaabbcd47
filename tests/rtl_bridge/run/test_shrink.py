# SPDX-License-Identifier: Apache-2.0
"""Failing products made small, why they fail, and which events a run covers."""

import json
import shlex
from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.core.core import load
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.likely_cause import LikelyCause
from limbtrace.rtl_bridge.run.report import Report
from limbtrace.rtl_bridge.run.shrink import check, shrink
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.rtl_bridge.run.spacing import gap
from limbtrace.vectors.cli import main
from tests.rtl_bridge.helpers import TOYS, copy_of, job
from tests.rtl_bridge.run.test_spacing import FAULTS as GAPS

SMALL = {"radix": "2^4"}


@pytest.mark.full
def test_a_comparison_that_is_off_by_one(tmp_path: Path) -> None:
    """`>` for `>=`: only a product that is p before the last subtraction shows it."""
    core = copy_of(TOYS / "bit_toy", tmp_path, ("bit_toy.v", "t >= {3'b0, P}", "t > {3'b0, P}"))
    asked = job(core, "2^31-1", kind="events", count=400)
    report = simulate(asked)
    found = shrink(asked, report)
    assert found is not None
    assert found.cause == LikelyCause("each", ("result=p",))
    ((a, b),) = found.pairs
    before = report.tally.divergence
    assert before is not None
    assert (a, b) == (2**31 - 1, 1)  # ones in every bit, but nothing smaller gives p


@pytest.mark.full
def test_a_bit_that_is_stuck(tmp_path: Path) -> None:
    edit = ("bit_toy.v", "assign Z  = t[N-1:0];", "assign Z  = t[N-1:0] & ~(1 << 7);")
    core = copy_of(TOYS / "bit_toy", tmp_path, edit)
    asked = job(core, "2^31-1", kind="random", count=10)
    found = shrink(asked, simulate(asked))
    assert found is not None
    ((a, b),) = found.pairs
    assert a.bit_count() + b.bit_count() <= 8  # of 31 or so
    assert simulate(job(core, "2^31-1", operands=(f"{a:#x},{b:#x}",))).tally.divergence is not None


def test_a_product_that_fails_after_another_one(tmp_path: Path) -> None:
    edit = ("bit_toy.v", "      t    <= 0;\n", "      t    <= (b0 & ~B[0]);\n")
    memory = ("bit_toy.v", "reg             busy, full;", "reg             busy, full, b0 = 0; always @(posedge CLK) if (IV && IR) b0 <= B[0];")  # fmt: skip  # noqa: E501
    core = copy_of(TOYS / "bit_toy", tmp_path, edit, memory)
    asked = job(core, "2^31-1", operands=("3,1", "5,1", "7,4", "9,2", "11,3", "13,6"))
    found = shrink(asked, simulate(asked))
    assert found is not None
    # b of the product before it is odd, its own is not.
    assert found.pairs == ((0, 1), (0, 0))
    assert "shrunk in" in found.text()
    assert "it needs what earlier products leave in the core: `limbtrace prove " in found.text()


def test_what_fills_up_the_last_stream(tmp_path: Path) -> None:
    """The second product of a stream fails, and one is asked for."""
    name, counter = "wide_toy.sv", "logic n; always_ff @(posedge clk) n <= ~rst & (n ^ there);"
    core = copy_of(
        TOYS / "wide_toy",
        tmp_path,
        (name, "  assign there = go_q[2];", f"  assign there = go_q[2];\n{counter} assign z_o = z ^ N'(n);"),
        (name, "output     logic [N-1:0] z\n", "output     logic [N-1:0] z_o\n"),
        (name, "  logic [2:0]   go_q;", "  logic [2:0] go_q; logic [N-1:0] z;"),
        ("core.toml", 'port = "z"', 'port = "z_o"'),
        ("core.toml", "products = 8", "products = 2"),
    )
    asked = job(core, count=1)
    found = shrink(asked, simulate(asked))
    assert found is not None
    assert len(found.pairs) == 2
    assert found.pairs[1] == (0, 0)


def test_nothing_to_shrink() -> None:
    asked = job(settings=SMALL, count=5)
    assert shrink(asked, simulate(asked)) is None


def test_a_disturbed_run_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"^shrink: goes without --disturb, whose disturbances belong"):
        check(job(settings=SMALL, disturb=("reset",)))


def test_on_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    core = copy_of(TOYS / "bit_toy", tmp_path, ("bit_toy.v", "assign Z  = t[N-1:0];", "assign Z  = t[N-1:0] | 1;"))
    words = ["sim", str(core), "--prime", "2^31-1", "--simulator", "icarus", "--count", "9", "--shrink"]
    with pytest.raises(SystemExit) as ended:
        main([*words, "--json"])
    assert ended.value.code == 1
    said = capsys.readouterr()
    assert "\r" not in said.err, "a log is no terminal"
    shrunk = json.loads(said.out)["shrunk"]
    assert shrunk["products"] == [["0x0", "0x0"]]
    with pytest.raises(SystemExit) as ended:
        main(shlex.split(shrunk["replay"])[1:])
    assert ended.value.code == 1
    with pytest.raises(SystemExit) as ended:
        main([*words, "--disturb", "reset"])
    assert ended.value.code == 2
    assert "goes without --disturb" in capsys.readouterr().err


def test_coverage_of_a_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """That of the vector set with the same operands; after a difference, up to the product that differs."""
    drawn = ["--prime", "0xea7", "--radix", "2^4", "--count", "30", "--kind", "directed"]
    for words in (
        ["vectors", "iddmm2", *drawn, "-o", str(tmp_path / "set.json")],
        ["cover", str(tmp_path / "set.json"), "--json"],
        ["sim", "iddmm_arch2", *drawn, "--simulator", "icarus", "--coverage", str(tmp_path / "run.json")],
    ):
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
        if words[0] == "cover":
            of_the_set = json.loads(capsys.readouterr().out)
    of_the_run = json.loads((tmp_path / "run.json").read_text())
    for document in (of_the_set, of_the_run):
        for event in document["events"]:
            event.get("first", {}).pop("id", None)
    assert of_the_run == of_the_set

    core = copy_of(TOYS / "bit_toy", tmp_path, ("bit_toy.v", "assign Z  = t[N-1:0];", "assign Z  = t[N-1:0] | 1;"))
    faulty = ["sim", str(core), "--prime", "2^31-1", "--simulator", "icarus", "--operands", "1,1", "--operands", "0,0"]
    with pytest.raises(SystemExit) as ended:
        main([*faulty, "--operands", "2,2", "--coverage", str(tmp_path / "run.json")])
    assert ended.value.code == 1
    document = json.loads((tmp_path / "run.json").read_text())
    assert document["sets"] == ["operands"]
    assert document["cases"] in (1, 2)


def test_a_gap_that_is_needed_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A core that fails right behind another product alone; the number of the case is not kept, and its gap is."""
    jobs: list[Job] = []

    def noted(asked: Job, *, quiet: bool) -> Report:
        jobs.append(asked)
        return simulate(asked, quiet=quiet)

    monkeypatch.setattr("limbtrace.rtl_bridge.run.shrink.simulate", noted)
    monkeypatch.setattr("limbtrace.rtl_bridge.run.shrink.ROUNDS", 8)
    core = copy_of("r2mm_bitserial", tmp_path, *GAPS["left"])
    asked = job(core, "2^31-1", kind="random", count=100, only=88)
    report = simulate(asked)
    before = report.tally.divergence
    assert before is not None
    found = shrink(asked, report)
    assert found is not None
    assert len(found.pairs) == 1
    file = load(core).file
    assert found.number < before.case
    assert gap(found.number, file) == gap(before.case, file)
    assert {one.only for one in jobs if len(one.operands) == found.number + 1} == {found.number}
    assert f"as product {found.number}, with the same gap in front of it" in found.text()
    ones = sum(map(int.bit_count, found.pairs[0]))
    assert ones < sum(int(text or "0", 16).bit_count() for text in (before.a, before.b))
    with pytest.raises(SystemExit) as ended:
        main(shlex.split(found.replay)[1:])
    assert ended.value.code == 1


def test_a_product_in_front_that_does_not_end(tmp_path: Path) -> None:
    """That of half of the operands hangs, and the one that is asked for is not said to have started."""
    edit = ("modmul_toy.v", "end else if (running) begin", "end else if (running && x != 7) begin")
    core = copy_of(TOYS / "modmul_toy", tmp_path, edit)
    text = simulate(job(core, "65521", operands=("1,1", "14,3"))).text()
    assert "case 1, never: start should be 0x1 and is 0x0" in text
    assert "  offered behind another product, of half of each operand, which may be the one that does not end\n" in text
    assert "after another product was done" not in text
