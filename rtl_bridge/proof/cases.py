# SPDX-License-Identifier: Apache-2.0
"""Cases of a product in a core whose handshake depends on data: what is assumed of the operands, and what follows.

A case is split where an output of the handshake is not a constant: into one in which it is 1 and one in which it is 0.
So there are as many as the handshake has courses, whatever ways lead to each. A case is dropped only where a solver
says that no values fulfil its assumptions, so the cases that are left are all there are.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool, bits_of, pieces
from limbtrace.rtl_bridge.proof.substitute import replaced

MOST_CASES = 256
"""Cases of a product that are followed; of more, the proof is open."""
CASES = "cases"
"""The signal of the obligation to have no more."""
MOST_COMPARISONS = 3
"""Comparisons that a case assumes, of which a range may depend."""
BitMasks = tuple[int, int]
"""Masks of bits that are known to be 1, and to be 0."""


@dataclass(frozen=True)
class HandshakeCase:
    """Bits that are 1 in it. Of no bits at all, it is every product."""

    assumed: tuple[BitTerm, ...] = ()
    known: tuple[Mapping[BitTerm, BitTerm], ...] = ()
    """What takes the place of terms: of each assumption, behind the earlier ones."""
    values: Mapping[str, int] | None = None
    """Values of variables that fulfil the assumptions; None where none were found."""

    def assume(self, pool: TermPool, bit: BitTerm, value: int) -> "HandshakeCase":
        """The case in which a bit has a value, too; its values are not known yet."""
        fact = bit if value else pool.bvnot(bit)
        by = {**_implied(pool, bit, value), bit: pool.constant(1, value), pool.bvnot(bit): pool.constant(1, 1 - value)}
        return replace(self, assumed=(*self.assumed, fact), known=(*self.known, by), values=None)

    def knowing(self, pool: TermPool, known: Mapping[BitTerm, BitMasks]) -> "HandshakeCase":
        """The case with bits of terms that follow from its assumptions."""
        by = {term: _with_bits(pool, term, bits) for term, bits in known.items()}
        return replace(self, known=(*self.known, by)) if by else self

    def applied(self, pool: TermPool, terms: Iterable[BitTerm]) -> list[BitTerm]:
        """Terms that have the values of these in this case."""
        found = list(terms)
        for by in self.known:
            found = replaced(pool, found, by)
        return found

    def state(self, pool: TermPool, registers: Mapping[int, BitTerm]) -> dict[int, BitTerm]:
        """Registers that have the values of these in this case."""
        return dict(zip(registers, self.applied(pool, registers.values()), strict=True))


EVERY = HandshakeCase(values={})
"""The case of a product whose control does not depend on data."""


def _with_bits(pool: TermPool, term: BitTerm, known: BitMasks) -> BitTerm:
    """A term of which some bits are constants."""
    ones, zeros = known
    parts: list[BitTerm] = []
    low = 0
    while low < term.width:
        is_known, high = (ones | zeros) >> low & 1, low
        while high + 1 < term.width and (ones | zeros) >> high + 1 & 1 == is_known:
            high += 1
        size = high - low + 1
        parts.append(pool.constant(size, ones >> low) if is_known else pool.extract(term, high, low))
        low = high + 1
    return pool.concat(reversed(parts))


def _implied(pool: TermPool, bit: BitTerm, value: int) -> dict[BitTerm, BitTerm]:
    """Constants that take the place of terms, and variables with known bits that of variables, if a bit is 0 or 1."""
    by: dict[BitTerm, BitTerm] = {}
    bits: dict[BitTerm, dict[int, int]] = {}
    for term, known in _equalities(bit, value):
        low = 0
        for part in reversed(pieces(term)):
            base, _, first = bits_of(part)
            number = known >> low & (1 << part.width) - 1
            if base.operation == "var":
                bits.setdefault(base, {}).update((first + k, number >> k & 1) for k in range(part.width))
            elif not part.is_constant:
                by[part] = pool.constant(part.width, number)
            low += part.width
    for variable, places in bits.items():
        masks = (sum(1 << place for place, each in places.items() if each == value) for value in (1, 0))
        by[variable] = _with_bits(pool, variable, (next(masks), next(masks)))
    return by


def _equalities(bit: BitTerm, value: int) -> Iterator[tuple[BitTerm, int]]:
    """(term, value) of what follows from the value of a bit, by the gates that make it."""
    waiting = [(bit, value)]
    while waiting:
        term, known = waiting.pop()
        if term.operation == "not":
            waiting.append((term.operands[0], known ^ (1 << term.width) - 1))
        elif term.width == 1 and (term.operation, known) in (("and", 1), ("or", 0)):
            waiting += [(operand, known) for operand in term.operands]
        elif term.operation == "eq" and known:
            one, other = term.operands
            if one.is_constant or other.is_constant:
                x, constant = (other, one) if one.is_constant else (one, other)
                waiting.append((x, constant.value))
        else:
            yield term, known


def under_comparisons(pool: TermPool, case: HandshakeCase, x: BitTerm, y: BitTerm) -> Iterator[BitTerm]:
    """Terms that are x where one of the last comparisons holds that a case assumes, or all of these, and else y.

    Where one is y for all operands, x is y in the case; they say of the ranges in x what the case does.
    """
    last = [*comparisons(case).items()][-MOST_COMPARISONS:]
    together = x
    for bit, value in reversed(last):
        yield pool.ite(bit, x, y) if value else pool.ite(bit, y, x)
        together = pool.ite(bit, together, y) if value else pool.ite(bit, y, together)
    if last[1:]:
        yield together


def comparisons(case: HandshakeCase) -> dict[BitTerm, int]:
    """The comparisons that the assumptions of a case are made of, with their values."""
    pairs = [pair for bit in case.assumed for pair in _equalities(bit, 1)]
    return {term: value for term, value in pairs if term.operation == "ult"}
