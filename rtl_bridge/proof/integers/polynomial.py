# SPDX-License-Identifier: Apache-2.0
"""Polynomials whose coefficients are integers divided by a power of two."""

from collections.abc import Mapping

Monomial = tuple[int, ...]
"""Numbers of atoms in ascending order, as often as each of them is a factor; empty for the constant."""


class DyadicPolynomial:
    """The sum of coefficients times products of atoms, divided by 2^shift; equal ones have equal `key`s."""

    __slots__ = ("shift", "terms")

    def __init__(self, terms: Mapping[Monomial, int], shift: int = 0) -> None:
        kept = {monomial: factor for monomial, factor in terms.items() if factor}
        if shift:
            low = 0
            for factor in kept.values():
                low |= factor
            spare = min((low & -low).bit_length() - 1 if low else shift, shift)
            if spare:
                kept = {monomial: factor >> spare for monomial, factor in kept.items()}
                shift -= spare
        self.terms: dict[Monomial, int] = kept
        self.shift = shift

    @classmethod
    def constant(cls, value: int) -> "DyadicPolynomial":
        return cls({(): value})

    @classmethod
    def atom(cls, number: int) -> "DyadicPolynomial":
        return cls({(number,): 1})

    def __len__(self) -> int:
        return len(self.terms)

    @property
    def key(self) -> tuple[int, frozenset[tuple[Monomial, int]]]:
        return self.shift, frozenset(self.terms.items())

    @property
    def atoms(self) -> set[int]:
        return {number for monomial in self.terms for number in monomial}

    @property
    def only(self) -> int | None:
        """The value, if it is one integer whatever the atoms are."""
        return self.terms.get((), 0) if not self.shift and not any(self.terms) else None

    def plus(self, other: "DyadicPolynomial", factor: int = 1) -> "DyadicPolynomial":
        """self + factor * other"""
        shift = max(self.shift, other.shift)
        up, times = shift - self.shift, factor << (shift - other.shift)
        terms = {monomial: each << up for monomial, each in self.terms.items()} if up else dict(self.terms)
        for monomial, each in other.terms.items():
            terms[monomial] = terms.get(monomial, 0) + times * each
        return DyadicPolynomial(terms, shift)

    def plus_constant(self, value: int) -> "DyadicPolynomial":
        return self.plus(DyadicPolynomial({(): 1}), value) if value else self

    def apart(self) -> tuple["DyadicPolynomial", int]:
        """The polynomial less an integer, so that its constant is from 0 to below 1, and that integer."""
        constant = self.terms.get((), 0) >> self.shift
        return self.plus_constant(-constant), constant

    def times(self, other: "DyadicPolynomial") -> "DyadicPolynomial":
        terms: dict[Monomial, int] = {}
        for one, factor in self.terms.items():
            for two, times in other.terms.items():
                monomial = tuple(sorted(one + two)) if one and two else one or two
                terms[monomial] = terms.get(monomial, 0) + factor * times
        return DyadicPolynomial(terms, self.shift + other.shift)

    def scaled(self, factor: int) -> "DyadicPolynomial":
        return DyadicPolynomial({monomial: factor * each for monomial, each in self.terms.items()}, self.shift)

    def over_power(self, bits: int) -> "DyadicPolynomial":
        """self / 2^bits"""
        return DyadicPolynomial(self.terms, self.shift + bits)

    def with_bit(self, number: int, value: int) -> "DyadicPolynomial":
        """The polynomial where an atom has the value 0 or 1."""
        terms: dict[Monomial, int] = {}
        for monomial, factor in self.terms.items():
            if number in monomial:
                if not value:
                    continue
                monomial = tuple(each for each in monomial if each != number)
            terms[monomial] = terms.get(monomial, 0) + factor
        return DyadicPolynomial(terms, self.shift)

    def with_bits(self, values: Mapping[int, int]) -> "DyadicPolynomial":
        """The polynomial where several atoms, by their numbers, have these values 0 or 1."""
        polynomial = self
        for number, value in values.items():
            polynomial = polynomial.with_bit(number, value)
        return polynomial

    def with_atom(self, number: int, value: "DyadicPolynomial") -> "DyadicPolynomial":
        """The polynomial with another one, which has no denominator, in place of an atom."""
        terms: dict[Monomial, int] = {}
        for monomial, factor in self.terms.items():
            product = DyadicPolynomial({tuple(each for each in monomial if each != number): factor})
            for _ in range(monomial.count(number)):
                product = product.times(value)
            for made, by in product.terms.items():
                terms[made] = terms.get(made, 0) + by
        return DyadicPolynomial(terms, self.shift)

    def modulo_power(self, bits: int, *, signed: bool) -> "DyadicPolynomial":
        """A polynomial that is the same modulo 2^bits for all integers.

        Multiples of 2^bits are left out; with `signed` each coefficient is the one next to 0.
        """
        unit = 1 << (bits + self.shift)
        half = unit >> 1
        terms = {}
        for monomial, factor in self.terms.items():
            rest = (factor + half) % unit - half if signed else factor
            terms[monomial] = rest if factor % unit else 0
        return DyadicPolynomial(terms, self.shift)

    def value(self, values: Mapping[int, int]) -> int:
        """The value for those of the atoms. Raises ValueError if it is not an integer."""
        total = 0
        for monomial, factor in self.terms.items():
            for number in monomial:
                factor *= values[number]
            total += factor
        if total & ((1 << self.shift) - 1):
            raise ValueError("the value of a polynomial is not an integer")
        return total >> self.shift
