# SPDX-License-Identifier: Apache-2.0
"""Formulas of a core.toml."""

import pytest

from limbtrace.rtl_bridge.description.formula import FormulaError, evaluate, literal

NAMES = {"n": 8, "k": 32}


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
    ],
)
def test_value(text: str | int, value: int) -> None:
    assert evaluate(text, NAMES) == value


def test_a_parameter_of_more_bits_than_an_integer_has_a_size() -> None:
    assert [literal(value) for value in (0, 7, 2**31 - 1, 2**31, 2**217 + 10)] == [
        "0", "7", "2147483647", "32'h80000000", f"218'h2{'0' * 53}a",
    ]  # fmt: skip


WRONG = ["", "n +", "m", "n ** 2", "2^16", "n / 2", "n // 0", "n % 0", "n.real", "n[0]", "abs(n)", "max()", "max(*n)"]
WRONG += ["True", "'a' * 9", "n if n else k", "lambda: 1", "1 << 9", "1.5", "x:=1", "__import__('os')"]
WRONG += ["9" * 199, "+".join(["n"] * 200), "*".join(["k"] * 13)]


@pytest.mark.parametrize("text", WRONG)
def test_refused(text: str) -> None:
    with pytest.raises(FormulaError):
        evaluate(text, NAMES)
