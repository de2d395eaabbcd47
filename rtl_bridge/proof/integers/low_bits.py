# SPDX-License-Identifier: Apache-2.0
"""Low bits of terms as polynomials modulo a power of two: what shows that a sum ends in zeros, as in Montgomery's step.

The unknowns are terms. The low bits of sums, products and choices are those of their parts' low bits, so wrapping does
not matter.
"""

from collections.abc import Iterable

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool

MOST_MONOMIALS = 256
"""A term that has more is an unknown of its own."""
MOST_DEPTH = 60
"""Terms through which the low bits are followed, one inside the other."""

LowMonomial = tuple[BitTerm, ...]
LowForm = dict[LowMonomial, int]


class LowBits:
    """Which low bits of terms are zero, or equal to those of other terms, as far as polynomials modulo 2^size say."""

    def __init__(self, pool: TermPool) -> None:
        self._pool = pool
        self._forms: dict[tuple[BitTerm, int], LowForm] = {}
        self._first: dict[tuple[int, frozenset[tuple[LowMonomial, int]]], BitTerm] = {}

    def are_zero(self, term: BitTerm, size: int) -> bool:
        """True if the low `size` bits of a term are zero for all values; False says nothing."""
        return not self.form(term, size)

    def first_equal(self, term: BitTerm, size: int) -> BitTerm:
        """The first term whose low `size` bits are known to be equal to those of this one: perhaps the term itself."""
        return self._first.setdefault((size, frozenset(self.form(term, size).items())), term)

    def form(self, term: BitTerm, size: int) -> LowForm:
        """Products of terms with coefficients, whose sum is a term modulo 2^size."""
        key = term, size
        if key not in self._forms:
            self._forms[key] = _LowSum(self._pool, size).of(term)
        return self._forms[key]


class _LowSum:
    """Polynomials modulo 2^size, whose monomials are terms in the order of their numbers."""

    def __init__(self, pool: TermPool, size: int) -> None:
        self._pool, self._size = pool, size
        self._full = (1 << size) - 1
        self._made: dict[BitTerm, LowForm] = {}

    def of(self, term: BitTerm, depth: int = MOST_DEPTH) -> LowForm:
        if term not in self._made:
            found = self._read(term, depth - 1) if depth else None
            if found is None or len(found) > MOST_MONOMIALS:
                found = {(self._short(term),): 1}
            self._made[term] = found
        return self._made[term]

    def _short(self, term: BitTerm) -> BitTerm:
        """An unknown of no more bits than count, so that equal low bits of two terms are one unknown."""
        return self._pool.extract(term, self._size - 1, 0) if term.width > self._size else term

    def _read(self, term: BitTerm, depth: int) -> LowForm | None:
        """The polynomial of an operation; None where the term is an unknown."""
        operation, operands = term.operation, term.operands
        if operation == "const":
            return self._sum([({(): 1}, term.value)])
        if operation == "sum" or (operation == "wrap" and term.width >= self._size):
            factors, constant = term.detail
            parts = ((self.of(operand, depth), factor) for operand, factor in zip(operands, factors, strict=True))
            return self._sum([*parts, ({(): 1}, constant)])
        if operation == "product" or (operation == "and" and self._is_bit(term)):
            return self._product(self.of(operands[0], depth), self.of(operands[1], depth))
        if operation == "concat":
            return self._sum(self._parts(term, depth))
        if operation == "not":
            return self._sum([({(): 1}, (1 << term.width) - 1), (self.of(operands[0], depth), -1)])
        if operation == "ite":
            return self._choice(*(self.of(operand, depth) for operand in operands))
        if operation == "xor" and self._is_bit(term):
            one, other = (self.of(operand, depth) for operand in operands)
            return self._sum([(one, 1), (other, 1), (self._product(one, other), -2)])
        if operation == "or" and self._is_bit(term):
            one, other = (self.of(operand, depth) for operand in operands)
            return self._sum([(one, 1), (other, 1), (self._product(one, other), -1)])
        if operation == "slice" and not term.detail[1] and term.width >= self._size:
            return self._low_slice(operands[0], depth)
        return None

    def _is_bit(self, term: BitTerm) -> bool:
        """True if an operation on bits is one on numbers: of one bit, or where only one counts."""
        return term.width == 1 or self._size == 1

    def _low_slice(self, whole: BitTerm, depth: int) -> LowForm | None:
        return None if whole.operation == "var" else self.of(whole, depth)

    def _parts(self, term: BitTerm, depth: int) -> Iterable[tuple[LowForm, int]]:
        shift = 0
        for part in reversed(term.operands):
            if shift >= self._size:
                return
            yield self.of(part, depth), 1 << shift
            shift += part.width

    def _choice(self, bit: LowForm, one: LowForm, other: LowForm) -> LowForm:
        return self._sum([(other, 1), (self._product(bit, self._sum([(one, 1), (other, -1)])), 1)])

    def _sum(self, parts: Iterable[tuple[LowForm, int]]) -> LowForm:
        total: LowForm = {}
        for part, factor in parts:
            for monomial, each in part.items():
                total[monomial] = total.get(monomial, 0) + each * factor & self._full
        return {monomial: each for monomial, each in total.items() if each}

    def _product(self, one: LowForm, other: LowForm) -> LowForm:
        total: LowForm = {}
        for first, factor in one.items():
            for second, times in other.items():
                monomial = self._joined(first, second)
                total[monomial] = total.get(monomial, 0) + factor * times & self._full
        return {monomial: each for monomial, each in total.items() if each}

    def _joined(self, one: LowMonomial, other: LowMonomial) -> LowMonomial:
        """The factors of both; a bit is its own square."""
        both = sorted(one + other, key=lambda term: term.number)
        return tuple(
            term for place, term in enumerate(both) if not (term.width == 1 and place and both[place - 1] is term)
        )
