# SPDX-License-Identifier: Apache-2.0
"""Conditions that are learned from samples: which ones, and that no wrong modulus fulfils any of them."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limbtrace.rtl_bridge.description.formula import all_hold
from limbtrace.rtl_bridge.domain.learn import MOST_ATOMS, Learner
from limbtrace.rtl_bridge.domain.moduli import spread
from limbtrace.rtl_bridge.domain.terms import terms

SAMPLES = [p for p, _ in zip(spread(range(2, 65), 64, 1), range(700), strict=False)]
TERMS = terms(64)


def learned(faulty: Callable[[int], bool]) -> tuple[list[str], int]:
    wrong = [p for p in SAMPLES if faulty(p)]
    right = [p for p in SAMPLES if p not in wrong]
    found = Learner(TERMS, right, wrong).best()
    assert found is not None
    assert not any(all_hold(found.texts, p) for p in wrong)
    assert sum(not all_hold(found.texts, p) for p in right) == found.left_out
    return sorted(found.texts), found.left_out


@pytest.mark.parametrize(
    ("faulty", "texts"),
    [
        (lambda p: p % 2 == 0, ["odd"]),
        (lambda p: p >> 52 > 0, ["N <= 52"]),
        (lambda p: p >> 37 & 1 == 0, ["(p >> 37) % 2 == 1"]),
        (lambda p: p >> 37 & 1 == 1, ["(p >> 37) % 2 == 0"]),
        (lambda p: p >> 16 & 0xFFFF == 0, ["(p >> 16) % 2^16 != 0"]),
        (lambda p: p & 0xFFFF == 0xFFFF, ["p % 2^16 != 2^16 - 1"]),
        (lambda p: p % 8 == 3, ["p % 2^3 != 3"]),
        (lambda p: p % 2 == 0 or p >> 60 > 0, ["N <= 60", "odd"]),
    ],
)
def test_conditions_that_separate(faulty: Callable[[int], bool], texts: list[str]) -> None:
    assert learned(faulty) == (texts, 0)


def test_right_moduli_are_left_out_for_a_simple_condition() -> None:
    """Above a bound some show no wrong product: none of them makes the condition complicated."""
    random = Random(5)
    hidden = {p for p in SAMPLES if random.random() < 0.05}
    texts, left_out = learned(lambda p: p >= 3 << 62 and p not in hidden)
    assert len(texts) == 1
    assert texts[0].startswith("p < ")
    assert left_out == sum(p >= 3 << 62 for p in hidden)


@settings(max_examples=12)
@given(st.sets(st.sampled_from(SAMPLES), min_size=1, max_size=len(SAMPLES) - 1))
def test_no_wrong_modulus_fulfils_a_condition(wrong: set[int]) -> None:
    right = [p for p in SAMPLES if p not in wrong]
    found = Learner(TERMS, right, wrong).best()
    if found is not None:
        assert 1 <= len(found.atoms) <= MOST_ATOMS
        assert not any(all_hold(found.texts, p) for p in wrong)
        assert found.left_out == sum(not all_hold(found.texts, p) for p in right) < len(right)


def test_there_may_be_no_condition() -> None:
    """Neither bound nor value tells these apart."""
    assert Learner(terms(2), [3], [3]).best() is None
