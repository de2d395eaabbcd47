# SPDX-License-Identifier: Apache-2.0
"""Documents about events: what can happen inside a product, where, and with which operands."""

import shlex
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from limbtrace.refmodels import registry
from limbtrace.refmodels.event import Event
from limbtrace.refmodels.event_search import NOT_FOUND, UNREACHABLE, Occurrence, Occurrences
from limbtrace.vectors.catalogue.document import EventExample, EventsDocument, EventShape, Unreached
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT, dump, hexadecimal
from limbtrace.vectors.format import Format, table
from limbtrace.vectors.options import EventsQuery
from limbtrace.vectors.request import EVENTS, Multiplier


def events_document(query: EventsQuery) -> dict[str, Any]:
    """Every event of a model; with a modulus, or for a model without one, where each happens. Raises ParameterError."""
    return listed(query.model, None if query.names_only else query.multiplier)


def listed(name: str, multiplier: Multiplier | None) -> dict[str, Any]:
    """The document of a model, or of a multiplier of that model."""
    model = registry.model(name)
    events: list[Any] = [_event(event) for event in model.events]
    if multiplier is not None:
        found: dict[str, list[Occurrence[Any]]] = {event.name: [] for event in model.events}
        for occurrence in Occurrences(model, multiplier.params).all():
            found[occurrence.place.event.name].append(occurrence)
        events = [_found(event, multiplier, found[event.name]) for event in model.events]
    document: dict[str, Any] = members(
        EventsDocument,
        format=FORMAT,
        model=name,
        multiplier=None if multiplier is None else multiplier.head,  # type: ignore[arg-type]
        events=events,
    )
    return document


def _event(event: Event[Any], **where: Any) -> Any:
    return members(
        EventShape,
        name=event.name,
        statement=event.statement,
        hunts=event.hunts,
        source=event.source,
        **{"indices": None, "reachable": None, "unreachable": [], "not_found": [], **where},
    )


def _found(event: Event[Any], multiplier: Multiplier, occurrences: list[Occurrence[Any]]) -> Any:
    first = next((found for found in occurrences if found.pair is not None), None)
    example = {} if first is None else {"example": _example(multiplier, first)}
    return _event(
        event,
        indices=len(occurrences),
        reachable=sum(found.pair is not None for found in occurrences),
        unreachable=_by_reason(occurrences, UNREACHABLE),
        not_found=_by_reason(occurrences, NOT_FOUND),
        **example,
    )


def _by_reason(occurrences: list[Occurrence[Any]], state: str) -> list[Any]:
    reasons: dict[str, list[list[int]]] = {}
    for found in occurrences:
        if found.state == state:
            reasons.setdefault(found.reason, []).append(list(found.place.index))
    return [members(Unreached, indices=indices, reason=reason) for reason, indices in reasons.items()]


def _example(multiplier: Multiplier, found: Occurrence[Any]) -> Any:
    m, label = multiplier, found.place.label
    assert found.pair is not None
    a, b = found.pair
    given = dict(zip("ab", map(hexadecimal, m.model.given(a, b)), strict=False))
    settings = {"model": m.model.id, **({"prime": m.prime} if m.prime else {}), **m.settings}
    query = "&".join(f"{name}={quote(str(value))}" for name, value in settings.items())
    return members(
        EventExample,
        event=label,
        **given,
        result=hexadecimal(m.model.result(m.params, a, b)),
        command=f"limbtrace vectors {m.model.id} {m.options} --event {shlex.quote(label)} --count 1",
        url=f"/v1/vectors?{query}&kind={EVENTS}&event={quote(label)}&count=1",
    )


def _written(query: EventsQuery) -> Iterator[bytes]:
    yield f"{dump(events_document(query))}\n".encode()


EVENT_FORMATS = table(Format("json", "application/json", "json", _written))
