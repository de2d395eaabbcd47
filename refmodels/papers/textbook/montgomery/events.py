# SPDX-License-Identifier: Apache-2.0
"""Corner operands and events of a reduction: extreme m, and t around the modulus."""

from collections.abc import Callable, Iterator
from typing import Any

import gmpy2

from limbtrace.refmodels import value_events
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Event, Pair
from limbtrace.refmodels.model import Corner, Index
from limbtrace.refmodels.montgomery import corners
from limbtrace.refmodels.papers.textbook.montgomery.algorithm import SOURCE, Reduction
from limbtrace.refmodels.serial_events import quotient_digit

_SUBTRACTION = "a comparison with p that is off by one, or a subtraction that is missing"


def _where_reduced(p: Any) -> Iterator[Index]:
    """The place of a step that only reduced products have."""
    return iter(((),) if p.reduces else ())


def _beyond_domain(value: Callable[[Any], int]) -> Callable[[Any, Index], str | None]:
    """The reason why m, which is below R, never has a value."""
    return lambda p, index: f"m is below {p.domain}" if value(p) >= p.domain else None


Dividends = Callable[[Any, int, Draw], Iterator[Pair]]
"""(parameters, value, random numbers) -> operands that ought to make t that value."""


def reduction_events(
    by_sum: Dividends,
    by_quotient: Callable[[Any, int, Draw], Iterator[Pair]],
    no_multiple: Callable[[Any, Index], str | None],
) -> tuple[Event[Any], ...]:
    """Extreme m; t at and around p, and so with a subtraction or without one; extreme results."""
    sums: dict[str, Callable[[Any], int]] = {
        "=0": lambda p: 0, "=1": lambda p: 1, "=p-1": lambda p: int(p.modulus) - 1, "=p": lambda p: int(p.modulus),
        "=p+1": lambda p: int(p.modulus) + 1, "=2p-1": lambda p: 2 * int(p.modulus) - 1,
        "=2p": lambda p: 2 * int(p.modulus),
    }  # fmt: skip
    quotients: dict[str, Callable[[Any], int]] = {
        "=0": lambda p: 0, "=1": lambda p: 1, "=max": lambda p: p.domain - 1, "=2^(r-1)": lambda p: p.domain >> 1,
    }  # fmt: skip
    results: dict[str, Callable[[Any], int]] = value_events.result_values()

    def sum_event(name: str, value: Callable[[Any], int]) -> Event[Any]:
        def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
            yield from by_sum(p, value(p), draw)

        def reachable(p: Any, index: Index) -> str | None:
            if value(p) > p.largest_sum:
                return f"t is at most {p.largest_sum:#x}"
            return no_multiple(p, index) if name in ("=p", "=2p") else None

        return value_events.at_value("t", name, f"t is {name[1:]}", _SUBTRACTION, SOURCE, value, construct, reachable)

    def quotient_event(name: str, value: Callable[[Any], int]) -> Event[Any]:
        def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
            yield from by_quotient(p, value(p), draw)

        return value_events.at_value("m", name, f"m is {name[1:].replace('max', 'all ones')}",
                                    "a carry of the low halves that is lost", SOURCE, value, construct,
                                    _beyond_domain(value))  # fmt: skip

    def subtraction_event(name: str, words: str, times: int) -> Event[Any]:
        def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
            for _ in range(value_events.ATTEMPTS):
                yield (
                    tuple(limit - draw.of_any_width(limit) for limit in p.limits)
                    if times
                    else tuple(draw.of_any_width(limit) for limit in p.limits)
                )  # type: ignore[misc]
                wanted = times * int(p.modulus) + draw.below(int(p.modulus))
                yield from by_sum(p, wanted, draw)

        def happens(seen: Any, index: Index) -> Any:
            return seen.at("sub") == times if times < 2 else seen.at("sub") >= times

        def reachable(p: Any, index: Index) -> str | None:
            return f"t is at most {p.largest_sum:#x}" if times * p.modulus > p.largest_sum else None

        return Event(
            "sub",
            name,
            statement=words,
            hunts=_SUBTRACTION,
            source=SOURCE,
            where=_where_reduced,
            happens=happens,
            construct=construct,
            reachable=reachable,
        )

    def result_event(name: str, value: Callable[[Any], int]) -> Event[Any]:
        def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
            for times in range(3):
                yield from by_sum(p, value(p) + times * int(p.modulus), draw)

        return Event(
            "Z",
            name,
            statement=f"the result is {name[1:]}",
            hunts="a last step that is off by one",
            source=SOURCE,
            where=_where_reduced,
            happens=lambda seen, index: seen.at("Z") == value(seen.params),
            construct=construct,
        )

    return (
        *(quotient_event(name, value) for name, value in quotients.items()),
        *(sum_event(name, value) for name, value in sums.items()),
        subtraction_event("=0", "p is not subtracted", 0),
        subtraction_event("=1", "p is subtracted once", 1),
        subtraction_event(">=2", "p is subtracted twice or more often", 2),
        *(result_event(name, value) for name, value in results.items()),
    )


def _with_sum(p: Reduction, value: int, draw: Draw) -> Iterator[Pair]:
    """Products of the residue that t shall have; products of few bits for a small t."""
    wanted, modulus = value * p.domain, int(p.modulus)
    for _ in range(4):
        small = wanted - draw.below(min(p.domain, wanted // modulus + 1)) * modulus
        if 0 <= small <= p.largest_product:
            for a in (1, 2, 3, 4, 5, 7, max(p.limits[0], 1)):
                if small % a == 0:
                    yield small // a, a
    yield wanted % modulus, 1
    yield from value_events.with_residue(p, wanted, draw)
    for _ in range(value_events.ATTEMPTS // 2 if value % modulus else 0):
        a = p.limits[0] - draw.below(min(p.limits[0], 1 << 20) or 1)  # products that are nearly as large as can be
        if gmpy2.gcd(a, modulus) == 1:
            b = wanted * int(gmpy2.invert(a, modulus)) % modulus
            if b <= p.limits[1]:
                yield a, b + (p.limits[1] - b) // modulus * modulus
    if value % modulus == 0 and modulus <= p.limits[0]:
        for _ in range(value_events.ATTEMPTS):
            yield modulus, draw.of_any_width(p.limits[1])
            yield modulus * draw.between(1, p.limits[0] // modulus), p.limits[1] - draw.of_any_width(p.limits[1])


def _with_quotient(p: Reduction, value: int, draw: Draw) -> Iterator[Pair]:
    yield 1, -value * int(p.modulus) % p.domain
    for k in range(min(p.r, 64)):
        yield 1 << k, (-value * int(p.modulus) % p.domain) >> k
    for _ in range(value_events.ATTEMPTS):
        yield from quotient_digit(p, 0, value, draw)


def corner_operands(params: Reduction) -> Iterator[Corner]:
    """The corners of every Montgomery product, and a = 0 beside the largest b."""
    yield from corners(params)
    yield Corner(0, params.limits[1], "a = 0")


EVENTS: tuple[Event[Reduction], ...] = (
    *reduction_events(_with_sum, _with_quotient, value_events.no_multiple),
    *value_events.operand_events(SOURCE, "ab"),
)  # fmt: skip
