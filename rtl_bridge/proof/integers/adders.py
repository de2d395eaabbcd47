# SPDX-License-Identifier: Apache-2.0
"""Sums and products that are written in gates, as sums and products of words.

The bits of a word times powers of two are a linear form, in which the parity of bits is their sum less twice their
carry. What is left when all parities are replaced, the newest first, has no carries if the word is a sum. A bit alone
is made a word by the bits below it: it is bit l of 2^l times it and l bits below, whatever these are, and they are
chosen so that the carries into each column cancel. The bits that are left are multiplied out, and words are read off.

All forms are modulo a power of two, so that a carry out of the top column does not count and no other one is dropped.
"""

import math
import time
from collections.abc import Callable, Iterable, Sequence

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool, bits_of, cone, pieces
from limbtrace.rtl_bridge.proof.integers.bit_forms import Below, BitForm
from limbtrace.rtl_bridge.proof.integers.gates import Gates, LinearForm, is_gate
from limbtrace.rtl_bridge.proof.integers.words import BitPolynomial, in_words, lowest_product, of_gate
from limbtrace.rtl_bridge.proof.substitute import rebuilt

MOST_OF_BIT = 64
"""Monomials of a bit that is multiplied out."""
MOST_DEPTH = 24
"""Gates through which a bit is multiplied out, one behind the other."""
LEAST_BELOW = 2
"""Bits below a bit that make it one of a word, and not a choice among a few values."""
_LOGIC = ("and", "or", "xor", "not")


class AdderReader:
    """Reads terms of a pool; what several of them are made of is read once."""

    def __init__(self, pool: TermPool) -> None:
        self.pool = pool
        self._gates = Gates(pool)
        self._of_gates: set[BitTerm] = set()
        """Terms that gates are part of."""
        self._read: dict[BitTerm, BitTerm] = {}
        self._sums: set[BitTerm] = set()
        """Sums of gates, and of bits of such sums."""
        self._exact: set[BitTerm] = set()
        """Sums of gates that might wrap, and never do."""
        self._bits: dict[tuple[BitTerm, int], BitTerm] = {}
        self._words: dict[BitTerm, BitTerm] = {}
        """Bits, and the bits of words that they are equal to."""
        self._lowest: dict[BitTerm, BitTerm] = {}
        """Gates that are the lowest bits of products, and the bits of these products."""
        self._failed: set[BitTerm] = set()
        """Gates that are not known to be bits of words."""
        self._looked: set[BitTerm] = set()
        self._multiplied: dict[BitTerm, BitPolynomial | None] = {}
        self._until = math.inf

    def read(self, roots: Sequence[BitTerm], until: float = math.inf) -> list[BitTerm]:
        """Equal terms, with sums and products of words in place of gates as far as these are recognized.

        Raises TimeoutError if they are not read at that time (monotonic).
        """
        if not has_parities(roots):
            return list(roots)
        order = list(cone(roots))
        self._until = until
        for term in order:
            self._note(term)
        for term in order:
            if not self._is_bits(term) and term not in self._read:
                self.check_time()
                self._read[term] = self._made(term) if term in self._of_gates else term
        return [self._value(root) for root in roots]

    def check_time(self) -> None:
        """Raises TimeoutError if the time is over."""
        if time.monotonic() > self._until:
            raise TimeoutError

    def _note(self, term: BitTerm) -> None:
        if _is_logic(term) or any(operand in self._of_gates for operand in term.operands):
            self._of_gates.add(term)
        self._gates.note(term)

    def _is_bits(self, term: BitTerm) -> bool:
        """True if a term is logic, or has bits of logic side by side: made again for others only."""
        return _is_logic(term) or (term.operation == "concat" and term in self._of_gates)

    # Terms again, with what was found

    def _made(self, term: BitTerm) -> BitTerm:
        made = None
        if term.operation in ("sum", "wrap") and any(map(self._is_open, term.operands)):
            self._sums.add(term)
            made = self._summed(term)
        if made is None:
            made = rebuilt(self.pool, term, [self._value(operand) for operand in term.operands])
        return made

    def _summed(self, term: BitTerm) -> BitTerm | None:
        """A sum with words in place of bits; with as many bits as it takes not to wrap first, as it may never do so."""
        factors, constant = term.detail
        most = constant + sum(factor * operand.most for operand, factor in zip(term.operands, factors, strict=True))
        if term.operation == "wrap" and constant >= 0 and min(factors) >= 0:
            form = BitForm(self, most.bit_length())
            form.add_value(term)
            found = self._found(form, [], len(form.linear) // 2)
            if found is not None:
                if not found.most >> term.width:
                    self._exact.add(term)
                return self.pool.extract(found, term.width - 1, 0)
        form = BitForm(self, term.width)
        form.add_value(term)
        return self._found(form, [], len(form.linear) // 2)

    def _is_open(self, term: BitTerm) -> bool:
        """True if a term is made of bits that may be summed up."""
        return any(
            _is_logic(part) or (part.operation == "slice" and part.operands[0] in self._sums) for part in pieces(term)
        )

    def _value(self, term: BitTerm) -> BitTerm:
        """A term with what was found in place of its bits, of which the highest one is looked at first."""
        if term.width == 1:
            return self._gate(term)
        if _is_logic(term):
            bits = [self.bit(term, place) for place in reversed(range(term.width))]
            found = [self._gate(bit) for bit in bits]
            return term if found == bits else self.pool.concat(found)
        if term.operation == "concat" and term in self._of_gates:
            return self.pool.concat([self._value(part) for part in term.operands])
        whole, high, low = bits_of(term)
        if whole in self._sums and whole is not term:
            known = [self._words.get(self.bit(whole, place)) for place in range(high, low - 1, -1)]
            words = [bit for bit in known if bit is not None]
            if len(words) == len(known):
                return self.pool.concat(words)
        return self._read[term]

    def _gate(self, gate: BitTerm) -> BitTerm:
        """A gate as a bit of a word, or made again of such bits."""
        done: dict[BitTerm, BitTerm] = {}
        waiting = [gate]
        while waiting:
            top = waiting[-1]
            if top in done:
                waiting.pop()
            elif not is_gate(top):
                done[top] = self._words.get(top) or self._leaf(top)
            elif (word := self._word_bit(top)) is not None:
                done[top] = word
            elif missing := [each for each in top.operands if each not in done]:
                waiting += missing
            else:
                made = rebuilt(self.pool, top, [done[operand] for operand in top.operands])
                done[top] = self._lowest.get(made, made)
        return done[gate]

    def _leaf(self, bit: BitTerm) -> BitTerm:
        """A bit other than a gate, of the term that its own was read as."""
        if bit in self._read:
            return self._read[bit]
        whole, _, low = bits_of(bit)
        if whole is not bit and whole in self._read:
            return self.bit(self._read[whole], low)
        return bit

    def bit(self, term: BitTerm, place: int) -> BitTerm:
        """A bit of a term, as a gate where the term is logic."""
        waiting = [(term, place)]
        while (term, place) not in self._bits:
            top = waiting[-1]
            parts = self._bits_in(*top)
            if missing := [part for part in parts if part not in self._bits]:
                waiting += missing
            else:
                made = self._made_bit(*top, [self._bits[part] for part in parts])
                self._gates.note(made)
                self._bits[top] = made
                waiting.pop()
        return self._bits[term, place]

    @staticmethod
    def _bits_in(term: BitTerm, place: int) -> list[tuple[BitTerm, int]]:
        """The bits of other terms that a bit of a term is, or is made of."""
        if term.width == 1:
            return []
        if term.operation in _LOGIC:
            return [(operand, place) for operand in term.operands]
        if term.operation == "ite":
            return [(term.operands[0], 0), *((operand, place) for operand in term.operands[1:])]
        if term.operation == "slice":
            return [(term.operands[0], place + int(term.detail[1]))]
        if term.operation == "concat":
            for part in reversed(term.operands):
                if place < part.width:
                    return [(part, place)]
                place -= part.width
        return []

    def _made_bit(self, term: BitTerm, place: int, parts: Sequence[BitTerm]) -> BitTerm:
        pool = self.pool
        if not parts:
            return pool.bit_of(term, place)
        makers: dict[str, Callable[..., BitTerm]] = {
            "and": pool.bvand, "or": pool.bvor, "xor": pool.bvxor, "not": pool.bvnot, "ite": pool.ite,
        }  # fmt: skip
        return makers[term.operation](*parts) if term.operation in makers else parts[0]

    # Words

    def _word_bit(self, gate: BitTerm) -> BitTerm | None:
        """A gate as a bit of a word that is a sum; None if it is not known to be that."""
        if gate in self._words:
            return self._words[gate]
        if gate in self._failed or not self._gates.is_sum(gate):
            return None
        form = BitForm(self, 1)
        form.add(gate, 1 << form.unit)
        found = self._found(form, [gate], 0)
        if found is None:
            self._failed.add(gate)
        return found

    def _found(self, form: BitForm, tops: Sequence[BitTerm], count: int) -> BitTerm | None:
        """The bits of a form from its unit on, with the bits below noted as bits of the same word; None if unknown.

        `count`: words of which there may be so many.
        """
        below = form.complete()
        if (len(below) < LEAST_BELOW) if tops else not form.replaced:
            return None
        self._look(form.linear)
        polynomial = form.multiplied()
        if polynomial is None:
            return None
        found_words = self._words_of(polynomial, form.width, form.low, count, flipping=bool(tops))
        if found_words is None:
            return None
        whole, low, inverts, inverts_top = found_words
        for place, each in enumerate(reversed(below), low - len(below)):
            bit = self.pool.extract(whole, place, place)
            for gate, inverted in each.gates:
                self._words[gate] = self.pool.bvnot(bit) if inverted ^ inverts else bit
        found = self.pool.extract(whole, form.width + low - 1, low)
        if inverts ^ inverts_top:
            found = self.pool.bvnot(found)
        for top in tops:
            self._words[top] = found
        return found

    def _words_of(
        self, polynomial: BitPolynomial, width: int, low: int, count: int, *, flipping: bool
    ) -> tuple[BitTerm, int, bool, bool] | None:
        """The word that a polynomial modulo 2^(width + low) is, or that it is with bits inverted.

        The number of bits below, one more if the word is a product whose lowest bit is not among them; whether all bits
        are inverted, and whether the top one is once more, if it may be `flipping`: x + 2^low is x with
        its top bit flipped, and 2^(width + low) - 1 - x has all bits inverted.
        """
        full, top = (1 << width + low) - 1, 1 << low if flipping else 0
        constant = polynomial.pop((), 0)
        if inverts := constant & ~top == full & ~top:
            constant, polynomial = full - constant, {monomial: -factor for monomial, factor in polynomial.items()}
        if inverts_top := flipping and constant == top:
            constant = 0
        polynomial[()] = constant
        most = max(2 + low // 2, count)
        words = in_words(self.pool, polynomial, width + low, most)
        lowest = lowest_product(polynomial)
        if lowest is not None:
            twice = {lowest: 1, **{monomial: 2 * factor for monomial, factor in polynomial.items()}}
            fewer = in_words(self.pool, twice, width + low + 1, most)
            if fewer is not None and (words is None or len(fewer[0]) < len(words[0])):
                whole = self.pool.sum(*fewer, width + low + 1)
                self._lowest[self.pool.bvand(*lowest)] = self.pool.extract(whole, 0, 0)
                return whole, low + 1, inverts, inverts_top
        return None if words is None else (self.pool.sum(*words, width + low), low, inverts, inverts_top)

    def _look(self, bits: Iterable[BitTerm]) -> None:
        """Look for words in what bits are made of, those of the highest bits first."""
        waiting, sums = list(bits), []
        while waiting:
            bit = waiting.pop()
            if bit in self._looked or not is_gate(bit):
                continue
            self._looked.add(bit)
            if self._gates.is_sum(bit):
                sums.append(bit)
            else:
                waiting += bit.operands
        for bit in sorted(sums, key=lambda bit: -bit.number):
            self._word_bit(bit)

    def multiplied(self, bit: BitTerm, depth: int = MOST_DEPTH) -> BitPolynomial | None:
        """A bit as a polynomial in bits that are no gates, or that are bits of words; None if it is too long."""
        if bit not in self._multiplied:
            if not depth:
                return None
            self._multiplied[bit] = self._multiply(bit, depth - 1)
        return self._multiplied[bit]

    def _multiply(self, bit: BitTerm, depth: int) -> BitPolynomial | None:
        if bit.is_constant:
            return {(): bit.value} if bit.value else {}
        word = self._word_bit(bit) if is_gate(bit) else self._words.get(bit) or self._leaf(bit)
        if word is not None and word is not bit:
            return self.multiplied(word, depth)
        if not is_gate(bit):
            return {(bit,): 1}
        parts = [self.multiplied(operand, depth) for operand in bit.operands]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        made = of_gate(bit.operation, *known)
        return made if len(made) <= MOST_OF_BIT else None

    # What forms are made of

    def rule(self, bit: BitTerm) -> LinearForm | None:
        """A bit as a linear form in older bits and in carries."""
        return self._gates.linear(bit) if is_gate(bit) else None

    def below(self, bit: BitTerm) -> Below | None:
        """The bit below one that is a carry; None below all others."""
        carry = self._gates.carry(bit)
        if carry is not None and self._gates.is_added(carry):
            gates = self._gates.parities(carry)
            return Below(max((gate.number for gate, _ in gates), default=bit.number), carry.parity, gates)
        whole, _, low = bits_of(bit)
        if low and self.is_added(whole):
            bit_below = self.bit(whole, low - 1)
            return Below(bit.number, {bit_below: 1}, [(bit_below, 0)])
        return None

    def is_exact(self, whole: BitTerm) -> bool:
        """True if a sum that might wrap is known not to."""
        return whole in self._exact

    def is_added(self, whole: BitTerm) -> bool:
        """True if a term is a sum of bits that may be part of longer sums."""
        return whole in self._sums


def has_parities(roots: Sequence[BitTerm]) -> bool:
    """True if terms are made of exclusive ors, without which there are no sums in gates."""
    return any(_is_logic(term) and term.operation == "xor" for term in cone(roots))


def _is_logic(term: BitTerm) -> bool:
    """True if a term is made of gates alone; an inverted sign is part of a comparison."""
    if term.width > 1 and any(operand.is_constant for operand in term.operands):
        return False
    return is_gate(term) or term.operation in _LOGIC
