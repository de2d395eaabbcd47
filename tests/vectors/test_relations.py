# SPDX-License-Identifier: Apache-2.0
"""Relations of wrong results: each is seen in a number made so, and none is said where chance explains it."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.vectors.report.diagnose import Wrong
from limbtrace.vectors.report.relations import (
    DOUBT,
    FAMILIES,
    PERHAPS,
    NumberWidths,
    RightResult,
    readings,
    said_of_readings,
)
from limbtrace.vectors.request import Multiplier

P = CATALOGUE["p256.fp"].modulus
A, B = 3**150, 7**80
BEFORE, AFTER = (5**100, 11**70), (13**60, 17**50)
ONES = (1 << 256) - 1
RIGHT = A * B % P
PLAIN = Multiplier.resolve("modmul", "p256", {})
R = 1 << 256
SMALL_MODULI = (5, 97, 3329, 65521, (1 << 31) - 1)


def sentence(seen: int, multiplier: Multiplier = PLAIN, expected: int = RIGHT) -> str:
    """The first observation about a wrong result."""
    wrong = Wrong(multiplier, A, B, None, expected, seen, None, BEFORE, AFTER, NumberWidths(256, 256, 256))
    return wrong.observations()[0].text


@pytest.mark.parametrize(
    ("seen", "text"),
    [
        (RIGHT - P + R, "the right result minus p, modulo 2^256"),
        (RIGHT - 2 * P + 2 * R, "the right result minus 2p, modulo 2^256"),
        ((RIGHT - (1 << 42)) % P, "it is 2^42 less than it should be"),
        ((RIGHT - (1 << 300)) % P, "the right result minus 2^300, modulo p"),
        ((RIGHT + (1 << 511)) % P, "the right result plus 2^511, modulo p"),
        ((RIGHT - 5 * (1 << 290)) % P, "the right result minus 5*2^290, modulo p"),
        (2 * RIGHT % P, "twice the right result, modulo p"),
        (RIGHT * (P + 1) // 2 % P, "half the right result, modulo p"),
        (RIGHT >> 1, "the right result shifted down by a bit"),
        (RIGHT ^ ONES, "the right result with its bits inverted"),
        (P - RIGHT, "the right result negated, modulo p"),
        (R - RIGHT, "the right result negated, modulo 2^256"),
        ((RIGHT & 0xFFFFF) | (ONES >> 20 << 20), "the right result in its low 20 bits and ones above them"),
        (A * BEFORE[1] % P, "this a and b of the product before it"),
        (A * AFTER[1] % P, "this a and b of the product after it, modulo p, as if operand b were read at another time"),
        (AFTER[0] * AFTER[1] % P, "both operands of the product after it"),
        (A * (B ^ ONES) % P, "this a and b with its bits inverted, modulo p, as if operand b were read a cycle late"),
        ((A ^ ONES) * B % P, "a with its bits inverted and this b, modulo p, as if operand a were read a cycle late"),
        ((A ^ ONES) * (B ^ ONES) % P, "both operands with their bits inverted"),
        (A * (AFTER[1] ^ ONES) % P, "b with its bits inverted of the product after it"),
    ],
)  # fmt: skip
def test_a_relation_is_seen(seen: int, text: str) -> None:
    said = sentence(seen)
    assert text in said
    assert DOUBT not in said


def test_a_carry_that_is_lost_before_the_division_by_r() -> None:
    montgomery = Multiplier.resolve("montgomery", "p256", {})
    expected = montgomery.model.result(montgomery.params, A, B)
    seen = (expected - (1 << 42) * pow(R, -1, P)) % P
    assert "the right result minus 2^42 / R, modulo p" in sentence(seen, montgomery, expected)


def test_a_number_that_fits_is_not_wrapped() -> None:
    """It is p too large, and nothing was cut off."""
    right = RightResult(5, 97, 16)
    assert right.related(5 + 97) is None
    found = right.related(5 - 97 + 65536)
    assert found is not None
    assert found.doubtful
    assert found.sentence.endswith(DOUBT)


@pytest.mark.parametrize("modulus", [*SMALL_MODULI, (1 << 61) - 1, P])
def test_random_numbers_have_no_relation(modulus: int) -> None:
    """As wrong as can be: of 1,000 numbers a few have one with a doubt, and none without."""
    drawn = Random(modulus)
    width = modulus.bit_length() + modulus % 3
    doubtful = 0
    for _ in range(1000 if modulus in SMALL_MODULI else 30):
        a, b, seen = (drawn.randrange(modulus) for _ in range(3))
        right = RightResult(a * b % modulus, modulus, width, 1 << width)
        found = None if seen == right.value else right.related(seen)
        assert found is None or found.doubtful
        doubtful += found is not None
    assert doubtful <= 1000 * 3 * PERHAPS


@given(st.sampled_from((*SMALL_MODULI, P)), st.integers(0, P - 1), st.sampled_from(FAMILIES), st.data())
def test_what_is_said_is_true(modulus: int, value: int, family: object, data: st.DataObject) -> None:
    """A number of any family is said to be one that it is."""
    right = RightResult(value % modulus, modulus, modulus.bit_length() + 1)
    candidates = [*family(right)]  # type: ignore[operator]
    if not candidates:
        return
    chosen = data.draw(st.sampled_from(candidates))
    seen = chosen.value % chosen.modulus
    if (right.value - seen) % chosen.modulus == 0:
        return
    found = right.related(seen)
    if modulus == P:
        assert found is not None
        assert not found.doubtful
    if found is not None:
        others = [one for every in FAMILIES for one in every(right) if one.text == found.text]
        assert any((seen - one.value) % one.modulus == 0 for one in others)


def test_without_a_modulus_or_a_width() -> None:
    assert RightResult(12345, 0, None).related(54321) is None
    assert RightResult(12345, 0, 64).related(12345 ^ ((1 << 64) - 1)) is not None


@given(st.integers(0, 255), st.integers(0, 255) | st.none(), st.integers(0, 255) | st.none())
def test_readings_of_an_operand(this: int, previous: int | None, after: int | None) -> None:
    found = readings(this, previous=previous, next_one=after, width=8)
    assert found[0] == ("", this)
    assert len({one.name for one in found}) == len(found)
    assert {one.value for one in found if "inverted" in one.name} == {
        one.value ^ 255 for one in found if "inverted" not in one.name
    }
    assert readings(this, previous=None, next_one=None, width=None) == [("", this)]


def test_kinds_of_readings_are_words() -> None:
    kinds = [said_of_readings(*pair)[0] for pair in (("", "inverted"), ("next", "next"), ("inverted next", None))]
    assert kinds == ["inverted_b", "next_operands", "inverted_next_a"]
