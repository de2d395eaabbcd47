# SPDX-License-Identifier: Apache-2.0
"""Steps of a model as bit vectors: each term of its program in as many bits as its range takes."""

from collections.abc import Iterable, Mapping
from typing import Any

from limbtrace.refmodels.expr import Term, inputs
from limbtrace.refmodels.program import ordered
from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool, pieces

_SPARE = 8
"""Bits in which a sum of signed terms does not wrap."""


class GoldenTerms:
    """The values behind terms of a program; a step that has been cut off is what was put in its place."""

    def __init__(self, pool: TermPool, operands: Mapping[str, BitTerm], steps: Iterable[Any]) -> None:
        """`operands` are those of the program by name, `steps` the values that rows show."""
        self._steps = {id(step) for step in steps}
        self._pool, self._operands = pool, operands
        self._made: dict[int, BitTerm] = {}
        self._instead: dict[BitTerm, BitTerm] = {}
        self._done: set[int] = set()
        self._terms: list[Any] = []  # keeps ids valid

    def __call__(self, value: Any) -> BitTerm:
        """The value of an int or a term: in two's complement where its range has negative numbers."""
        if isinstance(value, int):
            return self._pool.constant(max(value.bit_length(), 1) + (value < 0), value)
        for term in ordered([value], self._done):
            self._terms.append(term)
            self._made[id(term)] = self._bits(term)
        return self._pool.concat(self._instead.get(part, part) for part in pieces(self._made[id(value)]))

    def put(self, value: Term, bits: BitTerm) -> None:
        """From now on these bits, as many as the range of the term takes, are the value of that term."""
        self._made[id(value)] = bits
        self._done.add(id(value))
        self._terms.append(value)

    def replace(self, by: Mapping[BitTerm, BitTerm]) -> None:
        """From now on other bits are the values of terms that are made of these."""
        self._instead.update(by)

    def shown(self, value: Any, low: int, width: int) -> BitTerm:
        """`width` bits of a value from bit `low` on; above its own bits it is extended by its sign."""
        bits = self(value)
        return self._pool.extract(self._wide(value, bits, low + width), low + width - 1, low)

    def _wide(self, value: Any, bits: BitTerm, width: int) -> BitTerm:
        signed = value < 0 if isinstance(value, int) else value.signed
        return bits if width <= bits.width else self._pool.extend(bits, width, signed=signed)

    def _bits(self, term: Term) -> BitTerm:
        pool, width = self._pool, max(term.bits, 1)
        if term.operation == "field":
            operand, low, bits = term.operands
            whole = self._operands[operand]
            return pool.extend(pool.extract(whole, min(low + bits, whole.width) - 1, low), width)
        if term.operation == "join":
            return self._join(term.operands, width)
        if term.operation in ("<<", ">>"):
            value, count = term.operands
            x = self(value)
            if term.operation == "<<":
                return self._sized(pool.concat((x, pool.constant(count, 0))), width, term)
            return self._sized(
                pool.extract(self._wide(value, x, count + 1), max(x.width, count + 1) - 1, count), width, term
            )
        if term.operation == "*":
            return self._product(term, width)
        if (low := self._low_product(term)) is not None:
            return low
        makers = {"+": pool.add, "-": pool.sub, "&": pool.bvand, "|": pool.bvor, "^": pool.bvxor}
        known = [self(value) for value in inputs(term)]
        widest = max(width, *(x.width for x in known)) + _SPARE
        one, other = (self._wide(value, x, widest) for value, x in zip(inputs(term), known, strict=True))
        made = makers[term.operation](one, other)
        return pool.extend(made if term.signed else pool.bounded(made, term.most), width)

    def _low_product(self, term: Term) -> BitTerm | None:
        """The low bits of a product that no step is, made as in hardware from the low bits of its factors."""
        if term.operation != "&" or not isinstance(term.operands[0], Term) or not isinstance(term.operands[1], int):
            return None
        whole, mask = term.operands
        if whole.operation != "*" or mask & (mask + 1) or id(whole) in self._steps or whole.signed:
            return None
        size = mask.bit_length()
        factors = [self(value) for value in inputs(whole)]
        if any(value < 0 if isinstance(value, int) else value.signed for value in inputs(whole)):
            return None
        low = [self._pool.extract(factor, min(factor.width, size) - 1, 0) for factor in factors]
        return self._pool.extend(self._pool.extend(self._pool.product(*low), size), max(term.bits, 1))

    def _sized(self, bits: BitTerm, width: int, term: Term) -> BitTerm:
        return self._pool.extend(bits, width, signed=term.signed)

    def _product(self, term: Term, width: int) -> BitTerm:
        one, other = inputs(term)
        x, y = self(one), self(other)
        if all(value >= 0 if isinstance(value, int) else not value.signed for value in (one, other)):
            size = max(width, x.width + y.width)
            return self._pool.extract(self._pool.mul(*(self._pool.extend(z, size) for z in (x, y))), width - 1, 0)
        for factor, value, z in ((one, other, y), (other, one, x)):
            if isinstance(factor, int) and not value.signed:
                return self._pool.sum({z: factor}, 0, width)
        wide = [self._pool.extend(self._wide(value, z, width), width) for value, z in ((one, x), (other, y))]
        return self._pool.mul(*wide)

    def _join(self, parts: Iterable[tuple[Any, int]], width: int) -> BitTerm:
        """The sum of parts, or their concatenation if they do not overlap."""
        pool = self._pool
        placed = sorted(((shift, self(value)) for value, shift in parts), key=lambda part: part[0])
        whole = pool.constant(width, 0)
        for shift, bits in placed:
            part = pool.extend(pool.concat((bits, pool.constant(shift, 0))) if shift else bits, width)
            apart = whole.zeros | part.zeros == (1 << width) - 1
            whole = pool.bvor(whole, part) if apart else pool.add(whole, part)
        return whole
