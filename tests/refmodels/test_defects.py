# SPDX-License-Identifier: Apache-2.0
"""Public faults: an emulation is wrong for its operands, as was reported, and right for nearly all others."""

import random
import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from zlib import crc32

import pytest

from limbtrace.refmodels import defects
from limbtrace.refmodels.defects import AREAS, ATLAS, Defect, carries, estimates, folds, signs, subtractions
from limbtrace.refmodels.defects.defect import Compute, of_operand, of_product
from limbtrace.vectors.request import Multiplier
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


@pytest.mark.parametrize("id", ATLAS)
def test_operands_that_show_it(id: str) -> None:
    defect = ATLAS[id]
    limits = multiplier(defect).params.limits
    assert all(0 <= operand <= limit for operand, limit in zip(defect.killing, limits, strict=True))
    assert not is_right(defect, defect.compute, *defect.killing)


@pytest.mark.parametrize("id", ATLAS)
def test_other_operands_do_not(id: str) -> None:
    """Of uniform pairs, 50 are right, unless the rate says that they need not be: then some pair is wrong."""
    defect = ATLAS[id]
    if defect.rate.startswith(FREQUENT):
        assert any(not is_right(defect, defect.compute, a, b) for a, b in drawn(defect, 3000))
    else:
        assert all(is_right(defect, defect.compute, a, b) for a, b in drawn(defect, PAIRS))


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
    "linux-2019-poly1305-avx2": partial(folds.narrow_carry, digit=26, count=5, width=33),
    "vega-111": of_operand(folds.folded_and_cut, bits=384, rounds=2),
    "tfhe-rs-2037": of_product(estimates.barrett, first=30, second=32, width=33, corrections=2),
    "noir-bignum-39": of_product(estimates.barrett, first=253, second=253, width=512, corrections=2),
    "hexl-131": of_product(estimates.barrett, first=50, second=54, width=53, corrections=1),
    "openssl-30812-mldsa": of_operand(estimates.barrett, first=0, second=53, width=32, corrections=1),
    "veir-1159": of_product(estimates.barrett_in_width, shift=62, width=94),
    "evm-asm-9442": of_product(estimates.bit_serial, bits=257),
    "kyber-109": of_operand(signs.centred_barrett, shift=26, constant=20159, rounding=1 << 25),
    "pqm4-226-kyber": of_operand(signs.narrowed, width=17),
}
"""By id, the emulation with the parameter of its fault out of the way."""


@pytest.mark.parametrize("id", MENDED)
def test_nothing_else_is_wrong(id: str) -> None:
    """With one bit, limb or correction more an emulation is right, also for the operands that show the fault."""
    defect = ATLAS[id]
    for a, b in (defect.killing, *drawn(defect, 20)):
        assert is_right(defect, MENDED[id], a, b), (a, b)
