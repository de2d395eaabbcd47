# SPDX-License-Identifier: Apache-2.0
"""Ranges of polynomials: intervals of their monomials, facts about sums of them, and cases of comparisons."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import islice

from limbtrace.rtl_bridge.proof.integers.atoms import AtomTable, IntegerFact, IntegerRange
from limbtrace.rtl_bridge.proof.integers.polynomial import DyadicPolynomial

MOST_CASES = 4
"""Comparisons of which both outcomes are looked at, for one range."""
MOST_FACTS = 8
"""Facts about atoms that are tried, those of the newest atoms first."""
MOST_RATIOS = 3
"""Multiples of a fact that are tried, the most frequent ones."""


class Ranges:
    """Ranges of polynomials in the atoms of a table, each of which is an integer for all values of the atoms."""

    def __init__(self, atoms: AtomTable) -> None:
        self._atoms = atoms

    def of(self, polynomial: DyadicPolynomial, known: Sequence[IntegerFact] = ()) -> IntegerRange | None:
        """Least and largest value where the facts hold; None if they contradict each other."""
        return self._of(polynomial, known, MOST_CASES)

    def _of(self, polynomial: DyadicPolynomial, known: Sequence[IntegerFact], cases: int) -> IntegerRange | None:
        if any(self._contradicts(fact) for fact in known):
            return None
        bits = [number for number in polynomial.atoms if self._atoms[number].below is not None] if cases else []
        if not bits:
            return self._bounded(polynomial, known)
        number = max(bits)
        found: list[IntegerRange] = []
        for value in (0, 1):
            facts = [
                *(IntegerFact(fact.polynomial.with_bit(number, value), fact.least, fact.most) for fact in known),
                self._atoms[number].fact(value),
            ]
            case = self._of(polynomial.with_bit(number, value), facts, cases - 1)
            if case is not None:
                found.append(case)
        if not found:
            return None
        return min(least for least, _ in found), max(most for _, most in found)

    def _contradicts(self, fact: IntegerFact) -> bool:
        least, most = self._interval(fact.polynomial)
        return (fact.least is not None and most < fact.least) or (fact.most is not None and least > fact.most)

    def _bounded(self, polynomial: DyadicPolynomial, known: Sequence[IntegerFact]) -> IntegerRange | None:
        """Integers within all intervals: of the polynomial, and of it less a multiple of a fact and of that fact."""
        least, most = self._interval(polynomial)
        for fact in (*known, *islice(self._atoms.facts(polynomial.atoms), MOST_FACTS)):
            low, high = self._interval(fact.polynomial)
            low = low if fact.least is None else max(low, Fraction(fact.least))
            high = high if fact.most is None else min(high, Fraction(fact.most))
            for ratio in _ratios(polynomial, fact.polynomial):
                rest = polynomial.scaled(ratio.denominator).plus(fact.polynomial, -ratio.numerator)
                below, above = (end / ratio.denominator for end in self._interval(rest))
                ends = sorted((ratio * low, ratio * high))
                least, most = max(least, below + ends[0]), min(most, above + ends[1])
        lowest, highest = -(-least.numerator // least.denominator), most.numerator // most.denominator
        return (lowest, highest) if lowest <= highest else None

    def _interval(self, polynomial: DyadicPolynomial) -> tuple[Fraction, Fraction]:
        least = most = 0
        for monomial, factor in polynomial.terms.items():
            low = high = factor
            for number in monomial:
                below, above = self._atoms[number].range
                low, high = low * below, high * above
            if factor < 0:
                low, high = high, low
            least, most = least + low, most + high
        unit = 1 << polynomial.shift
        return Fraction(least, unit), Fraction(most, unit)


def _ratios(polynomial: DyadicPolynomial, other: DyadicPolynomial) -> list[Fraction]:
    """By how much the coefficients of a polynomial are those of another one."""
    units = 1 << other.shift, 1 << polynomial.shift
    found = Counter(
        Fraction(polynomial.terms[monomial] * units[0], factor * units[1])
        for monomial, factor in other.terms.items()
        if monomial and monomial in polynomial.terms
    )
    return [ratio for ratio, _ in found.most_common(MOST_RATIOS)]
