# SPDX-License-Identifier: Apache-2.0
"""Operands of every kind that rules look at, of a width."""

from collections.abc import Iterator

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool

ALL_CONSTANTS = 3
"""The width up to which every constant is tried; above it some of each kind."""


class Operands:
    """Terms of a pool, and whatever else rules are given; `w` is the width of most of them."""

    def __init__(self, pool: TermPool, width: int) -> None:
        self.pool, self.w = pool, width
        self.full = (1 << width) - 1
        self.x, self.y, self.z = (pool.variable(name, width) for name in "xyz")
        self.b, self.c, self.d = (pool.variable(name, 1) for name in "bcd")
        self.wide = pool.variable("wide", width + 2)

    def n(self, value: int, width: int | None = None) -> BitTerm:
        """A constant."""
        return self.pool.constant(width or self.w, value)

    def upto(self, most: int, name: str = "u", width: int | None = None) -> BitTerm:
        """A variable with a bound."""
        width = width or self.w
        return self.pool.variable(f"{name}{width}_{most}", width, most)

    @property
    def values(self) -> Iterator[int]:
        """Values of constants: all at small widths."""
        if self.w <= ALL_CONSTANTS:
            return iter(range(self.full + 1))
        half = self.full >> 1
        some = (
            0,
            1,
            2,
            5,
            half - 1,
            half,
            half + 1,
            half + 2,
            self.full - 2,
            self.full - 1,
            self.full,
            0b110110 & half,
        )
        return iter(dict.fromkeys(some))

    @property
    def constants(self) -> Iterator[BitTerm]:
        return (self.n(value) for value in self.values)

    @property
    def bits(self) -> Iterator[tuple[int, int]]:
        """(high, low) of all bits in a row of a width."""
        return self.bits_of(self.w)

    @staticmethod
    def bits_of(width: int) -> Iterator[tuple[int, int]]:
        return ((high, low) for high in range(width) for low in range(high + 1))

    def top(self, x: BitTerm) -> BitTerm:
        return self.pool.extract(x, x.width - 1, x.width - 1)

    def zeros(self, count: int) -> BitTerm:
        return self.pool.constant(count, 0)

    def above(self, x: BitTerm, count: int) -> BitTerm:
        """x with so many zeros below it."""
        return self.pool.concat((x, self.zeros(count))) if count else x

    @property
    def kinds(self) -> list[BitTerm]:
        """A term of each operation, and some with known bits or bounds."""
        p, w, x, y = self.pool, self.w, self.x, self.y
        half = self.full >> 1
        return [
            x, self.n(half + 1), self.n(1), p.bvnot(x), p.bvand(x, y), p.bvor(x, self.n(1)), p.bvor(x, y),
            p.bvxor(x, y), p.ite(self.b, x, self.n(half)), p.ite(self.b, x, y), p.add(x, y), p.sub(x, y),
            p.add(x, self.n(1)), p.extend(self.b, w), p.concat([self.b] * w), p.extract(self.wide, w, 1),
            p.extract(p.product(x, y), w - 1, 0), p.bvudiv(x, self.n(3)), p.bvurem(x, self.n(3)),
            self.upto(half), self.upto(max(self.full - 1, 0)), p.extend(p.equal(x, y), w),
        ]  # fmt: skip
