# SPDX-License-Identifier: Apache-2.0
"""Conditions on columns of pairs leave out no pair that has the property."""

from collections.abc import Sequence
from itertools import product

import pytest

from limbtrace.refmodels.defects.families import FaultyProduct, faults
from limbtrace.refmodels.mechanisms import MECHANISMS, ReducedProduct, shown
from limbtrace.refmodels.pair_columns import PairColumns

P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1


def test_fields_of_values() -> None:
    values = [(1 << 200) - 12345, 0, (0x1234 << 60) + 7]
    columns = PairColumns([(value, 0) for value in values], {"a": lambda a, b: a})
    for low, bits in product((0, 1, 63, 64, 65, 130, 199, 200, 300), (1, 7, 63, 64)):
        expected = [value >> low & ((1 << bits) - 1) for value in values]
        assert columns.field("a", low, bits).tolist() == expected
        assert columns.agrees("a", low, bits, expected[0]).tolist() == [one == expected[0] for one in expected]


def test_what_is_above_a_bound() -> None:
    columns = PairColumns([(k << 64, 0) for k in range(5)], {"a": lambda a, b: a})
    assert columns.at_most("a", (3 << 64) - 1).tolist() == [True, True, True, False, False]
    assert columns.at_most("a", 7).tolist() == [True] + 4 * [False]
    assert columns.at_most("a", 1 << 200).all()
    assert not columns.at_most("a", -1).any()


def _operations(p: int, most: int) -> list[ReducedProduct]:
    r = 1 << 2 * -(-p.bit_length() // 2)
    found = [
        ReducedProduct(p, most, most),
        ReducedProduct(p, most, 0, "a*a"),
        ReducedProduct(p, most * most, 0, "a"),
    ]
    if p % 2:
        found += [ReducedProduct(p, most, most, "a*b", r), ReducedProduct(p, most, 0, "a*a", r)]
        found += [ReducedProduct(p, most * r, 0, "a", r)]
    return found


SMALL = [operation for p in (13, 61, 62) for most in (p - 1, 2 * p - 1) for operation in _operations(p, most)]


def _pairs(operation: ReducedProduct, most: int) -> list[tuple[int, int]]:
    """All pairs, or evenly spread ones."""
    pairs = [*product(range(operation.a_most + 1), range(operation.b_most + 1))]
    return pairs[:: -(-len(pairs) // most) | 1]


def _left_out(operation: ReducedProduct, words: Sequence[int]) -> int:
    """How many pairs no mechanism is judged at; every place of every mechanism is compared."""
    pairs, out = _pairs(operation, 500), 0
    columns = operation.columns(pairs)
    for mechanism in MECHANISMS:
        for width in words:
            for variant in range(mechanism.variants(operation, width)):
                may = mechanism.may(operation, width, variant, columns).tolist()
                wrong = [pair for seen, pair in zip(may, pairs, strict=True)
                         if not seen and mechanism.holds(operation, width, variant, *pair)]  # fmt: skip
                assert not wrong, (mechanism.name, width, variant, wrong[:3])
                out += may.count(False)
    return out


@pytest.mark.parametrize("operation", SMALL, ids=str)
def test_conditions_leave_out_no_pair_that_shows_a_mechanism(operation: ReducedProduct) -> None:
    assert _left_out(operation, (2, 3)) > 0


@pytest.mark.parametrize("operation", _operations(P256, P256 - 1), ids=lambda operation: f"{operation.reduced}")
def test_nor_one_of_many_words(operation: ReducedProduct) -> None:
    cases = list(shown(operation, 1, (64, 32, 26, 100)))
    columns = operation.columns([case.pair for case in cases])
    for number, case in enumerate(cases):
        assert case.mechanism.may(operation, case.width, case.variant, columns)[number], case.label


@pytest.mark.parametrize("operation", SMALL, ids=str)
def test_nor_one_that_shows_a_fault(operation: ReducedProduct) -> None:
    p = operation.modulus
    asked = FaultyProduct(p, operation.reduced, operation.domain, operation.a_most, operation.b_most)
    pairs = _pairs(operation, 3000)
    columns = operation.columns(pairs)
    for fault in faults(asked, (2, 3)):
        may = fault.may(columns).tolist()
        for seen, (a, b) in zip(may, pairs, strict=True):
            if not seen:
                assert fault.compute(a, b, p) == operation.result(a, b), (fault.name, a, b)


@pytest.mark.parametrize("operation", _operations(P256, P256 - 1), ids=lambda operation: f"{operation.reduced}")
def test_nor_one_of_many_words_that_shows_a_fault(operation: ReducedProduct) -> None:
    p = operation.modulus
    asked = FaultyProduct(p, operation.reduced, operation.domain, operation.a_most, operation.b_most)
    pairs = [case.pair for case in shown(operation, 2)]
    columns = operation.columns(pairs)
    found = 0
    for fault in faults(asked, (64, 32)):
        for seen, (a, b) in zip(fault.may(columns).tolist(), pairs, strict=True):
            wrong = fault.compute(a, b, p) != operation.result(a, b)
            assert seen or not wrong, fault.name
            found += wrong
    assert found


def test_moduli_at_which_an_estimated_digit_never_misses() -> None:
    """At each of these, no value is reduced wrongly; at some others one is."""
    width, missed = 3, 0
    for p in range(1 << width, 1 << 2 * width + 1):
        pairs = [(t, 0) for t in range(p << width)]
        columns = ReducedProduct(p, p << width, 0, "a").columns(pairs)
        found = list(faults(FaultyProduct(p, "a", 1, p << width, 0), (width,)))
        digit = next(fault for fault in found if fault.name.startswith("estimate of a digit"))
        wrong = any(digit.compute(t, 0, p) != t % p for t, _ in pairs)
        assert digit.may(columns).any() or not wrong
        missed += wrong
    assert missed
