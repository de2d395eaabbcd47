# SPDX-License-Identifier: Apache-2.0
"""The events of a model at parameters: each reachable, unreachable, or not found.

Reachable, with operands; unreachable, with the reason, which is a claim or that all operands were tried; not found,
after a bounded search. Operands are never taken from a constructor unseen: the condition of the event judges each pair,
on the steps of the product, or in closed form where the event has one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import count, islice
from threading import Lock
from typing import Any, Generic, TypeVar

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.event import Observed, Pair
from limbtrace.refmodels.event_search.candidates import Budget, Wanted, search
from limbtrace.refmodels.event_search.places import Occurrence, P, Place, chunks, in_turn, index_text, spread, varied
from limbtrace.refmodels.event_search.products import POOL_PAIRS, ProductPool, Products, first_hit
from limbtrace.refmodels.model import Model

_T = TypeVar("_T")

ATTEMPTS = (1, 3, 12)
"""Candidates of a place that are run together in the first turn: few at first, since one that succeeds is enough."""
MOST_CANDIDATES = sum(ATTEMPTS)
FIRST_TURN = Budget(ATTEMPTS, MOST_CANDIDATES)
FIRST_TURN_OF_LONG_PRODUCTS = Budget(ATTEMPTS[:-1], MOST_CANDIDATES)
LATER_TURNS = Budget((1,), 4, shared=True)
"""Few candidates: a place that is missed has its next turn soon."""
LATER_TURNS_OF_CHOSEN = Budget((1,), MOST_CANDIDATES, shared=True)
"""In closed form as many as in the first turn: no other place is worth the time."""
OFFERED = 4 * MOST_CANDIDATES
"""Pairs that are taken from a constructor, accepted or not, before it is given up."""
RUN_EVERY = 4
"""Turns of which one has a place that products are run for: a run costs far more than a closed form."""


class _Replay(Generic[_T]):
    """Items that are made when they are first asked for, and then kept; for any number of readers."""

    def __init__(self, items: Iterator[_T]) -> None:
        self._items, self._kept, self._lock = items, list[_T](), Lock()

    def __iter__(self) -> Iterator[_T]:
        for number in count():
            with self._lock:
                if number == len(self._kept):
                    try:
                        self._kept.append(next(self._items))
                    except StopIteration:
                        return
            yield self._kept[number]


class Occurrences(Generic[P]):
    """The events of a model at parameters."""

    def __init__(self, model: Model[P], params: P, seed: int = 1) -> None:
        self.model, self.params, self.seed = model, params, seed
        self.products = Products(model, params)
        self._purpose = f"{params.modulus:x}|"
        draws = (Draw(f"{self._purpose}{what}|{seed}") for what in ("pool", "multiples"))
        self.pool = ProductPool(self.products, *draws)

    @cached_property
    def places(self) -> list[Place[P]]:
        """Events at their first index, then at their second one, and so on; of many indices those evenly spread."""
        return in_turn(self._columns)

    @cached_property
    def _columns(self) -> list[list[Place[P]]]:
        """The places of each event."""
        return [
            [Place(event, index) for index in spread(list(event.where(self.params)))] for event in self.model.events
        ]

    def place(self, text: str) -> Place[P]:
        """The event that a text such as `q[3]=max` names; subscripts that tell it from the others are enough.

        Raises ParameterError("event").
        """
        found = re.fullmatch(r"(?P<head>.*?)(?:\[(?P<index>[-\d, ]*)\])?(?P<tail>[^\[\]]*)", text.strip())
        name = found["head"] + found["tail"] if found else ""
        named = [event for event in self.model.events if event.name == name.strip()]
        if not named or found is None:
            raise ParameterError("event", f"{self.model.id} has no event {shown(text)}; `limbtrace events "
                                 f"{self.model.id}` and /v1/events list those it has")  # fmt: skip
        indices = list(named[0].where(self.params))
        try:
            index = tuple(int(part) for part in (found["index"] or "").split(",") if part.strip())
        except ValueError:
            index = (-1,)
        meant = [known for known in indices if known[: len(index)] == index]
        if index not in indices and len(meant) != 1:
            known = f"it has {index_text(indices[0])} to {index_text(indices[-1])}" if indices else "it has none"
            raise ParameterError("event", f"{named[0].name} has no index {index_text(index)} here; {known}")
        return Place(named[0], index if index in indices else meant[0])

    def required(self, text: str) -> Occurrence[P]:
        """The occurrence that a text names. Raises ParameterError("event") if it is unknown or unreachable."""
        (found,) = self.look([self.place(text)])
        if found.pair is None:
            raise ParameterError("event", f"{found.place.label} is {found.state}: {found.reason}")
        return found

    def all(self) -> Iterator[Occurrence[P]]:
        """The search results of all places."""
        return self._looked(self.places)

    def look(self, places: Sequence[Place[P]]) -> list[Occurrence[P]]:
        """The search results of these places."""
        reasons = [self._excluded(place) for place in places]
        open_places = [place for place, reason in zip(places, reasons, strict=True) if reason is None]
        budget = FIRST_TURN if self.products.short else FIRST_TURN_OF_LONG_PRODUCTS
        wanted = [Wanted(0, place) for place in open_places]
        constructed = iter(search(self.products, wanted, self._candidates, budget))
        return [
            self._occurrence(place, next(constructed), budget)
            if reason is None
            else Occurrence(place, None, reason, excluded=True)
            for place, reason in zip(places, reasons, strict=True)
        ]

    def _excluded(self, place: Place[P]) -> str | None:
        """The reason why the event cannot happen there, if known without a search."""
        return place.event.reachable(self.params, place.index) if self.products.proved else None

    def _occurrence(self, place: Place[P], constructed: Pair | None, budget: Budget) -> Occurrence[P]:
        """The result for a place, given the pair that its constructor found: the pool and all operands come next."""
        if constructed is not None:
            return Occurrence(place, constructed)
        pair = self.pool.first(place) if self.products.may_run else None
        if pair is not None:
            return Occurrence(place, pair, lone=not place.event.blind)
        if self.products.exhaustible:
            pair = first_hit(self.products.everything, place)
            reason = "" if pair is not None else "no pair of operands makes it happen: all of them were tried"
            return Occurrence(place, pair, reason, excluded=pair is None, exhausted=True)
        tried = budget.in_closed_form if self.products.judges(place) else sum(budget.attempts)
        pairs = f"{POOL_PAIRS}" if place.event.blind else f"{tried} constructed and {POOL_PAIRS}"
        rest = "" if self.products.may_run else f": products of {self.products.steps} steps are not searched"
        return Occurrence(place, None, f"none of {pairs} drawn pairs of operands makes it happen{rest}")

    def _candidates(self, wanted: Wanted[P]) -> Iterator[Pair]:
        """Accepted pairs of a constructor, with random numbers of the place and the turn."""
        place = wanted.place
        draw = Draw(f"{self._purpose}{place.label}|{self.seed}|{wanted.turn}")
        return filter(self.products.accepts, islice(place.event.construct(self.params, place.index, draw), OFFERED))

    @property
    def _runs(self) -> bool:
        """True if products have to be run for some of the events."""
        return not self.products.proved or any(event.closed is None for event in self.model.events)

    def _looked(self, wanted: Iterable[Place[P]]) -> Iterator[Occurrence[P]]:
        places = iter(wanted)
        for _, size in chunks(self._runs):
            chunk = list(islice(places, size))
            if not chunk:
                return
            yield from self.look(chunk)

    def stream(self, places: Sequence[Place[P]] | None = None, first: int = 0) -> Iterator[tuple[Pair, str]]:
        """Operands with the label of their event, without end: every reachable place, then the same places anew.

        Ends only where nothing is reachable. What only a run of the product judges comes every fourth time, unless
        `places` are given; so does a place that no operands were constructed for, with those that it has or with others
        that a run happens to show. It begins with number `first`, and of those before only the first turn is made.
        """
        found: list[Occurrence[P]] = []
        for number, occurrence in enumerate(self.first_turn(places)):
            found.append(occurrence)
            if number >= first and occurrence.pair is not None:
                yield occurrence.pair, occurrence.place.label
        yield from self.later_turns(found, places is not None, max(first - len(found), 0))

    def first_turn(self, places: Sequence[Place[P]] | None = None) -> Iterator[Occurrence[P]]:
        """The reachable places, once. Of all places, what was found is kept for the next one who asks."""
        if places is None:
            return iter(self._turn)
        return (occurrence for occurrence in self.look(places) if occurrence.pair is not None)

    @cached_property
    def _turn(self) -> "_Replay[Occurrence[P]]":
        places = varied(self.model.events, self._columns)
        return _Replay(occurrence for occurrence in self._looked(places) if occurrence.pair is not None)

    def later_turns(
        self, found: Sequence[Occurrence[P]], chosen: bool = False, first: int = 0
    ) -> Iterator[tuple[Pair, str]]:
        """The pairs that `stream` yields after a first turn with these results, from number `first` on.

        `chosen` is True if the places were given. A place that is missed has the operands of its first turn, so that
        the place of each pair is known without those before it.
        """
        if not found:
            return
        begin, _ = next(chunks(self._runs, first))
        again = self.turns(found, chosen, begin)
        for at, size in chunks(self._runs, first):
            chunk = list(islice(again, size))
            pairs = search(self.products, chunk, self._candidates, LATER_TURNS_OF_CHOSEN if chosen else LATER_TURNS)
            for wanted, pair in islice(zip(chunk, pairs, strict=True), max(first - at, 0), None):
                assert pair is not None  # where operands were found in the first turn
                yield pair, wanted.place.label

    def turns(self, found: Sequence[Occurrence[P]], chosen: bool, first: int) -> Iterator[Wanted[P]]:
        """Places of later turns, from number `first` on, without end.

        Unless the places were chosen, products are run for a quarter of what needs it.
        """
        rota = [list(self.looked_at(found, chosen, turn)) for turn in range(1, RUN_EVERY + 1)]
        rounds, left = divmod(first, sum(map(len, rota)))
        every = (
            Wanted(turn, known.place, known.pair, enough=known.lone and not chosen)
            for turn in count(1 + RUN_EVERY * rounds)
            for known in rota[(turn - 1) % RUN_EVERY]
        )
        return islice(every, left, None)

    def looked_at(self, found: Sequence[Occurrence[P]], chosen: bool, turn: int) -> Iterator[Occurrence[P]]:
        """Places of a turn, and of every RUN_EVERY-th one after it."""
        run = count(turn)
        for known in found:
            if chosen or (self.products.judges(known.place) and not known.lone) or next(run) % RUN_EVERY == 0:
                yield known

    def hits(self, a: Sequence[int], b: Sequence[int], places: Iterable[Place[P]]) -> Iterator[tuple[Place[P], Any]]:
        """Each of these places with a boolean array: which of the products make it happen."""
        seen = self.observed(a, b)
        for place in places:
            yield place, seen.holds(place.event, place.index)

    def observed(self, a: Sequence[int], b: Sequence[int]) -> Observed[P]:
        """These products, run as a batch, or one by one if they are few."""
        return self.products.observed(a, b)

    @property
    def rows(self) -> int:
        """Products that are run together."""
        return self.products.rows
