# SPDX-License-Identifier: Apache-2.0
"""Corner operands and events of HFFM: corrections of line 8, the carry of line 9, the end that Algorithm 1 lacks."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import islice

import gmpy2

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw, with_high_part
from limbtrace.refmodels.event import Condition, Event, Pair, Seen
from limbtrace.refmodels.integer_models import (
    Steered,
    common_corners,
    constant,
    draws,
    equals,
    once,
    result_events,
    with_result,
)
from limbtrace.refmodels.model import PRINTED, Corner, Index
from limbtrace.refmodels.papers.sidh.hffm.algorithm import LAST, SOURCE, Hffm
from limbtrace.refmodels.papers.sidh.hffm.claims import most_corrections

_NEAR = (
    (1, 1), (1, 2), (1, 5), (1, 8), (1, 10), (1, 13), (1, 15), (1, 28), (1, 29), (1, 56), (1, 115), (1, 149), (8, 119),
    (9, 119), (26, 105), (30, 27), (471, 29),
)  # fmt: skip
"""Distances from p of operands for which some reading of the half Barrett needs most corrections."""
_CARRIES = (1, 2, 3, 9, 38)
"""b = p - t*D with one of these t gives the largest carry for the primes of the paper."""
_OVERFLOWS = (0, 3, 43)
"""b1 = 2^(a-1) + k with one of these k gives a c2 that leaves its range while C stays below p."""


@lru_cache(maxsize=64)
def corner_operands(params: Hffm) -> tuple[Corner, ...]:
    """The ends of the ranges, the second zero, large carries, and what needs most corrections in the half Barrett."""
    p, a, D, form = params.modulus, params.a, params.D, params.special
    top = 1 << a
    corners = [
        Corner(p - 1, p - 1, "both digits leave their ranges in line 9: C is p + 1"),
        Corner(p, p, "the second zero, twice"),
        Corner(p, p - 1, "the second zero: C is p in line 9"),
        Corner(1, p, "the second zero: C is p in line 9"),
        Corner(form.f * form.l ** (form.b // 2), form.l ** -(-form.b // 2), "c2 = D: the estimate 0 is corrected"),
        *(Corner(p - 1, p - t * D, "a large carry in line 9") for t in _CARRIES),
    ]
    for k in _OVERFLOWS:
        b1 = (top >> 1) + k
        corners.append(Corner(D - 1, b1 * D + ((D - 1) * b1 >> a) + 1, "c2 leaves its range and C does not"))
    corners += [Corner(p - x, p - y, "the largest dividends of the half Barrett") for x, y in _NEAR]
    corners += [
        Corner((top - 1) * D, (top - 1) * D, "a1, b1 all ones, a2 = b2 = 0"),
        Corner(D - 1, D - 1, "a1 = b1 = 0, a2 and b2 as large as can be"),
        Corner((top - 1) * D, D - 1, "a1 all ones and a2 = 0, b1 = 0 and b2 as large as can be"),
        *(Corner(x, p - 1, "a power of two and its neighbours") for x in (top - 1, top, top + 1)),
        *(Corner(D * (1 << k) + e, p - 2, "around D*2^k") for k in (0, a // 2, a - 1) for e in (-1, 0, 1)),
        *common_corners(p, p),
    ]
    for x in (3, D + 1, p - 3, p // 3):
        if 0 < x < p and gmpy2.gcd(x, p) == 1:
            inverse = int(gmpy2.invert(x, p))
            corners += [Corner(x, v * inverse % p, "a small result: C may be p or more in line 9")
                        for v in (1, params.carry_limit)]  # fmt: skip
    return tuple(corner for corner in corners if min(corner.a, corner.b) >= 0 and max(corner.a, corner.b) <= p)


def _low_digits(offset: int) -> Steered[Hffm]:
    """a1 = b1 = 0, so that c2 is a2*b2: next to a multiple of D."""

    def construct(params: Hffm, index: Index, draw: Draw) -> Iterator[Pair]:
        D = params.D
        for _ in range(64):
            a2 = draw.between(1, D - 1)
            factor = int(gmpy2.gcd(a2, D))
            if offset == 0:
                yield a2, D // factor * draw.between(1, max(factor - 1, 1))
                yield draw.between(1, D - 1), 0
                l = params.special.l  # noqa: E741 - the paper's letter
                yield D // l, l * draw.between(1, max(D // l - 1, 1)) % D
            if factor == 1:
                yield a2, offset * int(gmpy2.invert(a2, D)) % D
        yield from draws(params, index, draw)

    return construct


def _by_one(c1: Callable[[Hffm], int], c2: Callable[[Hffm], int]) -> Steered[Hffm]:
    """a*1, whose digits are those of a: c1 and c2, and products that leave the same."""

    def construct(params: Hffm, index: Index, draw: Draw) -> Iterator[Pair]:
        p = params.modulus
        a = c1(params) * params.D + c2(params)
        if 0 <= a <= p:
            yield a, 1
            yield 1, a
        yield from with_result(params, a % p, draw)

    return construct


def _ends(params: Hffm, index: Index, draw: Draw) -> Iterator[Pair]:
    """Small results and large operands: where digits leave their ranges and C is p or more."""
    p, D = params.modulus, params.D
    for _ in range(64):
        yield from islice(with_result(params, draw.below(params.carry_limit + 1), draw), 1)
        yield p - draw.of_any_width(D), p - draw.of_any_width(D)
        yield p - 1, p - draw.of_any_width(params.bits) * D % p
        yield D - 1 - draw.of_any_width(3), draw.below(p)
        yield p - draw.below(4), draw.below(p + 1)


_CORRECTION = "a correction that is missing, or made once too often"
_END = "the end that Algorithm 1 lacks: a digit that leaves its range, or p for 0"


def _end(params: Hffm) -> Iterator[Index]:
    """The place of a step of the end, which the printed form lacks."""
    if params.form != PRINTED:
        yield ()


def _hole_event(end: str) -> Event[Hffm]:
    """c1 is all ones but for one bit; bits are counted from either end, so that both ends come first."""

    def c1(p: Hffm, i: int) -> int:
        return (1 << p.a) - 1 - (1 << (i if end == "low" else p.a - 1 - i))

    def construct(params: Hffm, index: Index, draw: Draw) -> Iterator[Pair]:
        return _by_one(lambda p: c1(p, *index), lambda p: p.D - 1)(params, index, draw)

    return Event(
        "c1@9",
        f"_{end}_hole",
        statement=f"c1 is all ones but for bit i from the {end} end, and c2 is D - 1",
        hunts="a test for all ones that leaves out a bit",
        source=LAST,
        where=lambda params: ((i,) for i in range((params.a + (end == "low")) // 2)),
        happens=lambda seen, index: (
            (seen.at("c1@9") == c1(seen.params, *index)) & (seen.at("c2@9") == seen.params.D - 1)
        ),
        construct=construct,
    )


def _half_event(i: int, most: Callable[[Hffm], int]) -> Event[Hffm]:
    """A word of N bits is multiplied in halves, and these in pieces; `most` is the largest digit i of an operand."""

    def happens(seen: Seen[Hffm], index: Index) -> Digit:
        p = seen.params
        half, piece = p.N // 2, p.N // p.split_into
        x, y = (seen.at(f"{operand}{i}") & (1 << half) - 1 for operand in "ab")
        top = (x >> half - piece) * (y >> half - piece)
        return (x * y >> p.N - 1 == 1) & (top >> 2 * piece - 1 == 0)

    def construct(params: Hffm, index: Index, draw: Draw) -> Iterator[Pair]:
        half, piece, limit = params.N // 2, params.N // params.split_into, most(params)
        for _ in range(64):
            x = (1 << half - 1) + draw.below(1 << half - piece)
            y = draw.between(min(-(-(1 << params.N - 1) // x), (1 << half) - 1), (1 << half) - 1)
            if max(x, y) <= limit:
                digits = [with_high_part(draw, low, half, limit) for low in ((x, y), (y, x))[draw.below(2)]]
                yield _with_digit(params, i, digits[0], draw), _with_digit(params, i, digits[1], draw)

    def reachable(params: Hffm, index: Index) -> str | None:
        if most(params) < 1 << params.N // 2 - 1:
            return "the low half of a word has more bits than the digit, and their product does not fill it"
        return None

    return Event(
        f"a{i}b{i}",
        "_half",
        statement=f"the product of the low halves of a{i} and b{i} has its top bit from a carry: that of "
        "the top pieces has not",
        hunts="a carry chain that is cut below its top bit",
        source=SOURCE,
        where=once,
        happens=happens,
        construct=construct,
        reachable=reachable,
    )


def _with_digit(params: Hffm, i: int, digit: int, draw: Draw) -> int:
    """An operand with that digit 1 or 2; the other one is drawn."""
    if i == 1:
        return digit * params.D + draw.below(params.D)
    return draw.below(1 << params.a) * params.D + digit


def _moved_to(down: int) -> Condition[Hffm]:
    """D moves to a c1 of 2^a - down."""
    return lambda seen, index: (seen.at("fix") == 1) & (seen.at("c1@9") == (1 << seen.params.a) - down)


def _at_the_end(event: Event[Hffm]) -> Event[Hffm]:
    return replace(event, where=_end)


def _carry_event(value: int) -> Event[Hffm]:
    def reachable(params: Hffm, index: Index) -> str | None:
        return f"the carry is at most {params.carry_limit}" if value > params.carry_limit else None

    return equals(
        "carry@9", f"={value}", f"the carry of line 9 is {value}", "a carry that is cut to fewer bits", SOURCE,
        lambda params: value, _ends, reachable,
    )  # fmt: skip


def _correction_event(value: int) -> Event[Hffm]:
    def reachable(params: Hffm, index: Index) -> str | None:
        most = most_corrections(params)
        return f"at most {most} are needed" if value > most else None

    return equals(
        "barrett.corr", f"={value}", f"D is subtracted {value} times", _CORRECTION, SOURCE, lambda params: value,
        _low_digits(0) if value == 1 else _near_the_largest if value else draws, reachable,
    )  # fmt: skip


def _near_the_largest(params: Hffm, index: Index, draw: Draw) -> Iterator[Pair]:
    """The largest dividends, whose estimates lose most."""
    p = params.modulus
    for _ in range(64):
        yield p - draw.of_any_width(params.n // 2), p - draw.of_any_width(params.n // 2)
        yield p - draw.of_any_width(params.bits), p - draw.of_any_width(params.n)


EVENTS: tuple[Event[Hffm], ...] = (
    *map(_correction_event, (0, 1, 2)),
    *(
        equals(
            "barrett.rhat",
            condition,
            f"the remainder before the correction is {condition[1:]}",
            "a comparison with D that is off by one",
            SOURCE,
            value,
            _low_digits(offset),
        )
        for condition, value, offset in (
            ("=D-1", lambda p: p.D - 1, -1),
            ("=D", lambda p: p.D, 0),
            ("=D+1", lambda p: p.D + 1, 1),
        )
    ),
    equals("barrett.qhat", "=0", "the estimate is 0", _CORRECTION, SOURCE, lambda p: 0, _low_digits(1)),
    equals("q", "=D", "the quotient is D", "a quotient that is cut", SOURCE, lambda p: p.D, _near_the_largest),
    *map(_carry_event, (0, 1, 2, 3)),
    *(
        _at_the_end(
            equals("fix", f"={value}", f"D moves from c2 to c1 {value} times", _END, LAST, constant(value), _ends)
        )
        for value in (0, 1)
    ),
    *(
        Event(
            "fix",
            condition,
            statement=f"D moves to a c1 of {words}",
            hunts=_END,
            source=LAST,
            where=_end,
            happens=_moved_to(down),
            construct=_ends,
        )
        for condition, words, down in (("_carries", "2^a - 1, which carries", 1), ("_fills", "2^a - 2", 2))
    ),
    equals(
        "c1@9",
        "=max",
        "c1 is 2^a - 1",
        _END,
        SOURCE,
        lambda p: (1 << p.a) - 1,
        _by_one(lambda p: (1 << p.a) - 1, lambda p: 0),
    ),
    equals("c2@9", "=D-1", "c2 is D - 1", _END, SOURCE, lambda p: p.D - 1, _by_one(lambda p: 0, lambda p: p.D - 1)),
    equals("c2@9", "=D", "c2 is D", _END, SOURCE, lambda p: p.D, _ends),
    *(
        equals("C@9", condition, f"C is {condition[1:]} after line 9", _END, SOURCE, value, _ends)
        for condition, value in (("=p", lambda p: p.modulus), ("=p+1", lambda p: p.modulus + 1))
    ),
    equals(
        "C@9",
        "=p-1",
        "C is p - 1 after line 9",
        _END,
        SOURCE,
        lambda p: p.modulus - 1,
        _by_one(lambda p: (1 << p.a) - 1, lambda p: p.D - 2),
    ),
    *(
        _at_the_end(
            equals(
                "is_p", f"={value}", f"the value is {'p' if value else 'not p'}", _END, LAST, constant(value), construct
            )
        )
        for value, construct in ((0, draws), (1, _ends))
    ),
    *(
        equals(
            name,
            condition,
            f"{name} is {condition[1:]}",
            "a sum of products that is cut",
            SOURCE,
            value,
            _by_one(value, lambda p: p.D - 1),
        )
        for name in ("a1", "b1")
        for condition, value in (("=0", lambda p: 0), ("=max", lambda p: (1 << p.a) - 1))
    ),
    *(
        equals(
            name,
            condition,
            f"{name} is {condition[1:]}",
            "a sum of products that is cut",
            SOURCE,
            value,
            _by_one(lambda p: 1, value),
        )
        for name in ("a2", "b2")
        for condition, value in (("=0", lambda p: 0), ("=D-1", lambda p: p.D - 1))
    ),
    _half_event(1, lambda p: (1 << p.a) - 1),
    _half_event(2, lambda p: p.D - 1),
    *result_events(LAST),
    *map(_hole_event, ("high", "low")),
)
"""The lines up to 9 and the end; the printed form has no end, and none of the events about it."""
