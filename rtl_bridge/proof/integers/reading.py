# SPDX-License-Identifier: Apache-2.0
"""Terms as integers: each bit vector as a polynomial that has its value, whatever the variables are.

* Sums, products and concatenations are what they are.
* A sum modulo 2^w is the integer that its range allows; if it allows two, a comparison decides between them.
* Bits from l on are (x - bits below l) / 2^l. The bits below are zero where polynomials modulo 2^l say so, else atoms.
* A choice is other + bit * (one - other). Each of both may be read under what the bit says of a comparison.
* What does not depend on comparisons modulo p, like x >= p ? x - p : x, is a new atom with its range and residue.
* Everything else is an atom with the range of the term.

One file, since what an operation is read as depends on what its operands, of any other operation, were read as.
"""

import math
import time
from collections.abc import Iterable, Sequence
from itertools import pairwise, product

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool, bits_of, cone, pieces
from limbtrace.rtl_bridge.proof.integers.atoms import AtomTable, IntegerFact, IntegerRange
from limbtrace.rtl_bridge.proof.integers.low_bits import LowBits, digit_bits
from limbtrace.rtl_bridge.proof.integers.polynomial import DyadicPolynomial
from limbtrace.rtl_bridge.proof.integers.ranges import Ranges
from limbtrace.rtl_bridge.proof.integers.residues import Residues

MANY = 256
"""Monomials above which a polynomial with a residue is an atom from then on."""
MOST_MONOMIALS = 8_000
"""A term with more is an atom without a residue."""
MOST_UNDECIDED = 24
"""Comparisons in a polynomial; a term with more is an atom without a residue."""
MOST_COMPARED = 3
"""Comparisons in a bit that chooses, of which all outcomes are looked at."""
MOST_OF_GATE = 8
"""Monomials of a gate of bits of variables."""
_WRAPPING = ("ite", "wrap", "slice", "sum", "concat")
"""Operations that are read with comparisons."""


class IntegerReader:
    """Reads terms of a pool; what several of them are made of is read once."""

    def __init__(self, pool: TermPool, modulus: int) -> None:
        """`modulus`: p, or 0 for none and hence no residue."""
        self._pool = pool
        self.atoms = AtomTable()
        self.ranges = Ranges(self.atoms)
        self.residues = Residues(self.atoms, modulus)
        self._low = LowBits(pool)
        self._read: dict[BitTerm, DyadicPolynomial] = {}
        self._modular: dict[tuple[BitTerm, int, bool], DyadicPolynomial] = {}
        self._cuts: dict[BitTerm, set[int]] = {}
        """Places at which a term is cut, by slices that are read."""
        self._words: dict[BitTerm, set[int]] = {}
        """Places at which slices of more than one bit begin."""

    def read(self, roots: Sequence[BitTerm], until: float = math.inf) -> list[DyadicPolynomial]:
        """The polynomials of terms. Raises TimeoutError if they are not read at that time (monotonic)."""
        order = list(cone(roots))
        for term in order:
            if term.operation == "slice":
                whole, (high, low) = term.operands[0], term.detail
                if whole.operation == "var":
                    self.residues.cut(whole, high, low)
                self._cuts.setdefault(whole, set()).update((low, high + 1))
                if low < high:
                    self._words.setdefault(whole, set()).add(low)
            for bit, _ in digit_bits(self._pool, term):
                if bits_of(bit)[0].operation == "var":
                    self.residues.cut(*bits_of(bit))
        for term in order:
            if time.monotonic() > until:
                raise TimeoutError
            self._of(term)
        return [self._read[root] for root in roots]

    def before_cut(self, term: BitTerm) -> DyadicPolynomial:
        """The polynomial that a term which was read is low bits of, or is itself."""
        is_low = term.operation == "slice" and not term.detail[1]
        return self._congruent(term.operands[0] if is_low else term, term.width, deep=True)

    def _of(self, term: BitTerm) -> DyadicPolynomial:
        if term not in self._read:
            self._read[term] = self._limited(term, self._made(term))
        return self._read[term]

    def _limited(self, term: BitTerm, polynomial: DyadicPolynomial) -> DyadicPolynomial:
        """The polynomial of a term, or an atom in its place if it is the same modulo p whatever comparisons say."""
        long = len(polynomial) > MANY
        polynomial = self.atoms.simplified(polynomial)
        compared = self._compared(polynomial)
        compares = term.operation in _WRAPPING and compared
        if (long or compares) and self.residues.modulus and term.width > 1:
            if (named := self.atoms.named(polynomial)) is not polynomial:
                return named
            residue = self.residues.of(polynomial)
            if residue is not None and (long or any(residue)):
                atom = self.atoms.of_term(term, self.ranges.of(polynomial), residue)
                self.atoms.name(polynomial, atom)
                return atom
        short = len(polynomial) <= MOST_MONOMIALS and compared <= MOST_UNDECIDED
        return polynomial if short else self.atoms.of_term(term)

    def _made(self, term: BitTerm) -> DyadicPolynomial:
        operation, operands = term.operation, term.operands
        if operation == "const":
            return DyadicPolynomial.constant(term.value)
        if operation == "var":
            return self._variable(term, term, term.width - 1, 0)
        if operation == "sum":
            return self._sum(term, [self._of_digit(operand, self._of(operand)) for operand in operands])
        if operation == "wrap":
            return self._fitted(term, term.width) or self.atoms.of_term(term)
        if operation == "concat":
            return self._joined(term, [self._of(operand) for operand in operands])
        if operation == "product" or (operation == "and" and term.width == 1):
            return self._product(term)
        if operation == "not":
            return DyadicPolynomial.constant((1 << term.width) - 1).plus(self._of(operands[0]), -1)
        if operation == "slice":
            return self._slice(term)
        if operation in ("or", "xor") and term.width == 1:
            return self._gate(term)
        if operation == "ite":
            return self._shorter_choice(term)
        if operation == "ult":
            return self._below(self._of(operands[0]).plus(self._of(operands[1]), -1), 0)
        if operation == "eq" and operands[0].width > 1:
            return self._equal(term)
        if operation in ("udiv", "urem") and operands[1].is_constant and operands[1].value:
            return self._divided(term)
        if operation == "xor" and _flips(term):
            return self._fitted(term, term.width) or self.atoms.of_term(term)
        return self.atoms.of_term(term)

    def _variable(self, term: BitTerm, variable: BitTerm, high: int, low: int) -> DyadicPolynomial:
        residue = self.residues.of_slice(variable, high, low) if self.residues.modulus else None
        return self.atoms.of_term(term, residue=residue)

    @staticmethod
    def _sum(term: BitTerm, parts: Iterable[DyadicPolynomial]) -> DyadicPolynomial:
        factors, constant = term.detail
        total = DyadicPolynomial.constant(constant)
        for part, factor in zip(parts, factors, strict=True):
            total = total.plus(part, factor)
        return total

    @staticmethod
    def _joined(term: BitTerm, parts: Sequence[DyadicPolynomial]) -> DyadicPolynomial:
        total, shift = DyadicPolynomial({}), 0
        for operand, part in zip(reversed(term.operands), reversed(parts), strict=True):
            total = total.plus(part, 1 << shift)
            shift += operand.width
        return total

    def _product(self, term: BitTerm) -> DyadicPolynomial:
        one, other = (self._of(operand) for operand in term.operands)
        return one.times(other) if len(one) * len(other) <= MOST_MONOMIALS else self.atoms.of_term(term)

    def _gate(self, term: BitTerm) -> DyadicPolynomial:
        """x + y - x*y for x | y, if both are bits of variables or comparisons; x + y - 2*x*y for x ^ y of bits of
        variables; an atom for any other ones."""
        one, other = (self._of(operand) for operand in term.operands)
        both = self._compares(one) and self._compares(other)
        if not (both and term.operation == "or") and not (self._is_of_variables(one) and self._is_of_variables(other)):
            return self.atoms.of_term(term)
        joined = one.plus(other).plus(one.times(other), -1 if term.operation == "or" else -2)
        joined = self.atoms.simplified(joined)
        return joined if both or len(joined) <= MOST_OF_GATE else self.atoms.of_term(term)

    def _is_of_variables(self, bit: DyadicPolynomial) -> bool:
        """True if a bit is a polynomial in bits of variables."""
        terms = [self.atoms[number].term for number in bit.atoms]
        return all(term is not None and bits_of(term)[0].operation == "var" and term.width == 1 for term in terms)

    def _divided(self, term: BitTerm) -> DyadicPolynomial:
        """x / c as an atom q with 0 <= x - c*q < c; x % c as x - c*q."""
        x, c = self._of(term.operands[0]), term.operands[1].value
        q = self.atoms.of_term(self._pool.bvudiv(*term.operands))
        rest = x.plus(q, -c)
        self.atoms.note(IntegerFact(rest, 0, c - 1))
        return q if term.operation == "udiv" else rest

    def _below(self, polynomial: DyadicPolynomial, limit: int) -> DyadicPolynomial:
        """1 where a polynomial is below a limit, else 0."""
        found = self.ranges.of(polynomial)
        if found is not None and (found[1] < limit or found[0] >= limit):
            return DyadicPolynomial.constant(int(found[1] < limit))
        if len(numbers := polynomial.atoms) == 1 and self.atoms[number := numbers.pop()].range == (0, 1):
            values = (polynomial.with_bit(number, bit).terms.get((), 0) for bit in (0, 1))
            low, high = (int(value < limit << polynomial.shift) for value in values)
            return DyadicPolynomial({(): low, (number,): high - low})
        return self.atoms.comparison(polynomial, limit)

    def _equal(self, term: BitTerm) -> DyadicPolynomial:
        """x == y: of a digit, the product of its bits, so that what a digit chooses is a polynomial in these; else by
        the comparisons x - y < 1 and x - y < 0."""
        if digit := digit_bits(self._pool, term):
            total = one = DyadicPolynomial.constant(1)
            for bit, value in digit:
                total = total.times(self._of(bit) if value else one.plus(self._of(bit), -1))
            return total
        difference = self._of(term.operands[0]).plus(self._of(term.operands[1]), -1)
        return self._below(difference, 1).plus(self._below(difference, 0), -1)

    # Modulo a power of two

    def _congruent(self, term: BitTerm, width: int, *, deep: bool) -> DyadicPolynomial:
        """A polynomial that is the value of a term modulo 2^width; exact where the term is read exactly.

        With `deep` low bits of which only the range is known are what they are low bits of.
        """
        key = term, width, deep
        if key not in self._modular:
            self._modular[key] = self._made_congruent(term, width, deep=deep)
        return self._modular[key]

    def _made_congruent(self, term: BitTerm, width: int, *, deep: bool) -> DyadicPolynomial:
        if term in self._read and not (deep and self._is_unknown(term)):
            return self._read[term]
        return self._congruent_parts(term, width, deep=deep)

    def _congruent_parts(self, term: BitTerm, width: int, *, deep: bool) -> DyadicPolynomial:
        """As `_congruent`, of what a term is made of, whatever the term itself was read as."""
        if term.operation == "wrap" and term.width >= width:
            return self._sum(
                term, (self._of_digit(each, self._congruent(each, width, deep=deep)) for each in term.operands)
            )
        if term.operation == "xor" and term.width >= width and _flips(term):
            one, other = (self._congruent(operand, width, deep=deep) for operand in term.operands)
            return one.plus(other)
        if term.operation == "slice" and not term.detail[1] and term.width >= width:
            return self._congruent(term.operands[0], width, deep=deep)
        if term.operation == "ite" and term.width >= width and self._wraps(term):
            first, second = (self._congruent(each, width, deep=deep) for each in term.operands[1:])
            return second.plus(self._of(term.operands[0]).times(first.plus(second, -1)))
        return self._of(term)

    @staticmethod
    def _wraps(term: BitTerm) -> bool:
        """True if a branch of a choice is a sum that may wrap."""
        return any(branch.operation == "wrap" for branch in term.operands[1:])

    def _compared(self, polynomial: DyadicPolynomial) -> int:
        """Number of comparisons in a polynomial."""
        return sum(self.atoms[number].below is not None for number in polynomial.atoms)

    def _compares(self, polynomial: DyadicPolynomial) -> bool:
        return any(self.atoms[number].below is not None for number in polynomial.atoms)

    def _is_unknown(self, term: BitTerm) -> bool:
        """True if all that is known of a term that was read is its range, as of low bits of something."""
        return all(self.atoms[number].is_unknown for number in self._read[term].atoms)

    def _candidates(self, term: BitTerm, width: int, *, apart: bool = False) -> list[DyadicPolynomial]:
        """Polynomials that are a term modulo 2^width; with `apart` that of what the term is made of first, in
        place of one with comparisons or of which only the range is known."""
        found: dict[object, DyadicPolynomial] = {}
        upper = self._upper(term) if width <= term.width else None
        raws = [self._congruent(term, width, deep=deep) for deep in (True, False)]
        if term in self._read:
            if not self._compares(self._read[term]) and not self._is_unknown(term):
                raws.insert(0, self._read[term])
            elif apart:
                whole = term.operands[0] if term.operation == "slice" and not term.detail[1] else term
                raws.insert(0, self._congruent_parts(whole, width, deep=False))
        for raw in [*([] if upper is None else [self._of(upper)]), *raws]:
            forms = [raw, *(raw.modulo_power(width, signed=signed) for signed in (False, True))]
            named = [atom for form in forms if (atom := self.atoms.named(form)) is not form]
            for each in (*named, *forms[1:], raw):
                found.setdefault(each.key, each)
        return list(found.values())

    def _fitted(
        self, term: BitTerm, width: int, known: Sequence[IntegerFact] = (), *, exactly: bool = False
    ) -> DyadicPolynomial | None:
        """The low `width` bits of a term as the integer that its range allows; None if it allows too many.

        With `exactly` it is None for two, too.
        """
        candidates = self._candidates(term, width, apart=bool(known))
        ranges = [(each, self._range(each, term, known)) for each in candidates]
        for polynomial, found in ranges:
            if found is not None and found[0] >> width == found[1] >> width:
                return polynomial.plus_constant(-(found[0] >> width << width))
        for polynomial, found in ranges:
            if not exactly and found is not None and (found[0] >> width) + 1 == found[1] >> width:
                return self._of_two(self._from_least(polynomial, found, term, width), found, width)
        return None

    def _range(
        self, polynomial: DyadicPolynomial, term: BitTerm, known: Sequence[IntegerFact] = ()
    ) -> IntegerRange | None:
        """The range of a polynomial, within that of a term if it is its value."""
        found = self.ranges.of(polynomial, known)
        if found is None or term not in self._read or polynomial.key != self._read[term].key:
            return found
        least, most = max(found[0], term.ones), min(found[1], term.most)
        return (least, most) if least <= most else None

    def _from_least(
        self, polynomial: DyadicPolynomial, found: IntegerRange, term: BitTerm, width: int
    ) -> DyadicPolynomial:
        """The least value of a polynomial plus an atom, if comparisons do not matter modulo p; else the polynomial.

        Modulo 2^width it is the term: a remainder with a sign.
        """
        residue = self.residues.of(polynomial) if self.residues.modulus and self._compares(polynomial) else None
        if not residue or not any(residue) or found[1] - found[0] >> width:
            return polynomial
        above = self._pool.sum({self._pool.extract(term, width - 1, 0): 1}, -found[0], width)
        shifted = polynomial.plus_constant(-found[0])
        atom = self.atoms.of_term(above, (0, found[1] - found[0]), self.residues.of(shifted))
        self.atoms.name(shifted, atom)
        return atom.plus_constant(found[0])

    def _of_two(self, polynomial: DyadicPolynomial, found: IntegerRange, width: int) -> DyadicPolynomial:
        """x modulo 2^width where x is in one of two ranges of that size: a comparison says in which."""
        border = found[1] >> width << width
        lower = self._below(polynomial, border)
        return polynomial.plus_constant(-border).plus(lower, 1 << width)

    # Slices

    def _slice(self, term: BitTerm) -> DyadicPolynomial:
        whole, (high, low) = term.operands[0], term.detail
        if whole.operation == "var":
            return self._variable(term, whole, high, low)
        if high == low and (bit := self._bit(whole, low)) is not None:
            return bit
        if (upper := self._upper(term)) is not None:
            form = self._of(upper)
            found = self.ranges.of(form)
            if found is not None and found[0] >= 0 and not found[1] >> term.width:
                return form
        if not low and (below := self._below_bit(whole, high + 1)) is not None:
            return below
        all_bits = self._fitted(whole, high + 1, exactly=high + 1 in self._words.get(whole, ()))
        if all_bits is None:
            return self._of_pieces(whole, high, low)
        if not low:
            return all_bits
        if self._low.are_zero(whole, low):
            return all_bits.over_power(low)
        above = all_bits.plus(self._below_place(whole, low), -1).over_power(low)
        self.atoms.note(IntegerFact(above, 0, term.most))
        return above

    def _upper(self, term: BitTerm) -> BitTerm | None:
        """All bits from the lowest one of a slice on, of which it is low bits; None if it has them all."""
        if term.operation != "slice" or not term.detail[1] or term.operands[0].operation == "var":
            return None
        whole, (high, low) = term.operands[0], term.detail
        upper = pieces(self._pool.extract(whole, whole.width - 1, low))[-1]
        is_more = upper.operation == "slice" and upper.operands[0] is whole and upper.detail[0] > high
        return upper if is_more and upper.detail[1] == low else None

    def _bit(self, whole: BitTerm, place: int) -> DyadicPolynomial | None:
        """A bit of a term whose range allows two values of the bits from there on: a comparison says which."""
        for polynomial in self._candidates(whole, place + 1):
            found = self._range(polynomial, whole)
            if found is None:
                continue
            first, last = (end >> place for end in found)
            if first == last:
                return DyadicPolynomial.constant(first & 1)
            if first + 1 == last:
                lower = self._below(polynomial, last << place) if place else polynomial.scaled(-1).plus_constant(last)
                return lower if first & 1 else DyadicPolynomial.constant(1).plus(lower, -1)
        return None

    def _below_bit(self, whole: BitTerm, place: int) -> DyadicPolynomial | None:
        """All bits of a term but the top one at a place, from the term and that bit, so that both go together again.

        None where the top bit is not read, or is known.
        """
        if whole.width != place + 1 or place + 1 not in self._cuts.get(whole, ()):
            return None
        if self._fitted(whole, place, exactly=True) is not None or (bit := self._bit(whole, place)) is None:
            return None
        return self._of(whole).plus(bit, -1 << place)

    def _below_place(self, whole: BitTerm, place: int) -> DyadicPolynomial:
        """The bits of a term below a place."""
        fitted = self._fitted(whole, place, exactly=True)
        return self._of_pieces(whole, place - 1, 0) if fitted is None else fitted

    def _of_pieces(self, whole: BitTerm, high: int, low: int) -> DyadicPolynomial:
        """Bits of a term as atoms, cut wherever slices of that term begin or end."""
        places = sorted({low, high + 1} | {place for place in self._cuts.get(whole, ()) if low < place <= high})
        total = DyadicPolynomial({})
        for start, end in pairwise(places):
            if self._low.are_zero(whole, end):
                continue
            piece, own = self._piece(whole, end - 1, start)
            if end == 1 and own and (bit := self._lowest(whole)) is not None:
                total = total.plus(bit)
                continue
            if not start and own:
                same, is_cut = self._piece(self._low.first_equal(whole, end), end - 1, 0)
                piece = same if is_cut else piece
            total = total.plus(self.atoms.of_term(piece) if own else self._of(piece), 1 << start - low)
        return total

    def _lowest(self, whole: BitTerm) -> DyadicPolynomial | None:
        """The lowest bit of a term in bits of others, of which it is the product or the inverse; None without these."""
        one = DyadicPolynomial.constant(1)
        if (other := self._low.inverted(whole)) is not None:
            same, is_cut = self._piece(other, 0, 0)
            return one.plus(self.atoms.of_term(same) if is_cut else self._of(same), -1)
        found = self._low.lowest(whole)
        if found is None or any(bits_of(bit)[0] is whole for bit in found[0]):
            return None
        bits, inverse = found
        for bit in bits:
            one = one.times(self._of(bit))
        return DyadicPolynomial.constant(1).plus(one, -1) if inverse else one

    def _piece(self, whole: BitTerm, high: int, low: int) -> tuple[BitTerm, bool]:
        """Bits of a term, and whether these are a slice of that very term."""
        piece = self._pool.extract(whole, high, low)
        return piece, piece.operation == "slice" and piece.operands[0] is whole

    # Choices

    def _shorter_choice(self, term: BitTerm) -> DyadicPolynomial:
        """A choice among sums that may wrap is low bits of a choice among integers, if that takes less comparisons."""
        found = self._choice(term)
        if not self._wraps(term) or self._compared(found) < 2:
            return found
        fitted = self._fitted(term, term.width)
        return found if fitted is None or self._compared(fitted) >= self._compared(found) else fitted

    def _choice(self, term: BitTerm) -> DyadicPolynomial:
        bit, one, other = term.operands
        chosen = self._of(bit)
        if chosen.only is not None:
            return self._of(one if chosen.only else other)
        first, second = (self._under(value, chosen, when) for value, when in ((one, 1), (other, 0)))
        difference = self._alone(first.plus(second, -1), chosen)
        if len(chosen) * len(difference) > MOST_MONOMIALS:
            return self.atoms.of_term(term)
        polynomial = self.atoms.simplified(second.plus(chosen.times(difference)))
        if len(polynomial) > 1 and not self._compares(polynomial) and self.ranges.of_values(polynomial) is None:
            self._note_range(polynomial, (first, second))
        return polynomial

    def _note_range(self, polynomial: DyadicPolynomial, branches: Sequence[DyadicPolynomial]) -> None:
        """Note the range of a choice, if those of its branches say more than its own polynomial does."""
        found, *ranges = (self.ranges.of(each) for each in (polynomial, *branches))
        known = [each for each in ranges if each is not None]
        if found is None or len(known) < len(ranges):
            return
        least, most = min(low for low, _ in known), max(high for _, high in known)
        if found[0] < least or found[1] > most:
            self.atoms.note(IntegerFact(polynomial, least, most))

    def _of_digit(self, term: BitTerm, polynomial: DyadicPolynomial) -> DyadicPolynomial:
        """A polynomial, or an atom in its place if a digit chooses a value, since these have a range of their own."""
        exactly = self._read.get(term) is polynomial
        found = self.ranges.of_values(polynomial) if exactly and term.operation == "ite" else None
        if found is None or self.ranges.of(polynomial) == found:
            return polynomial
        atom = self.atoms.of_term(term, found, self.residues.of(polynomial) if self.residues.modulus else None)
        self.atoms.name(polynomial, atom)
        return atom

    def _under(self, value: BitTerm, bit: DyadicPolynomial, when: int) -> DyadicPolynomial:
        """A polynomial that is a value wherever a bit is what it is there."""
        found: list[DyadicPolynomial | None] = [
            self._fitted(value, value.width, known, exactly=True) for known in self._cases(bit, when)
        ]
        first = found[0] if found else None
        if first is not None and all(each is not None and each.key == first.key for each in found):
            return first
        return self._of(value)

    def _alone(self, polynomial: DyadicPolynomial, bit: DyadicPolynomial) -> DyadicPolynomial:
        """A polynomial, or a constant that it is wherever a bit is 1."""
        found = {self.ranges.of(polynomial, known) for known in self._cases(bit, 1)}
        values = {end for each in found if each is not None for end in each}
        return DyadicPolynomial.constant(values.pop()) if len(values) == 1 else polynomial

    def _cases(self, bit: DyadicPolynomial, when: int) -> list[list[IntegerFact]]:
        """The outcomes of comparisons that make a bit what it is, as facts; none without comparisons, or of many."""
        numbers = sorted(number for number in bit.atoms if self.atoms[number].below is not None)
        if not 0 < len(numbers) <= MOST_COMPARED:
            return []
        cases = []
        for outcome in product((0, 1), repeat=len(numbers)):
            outcomes = dict(zip(numbers, outcome, strict=True))
            if bit.with_bits(outcomes).only not in (None, when):
                continue
            facts = [self.atoms[number].fact(value) for number, value in outcomes.items()]
            known = [IntegerFact(fact.polynomial.with_bits(outcomes), fact.least, fact.most) for fact in facts]
            if self.ranges.of(DyadicPolynomial({}), known) is not None:
                cases.append(known)
        return cases


def _flips(term: BitTerm) -> bool:
    """True if an exclusive or changes the top bit alone, which is a sum modulo its width: comparisons with sign."""
    return any(operand.is_constant and operand.value == 1 << term.width - 1 for operand in term.operands)
