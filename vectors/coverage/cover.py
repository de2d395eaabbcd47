# SPDX-License-Identifier: Apache-2.0
"""The events that cases cause, how often, and the first case of each: of one set, of several, or of several runs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.event import Event, Index
from limbtrace.refmodels.event_search import MOST_STEPS, Occurrences, Place
from limbtrace.vectors import sets
from limbtrace.vectors.coverage.document import CoverageDocument, CoveredEvent, CoveredPlace, FirstCase
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.sets import VectorReader
from limbtrace.vectors.validation import DamagedFileError, document_multiplier, load_json, open_file, shaped


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
    """Counts of an event so far."""

    places: list[Place[Any]]
    cases: int = 0
    hit: Counter[Index] = field(default_factory=Counter)
    """Cases by index."""
    first: Any = None


def is_watched(multiplier: Multiplier) -> bool:
    """True if a model has events, and products are small enough to look for them."""
    return bool(multiplier.model.events) and multiplier.model.work(multiplier.params) <= MOST_STEPS


def happened(multiplier: Multiplier, products: Sequence[tuple[int, int]]) -> Iterator[tuple[Place[Any], list[bool]]]:
    """Each event of the model at each of its places, and which of the products (a, b) make it happen."""
    occurrences = Occurrences(multiplier.model, multiplier.params)
    hits: list[list[bool]] = [[] for _ in occurrences.places]
    for at in range(0, len(products), occurrences.rows):
        part = products[at : at + occurrences.rows]
        a, b = ([pair[k] for pair in part] for k in (0, 1))
        for seen, (_, holds) in zip(hits, occurrences.hits(a, b, occurrences.places), strict=True):
            seen.extend(map(bool, np.asarray(holds)))
    return zip(occurrences.places, hits, strict=True)


class Coverage:
    """The events of a multiplier, counted over cases. Raises ParameterError if products have too many steps."""

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
                found.hit[place.index] += int(holds.sum())
                happened = holds if happened is None else happened | holds
                at = int(holds.argmax())
                if found.first is None and at < earliest:
                    earliest, label = at, place.label
            if happened is not None:
                found.cases += int(happened.sum())
            if found.first is None and earliest < len(chunk):
                found.first = members(FirstCase, set=name, case=number + earliest, id=chunk[earliest].id, event=label)

    def merge(self, document: Mapping[str, Any]) -> None:
        """Add the counts of a document. Raises DamagedFileError if it was edited and does not fit the model."""
        counted = shaped(CoverageDocument, document, "the document")
        if [event.name for event in counted.events] != [*self._seen]:
            raise DamagedFileError("events", f"they are not those of {self.multiplier.model.id}")
        for event in counted.events:
            found = self._seen[event.name]
            here = {tuple(place.index): place.cases for place in event.at}
            every = sorted([*here, *map(tuple, event.missed)])
            if every != sorted(place.index for place in found.places) or not max(
                here.values(), default=0
            ) <= event.cases <= min(sum(here.values()), counted.cases):
                raise DamagedFileError(f"event {event.name}", "its counts contradict each other")
            found.hit.update(here)
            found.cases += event.cases
            found.first = found.first or (event.first and event.first.model_dump())
        self.sets += counted.sets
        self.cases += counted.cases

    @property
    def document(self) -> dict[str, Any]:
        """The counts as a document."""
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
            at=[
                members(CoveredPlace, index=list(place.index), cases=found.hit[place.index])
                for place in found.places
                if place.index in found.hit
            ],
            missed=[list(place.index) for place in found.places if place.index not in found.hit],
        )


def cover(reader: VectorReader) -> Coverage:
    """The coverage of a vector set. Raises ParameterError, DamagedFileError."""
    coverage = Coverage(reader.multiplier)
    coverage.add(reader.head["id"], (case for _, case in reader.cases()))
    return coverage


def cover_files(paths: Sequence[Path]) -> Coverage:
    """The joint coverage of vector sets and coverage documents. Raises ParameterError, DamagedFileError."""
    together: Coverage | None = None
    for path in paths:
        one = _cover_file(path)
        together = together or Coverage(one.multiplier)
        if one.multiplier.identity != together.multiplier.identity:
            titles = f"{together.multiplier.title}; {one.multiplier.title}"
            raise ParameterError("file", f"different multipliers have no common events: {titles}")
        together.merge(one.document)
    if together is None:
        raise ParameterError("file", "at least one vector set is needed")
    return together


def _cover_file(path: Path) -> Coverage:
    if not path.is_dir():
        with open_file(path) as stream:
            start = stream.readline()
            if b'"events":' in start and start.startswith(b"{"):
                stream.seek(0)
                document = load_json(stream)
                multiplier = document.get("multiplier")
                coverage = Coverage(document_multiplier(multiplier if isinstance(multiplier, dict) else {}))
                coverage.merge(document)
                return coverage
    with sets.open_vectors(path) as reader:
        return cover(reader)
