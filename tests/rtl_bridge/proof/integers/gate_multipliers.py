# SPDX-License-Identifier: Apache-2.0
"""Multipliers in gates, as terms: arrays, trees, carry-save words, Booth's recoding; the right ones and faulty ones.

Each takes the pool and two words of the same size, and returns all bits of their product.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool

Columns = list[list[BitTerm]]
"""Bits of each weight, from 1 on."""


@dataclass
class Cells:
    """Adders of bits; `faults` are numbers of cells, in the order in which they are made, with what they do wrong."""

    pool: TermPool
    faults: dict[int, str] = field(default_factory=dict)
    style: int = 0
    """How a carry is written."""
    made: int = 0

    def _parity(self, *bits: BitTerm) -> BitTerm:
        whole = bits[0]
        for bit in bits[1:]:
            whole = self.pool.bvxor(whole, bit)
        return whole

    def _faulty(self, total: BitTerm, carry: BitTerm, *bits: BitTerm) -> tuple[BitTerm, BitTerm]:
        fault = self.faults.get(self.made)
        self.made += 1
        if fault == "carry dropped":
            carry = self.pool.constant(1, 0)
        elif fault == "and for xor":
            total = self.pool.bvand(bits[0], self._parity(*bits[1:]))
        elif fault == "or for majority":
            carry = self.pool.bvor(bits[0], self.pool.bvor(bits[1], bits[-1]))
        return total, carry

    def half(self, x: BitTerm, y: BitTerm) -> tuple[BitTerm, BitTerm]:
        """(sum, carry) of two bits."""
        return self._faulty(self.pool.bvxor(x, y), self.pool.bvand(x, y), x, y)

    def full(self, x: BitTerm, y: BitTerm, z: BitTerm) -> tuple[BitTerm, BitTerm]:
        """(sum, carry) of three bits."""
        pool = self.pool
        either = pool.bvxor(x, y)
        style = self.style if self.style < 4 else self.made % 4
        if style == 0:
            carry = pool.bvor(pool.bvand(x, y), pool.bvand(either, z))
        elif style == 1:
            carry = pool.bvor(pool.bvor(pool.bvand(x, y), pool.bvand(x, z)), pool.bvand(y, z))
        elif style == 2:
            carry = pool.ite(either, z, x)
        else:
            nands = [pool.bvnot(pool.bvand(x, y)), pool.bvnot(pool.bvand(z, pool.bvor(x, y)))]
            carry = pool.bvnot(pool.bvand(*nands))
        return self._faulty(pool.bvxor(either, z), carry, x, y, z)

    def added(self, bits: Sequence[BitTerm]) -> tuple[BitTerm, BitTerm]:
        """(sum, carry) of two or three bits."""
        return self.full(*bits) if len(bits) == 3 else self.half(*bits)

    def ripple(self, columns: Columns) -> list[BitTerm]:
        """The sum of at most two bits a column, with a carry that ripples; as many bits as columns."""
        result: list[BitTerm] = []
        carry: list[BitTerm] = []
        for column in columns:
            bits = column + carry
            carry = []
            if not bits:
                result.append(self.pool.constant(1, 0))
            elif len(bits) == 1:
                result.append(bits[0])
            else:
                total, more = self.added(bits)
                result.append(total)
                carry = [more]
        return result


def bits_of_word(pool: TermPool, x: BitTerm) -> list[BitTerm]:
    return [pool.extract(x, place, place) for place in range(x.width)]


def joined(pool: TermPool, bits: Sequence[BitTerm]) -> BitTerm:
    return pool.concat(reversed(bits))


def products(cells: Cells, a: BitTerm, b: BitTerm) -> Columns:
    """The products of bits in their columns."""
    pool = cells.pool
    columns: Columns = [[] for _ in range(a.width + b.width)]
    for j, y in enumerate(bits_of_word(pool, b)):
        for i, x in enumerate(bits_of_word(pool, a)):
            columns[i + j].append(pool.bvand(x, y))
    return columns


def array(cells: Cells, a: BitTerm, b: BitTerm) -> BitTerm:
    """Row by row, carries to the next row; the last row ripples."""
    pool, n = cells.pool, a.width
    rows = [[pool.bvand(x, y) for x in bits_of_word(pool, a)] for y in bits_of_word(pool, b)]
    sums, carries, result = rows[0], [pool.constant(1, 0)] * n, []
    for row in rows[1:]:
        result.append(sums[0])
        above = [*sums[1:], pool.constant(1, 0)]
        pairs = [_added(cells, [x, y, z]) for x, y, z in zip(row, above, carries, strict=True)]
        sums, carries = [total for total, _ in pairs], [carry for _, carry in pairs]
    result.append(sums[0])
    zero = pool.constant(1, 0)
    last = [[bit for bit in pair if bit is not zero] for pair in zip([*sums[1:], zero], carries, strict=True)]
    return joined(pool, result + cells.ripple(last))


def _added(cells: Cells, bits: Sequence[BitTerm]) -> tuple[BitTerm, BitTerm]:
    """(sum, carry) of bits, of which some may be zero."""
    zero = cells.pool.constant(1, 0)
    there = [bit for bit in bits if bit is not zero]
    return cells.added(there) if len(there) > 1 else ((there or [zero])[0], zero)


def reduced(cells: Cells, columns: Columns, least: int = 3) -> Columns:
    """Columns of at most two bits with the same sum, level by level, by adders of `least` to three bits."""
    while any(len(column) > 2 for column in columns):
        following: Columns = [[] for _ in range(len(columns) + 1)]
        for place, column in enumerate(columns):
            while len(column) >= least:
                bits, column = column[:3], column[3:]
                total, carry = cells.added(bits)
                following[place].append(total)
                following[place + 1].append(carry)
            following[place] += column
        columns = following[: len(columns)]
    return columns


def wallace(cells: Cells, a: BitTerm, b: BitTerm) -> BitTerm:
    """As many full and half adders as a column allows, level by level."""
    return joined(cells.pool, cells.ripple(reduced(cells, products(cells, a, b), least=2)))


def dadda(cells: Cells, a: BitTerm, b: BitTerm) -> BitTerm:
    """As few adders as a level needs."""
    columns = products(cells, a, b)
    heights = [2]
    while heights[-1] * 3 // 2 < a.width:
        heights.append(heights[-1] * 3 // 2)
    for height in reversed(heights):
        for place in range(len(columns)):
            while len(columns[place]) > height:
                size = 2 if len(columns[place]) == height + 1 else 3
                bits, columns[place] = columns[place][:size], columns[place][size:]
                total, carry = cells.added(bits)
                columns[place].append(total)
                if place + 1 < len(columns):
                    columns[place + 1].append(carry)
    return joined(cells.pool, cells.ripple(columns))


def tree_then_sum(cells: Cells, a: BitTerm, b: BitTerm) -> BitTerm:
    """A tree whose last two words are added by +."""
    pool, columns = cells.pool, reduced(cells, products(cells, a, b))
    zero = pool.constant(1, 0)
    words = [joined(pool, [[*column, zero, zero][at] for column in columns]) for at in range(2)]
    return pool.add(*words)


def carry_save(cells: Cells, a: BitTerm, b: BitTerm) -> BitTerm:
    """Words of sums and carries, row by row, and + at the end."""
    pool, width = cells.pool, a.width + b.width
    total = carries = pool.constant(width, 0)
    for place, y in enumerate(bits_of_word(pool, b)):
        row = pool.ite(y, pool.extend(a, width), pool.constant(width, 0))
        row = pool.shifted("sll", row, pool.constant(width, place))
        both = pool.bvor(pool.bvor(pool.bvand(total, carries), pool.bvand(total, row)), pool.bvand(carries, row))
        total = pool.bvxor(pool.bvxor(total, carries), row)
        carries = pool.shifted("sll", both, pool.constant(width, 1))
    return pool.add(total, carries)


def serial_carry_save(cells: Cells, a: BitTerm, b: BitTerm) -> BitTerm:
    """Words of sums and carries with one bit shifted out for each row, as in a multiplier with registers."""
    pool, n = cells.pool, a.width
    total = carries = pool.constant(n, 0)
    low = []
    for y in bits_of_word(pool, b):
        row = pool.ite(y, a, pool.constant(n, 0))
        both = pool.bvor(pool.bvor(pool.bvand(total, carries), pool.bvand(total, row)), pool.bvand(carries, row))
        total = pool.bvxor(pool.bvxor(total, carries), row)
        low.append(pool.extract(total, 0, 0))
        total, carries = pool.concat((pool.constant(1, 0), pool.extract(total, n - 1, 1))), both
    return pool.concat((pool.add(total, carries), *reversed(low)))


def booth(cells: Cells, a: BitTerm, b: BitTerm) -> BitTerm:
    """Digits from -2 to 2 of b, rows inverted for negative ones with their sign in all bits above, in a tree."""
    pool, width = cells.pool, a.width + b.width
    zero = pool.constant(1, 0)
    digits = [zero, *bits_of_word(pool, b), zero, zero]
    multiplicand = [zero, *bits_of_word(pool, a), zero]
    columns: Columns = [[] for _ in range(width)]
    for j in range(b.width // 2 + 1):
        low, middle, high = digits[2 * j : 2 * j + 3]
        one = pool.bvxor(low, middle)
        same = pool.bvnot(pool.bvxor(low, middle))
        two = pool.bvand(same, pool.bvxor(high, middle))
        row = [
            pool.bvxor(high, pool.bvor(pool.bvand(one, multiplicand[i + 1]), pool.bvand(two, multiplicand[i])))
            for i in range(a.width + 1)
        ]
        row += [high] * (width - len(row))
        for place, bit in enumerate(row[: width - 2 * j]):
            if not bit.is_constant:
                columns[place + 2 * j].append(bit)
        if not high.is_constant:
            columns[2 * j].append(high)
    return joined(pool, cells.ripple(reduced(cells, columns)))


def halves(cells: Cells, a: BitTerm, b: BitTerm) -> BitTerm:
    """Four multipliers of half the width and three short sums, down to 2 x 2 bits; sizes are powers of two."""
    pool, size = cells.pool, a.width
    low, high = ([pool.extract(x, end - 1, end - size // 2) for x in (a, b)] for end in (size // 2, size))
    if size == 2:
        mixed, other, top = (pool.bvand(x, y) for x, y in ((high[0], low[1]), (low[0], high[1]), (high[0], high[1])))
        total, carry = cells.half(mixed, other)
        return joined(pool, [pool.bvand(low[0], low[1]), total, *cells.half(top, carry)])
    m = size // 2
    parts = [
        halves(cells, x, y) for x, y in ((low[0], low[1]), (low[0], high[1]), (high[0], low[1]), (high[0], high[1]))
    ]
    lows, highs = ([pool.extract(x, end - 1, end - m) for x in parts] for end in (m, 2 * m))

    def added(*terms: BitTerm) -> BitTerm:
        total = pool.extend(terms[0], m + 2)
        for term in terms[1:]:
            total = pool.add(total, pool.extend(term, m + 2))
        return total

    sum1 = added(highs[0], lows[1], lows[2])
    sum2 = added(highs[1], highs[2], lows[3], pool.extract(sum1, m + 1, m))
    sum3 = pool.add(highs[3], pool.extend(pool.extract(sum2, m + 1, m), m))
    return pool.concat((sum3, pool.extract(sum2, m - 1, 0), pool.extract(sum1, m - 1, 0), lows[0]))


FAULTS = ("carry dropped", "and for xor", "or for majority")
GateMultiplier = Callable[[Cells, BitTerm, BitTerm], BitTerm]
GATE_MULTIPLIERS: dict[str, GateMultiplier] = {
    "array": array, "wallace": wallace, "dadda": dadda, "tree then sum": tree_then_sum, "carry save": carry_save,
    "serial carry save": serial_carry_save, "booth": booth, "halves": halves,
}  # fmt: skip
