# SPDX-License-Identifier: Apache-2.0
"""Polynomials modulo p in pieces of the variables and bits of operations, whatever atoms they were in before."""

from collections.abc import Iterable, Mapping
from itertools import pairwise

from limbtrace.rtl_bridge.proof.bitvector import BitTerm
from limbtrace.rtl_bridge.proof.integers.atoms import Atom, AtomTable, Residue
from limbtrace.rtl_bridge.proof.integers.polynomial import DyadicPolynomial

MOST_MONOMIALS = 100_000
"""A residue with more is not known."""


class Residues:
    """Residues modulo p; a variable is cut wherever one of its slices begins or ends."""

    def __init__(self, atoms: AtomTable, modulus: int) -> None:
        self._atoms, self.modulus = atoms, modulus
        self._places: dict[BitTerm, set[int]] = {}
        self._pieces: dict[tuple[BitTerm, int, int], int] = {}
        self._bits: set[int] = set()
        """Pieces of one bit."""

    def cut(self, variable: BitTerm, high: int, low: int) -> None:
        """Note a slice of a variable, before the residue of that variable is asked for."""
        self._places.setdefault(variable, {0, variable.width}).update((low, high + 1))

    def of_slice(self, variable: BitTerm, high: int, low: int) -> Residue:
        """The residue of bits of a variable.

        Pieces of other cuts are other unknowns: a residue that is zero is so for all values of the unknowns.
        """
        self.cut(variable, high, low)
        places = sorted(place for place in self._places[variable] if low <= place <= high + 1)
        found: Residue = {}
        for start, end in pairwise(places):
            piece = self._piece(variable, start, end)
            if factor := pow(2, start - low, self.modulus):
                found[(piece,)] = factor
        return found

    @property
    def terms(self) -> Iterable[BitTerm]:
        """All terms of which pieces are unknowns of residues."""
        return dict.fromkeys(term for term, _, _ in self._pieces)

    def values(self, of_terms: Mapping[BitTerm, int]) -> dict[int, int]:
        """The value of each piece, given those of the terms."""
        return {
            number: of_terms[term] >> start & (1 << end - start) - 1
            for (term, start, end), number in self._pieces.items()
        }

    def of(self, polynomial: DyadicPolynomial) -> Residue | None:
        """The residue; None where atoms without one count, and where p is even and there is a denominator."""
        p = self.modulus
        if polynomial.shift and not p & 1:
            return None
        scale = pow(2, -polynomial.shift, p)
        total: Residue = {}
        for monomial, factor in polynomial.terms.items():
            factor = factor * scale % p
            if not factor:
                continue
            part: Residue = {(): factor}
            for number in monomial:
                residue = self._of_atom(self._atoms[number])
                if residue is None or len(part) * len(residue) > MOST_MONOMIALS:
                    return None
                part = self._product(part, residue)
            for key, each in part.items():
                total[key] = (total.get(key, 0) + each) % p
        return {key: each for key, each in total.items() if each}

    def _of_atom(self, atom: Atom) -> Residue | None:
        """That of an atom; a bit of an operation is an unknown, so that all bits of a product go together again."""
        term = atom.term
        if atom.residue is not None or term is None or term.operation != "slice" or term.width > 1:
            return atom.residue
        return {(self._piece(term, 0, 1),): 1}

    def _piece(self, term: BitTerm, start: int, end: int) -> int:
        """The number of a piece of a term."""
        number = self._pieces.setdefault((term, start, end), len(self._pieces))
        if end == start + 1:
            self._bits.add(number)
        return number

    def _product(self, one: Residue, other: Residue) -> Residue:
        total: Residue = {}
        for first, factor in one.items():
            for second, times in other.items():
                key = self._joined(first, second) if first and second else first or second
                total[key] = (total.get(key, 0) + factor * times) % self.modulus
        return total

    def _joined(self, one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
        """The factors of both; a bit is its own square."""
        bits = self._bits.intersection(one, other)
        return tuple(sorted(one + tuple(number for number in other if number not in bits)))
