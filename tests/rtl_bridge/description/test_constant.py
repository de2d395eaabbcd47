# SPDX-License-Identifier: Apache-2.0
"""Numbers of a core.toml: constants by name, their low bits, words and inverses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.rtl_bridge.description.constant import check_condition, holds, is_number, number
from limbtrace.rtl_bridge.description.formula import FormulaError

P = 2**255 - 19
NAMES = {"p": P, "R": 2**256, "k": 16, "p'": -pow(P, -1, 2**256) % 2**256, "N": 255}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("p", P),
        ("p' mod 2^k", NAMES["p'"] % 2**16),
        ("-p^-1 mod 2^k", -pow(P, -1, 2**16) % 2**16),
        ("p^-1 mod 2^(2*k)", pow(P, -1, 2**32)),
        ("R^2 mod p", pow(2, 512, P)),
        ("R^-1 mod p", pow(2, -256, P)),
        ("2^(2*N) mod p", pow(2, 510, P)),
        ("p // 2^32 mod 2^32", P >> 32 & (2**32 - 1)),
        ("(R^2 mod p) // 2^64 % 2^64", pow(2, 512, P) >> 64 & (2**64 - 1)),
        ("2^N - p", 19),
        ("R - 1 mod 2^k mod 7", (2**16 - 1) % 7),
        ("0x10 * 3 - -2", 50),
        ("2^3^2", 512),
        ("(p - 1) // 2", (P - 1) // 2),
        ("3^-2 mod 7", pow(3, -2, 7)),
    ],
)
def test_values(text: str, value: int) -> None:
    assert number(text, NAMES) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("q mod 2", "and there is no 'q', only p, R, k, p', N"),
        ("p^-1", "which has an inverse that is none modulo anything: 'x^-1 mod m' is one"),
        ("2^-1 mod 2^k", "in which something has no inverse"),
        ("p mod 0", "which divides by 0"),
        ("p mod -3", "which divides by a negative number"),
        ("2^2^40", "with a value of more than 131072 bits in it"),
        ("(p", "in which a parenthesis is not closed"),
        ("p +", "in which a number is missing at the end"),
        ("p ) 1", "and ')' does not belong there"),
        ("p ! 1", "and '!' is no part of a number"),
        ("(" * 40 + "p" + ")" * 40, "which is nested deeper than 32 levels"),
    ],
)
def test_errors(text: str, reason: str) -> None:
    with pytest.raises(FormulaError) as error:
        number(text, NAMES)
    assert str(error.value) == f"is {text!r}, {reason}"


def test_a_long_text_is_not_read() -> None:
    with pytest.raises(FormulaError, match="is longer than 200 characters"):
        number("1+" * 200 + "1", {})


@given(st.integers(3, 2**64), st.integers(-5, 5), st.integers(1, 2**64), st.integers(0, 2**64))
def test_ring(m: int, e: int, x: int, y: int) -> None:
    """A modulo is that of every part of it."""
    try:
        golden = (pow(x, e, m) * y - 3) % m
    except ValueError:
        with pytest.raises(FormulaError):
            number(f"x^{e} * y - 3 mod m", {"x": x, "y": y, "m": m})
        return
    assert number(f"x^{e} * y - 3 mod m", {"x": x, "y": y, "m": m}) == golden


def test_what_is_a_number_and_what_a_formula() -> None:
    assert not is_number(7, {"p": 1})
    assert not is_number("k * passes + 8", {"p": 1})
    assert not is_number("n ** 2", {"p": 1})
    assert all(is_number(text, {"p": 1}) for text in ("p - 1", "2^k", "x mod 3", "M'"))


@pytest.mark.parametrize(
    ("condition", "moduli"),
    [("odd", {5, 7, 13}), ("even", {6, 8}), ("prime", {5, 7, 13}), ("p % 4 == 1", {5, 13}), ("N <= 3", {5, 6, 7}),
     ("p != 2^3", {5, 6, 7, 13}), ("p < 7", {5, 6}), ("p >= 2^N - 1", {7})],
)  # fmt: skip
def test_conditions(condition: str, moduli: set[int]) -> None:
    assert {p for p in (5, 6, 7, 8, 13) if holds(condition, p)} == moduli


@pytest.mark.parametrize("condition", ["", "odd even", "p", "1 < p < 3", "q == 1", "p == "])
def test_conditions_that_are_none(condition: str) -> None:
    with pytest.raises(FormulaError):
        holds(condition, 7)


@pytest.mark.parametrize("condition", ["p // 2^(N - 32) == 2^32 - 1", "2^(N-3) < p", "p // (N-2) > 1"])
def test_a_condition_that_small_moduli_have_no_value_for(condition: str) -> None:
    """It is checked without a modulus, and asked with one that has a value."""
    check_condition(condition)
    assert holds(condition, 2**64 - 59)
    with pytest.raises(FormulaError):
        holds(condition, 3)


def test_a_power_that_takes_too_long() -> None:
    with pytest.raises(FormulaError, match="too long"):
        number("3^(2^50000) mod (2^50000-1)", {})
