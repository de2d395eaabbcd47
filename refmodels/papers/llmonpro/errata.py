# SPDX-License-Identifier: Apache-2.0
"""Errata of the LLMonPro paper."""

from refmodels.digits import largest
from refmodels.erratum import AnyErratum, Erratum, FigureErratum, StatementErratum, TextErratum, about_result
from refmodels.model import at_most
from refmodels.representations import Written

_CARRY = "the carry into the high half is whether T0 is 0 or not"
_EXACT_CARRY = "it is (T0_(k-1) + S0_(k-1) + 3) >> d, 0 to 3: a redundant half may be R or more"

PARAMETER_SETS = tuple((n, d) for n in (64, 128, 256, 512, 1024) for d in (16, 32, 64) if n // d >= 3)
"""Bits of R and of a digit in the LLMonPro paper's tables, where the carry can go wrong: k >= 3."""


def _carry_erratum(n: int, d: int) -> Erratum:
    """A*B = R + 2 modulo M = R - 1: the result is 3, and 2 as printed, which random operands would hardly ever show."""
    return Erratum(
        f"llmonpro.E1-{n}-{d}", ("llmonpro",), f"{_CARRY} (n = {n}, d = {d})", _EXACT_CARRY,
        (1 << n) - 1, {"d": d}, 3, ((1 << n) + 2) // 3,
    )  # fmt: skip


ERRATA: tuple[AnyErratum, ...] = (
    Erratum(
        "llmonpro.E1", ("llmonpro",), _CARRY, _EXACT_CARRY,
        2**128 - 159, {"d": 16},
        0xE6FA4FC9450F0443E2F075C3B31E1351, 0x3F4D6902EDBBFFD760E9FC1340B44D45,
    ),
    Erratum(
        "llmonpro.E1-square", ("llmonpro",), f"{_CARRY}, in a squaring", _EXACT_CARRY,
        2**128 - 159, {"d": 16},
        0xF70164451EBC2D5CC437B2F897DE9E3, 0xF70164451EBC2D5CC437B2F897DE9E3,
    ),
    *(_carry_erratum(n, d) for n, d in PARAMETER_SETS),
    Erratum(
        "llmonpro.E2", ("llmonpro",),
        "the result is A*B/R mod M",
        "it is congruent to it and, for A, B < M, below 3M: two subtractions may be needed",
        465, {"d": 3}, 441, 455,
        about_result("Z < 2M", "LLMonPro, Algorithm 5", lambda run, value: value < 2 * run.params.modulus),
    ),
    Erratum(
        "llmonpro.E3", ("vdf",),
        "results may be squared again for any modulus of n bits",
        "only for 4M(1 + (2k-2)/beta) <= R; d*k >= N + 3 is always enough",
        2**128 - 159, {"d": 16, "t": 12}, 2, 0,
    ),
    Erratum(
        "llmonpro.E4", ("llmonpro",),
        "the loops of Algorithm 7 stop at digit k - 1, so that digit 2k of Q*M is lost",
        "they go to digit k, as those of Algorithm 5 do",
        2**256 - 63, {"d": 16, "variant": "alg7"},
        2**256 - 0xD4713D60C8A70639EB1167B367A9C379, 2**256 - 0xE3C04F1AC0DCF993B49313D025F459,
    ),
    Erratum(
        "llmonpro.E4b", ("llmonpro",),
        "the loops of Algorithm 7 stop at digit k - 1, so that digit 2k of A*B is lost",
        "they go to digit k, as those of Algorithm 5 do",
        2**128 - 159, {"d": 16, "variant": "alg7"}, 2 * (2**128 - 159) - 1, 2 * (2**128 - 159) - 1,
    ),
    Erratum(
        "llmonpro.E6", ("ozturk",),
        "the product has 2k + 2 digits",
        "2k + 3: the last one is 0 only for products below beta^(2k+2)",
        0, {"d": 16, "k": 8}, largest(16, 9), largest(16, 9),
    ),
    Erratum(
        "llmonpro.E7", ("ozturk",),
        "sums have 2d bits, and digits d + 1, whatever k is",
        "true for k <= 2^(d-1) - 1",
        0, {"d": 2, "k": 2}, Written((5, 6, 5), 2), Written((6, 7, 3), 2),
    ),
    Erratum(
        "llmonpro.E7b", ("ozturk",),
        "sums have 2d bits, whatever k is",
        "true for k <= 2^(d-1) - 1; with k = 2^(d-1) + 1, digits of beta - 1 times digits of beta + 1 have a sum that "
        "does not fit",
        0, {"d": 3, "k": 5}, Written((7,) * 6, 3), Written((9,) * 6, 3),
    ),
    Erratum(
        "llmonpro.E10", ("llmonpro",),
        "T0 + S0 carries 0 or 1 into the high half, so that S0 is not needed",
        "with redundant digits 0 to 3, and the top digit of S0 is needed for it",
        257, {"d": 3}, 3, 171,
        at_most("carry", "carry <= 1", "LLMonPro, Algorithm 2", lambda run, _: 1),
    ),
    FigureErratum(
        "llmonpro.E25", ("llmonpro",),
        "DSP blocks of the rows of Table 1 with k = 2",
        "the other twelve rows are 3(k+1)^2 digit products of 1, 4 or 16 blocks; these are fewer, and the paper does "
        "not say why",
        "llmonpro",
    ),
    TextErratum(
        "llmonpro.E5", ("llmonpro",),
        "T1 and S1 have digits 0 to k + 1, Z has k + 2 digits and the next operand k + 1",
        "T1 has k + 3 digits, digit k + 1 of E enters nothing, and k + 1 digits of Z are enough for a result below "
        "beta^(k+1)",
    ),
    TextErratum(
        "llmonpro.E8", ("redmonpro",),
        "Algorithm 3 reads r and s, which nothing sets",
        "they are R and S",
    ),
    TextErratum(
        "llmonpro.E9", ("redmonpro",),
        "Algorithm 3 returns T1 at once where T0 is 0",
        "right for A, B < M only, which the model asks for: with R = 2^8 and M = 3, 128*128 would give 64",
    ),
    TextErratum(
        "llmonpro.E11", ("llmonpro",),
        "the pragmas of Algorithm 7 ask for three cycles, the text speaks of one",
        "the listing says what is computed, and nothing about time",
    ),
    TextErratum(
        "llmonpro.E13", ("ozturk",),
        "Algorithms 6 and 8 use d without declaring it, have 16 and 0xFFFF in places, and never use l",
        "d is a macro and the mask is beta - 1",
    ),
    TextErratum(
        "llmonpro.E15", ("llmonpro",),
        "the clock frequency of the tables is given in ns",
        "it is a period",
    ),
    TextErratum(
        "llmonpro.E17", ("vdf",),
        "chains of 10000 squarings were compared with Sage for random moduli of n bits",
        "with a modulus of n bits the printed method leaves its digits after about ten squarings; neither the moduli "
        "nor what was compared are printed",
    ),
    TextErratum(
        "llmonpro.E23", ("llmonpro",),
        "512 bits have a latency of 46.72 ns",
        "that is the path after routing; the clock that was used has a period of 50 ns",
    ),
    StatementErratum(
        "llmonpro.E18", ("llmonpro",),
        "the lowest latency is that of d = 16",
        "not for 64 bits",
        "llmonpro",
        lambda paper: {f"ns for n = 64, d = {d}": paper.number(f"d={d}, 1 cycle", 64, "clock period")
                       for d in (16, 32)},
    ),
    StatementErratum(
        "llmonpro.E19", ("llmonpro",),
        "d = 64 takes significantly fewer LUTs",
        "from 256 bits on",
        "llmonpro",
        lambda paper: {f"LUTs for n = {n}, d = {d}": paper.number(f"d={d}, 1 cycle", n, "LUT")
                       for n, d in ((64, 16), (64, 32), (128, 32), (128, 64), (256, 32), (256, 64))},
    ),
    StatementErratum(
        "llmonpro.E21", ("llmonpro",),
        "1024 bits in one cycle have a row in Table 1",
        "no device that the paper names has so many DSP blocks, a VU9P has 6840; the row is an estimate",
        "llmonpro",
        lambda paper: {f"DSP blocks for n = 1024, d = {d}": paper.number(f"d={d}, 1 cycle", 1024, "DSP")
                       for d in (16, 32, 64)},
    ),
    StatementErratum(
        "llmonpro.E16", ("vdf",),
        "128, 256 and 512 bits were verified",
        "Table 3 has cycles of 10000 squarings for 1024 bits, too; whether their result was compared is not said",
        "llmonpro",
        lambda paper: {"cycles for 1024 bits": paper.number("d=32, 16 cycles", 1024, "cycles of 10000 squarings")},
    ),
    TextErratum(
        "llmonpro.E12", ("llmonpro",),
        "a comment of Algorithm 7 says 2*d bits where the type has 34, for d = 16",
        "d + 2 bits are enough",
    ),
    TextErratum(
        "llmonpro.E14", ("monpro",),
        "Z_n is the ring of the products",
        "they are modulo M; n is its number of bits",
    ),
    TextErratum(
        "llmonpro.E20", ("llmonpro",),
        "DSP blocks multiply 18 by 25 bits",
        "those of the devices used multiply 18 by 27; pieces of 17 bits fit either",
    ),
)  # fmt: skip
