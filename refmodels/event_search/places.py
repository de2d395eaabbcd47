# SPDX-License-Identifier: Apache-2.0
"""Places of events, what is found of them, and the order in which they are looked at."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from math import gcd
from typing import Generic, TypeVar

from limbtrace.refmodels.event import Event, Index, Pair
from limbtrace.refmodels.model import Parameters

P = TypeVar("P", bound=Parameters)
_Item = TypeVar("_Item")

MOST_INDICES = 256
"""Indices of an event that are looked at, evenly spread, unless one is asked for by name."""
FIRST_CHUNKS = (8, 4, 4, 16, 64)
"""Places that are looked at together: few at first, so that the first case comes soon."""
RUN_CHUNKS = (256, 512)
"""Chunks after that, the last one again and again, where products are run: large batches cost less for each product."""
CLOSED_CHUNK = 64
"""Size of all chunks after the first ones, where closed forms judge all events and a large batch saves nothing."""

REACHABLE, UNREACHABLE, NOT_FOUND = "reachable", "unreachable", "not found"


@dataclass(frozen=True)
class Place(Generic[P]):
    """An event at an index."""

    event: Event[P]
    index: Index

    @cached_property
    def label(self) -> str:
        return self.event.label(self.index)


@dataclass(frozen=True)
class Occurrence(Generic[P]):
    """The search result for an event at a place."""

    place: Place[P]
    pair: Pair | None = None
    """Operands that make it happen."""
    reason: str = ""
    """The reason why none exist, or none were found."""
    excluded: bool = False
    """True if it is known that none exist."""
    lone: bool = False
    """True if its constructor found no operands, so that others are not to be expected."""
    exhausted: bool = False
    """True if all operands were tried."""

    @property
    def state(self) -> str:
        """Reachable, unreachable or not found."""
        return REACHABLE if self.pair is not None else UNREACHABLE if self.excluded else NOT_FOUND


def index_text(index: Index) -> str:
    """Subscripts as people write them."""
    return f"[{','.join(map(str, index))}]"


def spread(indices: list[Index]) -> list[Index]:
    """At most MOST_INDICES of them, the first and the last among them."""
    if len(indices) <= MOST_INDICES:
        return indices
    return [indices[k * (len(indices) - 1) // (MOST_INDICES - 1)] for k in range(MOST_INDICES)]


def in_turn(columns: Sequence[Sequence[_Item]]) -> list[_Item]:
    """The first item of each column, the second one of each that has one, and so on."""
    longest = max(map(len, columns), default=0)
    return [column[rank] for rank in range(longest) for column in columns if rank < len(column)]


def scattered(column: list[_Item]) -> list[_Item]:
    """The items with the first one first, in steps of about 0.618 of them, prime to their number.

    Where they are the places of a grid, row by row, the first few are in different rows and in different columns.
    """
    size = len(column)
    step = next((step for step in range(max(618 * size // 1000, 1), size + 1) if gcd(step, size) == 1), 1)
    return [column[k * step % size] for k in range(size)]


def varied(events: Sequence[Event[P]], columns: Sequence[list[Place[P]]]) -> list[Place[P]]:
    """All places in an order of which a short run sees much; `columns` has the places of each event.

    Neighbours differ in symbol, the places of an event in all subscripts, and a 0, which hides much, comes later.
    """
    symbols: dict[str, list[list[Place[P]]]] = {event.symbol: [] for event in events}
    known = sorted(zip(events, columns, strict=True), key=lambda pair: pair[0].condition == "=0")
    for event, column in known:
        symbols[event.symbol].append(scattered(column))
    return in_turn(in_turn(list(symbols.values())))


def chunks(run: bool, first: int = 0) -> Iterator[tuple[int, int]]:
    """(places in front, number of places) of each chunk, from the one that has place `first` on, without end.

    `run` is True if products have to be run for some of the places.
    """
    *growing, size = (*FIRST_CHUNKS, *RUN_CHUNKS) if run else (*FIRST_CHUNKS, CLOSED_CHUNK)
    at = 0
    for places in growing:
        if first < at + places:
            yield at, places
        at += places
    yield from ((begin, size) for begin in count(at + max(first - at, 0) // size * size, size))
