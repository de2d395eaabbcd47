# SPDX-License-Identifier: Apache-2.0
"""Errata of the SIDH paper."""

from math import isqrt

from limbtrace.refmodels.erratum import (
    REMARK,
    UNCERTAIN,
    AnyErratum,
    Erratum,
    FigureErratum,
    OperationErratum,
    TextErratum,
    about_result,
)
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Claim, Index, Run, at_most
from limbtrace.refmodels.papers.sidh import barrett, effm, ffm1, ffm2, hffm
from limbtrace.refmodels.papers.sidh import units as unit
from limbtrace.refmodels.papers.sidh.figures import FIGURES

_HFFM = "SIDH paper, Algorithm 1"
_HALF_BARRETT = "SIDH paper, section III.A"
_P434, _P503 = 2**216 * 3**137 - 1, 2**250 * 3**159 - 1
_P610, _P771 = 2**305 * 3**192 - 1, 2**387 * 3**242 - 1
_SIDH_PRIMES = (_P434, _P503, _P610, 2**372 * 3**239 - 1, _P771)


def _dropped_c1_holds(run: Run, value: int) -> bool:
    """The result with c1 = p + q."""
    p: hffm.Hffm = run.params
    return ((p.modulus + run.at("q")) * p.D + run.at("r") - value) % p.modulus == 0


def _overwritten_c1_holds(run: Run, _: Index, value: int) -> bool:
    """c2 with the carry of the c1 that line 9 has just computed."""
    p: hffm.Hffm = run.params
    return value == run.at("c2@8") + (run.at("c1@9") >> p.a)


def _logarithm_of_the_dividend_holds(run: Run, value: int) -> bool:
    """One subtraction after an estimate with k = floor(log2(a*b))."""
    p, dividend = run.params.modulus, run.a * run.b
    if dividend == 0:
        return True
    k = dividend.bit_length() - 1
    return bool(dividend - (dividend * ((1 << k) // p) >> k) * p < 2 * p)


def _sum_of_ffm2(a: int, b: int) -> int:
    return ffm2.MODEL.run(ffm2.resolve(71, {}), a, b).at("q+r")


def _taken_by_effm(modulus: int) -> bool:
    try:
        effm.resolve(modulus, {})
    except ParameterError:
        return False
    return True


ERRATA: tuple[AnyErratum, ...] = (
    Erratum(
        id="hffm.E1",
        models=(hffm.MODEL,),
        place="section III.A, eq. 14",
        quote="a_2 ∈ [0, l_b^b)",
        printed="a2 is in [0, l^b)",
        corrected="in [0, f*l^b)",
        modulus=59,
        settings={},
        a=14,
        b=1,
        claim=Claim(
            "printed",
            "a2 < l^b",
            "SIDH paper, eq. 14",
            "a2",
            lambda run, _, value: value < run.params.special.l**run.params.special.b,
        ),
    ),
    Erratum(
        id="hffm.E2",
        models=(hffm.MODEL,),
        place="Algorithm 1, line 8",
        quote="Barrett Reduction(c2) ⇒ c2 = r, c1 = p + q",
        printed="line 8: c1 = p + q",
        corrected="c1 = c1 + q",
        modulus=11,
        settings={},
        a=1,
        b=3,
        claim=about_result("c1 = p + q after line 8", _HFFM, _dropped_c1_holds),
    ),
    Erratum(
        id="hffm.E3",
        models=(hffm.MODEL,),
        place="Algorithm 1, line 9",
        quote="c1 = c1 mod 2^a; c2 = c2 + ⌊c1/2^a⌋.",
        printed="the algorithm ends with line 9",
        corrected="c2 may not be below f*l^b then: f*l^b moves from it to c1, and the value p is 0",
        modulus=17,
        settings={},
        a=16,
        b=16,
    ),
    Erratum(
        id="hffm.E4",
        models=(hffm.MODEL,),
        place="Algorithm 1, line 9",
        quote="c1 = c1 mod 2^a; c2 = c2 + ⌊c1/2^a⌋.",
        standing=REMARK,
        printed="line 9: c1 = c1 mod 2^a; c2 = c2 + floor(c1 / 2^a)",
        corrected="right if both are executed at once, as in hardware; one after the other, the carry has to be "
        "that of the c1 before line 9",
        modulus=11,
        settings={},
        a=3,
        b=4,
        claim=Claim("printed", "c2 = c2 + floor(c1 / 2^a) after c1 = c1 mod 2^a", _HFFM, "c2@9", _overwritten_c1_holds),
    ),
    Erratum(
        id="hffm.E5",
        models=(hffm.MODEL,),
        place="section III.A, after eq. 18",
        quote="the results of adding the quotient and c1 may also be greater than 2^a",
        standing=REMARK,
        printed="c1 may be greater than 2^a",
        corrected="by more than one bit: the carry reaches 5, 7, 3, 114 and 3 for the primes of Table I",
        modulus=_P434,
        settings={},
        a=_P434 - 1,
        b=_P434 - 1,
        claim=at_most("carry@9", "the carry of line 9 is one bit", _HFFM, lambda run, _: 1),
    ),
    Erratum(
        id="hffm.E5b",
        models=(hffm.MODEL,),
        place="section III.B",
        quote="4 (N/3 + 1)-bit adders and 2 N-bit adders",
        standing=REMARK,
        printed="the widest adders have N bits; the width of c1 is not said",
        corrected="N + 1 bits for SIKEp610",
        modulus=_P610,
        settings={},
        a=_P610 - 1,
        b=_P610 - 1,
        claim=at_most("c1@7", "c1 < 2^N", _HFFM, lambda run, _: (1 << run.params.N) - 1),
    ),
    Erratum(
        id="hffm.E6",
        models=(effm.MODEL,),
        place="section II, eq. 4",
        quote="(2^{−2}(mod p)a1b1 + (a1b2 + a2b1)(mod 2)) · R/2",
        printed="equation 4: (2^-2*a1b1 + (a1b2+a2b1) mod 2) * R/2",
        corrected="2^-2*a1b1 + ((a1b2+a2b1) mod 2) * R/2",
        modulus=71,
        settings={},
        a=36,
        b=36,
    ),
    Erratum(
        id="hffm.E7",
        models=(effm.MODEL,),
        place="section II, eq. 4",
        quote="⌊(a1b3 + a3b1 + a2b2/2)⌋ + a3b3",
        printed="equation 4: floor(a1b3 + a3b1 + a2b2/2)",
        corrected="floor((a1b3+a2b2+a3b1) / 2)",
        modulus=71,
        settings={},
        a=37,
        b=1,
    ),
    Erratum(
        id="hffm.E8",
        models=(ffm1.MODEL,),
        place="section II, before eq. 5",
        quote="if A is greater than R^2, then A′ can be found",
        printed="A is replaced by p - A if it is greater than R^2",
        corrected="if a1 = 1, as eq. 5 says, that is A >= R^2",
        modulus=71,
        settings={},
        a=36,
        b=2,
    ),
    Erratum(
        id="hffm.E9",
        models=(ffm1.MODEL,),
        place="section II, eq. 8",
        quote="A · B(mod p) = A′ · B′(mod p) · (−1)^{a1⊕b1}",
        standing=REMARK,
        printed="equation 8: the product is multiplied with (-1)^(a1^b1)",
        corrected="true modulo p; p - C' is p where C' is 0, so that a result below p takes a negation of other "
        "values only",
        modulus=71,
        settings={},
        a=0,
        b=40,
    ),
    Erratum(
        id="hffm.E10",
        models=(barrett.MODEL,),
        place="section II, before eq. 1",
        quote="where x = 2^k/b, k = log_2 a",
        standing=REMARK,
        printed="equation 1: k = log2 of the dividend, without a rounding",
        corrected="up: k is an integer that no dividend reaches, a*b < 2^k",
        modulus=3,
        settings={},
        a=3,
        b=5,
        claim=about_result(
            "one subtraction is enough with k = log2(a*b)", "SIDH paper, eq. 1", _logarithm_of_the_dividend_holds
        ),
    ),
    Erratum(
        id="hffm.E11",
        models=(hffm.MODEL,),
        place="section III.A, after eq. 18",
        quote="we only calculate the first half of the dividend in the Barrett reduction",
        standing=REMARK,
        printed="the half Barrett takes the first half of the dividend",
        corrected="which bits these are is open: without the n low ones, two subtractions are not enough",
        modulus=_P503,
        settings={"window": "half"},
        a=_P503 - 9,
        b=_P503 - 119,
        claim=at_most("barrett.corr", "f*l^b is subtracted twice at most", _HALF_BARRETT, lambda run, _: 2),
    ),
    Erratum(
        id="hffm.E11b",
        models=(hffm.MODEL,),
        place="section III.B",
        quote="only the first N-bit of the dividend is calculated when performing the first step of the Barrett "
        "reduction",
        standing=REMARK,
        printed="the half Barrett takes the first N bits of the dividend",
        corrected="which bits these are is open: counted from bit 2n on; those of a register of 2N bits leave 87 "
        "subtractions",
        modulus=_P771,
        settings={"window": "register"},
        a=_P771 - 1,
        b=_P771 - 56,
        claim=at_most("barrett.corr", "f*l^b is subtracted twice at most", _HALF_BARRETT, lambda run, _: 2),
    ),
    Erratum(
        id="hffm.E12",
        models=(hffm.MODEL,),
        place="section III.B",
        quote="we only need to subtract the lower (b + 1) bits of c2",
        printed="the lower b + 1 bits of c2 are enough for the remainder",
        corrected="n + 1 bits for the primes of Table I, n + 2 in general",
        modulus=2**29 * 5**6 - 1,
        settings={"N": 15},
        a=2**29 * 5**6 - 27,
        b=2**29 * 5**6 - 106,
        claim=at_most("barrett.rhat", "rhat < 2^(n+1)", _HALF_BARRETT, lambda run, _: (2 << run.params.n) - 1),
    ),
    Erratum(
        id="hffm.E13",
        models=(hffm.MODEL,),
        place="section III.A, before eq. 17",
        quote="since a1b1 is less than 2p",
        printed="a1b1 is less than 2p",
        corrected="not where 2^a is more than 2*f*l^b; q1 <= 2^a - 2 is always true",
        modulus=_P771,
        settings={},
        a=_P771 - 1,
        b=_P771 - 1,
        claim=at_most("a1b1", "a1b1 < 2p", _HFFM, lambda run, _: 2 * run.params.modulus - 1),
    ),
    Erratum(
        id="hffm.E14",
        models=(hffm.MODEL,),
        place="section III.B",
        quote="Complete N′ to the point that it is divisible by 6 to get N",
        standing=REMARK,
        printed="N is a multiple of 6 or 8 that holds the digits",
        corrected="for the half Barrett, read as here, it has to hold n + 1 bits",
        modulus=8747,
        settings={"N": 12},
        a=8747 - 471,
        b=8747 - 29,
        claim=at_most("barrett.corr", "f*l^b is subtracted twice at most", _HALF_BARRETT, lambda run, _: 2),
    ),
    Erratum(
        id="hffm.E14b",
        models=(hffm.MODEL,),
        place="section III.B",
        quote="N′ = max(digit(2^a), digit(l_b^b · f))",
        standing=REMARK,
        printed="N is a multiple of 6 or 8 that holds the digits",
        corrected="it has to hold a1+a2 and b1+b2",
        modulus=191,
        settings={"N": 6},
        a=190,
        b=190,
        claim=at_most("a1+a2", "a1+a2 < 2^N", "SIDH paper, section III.B", lambda run, _: (1 << run.params.N) - 1),
    ),
    Erratum(
        id="hffm.E19",
        models=(hffm.MODEL,),
        place="Algorithm 1, line 2",
        quote="output : C = c1fl_b^b + c2",
        standing=REMARK,
        printed="nothing is said of the result p",
        corrected="it stands for 0, and comes where an operand is p or the modulus is composite",
        modulus=35,
        settings={},
        a=5,
        b=7,
    ),
    OperationErratum(
        id="hffm.E15",
        models=(hffm.MODEL,),
        place="section III.A, after eq. 18",
        quote="which may produce a result of Barrett reduction that is more than 2 · f · l_b^b",
        standing=REMARK,
        printed="the half Barrett may leave more than 2*f*l^b",
        corrected="true; with the bits of c2 from 2n downwards it does not for the primes of Table I, and it "
        "does where N = n + 1",
        operation="most subtractions of f*l^b over these primes",
        promised=2,
        found=lambda: max(hffm.resolve(prime, {}).barrett.corrections for prime in _SIDH_PRIMES),
    ),
    OperationErratum(
        id="hffm.E16",
        models=(hffm.MODEL,),
        place="section III.B",
        quote="we use two (N/3 + 1)-bit adders to get the most significant (5N/6)-bit",
        standing=REMARK,
        printed="cycle 4 of a product of two N/2 bit numbers finishes the upper 5N/6 bits",
        corrected="4N/6 are left for it: of the N bits, N/6 need no addition and N/6 are stored in cycle 2",
        operation="bits left for SIKEp610, N = 306",
        promised=255,
        found=lambda: hffm.resolve(_P610, {}).N * 4 // 6,
    ),
    OperationErratum(
        id="hffm.E18",
        models=(ffm2.MODEL,),
        place="section II, eq. 11",
        quote="0 ≤ r + q < 2p",
        standing=REMARK,
        printed="0 <= r + q < 2p",
        corrected="true, and sharper: r + q <= 2p - 3",
        operation="the largest r + q for p = 71",
        promised=141,
        found=lambda: max(_sum_of_ffm2(a, b) for a in range(71) for b in range(a, 71)),
    ),
    OperationErratum(
        id="hffm.E24",
        models=(effm.MODEL, ffm1.MODEL),
        place="section II, before eq. 2",
        quote="both a and b are even numbers",
        standing=REMARK,
        printed="a and b are even",
        corrected="a at least 2: R has to be even",
        operation="1 if p = 17 = 2*2^0*3^2 - 1 is taken",
        promised=1,
        found=lambda: int(_taken_by_effm(17)),
    ),
    TextErratum(
        id="hffm.E20",
        models=(ffm1.MODEL, ffm2.MODEL),
        place="section II, end",
        quote="For more details on the FFM1 and FFM2 algorithm, please refer to [11]",
        printed="section II: details of FFM1 and FFM2 are in [11]",
        corrected="in [14], to which the same section and Table I attribute both; [11] is introduced as the "
        "first hardware implementation of SIDH",
    ),
    OperationErratum(
        id="hffm.E21",
        models=(effm.MODEL, ffm1.MODEL),
        place="section II, after eq. 3",
        quote="can be replaced with 2^{−1}(mod p) and 2^{−2}(mod p) respectively",
        standing=REMARK,
        printed="R^2 and R^4 are replaced with 2^-1 and 2^-2",
        corrected="2^-1 mod p is R^2 itself; what saves work is 2*R^2 = 1, by which c1 needs a shift",
        operation="1 if 2^-1 is another number than R^2 = 36 for p = 71",
        promised=1,
        found=lambda: int(pow(2, -1, 71) != effm.resolve(71, {}).R ** 2),
    ),
    OperationErratum(
        id="hffm.E22",
        models=(hffm.MODEL,),
        place="Table I, SIKEp751",
        quote="128 167 100 597ns",
        standing=REMARK,
        printed="Table I: 597 ns for 100 cycles of [12] at 167 MHz, SIKEp751",
        corrected="within the rounding of the clock: 167 MHz would be 599 ns, and 167.5 MHz are 597",
        operation="100 cycles at 167 MHz in nanoseconds, rounded",
        promised=597,
        found=lambda: round(100 * 1000 / 167),
    ),
    OperationErratum(
        id="hffm.E23",
        models=(hffm.MODEL,),
        place="introduction",
        quote="quadratic speedup O(N/2) time rather than O(N)",
        standing=UNCERTAIN,
        printed="introduction, as in our copy: a quadratic speed-up, O(N/2) instead of O(N)",
        corrected="O(N^(1/2)), most likely: our copy has lost superscripts elsewhere",
        operation="the square root of N = 10^6, where N/2 is 500000",
        promised=500_000,
        found=lambda: isqrt(10**6),
    ),
    OperationErratum(
        id="hffm.E25",
        models=(hffm.MODEL,),
        place="section III.B",
        quote="there are 9 N/6-bit multipliers",
        standing=REMARK,
        printed="section III.B: nine multipliers of N/6 bits",
        corrected="and sixteen of N/8 bits for SIKEp503, as section IV says",
        operation="small multipliers with split = 8",
        promised=9,
        found=lambda: unit.multipliers(unit.ARCHITECTURE.resolve(_P503, {"split": 8})),
    ),
    FigureErratum(
        id="hffm.E17",
        models=(hffm.MODEL,),
        place="Table I, SIKEp434",
        quote="HFFM Algorithm(N/6) 6724 6216 36",
        standing=REMARK,
        printed="36 DSPs for SIKEp434 in Table I",
        corrected="a fact about the authors' circuit. Nine multipliers of N/6 = 37 bits take 81 DSPs as they "
        "take them for the other primes, tiles of 17 by 17 bits; 36 are enough for tiles of 20 by 17 bits, four "
        "a multiplier, around 3 by 3 bits in LUTs",
        figures=FIGURES,
    ),
)
