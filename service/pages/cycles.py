# SPDX-License-Identifier: Apache-2.0
"""The cycle explorer: what each register of a core holds in each cycle, as a waveform."""

from itertools import islice
from typing import Any

from fastapi import APIRouter, Response

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.expressions import parse_integer
from limbtrace.refmodels.model import step_label
from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.refmodels.registry import ARCHITECTURES
from limbtrace.service.http import cost_model
from limbtrace.service.http.responses import Exchange, Here
from limbtrace.service.pages import forms
from limbtrace.service.pages.forms import FormFields
from limbtrace.service.pages.render import answered
from limbtrace.vectors.cycles import CycleQuery, CycleRequest

router = APIRouter(include_in_schema=False)

FIRST = 24
"""Cycles that the page has as a table."""
MOST_CELLS = 400_000
"""Cells of a table that a waveform shows: a browser loads all of them."""
MOST_DRAWN_CYCLES = 2000
"""Cycles of which the occupation of units is drawn."""
EXAMPLE = [("core", "iddmm_arch2"), ("prime", "0xea7"), ("radix", "2^4"), ("operands", "0xe8a,0xd66")]
"""Default query."""


def _query(given: FormFields) -> CycleQuery:
    """The query of the form, in whose field for operands products are separated by blanks. Raises ParameterError."""
    apart = [(name, part) for name, value in given for part in (value.split() if name == "operands" else [value])]
    return forms.read(CycleQuery, apart)


def _table(here: Exchange, query: CycleQuery) -> CycleRequest:
    """The table of a query. Raises ParameterError."""
    return CycleRequest.of(query, here.limits.core(query), here.limits.max_cycle_cells)


@router.get("/cycles")
def cycles(here: Here) -> Response:
    """The waveform of a cycle table."""
    given = forms.fields(here)
    asked = given or EXAMPLE
    choices: dict[str, Any] = {
        "given": forms.shown(CycleQuery, asked)
        | {"operands": " ".join(value for name, value in asked if name == "operands")},
        "cores_by_name": [(name, name) for name in ARCHITECTURES],
        "primes": CATALOGUE.values(),
    }
    return answered(here, "cycles.html", choices, lambda: _answer(here, _query(asked)))


def _answer(here: Exchange, query: CycleQuery) -> dict[str, Any]:
    """The first rows, and where the page gets all of them."""
    table = _table(here, query)
    here.charge(cost_model.of_table(table.core, 1))
    cells = table.count * len(table.columns)
    drawn = table.core.architecture.occupation is not None and table.count <= MOST_DRAWN_CYCLES
    return {
        "core": table.core,
        "head": table.head,
        "first": list(islice(enumerate(table.rows(), table.first_cycle), FIRST)),
        "data": forms.url("/v1/cycles", query, format="json") if cells <= MOST_CELLS else "",
        "step": forms.url("/cycles/step", query),
        "cells": cells,
        "most_cells": MOST_CELLS,
        "units": forms.url("/v1/cycles", query, format="svg") if drawn else "",
        "downloads": {name: forms.url("/v1/cycles", query, format=name) for name in ("csv", "vcd", "fst", "gtkw")},
        "lines": [
            forms.curl(here, "/v1/cycles", query, format="csv"),
            forms.command("cycles", query, "--format", "csv"),
        ],
    }


@router.get("/cycles/step")
def step(here: Here) -> Response:
    """The step behind a cell of the waveform, for its script: the product and the step, as JSON."""
    given = dict(forms.fields(here))
    cycle, signal = given.get("cycle", ""), given.get("signal", "")
    table = _table(here, _query([item for item in forms.fields(here) if item[0] not in ("cycle", "signal")]))
    names = [column.name for column in table.columns]
    if signal not in names:
        raise ParameterError("signal", f"{signal[:40]!r} is none of {', '.join(names)}")
    number = parse_integer(cycle, "cycle")
    if not 0 <= number - table.first_cycle < table.count:
        raise ParameterError("cycle", "it is not in the table")
    product, found = table.behind(names.index(signal), number)
    return here.document({"product": product, "step": found and step_label(*found)})
