# SPDX-License-Identifier: Apache-2.0
"""Terms with other terms in place of some of their parts, and terms made from no more bits than they depend on."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool, bits_of, cone, pieces

_Pairs = dict[BitTerm, list[tuple[BitTerm, BitTerm]]]
"""Terms with what takes their place, by a term that they are made of."""


def replaced(pool: TermPool, terms: Iterable[BitTerm], by: Mapping[BitTerm, BitTerm]) -> list[BitTerm]:
    """The terms with others in place of some of their parts, and in place of what results from that.

    Where a sum is to be replaced, so are its terms in the midst of a larger sum; where a cut is, so are cuts of it;
    where a choice is, so are choices between the same bits of both values; where bits of a sum are, so are those of
    its low bits alone, which fewer terms make.
    """
    return _Replacement(pool, by).of(terms)


def rebuilt(pool: TermPool, term: BitTerm, operands: Sequence[BitTerm]) -> BitTerm:
    """The operation of a term on other operands of the same widths."""
    return _Replacement(pool, {}).made(term, operands)


def narrowed(pool: TermPool, terms: Iterable[BitTerm]) -> list[BitTerm]:
    """The terms with low bits of products and sums made from the low bits of their operands alone.

    So they are equal where wider operands were cut at another place. It is not done at once, since a watched product
    would no longer be found in what depends on its low bits.
    """
    wanted = list(terms)
    again = _Replacement(pool, {})
    done: dict[BitTerm, BitTerm] = {}
    for term in cone(wanted):
        made = again.made(term, [done[operand] for operand in term.operands])
        done[term] = _from_low_bits(pool, made) if made.operation == "slice" else made
    return [done[term] for term in wanted]


def _from_low_bits(pool: TermPool, cut: BitTerm) -> BitTerm:
    """A cut of a product or a sum from as few bits of its operands as it depends on."""
    high, low = cut.detail
    whole, size = cut.operands[0], high + 1
    if whole.operation == "product":
        factors = [pool.extend(factor, min(factor.width, size)) for factor in whole.operands]
        return pool.extract(pool.product(*factors), high, low)
    if whole.operation in ("sum", "wrap") and size < whole.width:
        factors, constant = whole.detail
        return pool.extract(pool.sum(dict(zip(whole.operands, factors, strict=True)), constant, size), high, low)
    return cut


class _Replacement:
    """Makes terms again, with other operands."""

    def __init__(self, pool: TermPool, by: Mapping[BitTerm, BitTerm]) -> None:
        self._pool, self._by = pool, by
        self._choices: _Pairs = {}
        """By their condition."""
        self._cuts: _Pairs = {}
        """By what they are bits of."""
        self._sums: _Pairs = {}
        """By their last term."""
        self._bits: _Pairs = {}
        """Sums, and bits of sums, by each of their terms."""
        for term, other in by.items():
            if term.operation == "ite":
                self._choices.setdefault(term.operands[0], []).append((term, other))
            elif term.operation == "slice":
                self._cuts.setdefault(term.operands[0], []).append((term, other))
            elif term.operation == "sum" and len(term.operands) > 1:
                self._sums.setdefault(term.operands[-1], []).append((term, other))
            base = bits_of(term)[0]
            for operand in base.operands if base.operation in ("sum", "wrap") else ():
                self._bits.setdefault(operand, []).append((term, other))

    def of(self, terms: Iterable[BitTerm]) -> list[BitTerm]:
        """The terms after substitution."""
        done = dict(self._by)
        wanted = list(terms)
        for root in wanted:
            waiting = [root]
            while waiting:
                top = waiting[-1]
                if top in done:
                    waiting.pop()
                elif missing := [operand for operand in top.operands if operand not in done]:
                    waiting += missing
                else:
                    waiting.pop()
                    made = self.made(top, [done[operand] for operand in top.operands])
                    done[top] = self._by[made] if made in self._by else self._of_low_bits(made)
        return [done[root] for root in wanted]

    def made(self, term: BitTerm, operands: Sequence[BitTerm]) -> BitTerm:
        """The operation of a term on other operands of the same widths."""
        pool = self._pool
        if term.operation in ("sum", "wrap"):
            return self._sum(term, operands)
        if term.operation == "slice":
            high, low = term.detail
            for part, other in self._cuts.get(operands[0], ()):
                if part.detail[0] >= high and part.detail[1] <= low:
                    return pool.extract(other, high - part.detail[1], low - part.detail[1])
            return pool.extract(operands[0], high, low)
        if term.operation == "ite":
            for part, other in self._choices.get(operands[0], ()):
                if bits := self._same_bits(part.operands[1:], operands[1:]):
                    return pool.extract(other, *bits)
        if all(new is old for new, old in zip(operands, term.operands, strict=True)):
            return term
        if term.operation == "concat":
            return pool.concat(operands)
        makers: dict[str, Callable[..., BitTerm]] = {
            "not": pool.bvnot, "and": pool.bvand, "or": pool.bvor, "xor": pool.bvxor, "ite": pool.ite,
            "product": pool.product, "udiv": pool.bvudiv, "urem": pool.bvurem, "eq": pool.equal, "ult": pool.bvult,
        }  # fmt: skip
        return makers[term.operation](*operands)

    def _sum(self, term: BitTerm, operands: Sequence[BitTerm]) -> BitTerm:
        pool = self._pool
        factors, constant = term.detail
        terms: dict[BitTerm, int] = {}
        for operand, factor in zip(operands, factors, strict=True):
            constant += factor * pool.collect(operand, factor, terms)
        for last in [operand for operand in terms if operand in self._sums]:
            for part, other in self._sums[last]:
                constant += self._exchange(terms, part, other)
        if term.operation == "sum":
            return pool.extend(pool.exact(terms, constant, term.most), term.width)
        return pool.sum(terms, constant, term.width)

    def _exchange(self, terms: dict[BitTerm, int], part: BitTerm, other: BitTerm) -> int:
        """Puts a term in place of a sum among terms, if it is there; returns what that adds to their constant."""
        factors, constant = part.detail
        times, rest = divmod(terms.get(part.operands[-1], 0), factors[-1])
        if rest or not times:
            return 0
        if any(terms.get(term) != times * factor for term, factor in zip(part.operands, factors, strict=True)):
            return 0
        for term in part.operands:
            del terms[term]
        return int(times * (self._pool.collect(other, times, terms) - constant))

    def _of_low_bits(self, x: BitTerm) -> BitTerm:
        """A term; for low bits of a longer sum of which bits are replaced, those of the other term."""
        short, high, low = bits_of(x)
        if short.operation in ("sum", "wrap"):
            for term, other in self._bits.get(short.operands[0], ()):
                base, top, bottom = bits_of(term)
                inside = bottom <= low and high <= top and short.width < base.width
                if inside and self._pool.extract(base, short.width - 1, 0) is short:
                    return self._pool.extract(other, high - bottom, low - bottom)
        return x

    def _same_bits(self, whole: Sequence[BitTerm], parts: Sequence[BitTerm]) -> tuple[int, int] | None:
        """(high, low) of the bits that both values have in common; None without such bits."""
        lowest, _, low = bits_of(pieces(parts[0])[-1])
        at = 0
        for piece in reversed(pieces(whole[0])):
            base, _, start = bits_of(piece)
            first = at + low - start
            bits = first + parts[0].width - 1, first
            inside = base is lowest and at <= first and bits[0] < whole[0].width
            if inside and all(self._pool.extract(x, *bits) is part for x, part in zip(whole, parts, strict=True)):
                return bits
            at += piece.width
        return None
