# SPDX-License-Identifier: Apache-2.0
"""SOS, separated operand scanning: first the whole product a*b, then its reduction word by word.

A carry of the reduction may run through all words above it, so it is added to each of them here, without branches.
"""

from collections.abc import Iterator

from limbtrace.refmodels.batch_digits import Digit, join
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Event, Pair
from limbtrace.refmodels.model import Claim, Index, Model, Run, Step, Symbol
from limbtrace.refmodels.montgomery import below_radix, partial_product
from limbtrace.refmodels.papers.koc import family as koc
from limbtrace.refmodels.papers.koc import pseudocode
from limbtrace.refmodels.papers.koc.claims import QUOTIENT, SUBTRACTION, below_quotient, quotient_below, shared_claims
from limbtrace.refmodels.papers.koc.events import accumulator, carry_events, not_in_row_0, sum_events
from limbtrace.refmodels.papers.koc.family import Koc
from limbtrace.refmodels.serial_events import ATTEMPTS

METHOD = "SOS"


def steps(params: Koc, a: list[Digit], b: list[Digit]) -> Iterator[Step]:
    """The method. `a` and `b` are s words each, least significant first; t has 2s + 1 words."""
    w, s, p_ = params.radix_bits, params.digits, params.digit_inverse
    p, low = params.modulus_digits, params.radix - 1
    t: list[Digit] = [0] * (2 * s + 1)
    for i in range(s):
        C: Digit = 0
        for j in range(s):
            S = t[i + j] + a[j] * b[i] + C
            C, t[i + j] = S >> w, S & low
            yield "t1", (i, i + j), t[i + j]
            yield "C1", (i, i + j + 1), C
        t[i + s] = C
    for i in range(s):
        C = 0
        yield "m", (i,), (m := t[i] * p_ & low)
        for j in range(s):
            S = t[i + j] + m * p[j] + C
            C, t[i + j] = S >> w, S & low
            yield "t", (i, i + j), t[i + j]
            yield "C2", (i, i + j + 1), C
        for k in range(i + s, 2 * s):
            S = t[k] + C
            C, t[k] = S >> w, S & low
            yield "t", (i, k), t[k]
            yield "C2", (i, k + 1), C
        t[2 * s] = t[2 * s] + C
        yield "t", (i, 2 * s), t[2 * s]
        yield "T", (i,), join(t[i + 1 :], w)
    if params.subtracts:
        yield from koc.subtraction(params, t[s:])


def _product(run: Run[Koc], i: int) -> int:
    """a times the words of b up to b[i]."""
    return run.a * (run.b & (1 << run.params.radix_bits * (i + 1)) - 1)


def _total(run: Run[Koc], i: int) -> int:
    """All of t after iteration i of the reduction."""
    return run.a * run.b + quotient_below(run, i + 1) * run.params.modulus


def _word(run: Run[Koc], value: int, k: int) -> int:
    return value >> run.params.radix_bits * k & run.params.radix - 1


def carry_into(p: Koc, before: int, number: int, digit: int, place: int, k: int) -> int:
    """The carry into word k where digit*number, shifted by `place` words, is added to `before`."""
    below = (1 << p.radix_bits * k) - 1
    part = number & (1 << p.radix_bits * (k - place)) - 1
    return (before & below) + (part * digit << p.radix_bits * place) >> p.radix_bits * k


def _first_carry_holds(run: Run[Koc], index: Index, value: int) -> bool:
    i, k = index
    return value == carry_into(run.params, _product(run, i - 1), run.a, _word(run, run.b, i), i, k)


def _second_carry_holds(run: Run[Koc], index: Index, value: int) -> bool:
    i, k = index
    return value == carry_into(run.params, _total(run, i - 1), run.params.modulus, run.at("m", i), i, k)


CLAIMS: tuple[Claim[Koc], ...] = (
    Claim("value of t1", "the words of t are those of a*b_i, b_i being the words of b up to i", METHOD, "t1",
          lambda run, index, value: value == _word(run, _product(run, index[0]), index[1])),
    Claim("value of C1", "C is what a*b[i]*W^i and t carry into word j", METHOD, "C1", _first_carry_holds),
    Claim("value of t", "the words of t are those of a*b + m_i*p, m_i being the words of m up to i", METHOD, "t",
          lambda run, index, value: value == _word(run, _total(run, index[0]), index[1])),
    Claim("value of C2", "C is what m*p*W^i and t carry into word j", METHOD, "C2", _second_carry_holds),
    Claim("value of T", "T = (a*b + m_i*p)/W^(i+1), m_i being the words of m up to i", METHOD, "T",
          lambda run, index, value: value == partial_product(
              run.a, run.b, run.params.modulus, run.params.radix_bits * (index[0] + 1))),
    *shared_claims(METHOD),
)  # fmt: skip

ACCUMULATOR = accumulator(METHOD)


def _carries(p: Koc) -> Iterator[Index]:
    return ((i, k) for i in range(p.digits) for k in range(i + 1, i + p.digits + 1))


def _ripples(p: Koc) -> Iterator[Index]:
    return ((i, k) for i in range(p.digits) for k in range(i + p.digits + 2, 2 * p.digits + 1))


def _ones_above(p: Koc, index: Index, draw: Draw) -> Iterator[Pair]:
    """Operands whose product has words of ones from word i + s up to the one below k: it is a little below X."""
    (i, k), w, (a_max, b_max) = index, p.radix_bits, p.limits
    ones = (1 << w * k) - (1 << w * (i + p.digits))
    for _ in range(ATTEMPTS):
        a = max(a_max - draw.of_any_width(a_max), 1)
        X = (draw.below((a * b_max >> w * k) + 1) << w * k) + ones + draw.below(1 << w * (i + p.digits))
        if X // a <= b_max:
            yield a, X // a


def _ripple_closed(p: Koc, index: Index, a: int, b: int) -> bool:
    (i, k), w = index, p.radix_bits
    Q = a * b * p.negative_inverse
    before = a * b + (Q & (1 << w * i) - 1) * p.modulus
    return carry_into(p, before, p.modulus, Q >> w * i & p.radix - 1, i, k) == 1


MODEL: Model[Koc] = koc.model(
    METHOD,
    "SOS: the product, then its reduction",
    steps=steps,
    pseudocode=pseudocode.sos,
    step_count=lambda params: params.digits * (5 * params.digits + 4),
    vocabulary=(
        Symbol("t1", "i, j", "word j of t after row i of the product", "< W", below_radix),
        Symbol("C1", "i, j", "carry of row i into word j; that into word i + s becomes the word", "< W", below_radix),
        QUOTIENT,
        Symbol("t", "i, j", "word j of t after iteration i of the reduction", "< W, and 0 in words up to i",
               lambda run, index: run.params.radix - 1 if index[1] > index[0] else 0),
        Symbol("C2", "i, j", "carry of iteration i into word j", "< W, and one bit beyond word i + s",
               lambda run, index: run.params.radix - 1 if index[1] <= index[0] + run.params.digits else 1),
        Symbol("T", "i", "the words of t above i as an integer", "< a*b/W^(i+1) + p", below_quotient),
        *SUBTRACTION,
    ),
    claims=CLAIMS,
    events=(
        Event(
            "C2",
            "=ripple",
            statement="a carry of the reduction runs through one word above it or more",
            hunts="a carry that is added to the next word alone",
            source=METHOD,
            where=_ripples,
            happens=lambda seen, index: seen.at("C2", *index) == 1,
            construct=_ones_above,
            closed=_ripple_closed,
        ),
        *carry_events(METHOD, lambda step: _carries, lambda index: index[1] - index[0] - 1, not_in_row_0),
        *sum_events(ACCUMULATOR),
    ),
)  # fmt: skip
