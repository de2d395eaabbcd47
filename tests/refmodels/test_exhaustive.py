# SPDX-License-Identifier: Apache-2.0
"""All small odd moduli with all small radices, digit and pass counts, over all operands, as columns."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from limbtrace.refmodels import batch_digits
from limbtrace.refmodels.batch_digits import Wide
from limbtrace.refmodels.model import Model, Step
from limbtrace.refmodels.registry import MODELS
from tests.shapes import ANY_MODULUS, of_width, smallest

Ints = NDArray[np.int64]

MODULI = range(3, 64, 2)
GRID = 4096
"""Most products per shape; beyond that, b takes its ends and evenly spread values."""


def grid(a_max: int, b_max: int) -> tuple[Ints, Ints]:
    a = np.arange(a_max + 1)
    room = max(GRID // len(a), 16)
    b = np.arange(b_max + 1)
    if len(b) > room:
        b = np.unique(np.concatenate((b[:4], b[-4:], np.linspace(0, b_max, room).astype(np.int64))))
    return np.repeat(a, len(b)), np.tile(b, len(a))


def exact(a: Ints, b: Ints, p: int, r: int) -> tuple[Ints, Ints]:
    """Result and quotient of the closed form, on int64: no intermediate is wider than 60 bits here."""
    quotient = a * b % r * (-pow(p, -1, r) % r) % r
    return (a * b + quotient * p) >> (r.bit_length() - 1), quotient


def integers(digits: list[Any], bits: int) -> Ints:
    value = np.zeros(1, dtype=np.int64)
    for position, digit in enumerate(digits):
        value = value + (np.asarray(digit).astype(np.int64) << (bits * position))
    return value


def check_iddmm(model: Model, params: Any, a: Ints, b: Ints) -> None:
    """Every accumulator, every quotient digit, the result, and the limits of every step."""
    k, n, passes, beta = params.radix_bits, params.digits, params.passes, params.radix
    steps = {(name, index): value for name, index, value in model.run_batch(params, a.tolist(), b.tolist())}
    for i in range(1, passes + 1):
        state, quotient = exact(a, b % beta**i, params.modulus, beta**i)
        seen = [steps["A", (i, j)] for j in range(n + 1)]
        assert np.array_equal(integers(seen, k), state)
        assert np.array_equal(steps["q", (i - 1, 0)], quotient >> (k * (i - 1)))
        assert int(np.max(seen[n])) <= 2
        assert not np.any(steps["U", (i - 1, 0)])
        assert all(int(np.max(digit)) < beta for digit in seen[:n])


@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["iddmm1", "iddmm2"])
def test_iddmm(name: str, k: int) -> None:
    model, products = MODELS[name], 0
    for p in MODULI:
        n_min = -(-p.bit_length() // k)
        for n in (n_min, n_min + 1):
            for passes in range(1, n + 3):
                params = model.resolve(p, {"k": k, "n": n, "passes": passes})
                a, b = grid(*params.limits)
                check_iddmm(model, params, a, b)
                products += len(a)
    assert products > 400_000


def all_steps(model: Model, params: Any, a: Ints, b: Ints) -> dict[tuple[str, tuple[int, ...]], Any]:
    return {(name, index): value for name, index, value in model.run_batch(params, a.tolist(), b.tolist())}


def test_r2mm() -> None:
    model = MODELS["r2mm"]
    for p in MODULI:
        params = model.resolve(p, {})
        a, b = (column.ravel() for column in np.meshgrid(np.arange(params.limits[0] + 1), np.arange(p + 1)))
        steps = all_steps(model, params, a, b)
        for i in range(p.bit_length()):
            state, quotient = exact(a % 2 ** (i + 1), b, p, 2 ** (i + 1))
            assert np.array_equal(steps["S", (i,)], state)
            assert np.array_equal(steps["q", (i,)], quotient >> i)
            assert int(np.max(steps["T", (i,)].astype(np.int64) - 2 * b)) < p
        assert np.array_equal(steps["sub", ()], state >= p)
        assert np.array_equal(steps["Z", ()], np.where(state >= p, state - p, state))
        assert int(np.max(steps["Z", ()])) < p


@pytest.mark.parametrize("w", [1, 2, 3, 4, 8])
def test_mwr2mm(w: int) -> None:
    model = MODELS["mwr2mm"]
    for p in MODULI:
        for more in (0, 1):
            e = -(-(p.bit_length() + 1) // w) + more
            params = model.resolve(p, {"w": w, "e": e})
            a, b = grid(*params.limits)
            steps = all_steps(model, params, a, b)
            for i in range(p.bit_length()):
                state, quotient = exact(a % 2 ** (i + 1), b, p, 2 ** (i + 1))
                assert np.array_equal(integers([steps["S", (i, j)] for j in range(e)], w), state)
                assert np.array_equal(steps["par", (i,)], quotient >> i)
                assert int(np.max(steps["Sb", (i, e)])) <= 1
                for name in ("Ca", "Cb"):
                    assert all(int(np.max(steps[name, (i, j)])) <= 1 for j in range(1, e + 1))
                    assert not np.any(steps[name, (i, e + 1)])
            assert np.array_equal(integers(list(steps["Z", ()].digits), w), state)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_mwr2kmm(k: int) -> None:
    model = MODELS["mwr2kmm"]
    for p in MODULI:
        D = -(-(p.bit_length() + 1) // k)
        for w, digits in ((k, D), (k + 1, D), (8, D), (8, D + 1), (8, max(D - 1, 1))):
            params = model.resolve(p, {"k": k, "w": w, "D": digits})
            a, b = grid(*params.limits)
            steps = all_steps(model, params, a, b)
            whole = w * params.NW
            recoded = np.zeros_like(a)
            for i in range(digits):
                assert int(np.max(np.abs(steps["qY", (i,)]))) <= 1 << (k - 1)
                recoded = recoded + (steps["qY", (i,)] << (k * i))
                r = 2 ** (k * (i + 1))
                quotient = a * b % r * (-pow(p, -1, r) % r) % r
                state = (recoded * b + quotient * p) >> (k * (i + 1))
                seen = integers([steps["S", (i, j)] for j in range(params.NW)], w)
                assert np.array_equal(seen - ((seen >> (whole - 1)) << whole), state)
                assert np.all((-b <= 2 * state) & (2 * state < 2 * p + b))
                assert np.array_equal(steps["qp", (i,)], quotient >> (k * i))
                assert all(int(np.max(steps[name, (i, j + 1)])) <= 1 for name in ("Ca", "Cb") for j in range(params.NW))
            assert np.array_equal(recoded, a)
            result = np.array(batch_digits.integers(model.result_of(params, list(as_steps(steps))), len(a)))
            assert np.array_equal(result, np.where(state >= p, state - p, state))


def as_steps(steps: dict[tuple[str, tuple[int, ...]], Any]) -> Iterator[Step]:
    return ((name, index, value) for (name, index), value in steps.items())


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_imm(k: int) -> None:
    model = MODELS["imm"]
    for p in MODULI:
        n = -(-p.bit_length() // k)
        for passes in (1, n, n + 1, n + 2):
            params = model.resolve(p, {"k": k, "passes": passes})
            a, b = grid(*params.limits)
            steps = all_steps(model, params, a, b)
            for i in range(passes):
                state, quotient = exact(a, b % 2 ** (k * (i + 1)), p, 2 ** (k * (i + 1)))
                assert np.array_equal(steps["A", (i + 1,)], state)
                assert np.array_equal(steps["q", (i,)], quotient >> (k * i))
                assert np.all(state < a + p)


@pytest.mark.parametrize("w", [2, 3])
def test_cios(w: int) -> None:
    model = MODELS["cios"]
    for p in MODULI:
        s_min = -(-(p.bit_length() + 2) // w)
        for s in (s_min, s_min + 1):
            params = model.resolve(p, {"w": w, "s": s})
            size = np.arange(2 * p)  # all pairs, always
            a, b = np.repeat(size, len(size)), np.tile(size, len(size))
            steps = {(name, index): value for name, index, value in model.run_batch(params, a.tolist(), b.tolist())}
            for i in range(s):
                state, quotient = exact(a % 2 ** (w * (i + 1)), b, p, 2 ** (w * (i + 1)))
                seen = steps["T", (i,)]
                assert isinstance(seen, Wide)
                assert np.array_equal(integers(list(seen.digits), w), state)
                assert np.array_equal(steps["q", (i,)], quotient >> (w * i))
                assert not np.any(steps["ovf", (i,)])
                assert int(np.max(steps["us", (i,)])) <= 2 ** (w - 1)
                assert int(np.max(steps["c", (i, s - 1)])) <= 2 ** (w - 2)
                assert int(np.max(steps["ts", (i,)])) < 3 * 2 ** (w - 2)
            assert int(np.max(state)) < 2 * p


def test_literal_text_fails_as_often_as_the_sheet_counts() -> None:
    """Erratum E2: 5506 of the 43679 products of operands below p, for all odd p < 64 with k = 2."""
    model, failures, products = MODELS["iddmm2"], 0, 0
    for p in MODULI:
        params = model.resolve(p, {"k": 2, "form": "printed"})
        a, b = np.repeat(np.arange(p), p), np.tile(np.arange(p), p)
        steps = {(name, index): value for name, index, value in model.run_batch(params, a.tolist(), b.tolist())}
        literal = integers([steps["A", (params.passes, j)] for j in range(params.digits)], 2)
        failures += int(np.count_nonzero((literal * params.domain - a * b) % p))
        products += len(a)
    assert (failures, products) == (5506, 43679)


@pytest.mark.parametrize("name", ANY_MODULUS)
def test_every_claim_for_the_smallest_shapes(name: str) -> None:
    model = MODELS[name]
    for p in (3, 5, 7, 13) if model.has_modulus else (0,):
        for bits in (1, 2, 3):
            n = -(-p.bit_length() // bits)
            shapes = [of_width(name, bits + smallest(name) - 1)]
            if "passes" in model.resolve(p, shapes[0]).named:
                shapes = [{"k": bits, "passes": passes} for passes in (n, n + 1)]
            for given in shapes:
                params = model.resolve(p, given)
                a_max, b_max = params.limits
                stride = max((a_max + 1) * model.step_count(params) // 3000, 1)  # all, but for the wide ones
                for a in range(0, a_max + 1, stride):
                    for b in range(0, b_max + 1, max(b_max // 24, 1)):
                        assert not list(model.violations(model.run(params, a, b)))


@pytest.mark.parametrize("tail", [0, 1])
@pytest.mark.parametrize("r", [1, 2, 3])
def test_orup(r: int, tail: int) -> None:
    model = MODELS["orup"]
    for p in MODULI:
        for more in (0, 1):
            params = model.resolve(p, {"r": r, "m": -(-p.bit_length() // r) + more, "tail": tail})
            a, b = grid(*params.limits)
            check_scaled(model, params, a, b)


def check_scaled(model: Model, params: Any, a: Ints, b: Ints) -> dict[tuple[str, tuple[int, ...]], Any]:
    """Every quotient digit, the result and its limit; for some shapes all steps."""
    r, radix, divisions, p = params.radix_bits, params.radix, params.passes, params.modulus
    inverse = -pow(p, -1, radix) % radix
    steps = all_steps(model, params, a, b)
    golden, quotient = exact(a, b, inverse * p, radix**divisions)
    assert not np.any(steps["q", (0,)])
    for i in range(divisions):
        assert np.array_equal(np.asarray(steps["q", (i + 1,)]).astype(np.int64), quotient >> r * i & radix - 1)
    if params.tail:
        before, _ = exact(a, b, inverse * p, radix ** (divisions - 1))
        golden = (before + before % radix * inverse % radix * p) >> r
        assert np.all((golden - 2 * p) * params.domain < a * b + (golden == 0))
    result = np.array(batch_digits.integers(model.result_of(params, list(as_steps(steps))), len(a)), dtype=np.int64)
    assert np.array_equal(result, golden)
    assert np.all(result * params.domain % p == a * b % p)
    assert int(np.max(result)) < params.result_limit <= 2 * inverse * p
    return steps


@pytest.mark.parametrize("more", [{}, {"overlap": 1}, {"overlap": 5, "tail": 1}, {"fused": 1, "overlap": 2}])
@pytest.mark.parametrize("radices", [(4, 4), (5, 5), (6, 5), (7, 6)])
def test_redundant(radices: tuple[int, int], more: dict[str, int]) -> None:
    model, (r1, r2) = MODELS["redundant"], radices
    if r1 == r2:
        more = {**more, "fused": 0}
    for p in MODULI[::4]:
        params = model.resolve(p, {"r1": r1, "r2": r2, **more})
        top = params.limits[0]
        a, b = grid(min(top, 255), top)
        a = a + (top - int(a.max())) * (b % 2)  # the lowest and the highest ones
        steps = check_scaled(model, params, a, b)
        for (name, _), value in steps.items():
            if name in "KTUS":
                assert int(np.max(value)) < 1 << r2 + 2
        for i in range(params.passes + 1):
            c, q = (np.asarray(steps[name, (i,)]).astype(np.int64) for name in "cq")
            assert np.array_equal(c, q % 2**r2 != 0)
            assert not np.any(np.asarray(steps["S", (i + 1, params.ds - 1)]).astype(np.int64) >> r2)
