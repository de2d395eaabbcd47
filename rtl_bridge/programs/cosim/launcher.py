# SPDX-License-Identifier: Apache-2.0
"""VHDL in GHDL beside a simulator, where a module stands for it (`elaboration.ghdl_stub`).

For every change of its inputs that module writes a line to a pipe, the time and all inputs; `cosim.follower`, in
GHDL, answers with all outputs. Either side waits for the other, and ends where the other has ended.
"""

import json
import os
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from limbtrace.rtl_bridge.programs.ghdl import ghdl, options_for
from limbtrace.rtl_bridge.programs.process import python_path

FOLLOWER = "limbtrace.rtl_bridge.programs.cosim.follower"
"""The module that runs in GHDL."""
TOLD = "LIMBTRACE_VHDL"
"""Variable of the environment with what it is told, as JSON."""
PIPES = "LIMBTRACE_PIPES"
"""Variable with the descriptors that it reads and writes."""
ANSWERS, CHANGES = 500, 501
"""Descriptors of the module that stands for the VHDL: it reads the one and writes the other."""
PAIR = Path(__file__).resolve().with_name("pair.py")


@dataclass(frozen=True)
class Beside:
    """An entity to be simulated."""

    folder: Path
    """Folder in which GHDL looks for files that the VHDL opens."""
    files: tuple[Path, ...]
    """In compilation order."""
    standard: str
    top: str
    generics: Mapping[str, str]
    """Texts as GHDL reads them."""
    inputs: tuple[tuple[str, int], ...] = ()
    """(name, bits) of what GHDL is told, in the order of a line."""
    outputs: tuple[tuple[str, int], ...] = ()
    """(name below the top, bits) of what it answers."""
    libraries: Mapping[Path, str] = field(default_factory=dict)
    """The libraries of files that are not in `work`."""
    library: str | None = None
    """The library of the entity, if it is not `work`."""

    def simulation(self, **told: object) -> tuple[list[str], dict[str, str]]:
        """(command, its environment): GHDL simulates it, and writes its library where the command runs.

        FOLLOWER is told the keywords.

        Raises ToolError.
        """
        # Processes of simulators know this class, and run nothing.
        from cocotb_tools import config

        from limbtrace.rtl_bridge.programs.embedded import surroundings

        path = shlex.quote(ghdl().path)
        given = [f"-g{name}={value}" for name, value in self.generics.items()]
        library = config.lib_entry("vpi", "ghdl")
        read = " && ".join(f"{path} -a {self._options(library)} {names}" for library, names in self._groups())
        run = shlex.join([self.top, *given, f"--vpi={library}", "--ieee-asserts=disable"])
        own = {
            "TOPLEVEL_LANG": "vhdl",
            "COCOTB_LOG_LEVEL": "ERROR",
            "GPI_LOG_LEVEL": "ERROR",
            "PYTHONPATH": python_path(),
            TOLD: json.dumps(told),
        }
        command = (
            f"WORK=$PWD; COCOTB_RESULTS_FILE=$PWD/follower.xml; export COCOTB_RESULTS_FILE; "
            f"cd {shlex.quote(str(self.folder))} && "
            f"{read} && exec {path} --elab-run {self._options(self.library)} {run}"
        )
        return ["sh", "-c", command], {**surroundings(self.top.lower(), FOLLOWER, Path("follower.xml")), **own}

    def _options(self, library: str | None) -> str:
        """Options for files of a library, as a shell reads them."""
        options = shlex.join([*options_for(self.standard), *([f"--work={library}"] if library else [])])
        return f'{options} --workdir="$WORK"' + (' -P"$WORK"' if self.libraries else "")

    def _groups(self) -> Iterator[tuple[str | None, str]]:
        """(library, files as a shell reads them) of all files, as many as follow each other in one library."""
        for library, files in groupby(self.files, self.libraries.get):
            yield library, shlex.join(os.path.relpath(file, self.folder) for file in files)

    def paired(self, command: Sequence[str]) -> list[str]:
        """The command of a simulator with this beside it. Raises ToolError."""
        own, added = self.simulation(inputs=self.inputs, outputs=self.outputs)
        plan = {"command": own, "added": added, "pipes": PIPES, "answers": ANSWERS, "changes": CHANGES}
        return [sys.executable, "-I", "-S", str(PAIR), json.dumps(plan), *command]
