# SPDX-License-Identifier: Apache-2.0
"""Polynomials modulo p in pieces of the variables, whatever atoms they were in before."""

from collections.abc import Mapping
from itertools import pairwise

from limbtrace.rtl_bridge.proof.bitvector import BitTerm
from limbtrace.rtl_bridge.proof.integers.atoms import AtomTable, Residue
from limbtrace.rtl_bridge.proof.integers.polynomial import DyadicPolynomial

MOST_MONOMIALS = 100_000
"""A residue with more is not known."""


class Residues:
    """Residues modulo p; a variable is cut wherever one of its slices begins or ends."""

    def __init__(self, atoms: AtomTable, modulus: int) -> None:
        self._atoms, self.modulus = atoms, modulus
        self._places: dict[BitTerm, set[int]] = {}
        self._pieces: dict[tuple[BitTerm, int, int], int] = {}

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
            piece = self._pieces.setdefault((variable, start, end), len(self._pieces))
            if factor := pow(2, start - low, self.modulus):
                found[(piece,)] = factor
        return found

    def values(self, of_variables: Mapping[str, int]) -> dict[int, int]:
        """The value of each piece, given those of the variables by name."""
        return {
            number: of_variables.get(str(variable.detail), 0) >> start & (1 << end - start) - 1
            for (variable, start, end), number in self._pieces.items()
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
                residue = self._atoms[number].residue
                if residue is None or len(part) * len(residue) > MOST_MONOMIALS:
                    return None
                part = self._product(part, residue)
            for key, each in part.items():
                total[key] = (total.get(key, 0) + each) % p
        return {key: each for key, each in total.items() if each}

    def _product(self, one: Residue, other: Residue) -> Residue:
        total: Residue = {}
        for first, factor in one.items():
            for second, times in other.items():
                key = tuple(sorted(first + second)) if first and second else first or second
                total[key] = (total.get(key, 0) + factor * times) % self.modulus
        return total
