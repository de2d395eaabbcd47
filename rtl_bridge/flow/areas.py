# SPDX-License-Identifier: Apache-2.0
"""The synthesis results stored with the built-in cores, for the tables of the papers."""

import csv
from typing import Any

from rtl_bridge.core.core import kept_files
from vectors.wire import json_number

TABLE = "synth.csv"
"""File name, in the folder of a core, of the rows for the points that its core.toml lists."""


def kept() -> list[dict[str, Any]]:
    """Every stored row as `limbtrace synth --json` writes it; `vectors.catalogue.tables` finds it by entry point."""
    return [_document(row) for path in kept_files(TABLE) for row in csv.DictReader(path.read_text().splitlines())]


def _document(row: dict[str, str]) -> dict[str, Any]:
    named = {name: row.pop(name) for name in ("core", "parameters", "family", "tool")}
    pairs = (pair.split("=") for pair in named["parameters"].split())
    return {
        **named,
        "parameters": {name: json_number(int(value)) for name, value in pairs},
        "area": {name: int(value) for name, value in row.items()},
    }
