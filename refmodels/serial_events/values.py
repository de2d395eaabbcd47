# SPDX-License-Identifier: Apache-2.0
"""Events of what the accumulator holds: words, runs of digits, and ranges such as those around the modulus."""

from collections.abc import Callable, Iterator
from typing import Any

import gmpy2

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Event, Index, Pair, Seen, never
from limbtrace.refmodels.serial_events.accumulator import Accumulator, ByPass, Places


def word_events(
    step: str,
    accumulator: Accumulator,
    *,
    places: Places,
    word: Callable[[Any, Index], int] = lambda params, index: index[-1],
    width: Callable[[Any], int] = lambda params: int(params.radix_bits),
    read: Callable[[Seen[Any], Index], Digit] | None = None,
) -> tuple[Event[Any], ...]:
    """Two events about a word of the accumulator: `=0`, and `=max`, which is all ones.

    places: (parameters) -> the indices at which they may happen.
    word: (parameters, index) -> the number of the word, the lowest being 0; the last subscript if not given.
    width: (parameters) -> bits of a word; those of a digit if not given.
    read: (product, index) -> the word, unless it is the step `step`.
    """
    seen_word = read or (lambda seen, index: seen.at(step, *index))

    def event(condition: str, words: str, ones: int) -> Event[Any]:
        def value(p: Any) -> int:
            return ones * ((1 << width(p)) - 1)

        def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
            w, low = width(p), width(p) * word(p, index)
            yield from accumulator.bits(p, index, value(p) << low, (value(p) + 1 << low) - 1, low + w, draw)

        return Event(
            step,
            condition,
            statement=f"a word of the accumulator is {words}",
            hunts="a carry that is lost or made in a word of zeros or of ones",
            source=accumulator.source,
            where=places,
            happens=lambda seen, index: seen_word(seen, index) == value(seen.params),
            construct=construct,
            reachable=never
            if accumulator.signed
            else lambda p, index: accumulator.excluded(p, index, value(p) << width(p) * word(p, index)),
            closed=lambda p, index, a, b: (
                accumulator.value(p, index, a, b) >> width(p) * word(p, index) & (1 << width(p)) - 1 == value(p)
            ),
        )

    return event("=0", "0", 0), event("=max", "all ones", 1)


def run_events(
    symbol: str,
    accumulator: Accumulator,
    *,
    places: Places,
    digit: Callable[[Seen[Any], int, int], Digit],
    carry: Callable[[Seen[Any], int, int], Digit],
    after: Callable[[int], Index] = lambda i: (i + 1,),
    width: Callable[[Any], int] = lambda params: int(params.radix_bits),
    closed: ByPass | None = None,
) -> tuple[Event[Any], ...]:
    """Two events about the low digits of the accumulator, `=0` and `=max`; the index is (pass from 0 on, count L).

    L digits of 0 with a carry into the one above them are what a carry leaves that rippled through all of them; L
    digits of ones are what one more carry would ripple through.

    places: (parameters) -> the indices at which they may happen.
    digit: (product, pass, j) -> digit j of the accumulator that the pass leaves.
    carry: (product, pass, j) -> the carry of the pass into digit j.
    after: (pass) -> the index of the accumulator that the pass leaves.
    width: (parameters) -> bits of a digit.
    closed: the closed form of `carry`; without it a product has to be run for `=0`.
    """

    def event(condition: str, words: str, ones: int) -> Event[Any]:
        def wanted(p: Any, L: int) -> int:
            return ones * ((1 << width(p) * L) - 1)

        def happens(seen: Seen[Any], index: Index) -> Digit:
            i, L = index
            found = (carry(seen, i, L) >= 1) | (ones == 1)
            for j in range(L):
                found = found & (digit(seen, i, j) == wanted(seen.params, 1))
            return found

        def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
            i, L = index
            value = wanted(p, L)
            yield from accumulator.bits(p, after(i), value, value, width(p) * L, draw)

        def reachable(p: Any, index: Index) -> str | None:
            i, L = index
            return accumulator.excluded(p, after(i), (1 << width(p) * L) - ones)

        def judged(p: Any, index: Index, a: int, b: int) -> bool:
            i, L = index
            total, value = accumulator.value(p, after(i), a, b), wanted(p, L)
            if total & (1 << width(p) * L) - 1 != value:
                return False
            return ones == 1 or closed is None or closed(p, accumulator.at_pass(p, i, a, b), L) >= 1

        return Event(
            symbol,
            condition,
            statement=f"the L low digits that a pass leaves are {words}",
            hunts="a carry chain that is cut, or a carry that is dropped in a word of ones",
            source=accumulator.source,
            where=places,
            happens=happens,
            construct=construct,
            reachable=reachable,
            closed=judged if ones or closed is not None else None,
        )

    return event("=0", "0, and a carry goes in above them", 0), event("=max", "all ones", 1)


def range_event(
    symbol: str,
    condition: str,
    *,
    statement: str,
    hunts: str,
    accumulator: Accumulator,
    places: Places,
    bounds: Callable[[Any], tuple[int, int]],
    value: Callable[[Seen[Any], Index], Digit],
) -> Event[Any]:
    """The event that the accumulator is in a range.

    statement, hunts: the event in words, and the fault that it finds.
    places: (parameters) -> the indices at which it may happen.
    bounds: (parameters) -> least and largest value of the range, inclusive.
    value: (product, index) -> the accumulator.
    """

    def happens(seen: Seen[Any], index: Index) -> Digit:
        low, high = bounds(seen.params)
        found = value(seen, index)
        return (found >= low) & (found <= high)

    def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
        yield from accumulator.ranges(p, index, *bounds(p), draw)

    def reachable(p: Any, index: Index) -> str | None:
        low, high = bounds(p)
        if low > high:
            return "no number is in this range at these parameters"
        if low == high == p.added > max(p.limits) and gmpy2.is_prime(p.added):
            return "the modulus is prime and divides no product of smaller operands but 0"
        return accumulator.excluded(p, index, low)

    def closed(p: Any, index: Index, a: int, b: int) -> bool:
        low, high = bounds(p)
        return low <= accumulator.value(p, index, a, b) <= high

    return Event(
        symbol,
        condition,
        statement=statement,
        hunts=hunts,
        source=accumulator.source,
        where=places,
        happens=happens,
        construct=construct,
        reachable=reachable,
        closed=closed,
    )


_SUBTRACTION = "a comparison with the modulus that is off by one, or a top word that is left out of it"


def around_modulus(
    symbol: str,
    accumulator: Accumulator,
    *,
    places: Places,
    value: Callable[[Seen[Any], Index], Digit],
    modulus: str = "p",
) -> tuple[Event[Any], ...]:
    """Seven events about the accumulator: it is 0, 1, the modulus or next to it, above it, or at least twice that.

    places: (parameters) -> the indices at which they may happen.
    value: (product, index) -> the accumulator.
    modulus: the name, in the conditions, of the multiple of the modulus that is added.
    """
    bounds: dict[str, Callable[[Any], tuple[int, int]]] = {
        "=0": lambda params: (0, 0),
        "=1": lambda params: (1, 1),
        f"={modulus}-1": lambda params: (params.added - 1,) * 2,
        f"={modulus}": lambda params: (params.added,) * 2,
        f"={modulus}+1": lambda params: (params.added + 1,) * 2,
        f">{modulus}": lambda params: (params.added + 1, 4 * params.added),
        f">=2{modulus}": lambda params: (2 * params.added, 8 * params.added),
    }
    return tuple(
        range_event(
            symbol,
            name,
            statement=f"{symbol} is {name.removeprefix('=')}",
            hunts=_SUBTRACTION,
            accumulator=accumulator,
            places=places,
            bounds=limits,
            value=value,
        )
        for name, limits in bounds.items()
    )
