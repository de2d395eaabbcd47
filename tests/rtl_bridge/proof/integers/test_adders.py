# SPDX-License-Identifier: Apache-2.0
"""Multipliers in gates are read as products, their values stay what they are, and faulty ones are never products."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool
from limbtrace.rtl_bridge.proof.evaluation import evaluated
from limbtrace.rtl_bridge.proof.integers import adders, bit_forms, gates
from limbtrace.rtl_bridge.proof.integers.adders import AdderReader
from limbtrace.rtl_bridge.proof.integers.gates import Gates
from limbtrace.rtl_bridge.proof.integers.settle import IntegerProof
from limbtrace.rtl_bridge.proof.integers.words import times
from tests.rtl_bridge.proof.integers.gate_multipliers import FAULTS, GATE_MULTIPLIERS, Cells, GateMultiplier
from tests.rtl_bridge.proof.integers.random_gates import RandomGates
from tests.sample import FULL

MIXED = 4
"""A style of carries: each adder has another one."""


def sizes() -> Iterator[Any]:
    for name in GATE_MULTIPLIERS:
        for n in (8, 16, 32, 64):
            marks = [pytest.mark.full] if n > 16 else []
            yield pytest.param(name, n, id=f"{name}-{n}", marks=marks)


def read(make: GateMultiplier, n: int, **how: Any) -> tuple[TermPool, BitTerm, BitTerm, BitTerm]:
    """The pool, the multiplier, what it is read as, and the product."""
    pool = TermPool()
    a, b = pool.variable("a", n), pool.variable("b", n)
    made = make(Cells(pool, **how), a, b)
    (found,) = AdderReader(pool).read([made])
    return pool, made, found, pool.product(a, b)


@pytest.mark.parametrize(("name", "n"), [*sizes()])
def test_multipliers_in_gates_are_products(name: str, n: int) -> None:
    _, _, found, expected = read(GATE_MULTIPLIERS[name], n, style=MIXED)
    assert found is expected


@pytest.mark.parametrize("style", range(4))
@pytest.mark.parametrize("name", GATE_MULTIPLIERS)
def test_carries_may_be_written_in_any_way(name: str, style: int) -> None:
    for n in (4, 8):
        _, _, found, expected = read(GATE_MULTIPLIERS[name], n, style=style)
        assert found is expected


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", ["array", "wallace", "dadda", "tree then sum", "booth"])
def test_faulty_multipliers_are_not_products(name: str, fault: str) -> None:
    n, draw = 4, random.Random(f"{name} {fault}")
    differ = 0
    for number in range(0, 12, 4):
        pool, made, found, expected = read(GATE_MULTIPLIERS[name], n, faults={number: fault}, style=MIXED)
        columns = [(x, y) for x in range(1 << n) for y in range(1 << n)]
        wrong = False
        for x, y in columns:
            values = {"a": x, "b": y}
            seen, again = evaluated([made, found], values)
            assert seen == again
            wrong |= seen != x * y
        if wrong:
            differ += 1
            assert found is not expected
            p = draw.choice((11, 13))
            wide = pool.bvurem(found, pool.constant(2 * n, p))
            assert not IntegerProof(pool, p).equal(wide, pool.bvurem(expected, pool.constant(2 * n, p)))
    assert differ


def same_values(made: RandomGates, drawn: int = 30) -> int:
    """Read terms have the values of the terms, for drawn values of the variables; the number of those that changed."""
    found = AdderReader(made.pool).read(made.terms)
    changed = [(term, each) for term, each in zip(made.terms, found, strict=True) if term is not each]
    sides = [side for pair in changed for side in pair]
    for _ in range(drawn):
        results = iter(evaluated(sides, made.values()))
        assert all(next(results) == next(results) for _ in changed)
    return len(changed)


def linear_values(made: RandomGates, drawn: int = 6) -> int:
    """Linear forms of gates have their values; how many of these there are."""
    noted = Gates(made.pool)
    for gate in made.gates:
        noted.note(gate)
    forms = {gate: form for gate in made.gates if (form := noted.linear(gate)) is not None}
    bits = list({bit: None for form in forms.values() for bit in form if bit is not None})
    for _ in range(drawn):
        values = made.values()
        of_bits = dict(zip(bits, evaluated(bits, values), strict=True))
        for (_, form), value in zip(forms.items(), evaluated(forms, values), strict=True):
            parts = (factor * (1 if bit is None else of_bits[bit]) for bit, factor in form.items())
            assert sum(parts) == value
    return len(forms)


@settings(max_examples=200 if FULL else 15, deadline=None)
@given(st.integers(0, 1 << 40))
def test_values_stay_what_they_are(seed: int) -> None:
    same_values(RandomGates(seed))


def test_random_gates_are_read_as_words_often_enough_to_be_a_test() -> None:
    assert sum(bool(same_values(RandomGates(seed), 4)) for seed in range(5)) > 2


@settings(max_examples=200 if FULL else 12, deadline=None)
@given(st.integers(0, 1 << 40))
def test_linear_forms_are_gates_for_all_values(seed: int) -> None:
    assert linear_values(RandomGates(seed)) > 3


def all_values(seeds: Iterable[int]) -> None:
    for seed in seeds:
        made = RandomGates(seed)
        linear_values(made, 12)
        same_values(made, 12)


def planted() -> Iterator[Any]:
    """Unsound forms of the rules: each a way to break them."""
    parity = gates.Carry.parity.fget  # type: ignore[attr-defined]

    def once(self: gates.Carry) -> dict[BitTerm | None, int]:
        form = dict(parity(self))
        form[self.term] += 1
        return form

    def upright(self: gates.Carry) -> dict[BitTerm | None, int]:
        return {**dict.fromkeys(self.bits, 1), self.term: -2, None: 0}

    yield pytest.param(gates.Carry, "parity", property(once), id="a carry counts once")
    yield pytest.param(gates.Carry, "parity", property(upright), id="inverted bits are bits")
    yield pytest.param(gates, "_CARRIES", {**gates._CARRIES, (2, 0b1110): (0, 0)}, id="or is and")
    yield pytest.param(gates, "_CARRIES", {**gates._CARRIES, (3, 0b11111110): (0, 0)}, id="or is a majority")
    yield pytest.param(gates, "_PARITIES", {**gates._PARITIES, (2, 0b1001): 0}, id="an inverted parity is none")
    yield pytest.param(adders, "of_gate", lambda operation, x, *rest: times(x, *rest[:1] or [x]), id="all are and")
    yield pytest.param(AdderReader, "is_exact", lambda self, whole: True, id="sums that may wrap do not")
    yield pytest.param(bit_forms.BitForm, "_is_whole", lambda self, term, factor: True, id="no sum wraps")


@pytest.mark.parametrize(("owner", "name", "value"), [*planted()])
def test_unsound_rules_are_found(owner: Any, name: str, value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the tests above, whose seeds are fixed here."""
    monkeypatch.setattr(owner, name, value)
    with pytest.raises(AssertionError):
        all_values(range(80))


def test_terms_without_parities_are_left_alone() -> None:
    pool = TermPool()
    a, b = pool.variable("a", 8), pool.variable("b", 8)
    terms = [pool.bvand(a, b), pool.add(a, b), pool.product(a, b)]
    assert AdderReader(pool).read(terms) == terms


def test_time_limits_hold() -> None:
    pool = TermPool()
    made = GATE_MULTIPLIERS["array"](Cells(pool), pool.variable("a", 16), pool.variable("b", 16))
    with pytest.raises(TimeoutError):
        AdderReader(pool).read([made], until=0.0)
