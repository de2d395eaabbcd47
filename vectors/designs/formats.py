# SPDX-License-Identifier: Apache-2.0
"""The formats of a core's design space; a plot is SVG."""

import csv
import io
from collections.abc import Iterator
from typing import Any

from limbtrace.vectors.designs import plot
from limbtrace.vectors.designs.explore import PRODUCTS
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.format import Format, table

_ROUTED = ("LUT", "FF", "DSP", "BRAM")
"""Columns of a place and route in CSV, with the prefix `routed_`, if it was requested."""
_RESOURCES = ("LUT", "LUTRAM", "FF", "DSP", "BRAM18", "BRAM36")
"""Columns of a synthesis in CSV."""


def _json(found: dict[str, Any]) -> Iterator[bytes]:
    yield (dump(found) + "\n").encode()


def _csv(found: dict[str, Any]) -> Iterator[bytes]:
    """A comment with the data common to all designs, then one row per design."""
    text = io.StringIO()
    text.write(f"# {dump({name: value for name, value in found.items() if name != 'points'})}\n")
    writer = csv.DictWriter(text, [*_columns(found)], lineterminator="\n")
    writer.writeheader()
    for point in found["points"]:
        cells = {
            **{name: point[name] for name in ("name", "built", "front", "obstacle")},
            **point["figures"],
            **{f"cycles_{k}": count for k, count in enumerate(point["cycles"], 1)},
            **(point["clock"] or {}),
            **{f"ns_{k}": time for k, time in enumerate(point["ns"] or (), 1)},
            **{name: point["synthesis"]["area"][name] for name in _RESOURCES if point["synthesis"]},
            **{f"routed_{name}": point["routing"]["area"][name] for name in _ROUTED if _is_routed(point)},
        }
        writer.writerow({name: str(cell).lower() if isinstance(cell, bool) else cell for name, cell in cells.items()})
    yield text.getvalue().encode()


def _columns(found: dict[str, Any]) -> Iterator[str]:
    numbers = range(1, PRODUCTS + 1)
    yield from ("name", "built", "front")
    yield from (quantity["name"] for quantity in found["quantities"])
    yield from (f"cycles_{k}" for k in numbers)
    yield from ("mhz", "source")
    yield from (f"ns_{k}" for k in numbers)
    yield from _RESOURCES
    yield "obstacle"
    if any(map(_is_routed, found["points"])):
        yield from (f"routed_{name}" for name in _ROUTED)


def _is_routed(point: dict[str, Any]) -> bool:
    """True if the times of a design are those of its place and route."""
    return point["clock"] is not None and point["clock"]["source"] == "routed"


def _picture(found: dict[str, Any]) -> Iterator[bytes]:
    yield plot.draw(found)


FORMATS = table(
    Format("json", "application/json", "json", _json),
    Format("csv", "text/csv", "csv", _csv),
    Format("plot", plot.MEDIA_TYPE, "svg", _picture),
    Format("svg", plot.MEDIA_TYPE, "svg", _picture),
)


def render(found: dict[str, Any], format: str) -> bytes:
    """The document in a format. Raises ToolError if a plot is requested and Matplotlib is not installed."""
    return b"".join(FORMATS[format].write(found))
