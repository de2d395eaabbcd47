# SPDX-License-Identifier: Apache-2.0
"""Errata of the SIDH paper."""

from math import isqrt

from refmodels.erratum import AnyErratum, Erratum, FigureErratum, OperationErratum, TextErratum, about_result
from refmodels.errors import ParameterError
from refmodels.model import Claim, Index, Run, at_most
from refmodels.papers.sidh import barrett, effm, ffm1, ffm2, hffm
from refmodels.papers.sidh import units as unit
from refmodels.papers.sidh.figures import FIGURES

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
        printed="line 9: c1 = c1 mod 2^a, then c2 = c2 + floor(c1 / 2^a)",
        corrected="the carry floor(c1 / 2^a) is that of the c1 before line 9",
        modulus=11,
        settings={},
        a=3,
        b=4,
        claim=Claim("printed", "c2 = c2 + floor(c1 / 2^a) after c1 = c1 mod 2^a", _HFFM, "c2@9", _overwritten_c1_holds),
    ),
    Erratum(
        id="hffm.E5",
        models=(hffm.MODEL,),
        printed="c1 may be greater than 2^a",
        corrected="the carry is not one bit: it reaches 5, 7, 3, 114 and 3 for the primes of Table I",
        modulus=_P434,
        settings={},
        a=_P434 - 1,
        b=_P434 - 1,
        claim=at_most("carry@9", "the carry of line 9 is one bit", _HFFM, lambda run, _: 1),
    ),
    Erratum(
        id="hffm.E5b",
        models=(hffm.MODEL,),
        printed="c1 has a word of N bits",
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
        printed="A is replaced by p - A if it is greater than R^2",
        corrected="if a1 = 1, that is A >= R^2",
        modulus=71,
        settings={},
        a=36,
        b=2,
    ),
    Erratum(
        id="hffm.E9",
        models=(ffm1.MODEL,),
        printed="equation 8: the product is multiplied with (-1)^(a1^b1)",
        corrected="p - C' is p where C' is 0: only other values are negated",
        modulus=71,
        settings={},
        a=0,
        b=40,
    ),
    Erratum(
        id="hffm.E10",
        models=(barrett.MODEL,),
        printed="equation 1: k = log2 of the dividend",
        corrected="k is an integer that no dividend reaches: a*b < 2^k",
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
        printed="the half Barrett takes the first N bits of the dividend",
        corrected="counted from bit 2n on; those of a register of 2N bits leave 87 subtractions",
        modulus=_P771,
        settings={"window": "register"},
        a=_P771 - 1,
        b=_P771 - 56,
        claim=at_most("barrett.corr", "f*l^b is subtracted twice at most", _HALF_BARRETT, lambda run, _: 2),
    ),
    Erratum(
        id="hffm.E12",
        models=(hffm.MODEL,),
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
        printed="N is a multiple of 6 or 8 that holds the digits",
        corrected="it has to hold n + 1 bits, for the half Barrett",
        modulus=8747,
        settings={"N": 12},
        a=8747 - 471,
        b=8747 - 29,
        claim=at_most("barrett.corr", "f*l^b is subtracted twice at most", _HALF_BARRETT, lambda run, _: 2),
    ),
    Erratum(
        id="hffm.E14b",
        models=(hffm.MODEL,),
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
        printed="the half Barrett may leave more than 2*f*l^b",
        corrected="with the bits of c2 from 2n downwards, not for the primes of Table I; it does where N = n + 1",
        operation="most subtractions of f*l^b over these primes",
        promised=2,
        found=lambda: max(hffm.resolve(prime, {}).barrett.corrections for prime in _SIDH_PRIMES),
    ),
    OperationErratum(
        id="hffm.E16",
        models=(hffm.MODEL,),
        printed="cycle 4 of a product of two N/2 bit numbers finishes the upper 5N/6 bits",
        corrected="the 4N/6 that are left: 2N/6 of the N bits are finished after cycle 2",
        operation="bits left for SIKEp610, N = 306",
        promised=255,
        found=lambda: hffm.resolve(_P610, {}).N * 4 // 6,
    ),
    OperationErratum(
        id="hffm.E18",
        models=(ffm2.MODEL,),
        printed="0 <= r + q < 2p",
        corrected="r + q <= 2p - 3, and less in practice",
        operation="the largest r + q for p = 71",
        promised=141,
        found=lambda: max(_sum_of_ffm2(a, b) for a in range(71) for b in range(a, 71)),
    ),
    OperationErratum(
        id="hffm.E24",
        models=(effm.MODEL, ffm1.MODEL),
        printed="a and b are even",
        corrected="and at least 2: R has to be even",
        operation="1 if p = 17 = 2*2^0*3^2 - 1 is taken",
        promised=1,
        found=lambda: int(_taken_by_effm(17)),
    ),
    TextErratum(
        id="hffm.E20",
        models=(ffm1.MODEL, ffm2.MODEL),
        printed="section II: details of FFM1 and FFM2 are in [11]",
        corrected="in [14], to which the algorithms are attributed elsewhere; [11] is a design for "
        "FPGAs that uses them",
    ),
    OperationErratum(
        id="hffm.E21",
        models=(effm.MODEL, ffm1.MODEL),
        printed="R^2 and R^4 are replaced with 2^-1 and 2^-2",
        corrected="R^2 is 2^-1, as an integer below p: nothing changes; what saves work is 2*R^2 = 1, "
        "by which c1 needs a shift",
        operation="1 if 2^-1 is another number than R^2 = 36 for p = 71",
        promised=1,
        found=lambda: int(pow(2, -1, 71) != effm.resolve(71, {}).R ** 2),
    ),
    OperationErratum(
        id="hffm.E22",
        models=(hffm.MODEL,),
        printed="Table I: 597 ns for 100 cycles of [12] at 167 MHz, SIKEp751",
        corrected="599 ns; 597, and 412 for 69 cycles, fit 167.5 MHz; 49 cycles at 171 MHz, SIKEp503, "
        "are 287 ns and not 286",
        operation="100 cycles at 167 MHz in nanoseconds, rounded",
        promised=597,
        found=lambda: round(100 * 1000 / 167),
    ),
    OperationErratum(
        id="hffm.E23",
        models=(hffm.MODEL,),
        printed="introduction: Grover's algorithm takes O(N/2) steps, a quadratic speed-up over O(N)",
        corrected="a quadratic speed-up is O(sqrt(N)); no algorithm of the paper depends on it",
        operation="the square root of N = 10^6, where N/2 is 500000",
        promised=500_000,
        found=lambda: isqrt(10**6),
    ),
    OperationErratum(
        id="hffm.E25",
        models=(hffm.MODEL,),
        printed="section III.B: nine multipliers of N/6 bits",
        corrected="sixteen of N/8 bits in the design for SIKEp503 of Table I, whose adders are not listed",
        operation="small multipliers with split = 8",
        promised=9,
        found=lambda: unit.multipliers(unit.ARCHITECTURE.resolve(_P503, {"split": 8})),
    ),
    FigureErratum(
        id="hffm.E17",
        models=(hffm.MODEL,),
        printed="36 DSPs for SIKEp434 in Table I",
        corrected="nine multipliers of N/6 = 37 bits take 81 DSPs as they take them for the other "
        "primes, tiles of 17 by 17 bits; 36 are enough for tiles of 20 by 17 bits, four a multiplier, around 3 by 3 "
        "bits in LUTs",
        figures=FIGURES,
    ),
)
