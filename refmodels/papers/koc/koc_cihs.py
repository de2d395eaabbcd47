# SPDX-License-Identifier: Apache-2.0
"""CIHS, coarsely integrated hybrid scanning: the low words of a*b by rows, and the high ones while they are reduced.

t has s + 2 words: after the first half it holds the products of words of a and b below word s. Each iteration of the
second half drops a word, and word s - 1 then takes the products that belong there. t[s+1] collects carries in both
halves; it is one word where s <= W.
"""

from collections.abc import Iterator

from limbtrace.refmodels.batch_digits import Digit, join
from limbtrace.refmodels.model import Claim, Index, Model, Run, Step, Symbol
from limbtrace.refmodels.montgomery import below_radix
from limbtrace.refmodels.papers.koc import family as koc
from limbtrace.refmodels.papers.koc import pseudocode
from limbtrace.refmodels.papers.koc.claims import QUOTIENT, SUBTRACTION, below_quotient, quotient_below, shared_claims
from limbtrace.refmodels.papers.koc.events import accumulator, carry_events, not_in_row_0, sum_events
from limbtrace.refmodels.papers.koc.family import Koc
from limbtrace.refmodels.serial_events import step_event

METHOD = "CIHS"


def steps(params: Koc, a: list[Digit], b: list[Digit]) -> Iterator[Step]:
    """The method. `a` and `b` are s words each, least significant first; t has s + 2 words."""
    w, s, p_ = params.radix_bits, params.digits, params.digit_inverse
    p, low = params.modulus_digits, params.radix - 1
    t: list[Digit] = [0] * (s + 2)
    for i in range(s):
        C: Digit = 0
        for j in range(s - i):
            S = t[i + j] + a[j] * b[i] + C
            C, t[i + j] = S >> w, S & low
            yield "t1", (i, i + j), t[i + j]
            yield "C1", (i, i + j + 1), C
        S = t[s] + C
        t[s], t[s + 1] = S & low, t[s + 1] + (S >> w)
        yield "t1", (i, s), t[s]
        yield "t1", (i, s + 1), t[s + 1]
    for i in range(s):
        yield "m", (i,), (m := t[0] * p_ & low)
        yield "C2", (i, 1), (C := t[0] + m * p[0] >> w)
        for j in range(1, s):
            S = t[j] + m * p[j] + C
            C, t[j - 1] = S >> w, S & low
            yield "t2", (i, j - 1), t[j - 1]
            yield "C2", (i, j + 1), C
        S = t[s] + C
        t[s - 1], S = S & low, t[s + 1] + (S >> w)
        t[s], t[s + 1] = S & low, S >> w
        yield "t2", (i, s - 1), t[s - 1]
        yield "t2", (i, s), t[s]
        yield "t2", (i, s + 1), t[s + 1]
        for j in range(i + 1, s):
            S = t[s - 1] + b[j] * a[s - j + i]
            t[s - 1], S = S & low, t[s] + (S >> w)
            t[s], t[s + 1] = S & low, t[s + 1] + (S >> w)
            yield from (("t", (i, j, k), t[k]) for k in (s - 1, s, s + 1))
        yield "T", (i,), join(t, w)
    if params.subtracts:
        yield from koc.subtraction(params, t)


def _products(run: Run[Koc], words: int, rows: int) -> int:
    """The products of a[j] and b[l] with l < `rows` and j + l < `words`."""
    p, low, total = run.params, run.params.radix - 1, 0
    for row in range(min(rows, words)):
        place = p.radix_bits * row
        total += (run.a & (1 << p.radix_bits * (words - row)) - 1) * (run.b >> place & low) << place
    return total


def _sum(run: Run[Koc], i: int) -> int:
    """t after iteration i of the second half: the products up to word s + i, and those of m and p."""
    p = run.params
    total = _products(run, p.digits + i + 1, p.digits) + quotient_below(run, i + 1) * p.modulus
    return total >> p.radix_bits * (i + 1)


def _triangle_holds(run: Run[Koc], index: Index, value: int) -> bool:
    p, (i, k) = run.params, index
    above = _products(run, p.digits, i + 1) >> p.radix_bits * k
    return value == (above if k > p.digits else above & p.radix - 1)


def carries(p: Koc) -> int:
    """Limit of t[s+1]: each of s rows or products has a carry below W into t[s]."""
    return (p.digits * (p.radix - 1) >> p.radix_bits) + 1


def _limit(run: Run[Koc], index: Index) -> int:
    return run.params.radix - 1 if index[-1] <= run.params.digits else carries(run.params)


_RANGE = "< W, and t[s+1] <= s(W - 1)/W + 1"

CLAIMS: tuple[Claim[Koc], ...] = (
    Claim("value of t1", "the words of t are those of the products of a and b up to row i and below word s", METHOD,
          "t1", _triangle_holds),
    Claim("value of T", "T*W^(i+1) = a*b without the products above word s + i, + m_i*p", METHOD, "T",
          lambda run, index, value: value == _sum(run, index[0])),
    *shared_claims(METHOD),
)  # fmt: skip

ACCUMULATOR = accumulator(METHOD)


def _carried(p: Koc) -> Iterator[Index]:
    return ((i, k) for i in range(p.digits) for k in range(i + 1, p.digits + 1))


def _reduced(p: Koc) -> Iterator[Index]:
    return ((i, j) for i in range(p.digits) for j in range(1, p.digits + 1))


def _rows(p: Koc) -> Iterator[Index]:
    """t[s+1] after the rows of the first half from the second one on."""
    return ((i, p.digits + 1) for i in range(1, p.digits))


MODEL: Model[Koc] = koc.model(
    METHOD,
    "CIHS: half of the product, the rest while it is reduced",
    steps=steps,
    pseudocode=pseudocode.cihs,
    step_count=lambda params: params.digits * (3 * params.digits + 7) + 3 * params.digits * (params.digits - 1) // 2,
    vocabulary=(
        Symbol("t1", "i, j", "word j of t after row i of the first half", _RANGE, _limit),
        Symbol("C1", "i, j", "carry of row i into word j", "< W", below_radix),
        QUOTIENT,
        Symbol("C2", "i, j", "carry of m*p into word j", "< W", below_radix),
        Symbol("t2", "i, j", "word j of t after the inner loop that adds m*p", _RANGE, _limit),
        Symbol("t", "i, j, k", "word k of t after the product b[j]*a[s-j+i]", _RANGE, _limit),
        Symbol("T", "i", "t after iteration i of the second half as an integer", "< a*b/W^(i+1) + p", below_quotient),
        *SUBTRACTION,
    ),
    claims=CLAIMS,
    events=(
        step_event(
            "t1",
            "=carries",
            statement="more than one row of the first half carries into t[s+1], so that it is 2 or more",
            hunts="a carry that replaces t[s+1] instead of being added to it",
            source=METHOD,
            places=_rows,
            happens=lambda value, p, index: value >= 2,
        ),
        *carry_events(METHOD, lambda step: _carried if step == "C1" else _reduced, lambda index: index[1] - 1,
                       not_in_row_0),
        *sum_events(ACCUMULATOR),
    ),
)  # fmt: skip
