# SPDX-License-Identifier: Apache-2.0
"""Results of one's own against the golden ones."""

from typing import Any

from vectors.reading import DamagedFileError, document_multiplier, shaped, shaped_member
from vectors.results.document import Results, SeenShape
from vectors.sets.cases import Case
from vectors.sets.verify import compare
from vectors.verdict import verdict


def verify(document: dict[str, Any]) -> dict[str, Any]:
    """The verdict; a document may have more members than we know. Raises ParameterError, DamagedFileError."""
    multiplier = document_multiplier(document)
    modulo = shaped_member(Results, "compare", document.get("compare", "result")) == "residue"
    if not isinstance(document["results"], list) or not document["results"]:
        shaped_member(Results, "results", document["results"])
    unary = multiplier.model.unary
    cases = ((f"results[{k}]", _case(entry, f"results[{k}]", unary)) for k, entry in enumerate(document["results"]))
    return verdict("results", multiplier, *compare(multiplier, cases, modulo))


def _case(entry: Any, place: str, unary: bool) -> Case:
    """One of the results; a chain is known by its checkpoints, or by a model without b. Raises DamagedFileError."""
    found = shaped(SeenShape, entry, place)
    chain = unary or found.checkpoints is not None
    if found.b is None and not chain:
        raise DamagedFileError(place, "it has no b")
    a, b, result = (int(text or "0x0", 16) for text in (found.a, None if chain else found.b, found.result))
    residue = -1 if found.residue is None else int(found.residue, 16)
    points = tuple((links, int(value, 16)) for links, value in found.checkpoints or ()) if chain else None
    return Case(found.id, a, b, result, residue, (), "", points)
