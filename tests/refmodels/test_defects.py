# SPDX-License-Identifier: Apache-2.0
"""Public faults: an emulation is wrong for its operands, as was reported, and right for nearly all others."""

import random
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from zlib import crc32

import pytest

from limbtrace.refmodels import defects
from limbtrace.refmodels.defects import AREAS, ATLAS, Defect, carries, estimates, folds, signs, subtractions
from limbtrace.refmodels.defects.defect import Compute, of_operand, of_product
from limbtrace.vectors.request import Multiplier
from tests.refmodels.defects_off_by import OFF_BY, OTHERS
from tests.refmodels.defects_reported import REPORTED

PAIRS = 50
FREQUENT = "frequent"


def multiplier(defect: Defect) -> Multiplier:
    return Multiplier.resolve(defect.model, defect.prime, defect.settings)


def is_right(defect: Defect, compute: Compute, a: int, b: int) -> bool:
    """Whether a result is that of the model."""
    right = multiplier(defect)
    return compute(a, b, right.modulus.modulus) == int(right.model.closed_form(right.params, a, b))


def drawn(defect: Defect, count: int) -> Iterator[tuple[int, int]]:
    """Uniform operands, other ones for each defect."""
    draw = random.Random(crc32(defect.id.encode()))
    limits = multiplier(defect).params.limits
    return (tuple(draw.randint(0, int(limit)) for limit in limits) for _ in range(count))  # type: ignore[misc]


@pytest.mark.parametrize("bits", folds.NIST_ADDED)
def test_sums_of_words_are_congruent(bits: int) -> None:
    p = {256: 2**256 - 2**224 + 2**192 + 2**96 - 1, 384: 2**384 - 2**128 - 2**96 + 2**32 - 1}[bits]
    for t in (0, 1, p, (1 << 2 * bits) - 1, *(1 << k for k in range(0, 2 * bits, 32)), (p - 1) ** 2):
        assert folds.nist_sum(t, bits) % p == t % p


@pytest.mark.parametrize("id", ATLAS)
def test_operands_that_show_it(id: str) -> None:
    defect = ATLAS[id]
    limits = multiplier(defect).params.limits
    assert all(0 <= operand <= limit for operand, limit in zip(defect.killing, limits, strict=True))
    assert not is_right(defect, defect.compute, *defect.killing)


@pytest.mark.parametrize("id", OFF_BY)
def test_by_how_much(id: str) -> None:
    """A multiple of the modulus too much, or a power of 2 before the reduction: the carry that is lost."""
    defect = ATLAS[id]
    right = multiplier(defect)
    p = right.modulus.modulus
    error = defect.compute(*defect.killing, p) - int(right.model.closed_form(right.params, *defect.killing))
    if multiple := re.fullmatch(r"([+-]\d+)p", OFF_BY[id]):
        assert error == int(multiple[1]) * p
    else:
        sign, place = OFF_BY[id].split("2^")
        scale = int(defect.settings["r"]) if defect.model == "montgomery" else 0
        assert ((error << scale) - int(f"{sign}1") * (1 << int(place))) % p == 0


def test_each_is_off_by_something() -> None:
    assert OFF_BY.keys() | OTHERS == ATLAS.keys()


@pytest.mark.parametrize(
    ("id", "kept", "results"),
    [
        ("btcec-706", (-1, 0, 1, 976), {977: 977, 978: 978}),
        ("rustcrypto-81-k256", (-1, 0, 1), {}),
        ("rustcrypto-388-k256", (-1, 2**32 + 977), {0: 0, 1: 1}),
        ("go-cve-2021-3114-below", (), {-1: 2**224 - 1, 0: 0, 1: 1}),
        ("go-cve-2021-3114-borrow", (-1,), {0: 0, 1: 1, 2**28 - 1: 2**29 - 1, 2**28: 2**28}),
        ("sweetb-2022", (-1, 0), {1: 1}),
        ("plonky2-circom-5", (-1, 0, 1, 2**32 - 2), {2**32 - 1: 2**32 - 1}),
        ("openssl-30812-mldsa", (-1, 0), {1: 1}),
        ("caliptra-173-adder", (-1, 0, 1), {2**256: 2**256}),
    ],
)
def test_around_the_modulus(id: str, kept: tuple[int, ...], results: Mapping[int, int]) -> None:
    """Which p + k stay as they are, and what becomes of others."""
    p = multiplier(ATLAS[id]).modulus.modulus
    expected = {k: p + k for k in kept} | dict(results)
    assert {k: ATLAS[id].compute(p + k, 0, p) for k in expected} == expected


@pytest.mark.parametrize("id", ATLAS)
def test_other_operands_do_not(id: str) -> None:
    """Of uniform pairs, 50 are right, unless the rate says that they need not be: then some pair is wrong."""
    defect = ATLAS[id]
    if defect.rate.startswith(FREQUENT):
        assert any(not is_right(defect, defect.compute, a, b) for a, b in drawn(defect, 3000))
    else:
        assert all(is_right(defect, defect.compute, a, b) for a, b in drawn(defect, PAIRS))


@pytest.mark.parametrize(
    ("id", "bits"),
    [
        ("sage-19874-bernmm", 49),
        ("sjcl-441", 191),
        ("solang-1018", 128),
        ("esp-hal-5830-rsa", 512),
        ("stwo-1409", 31),
        ("wireguard-fpga-43-poly1305", 32),
    ],
)
def test_shorter_operands_do_not(id: str, bits: int) -> None:
    """What is wrong for nearly all long operands is right for all of this length."""
    defect, draw = ATLAS[id], random.Random(bits)
    reducer = multiplier(defect).params.limits[1] == 0
    for _ in range(PAIRS):
        a, b = draw.getrandbits(bits), 0 if reducer else draw.getrandbits(bits)
        assert is_right(defect, defect.compute, a, b)


@pytest.mark.parametrize("id", ATLAS)
def test_what_is_said(id: str) -> None:
    defect = ATLAS[id]
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", id)
    assert 1999 <= defect.year <= 2026
    assert len(defect.title) <= 80
    texts = (defect.title, defect.identifier, defect.source, defect.place, defect.statement, defect.rate)
    assert all(texts)
    assert not re.search("://|www[.]", " ".join(texts))
    assert re.search("stated|measured|emulation", defect.rate)


def test_each_is_listed_once() -> None:
    listed = [defect for area in AREAS.values() for defect in area]
    assert len({defect.id for defect in listed}) == len(listed) == len(ATLAS) >= 60
    for area in AREAS.values():
        assert [defect.year for defect in area] == sorted(defect.year for defect in area)
    folder = Path(next(iter(defects.__path__)))
    with_entries = [path for path in folder.glob("*.py") if "\nDEFECTS: " in path.read_text()]
    assert len(with_entries) == len(AREAS)


@pytest.mark.parametrize("id", REPORTED)
def test_wrong_results_as_reported(id: str) -> None:
    """What the code of the project returned for these operands, as its report prints it."""
    for a, b, modulus, wrong in REPORTED[id]:
        assert ATLAS[id].compute(a, b, modulus) == wrong


def test_squares_on_mips_as_reported() -> None:
    """CVE-2021-4160 at the other sizes of its report: eight words of 32 and of 64 bits."""
    whole, short = (1 << 4096) - 1, 0x4AAAC91962056C84FBA7334E1A6BE678022181BAFD3AA878899B2346EE210F45
    assert short**2 - carries.square_by_columns(short, 0, whole, width=32, count=8) == 1 << 96
    words = (0x4AAAC919, 0x62056C84, 0xFBA7334E, 0x1A6BE678, 0x022181BA, 0xFD3AA878)
    long = sum(word << (64 * place + 32) for place, word in enumerate((*reversed(words),), 2))
    long += 0x899B234635DAD283 << 64 | 0xEE210F4500000001
    assert long**2 - carries.square_by_columns(long, 0, whole, width=64, count=8) == 1 << 192


def test_other_products_of_the_report_are_right() -> None:
    """Seven of the eight products in HEXL's issue 131 are right."""
    defect = ATLAS["hexl-131"]
    factor = defect.killing[1]
    right = (1191078607011827, 1769260550218270, 4345204646426905, 1153813479460416, 2994576917176123, 2254124429352543)
    assert all(is_right(defect, defect.compute, a, factor) for a in (*right, 2866174865142532))


def test_how_often_as_stated() -> None:
    """The report of prime-ir-434 counts 2,289 of 200,000 products, 1.14%."""
    defect = ATLAS["prime-ir-434"]
    wrong = sum(not is_right(defect, defect.compute, a, b) for a, b in drawn(defect, 4000))
    assert 0.009 < wrong / 4000 < 0.014


def test_squares_of_mlucas_as_stated() -> None:
    """The report of mlucas-167 says that about a quarter of all squares are wrong."""
    defect = ATLAS["mlucas-167"]
    wrong = sum(not is_right(defect, defect.compute, a, b) for a, b in drawn(defect, 2000))
    assert 0.22 < wrong / 2000 < 0.28


@pytest.mark.parametrize("width", [5, 6])
@pytest.mark.parametrize(
    ("emulation", "square"),
    [
        (partial(carries.montgomery_after_product, row=1), False),
        (partial(carries.product_by_rows, row=2), False),
        (partial(carries.square_with_doubled_products, limb=3), True),
    ],
)
def test_carries_that_stop_after_a_limb(emulation: Callable[..., int], square: bool, width: int) -> None:
    """They are seen in 2^-width of all pairs, or half or a quarter of that: what the rates of wide limbs stand on."""
    draw, p, R = random.Random(width), (1 << 8 * width) - 59, 1 << 8 * width
    scale = pow(R, -1, p) if emulation.func is carries.montgomery_after_product else 1  # type: ignore[attr-defined]
    wrong = 0
    for _ in range(6000):
        a, b = draw.randrange(p), draw.randrange(p)
        result = emulation(a, b, p, width=width, count=8, reach=1)
        wrong += result != a * (a if square else b) * scale % p
    assert 2**-2.6 < wrong / 6000 * (1 << width) < 1


LONG = 99
MENDED: Mapping[str, Compute] = {
    "openssl-rt-3607": partial(carries.montgomery_after_product, width=64, count=4, row=0, reach=LONG),
    "openssl-cve-2015-3193": partial(carries.montgomery_after_product, width=64, count=8, row=1, reach=LONG),
    "openssl-cve-2017-3738": partial(signs.lanes, digit=29, count=36, lane=65),
    "openssl-cve-2019-1551": partial(carries.square_with_doubled_products, width=64, count=8, limb=3, reach=LONG),
    "mpir-131": of_product(estimates.long_division, width=64, most=2),
    "nss-cve-2016-1938": of_product(estimates.long_division, width=32, most=2),
    "zksolc-936-mulmod": of_product(estimates.long_division, width=128, most=2),
    "wolfssl-3683": partial(signs.word_sum, r=64, width=129),
    "wolfssl-4615": partial(carries.product_by_rows, width=64, count=8, row=2, reach=LONG),
    "lambdaworks-890": partial(carries.montgomery_after_product, width=64, count=4, row=3, reach=LONG),
    "prime-ir-308": partial(carries.montgomery_without_top, width=64, count=4, steps=()),
    "arkworks-549": partial(subtractions.montgomery_cut, r=256, bits=257),
    "caliptra-183-montgomery": partial(subtractions.montgomery_cut, r=20, bits=17),
    "circl-77-p448": of_product(folds.folded_and_cut, bits=448, rounds=4),
    "rfc7748-precomputed-5": of_product(folds.folded_by_limbs, width=64, count=4, reach=LONG),
    "openssl-2016-poly1305": of_product(folds.folded_by_limbs, width=26, count=5, reach=LONG),
    "prime-ir-344": partial(signs.inverse_radix, width=64, count=6, seen=377),
    "flint-1546": of_operand(signs.negative_by_top_bit, width=33),
    "linux-2019-poly1305-avx2": partial(folds.narrow_carry, digit=26, count=5, width=33),
    "openvm-393-halving": of_operand(carries.halved, bits=257),
    "prime-ir-402": of_operand(carries.halved, bits=65),
    "esp-hal-5830-rsa": partial(signs.short_operands, bits=2048),
    "vega-111": of_operand(folds.folded_and_cut, bits=384, rounds=2),
    "tfhe-rs-2037": of_product(estimates.barrett, first=30, second=32, width=33, corrections=2),
    "noir-bignum-39": of_product(estimates.barrett, first=253, second=253, width=512, corrections=2),
    "hexl-131": of_product(estimates.barrett, first=50, second=54, width=53, corrections=1),
    "openssl-30812-mldsa": of_operand(estimates.barrett, first=0, second=53, width=32, corrections=1),
    "veir-1159": of_product(estimates.barrett_in_width, shift=62, width=94),
    "evm-asm-9442": of_product(estimates.bit_serial, bits=257),
    "kyber-109": of_operand(signs.centred_barrett, shift=26, constant=20159, rounding=1 << 25),
    "pqm4-226-kyber": of_operand(signs.narrowed, width=17),
    "zcash-fpga-17-barrett": of_operand(estimates.barrett, first=255, second=257, width=258, corrections=2),
    "opentitan-3658-addm": of_operand(subtractions.cut_and_reduced_once, bits=257),
    "opentitan-3659-subm": of_operand(signs.negative_by_top_bit, width=257),
    "opentitan-28699-modinv": of_operand(subtractions.cut_and_reduced_once, bits=2049),
    "wireguard-fpga-43-poly1305": partial(signs.low_words, width=260, count=1),
}
"""By id, the emulation with the parameter of its fault out of the way."""


@pytest.mark.parametrize("id", MENDED)
def test_nothing_else_is_wrong(id: str) -> None:
    """With one bit, limb or correction more an emulation is right, also for the operands that show the fault."""
    defect = ATLAS[id]
    for a, b in (defect.killing, *drawn(defect, 20)):
        assert is_right(defect, MENDED[id], a, b), (a, b)
