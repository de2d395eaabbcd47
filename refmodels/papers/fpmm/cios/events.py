# SPDX-License-Identifier: Apache-2.0
"""Events of CIOS, most of which Algorithm 2 has as well: words and carries of both rows, and the top word."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import gmpy2

from limbtrace.refmodels.constrained_random import Draw, into_range, with_high_part, with_word
from limbtrace.refmodels.event import Event, Pair
from limbtrace.refmodels.model import Index
from limbtrace.refmodels.papers.fpmm.cios.algorithm import SOURCE, Cios, partial
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

ACCUMULATOR = Accumulator(
    A, SOURCE, lambda params, index: params.radix_bits * (index[0] + 1 if index else params.digits)
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
            "u",
            condition,
            statement=f"a word of T + a_i*B is {words}",
            hunts="a carry that is lost or made in such a word",
            source=SOURCE,
            places=places,
            happens=lambda value, p, index: value == ones * (p.radix - 1),
            construct=lambda p, index, draw: row_word(p, iteration(p, index), index[1], ones * (p.radix - 1), draw),
            closed=lambda p, index, a, b: _u(p, ACCUMULATOR.at_pass(p, iteration(p, index), a, b), index[1]),
        )

    return event("=0", "0", 0), event("=max", "all ones", 1)


def carried_event(places: Places, iteration: Callable[[Any, Index], int]) -> Event[Any]:
    """A carry of task 1 that only occurs because of another one; subscripts as in `row_word_events`."""

    def closed(p: Any, index: Index, a: int, b: int) -> bool:
        at = ACCUMULATOR.at_pass(p, iteration(p, index), a, b)
        return bool(row_carry(p, at, index[1] + 1) != _v(p, at, index[1]) >> p.radix_bits)

    return Event(
        "d",
        "_carried",
        statement="task 1 carries only because a carry comes in",
        hunts="a carry that is dropped",
        source=SOURCE,
        where=places,
        happens=lambda seen, index: seen.at("d", *index) != seen.at("v", *index) >> seen.params.radix_bits,
        construct=drawn,
        closed=closed,
    )


def ones_events(places: Places) -> tuple[Event[Any], ...]:
    """A carry goes into a word of all ones, in task 1 and in task 3; subscripts are those of u, v, c and d."""
    return (
        ones_event(
            "v",
            statement="a carry goes into a word of T + a_i*B that is all ones",
            accumulator=ACCUMULATOR,
            places=places,
            word=lambda seen, index: seen.at("v", *index),
            carry=lambda seen, index: seen.at("d", index[0], index[1] - 1),
            beside=lambda p, x, y, q, j: 0,
            closed_word=_v,
            closed_carry=row_carry,
        ),
        ones_event(
            "u+qP",
            statement="a carry goes into a word of u + q*P that is all ones",
            accumulator=ACCUMULATOR,
            places=places,
            word=lambda seen, index: (
                seen.at("u", *index) + seen.at("q", index[0]) * seen.params.modulus_digits[index[1]]
            ),
            carry=lambda seen, index: seen.at("c", index[0], index[1] - 1),
            beside=lambda p, x, y, q, j: q * p.modulus_digits[j] + product_carry(p, x, y, j),
            closed_word=lambda p, at, j: _u(p, at, j) + at.q * p.modulus_digits[j],
            closed_carry=added_carry,
        ),
    )


def _iteration(p: Cios, index: Index) -> int:
    return index[0]


def _first_row(p: Cios) -> Iterator[Index]:
    """Carries that another one goes into."""
    return ((i, j) for i in range(p.digits) for j in range(1, p.digits))


def result_events() -> tuple[Event[Any], ...]:
    """Operands and results of both algorithms."""
    return (
        *around_modulus("result", ACCUMULATOR, places=lambda params: ((),), value=total_value, modulus="P"),
        *operand_events(SOURCE, modulus="P"),
    )


def largest_event(
    step: str,
    what: str,
    places: Callable[[Any], Iterable[Index]],
    largest: Callable[[Any, Index], int],
    value: ByPass,
    first: Callable[[Any, Index], Index] = lambda p, index: index,
) -> Event[Any]:
    """The largest output of a row that this P allows; `first` gives the pass, `value` the closed form."""
    return step_event(
        step,
        "=max",
        statement=f"{what} is as large as P lets it be",
        hunts="a carry that is one bit too short",
        source=SOURCE,
        places=places,
        happens=lambda value, p, index: value == largest(p, first(p, index)),
        construct=lambda p, index, draw: full_pass(p, first(p, index), draw),
        closed=lambda p, index, a, b: value(p, ACCUMULATOR.at_pass(p, first(p, index)[0], a, b), p.digits),
    )


EVENTS = (
    *quotient_events("q", SOURCE, places=_passes),
    *word_events("t", ACCUMULATOR, places=lambda p: ((i, j) for i in range(p.digits) for j in range(p.digits - 1))),
    *word_events("ts", ACCUMULATOR, places=_passes, word=lambda p, index: p.digits - 1),
    *row_word_events(_words, _iteration),
    carried_event(_first_row, _iteration),
    *ones_events(_first_row),
    ripple_event(
        "v",
        ACCUMULATOR,
        places=lambda p: ((i, j) for i in range(1, p.digits) for j in range(p.digits - 1)),
        sums=lambda seen, index: (seen.at("t", index[0] - 1, index[1]), seen.at("v", *index)),
    ),
    largest_event("us", "the carry word of task 1", _passes, largest_us, row_carry),
    largest_event(
        "c",
        "the carry of task 3 behind the row",
        lambda p: ((i, p.digits - 1) for i in range(p.digits)),
        largest_c,
        added_carry,
    ),
    range_event(
        "T",
        ">P",
        statement="T is above P",
        hunts="a top word that is cut",
        accumulator=ACCUMULATOR,
        places=_passes,
        bounds=lambda p: (p.modulus + 1, 4 * p.modulus),
        value=lambda seen, index: seen.at("T", *index),
    ),
    *result_events(),
)
