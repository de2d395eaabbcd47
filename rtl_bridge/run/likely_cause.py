# SPDX-License-Identifier: Apache-2.0
"""Likely causes, which failing products have in common: an event, an event at any of its places, or two events.

Many events are compared with few products, so some set of events may divide them by chance. If failing had nothing to
do with an event, each choice of the failing products among those that were simulated would be as probable as another:
the event divides f failing products from n - f others with a probability of at most 1 / C(n - 1, f - 1), given that the
first one has it. This is added up over all that was compared, in the way of `vectors.report.relations`.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Any, Literal, NamedTuple

from limbtrace.refmodels.event_search import Place
from limbtrace.vectors.document import members
from limbtrace.vectors.report.document import EventSet
from limbtrace.vectors.report.relations import PERHAPS
from limbtrace.vectors.report.render import cause_phrase

MOST_PAIRED = 400
"""Most events of which pairs are looked at."""
Hits = Sequence[tuple[Place[Any], Sequence[bool]]]
"""Each event at its place, and which of the products make it happen, the failing ones first."""
NamedHits = Sequence[tuple[str, Sequence[bool]]]
"""Events by label, or by name if at any place, and which of the products make them happen."""


class LikelyCause(NamedTuple):
    """Events that all failing products have and no other one."""

    kind: Literal["each", "any", "all"]
    """Each of them; one of them, at any place; all of them together."""
    events: tuple[str, ...]
    """Labels of events at their places; of kind `any` the names of events."""
    doubtful: bool = False
    """True if it may be so by chance."""

    @property
    def document(self) -> Any:
        """The events as an EventSet."""
        return members(EventSet, kind=self.kind, events=list(self.events), doubtful=self.doubtful)

    def text(self, listed: str) -> str:
        """A line for people; `listed` are the events."""
        return f"{cause_phrase(self.kind, doubtful=self.doubtful)}: {listed}"


def likely_cause(hits: Hits, failing: int) -> LikelyCause | None:
    """The plainest set of events that `failing` products, the first ones, have and the others have not; None without.

    It takes two failing products and a passing one. A pair is named only if chance hardly explains it.
    """
    number = len(hits[0][1]) if hits else 0
    if failing < 2 or number <= failing:
        return None
    ways = comb(number - 1, failing - 1)
    places = [(place.label, seen) for place, seen in hits if seen[0]]
    anywhere = [(name, seen) for name, seen in _by_event(hits) if seen[0]]
    events = [*places, *anywhere]
    doubtful = len(events) > PERHAPS * ways
    if found := _dividing(places, failing):
        return LikelyCause("each", found, doubtful)
    if found := _dividing(anywhere, failing):
        return LikelyCause("any", found, doubtful)
    if len(events) + comb(len(events), 2) > PERHAPS * ways:
        return None
    pair = _pair(events, failing)
    return None if pair is None else LikelyCause("all", pair)


def _dividing(events: NamedHits, failing: int) -> tuple[str, ...]:
    """The events that the failing products have and no other one."""
    return tuple(name for name, seen in events if all(seen[:failing]) and not any(seen[failing:]))


def _by_event(hits: Hits) -> Iterator[tuple[str, list[bool]]]:
    """Each event with more than one place, and which of the products make it happen at any of them."""
    grouped: dict[str, list[Sequence[bool]]] = {}
    for place, seen in hits:
        grouped.setdefault(place.event.name, []).append(seen)
    for name, several in grouped.items():
        if len(several) > 1:
            yield name, [any(column) for column in zip(*several, strict=True)]


def _pair(events: NamedHits, failing: int) -> tuple[str, str] | None:
    """The first two events that only the failing products have together; None without one, and for too many events."""
    common = [(name, seen) for name, seen in events if all(seen[:failing]) and not all(seen)]
    if len(common) > MOST_PAIRED:
        return None
    for (one, first), (other, second) in combinations(common, 2):
        if not any(a and b for a, b in zip(first[failing:], second[failing:], strict=True)):
            return one, other
    return None
