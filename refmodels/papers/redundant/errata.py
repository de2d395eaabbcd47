# SPDX-License-Identifier: Apache-2.0
"""Computations of the errata of the paper on the redundant multiplier; their texts are in errata.toml."""

from limbtrace.refmodels.errata_file import read_errata
from limbtrace.refmodels.model import Index, Run
from limbtrace.refmodels.papers.redundant import PAPER, orup
from limbtrace.refmodels.papers.redundant import family as digits
from limbtrace.refmodels.papers.redundant.redundant.algorithm import Redundant
from limbtrace.refmodels.representations import high, low, value_of

_SECP256K1 = 2**256 - 2**32 - 977
_FULL_DIGITS = sum((2**24 - 1) << 22 * i for i in range(12))
"""Twelve digits of radix 2^22 with every bit set, the overlap bits too."""


def _unscaled_sum_holds(run: Run, index: Index, value: int) -> bool:
    """S + q*M with the modulus itself."""
    p: orup.Orup = run.params
    return bool((value - run.at("q", *index) * (p.added - p.modulus)) % p.radix == 0)


def _top_digit_of_M_holds(run: Run, index: Index, value: int) -> bool:
    p: Redundant = run.params
    return index[1] <= p.mb or value > 0 or run.at("q", index[0]) == 0


def _concatenation_holds(run: Run, index: Index, value: int) -> bool:
    """The bits of T side by side, from bit r1 on."""
    p: Redundant = run.params
    i, j = index
    s = p.r1 - p.r2
    above = run.values.get(("T", (i, j + 2)), 0)
    return bool(value == run.at("T", i, j + 1) >> s | low(above, s) << (p.r2 - s))


def _whole_quotient_holds(run: Run, index: Index, value: int) -> bool:
    """q with the carry out of the sum of its upper bits."""
    p: Redundant = run.params
    S = [run.at("S", index[0], j) for j in (0, 1)]
    return bool(value == digits.quotient(S, p.r1, p.r2, keep=1))


def _slice_from_r1_holds(run: Run, index: Index, value: int) -> bool:
    """K_1 with P_0[2*r2-1 : r1]."""
    p: Redundant = run.params
    i, j = index
    return j != 1 or bool(value == (low(run.at("P", i, 0), 2 * p.r2) >> p.r1) + low(run.at("P", i, 1), p.r2))


def _range_of_T_1_holds(run: Run, index: Index, value: int) -> bool:
    """The right side of T_1 for 2 <= i <= d - 1."""
    p: Redundant = run.params
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


ERRATA = read_errata(
    PAPER,
    {
        "redundant.E1": {"holds": lambda run, _, value: value < 2 * run.params.modulus},
        "redundant.E1b": {"holds": _unscaled_sum_holds},
        "redundant.E2": {"holds": lambda run, _, value: value <= 2 * run.params.modulus},
        "redundant.E3": {"holds": lambda run, index, value: index[0] < run.params.digits or value == 0},
        "redundant.E4": {"holds": _top_digit_of_M_holds},
        "redundant.E5": {"holds": lambda run, _, value: value < run.params.modulus},
        "redundant.E6": {
            "holds": lambda run, _, value: (
                (value * run.params.domain * run.params.radix - run.a * run.b) % run.params.modulus == 0
            )
        },
        "redundant.E9": {"holds": _concatenation_holds},
        "redundant.E10": {"holds": _whole_quotient_holds, "a": 2**308 % (_SECP256K1 * 0x253531)},
        "redundant.E11": {"holds": _slice_from_r1_holds},
        "redundant.E12": {"holds": _range_of_T_1_holds},
        "redundant.E14": {"holds": lambda run, _, value: value == 0 or run.params.r1 + 4 < 2 * run.params.r2},
        "redundant.E17": {"holds": lambda run, index, value: index[1] <= run.params.d or value == 0, "a": _FULL_DIGITS},
        "redundant.E26": {
            "holds": lambda run, _, value: (
                value == 0 or 4 * run.params.added > run.params.domain >> run.params.radix_bits
            )
        },
        "redundant.E7": {"found": _beyond_the_last_digit},
        "redundant.E18": {"found": _overflow},
        "redundant.E19": {"found": lambda: _digit_of_a_sum(15, [15, 1, 1], [0, 0, 0, 0], 2)},
        "redundant.E19b": {"found": lambda: _digit_of_a_sum(31, [31, 2, 1], [0, 31, 31, 0], 3)},
        "redundant.E25": {
            "worked_out": lambda paper: {
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
            }
        },
    },
)
