# SPDX-License-Identifier: Apache-2.0
"""Core description files of FuseSoC (CAPI2), for cores and for exports."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from limbtrace.vectors.encoding import dump


@dataclass(frozen=True)
class VivadoTarget:
    """The Vivado target of a FuseSoC file, which synthesises a core and stops."""

    part: str
    top: str
    parameters: Sequence[str] = ()
    """Those of the core that the top has."""
    files: Sequence[str] = ()
    """Files besides those of the core, in order."""
    rtl: bool = True
    """True if the core's files of the other targets are the hardware, and not made from it."""
    vhdl: str = "08"
    """The standard of files in VHDL."""
    libraries: Mapping[str, str] = field(default_factory=dict)
    """The libraries of files in VHDL that are not in the usual one."""

    def types(self) -> Iterable[dict[str, object]]:
        """The files with what they are."""
        kinds = {".xdc": "xdc", ".tcl": "tclSource", ".v": "verilogSource", ".sv": "systemVerilogSource"}
        vhdl = "vhdlSource-2008" if self.vhdl == "08" else "vhdlSource-93"
        for name in self.files:
            library = {"logical_name": self.libraries[name]} if name in self.libraries else {}
            yield {name: {"file_type": kinds.get(PurePath(name).suffix, vhdl), **library}}


@dataclass(frozen=True)
class CoreDescription:
    """The contents of a FuseSoC file; paths are relative to it."""

    name: str
    title: str
    top: str
    rtl: Sequence[str]
    parameters: Mapping[str, int] = field(default_factory=dict)
    """Parameters of the core, for lint; the testbench has those of a simulation, and its names come first."""
    testbench: str | None = None
    """Top of a simulation, if there is one."""
    simulated: Sequence[str] = ()
    """Sources of a simulation without those of the core, in order."""
    data: Sequence[str] = ()
    """Files that a simulation reads, which keep their paths."""
    bench_parameters: Mapping[str, int] = field(default_factory=dict)
    plusargs: Mapping[str, object] = field(default_factory=dict)
    headers: Sequence[str] = ()
    """Files that the sources include."""
    include: Sequence[str] = ()
    """Folders in which they are searched."""
    defines: Mapping[str, str] = field(default_factory=dict)
    """Macros of every source."""
    synthesis: VivadoTarget | None = None
    """The target for Vivado, if there is one."""

    @property
    def text(self) -> str:
        """The file. FuseSoC reads YAML, of which JSON is a part."""
        bench = {name: _parameter("vlogparam", value) for name, value in self.bench_parameters.items()}
        plusargs = {name: _parameter("plusarg", value) for name, value in self.plusargs.items()}
        # FuseSoC has no macro without a value.
        macros = {name: _parameter("vlogdefine", value or "1") for name, value in self.defines.items()}
        taken = {*bench, *plusargs, *macros}
        parameters = {name: _parameter("vlogparam", value) for name, value in self.parameters.items()
                      if name not in taken}  # fmt: skip
        filesets: dict[str, Any] = {"rtl": {"files": [*self.rtl, *self._headers], "file_type": "systemVerilogSource"}}
        targets: dict[str, Any] = {
            "default": {"filesets": ["rtl"], **({"parameters": [*macros]} if macros else {})},
            "lint": {
                "flow": "lint", "flow_options": {"tool": "verilator", "verilator_options": ["-Wall"]},
                "filesets": ["rtl"], "toplevel": self.top, "parameters": [*parameters, *macros],
            },
        }  # fmt: skip
        if self.testbench is not None:
            filesets["tb"] = {"files": list(self.simulated), "file_type": "systemVerilogSource"}
            filesets["data"] = {"files": [{name: {"copyto": name}} for name in self.data], "file_type": "user"}
            targets["sim"] = {
                "flow": "sim", "flow_options": {"tool": "icarus", "iverilog_options": ["-g2012"]},
                "filesets": ["tb", "rtl", "data"], "toplevel": self.testbench,
                "parameters": [*bench, *plusargs, *macros],
            }  # fmt: skip
        if (made := self.synthesis) is not None:
            sets = ["rtl"] if made.rtl else []
            if made.files:
                filesets["vivado"] = {"files": [*made.types()]}
                sets.append("vivado")
            targets["vivado"] = {
                "flow": "vivado", "flow_options": {"part": made.part, "pnr": "none"},
                "filesets": sets, "toplevel": made.top,
                "parameters": [*(name for name in made.parameters if name in parameters), *macros],
            }  # fmt: skip
        sections = {
            "filesets": filesets,
            "parameters": {**parameters, **bench, **plusargs, **macros},
            "targets": targets,
        }
        head = f"name: {dump(self.name)}\ndescription: {dump(self.title)}\n"
        body = "".join(_section(name, entries) for name, entries in sections.items() if entries)
        return f"CAPI=2:\n# SPDX-License-Identifier: Apache-2.0\n{head}{body}"

    @property
    def _headers(self) -> Iterable[dict[str, object]]:
        """Included files, each with the longest of the folders that it is in; FuseSoC searches there."""
        for name in self.headers:
            folders = [folder for folder in self.include if name.startswith(f"{folder}/")]
            place = {"include_path": max(folders, key=len)} if folders else {}
            yield {name: {"is_include_file": True, **place}}


def _parameter(kind: str, value: object) -> dict[str, object]:
    return {"paramtype": kind, "datatype": "int" if isinstance(value, int) else "str", "default": value}


def _section(name: str, entries: Mapping[str, Any]) -> str:
    """A section, one entry on a line."""
    return f"{name}:\n" + "".join(_lines(entries))


def _lines(entries: Mapping[str, Any]) -> Iterable[str]:
    return (f"  {dump(name)}: {dump(entry)}\n" for name, entry in entries.items())
