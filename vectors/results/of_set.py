# SPDX-License-Identifier: Apache-2.0
"""Comparison of results with those of a set that the service remembers by its id."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Annotated, Any, Literal

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.vectors.document import Hex, Otherwise, Shape, Told, member
from limbtrace.vectors.request import VectorRequest
from limbtrace.vectors.results.document import Compare
from limbtrace.vectors.sets.cases import Case
from limbtrace.vectors.sets.document import CaseId
from limbtrace.vectors.sets.vector_set import VectorSet
from limbtrace.vectors.sets.verify import differs
from limbtrace.vectors.validation import shaped
from limbtrace.vectors.verification import Divergences, verdict


class ResultOfCase(Shape):
    """The result of a core or program for a case."""

    id: CaseId
    result: Hex


class SetResults(Shape):
    """Results for the cases of a set: of all, in their order, or of some, each with the id of its case."""

    format: Literal["limbtrace/1"] = member(default="limbtrace/1")
    set: str = member("id of the set")
    compare: Compare = member("exact integers, or modulo the modulus", default="result")
    results: Annotated[
        Annotated[list[Hex], Told(min_length=1)] | Annotated[list[ResultOfCase], Told(min_length=1)],
        Otherwise("it must be a list of at least one result, as a text or as {id, result}", damage=False),
    ]


def names_a_set(document: dict[str, Any]) -> bool:
    """True if a document has results for a set that it names, rather than a multiplier and operands of its own."""
    return "set" in document and "results" in document and "model" not in document


def parse(document: dict[str, Any]) -> SetResults:
    """Raises ParameterError, naming the member that is wrong."""
    return shaped(SetResults, document, closed="the document")


def verify(request: VectorRequest, given: SetResults) -> dict[str, Any]:
    """The verdict on results for the cases of this set. Raises ParameterError."""
    m, verified, divergences = request.multiplier, 0, Divergences()
    modulo = given.compare == "residue"
    signal = "residue" if modulo else "result"
    for place, case, text in _seen(request, VectorSet(request).cases(), given.results):
        verified += 1
        divergences.compares(*m.model.given(case.a, case.b))
        result = int(text, 16)
        expected, seen = (case.residue, m.residue(result)) if modulo else (case.result, result)
        if expected != seen:
            divergences.add(partial(differs, m, place, case, signal, expected, seen))
    return verdict("results", m, verified, divergences, id=request.id)


def _seen(
    request: VectorRequest, cases: Iterable[Case], results: list[str] | list[ResultOfCase]
) -> Iterator[tuple[str, Case, str]]:
    """(place of a result, its case, the result), in the order of the set. Raises ParameterError."""
    in_order = [result for result in results if isinstance(result, str)]
    if in_order:
        if len(in_order) != request.count:
            raise ParameterError("results", f"there are {len(in_order)}, and the set has {request.count} cases; "
                                 "results of some cases are given as {id, result}")  # fmt: skip
        for number, (case, text) in enumerate(zip(cases, in_order, strict=True)):
            yield f"results[{number}]", case, text
        return
    places: dict[str, tuple[int, str]] = {}
    for number, entry in enumerate(results):
        assert isinstance(entry, ResultOfCase)
        if entry.id in places:
            raise ParameterError("results", f"there are two of the case {shown(entry.id)}")
        places[entry.id] = number, entry.result
    met = set()
    for case in cases:
        if case.id in places:  # more than once, where operands are drawn again
            number, text = places[case.id]
            met.add(case.id)
            yield f"results[{number}]", case, text
    for id in places:
        if id not in met:
            raise ParameterError("results", f"the set {request.id} has no case {shown(id)}")
