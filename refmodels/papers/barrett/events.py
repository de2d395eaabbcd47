# SPDX-License-Identifier: Apache-2.0
"""Events of a Barrett reduction: how far the estimate is off, and remainders next to multiples of p."""

from collections.abc import Callable, Iterator
from typing import Any

from limbtrace.refmodels import value_events
from limbtrace.refmodels.constrained_random import Draw, into_range
from limbtrace.refmodels.event import Event, Pair
from limbtrace.refmodels.integer_models import Steered, equals, once
from limbtrace.refmodels.model import Index
from limbtrace.refmodels.papers.barrett.family import REFERENCE, Estimate

OFF = 4
"""Distances of the estimate that have an event of their own: 0 to this."""
WhyNever = Callable[[Any, Index], str | None]
StepValue = Callable[[Any], int]
OperandsOfDividend = Callable[[Estimate, int, "int | None", Draw], Iterator[Pair]]
"""(parameters, distance, remainder or None for any, random numbers) -> operands whose x should have both."""


def dividends(params: Estimate, off: int, remainder: int | None, draw: Draw) -> Iterator[int]:
    """x with that remainder whose estimate is `off` too small, as far as they are found.

    The distance is at least k where x0*2^t + x1*m0 is above (r + (k-1)*p)*2^t, so that x0, the low bits of x, have to
    lie in an interval, which x1*m0 narrows down for all quotients of a range.
    """
    p, s, t, most = int(params.modulus), params.dropped, params.shift, int(params.largest_dividend)
    m0, low_bits = (1 << params.bits + params.alpha) % p, 1 << s
    for attempt in range(value_events.ATTEMPTS // 8):
        r = remainder
        if r is None:  # small for an estimate that is off, large for an exact one
            small = draw.of_any_width(p - 1) if attempt % 2 else 0
            r = small if off else p - 1 - small
        if r > most:
            continue
        last = (most - r) // p
        for first in (0, last // 2, last - last // 16, last - draw.of_any_width(last)):
            first_loss, last_loss = ((j * p + r >> s) * m0 for j in (first, last))
            low = max((r + (off - 1) * p << t) - first_loss >> t, -1) + 1
            high = min((r + off * p << t) - last_loss >> t, low_bits - 1)
            for end in (high, low_bits - 1) if high >= low else (low_bits - 1,):
                if low <= end and (j := into_range(draw, p, low_bits, low - r, end - r, first, last)) is not None:
                    yield j * p + r


def _too_far(off: int, remainder: StepValue | None) -> WhyNever:
    """The reason why no x with that remainder has an estimate that is so far off."""

    def reachable(p: Any, index: Index) -> str | None:
        if off > p.short:
            return f"the estimate is at most {p.short} too small"
        least = 0 if remainder is None else remainder(p)
        if off and least + (off - 1) * int(p.modulus) << p.shift >= p.largest_loss:
            return f"the low bits of x and the fraction cut off from mu are worth less than {off - 1}*p + {least:#x}"
        return f"x is at most {p.largest_dividend:#x}" if least > p.largest_dividend else None

    return reachable


def _both(*reasons: WhyNever) -> WhyNever:
    return lambda p, index: next((found for reason in reasons if (found := reason(p, index))), None)


def estimate_events(found: OperandsOfDividend, no_multiple: WhyNever) -> tuple[Event[Any], ...]:
    """Distances of the estimate, differences next to multiples of p, borrows, and the ends of the estimate.

    `found` makes operands of an x, and `no_multiple` is the reason why no x other than 0 is a multiple of p.
    """

    def steered(off: int, remainder: StepValue | None) -> Steered[Any]:
        return lambda p, index, draw: found(p, off, None if remainder is None else remainder(p), draw)

    def distance(off: int) -> Event[Any]:
        return Event(
            "qhat",
            f"=q-{off}" if off else "=q",
            statement=f"the estimate is {f'{off} too small' if off else 'exact'}",
            hunts="a correction that is missing, or made once too often",
            source=REFERENCE,
            where=once,
            happens=lambda seen, index: seen.at("q") - seen.at("qhat") == off,
            construct=steered(off, None),
            reachable=_too_far(off, None),
        )

    def difference(condition: str, value: StepValue, off: int, remainder: StepValue) -> Event[Any]:
        multiple = off > 0 and condition in ("=p", "=2p")
        reason = _too_far(off, remainder)
        return equals("rhat", condition, f"the difference before the corrections is {condition[1:]}",
                      "a comparison with p that is off by one", REFERENCE, value, steered(off, remainder),
                      _both(reason, no_multiple) if multiple else reason)  # fmt: skip

    differences: dict[str, tuple[StepValue, int, StepValue]] = {
        "=0": (lambda p: 0, 0, lambda p: 0),
        "=p-1": (lambda p: int(p.modulus) - 1, 0, lambda p: int(p.modulus) - 1),
        "=p": (lambda p: int(p.modulus), 1, lambda p: 0),
        "=p+1": (lambda p: int(p.modulus) + 1, 1, lambda p: 1),
        "=2p-1": (lambda p: 2 * int(p.modulus) - 1, 1, lambda p: int(p.modulus) - 1),
        "=2p": (lambda p: 2 * int(p.modulus), 2, lambda p: 0),
    }

    def ones(p: Any) -> tuple[int, int]:
        """Distance and remainder of a difference of ones alone."""
        off, remainder = divmod((1 << int(p.width)) - 1, int(p.modulus))
        return off, remainder

    def top_bit(p: Any) -> tuple[int, int]:
        """Distance and remainder of the least difference with its top bit."""
        off, remainder = divmod(1 << int(p.width) - 1, int(p.modulus))
        return off, remainder

    return (
        *(distance(off) for off in range(OFF + 1)),
        *(difference(condition, *of) for condition, of in differences.items()),
        equals("rhat", "=2^width-1", "the difference is all ones", "a difference that is cut", REFERENCE,
               lambda p: int((1 << p.width) - 1), lambda p, index, draw: found(p, *ones(p), draw),
               lambda p, index: _too_far(ones(p)[0], lambda p: ones(p)[1])(p, index)),
        Event(
            "rhat",
            ">=2^(width-1)",
            statement="the difference has its top bit",
            hunts="a difference that is a bit too short, or compared without its top bit",
            source=REFERENCE,
            where=once,
            happens=lambda seen, index: seen.at("rhat") >> seen.params.width - 1 != 0,
            construct=lambda p, index, draw: found(p, *top_bit(p), draw),
            reachable=lambda p, index: _too_far(top_bit(p)[0], lambda p: top_bit(p)[1])(p, index),
        ),
        Event(
            "rhat",
            "=borrow",
            statement="the low bits of x are below those of q^*p",
            hunts="a borrow that is not dropped",
            source=REFERENCE,
            where=once,
            happens=lambda seen, index: seen.at("xlow") < seen.at("qplow"),
            construct=steered(0, None),
            reachable=lambda p, index: (
                "all bits of x are low ones" if p.largest_dividend.bit_length() <= p.width else None
            ),
        ),
        equals("qhat", "=0", "the estimate is 0", "an estimate that is taken for exact", REFERENCE, lambda p: 0,
               lambda p, index, draw: found(p, 0, int(p.modulus) - 1, draw)),
        equals("x1", "=0", "x has low bits alone", "a shift that is off by one", REFERENCE, lambda p: 0),
        equals("x1", "=max", "the high bits of x are as large as they can be", "a product that is cut", REFERENCE,
               lambda p: int(p.largest_dividend) >> p.dropped,
               lambda p, index, draw: iter([p.limits])),
    )  # fmt: skip
