# SPDX-License-Identifier: Apache-2.0
"""Equality of bit vectors as sums of integers modulo a power of two.

Values that were cut off are followed back to what they are made of, the bits of a sum that are side by side become the
sum again, and a product becomes those of pieces of its factors where such are there. If everything cancels out then,
both sides are equal. That is what a multiplier made of tiles comes to, of which a solver knows nothing.
"""

from collections.abc import Iterable, Mapping
from itertools import combinations, pairwise, permutations

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool, bits_of, pieces
from limbtrace.rtl_bridge.proof.smt import variables

MOST_TERMS = 20_000
"""Terms that are added up for one question."""
MOST_SCALES = 3
"""Most larger multiples of the sum for which the question is asked."""
FEW_TERMS = 2_000
"""As above, before a solver is asked."""

_CUT = ("slice", "wrap")
"""Operations whose bits are not all of a sum."""


class LinearForms:
    """Answers for the terms of a pool and the definitions of its variables, which may be added to."""

    def __init__(
        self, pool: TermPool, definitions: Mapping[BitTerm, BitTerm], exact: Mapping[BitTerm, BitTerm]
    ) -> None:
        """`exact` has definitions as sums that do not wrap, which may be wider than their variable."""
        self._pool, self._definitions, self._exact = pool, definitions, exact
        self._left = 0
        self._limited = False

    def equal(self, x: BitTerm, y: BitTerm, most: int = MOST_TERMS) -> bool:
        """True if x - y, of equal widths, is 0 as a sum of at most so many terms; False says nothing.

        At first, what one side is made of is followed no further back than the other side needs.
        """
        size = max(x.most.bit_length(), y.most.bit_length(), 1)  # where bits above are 0 in both
        x, y = self._pool.extract(x, size - 1, 0), self._pool.extract(y, size - 1, 0)
        for self._limited in (True, False):
            self._left = most
            if self._equal(x, y):
                return True
        return False

    def _equal(self, x: BitTerm, y: BitTerm) -> bool:
        if x is y:
            return True
        oldest = 0
        if self._limited:
            oldest = min(max(map(self._number, variables([side])), default=0) for side in (x, y))
        return self._divided(x, y, oldest) or self._equal_since(x, y, oldest)

    def _divided(self, x: BitTerm, y: BitTerm, oldest: int) -> bool:
        """True if both are quotients of one number: a >> l is b >> l + d where b - 2^d * a is r, from 0 to 2^d - 1.

        That difference is computed with more bits than both have, so that it is this r and not a multiple more.
        """
        cuts = [bits_of(self._pool.extract(side, max(side.most.bit_length(), 1) - 1, 0)) for side in (x, y)]
        (a, high, low), (b, top, bottom) = sorted(cuts, key=lambda cut: cut[2])
        whole = all(base.most >> end + 1 == 0 for base, end, _ in cuts)
        more = bottom - low
        if not more or not (whole or high - low == top - bottom):
            return False
        width = max(a.width + more, b.width) + 2
        form = self._reduced(_Form(self._pool, width), [(b, 1), (a, -1 << more)], oldest)
        least, most = form.range
        return least >= 0 and not most >> more

    def _equal_since(self, x: BitTerm, y: BitTerm, oldest: int) -> bool:
        scale = 0
        for _ in range(MOST_SCALES):
            form = self._rest(x, y, scale, oldest)
            if form.is_zero:
                return True
            more = form.lowest_bits
            if not more:
                break
            scale += more
        return False

    def _number(self, variable: BitTerm) -> int:
        return variable.number if variable in self._definitions else 0

    def _rest(self, x: BitTerm, y: BitTerm, scale: int, oldest: int = 0) -> "_Form":
        """The rest of (x - y) * 2^scale: with a scale, bits of a term are what it is less the bits below them.

        Variables up to the number `oldest` are not followed.
        """
        return self._reduced(_Form(self._pool, x.width + scale), [(x, 1 << scale), (y, -1 << scale)], oldest)

    def _reduced(self, form: "_Form", parts: Iterable[tuple[BitTerm, int]], oldest: int) -> "_Form":
        for part in parts:
            form.add(*part)
        while not form.is_zero and self._left > 0:
            before = form.added
            if not (
                form.add_up() or self._followed(form, oldest) or form.tile() or self._chosen(form) or self._paired(form)
            ):
                break
            self._left -= form.added - before
        return form

    def _paired(self, form: "_Form") -> bool:
        """Takes low bits of one term for those of another one, or of several side by side, that are equal to them."""
        cuts = [atom for atom in form.atoms if atom.operation in _CUT]
        for one, other in combinations(sorted(cuts, key=lambda atom: atom.number), 2):
            if (one, other) in form.paired:
                continue
            if bits_of(one)[1:] == bits_of(other)[1:] and self._equal(*(self._whole(atom) for atom in (one, other))):
                form.paired.add((one, other))
                form.add(one, form.atoms.pop(one) + form.atoms.pop(other))
                return True
        for one, first in permutations(cuts, 2):
            parts = form.chain(first, one.width)
            if parts and one not in parts and not bits_of(one)[2] and (one, first) not in form.paired:
                whole = self._pool.concat(reversed(parts))
                if self._equal(one, whole):
                    form.paired.add((one, first))
                    form.add(whole, form.atoms.pop(one))
                    return True
        return False

    def _chosen(self, form: "_Form") -> bool:
        """Takes a choice between two values that differ by a constant for one of them and the constant times a bit."""
        for atom in [atom for atom in form.atoms if atom.operation == "ite" and form.ends_at(atom)]:
            bit, one, other = atom.operands
            difference = self._rest(one, other, 0).only
            if difference is not None:
                factor = form.atoms.pop(atom)
                form.add(other, factor)
                form.add(bit, factor * difference)
                return True
        return False

    def _whole(self, atom: BitTerm) -> BitTerm:
        """A cut with the bits below it."""
        return self._pool.extract(atom.operands[0], atom.detail[0], 0) if atom.operation == "slice" else atom

    def _followed(self, form: "_Form", oldest: int) -> bool:
        """Puts its definition in place of the newest variable that has one."""
        bases = ((_base(atom), atom) for atom in form.atoms)
        known = [(base, atom) for base, atom in bases if base in self._definitions and base.number > oldest]
        if not known:
            return False
        variable, atom = max(known, key=lambda pair: pair[0].number)
        definition = self._exact.get(variable, self._definitions[variable])
        factor = form.atoms.pop(atom)
        form.add(definition if atom is variable else self._pool.extract(definition, *atom.detail), factor)
        return True


class _Form:
    """A sum of terms times factors, modulo 2^width."""

    def __init__(self, pool: TermPool, width: int) -> None:
        self._pool, self._full = pool, (1 << width) - 1
        self.atoms: dict[BitTerm, int] = {}
        self._constant = 0
        self.paired = set[tuple[BitTerm, BitTerm]]()
        """Atoms of which one has taken the place of the other."""
        self.added = 0
        """Number of terms that have been added."""

    @property
    def is_zero(self) -> bool:
        return not self.atoms and not self._constant

    def _signed(self, factor: int) -> int:
        """The factor from -2^(width-1) on: so a half of -2 is -1."""
        half = (self._full >> 1) + 1
        return (factor ^ half) - half

    @property
    def range(self) -> tuple[int, int]:
        """The least and the largest value of the sum, of factors and a constant from -2^(width-1) on."""
        signed = [(term.most, self._signed(factor)) for term, factor in self.atoms.items()]
        constant = self._signed(self._constant)
        ends = (constant + sum(most * factor for most, factor in signed if factor * sign > 0) for sign in (-1, 1))
        least, most = ends
        return least, most

    @property
    def only(self) -> int | None:
        """The constant, if there is nothing else."""
        return None if self.atoms else self._constant

    @property
    def lowest_bits(self) -> int:
        """Number of bits missing below the cuts that cannot be what is above them less what is below; 0 for none."""
        cuts = ((atom.detail[1], factor) for atom, factor in self.atoms.items() if atom.operation == "slice")
        return max((low for low, factor in cuts if factor & ((1 << low) - 1)), default=0)

    def ends_at(self, term: BitTerm) -> bool:
        """True if nothing above the bits of a term counts."""
        return not self.atoms[term] << term.width & self._full

    def chain(self, first: BitTerm, width: int) -> list[BitTerm]:
        """Atoms whose factors put them side by side, the lowest one given; empty if they do not fill `width` bits."""
        parts, shift, factor = [first], first.width, self.atoms[first]
        while shift < width:
            wanted = factor << shift & self._full
            following = [atom for atom, times in self.atoms.items() if times == wanted and atom.operation in _CUT]
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

        Bits above that are 0 or do not count may be there, too. The lowest bit of a product is that of both factors.
        """
        high, low = term.detail
        whole = term.operands[0]
        if not high and whole.operation == "product":
            return [(self._pool.bvand(*(self._pool.extract(x, 0, 0) for x in whole.operands)), factor)]
        if low:
            if factor & ((1 << low) - 1):
                return []
            factor = self._signed(factor) >> low
            return [(self._pool.extract(whole, high, 0), factor), (self._pool.extract(whole, low - 1, 0), -factor)]
        counts = whole.most >> term.width and factor << term.width & self._full
        return [] if counts else [(whole, factor)]

    def add_up(self) -> bool:
        """Puts two or three terms in place of their parity and twice their majority, which may have fewer bits."""
        for parity in [atom for atom in self.atoms if atom.operation == "xor"]:
            for carry in [atom for atom in self.atoms if atom.operation in ("and", "or")]:
                times, factor = (self._signed(self.atoms[atom]) for atom in (parity, carry))
                if added := self._pool.added_up(parity, times, carry, factor):
                    del self.atoms[parity], self.atoms[carry]
                    for part, low in added:
                        self.add(part, times << low)
                    return True
        return False

    def tile(self) -> bool:
        """Puts products of pieces in place of a product, cut where factors of other products are."""
        products = sorted(filter(_factors, self.atoms), key=lambda atom: -atom.width)
        for product in products:
            places = [self._places(factor, products) for factor in _factors(product)]
            if not any(places):
                continue
            times = self.atoms.pop(product)
            one, other = (list(self._cut(x, at)) for x, at in zip(_factors(product), places, strict=True))
            for low, x in one:
                for more, y in other:
                    self.add(self._pool.product(x, y), times << low + more)
            return True
        return False

    def _cut(self, x: BitTerm, places: set[int]) -> list[tuple[int, BitTerm]]:
        ends = [0, *sorted(places), x.width]
        return [(low, self._pool.extract(x, end - 1, low)) for low, end in pairwise(ends)]

    @staticmethod
    def _places(factor: BitTerm, products: list[BitTerm]) -> set[int]:
        """Where a factor has parts, and where other factors that are bits of the same terms begin or end within it."""
        found = set[int]()
        start = 0
        for part in reversed(pieces(factor)):
            base, high, low = bits_of(part)
            found.add(start)
            for product in products:
                for whole, above, below in map(bits_of, _factors(product)):
                    if whole is base:
                        found |= {start + place - low for place in (below, above + 1) if low < place <= high}
            start += part.width
        return found - {0}


def _factors(term: BitTerm) -> tuple[BitTerm, ...]:
    """Both factors of a product; where one of them is a bit, it is a choice, or an "and"; empty for what is none."""
    if term.operation == "ite" and term.operands[2].is_constant and not term.operands[2].value:
        return term.operands[:2]
    is_product = term.operation == "product" or (term.operation == "and" and term.width == 1)
    return term.operands if is_product else ()


def _base(term: BitTerm) -> BitTerm:
    return bits_of(term)[0]
