# SPDX-License-Identifier: Apache-2.0
"""Where the events of a model happen at given parameters: operands that were seen to make them happen, or why not.

Three states: reachable, with operands; unreachable, with the reason, which is a claim or that all operands were tried;
not found, after a bounded search. Operands are never taken from a constructor unseen: the condition of the event judges
each pair, on the steps of the product, or in closed form where the event has one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count, islice
from math import gcd
from threading import Lock
from typing import Any, Generic, TypeVar

import numpy as np

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.digits import chosen_digits
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.event import Event, Index, Observed, Pair
from limbtrace.refmodels.model import CORRECTED, Model, Parameters

P = TypeVar("P", bound=Parameters)
_T = TypeVar("_T")

TRIES = (1, 3, 12)
"""Candidates of a place that are judged together, one attempt after the other."""
AGAIN = (1,)
"""Candidates of a place in later turns, where one that is missed has its next turn soon."""
UNRUN = 4
"""Candidates in later turns of a place that no product has to be run for."""
POOL = 512
"""Drawn pairs that are tried for what no candidate made happen, beside the corners of the model."""
MOST_PAIRS = 1 << 16
"""Pairs of operands up to which all of them are tried."""
MOST_INDICES = 256
"""Indices of an event that are looked at, evenly spread, unless one is asked for by name."""
MOST_STEPS = 50_000
"""Steps of a product up to which products are run to look for events."""
CELLS = 1 << 22
"""Values of steps that are kept at once."""
ROWS = 1024
"""Products that are run together at most."""
ALONE = 10
"""Products up to which each is run on its own: a batch costs as much as about that many."""
SHORT = 4096
"""Steps of a product up to which all candidates are run, and the pool rather than judged in closed form."""
CHUNKS = (8, 4, 4, 16, 64, 256)
"""Places that are looked at together, the first ones soonest; 512 after that, or 64 where no product has to be run."""

SELDOM = 4
"""Turns of which one has an event that only a run of the product judges."""

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
    """Why there are none."""
    excluded: bool = False
    """True if it is known that there are none."""
    lone: bool = False
    """True if its constructor found no operands, so that others are not to be expected."""
    exhausted: bool = False
    """True if all operands were tried."""

    @property
    def state(self) -> str:
        """Reachable, unreachable or not found."""
        return REACHABLE if self.pair is not None else UNREACHABLE if self.excluded else NOT_FOUND


@dataclass(frozen=True)
class _Wanted(Generic[P]):
    """A place that operands are wanted for, in a turn."""

    turn: int
    place: Place[P]
    known: Pair | None = None
    """Operands of an earlier turn."""
    enough: bool = False
    """True if no others are sought."""


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
        self._a_max, self._b_max = params.limits
        self._steps = model.work(params)
        # What is known of a product without its steps holds for the corrected forms.
        self._proved = params.form == CORRECTED and (params.closed or model.by_digits)
        self._runs = not self._proved or any(event.closed is None for event in model.events)
        self._purpose = f"{params.modulus:x}|"

    @cached_property
    def places(self) -> list[Place[P]]:
        """Events at their first index, then at their second one, and so on; of many indices those evenly spread."""
        return _in_turn(self._columns)

    @cached_property
    def _columns(self) -> list[list[Place[P]]]:
        """The places of each event."""
        return [[Place(event, index) for index in _spread(list(event.where(self.params)))]
                for event in self.model.events]  # fmt: skip

    @property
    def _varied(self) -> list[Place[P]]:
        """All places in an order of which a short run sees much.

        Neighbours differ in symbol, the places of an event in all subscripts, and a 0, which hides much, comes later.
        """
        symbols: dict[str, list[list[Place[P]]]] = {}
        known = sorted(zip(self.model.events, self._columns, strict=True), key=lambda pair: pair[0].condition == "=0")
        for event in self.model.events:
            symbols.setdefault(event.symbol, [])
        for event, column in known:
            symbols[event.symbol].append(_scattered(column))
        return _in_turn(_in_turn(list(symbols.values())))

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
            known = f"it has {_text(indices[0])} to {_text(indices[-1])}" if indices else "it has none"
            raise ParameterError("event", f"{named[0].name} has no index {_text(index)} here; {known}")
        return Place(named[0], index if index in indices else meant[0])

    def required(self, text: str) -> Occurrence[P]:
        """The occurrence that a text names. Raises ParameterError("event") where it is none, or not reachable."""
        (found,) = self.look([self.place(text)])
        if found.pair is None:
            raise ParameterError("event", f"{found.place.label} is {found.state}: {found.reason}")
        return found

    def all(self) -> Iterator[Occurrence[P]]:
        """The search results of all places."""
        return self._looked(self.places)

    def _looked(self, wanted: Iterable[Place[P]]) -> Iterator[Occurrence[P]]:
        places = iter(wanted)
        for size in _sizes(self._runs):
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
        """What is reachable, once. Of all places, what was found is kept for the next one who asks."""
        if places is None:
            return iter(self._turn)
        return (occurrence for occurrence in self.look(places) if occurrence.pair is not None)

    @cached_property
    def _turn(self) -> "_Replay[Occurrence[P]]":
        return _Replay(occurrence for occurrence in self._looked(self._varied) if occurrence.pair is not None)

    def later_turns(
        self, found: Sequence[Occurrence[P]], chosen: bool = False, first: int = 0
    ) -> Iterator[tuple[Pair, str]]:
        """What `stream` yields after the first turn found this, from number `first` on; `chosen` as if the places were
        given. A place that is missed has the operands of its first turn, so that the place of each pair is known
        without those before it.
        """
        if not found:
            return
        begin, _ = next(_chunks(self._runs, first))
        again = self._turns(found, chosen, begin)
        for at, size in _chunks(self._runs, first):
            chunk = list(islice(again, size))
            pairs = self._constructed(chunk, AGAIN, sum(TRIES) if chosen else UNRUN, True)
            for wanted, pair in islice(zip(chunk, pairs, strict=True), max(first - at, 0), None):
                assert pair is not None  # where operands were found in the first turn
                yield pair, wanted.place.label

    def look(self, places: Sequence[Place[P]]) -> list[Occurrence[P]]:
        """The search results of these places."""
        reasons = [place.event.reachable(self.params, place.index) if self._proved else None for place in places]
        open_places = [place for place, reason in zip(places, reasons, strict=True) if reason is None]
        tries = TRIES if self._steps <= SHORT else TRIES[:-1]
        pairs = self._constructed([_Wanted(0, place) for place in open_places], tries, sum(TRIES))
        lone = {id(place) for place, pair in zip(open_places, pairs, strict=True)
                if pair is None and not place.event.blind}  # fmt: skip
        if self._steps <= MOST_STEPS:
            for k, place in enumerate(open_places):
                if pairs[k] is None:
                    pairs[k] = self._of_pool(place)
        rest = "" if self._steps <= MOST_STEPS else f": products of {self._steps} steps are not searched"
        found = dict(zip(map(id, open_places), pairs, strict=True))
        occurrences = []
        for place, reason in zip(places, reasons, strict=True):
            if reason is not None:
                occurrences.append(Occurrence(place, None, reason, True))
            elif (pair := found[id(place)]) is not None:
                occurrences.append(Occurrence(place, pair, lone=id(place) in lone))
            elif self._exhaustible:
                occurrences.append(self._exhausted(place))
            else:
                constructed = sum(TRIES if self._judges(place) else tries)
                some = f"{POOL}" if place.event.blind else f"{constructed} constructed and {POOL}"
                tried = f"none of {some} drawn pairs of operands makes it happen{rest}"
                occurrences.append(Occurrence(place, None, tried))
        return occurrences

    def hits(self, a: Sequence[int], b: Sequence[int], places: Iterable[Place[P]]) -> Iterator[tuple[Place[P], Any]]:
        """Each of these places with a boolean array: which of the products make it happen."""
        seen = self.observed(a, b)
        for place in places:
            yield place, seen.holds(place.event, place.index)

    def observed(self, a: Sequence[int], b: Sequence[int]) -> Observed[P]:
        """These products, run as a batch, or one by one where they are few."""
        if len(a) <= ALONE:
            return Observed.of_runs(
                self.params, [self.model.run(self.params, *pair) for pair in zip(a, b, strict=True)]
            )
        steps = self.model.run_batch(self.params, a, b)
        return Observed.run(self.params, a, b, steps, lambda: self.model.result_of(self.params, steps))

    @property
    def rows(self) -> int:
        """Products that are run together."""
        return max(16, min(ROWS, CELLS // self.model.step_count(self.params)))

    def _turns(self, found: Sequence[Occurrence[P]], chosen: bool, first: int) -> Iterator[_Wanted[P]]:
        """Places of later turns, from number `first` on.

        Unless the places were chosen, products are run for a quarter of what needs it.
        """
        rota = [list(self._looked_at(found, chosen, turn)) for turn in range(1, SELDOM + 1)]
        rounds, left = divmod(first, sum(map(len, rota)))
        every = (
            _Wanted(turn, known.place, known.pair, known.lone and not chosen)
            for turn in count(1 + SELDOM * rounds)
            for known in rota[(turn - 1) % SELDOM]
        )
        return islice(every, left, None)

    def _looked_at(self, found: Sequence[Occurrence[P]], chosen: bool, turn: int) -> Iterator[Occurrence[P]]:
        """Places of a turn, and of every SELDOM-th one after it."""
        judged = count(turn)
        for known in found:
            if chosen or (self._judges(known.place) and not known.lone) or next(judged) % SELDOM == 0:
                yield known

    def _judges(self, place: Place[P]) -> bool:
        """True if no product has to be run for it."""
        return self._proved and place.event.closed is not None

    def _constructed(
        self, wanted: Sequence[_Wanted[P]], tries: tuple[int, ...], unrun: int, shared: bool = False
    ) -> list[Pair | None]:
        """For each place in its turn the first of its candidates that makes the event happen, or else what is known.

        So many as `tries` says are run together, one attempt after the other, or `unrun` of them are judged in closed
        form. If `shared`, a place that is missed takes what was run for another one.
        """
        found: list[Pair | None] = [None] * len(wanted)
        left: dict[int, Iterator[Pair]] = {}
        params = self.params
        for k, what in enumerate(wanted):
            event, index = what.place.event, what.place.index
            candidates = iter(()) if what.enough else self._candidates(what)
            if event.closed is not None and self._proved:
                for pair in islice(candidates, unrun):
                    if event.closed(params, index, *pair):
                        found[k] = pair
                        break
            elif self._steps <= MOST_STEPS:
                left[k] = candidates
        for number, attempt in enumerate(tries):
            judged = [
                (k, pairs) for k, some in left.items()
                if found[k] is None and not (number and wanted[k].place.event.blind)
                if (pairs := list(islice(some, attempt))) or shared
            ]  # fmt: skip
            for k, pairs in judged:
                if wanted[k].known in pairs:  # of a constructor that has few: nothing is to be run again
                    found[k] = wanted[k].known
            judged = [entry for entry in judged if found[entry[0]] is None]
            for chunk in _by_size(judged, self.rows):
                self._judge(chunk, wanted, found, shared)
        return [what.known if pair is None else pair for what, pair in zip(wanted, found, strict=True)]

    def _judge(
        self,
        chunk: list[tuple[int, list[Pair]]],
        wanted: Sequence[_Wanted[P]],
        found: list[Pair | None],
        shared: bool,
    ) -> None:
        """Runs these pairs, and enters for each of what is wanted the first one that makes it happen.

        If `shared`, what is missed takes one that nothing else took.
        """
        if not (run := [pair for _, pairs in chunk for pair in pairs]):
            return
        seen = self.observed(*zip(*run, strict=True))
        same: dict[int, list[tuple[int, Pair]]] = {}
        rows: dict[int, list[int]] = {}
        row = count()
        for k, pairs in ((k, pairs) for k, pairs in chunk if pairs):
            place = id(wanted[k].place)
            same.setdefault(place, []).extend((k, pair) for pair in pairs)
            rows.setdefault(place, []).extend(islice(row, len(pairs)))
        unused = np.ones(len(run), dtype=bool)
        for place, entries in same.items():
            what = wanted[entries[0][0]].place
            for at in np.flatnonzero(seen.part(rows[place]).holds(what.event, what.index)):
                k, pair = entries[at]
                if found[k] is None:
                    found[k], unused[rows[place][at]] = pair, False
        missed: dict[int, list[int]] = {}
        for k, _ in chunk if shared else ():
            if found[k] is None:
                missed.setdefault(id(wanted[k].place), []).append(k)
        for turns in missed.values():
            what = wanted[turns[0]].place
            others = np.flatnonzero(seen.holds(what.event, what.index) & unused)[: len(turns)]
            unused[others] = False
            for k, at in zip(turns, others, strict=False):
                found[k] = run[at]

    def _candidates(self, wanted: _Wanted[P]) -> Iterator[Pair]:
        place = wanted.place
        draw = Draw(f"{self._purpose}{place.label}|{self.seed}|{wanted.turn}")
        return filter(self._accepted, islice(place.event.construct(self.params, place.index, draw), 4 * sum(TRIES)))

    def _accepted(self, pair: Pair) -> bool:
        a, b = pair
        largest_b = self.model.largest_b
        fits = 0 <= a <= self._a_max and 0 <= b <= self._b_max
        return fits and (largest_b is None or b <= largest_b(self.params, a))

    def _of_pool(self, place: Place[P]) -> Pair | None:
        """The first pair of the pool that makes the event happen; in closed form where a run takes long."""
        event = place.event
        if event.closed is None or not self._proved or self._steps <= SHORT:
            return self._first(self._pool, place)
        return next((pair for pair in chain(*self._pool_pairs) if event.closed(self.params, place.index, *pair)), None)

    @property
    def _pool(self) -> Iterator[Observed[P]]:
        """The pool, run on demand."""
        yield from self._pool_seen
        for seen in self._pool_unseen:
            self._pool_seen.append(seen)
            yield seen

    @cached_property
    def _pool_seen(self) -> list[Observed[P]]:
        return []

    @cached_property
    def _pool_unseen(self) -> Iterator[Observed[P]]:
        corners, drawn = self._pool_pairs
        return chain(self._batches(corners, 1 if self._steps > SHORT else self.rows), self._batches(drawn, self.rows))

    @cached_property
    def _pool_pairs(self) -> tuple[list[Pair], list[Pair]]:
        """Corners of the model, and pairs of drawn operands."""
        draw = Draw(f"{self._purpose}pool|{self.seed}")
        width = self.params.radix_bits or 8
        corners = [
            (c.a, c.b) for c in self.model.corners(self.params) if (chosen_digits(c.a) or chosen_digits(c.b)) is None
        ]
        drawn = [(draw.pattern(self._a_max, width), draw.pattern(self._b_max, width)) for _ in range(POOL // 2)]
        drawn += [(draw.of_any_width(self._a_max), draw.of_any_width(self._b_max)) for _ in range(POOL // 2)]
        return list(filter(self._accepted, corners)), list(filter(self._accepted, drawn))

    def _batches(self, pairs: Iterable[Pair], rows: int) -> Iterator[Observed[P]]:
        pairs = iter(pairs)
        return (self.observed(*zip(*chunk, strict=True)) for chunk in iter(lambda: list(islice(pairs, rows)), []))

    @staticmethod
    def _first(batches: Iterable[Observed[P]], place: Place[P]) -> Pair | None:
        for seen in batches:
            holds = seen.holds(place.event, place.index)
            if holds.any():
                k = int(np.argmax(holds))
                return int(seen.a[k]), int(seen.b[k])
        return None

    @property
    def _exhaustible(self) -> bool:
        return self._pairs <= MOST_PAIRS and self._steps <= MOST_STEPS

    @property
    def _pairs(self) -> int:
        return (self._a_max + 1) * (self._b_max + 1)

    def _exhausted(self, place: Place[P]) -> Occurrence[P]:
        pair = self._first(self._everything, place)
        reason = "" if pair is not None else "no pair of operands makes it happen: all of them were tried"
        return Occurrence(place, pair, reason, pair is None, exhausted=True)

    @cached_property
    def _everything(self) -> list[Observed[P]]:
        pairs = ((a, b) for a in range(self._a_max + 1) for b in range(self._b_max + 1))
        return list(self._batches(filter(self._accepted, pairs), self.rows))


def _text(index: Index) -> str:
    """Subscripts as people write them."""
    return f"[{','.join(map(str, index))}]"


def _spread(indices: list[Index]) -> list[Index]:
    """At most MOST_INDICES of them, the first and the last among them."""
    if len(indices) <= MOST_INDICES:
        return indices
    return [indices[k * (len(indices) - 1) // (MOST_INDICES - 1)] for k in range(MOST_INDICES)]


_Item = TypeVar("_Item")


def _in_turn(columns: Sequence[Sequence[_Item]]) -> list[_Item]:
    """The first item of each column, the second one of each that has one, and so on."""
    return [column[rank] for rank in range(max(map(len, columns), default=0)) for column in columns
            if rank < len(column)]  # fmt: skip


def _scattered(column: list[_Item]) -> list[_Item]:
    """The items with the first one first, in steps of about 0.618 of them, prime to their number.

    Where they are the places of a grid, row by row, the first few are in different rows and in different columns.
    """
    size = len(column)
    step = next((step for step in range(max(618 * size // 1000, 1), size + 1) if gcd(step, size) == 1), 1)
    return [column[k * step % size] for k in range(size)]


def _sizes(run: bool) -> Iterator[int]:
    """Numbers of places, where products have to be run for some of them, or for none."""
    return (size for _, size in _chunks(run, 0))


def _chunks(run: bool, first: int) -> Iterator[tuple[int, int]]:
    """(number of places in front, places) of each chunk of `_sizes`, from that with place `first` on."""
    at = 0
    for size in CHUNKS if run else CHUNKS[:-1]:
        if first < at + size:
            yield at, size
        at += size
    size = 2 * CHUNKS[-1] if run else CHUNKS[-2]
    yield from ((begin, size) for begin in count(at + max(first - at, 0) // size * size, size))


def _by_size(judged: list[tuple[int, list[Pair]]], rows: int) -> Iterator[list[tuple[int, list[Pair]]]]:
    """The lists of pairs in turn, together until they are `rows` pairs or more."""
    chunk: list[tuple[int, list[Pair]]] = []
    size = 0
    for entry in judged:
        chunk.append(entry)
        size += len(entry[1])
        if size >= rows:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk
