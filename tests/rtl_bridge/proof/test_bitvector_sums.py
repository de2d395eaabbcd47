# SPDX-License-Identifier: Apache-2.0
"""Bits of sums, where terms are left out that do not matter for these bits."""

from itertools import product

from hypothesis import example, given
from hypothesis import strategies as st

from limbtrace.rtl_bridge.proof.bitvector import TermPool
from limbtrace.rtl_bridge.proof.evaluation import evaluated

WIDTH = 8


@given(
    limits=st.lists(st.integers(1, 7), min_size=1, max_size=3),
    factors=st.lists(st.integers(-24, 24).filter(bool), min_size=3, max_size=3),
    constant=st.integers(0, 60),
    bits=st.tuples(st.integers(0, WIDTH - 1), st.integers(0, WIDTH - 1)),
)
@example(limits=[4, 7], factors=[1, 4, 1], constant=0, bits=(7, 2))  # the low term alone carries into bit 2
@example(limits=[3, 7], factors=[1, 4, 1], constant=1, bits=(7, 2))  # only with the constant
@example(limits=[3, 7], factors=[1, 4, 1], constant=0, bits=(7, 2))  # never
@example(limits=[3, 7], factors=[1, 4, 1], constant=0, bits=(1, 0))  # the high term does not matter
@example(limits=[3, 7], factors=[1, 4, 1], constant=0, bits=(2, 0))  # it does
@example(limits=[3, 7], factors=[1, 4, 1], constant=40, bits=(7, 2))  # whose upper bits count
@example(limits=[3, 7], factors=[-1, 4, 1], constant=4, bits=(7, 2))  # the low term borrows from bit 2
def test_bits_of_a_sum(limits: list[int], factors: list[int], constant: int, bits: tuple[int, int]) -> None:
    high, low = max(bits), min(bits)
    pool = TermPool()
    terms = [pool.variable(f"v{number}", limit.bit_length(), limit) for number, limit in enumerate(limits)]
    total = pool.sum(dict(zip(terms, factors, strict=False)), constant, WIDTH)
    cut = pool.extract(total, high, low)
    for values in product(*(range(limit + 1) for limit in limits)):
        wanted = constant + sum(factor * value for factor, value in zip(factors, values, strict=False))
        (found,) = evaluated([cut], {f"v{number}": value for number, value in enumerate(values)})
        assert found == wanted >> low & ((1 << (high - low + 1)) - 1), values


def test_pieces_of_a_term_less_that_term_are_nothing() -> None:
    pool = TermPool()
    x, y = (pool.variable(name, 8) for name in "xy")
    rest = pool.sum({pool.extract(x, 7, 4): 16, pool.extract(x, 3, 0): 1, x: -1, y: 3}, 0, 8)
    assert rest is pool.sum({y: 3}, 0, 8)
