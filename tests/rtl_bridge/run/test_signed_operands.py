# SPDX-License-Identifier: Apache-2.0
"""Which signed operands are tried, and what is said of them: cores of ML-KEM and ML-DSA as strangers write them."""

import shlex
from itertools import product
from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.options import parsed
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.shrink import shrink
from limbtrace.rtl_bridge.run.signed_operands import WITH_CORNERS
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.cli import main
from limbtrace.vectors.kinds import DIRECTED, EVENTS, KINDS
from limbtrace.vectors.operands import pairs
from tests.rtl_bridge.core.test_signed_range import core
from tests.rtl_bridge.helpers import TOYS, copy_of, job

PRIMES = {"mlkem_mont_toy": "3329", "mlkem_barrett_toy": "3329", "mldsa_mont_toy": "8380417"}
FAULTS = [("mlkem_mont_toy", 3), ("mlkem_barrett_toy", 4), ("mldsa_mont_toy", 3)]
"""Toys, and how many faults each has."""
KEPT = (DIRECTED, EVENTS, *KINDS)


def numbers(job: Job) -> tuple[Bound, list[tuple[int, int]]]:
    """The numbers on the ports of a job, of every product."""
    run = settle(job)
    signed = run.bound.signed
    return run.bound, [
        (signed["a"].number(pair.a), signed["b"].number(pair.b) if "b" in signed else pair.b)
        for pair in run.stimulus.pairs()
    ]


def test_both_signs_and_ends_come_first() -> None:
    bound, given = numbers(job(TOYS / "mlkem_mont_toy", "3329", count=16))
    a, b = (bound.signed[name] for name in "ab")
    assert {(x < 0, y < 0) for x, y in given} == {*product((True, False), repeat=2)}
    assert {*product((a.least, a.most), (b.least, b.most)), (-1, -1)} <= {*given}
    assert all(a.least <= x <= a.most and b.least <= y <= b.most for x, y in given)


def test_later_cases_have_the_corners_of_the_range() -> None:
    _, given = numbers(job(TOYS / "mlkem_mont_toy", "3329", count=120))
    assert {-1, 0, 1, -1664, 1664, -1665, 1665, -3328, -(2**14), 2**14 - 1, -256, 255, -(2**15)} <= {
        a for a, _ in given
    }
    assert {-1664, 1664, -2048, 2047, 3328, -3328} <= {b for _, b in given}


@pytest.mark.parametrize("kind", KEPT)
def test_every_kind_has_all_four_combinations_of_signs(kind: str) -> None:
    _, given = numbers(job(TOYS / "mldsa_mont_toy", "8380417", count=40, kind=kind))
    assert {(a < 0, b < 0) for a, b in given} == {*product((True, False), repeat=2)}


@pytest.mark.parametrize("kind", KEPT)
def test_other_numbers_have_the_residues_that_were_drawn(kind: str) -> None:
    """But for the corners of the range, which take the place of some at first."""
    stimulus, p = settle(job(TOYS / "mldsa_mont_toy", "8380417", count=304, kind=kind)).stimulus, 8380417
    drawn = [(a % p, b % p) for a, b in pairs(stimulus.request)]
    given = [(pair.a % p, pair.b % p) for pair in stimulus.pairs()]
    same = [one == other for one, other in zip(drawn, given, strict=True)]
    assert all(same[1::2])
    assert all(same[290:])
    assert all(same) is (kind not in WITH_CORNERS)


def test_a_case_alone_has_the_operands_that_it_has_in_the_set() -> None:
    asked = job(TOYS / "mlkem_mont_toy", "3329", count=70)
    _, given = numbers(asked)
    for case in (0, 3, 44, 69):
        assert numbers(asked.model_copy(update={"only": case}))[1] == [given[case]]


def test_all_pairs_are_all_numbers_once(tmp_path: Path) -> None:
    asked = job(
        core(tmp_path, ('below = "p"', 'above = "-p - 2", below = "p - 1"')), "5", kind="exhaustive", count=None
    )
    _, given = numbers(asked)
    assert sorted(given) == [*product(range(-6, 4), range(-4, 5))]
    report = simulate(asked.model_copy(update={"mode": "bulk"}))
    assert report.passed
    assert report.document["exhausted"] == 90


@pytest.mark.parametrize("toy", PRIMES)
def test_toys_agree(toy: str) -> None:
    report = simulate(job(TOYS / toy, PRIMES[toy], count=100))
    assert report.passed, report.text()


@pytest.mark.parametrize(("toy", "fault"), [(toy, fault + 1) for toy, faults in FAULTS for fault in range(faults)])
def test_faults_show_in_sixteen_products(toy: str, fault: int) -> None:
    report = simulate(job(TOYS / toy, PRIMES[toy], count=16, build={"Faulty": fault}))
    assert not report.passed


def test_a_difference_says_what_was_given_and_replays() -> None:
    asked = job(TOYS / "mlkem_mont_toy", "3329", count=16, build={"Faulty": 1})
    report = simulate(asked)
    found = report.document["first_divergence"]
    assert (found["a"], found["b"], found["signed"]) == ("0x8414", "0xd02", {"a": "-0x8000", "b": "-0xd00"})
    assert (found["seen"], found["reason"]) == ("-0x7980", "results reach from -0xd00 to 0xd00")
    assert "  a = 0x8414, given as -0x8000\n  b = 0xd02, given as -0xd00\n" in report.text()
    again = simulate(parsed(Job, shlex.split(found["replay"])[2:]))
    assert again.document["first_divergence"] == found
    assert {fact["kind"] for fact in report.document["observed"]["observations"]} == {"reason"}


def test_a_residue_beyond_the_range_is_a_difference_that_says_so() -> None:
    """Without its rounding, the estimate is too small for some numbers: the rest is right modulo p, and too large."""
    report = simulate(job(TOYS / "mlkem_barrett_toy", "3329", count=16, build={"Faulty": 2}))
    found = report.document["first_divergence"]
    assert found["seen"] == found["expected"] == "0xaf6"
    assert found["reason"] == "it has the right residue, and results reach from -0x680 to 0x680"


@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
def test_negative_operands_by_hand(mode: str) -> None:
    asked = job(TOYS / "mlkem_mont_toy", "3329", operands=("-0x8000,-3328", "-1,5", "0x8414,7", "3,4"), mode=mode)
    assert numbers(asked)[1] == [(-0x8000, -3328), (-1, 5), (-0x8000, 7), (3, 4)]
    assert simulate(asked).passed


@pytest.mark.parametrize("operands", ["-0x8001,5", "5,-3329", "66580,1", "1,6658"])
def test_numbers_beyond_the_range_are_refused(operands: str) -> None:
    with pytest.raises(ParameterError, match="whose numbers reach from"):
        settle(job(TOYS / "mlkem_mont_toy", "3329", operands=(operands,)))


@pytest.mark.full
def test_a_failing_product_is_shrunk_to_a_small_number() -> None:
    asked = job(TOYS / "mlkem_barrett_toy", "3329", count=16, build={"Faulty": 3})
    found = shrink(asked, simulate(asked))
    assert found is not None
    assert found.text().startswith("shrunk in")
    assert ": -0x1\n" in found.text()
    assert "--operands -0x1 " in found.replay
    assert found.document["products"] == [["0x10413"]]


def test_other_moduli_have_ranges_of_their_own(tmp_path: Path) -> None:
    report = simulate(job(core(tmp_path), "12289", count=24, disturb=("modulus",)))
    assert report.passed, report.text()
    assert report.document["disturbances"]["modulus"]


def test_an_unsigned_operand_beside_a_signed_one_stays_below_p(tmp_path: Path) -> None:
    """The model takes larger ones then, which nothing says of the core."""
    unsigned = ('name = "b", port = "b", signed = true, below = "p"', 'name = "b", port = "b"')
    _, given = numbers(job(core(tmp_path, unsigned), "12289", count=100, kind="lazy"))
    assert max(b for _, b in given) == 12288
    assert min(a for a, _ in given) == -12288
    with pytest.raises(ParameterError, match="12289 is no b of signed_mod"):
        settle(job(core(tmp_path, unsigned), "12289", operands=("1,12289",)))


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"kind": "chained"}, "is not given every result as an operand"),
        ({"service": "http://127.0.0.1:1"}, "whose operands are signed, and a service gives those of the model"),
    ],
)
def test_what_signed_operands_do_not_have(more: dict[str, str], why: str) -> None:
    with pytest.raises(ParameterError, match=why):
        settle(job(TOYS / "mldsa_mont_toy", "8380417", **more))


def test_the_command_takes_negative_operands(capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(TOYS / "mlkem_mont_toy"), "--prime", "3329", "--simulator", "icarus", "--operands", "-0x5,0x7"]
    with pytest.raises(SystemExit) as done:
        main(["sim", *words])
    assert done.value.code == 0
    with pytest.raises(SystemExit) as done:
        main(["sim", *words, "--operands", "-40000,1"])
    assert done.value.code == 2
    assert "has no a of mlkem_mont_toy" in capsys.readouterr().err


def test_products_in_front_are_in_the_range(tmp_path: Path) -> None:
    """They have half of each operand, with its sign."""
    check = '  always @(posedge clk) if (en && (b <= -Q || b >= Q)) $error("b is out of range");\n\nendmodule'
    checked = copy_of(TOYS / "mlkem_mont_toy", tmp_path, ("fqmul.v", "\nendmodule", f"\n{check}"))
    report = simulate(job(checked, "3329", count=30, disturb=("again",)))
    assert report.passed, report.text()
    assert report.document["disturbances"]["again"]
    narrower = check.replace("b <= -Q", "b <= -Q + 1")
    stricter = copy_of(TOYS / "mlkem_mont_toy", tmp_path / "narrow", ("fqmul.v", "\nendmodule", f"\n{narrower}"))
    found = simulate(job(stricter, "3329", count=30)).document["first_divergence"]
    assert (found["signal"], found["signed"]["b"]) == ("assertion", "-0xd00")
