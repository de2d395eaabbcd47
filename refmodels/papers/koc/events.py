# SPDX-License-Identifier: Apache-2.0
"""Events that the methods share: quotient digits, the sum around p, the borrow of its subtraction, operands."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import gmpy2

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw, with_high_part
from limbtrace.refmodels.event import Event, Pair, Seen, never
from limbtrace.refmodels.model import Index
from limbtrace.refmodels.papers.koc.family import Koc
from limbtrace.refmodels.serial_events import (
    ATTEMPTS,
    Accumulator,
    B,
    Pass,
    Places,
    around_modulus,
    carry_event,
    ones_event,
    operand_events,
    product_carry,
    quotient_events,
    range_event,
    step_event,
    word_events,
)

_DEPTH = 4
"""Most words of a that are chosen for the quotient digits."""


def accumulator(method: str) -> Accumulator:
    """t of a method: b is scanned, a is whole; the first subscript is the iteration, and without one all are over."""
    return Accumulator(B, method, lambda params, index: params.radix_bits * (index[0] + 1 if index else params.digits))


def iterations(p: Koc) -> Iterator[Index]:
    """Every iteration."""
    return ((i,) for i in range(p.digits))


def _last(p: Koc) -> Iterator[Index]:
    yield (p.digits - 1,)


def _subtracted(p: Koc) -> Iterator[Index]:
    """The place of a step that only reduced products have."""
    return iter(((),) if p.subtracts else ())


def _words(p: Koc) -> Iterator[Index]:
    return ((i, j) for i in range(p.digits) for j in range(p.digits))


def _last_words(p: Koc) -> Iterator[Index]:
    return ((p.digits - 1, j) for j in range(p.digits))


def _word_of_sum(seen: Seen[Koc], index: Index) -> Digit:
    i, j = index
    return seen.at("T", i) >> seen.params.radix_bits * j & seen.params.radix - 1


def _later_words(p: Koc) -> Iterator[Index]:
    """Words that a carry goes into."""
    return ((i, j) for i in range(p.digits) for j in range(1, p.digits))


def _carries(p: Koc) -> Iterator[Index]:
    return ((i, j) for i in range(p.digits) for j in range(1, p.digits + 1))


def _behind(p: Koc) -> Iterator[Index]:
    """The word behind t[s], in each iteration."""
    return ((i, p.digits + 1) for i in range(p.digits))


def _first_carry(p: Koc, at: Pass, j: int) -> int:
    """The carry of the first inner loop into word j."""
    return at.sum_carry(p.radix_bits * j)


def _second_carry(p: Koc, at: Pass, j: int) -> int:
    """The carry of the second inner loop into word j."""
    low = (1 << p.radix_bits * j) - 1
    return (at.row & low) + at.q * (p.modulus & low) >> p.radix_bits * j


def _most_first(p: Koc, index: Index) -> int:
    """A bound of the first carry: t, a and b[i] are as large as they can be there."""
    i, j = index
    low, (a_max, b_max) = (1 << p.radix_bits * j) - 1, p.limits
    before = min(low, a_max + p.modulus - 1) if i else 0
    return int(before + min(low, a_max) * min(p.radix - 1, b_max >> p.radix_bits * i) >> p.radix_bits * j)


def _most_second(p: Koc, index: Index) -> int:
    """A bound of the second carry: m and the words of t are all ones."""
    j = index[1]
    low = (1 << p.radix_bits * j) - 1
    return int(low + (p.radix - 1) * (p.modulus & low) >> p.radix_bits * j)


def _full_rows(p: Koc, index: Index, draw: Draw) -> Iterator[Pair]:
    """Operands with which t + a*b[i] is nearly as large as can be.

    b[i] is all ones, and both the words of b before it and those of m are -x modulo W^i for a small x. With n and y
    for these two, a*y = -n*p modulo W^i gives the low d words of a, the others being as large as they may be; the words
    of n and y below the highest d are 0.
    """
    (i, _), w, (a_max, b_max) = index, p.radix_bits, p.limits
    for _ in range(ATTEMPTS if i else 0):
        d = draw.between(1, min(i, _DEPTH))
        modulus, shift = 1 << w * d, w * (i - d)
        y, n = draw.of_any_width(modulus - 1) | 1, draw.of_any_width(modulus - 1)
        a = a_max - (a_max + n * p.modulus * int(gmpy2.invert(y, modulus))) % modulus
        b = (1 << w * (i + 1)) - (y << shift)
        if a >= 0 and b <= b_max:
            yield a, with_high_part(draw, b, w * (i + 1), b_max)


def row_events(accumulator: Accumulator) -> tuple[Event[Any], ...]:
    """Events of a method whose iteration has an inner loop that adds a*b[i], and one that adds m*p."""

    def carried(step: str, condition: str, statement: str, least: Callable[[Koc], int]) -> Event[Any]:
        first = step == "C1"
        return carry_event(
            step,
            condition,
            statement=statement,
            hunts="a carry that is one bit too short, or an adder that drops it",
            accumulator=accumulator,
            places=_carries,
            least=lambda p, index: least(p),
            most=_most_first if first else _most_second,
            carry=_first_carry if first else _second_carry,
        )

    return (
        carried("C1", "=max", "the carry of the first inner loop is all ones", lambda p: p.radix - 1),
        carried("C1", ">=W/2", "the carry of the first inner loop has its top bit", lambda p: p.radix // 2),
        carried("C2", "=max", "the carry of the second inner loop is all ones", lambda p: p.radix - 1),
        carried("C2", ">=W/2", "the carry of the second inner loop has its top bit", lambda p: p.radix // 2),
        replace(
            carry_event(
                "t1",
                "=1",
                statement="t + a*b[i] needs the word t[s+1]",
                hunts="a word t[s+1] that is missing",
                accumulator=accumulator,
                places=_behind,
                least=lambda p, index: 1,
                most=_most_first,
                carry=_first_carry,
            ),
            construct=_full_rows,
        ),
        carry_event(
            "C2",
            "=1",
            statement="the second inner loop carries out of t[s]",
            hunts="a carry into t[s+1] that is missing",
            accumulator=accumulator,
            places=_behind,
            least=lambda p, index: 1,
            most=lambda p, index: int(p.limits[0] * p.radix + p.modulus * p.radix >> p.radix_bits * index[1]),
            carry=_second_carry,
        ),
        ones_event(
            "t+ab",
            statement="a carry goes into a word of t + a*b[i] that is all ones",
            accumulator=accumulator,
            places=_later_words,
            word=lambda seen, index: seen.at("t1", *index) + seen.params.radix - seen.at("C1", *index),
            carry=lambda seen, index: seen.at("C1", *index),
            beside=lambda p, x, y, q, j: 0,
            closed_word=lambda p, at, j: (
                (at.before >> p.radix_bits * j & p.radix - 1) + (at.whole >> p.radix_bits * j & p.radix - 1) * at.digit
            ),
            closed_carry=_first_carry,
        ),
        ones_event(
            "t+mp",
            statement="a carry goes into a word of t + m*p that is all ones",
            accumulator=accumulator,
            places=_later_words,
            word=lambda seen, index: (
                seen.at("t1", *index) + seen.at("m", index[0]) * seen.params.modulus_digits[index[1]]
            ),
            carry=lambda seen, index: seen.at("C2", *index),
            beside=lambda p, x, y, q, j: q * p.modulus_digits[j] + product_carry(p, x, y, j),
            closed_word=lambda p, at, j: (at.row >> p.radix_bits * j & p.radix - 1) + at.q * p.modulus_digits[j],
            closed_carry=_second_carry,
        ),
    )


def carry_events(
    source: str,
    places: Callable[[str], Places],
    word: Callable[[Index], int],
    first_row: Callable[[Any, Index], str | None] = never,
) -> tuple[Event[Any], ...]:
    """The carries C1 of a*b and C2 of m*p are all ones, of a method whose rows no closed form of the iterations gives.

    places: (step) -> the indices of its carries into the words of its row.
    word: (index of C2) -> the word of p below it.
    first_row: (parameters, index) -> why C1 cannot be all ones there; None if no reason is known.
    """

    def reachable(p: Koc, index: Index) -> str | None:
        """The product, a word of t and a carry are at least (W - 1)*W together."""
        small = p.modulus_digits[word(index)] < p.radix - 2
        return f"word {word(index)} of p is below W - 2, and m times it carries less" if small else None

    return tuple(
        step_event(
            step,
            "=max",
            statement=f"the carry of {product} is all ones",
            hunts="a carry that is one bit too short, or an adder that drops it",
            source=source,
            places=places(step),
            happens=lambda value, p, index: value == p.radix - 1,
            reachable=first_row if step == "C1" else reachable,
        )
        for step, product in (("C1", "a*b"), ("C2", "m*p"))
    )


def not_in_row_0(p: Koc, index: Index) -> str | None:
    """Why the first row of a product has no carry of all ones: (W - 1)*W^j is more than W - 1 times j words."""
    return f"t is 0 before row 0, whose carries are at most {p.radix - 2:#x}" if index[0] == 0 else None


def sum_events(accumulator: Accumulator, each: bool = False) -> tuple[Event[Any], ...]:
    """Events of t, of the subtraction and of the operands.

    each: whether the method scans b, so that `T` is t after each iteration; otherwise T counts after the last one.
    """

    def in_range(
        symbol: str, condition: str, statement: str, hunts: str, bounds: Callable[[Koc], tuple[int, int]],
        places: Callable[[Koc], Iterator[Index]] = _subtracted,
    ) -> Event[Any]:  # fmt: skip
        return range_event(
            symbol,
            condition,
            statement=statement,
            hunts=hunts,
            accumulator=accumulator,
            places=places,
            bounds=bounds,
            value=lambda seen, index: seen.at("T", index[0] if index else seen.params.digits - 1),
        )

    _comparison = "a comparison that leaves out a word, or a borrow that is cut"
    return (
        *quotient_events("m", accumulator.source, places=iterations),
        *word_events("T.word", accumulator, places=_words if each else _last_words, read=_word_of_sum),
        *around_modulus("T", accumulator, places=_last, value=lambda seen, index: seen.at("T", *index)),
        in_range("T", ">=R", "t needs the word t[s]", "a word t[s] that is missing",
                 lambda p: (p.domain, 2 * p.domain), iterations if each else _last),
        in_range("T", "=ones", "t is R - 1", "a carry that is dropped behind ones",
                 lambda p: (p.domain - 1, p.domain - 1), _last),
        in_range("sub", "=0", "p is not subtracted", _comparison, lambda p: (0, p.modulus - 1)),
        in_range("sub", "=1", "p is subtracted", _comparison, lambda p: (p.modulus, 2 * p.modulus - 1)),
        in_range("sub", "_by_top", "p is subtracted because of t[s] alone", "a word t[s] that is left out of it",
                 lambda p: (p.domain, 2 * p.domain)),
        in_range("B", "=ripple", "words of t above the lowest are those of p, and it borrows through all of them",
                 _comparison, lambda p: (p.modulus - (p.modulus & p.radix - 1), p.modulus - 1)),
        in_range("B", "=held", "words of t above the lowest are those of p, and the lowest does not borrow",
                 _comparison, lambda p: (p.modulus, p.modulus | p.radix - 1)),
        *operand_events(accumulator.source),
    )  # fmt: skip
