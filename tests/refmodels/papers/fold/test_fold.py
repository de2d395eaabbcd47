# SPDX-License-Identifier: Apache-2.0
"""Products by folding, for moduli next to a power of two."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.papers.fold import fold
from tests.refmodels.conformance import Conformance, Mutation, Order, Shape

MODEL = fold.MODEL
GOLDILOCKS = 2**64 - 2**32 + 1


class TestFold(Conformance):
    model = MODEL
    shapes = (
        Shape(13, {}),
        Shape(2**31 - 1, {"below": "2^N"}),
        Shape(GOLDILOCKS, {}),
        Shape(2**255 - 19, {"k": 256, "below": "2^256"}),
    )
    mutations = (
        Mutation(pattern="L := T & low", replacement="L := T & (low >> 1)", first="L"),
        Mutation(pattern="H := T >> k", replacement="H := (T >> k) & low >> 1", first="H"),
        Mutation(pattern="Hc := H * c", replacement="Hc := H * (c - 1)", first="Hc"),
        Mutation(pattern="(T := L + Hc)", replacement="(T := L + Hc & (2 << k) - 1)", first="T"),
        Mutation(pattern="sub := T // p", replacement="sub := T >> k", first="sub"),
        Mutation(pattern="T - sub * p", replacement="T - sub", first="Z"),
    )

    @staticmethod
    def order(params: Any) -> Order:
        yield "T", (0,)
        for i in range(params.rounds):
            yield from (("L", (i,)), ("H", (i,)), ("Hc", (i,)), ("T", (i + 1,)))
        yield from (("sub", ()), ("Z", ()))

    @staticmethod
    def absent(params: Any) -> set[str]:
        return set() if params.rounds else {"L", "H", "Hc"}


@pytest.mark.parametrize(
    ("p", "rounds", "times"),
    [
        (2**31 - 1, 1, 1),
        (2**61 - 1, 1, 1),
        (2**255 - 19, 2, 1),
        (2**256 - 2**32 - 977, 2, 1),
        (GOLDILOCKS, 2, 1),
        (2**448 - 2**224 - 1, 2, 2),
    ],
)
def test_rounds_and_subtractions_of_known_moduli(p: int, rounds: int, times: int) -> None:
    params = MODEL.resolve(p, {})
    assert (params.rounds, params.most_subtractions) == (rounds, times)


@pytest.mark.parametrize("p", [2, 3, 4, 7, 13, 15, 16, 29, 31])
@pytest.mark.parametrize("more", [0, 1, 2])
def test_every_product_of_small_moduli(p: int, more: int) -> None:
    """All operands below 2^N: every claim, and limits that are reached or not far from that."""
    params = MODEL.resolve(p, {"k": p.bit_length() + more, "below": "2^N"})
    most = [0] * (params.rounds + 1)
    for a in range(params.bound):
        for b in range(params.bound):
            run = MODEL.run(params, a, b)
            assert not list(MODEL.violations(run))
            most = [max(old, run.at("T", i)) for i, old in enumerate(most)]
    assert all(seen <= limit for seen, limit in zip(most, params.largest_sums, strict=True))


@given(st.integers(2, 1 << 20), st.integers(2, 1 << 20))
def test_a_modulus_far_from_a_power_is_refused_in_one_sentence(p: int, k: int) -> None:
    """Whatever is accepted ends below 2^(k+1); the rest is refused by name."""
    k = min(p.bit_length() + k % 8, 64)
    least, most = 2**k % p, (p - 1) ** 2
    for _ in range(fold.MOST_ROUNDS):
        most = most if most < 2**k else 2**k - 1 + most // 2**k * least
    if most >= 2 * 2**k:
        with pytest.raises(ParameterError, match=f"^k: 2.{k} mod p has .* bits, and fold needs {k + 1}; barrett"):
            MODEL.resolve(p, {"k": k})
        return
    params = MODEL.resolve(p, {"k": k})
    assert params.largest_sums[-1] < 2 << k
    run = MODEL.run(params, p - 1, p - 1)
    assert run.result == (p - 1) ** 2 % p


def test_a_round_less_leaves_too_much() -> None:
    """The default is the fewest rounds, and fewer are refused."""
    with pytest.raises(ParameterError, match="rounds"):
        MODEL.resolve(2**255 - 19, {"rounds": 1})
    with pytest.raises(ParameterError, match=r"^prime: 2\^64 mod p has .* barrett_mul takes any modulus"):
        MODEL.resolve(0xB5 << 56 | 0x1234567, {})
