# SPDX-License-Identifier: Apache-2.0
"""How far the estimate may be off: the bound for all x, what attains it, and the forms in the literature."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.papers.barrett import barrett_mul, barrett_reduce
from limbtrace.refmodels.papers.barrett.events import dividends
from limbtrace.refmodels.papers.barrett.family import MOST_CORRECTIONS, most_short
from limbtrace.refmodels.papers.sidh import barrett as sidh

MODULI = st.integers(2, 600).flatmap(lambda bits: st.integers(1 << bits - 1, (1 << bits) - 1))
P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1


def distance(x: int, p: int, alpha: int, beta: int) -> int:
    """floor(x/p) less the estimate, from the formula alone."""
    N = p.bit_length()
    return x // p - ((x >> N + beta) * ((1 << N + alpha) // p) >> alpha - beta)


def members(bits: int) -> list[tuple[int, int]]:
    """Pairs of alpha and beta."""
    pairs = [(alpha, beta) for beta in (-bits, -2, -1, 0, 1) for alpha in (0, bits - 1, bits, bits + 1, bits + 3)]
    return [(alpha, beta) for alpha, beta in pairs if alpha >= beta]


def test_the_bound_holds_for_every_x_and_is_nearly_always_attained() -> None:
    slack: Counter[int] = Counter()
    for p in range(2, 40):
        for alpha, beta in members(p.bit_length()):
            seen = {distance(x, p, alpha, beta) for x in range(p * p)}
            assert min(seen) >= 0
            slack[most_short(p, alpha, beta, p * p - 1) - max(seen)] += 1
    assert set(slack) == {0, 1}
    assert slack[0] > 3 * slack[1]


@given(MODULI, st.data())
def test_the_bound_holds_for_any_size(p: int, data: st.DataObject) -> None:
    N = p.bit_length()
    alpha, beta = data.draw(st.sampled_from(members(N)))
    most = data.draw(st.sampled_from([p * p - 1, (1 << 2 * N) - 1, 4 * p - 1, (1 << 3 * N) - 1]))
    x = data.draw(st.integers(0, most) | st.integers(0, most // p).map(lambda q: q * p) | st.just(most))
    assert 0 <= distance(x, p, alpha, beta) <= most_short(p, alpha, beta, most)


@given(MODULI, st.integers(1, 700), st.integers(0, 9), st.integers(0, 5))
def test_what_an_error_recommends_takes_one_subtraction(p: int, bits: int, more: int, fewer: int) -> None:
    """alpha of (bits of x) - N + 1 or more, and beta of -2 or less."""
    N = p.bit_length()
    assert most_short(p, max(bits - N + 1, 0) + more, max(-2 - fewer, -N), (1 << bits) - 1) <= 1


@given(MODULI, st.integers(3, 64))
def test_the_handbook_takes_two(p: int, w: int) -> None:
    """Algorithm 14.42: words of w bits, b = 2^w > 3, x of 2k words; the low k + 1 words of x - q^*p are all of it."""
    N = p.bit_length()
    k = -(-N // w)
    alpha, beta, below = 2 * w * k - N, w * (k - 1) - N, f"2^{2 * w * k}"
    assert most_short(p, alpha, beta, (1 << 2 * w * k) - 1) <= 2
    params = barrett_reduce.resolve(p, {"alpha": alpha, "beta": beta, "below": below, "corrections": 2,
                                        "width": w * (k + 1)})  # fmt: skip
    assert params.mu == (1 << 2 * w * k) // p


@given(MODULI, st.data())
def test_the_form_of_the_sidh_paper_is_a_member(p: int, data: st.DataObject) -> None:
    """k of that model is N + alpha, and all of x is read; its symbols have the same values."""
    p |= 1
    if p < 3:
        return
    old = sidh.resolve(p, {})
    new = barrett_mul.resolve(p, {"alpha": old.k - old.bits, "beta": -old.bits})
    a, b = data.draw(st.integers(0, p - 1)), data.draw(st.integers(0, p - 1))
    before, now = sidh.MODEL.run(old, a, b), barrett_mul.MODEL.run(new, a, b)
    assert new.mu == old.barrett.x
    for name, renamed in (("AB", "x"), ("qhat", "qhat"), ("rhat", "rhat"), ("q", "q"), ("r", "r")):
        assert before.at(name) == now.at(renamed)


@pytest.mark.parametrize(
    ("p", "settings", "short"),
    [(P256, {}, 1), (P256, {"beta": 0}, 2), (2**255 - 19, {"beta": 1, "alpha": 255}, 3), (2**61 - 1, {"beta": -61}, 1),
     (12289, {"alpha": 14, "beta": -1}, 1)],
)  # fmt: skip
def test_the_largest_distance_is_constructed(p: int, settings: dict[str, int], short: int) -> None:
    params = barrett_reduce.resolve(p, settings)
    assert params.short == params.corrections == short
    found = {distance(x, p, params.alpha, params.beta) for x in dividends(params, short, None, Draw("test"))}
    assert max(found) == short


@pytest.mark.parametrize(
    ("given", "parameter", "said"),
    [
        ({"beta": 0, "corrections": 1}, "corrections", "1 is outside 2 to 8 (with alpha = 259, beta = 0 and x of up to "
         "512 bits, q^ may be too small by 2; alpha of 257 or more with beta of -2 or less takes one subtraction)"),
        ({"alpha": 9}, "alpha", "at most 8 subtractions are made; alpha of 257 or more with beta of -2 or less"),
        ({"beta": 1, "alpha": 0}, "alpha", "0 is outside 1 to 65536 (alpha >= beta)"),
        ({"beta": -300}, "beta", "-300 is outside -256 to 256"),
        ({"width": 256}, "width", "256 is outside 257 to 65536 (x - q^*p may be up to 2*p - 1)"),
        ({"corrections": 9}, "corrections", "9 is outside 1 to 8"),
        ({"alpha": "M + 3"}, "alpha", "M"),
        ({"gamma": 3}, "gamma", "no such parameter"),
    ],
)  # fmt: skip
def test_parameters_that_cannot_be(given: dict[str, Any], parameter: str, said: str) -> None:
    for model in (barrett_reduce, barrett_mul):
        with pytest.raises(ParameterError) as caught:
            model.resolve(P256, given)
        assert caught.value.parameter == parameter
        assert said in str(caught.value)
        assert "\n" not in str(caught.value)


def test_parameters_are_expressions_over_the_width_of_the_modulus() -> None:
    params = barrett_mul.resolve(P256, {"alpha": "N + 1", "beta": "32*((N + 31)//32 - 1) - N", "width": "N + 32"})
    assert (params.alpha, params.beta, params.width) == (257, -32, 288)
    assert params.corrections <= MOST_CORRECTIONS


def test_more_corrections_than_needed_do_nothing() -> None:
    params = barrett_reduce.resolve(61, {"corrections": 3})
    for x in range(61 * 61):
        run = barrett_reduce.MODEL.run(params, x, 0)
        assert (run.at("corr", 2), run.at("corr", 3), run.result) == (0, 0, x % 61)
