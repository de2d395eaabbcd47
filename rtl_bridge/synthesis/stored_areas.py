# SPDX-License-Identifier: Apache-2.0
"""The results of synthesis and of place and route stored with the built-in cores, for the tables of the papers."""

import csv
from typing import Any

from limbtrace.rtl_bridge.core.core import kept_files
from limbtrace.vectors.encoding import json_number

TABLE = "synth.csv"
"""File name, in the folder of a core, of the rows for the points that its core.toml lists."""


def kept() -> list[dict[str, Any]]:
    """Every stored row as `limbtrace synth --json` writes it; `vectors.catalogue.tables` finds it by entry point."""
    return [_document(row) for path in kept_files(TABLE) for row in csv.DictReader(path.read_text().splitlines())]


ROUTES = "route.csv"
"""File name, in the folder of a core, of the rows for the points that its core.toml lists under `route`."""


def kept_routes() -> list[dict[str, Any]]:
    """Every stored row as `limbtrace synth --route --json` writes it; `vectors.catalogue.routes` finds it likewise."""
    return [_routed(row) for path in kept_files(ROUTES) for row in csv.DictReader(path.read_text().splitlines())]


def _routed(row: dict[str, str]) -> dict[str, Any]:
    named = {name: row.pop(name) for name in ("core", "parameters", "device", "tool")}
    mhz, inside = (row.pop(name) for name in ("mhz", "inside"))
    path = {name: row.pop(name) for name in ("start", "end", "levels", "logic", "routing")}
    return {
        **named,
        "parameters": _parameters(named["parameters"]),
        "mhz": float(mhz),
        "inside": float(inside) if inside else None,
        "path": {**path, "levels": int(path["levels"]), **{name: float(path[name]) for name in ("logic", "routing")}},
        "area": {name: int(value) for name, value in row.items()},
    }


def _document(row: dict[str, str]) -> dict[str, Any]:
    named = {name: row.pop(name) for name in ("core", "parameters", "family", "tool")}
    return {
        **named,
        "parameters": _parameters(named["parameters"]),
        "area": {name: int(value) for name, value in row.items()},
    }


def _parameters(text: str) -> dict[str, int | str]:
    pairs = (pair.split("=") for pair in text.split())
    return {name: json_number(int(value)) for name, value in pairs}
