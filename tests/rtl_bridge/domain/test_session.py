# SPDX-License-Identifier: Apache-2.0
"""Runs of many moduli in one process say what each says on its own."""

from pathlib import Path
from typing import Any

import pytest

from limbtrace.rtl_bridge.domain import session, trials
from limbtrace.rtl_bridge.domain.products import WrongProduct, newest, products
from limbtrace.rtl_bridge.domain.session import tallies
from limbtrace.rtl_bridge.domain.trials import Trials
from limbtrace.rtl_bridge.run.report import Divergence, Tally
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate_run
from limbtrace.vectors.errors import ToolError
from tests.rtl_bridge.helpers import TOYS, copy_of, job

WRONG_AT_11 = ("comb_toy.sv", "assign z_o = sum[W-1:0];", "assign z_o = sum[W-1:0] ^ (W'(p_i == 11 && x_i == 5));")
DIES_AT_11 = (
    "comb_toy.sv",
    "assign z_o = sum[W-1:0];",
    "assign z_o = sum[W-1:0];\n  always_comb if (p_i == 11) assert (x_i != 5);",
)


def runs(core: Path, moduli: tuple[int, ...]) -> list[Run]:
    first = settle(job(core, str(moduli[0]), simulator="verilator", mode="fast", kind="exhaustive", count=None))
    others = [first.job.model_copy(update={"prime": str(p), "count": None}) for p in moduli[1:]]
    return [first, *(settle(other, first.bound.core, first.bound) for other in others)]


@pytest.mark.budget(8)
@pytest.mark.parametrize("edit", [WRONG_AT_11, DIES_AT_11])
def test_together_they_are_as_on_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edit: tuple[str, str, str]
) -> None:
    some = runs(copy_of(TOYS / "comb_toy", tmp_path, edit), (13, 11, 15, 12))
    alone: list[int] = []

    def counted(run: Run, **options: Any) -> Any:
        alone.append(run.bound.multiplier.modulus.modulus)
        return simulate_run(run, **options)

    monkeypatch.setattr(session, "simulate_run", counted)
    found = tallies(some)
    assert [tally.divergence is None for tally in found] == [True, False, True, True]
    assert found[1].divergence is not None
    assert found[1].divergence.kind == ("value" if edit is WRONG_AT_11 else "assertion")
    assert [tally.verified for tally in found[2:]] == [15 * 15, 12 * 12]
    assert alone == ([] if edit is WRONG_AT_11 else [13, 11, 15, 12])


def test_operands_are_those_that_the_core_takes() -> None:
    bound = settle(job(TOYS / "comb_toy", "mldsa")).bound
    p = bound.multiplier.modulus.modulus
    pairs = products(bound, 64, 1, [WrongProduct(p - 2, p - 3, 7)])
    assert len({*pairs}) == len(pairs) == 64
    assert all(0 <= a < p and 0 <= b < p for a, b in pairs)
    assert pairs[0] == (p - 1, p - 1)
    assert {(p - 3, 7), (p - 1, 9)} <= {*pairs}, "witnesses as they are, and as far from p as from their own modulus"
    assert products(bound, 64, 1) == products(bound, 64, 1) != products(bound, 64, 2)


def test_a_small_modulus_has_few_operands() -> None:
    pairs = products(settle(job(TOYS / "comb_toy", "3")).bound, 64, 1)
    assert {*pairs} == {(a, b) for a in range(3) for b in range(3)}


def test_witnesses_of_the_nearest_moduli_and_the_newest_ones() -> None:
    some = [WrongProduct(p, 1, 1) for p in (100, 200, 300, 400)]
    assert [found.modulus for found in newest(some, 110, 2)] == [100, 400]
    assert newest(some[:1], 110, 4) == some[:1]


@pytest.mark.parametrize("again", [True, False])
def test_a_difference_counts_if_it_is_there_again(monkeypatch: pytest.MonkeyPatch, again: bool) -> None:
    """Nothing is called wrong that differs once."""
    difference = Divergence(0, "0x1", "0x2", 0, "result", None, "0x2", "0x3")
    rounds: list[int] = []

    def simulated(some: list[Run]) -> list[Tally]:
        rounds.append(len(some))
        differs = again or len(rounds) == 1
        return [Tally(0 if differs else 1, 0, 0.0, difference if differs else None) for _ in some]

    tried = Trials(job(TOYS / "comb_toy", "mldsa"), 4, 0)
    monkeypatch.setattr(trials, "tallies", simulated)
    p = tried.first.bound.multiplier.modulus.modulus
    if again:
        tried.try_all([p])
        assert tried.wrong == [p]
        assert tried.outcomes[p].run.job.operands == ("0x1,0x2",)
        assert rounds == [1, 1]
    else:
        with pytest.raises(ToolError, match="differs in one simulation and not in the next one"):
            tried.try_all([p])


def test_a_core_with_one_operand_has_no_other() -> None:
    bound = settle(job(TOYS / "square_toy", "mldsa")).bound
    pairs = products(bound, 64, 1, [WrongProduct(11, 3, 0)])
    assert len({*pairs}) == 64
    assert {b for _, b in pairs} == {0}
    assert (3, 0) in pairs
