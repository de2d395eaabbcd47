# SPDX-License-Identifier: Apache-2.0
"""Digit-digit Montgomery multiplication with one carry: Algorithm 2 of the IDDMM paper."""

from collections.abc import Iterator

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.model import Claim, Index, Run, Step, Symbol
from limbtrace.refmodels.papers.iddmm import family as iddmm
from limbtrace.refmodels.papers.iddmm import pseudocode
from limbtrace.refmodels.serial_events import Pass, carry_event, ones_event, ripple_event


def steps(params: iddmm.Iddmm, X: list[Digit], Y: list[Digit]) -> Iterator[Step]:
    """Algorithm 2. X has n + 1 digits, Y as many as there are passes, least significant first."""
    k, n, p_ = params.radix_bits, params.digits, params.digit_inverse
    p = [*params.modulus_digits, 0]
    low, keep = params.radix - 1, params.carries_out
    A: list[Digit] = [0] * (n + 1)
    for i in range(params.passes):
        C: Digit
        yield "C", (i, 0), (C := 0)
        for j in range(n + 1):
            yield "S", (i, j), (S := A[j] + X[j] * Y[i])
            if j == 0:
                yield "q", (i, 0), (q := ((S & low) * p_) & low)
            yield "R", (i, j), (R := q * p[j])
            CU = S + R + C
            yield "C", (i, j + 1), (C := CU >> k)
            yield "U", (i, j), (U := CU & low)
            if j > 0:
                A[j - 1] = U
                yield "A", (i + 1, j - 1), U
        A[n] = C * keep
        yield "A", (i + 1, n), A[n]


def _s_limit(run: Run[iddmm.Iddmm], index: Index) -> int:
    beta = run.params.radix
    if index[1] < run.params.digits:
        return beta * beta - beta
    return beta + 1 if iddmm.wide_operand(run) else 1


def _r_limit(run: Run[iddmm.Iddmm], index: Index) -> int:
    return (run.params.radix - 1) ** 2 if index[1] < run.params.digits else 0


def _c_limit(run: Run[iddmm.Iddmm], index: Index) -> int:
    return 2 * run.params.radix - 2 if index[1] <= run.params.digits else 1 + iddmm.wide_operand(run)


def _sum_holds(run: Run[iddmm.Iddmm], index: Index, value: int) -> bool:
    """S + R + C of digit j is {C, U}, and fits the width of the adder for that digit."""
    p = run.params
    i, j = index
    total = run.at("S", i, j) + run.at("R", i, j) + run.at("C", i, j)
    limit = 2 * p.radix**2 - p.radix - 1 if j < p.digits else (2 + iddmm.wide_operand(run)) * p.radix - 1
    return total == (run.at("C", i, j + 1) << p.radix_bits) + value and total <= limit


def _most_carried(params: iddmm.Iddmm, index: Index) -> int:
    """The carry into digit j of pass i if all that goes in below it were as large as can be, for this p."""
    i, j = index
    below = (1 << params.radix_bits * j) - 1
    A = min(below, params.limits[0] + params.modulus) if i else 0
    x = min(below, params.limits[0])
    return (A + (x + (params.modulus & below)) * (params.radix - 1)) >> params.radix_bits * j


def _carries(params: iddmm.Iddmm) -> Iterator[Index]:
    return ((i, j) for i in range(params.passes) for j in range(1, params.digits + 1))


def _S_and_R(params: iddmm.Iddmm, at: Pass, j: int) -> int:
    """S + R of digit j."""
    A, X, p = (value >> params.radix_bits * j & params.radix - 1 for value in (at.before, at.whole, params.modulus))
    return A + X * at.digit + at.q * p


EVENTS = (
    carry_event(
        "C",
        ">=beta",
        statement="the carry needs bit k, one more than a digit has",
        hunts="a carry that is one bit too short",
        accumulator=iddmm.ACCUMULATOR,
        places=_carries,
        least=lambda params, index: params.radix,
        most=_most_carried,
        carry=iddmm.carry,
    ),
    carry_event(
        "C",
        "=max",
        statement="the carry is 2*beta - 2",
        hunts="a carry, or the adder behind it, that is one bit too short",
        accumulator=iddmm.ACCUMULATOR,
        places=_carries,
        least=lambda params, index: 2 * params.radix - 2,
        most=_most_carried,
        carry=iddmm.carry,
    ),
    ones_event(
        "S+R",
        statement="a carry goes into a digit of S + R that is all ones",
        accumulator=iddmm.ACCUMULATOR,
        places=iddmm.later_digits,
        word=lambda seen, index: seen.at("S", *index) + seen.at("R", *index),
        carry=lambda seen, index: seen.at("C", *index),
        beside=lambda params, x, y, q, j: q * params.modulus_digits[j],
        closed_word=_S_and_R,
        closed_carry=iddmm.carry,
    ),
    ripple_event(
        "S",
        iddmm.ACCUMULATOR,
        places=lambda params: ((i, j) for i in range(1, params.passes) for j in range(params.digits)),
        sums=lambda seen, index: (seen.at("A", *index), seen.at("S", *index)),
    ),
    *iddmm.events("C", iddmm.carry),
)

MODEL = iddmm.model(
    id="iddmm2",
    title="IDDMM with one carry",
    where="Algorithm 2",
    vocabulary=(
        Symbol("C", "i, j", "carry into digit j, k + 1 bits",
               "<= 2*beta - 2; out of digit n at most 1, or 2 when X has a digit n", _c_limit,
               where="IDDMM, Algorithm 2 and Table 1 corrected"),
        Symbol("S", "i, j", "A_j + X_j*Y_i, 2k bits",
               "<= beta^2 - beta; at digit n at most 1, or beta + 1 when X has a digit n", _s_limit),
        Symbol("R", "i, j", "q*p_j, 2k bits", "<= (beta - 1)^2, and R_n = 0", _r_limit),
    ),
    steps=steps,
    pseudocode=pseudocode.iddmm2,
    step_count=lambda params: params.passes * (5 * (params.digits + 1) + 2),
    further_claims=(
        Claim("the U adder",
              "S + R + C = {C, U} <= 2*beta^2 - beta - 1; at digit n 2*beta - 1, or 3*beta - 1 for a wide X",
              "IDDMM, Algorithm 2", "U", _sum_holds),
    ),
    events=EVENTS,
    mended=("iddmm.E1", "iddmm.E13"),
)  # fmt: skip
