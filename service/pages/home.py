# SPDX-License-Identifier: Apache-2.0
"""The home page: what this is, and a query by model, prime and radix that is answered on the page."""

from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Response

from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.refmodels.registry import MODELS
from limbtrace.service.http import cost_model
from limbtrace.service.http.responses import Exchange, Here
from limbtrace.service.pages import forms
from limbtrace.service.pages.forms import ShownCommand
from limbtrace.service.pages.render import answered
from limbtrace.vectors.encoding import hexadecimal
from limbtrace.vectors.request import DEFAULT_KIND, EVERY_KIND, Multiplier
from limbtrace.vectors.sets import VectorQuery, VectorSet
from limbtrace.vectors.traces import TraceQuery

router = APIRouter(include_in_schema=False)

FIRST = 8
"""Cases that the page shows: a set begins with the same ones, however many it has."""
EXAMPLE = [("model", "cios"), ("prime", "secp256k1"), ("radix", "2^34"), ("kind", "random")]
"""Default query."""


@router.get("/")
def home(here: Here) -> Response:
    """The form, with the answer to it."""
    given = forms.fields(here)
    asked = given or EXAMPLE
    choices = {
        "given": forms.shown(VectorQuery, asked),
        "example": not given,
        "models_by_name": [(name, name) for name in MODELS],
        "primes": CATALOGUE.values(),
        "kinds": [("", f"{DEFAULT_KIND} (default)"), *((kind, kind) for kind in EVERY_KIND if kind != DEFAULT_KIND)],
    }
    return answered(here, "home.html", choices, lambda: _answer(here, forms.read(VectorQuery, asked)))


def _answer(here: Exchange, query: VectorQuery) -> dict[str, Any]:
    """The first cases of the set, and how to ask for all of it."""
    whole = here.limits.vectors(query)
    vectors = here.limits.vectors(replace(query, count=min(FIRST, whole.count)))
    here.charge(cost_model.of_set(vectors))
    found = VectorSet(vectors)
    multiplier = vectors.multiplier
    cases = [
        {
            "id": case.id,
            "rows": _rows(multiplier, case.a, case.b, case.result, case.residue),
            "flags": case.flags,
            "comment": case.comment,
            "trace": _trace(query, multiplier, case.a, case.b),
        }
        for case in found.cases()
    ]
    return {
        "multiplier": multiplier,
        "group": found.group,
        "cases": cases,
        "whole": whole,
        "notes": found.head["notes"],
        "lines": [
            forms.curl(here, "/v1/vectors", query),
            forms.command("vectors", query),
            _python(here, query, whole.count),
        ],
        "downloads": {name: forms.url("/v1/vectors", query, format=name) for name in ("json", "csv", "readmemh")},
    }


def _trace(query: VectorQuery, multiplier: Multiplier, a: int, b: int) -> str:
    """The address of the trace of a case."""
    second = None if multiplier.model.unary else multiplier.written(b)
    asked = TraceQuery(
        model=query.model,
        prime=query.prime,
        radix=query.radix,
        pairs=query.pairs,
        a=multiplier.written(a),
        b=second,
    )
    return forms.url("/trace", asked)


def _rows(multiplier: Multiplier, a: int, b: int, result: int, residue: int) -> list[tuple[str, str]]:
    """The numbers of a case, each with its name."""
    operands = zip(multiplier.model.operands, multiplier.model.given(a, b), strict=False)
    reduced = [("residue", residue)] if residue != result else []
    return [(name, hexadecimal(value)) for name, value in (*operands, ("result", result), *reduced)]


def _python(here: Exchange, query: VectorQuery, count: int) -> ShownCommand:
    address = str(here.request.base_url).rstrip("/")
    arguments = [repr(query.model), repr(query.prime), repr(query.settings), f"count={count}"]
    arguments += [f"{name}={value!r}" for name, value in (("seed", query.seed), ("kind", query.drawn_kind)) if value]
    return ShownCommand(
        "Python",
        "from limbtrace.vectors.client import Client\n\n"
        f"with Client({address!r}) as client:\n"
        f"    for case in client.cases({', '.join(arguments)}).cases:\n"
        "        print(hex(case.a), hex(case.b), hex(case.result))",
    )
