# SPDX-License-Identifier: Apache-2.0
"""The picture of an exploration: area against time, and time against the number of products, as SVG.

The same document gives the same bytes with the same release of Matplotlib, which the extra `plot` brings: letters are
paths of the font that it ships, and nothing depends on the settings or the clock of a machine.
"""

import io
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import groupby
from threading import Lock
from types import ModuleType
from typing import Any

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.errors import ToolError

MEDIA_TYPE = "image/svg+xml"

LINES = 8
"""Largest number of designs whose times are drawn; more could not be distinguished."""
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999933", "#332288")
_FRONT, _REST, _OTHER = "#d62728", "#7f7f7f", "black"
_LOCK = Lock()
"""Matplotlib's settings are global, and its canvas is not thread-safe."""


def _load() -> ModuleType:
    try:
        matplotlib = import_module("matplotlib")
    except ModuleNotFoundError as error:
        raise ToolError(f"a plot needs {error.name}, which is not installed: pip install 'limbtrace[plot]'") from None
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it tells about its cache
    return matplotlib


def draw(found: Mapping[str, Any]) -> bytes:
    """The picture of a document of `vectors.designs`. Raises ToolError without Matplotlib, ParameterError("point")."""
    points = [point for point in found["points"] if point["compared"] is not None]
    if not points:
        raise ParameterError("point", "nothing is to be drawn: none of the designs is one that the core can be")
    matplotlib = _load()
    with _LOCK, matplotlib.rc_context():
        matplotlib.rcdefaults()  # also the font, which Matplotlib looks for among its own ones first
        matplotlib.rcParams.update({"svg.hashsalt": "limbtrace", "svg.fonttype": "path", "font.size": 9})
        figure = _figure(found, points)
        stream = io.BytesIO()
        figure.savefig(stream, format="svg", metadata={"Creator": "limbtrace", "Date": None})
    return stream.getvalue()


def _figure(found: Mapping[str, Any], points: Sequence[Mapping[str, Any]]) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 5))
    figure.subplots_adjust(left=0.07, right=0.98, wspace=0.17)
    trade, times = figure.subplots(1, 2)
    unit = found["objectives"][0]["unit"]
    figure.suptitle(f"{found['core']}, {found['bits']} bits{_clock(found)}")
    _draw_trade(trade, found["objectives"], points)
    _draw_times(times, unit, points, found["others"])
    return figure


def _clock(found: Mapping[str, Any]) -> str:
    if found["device"] is not None:
        return f", published clocks of {found['device']}"
    return "" if found["frequency"] is None else f", all at {found['frequency']:g} MHz"


def _named(points: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(point["name"] for point in points)


def _groups(points: Sequence[Mapping[str, Any]], key: Any) -> Iterator[list[Mapping[str, Any]]]:
    """Groups of points that coincide in the picture, ordered by position."""
    return (list(group) for _, group in groupby(sorted(points, key=key), key))


def _draw_trade(axes: Any, objectives: Sequence[Mapping[str, str]], points: Sequence[Mapping[str, Any]]) -> None:
    """Time against area, with the front as steps."""
    for number, group in enumerate(_groups(points, lambda point: (point["compared"][:2], point["front"]))):
        time, area = group[0]["compared"][:2]
        best = group[0]["front"]
        above = best or number % 2  # neighbours shall not write over each other
        colour, size = (_FRONT, 7) if best else (_REST, 5)
        axes.plot(area, time, "o" if best else ".", color=colour)
        place = (4, 3 if above else -8)
        axes.annotate(
            _named(group), (area, time), xytext=place, textcoords="offset points", fontsize=size, color=colour
        )
    best = sorted((point["compared"][1], point["compared"][0]) for point in points if point["front"])
    if best:
        axes.plot(*zip(*best, strict=True), color=_FRONT, drawstyle="steps-post", linewidth=1, label="Pareto front")
        axes.legend(loc="upper right")
    axes.set_xlabel(f"{objectives[1]['name']}, {objectives[1]['unit']}")
    axes.set_ylabel(f"{objectives[0]['meaning']}, {objectives[0]['unit']}")
    axes.margins(0.12)


def _draw_times(axes: Any, unit: str, points: Sequence[Mapping[str, Any]], others: Sequence[Mapping[str, Any]]) -> None:
    """Time against the number of products: the front first, then the fastest, and other works."""
    ordered = sorted(points, key=lambda point: (not point["front"], point["compared"]))
    for group, colour in zip(_distinct(ordered, unit), _COLOURS, strict=False):
        axes.plot(range(1, len(group[0][unit]) + 1), group[0][unit], "o-", color=colour, markersize=3, linewidth=1,
                  label=_named(group))  # fmt: skip
    for other in others:
        if other[unit] is not None:
            axes.plot(range(1, len(other[unit]) + 1), other[unit], "s--", color=_OTHER, markersize=3, linewidth=1,
                      label=other["name"])  # fmt: skip
    axes.set_xticks(range(1, len(points[0][unit]) + 1))
    axes.set_xlabel("products that do not depend on each other")
    axes.set_ylabel(f"time, {unit}")
    axes.legend(loc="upper left", fontsize=7)
    axes.grid(alpha=0.3)


def _distinct(points: Iterable[Mapping[str, Any]], unit: str) -> list[list[Mapping[str, Any]]]:
    """The first LINES time curves, each with the points that share it."""
    found: dict[tuple[float, ...], list[Mapping[str, Any]]] = {}
    for point in points:
        found.setdefault(tuple(point[unit]), []).append(point)
    return list(found.values())[:LINES]
