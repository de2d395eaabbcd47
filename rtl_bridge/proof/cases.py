# SPDX-License-Identifier: Apache-2.0
"""Cases of a product in a core whose control depends on data: what is assumed of the operands, and what follows.

A case is split where an output of the handshake is not a constant: into one in which it is 1 and one in which it is 0.
A case is dropped only where a solver says that no values fulfil its assumptions, so the cases that are left are all
there are.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool, bits_of, pieces
from limbtrace.rtl_bridge.proof.substitute import replaced

MOST_CASES = 256
"""Cases of a product that are followed; of more, the proof is open."""
CASES = "cases"
"""The signal of the obligation to have no more."""


@dataclass(frozen=True)
class Case:
    """Bits that are 1 in it. Of no bits at all, it is every product."""

    assumed: tuple[BitTerm, ...] = ()
    known: tuple[Mapping[BitTerm, BitTerm], ...] = ()
    """What takes the place of terms: of each assumption, behind the earlier ones."""
    values: Mapping[str, int] | None = None
    """Values of variables that fulfil the assumptions; None where none were found."""

    def assume(self, pool: TermPool, bit: BitTerm, value: int) -> "Case":
        """The case in which a bit has a value, too; its values are not known yet."""
        fact = bit if value else pool.bvnot(bit)
        by = {**_implied(pool, bit, value), bit: pool.constant(1, value), pool.bvnot(bit): pool.constant(1, 1 - value)}
        return replace(self, assumed=(*self.assumed, fact), known=(*self.known, by), values=None)

    def only(self, is_kept: Callable[[BitTerm], bool]) -> "Case":
        """Some of its assumptions, which are those of a case that holds this one."""
        kept = [pair for pair in zip(self.assumed, self.known, strict=True) if is_kept(pair[0])]
        return replace(self, assumed=tuple(bit for bit, _ in kept), known=tuple(by for _, by in kept))

    def applied(self, pool: TermPool, terms: Iterable[BitTerm]) -> list[BitTerm]:
        """Terms that have the values of these in this case."""
        found = list(terms)
        for by in self.known:
            found = replaced(pool, found, by)
        return found

    def state(self, pool: TermPool, registers: Mapping[int, BitTerm]) -> dict[int, BitTerm]:
        """Registers that have the values of these in this case."""
        return dict(zip(registers, self.applied(pool, registers.values()), strict=True))


EVERY = Case(values={})
"""The case of a product whose control does not depend on data."""


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
        each = (pool.constant(1, places[k]) if k in places else pool.extract(variable, k, k)
                for k in reversed(range(variable.width)))  # fmt: skip
        by[variable] = pool.concat(each)
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


def condition(bit: BitTerm) -> BitTerm:
    """A bit that a control bit depends on and that no other control makes: where it is known, so are the registers of
    the control that it decides, and not just this one."""
    while True:
        if bit.operation in ("not", "ite"):  # one bit wide, as each condition is
            bit = bit.operands[0]
        elif bit.operation in ("and", "or", "xor"):
            bit = next((part for part in bit.operands if part.operation not in ("const", "var")), bit.operands[0])
        elif bit.operation == "eq" and (choice := _choice(bit)) is not None:
            bit = choice.operands[0]
        else:
            return bit


def _choice(equality: BitTerm) -> BitTerm | None:
    """A choice that is a side of an equality, or a part of one, or is added to something in it."""
    for side in equality.operands:
        for part in pieces(side):
            whole = bits_of(part)[0]
            for term in (whole, *(whole.operands if whole.operation in ("sum", "wrap") else ())):
                if term.operation == "ite":
                    return term
    return None
