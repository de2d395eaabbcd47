# SPDX-License-Identifier: Apache-2.0
"""Conditions on moduli are texts of a core.toml, and mean there what the search computes."""

from random import Random

import pytest

from limbtrace.rtl_bridge.description.formula import check_condition, holds
from limbtrace.rtl_bridge.domain.terms import (
    EQUAL,
    LEAST,
    LESS,
    MODULUS,
    OTHER,
    PARITY,
    PRIME,
    ModulusAtom,
    ModulusTerm,
    number_text,
    rounded,
    simplest,
    terms,
)

TERMS = terms(64, [17])


def some_moduli(bits: int, count: int) -> list[int]:
    random = Random(bits)
    drawn = [random.getrandbits(random.randrange(2, bits + 1)) | 2 for _ in range(count)]
    return [*drawn, 2, 3, (1 << bits) - 1, 1 << (bits - 1), (1 << bits) - 59]


def atoms(term: ModulusTerm) -> list[ModulusAtom]:
    values = [term.value(p) for p in some_moduli(64, 3)]
    relations = (LESS, LEAST) if term.ordered else (EQUAL, OTHER)
    return [ModulusAtom(term, relation, value) for relation in relations for value in values]


def test_every_text_means_in_a_description_what_it_means_in_the_search() -> None:
    seen = set()
    for atom in (atom for term in TERMS for atom in atoms(term)):
        if not atom.is_condition or atom.text in seen:
            continue
        seen.add(atom.text)
        check_condition(atom.text)
        for p in some_moduli(64, 4):
            assert holds(atom.text, p) == atom.holds(p), (atom.text, p)
    assert len(seen) > 200


@pytest.mark.parametrize(
    ("atom", "text"),
    [
        (ModulusAtom(PARITY, EQUAL, 1), "odd"),
        (ModulusAtom(PARITY, OTHER, 1), "even"),
        (ModulusAtom(PARITY, EQUAL, 0), "even"),
        (ModulusAtom(PRIME, EQUAL, 1), "prime"),
        (ModulusAtom(MODULUS, LESS, 1 << 63), "N <= 63"),
        (ModulusAtom(MODULUS, LEAST, 1 << 63), "N > 63"),
        (ModulusAtom(MODULUS, LESS, (1 << 64) - 59), "p < 2^64 - 59"),
        (ModulusAtom(MODULUS, LEAST, 1000), "p >= 1000"),
        (ModulusAtom(MODULUS, LESS, 0xABCDEF0123456789), "p < 0xabcdef0123456789"),
    ],
)
def test_how_conditions_are_written(atom: ModulusAtom, text: str) -> None:
    assert atom.text == text


def test_that_a_modulus_is_composite_cannot_be_said() -> None:
    assert ModulusAtom(PRIME, EQUAL, 1).is_condition
    assert not ModulusAtom(PRIME, EQUAL, 0).is_condition


def test_a_number_too_long_for_a_condition_cannot_be_said() -> None:
    assert ModulusAtom(MODULUS, LESS, 1 << 1000).is_condition
    assert not ModulusAtom(MODULUS, LESS, Random(1).getrandbits(1000) | 1).is_condition


@pytest.mark.parametrize("fulfilled", [True, False])
def test_a_number_near_a_condition_is_on_the_side_that_is_asked_for(fulfilled: bool) -> None:
    """But for random values of short terms, which hit the wrong side by chance."""
    random, likes = Random(3), some_moduli(64, 2)
    for term in TERMS:
        for atom in atoms(term) if term.with_value is not None else ():
            made = [atom.near(like, random, fulfilled=fulfilled) for like in likes]
            sides = [atom.holds(p) for p in made if p is not None]
            if atom.term is MODULUS:
                assert set(sides) <= {fulfilled} or atom.number < 2
            elif fulfilled == (atom.relation == EQUAL) and term.text[:4] in ("p % ", "(p >") and term.bits != 3:
                assert set(sides) == {fulfilled}, atom.text


@pytest.mark.parametrize(
    ("low", "high", "number"), [(35, 37, 36), (35, 36, 36), (3, 200, 128), (0, 1, 1), (171, 172, 172)]
)
def test_the_simplest_number_of_a_range(low: int, high: int, number: int) -> None:
    assert simplest(low, high) == number
    assert low < number <= high


def test_a_margin_is_stricter() -> None:
    assert rounded(ModulusAtom(MODULUS, LESS, (1 << 63) + 99)).text == "N <= 63"
    assert rounded(ModulusAtom(MODULUS, LEAST, (1 << 62) + 1)).text == "N > 63"
    assert rounded(ModulusAtom(MODULUS, LEAST, 1 << 62)).text == "N > 62"
    assert rounded(ModulusAtom(PARITY, EQUAL, 1)).text == "odd"


def test_numbers_are_powers_of_two_where_that_is_short() -> None:
    assert [number_text(n) for n in (7, 1023, (1 << 255) - 19)] == ["7", "1023", "2^255 - 19"]
