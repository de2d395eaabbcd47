# SPDX-License-Identifier: Apache-2.0
"""The figures printed in papers, our values, and the verdicts; and synthesis results of our cores.

Synthesis results come from packages with an entry point `limbtrace.areas`: a function without arguments that returns
rows as `limbtrace synth --json` writes them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from limbtrace.refmodels.figures import FREQUENCY, LUTS, VERDICTS, Figure, Figures, Finding
from limbtrace.refmodels.registry import PAPERS, paper
from limbtrace.vectors.catalogue.document import FigureShape, PaperTables, Routing, SitesShape, Synthesis, Tables
from limbtrace.vectors.catalogue.entry_points import kept_rows
from limbtrace.vectors.catalogue.routes import kept_routes, named
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT

SCHEMA: Final = "limbtrace-tables-1.schema.json"


def tables_document(name: str | None = None) -> dict[str, Any]:
    """Every figure of one paper, or of all. Raises ParameterError."""
    chosen = list(PAPERS.values()) if name is None else [paper(name)]
    areas, routes = kept_areas(), kept_routes()
    document: dict[str, Any] = members(
        Tables,
        format=FORMAT,
        schema=SCHEMA,
        verdicts=VERDICTS,  # type: ignore[arg-type]
        papers=[_paper(entry.figures, areas, routes) for entry in chosen],
    )
    return document


def kept_areas() -> list[dict[str, Any]]:
    """The stored synthesis results of our cores."""
    return kept_rows("limbtrace.areas")


def _paper(entry: Figures, areas: Sequence[dict[str, Any]], routes: Sequence[dict[str, Any]]) -> Any:
    count = Counter(finding.verdict for finding in entry.findings)
    return members(
        PaperTables,
        id=entry.paper,
        source=str(entry.source),
        count={verdict: count[verdict] for verdict in VERDICTS},  # type: ignore[misc]
        figures=[_figure(entry, finding, areas, routes) for finding in entry.findings],
    )


def _figure(entry: Figures, finding: Finding, areas: Sequence[dict[str, Any]], routes: Sequence[dict[str, Any]]) -> Any:
    figure = finding.figure
    return members(
        FigureShape,
        table=figure.table,
        design=figure.design,
        bits=figure.bits,
        k=figure.k,
        metric=figure.metric,
        unit=figure.unit,
        published=figure.value,
        ours=finding.ours,
        formula=finding.formula,
        verdict=finding.verdict,  # type: ignore[arg-type]
        erratum=finding.erratum,
        note=finding.note,
        synthesis=_synthesis(entry, finding, areas),
        routing=_routing(entry, finding, routes),
    )


def _synthesis(entry: Figures, finding: Finding, areas: Sequence[dict[str, Any]]) -> list[Any]:
    """The use of the same resource by our cores, measured with a different tool than the paper's."""
    meant = entry.synthesised(finding.figure)
    if meant is None or meant.resource == FREQUENCY:
        return []
    return [
        members(
            Synthesis,
            core=row["core"],
            parameters=row["parameters"],
            family=row["family"],
            tool=row["tool"],
            value=row["area"][meant.resource],
            sites=_sites(row["area"]) if meant.resource == LUTS else None,
        )
        for row in areas
        if row["core"] == meant.core and meant.fits(row["parameters"])
    ]


def _sites(area: Mapping[str, int]) -> Any:
    """The LUT count of a vendor tool's report; None for rows without one."""
    if "SITES" not in area:
        return None
    return members(SitesShape, logic=area["SITES"], through=area["THRU"], memory=area["LUTRAM"])


def _routing(entry: Figures, finding: Finding, routes: Sequence[dict[str, Any]]) -> list[Any]:
    """The frequency or the clock period of our cores on another device than the paper's."""
    meant = entry.synthesised(finding.figure)
    if meant is None or meant.resource != FREQUENCY:
        return []
    is_frequency = finding.figure.unit == FREQUENCY
    luts = _printed_luts(entry, finding.figure)
    clock = float(finding.figure.value)
    published = None if luts is None else round(luts * (1000 / clock if is_frequency else clock))
    return [
        members(
            Routing,
            core=row["core"],
            parameters=row["parameters"],
            device=row["device"],
            tool=row["tool"],
            value=row["mhz"] if is_frequency else round(1000 / row["mhz"], 2),
            lut_ns=round(row["area"]["LUT"] * 1000 / row["mhz"]),
            published_lut_ns=published,
        )
        for row in routes
        if row["core"] == meant.core and meant.fits(row["parameters"])
    ]


def _printed_luts(entry: Figures, clock: Figure) -> int | None:
    """The LUTs that the same table prints for a design."""
    beside = (figure for figure in entry.rows if figure.column == clock.column)
    return next((int(figure.value) for figure in beside if _resource(entry, figure) == LUTS), None)


def _resource(entry: Figures, figure: Figure) -> str | None:
    meant = entry.synthesised(figure)
    return None if meant is None else meant.resource


HEAD = ("design", "bits", "k", "metric", "published", "ours", "from", "verdict", "our core", "note")
SYNTHESIS = (
    "Yosys and nextpnr are other tools than the papers' ones, nextpnr's device is another one, and our cores are not "
    "theirs: compare them roughly only. Yosys counts LUT cells. A report of a vendor counts sites, of which two cells "
    "may share one, with those of memories, and by some tools with those through which a signal only passes. LUT ns "
    "are LUTs times the clock period; LUTs of nextpnr's device have four inputs, and those of the papers up to six."
)
"""A note that is shown with these figures."""


def rows(document: dict[str, Any], table: int) -> list[list[str]]:
    """The figures of one table of one of the document's papers as texts, in the order of HEAD."""
    return [_row(figure) for figure in document["figures"] if figure["table"] == table]


def _row(figure: dict[str, Any]) -> list[str]:
    unit, metric = figure["unit"], figure["metric"]
    obvious = unit == "count" or unit.startswith("expression") or metric.endswith(unit)
    synthesis = [f"{_used(row)} {row['family']} {named(row['parameters'])}" for row in figure["synthesis"]]
    clocks = [f"{row['value']}{_work(row)} {row['device']} {named(row['parameters'])}" for row in figure["routing"]]
    return [
        figure["design"],
        *(str(figure[name] or "") for name in ("bits", "k")),
        metric if obvious else f"{metric}, {unit}",
        figure["published"],
        figure["ours"] or "",
        figure["formula"] or "",
        figure["verdict"],
        "; ".join([*synthesis, *clocks]),
        ": ".join(text for text in (figure["erratum"], figure["note"]) if text),
    ]


def _used(row: Mapping[str, Any]) -> str:
    """The number of cells, for LUTs with their sites."""
    sites = row["sites"]
    if sites is None:
        return str(row["value"])
    return f"{row['value']} (sites: {sites['logic']}, memory {sites['memory']}, through {sites['through']})"


def _work(row: Mapping[str, Any]) -> str:
    """LUTs times the clock period, where the paper has it."""
    published = row["published_lut_ns"]
    return "" if published is None else f" ({row['lut_ns']} LUT ns, paper {published})"


def title(number: int) -> str:
    """The name of a table; 0 stands for the paper's text."""
    return f"Table {number}" if number else "figures in the text"


def numbers(document: dict[str, Any]) -> list[int]:
    """Numbers of the tables of one of the document's papers; the paper's text comes last."""
    return sorted({figure["table"] for figure in document["figures"]}, key=lambda number: (number == 0, number))
