# SPDX-License-Identifier: Apache-2.0
"""The page of a model: everything that is known about it, and where its printed form goes wrong."""

from collections import deque
from functools import cache
from itertools import zip_longest
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from fastapi import APIRouter, Response

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import CORRECTED, PRINTED, Model, step_label
from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.refmodels.registry import ARCHITECTURES, model
from limbtrace.service.http import cost_model
from limbtrace.service.http.responses import Exchange, Here
from limbtrace.service.pages import forms
from limbtrace.service.pages.forms import FormFields
from limbtrace.service.pages.listing import loop_of
from limbtrace.service.pages.lists import Listing, TableCell, code, event_cells, parameter_table
from limbtrace.service.pages.render import answered, found
from limbtrace.vectors import catalogue
from limbtrace.vectors.catalogue.events import listed
from limbtrace.vectors.catalogue.proved import proved_heading, proved_rows
from limbtrace.vectors.encoding import hexadecimal
from limbtrace.vectors.traces import TraceQuery, TraceRequest

router = APIRouter(include_in_schema=False)

BEFORE = 6
"""Steps that are shown before the first one at which two forms part."""


@router.get("/models/{id}")
def model_page(here: Here, id: str) -> Response:
    """Parameters, loop, symbols, claims, events, errata; with operands, printed beside corrected."""
    document = found(catalogue.model_document, id)
    entry = model(id)
    given = [(name, value) for name, value in forms.fields(here) if name != "model"]
    example = [] if given else _example(id)
    content = {
        "model": document,
        "given": forms.shown(TraceQuery, given or example),
        "example": bool(example),
        "primes": CATALOGUE.values(),
        "loop": loop_of(entry),
        "tables": _tables(document, entry),
        "proved_heading": proved_heading(entry.id),
        "cores": [core.id for core in ARCHITECTURES.values() if core.model is entry],
        "has_forms": PRINTED in document["forms"],
    }

    def parted() -> dict[str, Any]:
        if (given or example) and content["has_forms"]:
            return {"parted": _parted(here, id, given or example)}
        if given:
            raise ParameterError(given[0][0][:60], f"{id} has one form, and this page takes nothing")
        return {"parted": None}

    return answered(here, "model.html", content, parted, {"parted": None})


@cache
def _errata() -> list[dict[str, Any]]:
    """Every erratum, which is always the same and takes half a second."""
    entries: list[dict[str, Any]] = catalogue.errata_document()["errata"]
    return entries


def _tables(document: dict[str, Any], entry: Model) -> dict[str, Listing]:
    steps, claims = document["steps"], document["claims"]
    proofs = {"intervals": "proved for all operands, by intervals", "tests": "tested"}
    return {
        "parameters": parameter_table(document["parameters"]),
        "symbols": Listing(
            ("Symbol", "Meaning", "Range", "How it is known"),
            [
                (
                    code(step_label(step["name"], step["index"])),
                    TableCell(step["meaning"]),
                    code(step["range"]),
                    TableCell(proofs[claim["proof"]]),
                )
                for step, claim in zip(steps, claims, strict=False)
            ],
        ),
        "claims": Listing(
            ("Claim", "Statement", "Place"),
            [
                (TableCell(claim["name"]), TableCell(claim["statement"]), TableCell(claim["reference"]))
                for claim in claims[len(steps) :]
            ],
        ),
        "proved": Listing(
            ("What holds", "By", "For which parameters"),
            [(TableCell(what), TableCell(by), code(parameters)) for what, by, parameters in proved_rows(document)],
        ),
        "events": Listing(
            ("Event", "What happens", "It finds", "Source"),
            [event_cells(event) for event in listed(entry.id, None)["events"]],
        ),
        "errata": Listing(
            ("Erratum", "Standing", "Printed", "Corrected"),
            [
                (
                    code(entry["id"], f"/errata/{entry['id']}"),
                    *(TableCell(entry[name]) for name in ("standing", "printed", "corrected")),
                )
                for entry in _errata()
                if entry["id"] in document["errata"]
            ],
        ),
    }


def _example(id: str) -> list[tuple[str, str]]:
    """Operands of an erratum for which the forms of this model give different results; empty without one."""
    for entry in _errata():
        requests = {request["form"]: request for request in entry["requests"] if "result" in request}
        if {PRINTED, CORRECTED} == set(requests) and requests[PRINTED]["result"] != requests[CORRECTED]["result"]:
            asked = parse_qsl(urlsplit(requests[CORRECTED]["url"]).query)
            if ("model", id) in asked:
                return [(name, value) for name, value in asked if name != "model"]
    return []


class StepPair(NamedTuple):
    """A step in both forms; None if a form does not have it."""

    label: str
    corrected: str | None
    printed: str | None

    @property
    def differs(self) -> bool:
        """True if the forms part here."""
        return self.corrected != self.printed


def _parted(here: Exchange, id: str, given: FormFields) -> dict[str, Any]:
    """The step at which the printed form of a product parts from the corrected one. Raises ParameterError."""
    requests = []
    for form in (CORRECTED, PRINTED):
        query = forms.read(TraceQuery, [("model", id), *given, ("form", form)])
        multiplier = here.limits.multiplier(query)
        here.limits.check_trace(multiplier, query.step)
        here.charge(cost_model.of_trace(multiplier))
        requests.append(TraceRequest.of(query, multiplier, here.limits.max_trace_steps))
    before: deque[StepPair] = deque(maxlen=BEFORE)
    first = None
    for number, (golden, seen) in enumerate(zip_longest(*(request.steps() for request in requests))):
        both = [(golden, seen)] if _same_place(golden, seen) else [(golden, None), (None, seen)]
        pairs = [_pair(*steps) for steps in both if steps != (None, None)]
        before.extend(pairs)
        if any(pair.differs for pair in pairs):
            first = number
            break
    values = [request.result for request in requests]
    results = [
        ("result", *map(hexadecimal, values)),
        ("residue", *(hexadecimal(requests[0].multiplier.residue(value)) for value in values)),
    ]
    return {"first": first, "rows": list(before), "results": results, "title": requests[0].multiplier.title}


def _same_place(golden: Any, seen: Any) -> bool:
    return golden is not None and seen is not None and golden[:2] == seen[:2]


def _pair(golden: Any, seen: Any) -> StepPair:
    name, index, _ = golden if golden is not None else seen
    values = (None if step is None else hexadecimal(step[2]) for step in (golden, seen))
    return StepPair(step_label(name, index), *values)
