# SPDX-License-Identifier: Apache-2.0
"""Candidates that the constructors of events offer, judged: in closed form, or by running their products together."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from limbtrace.refmodels.event import Observed, Pair
from limbtrace.refmodels.event_search.places import P, Place
from limbtrace.refmodels.event_search.products import Products


@dataclass(frozen=True)
class Wanted(Generic[P]):
    """A place that operands are wanted for, in a turn."""

    turn: int
    place: Place[P]
    known: Pair | None = None
    """Operands of an earlier turn."""
    enough: bool = False
    """True if no others are sought."""


@dataclass(frozen=True)
class Budget:
    """The number of candidates that are tried for a place."""

    attempts: tuple[int, ...]
    """Candidates of each place that are run together, one attempt after the other."""
    in_closed_form: int
    """Candidates where a closed form judges, which takes microseconds."""
    shared: bool = False
    """True if a place that is missed may take what was run for another one."""


Candidates = Callable[[Wanted[P]], Iterator[Pair]]
"""(what is wanted) -> accepted pairs that ought to make it happen."""

_Entry = tuple[int, list[Pair]]
"""(number of what is wanted, candidates for it)"""


def search(
    products: Products[P], wanted: Sequence[Wanted[P]], candidates: Candidates[P], budget: Budget
) -> list[Pair | None]:
    """For each of what is wanted the first candidate that makes the event happen, or else the pair that is known."""
    found = _Search(products, wanted, budget)
    to_run: dict[int, Iterator[Pair]] = {}
    for number, what in enumerate(wanted):
        offered = iter(()) if what.enough else candidates(what)
        if products.judges(what.place):
            found.judge(number, offered)
        elif products.may_run:
            to_run[number] = offered
    for attempt, size in enumerate(budget.attempts):
        found.run(to_run, size, first=attempt == 0)
    return [what.known if pair is None else pair for what, pair in zip(wanted, found.pairs, strict=True)]


class _Search(Generic[P]):
    """The findings so far: a pair, or None, for each of what is wanted."""

    def __init__(self, products: Products[P], wanted: Sequence[Wanted[P]], budget: Budget) -> None:
        self._products, self._wanted, self._budget = products, wanted, budget
        self.pairs: list[Pair | None] = [None] * len(wanted)

    def judge(self, number: int, offered: Iterator[Pair]) -> None:
        """Enters the first of these that makes the event happen by its closed form."""
        place = self._wanted[number].place
        closed = place.event.closed
        assert closed is not None  # where `Products.judges` says so
        hits = (
            pair
            for pair in islice(offered, self._budget.in_closed_form)
            if closed(self._products.params, place.index, *pair)
        )
        self.pairs[number] = next(hits, None)

    def run(self, offered: dict[int, Iterator[Pair]], size: int, first: bool) -> None:
        """Runs the next `size` candidates of each place that has no pair; later attempts leave out blind events."""
        entries: list[_Entry] = []
        for number, left in offered.items():
            what = self._wanted[number]
            if self.pairs[number] is not None or (what.place.event.blind and not first):
                continue
            pairs = list(islice(left, size))
            if what.known in pairs:  # of a constructor that has few: nothing is to be run again
                self.pairs[number] = what.known
            elif pairs or self._budget.shared:
                entries.append((number, pairs))
        for batch in by_size(entries, self._products.rows):
            self._run_batch(batch)

    def _run_batch(self, batch: list[_Entry]) -> None:
        pairs = [pair for _, offered in batch for pair in offered]
        if not pairs:
            return
        seen = self._products.observed(*zip(*pairs, strict=True))
        unused = self._take_own(batch, pairs, seen)
        if self._budget.shared:
            self._take_others([number for number, _ in batch], pairs, seen, unused)

    def _take_own(self, batch: list[_Entry], pairs: list[Pair], seen: Observed[P]) -> NDArray[np.bool_]:
        """Enters for each of what is wanted the first of its own pairs; returns which pairs nothing took.

        A place that is wanted in several turns is judged once for all of them.
        """
        row = count()
        rows: dict[int, list[tuple[int, int]]] = {}  # by place: (number of what is wanted, row)
        for number, offered in batch:
            for at in islice(row, len(offered)):
                rows.setdefault(id(self._wanted[number].place), []).append((number, at))
        unused = np.ones(len(pairs), dtype=bool)
        for own in rows.values():
            place = self._wanted[own[0][0]].place
            holds = seen.part([at for _, at in own]).holds(place.event, place.index)
            for number, at in (own[k] for k in np.flatnonzero(holds)):
                if self.pairs[number] is None:
                    self.pairs[number], unused[at] = pairs[at], False
        return unused

    def _take_others(self, numbers: list[int], pairs: list[Pair], seen: Observed[P], unused: NDArray[np.bool_]) -> None:
        """Enters for what is missed a pair that was run for another place and that nothing took."""
        missed: dict[int, list[int]] = {}
        for number in numbers:
            if self.pairs[number] is None:
                missed.setdefault(id(self._wanted[number].place), []).append(number)
        for turns in missed.values():
            place = self._wanted[turns[0]].place
            others = np.flatnonzero(seen.holds(place.event, place.index) & unused)[: len(turns)]
            unused[others] = False
            for number, at in zip(turns, others, strict=False):
                self.pairs[number] = pairs[at]


def by_size(entries: list[_Entry], rows: int) -> Iterator[list[_Entry]]:
    """The entries in turn, together until they have `rows` pairs or more."""
    batch: list[_Entry] = []
    size = 0
    for entry in entries:
        batch.append(entry)
        size += len(entry[1])
        if size >= rows:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
