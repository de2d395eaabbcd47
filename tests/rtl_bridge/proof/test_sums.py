# SPDX-License-Identifier: Apache-2.0
"""Equality as sums of integers: multipliers made of tiles and rows, sums in parts, choices; and what is not equal."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limbtrace.rtl_bridge.proof import linear, smt
from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool
from limbtrace.rtl_bridge.proof.evaluation import evaluated
from limbtrace.rtl_bridge.proof.linear import LinearForms
from limbtrace.rtl_bridge.proof.substitute import replaced


class Multiplier:
    """x * y, and the same as a sum of tiles of pieces and of rows, which overlap as a draw has it."""

    def __init__(self, seed: int, widest: int = 24) -> None:
        self.draw, self.pool = random.Random(seed), TermPool()
        self.x, self.y = (self.pool.variable(name, self.draw.randint(4, widest)) for name in "xy")
        self.width = self.x.width + self.y.width
        self.definitions: dict[BitTerm, BitTerm] = {}
        self.product = self.pool.product(self.x, self.y)
        parts = self._tiles((self.x.width - 1, 0), (self.y.width - 1, 0))
        self.draw.shuffle(parts)
        self.parts = parts
        self.tiled = self.sum(parts)

    def sum(self, parts: list[tuple[BitTerm, int]]) -> BitTerm:
        """Parts added up at their places; sums are cut off as steps of a core are."""
        whole = self.pool.constant(self.width, 0)
        for term, shift in parts:
            placed = self.pool.concat((term, self.pool.constant(shift, 0))) if shift else term
            whole = self.pool.add(whole, self.pool.extend(placed, self.width))
            if self.draw.randrange(4) == 0 and not whole.is_constant:
                fresh = self.pool.fresh("step", self.width)
                self.definitions[fresh], whole = whole, fresh
        return whole

    def _tiles(self, x: tuple[int, int], y: tuple[int, int]) -> list[tuple[BitTerm, int]]:
        """Tiles that cover bits of x times bits of y."""
        across = self.draw.randrange(2)
        high, low = (x, y)[across]
        if high == low or self.draw.randrange(6) == 0:
            return [self._tile(x, y)]
        at = self.draw.randint(low + 1, high)
        if across:
            return self._tiles(x, (high, at)) + self._tiles(x, (at - 1, low))
        return self._tiles((high, at), y) + self._tiles((at - 1, low), y)

    def _tile(self, x: tuple[int, int], y: tuple[int, int]) -> tuple[BitTerm, int]:
        one, other = self.pool.extract(self.x, *x), self.pool.extract(self.y, *y)
        shift = x[1] + y[1]
        if one.width == 1 and self.draw.randrange(2):
            return self.pool.bvand(self.pool.concat([one] * other.width), other), shift
        if other.width == 1 and self.draw.randrange(2):
            return self.pool.ite(other, one, self.pool.constant(one.width, 0)), shift
        return self.pool.product(one, other), shift

    def equal(self, one: BitTerm, other: BitTerm) -> bool:
        return LinearForms(self.pool, self.definitions, {}).equal(one, other)

    def differ(self, one: BitTerm, other: BitTerm) -> bool:
        """Whether values of some operands differ."""
        by = dict(self.definitions)
        for variable in by:
            (by[variable],) = replaced(self.pool, [by[variable]], by)
        one, other = replaced(self.pool, [one, other], by)
        for number in range(24):
            values = {
                z.detail: (self.draw.randrange(1 << z.width), (1 << z.width) - 1, 1 << self.draw.randrange(z.width))[
                    number % 3
                ]
                for z in (self.x, self.y)
            }
            first, second = evaluated([one, other], values)
            if first != second:
                return True
        return False


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1 << 32))
def test_tiles_and_rows_are_the_product(seed: int) -> None:
    made = Multiplier(seed)
    assert not made.differ(made.tiled, made.product)
    assert made.equal(made.tiled, made.product)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1 << 32))
def test_a_tile_that_is_wrong(seed: int) -> None:
    """At another place, missing, twice, or of other bits: equal only where no operands differ."""
    made = Multiplier(seed)
    number = made.draw.randrange(len(made.parts))
    term, shift = made.parts[number]
    wrong = made.draw.choice([
        [(term, min(shift + 1, made.width - term.width))], [], [(term, shift)] * 2, [(made.pool.bvnot(term), shift)],
        [(made.pool.extract(term, max(term.width - 2, 0), 0), shift)],
        [(made.pool.extract(made.x, 0, 0), shift), (term, shift)],
    ])  # fmt: skip
    tiled = made.sum([*made.parts[:number], *wrong, *made.parts[number + 1 :]])
    if made.equal(tiled, made.product):
        assert not made.differ(tiled, made.product)


@pytest.mark.parametrize("seed", range(8))
def test_the_solver_agrees_about_tiles(seed: int) -> None:
    made = Multiplier(seed, widest=5)
    facts = [made.pool.equal(variable, term) for variable, term in made.definitions.items()]
    differs = made.pool.bvnot(made.pool.equal(made.tiled, made.product))
    if differs.is_constant:
        assert not differs.value
        return
    assert made.equal(made.tiled, made.product)
    asked = [differs, *(fact for fact in facts if not fact.is_constant)]
    assert smt.solved(smt.text(asked, products=True), 20_000, 8000).verdict == smt.PROVED


def _select(seed: int, plus: int = 1, width: int = 9) -> tuple[Multiplier, BitTerm, BitTerm]:
    """The high word of a sum by a carry that chooses between two words, and the same of the whole sum."""
    made = Multiplier(seed)
    pool = made.pool
    low, high, more = (pool.variable(name, width) for name in ("low", "high", "more"))
    carry = pool.extract(pool.add(pool.extend(low, width + 1), pool.extend(more, width + 1)), width, width)
    chosen = pool.ite(carry, pool.add(high, pool.constant(width, plus)), high)
    whole = pool.add(pool.concat((high, low)), pool.extend(more, 2 * width))
    return made, chosen, pool.extract(whole, 2 * width - 1, width)


def test_a_word_that_a_carry_chooses() -> None:
    made, chosen, wanted = _select(1)
    assert made.equal(chosen, wanted)
    made, chosen, wanted = _select(1, plus=2)
    assert not made.equal(chosen, wanted)


def test_a_choice_within_a_wider_sum() -> None:
    """high + 1 may wrap, so that it is not high and a bit where more bits count."""
    made, chosen, _ = _select(1)
    pool = made.pool
    high = pool.variable("high", 9)
    carry = chosen.operands[0]
    wide = pool.add(pool.extend(high, 12), pool.extend(carry, 12))
    assert not made.equal(pool.extend(chosen, 12), wide)


def test_parts_of_a_sum_that_is_known_to_be_no_negative_number() -> None:
    """The middle of a product by three multiplications, in two words with a borrow between them."""
    pool = TermPool()
    a, b, c, d = (pool.variable(name, 8) for name in "abcd")
    both = pool.product(pool.add(pool.extend(a, 9), pool.extend(b, 9)), pool.add(pool.extend(c, 9), pool.extend(d, 9)))
    outer = pool.add(*(pool.extend(pool.product(*pair), 18) for pair in ((a, c), (b, d))))
    difference = pool.sub(*(pool.extend(term, 26) for term in (both, outer)))
    exact = pool.bounded(difference, 2 * 255 * 255)
    assert (difference.operation, exact.most) == ("wrap", 2 * 255 * 255)
    minus = pool.bvnot(outer)
    (low, less), (high, more) = (
        [pool.extend(pool.extract(term, *place), 11) for term in (both, minus)] for place in ((9, 0), (17, 10))
    )
    first = pool.add(pool.add(low, less), pool.constant(11, 1))
    carry = pool.extract(first, 10, 10)
    second = pool.add(pool.add(high, more), pool.extend(carry, 11))
    sums = LinearForms(pool, {}, {})
    assert sums.equal(pool.extract(exact, 17, 10), pool.extract(second, 7, 0))
    assert not sums.equal(pool.extract(exact, 17, 10), pool.extract(pool.add(high, more), 7, 0))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1 << 32))
def test_high_bits_of_tiles(seed: int) -> None:
    """The high word of a product is that of a sum of tiles, unless something is added below it that carries."""
    made = Multiplier(seed, widest=12)
    pool, low = made.pool, made.draw.randint(1, made.width - 1)
    high = pool.extract(made.tiled, made.width - 1, low)
    fresh = pool.fresh("high", high.width)
    made.definitions[fresh] = high
    assert made.equal(fresh, pool.extract(made.product, made.width - 1, low))
    wrong = pool.add(made.tiled, pool.constant(made.width, 1 << made.draw.randrange(low)))
    cut = pool.extract(wrong, made.width - 1, low)
    if made.equal(cut, pool.extract(made.product, made.width - 1, low)):
        assert not made.differ(cut, pool.extract(made.product, made.width - 1, low))


@pytest.mark.parametrize(
    ("what", "other"),
    [
        ("ends_at", lambda self, term: True),
        ("only", property(lambda self: self._constant)),
        ("range", property(lambda self: (0, 0))),
    ],
)
def test_an_unsound_rule_is_caught(what: str, other: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear._Form, what, other)
    with pytest.raises(AssertionError):
        _everything()


def _everything() -> None:
    test_a_choice_within_a_wider_sum()
    for seed in range(12):
        made, chosen, _ = _select(seed)
        one = made.pool.ite(chosen.operands[0], made.pool.variable("p", 9), made.pool.variable("q", 9))
        assert not made.equal(one, made.pool.variable("q", 9))
        assert not made.equal(made.pool.extract(made.tiled, made.width - 1, 2), made.pool.extract(made.x, 3, 0))
        x = made.pool.extend(made.x, made.width)
        wrong = made.pool.extract(made.pool.add(made.tiled, x), made.width - 1, 3)
        right = made.pool.add(
            made.pool.extract(made.product, made.width - 1, 3), made.pool.extract(x, made.width - 1, 3)
        )
        assert not made.equal(wrong, right)
        if made.differ(one := made.pool.extract(made.product, made.width - 1, 3), made.pool.extend(made.x, one.width)):
            assert not made.equal(one, made.pool.extend(made.x, one.width))


@given(st.integers(2, 12), st.integers(0, 11), st.integers(0, 2**24 - 1))
def test_bits_of_a_variable_added_up_are_the_variable(width: int, low: int, seed: int) -> None:
    """In any order, those from any bit on, and with another term in between."""
    pool = TermPool()
    (x, y), low = (pool.variable(name, width) for name in "xy"), min(low, width - 1)
    bits = [(y, 1), *((pool.extract(x, at, at), 1 << at - low) for at in range(low, width))]
    random.Random(seed).shuffle(bits)
    assert pool.sum(dict(bits), 0, width + 3) is pool.sum({y: 1, pool.extract(x, width - 1, low): 1}, 0, width + 3)


@given(st.integers(3, 9), st.integers(0, 8), st.integers(0, 8), st.booleans())
def test_what_is_replaced_is_replaced_in_its_bits(width: int, one: int, other: int, choice: bool) -> None:
    """Bits that were cut before: of a choice, between cuts; of a sum, from fewer terms."""
    pool = TermPool()
    low, high = sorted((min(one, width - 1), min(other, width - 1)))
    x, y, z = (pool.variable(name, width) for name in "xyz")
    bit = pool.variable("bit", 1)
    if choice:
        wide = [pool.extend(value, width + 2) for value in (x, y)]
        whole, cut = pool.ite(bit, *wide), pool.ite(bit, *(pool.extract(value, high, low) for value in (x, y)))
    else:
        above = pool.concat((z, pool.constant(width, 0)))
        whole = pool.add(pool.add(above, pool.extend(x, 2 * width)), pool.extend(y, 2 * width))
        cut = pool.extract(pool.add(x, y), high, low)
    fresh = pool.variable("step", whole.width)
    assert replaced(pool, [cut], {whole: fresh}) == [pool.extract(fresh, high, low)]


@pytest.mark.parametrize("choice", [False, True])
def test_what_has_no_such_bits_stays(choice: bool) -> None:
    """A choice by another bit or between other values, and a sum of other terms."""
    pool = TermPool()
    x, y, z = (pool.variable(name, 8) for name in "xyz")
    bit, another = pool.variable("bit", 1), pool.variable("another", 1)
    if choice:
        whole = pool.ite(bit, pool.extend(x, 10), pool.extend(y, 10))
        low = [pool.extract(value, 3, 0) for value in (x, y, z)]
        pairs = [(1, 2), (1, 0), (0, 2)]
        others = [pool.ite(another, *low[:2]), *(pool.ite(bit, low[i], low[j]) for i, j in pairs)]
    else:
        above = pool.concat((z, pool.constant(8, 0)))
        whole = pool.add(pool.add(above, pool.extend(x, 16)), pool.extend(y, 16))
        others = [pool.extract(pool.add(x, z), 3, 1), pool.extract(pool.sub(x, y), 3, 1)]
    assert replaced(pool, others, {whole: pool.variable("step", whole.width)}) == others


@given(st.integers(2, 10), st.integers(1, 9))
def test_bits_of_a_sum_one_by_one_are_the_sum(width: int, at: int) -> None:
    """Also where the low ones do not need all of its terms."""
    pool = TermPool()
    x, y, z = (pool.extend(pool.variable(name, width), 2 * width) for name in "xyz")
    above = pool.concat((pool.extract(z, 2 * width - 1 - min(at, width), 0), pool.constant(min(at, width), 0)))
    whole = pool.add(pool.add(x, y), above)
    assert pool.concat(pool.extract(whole, bit, bit) for bit in reversed(range(whole.width))) is whole


def test_a_difference_that_fits_has_terms_above_its_bits() -> None:
    """A remainder is known to be small, and its low bits are those of the low words."""
    pool = TermPool()
    high, low, multiple = pool.variable("high", 4), pool.variable("low", 8), pool.variable("multiple", 12)
    wide = pool.sub(*(pool.extend(value, 20) for value in (pool.concat((high, low)), multiple)))
    remainder = pool.extract(pool.bounded(wide, 200), 7, 0)
    words = pool.sub(low, pool.extract(multiple, 7, 0))
    assert remainder.most == 200
    assert LinearForms(pool, {}, {}).equal(remainder, words)
    assert not LinearForms(pool, {}, {}).equal(remainder, pool.sub(low, pool.extract(multiple, 8, 1)))
    for values in ({"high": 3, "low": 5, "multiple": 700}, {"high": 1, "low": 0, "multiple": 256}):
        assert evaluated([remainder], values) == [(values["high"] << 8) + values["low"] - values["multiple"]]
    question = smt.text([pool.bvnot(pool.equal(remainder, words))], products=True)
    assert smt.solved(question, 10_000, 8000).verdict == smt.PROVED
