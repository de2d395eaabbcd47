# SPDX-License-Identifier: Apache-2.0
"""Events of Algorithm 2: those of CIOS, at visits in place of iterations."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from limbtrace.refmodels.event import Event
from limbtrace.refmodels.model import Index
from limbtrace.refmodels.papers.fpmm.cios import events as cios
from limbtrace.refmodels.papers.fpmm.fpmm.algorithm import SOURCE, Fpmm
from limbtrace.refmodels.serial_events import A, Accumulator, quotient_events, word_events

ACCUMULATOR = Accumulator(
    A, SOURCE,
    lambda params, index: params.radix_bits * (index[0] // params.sigma if index else params.digits),
)  # fmt: skip
"""T as it enters a visit: A is scanned, B is whole."""


def _visits(first: int) -> Callable[[Fpmm], Iterator[Index]]:
    """The visits of iteration `first` and the later ones of a product that begins in visit 0."""
    return lambda params: ((i * params.sigma,) for i in range(first, params.digits))


def _pass(params: Fpmm, index: Index) -> Index:
    return (index[0] // params.sigma,)


def _slots(params: Fpmm) -> Iterator[Index]:
    return ((g, j) for (g,) in _visits(1)(params) for j in range(params.digits))


def _iteration(params: Fpmm, index: Index) -> int:
    return index[0] // params.sigma


def _of_visits(event: Event[Any]) -> Event[Fpmm]:
    """An event of Algorithm 1 at visits, by which the steps are named here, instead of iterations."""

    def at(params: Fpmm, index: Index) -> Index:
        return (_iteration(params, index), *index[1:])

    closed = event.closed
    assert closed is not None
    return replace(
        event,
        construct=lambda params, index, draw: event.construct(params, at(params, index), draw),
        closed=lambda params, index, a, b: closed(params, at(params, index), a, b),
    )


EVENTS = (
    *quotient_events("q", SOURCE, places=_visits(0), digit=_iteration),
    *word_events("t_in", ACCUMULATOR, places=_slots),
    *cios.row_word_events(
        lambda params: ((g, j) for (g,) in _visits(0)(params) for j in range(params.digits)), _iteration
    ),
    cios.carried_event(
        lambda params: ((g, j) for (g,) in _visits(0)(params) for j in range(1, params.digits)), _iteration
    ),
    *map(
        _of_visits,
        cios.ones_events(lambda params: ((g, j) for (g,) in _visits(0)(params) for j in range(1, params.digits))),
    ),
    cios.largest_event("us", "the carry word of task 1", _visits(0), cios.largest_us, cios.row_carry, _pass),
    cios.largest_event("cs", "the carry of task 3 behind the row", _visits(0), cios.largest_c, cios.added_carry, _pass),
    *cios.result_events(),
)
