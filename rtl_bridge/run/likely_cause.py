# SPDX-License-Identifier: Apache-2.0
"""Likely causes, which failing products have in common: an event, an event at any of its places, or two events.

An event that is said may still be one of chance: many are compared with few products. So pairs, of which there are
most, are said only where chance hardly explains one of them.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, Literal, NamedTuple

from limbtrace.refmodels.event_search import Place
from limbtrace.vectors.document import members
from limbtrace.vectors.report.document import EventSet

CHANCE = 2.0**-8
"""Probability that one of all pairs would be found by chance, above which none is said."""
MOST_PAIRED = 400
"""Most events of which pairs are looked at."""
Hits = Sequence[tuple[Place[Any], Sequence[bool]]]
"""Each event at its place, and which of the products make it happen, the failing ones first."""


class LikelyCause(NamedTuple):
    """Events that all failing products have and no other one."""

    kind: Literal["each", "any", "all"]
    """Each of them; one of them, at any place; all of them together."""
    events: tuple[str, ...]
    """Labels of events at their places; of kind `any` the names of events."""

    @property
    def document(self) -> Any:
        """The events as an EventSet."""
        return members(EventSet, kind=self.kind, events=list(self.events))

    def text(self, listed: str) -> str:
        """A line for people; `listed` are the events."""
        if self.kind == "each":
            return f"likely cause, since all failing products have it and no other: {listed}"
        if self.kind == "any":
            where = "have it at some place and no other at any that was looked at"
            return f"likely cause, since all failing products {where}: {listed}"
        return f"likely cause, since all failing products have both and no other has: {listed}"


def likely_cause(hits: Hits, failing: int) -> LikelyCause | None:
    """The plainest set of events that `failing` products, the first ones, have and the others have not; None without.

    It takes two failing products and a passing one.
    """
    passing = (len(hits[0][1]) if hits else 0) - failing
    if failing < 2 or passing < 1:
        return None
    for kind, found in (("each", _single(hits, failing)), ("any", _anywhere(hits, failing))):
        if found:
            return LikelyCause(kind, tuple(found))  # type: ignore[arg-type]
    pair = _pair(hits, failing, passing)
    return None if pair is None else LikelyCause("all", pair)


def _divides(seen: Sequence[bool], failing: int) -> bool:
    """True if the failing products have it and no other one."""
    return all(seen[:failing]) and not any(seen[failing:])


def _single(hits: Hits, failing: int) -> list[str]:
    return [place.label for place, seen in hits if _divides(seen, failing)]


def _anywhere(hits: Hits, failing: int) -> list[str]:
    """Names of events that happen somewhere."""
    return [name for name, seen in _by_event(hits) if _divides(seen, failing)]


def _by_event(hits: Hits) -> Iterator[tuple[str, list[bool]]]:
    """Each event with more than one place, and which of the products make it happen at any of them."""
    grouped: dict[str, list[Sequence[bool]]] = {}
    for place, seen in hits:
        grouped.setdefault(place.event.name, []).append(seen)
    for name, several in grouped.items():
        if len(several) > 1:
            yield name, [any(column) for column in zip(*several, strict=True)]


def _pair(hits: Hits, failing: int, passing: int) -> tuple[str, str] | None:
    """Labels of the first two events that only the failing products have together."""
    common = [(place.label, seen) for place, seen in hits if all(seen[:failing])]
    common += [(name, seen) for name, seen in _by_event(hits) if all(seen[:failing])]
    common = [(name, seen) for name, seen in common if not all(seen)]
    number = len(common) * (len(common) - 1) // 2
    # The first failing product may have been made small until it had nothing else in common with the others.
    if len(common) > MOST_PAIRED or number > CHANCE * (passing + 1.0) ** (failing - 1):
        return None
    for (one, first), (other, second) in combinations(common, 2):
        if not any(a and b for a, b in zip(first[failing:], second[failing:], strict=True)):
            return one, other
    return None
