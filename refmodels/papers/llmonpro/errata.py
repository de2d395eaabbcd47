# SPDX-License-Identifier: Apache-2.0
"""Computations of the errata of the LLMonPro paper; their texts are in errata.toml."""

from limbtrace.refmodels.digits import largest_digits
from limbtrace.refmodels.errata_file import read_errata
from limbtrace.refmodels.erratum import Witness
from limbtrace.refmodels.papers.llmonpro import PAPER
from limbtrace.refmodels.representations import Written

PARAMETER_SETS = tuple((n, d) for n in (64, 128, 256, 512, 1024) for d in (16, 32, 64) if n // d >= 3)
"""Bits of R and of a digit in the LLMonPro paper's tables for which the carry can be wrong: k >= 3."""


def _carry_witness(n: int, d: int) -> Witness:
    """A*B = R + 2 modulo M = R - 1: the result is 3, but 2 as printed. Random operands would hardly ever show this."""
    return Witness(f"llmonpro.E1-{n}-{d}", (1 << n) - 1, {"d": d}, 3, ((1 << n) + 2) // 3)


ERRATA = read_errata(
    PAPER,
    {
        "llmonpro.E1": {
            "witnesses": (
                Witness(
                    "llmonpro.E1-square",
                    2**128 - 159,
                    {"d": 16},
                    0xF70164451EBC2D5CC437B2F897DE9E3,
                    0xF70164451EBC2D5CC437B2F897DE9E3,
                ),
                *(_carry_witness(n, d) for n, d in PARAMETER_SETS),
            )
        },
        "llmonpro.E2": {"holds": lambda run, _, value: value < 2 * run.params.modulus},
        "llmonpro.E6": {"a": largest_digits(16, 9), "b": largest_digits(16, 9)},
        "llmonpro.E7": {"a": Written((5, 6, 5), 2), "b": Written((6, 7, 3), 2)},
        "llmonpro.E7b": {"a": Written((7,) * 6, 3), "b": Written((9,) * 6, 3)},
        "llmonpro.E10": {"limit": lambda run, _: 1},
        "llmonpro.E18": {
            "worked_out": lambda paper: {
                f"ns for n = 64, d = {d}": paper.number(f"d={d}, 1 cycle", 64, "clock period") for d in (16, 32)
            }
        },
        "llmonpro.E19": {
            "worked_out": lambda paper: {
                f"LUTs for n = {n}, d = {d}": paper.number(f"d={d}, 1 cycle", n, "LUT")
                for n, d in ((64, 16), (64, 32), (128, 32), (128, 64), (256, 32), (256, 64))
            }
        },
        "llmonpro.E21": {
            "worked_out": lambda paper: {
                f"DSP blocks for n = 1024, d = {d}": paper.number(f"d={d}, 1 cycle", 1024, "DSP") for d in (16, 32, 64)
            }
        },
        "llmonpro.E16": {
            "worked_out": lambda paper: {
                "cycles for 1024 bits": paper.number("d=32, 16 cycles", 1024, "cycles of 10000 squarings")
            }
        },
    },
)
