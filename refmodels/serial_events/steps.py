# SPDX-License-Identifier: Apache-2.0
"""Events of the value of any step."""

from collections.abc import Callable, Iterator
from typing import Any

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Event, Index, Pair, never
from limbtrace.refmodels.serial_events.accumulator import ATTEMPTS, Places


def drawn(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
    """Operands of any width or out of extreme digits: for what is not known how to construct."""
    a_max, b_max = p.limits
    width = p.radix_bits or 8
    for _ in range(ATTEMPTS):
        yield draw.pattern(a_max, width), draw.pattern(b_max, width)
        yield draw.between(0, a_max), draw.between(0, b_max)
        yield draw.of_any_width(a_max), draw.of_any_width(b_max)


def step_event(
    step: str,
    condition: str,
    *,
    statement: str,
    hunts: str,
    source: str,
    places: Places,
    happens: Callable[[Digit, Any, Index], Digit],
    construct: Callable[[Any, Index, Draw], Iterator[Pair]] = drawn,
    reachable: Callable[[Any, Index], str | None] = never,
    closed: Callable[[Any, Index, int, int], int] | None = None,
) -> Event[Any]:
    """An event about the value of one step.

    statement, hunts: the event in words, and the fault that it finds; source: the place in the paper.
    places: (parameters) -> the indices of the step at which it may happen.
    happens: (value of the step, parameters, index) -> whether it does; for ints and columns.
    construct: (parameters, index, random numbers) -> operands that ought to make it happen; drawn ones if not given.
    reachable: (parameters, index) -> why it cannot happen there, None if no reason is known.
    closed: (parameters, index, a, b) -> the value of the step, where that is known without the steps.
    """
    return Event(
        step,
        condition,
        statement=statement,
        hunts=hunts,
        source=source,
        where=places,
        happens=lambda seen, index: happens(seen.at(step, *index), seen.params, index),
        construct=construct,
        reachable=reachable,
        closed=None if closed is None else lambda p, index, a, b: bool(happens(closed(p, index, a, b), p, index)),
        blind=construct is drawn,
    )
