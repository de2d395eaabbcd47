# SPDX-License-Identifier: Apache-2.0
"""CIOS, coarsely integrated operand scanning: in each iteration one inner loop adds a*b[i], a second one m*p.

The second loop drops word 0, which is 0, so each word of t moves down by one. `cios` is a variant of it without the
words t[s] and t[s+1] and without the subtraction, for operands below 2p and 4p < R.
"""

from collections.abc import Iterator

from limbtrace.refmodels.batch_digits import Digit, join
from limbtrace.refmodels.model import Claim, Index, Model, Run, Step, Symbol
from limbtrace.refmodels.montgomery import below_radix
from limbtrace.refmodels.papers.koc import family as koc
from limbtrace.refmodels.papers.koc import pseudocode
from limbtrace.refmodels.papers.koc.claims import QUOTIENT, SUBTRACTION, after, below_both, shared_claims
from limbtrace.refmodels.papers.koc.events import accumulator, row_events, sum_events
from limbtrace.refmodels.papers.koc.family import Koc

METHOD = "CIOS"


def steps(params: Koc, a: list[Digit], b: list[Digit]) -> Iterator[Step]:
    """The method with its shift in the second inner loop. `a` and `b` are s words each, least significant first."""
    w, s, p_ = params.radix_bits, params.digits, params.digit_inverse
    p, low = params.modulus_digits, params.radix - 1
    t: list[Digit] = [0] * (s + 2)
    for i in range(s):
        C: Digit = 0
        for j in range(s):
            S = t[j] + a[j] * b[i] + C
            C, t[j] = S >> w, S & low
            yield "t1", (i, j), t[j]
            yield "C1", (i, j + 1), C
        S = t[s] + C
        t[s + 1], t[s] = S >> w, S & low
        yield "t1", (i, s), t[s]
        yield "t1", (i, s + 1), t[s + 1]
        yield "m", (i,), (m := t[0] * p_ & low)
        S = t[0] + m * p[0]
        yield "C2", (i, 1), (C := S >> w)
        for j in range(1, s):
            S = t[j] + m * p[j] + C
            C, t[j - 1] = S >> w, S & low
            yield "t", (i, j - 1), t[j - 1]
            yield "C2", (i, j + 1), C
        S = t[s] + C
        C, t[s - 1] = S >> w, S & low
        yield "t", (i, s - 1), t[s - 1]
        yield "C2", (i, s + 1), C
        t[s] = t[s + 1] + C
        yield "t", (i, s), t[s]
        yield "T", (i,), join(t[: s + 1], w)
    if params.subtracts:
        yield from koc.subtraction(params, t)


def row(p: Koc, a: int, b: int, i: int) -> int:
    """t + a*b[i] of iteration i, by the closed form."""
    return after(p, a, b, i - 1) + a * (b >> p.radix_bits * i & p.radix - 1)


def _top_bit(run: Run[Koc], index: Index) -> int:
    """Limit of a word of t: t[s+1] is one bit, and so is t[s] after an iteration."""
    return run.params.radix - 1 if index[1] < run.params.digits else 1


def _row_holds(run: Run[Koc], index: Index, value: int) -> bool:
    p, (i, j) = run.params, index
    return value == row(p, run.a, run.b, i) >> p.radix_bits * j & p.radix - 1


def _first_carry_holds(run: Run[Koc], index: Index, value: int) -> bool:
    p, (i, j) = run.params, index
    low = (1 << p.radix_bits * j) - 1
    digit = run.b >> p.radix_bits * i & p.radix - 1
    return value == (after(p, run.a, run.b, i - 1) & low) + (run.a & low) * digit >> p.radix_bits * j


def _second_carry_holds(run: Run[Koc], index: Index, value: int) -> bool:
    p, (i, j) = run.params, index
    low = (1 << p.radix_bits * j) - 1
    return value == (row(p, run.a, run.b, i) & low) + run.at("m", i) * (p.modulus & low) >> p.radix_bits * j


CLAIMS: tuple[Claim[Koc], ...] = (
    Claim("value of t1", "the words t[0..s+1] are t + a*b[i] of iteration i", METHOD, "t1", _row_holds),
    Claim("value of C1", "C = (t + a*b[i] of the words below j) >> wj", METHOD, "C1", _first_carry_holds),
    Claim("value of C2", "C = (t + m*p of the words below j) >> wj", METHOD, "C2", _second_carry_holds),
    Claim("value of T", "T = (a*b_i + m_i*p)/W^(i+1), b_i and m_i being the words up to i", METHOD, "T",
          lambda run, index, value: value == after(run.params, run.a, run.b, index[0])),
    *shared_claims(METHOD),
)  # fmt: skip

ACCUMULATOR = accumulator(METHOD)

MODEL: Model[Koc] = koc.model(
    METHOD,
    "CIOS with the final subtraction",
    steps=steps,
    pseudocode=pseudocode.cios,
    step_count=lambda params: params.digits * (4 * params.digits + 6),
    vocabulary=(
        Symbol("t1", "i, j", "word j of t after the first inner loop", "< W, and t[s+1] is one bit",
               lambda run, index: run.params.radix - 1 if index[1] <= run.params.digits else 1),
        Symbol("C1", "i, j", "carry of the first inner loop into word j", "< W", below_radix),
        QUOTIENT,
        Symbol("C2", "i, j", "carry of the second inner loop into word j", "< W, and one bit into word s + 1",
               lambda run, index: run.params.radix - 1 if index[1] <= run.params.digits else 1),
        Symbol("t", "i, j", "word j of t after iteration i", "< W, and t[s] is one bit", _top_bit),
        Symbol("T", "i", "t after iteration i as an integer", "< a + p", below_both),
        *SUBTRACTION,
    ),
    claims=CLAIMS,
    events=(*row_events(ACCUMULATOR), *sum_events(ACCUMULATOR, each=True)),
)  # fmt: skip
