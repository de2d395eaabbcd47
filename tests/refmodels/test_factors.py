# SPDX-License-Identifier: Apache-2.0
"""Factors of composite moduli, and events that only these have."""

import time
from math import prod

import gmpy2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels import factors
from limbtrace.refmodels.event_search import Occurrences
from limbtrace.refmodels.registry import model
from tests.vectors.test_cli import run

M31, M61 = 2**31 - 1, 2**61 - 1


@given(st.integers(2, 1 << 52))
def test_all_factors_of_a_number(number: int) -> None:
    """Up to 52 bits they are primes: the smaller one of two has 26 bits at most."""
    found = factors.factors(number)
    assert prod(found) == number
    assert list(found) == sorted(found)
    assert all(gmpy2.is_prime(factor) for factor in found)
    for first, second in factors.splits(number):
        assert first * second == number
        assert min(first, second) > 1


@pytest.mark.parametrize(
    ("number", "found"),
    [
        (M61 * M31, (M31, M61)),
        (M61 * 4294967291 * 4294967279, (4294967279, 4294967291, M61)),
        (M31**3, (M31,) * 3),
        (M31**4, (M31,) * 4),
        (2**255 - 19, (2**255 - 19,)),
        (3**5 * M61, (*(3,) * 5, M61)),
    ],
)
def test_factors_that_are_known(number: int, found: tuple[int, ...]) -> None:
    assert factors.factors(number) == found


def test_a_modulus_without_factors_within_reach() -> None:
    """It takes a fixed amount of work."""
    primes = [int(gmpy2.next_prime(1 << bits)) for bits in (1020, 1030)]
    began = time.process_time()
    assert factors.factors(prod(primes)) == (prod(primes),)
    assert list(factors.splits(prod(primes))) == []
    assert time.process_time() - began < 1


def test_squares_are_multiples() -> None:
    assert factors.radical(M31**2 * 5) == 5 * M31


@pytest.mark.parametrize(
    ("name", "modulus", "event"),
    [
        ("montgomery", M61 * M31, "t=p"),
        ("montgomery", M61 * 4294967291, "t=p"),
        ("modmul", M61 * M31, "t=p"),
        ("modmul", M61 * M31, "r=multiple"),
        ("square", M61 * M31**2, "r=multiple"),
    ],
)
def test_events_of_composite_moduli(name: str, modulus: int, event: str) -> None:
    known = Occurrences(model(name), model(name).resolve(modulus, {}))
    pair = known.required(event).pair
    assert pair is not None
    (hit,) = known.hits([pair[0]], [pair[1]], [known.place(event)])
    assert hit[1].tolist() == [True]


@pytest.mark.parametrize("kind", ["directed", "events"])
def test_sets_have_them(kind: str, capfd: pytest.CaptureFixture[str]) -> None:
    asked = ("vectors", "montgomery", "--prime", "(2^61-1)*(2^31-1)", "--kind", kind, "--count", "400")
    assert "t=p" in run(capfd, *asked)[1].replace("t=p+", "").replace("t=p-", "")
    assert "t=p" not in run(capfd, *asked[:3], "2^127-1", *asked[4:])[1].replace("t=p+", "").replace("t=p-", "")


def test_other_pairs_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found without factors has the operands that it had; a prime has no others at all."""
    for modulus in (M61 * M31, M61, 3 * M31, 15 * 4099, 1155):
        params = model("montgomery").resolve(modulus, {})
        now = {found.place.label: found.pair for found in Occurrences(model("montgomery"), params).all()}
        with monkeypatch.context() as patch:
            patch.setattr("limbtrace.refmodels.event_search.products.splits", lambda modulus: iter(()))
            before = {found.place.label: found.pair for found in Occurrences(model("montgomery"), params).all()}
        assert {label for label in now if now[label] != before[label]} <= {"t=p"}
        assert all(before[label] is None for label in now if now[label] != before[label])
        assert modulus != M61 or now == before
