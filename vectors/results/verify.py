# SPDX-License-Identifier: Apache-2.0
"""Comparison of a user's results with the golden ones."""

from typing import Any

from limbtrace.vectors.results.document import Compare, Products
from limbtrace.vectors.sets.document import SeenShape
from limbtrace.vectors.sets.read import as_case
from limbtrace.vectors.sets.verify import compare
from limbtrace.vectors.validation import document_multiplier, shaped, typed
from limbtrace.vectors.verification import verdict


def verify(document: dict[str, Any]) -> dict[str, Any]:
    """The verdict; a document may have further members. Raises ParameterError, DamagedFileError."""
    multiplier = document_multiplier(document)
    modulo = typed(Compare, document.get("compare", "result"), "compare") == "residue"
    if not isinstance(document["results"], list) or not document["results"]:
        typed(Products, document["results"], "results")
    unary = multiplier.model.unary
    places = ((f"results[{k}]", entry) for k, entry in enumerate(document["results"]))
    cases = ((place, as_case(shaped(SeenShape, entry, place), place, unary)) for place, entry in places)
    return verdict("results", multiplier, *compare(multiplier, cases, modulo))
