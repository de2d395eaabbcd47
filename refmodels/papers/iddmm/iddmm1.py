# SPDX-License-Identifier: Apache-2.0
"""Digit-digit Montgomery multiplication with three carries: Algorithm 1 of the IDDMM paper."""

from collections.abc import Iterator

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw, into_range
from limbtrace.refmodels.event import Event, Pair
from limbtrace.refmodels.model import Claim, Index, Run, Step, Symbol, one_bit
from limbtrace.refmodels.montgomery import below_radix
from limbtrace.refmodels.papers.iddmm import family as iddmm
from limbtrace.refmodels.papers.iddmm import pseudocode
from limbtrace.refmodels.serial_events import ATTEMPTS, Pass, carry_event, ones_event, product_carry, quotient_digit


def steps(params: iddmm.Iddmm, X: list[Digit], Y: list[Digit]) -> Iterator[Step]:
    """Algorithm 1. X has n + 1 digits, Y as many as there are passes, least significant first."""
    k, n, p_ = params.radix_bits, params.digits, params.digit_inverse
    p = [*params.modulus_digits, 0]
    low, keep = params.radix - 1, params.carries_out
    A: list[Digit] = [0] * (n + 1)
    for i in range(params.passes):
        CS: Digit
        CR: Digit
        CU: Digit
        yield "CS", (i, 0), (CS := 0)
        yield "CR", (i, 0), (CR := 0)
        yield "CU", (i, 0), (CU := 0)
        for j in range(n + 1):
            s = A[j] + X[j] * Y[i] + CS
            yield "CS", (i, j + 1), (CS := s >> k)
            yield "S", (i, j), (S := s & low)
            if j == 0:
                yield "q", (i, 0), (q := (S * p_) & low)
            r = q * p[j] + CR
            yield "CR", (i, j + 1), (CR := r >> k)
            yield "R", (i, j), (R := r & low)
            u = S + R + CU
            yield "CU", (i, j + 1), (CU := u >> k)
            yield "U", (i, j), (U := u & low)
            if j > 0:
                A[j - 1] = U
                yield "A", (i + 1, j - 1), U
        A[n] = (CS + CR + CU) * keep
        yield "A", (i + 1, n), A[n]


def _cs_limit(run: Run[iddmm.Iddmm], index: Index) -> int:
    n = run.params.digits
    return run.params.radix - 1 if index[1] <= n else 1 + iddmm.wide_operand(run)


def _carry_s_holds(run: Run[iddmm.Iddmm], index: Index, value: int) -> bool:
    """The carry into digit j comes from the digits of A and X below j; for k = 1, digit n of A exceeds the radix."""
    p = run.params
    i, j = index
    weight = 1 << (p.radix_bits * j)
    A = sum(run.at("A", i, d) << (p.radix_bits * d) for d in range(j)) if i else 0
    y = (run.b >> (p.radix_bits * i)) % p.radix
    return value == (A + run.a % weight * y) // weight


def _carry_r_holds(run: Run[iddmm.Iddmm], index: Index, value: int) -> bool:
    p = run.params
    i, j = index
    weight = 1 << (p.radix_bits * j)
    return value == run.at("q", i, 0) * (p.modulus % weight) // weight


_SECTION = "IDDMM, Algorithm 1"


def _most_of_S(params: iddmm.Iddmm, index: Index) -> int:
    """The carry of A + X*Y_i into digit j if both were as large as can be."""
    i, j = index
    below = (1 << params.radix_bits * j) - 1
    A = min(below, params.limits[0] + params.modulus) if i else 0
    return (A + min(below, params.limits[0]) * (params.radix - 1)) >> params.radix_bits * j


def _most_of_R(params: iddmm.Iddmm, index: Index) -> int:
    below = (1 << params.radix_bits * index[1]) - 1
    return (params.modulus & below) * (params.radix - 1) >> params.radix_bits * index[1]


def _carries(params: iddmm.Iddmm) -> Iterator[Index]:
    return ((i, j) for i in range(params.passes) for j in range(1, params.digits + 1))


def _CS(params: iddmm.Iddmm, at: Pass, j: int) -> int:
    return at.sum_carry(params.radix_bits * j)


def _CR(params: iddmm.Iddmm, at: Pass, j: int) -> int:
    below = (1 << params.radix_bits * j) - 1
    return at.q * (params.modulus & below) >> params.radix_bits * j


def _CU(params: iddmm.Iddmm, at: Pass, j: int) -> int:
    return iddmm.carry(params, at, j) - _CS(params, at, j) - _CR(params, at, j)


def _S_and_R(params: iddmm.Iddmm, at: Pass, j: int) -> int:
    """S + R of digit j."""
    S, R = (value >> params.radix_bits * j & params.radix - 1 for value in (at.row, at.q * params.modulus))
    return S + R


def _through(params: iddmm.Iddmm) -> int:
    """The bit of a product of two digits up to which a carry into it has to get: the middle of its high half."""
    return params.radix_bits + params.radix_bits // 2


def _ripples(params: iddmm.Iddmm, q: Digit, carry: Digit, j: int) -> Digit:
    low = (1 << _through(params)) - 1
    return (q * params.modulus_digits[j] & low) + carry > low


def _rippling(params: iddmm.Iddmm, index: Index, draw: Draw) -> Iterator[Pair]:
    """The quotient digit makes the bits of q*p_j below the middle of the high half all ones, or nearly."""
    i, j = index
    top, ones = 1 << _through(params), params.radix - 1
    below = params.modulus & (1 << params.radix_bits * j) - 1
    for _ in range(ATTEMPTS):
        width = (draw.below(ones + 1) * below >> params.radix_bits * j) + 1
        q = into_range(draw, params.modulus_digits[j], top, top - width, top - 1, 0, ones)
        if q is not None and _ripples(params, q, q * below >> params.radix_bits * j, j):
            yield from quotient_digit(params, i, q, draw)


def _never_ripples(params: iddmm.Iddmm, index: Index) -> str | None:
    """The carry of q*p into digit j is below q, since the digits of p below it are worth less than one of digit j."""
    digit, ones = params.modulus_digits[index[1]], params.radix - 1
    if ones * digit + ones - 1 < 1 << _through(params):
        return f"the digit of the modulus is {digit:#x}, and no multiple of it is large enough"
    if digit == ones:
        return "the digit of the modulus is all ones, and the carry is below the quotient digit"
    return None


EVENTS = (
    carry_event(
        "CS",
        "=max",
        statement="the carry of A + X*Y_i is beta - 1",
        hunts="a carry that is one bit too short",
        accumulator=iddmm.ACCUMULATOR,
        places=_carries,
        least=lambda params, index: params.radix - 1,
        most=_most_of_S,
        carry=_CS,
    ),
    carry_event(
        "CR",
        "=max",
        statement="the carry of q*p is beta - 2",
        hunts="a carry that is one bit too short",
        accumulator=iddmm.ACCUMULATOR,
        places=_carries,
        least=lambda params, index: params.radix - 2,
        most=_most_of_R,
        carry=_CR,
    ),
    carry_event(
        "CU",
        "=1",
        statement="the sum of S and R carries",
        hunts="a carry between the two rows that is lost",
        accumulator=iddmm.ACCUMULATOR,
        places=_carries,
        least=lambda params, index: 1,
        most=lambda params, index: 1,
        carry=_CU,
    ),
    ones_event(
        "S+R",
        statement="a carry goes into a digit of S + R that is all ones",
        accumulator=iddmm.ACCUMULATOR,
        places=iddmm.later_digits,
        word=lambda seen, index: seen.at("S", *index) + seen.at("R", *index),
        carry=lambda seen, index: seen.at("CU", *index),
        beside=lambda params, x, y, q, j: (
            (q * params.modulus >> params.radix_bits * j) + product_carry(params, x, y, j)
        ),
        closed_word=_S_and_R,
        closed_carry=_CU,
    ),
    Event(
        "R",
        "=ripple",
        statement="the carry into digit j of q*p goes half through the high half of q*p_j",
        hunts="a carry chain of a product that is cut in its high half",
        source=iddmm.ACCUMULATOR.source,
        where=iddmm.later_digits,
        happens=lambda seen, index: _ripples(seen.params, seen.at("q", index[0], 0), seen.at("CR", *index), index[1]),
        construct=_rippling,
        reachable=_never_ripples,
        closed=lambda params, index, a, b: bool(
            _ripples(
                params, (at := iddmm.ACCUMULATOR.at_pass(params, index[0], a, b)).q, _CR(params, at, index[1]), index[1]
            )
        ),
    ),
    *iddmm.events("CU", _CU),
)

MODEL = iddmm.model(
    id="iddmm1",
    title="IDDMM with three carries",
    where="Algorithm 1",
    vocabulary=(
        Symbol("CS", "i, j", "carry of A + X*Y_i into digit j",
               "< beta; out of digit n at most 1, or 2 when X has a digit n", _cs_limit),
        Symbol("S", "i, j", "digit j of A + X*Y_i", "< beta", below_radix),
        Symbol("CR", "i, j", "carry of q*p into digit j", "<= beta - 2, and 0 out of digit n",
               lambda run, index: run.params.radix - 2 if index[1] <= run.params.digits else 0),
        Symbol("R", "i, j", "digit j of q*p", "< beta", below_radix),
        Symbol("CU", "i, j", "carry of S + R into digit j", "one bit", one_bit),
    ),
    steps=steps,
    pseudocode=pseudocode.iddmm1,
    step_count=lambda params: params.passes * (7 * (params.digits + 1) + 4),
    further_claims=(
        Claim("first carry of U", "CU out of digit 0 is 1 exactly when S_0 is not 0", _SECTION, "CU",
              lambda run, index, value: index[1] != 1 or value == (run.at("S", index[0], 0) != 0)),
        Claim("value of CS", "CS into digit j is what the low digits of A + X*Y_i carry", _SECTION, "CS",
              _carry_s_holds),
        Claim("value of CR", "CR into digit j is what the low digits of q*p carry", _SECTION, "CR", _carry_r_holds),
    ),
    events=EVENTS,
    mended=("iddmm.E1",),
)  # fmt: skip
