# SPDX-License-Identifier: Apache-2.0
"""Data that packages keep beside their cores: each has an entry point, a function without arguments for its rows."""

from importlib.metadata import entry_points
from typing import Any


def kept_rows(group: str) -> list[dict[str, Any]]:
    """The rows of all entry points of that group, in the order of their names."""
    entries = sorted(entry_points(group=group), key=lambda entry: entry.name)
    return [row for entry in entries for row in entry.load()()]
