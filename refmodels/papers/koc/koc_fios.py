# SPDX-License-Identifier: Apache-2.0
"""FIOS, finely integrated operand scanning: one inner loop adds a[j]*b[i] and m*p[j].

It has one carry, C, of two kinds: that of a[j]*b[i] is added to the words above at once, as far as it runs, and that of
m*p[j] goes into the next word.
"""

from collections.abc import Iterator

from limbtrace.refmodels.batch_digits import Digit, join
from limbtrace.refmodels.model import Claim, Index, Model, Run, Step, Symbol, one_bit
from limbtrace.refmodels.montgomery import below_radix
from limbtrace.refmodels.papers.koc import family as koc
from limbtrace.refmodels.papers.koc import pseudocode
from limbtrace.refmodels.papers.koc.claims import QUOTIENT, SUBTRACTION, after, below_both, shared_claims
from limbtrace.refmodels.papers.koc.events import accumulator, carry_events, sum_events
from limbtrace.refmodels.papers.koc.family import Koc
from limbtrace.refmodels.serial_events import step_event

METHOD = "FIOS"


def add(t: list[Digit], j: int, C: Digit, params: Koc) -> Digit:
    """The paper's ADD: C is added to word j of t, and carries run up. Returns the carry out of word j."""
    first = carry = (t[j] + C) >> params.radix_bits
    t[j] = (t[j] + C) & params.radix - 1
    for k in range(j + 1, len(t)):
        S = t[k] + carry
        carry, t[k] = S >> params.radix_bits, S & params.radix - 1
    return first


def steps(params: Koc, a: list[Digit], b: list[Digit]) -> Iterator[Step]:
    """The method. `a` and `b` are s words each, least significant first; t has s + 2 words."""
    w, s, p_ = params.radix_bits, params.digits, params.digit_inverse
    p, low = params.modulus_digits, params.radix - 1
    t: list[Digit] = [0] * (s + 2)
    for i in range(s):
        S = t[0] + a[0] * b[i]
        C, S = S >> w, S & low
        yield "S", (i, 0), S
        yield "C1", (i, 1), C
        yield "A", (i, 1), add(t, 1, C, params)
        yield "m", (i,), (m := S * p_ & low)
        yield "C2", (i, 1), (C := S + m * p[0] >> w)
        for j in range(1, s):
            S = t[j] + a[j] * b[i] + C
            C, S = S >> w, S & low
            yield "S", (i, j), S
            yield "C1", (i, j + 1), C
            yield "A", (i, j + 1), add(t, j + 1, C, params)
            S = S + m * p[j]
            C, t[j - 1] = S >> w, S & low
            yield "t", (i, j - 1), t[j - 1]
            yield "C2", (i, j + 1), C
        S = t[s] + C
        C, t[s - 1] = S >> w, S & low
        yield "t", (i, s - 1), t[s - 1]
        yield "C2", (i, s + 1), C
        t[s], t[s + 1] = t[s + 1] + C, 0
        yield "t", (i, s), t[s]
        yield "T", (i,), join(t[: s + 1], w)
    if params.subtracts:
        yield from koc.subtraction(params, t)


def _upper(run: Run[Koc], i: int, j: int) -> int:
    """t with the words of a below j and those of p below j, from word j on: C of m*p and the words of t."""
    p = run.params
    below = (1 << p.radix_bits * j) - 1
    digit = run.b >> p.radix_bits * i & p.radix - 1
    total = after(p, run.a, run.b, i - 1) + (run.a & below) * digit + run.at("m", i) * (p.modulus & below)
    return total >> p.radix_bits * j


def _with_row(run: Run[Koc], index: Index) -> int:
    """The sum of `_upper` and of a[j]*b[i]."""
    p, (i, j) = run.params, index
    a, b = (value >> p.radix_bits * place & p.radix - 1 for value, place in ((run.a, j), (run.b, i)))
    return _upper(run, i, j) + a * b


def _first_carry_holds(run: Run[Koc], index: Index, value: int) -> bool:
    """Without C of m*p, what stands in t and above: its word j is what is added to a[j]*b[i] and C."""
    p, (i, j) = run.params, (index[0], index[1] - 1)
    C = run.at("C2", i, j) if j else 0
    words = (_upper(run, i, j) - C) & p.radix - 1
    return value == words + C + _with_row(run, (i, j)) - _upper(run, i, j) >> p.radix_bits


CLAIMS: tuple[Claim[Koc], ...] = (
    Claim("value of S", "S is word j of t with the words of a up to j and those of p below j", METHOD, "S",
          lambda run, index, value: value == _with_row(run, index) & run.params.radix - 1),
    Claim("value of C1", "C is what t[j] + a[j]*b[i] + C has above word j", METHOD, "C1", _first_carry_holds),
    Claim("value of C2", "C is what S + m*p[j] has above word j, and then t[s] + C", METHOD, "C2",
          lambda run, index, value: index[1] > run.params.digits or value == run.at("S", index[0], index[1] - 1)
          + run.at("m", index[0]) * run.params.modulus_digits[index[1] - 1] >> run.params.radix_bits),
    Claim("value of T", "T = (a*b_i + m_i*p)/W^(i+1), b_i and m_i being the words up to i", METHOD, "T",
          lambda run, index, value: value == after(run.params, run.a, run.b, index[0])),
    *shared_claims(METHOD),
)  # fmt: skip

ACCUMULATOR = accumulator(METHOD)


def _added(p: Koc) -> Iterator[Index]:
    return ((i, j) for i in range(p.digits) for j in range(1, p.digits + 1))


MODEL: Model[Koc] = koc.model(
    METHOD,
    "FIOS: one inner loop for both products",
    steps=steps,
    pseudocode=pseudocode.fios,
    step_count=lambda params: params.digits * (5 * params.digits + 4),
    vocabulary=(
        Symbol("S", "i, j", "low word of t[j] + a[j]*b[i] + C", "< W", below_radix),
        Symbol("C1", "i, j", "carry of a*b[i] that ADD adds to word j", "< W", below_radix),
        Symbol("A", "i, j", "carry out of word j in ADD", "one bit", one_bit),
        QUOTIENT,
        Symbol("C2", "i, j", "carry of m*p into word j", "< W, and one bit into word s + 1",
               lambda run, index: run.params.radix - 1 if index[1] <= run.params.digits else 1),
        Symbol("t", "i, j", "word j of t after iteration i", "< W, and t[s] is one bit",
               lambda run, index: run.params.radix - 1 if index[1] < run.params.digits else 1),
        Symbol("T", "i", "t after iteration i as an integer", "< a + p", below_both),
        *SUBTRACTION,
    ),
    claims=CLAIMS,
    events=(
        step_event(
            "A",
            "=1",
            statement="ADD carries out of the word that it adds to",
            hunts="an ADD that stops after one word",
            source=METHOD,
            places=_added,
            happens=lambda value, p, index: value == 1,
            reachable=lambda p, index: "t is 0 before row 0, and holds what is added" if index[0] == 0 else None,
        ),
        *carry_events(METHOD, lambda step: _added, lambda index: index[1] - 1),
        *sum_events(ACCUMULATOR, each=True),
    ),
)  # fmt: skip
