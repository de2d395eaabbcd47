# SPDX-License-Identifier: Apache-2.0
"""All products of a small core: how many there are, what the report says, and a fault that one pair alone shows."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.vectors.cli import main
from tests.rtl_bridge.helpers import TOYS, Edit, copy_of, job

TOY = TOYS / "modmul_toy"
ONE_PAIR: Edit = ("modmul_toy.v", "y       <= b;", "y       <= a == 7 && b == 5 ? 4 : b;")
CASE = 7 * 13 + 5
BELOW: Edit = ("core.toml", '"a_i", below = "2 * p"', '"a_i", below = "p"')


def ended(*words: object) -> int:
    """The exit code of a command."""
    with pytest.raises(SystemExit) as exit:
        main([*map(str, words)])
    return int(exit.value.code or 0)


def settled(core: str | Path, prime: str = "13", **fields: Any) -> Run:
    return settle(job(core, prime, **{"count": None, "kind": "exhaustive", **fields}))


def report(capsys: pytest.CaptureFixture[str], *words: object, code: int = 0) -> str:
    assert ended("sim", *words) == code
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("mode", "simulator"),
    [("lockstep", "icarus"), ("lockstep", "verilator"), ("bulk", "icarus"), ("fast", "verilator")],
)
def test_a_tiny_core_is_exhausted(mode: str, simulator: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [TOY, "--prime", "13", "--mode", mode, "--simulator", simulator]
    said = report(capsys, *asked, "--exhaustive")
    assert f"{simulator}, {mode}: all 169 products of modulus 0xd agree, results, 676 cycles" in said
    document = json.loads(report(capsys, *asked, "--kind", "exhaustive", "--json"))
    assert (document["count"], document["verified"], document["exhausted"]) == (169, 169, 169)


@pytest.mark.parametrize(
    ("mode", "simulator"), [("lockstep", "icarus"), ("lockstep", "verilator"), ("fast", "verilator")]
)
def test_a_fault_of_one_pair_is_found_and_replayed(
    mode: str, simulator: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    core = copy_of(TOY, tmp_path, ONE_PAIR)
    asked = [core, "--prime", "13", "--exhaustive", "--mode", mode, "--simulator", simulator]
    said = report(capsys, *asked, code=1)
    assert f"{CASE} of all 169 products of modulus 0xd agree" in said
    assert f"first divergence, case {CASE}, " in said
    assert "a = 0x7\n  b = 0x5\n" in said
    replay = next(line for line in said.splitlines() if line.startswith("replay: "))
    assert f"--kind exhaustive --seed 1 --only {CASE}" in replay or f"--kind exhaustive --only {CASE}" in replay
    again = report(capsys, *shlex.split(replay)[3:], code=1)
    assert f"first divergence, case {CASE}, " in again
    assert "of all" not in again
    whole = json.loads(report(capsys, *asked, "--keep-going", "9", "--json", code=1))
    assert whole["failures"] == {"most": 9, "failed": 1, "products": 169}


def test_fewer_products_are_not_called_all(capsys: pytest.CaptureFixture[str]) -> None:
    said = report(capsys, TOY, "--prime", "13", "--exhaustive", "--count", "168", "--simulator", "icarus")
    assert ": 168 products agree" in said


def test_streams_are_filled() -> None:
    """The number of pairs is no multiple of the products of a stream."""
    run = settled("fpmm", "13", settings={"radix": "2^4"})
    assert run.stimulus.size > 1
    assert run.job.count == run.exhausts == run.stimulus.products


def test_a_core_that_is_given_less_than_its_model_takes(tmp_path: Path) -> None:
    """Every pair once, and none beyond what the core is given."""
    run = settled(copy_of(TOYS / "mont_toy", tmp_path, BELOW))
    assert run.bound.narrowed
    pairs = [(int(pair.a), int(pair.b)) for pair in run.stimulus.pairs()][: run.stimulus.products]
    assert pairs == [(a, b) for a in range(13) for b in range(26)]
    assert run.exhausts == len(pairs)


def test_too_many_products_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended("sim", TOY, "--prime", "4099", "--exhaustive") == 2
    assert capsys.readouterr().err == (
        "limbtrace: kind: exhaustive takes at most 16777216 pairs of operands, and here there are 16801801\n"
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--kind", "lazy"], "exhaustive: it is a kind of its own, and 'lazy' is asked for"),
        (["--operands", "1,2"], "operands: operands and kind exclude each other: nothing is drawn"),
        (["--event", "q[0]=max"], "event: it belongs to kind events, and 'exhaustive' is asked for"),
        (["--count", "170"], "count: 170 is outside 1 to 169"),
        (["--only", "169"], "only: 169 is outside 0 to 168, the cases of this run"),
    ],
)
def test_what_does_not_go_with_it(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert ended("sim", TOY, "--prime", "13", "--exhaustive", *words) == 2
    assert capsys.readouterr().err == f"limbtrace: {sentence}\n"


def test_products_with_another_modulus_in_between_are_drawn() -> None:
    """It has another number of pairs, maybe a smaller one."""
    run = settled("r2mm_bitserial", disturb=("modulus",))
    others = [other for _, other in run.others]
    assert others
    assert all(other.job.kind != "exhaustive" for other in others)
    assert all(other.stimulus.products == run.stimulus.products for other in others)


def test_seeds_do_not_matter() -> None:
    with pytest.raises(ParameterError, match="seed"):
        settled(TOY, seed=-1)
    assert list(settled(TOY, seed=5).stimulus.pairs()) == list(settled(TOY).stimulus.pairs())
