# SPDX-License-Identifier: Apache-2.0
"""Jobs, and copies of cores with injected faults."""

import sys
from collections.abc import Mapping
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

import pytest

from limbtrace.rtl_bridge.core.core import load
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.simulation import simulate
from tools.mutants.copies import PORT, Edit, Place, chooser, copy_of, give, spoil

__all__ = ["CORE", "CORES", "SIGNALS", "TOYS", "Edit", "Fault", "copy_of", "faulty", "job", "located", "without"]

TOYS = Path(__file__).parent / "toys"
CORE = "iddmm_arch2"
CORES = ("iddmm_arch1", "iddmm_arch2")
"""Built-in cores with the same ports and the same control; CORE is used if a test does not depend on the core."""
SIGNALS = {"iddmm_arch1": 11, "iddmm_arch2": 9}
"""Watched signals of each."""

Fault = tuple[str, str, str, str, str]
"""(file, preceding text, expression, faulty expression, signal that shows it)"""


def job(core: str | Path = CORE, prime: str = "0xea7", **fields: Any) -> Job:
    """A job in Icarus, where builds are fast."""
    return Job(core=str(core), prime=prime, **{"simulator": "icarus", "count": 40, **fields})


def faulty(core: str | Path, target: Path, edits: list[Edit], faults: list[Fault], **inputs: int) -> Path:
    """A copy of a core with all the faults in it; `inputs` are the values of its new ports.

    Port fault_i selects the fault, counted from 1, so that one build serves all of them.
    """
    folder = copy_of(core, target, *edits)
    spoil(folder, [Place(name, before, good, bad) for name, before, good, bad, _ in faults], PORT)
    give(folder, **inputs)
    return folder


def located(core: str, target: Path, prime: str, faults: Mapping[str, Fault], **asked: Any) -> None:
    """Simulate a built-in core without and with each fault, all of them in one build.

    The first difference has to be at the signal that the fault names, and the core without a fault has to agree.
    """
    folder = copy_of(core, target)
    spoil(folder, [Place(*fault[:4]) for fault in faults.values()], chooser(load(folder)))
    text = (folder / "core.toml").read_text()
    asked = {"kind": "events", "count": 60, "mode": "bulk", "every_cycle": True, **asked}
    for number, what in enumerate(("none", *faults)):
        (folder / "core.toml").write_text(text)
        give(folder, fault=number)
        found = simulate(job(folder, prime, **asked)).tally.divergence
        assert (found and found.signal) == (faults[what][4] if number else None), what


class _Absent(MetaPathFinder):
    """Finds no module of a package, as where it is not installed."""

    def __init__(self, package: str) -> None:
        self._package = package

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:
        if fullname.partition(".")[0] == self._package:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def without(monkeypatch: pytest.MonkeyPatch, package: str, *users: str) -> None:
    """As if a package were not installed; modules `users` and what is below them are imported again."""
    for name in [*sys.modules]:
        if any(name == known or name.startswith(f"{known}.") for known in (package, *users)):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [_Absent(package), *sys.meta_path])
