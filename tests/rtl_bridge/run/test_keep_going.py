# SPDX-License-Identifier: Apache-2.0
"""Runs that go on after a difference: every product that fails is found, and found as if it were the first."""

import json
import shlex
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path

import pytest

from limbtrace.rtl_bridge.core.core import find
from limbtrace.rtl_bridge.programs.process import Listener
from limbtrace.rtl_bridge.run import session
from limbtrace.rtl_bridge.run.builds import Build
from limbtrace.rtl_bridge.run.report import Divergence, Tally
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.rtl_bridge.run.spacing import gap
from limbtrace.vectors.cli import main
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.report import canonical, read
from limbtrace.vectors.report.explain import Explanation
from tests.rtl_bridge.helpers import CORE, TOYS, Edit, copy_of, job

PRIME = "65521"
LAST = "result <= twice[WIDTH-1:0];"
WRONG: Edit = ("modmul_toy.v", LAST, f"{LAST} if (count == 1 && x[4:0] == 5) result <= ~twice[WIDTH-1:0];")
HANGS: Edit = ("modmul_toy.v", "end else if (running) begin", "end else if (running && x[4:0] != 7) begin")
SAYS: Edit = ("modmul_toy.v", LAST, f'{LAST} if (count == 1 && x[2:0] == 5) $error("five");')
ENDS: Edit = ("modmul_toy.v", LAST, f"{LAST} if (x[4:0] == 7) $finish;")


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_of(TOYS / "modmul_toy", tmp_path_factory.mktemp("toy"), WRONG, HANGS)


def failing(core: Path, count: int) -> list[int]:
    """The cases that the faults of the toy strike."""
    pairs = list(settle(job(core, PRIME, count=count)).stimulus.pairs())
    return [case for case, pair in enumerate(pairs) if int(pair.a) % 32 in (5, 7)]


def plain(cases: list[int]) -> list[int]:
    """Without those behind another product, which may be struck in place of them."""
    file = find(str(TOYS / "modmul_toy")).file
    return [case for case in cases if not gap(case, file).behind]


@pytest.mark.parametrize(("mode", "simulator"), [("lockstep", "icarus"), ("bulk", "icarus"), ("fast", "verilator")])
def test_every_product_that_fails_is_found(mode: str, simulator: str, toy: Path) -> None:
    """Wrong results and products that never end; each with a replay that shows it again."""
    asked = job(toy, PRIME, count=240, mode=mode, simulator=simulator)
    wrong = failing(toy, 240)
    assert len(wrong) > 6
    report = simulate(asked.model_copy(update={"keep_going": 100}))
    first, alone = report.tally.divergence, simulate(asked).tally.divergence
    assert first == alone
    cases = [found.case for found in report.differences]
    assert plain(cases) == plain(wrong)
    assert set(wrong) <= set(cases)
    assert report.tally.verified == 240 - len(cases)
    document = report.document
    assert document["failures"] == {"most": 100, "failed": len(cases), "products": 240}
    groups = document["differences"]
    assert {group["kind"] for group in groups} == {"value", "timing"}
    assert sorted(case for group in groups for case in group["cases"]) == cases
    other = report.differences[-1]
    again = simulate(asked.model_copy(update={"only": other.case})).tally.divergence
    assert again is not None
    assert (again.case, again.signal, again.expected, again.seen) == (
        other.case,
        other.signal,
        other.expected,
        other.seen,
    )


@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
def test_it_ends_after_as_many_as_were_asked_for(mode: str, toy: Path) -> None:
    every, report = (simulate(job(toy, PRIME, count=240, mode=mode, keep_going=most)) for most in (100, 3))
    wrong = [found.case for found in every.differences]
    assert {*plain(failing(toy, 240))} <= {*wrong}
    assert [found.case for found in report.differences] == wrong[:3]
    assert report.document["failures"]["products"] == wrong[2] + 1
    assert "; ended after 3 differences\n" in report.text()


def test_nothing_differs() -> None:
    report = simulate(job(TOYS / "modmul_toy", PRIME, count=20, keep_going=5))
    assert report.passed
    assert report.document["failures"] == {"most": 5, "failed": 0, "products": 20}
    assert "differ" not in report.text()


def test_what_a_reader_is_shown(toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["sim", str(toy), "--prime", PRIME, "--simulator", "icarus", "--mode", "bulk", "--count", "240"]
    junit, coverage = tmp_path / "r.xml", tmp_path / "c.json"
    with pytest.raises(SystemExit) as ended:
        main([*words, "--keep-going", "100", "--json", "--junit", str(junit), "--coverage", str(coverage)])
    assert ended.value.code == 1
    document = json.loads(capsys.readouterr().out)
    assert canonical(read(document)) == json.dumps(document, separators=(",", ":"), ensure_ascii=False)
    assert document["observed"].get("observations", []) == [
        {"kind": fact.kind, "text": fact.text} for fact in Explanation.of(read(document)).observed
    ]
    assert json.loads(coverage.read_text())["cases"] == 240
    suite = ElementTree.parse(junit).getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == (str(len(document["differences"])),) * 2
    text = "".join(failure.text or "" for failure in suite.iter("failure"))
    for group in document["differences"]:
        assert group["difference"]["replay"] in text
        others = len(group["cases"]) - 1
        assert f"{others} other case" in text or not others
    replay = shlex.split(document["differences"][1]["difference"]["replay"])
    assert "--keep-going" not in replay
    with pytest.raises(SystemExit) as ended:
        main(replay[1:])
    assert ended.value.code == 1
    assert f"case {document['differences'][1]['cases'][0]}," in capsys.readouterr().out


def test_streams_are_given_up(tmp_path: Path) -> None:
    """One product of each stream of eight: those behind it may be wrong because of it."""
    edit = ("wide_toy.sv", "z_q  <= product(x_q, y_q, modulus);",
            "z_q  <= product(x_q, y_q, modulus) ^ N'(x_q[3:0] == 4'd5);")  # fmt: skip
    core = copy_of(TOYS / "wide_toy", tmp_path, edit)
    asked = job(core, "mldsa", count=61)
    pairs = [int(pair.a) for pair in settle(asked).stimulus.pairs()]
    wrong = [at for at, a in enumerate(pairs) if a % 16 == 5]
    firsts = [next(case for case in wrong if case // 8 == stream) for stream in sorted({case // 8 for case in wrong})]
    found = {}
    for mode in ("lockstep", "bulk"):
        report = simulate(asked.model_copy(update={"mode": mode, "keep_going": 9}))
        found[mode] = report.document
        assert [one.case for one in report.differences] == firsts
        failures = found[mode]["failures"]
        assert failures["products"] + failures["given_up"] == 61
        assert failures["failed"] == len(firsts) > 1
        assert "in streams that were given up" in report.text()
    assert found["bulk"]["failures"] == found["lockstep"]["failures"]


def test_with_disturbances(tmp_path: Path) -> None:
    edit = ("mont_toy.sv", "row[15:0] * minv_i", "row[15:0] * (minv_i ^ 16'(row[15:11] == 5'd9))")
    core = copy_of(TOYS / "mont_toy", tmp_path, edit)
    asked = job(core, "2^61-1", count=80, disturb=("start", "reset", "modulus", "stalls"))
    report = simulate(asked.model_copy(update={"keep_going": 4}))
    assert len(report.differences) == 4
    assert report.differences[0] == simulate(asked).tally.divergence
    last = report.differences[-1]
    again = simulate(asked.model_copy(update={"only": last.case})).tally.divergence
    assert again is not None
    assert (again.a, again.seen, again.disturbed) == (last.a, last.seen, last.disturbed)


def test_signals_of_every_cycle(tmp_path: Path) -> None:
    """In mode bulk golden rows are read from the middle of their files, and of later ones."""
    edit = (
        "lt_iddmm_arch2.sv",
        "s_sum  = K2'(a_digit) + xy;",
        "s_sum  = K2'(a_digit) + xy + K2'(xy == 8'd225);",
    )
    asked = job(copy_of(CORE, tmp_path, edit), settings={"radix": "2^4"}, count=600, kind="random", keep_going=50)
    found = [simulate(asked.model_copy(update=mode)) for mode in ({}, {"mode": "bulk", "every_cycle": True})]
    lockstep, bulk = ([(d.case, d.signal, d.cycle, d.rows) for d in report.differences] for report in found)
    assert lockstep == bulk
    pairs = settle(asked).stimulus.pairs()
    struck = [case for case, pair in enumerate(pairs) if all("f" in f"{int(value):03x}" for value in (pair.a, pair.b))]
    assert [case for case, *_ in lockstep] == struck
    assert lockstep[-1][0] * 15 > 4096
    assert found[0].tally.cycles == found[1].tally.cycles > 0


def test_assertions_that_fail(tmp_path: Path) -> None:
    core = copy_of(TOYS / "modmul_toy", tmp_path, SAYS)
    pairs = settle(job(core, PRIME, count=60)).stimulus.pairs()
    wrong = [case for case, pair in enumerate(pairs) if int(pair.a) % 8 == 5]
    for mode in ("lockstep", "bulk"):
        report = simulate(job(core, PRIME, count=60, mode=mode, keep_going=9))
        cases = [found.case for found in report.differences]
        assert plain(cases) == plain(wrong)[: len(plain(cases))]
        assert len(cases) >= len(plain(wrong)) > 2
        assert {found.reason for found in report.differences} == {"modmul_toy.v:40: five"}
        assert [group["kind"] for group in report.document["differences"]] == ["assertion"]


@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
def test_a_simulator_that_ends_later_is_no_end_of_the_run(mode: str, tmp_path: Path) -> None:
    core = copy_of(TOYS / "modmul_toy", tmp_path, WRONG, (ENDS[0], WRONG[2], WRONG[2] + ENDS[2].removeprefix(LAST)))
    five, seven = 0x1005, 0x1007
    operands = tuple(f"{a},3" for a in (5, five, 9, seven, 11))
    with pytest.raises(ToolError):
        simulate(job(core, PRIME, operands=operands, mode=mode, keep_going=9))


def test_a_process_that_goes_away_is_no_end_of_the_run(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has answered once, and was told what to simulate next."""
    run = settle(job(toy, PRIME, count=20, keep_going=5))
    found = Divergence(7, "0x1", "0x2", 3, "result", None, "0x0", "0x1")

    def supervise(command: Sequence[str], work: Path, log: Path, *, listener: Listener, **_: object) -> int:
        (work / "outcome.json").write_text(json.dumps({"tally": Tally(7, 0, 0.1, found).fields}))
        for part in (b"said\nLIMBTRACE EN", b"DED 0\n"):
            assert b"LIMBTRACE" not in listener(part)
        listener.finish()
        log.touch()
        return -9

    monkeypatch.setattr(session, "supervise", supervise)
    told: list[Tally] = []

    def more(tally: Tally) -> Run | None:
        told.append(tally)
        return run.after(7)

    (tmp_path / "work").mkdir()
    with pytest.raises(ToolError):
        session.call(run, Build("icarus", "lockstep", tmp_path), tmp_path / "work", None, {}, more)
    assert [tally.divergence and tally.divergence.case for tally in told] == [7]


@pytest.mark.parametrize("number", ["0", "1001", "x"])
def test_a_wrong_number(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["sim", CORE, "--prime", "mlkem", "--keep-going", number])
    output = capsys.readouterr()
    assert (ended.value.code, output.out) == (2, "")
    assert "keep-going" in output.err


PLANTED: list[tuple[Edit, str]] = [
    (("modmul_toy.v", "x       <= a;", "x       <= a[3:0] == 5 ? x : a;"), "previous_a"),
    (("modmul_toy.v", LAST, f"{LAST} if (count == 1) result <= {{twice[7:0], twice[15:8]}};"), "word_order"),
    (("modmul_toy.v", "once >= modulus ? once", "once > modulus ? once"), "not_reduced"),
]


@pytest.mark.parametrize(("edit", "kind"), PLANTED, ids=[kind for _, kind in PLANTED])
def test_a_planted_fault_is_recognised(edit: Edit, kind: str, tmp_path: Path) -> None:
    prime = "1000" if kind == "not_reduced" else PRIME
    report = simulate(job(copy_of(TOYS / "modmul_toy", tmp_path, edit), prime, mode="bulk", count=200, keep_going=40))
    leading = [group.get("observation") for group in report.document["differences"]]
    assert kind in leading
    group = report.document["differences"][leading.index(kind)]
    sentence = group["observed"]["observations"][0]["text"]
    assert f"\n  {sentence}\n" in report.text()
    assert sentence in ElementTree.fromstring(report.junit()).findall(".//failure")[leading.index(kind)].text  # type: ignore[operator]
