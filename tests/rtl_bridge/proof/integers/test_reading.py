# SPDX-License-Identifier: Apache-2.0
"""Terms read as integers, against their values: polynomials, ranges, residues, and what follows from them."""

from itertools import product
from math import prod

from hypothesis import given, settings
from hypothesis import strategies as st

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool
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
    forms = reader.read(made.terms)
    for _ in range(6):
        values = made.values()
        pieces = reader.residues.values(values)
        for form, value in zip(forms, evaluated(made.terms, values), strict=True):
            residue = reader.residues.of(form)
            if residue is not None:
                found = sum(factor * prod(pieces[piece] for piece in key) for key, factor in residue.items())
                assert (found - value) % made.modulus == 0


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
