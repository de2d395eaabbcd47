# SPDX-License-Identifier: Apache-2.0
"""Terms read as integers, against their values: polynomials, ranges, residues, and what follows from them."""

from collections.abc import Callable
from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool, cone
from limbtrace.rtl_bridge.proof.evaluation import evaluated
from limbtrace.rtl_bridge.proof.integers.low_bits import LowBits
from limbtrace.rtl_bridge.proof.integers.reading import IntegerReader
from limbtrace.rtl_bridge.proof.integers.settle import IntegerProof
from tests.rtl_bridge.proof.integers.random_terms import RandomTerms
from tests.sample import FULL


def atom_values(reader: IntegerReader, values: dict[str, int]) -> dict[int, int]:
    atoms = list(reader.atoms.terms)
    return reader.atoms.values(dict(zip(atoms, evaluated(atoms, values), strict=True)))


def checked(reader: IntegerReader, made: RandomTerms, values: dict[str, int]) -> None:
    """Every polynomial, range, fact and residue agrees with the values of the terms."""
    forms = reader.read(made.terms)
    held = atom_values(reader, values)
    for number, value in held.items():
        atom = reader.atoms[number]
        assert atom.range[0] <= value <= atom.range[1]
    for fact in reader.atoms.facts(held):
        assert (fact.least or 0) <= fact.polynomial.value(held) <= (fact.most or 0)
    for term, form, value in zip(made.terms, forms, evaluated(made.terms, values), strict=True):
        assert form.value(held) == value, term
        least, most = reader.ranges.of(form) or (1, 0)
        assert least <= value <= most, term


@settings(max_examples=250 if FULL else 12, deadline=None)
@given(st.integers(0, 1 << 40))
def test_polynomials_and_ranges_hold_for_all_values(seed: int) -> None:
    made = RandomTerms(seed)
    reader = IntegerReader(made.pool, made.modulus)
    for _ in range(12):
        checked(reader, made, made.values())


@settings(max_examples=100 if FULL else 12, deadline=None)
@given(st.integers(0, 1 << 40))
def test_residues_hold_for_all_values(seed: int) -> None:
    made = RandomTerms(seed)
    reader = IntegerReader(made.pool, made.modulus)
    residues = [reader.residues.of(form) for form in reader.read(made.terms)]
    unknowns = list(reader.residues.terms)
    for _ in range(6):
        values = made.values()
        pieces = reader.residues.values(dict(zip(unknowns, evaluated(unknowns, values), strict=True)))
        for residue, value in zip(residues, evaluated(made.terms, values), strict=True):
            if residue is not None:
                found = sum(factor * prod(pieces[piece] for piece in key) for key, factor in residue.items())
                assert (found - value) % made.modulus == 0


def of_digits(pool: TermPool, p: int, size: int) -> list[BitTerm]:
    """Montgomery's steps, twice: a digit of the sum chooses the multiple of p that makes its low bits zero."""
    s, width = pool.variable("x", 4), 4 + p.bit_length()
    for _ in range(2):
        digit, chosen = pool.extend(s, size), pool.constant(width, 0)
        for value in range(1, 1 << size):
            multiple = pool.constant(width, -value * pow(p, -1, 1 << size) % (1 << size) * p)
            chosen = pool.ite(pool.equal(digit, pool.constant(size, value)), multiple, chosen)
        total = pool.add(pool.extend(s, width), chosen)
        s = pool.extract(total, width - 1, size)
    return [total, s]


def with_signs(pool: TermPool, p: int, size: int) -> list[BitTerm]:
    """Steps of a division that adds p, or 3p, or subtracts p by the sign of what is left, and a negated operand."""
    x, y, width = pool.variable("x", 4), pool.variable("y", 2), max(p.bit_length() + 1, 4)
    left = pool.sub(pool.extend(x, width), pool.constant(width, p))
    for place in (1, 0):
        doubled = pool.concat((pool.extend(left, width - 1), pool.extract(y, place, place)))
        negative, k = pool.extract(left, width - 1, width - 1), pool.constant(width, p)
        more = pool.constant(width, (2 * size - 1) * p)
        left = pool.ite(negative, pool.add(doubled, more), pool.sub(doubled, k))
    minus = pool.sub(pool.constant(width, 0), pool.extend(x, width))
    chosen = pool.ite(pool.extract(y, 0, 0), minus, pool.extend(x, width))
    return [left, chosen, pool.add(chosen, pool.extend(y, width)), pool.extend(chosen, 3)]


def checked_for_all_values(make: Callable[[TermPool, int, int], list[BitTerm]], p: int, size: int) -> None:
    """Polynomials, ranges, residues and low bits of terms in x and y agree with all their values."""
    pool = TermPool()
    terms = list(cone(make(pool, p, size)))
    reader = IntegerReader(pool, p)
    forms = reader.read(terms)
    residues = [reader.residues.of(form) for form in forms]
    low = LowBits(pool)
    low_forms = [low.form(term, 2) for term in terms]
    unknowns = list(dict.fromkeys(each for form in low_forms for monomial in form for each in monomial))
    pieces = list(reader.residues.terms)
    for x, y in product(range(16), range(4)):
        values = {"x": x, "y": y}
        held = atom_values(reader, values)
        of_pieces = reader.residues.values(dict(zip(pieces, evaluated(pieces, values), strict=True)))
        of_unknowns = dict(zip(unknowns, evaluated(unknowns, values), strict=True))
        for number, value in held.items():
            assert reader.atoms[number].range[0] <= value <= reader.atoms[number].range[1]
        for fact in reader.atoms.facts(held):
            assert (fact.least or 0) <= fact.polynomial.value(held) <= (fact.most or 0)
        for form, low_form, residue, value in zip(forms, low_forms, residues, evaluated(terms, values), strict=True):
            assert form.value(held) == value
            found = sum(by * prod(of_unknowns[each] for each in monomial) for monomial, by in low_form.items())
            assert not (found - value) & 3
            if residue is not None:
                assert not (sum(by * prod(of_pieces[each] for each in key) for key, by in residue.items()) - value) % p


@pytest.mark.parametrize("make", [of_digits, with_signs])
@pytest.mark.parametrize("p", [3, 5, 7, 11, 13])
@pytest.mark.parametrize("size", [1, 2])
def test_digits_and_signs_hold_for_all_values(
    make: Callable[[TermPool, int, int], list[BitTerm]], p: int, size: int
) -> None:
    checked_for_all_values(make, p, size)


@settings(max_examples=100 if FULL else 12, deadline=None)
@given(st.integers(0, 1 << 40), st.integers(1, 5))
def test_low_bits_are_those_of_their_polynomials(seed: int, size: int) -> None:
    made = RandomTerms(seed)
    low, full = LowBits(made.pool), (1 << size) - 1
    forms = [low.form(term, size) for term in made.terms]
    unknowns = list({term: None for form in forms for monomial in form for term in monomial})
    for _ in range(10):
        values = made.values()
        held = dict(zip(unknowns, evaluated(unknowns, values), strict=True))
        for term, form, value in zip(made.terms, forms, evaluated(made.terms, values), strict=True):
            found = sum(factor * prod(held[each] for each in monomial) for monomial, factor in form.items())
            assert (found - value) & full == 0, term
            same = low.first_equal(term, size)
            assert (evaluated([same], values)[0] - value) & full == 0


def test_low_bits_of_narrow_terms() -> None:
    """Bits that are combined, and sums that wrap, in a term of more bits than they have."""
    pool = TermPool()
    a, b = (pool.variable(name, 2) for name in "ab")
    narrow = [combine(pool.bit_of(a, 0), pool.bit_of(b, 1)) for combine in (pool.bvand, pool.bvor, pool.bvxor)]
    narrow += [pool.bvand(a, b), pool.bvxor(a, b), pool.sum({a: 1, b: 1}, 1, 2), pool.extract(a, 1, 1)]
    terms = [pool.extend(each, 5) for each in narrow]
    low = LowBits(pool)
    for size, x, y in product(range(1, 6), range(4), range(4)):
        values = {"a": x, "b": y}
        for term, value in zip(terms, evaluated(terms, values), strict=True):
            form = low.form(term, size)
            found = sum(factor * prod(evaluated(list(monomial), values)) for monomial, factor in form.items())
            assert (found - value) & (1 << size) - 1 == 0, term


def equals(made: RandomTerms) -> list[tuple[BitTerm, BitTerm]]:
    """Pairs of terms that are settled as equal, among the last ones and what reduces them rightly."""
    p, proof = made.modulus, IntegerProof(made.pool, made.modulus)
    last = made.terms[-8:]
    right = [made.pool.bvurem(made.pool.extend(x, 48), made.pool.constant(48, p)) for x in last]
    pairs = [*product(last, right), *product(last, last)]
    return [(x, y) for x, y in pairs if x is not y and proof.equal(made.pool.extend(x, 48), made.pool.extend(y, 48))]


@settings(max_examples=60 if FULL else 8, deadline=None)
@given(st.integers(0, 1 << 40))
def test_what_is_settled_is_equal_for_all_values(seed: int) -> None:
    made = RandomTerms(seed, count=24, most_bits=3)
    pairs = equals(made)
    terms = [term for pair in pairs for term in pair]
    for values in product(*(range(each.most + 1) for each in made.variables)) if pairs else ():
        found = iter(evaluated(terms, {f"v{number}": value for number, value in enumerate(values)}))
        assert all(next(found) == next(found) for _ in pairs)


def test_random_terms_are_settled_often_enough_to_be_a_test() -> None:
    assert sum(bool(equals(RandomTerms(seed, count=24, most_bits=3))) for seed in range(20 if FULL else 5)) > 1


def test_bits_of_small_sums_and_digits_of_variables() -> None:
    """A carry added to each constant, and each value of each digit, for all operands."""
    pool = TermPool()
    a, b = (pool.variable(name, 3) for name in "ab")
    carry = pool.extract(pool.sum({pool.extend(a, 4): 1, pool.extend(b, 4): 1}, 0, 4), 3, 3)
    sums = [pool.sum({pool.extend(carry, 3): 1}, first, 3) for first in range(7)]
    bits = [pool.extract(each, place, place) for each in sums for place in range(each.width)]
    digits = [pool.extract(a, high, low) for low in range(3) for high in range(low, 3)]
    equal = [pool.equal(each, pool.constant(each.width, k)) for each in digits for k in range(1 << each.width)]
    terms = [*bits, *equal, pool.equal(a, b)]
    reader = IntegerReader(pool, 0)
    forms = reader.read(terms)
    for x, y in product(range(8), repeat=2):
        values = {"a": x, "b": y}
        held = atom_values(reader, values)
        assert [form.value(held) for form in forms] == evaluated(terms, values)


def test_unknown_low_bits_are_not_all_bits_of_a_wider_sum() -> None:
    """Neither of a sum that wraps nor of a slice, where only the sum around it is wide enough for all of them."""
    pool = TermPool()
    a, b, c = (pool.variable(name, 5) for name in "abc")
    product_ = pool.product(a, b)
    for low in (pool.sum({product_: 1, c: 3}, 0, 7), pool.extract(product_, 6, 0)):
        whole = pool.sum({low: 1, c: -1}, 0, 13)
        reader = IntegerReader(pool, 0)
        (form,) = reader.read([whole])
        for x, y, z in product((0, 1, 17, 30, 31), repeat=3):
            values = {"a": x, "b": y, "c": z}
            assert form.value(atom_values(reader, values)) == evaluated([whole], values)[0]
