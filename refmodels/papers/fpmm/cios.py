# SPDX-License-Identifier: Apache-2.0
"""CIOS without final subtraction: Algorithm 1 of the FPMM paper.

Three rows per word of A: task 1 adds a_i*B to the partial result T, task 2 finds the quotient digit q, task 3 adds
q*P and drops one word. With 4P < 2^m every T in [0, 2P) may be fed back as an operand.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import gmpy2

from limbtrace.refmodels.batch_digits import Digit, join
from limbtrace.refmodels.constrained_random import Draw, into_range, with_high_part, with_word
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.event import Event, Pair
from limbtrace.refmodels.model import CORRECTED, Claim, Index, Model, Run, Step, Symbol, at_most, check_modulus
from limbtrace.refmodels.montgomery import (
    DigitSerial,
    below_radix,
    corners,
    exact_product,
    exact_products,
    partial_product,
    quotient_claim,
)
from limbtrace.refmodels.papers.fpmm import design as fpmm
from limbtrace.refmodels.param_strategy import Choice, digits_for, radix_bits
from limbtrace.refmodels.serial_events import (
    ATTEMPTS,
    A,
    Accumulator,
    ByPass,
    Pass,
    Places,
    around_modulus,
    drawn,
    ones_event,
    operand_events,
    product_carry,
    quotient_digit,
    quotient_events,
    range_event,
    ripple_event,
    step_event,
    total_value,
    word_events,
)
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

WORD_PARAMETERS = (
    Parameter("radix", "weight W = 2^w of a word; w is its logarithm", "2^34", "2^2 to 2^4096", ("w",)),
    Parameter("s", "words of an element, m = s*w bits", "ceil((N+2)/w)", "4P < 2^(s*w)"),
)
PARAMETERS = (*WORD_PARAMETERS, Parameter("form", "the algorithm is right as printed", CORRECTED, CORRECTED))


@dataclass(frozen=True)
class Cios(DigitSerial):
    """P odd, P >= 3, 4P < 2^(s*w); A, B in [0, 2P)."""

    @property
    def named(self) -> dict[str, int]:
        return {"s": self.digits}

    @cached_property
    def constants(self) -> dict[str, int]:
        return {**self.symmetric_constants("P", "P'"), "P''": self.negative_inverse}

    @property
    def limits(self) -> tuple[int, int]:
        return 2 * self.modulus - 1, 2 * self.modulus - 1

    @property
    def result_limit(self) -> int:
        return 2 * self.modulus

    @cached_property
    def widest_bits(self) -> int:
        return 2 * self.radix_bits


def words(settings: Settings, modulus: int) -> tuple[int, int]:
    """w and s for a modulus. Raises ParameterError if s words do not hold 4P."""
    w = settings.radix_bits(34, 2, 4096)
    bits = modulus.bit_length()
    s_min = fpmm.words(bits, w)
    s = settings.integer("s", s_min, 1, 2 * MAX_WIDTH // w + 1)
    if s < s_min:
        other = (
            f"; iddmm2 with radix 2^{w} and n = {s} computes with R = 2^{w * s} and returns less than p + ab/R"
            if w * s >= bits
            else ""
        )
        raise ParameterError(
            "s",
            f"{s} words of {w} bits do not hold 4P, which {settings.owner} needs to go without a final subtraction; "
            f"this modulus of {bits} bits needs s >= {s_min}{other}",
        )
    return w, s


def resolve(modulus: int, given: Given) -> Cios:
    """Parameters for a modulus. Raises ParameterError."""
    check_modulus(modulus)
    settings = Settings("cios", PARAMETERS, given)
    w, s = words(settings, modulus)
    return Cios(modulus, w, s, s, settings.choice("form", (CORRECTED,), CORRECTED))


def steps(params: Cios, a: list[Digit], b: list[Digit]) -> Iterator[Step]:
    """Algorithm 1. `a` and `b` are s words each, least significant first."""
    w, s, P_ = params.radix_bits, params.digits, params.digit_inverse
    p = params.modulus_digits
    low = params.radix - 1
    t: list[Digit] = [0] * s
    u: list[Digit] = [0] * s
    for i in range(s):
        d: Digit = 0
        for j in range(s):  # task 1
            yield "v", (i, j), (v := t[j] + a[i] * b[j])
            v = v + d
            u[j] = v & low
            yield "u", (i, j), u[j]
            yield "d", (i, j), (d := v >> w)
        yield "us", (i,), (us := d)
        yield "q", (i,), (q := (u[0] * P_) & low)  # task 2
        c: Digit = 0
        for j in range(s):  # task 3
            y = u[j] + q * p[j] + c
            t[j - 1] = y & low
            yield "t", (i, j - 1), t[j - 1]
            yield "c", (i, j), (c := y >> w)
        y = us + c
        t[s - 1] = y & low
        yield "ts", (i,), t[s - 1]
        yield "ovf", (i,), y >> w
        yield "T", (i,), join(t, w)


_SOURCE = "FPMM, Algorithm 1"


def partial(p: Cios, a: int, b: int, i: int) -> int:
    """T after pass i, by the closed form for the digits scanned so far; 0 before the first pass."""
    exponent = p.radix_bits * (i + 1)
    return partial_product(a % (1 << exponent), b, p.modulus, exponent) if i >= 0 else 0


def row_one(p: Cios, a: int, b: int, i: int) -> int:
    """T + a_i*B of pass i."""
    return partial(p, a, b, i - 1) + (a >> (p.radix_bits * i)) % p.radix * b


def sized(p: Cios, factor: int, otherwise: int) -> int:
    """factor * 2^(w+N-m) if that is an integer: the limit that the size of P sets for the top word."""
    exponent = p.radix_bits + p.bits - p.r_bits
    return factor << exponent if exponent >= 0 else otherwise


def below_square(run: Run[Cios], _: Index) -> int:
    """Limit of a word plus a product of two words."""
    return run.params.radix**2 - run.params.radix


def half_radix(run: Run[Cios], _: Index) -> int:
    """Limit of the carry word that leaves task 1."""
    return run.params.radix // 2


def below_three_quarters(run: Run[Cios], _: Index) -> int:
    """Limit of the top word of T."""
    return (3 * run.params.radix - 1) // 4


def result_claims(reference: str) -> tuple[Claim[Cios], ...]:
    """Claims about the result."""

    def leaves(run: Run[Cios], _: Index, value: int) -> bool:
        P = run.params.modulus
        return run.b != 1 or value < P or value == P == run.a

    return (
        Claim("result", "the result is below 2P", reference, None,
              lambda run, _, value: 0 <= value < 2 * run.params.modulus),
        Claim("leaving the domain", "B = 1 gives at most P, and P only for A = P", reference, None, leaves),
    )  # fmt: skip


def _us_holds(run: Run[Cios], index: Index, value: int) -> bool:
    p = run.params
    return value == row_one(p, run.a, run.b, index[0]) >> p.r_bits


def _c_holds(run: Run[Cios], index: Index, value: int) -> bool:
    p = run.params
    i, j = index
    row = row_one(p, run.a, run.b, i)
    return j < p.digits - 1 or value == (row % p.domain + run.at("q", i) * p.modulus) >> p.r_bits


def _last_word(run: Run[Cios], index: Index) -> bool:
    return index[1] == run.params.digits - 1


ACCUMULATOR = Accumulator(
    A, _SOURCE, lambda params, index: params.radix_bits * (index[0] + 1 if index else params.digits)
)
"""A is scanned, B is whole; the first subscript is the pass."""


def largest_us(p: Cios, index: Index) -> int:
    """The carry word that leaves task 1 where A_i and B are as large as can be."""
    a_max, b_max = p.limits
    word = min(a_max >> p.radix_bits * index[0], p.radix - 1)
    return ((b_max + p.modulus - 1) * (index[0] > 0) + word * b_max) >> p.r_bits


def largest_c(p: Cios, _: Index) -> int:
    """The carry that leaves task 3 where q is as large as can be."""
    return (p.domain - 1 + (p.radix - 1) * p.modulus) >> p.r_bits


def row_word(p: Cios, i: int, j: int, value: int, draw: Draw) -> Iterator[Pair]:
    """Operands with which word j of T + a_i*B ought to be `value` in pass i: a_i is chosen last.

    Where A's top word has few values the digits below a_i are 0, and word j of B is chosen last.
    """
    w, (a_max, b_max) = p.radix_bits, p.limits
    most = min(p.radix - 1, a_max >> w * i)
    for _ in range(ATTEMPTS):
        if most == p.radix - 1 or j == p.digits - 1:
            b = draw.between(0, b_max)
            low = draw.below(min(1 << w * i, a_max + 1))
            T = partial(p, low, b, i - 1)
            a = into_range(draw, b, 1 << w * (j + 1), (value << w * j) - T, (value + 1 << w * j) - 1 - T,
                           0, min(p.radix - 1, (a_max - low) >> w * i))  # fmt: skip
            if a is not None:
                yield with_high_part(draw, low + (a << w * i), w * (i + 1), a_max), b
        if most < p.radix - 1:
            a, b = min(draw.below(most + 1) | 1, most), draw.of_any_width(b_max)
            if a & 1:
                b = with_word(b, w * j, w, (value - product_carry(p, b, a, j)) * int(gmpy2.invert(a, p.radix)))
                yield with_high_part(draw, a << w * i, w * (i + 1), a_max), b


def full_pass(p: Cios, index: Index, draw: Draw) -> Iterator[Pair]:
    """Operands with which what leaves a row ought to be large: a_i is all ones and B large, or q is all ones."""
    i, (a_max, b_max), ones = index[0], p.limits, p.radix - 1
    place = p.radix_bits * i
    for _ in range(ATTEMPTS):
        b = b_max - draw.of_any_width(b_max)
        a = draw.below(a_max + 1) | ones << place
        yield a if a <= a_max else a_max, b
        yield from quotient_digit(p, i, ones, draw)


def _words(p: Cios) -> Iterator[Index]:
    return ((i, j) for i in range(p.digits) for j in range(p.digits))


def _passes(p: Cios) -> Iterator[Index]:
    return ((i,) for i in range(p.digits))


def _u(p: Cios, at: Pass, j: int) -> int:
    return at.row >> p.radix_bits * j & p.radix - 1


def _v(p: Cios, at: Pass, j: int) -> int:
    T, b = (value >> p.radix_bits * j & p.radix - 1 for value in (at.before, at.whole))
    return T + at.digit * b


def row_carry(p: Cios, at: Pass, j: int) -> int:
    """The carry of task 1 into word j."""
    return at.sum_carry(p.radix_bits * j)


def added_carry(p: Cios, at: Pass, j: int) -> int:
    """The carry of task 3 into word j."""
    below = (1 << p.radix_bits * j) - 1
    return (at.row & below) + at.q * (p.modulus & below) >> p.radix_bits * j


def row_word_events(places: Places, iteration: Callable[[Any, Index], int]) -> tuple[Event[Any], ...]:
    """A word of T + a_i*B is 0 or all ones; the last subscript is the word, and `iteration` gives the pass."""

    def event(condition: str, words: str, ones: int) -> Event[Any]:
        return step_event(
            "u", condition, f"a word of T + a_i*B is {words}", "a carry that is lost or made in such a word", _SOURCE,
            places,
            lambda value, p, index: value == ones * (p.radix - 1),
            lambda p, index, draw: row_word(p, iteration(p, index), index[1], ones * (p.radix - 1), draw),
            closed=lambda p, index, a, b: _u(p, ACCUMULATOR.at_pass(p, iteration(p, index), a, b), index[1]),
        )  # fmt: skip

    return event("=0", "0", 0), event("=max", "all ones", 1)


def carried_event(places: Places, iteration: Callable[[Any, Index], int]) -> Event[Any]:
    """A carry of task 1 that there is only because of another one; subscripts as in `row_word_events`."""

    def closed(p: Any, index: Index, a: int, b: int) -> bool:
        at = ACCUMULATOR.at_pass(p, iteration(p, index), a, b)
        return bool(row_carry(p, at, index[1] + 1) != _v(p, at, index[1]) >> p.radix_bits)

    return Event(
        "d", "_carried", "task 1 carries only because a carry comes in", "a carry that is dropped", _SOURCE, places,
        lambda seen, index: seen.at("d", *index) != seen.at("v", *index) >> seen.params.radix_bits, drawn,
        closed=closed,
    )  # fmt: skip


def ones_events(places: Places) -> tuple[Event[Any], ...]:
    """A carry goes into a word of all ones, in task 1 and in task 3; subscripts are those of u, v, c and d."""
    return (
        ones_event(
            "v", "a carry goes into a word of T + a_i*B that is all ones", ACCUMULATOR, places,
            lambda seen, index: seen.at("v", *index), lambda seen, index: seen.at("d", index[0], index[1] - 1),
            lambda p, x, y, q, j: 0, (_v, row_carry),
        ),
        ones_event(
            "u+qP", "a carry goes into a word of u + q*P that is all ones", ACCUMULATOR, places,
            lambda seen, index: seen.at("u", *index) + seen.at("q", index[0]) * seen.params.modulus_digits[index[1]],
            lambda seen, index: seen.at("c", index[0], index[1] - 1),
            lambda p, x, y, q, j: q * p.modulus_digits[j] + product_carry(p, x, y, j),
            (lambda p, at, j: _u(p, at, j) + at.q * p.modulus_digits[j], added_carry),
        ),
    )  # fmt: skip


def _iteration(p: Cios, index: Index) -> int:
    return index[0]


def _first_row(p: Cios) -> Iterator[Index]:
    """Carries that another one goes into."""
    return ((i, j) for i in range(p.digits) for j in range(1, p.digits))


def result_events() -> tuple[Event[Any], ...]:
    """Operands and results of both algorithms."""
    return (
        *around_modulus("result", ACCUMULATOR, lambda params: ((),), total_value, "P"),
        *operand_events(_SOURCE, "P"),
    )


def largest_event(
    step: str,
    what: str,
    places: Callable[[Any], Iterable[Index]],
    largest: Callable[[Any, Index], int],
    value: ByPass,
    first: Callable[[Any, Index], Index] = lambda p, index: index,
) -> Event[Any]:
    """What leaves a row is as large as this P lets it be; `first` gives the pass, `value` the closed form."""
    return step_event(
        step, "=max", f"{what} is as large as P lets it be", "a carry that is one bit too short", _SOURCE, places,
        lambda value, p, index: value == largest(p, first(p, index)),
        lambda p, index, draw: full_pass(p, first(p, index), draw),
        closed=lambda p, index, a, b: value(p, ACCUMULATOR.at_pass(p, first(p, index)[0], a, b), p.digits),
    )  # fmt: skip


EVENTS = (
    *quotient_events("q", _SOURCE, _passes),
    *word_events("t", ACCUMULATOR, lambda p: ((i, j) for i in range(p.digits) for j in range(p.digits - 1))),
    *word_events("ts", ACCUMULATOR, _passes, lambda p, index: p.digits - 1),
    *row_word_events(_words, _iteration),
    carried_event(_first_row, _iteration),
    *ones_events(_first_row),
    ripple_event(
        "v", ACCUMULATOR, lambda p: ((i, j) for i in range(1, p.digits) for j in range(p.digits - 1)),
        lambda seen, index: (seen.at("t", index[0] - 1, index[1]), seen.at("v", *index)),
    ),
    largest_event("us", "the carry word of task 1", _passes, largest_us, row_carry),
    largest_event("c", "the carry of task 3 behind the row", lambda p: ((i, p.digits - 1) for i in range(p.digits)),
                  largest_c, added_carry),
    range_event(
        "T", ">P", "T is above P", "a top word that is cut", ACCUMULATOR, _passes,
        lambda p: (p.modulus + 1, 4 * p.modulus), lambda seen, index: seen.at("T", *index),
    ),
    *result_events(),
)  # fmt: skip


def shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """As many words as 4P needs for a modulus of that many bits, or one more."""
    w = radix_bits(choice, bits + 2, 2, max_digits)
    return {"w": w, "s": digits_for(choice, bits + 2, w)}


MODEL: Model[Cios] = Model(
    id="cios",
    title="CIOS without final subtraction",
    source=fpmm.paper("Algorithm 1"),
    parameters=PARAMETERS,
    operands={"a": "< 2P", "b": "< 2P", "result": "< 2P"},
    reference=_SOURCE,
    vocabulary=(
        Symbol("v", "i, j", "t_j + a_i*b_j, before the carry", "<= W^2 - W", below_square),
        Symbol("u", "i, j", "low word of v + d", "< W", below_radix),
        Symbol("d", "i, j", "carry of task 1 after word j", "< W", below_radix),
        Symbol("us", "i", "carry word that leaves task 1", "<= W/2", half_radix, where="FPMM, eq. 6 corrected"),
        Symbol("q", "i", "quotient digit", "< W", below_radix),
        Symbol("t", "i, j", "word j of T after task 3; j = -1 is the dropped word", "< W, and the dropped word is 0",
               lambda run, index: run.params.radix - 1 if index[1] >= 0 else 0),
        Symbol("c", "i, j", "carry of task 3 after word j", "< W, and <= W/4 after the row",
               lambda run, index: run.params.radix // 4 if _last_word(run, index) else run.params.radix - 1),
        Symbol("ts", "i", "top word of T: us + c", "< 3W/4", below_three_quarters),
        Symbol("ovf", "i", "carry out of the top word", "0", lambda run, _: 0),
        Symbol("T", "i", "partial result after pass i", "< B + P", lambda run, _: run.b + run.params.modulus - 1,
               where="FPMM, eq. 5 corrected"),
    ),
    forms=(CORRECTED,),
    resolve=resolve,
    shape=shape,
    closed_form=exact_product,
    closed_forms=exact_products,
    steps=steps,
    result_parts=lambda params: [("T", (params.passes - 1,), 0)],
    step_count=lambda params: params.digits * (5 * params.digits + 5),
    further_claims=(
        at_most("us", "us <= 2^(w+N+1-m) when N + w >= m", _SOURCE,
                lambda run, _: sized(run.params, 2, run.params.radix)),
        at_most("ts", "ts < 3*2^(w+N-m) when N + w >= m", _SOURCE,
                lambda run, _: sized(run.params, 3, run.params.radix + 1) - 1),
        at_most("c", "c <= 2^(w+N-m) after the row when N + w >= m", _SOURCE,
                lambda run, index: sized(run.params, 1, run.params.radix) if _last_word(run, index)
                else run.params.radix),
        Claim("value of T", "T = (A_i*B + Q_i*P) / 2^((i+1)w) after pass i", _SOURCE, "T",
              lambda run, index, value: value == partial(run.params, run.a, run.b, index[0])),
        Claim("value of us", "us = (T + a_i*B) >> m", _SOURCE, "us", _us_holds),
        Claim("value of c", "c after the row = (((T + a_i*B) mod 2^m) + q*P) >> m", _SOURCE, "c", _c_holds),
        quotient_claim("value of q", "q", "q_i is digit i of -A*B*P^-1 mod 2^m", _SOURCE),
        *result_claims(_SOURCE),
    ),
    corners=corners,
    events=EVENTS,
)  # fmt: skip
