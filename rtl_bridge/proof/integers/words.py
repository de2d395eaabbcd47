# SPDX-License-Identifier: Apache-2.0
"""Polynomials in bits as sums and products of words."""

from collections.abc import Mapping

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool, bits_of

BitMonomial = tuple[BitTerm, ...]
"""Bits in the order of their numbers, each once, since a bit is its own square; empty for the constant."""
BitPolynomial = dict[BitMonomial, int]


def times(one: Mapping[BitMonomial, int], other: Mapping[BitMonomial, int]) -> BitPolynomial:
    """The product of two polynomials."""
    total: BitPolynomial = {}
    for first, factor in one.items():
        for second, by in other.items():
            monomial = joined(first, second)
            total[monomial] = total.get(monomial, 0) + factor * by
    return {monomial: factor for monomial, factor in total.items() if factor}


def of_gate(operation: str, x: BitPolynomial, *rest: BitPolynomial) -> BitPolynomial:
    """The polynomial of a gate, from those of its operands."""
    one: BitPolynomial = {(): 1}
    if operation == "not":
        return _sum_of((one, 1), (x, -1))
    if operation == "ite":
        return _sum_of((rest[1], 1), (times(x, _sum_of((rest[0], 1), (rest[1], -1))), 1))
    y = rest[0]
    both = times(x, y)
    if operation == "and":
        return both
    if operation == "or":
        return _sum_of((x, 1), (y, 1), (both, -1))
    parity = _sum_of((x, 1), (y, 1), (both, -2))
    return parity if operation == "xor" else _sum_of((one, 1), (parity, -1))


def _sum_of(*parts: tuple[BitPolynomial, int]) -> BitPolynomial:
    """The sum of polynomials times factors."""
    total: BitPolynomial = {}
    for part, factor in parts:
        for monomial, each in part.items():
            total[monomial] = total.get(monomial, 0) + each * factor
    return {monomial: each for monomial, each in total.items() if each}


def joined(one: BitMonomial, other: BitMonomial) -> BitMonomial:
    """The product of two monomials."""
    if not one or not other:
        return one or other
    return tuple(sorted({*one, *other}, key=lambda bit: bit.number))


def in_words(
    pool: TermPool, polynomial: Mapping[BitMonomial, int], width: int, most: int
) -> tuple[dict[BitTerm, int], int] | None:
    """Words and products of two words with factors, and a constant, that are a polynomial modulo 2^width.

    None if there are more than `most` of them, or products of three bits.
    """
    return _Decomposition(pool, polynomial, width, most).found()


def lowest_product(polynomial: Mapping[BitMonomial, int]) -> BitMonomial | None:
    """The product of the lowest bits of two terms, where what counts 1 is those of the next bits with the lowest ones.

    So it is in all bits of a product of words but the lowest one, to which no carry belongs.
    """
    pairs = [monomial for monomial, factor in polynomial.items() if factor & 1]
    if len(pairs) != 2 or any(len(pair) != 2 for pair in pairs):
        return None
    (x, y), (u, v) = pairs
    if bits_of(x)[0] is not bits_of(u)[0]:
        u, v = v, u
    lows = [(bits_of(one)[2], bits_of(other)[2]) for one, other in ((x, u), (y, v))]
    apart = [abs(one - other) for one, other in lows]
    same = all(bits_of(one)[0] is bits_of(other)[0] for one, other in ((x, u), (y, v)))
    if not same or apart != [1, 1] or (lows[0][0] < lows[0][1]) == (lows[1][0] < lows[1][1]):
        return None
    return joined((min(x, u, key=_place),), (min(y, v, key=_place),))


def _place(bit: BitTerm) -> int:
    return bits_of(bit)[2]


class _Decomposition:
    def __init__(self, pool: TermPool, polynomial: Mapping[BitMonomial, int], width: int, most: int) -> None:
        self._pool, self._most = pool, most
        self._full = (1 << width) - 1
        self._rest = {monomial: factor & self._full for monomial, factor in polynomial.items() if factor & self._full}
        self._terms: dict[BitTerm, int] = {}
        self._count = 0

    def found(self) -> tuple[dict[BitTerm, int], int] | None:
        rest = self._rest
        if any(len(monomial) > 2 for monomial in rest):
            return None
        while pairs := [monomial for monomial in rest if len(monomial) == 2]:
            pairs.sort(key=self._order)
            for pair in pairs:
                if pair in rest:
                    if self._count == self._most:
                        return None
                    self._take_product(*pair)
        bits = [monomial[0] for monomial in rest if monomial]
        bits.sort(key=lambda bit: (bits_of(bit)[0].number, bits_of(bit)[2]))
        for bit in bits:
            if (bit,) in rest:
                if self._count == self._most:
                    return None
                self._take_word(bit)
        return self._terms, rest.get((), 0)

    def _order(self, pair: BitMonomial) -> tuple[int, int, int]:
        """Of factors with fewest zeros at the end first, since each other one of a product has more."""
        factor = self._rest[pair]
        return (factor & -factor).bit_length(), bits_of(pair[0])[2], bits_of(pair[1])[2]

    def _take_word(self, bit: BitTerm) -> None:
        """Takes as many bits of a term as there are from this one on."""
        whole, _, low = bits_of(bit)
        factor, high = self._rest[(bit,)], low
        while self._has(whole, high + 1, None, factor << high + 1 - low):
            high += 1
        self._add(self._pool.extract(whole, high, low), factor)
        for place in range(low, high + 1):
            self._subtract((self._bit(whole, place),), factor << place - low)

    def _take_product(self, x: BitTerm, y: BitTerm) -> None:
        """Takes the product of as many bits of two terms as there are from these on."""
        (one, _, low), (other, _, start) = bits_of(x), bits_of(y)
        factor, high, end = self._rest[(x, y)], low, start
        if one is other and abs(start - low) == 1 and not factor & 3:
            self._take_square(one, min(low, start), factor >> 2)
            return
        while self._has(one, high + 1, y, factor << high + 1 - low):
            high += 1
        while self._has(other, end + 1, x, factor << end + 1 - start):
            end += 1
        self._add(self._pool.product(self._pool.extract(one, high, low), self._pool.extract(other, end, start)), factor)
        for place in range(low, high + 1):
            bit = self._bit(one, place)
            for at in range(start, end + 1):
                self._subtract(joined((bit,), (self._bit(other, at),)), factor << place - low + at - start)

    def _take_square(self, whole: BitTerm, low: int, factor: int) -> None:
        """Takes the square of as many bits of a term as there are."""
        first, high = self._bit(whole, low), low + 1
        while self._has(whole, high + 1, first, factor << high + 2 - low):
            high += 1
        word = self._pool.extract(whole, high, low)
        self._add(self._pool.product(word, word), factor)
        bits = [self._bit(whole, place) for place in range(low, high + 1)]
        for place, bit in enumerate(bits):
            for at, other in enumerate(bits):
                self._subtract(joined((bit,), (other,)), factor << place + at)

    def _has(self, whole: BitTerm, place: int, other: BitTerm | None, factor: int) -> bool:
        """True if a bit of a term, or its product with another bit, has this factor."""
        if place >= whole.width or not factor & self._full:
            return False
        monomial = joined((self._bit(whole, place),), () if other is None else (other,))
        return self._rest.get(monomial) == factor & self._full

    def _bit(self, whole: BitTerm, place: int) -> BitTerm:
        return self._pool.bit_of(whole, place)

    def _add(self, term: BitTerm, factor: int) -> None:
        self._terms[term] = self._terms.get(term, 0) + factor
        self._count += 1

    def _subtract(self, monomial: BitMonomial, factor: int) -> None:
        left = self._rest.get(monomial, 0) - factor & self._full
        if left:
            self._rest[monomial] = left
        else:
            self._rest.pop(monomial, None)
