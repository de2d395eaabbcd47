# SPDX-License-Identifier: Apache-2.0
"""The redundant number system, and Algorithm 1 on integers and on digits, with vectors computed by hand."""

from collections.abc import Sequence
from itertools import product as pairs
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from limbtrace.refmodels.erratum import OperationErratum
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Run
from limbtrace.refmodels.papers.redundant import family as redundant
from limbtrace.refmodels.papers.redundant.orup import Orup
from limbtrace.refmodels.papers.redundant.redundant.algorithm import Redundant, sum_digits
from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.refmodels.registry import MODELS, errata
from limbtrace.refmodels.representations import MAXIMAL, Digits, Written, reslice, shown_in, value_of
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.strategies import cases

ORUP, REDUNDANT = MODELS["orup"], MODELS["redundant"]
SECP256K1 = 2**256 - 2**32 - 977
M_TILDE = 0x253531 * SECP256K1
P503 = 2**250 * 3**159 - 1
PAIRS = ((22, 15), (4, 4), (5, 5), (6, 5), (7, 6), (8, 6), (15, 15), (12, 9), (26, 15), (34, 34))
"""(r1, r2), including the smallest and largest r1 for an r2."""


def params(modulus: int, **settings: int) -> Redundant:
    found: Redundant = REDUNDANT.resolve(modulus, settings)
    return found


def vectors(bits: int, count: int | st.SearchStrategy[int]) -> st.SearchStrategy[list[int]]:
    """Digits of that many bits, many of them 0 or full."""
    digit = st.one_of(st.sampled_from((0, 1, (1 << bits) - 1, 1 << (bits - 1), 1 << bits - 2)),
                      st.integers(0, (1 << bits) - 1))  # fmt: skip
    lengths = st.just(count) if isinstance(count, int) else count
    return lengths.flatmap(lambda size: st.lists(digit, min_size=size, max_size=size))


# Representations


@given(st.integers(1, 40), st.integers(0, 3), st.integers(1, 9), st.data())
def test_a_value_in_each_of_its_forms(bits: int, overlap: int, count: int, data: st.DataObject) -> None:
    form = Digits(bits, count, overlap)
    value = data.draw(st.integers(0, (1 << bits * count) - 1))
    for filling in (0, 1, 2, 3, 2**64 - 1):
        digits = form.write(value, filling)
        assert digits == form.write(value, filling)
        assert len(digits) == count
        assert value_of(digits, bits) == value
        assert 0 <= max(digits) <= form.largest
        assert form.resolve(digits) == [*form.canonical(value), 0]
        assert form.read("a", digits) == value
        assert form.read("a", digits).digits == tuple(digits)
        assert not form.overflows(digits)
        assert filling or max(digits) < 1 << bits
    with pytest.raises(OverflowError):
        form.write(1 << bits * count)


def test_maximal_digits_are_the_largest_from_below() -> None:
    form = Digits(15, 19, 2)
    full = value_of([2**17 - 1] * 18, 15)
    assert form.write(full, MAXIMAL) == [2**17 - 1] * 18 + [0]
    serial = Digits(22, 14, 2)
    assert serial.write(sum((2**24 - 1) << 22 * i for i in range(12)), MAXIMAL) == [2**24 - 1] * 12 + [0, 0]
    drawn = {tuple(form.write(full, seed)) for seed in range(2, 40)}
    assert len(drawn) == 38
    seen = {digit >> 15 for digits in drawn for digit in digits}
    assert seen == {0, 1, 2, 3}


@given(st.integers(2, 20), st.integers(1, 6), st.data())
def test_conversion_and_overflow(bits: int, count: int, data: st.DataObject) -> None:
    """The highest digit of the adder shows the overflow, and nothing else does."""
    form = Digits(bits, count, 2)
    digits = data.draw(vectors(bits + 2, count))
    value = value_of(digits, bits)
    out = form.resolve(digits)
    assert value_of(out, bits) == value
    assert all(digit < 1 << bits for digit in out[:-1])
    assert form.overflows(digits) == (out[-1] > 0) == (value >= 1 << bits * count)
    if digits[-1] >> bits:
        assert form.overflows(digits)


def test_a_carry_through_all_digits() -> None:
    form = Digits(15, 8, 2)
    assert form.resolve([2**15, *[2**15 - 1] * 6, 0]) == [0] * 7 + [1, 0]
    assert Digits(15, 2, 2).overflows([2**15, 2**15 - 1])  # although the highest digit has no overlap bits
    for count in range(1, 9):
        assert Digits(4, count, 2).overflows([63] * count)


@given(st.sampled_from(PAIRS), st.integers(1, 9), st.data())
def test_slicing_again_keeps_the_value(radices: tuple[int, int], count: int, data: st.DataObject) -> None:
    """Section 11: conversion to the wider radix, where the digits are below 2^(r1+1) and fit the port."""
    r1, r2 = radices
    digits = data.draw(vectors(r2 + 2, count))
    places = -(-(r2 * count + 2) // r1)
    out = reslice(digits, r2, 2, r1, places)
    assert value_of(out, r1) == value_of(digits, r2)
    assert all(digit < 1 << r1 + 1 for digit in out)
    assert reslice(digits, r2, 2, r1, 1) == out[:1]


def test_slicing_again_by_hand() -> None:
    """Digit 1 lies across the border at bit 22, and the overlap bits of digits 0 and 1 in bits 15, 16, 30 and 31."""
    assert reslice([2**17 - 1, 2**17 - 1], 15, 2, 22, 2) == [2**15 - 1 + 3 * 2**15 + 127 * 2**15, 2**8 - 1 + 3 * 2**8]


def test_all_representations_of_a_result() -> None:
    p = params(SECP256K1)
    result = REDUNDANT.result(p, 1, 1)
    for filling in (0, 1, 7):
        shown = shown_in(p.representations, result, filling)
        assert set(shown) == {"radix 2^15", "radix 2^22"}
        for name, digits in shown.items():
            bits = int(name.removeprefix("radix 2^"))
            assert value_of(digits, bits) == result
            assert (max(digits) < 1 << bits) == (filling == 0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("[16777216]", "a: digit 0 is outside 0 to 2^24-1"), ("[0,-1]", "a: digit 1 is outside 0 to 2^24-1"),
     ("[" + "0," * 14 + "0]", "a: it has 15 digits, and 14 are enough for every operand"),
     ("[1,2", "a: a digit vector is written"), ("[]", "a: the integer is missing")],
)  # fmt: skip
def test_bad_digits(text: str, reason: str) -> None:
    with pytest.raises(ParameterError) as caught:
        Multiplier.resolve("redundant", "secp256k1", {}).operand("a", text)
    assert str(caught.value).startswith(reason)


# Operations


def test_addition_of_digits() -> None:
    """Section 3.3, and the bounds of its design: two overlap bits are enough and one is not."""
    for r in range(2, 7):
        full = [(1 << r + 2) - 1] * 3
        assert redundant.add(full, full, r) == [2 ** (r + 1) - 2, *[2 ** (r + 1) + 4] * 2]
        assert 2 ** (r + 1) + 4 < 1 << r + 2
    assert 2 ** (1 + 1) + 4 >= 1 << 1 + 2
    with_one = 2 * (2**5 - 1) + 2 * 1
    assert with_one == 1 << 5 + 1


@given(st.integers(2, 20), st.integers(1, 8), st.data())
def test_addition_keeps_the_value(r: int, count: int, data: st.DataObject) -> None:
    X, Y = data.draw(vectors(r + 2, count)), data.draw(vectors(r + 2, count))
    Z = redundant.add(X, Y, r)
    dropped = (X[-1] >> r) + (Y[-1] >> r)
    assert value_of(Z, r) == value_of(X, r) + value_of(Y, r) - (dropped << r * count)
    assert all(digit < 1 << r + 2 for digit in Z)
    assert Z[0] <= 2 ** (r + 1) - 2
    assert max(Z) <= 2 ** (r + 1) + 4


@given(st.sampled_from(PAIRS), st.integers(1, 8), st.data())
def test_products_keep_the_value(radices: tuple[int, int], d: int, data: st.DataObject) -> None:
    r1, r2 = radices
    X, y = data.draw(vectors(r2 + 2, d)), data.draw(st.integers(0, 2 ** (r1 + 2) - 1))
    P = [x * y for x in X]
    K = redundant.product(P, r2)
    assert len(K) == d + 2
    assert value_of(K, r2) == value_of(X, r2) * y < 1 << (d + 2) * r2
    assert max(K) <= redundant.product_limit(r1, r2) < 1 << r2 + 2
    C = data.draw(vectors(r2 + 2, d + 1 + data.draw(st.integers(0, 2))))
    T = redundant.accumulate(P, C, r2)
    assert len(T) == len(C) + 1
    assert value_of(T, r2) == value_of(X, r2) * y + value_of(C, r2)
    assert max(T) <= redundant.accumulate_limit(r1, r2) < 1 << r2 + 2


def test_the_operands_that_reach_the_limits() -> None:
    """Sections 4 and 5."""
    P = [x * (2**24 - 1) for x in (2**17 - 1, 2**15, 1)]
    assert redundant.product(P, 15) == [1, 32252, 67581, 1022, 0]
    assert redundant.product_limit(22, 15) == 67581
    assert redundant.accumulate(P, [0, 2**17 - 1, 2**17 - 1, 0], 15) == [1, 65019, 100351, 1025, 0]
    assert redundant.accumulate_limit(22, 15) == 100351 < 3 * 2**15 + 2**11 + 2**2 < 2**17


def reached(r1: int, r2: int) -> tuple[int, int]:
    """The largest possible digits K_i and T_i: over all y, with the three slices from different digits."""
    X, best = np.arange(1 << r2 + 2, dtype=np.int64), 0
    for y in range(1 << r1 + 2):
        P = X * y
        low = (1 << r2) - 1
        best = max(best, int(np.max(P >> 2 * r2) + np.max(P >> r2 & low) + np.max(P & low)))
    return best, best + (1 << r2) - 1 + 3


@pytest.mark.parametrize("r2", [2, 3, 4, 5, 6])
def test_the_least_radix_and_every_pair(r2: int) -> None:
    """Erratum E19 (additions need 2 bits, products 3, accumulation 4) and E14 (when digits stay valid)."""
    for r1 in range(r2, min(2 * r2, 9)):
        product, total = reached(r1, r2)
        assert product <= redundant.product_limit(r1, r2)
        assert total <= redundant.accumulate_limit(r1, r2)
        if r1 < 7 or r2 > 4:  # no valid pair of radices
            assert (product < 1 << r2 + 2) == (r1 + 4 - r2 <= r2 + 1)
            assert (total < 1 << r2 + 2) == (r1 + 4 - r2 <= r2)
    assert {2: reached(2, 2)[0], 3: reached(3, 3)[1]}.get(r2, 0) == {2: 20, 3: 39}.get(r2, 0)


def test_pairs_of_the_sheet() -> None:
    assert reached(8, 6)[1] <= 255
    assert reached(7, 5) == (125, 159)
    assert reached(9, 6) == (253, 319)
    assert redundant.accumulate([x * 511 for x in (127, 2, 1)], [0, 127, 127, 0], 5)[2] == 159


@given(st.sampled_from(PAIRS), st.integers(2, 8), st.data())
def test_the_quotient_digit_and_both_shifts(radices: tuple[int, int], d: int, data: st.DataObject) -> None:
    """Sections 6 and 7: for a sum divisible by 2^r1, computed as in the multiplier."""
    r1, r2 = radices
    modulus = data.draw(st.integers(1, (1 << max(r2 * d - r1 - 1, 1)) - 1)) | 1
    scaled = -pow(modulus, -1, 1 << r1) % (1 << r1) * modulus
    assume(scaled >> r2 * d == 0)
    S = data.draw(vectors(r2 + 2, d + 1))
    q = redundant.quotient(S, r1, r2)
    assert q == value_of(S, r2) % (1 << r1)
    kept = redundant.quotient(S, r1, r2, keep=1)
    assert (kept - q) % (1 << r1) == 0
    assert kept <= (2**r1 - 1 + 3 * 2**r2 if r1 > r2 else S[0])
    T = redundant.accumulate([digit * q for digit in Digits(r2, d).canonical(scaled)], S, r2)
    c = redundant.dropped(T, r2)
    assert c == (q % 2**r2 != 0)
    assert value_of(T[:2], r2) % (1 << r1) == 0
    U = redundant.shift(T, c, r1, r2)
    assert value_of(U, r2) << r1 == value_of(T, r2)
    assert max(U) < 1 << r2 + 2
    K = data.draw(vectors(r2 + 2, d))
    if r1 > r2:
        Z = redundant.shift_add(T, c, K, r1, r2)
        assert value_of(Z, r2) == value_of(U, r2) + value_of(K, r2)
        assert max(Z) <= 2 ** (r2 + 1) + 3 * 2 ** (2 * r2 - r1) + 2 < 1 << r2 + 2


def test_back_to_the_residues() -> None:
    """Up to 23 conditional subtractions; two after a tail step, one if B = 1.

    For results of 2M~ and more; if R is far above 4M~, one subtraction fewer is enough.
    """
    for modulus, tail, count in ((SECP256K1, 0, 22), (SECP256K1, 1, 1), (2**256 - 2**22 + 1, 0, 22), (P503, 0, 1),
                                 (2**44 - 2**22 + 1, 0, 23), (2**504 - 3, 1, 2)):  # fmt: skip
        p = params(modulus, tail=tail)
        assert p.conditional_subtractions == count
        assert p.result_limit <= modulus << count
        top = p.limits[0]
        for a, b in ((top, top), (1, 1), (p.added, 1), (modulus - 1, modulus - 1), (top, 1)):
            result = REDUNDANT.result(p, a, b)
            left = redundant.subtractions(result, modulus, count)
            assert (len(left), left[-1]) == (count, result % modulus)
            if tail:
                assert b > 1 or result < 2 * modulus
                assert result < 3 * modulus
    assert redundant.subtractions(100, 7, 4) == [44, 16, 2, 2]


# Algorithm 1


def table(text: str) -> list[list[int]]:
    return [[int(digit) for digit in cell.split(",")] for cell in text.split("|")]


TINY = """104|0|22880,2080,0|32,69,37,0,0|0,0,0|0,0,0,0,0|0|0,0,0,0|32,5,38,0
7|96|1540,140,0|4,36,2,0,0|6048,1056,0|64,67,55,0,0|1|66,27,0,0|6,64,2,0
0|6|0,0,0|0,0,0,0,0|378,66,0|64,7,4,0,0|1|4,2,0,0|4,2,0,0
0|4|0,0,0|0,0,0,0,0|252,44,0|64,49,0,0,0|1|25,0,0,0|25,0,0,0"""
"""A product computed by hand, one iteration per line: a, q, P, K, W, T, c, U, S."""
FUSED = [[32, 5, 38, 0], [70, 63, 2, 0], [68, 1, 0, 0], [25, 0, 0, 0]]


def vector(run: Run, name: str, i: int) -> list[int]:
    return [value for step, index, value in run.steps if step == name and index[0] == i]


def test_the_tiny_multiplier_digit_by_digit() -> None:
    p = params(13, r1=7, r2=6)
    assert (p.digits, p.mb, p.d, p.ds, p.domain) == (1, 1, 3, 4, 2**21)
    assert (p.digit_inverse, p.added, p.scaled_digits) == (59, 767, [63, 11, 0])
    m = Multiplier.resolve("redundant", 13, {"r1": 7, "r2": 6})
    a, b = m.operand("a", "[104,7]"), m.operand("b", "[220,20,0]", 1)
    assert (a, b) == (1000, 1500)
    run = REDUNDANT.run(p, a, b)
    for i, line in enumerate(TINY.splitlines()):
        a_i, q, P, K, W, T, c, U, S = table(line)
        assert [run.at("a", i)] == a_i
        assert [run.at("q", i)] == q
        assert [run.at("c", i)] == c
        for name, digits in (("P", P), ("K", K), ("W", W), ("T", T), ("U", U)):
            assert vector(run, name, i) == digits
        assert vector(run, "S", i + 1) == S
    assert vector(run, "S", 0) == [0] * 4
    assert run.result == 25
    assert not list(REDUNDANT.violations(run))
    fused = REDUNDANT.run(params(13, r1=7, r2=6, fused=1), a, b)
    assert [vector(fused, "S", i) for i in range(1, 5)] == FUSED


SIZES = [  # n, ma, mb, digits of S, bits of M~, bits of 2M~ - 1, log2 R
    (256, 12, 18, 21, 278, 279, 308),
    (504, 23, 34, 37, 526, 527, 550),
    (512, 24, 35, 38, 534, 535, 572),
]


@pytest.mark.parametrize("size", SIZES)
def test_sizes(size: tuple[int, ...]) -> None:
    n, ma, mb, ds, *bits, r_bits = size
    p = params(2 ** (n - 1) + 1)
    wide = params(2**n - 2**22 + 1)  # the largest M~
    assert wide.digit_inverse == p.digit_inverse == 2**22 - 1
    assert (wide.digits, wide.mb, wide.ds, wide.domain) == (ma, mb, ds, 2**r_bits)
    assert [wide.added.bit_length(), wide.limits[0].bit_length()] == bits
    assert ORUP.resolve(2**n - 1, {}).named == {"m": ma, "tail": 0}


def test_digits_of_the_accumulator_come_from_the_modulus() -> None:
    """Section 9.2: the largest modulus of n bits needs one more digit if n mod 15 is 0 or 14; and three primes."""
    for n in range(32, 620):
        assert params(2**n - 2**22 + 1).ds == -(-n // 15) + 3 + (n % 15 in (0, 14)), n
    assert [params(CATALOGUE[name].modulus).ds for name in ("curve25519.fp", "p224.fp", "bn254.fp")] == [21, 19, 20]
    # With canonical digits of A, d + 1 would always be enough: no digit of A would exceed 2^22 - 1.
    for name in ("curve25519.fp", "p224.fp"):
        p = params(CATALOGUE[name].modulus)
        run = REDUNDANT.run(p, *p.limits)
        assert not any(run.at("S", i, p.ds - 1) for i in range(p.passes + 2))
        full = REDUNDANT.run(params(p.modulus, overlap=1), *p.limits)
        assert any(full.at("S", i, p.ds - 1) for i in range(p.passes + 2))
        with pytest.raises(ParameterError, match=r"ds: .* \(S of this modulus needs them\)"):
            params(p.modulus, ds=p.mb + 3)


def test_the_accumulator_without_the_digit() -> None:
    """Erratum E17: the result without the digit, and with it."""
    modulus = CATALOGUE["curve25519.fp"].modulus
    p = params(modulus, overlap=1)
    a, b = sum((2**24 - 1) << 22 * i for i in range(12)), p.limits[1]
    right = REDUNDANT.run(p, a, b)
    assert (hex(right.result)[:8], hex(right.result)[-8:]) == ("0xfdf24d", "3389e8f4")
    assert right.at("K", 0, 20 - 1 + 1) == 2
    short = Redundant(modulus, 22, p.digits, p.passes, tail=0, r2=15, mb=p.mb, ds=20, fused=0, qcarry=0, overlap=1)
    wrong = REDUNDANT.run(short, a, b)
    assert (hex(wrong.result)[:8], hex(wrong.result)[-8:]) == ("0xfb35ab", "338fe8f4")
    assert (wrong.result * p.domain - a * b) % modulus
    assert any(claim.claim.name == "value of K" for claim in REDUNDANT.violations(wrong))


@pytest.mark.parametrize("modulus", [SECP256K1, 2**504 - 3, P503, 2**255 - 19, 2**61 - 1, 3])
def test_the_number_of_digits_is_enough(modulus: int) -> None:
    """The largest operands with the fullest digits, and a check of the bound itself by its definition."""
    for overlap in (0, 1, 2):
        p = params(modulus, overlap=overlap)
        run = REDUNDANT.run(p, *p.limits)
        assert not list(REDUNDANT.violations(run))
        step = (2**24 - 1) * p.limits[1]
        S = 0
        for _ in range(p.passes + 1):
            S = (S + (2**22 - 1) * p.added) // 2**22 + step
        assert S < 2 ** (15 * sum_digits(p.added, 22, 15, 2**22 - 1)) <= 2 ** (15 * p.ds)


Q_ONE = "0 1 2b39c8 3aa9ec 08f898 3812df 1ab055 3d9f36 18e6d3 3d43c2 208da7 0d79be 24dbfa 0054f4 1199a5"
Q_504 = (
    "0 1 3ffffe 3 3ffff8 f 3fffe0 3f 3fff80 ff 3ffe00 3ff 3ff800 fff 3fe000 3fff 3f8000 ffff 3e0000 3ffff 380000 "
    "fffff 200000 2fffff aaaab 155553"
)
LARGE: list[tuple[int, int, int, int]] = [  # modulus, A, B, S
    (SECP256K1, 1, 1, 0xA3B741B0BE4034830AC9BD1905155383999C46C2C295F2B761BCB2235B24E07ECD365),
    (SECP256K1, 2 * M_TILDE - 1, 2 * M_TILDE - 1,
     0xA3B741B0BE4034830AC9BD1905155383999C46C2C295F2B761BCB2235B24E07ECD365),
    (SECP256K1, SECP256K1 - 1, SECP256K1 - 1,
     0x1A0C6E1B0BE4034830AC9BD1905155383999C46C2C295F2B761BCB2225E153CB90494B),
    (SECP256K1, 0x1000007A2000E90A100000000000000000000000000, 1,
     0x204EC00000000000000000000000000000000000000000001000003CEFB13F84B37540),
    (SECP256K1, M_TILDE, 1, M_TILDE),
    (SECP256K1, M_TILDE - 1, M_TILDE + 1, 0x1AF9BCE4F41BFCB7CF53642E6FAEAAC7C6663B93D3D6A0D489E434DDA518806A132C9A),
    (SECP256K1, 1, 2**44, 0x156DCF0AC9BD1905155383999C46C2C295F2B761BCB223FEDC24A059C2CA39C14054F4),
    (SECP256K1, 2**308 % M_TILDE, 1, 1),
    (SECP256K1, 0, 12345, 0),
    (2**504 - 3, 1, 1, int(
        "0xe38e238e38e38e38e" + "a" * 108 + "800004", 16)),
    (P503, 1, 1, int(
        "0x348692e024204b3cb5c5538e59793d7c757d7a0db4f1385f39e76efd5b272e1fba6b45de02762dd5973304fe8ce28dd9fdbc9482f7f24ce5"
        "df11f4e90518ea", 16)),
]  # fmt: skip


@pytest.mark.parametrize("case", LARGE, ids=range(len(LARGE)))
def test_corner_vectors(case: tuple[int, int, int, int]) -> None:
    """Section 15."""
    modulus, a, b, S = case
    for model in (ORUP, REDUNDANT):
        p = model.resolve(modulus, {})
        model.check_operands(p, a, b)
        for x, y in ((a, b), (b, a)):
            run = model.run(p, x, y)
            assert run.result == model.closed_form(p, x, y) == S
            assert not list(model.violations(run))
    for more in ({"overlap": 1}, {"overlap": 2}, {"fused": 1}):
        assert REDUNDANT.run(params(modulus, **more), a, b).result == S


def test_constants_and_quotients_of_the_corner_vectors() -> None:
    p = params(SECP256K1)
    assert p.constants["M'"] == 0x253531
    assert p.constants["M~"] == 0x253530FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFDACACE71FFFFFF
    assert p.scaled_digits == [32767, 25599, 11065, 32470, *[32767] * 13, 27233, 148, 0]
    assert p.constants["R mod M"] == 0x1000003D10000000000000
    assert p.constants["R^2 mod M"] == 0x1000007A2000E90A100000000000000000000000000
    for model in (ORUP, REDUNDANT):
        run = model.run(model.resolve(SECP256K1, {}), 1, 1)
        assert [run.at("q", i) for i in range(15)] == [int(q, 16) for q in Q_ONE.split()]
    assert [run.at("c", i) for i in range(15)] == [0] + [1] * 14
    run = REDUNDANT.run(p, 1, 2**44)
    assert [run.at("q", i) for i in range(4)] == [0, 0, 0, 1]
    run = REDUNDANT.run(p, 1, 2**15)
    assert (run.at("q", 1), run.at("c", 1)) == (2**15, 0)
    run = REDUNDANT.run(params(2**504 - 3), 1, 1)
    assert run.params.digit_inverse == 0x2AAAAB
    assert [run.at("q", i) for i in range(26)] == [int(q, 16) for q in Q_504.split()]
    assert [i for i in range(26) if not run.at("c", i)] == [0, 16, 18, 20, 22]
    run = REDUNDANT.run(params(P503), 1, 1)
    assert run.params.digit_inverse == 1
    assert run.params.added == P503
    assert [run.at("q", i) for i in range(1, 12)] == [1, *[0] * 10]


@pytest.mark.parametrize("modulus", [SECP256K1, 2**504 - 3])
def test_ranges_of_section_9(modulus: int) -> None:
    """Table 9.1: each limit holds for the fullest digits, those of P and W are reached, S has the bits of the table."""
    p = params(modulus, overlap=1)
    corners = list(REDUNDANT.corners(p))
    limits = {"P": 2199006347265, "W": 137434726401, "K": 67581, "T": 98430, "U": 33281, "S": 65537, "q": 2**22 - 1}
    peak = dict.fromkeys(limits, 0)
    for corner in corners:
        run = REDUNDANT.run(p, corner.a, corner.b)
        for name, _, value in run.steps:
            if name in limits:
                peak[name] = max(value, peak[name])
        widest = max(value_of(vector(run, "S", i), 15) for i in range(p.passes + 2))
        assert widest.bit_length() <= {256: 303, 504: 551}[modulus.bit_length()]
    assert all(peak[name] <= limit for name, limit in limits.items())
    assert (peak["P"], peak["q"]) == (limits["P"], limits["q"])
    assert peak["W"] == limits["W"]


@pytest.mark.parametrize("n", [256, 504])
def test_ends_of_the_vectors(n: int) -> None:
    """Table 9.1: limits of first and highest digits; and operands that were results have fewer overlap bits."""
    p = params(2**n - 2**22 + 1, overlap=1)
    top = p.limits[0]
    for a, b in ((top, top), (corner_of(24, 22, top), corner_of(17, 15, top)), (p.added, top)):
        run = REDUNDANT.run(p, a, b)
        for i in range(p.passes + 1):
            K, T, U, S = (vector(run, name, i) for name in "KTUS")
            assert (K[p.d] <= 34814, K[p.d + 1]) == (True, 0)
            assert T[0] in (0, 2**15)
            assert max(U[1:]) <= 33280
            assert (S[0] <= 65534, S[p.d] < 2**15) == (True, True)
            assert max(digit >> 15 for digit in (*K, *S)) <= 2
        again_a, again_b = REDUNDANT.as_operands(p, a, b)
        assert isinstance(again_a, Written)
        assert isinstance(again_b, Written)
        assert max(again_b.digits) <= 65537
        assert max(again_a.digits) < 2**23


def corner_of(width: int, bits: int, limit: int) -> int:
    """The value of as many digits of that many ones as the limit allows."""
    count = (limit.bit_length() - 1 - width) // bits + 1
    return sum(((1 << width) - 1) << bits * j for j in range(count))


def digits_of_sums(n: int, a_max: int) -> int:
    """Digits of S for the largest modulus of n bits, by the bound of section 9.2."""
    scaled = (2**22 - 1) * ((1 << n) - 2**22 + 1)
    bound, before = a_max * (2 * scaled - 1), -1
    while before < bound:
        bound, before = max(bound, bound // 2**22 + scaled + a_max * (2 * scaled - 1)), bound
    return -(-bound.bit_length() // 15)


def test_digits_of_the_accumulator_by_the_digits_of_the_serial_operand() -> None:
    """Section 9.2: d + 1 digits are enough always, or unless n mod 15 is 0, or unless it is 0 or 14."""
    for n in range(32, 620):
        more = [digits_of_sums(n, 2**bits - 1) - (-(-n // 15) + 3) for bits in (22, 23, 24)]
        assert max(more[0], 0) == 0, n
        assert max(more[1], 0) == (n % 15 == 0), n
        assert max(more[2], 0) == (n % 15 in (0, 14)), n


def test_how_far_results_are_above_the_multiple_and_idle_digits() -> None:
    """Section 8: S - M~ < 4*M~^2/R. Section 12: digit 19 of M~ and of every B is 0 at 256 bits, 504 need all 36."""
    for n, bits, idle in ((256, 250, 1), (504, 504, 0)):
        p = params(2**n - 2**22 + 1)
        assert 4 * p.added**2 // p.domain < 2**bits
        for x, y in ((p.limits[0], p.limits[0]), (p.limits[0], p.limits[0] - 1), (p.added, p.limits[0])):
            assert REDUNDANT.closed_form(p, x, y) - p.added < 2**bits
        used = -(-p.limits[0].bit_length() // 15)
        assert (p.d - used, p.parallel.canonical(p.limits[0])[-1] == 0) == (idle, bool(idle))


@pytest.mark.parametrize(("r1", "r2"), [(22, 15), (7, 6), (15, 15)])
def test_a_vector_of_one_digit(r1: int, r2: int) -> None:
    """Erratum E13: the three slices of its product, each at its own position."""
    P = ((1 << r1 + 2) - 1) * ((1 << r2 + 2) - 2)
    assert redundant.product([P], r2) == [P % 2**r2, (P >> r2) % 2**r2, P >> 2 * r2]


@given(cases(["redundant", "orup"]))
def test_either_operand_may_be_the_serial_one(case: tuple[Multiplier, int, int]) -> None:
    """Section 9.3, invariant 6: f(A, B) = f(B, A), by the steps."""
    multiplier, a, b = case
    model, p = multiplier.model, multiplier.params
    assert model.run(p, a, b).result == model.run(p, int(b), int(a)).result


@given(cases(["redundant"]))
def test_both_forms_of_the_shift_agree_in_value(case: tuple[Multiplier, int, int]) -> None:
    """Section 9.3, invariant 9; orup gives the same product, and with canonical digits the same accumulator."""
    multiplier, a, b = case
    p, modulus = multiplier.params, multiplier.modulus.modulus
    assert isinstance(p, Redundant)
    assume(p.r1 > p.r2)
    runs = [REDUNDANT.run(params(modulus, **{**p.named, "r1": p.r1, "fused": f}), a, b) for f in (0, 1)]
    whole = ORUP.run(ORUP.resolve(modulus, {"r": p.r1, "m": p.digits, "tail": p.tail}), a, b)
    for i in range(p.passes + 2):
        one, other = (value_of(vector(run, "S", i), p.r2) for run in runs)
        assert one == other
        assert p.overlap or i == 0 or one == whole.at("S", i)
    assert runs[0].result == runs[1].result == whole.result
    assert [whole.at("q", i) for i in range(p.passes + 1)] == [runs[0].at("q", i) for i in range(p.passes + 1)]


@given(cases(["redundant"]), st.integers(0, 2**64 - 1))
def test_a_kept_carry_adds_one_multiple_at_most(case: tuple[Multiplier, int, int], overlap: int) -> None:
    """Section 6: the result of the truncated digit, or that plus M~, with r1 - r2 of at least 2."""
    multiplier, a, b = case
    p = multiplier.params
    assert isinstance(p, Redundant)
    settings = {**p.named, "r1": p.r1, "tail": 0, "overlap": overlap}
    del settings["ds"]
    kept = params(p.modulus, **{**settings, "qcarry": 1})
    run = REDUNDANT.run(kept, a, b)
    assert not list(REDUNDANT.violations(run))
    assert not kept.closed
    assert REDUNDANT.result(kept, a, b) == run.result < kept.result_limit
    right = REDUNDANT.result(params(p.modulus, **settings), a, b)
    more = (run.result - right) // p.added
    assert run.result == right + more * p.added
    assert more in (0, 1)
    if p.r1 >= p.r2 + 2:
        assert run.result < 2 * p.added


def test_a_kept_carry_by_the_products_of_the_sheet() -> None:
    a = 2**308 % M_TILDE
    assert REDUNDANT.run(params(SECP256K1), a, 1).result == 1
    assert REDUNDANT.run(params(SECP256K1, qcarry=1), a, 1).result == 1 + M_TILDE
    assert params(SECP256K1, qcarry=1).largest_quotient == 0x417FFF
    m = Multiplier.resolve("redundant", 5, {"r1": 5, "r2": 5})
    a, b = m.operand("a", "[97,1,0]"), m.operand("b", "[89,0,0]", 1)
    right, kept = (REDUNDANT.run(params(5, r1=5, r2=5, qcarry=keep), a, b) for keep in (0, 1))
    assert (right.result, kept.result) == (2, 97)
    assert [right.at("q", i) for i in range(4)] == [0, 25, 17, 0]
    assert [kept.at("q", i) for i in range(4)] == [0, 25, 49, 31]


@pytest.mark.parametrize("modulus", [SECP256K1, 2**255 - 19, 2**504 - 3, P503, 13])
@pytest.mark.parametrize("tail", [0, 1])
def test_a_chain_of_a_thousand_results_stays_in_range(modulus: int, tail: int) -> None:
    """Section 9.3, invariant 10, from the largest operands on; every tenth product is checked step by step."""
    p = params(modulus, tail=tail)
    x = y = p.limits[0]
    exponent = 0
    for step in range(1000):
        z = REDUNDANT.closed_form(p, x, y)
        assert z < p.result_limit <= 2 * p.added
        if step % 100 == 0:
            run = REDUNDANT.run(p, x, y)
            assert run.result == z
            digits = vector(run, "S", p.passes + 1)
            serial = reslice(digits, p.r2, 2, p.r1, p.serial.count)
            again = REDUNDANT.run(p, Written(serial, p.r1), Written(digits[: p.d], p.r2))  # digits as they came out
            assert again.result == REDUNDANT.closed_form(p, z, z)
            assert not list(REDUNDANT.violations(again))
            assert max(serial) < 1 << p.r1 + 1
        x, y = (z, x) if step % 3 else (z, z)
        exponent += 1
    assert exponent == 1000


def test_headroom_of_unreduced_sums() -> None:
    """Invariant 10: at 256 bits operands up to 2^8 times the largest still give a result below 2M~, at 504 bits 2^3."""
    for n, bits in ((256, 8), (504, 3)):
        p = params(2**n - 2**22 + 1)
        wide = p.limits[0] << bits
        assert wide * wide < p.added * p.domain
        assert REDUNDANT.closed_form(p, wide, wide) < 2 * p.added
        bound = (2**24 - 1) * wide * 5 // 4
        assert bound < 2 ** (15 * p.ds)


def test_too_small_an_r_breaks_the_range() -> None:
    """Erratum E3: M = 13, r = 4, R = 256 is below 4M~ = 572."""
    tight = Orup(13, 4, 0, 2, tail=0)
    assert 4 * tight.added == 572 > tight.domain == 256
    assert any(ORUP.closed_form(tight, a, b) >= 2 * tight.added for a, b in pairs(range(200, 286), repeat=2))
    with pytest.raises(ParameterError, match=r"^m: 0 is outside 1 to \d+ \(4M~ <= R = 2\^\(r\*\(m\+2\)\)\)$"):
        ORUP.resolve(13, {"r": 4, "m": 0})


def test_one_iteration_less_is_enough() -> None:
    """Erratum E26: at 256 and 504 bits."""
    for modulus, ma in ((SECP256K1, 11), (2**504 - 3, 22), (2**256 - 2**22 + 1, 11), (2**504 - 2**22 + 1, 22)):
        p = params(modulus, ma=ma)
        assert p.domain == 2 ** (22 * (ma + 2))
        for corner in REDUNDANT.corners(p):
            run = REDUNDANT.run(p, corner.a, corner.b)
            assert not list(REDUNDANT.violations(run))
        with pytest.raises(ParameterError, match=r"^ma: "):
            params(modulus, ma=ma - 1)


def test_the_printed_form_is_wrong_nearly_always() -> None:
    """Erratum E8: it is wrong in all of 500 random products."""
    literal = REDUNDANT.resolve(SECP256K1, {"form": "printed"})
    draw = np.random.default_rng(1)
    wrong = 0
    for _ in range(20):
        a, b = (int.from_bytes(draw.bytes(32), "big") % SECP256K1 for _ in range(2))
        result = REDUNDANT.result(literal, a, b)
        assert result < literal.result_limit
        wrong += (result * literal.domain - a * b) % SECP256K1 != 0
    assert wrong == 20
    assert literal.qcarry == 1
    assert REDUNDANT.resolve(2**255 - 19, {"form": "printed"}).ds == 20


def by_the_paper(p: Redundant, a: Sequence[int], B: Sequence[int]) -> int:
    """Section IV implemented again bit by bit as printed: K and T line by line, with the shifted bits dropped."""
    r1, r2, d = p.r1, p.r2, p.mb + 2
    M = [p.added >> r2 * j & (1 << r2) - 1 for j in range(d)]

    def bits(value: int, high: int, low: int) -> int:
        return value >> low & (1 << high - low + 1) - 1

    S = [0] * (d + 1)
    for digit in a:
        q = S[0] % 2**r2 + ((S[1] % 2 ** (r1 - r2) + (S[0] >> r2)) << r2)
        P, W = [digit * b for b in B], [q * m for m in M]
        rows = []
        for X, C in ((P, None), (W, S)):
            K = [X[0] % 2**r2, bits(X[0], 2 * r2 - 1, r2) + X[1] % 2**r2]
            K += [bits(X[i - 2], r1 + r2 + 3, 2 * r2) + bits(X[i - 1], 2 * r2 - 1, r2) + X[i] % 2**r2
                  for i in range(2, d)]  # fmt: skip
            K += [bits(X[d - 2], r1 + r2 + 3, 2 * r2) + bits(X[d - 1], 2 * r2 - 1, r2), X[d - 1] >> 2 * r2]
            if C is not None:
                K = [k + (C[i] % 2**r2 if i <= d else 0) + (C[i - 1] >> r2 if i else 0) for i, k in enumerate(K)]
            rows.append(K)
        K, T = rows
        T.append(0)
        U = [(T[j + 1] >> r1 - r2) + (T[j + 2] % 2 ** (r1 - r2) << 2 * r2 - r1) for j in range(d + 1)]
        S = [U[j] % 2**r2 + K[j] % 2**r2 + ((U[j - 1] >> r2) + (K[j - 1] >> r2) if j else 0) for j in range(d + 1)]
    return sum(s << r2 * j for j, s in enumerate(S))


@given(cases(["redundant"]))
def test_the_printed_form_is_the_text(case: tuple[Multiplier, int, int]) -> None:
    multiplier, a, b = case
    p = multiplier.params
    assert isinstance(p, Redundant)
    literal = REDUNDANT.resolve(p.modulus, {"r1": p.r1, "r2": p.r2, "form": "printed", "overlap": p.overlap})
    if p.r1 > p.r2:
        assert REDUNDANT.result(literal, a % literal.limits[0], b) == by_the_paper(
            literal, *literal.split(a % literal.limits[0], b)
        )


def test_columns_of_given_digits() -> None:
    """A batch in which some operands were written as digits."""
    p: Any = params(SECP256K1, overlap=2)
    form = p.parallel
    b = [form.read("b", [2**17 - 1] * 17), 5]
    columns = p.split_batch([3, 4], b)[1]
    assert [int(column[0]) for column in columns] == [2**17 - 1] * 17 + [0] * 3
    assert [int(column[1]) for column in columns] == form.write(5, 2)


def test_errata_about_operations() -> None:
    """E7 leaves the range, E18 loses 2^30, E19 has digits that need a bit more."""
    ours = [erratum for erratum in errata(OperationErratum) if erratum.id.startswith("redundant.")]
    assert {erratum.id: (erratum.promised, erratum.found()) for erratum in ours} == {
        "redundant.E7": (285, 4275),
        "redundant.E18": (2**31 - 2, 2**30 - 2),
        "redundant.E19": (15, 20),
        "redundant.E19b": (31, 39),
    }
