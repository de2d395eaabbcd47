# SPDX-License-Identifier: Apache-2.0
"""Jobs, and copies of cores with injected faults."""

import shutil
from pathlib import Path
from typing import Any

from rtl_bridge.core.core import BUILT_IN, CELLS, load
from rtl_bridge.run.job import Job

TOYS = Path(__file__).parent / "toys"
CORE = "iddmm_arch2"
CORES = ("iddmm_arch1", "iddmm_arch2")
"""Built-in cores with the same ports and the same control; CORE is used if a test does not depend on the core."""
SIGNALS = {"iddmm_arch1": 11, "iddmm_arch2": 9}
"""Watched signals of each."""

Edit = tuple[str, str, str]
"""(file, old text, new text)"""
Fault = tuple[str, str, str, str, str]
"""(file, preceding text, expression, faulty expression, signal that shows it)"""


def job(core: str | Path = CORE, prime: str = "0xea7", **fields: Any) -> Job:
    """A job in Icarus, where builds are fast."""
    return Job(core=str(core), prime=prime, **{"simulator": "icarus", "count": 40, **fields})


def copy_of(core: str | Path, target: Path, *edits: Edit) -> Path:
    """A copy of a core with (file, old text, new text) replaced; every old text must occur exactly once.

    Shared cells become files of the copy, so that they can be changed too; a file may be a pattern such as *.sv. Files
    of another core keep their path relative to the copy.
    """
    folder = target / Path(core).name
    shutil.copytree(BUILT_IN / core, folder)  # an absolute path of a toy stands for itself
    for name in load(BUILT_IN / core).file.files:
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(BUILT_IN / core / name, folder / name)
    if cells := load(folder).file.cells:
        for cell in cells:
            shutil.copyfile(CELLS / cell, folder / cell)
        edits = (("core.toml", "\ncells = [", "\nfiles = ["), ("core.toml", "]\nfiles = [", ", "), *edits)
    for name, old, new in edits:
        places = [path for path in folder.glob(name) for _ in range(path.read_text().count(old))]
        assert len(places) == 1, f"{old!r} occurs {len(places)} times in {name}"
        places[0].write_text(places[0].read_text().replace(old, new))
    return folder


def faulty(core: str | Path, target: Path, edits: list[Edit], faults: list[Fault], **inputs: int) -> Path:
    """A copy of a core with all the faults in it; `inputs` are the values of its new ports.

    Port fault_i selects the fault, counted from 1, so that one build serves all of them.
    """
    marked = [
        (name, f"{before}{good}", f"{before}((fault_i == {number}) ? ({bad}) : ({good}))")
        for number, (name, before, good, bad, _) in enumerate(faults, 1)
    ]
    folder = copy_of(core, target, *edits, *marked)
    tables = "".join(f'\n[[input]]\nport = "{port}_i"\nvalue = {value}\n' for port, value in inputs.items())
    (folder / "core.toml").write_text((folder / "core.toml").read_text() + tables)
    return folder
