# SPDX-License-Identifier: Apache-2.0
"""Which events cases make happen, how often, and the first case of each: of one set, or of several together."""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from refmodels.errors import ParameterError
from refmodels.event import Event
from refmodels.occurrences import MOST_STEPS, Occurrences, Place
from vectors import sets
from vectors.coverage.document import CoverageDocument, CoveredEvent, FirstCase
from vectors.document import members
from vectors.request import Multiplier
from vectors.sets import VectorReader
from vectors.wire import FORMAT


class Counted(Protocol):
    """A product of which events are counted."""

    @property
    def id(self) -> str: ...
    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...


@dataclass
class _Seen:
    """What is known of an event so far."""

    places: list[Place[Any]]
    cases: int = 0
    hit: set[tuple[int, ...]] = field(default_factory=set)
    first: Any = None


class Coverage:
    """The events of a multiplier, counted over cases. Raises ParameterError where products have too many steps."""

    def __init__(self, multiplier: Multiplier) -> None:
        model, params = multiplier.model, multiplier.params
        if model.work(params) > MOST_STEPS:
            raise ParameterError(
                "radix", f"a product has {model.work(params)} steps, and events are looked for in up to {MOST_STEPS}"
            )
        self.multiplier = multiplier
        self.sets: list[str] = []
        self.cases = 0
        self._occurrences = Occurrences(model, params)
        self._seen = {event.name: _Seen([]) for event in model.events}
        for place in self._occurrences.places:
            self._seen[place.event.name].places.append(place)

    def add(self, name: str, cases: Iterable[Counted]) -> None:
        """Counts the cases of a set or a run. Raises ParameterError for operands that the model does not take."""
        self.sets.append(name)
        cases, number = iter(cases), 0
        while chunk := list(islice(cases, self._occurrences.rows)):
            for case in chunk:
                self.multiplier.model.check_operands(self.multiplier.params, case.a, case.b)
            self._count(name, number, chunk)
            number += len(chunk)
        self.cases += number

    def _count(self, name: str, number: int, chunk: Sequence[Counted]) -> None:
        seen = self._occurrences.observed([case.a for case in chunk], [case.b for case in chunk])
        for found in self._seen.values():
            happened, earliest = None, len(chunk)
            for place in found.places:
                holds = seen.holds(place.event, place.index)
                if not holds.any():
                    continue
                found.hit.add(place.index)
                happened = holds if happened is None else happened | holds
                at = int(holds.argmax())
                if found.first is None and at < earliest:
                    earliest, label = at, place.label
            if happened is not None:
                found.cases += int(happened.sum())
            if found.first is None and earliest < len(chunk):
                found.first = members(FirstCase, set=name, case=number + earliest, id=chunk[earliest].id, event=label)

    @property
    def document(self) -> dict[str, Any]:
        """What was counted."""
        document: dict[str, Any] = members(
            CoverageDocument,
            format=FORMAT,
            multiplier=self.multiplier.head,  # type: ignore[arg-type]
            sets=self.sets,
            cases=self.cases,
            events=[self._event(event) for event in self.multiplier.model.events],
        )
        return document

    def _event(self, event: Event[Any]) -> Any:
        found = self._seen[event.name]
        return members(
            CoveredEvent,
            name=event.name,
            statement=event.statement,
            indices=len(found.places),
            hit=len(found.hit),
            cases=found.cases,
            **({} if found.first is None else {"first": found.first}),
            missed=[list(place.index) for place in found.places if place.index not in found.hit],
        )


def cover(readers: Iterable[VectorReader]) -> dict[str, Any]:
    """What sets of the same multiplier cover together. Raises ParameterError, DamagedFileError."""
    coverage: Coverage | None = None
    for reader in readers:
        if coverage is None:
            coverage = Coverage(reader.multiplier)
        if reader.multiplier.identity != coverage.multiplier.identity:
            one, other = coverage.multiplier.title, reader.multiplier.title
            raise ParameterError("file", f"sets of different multipliers have no common events: {one}; {other}")
        coverage.add(reader.head["id"], (case for _, case in reader.cases()))
    if coverage is None:
        raise ParameterError("file", "at least one vector set is needed")
    return coverage.document


def cover_files(paths: Sequence[Path]) -> dict[str, Any]:
    """What the sets in these files cover together. Raises ParameterError, DamagedFileError."""
    with ExitStack() as stack:
        return cover(stack.enter_context(sets.open_vectors(path)) for path in paths)
