# SPDX-License-Identifier: Apache-2.0
"""Two terms that are equal because they are congruent modulo p and less than p apart."""

import math
import time
from dataclasses import dataclass

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool
from limbtrace.rtl_bridge.proof.integers.adders import AdderReader, has_parities
from limbtrace.rtl_bridge.proof.integers.atoms import IntegerRange
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
