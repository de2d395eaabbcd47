# SPDX-License-Identifier: Apache-2.0
"""FIPS, finely integrated product scanning: column by column of a*b and m*p, in an accumulator of three words.

t[2] is one word where 2s(W - 1) < W^2; for so many words that a column has more, it is what stands above t[1].
"""

from collections.abc import Iterator

from limbtrace.refmodels.batch_digits import Digit, join
from limbtrace.refmodels.model import Claim, Index, Model, Run, Step, Symbol
from limbtrace.refmodels.papers.koc import family as koc
from limbtrace.refmodels.papers.koc import pseudocode
from limbtrace.refmodels.papers.koc.claims import QUOTIENT, SUBTRACTION, below_quotient, final_sum, shared_claims
from limbtrace.refmodels.papers.koc.events import accumulator, sum_events
from limbtrace.refmodels.papers.koc.family import Koc
from limbtrace.refmodels.serial_events import step_event

METHOD = "FIPS"


def steps(params: Koc, a: list[Digit], b: list[Digit]) -> Iterator[Step]:
    """The method. `a` and `b` are s words each, least significant first."""
    w, s, p_ = params.radix_bits, params.digits, params.digit_inverse
    p, low = params.modulus_digits, params.radix - 1
    m: list[Digit] = []
    u: list[Digit] = []
    t: list[Digit] = [0] * 3

    def accumulate(name: str, i: int, j: int, product: Digit) -> Iterator[Step]:
        """A product is added to t[0], and what carries to t[1] and t[2]."""
        S = t[0] + product
        t[0], S = S & low, t[1] + (S >> w)
        t[1], t[2] = S & low, t[2] + (S >> w)
        yield from ((name, (i, j, k), t[k]) for k in range(3))

    for i in range(2 * s):
        for j in range(max(0, i - s + 1), min(i, s)):
            yield from accumulate("t1", i, j, a[j] * b[i - j])
            yield from accumulate("t", i, j, m[j] * p[i - j])
        if i < s:
            yield from accumulate("t1", i, i, a[i] * b[0])
            m.append(t[0] * p_ & low)
            yield "m", (i,), m[i]
            yield from accumulate("t", i, i, m[i] * p[0])
        else:
            u.append(t[0])
            yield "u", (i - s,), t[0]
        t = [t[1], t[2], 0]
    yield "u", (s,), t[0]
    yield "T", (s - 1,), join([*u, t[0]], w)
    if params.subtracts:
        yield from koc.subtraction(params, [*u, t[0]])


def _columns(run: Run[Koc], last: int) -> int:
    """The products of words of a and b, and of m and p, in the columns up to `last`."""
    p, low = run.params, run.params.radix - 1
    Q = run.a * run.b * p.negative_inverse & p.domain - 1
    total = 0
    for j in range(min(last + 1, p.digits)):
        below = (1 << p.radix_bits * (last + 1 - j)) - 1
        place = p.radix_bits * j
        total += ((run.a >> place & low) * (run.b & below) + (Q >> place & low) * (p.modulus & below)) << place
    return total


def _column_holds(run: Run[Koc], index: Index, value: int) -> bool:
    """At the end of a column t holds all that has come into it and the columns below, above these."""
    p, (i, j, k) = run.params, index
    if j != min(i, p.digits - 1):
        return True
    above = _columns(run, i) >> p.radix_bits * (i + k)
    return value == (above if k == 2 else above & p.radix - 1)


def most_above(p: Koc) -> int:
    """Limit of t[2]: a column has 2s products, and what carries into it is less than another two of them."""
    return 2 * p.digits * (p.radix - 1) * p.radix >> 2 * p.radix_bits


def _limit(run: Run[Koc], index: Index) -> int:
    return run.params.radix - 1 if index[2] < 2 else most_above(run.params)


_RANGE = "< W, and t[2] <= 2s(W - 1)/W"

CLAIMS: tuple[Claim[Koc], ...] = (
    Claim("value of t", "t holds the columns up to i at the end of column i, above column i - 1", METHOD, "t",
          _column_holds),
    Claim("value of u", "u is word j of (a*b + Q*p)/R", METHOD, "u",
          lambda run, index, value: value == final_sum(run) >> run.params.radix_bits * index[0] & run.params.radix - 1),
    Claim("value of T", "T = (a*b + Q*p)/R", METHOD, "T", lambda run, _, value: value == final_sum(run)),
    *shared_claims(METHOD),
)  # fmt: skip

ACCUMULATOR = accumulator(METHOD)


def _column_ends(p: Koc) -> Iterator[Index]:
    """Columns with two products of a and b or more, at their ends."""
    return ((i, min(i, p.digits - 1), 2) for i in range(1, 2 * p.digits - 2))


MODEL: Model[Koc] = koc.model(
    METHOD,
    "FIPS: column by column of both products",
    steps=steps,
    pseudocode=pseudocode.fips,
    step_count=lambda params: 6 * params.digits**2 + 2 * params.digits + 2,
    vocabulary=(
        Symbol("t1", "i, j, k", "word k of t after a[j]*b[i-j] of column i", _RANGE, _limit),
        Symbol("t", "i, j, k", "word k of t after m[j]*p[i-j] of column i", _RANGE, _limit),
        QUOTIENT,
        Symbol("u", "j", "word j of the sum", "< W, and u[s] is one bit",
               lambda run, index: run.params.radix - 1 if index[0] < run.params.digits else 1),
        Symbol("T", "i", "the sum as an integer, after iteration i = s - 1 of the reduction", "< a*b/R + p",
               below_quotient),
        *SUBTRACTION,
    ),
    claims=CLAIMS,
    events=(
        step_event(
            "t",
            "=1",
            statement="t[2] is 1 or more at the end of a column",
            hunts="an accumulator of two words",
            source=METHOD,
            places=_column_ends,
            happens=lambda value, p, index: value >= 1,
        ),
        *sum_events(ACCUMULATOR),
    ),
)  # fmt: skip
