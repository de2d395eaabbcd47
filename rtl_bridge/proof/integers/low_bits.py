# SPDX-License-Identifier: Apache-2.0
"""Low bits of terms as polynomials modulo a power of two: what shows that a sum ends in zeros, as in Montgomery's step.

The unknowns are terms. The low bits of sums, products and choices are those of their parts' low bits, so wrapping does
not matter.
"""

from collections.abc import Iterable, Iterator, Sequence

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool
from limbtrace.rtl_bridge.proof.integers.ranges import MOST_DIGIT

MOST_MONOMIALS = 256
"""A term that has more is an unknown of its own."""

LowMonomial = tuple[BitTerm, ...]
LowForm = dict[LowMonomial, int]


def digit_bits(pool: TermPool, term: BitTerm) -> list[tuple[BitTerm, int]]:
    """The bits of the digit that a term compares with a constant, lowest first, with what each is if it is equal.

    Empty for any other term.
    """
    if term.operation != "eq":
        return []
    constant, digit = sorted(term.operands, key=lambda each: not each.is_constant)
    if not constant.is_constant or digit.operation not in ("var", "slice") or digit.width > MOST_DIGIT:
        return []
    return [(pool.bit_of(digit, place), constant.value >> place & 1) for place in range(digit.width)]


class LowBits:
    """Which low bits of terms are zero, or equal to those of other terms, as far as polynomials modulo 2^size say."""

    def __init__(self, pool: TermPool) -> None:
        self._pool = pool
        self._sums: dict[int, _LowSum] = {}
        """By size."""
        self._first: dict[tuple[int, frozenset[tuple[LowMonomial, int]]], BitTerm] = {}

    def are_zero(self, term: BitTerm, size: int) -> bool:
        """True if the low `size` bits of a term are zero for all values; False says nothing."""
        return not self.form(term, size)

    def first_equal(self, term: BitTerm, size: int) -> BitTerm:
        """The first term whose low `size` bits are known to be equal to those of this one: perhaps the term itself."""
        return self._first.setdefault((size, frozenset(self.form(term, size).items())), term)

    def inverted(self, term: BitTerm) -> BitTerm | None:
        """The first term whose lowest bit is known to be the inverse of this one's; None without one."""
        form = dict(self.form(term, 1))
        if not form.pop((), 0):
            return None
        return self._first.get((1, frozenset(form.items())))

    def lowest(self, term: BitTerm) -> tuple[LowMonomial, bool] | None:
        """Bits whose product the lowest bit of a term is, or is the inverse of; None for any other term."""
        form = dict(self.form(term, 1))
        inverse = form.pop((), 0) == 1
        return (next(iter(form)), inverse) if len(form) == 1 else None

    def form(self, term: BitTerm, size: int) -> LowForm:
        """Products of terms with coefficients, whose sum is a term modulo 2^size."""
        if size not in self._sums:
            self._sums[size] = _LowSum(self._pool, size)
        return self._sums[size].of(term)


class _LowSum:
    """Polynomials modulo 2^size, whose monomials are terms in the order of their numbers."""

    def __init__(self, pool: TermPool, size: int) -> None:
        self._pool, self._size = pool, size
        self._full = (1 << size) - 1
        self._made: dict[BitTerm, LowForm] = {}
        self._joined: dict[BitTerm, LowForm] = {}

    def of(self, term: BitTerm) -> LowForm:
        """The polynomial of a term, in which bits of terms go together again."""
        if term not in self._joined:
            self._joined[term] = self._without_cuts(self._form(term))
        return self._joined[term]

    def _form(self, term: BitTerm) -> LowForm:
        """The polynomial of a term; those of the terms that it is made of are made before it, however deep they are."""
        waiting = [term]
        while waiting:
            missing = [] if waiting[-1] in self._made else [x for x in self._needed(waiting[-1]) if x not in self._made]
            waiting.extend(missing)
            if not missing:
                self._make(waiting.pop())
        return self._made[term]

    def _make(self, term: BitTerm) -> None:
        if term in self._made:
            return
        found = self._read(term)
        if found is None or len(found) > MOST_MONOMIALS:
            found = {(self._short(term),): 1}
        self._made[term] = found

    def _without_cuts(self, form: LowForm) -> LowForm:
        """An equal form, in which 2^l * x[h:l] is x less its bits below l wherever the bits above h do not count."""
        while cut := next((each for each, factor in form.items() if self._is_cut(each, factor)), None):
            (term,) = cut
            whole, low = term.operands[0], term.detail[1]
            rest = {each: factor for each, factor in form.items() if each != cut}
            parts = [(rest, 1), (self._made[whole], form[cut] >> low)]
            if low:
                parts.append(({(self._pool.extract(whole, low - 1, 0),): 1}, -(form[cut] >> low)))
            form = self._sum(parts)
        return form

    def _is_cut(self, monomial: LowMonomial, factor: int) -> bool:
        if len(monomial) != 1 or monomial[0].operation != "slice" or monomial[0].operands[0] not in self._made:
            return False
        high, low = monomial[0].detail
        if not low and high + 1 >= self._size:
            return False
        return not factor & ((1 << low) - 1) and not (factor >> low << high + 1) & self._full

    def _short(self, term: BitTerm) -> BitTerm:
        """An unknown of no more bits than count, so that equal low bits of two terms are one unknown."""
        return self._pool.extract(term, self._size - 1, 0) if term.width > self._size else term

    def _needed(self, term: BitTerm) -> Sequence[BitTerm]:
        """The operands of which the polynomial of a term is made; none for an unknown."""
        operation, operands = term.operation, term.operands
        if operation in ("sum", "product", "not", "ite"):
            return operands
        if operation == "wrap" and term.width >= self._size:
            return operands
        if operation in ("and", "xor", "or") and (term.width == 1 or self._size == 1):
            return operands
        if operation == "concat":
            return [part for part, _ in self._parts(term)]
        if operation == "slice" and operands[0].operation != "var":
            return operands
        if operation == "eq":
            return [bit for bit, _ in digit_bits(self._pool, term)]
        return ()

    def _read(self, term: BitTerm) -> LowForm | None:
        """The polynomial of an operation, whose needed operands are made; None where the term is an unknown."""
        operation = term.operation
        if operation == "const":
            return self._sum([({(): 1}, term.value)])
        forms = [self._made[operand] for operand in self._needed(term)]
        if not forms or (operation == "slice" and (term.detail[1] or term.width < self._size)):
            return None
        if operation == "eq":
            total: LowForm = {(): 1}
            for form, (_, value) in zip(forms, digit_bits(self._pool, term), strict=True):
                total = self._product(total, form if value else self._sum([({(): 1}, 1), (form, -1)]))
            return total
        if operation in ("sum", "wrap"):
            factors, constant = term.detail
            return self._sum([*zip(forms, factors, strict=True), ({(): 1}, constant)])
        if operation in ("product", "and"):
            return self._product(*forms)
        if operation == "concat":
            return self._sum(zip(forms, (factor for _, factor in self._parts(term)), strict=True))
        if operation == "not":
            return self._sum([({(): 1}, (1 << term.width) - 1), (forms[0], -1)])
        if operation == "ite":
            bit, one, other = forms
            return self._sum([(other, 1), (self._product(bit, self._sum([(one, 1), (other, -1)])), 1)])
        if operation in ("xor", "or"):
            both = self._product(*forms)
            return self._sum([(forms[0], 1), (forms[1], 1), (both, -2 if operation == "xor" else -1)])
        return forms[0]

    def _parts(self, term: BitTerm) -> Iterator[tuple[BitTerm, int]]:
        """The parts of a concatenation of which bits count, from the lowest on, and what each is multiplied by."""
        shift = 0
        for part in reversed(term.operands):
            if shift < self._size:
                yield part, 1 << shift
            shift += part.width

    def _sum(self, parts: Iterable[tuple[LowForm, int]]) -> LowForm:
        total: LowForm = {}
        for part, factor in parts:
            for monomial, each in part.items():
                total[monomial] = total.get(monomial, 0) + each * factor & self._full
        return {monomial: each for monomial, each in total.items() if each}

    def _product(self, one: LowForm, other: LowForm) -> LowForm:
        total: LowForm = {}
        for first, factor in one.items():
            for second, times in other.items():
                monomial = self._multiplied(first, second)
                total[monomial] = total.get(monomial, 0) + factor * times & self._full
        return {monomial: each for monomial, each in total.items() if each}

    def _multiplied(self, one: LowMonomial, other: LowMonomial) -> LowMonomial:
        """The factors of both; a bit is its own square."""
        both = sorted(one + other, key=lambda term: term.number)
        return tuple(
            term for place, term in enumerate(both) if not (term.width == 1 and place and both[place - 1] is term)
        )
