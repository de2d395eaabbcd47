# SPDX-License-Identifier: Apache-2.0
"""The proofs stored with the built-in cores, one row for each point that `prove` of a core.toml lists.

`./run proofs` makes them.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from limbtrace.rtl_bridge.core.core import Core, kept_files
from limbtrace.rtl_bridge.description.tables import ProofPoint
from limbtrace.vectors.encoding import dump

FILE = "proofs.json"
"""File name, in the folder of a core: a list with a row in each line."""


def kept() -> list[dict[str, Any]]:
    """Every stored row: core, modulus and settings as they are listed, and the document of `limbtrace prove --json`.

    `limbtrace.vectors.catalogue.proofs` finds it by entry point.
    """
    return [row for path in kept_files(FILE) for row in json.loads(path.read_text(encoding="utf-8"))]


def kept_proofs(core: Core) -> list[dict[str, Any]]:
    """The rows in the folder of the core; none without the file."""
    path = core.folder / FILE
    core.check_places([path])
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    return rows


def keep(core: Core, rows: Iterable[Mapping[str, Any]]) -> None:
    """Replace the rows in the folder of the core."""
    path = core.folder / FILE
    lines = ",\n".join(dump(row) for row in rows)
    fresh = path.with_suffix(".new")  # an interruption leaves either the old rows or the new ones
    fresh.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    fresh.replace(path)


def row_of(core: Core, point: ProofPoint, proof: Mapping[str, Any]) -> dict[str, Any]:
    """The row of a point with its document."""
    return {"core": core.file.name, "prime": point.prime, "settings": dict(point.settings), "proof": dict(proof)}


def is_of(row: Mapping[str, Any], point: ProofPoint) -> bool:
    """True if a row is the one of a point."""
    return (row["prime"], row["settings"]) == (point.prime, point.settings)
