# SPDX-License-Identifier: Apache-2.0
"""Faults of Poly1305: products modulo 2^130 - 5."""

from functools import partial

from limbtrace.refmodels.defects import folds, freezing
from limbtrace.refmodels.defects.defect import Defect, DefectKind, of_product

DEFECTS: tuple[Defect, ...] = (
    Defect(
        id="openssl-2016-poly1305",
        title="Poly1305 with vector instructions: an overflowing bit is not carried on",
        year=2016,
        identifier="commit dc3c5067",
        source="OpenSSL, commits of April 2016; fiat-crypto, list of defects in cryptographic implementations",
        place="crypto/poly1305/asm, x86 and ARM",
        kind=DefectKind.CARRY,
        statement="Digits of 26 bits are reduced lazily, and a carry out of the second digit is cut off. Emulated as a "
        "carry of the second fold of 2^130 = 5 that stops after one digit.",
        rate="emulation: about 2^-48",
        model="modmul",
        prime="poly1305",
        compute=of_product(folds.folded_by_limbs, width=26, count=5, reach=1),
        killing=(0xF00000000000000, 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF),
    ),
    Defect(
        id="poly1305-donna-16-2016",
        title="Poly1305 in 16 bits: values from p to 2^130 - 1 are not reduced",
        year=2016,
        identifier="issue 2",
        source="poly1305-donna, issue tracker",
        place="poly1305_finish, poly1305-donna-16.h",
        kind=DefectKind.SUBTRACTION,
        statement="The comparison of the last value with p is wrong. The operands are r and the block of the test that "
        "failed.",
        rate="emulation: about 2^-128, the share of numbers between p and 2^130",
        model="modmul",
        prime="poly1305",
        compute=of_product(freezing.below_power, bits=130),
        killing=((1 << 129) - 1, 2),
    ),
    Defect(
        id="linux-2019-poly1305-avx2",
        title="Poly1305 with AVX2 in Linux: the folded carry does not fit into 32 bits",
        year=2019,
        identifier="commit 678cce40",
        source="Linux kernel, commit: x86/poly1305 - fix overflow during partial reduction",
        place="poly1305_4block_avx2, arch/x86/crypto/poly1305-avx2-x86_64.S",
        kind=DefectKind.WIDTH,
        statement="The carry of the top digit into the lowest one is computed in 32 bits, and the sums of four blocks "
        "are too large for that. Emulated as one product of operands that are eight times too large.",
        rate="frequent: 3 of 1,000 such pairs, measured on the emulation",
        model="modmul",
        prime="poly1305",
        settings={"below": "2^(N+3)"},
        compute=partial(folds.narrow_carry, digit=26, count=5, width=32),
        killing=((1 << 133) - 1, (1 << 133) - 1),
    ),
    Defect(
        id="wolfssl-2630-poly1305",
        title="Poly1305 with AVX2 in wolfSSL: a carry is lost when digits are joined",
        year=2019,
        identifier="pull request 2630",
        source="wolfSSL, pull request",
        place="the conversion from 26 to 64 bits, wolfcrypt/src/poly1305_asm.S",
        kind=DefectKind.CARRY,
        statement="Five digits of 26 bits are joined to words of 64 bits, and a carry between the words is missed: "
        "digits may be wider than 26 bits after the last fold.",
        rate="emulation: about 2^-60",
        model="modmul",
        prime="poly1305",
        compute=of_product(folds.joined_without_carry, digit=26, count=5, width=64, words=3),
        killing=(0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF, 0xF00000000000000000),
    ),
)
