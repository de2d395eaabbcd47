# SPDX-License-Identifier: Apache-2.0
"""Two terms that are equal because they are congruent modulo p and less than p apart."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool
from limbtrace.rtl_bridge.proof.integers.adders import AdderReader, has_parities
from limbtrace.rtl_bridge.proof.integers.atoms import IntegerFact, IntegerRange
from limbtrace.rtl_bridge.proof.integers.polynomial import DyadicPolynomial
from limbtrace.rtl_bridge.proof.integers.reading import IntegerReader
from limbtrace.rtl_bridge.proof.integers.shown import shown_polynomial, shown_range

PART_WITHOUT_ADDERS = 4
"""Sums that are written in gates are sought after this part of the time: most results are read faster without."""


@dataclass(frozen=True)
class IntegerForm:
    """A value as an integer, in words, for people."""

    form: str
    """Its polynomial, shortened."""
    range: str
    """As numbers, or as multiples of the modulus; of what it was before it was cut to its bits, if that is known."""
    why: str
    """Why nothing follows from both."""


class IntegerProof:
    """Settles obligations of one modulus, 0 for none, and keeps the integer form of the last one that it could not."""

    def __init__(self, pool: TermPool, modulus: int, seconds: float = math.inf) -> None:
        """`seconds` limit each obligation."""
        self._pool, self._modulus, self._seconds = pool, modulus, seconds
        self._adders = AdderReader(pool)
        self.stopped: IntegerForm | None = None
        """The value on the left of the last obligation that was not settled; None if the time was over before."""

    def equal(self, x: BitTerm, y: BitTerm) -> bool:
        """True if two terms are equal for all values of the variables; False says nothing."""
        until = time.monotonic() + self._seconds
        if not has_parities([x, y]):
            return self._equal(x, y, until)
        if self._equal(x, y, time.monotonic() + self._seconds / PART_WITHOUT_ADDERS):
            return True
        self.stopped = None
        try:
            x, y = self._adders.read([x, y], until)
            return self._equal(x, y, until)
        except (TimeoutError, RecursionError):
            return False

    def _equal(self, x: BitTerm, y: BitTerm, until: float) -> bool:
        """As `equal`, of terms as they are."""
        self.stopped = None
        reader = IntegerReader(self._pool, self._modulus)
        try:
            one, other = reader.read([x, y], until)
        except (TimeoutError, RecursionError):
            return False
        difference = one.plus(other, -1)
        if difference.only == 0:
            return True
        ranges = [_range(reader, term, form) for term, form in ((x, one), (y, other))]
        why = self._open(reader, difference, ranges)
        if why:
            self.stopped = self._form(reader, x, one, ranges[0], why)
        return not why

    def excludes(self, comparisons: Mapping[BitTerm, int]) -> bool:
        """True if comparisons never have these values together, as the ranges of what they compare say; False says
        nothing."""
        reader = IntegerReader(self._pool, self._modulus)
        try:
            forms = reader.read(list(comparisons), time.monotonic() + self._seconds)
        except (TimeoutError, RecursionError):
            return False
        facts: list[IntegerFact] = []
        known: dict[int, int] = {}
        for form, value in zip(forms, comparisons.values(), strict=True):
            fixed = form.with_bits(known)
            if fixed.only is not None and fixed.only != value:
                return True
            for number in [number for number in fixed.atoms if reader.atoms[number].below is not None]:
                outcomes = [each for each in (0, 1) if fixed.with_bit(number, each).only == value]
                if len(fixed.atoms) == 1 and len(outcomes) == 1:
                    known[number] = outcomes[0]
                    fact = reader.atoms[number].fact(outcomes[0])
                    facts.append(replace(fact, polynomial=fact.polynomial.with_bits(known)))
        return any(_is_false(reader, fact, facts) for fact in facts)

    def _form(
        self, reader: IntegerReader, term: BitTerm, form: DyadicPolynomial, found: IntegerRange, why: str
    ) -> IntegerForm:
        """A value in words: before its bits were cut, if it had more and is then known modulo p."""
        whole = reader.before_cut(term)
        before = reader.ranges.of(whole)
        cut = before is not None and (before[0] < 0 or before[1] >> term.width)
        if before is not None and cut and reader.residues.modulus and reader.residues.of(whole) is not None:
            words = f"{shown_range(before, self._modulus)} before it is cut to {term.width} bits"
            return IntegerForm(shown_polynomial(whole, reader.atoms), words, "that may lose bits")
        return IntegerForm(shown_polynomial(form, reader.atoms), shown_range(found, self._modulus), why)

    def _open(self, reader: IntegerReader, difference: DyadicPolynomial, ranges: list[IntegerRange]) -> str:
        """Why a difference may not be 0, in words; empty if it is."""
        if not self._modulus:
            return "without a modulus, it is not the same polynomial as that of the model"
        residue = reader.residues.of(difference)
        if residue is None:
            return "it is not known modulo p"
        if residue:
            return "modulo p it is another polynomial than that of the model"
        (least, most), (low, high) = ranges
        if max(most - low, high - least) >= self._modulus:
            return "modulo p it is right, and its range does not say that it is reduced as the model says"
        return ""


def _range(reader: IntegerReader, term: BitTerm, form: DyadicPolynomial) -> IntegerRange:
    """The range of a term, by its polynomial and by its bits."""
    least, most = reader.ranges.of(form) or (0, term.most)
    return max(least, term.ones), min(most, term.most)


def _is_false(reader: IntegerReader, fact: IntegerFact, others: Sequence[IntegerFact]) -> bool:
    """True if a fact does not hold for any values for which the others do."""
    found = reader.ranges.of(fact.polynomial, [other for other in others if other is not fact])
    if found is None:
        return True
    return (fact.least is not None and found[1] < fact.least) or (fact.most is not None and found[0] > fact.most)
