# SPDX-License-Identifier: Apache-2.0
"""Operands and results as the digits that hardware keeps; documents of some models have them beside the integers."""

from typing import Any

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.representations import CANONICAL, MAXIMAL, Representation, shown_in
from limbtrace.vectors.encoding import hexadecimal, parse_hexadecimal
from limbtrace.vectors.request import Multiplier

_FILLINGS = {"canonical": CANONICAL, "maximal": MAXIMAL}

OF_CASES = ("a", "b", "result")
"""The numbers that are shown in digits."""

Shown = dict[str, list[str]]
"""Digits in hexadecimal, low digit first, by the name of the representation."""


def digits(multiplier: Multiplier, a: int, b: int, result: int) -> Any:
    """a, b and result in every representation that holds them, the overlap bits filled as the model fills them.

    Operands given as digits are shown unchanged. Empty for models with only one representation.
    """
    return as_texts(digit_vectors(multiplier, a, b, result))


def as_texts(vectors: dict[str, dict[str, list[int]]]) -> dict[str, Shown]:
    """Digits as documents show them."""
    return {name: _hexadecimal(forms) for name, forms in vectors.items()}


def digit_vectors(multiplier: Multiplier, a: int, b: int, result: int) -> dict[str, dict[str, list[int]]]:
    """Digits as integers."""
    params = multiplier.params
    if not params.representations:
        return {}
    values = zip(OF_CASES, (a, b, result), strict=True)
    return {name: shown_in(params.representations, value, params.filling) for name, value in values}


def columns(multiplier: Multiplier) -> list[tuple[str, Representation]]:
    """The digit columns of a table: a, b and result in every representation."""
    return [(name, form) for name in OF_CASES for form in multiplier.params.representations.values()]


def all_representations(multiplier: Multiplier, value: int) -> dict[str, Shown]:
    """A value in every representation that holds it, without overlap bits and with as many as possible.

    Empty for models whose digits have no overlap bits.
    """
    forms = multiplier.params.representations
    if not any(form.overlap for form in forms.values()):
        return {}
    return {how: _hexadecimal(shown_in(forms, value, filling)) for how, filling in _FILLINGS.items()}


def digits_member(multiplier: Multiplier, a: int, b: int, result: int) -> dict[str, Any]:
    """The members of a document in addition to its integers: none, or `digits` of a, b and result."""
    found = digits(multiplier, a, b, result)
    return {"digits": found} if found else {}


def written(multiplier: Multiplier, which: int, value: int, shown: Any) -> int:
    """Operand a (0) or b (1) of a document, with the digits that its member `digits` gives it.

    Raises ParameterError for digits out of range or of a different integer.
    """
    name, forms = "ab"[which], multiplier.params.written
    if shown is None or forms is None:
        return value
    form = forms[which]
    seen = _listed(shown, name, form)
    operand = form.read("digits", [parse_hexadecimal(digit, "digits") for digit in seen])
    if operand != value:
        raise ParameterError("digits", f"those of {name} are not the digits of the {name} beside them")
    return operand


def _listed(shown: Any, name: str, form: Representation) -> list[Any]:
    forms = shown.get(name) if isinstance(shown, dict) else None
    seen = forms.get(form.name) if isinstance(forms, dict) else None
    if not isinstance(seen, list):
        raise ParameterError("digits", f"there is no list of digits of {name} with {form.name}")
    return seen


def _hexadecimal(shown: dict[str, list[int]]) -> Shown:
    return {name: [hexadecimal(digit) for digit in vector] for name, vector in shown.items()}
