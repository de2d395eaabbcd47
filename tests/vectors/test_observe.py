# SPDX-License-Identifier: Apache-2.0
"""Observations about wrong numbers: each is made of numbers that have what it says, and of no other ones."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.vectors.report.diagnose import Wrong, reverse
from limbtrace.vectors.request import Multiplier

P, A, B = 0xEA7, 0x801, 0x6A7
BEFORE = (0x123, 0x456)
SMALL = Multiplier.resolve("iddmm2", str(P), {"radix": "2^4"})
R = SMALL.params.domain or 0
PLAIN = Multiplier.resolve("modmul", "65521", {})
X, Y = 54321, 12345


def test_a_wrong_bit_has_no_hint() -> None:
    """A signal of one bit that is 0 tells neither of a carry nor of a load; of more bits it does."""
    wrong: dict[str, Any] = {"step": ("A", (1, 3)), "expected": 1}
    assert kinds(0, bits=1, **wrong) == []
    assert kinds(0, bits=2, **wrong) == ["zero", "power_of_two"]
    assert kinds(0, **wrong) == ["zero", "power_of_two"]


def result(a: int, b: int, multiplier: Multiplier = SMALL) -> int:
    return multiplier.model.result(multiplier.params, a, b)


RIGHT, PLAIN_RIGHT = result(A, B), result(X, Y, PLAIN)


def kinds(seen: int, multiplier: Multiplier = SMALL, **changes: Any) -> list[str]:
    """Kinds of the observations about a wrong result."""
    a, b, right = (A, B, RIGHT) if multiplier is SMALL else (X, Y, PLAIN_RIGHT)
    fields = {"a": a, "b": b, "step": None, "expected": right, **changes}
    return [fact.kind for fact in Wrong(multiplier, seen=seen, **fields).observations()]


@pytest.mark.parametrize(
    ("kind", "seen"),
    [
        ("previous_product", result(*BEFORE)),
        ("previous_a", result(BEFORE[0], B)),
        ("previous_b", result(A, BEFORE[1])),
        ("word_order", reverse(RIGHT, 4, 4)),
        ("operand_word_order", result(A, reverse(B, 4, 3))),
        ("operand", A),
        ("plus_p", RIGHT + P),
        ("multiple_of_p", RIGHT + 3 * P),
        ("multiple_of_r", RIGHT + 2 * R),
        ("without_1_over_r", A * B % P),
        ("halvings", RIGHT * 2 % P),
        ("power_of_two", RIGHT ^ 0x20),
        ("zero", 0),
        ("truncated", RIGHT & 0xFF),
        ("wrong_word", RIGHT ^ 0x30),
    ],
)
def test_what_a_number_has_is_said_of_it(kind: str, seen: int) -> None:
    if kind == "operand_word_order":  # the operands of this model have fewer digits than its results
        count = -(-max(*SMALL.params.limits, SMALL.params.result_limit - 1).bit_length() // 4)
        b = next(
            b for b in range(0x100, P) if reverse(b, 4, count) <= SMALL.params.limits[1] and reverse(b, 4, count) != b
        )
        wrong: dict[str, Any] = {"b": b, "expected": result(A, b)}
        assert kind in kinds(result(A, reverse(b, 4, count)), **wrong)
        assert kind not in kinds(RIGHT ^ 0x55, **wrong)
        return
    assert kind in kinds(seen, before=BEFORE)
    assert kind not in kinds(RIGHT ^ 0x0A8A, before=BEFORE) or kind == "wrong_word"


def test_the_most_specific_one_stands_first() -> None:
    assert kinds(result(*BEFORE), before=BEFORE)[0] == "previous_product"
    assert kinds(RIGHT + P)[0] in ("not_reduced", "plus_p")
    assert kinds(RIGHT + 8)[0] == "power_of_two"


def test_below_the_modulus_and_beyond_the_range() -> None:
    assert "minus_p" in kinds(PLAIN_RIGHT, PLAIN, expected=PLAIN_RIGHT + 65521)
    assert "not_reduced" in kinds(PLAIN_RIGHT + 65521, PLAIN)
    assert "not_reduced" not in kinds(PLAIN_RIGHT ^ 6, PLAIN)


def test_bytes_in_another_order() -> None:
    (fact, *_) = Wrong(PLAIN, X, Y, None, PLAIN_RIGHT, reverse(PLAIN_RIGHT, 8, 2)).observations()
    assert fact.text == "it is the right result with its words of 8 bits in reverse order"


def test_without_the_product_before_it_nothing_is_said_of_it() -> None:
    assert "previous_product" not in kinds(result(*BEFORE))


def test_small_numbers_are_not_compared() -> None:
    """They are equal to something by chance."""
    assert "operand" not in kinds(0x41, a=0x41)


def test_steps_of_other_operands() -> None:
    """Of swapped operands and of the product before it; 16 bits are enough not to be equal by chance."""
    multiplier = Multiplier.resolve("iddmm2", "p256", {"radix": "2^16"})
    model, params = multiplier.model, multiplier.params
    a, b, before = 3**150, 7**80, (5**100, 11**70)
    run = model.run(params, a, b)
    step = next((name, at) for name, at, value in run.steps if name == "U" and at == (1, 1))
    wrong = {"a": a, "b": b, "step": step, "expected": run.values[step], "run": run}
    for kind, pair in (("swapped_operands", (b, a)), ("previous_product", before), ("previous_a", (before[0], b))):
        seen = model.run(params, *pair).values[step]
        assert kinds(seen, multiplier, before=before, **wrong)[0] == kind


@given(st.integers(0, (1 << 60) - 1), st.integers(1, 20))
def test_the_order_of_words_turned_twice_is_as_it_was(value: int, width: int) -> None:
    count = -(-60 // width)
    assert reverse(reverse(value, width, count), width, count) == value


@given(st.integers(0, P - 1), st.integers(0, P - 1), st.integers(0, 2**20))
def test_a_sentence_about_p_is_true(a: int, b: int, seen: int) -> None:
    expected = result(a, b)
    found = {f.kind for f in Wrong(SMALL, a, b, None, expected, seen).observations()} if seen != expected else set()
    assert bool(found & {"plus_p", "minus_p", "multiple_of_p"}) == (seen != expected and (seen - expected) % P == 0)


def test_a_core_that_reduces_swaps_nothing() -> None:
    """Of a model that does not reduce: the reduced result is that of both orders, so it says nothing about them."""
    lazy = Multiplier.resolve("cios", "0xffff", {"radix": "2^4"})
    a, b = 0x11F6A, 0x6935
    expected = result(a, b, lazy)
    assert expected >= 0xFFFF
    wrong = Wrong(lazy, a=a, b=b, step=None, expected=expected, seen=expected % 0xFFFF)
    assert [fact.kind for fact in wrong.observations()][:1] == ["minus_p"]
