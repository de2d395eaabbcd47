# SPDX-License-Identifier: Apache-2.0
"""Errata of the LLMonPro paper."""

from refmodels.digits import largest
from refmodels.erratum import AnyErratum, Erratum, FigureErratum, StatementErratum, TextErratum, about_result
from refmodels.model import at_most
from refmodels.papers.llmonpro import llmonpro, monpro, ozturk, redmonpro, vdf
from refmodels.papers.llmonpro.figures import FIGURES
from refmodels.representations import Written

_CARRY = "the carry into the high half is whether T0 is 0 or not"
_EXACT_CARRY = "it is (T0_(k-1) + S0_(k-1) + 3) >> d, 0 to 3: a redundant half may be R or more"

PARAMETER_SETS = tuple((n, d) for n in (64, 128, 256, 512, 1024) for d in (16, 32, 64) if n // d >= 3)
"""Bits of R and of a digit in the LLMonPro paper's tables for which the carry can be wrong: k >= 3."""


def _carry_erratum(n: int, d: int) -> Erratum:
    """A*B = R + 2 modulo M = R - 1: the result is 3, but 2 as printed. Random operands would hardly ever show this."""
    return Erratum(
        id=f"llmonpro.E1-{n}-{d}",
        models=(llmonpro.MODEL,),
        printed=f"{_CARRY} (n = {n}, d = {d})",
        corrected=_EXACT_CARRY,
        modulus=(1 << n) - 1,
        settings={"d": d},
        a=3,
        b=((1 << n) + 2) // 3,
    )


ERRATA: tuple[AnyErratum, ...] = (
    Erratum(
        id="llmonpro.E1",
        models=(llmonpro.MODEL,),
        printed=_CARRY,
        corrected=_EXACT_CARRY,
        modulus=2**128 - 159,
        settings={"d": 16},
        a=0xE6FA4FC9450F0443E2F075C3B31E1351,
        b=0x3F4D6902EDBBFFD760E9FC1340B44D45,
    ),
    Erratum(
        id="llmonpro.E1-square",
        models=(llmonpro.MODEL,),
        printed=f"{_CARRY}, in a squaring",
        corrected=_EXACT_CARRY,
        modulus=2**128 - 159,
        settings={"d": 16},
        a=0xF70164451EBC2D5CC437B2F897DE9E3,
        b=0xF70164451EBC2D5CC437B2F897DE9E3,
    ),
    *(_carry_erratum(n, d) for n, d in PARAMETER_SETS),
    Erratum(
        id="llmonpro.E2",
        models=(llmonpro.MODEL,),
        printed="the result is A*B/R mod M",
        corrected="it is congruent to it and, for A, B < M, below 3M: two subtractions may be needed",
        modulus=465,
        settings={"d": 3},
        a=441,
        b=455,
        claim=about_result("Z < 2M", "LLMonPro, Algorithm 5", lambda run, value: value < 2 * run.params.modulus),
    ),
    Erratum(
        id="llmonpro.E3",
        models=(vdf.MODEL,),
        printed="results may be squared again for any modulus of n bits",
        corrected="only for 4M(1 + (2k-2)/beta) <= R; d*k >= N + 3 is always enough",
        modulus=2**128 - 159,
        settings={"d": 16, "t": 12},
        a=2,
        b=0,
    ),
    Erratum(
        id="llmonpro.E4",
        models=(llmonpro.MODEL,),
        printed="the loops of Algorithm 7 stop at digit k - 1, so that digit 2k of Q*M is lost",
        corrected="they go to digit k, as those of Algorithm 5 do",
        modulus=2**256 - 63,
        settings={"d": 16, "variant": "alg7"},
        a=2**256 - 0xD4713D60C8A70639EB1167B367A9C379,
        b=2**256 - 0xE3C04F1AC0DCF993B49313D025F459,
    ),
    Erratum(
        id="llmonpro.E4b",
        models=(llmonpro.MODEL,),
        printed="the loops of Algorithm 7 stop at digit k - 1, so that digit 2k of A*B is lost",
        corrected="they go to digit k, as those of Algorithm 5 do",
        modulus=2**128 - 159,
        settings={"d": 16, "variant": "alg7"},
        a=2 * (2**128 - 159) - 1,
        b=2 * (2**128 - 159) - 1,
    ),
    Erratum(
        id="llmonpro.E6",
        models=(ozturk.MODEL,),
        printed="the product has 2k + 2 digits",
        corrected="2k + 3: the last one is 0 only for products below beta^(2k+2)",
        modulus=0,
        settings={"d": 16, "k": 8},
        a=largest(16, 9),
        b=largest(16, 9),
    ),
    Erratum(
        id="llmonpro.E7",
        models=(ozturk.MODEL,),
        printed="sums have 2d bits, and digits d + 1, whatever k is",
        corrected="true for k <= 2^(d-1) - 1",
        modulus=0,
        settings={"d": 2, "k": 2},
        a=Written((5, 6, 5), 2),
        b=Written((6, 7, 3), 2),
    ),
    Erratum(
        id="llmonpro.E7b",
        models=(ozturk.MODEL,),
        printed="sums have 2d bits, whatever k is",
        corrected="true for k <= 2^(d-1) - 1; with k = 2^(d-1) + 1, digits of beta - 1 times digits of "
        "beta + 1 have a sum that "
        "does not fit",
        modulus=0,
        settings={"d": 3, "k": 5},
        a=Written((7,) * 6, 3),
        b=Written((9,) * 6, 3),
    ),
    Erratum(
        id="llmonpro.E10",
        models=(llmonpro.MODEL,),
        printed="T0 + S0 carries 0 or 1 into the high half, so that S0 is not needed",
        corrected="with redundant digits 0 to 3, and the top digit of S0 is needed for it",
        modulus=257,
        settings={"d": 3},
        a=3,
        b=171,
        claim=at_most("carry", "carry <= 1", "LLMonPro, Algorithm 2", lambda run, _: 1),
    ),
    FigureErratum(
        id="llmonpro.E25",
        models=(llmonpro.MODEL,),
        printed="DSP blocks of the rows of Table 1 with k = 2",
        corrected="the other twelve rows are 3(k+1)^2 digit products of 1, 4 or 16 blocks; these are "
        "fewer, and the paper does "
        "not say why",
        figures=FIGURES,
    ),
    TextErratum(
        id="llmonpro.E5",
        models=(llmonpro.MODEL,),
        printed="T1 and S1 have digits 0 to k + 1, Z has k + 2 digits and the next operand k + 1",
        corrected="T1 has k + 3 digits, digit k + 1 of E enters nothing, and k + 1 digits of Z are "
        "enough for a result below "
        "beta^(k+1)",
    ),
    TextErratum(
        id="llmonpro.E8",
        models=(redmonpro.MODEL,),
        printed="Algorithm 3 reads r and s, which nothing sets",
        corrected="they are R and S",
    ),
    TextErratum(
        id="llmonpro.E9",
        models=(redmonpro.MODEL,),
        printed="Algorithm 3 returns T1 at once where T0 is 0",
        corrected="right for A, B < M only, which the model asks for: with R = 2^8 and M = 3, 128*128 would give 64",
    ),
    TextErratum(
        id="llmonpro.E11",
        models=(llmonpro.MODEL,),
        printed="the pragmas of Algorithm 7 ask for three cycles, the text speaks of one",
        corrected="the listing says what is computed, and nothing about time",
    ),
    TextErratum(
        id="llmonpro.E13",
        models=(ozturk.MODEL,),
        printed="Algorithms 6 and 8 use d without declaring it, have 16 and 0xFFFF in places, and never use l",
        corrected="d is a macro and the mask is beta - 1",
    ),
    TextErratum(
        id="llmonpro.E15",
        models=(llmonpro.MODEL,),
        printed="the clock frequency of the tables is given in ns",
        corrected="it is a period",
    ),
    TextErratum(
        id="llmonpro.E17",
        models=(vdf.MODEL,),
        printed="chains of 10000 squarings were compared with Sage for random moduli of n bits",
        corrected="with a modulus of n bits the printed method leaves its digits after about ten "
        "squarings; neither the moduli "
        "nor what was compared are printed",
    ),
    TextErratum(
        id="llmonpro.E23",
        models=(llmonpro.MODEL,),
        printed="512 bits have a latency of 46.72 ns",
        corrected="that is the path after routing; the clock that was used has a period of 50 ns",
    ),
    StatementErratum(
        id="llmonpro.E18",
        models=(llmonpro.MODEL,),
        printed="the lowest latency is that of d = 16",
        corrected="not for 64 bits",
        figures=FIGURES,
        worked_out=lambda paper: {
            f"ns for n = 64, d = {d}": paper.number(f"d={d}, 1 cycle", 64, "clock period") for d in (16, 32)
        },
    ),
    StatementErratum(
        id="llmonpro.E19",
        models=(llmonpro.MODEL,),
        printed="d = 64 takes significantly fewer LUTs",
        corrected="from 256 bits on",
        figures=FIGURES,
        worked_out=lambda paper: {
            f"LUTs for n = {n}, d = {d}": paper.number(f"d={d}, 1 cycle", n, "LUT")
            for n, d in ((64, 16), (64, 32), (128, 32), (128, 64), (256, 32), (256, 64))
        },
    ),
    StatementErratum(
        id="llmonpro.E21",
        models=(llmonpro.MODEL,),
        printed="1024 bits in one cycle have a row in Table 1",
        corrected="no device that the paper names has so many DSP blocks, a VU9P has 6840; the row is an estimate",
        figures=FIGURES,
        worked_out=lambda paper: {
            f"DSP blocks for n = 1024, d = {d}": paper.number(f"d={d}, 1 cycle", 1024, "DSP") for d in (16, 32, 64)
        },
    ),
    StatementErratum(
        id="llmonpro.E16",
        models=(vdf.MODEL,),
        printed="128, 256 and 512 bits were verified",
        corrected="Table 3 has cycles of 10000 squarings for 1024 bits, too; whether their result was "
        "compared is not said",
        figures=FIGURES,
        worked_out=lambda paper: {
            "cycles for 1024 bits": paper.number("d=32, 16 cycles", 1024, "cycles of 10000 squarings")
        },
    ),
    TextErratum(
        id="llmonpro.E12",
        models=(llmonpro.MODEL,),
        printed="a comment of Algorithm 7 says 2*d bits where the type has 34, for d = 16",
        corrected="d + 2 bits are enough",
    ),
    TextErratum(
        id="llmonpro.E14",
        models=(monpro.MODEL,),
        printed="Z_n is the ring of the products",
        corrected="they are modulo M; n is its number of bits",
    ),
    TextErratum(
        id="llmonpro.E20",
        models=(llmonpro.MODEL,),
        printed="DSP blocks multiply 18 by 25 bits",
        corrected="those of the devices used multiply 18 by 27; pieces of 17 bits fit either",
    ),
)
