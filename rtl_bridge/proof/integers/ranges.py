# SPDX-License-Identifier: Apache-2.0
"""Ranges of polynomials: intervals of their monomials, facts about sums of them, and cases of comparisons."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, bits_of
from limbtrace.rtl_bridge.proof.integers.atoms import AtomTable, IntegerFact, IntegerRange
from limbtrace.rtl_bridge.proof.integers.polynomial import DyadicPolynomial, Monomial

MOST_CASES = 4
"""Comparisons of which both outcomes are looked at, for one range."""
MOST_FACTS = 8
"""Facts about atoms that are tried, those of the newest atoms first."""
MOST_RATIOS = 3
"""Multiples of a fact that are tried, the most frequent ones."""
MOST_DIGIT = 4
"""Bits of a digit that chooses a multiple, of an operand or of the modulus."""
MOST_JOINED = 2_000
"""Monomials of a polynomial in which words of a variable are put together."""


class Ranges:
    """Ranges of polynomials in the atoms of a table, each of which is an integer for all values of the atoms."""

    def __init__(self, atoms: AtomTable) -> None:
        self._atoms = atoms

    def of(self, polynomial: DyadicPolynomial, known: Sequence[IntegerFact] = ()) -> IntegerRange | None:
        """Least and largest value where the facts hold; None if they contradict each other."""
        return self._of(polynomial, known, MOST_CASES)

    def of_values(self, polynomial: DyadicPolynomial) -> IntegerRange | None:
        """Least and largest value of a polynomial in few bits, which are compared with nothing; None for others."""
        numbers = polynomial.atoms
        if len(numbers) > MOST_DIGIT or not all(self._is_bit(number) for number in numbers):
            return None
        values = [polynomial]
        for number in numbers:
            values = [each.with_bit(number, bit) for each in values for bit in (0, 1)]
        ends = [each.terms.get((), 0) >> each.shift for each in values]
        return min(ends), max(ends)

    def _is_bit(self, number: int) -> bool:
        atom = self._atoms[number]
        return atom.range == (0, 1) and atom.below is None

    def _joined(self, polynomial: DyadicPolynomial) -> DyadicPolynomial:
        """An equal polynomial, in which all words of a variable are the variable if that makes it shorter.

        The range of a variable is often less than that of its words: that of an operand ends below the modulus.
        """
        if not 1 < len(polynomial) <= MOST_JOINED:
            return polynomial
        words: dict[BitTerm, dict[int, tuple[int, int]]] = {}
        for number in polynomial.atoms:
            term = self._atoms[number].term
            if term is not None and term.operation == "slice" and term.operands[0].operation == "var":
                variable, high, low = bits_of(term)
                words.setdefault(variable, {})[low] = high + 1, number
        for variable, parts in words.items():
            place, whole = 0, self._atoms.of_term(variable)
            while place in parts and place < variable.width:
                end, number = parts[place]
                if place:
                    whole = whole.plus(DyadicPolynomial.atom(number), -1 << place)
                place = end
            if place == variable.width:
                shorter = polynomial.with_atom(parts[0][1], whole)
                polynomial = shorter if len(shorter) < len(polynomial) else polynomial
        return polynomial

    def _of(self, polynomial: DyadicPolynomial, known: Sequence[IntegerFact], cases: int) -> IntegerRange | None:
        if any(self._contradicts(fact) for fact in known):
            return None
        bits = {number for number in polynomial.atoms if self._atoms[number].below is not None} if cases else set()
        bits.difference_update(self._pairs(polynomial))
        if not bits:
            found = self._bounded(polynomial, known)
            whole = self._joined(polynomial)
            if found is None or whole is polynomial:
                return found
            facts = [replace(fact, polynomial=self._joined(fact.polynomial)) for fact in known]
            return _both(found, self._bounded(whole, facts))
        number = max(bits)
        outcomes: list[IntegerRange] = []
        for value in (0, 1):
            facts = [
                *(IntegerFact(fact.polynomial.with_bit(number, value), fact.least, fact.most) for fact in known),
                self._atoms[number].fact(value),
            ]
            case = self._of(polynomial.with_bit(number, value), facts, cases - 1)
            if case is not None:
                outcomes.append(case)
        if not outcomes:
            return None
        return min(least for least, _ in outcomes), max(most for _, most in outcomes)

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
        pairs = self._pairs(polynomial)
        paired = {*pairs, *pairs.values()}
        least = most = 0
        grouped = self._groups(polynomial, paired)
        for ends in grouped.values():
            least, most = least + min(ends), most + max(ends)
        for monomial, factor in polynomial.terms.items():
            if (len(monomial) == 1 and monomial[0] in paired) or monomial in grouped:
                continue
            low = high = factor
            for number in monomial:
                below, above = self._atoms[number].range
                low, high = low * below, high * above
            if factor < 0:
                low, high = high, low
            least, most = least + low, most + high
        for number, compared in pairs.items():
            ends = self._ends(compared, number, polynomial.terms[compared,], polynomial.terms[number,])
            least, most = least + min(ends), most + max(ends)
        unit = 1 << polynomial.shift
        return Fraction(least, unit), Fraction(most, unit)

    def _groups(self, polynomial: DyadicPolynomial, paired: set[int]) -> dict[Monomial, list[int]]:
        """Values of f*x*y + g*x + h*y at the corners of the ranges of two atoms, between which all others are; by each
        of its monomials, of which all but one have no value of their own.

        Of atoms that are added with another sign than their product, as in (x - k) * (y - l): signed operands.
        """
        found: dict[Monomial, list[int]] = {}
        for monomial, factor in polynomial.terms.items():
            if len(monomial) != 2 or monomial[0] == monomial[1]:
                continue
            one, other = (
                0 if atom in paired or (atom,) in found else polynomial.terms.get((atom,), 0) for atom in monomial
            )
            if one * factor < 0 or other * factor < 0:
                x_ends, y_ends = (self._atoms[atom].range for atom in monomial)
                found[monomial] = [factor * x * y + one * x + other * y for x in x_ends for y in y_ends]
                found |= {(atom,): [0] for atom, alone in zip(monomial, (one, other), strict=True) if alone}
        return found

    def _pairs(self, polynomial: DyadicPolynomial) -> dict[int, int]:
        """Comparisons that a polynomial only adds, and the atom that each compares with a constant, if it adds that."""
        pairs: dict[int, int] = {}
        multiplied = {number for monomial in polynomial.terms if len(monomial) > 1 for number in monomial}
        for monomial in polynomial.terms:
            if len(monomial) == 1 and monomial[0] not in multiplied and (border := self._atoms[monomial[0]].border):
                number, compared = monomial[0], border[0]
                if (compared,) in polynomial.terms and not {number, compared} & {*pairs, *pairs.values()}:
                    pairs[number] = compared
        return pairs

    def _ends(self, compared: int, number: int, factor: int, of_comparison: int) -> list[int]:
        """Values of an atom and its comparison, each with a factor, at the ends of both sides of the border."""
        (least, most), border = self._atoms[compared].range, self._atoms[number].border
        assert border is not None
        sides = ((least, min(most, border[1] - 1), of_comparison), (max(least, border[1]), most, 0))
        return [factor * end + more for low, high, more in sides if low <= high for end in (low, high)]


def _both(one: IntegerRange, other: IntegerRange | None) -> IntegerRange | None:
    """The common part of two ranges."""
    if other is None:
        return None
    least, most = max(one[0], other[0]), min(one[1], other[1])
    return (least, most) if least <= most else None


def _ratios(polynomial: DyadicPolynomial, other: DyadicPolynomial) -> list[Fraction]:
    """By how much the coefficients of a polynomial are those of another one."""
    units = 1 << other.shift, 1 << polynomial.shift
    found = Counter(
        Fraction(polynomial.terms[monomial] * units[0], factor * units[1])
        for monomial, factor in other.terms.items()
        if monomial and monomial in polynomial.terms
    )
    return [ratio for ratio, _ in found.most_common(MOST_RATIOS)]
