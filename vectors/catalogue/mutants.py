# SPDX-License-Identifier: Apache-2.0
"""The faults of the mutant banks, and how many products each kind of operands needs to find them.

`./run mutants` measures them and writes `mutants.json`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files

FILE = "mutants.json"
DISTURBED = "disturbed"
"""In place of a kind of operands, for a run with all disturbances."""


@dataclass(frozen=True)
class KnownFault:
    """A fault that a designer may make: an expression of a core, and what it is replaced with."""

    id: str
    file: str
    good: str
    bad: str
    defect: str
    """Class of defects."""
    why: str
    kind: str
    """`operand`: operands show it; `environment`: what happens around products."""
    equivalent: str | None
    """The reason why it changes no result, None if it does."""
    survives: str | None
    """The condition for a wrong result, if `directed` does not produce one."""
    results: Mapping[str, int | None]
    """First case whose result differs, from 0, by kind of operands; None: none does."""
    rows: Mapping[str, int | None]
    """First case in which a watched signal or the result differs, likewise."""

    @property
    def found_by(self) -> str:
        """The kind of run that is meant to find it."""
        return "directed" if self.kind == "operand" else DISTURBED


@dataclass(frozen=True)
class FaultBank:
    """Faults of a core, and what they were measured with."""

    name: str
    """The core, or the core and one of its options."""
    core: str
    prime: str
    settings: Mapping[str, str | int]
    """Parameters of the model and of the RTL."""
    faults: Sequence[KnownFault]


@cache
def fault_banks() -> tuple[FaultBank, ...]:
    """All banks."""
    text = files("limbtrace.vectors.catalogue").joinpath(FILE).read_text(encoding="utf-8")
    return tuple(
        FaultBank(**{**bank, "faults": tuple(KnownFault(**fault) for fault in bank["faults"])})
        for bank in json.loads(text)
    )


def written(banks: Sequence[FaultBank]) -> str:
    """The text of the file."""
    return json.dumps([asdict(bank) for bank in banks], indent=1, ensure_ascii=False) + "\n"
