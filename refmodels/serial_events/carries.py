# SPDX-License-Identifier: Apache-2.0
"""Events of carries: large ones, and those that go into a word of ones or through half of a product."""

from collections.abc import Callable, Iterator
from typing import Any

import gmpy2

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw, into_range, with_high_part, with_word
from limbtrace.refmodels.event import Event, Index, Pair, Seen
from limbtrace.refmodels.montgomery import DigitSerial
from limbtrace.refmodels.serial_events.accumulator import ATTEMPTS, LIKELY, A, Accumulator, ByPass, Places


def carry_event(
    step: str,
    condition: str,
    *,
    statement: str,
    hunts: str,
    accumulator: Accumulator,
    places: Places,
    least: Callable[[Any, Index], int],
    most: Callable[[Any, Index], int],
    carry: ByPass,
) -> Event[Any]:
    """The event that a carry into digit j of pass i is large; the index is (i, j).

    Up to about half of what is possible, drawn operands are tried first. After that, one operand is all ones below
    digit j, so is the scanned digit of the other one, and the quotient digit is large.

    statement, hunts: the event in words, and the fault that it finds.
    places: (parameters) -> the indices at which it may happen.
    least: (parameters, index) -> the carry from which on it does.
    most: (parameters, index) -> an upper bound of the carry; where that is less, the event is excluded.
    carry: the closed form of the carry.
    """

    def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
        (i, j), (a_max, b_max) = index, p.limits
        often = 2 * least(p, index) <= most(p, index) + 2
        for _ in range(ATTEMPTS):
            for _ in range(LIKELY if often else 0):
                yield draw.below(a_max + 1), draw.below(b_max + 1)
            yield from full_row(p, accumulator, i, j, draw)

    def reachable(p: Any, index: Index) -> str | None:
        bound = most(p, index)
        if bound >= least(p, index):
            return None
        return f"the digits of the modulus and of the operands below it carry at most {bound:#x}"

    return Event(
        step,
        condition,
        statement=statement,
        hunts=hunts,
        source=accumulator.source,
        where=places,
        happens=lambda seen, index: seen.at(step, *index) >= least(seen.params, index),
        construct=construct,
        reachable=reachable,
        closed=lambda p, index, a, b: carry(p, accumulator.at_pass(p, index[0], a, b), index[1]) >= least(p, index),
    )


def full_row(p: DigitSerial, accumulator: Accumulator, i: int, j: int, draw: Draw) -> Iterator[Pair]:
    """One pair or none, with which the carry into digit j of pass i is large.

    Digit i of the scanned operand is all ones, and the j low digits of the other operand are all ones or nearly. Either
    the quotient digit is large, too, and the part of the other operand above its j digits makes the accumulator's j low
    digits large; or, late enough, the scanned digits below make these large.
    """
    x_max, s_max = accumulator.split(p, p.limits)
    k, ones, at, top = p.radix_bits, p.radix - 1, p.radix_bits * i, 1 << p.radix_bits * j
    low = min(top - 1, x_max)
    low -= draw.of_any_width(min(low, max(top >> k, 2) - 2)) * draw.below(2)
    x = with_high_part(draw, low, k * j, x_max)
    y, s_most = min(ones, s_max >> at), min(1 << at, s_max + 1) - 1
    s: int | None = 0
    width = max(top >> draw.below(2 * k + 1), 1)
    if i == 0:
        if y & 1:
            q = ones - draw.of_any_width(min(ones, 3))
            x = min((x | ones) - ones + (-q * (p.added & ones) * int(gmpy2.invert(y, p.radix)) & ones), x_max)
    elif k * (i + j) > p.added.bit_length() + k and draw.below(2):
        above = draw.below((p.added >> k * j) + 1) << k * j
        s = into_range(draw, x * int(gmpy2.invert(1 << at, p.added)), p.added, above + top - width, above + top - 1,
                       0, s_most)  # fmt: skip
    else:
        m = 1 << at + k
        q = ones - draw.of_any_width(min(ones, 3)) * draw.below(2)
        start = x * y * p.negative_inverse << at
        s = into_range(draw, x * p.negative_inverse % m, m, (q << at) - start, (q + 1 << at) - 1 - start, 0, s_most)
        if s and j > i:
            # Neither the quotient digits nor the digits of A below j - i depend on what x has above digit j.
            total = low * s
            before = (total + (total * p.negative_inverse & (1 << at) - 1) * p.added) >> at
            more = into_range(
                draw, s << k * (j - i), top, top - width - before, top - 1 - before, 0, x_max - low >> k * j
            )
            x = x if more is None else low + (more << k * j)
    if s is not None and s + (y << at) <= s_max:
        s = with_high_part(draw, s + (y << at), at + k, s_max)
        yield (s, x) if accumulator.scanned == A else (x, s)


def ones_event(
    symbol: str,
    *,
    statement: str,
    accumulator: Accumulator,
    places: Places,
    word: Callable[[Seen[Any], Index], Digit],
    carry: Callable[[Seen[Any], Index], Digit],
    beside: Callable[[Any, int, int, int, int], int],
    closed_word: ByPass,
    closed_carry: ByPass,
) -> Event[Any]:
    """The event that a carry goes into a word that is all ones before it; the index is (pass, word j).

    The constructor scans digits of 0 before the pass, and chooses digit j of the operand that is not scanned last.

    statement: the event in words.
    places: (parameters) -> the indices at which it may happen.
    word, carry: (product, index) -> the word before the carry, and the carry.
    beside: (parameters, operand that is not scanned, scanned digit, quotient digit, j) -> what the word holds besides
    the product of the scanned digit and digit j.
    closed_word, closed_carry: the closed forms of both.
    """

    def happens(seen: Seen[Any], index: Index) -> Digit:
        ones = seen.params.radix - 1
        return (word(seen, index) & ones == ones) & (carry(seen, index) >= 1)

    def judged(p: Any, index: Index, a: int, b: int) -> bool:
        i, j = index
        at, ones = accumulator.at_pass(p, i, a, b), p.radix - 1
        return closed_word(p, at, j) & ones == ones and closed_carry(p, at, j) >= 1

    def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
        i, j = index
        k, ones = p.radix_bits, p.radix - 1
        x_max, s_max = accumulator.split(p, p.limits)
        for _ in range(ATTEMPTS):
            x = draw.below(x_max + 1)
            y = (draw.below(min(ones, s_max >> k * i) + 1)) | 1
            if y << k * i > s_max:
                return
            q = (x & ones) * y * p.digit_inverse & ones
            digit = (-1 - beside(p, x, y, q, j)) * int(gmpy2.invert(y, p.radix)) & ones
            x += (digit - (x >> k * j & ones)) << k * j
            if x <= x_max:
                s = with_high_part(draw, y << k * i, k * (i + 1), s_max)
                yield (s, x) if accumulator.scanned == A else (x, s)

    return Event(
        symbol,
        "=ones",
        statement=statement,
        hunts="a carry that is dropped in a word of ones",
        source=accumulator.source,
        where=places,
        happens=happens,
        construct=construct,
        closed=judged,
    )


def ripple_event(
    symbol: str,
    accumulator: Accumulator,
    *,
    places: Places,
    sums: Callable[[Seen[Any], Index], tuple[Digit, Digit]],
) -> Event[Any]:
    """The event that a word of the accumulator carries through all of the high half of a product of two digits.

    The product is the top bit of a digit times all ones, whose high half is all ones below its top bit. The index is
    (pass, word).

    places: (parameters) -> the indices at which it may happen.
    sums: (product, index) -> the word of the accumulator, and that word plus the product of digits.
    """

    def half(p: Any) -> int:
        return int(p.radix // 2)

    def happens(seen: Seen[Any], index: Index) -> Digit:
        word, total = sums(seen, index)
        p = seen.params
        return (total == word + half(p) * (p.radix - 1)) & (word >= half(p))

    def closed(p: Any, index: Index, a: int, b: int) -> bool:
        at, shift = accumulator.at_pass(p, index[0], a, b), p.radix_bits * index[1]
        product = (at.whole >> shift & p.radix - 1) * at.digit
        return bool(product == half(p) * (p.radix - 1) and at.before >> shift & p.radix - 1 >= half(p))

    def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
        i, j = index
        k, ones = p.radix_bits, p.radix - 1
        x_max, s_max = accumulator.split(p, p.limits)
        for _ in range(ATTEMPTS):
            x, s = draw.below(x_max + 1), draw.below(s_max + 1)
            word, digit = (half(p), ones) if draw.below(2) else (ones, half(p))
            x, s = with_word(x, k * j, k, word), with_word(s, k * i, k, digit)
            if closed(p, index, *((s, x) if accumulator.scanned == A else (x, s))):
                yield (s, x) if accumulator.scanned == A else (x, s)

    def reachable(p: Any, index: Index) -> str | None:
        """Neither factor is less than half the radix, since the other one is less than the radix."""
        for limit, at in zip(accumulator.split(p, p.limits), reversed(index), strict=True):
            if limit >> p.radix_bits * at < half(p):
                return f"a digit of an operand is at most {limit >> p.radix_bits * at:#x} there"
        return None

    return Event(
        symbol,
        "=ripple",
        statement="a word of the accumulator carries through the high half of a product",
        hunts="a carry chain of a sum that is cut in its high half",
        source=accumulator.source,
        where=places,
        happens=happens,
        construct=construct,
        reachable=reachable,
        closed=closed,
    )
