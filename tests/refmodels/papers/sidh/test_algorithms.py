# SPDX-License-Identifier: Apache-2.0
"""The models of the SIDH paper: its five primes, corner vectors, exhaustive tiny moduli, forms, rejected inputs."""

from fractions import Fraction
from itertools import product
from typing import Any

import gmpy2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.batch_digits import integers
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Model, Run
from limbtrace.refmodels.papers.sidh.family import Barrett, special
from limbtrace.refmodels.papers.sidh.ffm2 import likely_sign
from limbtrace.refmodels.papers.sidh.hffm.algorithm import WINDOWS
from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.refmodels.registry import MODELS
from limbtrace.refmodels.representations import MixedRadix
from limbtrace.vectors.operands import operands
from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.strategies import multipliers
from tests.shapes import BUTTERFLIES, ESTIMATES, PLAIN, WHOLE, Settings

HFFM = MODELS["hffm"]
NAMES = ("sike-p434", "sike-p503", "sike-p610", "sike-p751", "p771")
P434, P503, P610, P751, P771 = PRIMES = tuple(CATALOGUE[name].modulus for name in NAMES)
TABLE_I: tuple[tuple[int, Settings], ...] = tuple((p, {"split": 8 if p == P503 else 6}) for p in PRIMES)
"""The configurations of the paper."""


def run(model: str, modulus: int, a: int, b: int, **settings: str | int) -> Run:
    entry = MODELS[model]
    params = entry.resolve(modulus, settings)
    entry.check_operands(params, a, b)
    done = entry.run(params, a, b)
    if params.form == "corrected":
        assert not list(entry.violations(done))
        assert done.result == a * b % modulus
    return done


SHAPES = [
    # a, n, N for split 6, N for split 8, s, k, t, x, (bits of c1@7, c1@8, carry, a1+a2), largest carry
    (216, 218, 222, 224, 214, 439, 225, "3a1635c2a0", "8dcc8196", (218, 219, 3, 218), 5),
    (250, 253, 258, 256, 250, 508, 258, "fe66bd5c86", "0147b0db", (252, 253, 3, 253), 7),
    (305, 305, 306, 312, 304, 610, 306, "3386647335", "eaab8db9", (307, 307, 2, 306), 3),
    (372, 379, 384, 384, 374, 762, 388, "926b59f0ff", "72f73df8", (374, 379, 7, 379), 114),
    (387, 384, 390, 392, 378, 773, 395, "2b622d9cbd", "82255338", (389, 389, 2, 388), 3),
]


@pytest.mark.parametrize(("shape", "given"), list(zip(SHAPES, TABLE_I, strict=True)))
def test_shapes_of_the_five_primes(shape: Any, given: tuple[int, Settings]) -> None:
    a, n, six, eight, s, k, t, first, last, bits, carry = shape
    p, settings = given
    params = HFFM.resolve(p, settings)
    assert [HFFM.resolve(p, {"split": split}).N for split in (6, 8)] == [six, eight]
    constants = params.constants
    assert [constants[name] for name in ("f", "a", "l", "n", "s", "k", "t")] == [1, a, 3, n, s, k, t]
    x = f"{constants['x']:x}"
    assert x.startswith(first)
    assert x.endswith(last)
    assert constants["x"].bit_length() == params.N
    assert params.carry_limit == carry
    D, top = params.D, 1 << a
    widest = (3 * top - 4, 3 * top - 4 + D, carry, top + D - 2)
    assert tuple(value.bit_length() for value in widest) == bits


@pytest.mark.parametrize(("p", "settings"), TABLE_I)
def test_corner_vectors_of_hffm(p: int, settings: Settings) -> None:
    which = PRIMES.index(p)
    params = HFFM.resolve(p, settings)
    a, b, D, top = params.a, params.special.b, params.D, 1 << params.a
    done = run("hffm", p, 3 ** (b // 2), 3 ** -(-b // 2), **settings)
    assert (done.at("c2@5"), done.at("barrett.qhat"), done.at("barrett.corr"), done.result) == (D, 0, 1, D)
    done = run("hffm", p, p - 1, p - 1, **settings)
    assert (done.at("c1@9"), done.at("c2@9"), done.at("C@9"), done.result) == (top - 1, D, p + 1, 1)
    assert done.at("carry@9") == (3, 5, 2, 113, 1)[which]
    done = run("hffm", p, p - 1, p - (3, 38, 2, 1, 9)[which] * D, **settings)
    assert done.at("carry@9") == params.carry_limit
    b1 = (top >> 1) + (0, 0, 3, 0, 43)[which]
    done = run("hffm", p, D - 1, b1 * D + ((D - 1) * b1 >> a) + 1, **settings)
    assert done.at("C@9") < p
    assert (done.at("c2@9"), done.at("fix")) == (D - 1 + done.at("carry@9"), 1)
    assert done.at("carry@9") == (1, 2, 1, 55, 1)[which]
    for other in (1, 2, D, p - 1, p):
        done = run("hffm", p, p, other, **settings)
        assert (done.at("C@9"), done.at("is_p"), done.result) == (p, 1, 0)


LOSSES = (0.1354, 0.2685, 0.8248, 0.0776, 0.0373)
"""Bounds of the loss of the window's estimate, for the five primes."""


@pytest.mark.parametrize(("p", "settings"), TABLE_I)
def test_a_correction_and_a_fix_exclude_each_other(p: int, settings: Settings) -> None:
    params = HFFM.resolve(p, settings)
    loss = params.barrett.loss
    assert LOSSES[PRIMES.index(p)] - 1e-4 < loss < LOSSES[PRIMES.index(p)]
    assert loss + Fraction(params.carry_limit, params.D) < 1  # a correction needs r/D < loss, a fix r >= D - carry
    runs = [HFFM.run(params, corner.a, corner.b) for corner in HFFM.corners(params)]
    seen = {(run.at("barrett.corr"), run.at("fix")) for run in runs}
    assert seen == {(0, 0), (1, 0), (0, 1)}


@pytest.mark.parametrize("p", PRIMES)
def test_around_every_power_of_two_times_the_radix(p: int) -> None:
    """D*2^k and its neighbours for every k, with the largest operands and with each other."""
    params = HFFM.resolve(p, {})
    values = [params.D * (1 << k) + e for k in range(params.a) for e in (-1, 0, 1)]
    for others in ([p - 2] * len(values), [p] * len(values), values[::-1]):
        steps = HFFM.run_batch(params, values, others)
        results = integers(HFFM.result_of(params, steps), len(values))
        assert results == [x * y % p for x, y in zip(values, others, strict=True)]


def test_sizes_of_the_barrett_products() -> None:
    """k, the bits of the dividend, and the bits of x."""
    whole = [MODELS["ffm2"].resolve(p, {}) for p in PRIMES]
    assert [(params.barrett.k, params.barrett.x.bit_length()) for params in whole] == [
        (652, 435), (756, 504), (915, 611), (1130, 752), (1155, 772),
    ]  # fmt: skip
    square = [MODELS["effm"].resolve(p, {}) for p in (P610, P771)]
    assert [(params.barrett.k, params.barrett.x.bit_length()) for params in square] == [(458, 306), (578, 387)]


@pytest.mark.parametrize(("p", "bound"), [(P610, 0.35), (P771, 0.10)])
def test_two_conditional_steps_of_three(p: int, bound: float) -> None:
    """A subtraction at the end needs c2.r = R - 1, which no correction of c2 leaves."""
    for model in ("effm", "ffm1"):
        params = MODELS[model].resolve(p, {})
        assert params.barrett.loss < bound
        runs = [MODELS[model].run(params, corner.a, corner.b) for corner in MODELS[model].corners(params)]
        fired = {(run.at("c3.corr"), run.at("c2.corr"), run.at("sub")) for run in runs}
        assert max(map(sum, fired)) == 2
        assert not any(c2 and sub for _, c2, sub in fired)


CORRECTIONS = [  # reading, operands below p, corrections, for each prime
    ("window", ((1, 1),) * 5, None),
    ("hac", ((1, 10), (8, 119), None, None, (1, 15)), (2, 2, 1, 1, 2)),
    ("half", ((1, 29), (9, 119), (1, 5), (1, 115), (1, 2)), (3, 3, 2, 2, 2)),
    ("register", ((1, 28), (1, 8), (1, 13), (1, 149), (1, 56)), (29, 16, 4, 37, 87)),
]


@pytest.mark.parametrize(("reading", "below", "reached"), CORRECTIONS)
def test_corrections_of_each_reading_of_the_half_barrett(reading: str, below: Any, reached: Any) -> None:
    bounds = {"window": (1,) * 5, "hac": (2, 2, 1, 1, 2), "half": (3, 3, 2, 2, 2), "register": (30, 16, 4, 37, 87)}
    for k, (p, settings) in enumerate(TABLE_I):
        params = HFFM.resolve(p, {**settings, "window": reading})
        assert params.barrett.corrections == bounds[reading][k]
        if below[k] is not None and reached is not None:
            done = run("hffm", p, p - below[k][0], p - below[k][1], **settings, window=reading)
            assert done.at("barrett.corr") == reached[k]


@pytest.mark.parametrize(("p", "settings"), TABLE_I)
def test_results_do_not_depend_on_the_reading(p: int, settings: Settings) -> None:
    for corner in list(HFFM.corners(HFFM.resolve(p, settings)))[::7]:
        others = [{**settings, "window": window} for window in WINDOWS]
        others += [{"split": 6}, {"split": 8}, {"N": 512}]
        runs = [run("hffm", p, corner.a, corner.b, **other) for other in others]
        same = [[s for s in done.steps if not s[0].startswith("barrett.")] for done in runs]
        assert all(steps == same[0] for steps in same)


def test_too_small_a_word() -> None:
    done = run("hffm", 8747, 8747 - 471, 8747 - 29, N=12)
    assert [done.params.constants[name] for name in "skt"] == [12, 23, 11]
    assert done.at("barrett.corr") == 3
    p = 2**29 * 5**6 - 1
    done = run("hffm", p, p - 26, p - 105, N=15)
    assert done.params.n == 14
    assert (done.at("barrett.corr"), done.at("barrett.rhat").bit_length()) == (2, 16)
    assert HFFM.resolve(191, {"form": "printed"}).N == 6
    assert HFFM.resolve(191, {}).N == 12
    assert HFFM.resolve(8747, {"form": "printed"}).N == 12
    assert HFFM.resolve(8747, {}).N == 18


def test_c1_needs_a_bit_more_than_a_word_of_sikep610() -> None:
    """Widths of the register, which the published corners reach."""
    params = HFFM.resolve(P610, {})
    runs = [HFFM.run(params, corner.a, corner.b) for corner in HFFM.corners(params)]
    for name in ("c1@7", "c1@8"):
        assert max(done.at(name) for done in runs).bit_length() == params.N + 1 == 307


WORKED = [
    ("hffm", 107, 77, 80, {}, {
        "a1": 2, "a2": 23, "b1": 2, "b2": 26, "a1b1": 4, "a1+a2": 25, "b1+b2": 28, "(a1+a2)(b1+b2)": 700, "a2b2": 598,
        "a1b2+a2b1": 98, "r1": 0, "q1": 1, "r1*f*l^b": 0, "m1": 24, "m2": 2, "c2@4": 622, "u": 0, "c2@5": 622,
        "c1@6": 3, "v": 0, "c1@7": 3, "barrett.hi": 38, "barrett.prod": 1406, "barrett.qhat": 21,
        "barrett.qhat*D": 567, "barrett.rhat": 55, "barrett.corr": 2, "q": 23, "r": 1, "c1@8": 26, "carry@9": 6,
        "c1@9": 2, "c2@9": 7, "C@9": 61, "fix": 0, "is_p": 0, "C": 61}),
    ("hffm", 59, 58, 58, {}, {
        "a1": 3, "a2": 13, "a1b1": 9, "a1+a2": 16, "(a1+a2)(b1+b2)": 256, "a2b2": 169, "a1b2+a2b1": 78, "r1": 1,
        "q1": 2, "r1*f*l^b": 15, "m1": 19, "m2": 2, "c2@4": 188, "u": 3, "c2@5": 191, "c1@6": 4, "v": 3, "c1@7": 7,
        "barrett.hi": 47, "barrett.prod": 1598, "barrett.qhat": 12, "barrett.rhat": 11, "barrett.corr": 0, "q": 12,
        "r": 11, "c1@8": 19, "carry@9": 4, "c1@9": 3, "c2@9": 15, "C@9": 60, "fix": 1, "c1": 0, "c2": 1, "C": 1}),
    ("effm", 71, 70, 59, {}, {
        "a1": 1, "a2": 5, "a3": 4, "b1": 1, "b2": 3, "b3": 5, "a1b1": 1, "a1b2+a2b1": 8, "a1b3+a2b2+a3b1": 24,
        "a2b3+a3b2": 37, "a3b3": 20, "c1": 0, "c2": 41, "c3": 50, "c3.hi": 25, "c3.lo": 0, "c3.qhat": 8,
        "c3.corr": 0, "c3.q": 8, "c3.r": 2, "c2+q3": 49, "c2.hi": 24, "c2.lo": 1, "c2.qhat": 7, "c2.corr": 1,
        "c2.q": 8, "c2.r": 1, "c1+q2": 8, "h": 4, "e": 0, "S": 12, "C": 12}),
    ("ffm1", 71, 70, 59, {}, {
        "A'": 1, "B'": 12, "a2'": 0, "a3'": 1, "b2'": 2, "b3'": 0, "c1'": 0, "c2'": 2, "c3'": 0, "c3.q": 0,
        "c3.r": 0, "c2+q3": 2, "c2.q": 0, "c2.r": 2, "S": 12, "C'": 12, "a1^b1": 0, "C": 12}),
    ("ffm2", 71, 70, 59, {}, {
        "AB": 4130, "AB.hi": 516, "AB.lo": 2, "AB.qhat": 57, "AB.corr": 0, "q": 57, "r": 26, "q+r": 83, "sub": 1,
        "C": 12}),
    ("ffm2", 73, 72, 72, {"sign": 1}, {
        "AB": 5184, "AB.hi": 648, "AB.lo": 0, "AB.qhat": 71, "AB.corr": 1, "q": 72, "r": 0, "r-q": -72, "add": 1,
        "C": 1}),
    ("barrett", 3, 3, 5, {}, {"AB": 15, "qhat": 4, "rhat": 3, "corr": 1, "q": 5, "r": 0}),
]  # fmt: skip


@pytest.mark.parametrize(("model", "p", "a", "b", "settings", "steps"), WORKED)
def test_worked_examples(model: str, p: int, a: int, b: int, settings: Settings, steps: dict[str, int]) -> None:
    done = run(model, p, a, b, **settings)
    assert {name: done.at(name) for name in steps} == steps


@pytest.mark.parametrize("p", [P610, P771, 71, 199, 647])
def test_corner_vectors_of_effm_and_ffm1(p: int) -> None:
    for model in ("effm", "ffm1"):
        R = MODELS[model].resolve(p, {}).R
        for pair in product((R * R, R * R - 1, R * R + 1, 2), repeat=2):
            run(model, p, *pair)
        assert run(model, p, R * R, 2).result == 1
        done = run(model, p, R * R // 2 + R // 2, 2)
        assert (done.at("c3.corr"), done.at("c2.corr")) == (1, 1)
    assert run("effm", p, R * R, R * R).result == R * R // 2
    done = run("effm", p, p - 1, p - 1)
    assert (done.at("S"), done.result) == (p + 1, 1)
    done = run("ffm1", p, 0, R * R)
    assert (done.at("C'"), done.at("a1^b1"), done.result) == (0, 1, 0)
    if p in (P610, P771):
        assert run("effm", p, p - 1, p - 1).at("c3.corr") == 1
        a = R * R + (1 if p == P610 else 78)
        done = run("ffm1", p, a, pow(a, -1, p))
        assert (done.at("c3.corr"), done.at("sub"), done.result) == (1, 1, 1)


@pytest.mark.parametrize("p", PRIMES)
def test_corner_vectors_of_ffm2(p: int) -> None:
    done = run("ffm2", p, p - 1, p - 1)
    assert [done.at(name) for name in ("q", "r", "AB.corr", "sub")] == [p - 3, 4, 1, 1]
    form = special(p, -1, "ffm2")
    done = run("ffm2", p, form.D, 1 << form.a)
    assert (done.at("AB.corr"), done.result) == (1, 1)


@pytest.mark.parametrize("p", [139 * 2**216 * 3**137 + 1, 124 * 2**250 * 3**159 + 1, 476 * 2**305 * 3**192 + 1, 7, 13])
def test_corner_vectors_of_ffm2_for_the_other_sign(p: int) -> None:
    assert likely_sign(p) == 1
    done = run("ffm2", p, p - 1, p - 1)
    assert [done.at(name) for name in ("q", "r", "AB.corr", "add")] == [p - 1, 0, 1, 1]
    done = run("ffm2", p, 1, p - 2)
    assert (done.at("r-q"), done.at("add")) == (p - 2, 0)


def grid(p: int, most: int) -> tuple[list[int], list[int]]:
    """All pairs up to `most`; for larger moduli all a, with b spread over the range."""
    b = range(most + 1) if p < 150 else sorted({*range(8), *range(0, most + 1, 17), *range(most - 8, most + 1)})
    pairs = list(product(range(most + 1), b))
    return [a for a, _ in pairs], [b for _, b in pairs]


def exhausted(model: Model, params: Any) -> dict[str, Any]:
    """Steps of a grid as columns of int64, and that results are right."""
    p = params.modulus
    a, b = grid(p, params.limits[0])
    steps = model.run_batch(params, a, b)
    assert integers(model.result_of(params, steps), len(a)) == [x * y % p for x, y in zip(a, b, strict=True)]
    values = {name: value for name, _, value in steps}
    for symbol in values.values():
        assert isinstance(symbol, int) or symbol.dtype == np.int64
    return {"A": np.array(a), "B": np.array(b), **values}


def test_hffm_of_tiny_moduli() -> None:
    """Every modulus of the form, prime or not, with every correct reading."""
    corrections = set()
    for p in (p for p in range(5, 100, 2) if p & (p + 1)):
        for settings in ({}, {"window": "hac"}, {"window": "half"}, {"split": 8}):
            params = HFFM.resolve(p, settings)
            v, D, top = exhausted(HFFM, params), params.D, 1 << params.a
            assert np.array_equal(v["c1@8"] * D + v["c2@8"], v["A"] * v["B"] - p * (v["q1"] * D + v["u"] + v["m1"]))
            assert int(v["c2@5"].max()) <= D * D + D - 3
            assert int(v["c1@7"].max()) <= 3 * top - 4
            assert int(v["carry@9"].max()) <= params.carry_limit <= D - 1
            assert int(v["C@9"].max()) <= p + params.carry_limit
            assert np.array_equal(v["fix"], v["c2@9"] >= D)
            zero = (v["A"] * v["B"] % p == 0) & (v["A"] > 0) & (v["B"] > 0)
            assert np.array_equal(v["is_p"], zero)
            assert int(v["c1"].max()) < top
            assert int(v["c2"].max()) < D
            assert int(v["barrett.corr"].max()) <= params.barrett.corrections
            corrections.add(int(v["barrett.corr"].max()))
    assert corrections == {1, 2}


@pytest.mark.parametrize("model", ["effm", "ffm1"])
def test_effm_and_ffm1_of_tiny_moduli(model: str) -> None:
    squares = [p for p in range(5, 1300, 2) if _is_square_form(p)]
    assert squares == [71, 199, 287, 391, 647, 799, 967, 1151]
    for p in squares:
        params = MODELS[model].resolve(p, {})
        v, R = exhausted(MODELS[model], params), params.R
        assert int(v["c3.corr"].max()) == int(v["c2.corr"].max()) == int(v["sub"].max()) == 1
        assert int((v["S"] - v["h"]).max()) <= p
        assert int(v["c2+q3"].max()) <= p
        last = v["sub"] == 1
        assert np.all(v["e"][last] == 1)
        assert np.all(v["c2.r"][last] == R - 1)
        if model == "ffm1":
            assert int(v["A'"].max()) < R * R
            assert int(v["c2'"].max()) <= 2 * (R - 1) ** 2


def _is_square_form(p: int) -> bool:
    try:
        MODELS["effm"].resolve(p, {})
    except ParameterError:
        return False
    return True


@pytest.mark.parametrize("sign", [-1, 1])
def test_ffm2_of_tiny_moduli(sign: int) -> None:
    reached = set()
    for p in (p for p in range(5, 140, 2) if (p - sign) & (p - sign - 1)):
        v = exhausted(MODELS["ffm2"], MODELS["ffm2"].resolve(p, {"sign": sign}))
        assert int(v["AB.corr"].max()) <= 1
        if sign < 0:
            assert int(v["q+r"].max()) <= 2 * p - 3
            assert gmpy2.is_prime(p) is False or not np.any(v["q+r"] == p)
            reached.add(int(v["sub"].max()))
        else:
            assert (int(v["r-q"].min()), int(v["r-q"].max())) == (1 - p, p - 2)
            reached.add(int(v["add"].max()))
    assert 1 in reached


def test_barrett_needs_one_subtraction() -> None:
    """Every dividend below 2^k for k of up to ten bits, exhaustively."""
    for divisor in range(3, 64, 2):
        for k in range(divisor.bit_length(), 11):
            barrett = Barrett(divisor, k, (1 << k) - 1)
            c = np.arange(1 << k)
            loss = c // divisor - barrett.quotient(barrett.estimate(c))
            assert int(loss.min()) == 0
            assert int(loss.max()) == barrett.corrections == 1
            multiples = (c % divisor == 0) & (c > 0)
            assert np.all(loss[multiples] == 1)  # 2^k is no multiple of an odd divisor
            assert np.array_equal(barrett.correct(c - barrett.quotient(barrett.estimate(c)) * divisor, 1), loss)


def test_half_barrett_of_tiny_radices() -> None:
    """Section 6: at most two corrections for N = n + 1, one for a larger N; never more than the loss implies."""
    most: dict[int, int] = {}
    for D in range(3, 130, 2):
        n, c = D.bit_length(), np.arange(D * D + D - 2)
        for more in (0, 1, 2, 3):
            N = n + more
            barrett = Barrett(D, n - 1 + N, D * D + D - 3, max(0, 2 * n - N))
            loss = c // D - barrett.quotient(barrett.estimate(c >> barrett.dropped))
            assert int(loss.min()) >= 0
            assert int(loss.max()) <= barrett.corrections
            most[more] = max(most.get(more, 0), int(loss.max()))
    assert most == {0: 3, 1: 2, 2: 1, 3: 1}


def test_printed_algorithm_1_leaves_its_range_as_often_as_the_sheet_counts() -> None:
    params = HFFM.resolve(17, {"form": "printed"})
    runs = [HFFM.run(params, a, b) for a in range(17) for b in range(17)]
    assert sum(done.at("c2@9") >= params.D for done in runs) == 24
    assert sum(done.result >= 17 for done in runs) == 9
    assert all(done.result % 17 == done.a * done.b % 17 for done in runs)
    for p, settings in TABLE_I:
        assert run("hffm", p, p - 1, p - 1, **settings, form="printed").result == p + 1


def test_printed_results_are_in_the_ranges_that_are_stated() -> None:
    """The limits that vector files have to be wide enough for."""
    shapes: tuple[tuple[str, int, Settings], ...] = (
        ("effm", 71, {}), ("effm", 647, {}), ("ffm1", 71, {}), ("hffm", 107, {}), ("hffm", 35, {"window": "half"}),
    )  # fmt: skip
    for model, modulus, settings in shapes:
        entry = MODELS[model]
        params = entry.resolve(modulus, {**settings, "form": "printed"})
        a, b = grid(modulus, params.limits[0])
        results = integers(entry.result_of(params, entry.run_batch(params, a, b)), len(a))
        assert min(results) >= 0
        assert max(results) < params.result_limit
        assert (max(results) >= modulus) == (model != "effm")
    for p, settings in TABLE_I:
        params = HFFM.resolve(p, {**settings, "window": "register", "form": "printed"})
        for corner in HFFM.corners(params):
            assert HFFM.run(params, corner.a, corner.b).result < params.result_limit


MODULI = {
    "barrett": (3, 61, 2**31 - 1, 2**64 - 59, P434),
    "effm": (71, 647, 2 * (2**7 * 3**4) ** 2 - 1, 2 * (2**20 * 3**5) ** 2 - 1, P610),
    "ffm1": (71, 647, 2 * (2**7 * 3**4) ** 2 - 1, 2 * (2**20 * 3**5) ** 2 - 1, P610),
    "ffm2": (7, 71, 3329, 2**20 * 27 - 1, 2**31 * 9 - 1, P434),
    "hffm": (11, 107, 8747, 2**10 * 27 - 1, 2**31 * 9 - 1, P434),
    **dict.fromkeys(("blakley", *BUTTERFLIES, *ESTIMATES, *PLAIN), (3, 61, 2**31 - 1, 2**64 - 59, P434)),
    "solinas": (13, 241, 2**32 - 2**16 + 1, 2**64 - 2**32 + 1, 2**256 - 2**224 + 2**192 + 2**96 - 1),
    "fold": (3, 61, 2**31 - 1, 2**64 - 59, 2**255 - 19),
}
"""Moduli whose steps fit 63 bits, and moduli whose steps do not."""


@pytest.mark.parametrize("name", WHOLE)
def test_a_batch_is_its_products_in_every_form(name: str) -> None:
    model, kinds = MODELS[name], set()
    for modulus in MODULI[name]:
        for form in model.forms:
            params = model.resolve(modulus, {"form": form})
            pairs = [(corner.a, corner.b) for corner in model.corners(params)]
            pairs += [(gmpy2.mpz(a), gmpy2.mpz(b)) for a, b in pairs[:3]]
            batch = model.run_batch(params, [a for a, _ in pairs], [b for _, b in pairs])
            runs = [model.run(params, a, b) for a, b in pairs]
            for k, (step, index, value) in enumerate(batch):
                column = integers(value, len(pairs))
                assert column == [done.steps[k][2] for done in runs]
                assert all(done.steps[k][:2] == (step, index) for done in runs)
                kinds.add("int" if isinstance(value, int) else str(value.dtype))
            assert integers(model.result_of(params, batch), len(pairs)) == [done.result for done in runs]
            results = model.results(params, *zip(*pairs, strict=True))
            assert [int(result) for result in results] == [model.result(params, a, b) for a, b in pairs]
    assert {"int64", "object"} <= kinds


@pytest.mark.parametrize("name", ["barrett", "effm", "ffm1", "ffm2", "hffm"])
def test_edges_reach_what_random_operands_do_not(name: str) -> None:
    rare = {
        "barrett": ("corr",), "effm": ("c3.corr", "c2.corr", "sub"), "ffm1": ("c3.corr", "c2.corr", "sub", "a1^b1"),
        "ffm2": ("AB.corr", "sub"), "hffm": ("barrett.corr", "fix"),
    }[name]  # fmt: skip
    for prime in ("sike-p610", "p771"):
        multiplier = Multiplier.resolve(name, prime, {})
        edges, random = (steps_reached(multiplier, kind, rare) for kind in ("edge", "random"))
        assert edges == set(rare)
        assert "fix" not in random
        lazy = [(int(a), int(b)) for a, b, _ in operands(VectorRequest.resolve(multiplier, 60, 1, "lazy"))]
        for a, b in lazy:
            multiplier.model.check_operands(multiplier.params, a, b)
        beyond = [pair for pair in lazy if max(pair) >= multiplier.modulus.modulus]
        assert bool(beyond) == (name in ("barrett", "hffm"))


def test_lazy_operands_of_barrett_share_the_bits_of_the_dividend() -> None:
    """Every width of a, with b from the whole remaining range."""
    multiplier = Multiplier.resolve("barrett", "p256.fp", {})
    drawn = [(int(a), int(b)) for a, b, _ in operands(VectorRequest.resolve(multiplier, 400, 1, "lazy"))][1::2]
    widths = [a.bit_length() for a, _ in drawn]
    assert min(widths) < 40
    assert max(widths) > 470
    assert sum(200 < width < 312 for width in widths) > 20
    assert sum((a * b).bit_length() > 500 for a, b in drawn) > 120


def steps_reached(multiplier: Multiplier, kind: str, names: tuple[str, ...]) -> set[str]:
    """Steps of these names that are not 0 for one of the operands of a kind."""
    drawn = operands(VectorRequest.resolve(multiplier, 120, 1, kind))
    runs = [multiplier.model.run(multiplier.params, int(a), int(b)) for a, b, _ in drawn]
    return {name for name in names if any(done.at(name) for done in runs)}


REFUSED: list[tuple[str, int, Settings, str, str]] = [
    (
        "hffm",
        127,
        {},
        "prime",
        "hffm needs a modulus f*2^a*l^b - 1 with odd f*l^b of at least 3, and p + 1 is 2^7",
    ),
    ("hffm", CATALOGUE["secp256k1.fp"].modulus, {}, "prime", "with l = 3, f would be an integer of 252 bits here"),
    ("hffm", 107, {"split": 7}, "split", "hffm takes 6 or 8, not '7'"),
    ("hffm", 107, {"window": "first"}, "window", "hffm takes window or hac or half or register, not 'first'"),
    ("hffm", 107, {"N": 4}, "N", "4 is outside 5 to 32768 (n, the bits of f*l^b, at least)"),
    ("hffm", 2**200 * 3**40 - 1, {"window": "register"}, "window", "more than 256 too small, which is the limit"),
    ("hffm", 107, {"radix": "2^4"}, "radix", "hffm has no such parameter; it has split, N, window, form"),
    ("effm", P434, {}, "prime", "(p + 1)/2 is not the square of an even number with an odd factor here"),
    ("effm", P503, {}, "prime", "effm needs a modulus 2*2^a*l^b - 1 with even a and b of at least 2"),
    ("ffm1", P751, {}, "prime", "ffm1 needs a modulus 2*2^a*l^b - 1"),
    ("effm", 17, {}, "prime", "is not the square of an even number"),
    ("effm", 127, {}, "prime", "is not the square of an even number with an odd factor"),
    ("ffm2", 71, {"sign": 0}, "sign", "it is -1 or 1, not 0"),
    ("ffm2", 71, {"sign": 2}, "sign", "2 is outside -1 to 1"),
    ("ffm2", 17, {"sign": 1}, "prime", "ffm2 needs a modulus f*2^a*l^b + 1 with odd f*l^b of at least 3, and p - 1 is"),
    ("ffm2", 3, {}, "prime", "and p + 1 is 2^2 here"),
    ("barrett", 61, {"k": 5}, "k", "5 is outside 6 to 65536 (p < 2^k)"),
    ("barrett", 61, {"form": "printed"}, "form", "barrett takes corrected, not 'printed'"),
]


@pytest.mark.parametrize(("model", "modulus", "given", "parameter", "reason"), REFUSED)
def test_refusals(model: str, modulus: int, given: Settings, parameter: str, reason: str) -> None:
    with pytest.raises(ParameterError) as caught:
        MODELS[model].resolve(modulus, given)
    assert caught.value.parameter == parameter
    assert reason in caught.value.reason
    assert len(caught.value.reason) < 200


def test_operands_beyond_a_range_are_refused() -> None:
    for model, p, most in (("hffm", 107, 107), ("effm", 71, 70), ("ffm1", 71, 70), ("ffm2", 71, 70)):
        params = MODELS[model].resolve(p, {})
        MODELS[model].check_operands(params, most, most)
        with pytest.raises(ParameterError, match=r"^b: .* is outside 0 <= b <=? p, that is up to"):
            MODELS[model].check_operands(params, 0, most + 1)
    params = MODELS["barrett"].resolve(107, {})
    MODELS["barrett"].check_operands(params, 3, (2**14 - 1) // 3)
    with pytest.raises(ParameterError, match=r"^b: beside this a it may be up to 0x1555, with a\*b < 2\^k$"):
        MODELS["barrett"].check_operands(params, 3, (2**14 - 1) // 3 + 1)


@given(st.sampled_from([3, 5, 7, 257]), st.integers(1, 40), st.integers(1, 40), st.sampled_from([1, 3, 139, 12, 20]))
def test_the_form_of_a_modulus(prime: int, a: int, b: int, f: int) -> None:
    """The normal form: no factor of 2 in f, and l with the largest power."""
    for sign in (-1, 1):
        form = special(f * 2**a * prime**b + sign, sign, "x")
        assert form.f % 2 == 1
        assert form.D << form.a == f * 2**a * prime**b
        assert form.l**form.b >= prime**b
        assert form.f * form.l**form.b == form.D


def test_the_sign_is_that_of_the_form() -> None:
    assert [likely_sign(p) for p in (71, 73, 7, 13, 19, 3329, P434)] == [-1, 1, 1, 1, -1, 1, -1]
    assert likely_sign(3) == -1


@given(multipliers(["hffm", "effm"]), st.data())
def test_digits_of_operands(multiplier: Multiplier, data: st.DataObject) -> None:
    value = data.draw(st.integers(0, multiplier.params.limits[0]))
    (name,), (form,) = zip(*multiplier.params.representations.items(), strict=True)
    assert name == ("radices f*l^b, 2^a" if multiplier.model.id == "hffm" else "radices R, R, 2")
    digits = form.write(value)
    assert form.read("a", digits) == value
    text = f"[{','.join(map(str, digits))}]"
    assert multiplier.operand("a", text) == multiplier.operand("b", text, 1) == value


def test_digits_that_are_none() -> None:
    form = MixedRadix((27, 4), ("f*l^b", "2^a"))
    assert form.read("a", [26, 3]) == 107
    assert form.read("a", [5]) == 5
    assert [form.holds(value) for value in (-1, 0, 107, 108)] == [False, True, True, False]
    for digits, reason in (
        ([27, 0], "digit 0 is outside 0 to f*l^b - 1"),
        ([0, 4], "digit 1 is outside 0 to 2^a - 1"),
        ([-1], "digit 0"),
        ([1, 2, 3], "it has 3 digits, and 2 are enough"),
    ):
        with pytest.raises(ParameterError) as caught:
            form.read("a", digits)
        assert reason in caught.value.reason
