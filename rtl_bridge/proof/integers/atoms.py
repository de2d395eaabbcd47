# SPDX-License-Identifier: Apache-2.0
"""Atoms of polynomials: integers that no sum or product of others makes, and what is known of each."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from limbtrace.rtl_bridge.proof.bitvector import BitTerm
from limbtrace.rtl_bridge.proof.integers.polynomial import DyadicPolynomial, Monomial

IntegerRange = tuple[int, int]
"""Least and largest value."""
Residue = dict[tuple[int, ...], int]
"""A polynomial modulo p in pieces of the variables: numbers of pieces -> coefficient from 1 to p - 1."""


@dataclass(frozen=True)
class IntegerFact:
    """A range of an integer polynomial: at least `least`, at most `most`; None for no bound."""

    polynomial: DyadicPolynomial
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True)
class Atom:
    """An integer, never negative: the value of a term, or 1 where a polynomial is below a constant, else 0."""

    number: int
    range: IntegerRange
    term: BitTerm | None = None
    residue: Residue | None = None
    """None if it is not known."""
    below: tuple[DyadicPolynomial, int] | None = None
    """The polynomial and the constant of a comparison."""

    @property
    def is_unknown(self) -> bool:
        """True if it is a value of which no residue is known."""
        return self.residue is None and self.below is None

    @cached_property
    def border(self) -> tuple[int, int] | None:
        """The number of an atom and k, for a comparison that is 1 where that atom is below k; else None."""
        if self.below is None or len(self.below[0]) > 1 or self.below[0].shift:
            return None
        ((monomial, factor),) = self.below[0].terms.items()
        return (monomial[0], -(-self.below[1] // factor)) if len(monomial) == 1 and factor > 0 else None

    def fact(self, value: int) -> IntegerFact:
        """The fact that a comparison with this value is."""
        assert self.below is not None
        polynomial, limit = self.below
        return IntegerFact(polynomial, most=limit - 1) if value else IntegerFact(polynomial, least=limit)


class AtomTable:
    """All atoms of a proof, by number; one for each term and for each comparison."""

    def __init__(self) -> None:
        self._atoms: list[Atom] = []
        self._of_terms: dict[BitTerm, Atom] = {}
        self._comparisons: dict[object, Atom] = {}
        self._compared: dict[object, DyadicPolynomial] = {}
        """Each polynomial that is compared: comparisons of equal ones have the same object."""
        self._facts: dict[int, list[IntegerFact]] = {}
        self._named: dict[object, tuple[DyadicPolynomial, int]] = {}
        """By a polynomial without its constant: the atom that has its value, and that constant."""

    def __getitem__(self, number: int) -> Atom:
        return self._atoms[number]

    def __len__(self) -> int:
        return len(self._atoms)

    def of_term(
        self, term: BitTerm, range: IntegerRange | None = None, residue: Residue | None = None
    ) -> DyadicPolynomial:
        """The atom that is the value of a term; what is known of it counts if it is new."""
        if term not in self._of_terms:
            least, most = range or (0, term.most)
            atom = Atom(len(self._atoms), (max(least, term.ones), min(most, term.most)), term, residue)
            self._of_terms[term] = atom
            self._atoms.append(atom)
        return DyadicPolynomial.atom(self._of_terms[term].number)

    def name(self, polynomial: DyadicPolynomial, atom: DyadicPolynomial) -> None:
        """Note that an atom has the value of a polynomial."""
        rest, constant = polynomial.apart()
        self._named[rest.key] = atom, constant

    def named(self, polynomial: DyadicPolynomial) -> DyadicPolynomial:
        """The atom that has the value of a polynomial but for a constant, plus that constant; else the polynomial."""
        rest, constant = polynomial.apart()
        if rest.key not in self._named:
            return polynomial
        atom, own = self._named[rest.key]
        return atom.plus_constant(constant - own)

    def note(self, fact: IntegerFact) -> None:
        """Note what holds for all values of the atoms of a polynomial, at the newest of them."""
        if numbers := fact.polynomial.atoms:
            self._facts.setdefault(max(numbers), []).append(fact)

    def facts(self, numbers: Iterable[int]) -> Iterator[IntegerFact]:
        """The facts that were noted at some atoms, at the newest ones first."""
        for number in sorted(numbers, reverse=True):
            yield from self._facts.get(number, ())

    def comparison(self, polynomial: DyadicPolynomial, limit: int) -> DyadicPolynomial:
        """1 where an integer polynomial is below a limit, else 0: the same atom for the same comparison."""
        rest, constant = polynomial.apart()
        limit -= constant
        monomials = [monomial for monomial in rest.terms if monomial]
        if not monomials:
            return DyadicPolynomial.constant(int(limit > 0))
        if rest.terms[min(monomials)] < 0:  # x < k is not -x < 1 - k
            return DyadicPolynomial.constant(1).plus(self.comparison(rest.scaled(-1), 1 - limit), -1)
        return self._comparison(rest, limit)

    def _comparison(self, polynomial: DyadicPolynomial, limit: int) -> DyadicPolynomial:
        key = polynomial.key, limit
        if key not in self._comparisons:
            first = self._compared.setdefault(polynomial.key, polynomial)
            atom = Atom(len(self._atoms), (0, 1), None, None, (first, limit))
            self._comparisons[key] = atom
            self._atoms.append(atom)
        return DyadicPolynomial.atom(self._comparisons[key].number)

    def simplified(self, polynomial: DyadicPolynomial) -> DyadicPolynomial:
        """An equal polynomial: of comparisons of the same polynomial in a monomial, the one with the least limit, and
        each bit once."""
        terms: dict[Monomial, int] = {}
        for monomial, factor in polynomial.terms.items():
            simple = self._simplified(monomial) if len(monomial) > 1 else monomial
            terms[simple] = terms.get(simple, 0) + factor
        return DyadicPolynomial(terms, polynomial.shift)

    def _simplified(self, monomial: Monomial) -> Monomial:
        least: dict[int, tuple[int, int]] = {}
        kept: list[int] = []
        for number in monomial:
            below = self._atoms[number].below
            if below is None:
                if number not in kept or self._atoms[number].range != (0, 1):
                    kept.append(number)
            else:
                own = below[1], number
                least[id(below[0])] = min(least.get(id(below[0]), own), own)
        return tuple(sorted([*kept, *(number for _, number in least.values())]))

    def values(self, of_terms: Mapping[BitTerm, int]) -> dict[int, int]:
        """The value of each atom, given those of the terms that are atoms."""
        values: dict[int, int] = {}
        for atom in self._atoms:
            if atom.below is not None:
                polynomial, limit = atom.below
                values[atom.number] = int(polynomial.value(values) < limit)
            else:
                assert atom.term is not None
                values[atom.number] = of_terms[atom.term]
        return values

    @property
    def terms(self) -> Iterable[BitTerm]:
        """All terms that are atoms."""
        return self._of_terms
