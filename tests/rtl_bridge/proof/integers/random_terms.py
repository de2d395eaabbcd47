# SPDX-License-Identifier: Apache-2.0
"""Random terms of the kinds that hardware for modular multiplication is made of."""

import random
from collections.abc import Callable

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool

MOST_BITS = 40
"""Width of the terms."""


class RandomTerms:
    """Terms of a pool, each made of earlier ones; `values` draws values for the variables."""

    def __init__(self, seed: int, count: int = 30, most_bits: int = 6) -> None:
        self.draw, self.pool = random.Random(seed), TermPool()
        self.variables: list[BitTerm] = []
        for number in range(3):
            width = self.draw.randint(1, most_bits)
            most = self.draw.randint(1, (1 << width) - 1)
            self.variables.append(self.pool.variable(f"v{number}", width, most))
        self.modulus = self.draw.choice((3, 5, 13, 29, self.draw.randint(1, 1 << most_bits) | 1, 6))
        self.terms = [*self.variables]
        self.terms += [self.pool.constant(most_bits, self.draw.randrange(1 << most_bits)) for _ in range(2)]
        self.terms.append(self.pool.constant(most_bits + 1, self.modulus))
        makers = [self._add, self._sub, self._mul, self._cut, self._low, self._concat, self._choice, self._reduced,
                  self._borrowed, self._montgomery, self._barrett, self._bit, self._logic, self._extended,
                  self._divided, self._carried, self._signed, self._digit, self._halved, self._gates]  # fmt: skip
        while len(self.terms) < count:
            term = self.draw.choice(makers)()
            if term.width <= MOST_BITS:
                self.terms.append(term)

    def values(self) -> dict[str, int]:
        """Values of the variables, often extreme ones."""
        return {
            str(each.detail): self.draw.choice((0, 1, each.most, self.draw.randint(0, each.most)))
            for each in self.variables
        }

    def _any(self) -> BitTerm:
        return self.draw.choice(self.terms[-12:] if self.draw.random() < 0.7 else self.terms)

    def _two(self, more: int = 0) -> tuple[BitTerm, BitTerm]:
        one, other = self._any(), self._any()
        width = max(one.width, other.width) + more
        return self.pool.extend(one, width), self.pool.extend(other, width)

    def _add(self) -> BitTerm:
        return self.pool.add(*self._two(self.draw.choice((0, 0, 1))))

    def _sub(self) -> BitTerm:
        return self.pool.sub(*self._two(self.draw.choice((0, 0, 1))))

    def _mul(self) -> BitTerm:
        return self.pool.product(self._any(), self._any())

    def _cut(self) -> BitTerm:
        term = self._any()
        low = self.draw.randrange(term.width)
        return self.pool.extract(term, self.draw.randrange(low, term.width), low)

    def _low(self) -> BitTerm:
        term = self._any()
        return self.pool.extract(term, self.draw.randrange(term.width), 0)

    def _concat(self) -> BitTerm:
        return self.pool.concat((self._any(), self._any()))

    def _bit(self) -> BitTerm:
        one, other = self._two()
        makers: list[Callable[[], BitTerm]] = [
            lambda: self.pool.bvult(one, other),
            lambda: self.pool.bvnot(self.pool.bvult(one, other)),
            lambda: self.pool.bvslt(one, other),
            lambda: self.pool.equal(one, other),
            lambda: self.pool.extract(one, one.width - 1, one.width - 1),
        ]
        return self.draw.choice(makers)()

    def _logic(self) -> BitTerm:
        one, other = self._two() if self.draw.random() < 0.3 else (self._bit(), self._bit())
        return self.draw.choice((self.pool.bvand, self.pool.bvor, self.pool.bvxor))(one, other)

    def _choice(self) -> BitTerm:
        bit = self._bit() if self.draw.random() < 0.6 else self._logic()
        return self.pool.ite(self.pool.extract(bit, 0, 0), *self._two())

    def _extended(self) -> BitTerm:
        term = self._any()
        return self.pool.extend(term, term.width + self.draw.randint(1, 4), signed=self.draw.random() < 0.6)

    def _reduced(self) -> BitTerm:
        """x >= k ? x - k : x, and what faults make of it."""
        x, width = self._any(), 1
        width = x.width + self.draw.choice((0, 1))
        wide, k = self.pool.extend(x, width), self.pool.constant(width, self._multiple())
        below = self.pool.bvult(wide, k) if self.draw.random() < 0.8 else self.pool.bvult(k, wide)
        return self.pool.ite(below, wide, self.pool.sub(wide, k))

    def _multiple(self) -> int:
        return self.modulus * self.draw.choice((1, 1, 1, 2)) + self.draw.choice((0, 0, 0, 1))

    def _borrowed(self) -> BitTerm:
        """x >= k ? x - k : x by the borrow of the subtraction."""
        x = self._any()
        wide = self.pool.extend(x, x.width + 1)
        less = self.pool.sub(wide, self.pool.constant(x.width + 1, self._multiple()))
        return self.pool.ite(self.pool.extract(less, x.width, x.width), x, self.pool.extract(less, x.width - 1, 0))

    def _carried(self) -> BitTerm:
        """A sum with its carry added again, times something."""
        one, other = self._two(1)
        total = self.pool.add(one, other)
        top = total.width - 1
        low = self.pool.extract(total, top - 1, 0)
        fold = self.pool.constant(top, self.draw.randrange(1 << min(top, 6)))
        bit = self.pool.extract(total, top, top)
        return self.draw.choice((self.pool.add, self.pool.sub))(
            low, self.pool.ite(bit, fold, self.pool.constant(top, 0))
        )

    def _montgomery(self) -> BitTerm:
        x, size = self._any(), self.draw.randint(1, 4)
        inverse = pow(-self.modulus, -1, 1 << size) if self.modulus & 1 else 1
        inverse = inverse if self.draw.random() < 0.8 else inverse ^ 1
        low = self.pool.extend(x, size)
        m = self.pool.mul(low, self.pool.constant(size, inverse))
        width = max(x.width, size + self.modulus.bit_length()) + 1
        mp = self.pool.extend(self.pool.product(m, self.pool.constant(7, self.modulus)), width)
        return self.pool.extract(self.pool.add(self.pool.extend(x, width), mp), width - 1, size)

    def _barrett(self) -> BitTerm:
        x = self._any()
        size = x.width + self.draw.choice((-1, 0, 1, 2))
        mu = self.pool.constant(max(size, 1) + 1, (1 << max(size, 1)) // self.modulus)
        q = self.pool.shifted("srl", self.pool.product(x, mu), self.pool.constant(8, max(size, 1)))
        width = max(self.draw.choice((x.width, self.modulus.bit_length() + 2)), 1)
        qp = self.pool.extend(self.pool.product(q, self.pool.constant(7, self.modulus)), width)
        return self.pool.sub(self.pool.extend(x, width), qp)

    def _divided(self) -> BitTerm:
        x = self._any()
        by = self.pool.constant(x.width, max(self._multiple() % (1 << x.width), 1))
        return self.draw.choice((self.pool.bvudiv, self.pool.bvurem))(x, by)

    def _signed(self) -> BitTerm:
        """A difference with its sign, and what is added to a negative one."""
        one, other = self._two(1)
        less = self.pool.sub(one, other)
        top = less.width - 1
        more = self.pool.constant(less.width, self._multiple())
        return self.pool.ite(self.pool.extract(less, top, top), self.pool.add(less, more), less)

    def _digit(self) -> BitTerm:
        """A sum with a multiple that low bits of a term choose, perhaps so that its own low bits are zero."""
        x, size = self._any(), self.draw.choice((1, 2, 2, 3))
        digit = self.pool.extend(x, size)
        width = max(x.width, size + self.modulus.bit_length()) + self.draw.choice((0, 1))
        chosen = self.pool.constant(width, 0)
        for value in self.draw.sample(range(1 << size), (1 << size) - self.draw.choice((0, 1))):
            by = -value * pow(self.modulus, -1, 1 << size) % (1 << size) if self.modulus & 1 else value
            multiple = self.pool.constant(width, by * self.modulus + self.draw.choice((0, 0, 0, 1)))
            chosen = self.pool.ite(self.pool.equal(digit, self.pool.constant(size, value)), multiple, chosen)
        total = self.pool.add(self.pool.extend(x, width), chosen)
        return self.pool.extract(total, width - 1, size) if width > size else total

    def _halved(self) -> BitTerm:
        """(x + p or x) / 2, halved before the choice or behind it."""
        x = self._any()
        wide = self.pool.extend(x, x.width + 1)
        more = self.pool.add(wide, self.pool.constant(wide.width, self._multiple()))
        bit, top = self.pool.extract(x, 0, 0), wide.width - 1
        if self.draw.random() < 0.5:
            return self.pool.extract(self.pool.ite(bit, more, wide), top, 1)
        return self.pool.ite(bit, self.pool.extract(more, top, 1), self.pool.extract(wide, top, 1))

    def _gates(self) -> BitTerm:
        """Gates of bits of variables, as in the choices of a recoded digit."""
        bits = [self.pool.extract(each, place, place) for each in self.variables for place in range(each.width)]
        found = self.draw.choice(bits)
        for _ in range(3):
            make = self.draw.choice((self.pool.bvand, self.pool.bvor, self.pool.bvxor))
            found = make(found, self.draw.choice(bits))
        return found
