# SPDX-License-Identifier: Apache-2.0
"""Mechanisms of hardware: operands that show them, looked at again by other means, and faults that they find."""

from collections.abc import Callable
from itertools import islice
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.mechanisms import MECHANISMS, MechanismCase, ReducedProduct, shown
from limbtrace.refmodels.mechanisms.solutions import several_with_product, with_product
from limbtrace.vectors.operands import operands
from limbtrace.vectors.request import Multiplier, VectorRequest

P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1
REDUCED: list[Literal["a*b", "a*a", "a"]] = ["a*b", "a*a", "a"]


def operation(modulus: int, reduced: Literal["a*b", "a*a", "a"] = "a*b", below: int | None = None) -> ReducedProduct:
    most = (modulus if below is None else below) - 1
    return ReducedProduct(modulus, most, most if reduced == "a*b" else 0, reduced)


def of(name: str, found: list[MechanismCase]) -> list[MechanismCase]:
    return [one for one in found if one.mechanism.name == name]


def limbs(value: int, width: int, count: int) -> list[int]:
    return [value // 2 ** (width * k) % 2**width for k in range(count)]


@given(
    modulus=st.one_of(st.integers(2, 100), st.integers(2, 2**200)),
    reduced=st.sampled_from(REDUCED),
    factor=st.one_of(st.integers(1, 5), st.integers(1, 2**210)),
    seed=st.integers(1, 9),
)
def test_pairs_are_operands_and_different(
    modulus: int, reduced: Literal["a*b", "a*a", "a"], factor: int, seed: int
) -> None:
    asked = operation(modulus, reduced, factor * modulus)
    found = list(islice(shown(asked, seed), 300))
    pairs = [one.pair for one in found]
    assert len(set(pairs)) == len(pairs)
    assert all(0 <= a <= asked.a_most and 0 <= b <= asked.b_most for a, b in pairs)
    assert len({one.label for one in found}) == len(found)
    assert found[:9] == list(islice(shown(asked, seed), 9))


@given(
    modulus=st.one_of(st.integers(2, 200), st.integers(2, 2**100)),
    a_most=st.integers(0, 2**110),
    b_most=st.integers(0, 2**110),
    reduced=st.sampled_from(REDUCED),
    target=st.integers(-(2**100), 2**100),
    count=st.integers(1, 12),
)
def test_several_pairs_are_those_one_by_one(
    modulus: int, a_most: int, b_most: int, reduced: Literal["a*b", "a*a", "a"], target: int, count: int
) -> None:
    """Also where some operands have no inverse or are too large; and as many random numbers are drawn."""
    asked = ReducedProduct(modulus, a_most, b_most if reduced == "a*b" else 0, reduced)
    one, other = Draw("x"), Draw("x")
    alone = list(islice(with_product(asked, target, modulus, one), count))
    assert several_with_product(asked, target, modulus, other, count) == alone
    assert one.bits(64) == other.bits(64)


@given(
    modulus=st.one_of(st.integers(2, 100), st.integers(2, 2**200)),
    a_most=st.one_of(st.integers(0, 50), st.integers(0, 2**250)),
    b_most=st.one_of(st.integers(0, 50), st.integers(0, 2**250)),
    reduced=st.sampled_from(REDUCED),
    words=st.lists(st.integers(2, 70), max_size=2, unique=True),
)
def test_ranges_of_operands_that_have_nothing_to_do_with_the_modulus(
    modulus: int, a_most: int, b_most: int, reduced: Literal["a*b", "a*a", "a"], words: list[int]
) -> None:
    asked = ReducedProduct(modulus, a_most, b_most if reduced == "a*b" else 0, reduced)
    for one in islice(shown(asked, 1, tuple(words)), 200):
        assert 0 <= one.pair[0] <= asked.a_most
        assert 0 <= one.pair[1] <= asked.b_most


def test_nothing_is_reduced_of_a_whole_product() -> None:
    whole = {one.mechanism for one in shown(ReducedProduct(2**256, 2**256 - 1, 2**256 - 1, whole=True), 1)}
    reduced = {one.mechanism for one in shown(operation(P256), 1)}
    assert whole == {mechanism for mechanism in reduced if not mechanism.reduces}
    assert len(whole) == 7


def test_what_is_shown_of_p256() -> None:
    """Every mechanism, each property computed in another way."""
    found = list(shown(operation(P256), 1))
    assert {one.mechanism.name for one in found} == {mechanism.name for mechanism in MECHANISMS}
    a, b = of("ones", found)[0].pair
    assert limbs(a, 64, 3) == limbs(b, 64, 3) == [2**64 - 1] * 3
    assert all(0 < one.pair[0] * one.pair[1] % P256 < P256 * 3 // 4 for one in of("residue=small", found))
    assert all(P256 // 4 < one.pair[0] * one.pair[1] % P256 < P256 for one in of("residue=large", found))
    assert all(min(one.pair) > P256 // 8 for one in of("residue=small", found))
    quotients = set()
    for one in of("quotient", found):
        R = 2 ** (one.width * -(-256 // one.width))
        quotients.add(one.pair[0] * one.pair[1] * pow(-P256, -1, R) % R)
    assert {2**256 - 1, 0, 1, 2**255} <= quotients
    for one in of("relation", found):
        a, b = one.pair
        assert a == b or a + b == P256 or a * b % P256 in (1, P256 - 1)


def test_words_of_products() -> None:
    """Two of three above the middle in 64 bits, as carries of rows meet them; the lowest ones in others."""
    found = [one for one in shown(operation(P256), 1) if one.mechanism.name == "product=ones" and one.width == 64]
    words = {one.variant: limbs(one.pair[0] * one.pair[1], 64, 8) for one in found}
    full = 2**64 - 1
    assert (words[0][4:6], words[0][6]) == ([full, full], 0)
    assert words[1][5:7] == [full, full]
    assert words[2][6] == full
    assert words[4][:2] == [full, full]


def test_a_carry_of_a_row_meets_a_word_of_ones() -> None:
    """Of a product by rows of 64 bits, from the highest limb of a down."""
    found = [one for one in shown(operation(2**512 - 569), 1) if one.mechanism.name == "part=ones" and one.width == 64]
    assert found
    for one in found:
        a, b = one.pair
        row = 5 - one.variant
        before = a // 2 ** (64 * (row + 1)) * b * 2**64
        after = before + limbs(a, 64, 8)[row] * b
        assert limbs(before, 64, 10)[9] == 2**64 - 1
        assert after >> 640 > before >> 640


@pytest.mark.parametrize(("modulus", "width"), [(2**512 - 569, 64), (2**521 - 1, 32), (2**192 - 2**64 - 1, 32)])
def test_a_carry_of_a_square_meets_a_word_of_ones(modulus: int, width: int) -> None:
    found = [one for one in shown(operation(modulus, "a*a"), 1) if one.mechanism.name == "square=ones"]
    reached = set()
    for one in (one for one in found if one.width == width):
        x = limbs(one.pair[0], width, -(-modulus.bit_length() // width))
        t = sum(2 * x[i] * x[j] << width * (i + j) for i in range(len(x)) for j in range(i))
        for k, limb in enumerate(x):
            after = t + (limb * limb << 2 * width * k)
            place = width * (2 * k + 2)
            if t >> place & 2**width - 1 == 2**width - 1 and after >> place + width > t >> place + width:
                reached.add(k)
            t = after
        assert t == one.pair[0] ** 2
    assert len(reached) >= len(x) - 3


def test_a_high_word_of_a_doubled_product_is_all_ones() -> None:
    found = of("doubled=ones", list(shown(operation(P256, "a*a"), 1)))
    assert found
    for one in found:
        x, y = limbs(one.pair[0], one.width, 2)
        high, low = divmod(x * y, 2**one.width)
        assert 2 * high + (2 * low >> one.width) == 2**one.width - 1


def test_residues_of_montgomery_are_divided() -> None:
    """An operation with a domain has results, not products, at the ends of the range."""
    R = 2**256
    found = of("residue=large", list(shown(ReducedProduct(P256, P256 - 1, P256 - 1, "a*b", R), 1)))
    assert any(P256 - one.pair[0] * one.pair[1] * pow(R, -1, P256) % P256 < 2**8 for one in found)


def test_estimates_are_short_by_what_is_said() -> None:
    """With bits, as floor((t >> N - 1) * floor(4^N / p) >> N + 1)."""
    found = of("bit estimate=short", list(shown(operation(2**255 - 19), 1)))
    assert found
    for one in found:
        t = one.pair[0] * one.pair[1]
        estimate = (t >> 254) * (2**510 // (2**255 - 19)) >> 256
        assert t // (2**255 - 19) - estimate == one.variant + 1


def largest_column(a: int, b: int, p: int, width: int) -> float:
    """The largest sum of limb products of a*b + m*p that Montgomery's product collects in a column, by rows.

    As a part of what a column of as many of the largest products holds.
    """
    count, base = -(-p.bit_length() // width), 1 << width
    x, y, modulus, columns, carry = limbs(a, width, count), limbs(b, width, count), limbs(p, width, count), [], 0
    quotient: list[int] = []
    for k in range(count):
        products = [x[i] * y[k - i] for i in range(k + 1)] + [quotient[i] * modulus[k - i] for i in range(k)]
        digit = (carry + sum(products)) * -pow(p, -1, base) % base
        quotient.append(digit)
        products.append(digit * modulus[0])
        carry = (carry + sum(products)) // base
        columns.append(sum(products) / (len(products) * (base - 1) ** 2))
    return max(columns[count // 2 :])


@pytest.mark.parametrize("reduced", REDUCED[:2])
def test_columns_of_montgomery_are_nearly_full(reduced: Literal["a*b", "a*a"]) -> None:
    """In every width; those of other large operands are not, since the quotient is any number."""
    p = 2**1024 - 105
    found = of("columns=full", list(shown(operation(p, reduced), 1)))
    assert [one.width for one in found] == [64, 32, 256, 52, 26, 51, 29, 17]
    for one in found:
        a, b = one.pair[0], one.pair[1] if reduced == "a*b" else one.pair[0]
        assert largest_column(a, b, p, one.width) > 0.93
        assert largest_column(a - 2, b, p, one.width) < 0.93


@pytest.mark.parametrize(
    ("modulus", "reduced", "below"),
    [(2**1024, "a*b", 2**1023), (2**61 - 1, "a*b", 2**31), (2**64 - 59, "a", 2**128), (2**32 - 5, "a*b", 2**32 - 5)],
)
def test_columns_that_are_not_filled(modulus: int, reduced: Literal["a*b", "a"], below: int) -> None:
    """Even moduli, operands that are too short, reducers of one integer, and numbers of two limbs."""
    asked = operation(modulus, reduced, below)
    assert not of("columns=full", list(shown(asked, 1, (32,))))


def test_the_last_fold_meets_words_of_ones() -> None:
    for reduced, below in (("a", 2**512), ("a*b", P256)):
        found = of("fold=ones", list(shown(operation(P256, reduced, below), 1, (64,))))  # type: ignore[arg-type]
        words = {one.variant: limbs(one.pair[0] * (one.pair[1] or 1), 64, 5) for one in found}
        full = 2**64 - 1
        assert words[1] == [0, full, full, full, 1]
        assert words[3] == [0, 0, 0, full, 1]
        assert set(words) == ({0, 1, 2, 3} if reduced == "a" else {1, 2, 3})
    for none in (ReducedProduct(P256, P256 - 1, P256 - 1, "a*b", 2**256), operation(P256, "a*a"), operation(P256, "a")):
        assert not of("fold=ones", list(shown(none, 1)))


def test_squares_have_residues_and_words() -> None:
    found = list(shown(operation(2**255 - 19, "a*a"), 1))
    names = {one.mechanism.name for one in found}
    assert {"residue=small", "residue=large", "product=ones", "ones", "constant"} <= names
    assert all(one.pair[1] == 0 for one in found)


def carry_lost(a: int, b: int, p: int) -> int:
    """Rows of a schoolbook product are added with carries that are those of both limbs alone, without a carry in."""
    n, full = -(-p.bit_length() // 64), 2**64 - 1
    t = [0] * 2 * n
    for i, x in enumerate(limbs(a, 64, n)):
        carry = 0
        for k, y in enumerate(limbs(x * b << 64 * i, 64, 2 * n)):
            t[k], carry = (t[k] + y + carry) & full, (t[k] + y) >> 64
    return sum(limb << (64 * k) for k, limb in enumerate(t)) % p


def no_last_subtraction(a: int, b: int, p: int) -> int:
    """Folds of a number just below a power of two, without the comparison with p."""
    bits = p.bit_length()
    t = a * b
    while t >> bits:
        t = (t & (1 << bits) - 1) + ((1 << bits) - p) * (t >> bits)
    return t


def one_correction(a: int, b: int, p: int) -> int:
    """Barrett's reduction with an estimate that is one too small, and one subtraction for two that it would need."""
    t, bits = a * b, p.bit_length()
    estimate = (t >> bits - 1) * ((1 << 2 * bits) // p) >> bits + 1
    r = t - max(estimate - 1, 0) * p
    return r - p if r >= p else r


def high_word_compared(a: int, b: int, p: int) -> int:
    """A last subtraction that is decided by all words but the lowest one."""
    r = a * b % p
    return r - p + (1 << p.bit_length()) if r >> 32 >= p >> 32 else r


def opposite_operands(a: int, b: int, p: int) -> int:
    """A sum of operands, as Karatsuba's product has it, is p, and is not reduced."""
    return (a * b - ((a + b == p) << 64)) % p


FAULTS: list[tuple[Callable[[int, int, int], int], str, int]] = [
    (no_last_subtraction, "2^255 - 19", 16),
    (no_last_subtraction, "secp256k1", 16),
    (one_correction, "2^61 - 1", 16),
    (one_correction, "mldsa", 16),
    (high_word_compared, "p256", 16),
    (high_word_compared, "bn254.fp", 16),
    (opposite_operands, "p384", 32),
    (carry_lost, "p256", 16),
    (carry_lost, "bls12-381.fp", 16),
]


@pytest.mark.parametrize(("fault", "prime", "cases"), FAULTS)
def test_faults_that_drawn_operands_do_not_show(fault: Callable[[int, int, int], int], prime: str, cases: int) -> None:
    """The first cases of `directed` show them; a thousand drawn ones do not, or there is nothing to construct."""
    multiplier = Multiplier.resolve("modmul", prime, {})
    p = multiplier.modulus.modulus

    def shows(kind: str, count: int) -> bool:
        asked = VectorRequest.resolve(multiplier, count, 1, kind, count)
        return any(fault(int(a), int(b), p) != a * b % p for a, b, _ in operands(asked))

    assert shows("directed", cases)
    assert p.bit_length() < 64 or not shows("random", 1000)
