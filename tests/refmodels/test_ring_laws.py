# SPDX-License-Identifier: Apache-2.0
"""Laws that relate several products: of rings, of Montgomery's domain, of chains, of streams, and of costs.

Every product is computed step by step, and results are operands as they come out where the model takes them.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.registry import ARCHITECTURES, MODELS
from limbtrace.vectors.request import CoreRequest, Multiplier
from limbtrace.vectors.strategies import multipliers, products
from tests.shapes import WHOLE

BINARY = [name for name, model in MODELS.items() if model.has_modulus and not model.unary and model.multiplies]
BITS = 64


class Ring:
    """Products of a multiplier, step by step."""

    def __init__(self, multiplier: Multiplier) -> None:
        self.model, self.params = multiplier.model, multiplier.params
        self.p = multiplier.modulus.modulus
        try:
            self.model.check_closure(self.params)
            self.closed = True
        except ParameterError:
            self.closed = False

    def times(self, a: int, b: int) -> int:
        """The result as it comes out; operands are reduced where they are out of range."""
        a_most, b_most = self.params.limits
        a, b = (value if value <= most else value % self.p for value, most in ((a, a_most), (b, b_most)))
        return self.model.run(self.params, a, b).result

    def same(self, x: int, y: int) -> bool:
        return (x - y) % self.p == 0


@st.composite
def rings(draw: st.DrawFn, models: tuple[str, ...] = tuple(BINARY)) -> tuple[Ring, list[int]]:
    """A multiplier whose operands reach p - 1, and three operands below p."""
    multiplier = draw(multipliers(models, max_bits=BITS, max_digits=4))
    ring = Ring(multiplier)
    most = min(ring.p - 1, *multiplier.params.limits)
    pairs = [draw(products(multiplier)) for _ in range(2)]
    return ring, [value % (most + 1) for value in (*pairs[0], pairs[1][0])]


@given(rings())
def test_products_are_associative_and_commute(drawn: tuple[Ring, list[int]]) -> None:
    ring, (a, b, c) = drawn
    if min(ring.params.limits) < ring.p - 1:  # few passes: operands of one side are short
        return
    assert ring.same(ring.times(a, b), ring.times(b, a))
    assert ring.same(ring.times(ring.times(a, b), c), ring.times(a, ring.times(b, c)))


@given(rings())
def test_products_distribute_over_sums_and_signs(drawn: tuple[Ring, list[int]]) -> None:
    ring, (a, b, c) = drawn
    b_most = ring.params.limits[1]
    if ring.model.largest_b is not None:
        b_most = min(b_most, ring.model.largest_b(ring.params, a))
    b, c = b % (b_most + 1), c % (b_most + 1)
    if b + c <= b_most:
        assert ring.same(ring.times(a, b + c), ring.times(a, b) + ring.times(a, c))
    if ring.p - a <= ring.params.limits[0] and (
        ring.model.largest_b is None or b <= ring.model.largest_b(ring.params, ring.p - a)
    ):
        assert ring.same(ring.times(ring.p - a, b), -ring.times(a, b))


@given(rings(tuple(name for name in BINARY if name not in WHOLE)))
def test_into_the_domain_and_out_of_it(drawn: tuple[Ring, list[int]]) -> None:
    """A product with R^2 and one with 1 leave a number as it was."""
    ring, (a, *_) = drawn
    R = ring.params.domain
    assert R is not None
    inside, one = R * R % ring.p, 1 % ring.p
    if inside <= ring.params.limits[1] and min(ring.params.limits) >= ring.p - 1 and ring.model.largest_b is None:
        into = ring.times(a, inside)
        assert ring.same(into, a * R)
        assert ring.same(ring.times(into, one), a)


@given(st.sampled_from([13, 251, 2**13 - 1, 2**61 - 1]), st.integers(1, 5), st.integers(1, 5), st.integers(0))
def test_a_chain_is_two_chains(p: int, first: int, then: int, number: int) -> None:
    """x^(2^(s+t)) is the (2^t)-th power of x^(2^s)."""

    def power(x: int, t: int) -> int:
        multiplier = Multiplier.resolve("vdf", p, {"t": t, "d": 8})
        return multiplier.model.run(multiplier.params, x, 0).result

    x = number % p
    assert power(x, first + then) == power(power(x, first), then)


@given(multipliers(("fpmm",), max_bits=BITS, max_digits=4), st.data())
def test_products_of_a_stream_do_not_mix(multiplier: Multiplier, data: st.DataObject) -> None:
    model, params = multiplier.model, multiplier.params
    assert model.run_stream is not None
    pairs = data.draw(st.lists(products(multiplier), min_size=2, max_size=4))
    stream = model.run_stream(params, pairs)
    assert list(stream.results) == [model.run_stream(params, [pair]).result for pair in pairs]


GROWING = ("p192", "p256", "p384", "p521", "2^1024-105")
"""Moduli, each wider than the one before."""
FIXED = {"fpmm": {"sigma": 8}}
"""Settings whose defaults do not grow with the modulus."""


@pytest.mark.parametrize("core", [name for name, core in ARCHITECTURES.items() if core.model.moduli is None])
def test_no_cost_falls_while_the_modulus_grows(core: str) -> None:
    """With the same digits; widths of digits that follow the modulus by default are given."""
    architecture = ARCHITECTURES[core]
    first = CoreRequest.resolve(core, GROWING[0], {})
    radix = {} if first.multiplier.params.radix_bits is None else {"radix": 1 << first.multiplier.params.radix_bits}
    rows = [CoreRequest.resolve(core, prime, {**radix, **FIXED.get(core, {})}).shape for prime in GROWING]
    for cost in architecture.costs:
        values = [cost.value(shape) for shape in rows]
        assert values == sorted(values), cost.name
