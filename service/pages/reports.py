# SPDX-License-Identifier: Apache-2.0
"""Reports of simulations: a form that takes one, and a page that shows where a core and its model part."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from fastapi import APIRouter, Response

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.model import step_label
from limbtrace.refmodels.registry import ARCHITECTURES, MODELS
from limbtrace.service.http import cost_model
from limbtrace.service.http.problems import RefusedError
from limbtrace.service.http.responses import Exchange, Here
from limbtrace.service.http.uploads import FormPart, FormParts, check_names
from limbtrace.service.pages import forms
from limbtrace.service.pages.forms import ShownCommand
from limbtrace.service.pages.listing import loop_of, place_of
from limbtrace.service.pages.render import answered, page
from limbtrace.service.routes import reports
from limbtrace.vectors.cycles import CycleQuery
from limbtrace.vectors.report import ReportDocument, read
from limbtrace.vectors.report.document import EventSet, FirstDifference, SeenRows, ShrunkProducts
from limbtrace.vectors.report.explain import Explanation, bit_ranges, differing_bits, numbers, trace_query
from limbtrace.vectors.report.render import MOST_COLUMNS, cause_phrase, compared_rows, differs, shown_columns
from limbtrace.vectors.traces import TraceQuery

router = APIRouter(include_in_schema=False)

MOST_STEPS = 400_000
"""Steps of a product that a page explains."""
MOST_PRODUCTS = 8
"""Products in a list."""
WIDEST_VALUE = 26
"""Characters of a value in a row that stands in one line."""
MOST_BITS = 128
"""Bits of a value that is shown in binary, too."""
_HEXADECIMAL = re.compile(r"0x[0-9a-fxz]+")
FIELDS = ("file", reports.REPORT, reports.WAVES)
"""The fields of the form."""

Pieces = Sequence[tuple[str, bool]]
"""A text in pieces, and whether each of them differs from the text beside it."""


class Compared(NamedTuple):
    """Expected and actual value, digit by digit."""

    golden: Pieces
    seen: Pieces


class CycleRow(NamedTuple):
    """The watched signals of a cycle; `golden` only where something differs."""

    cycle: int
    seen: Sequence[Pieces]
    golden: Sequence[Pieces] | None


@router.get("/reports")
def form(here: Here) -> Response:
    """The form."""
    given = forms.fields(here)

    def work() -> dict[str, Any]:
        for name, value in given:
            raise ParameterError(name[:60], f"{shown(value)} is in the address, and the form sends a report by POST")
        return {}

    return answered(here, "reports.html", _form(here), work)


@router.post("/reports")
def keep(here: Here, sent: FormParts) -> Response:
    """Store the report that a form sent, and go to its page."""
    try:
        id, _, _ = reports.keep(here, _chosen(sent), _waveform(sent))
    except (ParameterError, RefusedError) as error:
        if isinstance(error, RefusedError) and error.status != 400:
            raise
        wrong = ParameterError(reports.REPORT, error.detail) if isinstance(error, RefusedError) else error

        def work() -> dict[str, Any]:
            raise wrong

        typed = next((part.content for part in sent if part.name == reports.REPORT), b"").decode(errors="replace")
        return answered(here, "reports.html", {**_form(here), "typed": typed}, work)
    return Response(status_code=303, headers={"Location": f"/reports/{id}", "Cache-Control": "no-store"})


def _form(here: Exchange) -> dict[str, Any]:
    address = str(here.request.base_url).rstrip("/")
    post = f"curl -H 'Content-Type: application/json' --data-binary @report.json {address}/v1/reports"
    lines = [
        ShownCommand("Simulate", "limbtrace sim ./my_core --prime p256 --json > report.json"),
        ShownCommand("Send", post),
        ShownCommand(
            "Simulate with a waveform", "limbtrace sim ./my_core --prime p256 --json --waves waves.fst > report.json"
        ),
        ShownCommand("Send both", f"curl -F report=@report.json -F waves=@waves.fst {address}/v1/reports"),
    ]
    return {"typed": "", "lines": lines}


def _chosen(sent: Sequence[FormPart]) -> bytes:
    """The report of a form. Raises ParameterError."""
    check_names((part.name for part in sent), FIELDS)
    given = [part.content for part in sent if part.name != reports.WAVES and part.content.strip()]
    if len(given) != 1:
        what = "both a file and a text were given" if given else "neither a file nor a text was given"
        raise ParameterError(reports.REPORT, f"{what}, and the page shows one report")
    return given[0]


def _waveform(sent: Sequence[FormPart]) -> bytes | None:
    """The waveform of a form; a browser sends an empty file where none was chosen."""
    return next((part.content for part in sent if part.name == reports.WAVES and part.content), None)


@router.get("/reports/{id}")
def report(here: Here, id: str) -> Response:
    """A report that was posted."""
    text = reports.known(here, id)
    here.charge(cost_model.of_body(len(text)))
    document = read(json.loads(text))
    address = str(here.request.base_url).rstrip("/")
    lines = [
        ShownCommand("Report", f"curl {address}/v1/reports/{id}"),
        ShownCommand("In words", f"curl {address}/v1/reports/{id} | limbtrace explain -"),
    ]
    found = document.first_divergence
    content = {"id": id, "report": document, "known": document.model in MODELS, "facts": _facts(document)}
    if found is None:
        return page(here, "report.html", **content, lines=lines[:1], found=None)
    return page(here, "report.html", **content, lines=lines, **_difference(here, id, document, found))


def _facts(document: ReportDocument) -> list[tuple[str, str]]:
    """Properties of the run: names and values."""
    prime = document.prime
    given = f"{len(document.operands)} given" if document.operands else f"of kind {document.kind or 'unknown'}"
    facts = [
        ("modulus", "" if prime is None else f"{prime.name or prime.modulus}, {prime.bits} bits"),
        ("radix", document.radix or ""),
        ("parameters", _listed(document.params)),
        ("RTL parameters", _listed(document.build)),
        ("simulator", f"{document.simulator}, mode {document.mode}"),
        ("products", f"{document.count} {given}, seed {document.seed}"),
        ("of these agree", _agree(document)),
        ("compared", f"{document.signals} watched signals" if document.signals else "results"),
        ("cycles", str(document.cycles)),
        ("disturbances", _listed(document.disturbances)),
    ]
    return [(name, text) for name, text in facts if text]


def _agree(document: ReportDocument) -> str:
    """Number of products that agree, and of those that differ if the run went on."""
    if (failures := document.failures) is not None:
        return f"{document.verified}; {failures.failed} of {failures.products} differ"
    return f"{document.verified}{' before the difference' if document.first_divergence else ''}"


def _listed(values: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def _difference(here: Exchange, id: str, document: ReportDocument, found: FirstDifference) -> dict[str, Any]:
    """A difference as it is shown; the model's explanation is omitted if it cannot be computed."""
    explained, obstacle = None, ""
    try:
        explained = _explained(here, document)
    except ParameterError as error:
        obstacle = str(error)
    why = explained.reason if explained else None
    bits = differing_bits(numbers(found))
    model = explained.multiplier.model if explained else None
    place = place_of(model, why.file, why.line) if model and why else None
    compared = compared_rows(document)
    return {
        "found": found,
        "explained": explained,
        "obstacle": obstacle,
        "headline": explained.headline if explained else _headline(found),
        "pair": _pair(found.expected, found.seen),
        "binary": _binary(found),
        "bits": bit_ranges(bits) if bits else "",
        "why": why,
        "label": step_label(*explained.step) if explained and explained.step else "",
        "loop": loop_of(model) if model and place is not None else (),
        "place": place,
        "rows": list(_rows(document.rows)) if document.rows else [],
        "columns": [document.rows.columns[k] for k in shown_columns(document.rows)] if document.rows else [],
        "wide": _wide(document.rows) if document.rows else (),
        "waves": f"/v1/reports/{id}/waves" if document.waves else "",
        "marked": compared.rows[-1].cycle if compared and compared.rows else None,
        "clocked": document.waves is None or document.waves.clocked,
        "missing": document.waves.missing if document.waves else (),
        "trace": forms.url("/trace", trace_query(document)) if explained else "",
        "cycles": _cycles(here, document, trace_query(document)) if explained else "",
        "most_products": MOST_PRODUCTS,
        "groups": document.differences[:MOST_PRODUCTS],
        "most_columns": MOST_COLUMNS,
        "cause": (cause := _cause(document.shrunk)),
        "cause_phrase": cause_phrase(cause.kind, doubtful=cause.doubtful) if cause else "",
    }


def _explained(here: Exchange, document: ReportDocument) -> Explanation:
    """Raises ParameterError for a report of a model, a modulus or operands that are not known here, or too large."""
    multiplier = here.limits.multiplier(trace_query(document))
    here.limits.check_trace(multiplier)
    steps = multiplier.model.work(multiplier.params)
    if steps > MOST_STEPS:
        raise ParameterError(
            "report", f"the product has {steps} steps, and a page explains {MOST_STEPS}; `limbtrace explain` does it"
        )
    here.charge(cost_model.of_explanation(multiplier))
    return Explanation.of(document, multiplier)


def _headline(found: FirstDifference) -> str:
    place = "" if found.cycle is None else f" in cycle {found.cycle}"
    step = "" if found.step is None else f" ({step_label(found.step[0], tuple(found.step[1]))})"
    return f"{found.signal}{step}{place}"


def _cycles(here: Exchange, document: ReportDocument, product: TraceQuery) -> str:
    """The address of the cycle table of the product, empty if the core has no schedule here."""
    architecture = ARCHITECTURES.get(document.core)
    if architecture is None or architecture.model.id != document.model or product.prime is None:
        return ""
    query = CycleQuery(
        core=document.core,
        prime=product.prime,
        radix=document.radix,
        pairs=[f"{name}={value}" for name, value in document.params.items() if name != "radix"],
        operands=[",".join(filter(None, (product.a, product.b)))],
    )
    try:
        here.limits.core(query)
    except ParameterError:
        return ""
    return forms.url("/cycles", query)


def _pair(golden: str | None, seen: str | None) -> Compared:
    """Two values, their digits below each other where both are hexadecimal."""
    wanted, given = golden or "no event", seen or "no event before the core is done"
    if not (_HEXADECIMAL.fullmatch(wanted.lower()) and _HEXADECIMAL.fullmatch(given.lower())):
        return Compared([(wanted, False)], [(given, False)])
    width = max(len(wanted), len(given)) - 2
    return _compared(wanted[2:].rjust(width, "0"), given[2:].rjust(width, "0"), "0x")


def _binary(found: FirstDifference) -> Compared | None:
    """Two numbers bit by bit, in groups of four; None for large ones."""
    values = numbers(found)
    if values is None or min(values) < 0 or max(values).bit_length() > MOST_BITS:
        return None
    width = -(-max(max(values).bit_length(), 1) // 4) * 4
    texts = [f"{value:0{width}b}" for value in values]
    golden, seen = (" ".join(text[k : k + 4] for k in range(0, width, 4)) for text in texts)
    return _compared(golden, seen, "")


def _compared(golden: str, seen: str, head: str) -> Compared:
    """Two texts of equal length in runs of characters that agree or differ, behind a head that agrees."""
    runs: list[list[Any]] = [[head, head, False]] if head else []
    for right, given in zip(golden, seen, strict=True):
        differs = right.lower() != given.lower()
        if not runs or runs[-1][2] != differs:
            runs.append(["", "", differs])
        runs[-1][0] += right
        runs[-1][1] += given
    return Compared([(run[0], run[2]) for run in runs], [(run[1], run[2]) for run in runs])


def _cause(shrunk: ShrunkProducts | None) -> EventSet | None:
    """The likely cause; in a report of before a list of events alone."""
    if shrunk is None:
        return None
    return shrunk.cause or (EventSet(kind="each", events=shrunk.likely_cause) if shrunk.likely_cause else None)


def _wide(rows: SeenRows) -> set[int]:
    """Places among the shown columns of those whose values are folded."""
    columns = enumerate(shown_columns(rows))
    return {place for place, k in columns if any(len(row.seen[k]) > WIDEST_VALUE for row in rows.rows)}


def _rows(rows: SeenRows) -> Iterator[CycleRow]:
    columns = shown_columns(rows)
    for row in rows.rows:
        golden = row.golden or [None] * len(row.seen)
        cells = [_cell(golden[k], row.seen[k]) for k in columns]
        is_wrong = any(differs(golden[k], row.seen[k]) for k in columns)
        yield CycleRow(row.cycle, [cell.seen for cell in cells], [cell.golden for cell in cells] if is_wrong else None)


def _cell(golden: str | None, seen: str) -> Compared:
    if golden is None:
        return Compared([], [(seen[2:], False)])
    if not differs(golden, seen):
        return Compared([(golden[2:], False)], [(seen[2:], False)])
    width = max(len(golden), len(seen)) - 2
    return _compared(golden[2:].rjust(width, "0"), seen[2:].rjust(width, "0"), "")
