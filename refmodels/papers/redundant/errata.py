# SPDX-License-Identifier: Apache-2.0
"""Errata of the paper on the redundant multiplier."""

from limbtrace.refmodels.erratum import (
    REMARK,
    UNCERTAIN,
    AnyErratum,
    Erratum,
    FigureErratum,
    OperationErratum,
    StatementErratum,
    TextErratum,
    about_result,
)
from limbtrace.refmodels.model import Claim, Index, Run
from limbtrace.refmodels.papers.redundant import family as digits
from limbtrace.refmodels.papers.redundant import orup, redundant
from limbtrace.refmodels.papers.redundant.figures import FIGURES
from limbtrace.refmodels.representations import high, low, value_of

_REDUNDANT = (orup.MODEL, redundant.MODEL)
_M_TILDE = "redundant, Algorithm 1"
_SECP256K1 = 2**256 - 2**32 - 977
_CURVE25519 = 2**255 - 19
_FULL_DIGITS = sum((2**24 - 1) << 22 * i for i in range(12))
"""Twelve digits of radix 2^22 with every bit set, the overlap bits too."""


def _unscaled_sum_holds(run: Run, index: Index, value: int) -> bool:
    """S + q*M with the modulus itself."""
    p: orup.Orup = run.params
    return bool((value - run.at("q", *index) * (p.added - p.modulus)) % p.radix == 0)


def _top_digit_of_M_holds(run: Run, index: Index, value: int) -> bool:
    p: redundant.Redundant = run.params
    return index[1] <= p.mb or value > 0 or run.at("q", index[0]) == 0


def _concatenation_holds(run: Run, index: Index, value: int) -> bool:
    """The bits of T side by side, from bit r1 on."""
    p: redundant.Redundant = run.params
    i, j = index
    s = p.r1 - p.r2
    above = run.values.get(("T", (i, j + 2)), 0)
    return bool(value == run.at("T", i, j + 1) >> s | low(above, s) << (p.r2 - s))


def _whole_quotient_holds(run: Run, index: Index, value: int) -> bool:
    """q with the carry out of the sum of its upper bits."""
    p: redundant.Redundant = run.params
    S = [run.at("S", index[0], j) for j in (0, 1)]
    return bool(value == digits.quotient(S, p.r1, p.r2, keep=1))


def _slice_from_r1_holds(run: Run, index: Index, value: int) -> bool:
    """K_1 with P_0[2*r2-1 : r1]."""
    p: redundant.Redundant = run.params
    i, j = index
    return j != 1 or bool(value == (low(run.at("P", i, 0), 2 * p.r2) >> p.r1) + low(run.at("P", i, 1), p.r2))


def _range_of_T_1_holds(run: Run, index: Index, value: int) -> bool:
    """The right side of T_1 for 2 <= i <= d - 1."""
    p: redundant.Redundant = run.params
    i, j = index
    if not 2 <= j < p.d:
        return True
    slices = low(run.at("W", i, 0) >> p.r2, p.r2) + low(run.at("W", i, 1), p.r2)
    return bool(value == slices + low(run.at("S", i, 1), p.r2) + high(run.at("S", i, 0), p.r2))


def _beyond_the_last_digit() -> int:
    algorithm = orup.resolve(13, {"r": 4})
    *_, (_, _, S) = orup.steps(algorithm, [0, 0, 0, 15], 2 * algorithm.added - 1)
    return int(S)


def _overflow() -> int:
    X = [2**15 - 1, 2**15 - 1]
    return int(value_of(digits.add(digits.add(X, X, 15), [0, 0], 15), 15))


def _digit_of_a_sum(y: int, X: list[int], C: list[int], r: int) -> int:
    return int(digits.accumulate([x * y for x in X], C, r)[2])


ERRATA: tuple[AnyErratum, ...] = (
    Erratum(
        id="redundant.E1",
        models=(orup.MODEL,),
        place="Algorithm 1, input",
        quote="A, B < 2M, 4M < 2^{rm}",
        standing=UNCERTAIN,
        printed="A, B < 2M give a result below 2M, as in our copy",
        corrected="M is M~ here, in 4M <= R and in line 4; it is the modulus in M', in R^-1 mod M and in the "
        "digit counts. Our copy shows no tilde anywhere; the paper may",
        modulus=3,
        settings={"r": 3},
        a=1,
        b=1,
        claim=about_result("S < 2M", _M_TILDE, lambda run, value: value < 2 * run.params.modulus),
    ),
    Erratum(
        id="redundant.E1b",
        models=(orup.MODEL,),
        place="Algorithm 1, line 4",
        quote="S_{i+1} = (S_i + q_i · M)/2^r + a_i · B",
        standing=UNCERTAIN,
        printed="2^r divides S + q*M, as in our copy",
        corrected="2^r divides S + q*M~; the copy may have lost the tilde",
        modulus=3,
        settings={"r": 3},
        a=1,
        b=1,
        claim=Claim("printed", "S + q*M is a multiple of 2^r", "redundant, section IV", "SqM", _unscaled_sum_holds),
    ),
    Erratum(
        id="redundant.E2",
        models=_REDUNDANT,
        place="section III.B",
        quote="the range of the output S_{m+3} is [0, 2M]",
        standing=UNCERTAIN,
        printed="the output is in [0, 2M], as in our copy",
        corrected="in [0, 2M~); the copy may have lost the tilde",
        modulus=_SECP256K1,
        settings={},
        a=_SECP256K1 - 1,
        b=_SECP256K1 - 1,
        claim=about_result("S <= 2M", "redundant, section III.B", lambda run, value: value <= 2 * run.params.modulus),
    ),
    Erratum(
        id="redundant.E3",
        models=_REDUNDANT,
        place="Algorithm 1, input",
        quote="4M < 2^{rm}",
        standing=UNCERTAIN,
        printed="4M < 2^(r*m), as in our copy",
        corrected="if M~ is meant, it may have r bits more than M, so that an operand takes m + 2 digits; 4M~ <= "
        "R = 2^(r*(m+2)) is what is needed, and always true",
        modulus=_SECP256K1,
        settings={},
        a=1 << 278,
        b=1,
        claim=Claim(
            "printed",
            "A has m digits",
            _M_TILDE,
            "a",
            lambda run, index, value: index[0] < run.params.digits or value == 0,
        ),
    ),
    Erratum(
        id="redundant.E4",
        models=(redundant.MODEL,),
        place="section IV.C",
        quote="M is m_b + 2 digit redundant number",
        standing=REMARK,
        printed="M~ has m + 2 digits",
        corrected="m + 1 are enough in a uniform radix; in the mixed one mb + 2 are allocated, of which 256 bits "
        "need mb + 1",
        modulus=_SECP256K1,
        settings={},
        a=1,
        b=1,
        claim=Claim("printed", "digit mb + 1 of M~ is not 0", _M_TILDE, "W", _top_digit_of_M_holds),
    ),
    Erratum(
        id="redundant.E5",
        models=_REDUNDANT,
        place="Algorithm 1, output",
        quote="OUTPUT: A×B×R^{−1}modM",
        standing=REMARK,
        printed="the algorithm returns A*B*R^-1 mod M",
        corrected="a number congruent to it and below 2M~, as section III.B says",
        modulus=13,
        settings={"radix": 2**4},
        a=143,
        b=1,
        claim=about_result("S < M", _M_TILDE, lambda run, value: value < run.params.modulus),
    ),
    Erratum(
        id="redundant.E6",
        models=(orup.MODEL,),
        place="Algorithm 1, input",
        quote="R = 2^{r(m+2)}",
        standing=REMARK,
        printed="m + 3 iterations, and R = 2^(r*(m+2))",
        corrected="both are right: the first iteration divides 0, so that R is not 2^(r*(m+3)); in the mixed "
        "radix it is 2^(r1*(ma+2))",
        modulus=13,
        settings={"r": 4},
        a=5,
        b=7,
        claim=about_result(
            "S * 2^(r*(m+3)) = A*B mod M",
            _M_TILDE,
            lambda run, value: (value * run.params.domain * run.params.radix - run.a * run.b) % run.params.modulus == 0,
        ),
    ),
    Erratum(
        id="redundant.E8",
        models=(redundant.MODEL,),
        place="section IV.C",
        quote="r1 bits from the LSB side are discarded",
        printed="the r1 low bits of S + q*M~ are discarded",
        corrected="in redundant digits they stand for 0 or 2^r1, and then a carry c goes into the digits that stay",
        modulus=_SECP256K1,
        settings={},
        a=1,
        b=1,
    ),
    Erratum(
        id="redundant.E9",
        models=(redundant.MODEL,),
        place="section IV.C",
        quote="We need to convert the shifted result into a redundant number in radix-2^{r2}",
        standing=REMARK,
        printed="the shifted number has to be converted into valid digits; how is not said",
        corrected="the overlap bits of a digit are added to the low bits of the one above, which come to stand "
        "in the same place",
        modulus=_SECP256K1,
        settings={},
        a=1,
        b=1,
        claim=Claim(
            "printed",
            "the digits of U are bits of T side by side",
            "redundant, section IV.C",
            "U",
            _concatenation_holds,
        ),
    ),
    Erratum(
        id="redundant.E10",
        models=(redundant.MODEL,),
        place="section IV.C",
        quote="q_i is a single digit redundant number in radix-2^{r1}",
        standing=REMARK,
        printed="q is a redundant digit",
        corrected="r1 bits are enough: q = S mod 2^r1, without the carry of its sum, which would add M~ to some "
        "results",
        modulus=_SECP256K1,
        settings={},
        a=2**308 % (_SECP256K1 * 0x253531),
        b=1,
        claim=Claim(
            "printed", "q = S_0 + 2^r2 * (S_1 mod 2^(r1-r2))", "redundant, section IV.C", "q", _whole_quotient_holds
        ),
    ),
    Erratum(
        id="redundant.E11",
        models=(redundant.MODEL,),
        place="section IV.A",
        quote="K1 = P0[2r2 − 1 : r] + P1[r2 − 1 : 0]",
        printed="K_1 and T_1 take P_0[2*r2-1 : r]",
        corrected="P_0[2*r2-1 : r2]",
        modulus=13,
        settings={"r1": 7, "r2": 6},
        a=1000,
        b=1500,
        claim=Claim(
            "printed", "K_1 = P_0[2*r2-1 : r1] + P_1[r2-1 : 0]", "redundant, section IV.A", "K", _slice_from_r1_holds
        ),
    ),
    Erratum(
        id="redundant.E12",
        models=(redundant.MODEL,),
        place="section IV.B",
        quote="C0[r2 + 1 : r2] (2 ≤ i ≤ d− 1)",
        standing=UNCERTAIN,
        printed="2 <= i <= d - 1 stands beside K_(d+1) and T_1, as in our copy",
        corrected="it belongs to K_i and T_i; the copy may have moved it",
        modulus=13,
        settings={"r1": 7, "r2": 6},
        a=1000,
        b=1500,
        claim=Claim(
            "printed", "T_i is what T_1 is, for 2 <= i <= d - 1", "redundant, section IV.B", "T", _range_of_T_1_holds
        ),
    ),
    Erratum(
        id="redundant.E14",
        models=(redundant.MODEL,),
        place="section IV.A",
        quote="2r2 < r1 + r2 + 4 < 3r2",
        standing=REMARK,
        printed="2*r2 < r1 + r2 + 4 < 3*r2",
        corrected="true, and sharper: r1 + r2 + 4 <= 3*r2 is what valid digits of T need",
        modulus=13,
        settings={"r1": 8, "r2": 6},
        a=1000,
        b=1500,
        claim=Claim(
            "printed",
            "a digit of T that is not 0 needs r1 + r2 + 4 < 3*r2",
            "redundant, section IV.A",
            "T",
            lambda run, _, value: value == 0 or run.params.r1 + 4 < 2 * run.params.r2,
        ),
    ),
    Erratum(
        id="redundant.E17",
        models=(redundant.MODEL,),
        place="section IV.B",
        quote="be a d + 1 digit redundant",
        printed="S has d + 1 digits",
        corrected="with overlap bits in A, some moduli need one more, 2^255 - 19 among them",
        modulus=_CURVE25519,
        settings={"overlap": 1},
        a=_FULL_DIGITS,
        b=2 * 0x2BCA1B * _CURVE25519 - 1,
        claim=Claim(
            "printed",
            "K_(d+1) is 0",
            "redundant, section IV.B",
            "K",
            lambda run, index, value: index[1] <= run.params.d or value == 0,
        ),
    ),
    Erratum(
        id="redundant.E26",
        models=_REDUNDANT,
        place="Algorithm 1, line 2",
        quote="for i ← 0 to m + 2 do",
        standing=REMARK,
        printed="m + 3 iterations",
        corrected="enough; as many as 4M~ <= R needs: at 256 and 504 bits one iteration less would do",
        modulus=_SECP256K1,
        settings={},
        a=1,
        b=1,
        claim=about_result(
            "S > 0 needs 4M~ > 2^(r*(m+1))",
            "redundant, section IV.C",
            lambda run, value: value == 0 or 4 * run.params.added > run.params.domain >> run.params.radix_bits,
        ),
    ),
    OperationErratum(
        id="redundant.E7",
        models=(orup.MODEL,),
        place="Algorithm 1, input",
        quote="with a_{m+2} = 0",
        standing=REMARK,
        printed="digit m + 2 of A is 0",
        corrected="A < 2M~ ensures it, and it has to be: nothing divides what that digit is multiplied with",
        operation="S for M = 13, r = 4, a = [0, 0, 0, 15], B = 2M~ - 1 = 285",
        promised=285,
        found=_beyond_the_last_digit,
    ),
    OperationErratum(
        id="redundant.E18",
        models=(redundant.MODEL,),
        place="section III.A",
        quote="becomes more than 2^{dr} − 1, we consider that as overflow",
        standing=REMARK,
        printed="a sum of 2^(d*r) or more is an overflow",
        corrected="the highest digit does not show it: its overlap bits are lost in the next sum",
        operation="(X + X) + 0 for r = 15, X = [2^15 - 1, 2^15 - 1]",
        promised=2 * (2**30 - 1),
        found=_overflow,
    ),
    OperationErratum(
        id="redundant.E19",
        models=(redundant.MODEL,),
        place="section III.A",
        quote="every redundant digit X′_i is r + 2 bits long",
        standing=REMARK,
        printed="digits of products and sums have r + 2 bits, for n < r, that is r >= 3",
        corrected="sharper: additions need r >= 2, products r >= 3, multiply-accumulate r >= 4",
        operation="digit 2 of X*y for r = 2, X = [15, 1, 1], y = 15, beside the largest digit",
        promised=15,
        found=lambda: _digit_of_a_sum(15, [15, 1, 1], [0, 0, 0, 0], 2),
    ),
    OperationErratum(
        id="redundant.E19b",
        models=(redundant.MODEL,),
        place="section IV.B",
        quote="3 · 2^{r2} + 2^{r1+r2+4−2r2} + 2^2 < 2^{r2+2}",
        standing=REMARK,
        printed="digits of X*y + C have r + 2 bits, for r1 + r2 + 4 < 3*r2",
        corrected="in a uniform radix r >= 4 is enough, where the condition asks for 5",
        operation="digit 2 of X*y + C for r = 3, X = [31, 2, 1], y = 31, C = [0, 31, 31, 0], beside the largest digit",
        promised=31,
        found=lambda: _digit_of_a_sum(31, [31, 2, 1], [0, 31, 31, 0], 3),
    ),
    FigureErratum(
        id="redundant.E20",
        models=(redundant.MODEL,),
        place="section IV.D",
        quote="the clock cycle requirement become twice [...] can compute two modular multiplications in 31 cycles",
        standing=REMARK,
        printed="two products take twice as many cycles",
        corrected="and one: the second product enters a cycle after the first, and a third one another cycle "
        "later, as the 31 cycles of the same section say",
        figures=FIGURES,
    ),
    FigureErratum(
        id="redundant.E21",
        models=(redundant.MODEL,),
        place="Table I, 256 bits, three products",
        quote="207.10 47 76.6",
        printed="76.6 ns a product for three products of 256 bits",
        corrected="47 cycles at the printed clock are 75.65 ns a product",
        figures=FIGURES,
    ),
    FigureErratum(
        id="redundant.E22",
        models=(redundant.MODEL,),
        place="Table I, 504 bits, two products",
        quote="3712 1540 (1.23×)",
        printed="slices of 504 bits for two and three products, relative to one",
        corrected="1.36 and 1.57: the printed ones were divided by the flip-flops of one, 1248, not by "
        "its slices, 1135",
        figures=FIGURES,
    ),
    FigureErratum(
        id="redundant.E23",
        models=(redundant.MODEL,),
        place="section V",
        quote="provides the result in 27 cycles",
        standing=REMARK,
        printed="27 cycles a product, against 34 of another work",
        corrected="both are means: a third of 80 cycles for three products, rounded up, and a half of 68; one "
        "product takes 26",
        figures=FIGURES,
    ),
    FigureErratum(
        id="redundant.E24",
        models=(redundant.MODEL,),
        place="section V",
        quote="our design requires 15 cycles for each multiplications",
        printed="15 cycles a product for three products at 207 MHz",
        corrected="47 cycles for three; 15 each only in a stream without gaps, and 15 in all only for "
        "one, at another clock",
        figures=FIGURES,
    ),
    StatementErratum(
        id="redundant.E25",
        models=(redundant.MODEL,),
        place="section II",
        quote="Our proposed architecture can carry out the same operation in 15 clock cycles",
        standing=REMARK,
        printed="15 cycles, where another work takes 35",
        corrected="true in clock cycles; its clock is three times as fast: its product takes less time than one "
        "alone here",
        figures=FIGURES,
        worked_out=lambda paper: {
            "ns a product of that work": 1000
            * paper.number("[17] (section II)", 256, "clock cycles")
            / paper.number("[17] (section II)", 256, "frequency"),
            "ns of one product here": 1000
            * paper.number("proposed 1-way", 256, "clock cycles")
            / paper.number("proposed 1-way", 256, "frequency"),
            "ns a product here, three at once": 1000
            * paper.number("proposed 3-way", 256, "clock cycles")
            / paper.number("proposed 3-way", 256, "frequency")
            / 3,
        },
    ),
    TextErratum(
        id="redundant.E13",
        models=(redundant.MODEL,),
        place="section III.A",
        quote="K1 = P0[2r − 1 : r] + P1[r − 1 : 0]",
        standing=REMARK,
        printed="K_1 and K_d have a formula each",
        corrected="for d = 1 they are the same digit, and P_1 does not exist: digits outside 0 to d - 1 are 0",
    ),
    TextErratum(
        id="redundant.E27",
        models=(redundant.MODEL,),
        place="section III.A",
        quote="where |X_i| = r",
        standing=UNCERTAIN,
        printed="the columns of the picture of a conversion are not aligned in our copy; |X_i| = r",
        corrected="digits of the same position belong below each other; r is the width of X_i, not its magnitude",
    ),
    TextErratum(
        id="redundant.E28",
        models=(redundant.MODEL,),
        place="section V",
        quote="requiring 16 clock cycles to implement 256 bit Montgomery multiplication",
        standing=UNCERTAIN,
        printed="16 and 32 cycles of [8]; our copy has no bibliography",
        corrected="ceil(n/16) for 256 and 504 bits: digits of 16 bits, which is not the scheme of Algorithm 1",
    ),
)
