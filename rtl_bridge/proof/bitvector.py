# SPDX-License-Identifier: Apache-2.0
"""Symbolic bit vectors: a term records how it is made, and terms that are made alike are one object (hash-consing).

Constants fold, known bits are followed, and an extract of an extract is one extract. So whatever depends on the clock
cycle alone is a constant, and a product is one object wherever the same digits are multiplied. Equal terms may still be
different objects.

One file, although it is long: every rule may call every other one. An extract of a sum is a shorter sum, extracts side
by side are one extract, and a sum of such parts is again a sum.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any


class BitTerm:
    """A vector of `width` bits, at least 1; made by a TermPool only. One object is one value; equal ones may be two.

    `ones` and `zeros` are masks of bits that are known, `most` is a bound of its value as an unsigned number.
    """

    __slots__ = ("detail", "most", "number", "ones", "operands", "operation", "width", "zeros")

    number: int
    """Its place in the order in which terms of the pool were made."""
    width: int
    ones: int
    zeros: int
    most: int
    operation: str
    """One of const, var, not, and, or, xor, concat, slice, ite, eq, ult, sum, wrap, product, udiv and urem."""
    operands: tuple["BitTerm", ...]
    """Of a concat the high part first, of an ite the condition, which has one bit."""
    detail: Any
    """The value of a const, the name of a var, (high, low) of a slice, (factors, constant) of a sum, which never wraps,
    and of a wrap, which is modulo 2^width; else None."""

    def __repr__(self) -> str:
        return (
            f"<{self.operation} {'' if self.detail is None else self.detail}, {self.width} bits, number {self.number}>"
        )

    @property
    def is_constant(self) -> bool:
        return self.operation == "const"

    @property
    def value(self) -> int:
        """The value of a constant."""
        return int(self.detail)


class TermPool:
    """The terms of one proof."""

    def __init__(self) -> None:
        self._made: dict[tuple[Any, ...], BitTerm] = {}
        self._cuts: dict[tuple[BitTerm, int, int], BitTerm] = {}
        """Bits of logic, which is often made of the same logic in several ways: carry-save words above all."""
        self._fresh = 0

    def __len__(self) -> int:
        return len(self._made)

    def _node(
        self, operation: str, width: int, operands: tuple[BitTerm, ...], detail: Any, ones: int, zeros: int, most: int
    ) -> BitTerm:
        full = (1 << width) - 1
        most = min(most, full & ~zeros)
        zeros |= full & ~((1 << most.bit_length()) - 1)
        if (ones | zeros) == full and operation != "const":
            return self.constant(width, ones)
        key = (operation, width, detail, *(operand.number for operand in operands))
        if (found := self._made.get(key)) is not None:
            return found
        node = BitTerm()
        node.operation, node.width, node.operands, node.detail = operation, width, operands, detail
        node.ones, node.zeros, node.most, node.number = ones, zeros, most, len(self._made)
        self._made[key] = node
        return node

    def constant(self, width: int, value: int) -> BitTerm:
        """The low `width` bits of a value, which may be negative."""
        full = (1 << width) - 1
        value &= full
        return self._node("const", width, (), value, value, full & ~value, value)

    def variable(self, name: str, width: int, most: int | None = None) -> BitTerm:
        """A variable; the caller sees to it that a name has one width and one bound."""
        return self._node("var", width, (), name, 0, 0, (1 << width) - 1 if most is None else most)

    def fresh(self, name: str, width: int, most: int | None = None) -> BitTerm:
        """A new variable; a number is added to the name."""
        self._fresh += 1
        return self.variable(f"{name}!{self._fresh}", width, most)

    def bvnot(self, x: BitTerm) -> BitTerm:
        """~x"""
        if x.operation == "not":
            return x.operands[0]
        if x.operation == "concat":
            return self.concat(self.bvnot(part) for part in x.operands)
        return self._node("not", x.width, (x,), None, x.zeros, x.ones, (1 << x.width) - 1)

    def bvand(self, x: BitTerm, y: BitTerm) -> BitTerm:
        """x & y"""
        if x is y:
            return x
        x, y = _sorted(x, y)
        for one, other in ((x, y), (y, x)):
            if one.is_constant:
                return self._masked(other, one.value)
            if one.operation == "concat" and one.operands[0].width == 1 and len({*one.operands}) == 1:
                return self.ite(one.operands[0], other, self.constant(x.width, 0))
        if x.width == 1 and self.bvnot(x) is y:
            return self.constant(1, 0)
        return self._node("and", x.width, (x, y), None, x.ones & y.ones, x.zeros | y.zeros, min(x.most, y.most))

    def _masked(self, x: BitTerm, mask: int) -> BitTerm:
        """x & mask, as cuts of x beside zeros."""
        parts: list[BitTerm] = []
        at = 0
        while at < x.width:
            bit = mask >> at & 1
            run = at
            while run < x.width and mask >> run & 1 == bit:
                run += 1
            parts.append(self.extract(x, run - 1, at) if bit else self.constant(run - at, 0))
            at = run
        return self.concat(reversed(parts))

    def bvor(self, x: BitTerm, y: BitTerm) -> BitTerm:
        """x | y"""
        if x is y:
            return x
        x, y = _sorted(x, y)
        for one, other in ((x, y), (y, x)):
            if one.is_constant and one.value == 0:
                return other
            if one.is_constant and one.value == (1 << x.width) - 1:
                return one
        if x.zeros | y.zeros == (1 << x.width) - 1:
            return self._interleaved(x, y)
        most = (1 << (x.most | y.most).bit_length()) - 1
        return self._node("or", x.width, (x, y), None, x.ones | y.ones, x.zeros & y.zeros, most)

    def _interleaved(self, x: BitTerm, y: BitTerm) -> BitTerm:
        """x | y where each bit of one of them is zero."""
        parts: list[BitTerm] = []
        at = 0
        while at < x.width:
            run = at
            source = y if x.zeros >> at & 1 else x
            other = x if source is y else y
            while run < x.width and other.zeros >> run & 1:
                run += 1
            parts.append(self.extract(source, run - 1, at))
            at = run
        return self.concat(reversed(parts))

    def bvxor(self, x: BitTerm, y: BitTerm) -> BitTerm:
        """x ^ y"""
        if x is y:
            return self.constant(x.width, 0)
        x, y = _sorted(x, y)
        for one, other in ((x, y), (y, x)):
            if one.is_constant and one.value == 0:
                return other
            if one.is_constant and one.value == (1 << x.width) - 1:
                return self.bvnot(other)
        known = (x.ones | x.zeros) & (y.ones | y.zeros)
        value = (x.ones ^ y.ones) & known
        most = (1 << (x.most | y.most).bit_length()) - 1
        return self._node("xor", x.width, (x, y), None, value, known & ~value, most)

    def extract(self, x: BitTerm, high: int, low: int) -> BitTerm:
        """x[high:low]"""
        width = high - low + 1
        if width == x.width:
            return x
        if x.is_constant:
            return self.constant(width, x.value >> low)
        if x.operation == "slice":
            below = x.detail[1]
            return self.extract(x.operands[0], high + below, low + below)
        if x.operation == "concat":
            return self.concat(self._cut_parts(x, high, low))
        if x.operation in ("sum", "wrap") and (shorter := self._cut_sum(x, high, low)) is not None:
            return shorter
        if x.operation == "ite" and _falls_apart(x.operands[1:], high, low):
            condition, one, other = x.operands
            return self.ite(condition, self.extract(one, high, low), self.extract(other, high, low))
        if x.operation == "not":
            return self.bvnot(self.extract(x.operands[0], high, low))
        if x.operation in ("and", "or", "xor"):
            if (x, high, low) not in self._cuts:
                one, other = (self.extract(operand, high, low) for operand in x.operands)
                make = {"and": self.bvand, "or": self.bvor, "xor": self.bvxor}[x.operation]
                self._cuts[x, high, low] = make(one, other)
            return self._cuts[x, high, low]
        full = (1 << width) - 1
        most = x.most >> low if high >= x.most.bit_length() - 1 else full
        size = min(most.bit_length(), (full & ~(x.zeros >> low)).bit_length())
        if 0 < size < width:  # so that a cut is one term, however many zeros above it are taken along
            return self.extend(self.extract(x, low + size - 1, low), width)
        return self._node("slice", width, (x,), (high, low), x.ones >> low & full, x.zeros >> low & full, most)

    def bit_of(self, x: BitTerm, place: int) -> BitTerm:
        """x[place]; of a sum a bit of that very sum, and not of a shorter one."""
        if x.operation not in ("sum", "wrap") or x.width == 1:
            return self.extract(x, place, place)
        return self._node("slice", 1, (x,), (place, place), 0, 0, 1)

    def concat(self, parts: Iterable[BitTerm]) -> BitTerm:
        """Parts side by side, the high one first; at least one. A joined term has no parts that are joined."""
        flat: list[BitTerm] = []
        for part in parts:
            for piece in pieces(part):
                last = piece
                while flat and (merged := self._adjacent(flat[-1], last)) is not None:
                    flat.pop()
                    last = merged
                flat.append(last)
        if len(flat) == 1:
            return flat[0]
        width = ones = zeros = most = 0
        for part in flat:
            most = most << part.width | (part.most if most == 0 else (1 << part.width) - 1)
            width += part.width
            ones, zeros = ones << part.width | part.ones, zeros << part.width | part.zeros
        return self._node("concat", width, tuple(flat), None, ones, zeros, most)

    def _adjacent(self, high: BitTerm, low: BitTerm) -> BitTerm | None:
        """One term for both, where both are constants, or bits of one term side by side."""
        if high.is_constant and low.is_constant:
            return self.constant(high.width + low.width, high.value << low.width | low.value)
        both_cut = low.operation == "slice" and high.operation == "slice" and low.operands[0] is high.operands[0]
        if both_cut and high.detail[1] == low.detail[0] + 1:
            return self.extract(low.operands[0], high.detail[0], low.detail[1])
        if high.operation == "slice" and low.operation in ("sum", "wrap") and high.detail[1] == low.width:
            whole = high.operands[0]
            if self.extract(whole, low.width - 1, 0) is low:
                return self.extract(whole, high.detail[0], 0)
        return None

    def extend(self, x: BitTerm, width: int, *, signed: bool = False) -> BitTerm:
        """x in more bits, or the low bits of x."""
        if width <= x.width:
            return self.extract(x, width - 1, 0)
        if signed and (wider := self._signed_sum(x, width)) is not None:
            return wider
        if signed and (low := pieces(x)[-1]).is_constant and low is not x and not low.value:  # an even number
            return self.concat((self.extend(self.concat(pieces(x)[:-1]), width - low.width, signed=True), low))
        sign = self.extract(x, x.width - 1, x.width - 1) if signed else self.constant(1, 0)
        count = width - x.width
        top = self.constant(count, -sign.value) if sign.is_constant else self.concat([sign] * count)
        return self.concat((top, x))

    def _signed_sum(self, x: BitTerm, width: int) -> BitTerm | None:
        """A wrapping sum, or its low bits, in more bits, if in two's complement it does not leave the range of x."""
        total = x.operands[0] if x.operation == "slice" and x.detail[1] == 0 else x
        if total.operation != "wrap":
            return None
        factors, constant = total.detail
        least, most = _range(total.operands, factors)
        half = 1 << (x.width - 1)
        for plus in (constant, constant - (1 << total.width)):
            if least + plus >= -half and most + plus < half:
                return self.sum(dict(zip(total.operands, factors, strict=True)), plus, width)
        return None

    def ite(self, condition: BitTerm, one: BitTerm, other: BitTerm) -> BitTerm:
        """condition ? one : other"""
        if condition.is_constant:
            return one if condition.value else other
        if one is other:
            return one
        if condition.operation == "not":
            return self.ite(condition.operands[0], other, one)
        if one.width == 1:
            if one.is_constant and other.is_constant:
                return condition if one.value else self.bvnot(condition)
            if one.is_constant:
                return self.bvor(condition, other) if one.value else self.bvand(self.bvnot(condition), other)
            if other.is_constant:
                return self.bvor(self.bvnot(condition), one) if other.value else self.bvand(condition, one)
        if one.operation == "ite" and one.operands[0] is condition:
            return self.ite(condition, one.operands[1], other)
        if other.operation == "ite" and other.operands[0] is condition:
            return self.ite(condition, one, other.operands[2])
        ones, zeros = one.ones & other.ones, one.zeros & other.zeros
        return self._node("ite", one.width, (condition, one, other), None, ones, zeros, max(one.most, other.most))

    def _cut_parts(self, x: BitTerm, high: int, low: int) -> Iterator[BitTerm]:
        """x[high:low] of parts side by side, as parts."""
        end = x.width
        for part in x.operands:
            start = end - part.width
            if start <= high and end > low:
                yield self.extract(part, min(high, end - 1) - start, max(low, start) - start)
            end = start

    def add(self, x: BitTerm, y: BitTerm) -> BitTerm:
        """x + y, without the carry."""
        return self._added(((x, 1), (y, 1)), x.width)

    def sub(self, x: BitTerm, y: BitTerm) -> BitTerm:
        """x - y, without the borrow."""
        return self._added(((x, 1), (y, -1)), x.width)

    def _added(self, parts: Iterable[tuple[BitTerm, int]], width: int) -> BitTerm:
        """The sum of parts times factors, modulo 2^width; the parts have that width."""
        terms: dict[BitTerm, int] = {}
        constant = 0
        for part, factor in parts:
            top, *below = pieces(part)
            if top.operation == "wrap" and part.width == width:  # what it wraps at is a multiple of 2^width
                (own, plus), shift = top.detail, width - top.width
                for operand, each in zip(top.operands, own, strict=True):
                    terms[operand] = terms.get(operand, 0) + (each * factor << shift)
                constant += plus * factor << shift
                if not below:
                    continue
                part = self.concat(below)
            constant += factor * self.collect(part, factor, terms)
        return self.sum(terms, constant, width)

    @staticmethod
    def collect(x: BitTerm, factor: int, terms: dict[BitTerm, int]) -> int:
        """Adds x times a factor to terms with factors; returns what is constant in x, without that factor."""
        constant = shift = 0
        for part in reversed(pieces(x)):
            if part.is_constant:
                constant += part.value << shift
            elif part.operation == "sum":
                own, plus = part.detail
                constant += plus << shift
                for operand, each in zip(part.operands, own, strict=True):
                    terms[operand] = terms.get(operand, 0) + ((each * factor) << shift)
            else:
                terms[part] = terms.get(part, 0) + (factor << shift)
            shift += part.width
        return constant

    def sum(self, terms: Mapping[BitTerm, int], constant: int, width: int) -> BitTerm:
        """The sum of terms times factors, and a constant, modulo 2^width.

        Where bounds exclude that it wraps, it is a "sum" of as many bits as its bound has, whatever the width.
        """
        half, full = 1 << (width - 1), (1 << width) - 1
        factors = {term: ((factor + half - 1) & full) - half + 1 for term, factor in terms.items()}
        rejoined = self._rejoined({term: factor for term, factor in factors.items() if factor})
        factors = {term: factor for term, factor in rejoined.items() if factor & full}
        constant &= full
        if not factors:
            return self.constant(width, constant)
        if (plain := self._without_adders(factors, width)) is not None:
            terms, plus = plain
            return self.sum(terms, constant + plus, width)
        if constant == 0 and len(factors) == 1 and 1 in factors.values():
            return self.extend(next(iter(factors)), width)
        if (side_by_side := self._apart(factors, constant, width)) is not None:
            return side_by_side
        ordered = sorted(factors.items(), key=lambda pair: pair[0].number)
        operands, detail = tuple(term for term, _ in ordered), tuple(factor for _, factor in ordered)
        low = min((factor & -factor).bit_length() - 1 + trailing_ones(term.zeros) for term, factor in ordered)
        low = min(low, trailing_ones(~constant & full) if constant else low, width)
        zeros = (1 << low) - 1
        below, above = _range(operands, detail)
        for plus in (constant, constant - full - 1):
            most = above + plus
            if below + plus >= 0 and most <= full:
                exact = self._node(
                    "sum", most.bit_length(), operands, (detail, plus), 0, zeros & (1 << most.bit_length()) - 1, most
                )
                return self.extend(exact, width)
        return self._node("wrap", width, operands, (detail, constant), 0, zeros, full)

    def _without_adders(self, factors: Mapping[BitTerm, int], width: int) -> tuple[dict[BitTerm, int], int] | None:
        """Terms with factors, and a constant, that have this sum modulo 2^width; None if no rule applies.

        The parity of two or three terms and twice their majority are the terms added up. So is a parity by itself where
        its lowest bit is the top bit of the sum. And -~y is y with a constant.
        """
        parities = [term for term in factors if term.operation == "xor"]
        removed: list[BitTerm] = []
        summed: list[tuple[BitTerm, int]] = []
        plus = times = 0
        for term, factor in factors.items():
            if term.operation == "not" and factor < 0:
                removed, plus, times = [term], factor * ((1 << term.width) - 1), -factor
                summed = [(part, 0) for part in term.operands]
            elif term.operation == "xor" and not factor << 1 & ((1 << width) - 1):
                removed, times = [term], factor
                summed = [(part, 0) for part in term.operands]
            elif term.operation in ("and", "or"):
                for parity in parities:
                    if summed := self.added_up(parity, factors[parity], term, factor):
                        removed, times = [term, parity], factors[parity]
                        break
            if summed:
                rest = {other: each for other, each in factors.items() if other not in removed}
                plus += sum((times << low) * self.collect(part, times << low, rest) for part, low in summed)
                return rest, plus
        return None

    def added_up(self, parity: BitTerm, times: int, carry: BitTerm, factor: int) -> list[tuple[BitTerm, int]]:
        """The terms of parity * times + carry * factor, divided by `times`, and by how much each of them is shifted.

        Empty unless the carry counts twice as much as some bits of the parity, and is the majority of the two or three
        terms that these are the parity of.
        """
        low = abs(factor).bit_length() - abs(times).bit_length() - 1
        end = low + carry.width
        if low < 0 or end > parity.width or times << low + 1 != factor:
            return []
        leaves = sorted(_leaves(self.extract(parity, end - 1, low), "xor"), key=lambda leaf: leaf.number)
        if not (len(leaves) == 2 and self.bvand(*leaves) is carry) and _carried(carry) != frozenset(leaves):
            return []
        found = [(leaf, low) for leaf in leaves]
        if low:
            found.append((self.extract(parity, low - 1, 0), 0))
        if end < parity.width:
            found.append((self.extract(parity, parity.width - 1, end), end))
        return found

    def _rejoined(self, factors: dict[BitTerm, int]) -> dict[BitTerm, int]:
        """These terms, with one cut in place of those that are side by side."""
        cuts = {(term.operands[0], term.detail[0]): term for term in factors if term.operation == "slice"}
        for high in sorted(cuts.values(), key=lambda term: -int(term.detail[0])):
            if high not in factors:
                continue
            parts = [high]
            while (low := cuts.get((high.operands[0], parts[-1].detail[1] - 1))) in factors:
                if factors[low] << low.width != factors[parts[-1]]:
                    break
                parts.append(low)
            if len(parts) > 1:
                factor = factors[parts[-1]]
                for part in parts:
                    del factors[part]
                whole = self.concat(parts)
                factors[whole] = factors.get(whole, 0) + factor
        return factors

    def bounded(self, x: BitTerm, most: int) -> BitTerm:
        """x, written anew with the knowledge that it is not negative and at most `most`.

        A wrapping sum that is so wide that no value of its terms makes it wrap is then a sum.
        """
        whole = self.extract(x, x.most.bit_length() - 1, 0) if x.most else x
        if whole.operation == "sum" and whole.most > most:
            factors, constant = whole.detail
            return self.extend(self.exact(dict(zip(whole.operands, factors, strict=True)), constant, most), x.width)
        if x.operation == "wrap":
            factors, constant = x.detail
            least, above = _range(x.operands, factors)
            half = 1 << (x.width - 1)
            for plus in (constant, constant - 2 * half):
                if least + plus >= -half and above + plus < half and most < half:
                    exact = self.exact(dict(zip(x.operands, factors, strict=True)), plus, most)
                    return self.extend(exact, x.width)
        return x

    def exact(self, terms: Mapping[BitTerm, int], constant: int, most: int) -> BitTerm:
        """A sum that is known to lie in [0, most], in as many bits as `most` has."""
        width = max(most.bit_length(), 1)
        plain = self.sum(terms, constant, width)
        factors = {term: factor for term, factor in terms.items() if factor}
        if plain.operation != "wrap":
            return plain
        ordered = sorted(factors.items(), key=lambda pair: pair[0].number)
        operands, detail = tuple(term for term, _ in ordered), tuple(factor for _, factor in ordered)
        return self._node("sum", width, operands, (detail, constant), 0, plain.zeros, most)

    def _apart(self, factors: Mapping[BitTerm, int], constant: int, width: int) -> BitTerm | None:
        """A sum as two sums side by side, where some of its terms end below all others."""
        ordered = sorted(factors.items(), key=lambda pair: pair[1] & -pair[1])
        most = 0
        for count, (term, factor) in enumerate(ordered):
            shift = trailing_ones(~factor)
            if shift and most + (constant & ((1 << shift) - 1)) < 1 << shift:
                low = self.sum(dict(ordered[:count]), constant, shift)
                upper = {above: times >> shift for above, times in ordered[count:]}
                return self.concat((self.sum(upper, constant >> shift, width - shift), low))
            if factor < 0:
                return None
            most += factor * term.most
        end = most.bit_length()
        if end < width and constant and not constant & ((1 << end) - 1):
            return self.concat((self.constant(width - end, constant >> end), self.sum(factors, 0, end)))
        return None

    def _cut_sum(self, x: BitTerm, high: int, low: int) -> BitTerm | None:
        """x[high:low] of a sum without the terms that only matter above bit `high`; None if all of them are needed.

        Below bit n, a sum depends on no term whose factor is a multiple of 2^n. Terms that carry nothing into bit `low`
        are no part of it: `sum` has put these apart.
        """
        factors, constant = x.detail
        size = high + 1
        terms = dict(zip(x.operands, factors, strict=True))
        needed = {term: factor for term, factor in terms.items() if factor & ((1 << size) - 1)}
        if size == x.width or len(needed) == len(terms):
            return None
        # Up to the first bit that needs another term, so that all bits below it are cut out of the same sum.
        size = min(trailing_ones(~factor) for term, factor in terms.items() if term not in needed)
        return self.extract(self.sum(needed, constant, size), high, low)

    def mul(self, x: BitTerm, y: BitTerm) -> BitTerm:
        """The low half of x * y."""
        return self.extract(self.product(x, y), x.width - 1, 0)

    def product(self, x: BitTerm, y: BitTerm) -> BitTerm:
        """x * y as an unsigned number of all its bits; the operands may have different widths.

        It is the product of what of both may not be zero, wherever it stands.
        """
        width = x.width + y.width
        shift = 0
        parts: list[BitTerm] = []
        for operand in (x, y):
            if operand.most == 0:
                return self.constant(width, 0)
            low = min(trailing_ones(operand.zeros), operand.width - 1)
            shift += low
            parts.append(self.extract(operand, operand.most.bit_length() - 1, low))
        inner = self._product(*parts)
        return self.extend(self.concat((inner, self.constant(shift, 0))) if shift else inner, width)

    def _product(self, x: BitTerm, y: BitTerm) -> BitTerm:
        """x * y, of operands without zeros at their ends."""
        x, y = _sorted(x, y)
        if x.is_constant and y.is_constant:
            return self.constant(x.width + y.width, x.value * y.value)
        if x.width == 1 or y.width == 1:
            bit, other = (x, y) if x.width == 1 else (y, x)
            return self.extend(self.ite(bit, other, self.constant(other.width, 0)), x.width + y.width)
        return self._node("product", x.width + y.width, (x, y), None, 0, 0, x.most * y.most)

    def bvudiv(self, x: BitTerm, y: BitTerm) -> BitTerm:
        """x / y; all ones if y is 0."""
        if y.is_constant and y.value and y.value & (y.value - 1) == 0:
            return self.shifted("srl", x, self.constant(x.width, y.value.bit_length() - 1))
        if x.is_constant and y.is_constant:
            return self.constant(x.width, x.value // y.value if y.value else -1)
        return self._node(
            "udiv", x.width, (x, y), None, 0, 0, x.most if y.is_constant and y.value else -1 + (1 << x.width)
        )

    def bvurem(self, x: BitTerm, y: BitTerm) -> BitTerm:
        """x % y; x if y is 0."""
        if y.is_constant and y.value and y.value & (y.value - 1) == 0:
            return self._masked(x, y.value - 1)
        if x.is_constant and y.is_constant:
            return self.constant(x.width, x.value % y.value if y.value else x.value)
        return self._node(
            "urem", x.width, (x, y), None, 0, 0, min(x.most, y.value - 1) if y.is_constant and y.value else x.most
        )

    def shifted(self, operation: str, x: BitTerm, by: BitTerm) -> BitTerm:
        """x << by, x >> by, or by copies of the sign: "sll", "srl", "sra"."""
        if by.is_constant:
            count = min(by.value, x.width)
            if count == 0:
                return x
            if operation == "sll":
                zeros = self.constant(count, 0)
                return zeros if count == x.width else self.concat((self.extract(x, x.width - count - 1, 0), zeros))
            count = min(count, x.width - 1) if operation == "sra" else count
            if count == x.width:
                return self.constant(x.width, 0)
            return self.extend(self.extract(x, x.width - 1, count), x.width, signed=operation == "sra")
        result = x
        for place in range(by.width):  # a choice for each bit: constants come through
            bit = self.extract(by, place, place)
            step = self.constant(x.width.bit_length() + 1, min(1 << place, x.width))
            if bit.is_constant and not bit.value:
                continue
            result = self.ite(bit, self.shifted(operation, result, step), result)
        return result

    def equal(self, x: BitTerm, y: BitTerm) -> BitTerm:
        """x == y, one bit."""
        if x is y:
            return self.constant(1, 1)
        x, y = _sorted(x, y)
        if x.ones & y.zeros or x.zeros & y.ones or _least(x) > y.most or _least(y) > x.most:
            return self.constant(1, 0)
        if x.width == 1:
            for one, other in ((x, y), (y, x)):
                if one.is_constant:
                    return other if one.value else self.bvnot(other)
        known = (x.ones | x.zeros) & (y.ones | y.zeros)
        if known:  # only what is not known on both sides is left to ask
            parts = list(_runs(~known & ((1 << x.width) - 1), x.width))
            one = self.concat(self.extract(x, high, low) for high, low in reversed(parts))
            other = self.concat(self.extract(y, high, low) for high, low in reversed(parts))
            return self.equal(one, other)
        return self._node("eq", 1, (x, y), None, 0, 0, 1)

    def bvult(self, x: BitTerm, y: BitTerm) -> BitTerm:
        """x < y as unsigned numbers, one bit."""
        if x.most < _least(y):
            return self.constant(1, 1)
        if _least(x) >= y.most or x is y:
            return self.constant(1, 0)
        return self._node("ult", 1, (x, y), None, 0, 0, 1)

    def bvslt(self, x: BitTerm, y: BitTerm) -> BitTerm:
        """x < y in two's complement, one bit."""
        flip = self.constant(x.width, 1 << (x.width - 1))
        return self.bvult(self.bvxor(x, flip), self.bvxor(y, flip))

    def any_bit(self, x: BitTerm) -> BitTerm:
        """True if a bit is set."""
        return self.constant(1, 1) if x.ones else self.bvnot(self.equal(x, self.constant(x.width, 0)))

    def parity(self, x: BitTerm) -> BitTerm:
        """The sum of all bits modulo 2."""
        bits = [self.extract(x, k, k) for k in range(x.width)]
        whole = bits[0]
        for bit in bits[1:]:
            whole = self.bvxor(whole, bit)
        return whole


def cone(roots: Iterable[BitTerm], definitions: Mapping[BitTerm, BitTerm] | None = None) -> Iterator[BitTerm]:
    """All terms that others are made of, inputs first; of a variable with a definition also what that is made of."""
    definitions = definitions or {}
    done: set[BitTerm] = set()
    waiting = [(root, False) for root in roots]
    while waiting:
        term, complete = waiting.pop()
        if complete:
            yield term
        elif term not in done:
            done.add(term)
            waiting.append((term, True))
            operands = (definitions[term],) if term in definitions else term.operands
            waiting += [(operand, False) for operand in operands if operand not in done]


def pieces(x: BitTerm) -> Sequence[BitTerm]:
    """The parts of a concatenation, high part first, or the term itself."""
    return x.operands if x.operation == "concat" else (x,)


def bits_of(x: BitTerm) -> tuple[BitTerm, int, int]:
    """(term, high, low) that a term is bits of."""
    return (x.operands[0], *x.detail) if x.operation == "slice" else (x, x.width - 1, 0)


def is_plain(x: BitTerm) -> bool:
    """True if a term consists only of bits of variables and constants."""
    if x.operation == "slice":
        return x.operands[0].operation == "var"
    return x.operation in ("var", "const") or (x.operation == "concat" and all(map(is_plain, x.operands)))


def _falls_apart(branches: Sequence[BitTerm], high: int, low: int) -> bool:
    """True if bits of a branch are known or whole parts of it, so that they are simpler than bits of the choice."""
    if any(branch.is_constant for branch in branches):
        return True
    joined = [branch for branch in branches if branch.operation == "concat"]
    return bool(joined) and not any(_cuts_into(branch, place) for branch in joined for place in (low, high + 1))


def _cuts_into(x: BitTerm, place: int) -> bool:
    """True if a place is inside of a part of a concatenation, and that part is an operation."""
    end = x.width
    for part in x.operands:
        start = end - part.width
        if start < place < end:
            return not is_plain(part)
        end = start
    return False


def _sorted(x: BitTerm, y: BitTerm) -> tuple[BitTerm, BitTerm]:
    return (y, x) if x.number > y.number else (x, y)


def _leaves(x: BitTerm, operation: str) -> frozenset[BitTerm]:
    """The terms that an operation, nested or not, is of."""
    if x.operation != operation:
        return frozenset([x])
    return frozenset(leaf for y in x.operands for leaf in _leaves(y, operation))


def _carried(x: BitTerm) -> frozenset[BitTerm]:
    """The two or three terms whose majority x is, the carries of their sum; none if it is not such a thing."""
    pairs = [_leaves(y, "and") for y in _leaves(x, "or")]
    terms = frozenset(term for pair in pairs for term in pair)
    each_two = all(len(pair) == 2 for pair in pairs)
    return terms if each_two and (len(pairs), len(terms)) in ((1, 2), (3, 3)) else frozenset()


def _least(x: BitTerm) -> int:
    return x.ones


def _range(operands: Sequence[BitTerm], factors: Sequence[int]) -> tuple[int, int]:
    """Bounds of a sum of terms times factors, from the bounds of the terms."""
    parts = [factor * term.most for term, factor in zip(operands, factors, strict=True)]
    return sum(part for part in parts if part < 0), sum(part for part in parts if part > 0)


def trailing_ones(mask: int) -> int:
    """Number of ones below the lowest zero."""
    return (~mask & (mask + 1)).bit_length() - 1


def _runs(mask: int, width: int) -> Iterator[tuple[int, int]]:
    """(high, low) of the runs of ones, the lowest one first."""
    at = 0
    while at < width:
        if not mask >> at & 1:
            at += 1
            continue
        low = at
        while at < width and mask >> at & 1:
            at += 1
        yield at - 1, low
