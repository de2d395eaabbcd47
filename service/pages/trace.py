# SPDX-License-Identifier: Apache-2.0
"""The trace explorer: every intermediate of one product as grids of digits, one for each symbol of the paper."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from fastapi import APIRouter, Response

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Index, Model, Step, step_label
from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.refmodels.registry import MODELS
from limbtrace.service.http import cost_model
from limbtrace.service.http.responses import Exchange, Here
from limbtrace.service.pages import forms
from limbtrace.service.pages.listing import loop_of
from limbtrace.service.pages.render import answered
from limbtrace.vectors import catalogue
from limbtrace.vectors.traces import TraceQuery, TraceRequest

router = APIRouter(include_in_schema=False)

MOST_STEPS = 4000
"""Steps of a trace that a page shows, and"""
MOST_DIGITS = 100_000
"""their hexadecimal digits together: more would take a browser long."""
_CARRY = re.compile(r"(\w+ ){0,2}carr(y|ies)\b")
"""Prefix of the meaning of a carry."""
EXAMPLE = [("model", "iddmm2"), ("prime", "0xea7"), ("radix", "2^4"), ("a", "0xe8a"), ("b", "0xd66")]
"""Default query."""


class GridCell(NamedTuple):
    """A step in a grid: its place in the order of the loop, its value, and whether it breaks a claim."""

    number: int
    value: int
    broken: bool

    @property
    def text(self) -> str:
        """The value in hexadecimal."""
        return f"{self.value:x}"


class Grid(NamedTuple):
    """The steps of one symbol: by the last subscript from left to right, by the others from top to bottom."""

    symbol: dict[str, Any]
    label: str
    claims: list[dict[str, Any]]
    carries: bool
    """True if the symbol is a carry, of which only those that are not 0 matter."""
    columns: Sequence[int | str]
    rows: Sequence[tuple[str, Sequence[GridCell | None]]]

    @property
    def bits(self) -> int:
        """Bits of the largest value."""
        values = (abs(cell.value) for _, cells in self.rows for cell in cells if cell is not None)
        return max(max(values).bit_length(), 1)


@router.get("/trace")
def trace(here: Here) -> Response:
    """The trace of one product."""
    given = forms.fields(here)
    asked = given or EXAMPLE
    choices: dict[str, Any] = {
        "given": forms.shown(TraceQuery, asked),
        "models_by_name": [(name, name) for name in MODELS],
        "primes": CATALOGUE.values(),
    }
    return answered(here, "trace.html", choices, lambda: _answer(here, forms.read(TraceQuery, asked)))


def _answer(here: Exchange, query: TraceQuery) -> dict[str, Any]:
    """The grids of a trace, and what is known about its symbols. Raises ParameterError."""
    multiplier = here.limits.multiplier(query)
    here.limits.check_trace(multiplier, query.step)
    amounts = cost_model.of_trace(multiplier)
    here.charge(amounts + amounts)  # once for the steps and once for the claims
    request = TraceRequest.of(query, multiplier, here.limits.max_trace_steps)
    _check_size(request.count, "steps", MOST_STEPS, query)
    steps = list(request.steps())
    _check_size(sum(len(f"{value:x}") for _, _, value in steps), "hexadecimal digits", MOST_DIGITS, query)
    violations = request.violations()
    broken = {(violation.claim.step, violation.index) for violation in violations}
    model = multiplier.model
    lines = [forms.curl(here, "/v1/traces", query, format="text"), forms.command("trace", query, "--format", "text")]
    return {
        "multiplier": multiplier,
        "head": request.head,
        "steps": len(steps),
        "grids": list(_grids(model, steps, broken)),
        "claims": request.claims,
        "violations": [str(violation) for violation in violations[:10]],
        "violated": len(violations),
        "loop": loop_of(model),
        "lines": lines,
    }


def _check_size(size: int, what: str, limit: int, query: TraceQuery) -> None:
    """Raises ParameterError for a trace that is too large for a page."""
    if size > limit:
        name = "radix" if query.radix else "prime"
        raise ParameterError(
            name, f"the trace has {size} {what} and a page shows {limit}; choose larger digits, or ask /v1/traces"
        )


def _grids(model: Model, steps: Iterable[Step], broken: set[tuple[str | None, Index]]) -> Iterable[Grid]:
    """A grid for each symbol, in the order of the vocabulary."""
    shown = model if model.chain is None else model.chain.link_model
    document = catalogue.model_document(shown.id)
    by_symbol: dict[str, dict[Index, GridCell]] = {}
    for number, (name, index, value) in enumerate(steps):
        by_symbol.setdefault(name, {})[index] = GridCell(number, int(value), (name, index) in broken)
    for symbol in document["steps"]:
        if cells := by_symbol.get(symbol["name"]):
            columns = sorted({index[-1] for index in cells if index})
            rows = dict.fromkeys(index[:-1] for index in cells)
            yield Grid(
                symbol,
                step_label(symbol["name"], symbol["index"]),
                [claim for claim in document["claims"] if claim["step"] == symbol["name"]],
                _CARRY.match(symbol["meaning"]) is not None,
                columns or [""],
                [(", ".join(map(str, row)), _row(cells, row, columns)) for row in rows],
            )


def _row(cells: dict[Index, GridCell], row: Index, columns: Sequence[int]) -> list[GridCell | None]:
    """The cells of a row; a symbol without subscripts has one."""
    return [cells.get((*row, column)) for column in columns] if columns else [cells[()]]
