# SPDX-License-Identifier: Apache-2.0
"""What is settled as sums or as integers, against values, for the same terms in each run."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool
from limbtrace.rtl_bridge.proof.evaluation import evaluated
from limbtrace.rtl_bridge.proof.integers.reading import IntegerReader
from limbtrace.rtl_bridge.proof.linear import LinearForms
from limbtrace.rtl_bridge.proof.substitute import narrowed
from tests.rtl_bridge.proof.integers import test_reading
from tests.rtl_bridge.proof.integers.random_terms import RandomTerms
from tests.rtl_bridge.proof.test_sums import Multiplier

SEEDS, FEW_SEEDS = range(30), range(4)


def sums_hold() -> None:
    """Raises AssertionError where terms are called equal as sums, or as made of fewer bits, and differ."""
    for seed in FEW_SEEDS:
        made = Multiplier(seed, widest=6)
        for one, other in _tiles(made):
            assert not made.equal(one, other) or not made.differ(one, other)
        _of_small_terms(seed)
    pool = TermPool()
    for one, other in _unequal(pool):
        assert not LinearForms(pool, {}, {}).equal(one, other)


def _unequal(pool: TermPool) -> Iterator[tuple[BitTerm, BitTerm]]:
    """What a choice, a complement and a product are not: without the carry, the constant and the shift."""
    x, y = (pool.variable(name, 4) for name in "xy")
    carry = pool.variable("carry", 1)
    more = pool.ite(carry, pool.add(x, pool.constant(4, 1)), x)
    for width in (5, 6):
        yield pool.extend(more, width), pool.add(pool.extend(x, width), pool.extend(carry, width))
    yield pool.sum({pool.bvnot(x): 1, x: 1}, 0, 6), pool.constant(6, 16)
    yield pool.sum({pool.bvnot(x): 1, y: 1}, 0, 6), pool.sum({x: -1, y: 1}, 16, 6)
    for one, other in ((x, y), (y, x)):
        parts = [pool.product(one, pool.extract(other, *place)) for place in ((3, 2), (1, 0))]
        yield pool.product(x, y), pool.sum(dict.fromkeys(parts, 1), 0, 8)


def _tiles(made: Multiplier) -> Iterator[tuple[BitTerm, BitTerm]]:
    """A product and sums of its tiles, of which one may be wrong; and bits of both."""
    pool, width = made.pool, made.width
    for number, (term, shift) in enumerate(made.parts):
        rest = [*made.parts[:number], *made.parts[number + 1 :]]
        for wrong in ([], [(term, shift)] * 2, [(pool.bvnot(term), shift)], [(pool.extract(term, 0, 0), shift)]):
            yield made.sum([*rest, *wrong]), made.product
    yield made.tiled, made.product
    for low in range(1, width):
        yield pool.extract(made.tiled, width - 1, low), pool.extract(made.product, width - 1, low)
        above = pool.add(made.tiled, pool.extend(made.x, width))
        parts = [pool.extract(each, width - 1, low) for each in (made.product, pool.extend(made.x, width))]
        yield pool.extract(above, width - 1, low), pool.add(*parts)


def _of_small_terms(seed: int) -> None:
    """Sums, differences, cuts and choices of three small variables: each pair that is called equal, for all values."""
    pool = TermPool()
    x, y = (pool.variable(name, 2) for name in "xy")
    bit = pool.variable("bit", 1)
    a, b, c = (pool.extend(term, 4) for term in (x, y, bit))
    terms = [pool.add(a, b), pool.sub(a, b), pool.add(a, c), pool.bvnot(a), pool.product(x, y), pool.bvxor(a, b)]
    terms += [pool.add(one, other) for one, other in product(terms[seed % 3 :: 3], (a, b, c, pool.constant(4, seed)))]
    terms += [pool.sub(one, other) for one, other in product(terms[seed % 3 :: 3], (a, c))]
    terms += [pool.ite(bit, one, other) for one, other in zip(terms[:-1:2], terms[1::2], strict=False)]
    cuts = [pool.extend(pool.extract(term, high, low), 4) for term in terms for high, low in ((3, 1), (2, 0), (3, 2))]
    terms = list(dict.fromkeys([*terms, *cuts]))[:40]
    forms = LinearForms(pool, {}, {})
    few = narrowed(pool, terms)
    values = [
        evaluated([*terms, *few], {"x": one, "y": other, "bit": last})
        for one, other, last in product(range(4), range(4), range(2))
    ]
    columns = list(zip(*values, strict=True))
    held, again = columns[: len(terms)], columns[len(terms) :]
    assert held == again
    for place, other in product(range(len(terms)), repeat=2):
        if place < other and forms.equal(terms[place], terms[other], most=60):
            assert held[place] == held[other]


def integers_hold() -> None:
    """Raises AssertionError where what is read of terms as integers is not so for values of the variables."""
    for seed in SEEDS:
        made = RandomTerms(seed)
        reader = IntegerReader(made.pool, made.modulus)
        for _ in range(12):
            try:
                test_reading.checked(reader, made, made.values())
            except ValueError as error:
                raise AssertionError from error
        _once(test_reading.test_residues_hold_for_all_values, seed)
        for size in (1, 3):
            _once(test_reading.test_low_bits_are_those_of_their_polynomials, seed, size)
        _once(test_reading.test_what_is_settled_is_equal_for_all_values, seed)
    for make, p, size in product((test_reading.of_digits, test_reading.with_signs), (3, 5, 13), (1, 2)):
        try:
            test_reading.checked_for_all_values(make, p, size)
        except ValueError as error:
            raise AssertionError from error


def _once(test: Any, *drawn: int) -> None:
    """Run a property test with values of ours in place of those that are drawn."""
    test.hypothesis.inner_test(*drawn)
