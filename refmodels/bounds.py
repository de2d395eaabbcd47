# SPDX-License-Identifier: Apache-2.0
"""Bounds of operands that a user gives as text: an expression over the modulus and what follows from it."""

import re
from collections.abc import Mapping
from typing import Any

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.expr import Term, ends, whole
from limbtrace.refmodels.expressions import parse_integer
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.settings import MAX_WIDTH, Parameter


def below(default: str, names: str) -> Parameter:
    """The parameter of the bound of the operands."""
    return Parameter("below", f"operands are below this: an expression over {names}", default, "2 and more")


def bound(text: str | int, modulus: Any, names: Mapping[str, int]) -> tuple[str, Any]:
    """The text of a bound without blanks, and its value; `names` are those beside p, R among them.

    Raises ParameterError("below"). Where the modulus is a term, the bound is a number, p^2, or a multiple of p or p*R.
    """
    written = "".join(str(text).split()) if isinstance(text, str | int) else ""
    if isinstance(modulus, Term) and (found := re.fullmatch(r"(?:(\d+)\*)?p(\*R)?", written)):
        return written, modulus * int(found[1] or 1) * (names["R"] if found[2] else 1)
    if isinstance(modulus, Term) and written == "p^2":
        return written, modulus * modulus
    known = dict(names) if isinstance(modulus, Term) else {"p": int(modulus), **names}
    value = parse_integer(written, "below", known)
    if value < 2:
        raise ParameterError("below", f"{shown(value)} leaves no operand but 0; it must be at least 2")
    if value.bit_length() > 4 * MAX_WIDTH:
        raise ParameterError("below", f"a bound of {value.bit_length()} bits is wider than {4 * MAX_WIDTH} bits")
    return written, value


def some_bound(choice: Choice) -> str:
    """A bound of both operands that hardware has."""
    return choice.one_of(("p", "p", "2*p", "2^N", "4*p", "2^(N+3)", "17"))


def most(value: Any) -> int:
    """The largest value of an int or a term."""
    return ends(whole(value))[1]
