# SPDX-License-Identifier: Apache-2.0
"""Errata of the LLMonPro paper."""

from limbtrace.refmodels.digits import largest
from limbtrace.refmodels.erratum import (
    REMARK,
    AnyErratum,
    Erratum,
    FigureErratum,
    StatementErratum,
    TextErratum,
    Witness,
    about_result,
)
from limbtrace.refmodels.model import at_most
from limbtrace.refmodels.papers.llmonpro import llmonpro, monpro, ozturk, redmonpro, vdf
from limbtrace.refmodels.papers.llmonpro.figures import FIGURES
from limbtrace.refmodels.representations import Written

PARAMETER_SETS = tuple((n, d) for n in (64, 128, 256, 512, 1024) for d in (16, 32, 64) if n // d >= 3)
"""Bits of R and of a digit in the LLMonPro paper's tables for which the carry can be wrong: k >= 3."""


def _carry_witness(n: int, d: int) -> Witness:
    """A*B = R + 2 modulo M = R - 1: the result is 3, but 2 as printed. Random operands would hardly ever show this."""
    return Witness(f"llmonpro.E1-{n}-{d}", (1 << n) - 1, {"d": d}, 3, ((1 << n) + 2) // 3)


ERRATA: tuple[AnyErratum, ...] = (
    Erratum(
        id="llmonpro.E1",
        models=(llmonpro.MODEL,),
        place="Algorithm 5, line 8",
        quote="E_0 = T_{1_0} + (T_0 ≠ 0)",
        printed="the carry into the high half is whether T0 is 0 or not",
        corrected="it is (T0_(k-1) + S0_(k-1) + 3) >> d, 0 to 3: a redundant half may be R or more",
        modulus=2**128 - 159,
        settings={"d": 16},
        a=0xE6FA4FC9450F0443E2F075C3B31E1351,
        b=0x3F4D6902EDBBFFD760E9FC1340B44D45,
        witnesses=(
            Witness(
                "llmonpro.E1-square",
                2**128 - 159,
                {"d": 16},
                0xF70164451EBC2D5CC437B2F897DE9E3,
                0xF70164451EBC2D5CC437B2F897DE9E3,
            ),
            *(_carry_witness(n, d) for n, d in PARAMETER_SETS),
        ),
    ),
    Erratum(
        id="llmonpro.E2",
        models=(llmonpro.MODEL,),
        place="Algorithm 5, output",
        quote="Z = LLMonPro(A, B) = A · B · R^{-1} mod M",
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
        place="section 4",
        quote="Modulo-square operation is also performed when t = 10000",
        standing=REMARK,
        printed="results are squared again; which moduli allow it is not said",
        corrected="those with 4M(1 + (2k-2)/beta) <= R; d*k >= N + 3 is always enough. A modulus of n bits, as "
        "Algorithm 5 takes, is not among them",
        modulus=2**128 - 159,
        settings={"d": 16, "t": 12},
        a=2,
        b=0,
    ),
    Erratum(
        id="llmonpro.E4",
        models=(llmonpro.MODEL,),
        place="Algorithm 7, lines 47 and 48",
        quote="for(int i=0; i<k; i++){ [...] E[i] = E[i] + res[i+k];",
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
        place="Algorithm 7, lines 50 and 51",
        quote="for(int i=0;i<k;i++){ [...] z[i] = z[i]+(E[i]&(0xFFFF));",
        standing=REMARK,
        printed="the loops of Algorithm 7 stop at digit k - 1, so that digit 2k of A*B is lost",
        corrected="operands below M have no such digit; those of a chain of squarings may, and for them the "
        "loops have to go to digit k, as those of Algorithm 5 do",
        modulus=2**128 - 159,
        settings={"d": 16, "variant": "alg7"},
        a=2 * (2**128 - 159) - 1,
        b=2 * (2**128 - 159) - 1,
    ),
    Erratum(
        id="llmonpro.E6",
        models=(ozturk.MODEL,),
        place="section 2, on Algorithm 4",
        quote="It produces 2k + 2 digit multiplication result",
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
        place="Algorithm 4, line 20",
        quote="0 ≤ C_i < 2^{d+1} where i ∈ [0, 2k + 2]",
        standing=REMARK,
        printed="sums have 2d bits and digits d + 1, without a condition on k",
        corrected="true for k <= 2^(d-1) - 1, and so for all sizes of the paper",
        modulus=0,
        settings={"d": 2, "k": 2},
        a=Written((5, 6, 5), 2),
        b=Written((6, 7, 3), 2),
    ),
    Erratum(
        id="llmonpro.E7b",
        models=(ozturk.MODEL,),
        place="Algorithm 6, line 11",
        quote="ap_uint<32> D[2*k+3]; // width 2*d",
        standing=REMARK,
        printed="sums have 2d bits, without a condition on k",
        corrected="true for k <= 2^(d-1) - 1, and so for all sizes of the paper; with k = 2^(d-1) + 1, digits of "
        "beta - 1 times digits of beta + 1 have a sum that does not fit",
        modulus=0,
        settings={"d": 3, "k": 5},
        a=Written((7,) * 6, 3),
        b=Written((9,) * 6, 3),
    ),
    Erratum(
        id="llmonpro.E10",
        models=(llmonpro.MODEL,),
        place="section 2, on Algorithm 5",
        quote="Note that the lower part (S_0) is not used",
        printed="S_0 is not used: in Algorithm 2, T0 + S0 carries 0 or 1 into the high half",
        corrected="true of its plain halves; in the redundant digits of Algorithm 5 the carry is 0 to 3, and the "
        "top digit of S0 is needed for it",
        modulus=257,
        settings={"d": 3},
        a=3,
        b=171,
        claim=at_most("carry", "carry <= 1", "LLMonPro, Algorithm 2", lambda run, _: 1),
    ),
    FigureErratum(
        id="llmonpro.E25",
        models=(llmonpro.MODEL,),
        place="Table 1, rows with k = 2",
        quote="16.85 1 12921 1793 69",
        standing=REMARK,
        printed="DSP blocks of the rows of Table 1 with k = 2",
        corrected="the other twelve rows are 3(k+1)^2 digit products of 1, 4 or 16 blocks; the synthesis of "
        "these took fewer, and the paper does not say why",
        figures=FIGURES,
    ),
    TextErratum(
        id="llmonpro.E5",
        models=(llmonpro.MODEL,),
        place="Algorithm 5, lines 10 and 11",
        quote="0 ≤ S_{1_i} < 2^{d+1} i ∈ [0, k + 1]",
        standing=REMARK,
        printed="T1 and S1 have digits 0 to k + 1, and Z k + 2 digits, where operands have k + 1",
        corrected="T1 has k + 3 digits, digit k + 1 of E enters nothing, and k + 1 digits of Z are enough for a "
        "result below beta^(k+1)",
    ),
    TextErratum(
        id="llmonpro.E8",
        models=(redmonpro.MODEL,),
        place="Algorithm 3, lines 4 and 14",
        quote="T0 = T % r [...] S1 = s >> n",
        printed="Algorithm 3 reads r and s, which nothing sets",
        corrected="they are R and S",
    ),
    TextErratum(
        id="llmonpro.E9",
        models=(redmonpro.MODEL,),
        place="Algorithm 3, lines 7 and 8",
        quote="if T0 == 0: [...] return T1",
        standing=REMARK,
        printed="Algorithm 3 returns T1 at once where T0 is 0",
        corrected="right for A, B < M, which its input promises and the model asks for: with R = 2^8 and M = 3, "
        "128*128 would give 64",
    ),
    TextErratum(
        id="llmonpro.E11",
        models=(llmonpro.MODEL,),
        place="Algorithm 7, line 13",
        quote="#pragma HLS pipeline II=3",
        standing=REMARK,
        printed="the pragmas of Algorithm 7 ask for three cycles, where Tables 1 and 3 have one",
        corrected="one set of directives of several; the listing says what is computed, and nothing about time",
    ),
    TextErratum(
        id="llmonpro.E13",
        models=(ozturk.MODEL,),
        place="Algorithm 8, line 10",
        quote="*hi = res >> d;",
        standing=REMARK,
        printed="Algorithms 6 and 8 use d and k, which no line declares, have 16 and 0xFFFF in places, and never use l",
        corrected="excerpts for d = 16, as their captions say: d and k are macros and the mask is beta - 1",
    ),
    TextErratum(
        id="llmonpro.E15",
        models=(llmonpro.MODEL,),
        place="section 4",
        quote="the achieved clock frequency in terms of ns",
        printed="the clock frequency of the tables is given in ns",
        corrected="it is a period",
    ),
    TextErratum(
        id="llmonpro.E17",
        models=(vdf.MODEL,),
        place="section 4",
        quote="The results obtained from the FPGA implementations running on the VCU118 are compared and "
        "verified with Sage",
        standing=REMARK,
        printed="results were compared with Sage; the moduli of the 10000 squarings are not printed",
        corrected="it takes a modulus with room below R: with one of n bits the printed method leaves its digits "
        "after about ten squarings",
    ),
    TextErratum(
        id="llmonpro.E23",
        models=(llmonpro.MODEL,),
        place="section 4",
        quote="Total clock cycle latency achieved with the proposed technique for n = 512 is 46.72ns",
        printed="512 bits have a latency of 46.72 ns",
        corrected="that is the path after routing; the clock that was used has a period of 50 ns",
    ),
    StatementErratum(
        id="llmonpro.E18",
        models=(llmonpro.MODEL,),
        place="section 4, on Table 1",
        quote="the lowest-possible latency is usually [...] achieved when d is selected as 16",
        standing=REMARK,
        printed="the lowest latency is usually that of d = 16",
        corrected="true of four sizes of five; for 64 bits d = 32 has a lower one",
        figures=FIGURES,
        worked_out=lambda paper: {
            f"ns for n = 64, d = {d}": paper.number(f"d={d}, 1 cycle", 64, "clock period") for d in (16, 32)
        },
    ),
    StatementErratum(
        id="llmonpro.E19",
        models=(llmonpro.MODEL,),
        place="section 4, on Table 1",
        quote="the LUT utilization is significantly reduced when d is selected as 64",
        standing=REMARK,
        printed="d = 64 takes significantly fewer LUTs",
        corrected="than d = 16; than d = 32 from 256 bits on",
        figures=FIGURES,
        worked_out=lambda paper: {
            f"LUTs for n = {n}, d = {d}": paper.number(f"d={d}, 1 cycle", n, "LUT")
            for n, d in ((64, 16), (64, 32), (128, 32), (128, 64), (256, 32), (256, 64))
        },
    ),
    StatementErratum(
        id="llmonpro.E21",
        models=(llmonpro.MODEL,),
        place="section 4, on Table 1",
        quote="Note that these are the estimated synthesis values measured by Vivado HLS",
        standing=REMARK,
        printed="1024 bits in one cycle have a row in Table 1, whose values are estimates",
        corrected="and can be no more: a VU9P has 6840 DSP blocks",
        figures=FIGURES,
        worked_out=lambda paper: {
            f"DSP blocks for n = 1024, d = {d}": paper.number(f"d={d}, 1 cycle", 1024, "DSP") for d in (16, 32, 64)
        },
    ),
    StatementErratum(
        id="llmonpro.E16",
        models=(vdf.MODEL,),
        place="section 4",
        quote="the method has been verified on real hardware when n is equal to 128, 256 and 512",
        standing=REMARK,
        printed="128, 256 and 512 bits were verified",
        corrected="Table 3 has cycles of 10000 squarings for 1024 bits, too; whether their result was compared "
        "is not said",
        figures=FIGURES,
        worked_out=lambda paper: {
            "cycles for 1024 bits": paper.number("d=32, 16 cycles", 1024, "cycles of 10000 squarings")
        },
    ),
    TextErratum(
        id="llmonpro.E12",
        models=(llmonpro.MODEL,),
        place="Algorithm 7, line 27",
        quote="ap_uint<34> E[k+1]; // width 2*d",
        printed="a comment of Algorithm 7 says 2*d bits where the type has 34, for d = 16",
        corrected="d + 2 bits are enough",
    ),
    TextErratum(
        id="llmonpro.E14",
        models=(monpro.MODEL,),
        place="introduction",
        quote="representation of numbers from the ring Z_n to a Montgomery residual representation",
        printed="Z_n is the ring of the products",
        corrected="they are modulo M; n is its number of bits",
    ),
    TextErratum(
        id="llmonpro.E20",
        models=(llmonpro.MODEL,),
        place="section 4",
        quote="the FPGA inherently consists of 18x25-bit DSP48 units",
        printed="DSP blocks multiply 18 by 25 bits",
        corrected="those of the devices used multiply 18 by 27; pieces of 17 bits fit either",
    ),
)
