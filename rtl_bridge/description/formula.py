# SPDX-License-Identifier: Apache-2.0
"""Formulas of a `core.toml`, in the language of `refmodels.expressions`, and conditions on moduli."""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache

import gmpy2

from limbtrace.refmodels.expressions import MAX_BITS, Expression, ExpressionError, UnknownNameError

MAX_LENGTH = 200
"""Longest formula, in characters."""
SIZE_BITS = 64
"""Widest size, such as a width, a count or a number of cycles, in bits."""


class FormulaError(ValueError):
    """The text is not a formula, or it has no value; the message is a clause, to follow the key of the text."""


class FormulaNameError(FormulaError):
    """A name in the formula is none of those that are known."""


def evaluate(text: str | int, names: Mapping[str, int], max_bits: int = SIZE_BITS) -> int:
    """Value of a formula, given the values of its names, no value on the way being wider. Raises FormulaError."""
    if isinstance(text, int):
        return text
    try:
        return _parsed(text).value(names, max_bits)
    except UnknownNameError as error:
        raise FormulaNameError(f"is {text[:MAX_LENGTH]!r}: {error}") from None
    except ExpressionError as error:
        raise FormulaError(f"is {text[:MAX_LENGTH]!r}: {error}") from None


@lru_cache(maxsize=256)
def _parsed(text: str) -> Expression:
    """Remembered, since a condition is asked of thousands of moduli. Raises ExpressionError."""
    return Expression.parse(text, MAX_LENGTH)


def names_in(text: str) -> frozenset[str]:
    """The names in a formula; none in a text that is not one."""
    with suppress(ExpressionError):
        return Expression.parse(text, MAX_LENGTH).names
    return frozenset()


_RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt,
}  # fmt: skip
_RELATION = re.compile(r"(==|!=|<=|>=|(?<!<)<(?!<)|(?<!>)>(?!>))")
_PROPERTIES: dict[str, Callable[[int], bool]] = {
    "odd": lambda p: p % 2 == 1,
    "even": lambda p: p % 2 == 0,
    "prime": lambda p: bool(gmpy2.is_prime(p, 25)),
}
_MODULUS = ("p", "N")
"""Names in a condition: the modulus, and its bits."""


def check_condition(condition: str) -> None:
    """Raises FormulaError if a text is not a condition that `holds` can decide for some modulus."""
    if condition.strip() in _PROPERTIES:
        return
    for side in _sides(condition)[::2]:
        try:
            unknown = Expression.parse(side, MAX_LENGTH).names - {*_MODULUS}
        except ExpressionError as error:
            raise FormulaError(f"is {condition!r}: {error}") from None
        if unknown:
            raise FormulaNameError(f"is {condition!r}: there is no {min(unknown)!r}, only {', '.join(_MODULUS)}")


def _sides(condition: str) -> list[str]:
    """Left side, relation, right side. Raises FormulaError."""
    parts = _RELATION.split(condition)
    if len(parts) != 3:
        some = ", ".join(_PROPERTIES)
        raise FormulaError(f"is {condition!r}, which is none of {some}, and no comparison such as 'p % 2^10 == 1'")
    return parts


def holds(condition: str, modulus: int) -> bool:
    """True if a modulus has a property: odd, even, prime, or a comparison of numbers over p and N, its bits.

    Raises FormulaError.
    """
    if condition.strip() in _PROPERTIES:
        return _PROPERTIES[condition.strip()](modulus)
    left, relation, right = _sides(condition)
    names = dict(zip(_MODULUS, (modulus, modulus.bit_length()), strict=True))
    return _RELATIONS[relation](evaluate(left, names, MAX_BITS), evaluate(right, names, MAX_BITS))


def all_hold(conditions: Sequence[str], modulus: int) -> bool:
    """True if a modulus has all of these properties; False where one of them has no value for it."""
    try:
        return all(holds(condition, modulus) for condition in conditions)
    except FormulaError:
        return False
