# SPDX-License-Identifier: Apache-2.0
"""The design explorer: every design of a core by time and area, the Pareto front, and commands for each design."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from fastapi import APIRouter, Response

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.refmodels.registry import SPACES
from limbtrace.service.http import cost_model
from limbtrace.service.http.responses import Exchange, Here
from limbtrace.service.pages import forms
from limbtrace.service.pages.forms import ShownCommand
from limbtrace.service.pages.lists import Listing, TableCell
from limbtrace.service.pages.render import answered
from limbtrace.vectors.designs import DesignQuery, designs_document

router = APIRouter(include_in_schema=False)

EXAMPLE = [("core", "fpmm"), ("bits", "256")]
"""Default query."""
WIDTH, HEIGHT, LEFT, BOTTOM = 720, 400, 72, 48
"""Size of the picture, and the room for its axes."""
TICKS = 5
"""Numbers at an axis, about."""


class Spot(NamedTuple):
    """Designs that coincide in the picture."""

    x: float
    y: float
    names: list[str]
    front: bool
    title: str
    href: str


class Scale(NamedTuple):
    """A linear scale of an axis."""

    least: float
    most: float
    begin: float
    end: float

    def at(self, value: float) -> float:
        """The place of a value, in pixels."""
        share = (value - self.least) / (self.most - self.least) if self.most > self.least else 0.5
        return round(self.begin + share * (self.end - self.begin), 1)

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """Round numbers with their places."""
        step = next(
            size * 10**power
            for power in range(12)
            for size in (1, 2, 5)
            if size * 10**power * TICKS >= self.most - self.least
        )
        first = int(-(-self.least // step))
        numbers = (step * k for k in range(first, int(self.most // step) + 1))
        return [(self.at(number), f"{number:g}") for number in numbers]


@router.get("/designs")
def designs(here: Here) -> Response:
    """The designs of a core for moduli of one width."""
    given = forms.fields(here)
    asked = given or EXAMPLE
    choices: dict[str, Any] = {
        "given": dict(asked),
        "cores_by_name": [(name, name) for name in SPACES],
        "picture": {"width": WIDTH, "height": HEIGHT, "left": LEFT, "bottom": HEIGHT - BOTTOM},
    }
    return answered(here, "designs.html", choices, lambda: _answer(here, asked))


def _answer(here: Exchange, asked: Sequence[tuple[str, str]]) -> dict[str, Any]:
    query = forms.read(DesignQuery, [item for item in asked if item[0] != "design"])
    exploration = query.exploration
    here.charge(cost_model.of_designs("text/html"))
    document = designs_document(exploration)
    compared = [point for point in document["points"] if point["compared"] is not None]
    time, area = document["objectives"][:2]
    names = [point["name"] for point in document["points"]]
    chosen = dict(asked).get("design")
    if chosen is not None and chosen not in names:
        raise ParameterError("design", f"{shown(chosen)} is none of {len(names)} designs, such as {names[0]}")
    across = _scale([point["compared"][1] for point in compared], LEFT, WIDTH - 16)
    up = _scale([point["compared"][0] for point in compared], HEIGHT - BOTTOM, 16)
    spots = _spots(query, compared, across, up, [time, area])
    front = sorted((spot.x, spot.y) for spot in spots if spot.front)
    best = [point for point in compared if point["front"]]
    return {
        "document": document,
        "compared": len(compared),
        "x": {"name": f"{area['name']}, {area['unit']}", "ticks": across.ticks},
        "y": {"name": f"{time['meaning']}, {time['unit']}", "ticks": up.ticks},
        "spots": spots,
        "front": " ".join(f"{x},{y}" for x, y in front),
        "best": _table(query, document, best),
        "rest": _table(query, document, [point for point in compared if not point["front"]]),
        "point": next((point for point in document["points"] if point["name"] == chosen), None),
        "point_lines": _point_lines(query, document, chosen),
        "lines": [forms.curl(here, "/v1/explore", query), forms.command("explore", query)],
    }


def _scale(values: Sequence[float], begin: float, end: float) -> Scale:
    """A scale with a margin around some values."""
    least, most = min(values, default=0), max(values, default=1)
    margin = (most - least) * 0.08
    return Scale(max(0, least - margin), most + margin, begin, end)


def _spots(
    query: DesignQuery, points: Sequence[dict[str, Any]], across: Scale, up: Scale, objectives: Sequence[dict[str, Any]]
) -> list[Spot]:
    """The points of the picture; those of the front are drawn last, over the others."""
    groups: dict[tuple[float, float], list[dict[str, Any]]] = {}
    for point in points:
        groups.setdefault((point["compared"][1], point["compared"][0]), []).append(point)
    units = [entry["unit"] for entry in objectives]
    spots = []
    for (area, time), group in groups.items():
        names = [point["name"] for point in group]
        title = f"{', '.join(names)}: {time:g} {units[0]}, {area:g} {units[1]}"
        best = any(point["front"] for point in group)
        spots.append(Spot(across.at(area), up.at(time), names, best, title, _address(query, names[0])))
    return sorted(spots, key=lambda spot: (spot.front, spot.x))


def _address(query: DesignQuery, name: str) -> str:
    return f"{forms.url('/designs', query, design=name)}#design"


def _table(query: DesignQuery, document: dict[str, Any], points: Sequence[dict[str, Any]]) -> Listing:
    """Designs with what they are compared by."""
    objectives = [f"{entry['name']}, {entry['unit']}" for entry in document["objectives"]]
    rows = [
        (
            TableCell(point["name"], _address(query, point["name"]), "code"),
            *(TableCell(f"{value:g}", kind="number") for value in point["compared"]),
            TableCell("yes" if point["built"] else point["obstacle"]),
        )
        for point in points
    ]
    return Listing(("Design", *objectives, "Built by our core"), rows)


def _point_lines(query: DesignQuery, document: dict[str, Any], name: str | None) -> list[ShownCommand]:
    """Commands for a design: its figures, a cycle table, and the folder with its RTL."""
    for point in document["points"]:
        if point["name"] == name:
            bits = document["bits"]
            prime = next((entry.name for entry in CATALOGUE.values() if entry.bits == bits), None) or f"2^{bits}-1"
            settings = " ".join(f"--set {key}={value}" for key, value in point["settings"].items())
            figures = forms.command("explore", DesignQuery(core=query.core, bits=query.bits, points=[point["name"]]))
            lines = [ShownCommand("Its figures", figures.text)]
            if point["built"]:
                lines += [
                    ShownCommand("Its cycles", f"limbtrace cycles {query.core} --prime {prime} {settings} --count 4"),
                    ShownCommand("Its RTL as a folder", f"{figures.text} --prime {prime} -o {name}"),
                ]
            return lines
    return []
