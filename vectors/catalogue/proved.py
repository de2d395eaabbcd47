# SPDX-License-Identifier: Apache-2.0
"""Statements proved of a model for all operands: its claims and closed form, and events that never happen.

Intervals are computed at each request. What the solver proved, and what was tried for all operands, is kept in
`proved.json`, which `./run claims` writes, and of which a test proves a part again.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from limbtrace.refmodels.event_search import Occurrences
from limbtrace.refmodels.model import Claim, Model
from limbtrace.refmodels.program import PROOF_BITS, proofs
from limbtrace.vectors.catalogue.document import ProofShape, ProvedShape
from limbtrace.vectors.document import members
from limbtrace.vectors.request import Multiplier

FILE = "proved.json"
INTERVALS, SOLVER, EXHAUSTIVE, REASON = "intervals", "solver", "exhaustive", "reason"
CLOSED_FORM = "closed form"
"""Name of the statement that a loop returns what the closed form says."""
ALL_SHAPES = f"a shape of moduli of {', '.join(map(str, PROOF_BITS[:-1]))} and {PROOF_BITS[-1]} bits each"


class ProvedClaims(NamedTuple):
    """Statements proved of a model at given parameters by one method."""

    model: str
    prime: str | None
    settings: dict[str, str | int]
    by: str
    claims: list[str]
    """The `claim_key` of each."""
    events: list[str]
    """Places at which an event never happens."""


def claim_key(claim: Claim[Any]) -> str:
    """A claim as the file names it: one whose statement is changed is not proved any more."""
    return f"{claim.name}: {claim.statement}"


@cache
def proved_claims() -> tuple[ProvedClaims, ...]:
    """All that is kept."""
    entries = json.loads(files("limbtrace.vectors.catalogue").joinpath(FILE).read_text(encoding="utf-8"))
    return tuple(ProvedClaims(**entry) for entry in entries)


def proved_statements(model: Model[Any]) -> list[Any]:
    """Every claim of a model with its proofs, perhaps none; then the events that never happen, by their reasons."""
    kept = [(entry, _multiplier(entry)) for entry in proved_claims() if entry.model == model.id]
    return [*_claims(model, kept), *_events(model, kept)]


def _multiplier(entry: ProvedClaims) -> Multiplier:
    return Multiplier.resolve(entry.model, entry.prime, entry.settings)


def _proof(by: str, parameters: str) -> Any:
    return members(ProofShape, by=by, parameters=parameters)  # type: ignore[arg-type]


def _claims(model: Model[Any], kept: list[tuple[ProvedClaims, Multiplier]]) -> list[Any]:
    found = proofs(model)
    in_range = [found[symbol.name] for symbol in model.vocabulary]  # the first claims are those of the vocabulary
    statements = [(claim_key(claim), claim.name, claim.statement) for claim in model.claims]
    statements.append((CLOSED_FORM, CLOSED_FORM, "the loop returns what the closed form says"))
    return [
        members(
            ProvedShape,
            kind="claim",
            name=name,
            statement=statement,
            places=[],
            reason=None,
            proofs=[
                *([_proof(INTERVALS, ALL_SHAPES)] if k < len(in_range) and in_range[k] else []),
                *(_proof(entry.by, m.options.strip()) for entry, m in kept if key in entry.claims),
            ],
        )
        for k, (key, name, statement) in enumerate(statements)
    ]


def _events(model: Model[Any], kept: list[tuple[ProvedClaims, Multiplier]]) -> list[Any]:
    """One statement for each event, parameters and reason; without a reason, what was proved has none in words."""
    found: dict[tuple[str, str, str | None], tuple[str, list[str], list[str]]] = {}
    for entry, m in kept:
        known = Occurrences(model, m.params)
        for label in entry.events:
            place = known.place(label)
            reason = place.event.reachable(m.params, place.index)
            key = place.event.name, m.options.strip(), reason
            _, places, methods = found.setdefault(key, (place.event.statement, [], []))
            places.append(label)
            methods += [] if entry.by in methods else [entry.by]
    return [
        members(
            ProvedShape,
            kind="event",
            name=name,
            statement=statement,
            places=places,
            reason=reason,
            proofs=[_proof(by, parameters) for by in (*methods, *([REASON] if reason else []))],
        )
        for (name, parameters, reason), (statement, places, methods) in found.items()
    ]


def proved_heading(model: str) -> str:
    """A heading over the statements of a model that says at which moduli they were proved."""
    kept = (entry for entry in proved_claims() if entry.model == model and entry.prime is not None)
    moduli = sorted({_multiplier(entry).modulus.modulus for entry in kept})
    return f"Proved at p = {', '.join(map(str, moduli))}" if moduli else "Proved at the parameters below"


def proved_rows(document: Any) -> list[tuple[str, str, str]]:
    """The statements of a model's document for readers: (what holds, by what, for which parameters)."""
    rows = []
    for each in document["proved"]:
        what = f"{each['name']}: {each['statement']}" if each["kind"] == "claim" else f"never {spread(each['places'])}"
        if each["reason"] is not None:
            what += f": {each['reason']}"
        methods: dict[str, list[str]] = {}
        for proof in each["proofs"]:
            methods.setdefault(proof["parameters"], []).append(proof["by"])
        rows += [(what, ", ".join(by), parameters) for parameters, by in methods.items()] or [(what, "tests", "")]
    return rows


def spread(places: list[str]) -> str:
    """The first and the last of many places."""
    return places[0] if len(places) == 1 else f"{places[0]} to {places[-1]}, {len(places)} in all"
