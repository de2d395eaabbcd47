# SPDX-License-Identifier: Apache-2.0
"""The frequencies that are kept beside cores, after place and route.

They come from packages with an entry point `limbtrace.routes`: a function without arguments that returns rows as
`limbtrace synth --route --json` writes them.
"""

from collections.abc import Mapping
from typing import Any

from limbtrace.vectors.catalogue.document import RoutedShape
from limbtrace.vectors.catalogue.entry_points import kept_rows
from limbtrace.vectors.document import members

HEAD = ("parameters", "device", "MHz", "inside", "slowest path", "levels", "ns", "LUT", "FF", "DSP", "BRAM", "tool")
ABOUT = (
    "The device is not one of the papers, Yosys uses neither the registers nor the adders of its multipliers, and one "
    "seed is tried: compare designs with each other, and with the papers roughly."
)
"""A note that is shown with these figures."""


def kept_routes() -> list[dict[str, Any]]:
    """The stored frequencies of our cores."""
    return kept_rows("limbtrace.routes")


def core_routes(core: str) -> list[Any]:
    """Those of a core of that name."""
    return [members(RoutedShape, **row) for row in kept_routes() if row["core"] == core]


def route_cells(row: Mapping[str, Any]) -> list[str]:
    """A row as texts, in the order of HEAD."""
    path, area = row["path"], row["area"]
    return [
        named(row["parameters"]),
        row["device"],
        str(row["mhz"]),
        "" if row["inside"] is None else str(row["inside"]),
        f"{path['start']} to {path['end']}",
        str(path["levels"]),
        f"{path['logic']} + {path['routing']}",
        *(str(area[name]) for name in ("LUT", "FF", "DSP", "BRAM")),
        row["tool"],
    ]


def named(parameters: Mapping[str, int | str]) -> str:
    """The parameters without long ones, which are constants of a modulus."""
    return " ".join(f"{name}={value}" for name, value in parameters.items() if isinstance(value, int))
