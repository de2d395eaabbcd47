# SPDX-License-Identifier: Apache-2.0
"""Lists with a search field: models, cores, moduli, errata, defects, events, and the figures of the papers."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from fastapi import APIRouter, Response

from limbtrace.refmodels.erratum import CORRECTIONS, STANDINGS
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.refmodels.registry import ARCHITECTURES, MODELS
from limbtrace.service.http import cost_model
from limbtrace.service.http.responses import Here
from limbtrace.service.pages import forms
from limbtrace.service.pages.render import answered, found, page
from limbtrace.vectors import catalogue
from limbtrace.vectors.catalogue.events import listed
from limbtrace.vectors.catalogue.mutants import DISTURBED, KnownFault, fault_banks
from limbtrace.vectors.catalogue.proofs import HEAD, common, proof_cells, versions
from limbtrace.vectors.catalogue.routes import ABOUT, route_cells
from limbtrace.vectors.catalogue.routes import HEAD as ROUTED
from limbtrace.vectors.options import EventsQuery

router = APIRouter(include_in_schema=False)

_SHOWN_KINDS = ("random", "directed", DISTURBED)
"""Of how the faults were run."""
_OF_DEFECTS = ("random", "directed")
"""Kinds of operands that the list of defects shows."""


class TableCell(NamedTuple):
    """A text in a table."""

    text: str
    href: str = ""
    kind: str = ""
    """`code` for what is in the language of programs, `number` for digits that stand below each other."""


class Listing(NamedTuple):
    """Rows below the names of their columns; some may be hidden by a search."""

    columns: Sequence[str]
    rows: Sequence[Sequence[TableCell]]
    search: str = ""

    def hides(self, row: Sequence[TableCell]) -> bool:
        """True if a row lacks a word of the search."""
        text = "\n".join(cell.text for cell in row).lower()
        return not all(word in text for word in self.search.lower().split())

    @property
    def shown(self) -> int:
        """The number of rows that are not hidden."""
        return sum(not self.hides(row) for row in self.rows)


def code(text: str, href: str = "") -> TableCell:
    """A cell with a name or an expression."""
    return TableCell(text, href, "code")


def _search(here: Here) -> str:
    """The search term. Raises ParameterError for another parameter."""
    for name, _ in forms.fields(here):
        if name != "q":
            raise ParameterError(name[:60], "this page takes q, the words to search for")
    return here.request.query_params.get("q", "").strip()


def _list(here: Here, title: str, lead: str, columns: Sequence[str], rows: Iterable[Sequence[TableCell]]) -> Response:
    """The page of a list."""
    all_rows = list(rows)
    content = {"title": title, "lead": lead}
    return answered(
        here,
        "list.html",
        content,
        lambda: {"table": Listing(columns, all_rows, _search(here))},
        {"table": Listing(columns, all_rows)},
    )


@router.get("/models")
def models(here: Here) -> Response:
    """Every model."""
    entries = catalogue.models_document()["models"]
    rows = [
        (
            code(entry["id"], f"/models/{entry['id']}"),
            TableCell(entry["title"]),
            code("; ".join(f"{name} {text}" for name, text in entry["operands"].items())),
            TableCell(entry["source"]),
        )
        for entry in entries
    ]
    return _list(here, "Models", "One algorithm of one paper each.", ("Model", "Title", "Ranges", "Source"), rows)


@router.get("/cores")
def cores(here: Here) -> Response:
    """Every core."""
    rows = [
        (
            code(entry["id"], f"/cores/{entry['id']}"),
            TableCell(entry["title"]),
            code(entry["model"], f"/models/{entry['model']}"),
            TableCell(entry["source"]),
        )
        for entry in catalogue.cores_document()["cores"]
    ]
    lead = "Hardware architectures whose registers are known in every cycle."
    return _list(here, "Cores", lead, ("Core", "Title", "Model", "Source"), rows)


@router.get("/cores/{id}")
def core(here: Here, id: str) -> Response:
    """One core."""
    document = found(catalogue.core_document, id)
    parameters = parameter_table(document["parameters"])
    signals = Listing(
        ("Signal", "Kind"), [(code(entry["name"]), TableCell(entry["kind"])) for entry in document["signals"]]
    )
    costs = Listing(
        ("Cost", "Formula", "Example", "Value", "Published"),
        [
            (
                TableCell(f"{cost['name']}, {cost['unit']}" if cost["unit"] != cost["name"] else cost["name"]),
                code(cost["formula"]),
                TableCell(" ".join(str(cost["example"][name]) for name in ("prime", "radix") if cost["example"][name])),
                TableCell(str(cost["example"]["value"]), kind="number"),
                TableCell("; ".join(f"{name}: {value}" for name, value in (cost["published"] or {}).items())),
            )
            for cost in document["costs"]
        ],
    )
    shown = document["proofs"]
    proofs = Listing(
        tuple(name[:1].upper() + name[1:] for name in (*HEAD, "command")),
        [(*(TableCell(text) for text in proof_cells(kept)), code(kept["command"])) for kept in shown],
    )
    routes = Listing(
        tuple(name[:1].upper() + name[1:] for name in ROUTED),
        [tuple(TableCell(text) for text in route_cells(row)) for row in document["routes"]],
    )
    lists = {member: common(shown, member) for member in ("hypotheses", "trusted")}
    return page(
        here,
        "core.html",
        core=document,
        parameters=parameters,
        signals=signals,
        costs=costs,
        proofs=proofs,
        routes=routes,
        about_routes=ABOUT,
        tools=versions(shown),
        **lists,
    )


@router.get("/primes")
def primes(here: Here) -> Response:
    """The catalogue of moduli."""
    rows = [
        (
            code(entry["name"], f"/?model=cios&prime={entry['name']}"),
            TableCell(str(entry["bits"]), kind="number"),
            TableCell(entry["primality"]),
            code(entry["modulus"]),
            TableCell(". ".join(filter(None, (entry["source"], entry["note"])))),
        )
        for entry in catalogue.primes_document()["primes"]
    ]
    lead = "Moduli by name. Any other odd modulus is given by number or expression, such as 2^255-19."
    return _list(here, "Primes", lead, ("Name", "Bits", "Kind", "Modulus", "Source"), rows)


@router.get("/errata")
def errata(here: Here) -> Response:
    """Where the papers are wrong as printed, and remarks on them."""
    rows = [
        (
            code(entry["id"], f"/errata/{entry['id']}"),
            TableCell(entry["standing"]),
            TableCell(entry["kind"]),
            code(", ".join(entry["models"])),
            TableCell(entry["printed"]),
            TableCell(entry["corrected"]),
        )
        for entry in catalogue.errata_document()["errata"]
    ]
    lead = " ".join(
        ["Errata of the papers, and remarks on them, each with a quotation and requests that show it."]
        + [f"{name.capitalize()}: {meaning}." for name, meaning in STANDINGS.items()]
    )
    return _list(here, "Errata", lead, ("Erratum", "Standing", "Kind", "Models", "Printed", "Corrected"), rows)


@router.get("/errata/{id}")
def erratum(here: Here, id: str) -> Response:
    """One erratum."""
    entry = found(catalogue.erratum_document, id)
    return page(here, "erratum.html", erratum=entry, correction=CORRECTIONS[entry["standing"]])


@router.get("/defects")
def defects(here: Here) -> Response:
    """Public faults of modular arithmetic."""
    rows = [
        (
            code(entry["id"], f"/defects/{entry['id']}"),
            TableCell(str(entry["year"]), kind="number"),
            TableCell(entry["mechanism"]),
            TableCell(entry["title"]),
            *(
                TableCell("none" if entry["first"].get(kind) is None else str(entry["first"][kind]), kind="number")
                for kind in _OF_DEFECTS
            ),
        )
        for entry in catalogue.defects_document()["defects"]
    ]
    lead = "Public faults of modular arithmetic, emulated, and the first case of two kinds of operands that shows each."
    columns = ("Defect", "Year", "Mechanism", "Title", *(kind.capitalize() for kind in _OF_DEFECTS))
    return _list(here, "Defects", lead, columns, rows)


@router.get("/defects/{id}")
def defect(here: Here, id: str) -> Response:
    """One defect."""
    return page(here, "defect.html", defect=found(catalogue.defect_document, id))


@router.get("/tables")
def tables(here: Here) -> Response:
    """The papers, and how many of their figures we find again."""
    document = catalogue.tables_document()
    verdicts = document["verdicts"]
    rows = [
        (
            code(paper["id"], f"/tables/{paper['id']}"),
            TableCell(paper["source"]),
            *(TableCell(str(paper["count"][verdict]), kind="number") for verdict in verdicts),
        )
        for paper in document["papers"]
    ]
    lead = "Figures printed in the papers, with ours beside them."
    return _list(here, "Tables", lead, ("Paper", "Source", *(verdict.capitalize() for verdict in verdicts)), rows)


@router.get("/tables/{paper}")
def paper_tables(here: Here, paper: str) -> Response:
    """The figures of one paper."""
    (document,) = found(catalogue.tables_document, paper)["papers"]
    rows = [
        (
            TableCell(str(figure["table"]), kind="number"),
            TableCell(figure["design"]),
            TableCell(str(figure["bits"] or ""), kind="number"),
            TableCell(str(figure["k"] or ""), kind="number"),
            TableCell(figure["metric"]),
            TableCell(figure["published"], kind="number"),
            TableCell(figure["ours"] or "", kind="number"),
            TableCell(figure["verdict"]),
            TableCell(figure["note"], f"/errata/{figure['erratum']}" if figure["erratum"] else ""),
        )
        for figure in document["figures"]
    ]
    columns = ("Table", "Design", "Bits", "k", "Figure", "Printed", "Ours", "Verdict", "Note")
    return _list(here, f"Figures of {paper}", f"{document['source']}.", columns, rows)


@router.get("/mutants")
def mutants(here: Here) -> Response:
    """Every fault of the mutant banks."""
    rows = [
        (
            code(bank.name, f"/cores/{bank.core}" if bank.core in ARCHITECTURES else ""),
            code(fault.id),
            TableCell(fault.defect),
            TableCell(fault.why),
            TableCell("equivalent" if fault.equivalent is not None else fault.kind),
            *(TableCell(_first_case(fault, kind), kind="number") for kind in _SHOWN_KINDS),
            TableCell(fault.equivalent or fault.survives or ""),
        )
        for bank in fault_banks()
        for fault in bank.faults
    ]
    lead = (
        "Faults that designers make, and the first product that shows each in a result, counted from 1; "
        "a dash: none of 1,000 does."
    )
    columns = ("Bank", "Fault", "Class", "Why", "Kind", *(kind.capitalize() for kind in _SHOWN_KINDS), "Note")
    return _list(here, "Mutants", lead, columns, rows)


def _first_case(fault: KnownFault, kind: str) -> str:
    """As in docs/reference/mutants.md; empty if it was not run so."""
    if kind not in fault.results:
        return ""
    case = fault.results[kind]
    return "–" if case is None else str(case + 1)


@router.get("/events")
def events(here: Here) -> Response:
    """Every event of every model; with a model and a modulus, where each happens."""
    given = forms.fields(here)
    if all(name == "q" for name, _ in given):
        rows = [
            (code(model.id, f"/models/{model.id}"), *event_cells(event))
            for model in MODELS.values()
            for event in listed(model.id, None)["events"]
        ]
        lead = "What can happen inside a product, as data on each model, and the fault that each event finds."
        return _list(here, "Events", lead, ("Model", "Event", "What happens", "It finds", "Source"), rows)
    choices: dict[str, Any] = {
        "given": forms.shown(EventsQuery, given),
        "models_by_name": [(name, name) for name, model in MODELS.items() if model.events],
        "primes": CATALOGUE.values(),
    }

    def happenings() -> dict[str, Any]:
        query = forms.read(EventsQuery, given)
        if not query.names_only:
            here.charge(cost_model.of_event_list(here.limits.multiplier(query)))
        lines = [forms.curl(here, "/v1/events", query), forms.command("events", query)]
        return {"document": catalogue.events_document(query), "lines": lines}

    return answered(here, "events.html", choices, happenings)


def event_cells(event: dict[str, Any]) -> tuple[TableCell, ...]:
    """Name, statement, fault and source of an event."""
    return (code(event["name"]), *(TableCell(event[name]) for name in ("statement", "hunts", "source")))


def parameter_table(parameters: Iterable[dict[str, Any]]) -> Listing:
    """Parameters of a model or a core."""
    return Listing(
        ("Parameter", "Meaning", "Default", "Range"),
        [
            (
                code(", ".join([entry["name"], *entry["aliases"]])),
                TableCell(entry["meaning"]),
                code(entry["default"]),
                TableCell(entry["range"]),
            )
            for entry in parameters
        ],
    )
