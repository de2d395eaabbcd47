# SPDX-License-Identifier: Apache-2.0
"""Errata of the SIDH paper."""

from math import isqrt

from refmodels.erratum import AnyErratum, Erratum, FigureErratum, OperationErratum, TextErratum, about_result
from refmodels.errors import ParameterError
from refmodels.model import Claim, Index, Run, at_most
from refmodels.papers.sidh import effm, ffm2, hffm
from refmodels.papers.sidh import units as unit

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
    """c2 with the carry of the c1 that line 9 has just made."""
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
        "hffm.E1", ("hffm",),
        "a2 is in [0, l^b)",
        "in [0, f*l^b)",
        59, {}, 14, 1,
        Claim("printed", "a2 < l^b", "SIDH paper, eq. 14", "a2",
              lambda run, _, value: value < run.params.special.l ** run.params.special.b),
    ),
    Erratum(
        "hffm.E2", ("hffm",),
        "line 8: c1 = p + q",
        "c1 = c1 + q",
        11, {}, 1, 3,
        about_result("c1 = p + q after line 8", _HFFM, _dropped_c1_holds),
    ),
    Erratum(
        "hffm.E3", ("hffm",),
        "the algorithm ends with line 9",
        "c2 may not be below f*l^b then: f*l^b moves from it to c1, and the value p is 0",
        17, {}, 16, 16,
    ),
    Erratum(
        "hffm.E4", ("hffm",),
        "line 9: c1 = c1 mod 2^a, then c2 = c2 + floor(c1 / 2^a)",
        "the carry floor(c1 / 2^a) is that of the c1 before line 9",
        11, {}, 3, 4,
        Claim("printed", "c2 = c2 + floor(c1 / 2^a) after c1 = c1 mod 2^a", _HFFM, "c2@9", _overwritten_c1_holds),
    ),
    Erratum(
        "hffm.E5", ("hffm",),
        "c1 may be greater than 2^a",
        "the carry is not one bit: it reaches 5, 7, 3, 114 and 3 for the primes of Table I",
        _P434, {}, _P434 - 1, _P434 - 1,
        at_most("carry@9", "the carry of line 9 is one bit", _HFFM, lambda run, _: 1),
    ),
    Erratum(
        "hffm.E5b", ("hffm",),
        "c1 has a word of N bits",
        "N + 1 bits for SIKEp610",
        _P610, {}, _P610 - 1, _P610 - 1,
        at_most("c1@7", "c1 < 2^N", _HFFM, lambda run, _: (1 << run.params.N) - 1),
    ),
    Erratum(
        "hffm.E6", ("effm",),
        "equation 4: (2^-2*a1b1 + (a1b2+a2b1) mod 2) * R/2",
        "2^-2*a1b1 + ((a1b2+a2b1) mod 2) * R/2",
        71, {}, 36, 36,
    ),
    Erratum(
        "hffm.E7", ("effm",),
        "equation 4: floor(a1b3 + a3b1 + a2b2/2)",
        "floor((a1b3+a2b2+a3b1) / 2)",
        71, {}, 37, 1,
    ),
    Erratum(
        "hffm.E8", ("ffm1",),
        "A is replaced by p - A if it is greater than R^2",
        "if a1 = 1, that is A >= R^2",
        71, {}, 36, 2,
    ),
    Erratum(
        "hffm.E9", ("ffm1",),
        "equation 8: the product is multiplied with (-1)^(a1^b1)",
        "p - C' is p where C' is 0: only other values are negated",
        71, {}, 0, 40,
    ),
    Erratum(
        "hffm.E10", ("barrett",),
        "equation 1: k = log2 of the dividend",
        "k is an integer that no dividend reaches: a*b < 2^k",
        3, {}, 3, 5,
        about_result("one subtraction is enough with k = log2(a*b)", "SIDH paper, eq. 1",
                     _logarithm_of_the_dividend_holds),
    ),
    Erratum(
        "hffm.E11", ("hffm",),
        "the half Barrett takes the first half of the dividend",
        "which bits these are is open: without the n low ones, two subtractions are not enough",
        _P503, {"window": "half"}, _P503 - 9, _P503 - 119,
        at_most("barrett.corr", "f*l^b is subtracted twice at most", _HALF_BARRETT, lambda run, _: 2),
    ),
    Erratum(
        "hffm.E11b", ("hffm",),
        "the half Barrett takes the first N bits of the dividend",
        "counted from bit 2n on; those of a register of 2N bits leave 87 subtractions",
        _P771, {"window": "register"}, _P771 - 1, _P771 - 56,
        at_most("barrett.corr", "f*l^b is subtracted twice at most", _HALF_BARRETT, lambda run, _: 2),
    ),
    Erratum(
        "hffm.E12", ("hffm",),
        "the lower b + 1 bits of c2 are enough for the remainder",
        "n + 1 bits for the primes of Table I, n + 2 in general",
        2**29 * 5**6 - 1, {"N": 15}, 2**29 * 5**6 - 27, 2**29 * 5**6 - 106,
        at_most("barrett.rhat", "rhat < 2^(n+1)", _HALF_BARRETT, lambda run, _: (2 << run.params.n) - 1),
    ),
    Erratum(
        "hffm.E13", ("hffm",),
        "a1b1 is less than 2p",
        "not where 2^a is more than 2*f*l^b; q1 <= 2^a - 2 is always true",
        _P771, {}, _P771 - 1, _P771 - 1,
        at_most("a1b1", "a1b1 < 2p", _HFFM, lambda run, _: 2 * run.params.modulus - 1),
    ),
    Erratum(
        "hffm.E14", ("hffm",),
        "N is a multiple of 6 or 8 that holds the digits",
        "it has to hold n + 1 bits, for the half Barrett",
        8747, {"N": 12}, 8747 - 471, 8747 - 29,
        at_most("barrett.corr", "f*l^b is subtracted twice at most", _HALF_BARRETT, lambda run, _: 2),
    ),
    Erratum(
        "hffm.E14b", ("hffm",),
        "N is a multiple of 6 or 8 that holds the digits",
        "it has to hold a1+a2 and b1+b2",
        191, {"N": 6}, 190, 190,
        at_most("a1+a2", "a1+a2 < 2^N", "SIDH paper, section III.B", lambda run, _: (1 << run.params.N) - 1),
    ),
    Erratum(
        "hffm.E19", ("hffm",),
        "nothing is said of the result p",
        "it stands for 0, and comes where an operand is p or the modulus is composite",
        35, {}, 5, 7,
    ),
    OperationErratum(
        "hffm.E15", ("hffm",),
        "the half Barrett may leave more than 2*f*l^b",
        "with the bits of c2 from 2n downwards, not for the primes of Table I; it does where N = n + 1",
        "most subtractions of f*l^b over these primes",
        2, lambda: max(hffm.resolve(prime, {}).barrett.corrections for prime in _SIDH_PRIMES),
    ),
    OperationErratum(
        "hffm.E16", ("hffm",),
        "cycle 4 of a product of two N/2 bit numbers finishes the upper 5N/6 bits",
        "the 4N/6 that are left: 2N/6 of the N bits are finished after cycle 2",
        "bits left for SIKEp610, N = 306",
        255, lambda: hffm.resolve(_P610, {}).N * 4 // 6,
    ),
    OperationErratum(
        "hffm.E18", ("ffm2",),
        "0 <= r + q < 2p",
        "r + q <= 2p - 3, and less in practice",
        "the largest r + q for p = 71",
        141, lambda: max(_sum_of_ffm2(a, b) for a in range(71) for b in range(a, 71)),
    ),
    OperationErratum(
        "hffm.E24", ("effm", "ffm1"),
        "a and b are even",
        "and at least 2: R has to be even",
        "1 if p = 17 = 2*2^0*3^2 - 1 is taken",
        1, lambda: int(_taken_by_effm(17)),
    ),
    TextErratum(
        "hffm.E20", ("ffm1", "ffm2"),
        "section II: details of FFM1 and FFM2 are in [11]",
        "in [14], to which the algorithms are attributed elsewhere; [11] is a design for FPGAs that uses them",
    ),
    OperationErratum(
        "hffm.E21", ("effm", "ffm1"),
        "R^2 and R^4 are replaced with 2^-1 and 2^-2",
        "R^2 is 2^-1, as an integer below p: nothing changes; what saves work is 2*R^2 = 1, by which c1 needs a shift",
        "1 if 2^-1 is another number than R^2 = 36 for p = 71",
        1, lambda: int(pow(2, -1, 71) != effm.resolve(71, {}).R ** 2),
    ),
    OperationErratum(
        "hffm.E22", ("hffm",),
        "Table I: 597 ns for 100 cycles of [12] at 167 MHz, SIKEp751",
        "599 ns; 597, and 412 for 69 cycles, fit 167.5 MHz; 49 cycles at 171 MHz, SIKEp503, are 287 ns and not 286",
        "100 cycles at 167 MHz in nanoseconds, rounded",
        597, lambda: round(100 * 1000 / 167),
    ),
    OperationErratum(
        "hffm.E23", ("hffm",),
        "introduction: Grover's algorithm takes O(N/2) steps, a quadratic speed-up over O(N)",
        "a quadratic speed-up is O(sqrt(N)); no algorithm of the paper depends on it",
        "the square root of N = 10^6, where N/2 is 500000",
        500_000, lambda: isqrt(10**6),
    ),
    OperationErratum(
        "hffm.E25", ("hffm",),
        "section III.B: nine multipliers of N/6 bits",
        "sixteen of N/8 bits in the design for SIKEp503 of Table I, whose adders are not listed",
        "small multipliers with split = 8",
        9, lambda: unit.multipliers(unit.ARCHITECTURE.resolve(_P503, {"split": 8})),
    ),
    FigureErratum(
        "hffm.E17", ("hffm",),
        "36 DSPs for SIKEp434 in Table I",
        "nine multipliers of N/6 = 37 bits take 81 DSPs as they take them for the other primes, tiles of 17 by 17 bits",
        "hffm",
    ),
)  # fmt: skip
