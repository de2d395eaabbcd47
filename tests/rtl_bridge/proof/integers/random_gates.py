# SPDX-License-Identifier: Apache-2.0
"""Random adders, multipliers and logic of few bits, right and wrong ones, and words that are made of their bits."""

import random

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool
from tests.rtl_bridge.proof.integers.gate_multipliers import (
    FAULTS,
    GATE_MULTIPLIERS,
    Cells,
    bits_of_word,
    joined,
)


class RandomGates:
    """Terms of a pool over three variables of two to four bits, and random gates over six bits."""

    def __init__(self, seed: int) -> None:
        self.draw, self.pool = random.Random(seed), TermPool()
        pool, draw = self.pool, self.draw
        self.variables = [pool.variable(f"v{number}", width) for number, width in enumerate((4, 4, 2))]
        self.words: list[BitTerm] = [*self.variables]
        makers = [self._ripple, self._multiplied, self._sum, self._parts, self._logic, self._subtracted, self._chosen]
        for _ in range(7):
            self.words.append(draw.choice(makers)())
        self.terms = self.words[3:]
        self.bits = [pool.variable(f"g{number}", 1) for number in range(5)]
        self.gates: list[BitTerm] = []
        for _ in range(30):
            self._gate()

    def values(self) -> dict[str, int]:
        """Values of the variables, often extreme ones."""
        variables = [*self.variables, *self.bits]
        return {str(each.detail): self.draw.choice((0, each.most, *[self.draw.randint(0, each.most)] * 3))
                for each in variables}  # fmt: skip

    def _any(self, least: int = 1) -> BitTerm:
        word = self.draw.choice(self.words)
        return self.pool.extend(word, max(min(word.width, 8), least))

    def _cells(self) -> Cells:
        draw = self.draw
        faults = {draw.randrange(12): draw.choice(FAULTS)} if draw.random() < 0.3 else {}
        return Cells(self.pool, faults, style=draw.randrange(5))

    def _ripple(self) -> BitTerm:
        one, other = self._any(), self._any()
        width = max(one.width, other.width) + self.draw.randrange(2)
        return self._rippled(self.pool.extend(one, width), self.pool.extend(other, width))

    def _rippled(self, one: BitTerm, other: BitTerm, carry: BitTerm | None = None) -> BitTerm:
        columns = [list(pair) for pair in zip(*(bits_of_word(self.pool, x) for x in (one, other)), strict=True)]
        if carry is not None and carry.is_constant:
            columns[0].append(self.pool.bvxor(carry, self.pool.constant(1, 0)))
        columns = [[bit for bit in column if not bit.is_constant or bit.value] for column in columns]
        return joined(self.pool, self._cells().ripple([column[:2] for column in columns]))

    def _subtracted(self) -> BitTerm:
        one, other = self._any(), self._any()
        width = max(one.width, other.width) + 1
        return self._rippled(self.pool.extend(one, width), self.pool.bvnot(self.pool.extend(other, width)))

    def _multiplied(self) -> BitTerm:
        name = self.draw.choice([*GATE_MULTIPLIERS])
        size = self.draw.choice((2, 4))
        one, other = (self.pool.extend(self._any(), size) for _ in range(2))
        return GATE_MULTIPLIERS[name](self._cells(), one, other)

    def _sum(self) -> BitTerm:
        one, other = self._any(), self._any()
        width = max(one.width, other.width) + self.draw.randrange(2)
        make = self.draw.choice((self.pool.add, self.pool.sub))
        return make(self.pool.extend(one, width), self.pool.extend(other, width))

    def _parts(self) -> BitTerm:
        word = self._any(2)
        low = self.draw.randrange(word.width)
        part = self.pool.extract(word, self.draw.randrange(low, word.width), low)
        return self.pool.concat((part, self._any())) if self.draw.random() < 0.4 else part

    def _logic(self) -> BitTerm:
        one, other = self._any(), self._any()
        width = max(one.width, other.width)
        make = self.draw.choice((self.pool.bvand, self.pool.bvor, self.pool.bvxor))
        return make(self.pool.extend(one, width), self.pool.extend(other, width))

    def _chosen(self) -> BitTerm:
        one, other = self._any(), self._any()
        width = max(one.width, other.width)
        bit = self.pool.extract(self._any(), 0, 0)
        return self.pool.ite(bit, self.pool.extend(one, width), self.pool.extend(other, width))

    def _gate(self) -> None:
        pool, draw = self.pool, self.draw
        x, y, z = (draw.choice([*self.bits, *self.gates[-8:]]) for _ in range(3))
        x, y, z = (pool.bvnot(bit) if draw.random() < 0.3 else bit for bit in (x, y, z))
        if draw.random() < 0.5:
            made = Cells(pool, style=draw.randrange(4)).full(x, y, z)
        else:
            made = (draw.choice((pool.bvand, pool.bvor, pool.bvxor))(x, y), pool.ite(x, y, z))
        for bit in made:
            self._note(bit)

    def _note(self, bit: BitTerm) -> None:
        for operand in bit.operands:
            if operand not in self.gates and operand not in self.bits:
                self._note(operand)
        if bit not in self.gates and not bit.is_constant and bit not in self.bits:
            self.gates.append(bit)
