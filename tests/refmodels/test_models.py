# SPDX-License-Identifier: Apache-2.0
"""Every claim of every model on drawn cases, the levels against each other, the models against each other."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from refmodels.model import Index
from refmodels.registry import MODELS
from vectors.request import Multiplier
from vectors.strategies import cases, multipliers, products

Case = tuple[Multiplier, int, int]

IDDMM = ("iddmm1", "iddmm2")
SECP256K1 = 2**256 - 2**32 - 977


def cios_order(s: int) -> Iterator[tuple[str, Index]]:
    for i in range(s):
        for j in range(s):
            yield from (("v", (i, j)), ("u", (i, j)), ("d", (i, j)))
        yield "us", (i,)
        yield "q", (i,)
        for j in range(s):
            yield from (("t", (i, j - 1)), ("c", (i, j)))
        yield from (("ts", (i,)), ("ovf", (i,)), ("T", (i,)))


def iddmm1_order(n: int, passes: int) -> Iterator[tuple[str, Index]]:
    for i in range(passes):
        yield from (("CS", (i, 0)), ("CR", (i, 0)), ("CU", (i, 0)))
        for j in range(n + 1):
            yield from (("CS", (i, j + 1)), ("S", (i, j)))
            if j == 0:
                yield "q", (i, 0)
            yield from (("CR", (i, j + 1)), ("R", (i, j)), ("CU", (i, j + 1)), ("U", (i, j)))
            if j > 0:
                yield "A", (i + 1, j - 1)
        yield "A", (i + 1, n)


def iddmm2_order(n: int, passes: int) -> Iterator[tuple[str, Index]]:
    for i in range(passes):
        yield "C", (i, 0)
        for j in range(n + 1):
            yield "S", (i, j)
            if j == 0:
                yield "q", (i, 0)
            yield from (("R", (i, j)), ("C", (i, j + 1)), ("U", (i, j)))
            if j > 0:
                yield "A", (i + 1, j - 1)
        yield "A", (i + 1, n)


ORDERS: dict[str, Any] = {"cios": cios_order, "iddmm1": iddmm1_order, "iddmm2": iddmm2_order}


def result(model: str, modulus: int, a: int, b: int, **given: int) -> int:
    """The result of a model, step by step."""
    entry = MODELS[model]
    return entry.run(entry.resolve(modulus, given), a, b).result


def exact(a: int, b: int, p: int, r: int) -> int:
    """The closed form of the sheets in plain ints."""
    quotient = -a * b * pow(p, -1, r) % r
    return (a * b + quotient * p) // r


@given(cases())
def test_every_claim_holds(case: Case) -> None:
    multiplier, a, b = case
    model, params = multiplier.model, multiplier.params
    assert [str(v) for v in model.violations(model.run(params, a, b))] == []


@given(cases())
def test_levels_agree(case: Case) -> None:
    multiplier, a, b = case
    model, params, p = multiplier.model, multiplier.params, multiplier.modulus.modulus
    r = params.domain
    assert r is not None
    golden = exact(a, b, p, r)
    assert model.closed_form(params, a, b) == golden
    assert model.run(params, a, b).result == golden
    assert golden * r % p == a * b % p
    assert golden < params.result_limit


@given(cases())
def test_vocabulary_and_order(case: Case) -> None:
    multiplier, a, b = case
    model, params = multiplier.model, multiplier.params
    steps = model.run(params, a, b).steps
    assert [(name, index) for name, index, _ in steps] == list(ORDERS[model.id](*params.named.values()))
    assert len(steps) == model.step_count(params)
    assert {name for name, _, _ in steps} == {symbol.name for symbol in model.vocabulary}


@given(multipliers())
def test_the_largest_operands_are_refused_one_further(multiplier: Multiplier) -> None:
    a_max, b_max = multiplier.params.limits
    check = multiplier.model.check_operands
    check(multiplier.params, a_max, b_max)
    for wrong in ((a_max + 1, 0), (0, b_max + 1), (-1, 0), (0, -1)):
        with pytest.raises(ValueError, match="is outside"):
            check(multiplier.params, *wrong)


@given(multipliers())
def test_corners_are_accepted(multiplier: Multiplier) -> None:
    corners = list(multiplier.model.corners(multiplier.params))
    assert corners
    for corner in corners:
        multiplier.model.check_operands(multiplier.params, corner.a, corner.b)


@given(cases())
def test_operands_may_be_swapped(case: Case) -> None:
    multiplier, a, b = case
    model, params = multiplier.model, multiplier.params
    assume(a <= params.limits[1] and b <= params.limits[0])
    one, other = model.run(params, a, b), model.run(params, b, a)
    assert one.result == other.result
    assert [s for s in one.steps if s[0] == "q"] == [s for s in other.steps if s[0] == "q"]


@given(multipliers(["iddmm1"]), st.data())
def test_both_iddmm_algorithms_digit_by_digit(multiplier: Multiplier, data: st.DataObject) -> None:
    a, b = data.draw(products(multiplier))
    params = multiplier.params
    one, two = (MODELS[name].run(params, a, b) for name in IDDMM)
    for name in ("q", "U", "A"):
        assert [s for s in one.steps if s[0] == name] == [s for s in two.steps if s[0] == name]
    for (name, index), value in two.values.items():
        if name == "C":
            assert value == sum(one.at(carry, *index) for carry in ("CS", "CR", "CU"))


@given(cases(["cios"]))
def test_cios_and_iddmm_return_the_same_integer(case: Case) -> None:
    multiplier, a, b = case
    w, s = multiplier.params.radix_bits, multiplier.params.named["s"]
    p, m = multiplier.modulus.modulus, multiplier.params.named["s"] * (w or 0)
    seen = multiplier.model.run(multiplier.params, a, b).result
    for name in IDDMM:
        assert result(name, p, a, b, k=w or 0, n=s) == seen
    for k in (k for k in range(1, m + 1) if m % k == 0 and m // k <= 40):  # the same R with other radices
        assert result("iddmm2", p, a, b, k=k, n=m // k) == seen


@given(cases(IDDMM))
def test_properties_of_the_sheet(case: Case) -> None:
    """Section 11, number 4."""
    multiplier, a, b = case
    p, r = multiplier.modulus.modulus, multiplier.params.domain or 0

    def mm(x: int, y: int) -> int:
        return multiplier.model.run(multiplier.params, x, y).result

    assert mm(0, b) == mm(a, 0) == 0
    assert b == 0 or mm(p, b) == p
    assert r < p or mm(a, 1) <= p
    if r % p < r:
        assert mm(a, r % p) in (a % p, a % p + p)
    if a < p:
        assert (mm(a + p, b) - mm(a, b)) % p == 0


@given(cases(IDDMM))
def test_literal_text_is_the_accumulator_cut_to_n_digits(case: Case) -> None:
    multiplier, a, b = case
    corrected = multiplier.params
    model, p = multiplier.model, multiplier.modulus.modulus
    params = model.resolve(p, {**multiplier.settings, "form": "printed"})
    beta, n = params.radix, params.digits
    state = 0
    for i in range(params.passes):
        total = state + a % beta**n * (b >> (params.radix_bits * i) & beta - 1)
        q = -total * pow(p, -1, beta) % beta
        state = (total + q * p) // beta % beta**n
    literal = model.run(params, a, b).result
    assert literal == state == model.result(params, a, b)
    if a + p <= beta**n:  # section 11, number 5
        assert literal == model.result(corrected, a, b)


@pytest.mark.parametrize("k", [2, 3, 4, 8, 13, 16, 32, 64])
def test_families_reach_every_maximum(k: int) -> None:
    """Section 8.3 of the sheet: the limits in the claims are not merely safe but reached."""
    beta = 1 << k

    def word(*digits: int) -> int:
        """Digits, the most significant first."""
        value = 0
        for digit in digits:
            value = value * beta + digit
        return value

    def largest(model: str, n: int, p: int, x: int, y: int, below: int) -> dict[str, int]:
        entry = MODELS[model]
        run = entry.run(entry.resolve(p, {"k": k, "n": n}), x, y)
        peak: dict[str, int] = {}
        for name, index, value in run.steps:
            if index[-1] < below or name in ("C", "CS", "CR", "CU"):
                peak[name] = max(value, peak.get(name, 0))
        return peak

    f, p = beta - 1, word(beta - 1, beta - 1, 1)
    two, one = (largest(name, 3, p, word(f, f, 0), word(f, f, 0), 3) for name in ("iddmm2", "iddmm1"))
    assert (two["C"], two["S"], two["R"]) == (2 * beta - 2, beta**2 - beta, (beta - 1) ** 2)
    assert (one["CS"], one["CR"], one["CU"]) == (beta - 1, beta - 2, 1)
    entry = MODELS["iddmm2"]
    run = entry.run(entry.resolve(beta**4 - 1, {"k": k}), word(f, f, 0, 0), word(f, f, 0, f))
    sums = [run.at("S", i, j) + run.at("R", i, j) + run.at("C", i, j) for i in range(4) for j in range(4)]
    assert max(sums) == 2 * beta**2 - beta - 1
    entry = MODELS["iddmm1"]
    for n, p, x, y, carry, digit, limit in (
        (3, word(f, f, 1), word(1, f, f), word(f, 0, f), "CS", "S", beta**2 - 1),
        (2, word(f, f), 1, f, "CR", "R", beta**2 - beta - 1),
        (2, word(f, 1), f, word(1, f), "CU", "U", 2 * beta - 1),
    ):
        run = entry.run(entry.resolve(p, {"k": k, "n": n}), x, y)
        adder = [run.at(carry, i, j + 1) * beta + run.at(digit, i, j) for i in range(n) for j in range(n)]
        assert max(adder) == limit


@pytest.mark.parametrize("mode", [{"n": 5, "passes": 5}, {"n": 4, "passes": 5}], ids=["W", "I"])
def test_closed_modes_stay_below_2p(mode: dict[str, int]) -> None:
    model = MODELS["iddmm2"]
    params = model.resolve(SECP256K1, {"k": 64, **mode})
    x = y = 2 * SECP256K1 - 1
    for step in range(1000):
        x, y = model.closed_form(params, x, x if step % 3 else y), x
        assert x < 2 * SECP256K1


def test_mode_p_leaves_2p_without_a_subtraction() -> None:
    model = MODELS["iddmm2"]
    params = model.resolve(SECP256K1, {"k": 64})
    x = model.closed_form(params, SECP256K1 - 1, SECP256K1 - 1)
    assert SECP256K1 < x < 2 * SECP256K1
    x = exact(x, x, SECP256K1, params.domain)
    assert x > 2 * SECP256K1
    with pytest.raises(ValueError, match=r"^a: .* is outside"):
        model.check_operands(params, x, 0)


def test_cios_results_are_operands() -> None:
    model = MODELS["cios"]
    params = model.resolve(SECP256K1, {})
    x = y = 2 * SECP256K1 - 1
    for _ in range(1000):
        x, y = model.closed_form(params, x, y), x
        model.check_operands(params, x, y)


@given(cases(["cios"]))
def test_consequences_of_the_closed_form_of_cios(case: Case) -> None:
    """Section 2.2 of the sheet."""
    multiplier, a, b = case
    model, params, p = multiplier.model, multiplier.params, multiplier.modulus.modulus
    m = params.radix_bits * params.named["s"] if params.radix_bits else 0
    word = (1 << (params.radix_bits or 0)) - 1
    assert model.run(params, a, 1).result <= p
    unit = model.run(params, p, 1)
    assert unit.result == p
    assert all(value == word for name, _, value in unit.steps if name == "q")
    run = model.run(params, a, b)
    t = 0
    for i in range(params.named["s"]):
        digit = a >> (i * (params.radix_bits or 0)) & word
        total = t + digit * b
        assert run.at("us", i) == total >> m
        assert run.at("c", i, params.named["s"] - 1) == (total % (1 << m) + run.at("q", i) * p) >> m
        t = total + run.at("q", i) * p >> (params.radix_bits or 0)
        assert run.at("T", i) == t < b + p
    assert (-a * b * pow(p, -1, 1 << m)) % (1 << m) == sum(
        run.at("q", i) << (i * (params.radix_bits or 0)) for i in range(params.named["s"])
    )
