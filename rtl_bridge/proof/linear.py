# SPDX-License-Identifier: Apache-2.0
"""Equality of bit vectors as sums of integers modulo a power of two.

Values that were cut off are followed back to what they are made of, the bits of a sum that are side by side become the
sum again, and a product becomes those of pieces of its factors where such are there. If everything cancels out then,
both sides are equal. That is what a multiplier made of tiles comes to, of which a solver knows nothing.
"""

from collections.abc import Mapping
from itertools import combinations, pairwise, permutations

from rtl_bridge.proof.bits import BitTerm, TermPool

MOST_TERMS = 20_000
"""Terms that are added up for one question."""


class LinearForms:
    """Answers for the terms of a pool and the definitions of its variables, which may be added to."""

    def __init__(
        self, pool: TermPool, definitions: Mapping[BitTerm, BitTerm], exact: Mapping[BitTerm, BitTerm]
    ) -> None:
        """`exact` has definitions as sums that do not wrap, which may be wider than their variable."""
        self._pool, self._definitions, self._exact = pool, definitions, exact
        self._left = 0

    def equal(self, x: BitTerm, y: BitTerm) -> bool:
        """Whether x - y, of equal widths, is 0 as a sum; False says nothing."""
        self._left = MOST_TERMS
        return self._equal(x, y)

    def _equal(self, x: BitTerm, y: BitTerm) -> bool:
        if x is y:
            return True
        form = self._rest(x, y, 0)
        scale = max((atom.detail[1] for atom in form.atoms if atom.operation == "slice"), default=0)
        return form.is_zero or (scale > 0 and self._rest(x, y, scale).is_zero)

    def _rest(self, x: BitTerm, y: BitTerm, scale: int) -> "_Form":
        """What is left of (x - y) * 2^scale: with a scale, bits of a term are what it is less the bits below them."""
        form = _Form(self._pool, x.width + scale)
        form.add(x, 1 << scale)
        form.add(y, -1 << scale)
        while not form.is_zero and self._left > 0:
            before = form.added
            if not (self._followed(form) or form.tile() or self._paired(form)):
                break
            self._left -= form.added - before
        return form

    def _paired(self, form: "_Form") -> bool:
        """Takes low bits of one term for those of another one, or of several side by side, that are equal to them."""
        cuts = [atom for atom in form.atoms if atom.operation in ("slice", "wrap")]
        for one, other in combinations(sorted(cuts, key=lambda atom: atom.number), 2):
            if _bits(one)[1:] == _bits(other)[1:] and self._equal(*(self._whole(atom) for atom in (one, other))):
                form.add(one, form.atoms.pop(one) + form.atoms.pop(other))
                return True
        for one, first in permutations(cuts, 2):
            parts = form.chain(first, one.width)
            if parts and one not in parts and not _bits(one)[2]:
                whole = self._pool.joined(reversed(parts))
                if self._equal(one, whole):
                    form.add(whole, form.atoms.pop(one))
                    return True
        return False

    def _whole(self, atom: BitTerm) -> BitTerm:
        """A cut with the bits below it."""
        return self._pool.cut(atom.operands[0], atom.detail[0], 0) if atom.operation == "slice" else atom

    def _followed(self, form: "_Form") -> bool:
        """Puts its definition in place of the newest variable that has one."""
        known = [(variable, atom) for atom in form.atoms if (variable := _base(atom)) in self._definitions]
        if not known:
            return False
        variable, atom = max(known, key=lambda pair: pair[0].number)
        definition = self._exact.get(variable, self._definitions[variable])
        factor = form.atoms.pop(atom)
        form.add(definition if atom is variable else self._pool.cut(definition, *atom.detail), factor)
        return True


class _Form:
    """A sum of terms times factors, modulo 2^width."""

    def __init__(self, pool: TermPool, width: int) -> None:
        self._pool, self._full = pool, (1 << width) - 1
        self.atoms: dict[BitTerm, int] = {}
        self._constant = 0
        self.added = 0
        """How many terms have been added."""

    @property
    def is_zero(self) -> bool:
        return not self.atoms and not self._constant

    def chain(self, first: BitTerm, width: int) -> list[BitTerm]:
        """Atoms whose factors put them side by side, the lowest one given; empty where they are not so many bits."""
        parts, shift, factor = [first], first.width, self.atoms[first]
        while shift < width:
            wanted = factor << shift & self._full
            following = [atom for atom, times in self.atoms.items() if times == wanted and atom.operation == "slice"]
            if len(following) != 1:
                return []
            parts += following
            shift += following[0].width
        return parts if shift == width and len(parts) > 1 else []

    def add(self, term: BitTerm, factor: int) -> None:
        """Adds a term times a factor."""
        waiting = [(term, factor)]
        while waiting:
            term, factor = waiting.pop()
            self.added += 1
            factor = factor + self.atoms.pop(term, 0) & self._full
            if not factor:
                continue
            if term.is_constant:
                self._constant = self._constant + factor * term.value & self._full
            elif term.operation == "concat":
                shift = 0
                for part in reversed(term.operands):
                    waiting.append((part, factor << shift))
                    shift += part.width
            elif term.operation == "not":
                self._constant = self._constant + factor * ((1 << term.width) - 1) & self._full
                waiting.append((term.operands[0], -factor))
            elif term.operation == "sum" or (term.operation == "wrap" and not factor << term.width & self._full):
                factors, constant = term.detail
                self._constant = self._constant + factor * constant & self._full
                waiting += [(part, factor * each) for part, each in zip(term.operands, factors, strict=True)]
            elif term.operation == "product" and (constants := [x for x in term.operands if x.is_constant]):
                (other,) = (x for x in term.operands if not x.is_constant)
                waiting.append((other, factor * constants[0].value))
            elif term.operation == "slice" and (parts := self._of_slice(term, factor)):
                waiting += parts
            else:
                self.atoms[term] = factor

    def _of_slice(self, term: BitTerm, factor: int) -> list[tuple[BitTerm, int]]:
        """Bits h to l of x times 2^l: those from h on down less those below l.

        Bits above that are 0 or do not count may be there, too.
        """
        high, low = term.detail
        whole = term.operands[0]
        if low:
            if factor & ((1 << low) - 1):
                return []
            factor >>= low
            return [(self._pool.cut(whole, high, 0), factor), (self._pool.cut(whole, low - 1, 0), -factor)]
        counts = whole.most >> term.width and factor << term.width & self._full
        return [] if counts else [(whole, factor)]

    def tile(self) -> bool:
        """Puts products of pieces in place of a product, cut where factors of other products are."""
        products = sorted((atom for atom in self.atoms if atom.operation == "product"), key=lambda atom: -atom.width)
        for product in products:
            places = [self._places(factor, products) for factor in product.operands]
            if not any(places):
                continue
            times = self.atoms.pop(product)
            one, other = (list(self._cut(x, at)) for x, at in zip(product.operands, places, strict=True))
            for low, x in one:
                for more, y in other:
                    self.add(self._pool.product(x, y), times << low + more)
            return True
        return False

    def _cut(self, x: BitTerm, places: set[int]) -> list[tuple[int, BitTerm]]:
        ends = [0, *sorted(places), x.width]
        return [(low, self._pool.cut(x, end - 1, low)) for low, end in pairwise(ends)]

    @staticmethod
    def _places(factor: BitTerm, products: list[BitTerm]) -> set[int]:
        """Where a factor has parts, and where other factors that are bits of the same terms begin or end within it."""
        found = set[int]()
        start = 0
        for part in reversed(factor.operands if factor.operation == "concat" else (factor,)):
            base, high, low = _bits(part)
            found.add(start)
            for product in products:
                for whole, above, below in map(_bits, product.operands):
                    if whole is base:
                        found |= {start + place - low for place in (below, above + 1) if low < place <= high}
            start += part.width
        return found - {0}


def _bits(term: BitTerm) -> tuple[BitTerm, int, int]:
    """(term, high, low) that a term is bits of."""
    return (term.operands[0], *term.detail) if term.operation == "slice" else (term, term.width - 1, 0)


def _base(term: BitTerm) -> BitTerm:
    return _bits(term)[0]
