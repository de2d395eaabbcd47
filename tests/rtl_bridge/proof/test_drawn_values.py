# SPDX-License-Identifier: Apache-2.0
"""What was settled is evaluated on drawn values, which contradict a method that is wrong."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool
from limbtrace.rtl_bridge.proof.drawn_values import Settled, contradiction
from limbtrace.rtl_bridge.proof.evaluation import evaluated
from limbtrace.rtl_bridge.proof.linear import LinearForms
from limbtrace.rtl_bridge.proof.smt import PROVED, SolverAnswer
from limbtrace.rtl_bridge.proof.solver import Obligation, Solver
from limbtrace.vectors.errors import ToolError
from tests.rtl_bridge.proof.small_core import core, proved

WIDE = 256


def settled(x: BitTerm, y: BitTerm) -> Settled:
    return Settled((x, y), "z", "right", "solver")


@pytest.mark.parametrize("most", [1, 12, (1 << WIDE) - 1, 2**255 - 19])
def test_a_difference_at_an_extreme_value_is_found(most: int) -> None:
    pool = TermPool()
    x = pool.variable("x", WIDE, most)
    for extreme in (0, most):
        at_one_value = pool.extend(pool.equal(x, pool.constant(WIDE, extreme)), WIDE)
        wrong = settled(pool.bvxor(x, at_one_value), x)
        assert contradiction([settled(x, x), wrong], {}) is wrong


def test_values_that_were_cut_off_are_those_of_their_definitions() -> None:
    pool = TermPool()
    a, b, cut, other = (pool.variable(name, 16) for name in ("a", "b", "cut", "other"))
    definitions = {cut: pool.product(a, b), other: pool.bvxor(cut, a)}
    right = settled(pool.bvxor(other, cut), a)
    assert contradiction([right], definitions) is None
    assert contradiction([right], {cut: definitions[cut]}) is right


@given(st.integers(0, 255), st.integers(0, 255), st.booleans())
def test_values_of_operations(x: int, y: int, bit: bool) -> None:
    pool = TermPool()
    one, other, condition = pool.variable("x", 8), pool.variable("y", 8), pool.variable("bit", 1)
    pairs = {
        pool.bvnot(one): ~x & 255,
        pool.bvand(one, other): x & y,
        pool.bvor(one, other): x | y,
        pool.bvxor(one, other): x ^ y,
        pool.product(one, other): x * y,
        pool.bvudiv(one, other): x // y if y else 255,
        pool.bvurem(one, other): x % y if y else x,
        pool.equal(one, other): int(x == y),
        pool.bvult(one, other): int(x < y),
        pool.extract(one, 6, 2): x >> 2 & 31,
        pool.concat([one, other]): x << 8 | y,
        pool.ite(condition, one, other): x if bit else y,
        pool.sum({one: 3, other: -1}, 7, 8): 3 * x - y + 7 & 255,
    }
    assert evaluated(pairs, {"x": x, "y": y, "bit": int(bit)}) == [*pairs.values()]


def test_a_solver_that_says_proved_of_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answered = Solver._answered

    def lie(self: Solver, obligation: Obligation, answer: SolverAnswer) -> None:
        answered(self, obligation, SolverAnswer(PROVED))

    monkeypatch.setattr(Solver, "_answered", lie)
    with pytest.raises(ToolError, match="for drawn values, although bitwuzla said so"):
        proved(core(tmp_path, value="good ^ bad"))


def test_sums_that_are_called_equal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LinearForms, "equal", lambda *_: True)
    with pytest.raises(ToolError, match="although sums of integers said so"):
        proved(core(tmp_path, value="good ^ bad"))


def test_nothing_contradicts_a_right_core(tmp_path: Path) -> None:
    assert not proved(core(tmp_path)).failed
