# SPDX-License-Identifier: Apache-2.0
"""Corner vectors for the LLMonPro paper, its listings implemented on lists, chains, and exhaustive tiny sizes."""

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.batch_digits import integers
from limbtrace.refmodels.digits import chosen_digits, largest_digits, redundant_digits
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import CORRECTED, PRINTED, Run
from limbtrace.refmodels.papers.llmonpro import llmonpro
from limbtrace.refmodels.papers.llmonpro.errata import PARAMETER_SETS
from limbtrace.refmodels.papers.llmonpro.llmonpro.algorithm import Llmonpro
from limbtrace.refmodels.papers.llmonpro.llmonpro.claims import low_half
from limbtrace.refmodels.papers.llmonpro.llmonpro.events import directed
from limbtrace.refmodels.papers.llmonpro.ozturk.algorithm import Ozturk
from limbtrace.refmodels.papers.llmonpro.vdf import algorithm as vdf
from limbtrace.refmodels.papers.llmonpro.vdf.algorithm import Vdf
from limbtrace.refmodels.registry import MODELS
from limbtrace.refmodels.representations import Written
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.strategies import cases

LL, CHAIN, OZTURK = MODELS["llmonpro"], MODELS["vdf"], MODELS["ozturk"]
M128 = 2**128 - 159
FORMS = list(product((CORRECTED, PRINTED), ("alg5", "alg7")))
BOTH = ("alg5", "alg7")


def run(d: int, k: int, M: int, a: int, b: int, form: str = CORRECTED, variant: str = "alg5") -> Run:
    """Drops the precondition k <= 2^(d-1) - 1, so that the smallest counterexamples have a corrected form, too."""
    return LL.run(Llmonpro(M, d, k, k, form, variant=variant), a, b)


def residues(d: int, k: int, M: int, a: int, b: int) -> dict[tuple[str, str], int]:
    return {(form, variant): run(d, k, M, a, b, form, variant).result % M for form, variant in FORMS}


def exact(M: int, R: int, a: int, b: int) -> int:
    return a * b * pow(R, -1, M) % M


@pytest.mark.parametrize(("n", "d"), PARAMETER_SETS)
def test_the_printed_carry_is_one_too_small(n: int, d: int) -> None:
    """V1 to V5 of section 8, for every parameter set of the tables with k >= 3, in both algorithms."""
    k, R, M = n // d, 1 << n, (1 << n) - 1
    assert set(residues(d, k, M, 3, (R + 2) // 3).items()) == {
        ((form, variant), 3 if form == CORRECTED else 2) for form, variant in FORMS
    }
    root = 1
    for bit in range(1, n):  # the smallest square root of 17, bit by bit
        if (root * root - 17) >> bit & 1:
            root |= 1 << (bit - 1)
    root = min(root % R, (R - root) % R, (root + R // 2) % R, (R // 2 - root) % R)
    assert root * root % R == 17
    modulus = R * 5 // 7 | 1  # far from R, so that t0 and q0 are not small together
    pairs = [(corner.a, corner.b, corner.comment) for corner in directed(Llmonpro(modulus, d, k, k))]
    assert {comment[:2] for _, _, comment in pairs} == {"t0", "q0", "A*"}
    wrong = {"t0": 1, "q0": 0, "A*": 1}
    for a, b, comment in [*pairs, (root, root, "t0 = 17")]:
        right, seen = (run(d, k, modulus, a, b, form) for form in (CORRECTED, PRINTED))
        assert right.result % modulus == exact(modulus, R, a, b)
        assert right.result - seen.result == wrong[comment[:2]]
        assert right.at("carry") == 1 + wrong[comment[:2]]
        if comment[:2] == "q0":
            assert low_half(right, "Q") >= R
            assert right.result == LL.closed_form(right.params, a, b) + modulus


def test_the_worked_example() -> None:
    """V1 for d = 16, k = 8, digit by digit."""
    seen = run(16, 8, 2**128 - 1, 3, (2**128 + 2) // 3)
    assert [seen.at("T", i) for i in range(19)] == [2, 0, 0x10000, *[0xFFFF] * 5, *[0] * 11]
    assert [seen.at("S", 8 + i) for i in range(8)] == [0x10000, *[0xFFFF] * 7]
    assert (seen.at("carry"), seen.result) == (2, 2**128 + 2)


def test_v5() -> None:
    x = 0x2DAD432D4049AC1C85A241F333D326E9
    assert residues(16, 8, 2**128 - 1, x, x) == {
        (form, variant): 0x8265EE1C56381BADFAA03B86B487205 - (form == PRINTED) for form, variant in FORMS
    }


CORNERS = [  # d, k, M, a, b, residue, how much less as printed
    (2, 3, 33, 3, 22, 0, 1),
    (3, 3, 257, 3, 171, 129, 1),
    (16, 8, M128, 0xE6FA4FC9450F0443E2F075C3B31E1351, 0x3F4D6902EDBBFFD760E9FC1340B44D45,
     0x25F75137405BC2173EF65D6237E6C8F, 1),
    (16, 8, M128, 0xF70164451EBC2D5CC437B2F897DE9E3, 0xF70164451EBC2D5CC437B2F897DE9E3,
     0xA8609A931EF70D17B2C03BE78AB38F23, 1),
    (2, 4, 155, 29, 119, 29 * 119 * pow(256, -1, 155) % 155, 2),
]  # fmt: skip


@pytest.mark.parametrize(("d", "k", "M", "a", "b", "residue", "less"), CORNERS)
def test_v6_to_v9(d: int, k: int, M: int, a: int, b: int, residue: int, less: int) -> None:
    assert residue == exact(M, 1 << (d * k), a, b)
    for (form, _), value in residues(d, k, M, a, b).items():
        assert value == (residue - less * (form == PRINTED)) % M


def test_v6_low_halves_and_the_largest_carry() -> None:
    small = run(2, 3, 33, 3, 22)
    assert (low_half(small, "T"), low_half(small, "S"), small.at("carry")) == (66, 62, 2)
    assert run(2, 4, 155, 29, 119).at("carry") == 3


def test_v10_the_only_carry_of_zero() -> None:
    for n, d in ((128, 16), (128, 32), (256, 64)):
        seen = run(d, n // d, 2**n - 159, 1 << n // 2, 1 << n // 2)
        assert (seen.at("carry"), seen.result) == (0, 1)


def test_v11_redundant_digits_may_be_worth_r() -> None:
    seen = run(3, 3, 479, Written((8, 15, 6, 0), 3), Written((7, 5, 13, 0), 3))
    assert [seen.at("T", i) for i in range(3)] == [0, 0, 8]
    assert (low_half(seen, "T"), seen.at("carry")) == (512, 1)
    assert seen.result % 479 == exact(479, 512, seen.a, seen.b)


def test_v12_two_subtractions() -> None:
    assert run(3, 3, 465, 441, 455).result == 945 >= 2 * 465
    large = run(16, 8, 2**128 - 5, 2**128 - 0xFB3675B89CDEB3E7, 2**128 - 0xA30C8F2B531CD)
    assert 2 * (2**128 - 5) <= large.result < 3 * (2**128 - 5)


def test_v13_and_v14_the_listing_drops_digits() -> None:
    M = 2**256 - 63
    a, b = 2**256 - 0xD4713D60C8A70639EB1167B367A9C379, 2**256 - 0xE3C04F1AC0DCF993B49313D025F459
    seen = residues(16, 16, M, a, b)
    right = 0x2FFFFFFFFFFFFFFFFFFFFFFFFFFFF2A8A697DDB294C42BED85E6BA137AB1C
    assert [seen[key] == right for key in FORMS] == [True, True, True, False]
    assert run(16, 16, M, a, b, PRINTED, "alg7").at("S", 32) == 1
    listing = run(16, 8, M128, 2 * M128 - 1, 2 * M128 - 1, PRINTED, "alg7")
    assert listing.at("E", 8) == 3
    assert run(16, 8, M128, 2 * M128 - 1, 2 * M128 - 1, PRINTED).result - listing.result == 3 << 128


@pytest.mark.parametrize(
    ("d", "k", "a", "b", "column", "value"),
    [(2, 2, (5, 6, 5), (6, 7, 3), 3, 17), (3, 4, (14, 7, 14, 7, 15), (8, 9, 9, 9, 9), 5, 64),
     (3, 5, (7,) * 6, (9,) * 6, 6, 77)],
)  # fmt: skip
def test_v15_sums_that_do_not_fit(
    d: int, k: int, a: tuple[int, ...], b: tuple[int, ...], column: int, value: int
) -> None:
    assert not Ozturk(d, k).fits
    whole, cut = (OZTURK.run(Ozturk(d, k, form), Written(a, d), Written(b, d)) for form in (CORRECTED, PRINTED))
    assert max(v for name, _, v in whole.steps if name == "D") == whole.at("D", column) == value
    assert cut.at("D", column) == value % 4**d
    assert whole.result == whole.a * whole.b != cut.result


def test_canonical_digits_can_overflow_too() -> None:
    seen = OZTURK.run(Ozturk(2, 4), 119, 119)
    assert seen.at("D", 3) == 16


def test_v16_the_last_digit() -> None:
    for k in (1, 8, 32):
        most = largest_digits(16, k + 1)
        whole, cut = (OZTURK.run(Ozturk(16, k, form), most, most) for form in (CORRECTED, PRINTED))
        assert (whole.at("C", 2 * k + 2), whole.at("D", 2 * k + 2)) == (4, 3)
        assert whole.result - cut.result == 4 << (16 * (2 * k + 2))


@pytest.mark.parametrize(("d", "k"), [(2, 1), (3, 3), (4, 7), (16, 8), (16, 64), (32, 4)])
def test_the_largest_sum_is_reached_in_the_width_that_it_needs(d: int, k: int) -> None:
    """Section 4: 20 to 24 bits for d = 16 and k = 4 to 64; every bound on D is met by some operands or nearly so."""
    most = largest_digits(d, k + 1)
    seen = OZTURK.run(Ozturk(d, k), most, most)
    limit = (2 * k + 1) * (2**d - 1) + 3 * k
    assert max(v for name, _, v in seen.steps if name == "D") <= limit < 4**d
    if d == 16:
        assert limit.bit_length() == {8: 21, 64: 24}[k]


def listing_product(x: list[int], y: list[int], d: int) -> list[int]:
    """Algorithms 6 and 8 with their widths, on lists."""
    count = len(x)
    D, low = [0] * (2 * count + 1), (1 << d) - 1
    for i, j in product(range(count), repeat=2):
        res = x[i] * y[j]
        for place, part in enumerate((res & low, res >> d & low, res >> 2 * d & 3)):
            D[i + j + place] = (D[i + j + place] + part) % 4**d
    C = [0] * (2 * count + 1)
    C[2 * count] = D[2 * count]
    for i in range(2 * count):
        C[i] = (C[i] + (D[i] & low)) % (2 << d)
        C[i + 1] = (C[i + 1] + (D[i] >> d)) % (2 << d)
    return C[: 2 * count]


def listing(x: list[int], y: list[int], m: list[int], mp: list[int], d: int) -> list[int]:
    """Algorithm 7, on lists."""
    k = len(x) - 1
    t = listing_product(x, y, d)
    q = listing_product([*t[:k], 0], mp, d)
    res = listing_product([*q[:k], 0], m, d)
    E, z = [0] * (k + 1), [0] * (k + 1)
    E[0] = t[k] + any(t[:k])
    for i in range(k):
        E[i] += res[i + k]
        E[i + 1] += t[i + k + 1]
    for i in range(k):
        z[i] += E[i] % (1 << d)
        z[i + 1] += E[i] >> d
    return z


@given(cases(["llmonpro"], max_bits=140))
def test_the_listing_is_the_printed_form(case: tuple[Multiplier, int, int]) -> None:
    multiplier, a, b = case
    d, k, M = multiplier.params.radix_bits or 0, multiplier.params.named["k"], multiplier.modulus.modulus
    params = Llmonpro(M, d, k, k, PRINTED, variant="alg7")
    seen = LL.run(params, a, b)
    mp, m = params.factors
    x, y = params.split(a, b)
    assert y is not None
    golden = listing(x, y, m, mp, d)
    assert [seen.at("Z", i) for i in range(k + 1)] == golden
    assert seen.result == sum(digit << (d * i) for i, digit in enumerate(golden))


@given(cases(["llmonpro"], max_bits=140))
def test_both_variants_corrected_are_the_same(case: tuple[Multiplier, int, int]) -> None:
    """Section 7.1, digit by digit; the printed Algorithm 5 is too small by the excess of the low halves over R."""
    multiplier, a, b = case
    d, k, M = multiplier.params.radix_bits or 0, multiplier.params.named["k"], multiplier.modulus.modulus
    five, seven = (run(d, k, M, a, b, CORRECTED, variant) for variant in BOTH)
    assert five.steps == seven.steps
    printed = run(d, k, M, a, b, PRINTED)
    R = 1 << (d * k)
    nonzero = any(five.at("T", i) for i in range(k))
    excess = low_half(five, "T") // R + low_half(five, "S") // R - (low_half(five, "T") % R == 0 and nonzero)
    assert five.result - printed.result == five.at("carry") - nonzero == excess


@given(st.integers(2, 20), st.integers(1, 6), st.data())
def test_digits_come_back(d: int, count: int, data: st.DataObject) -> None:
    digits = data.draw(st.lists(st.integers(0, (2 << d) - 1), min_size=count, max_size=count))
    vector = Written(digits, d)
    assert vector == sum(digit << (d * i) for i, digit in enumerate(digits))
    assert redundant_digits(vector, d, count) == digits
    implied = redundant_digits(int(vector), d, count)
    assert Written(implied, d) == vector
    assert max(implied) < 2 << d
    assert int(vector) >= 1 << (d * count) or max(implied) < 1 << d
    assert chosen_digits(vector) == (None if implied == digits else tuple(digits))
    assert chosen_digits(int(vector)) is None


def columns(d: int, k: int, M: int, form: str) -> tuple[Any, Any, Any]:
    """All a, b < M and the results."""
    size = np.arange(M)
    a, b = np.repeat(size, M), np.tile(size, M)
    params = Llmonpro(M, d, k, k, form)
    steps = LL.steps(params, *params.split_batch(a.tolist(), b.tolist()))
    return a, b, np.array(integers(LL.result_of(params, steps), len(a)))


@pytest.mark.parametrize(("d", "k", "wrong", "products"), [(2, 2, 0, 596), (2, 3, 4_251, 38_224), (3, 2, 0, 38_224)])
def test_all_products_of_tiny_sizes(d: int, k: int, wrong: int, products: int) -> None:
    """Section 5.3: every odd M of n bits, all A, B < M; and the corrected form is right in all of them."""
    n, seen, count = d * k, 0, 0
    for M in range((1 << (n - 1)) | 1, 1 << n, 2):
        a, b, right = columns(d, k, M, CORRECTED)
        assert not np.any((right * (1 << n) - a * b) % M)
        assert int(np.max(right)) < 3 * M
        _, _, printed = columns(d, k, M, PRINTED)
        seen += int(np.count_nonzero((printed * (1 << n) - a * b) % M))
        count += len(a)
    assert (seen, count) == (wrong, products)


def test_other_constants_in_the_carry() -> None:
    """Section 5.4: with 1 instead of 3 some products are wrong, with 0 nearly all."""
    random = np.random.default_rng(5)
    wrong = {0: 0, 1: 0, 3: 0}
    params = Llmonpro(0xFFF1, 4, 4, 4)
    for a, b in random.integers(0, 0xFFF1, (300, 2)).tolist():
        seen = LL.run(params, a, b)
        for constant in wrong:
            wrong[constant] += (seen.at("T", 3) + seen.at("S", 3) + constant) >> 4 != seen.at("carry")
    assert wrong[3] == 0 < wrong[1] < 60
    assert wrong[0] > 250


@pytest.mark.parametrize(("k", "square", "unreduced"), [(4, False, 3 / 16), (4, True, 1 / 4), (8, False, 3 / 16)])
def test_how_often_things_happen(k: int, square: bool, unreduced: float) -> None:
    """Section 5.3: the printed carry fails with probability 2E/beta, where E is the mean carry into digit k - 1 of T.

    Erratum E2: the number of results that are M or more. 24000 products with 240 random moduli of n bits.
    """
    d, beta = 8, 256
    low = (beta - 1) / 2 - d / 4
    high = ((beta - 1) ** 2 / 4 - low) / beta
    sums = sum(((s + 1) * low + s * high) * beta**s for s in range(k - 1))
    E = (sums - ((beta ** (k - 1) - 1) / 2 - d * (k - 1) / 4)) / beta ** (k - 1)
    random, wrong, large, products = Random(3), 0, 0, 24_000
    for _ in range(240):
        M = random.getrandbits(d * k) | 1 | 1 << (d * k - 1)
        a = [random.randrange(M) for _ in range(products // 240)]
        b = a if square else [random.randrange(M) for _ in a]
        results = {}
        for form in (CORRECTED, PRINTED):
            params = Llmonpro(M, d, k, k, form)
            results[form] = integers(LL.result_of(params, LL.steps(params, *params.split_batch(a, b))), len(a))
        wrong += sum(right != seen for right, seen in zip(results[CORRECTED], results[PRINTED], strict=True))
        large += sum(right >= M for right in results[CORRECTED])
    expected = 2 * E / beta * products
    assert abs(wrong - expected) < 5 * expected**0.5
    unreduced += (1 - unreduced) * E / beta  # Q0 of R or more adds another M
    assert abs(large / products - unreduced) < 0.01


@pytest.mark.parametrize("name", ["monpro", "redmonpro"])
def test_products_with_special_values(name: str) -> None:
    """Section 2: neutral and absorbing operands, conversion into the domain and back; every odd M below 16."""
    model = MODELS[name]
    for M in range(3, 16, 2):
        params = model.resolve(M, {"n": 4})
        table = [[model.run(params, a, b).result for b in range(M)] for a in range(M)]
        assert all(table[a][b] == table[b][a] for a in range(M) for b in range(M))
        for a in range(M):
            assert (table[0][a], table[a][16 % M], table[a][256 % M]) == (0, a, a * 16 % M)
            assert table[a][1] * 16 % M == a


def test_digits_of_products_depend_on_those_of_operands() -> None:
    """Section 4: the product is commutative, and a product with 1 resolves some of the carries."""
    a, b = Written((15, 9, 12, 3), 3), Written((8, 15, 7, 2), 3)
    params = OZTURK.resolve(0, {"d": 3, "k": 3})
    there, back = (
        [value for name, _, value in OZTURK.run(params, *pair).steps if name == "C"] for pair in ((a, b), (b, a))
    )
    assert there == back
    ones = [value for name, _, value in OZTURK.run(params, a, 1).steps if name == "C"]
    assert ones[:5] == [7, 2, 5, 4, 0] != [*a.digits, 0]


def test_a_chain_as_printed() -> None:
    """V17: squaring 1 is right; squaring 2 has a carry of 2 that the printed form misses."""
    for variant in BOTH:
        params = CHAIN.resolve(M128, {"form": PRINTED, "t": 3, "variant": variant})
        seen = CHAIN.run(params, 2, 0)
        right = [seen.at("z", i) % M128 == pow(2, 1 << i, M128) * params.domain % M128 for i in (1, 2)]
        assert (seen.at("x_mont", 0), right) == (318, [True, False])
    links = [vdf.squaring(Vdf(M128, 16, 8, 8, t=12), 2, i) for i in range(1, 8)]  # with the exact carry
    assert links[1].at("carry") == 2
    assert [link.at("T", 16) > 0 for link in links].index(True) == 2  # squaring 3: lost by the listing
    wrong = [(link.result - (pow(2, 1 << i, M128) << 128)) % M128 != 0 for i, link in enumerate(links, 1)]
    assert wrong.index(True) == 5  # squaring 6: beyond k + 1 digits


def test_chains_stay_in_range_or_are_refused() -> None:
    """4M(1 + delta) <= R is exact to the last modulus; three spare bits are always enough."""
    R, beta, k = 1 << 128, 1 << 16, 8
    M = (R * beta // (4 * (beta + 2 * k - 2)) - 1) | 1
    M -= 2 * (4 * M * (beta + 2 * k - 2) > R * beta)
    CHAIN.resolve(M, {"k": 8})
    with pytest.raises(ParameterError, match=r"^k: a chain does not stay in range.*k = 9 is enough"):
        CHAIN.resolve(M + 2, {"k": 8})
    for d, bits in product((4, 16, 32, 64), (5, 28, 64, 127)):
        k = -(-(bits + 3) // d)
        if k < 1 << (d - 1):
            CHAIN.resolve((1 << bits) - 1, {"d": d, "k": k})


def test_a_value_at_the_limit_is_squared_to_one_within_it() -> None:
    for M, d in ((2**61 - 1, 16), (2**61 - 1, 32), (2**13 - 1, 4)):
        params = CHAIN.resolve(M, {"d": d})
        assert params.value_limit < params.domain // 2
        W = params.value_limit
        assert LL.run(Llmonpro(M, d, params.k, params.k), W, W).result <= W


@pytest.mark.parametrize(("M", "d", "t"), [(2**128 - 159, 16, 400), (2**256 - 189, 64, 300), (2**89 - 1, 32, 300)])
def test_long_chains(M: int, d: int, t: int) -> None:
    params = CHAIN.resolve(M, {"d": d, "t": t})
    seen = CHAIN.run(params, M // 3, 0)
    assert not list(CHAIN.violations(seen))
    indices = [1, 7, t // 2, t]
    powers = list(vdf.powers(params, M // 3, indices))
    assert powers == [pow(M // 3, 1 << i, M) for i in indices]
    assert seen.result == CHAIN.closed_form(params, M // 3, 0) == powers[-1]


def test_one_link_of_a_chain() -> None:
    """The output of link i is the input of link i + 1, digit by digit; a single link equals that of the whole chain."""
    params = CHAIN.resolve(2**64 - 59, {"t": 6})
    x, _ = params.split(12345, 0)
    whole = list(vdf.squarings(params, x))
    fed_back = x
    chain = CHAIN.run(params, 12345, 0)
    for i in range(1, 7):
        link = vdf.squaring(params, 12345, i)
        assert link.steps == tuple((name, index[1:], value) for name, index, value in whole if index[0] == i)
        assert link.result == chain.at("z", i)
        assert not list(LL.violations(link))
        assert redundant_digits(link.a, 16, params.k + 1) == fed_back
        fed_back = [link.at("Z", j) for j in range(params.k + 1)]


def test_a_million_squarings() -> None:
    """x^(2^t) for t = 10^6, against the ring's own exponent modulo the order of the group."""
    p, t = 2**127 - 1, 1_000_000
    params = CHAIN.resolve(p, {"t": t})
    way = list(vdf.powers(params, 3, [t // 3, t]))
    assert way == [pow(3, pow(2, i, p - 1), p) for i in (t // 3, t)]
    assert CHAIN.result(params, 3, 0) == way[-1]


def test_the_listing_needs_its_digits() -> None:
    """Algorithm 7 is Algorithm 5 exactly where digits 2k of T and of S are 0, section 7.1."""
    random = np.random.default_rng(8)
    equal = {True: 0, False: 0}
    for _ in range(400):
        M = int(random.integers(200, 256)) * 2 + 1
        a, b = (int(x) for x in random.integers(0, 1024, 2))
        five, seven = (run(3, 3, M, a, b, PRINTED, variant) for variant in BOTH)
        lost = five.at("T", 6) + five.at("S", 6) > 0
        assert (five.result != seven.result) == lost
        equal[lost] += 1
    assert min(equal.values()) > 20


def test_operands_of_one_value_and_other_digits_have_one_residue() -> None:
    for a, other in (((0, 1, 0, 0), (8, 0, 0, 0)), ((7, 7, 0, 0), (15, 6, 0, 0)), ((1, 8, 7, 0), (9, 7, 7, 0))):
        one, two = (run(3, 3, 479, Written(digits, 3), 300) for digits in (a, other))
        assert one.a == two.a
        assert (one.result - two.result) % 479 == 0
        assert not list(LL.violations(one))
        assert not list(LL.violations(two))


def test_work_of_a_chain_is_that_of_its_links() -> None:
    params = CHAIN.resolve(2**64 - 59, {"t": 6})
    assert CHAIN.work(params) == 8 * 3 * (params.k + 1) ** 2
    assert LL.work(Llmonpro(2**64 - 59, 16, 4, 4)) == LL.step_count(Llmonpro(2**64 - 59, 16, 4, 4))
    assert llmonpro.MODEL is LL


@pytest.mark.parametrize("given", [{"d": 2, "k": 1}, {"d": 2, "k": 4, "form": "printed"}])
def test_corners_of_the_smallest_digits_are_accepted(given: dict[str, str | int]) -> None:
    """With d = 2, R is too large as an operand."""
    model = MODELS["llmonpro"]
    params = model.resolve(3, given)
    for corner in model.corners(params):
        model.check_operands(params, corner.a, corner.b)
