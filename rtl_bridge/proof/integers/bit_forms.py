# SPDX-License-Identifier: Apache-2.0
"""Linear forms in bits, modulo a power of two, in which parities are replaced by sums and carries."""

import heapq
from typing import Protocol

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool, bits_of
from limbtrace.rtl_bridge.proof.integers.gates import LinearForm
from limbtrace.rtl_bridge.proof.integers.words import BitPolynomial

MOST_BELOW = 640
"""Bits that are added below a form."""
MOST_MONOMIALS = 200_000
"""Monomials of a form that is multiplied out."""
BETWEEN_CHECKS = 1000
"""Bits that are replaced between two looks at the clock."""


class Below:
    """A bit to add in the column below a carry: both together are a sum of older bits, as of a full adder."""

    def __init__(self, age: int, form: LinearForm, gates: list[tuple[BitTerm, int]]) -> None:
        self.age = age
        """Later carries are the sums of more."""
        self.form = form
        self.gates = gates
        """Terms that are this bit, and whether inverted."""

    def inverted(self) -> "Below":
        """The inverted bit."""
        form = {bit: -each for bit, each in self.form.items()}
        form[None] = 1 + form.get(None, 0)
        return Below(self.age, form, [(gate, 1 - inverted) for gate, inverted in self.gates])


class BitReader(Protocol):
    """The reader of terms, as far as a form asks it."""

    pool: TermPool

    def rule(self, bit: BitTerm) -> LinearForm | None:
        """A bit as a linear form in older bits and in carries."""

    def below(self, bit: BitTerm) -> Below | None:
        """The bit below one that is a carry; None below all others."""

    def bit(self, term: BitTerm, place: int) -> BitTerm:
        """A bit of a term."""

    def is_added(self, whole: BitTerm) -> bool:
        """True if a term is a sum of bits that may be part of longer sums."""

    def is_exact(self, whole: BitTerm) -> bool:
        """True if a sum that might wrap is known not to."""

    def multiplied(self, bit: BitTerm) -> BitPolynomial | None:
        """A bit as a polynomial in bits that are no gates."""

    def check_time(self) -> None:
        """Raises TimeoutError if the time is over."""


class BitForm:
    """A value of `width` bits as a form that is 2^MOST_BELOW times it, or more by bits below it."""

    def __init__(self, reader: BitReader, width: int) -> None:
        self._reader, self.width = reader, width
        self._full = (1 << width + MOST_BELOW) - 1
        self.unit = MOST_BELOW
        """The value counts 2^unit."""
        self.linear: dict[BitTerm, int] = {}
        self._constant = 0
        self._waiting: list[tuple[int, BitTerm]] = []
        self._carries: dict[BitTerm, Below] = {}
        self._rules: dict[BitTerm, LinearForm | None] = {}
        self.replaced = 0

    @property
    def low(self) -> int:
        """Number of bits below the value."""
        return MOST_BELOW - self.unit

    def add(self, term: BitTerm, factor: int) -> None:
        """Add a term times a factor, 2^unit counting 1, as bits."""
        factor &= self._full
        if not factor:
            return
        if term.is_constant:
            self._constant += factor * term.value
        elif term.width == 1:
            self._add_bit(term, factor)
        elif term.operation == "concat":
            shift = 0
            for part in reversed(term.operands):
                self.add(part, factor << shift)
                shift += part.width
        elif term.operation in ("sum", "wrap") and self._is_whole(term, factor):
            self.add_sum(term, factor)
        else:
            for place in range(term.width):
                self.add(self._reader.bit(term, place), factor << place)

    def add_value(self, term: BitTerm) -> None:
        """Add the sum that a term is, counting 1."""
        self.add_sum(term, 1 << MOST_BELOW)

    def add_sum(self, term: BitTerm, factor: int) -> None:
        """Add a sum, or one that wraps where that does not count."""
        factors, constant = term.detail
        self._constant += factor * constant
        for operand, each in zip(term.operands, factors, strict=True):
            self.add(operand, factor * each)

    def _add_bit(self, bit: BitTerm, factor: int) -> None:
        total = self.linear.get(bit, 0) + factor & self._full
        if bit not in self.linear:
            heapq.heappush(self._waiting, (-bit.number, bit))
        if total:
            self.linear[bit] = total
        else:
            self.linear.pop(bit, None)

    # Carries

    def complete(self) -> list[Below]:
        """Replace all parities, and add bits below until no carry comes in; the bits that were added, highest first."""
        below: list[Below] = []
        self._replace()
        while self.unit:
            units = (1 << self.unit + 1) - 1
            carries = {bit: each for bit, each in self._carries.items() if bit in self.linear}
            into = [bit for bit in carries if self.linear[bit] & units == 1 << self.unit]
            if not into:
                break
            newest = max(into, key=lambda bit: carries[bit].age)
            below.append(self._cancelling(self.linear[newest], carries[newest]))
            self._carries = carries
            self.unit -= 1
            self._add_form(below[-1].form, 1 << self.unit)
            self._replace()
        return below

    def _cancelling(self, factor: int, below: Below) -> Below:
        """The bit below a carry that counts 1 or -1, or both in the top column, perhaps inverted so that it cancels."""
        signs = [factor == 1 << self.unit, factor + (1 << self.unit) > self._full]
        if all(signs):
            return below.inverted() if below.gates and below.gates[0][1] else below
        return below.inverted() if signs[1] else below

    def _replace(self) -> None:
        while self._waiting:
            _, bit = heapq.heappop(self._waiting)
            factor = self.linear.get(bit, 0)
            if not factor:
                continue
            if (rule := self._rule(bit)) is not None:
                del self.linear[bit]
                self._add_form(rule, factor)
                self._count()
            elif self._is_lowest(bit) and self._take_whole(bits_of(bit)[0], bit, factor):
                self._count()
            elif (below := self._reader.below(bit)) is not None:
                self._carries[bit] = below

    def _count(self) -> None:
        self.replaced += 1
        if not self.replaced % BETWEEN_CHECKS:
            self._reader.check_time()

    def _rule(self, bit: BitTerm) -> LinearForm | None:
        if bit not in self._rules:
            self._rules[bit] = self._reader.rule(bit)
        return self._rules[bit]

    def _add_form(self, form: LinearForm, factor: int) -> None:
        for bit, each in form.items():
            if bit is None:
                self._constant += factor * each
            else:
                self.add(bit, factor * each)

    def _is_lowest(self, bit: BitTerm) -> bool:
        whole, _, low = bits_of(bit)
        return not low and whole is not bit and self._reader.is_added(whole)

    def _is_whole(self, term: BitTerm, factor: int) -> bool:
        """True if a sum does not wrap, or its carry does not count."""
        return term.operation == "sum" or self._reader.is_exact(term) or not factor << term.width & self._full

    def _take_whole(self, whole: BitTerm, bit: BitTerm, factor: int) -> bool:
        """Take a sum less its other bits for its lowest bit; False if it may wrap."""
        if not self._is_whole(whole, factor):
            return False
        del self.linear[bit]
        for place in range(1, whole.width):
            self.add(self._reader.bit(whole, place), -factor << place)
        self.add_sum(whole, factor)
        return True

    # Products

    def multiplied(self) -> BitPolynomial | None:
        """The polynomial, modulo 2^(width + low), in bits that are no gates; None if it has too many monomials."""
        total: BitPolynomial = {(): self._constant & self._full}
        for bit, factor in self.linear.items():
            part = self._reader.multiplied(bit)
            if part is None or len(total) > MOST_MONOMIALS:
                return None
            for monomial, each in part.items():
                total[monomial] = total.get(monomial, 0) + factor * each
        return {monomial: each >> self.unit for monomial, factor in total.items() if (each := factor & self._full)}
