# SPDX-License-Identifier: Apache-2.0
"""Rows of `limbtrace synth`: what a tool measured of a core, as CSV and as JSON."""

import csv
import io
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from limbtrace.vectors.encoding import json_number


@dataclass(frozen=True)
class Measured(ABC):
    """Measurements of one core with one set of RTL parameters."""

    core: str
    parameters: Mapping[str, int]

    @property
    @abstractmethod
    def cells(self) -> list[str]:
        """The row as texts, beginning with `subject`."""

    @property
    @abstractmethod
    def document(self) -> dict[str, Any]:
        """The row as JSON, beginning with `about`."""

    @property
    def subject(self) -> list[str]:
        """The core and its parameters, as texts."""
        return [self.core, " ".join(f"{name}={value}" for name, value in self.parameters.items())]

    @property
    def about(self) -> dict[str, Any]:
        """The core and its parameters, as JSON."""
        return {
            "core": self.core,
            "parameters": {name: json_number(value) for name, value in self.parameters.items()},
        }


def table(head: Sequence[str], rows: Iterable[Measured]) -> str:
    """Rows as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([head, *(row.cells for row in rows)])
    return text.getvalue()
