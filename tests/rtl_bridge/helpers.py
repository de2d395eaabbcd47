# SPDX-License-Identifier: Apache-2.0
"""Jobs and spoilt copies of cores."""

import shutil
from pathlib import Path
from typing import Any

from rtl_bridge.corefile import BUILT_IN
from rtl_bridge.job import Job

TOYS = Path(__file__).parent / "toys"
CORE = "iddmm_arch2"
CORES = ("iddmm_arch1", "iddmm_arch2")
"""Built-in cores with the same ports and the same control; CORE stands for what does not depend on the core."""
SIGNALS = {"iddmm_arch1": 11, "iddmm_arch2": 9}
"""Watched signals of each."""


def job(core: str | Path = CORE, prime: str = "0xea7", **fields: Any) -> Job:
    """A job in Icarus, whose builds are cheap."""
    return Job(core=str(core), prime=prime, **{"simulator": "icarus", "count": 40, **fields})


def copy_of(core: str | Path, target: Path, *edits: tuple[str, str, str]) -> Path:
    """A copy of a core with (file, old text, new text) replaced; every old text must be there exactly once."""
    folder = target / Path(core).name
    shutil.copytree(BUILT_IN / core, folder)  # an absolute path of a toy stands for itself
    for name, old, new in edits:
        path = folder / name
        text = path.read_text()
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times in {name}"
        path.write_text(text.replace(old, new))
    return folder
