# SPDX-License-Identifier: Apache-2.0
"""Formulas of a core.toml, conditions on moduli, and values for RTL parameters."""

import pytest

from limbtrace.refmodels.expressions import MAX_BITS
from limbtrace.rtl_bridge.description.formula import FormulaError, check_condition, evaluate, holds, names_in
from limbtrace.rtl_bridge.interface.verilog_words import literal

P = 2**255 - 19
NAMES = {"n": 8, "k": 32}
WIDE = {"p": P, "R": 2**256, "k": 16, "p'": -pow(P, -1, 2**256) % 2**256, "N": 255}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (7, 7),
        ("n", 8),
        ("n + 1", 9),
        ("-n + k", 24),
        ("(k - 2) // n * 3 % 5", 4),
        ("max(n, k - 30, 9)", 9),
        ("min(n, 3)", 3),
        ("2^n + (1 << 9) - (k >> 1)", 752),
    ],
)
def test_sizes(text: str | int, value: int) -> None:
    assert evaluate(text, NAMES) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("p", P),
        ("p' mod 2^k", WIDE["p'"] % 2**16),
        ("-p^-1 mod 2^k", -pow(P, -1, 2**16) % 2**16),
        ("p^-1 mod 2^(2*k)", pow(P, -1, 2**32)),
        ("R^2 mod p", pow(2, 512, P)),
        ("R^-1 mod p", pow(2, -256, P)),
        ("p // 2^32 mod 2^32", P >> 32 & (2**32 - 1)),
        ("p >> 32 mod 2^32", P >> 32 & (2**32 - 1)),
        ("(R^2 mod p) // 2^64 % 2^64", pow(2, 512, P) >> 64 & (2**64 - 1)),
        ("2^N - p", 19),
        ("3^-2 mod 7", pow(3, -2, 7)),
    ],
)
def test_numbers(text: str, value: int) -> None:
    assert evaluate(text, WIDE, MAX_BITS) == value


WRONG = {
    "": "the integer is missing",
    "n +": "the expression ends too early",
    "m": "there is no 'm', only n, k",
    "n / 2": "character '/' is not part of an integer expression",
    "n // 0": "a value is divided by 0",
    "n.real": "character '.' is not part of an integer expression",
    "abs(n)": "'(' cannot follow 'abs'",
    "max(*n)": "'*' stands where an integer should be",
    "'a' * 9": 'character "\'" is not part of an integer expression',
    "lambda: 1": "character ':' is not part of an integer expression",
    "__import__('os')": 'character "\'" is not part of an integer expression',
    "n^-1": "a power has a negative exponent",
    "9" * 199: "a value in the expression would be wider than the limit of 64 bits",
    "*".join(["k"] * 13): "a value in the expression would be wider than the limit of 64 bits",
    "+".join(["n"] * 200): "the text has 399 characters and the limit is 200",
}


@pytest.mark.parametrize("text", WRONG)
def test_refused(text: str) -> None:
    with pytest.raises(FormulaError) as error:
        evaluate(text, NAMES)
    assert str(error.value).startswith(f"is {text[:200]!r}: {WRONG[text]}")


def test_names() -> None:
    assert names_in("max(n, k') + n * 2") == {"n", "k'"}
    assert names_in("n +") == set()


@pytest.mark.parametrize(
    ("condition", "moduli"),
    [("odd", {5, 7, 13}), ("even", {6, 8}), ("prime", {5, 7, 13}), ("p % 4 == 1", {5, 13}), ("N <= 3", {5, 6, 7}),
     ("p != 2^3", {5, 6, 7, 13}), ("p < 7", {5, 6}), ("p >= 2^N - 1", {7}), ("p >> 1 < 1 << 2", {5, 6, 7})],
)  # fmt: skip
def test_conditions(condition: str, moduli: set[int]) -> None:
    check_condition(condition)
    assert {p for p in (5, 6, 7, 8, 13) if holds(condition, p)} == moduli


@pytest.mark.parametrize("condition", ["", "odd even", "p", "1 < p < 3", "q == 1", "p == "])
def test_texts_that_are_not_conditions(condition: str) -> None:
    with pytest.raises(FormulaError):
        check_condition(condition)
    with pytest.raises(FormulaError):
        holds(condition, 7)


@pytest.mark.parametrize("condition", ["p // 2^(N - 32) == 2^32 - 1", "2^(N-3) < p", "p // (N-2) > 1"])
def test_a_condition_that_small_moduli_have_no_value_for(condition: str) -> None:
    """It is checked without a modulus, and asked with one that has a value."""
    check_condition(condition)
    assert holds(condition, 2**64 - 59)
    with pytest.raises(FormulaError):
        holds(condition, 2)


def test_a_parameter_of_more_bits_than_an_integer_has_a_size() -> None:
    assert [literal(value) for value in (0, 7, 2**31 - 1, 2**31, 2**217 + 10)] == [
        "0", "7", "2147483647", "32'h80000000", f"218'h2{'0' * 53}a",
    ]  # fmt: skip
