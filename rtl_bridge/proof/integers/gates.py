# SPDX-License-Identifier: Apache-2.0
"""Full and half adders among gates, in whatever gates they are written: by truth tables over cuts of up to three bits.

The parity of two or three bits is their sum less twice their carry, which is the conjunction of two bits or the
majority of three. Each of these is thereby a linear form in older bits, for all values of the bits.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool

MOST_CUTS = 10
"""Cuts of a gate that are kept, those with the fewest leaves."""
MOST_LEAVES = 3

Leaves = tuple[BitTerm, ...]
"""Bits that a gate is a function of, in the order of their numbers; none is inverted."""
LinearForm = Mapping[BitTerm | None, int]
"""Factors of bits; of None: the constant."""


def is_gate(term: BitTerm) -> bool:
    """True if a term is an operation on bits that gives a bit."""
    if term.width > 1:
        return False
    return term.operation in ("and", "or", "xor", "not", "ite") or (
        term.operation == "eq" and term.operands[0].width == 1
    )


def _columns(size: int) -> list[int]:
    """The truth tables of so many leaves: bit r is the value in row r, whose bit k is the value of leaf k."""
    return [sum((row >> place & 1) << row for row in range(1 << size)) for place in range(size)]


def _of_gate(operation: str, tables: list[int], full: int) -> int:
    """The truth table of a gate, from those of its operands."""
    x, *rest = tables
    if operation == "not":
        return ~x & full
    if operation == "ite":
        return x & rest[0] | ~x & rest[1] & full
    y = rest[0]
    return {"and": x & y, "or": x | y, "xor": x ^ y, "eq": ~(x ^ y) & full}[operation]


_PARITIES = {(2, 0b0110): 0, (2, 0b1001): 1, (3, 0b10010110): 0, (3, 0b01101001): 1}
"""(number of leaves, truth table of a parity) -> whether it is inverted."""


def _carry_tables() -> dict[tuple[int, int], tuple[int, int]]:
    """(number of leaves, truth table of a carry) -> (mask of leaves that are inverted, whether the carry is).

    A majority of inverted bits is an inverted majority, so its first leaf never is.
    """
    found = {}
    for size in (2, 3):
        full = (1 << (1 << size)) - 1
        for mask in range(0, 1 << size, 1 if size == 2 else 2):
            x, y, *z = (column ^ full * (mask >> place & 1) for place, column in enumerate(_columns(size)))
            table = x & y | (x | y) & z[0] if z else x & y
            found[size, table], found[size, full ^ table] = (mask, 0), (mask, 1)
    return found


_CARRIES = _carry_tables()


@cache
def _spread(table: int, places: tuple[int, ...], size: int) -> int:
    """A truth table over more leaves, `size` of them, of which those at some places are its own."""
    spread = 0
    for row in range(1 << size):
        spread |= (table >> sum((row >> place & 1) << own for own, place in enumerate(places)) & 1) << row
    return spread


@dataclass
class Carry:
    """The carry of two bits, or of three of which some are inverted."""

    bits: Leaves
    inverted: int
    """A mask."""
    term: BitTerm
    is_gate: bool = False
    """False where only the parity of the bits is a gate, as in the top column of a sum."""

    @property
    def parity(self) -> dict[BitTerm | None, int]:
        """The parity of the bits, inverted as they are: their sum less twice the carry."""
        form: dict[BitTerm | None, int] = {None: self.inverted.bit_count()}
        for place, bit in enumerate(self.bits):
            form[bit] = -1 if self.inverted >> place & 1 else 1
        form[self.term] = form.get(self.term, 0) - 2
        return form


class Gates:
    """Gates, which are noted after their operands, as parts of adders."""

    def __init__(self, pool: TermPool) -> None:
        self._pool = pool
        self._cuts: dict[BitTerm, dict[Leaves, int]] = {}
        """Gate -> leaves -> truth table."""
        self._carries: dict[tuple[Leaves, int], Carry] = {}
        self._of_term: dict[BitTerm, Carry] = {}
        self._carried: dict[BitTerm, LinearForm] = {}
        """Gates that are carries, as linear forms in the one term of each carry."""
        self._parities: dict[BitTerm, list[tuple[Leaves, int]]] = {}
        """Gates that are parities, as bits and whether inverted."""
        self._of_bits: dict[Leaves, list[tuple[BitTerm, int]]] = {}
        """Bits -> gates that are the parity of them, each with whether it is inverted."""

    def note(self, gate: BitTerm) -> None:
        """Note a gate, after its operands."""
        if gate in self._cuts or not is_gate(gate):
            return
        self._cuts[gate] = cuts = self._made_cuts(gate)
        if gate.operation == "not":
            return
        for leaves, table in sorted(cuts.items(), key=lambda cut: -len(cut[0])):
            if (known := _CARRIES.get((len(leaves), table))) is not None:
                self._note_carry(gate, leaves, *known)
                break
            if (inverted := _PARITIES.get((len(leaves), table))) is not None:
                self._parities.setdefault(gate, []).append((leaves, inverted))
                self._of_bits.setdefault(leaves, []).append((gate, inverted))

    def linear(self, gate: BitTerm) -> LinearForm | None:
        """A gate as a linear form in older bits and in carries; None for one outside of adders."""
        if gate.operation == "not":
            return {None: 1, gate.operands[0]: -1}
        if gate in self._carried:
            return self._carried[gate]
        for leaves, inverted in self._parities.get(gate, ()):
            if len(leaves) == 2:
                self._conjunction(leaves)
            for carry in self._carries_of(leaves):
                return _inverted(carry.parity) if inverted ^ carry.inverted.bit_count() & 1 else carry.parity
        return None

    def is_sum(self, gate: BitTerm) -> bool:
        """True if a gate is a parity of bits, or the carry of bits of which another gate is the parity."""
        carry = self._of_term.get(gate)
        return gate in self._parities or (carry is not None and self.is_added(carry))

    def is_added(self, carry: Carry) -> bool:
        """True if gates are both this carry and the parity of its bits, or it is a majority."""
        return len(carry.bits) == 3 or (carry.is_gate and carry.bits in self._of_bits)

    def carry(self, term: BitTerm) -> Carry | None:
        """The carry that a term stands for."""
        return self._of_term.get(term)

    def parities(self, carry: Carry) -> list[tuple[BitTerm, int]]:
        """Gates that are the parity of the bits of a carry, inverted as they are: each with whether it is inverted."""
        odd = carry.inverted.bit_count() & 1
        return [(gate, inverted ^ odd) for gate, inverted in self._of_bits.get(carry.bits, ())]

    def _carries_of(self, leaves: Leaves) -> list[Carry]:
        found = (self._carries.get((leaves, mask)) for mask in range(0, 8, 2))
        return [carry for carry in found if carry is not None]

    def _conjunction(self, leaves: Leaves) -> Carry:
        """The carry of two bits, which need not be a gate."""
        return self._put(leaves, 0, self._pool.bvand(*leaves))

    def _put(self, leaves: Leaves, mask: int, term: BitTerm) -> Carry:
        """The carry of these bits, or of all of them inverted, which is it inverted."""
        key = leaves, mask if not mask & 1 else mask ^ 7
        if key not in self._carries:
            self._carries[key] = self._of_term[term] = Carry(leaves, mask, term)
        return self._carries[key]

    def _note_carry(self, gate: BitTerm, leaves: Leaves, mask: int, inverted: int) -> None:
        form: dict[BitTerm | None, int]
        if len(leaves) == 3:
            own = mask ^ 7 * inverted
            carry = self._put(leaves, own, gate)
            form = {None: 0, carry.term: 1}
            inverted = int(carry.inverted != own)
        else:  # (x or 1 - x) * (y or 1 - y)
            carry = self._conjunction(leaves)
            carry.is_gate = True
            p, q = mask & 1, mask >> 1
            form = {None: p * q, leaves[0]: q * (1 - 2 * p), leaves[1]: p * (1 - 2 * q)}
            form[carry.term] = form.get(carry.term, 0) + (1 - 2 * p) * (1 - 2 * q)
        if gate not in form:
            self._carried.setdefault(gate, _inverted(form) if inverted else form)

    def _made_cuts(self, gate: BitTerm) -> dict[Leaves, int]:
        found: dict[Leaves, int] = {}
        choices = []
        for operand in gate.operands:
            itself = [] if operand.operation == "not" else [((operand,), 0b10)]
            choices.append([*self._cuts.get(operand, {}).items(), *itself])
        for chosen in product(*choices):
            leaves = tuple(sorted({leaf for own, _ in chosen for leaf in own}, key=lambda leaf: leaf.number))
            if len(leaves) <= MOST_LEAVES and leaves not in found:
                size = len(leaves)
                tables = [_spread(table, tuple(map(leaves.index, own)), size) for own, table in chosen]
                found[leaves] = _of_gate(gate.operation, tables, (1 << (1 << size)) - 1)
        nearest = sorted(found.items(), key=lambda cut: (len(cut[0]), -sum(leaf.number for leaf in cut[0])))
        return dict(nearest[:MOST_CUTS])


def _inverted(form: LinearForm) -> LinearForm:
    """1 less a form."""
    return {bit: int(bit is None) - factor for bit, factor in form.items()}
