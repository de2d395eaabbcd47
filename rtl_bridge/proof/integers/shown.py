# SPDX-License-Identifier: Apache-2.0
"""Polynomials and ranges in words, shortened."""

from fractions import Fraction

from limbtrace.rtl_bridge.proof.integers.atoms import Atom, AtomTable, IntegerRange
from limbtrace.rtl_bridge.proof.integers.polynomial import DyadicPolynomial

MOST_SHOWN = 4
"""Monomials that are shown."""
MOST_DIGITS = 12
"""Hexadecimal digits of a number that are shown at once."""


def shown_range(found: IntegerRange, modulus: int) -> str:
    """A range as numbers, or where these are long as multiples of p."""
    least, most = found
    if not modulus or most.bit_length() <= 16:
        return f"from {least} to {most}"
    return f"from {_multiple(least, modulus)} to {_multiple(most, modulus)}"


def _multiple(value: int, modulus: int) -> str:
    times = Fraction(value, modulus)
    if not value:
        return "0"
    if abs(value - modulus) <= 1:
        return f"p{value - modulus:+d}" if value != modulus else "p"
    if abs(times - 1) < Fraction(1, 1000):
        return f"just {'above' if times > 1 else 'below'} p"
    return f"{float(times):.3f} p" if times < 100 else f"{float(times):.3g} p"


def shown_polynomial(polynomial: DyadicPolynomial, atoms: AtomTable) -> str:
    """The first monomials with their coefficients, of which long ones are shortened, and how many there are."""
    parts = []
    for monomial, factor in sorted(polynomial.terms.items(), key=lambda term: (-len(term[0]), term[0])):
        names = "*".join(_name(atoms[number]) for number in monomial)
        size = _number(abs(factor), 0 if not names else polynomial.shift)
        if not names and polynomial.shift:
            size = _number(abs(factor), polynomial.shift)
        sign = "-" if factor < 0 else "+"
        parts.append(f"{sign} {names if names and size == '1' else '*'.join(filter(None, (size, names)))}")
    shown = " ".join(parts[:MOST_SHOWN]).removeprefix("+ ") or "0"
    return f"{shown} ... ({len(parts)} terms)" if len(parts) > MOST_SHOWN else shown


def _number(value: int, shift: int) -> str:
    spare = min((value & -value).bit_length() - 1, shift) if value else 0
    value, shift = value >> spare, shift - spare
    if value > 1 and not value & (value - 1):
        text = f"2^{value.bit_length() - 1}"
    else:
        digits = f"{value:#x}" if value > 9 else str(value)
        text = digits if len(digits) <= MOST_DIGITS else f"{digits[: MOST_DIGITS - 4]}...({value.bit_length()} bits)"
    return f"{text}/2^{shift}" if shift else text


def _name(atom: Atom) -> str:
    if atom.below is not None:
        return "[comparison]"
    assert atom.term is not None
    term = atom.term
    if term.operation == "slice" and term.operands[0].operation == "var":
        high, low = term.detail
        return f"{term.operands[0].detail}[{high}:{low}]"
    if term.operation == "var":
        return str(term.detail)
    return f"[{term.operation} of {term.width} bits]"
