# SPDX-License-Identifier: Apache-2.0
"""GHDL, and its synthesis of VHDL to Verilog."""

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, groupby
from pathlib import Path

from limbtrace.rtl_bridge.programs.ghdl_netlist import NetlistError, completed
from limbtrace.rtl_bridge.programs.process import HungError, environment, supervise
from limbtrace.rtl_bridge.programs.tool import Tool, version
from limbtrace.vectors.errors import ToolError

PATIENCE = 600
"""Longest time that a conversion may take, in seconds: VHDL can loop while it is elaborated."""
INSTALL = "apt-get install ghdl"
SIMULATE = 'ghdl = "simulate" simulates the VHDL itself'
"""A way out, where the netlist of a core cannot be used."""


class VhdlError(ValueError):
    """GHDL refuses the VHDL; the message is a sentence."""


@cache
def ghdl() -> Tool:
    """GHDL on PATH. Raises ToolError."""
    found = shutil.which("ghdl", path=environment()["PATH"])
    if not found:
        raise ToolError(f"GHDL is not on PATH, which converts VHDL: {INSTALL}")
    return Tool(found, version([found, "--version"]))


@dataclass(frozen=True)
class VhdlFiles:
    """Files in compilation order, and their libraries."""

    names: tuple[str, ...]
    libraries: Mapping[str, str] = field(default_factory=dict)
    """By the name of a file; one that is not there is in `work`."""
    last: str | None = None
    """The library of the top, if it is not `work`."""

    def groups(self) -> Iterator[tuple[str | None, list[str]]]:
        """(library, files) of all files, as many as follow each other in one library; None is `work`."""
        for library, names in groupby(self.names, self.libraries.get):
            yield library, list(names)

    def options(self) -> list[str]:
        """The files as arguments of a synthesis, with the library before those that are in another one."""
        if not self.libraries:
            return [*self.names]
        parts = [[f"--work={library or 'work'}", *names] for library, names in self.groups()]
        return [*chain.from_iterable(parts), f"--work={self.last or 'work'}"]


@dataclass(frozen=True)
class GhdlNetlist:
    """An entity and all below it, from files in a folder, as GHDL synthesises it."""

    work: Path
    files: VhdlFiles
    """Files in `work`."""
    top: str
    standard: str
    generics: Mapping[str, str]
    """Texts as GHDL reads them."""
    sandboxed: bool
    """True if GHDL may write in `work` alone."""
    architecture: str | None = None
    """Another one than the last one of the entity."""

    def verilog(self) -> str:
        """The netlist in Verilog, with all of its defaults. Raises VhdlError, ToolError."""
        try:
            return completed(self._netlist("verilog", "endmodule"), lambda: self._netlist("raw-vhdl", "end "))
        except NetlistError as error:
            raise self.refused(str(error)) from None

    def dump(self) -> str:
        """The gates and nets of the netlist by their numbers. Raises VhdlError, ToolError."""
        return self._netlist("dump", "instance ")

    def refused(self, why: str) -> VhdlError:
        """The error for a netlist that is not used; `why` is what the Verilog does, a part of a sentence."""
        what = f"the Verilog that {ghdl().version} makes of {self.top} {why}"
        return VhdlError(f"{what}; {SIMULATE}")

    def _netlist(self, language: str, ending: str) -> str:
        tool = ghdl()
        given = [f"-g{name}={value}" for name, value in self.generics.items()]
        unit = [*self.files.options(), "-e", self.top, *([self.architecture] if self.architecture else [])]
        command = [tool.path, "--synth", *options_for(self.standard), f"--out={language}", *given, *unit]
        # Its messages and the netlist leave it by two ways, and a log keeps the beginning and the end alone.
        shell = ["sh", "-c", 'exec "$@" > limbtrace.out', "sh", *command]
        said = _said(shell, self.work, self.top, sandboxed=self.sandboxed)
        text = (self.work / "limbtrace.out").read_text(errors="replace")
        if ending not in text:
            raise ToolError(f"{tool.version} made no netlist of {self.top}: {_complaint(said) or 'it said nothing'}")
        return text


def analyse(work: Path, files: VhdlFiles, top: str, standard: str, *, sandboxed: bool) -> None:
    """Have GHDL read these files in the folder `work`, as for a simulation of an entity.

    Raises VhdlError, ToolError.
    """
    for library, names in files.groups():
        options = [*options_for(standard), "-P.", *([f"--work={library}"] if library else [])]
        _said([ghdl().path, "-a", *options, *names], work, top, sandboxed=sandboxed)


def _said(command: Sequence[str], work: Path, top: str, *, sandboxed: bool) -> str:
    """The output of a GHDL command. Raises VhdlError, ToolError."""
    log = work.with_name(f"{work.name}.log")
    try:
        code = supervise(command, work, log, patience=PATIENCE, alive=lambda _: True, sandboxed=sandboxed)
        said = log.read_text(errors="replace")
    except HungError:
        raise ToolError(f"GHDL was at work on {top} for {PATIENCE} seconds, and was stopped") from None
    finally:
        log.unlink(missing_ok=True)
    if "GHDL Bug" in said or code < 0:
        raise ToolError(f"GHDL gave up on {top} with an error of its own: {_bug(said) or f'signal {-code}'}")
    if code:
        raise VhdlError(f"the VHDL has an error: {_complaint(said) or f'GHDL ended with exit code {code}'}")
    return said


def options_for(standard: str) -> list[str]:
    """Language options of GHDL."""
    return [f"--std={standard}", "-fsynopsys", "-fexplicit", "-frelaxed"]


def _complaint(said: str) -> str:
    """The first two errors of GHDL, without the lines of the source that it shows and its own name."""
    lines = [re.sub(r"^\S*ghdl\S*: ", "", line) for line in said.splitlines() if line.strip(" ^")]
    placed = [line for line in lines if re.match(r"\S+:\d+:\d+:(?! ?(note|warning):)", line)]
    plain = [line for line in lines if not re.match(r"\s|\S+:\d+:\d+:", line)]
    shown = [re.sub(r"^(\S+:\d+:\d+:) ?error: ?", r"\1 ", line) for line in placed or plain]  # as newer ones say it
    return "; ".join(shown[:2])


def _bug(said: str) -> str:
    found = re.search(r"^(?:raised|Exception) .*$", said, re.MULTILINE)
    return found[0] if found else ""
