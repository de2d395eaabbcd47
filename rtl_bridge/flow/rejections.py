# SPDX-License-Identifier: Apache-2.0
"""The table of what tools have rejected, rejections.toml."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

TABLE = Path(__file__).resolve().with_name("rejections.toml")
BOTH, HARDWARE = "both", "hardware"


@dataclass(frozen=True)
class ReportedRejection:
    """A rejection that was reported in public."""

    tool: str
    version: str
    """As in the report; "" if it names none."""
    message: str
    """The words of the tool, or what the report says of it."""
    source: str
    """Address of the report."""


@dataclass(frozen=True)
class Rejection:
    """A construct that a tool rejects."""

    id: str
    what: str
    """The construct, for a sentence."""
    instead: str
    """The alternative that every tool takes."""
    scope: str
    """BOTH, or HARDWARE for what is synthesised."""
    breaks: str
    """A small source that has the construct; its top module is t."""
    holds: str
    """A small source without it."""
    reports: tuple[ReportedRejection, ...] = ()
    because: str = ""
    """Tools that reject it by their manuals or in a run of them here, or another reason against it; "" without one."""
    nodes: tuple[str, ...] = ()
    """Kinds of syntax nodes, by slang's names, that are the construct."""
    diagnostics: tuple[str, ...] = ()
    """Findings of slang, by their names, that are the construct."""
    check: bool = False
    """True if a function of flow.subset finds it."""
    unchecked: str = ""
    """Why nothing looks for it."""
    file: str = "t.sv"
    """Name of the examples."""

    @property
    def why(self) -> str:
        """Who rejects it, as half a sentence: what was seen here comes before what was reported."""
        if self.because:
            return self.because
        first = self.reports[0]
        version = f" {first.version}" if first.version else ""
        return f"{first.tool}{version}: {first.message}"

    @property
    def document(self) -> dict[str, Any]:
        """The entry as JSON, without the examples."""
        return {
            "id": self.id,
            "what": self.what,
            "instead": self.instead,
            **({"because": self.because} if self.because else {}),
            "reports": [vars(report) for report in self.reports],
        }


@cache
def rejections() -> Mapping[str, Rejection]:
    """The table by id, in its order. Raises TypeError or KeyError if the file is not of this form."""
    read = tomllib.loads(TABLE.read_text(encoding="utf-8"))["rejection"]
    return {entry["id"]: _entry(entry) for entry in read}


def _entry(read: dict[str, Any]) -> Rejection:
    entry = {name: value for name, value in read.items() if name != "report"}
    for name in ("nodes", "diagnostics"):
        entry[name] = tuple(entry.get(name, ()))
    return Rejection(**entry, reports=tuple(ReportedRejection(**report) for report in read.get("report", ())))


def applying(synthesised: bool) -> Iterator[Rejection]:
    """The rules for hardware, or for what is only simulated."""
    return (rule for rule in rejections().values() if synthesised or rule.scope == BOTH)
