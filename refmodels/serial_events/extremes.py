# SPDX-License-Identifier: Apache-2.0
"""Events of extreme operands, and of extreme digits of the operands and of the quotient."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw, into_range
from limbtrace.refmodels.event import Event, Index, Pair, Seen
from limbtrace.refmodels.montgomery import DigitSerial, Montgomery
from limbtrace.refmodels.serial_events.accumulator import ATTEMPTS, A, B, Places


@lru_cache
def digit_values(k: int) -> Mapping[str, int]:
    """Extreme digits of k bits by their names, each value once."""
    top = 1 << (k - 1)
    named = {"=0": 0, "=max": (1 << k) - 1, "=2^(k-1)-1": top - 1, "=2^(k-1)": top, "=2^(k-1)+1": top + 1}
    values: dict[str, int] = {}
    for name, value in named.items():
        if value < 1 << k and value not in values.values():
            values[name] = value
    return values


EXTREME_DIGITS = {
    "=0": "0",
    "=max": "all ones",
    "=2^(k-1)-1": "all ones but for its top bit",
    "=2^(k-1)": "its top bit alone",
    "=2^(k-1)+1": "its top bit and its low one",
}
"""The conditions of `digit_values`, in words."""


def where_valid(condition: str, places: Places) -> Places:
    """The places of an event about a digit, none where digits of so many bits have no such value."""
    return lambda params: places(params) if condition in digit_values(params.radix_bits) else ()


def quotient_events(
    step: str, source: str, *, places: Places, digit: Callable[[Any, Index], int] = lambda params, index: index[0]
) -> tuple[Event[Any], ...]:
    """An event for each extreme value of a quotient digit: 0, all ones, its top bit and what is next to that.

    places: (parameters) -> the indices of the step at which they may happen.
    digit: (parameters, index) -> which digit of Q it is, below 0 if it is not one; the first subscript if not given.
    """

    def event(condition: str, words: str) -> Event[DigitSerial]:
        def value(p: DigitSerial) -> int:
            return digit_values(p.radix_bits)[condition]

        def happens(seen: Seen[DigitSerial], index: Index) -> Digit:
            return seen.at(step, *index) == value(seen.params)

        def closed(p: DigitSerial, index: Index, a: int, b: int) -> bool:
            i = digit(p, index)
            Q = a * b * p.negative_inverse
            return (Q >> p.radix_bits * i & p.radix - 1 if i >= 0 else 0) == value(p)

        def construct(p: DigitSerial, index: Index, draw: Draw) -> Iterator[Pair]:
            i = digit(p, index)
            for _ in range(ATTEMPTS if i >= 0 else 0):
                yield from quotient_digit(p, i, value(p), draw)

        def reachable(p: DigitSerial, index: Index) -> str | None:
            excluded = digit(p, index) < 0 and value(p) != 0
            return "the first quotient digit is 0, since nothing was added before it" if excluded else None

        return Event(
            step,
            condition,
            statement=f"the quotient digit is {words}",
            hunts="a quotient digit that is cut, or a multiple of the modulus that is wrong for extreme digits",
            source=source,
            where=where_valid(condition, places),
            happens=happens,
            construct=construct,
            reachable=reachable,
            closed=closed,
        )

    return tuple(event(condition, words) for condition, words in EXTREME_DIGITS.items())


def quotient_digit(p: Montgomery, i: int, value: int, draw: Draw) -> Iterator[Pair]:
    """One pair or none: digit i of Q is `value`."""
    k = getattr(p, "radix_bits", None) or p.r_bits
    a_max, b_max = p.limits
    a = draw.between(min(1, a_max), a_max)
    m = 1 << k * (i + 1)
    b = into_range(draw, a * p.negative_inverse % m, m, value << k * i, (value + 1 << k * i) - 1, 0, b_max)
    if b is not None:
        yield a, b


def operand_events(
    source: str, *, modulus: str = "p", digits: bool = True, added: str = "", unary: bool = False
) -> tuple[Event[Any], ...]:
    """Events about either operand: it is 0, 1, the modulus or next to it, or as large as it may be.

    modulus: its name in the conditions.
    digits: whether there are events about each digit of the operands, too.
    added: the name of the multiple of the modulus that is added, unless it is the modulus itself.
    unary: True if there is only a.
    """
    values: dict[str, Callable[[Any, int], int]] = {
        "=0": lambda p, limit: 0,
        "=1": lambda p, limit: 1,
        f"={modulus}-1": lambda p, limit: p.modulus - 1,
        f"={modulus}": lambda p, limit: p.modulus,
        f"={modulus}+1": lambda p, limit: p.modulus + 1,
        "=max": lambda p, limit: limit,
    }
    if added:
        values |= {
            f"={added}-1": lambda p, limit: p.added - 1,
            f"={added}": lambda p, limit: p.added,
            f"={added}+1": lambda p, limit: p.added + 1,
        }
    operands = (A,) if unary else (A, B)
    events = [_operand(source, which, name, value) for name, value in values.items() for which in operands]
    return (*events, *(operand_digit_events(source, operands=operands) if digits else ()))


def operand_digit_events(source: str, operands: tuple[int, ...] = (A, B)) -> tuple[Event[Any], ...]:
    """An event for each extreme value of a digit of an operand; the index is the number of the digit.

    operands: those that have digits, A and B if not given.
    """
    return tuple(
        _operand_digit(source, which, name, words) for name, words in EXTREME_DIGITS.items() for which in operands
    )


def _operand(source: str, which: int, condition: str, value: Callable[[Any, int], int]) -> Event[Any]:
    def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
        for _ in range(ATTEMPTS):
            pair = [draw.below(limit + 1) for limit in p.limits]
            pair[which] = value(p, p.limits[which])
            yield pair[A], pair[B]

    def reachable(p: Any, index: Index) -> str | None:
        limit = p.limits[which]
        return f"the operand is at most {limit:#x}" if value(p, limit) > limit else None

    def happens(seen: Seen[Any], index: Index) -> Digit:
        return (seen.a, seen.b)[which] == value(seen.params, seen.params.limits[which])

    name = "ab"[which]
    return Event(
        name,
        condition,
        statement=f"{name} is {condition.removeprefix('=').replace('max', 'as large as it may be')}",
        hunts="an operand that is taken for reduced, or a needless special case",
        source=source,
        where=lambda params: ((),),
        happens=happens,
        construct=construct,
        reachable=reachable,
        closed=lambda p, index, a, b: (a, b)[which] == value(p, p.limits[which]),
    )


def _operand_digit(source: str, which: int, condition: str, words: str) -> Event[Any]:
    name = f"{'ab'[which]}.digit"

    def value(p: Any) -> int:
        return digit_values(p.radix_bits)[condition]

    def places(p: Any) -> Iterable[Index]:
        return ((j,) for j in range(-(-p.limits[which].bit_length() // p.radix_bits)))

    def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
        shift = p.radix_bits * index[0]
        for _ in range(ATTEMPTS):
            pair = [draw.below(limit + 1) for limit in p.limits]
            pair[which] += (value(p) - (pair[which] >> shift) % p.radix) << shift
            yield pair[A], pair[B]

    def reachable(p: Any, index: Index) -> str | None:
        limit, least = p.limits[which], value(p) << p.radix_bits * index[0]
        return f"the operand is at most {limit:#x}" if least > limit else None

    return Event(
        name,
        condition,
        statement=f"a digit of {'ab'[which]} is {words}",
        hunts="a product of digits that is wrong for extreme ones",
        source=source,
        where=where_valid(condition, places),
        happens=lambda seen, index: (
            ((seen.a, seen.b)[which] >> seen.params.radix_bits * index[0]) % seen.params.radix == value(seen.params)
        ),
        construct=construct,
        reachable=reachable,
        closed=lambda p, index, a, b: ((a, b)[which] >> p.radix_bits * index[0]) % p.radix == value(p),
    )
