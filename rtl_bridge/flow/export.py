# SPDX-License-Identifier: Apache-2.0
"""`limbtrace export`: a core with its vectors and scripts as a folder that needs neither Python nor limbtrace."""

import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path

import click

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.elaboration.ghdl_synthesis import is_vhdl
from limbtrace.rtl_bridge.flow.for_vivado import ForVivado, pairs
from limbtrace.rtl_bridge.flow.fusesoc import CoreDescription, VivadoTarget
from limbtrace.rtl_bridge.run.bulk import MODE
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.options import job_options
from limbtrace.rtl_bridge.run.readmemh import legend, plusargs, write_files
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.vectors.catalogue import render_constants
from limbtrace.vectors.encoding import FORMAT, dump
from limbtrace.vectors.files import write_directory

MARK = "export.json"
"""The file that holds the request; a folder that contains it may be overwritten."""
SUMS = "SHA256SUMS"
PART = "xc7k160tffg676-3"
"""The largest part in the free edition of Vivado whose family and speed grade are closest to the papers' Virtex-7."""
PERIOD = "5"

_HERE = Path(__file__).resolve().parents[1]
_STATIC = {"": _HERE / "scripts", "vivado/": _HERE / "vivado"}


@dataclass(frozen=True)
class ExportLayout:
    """Places of a core's files: below `rtl`, with the same relative paths, so that includes work.

    Shared cells go below `cells`, and the Verilog that was made from VHDL below `converted`.
    """

    bound: Bound

    @cached_property
    def _root(self) -> Path:
        """The folder that holds the core and all included files."""
        own = [path.resolve() for path in self._read if path.resolve() not in self._cells]
        own = [path for path in own if path not in self.bound.sources.converted]
        folders = [path.resolve() for path in self.bound.sources.include]
        return Path(os.path.commonpath([*folders, *(path.parent for path in own)]))

    @cached_property
    def _cells(self) -> set[Path]:
        return {path.resolve() for path in self.bound.core.cells}

    @property
    def _read(self) -> list[Path]:
        return [*self.bound.sources.rtl, *self.bound.sources.simulated, *self.bound.files, *self._vhdl]

    @property
    def _vhdl(self) -> list[Path]:
        """The hardware sources in VHDL, in compilation order."""
        return [path for path in self.bound.core.rtl if is_vhdl(path)]

    def place(self, path: Path) -> str:
        """Name of a source or folder in the export. Raises ParameterError("core")."""
        path = path.resolve()
        if path in self.bound.sources.converted:
            below = Path("converted", path.name)
        else:
            below = Path("cells", path.name) if path in self._cells else Path("rtl", path.relative_to(self._root))
        name = below.as_posix()
        if not re.fullmatch(r"[\w.+/-]+", name, re.ASCII):
            raise self.bound.core.error(f"the file name {shown(name)} has characters that not every tool takes")
        return name

    @property
    def include(self) -> list[str]:
        """The folders to search for included files, that of the core first."""
        return [*map(self.place, self.bound.sources.include)]

    @property
    def include_of_headers(self) -> list[str]:
        """Those of the folders that hold an included file."""
        read = {*map(self.place, [*self.bound.sources.rtl, *self.bound.sources.simulated, *self._vhdl])}
        headers = [name for name, _ in self.files() if name not in read]
        return [folder for folder in self.include if any(name.startswith(f"{folder}/") for name in headers)]

    @property
    def synthesised(self) -> list[str]:
        """Sources of the core alone, in compilation order, those in VHDL instead of what was made from them."""
        named = self.bound.core.rtl if self._vhdl else []
        found = [path for path in self.bound.sources.rtl if path not in self.bound.sources.converted]
        return [*dict.fromkeys(map(self.place, [*named, *found]))]

    @property
    def vhdl_libraries(self) -> dict[str, str]:
        """The libraries of the hardware sources in VHDL that are not in `work`."""
        libraries = self.bound.core.listing.vhdl_libraries
        return {self.place(path): libraries[path] for path in self._vhdl if path in libraries}

    @property
    def core(self) -> list[str]:
        """Sources of the core and of its probe."""
        return [*map(self.place, self.bound.sources.simulated)]

    @property
    def simulated(self) -> list[str]:
        """Sources of a simulation, the testbench first: it sets the time unit."""
        testbench, *modules = [f"tb/{path.name}" for path in MODE.testbench.files]
        return [testbench, "tb/lt_shell.sv", *modules, *map(self.place, self.bound.sources.simulated)]

    @property
    def listed(self) -> list[str]:
        """The lines of a file list for a simulation: macros, include folders but the first, sources."""
        defines = [f"+define+{name}{value and f'={value}'}" for name, value in self.bound.sources.defines.items()]
        return [*defines, *(f"+incdir+{folder}" for folder in self.include[1:]), *self.simulated]

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Every file of the core, each once."""
        for path in dict.fromkeys(path.resolve() for path in self._read):
            yield self.place(path), path.read_bytes()


@dataclass(frozen=True)
class Export:
    """The checked request."""

    run: Run
    part: str
    period: str

    @classmethod
    def resolve(cls, job: Job, part: str, period: str) -> "Export":
        """Raises ParameterError."""
        if not re.fullmatch(r"[a-z0-9-]{5,40}", part):
            raise ParameterError("part", f"{shown(part)} is no part name such as {PART}")
        if not re.fullmatch(r"\d{1,4}(\.\d{1,3})?", period, re.ASCII) or Decimal(period) == 0:
            raise ParameterError("period", f"{shown(period)} is no time from 0.001 to 9999.999 nanoseconds")
        run = settle(job)
        run.bound.core.check_hardware("an export")
        return cls(run, part, f"{Decimal(period):.3f}")

    def write(self, folder: Path) -> None:
        """Write the folder, completely or not at all. Raises ParameterError, ToolError."""
        with tempfile.TemporaryDirectory(prefix="limbtrace-") as work:
            write_directory(folder, self._summed(self._files(Path(work))), MARK)

    @staticmethod
    def _summed(files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, list[bytes]]]:
        """The files, followed by their sums as `sha256sum -c` reads them."""
        sums = ""
        for name, content in files:
            sums += f"{hashlib.sha256(content).hexdigest()}  {name}\n"
            yield name, [content]
        yield SUMS, [sums.encode()]

    def _files(self, work: Path) -> Iterator[tuple[str, bytes]]:
        """(name, content) of every file; vectors are first written into `work`."""
        layout = ExportLayout(self.run.bound)
        yield from layout.files()
        for path in MODE.testbench.files:
            yield f"tb/{path.name}", path.read_bytes()
        yield "tb/lt_shell.sv", self.run.shell.text.encode()
        for prefix, folder in _STATIC.items():
            for path in sorted(folder.iterdir()):
                yield prefix + path.name, path.read_bytes()
        yield "sources.f", "".join(f"{line}\n" for line in layout.listed).encode()
        yield "settings.sh", self._simulator_settings(layout).encode()
        yield from self._for_vivado(layout).files()
        for form in ("json", "sv"):
            yield f"constants.{form}", render_constants(self.run.bound.multiplier, form)
        yield MARK, self._document.encode()
        yield "README", self._readme.encode()
        write_files(self.run, work)
        for path in sorted(work.iterdir()):
            yield f"vectors/{path.name}", path.read_bytes()
        for name, content in legend(self.run):
            yield f"vectors/{name}", content
        data = [path.name for path in sorted(work.iterdir())] + [name for name, _ in legend(self.run)]
        yield f"{self.run.bound.core.file.name}.core", self._fusesoc(layout, data).encode()

    def _simulator_settings(self, layout: ExportLayout) -> str:
        return (
            f"# SPDX-License-Identifier: Apache-2.0\n"
            f"testbench={MODE.testbench.top}\n"
            f"include={layout.include[0]}\n"
            f"parameters='{pairs(self._bench_parameters)}'\n"
            f"plusargs='{pairs(self._plusargs)}'\n"
        )

    def _fusesoc(self, layout: ExportLayout, data: list[str]) -> str:
        """The description for FuseSoC; `data` are the names of the vector files."""
        core, testbench = self.run.bound.core, MODE.testbench
        own = [name for name in layout.simulated if name not in layout.core]
        return CoreDescription(
            name=f"limbtrace::{core.file.name}",
            title=f"{core.file.name} with {self.run.stimulus.products} products for the simulation",
            top=core.file.top,
            rtl=layout.core,
            headers=[name for name, _ in layout.files() if name not in {*layout.core, *layout.synthesised}],
            include=layout.include,
            defines=self.run.bound.sources.defines,
            parameters=self.run.bound.parameters,
            testbench=testbench.top,
            simulated=own,
            data=[f"vectors/{name}" for name in data],
            bench_parameters=self._bench_parameters,
            plusargs=self._plusargs,
            synthesis=self._synthesis(layout),
        ).text

    def _synthesis(self, layout: ExportLayout) -> VivadoTarget:
        """The Vivado target of the FuseSoC file."""
        vivado = self._for_vivado(layout)
        own = [name for name in vivado.hardware if name not in layout.core]
        return VivadoTarget(
            self.part,
            vivado.top,
            parameters=[*vivado.parameters],
            files=[*own, "vivado/clock.xdc", "vivado/out_of_context.tcl"],
            rtl=not vivado.is_vhdl,
            vhdl=self.run.bound.core.file.vhdl,
            libraries=layout.vhdl_libraries,
        )

    def _for_vivado(self, layout: ExportLayout) -> ForVivado:
        return ForVivado(
            self.run.bound,
            sources=layout.synthesised,
            include=layout.include_of_headers,
            bench=[name for name in layout.simulated if name not in layout.synthesised],
            testbench=MODE.testbench.top,
            bench_parameters=self._bench_parameters,
            plusargs=self._plusargs,
            part=self.part,
            period=self.period,
            libraries=layout.vhdl_libraries,
        )

    @property
    def _bench_parameters(self) -> dict[str, int]:
        return {**self.run.shell.parameters, **MODE.testbench.parameters}

    @property
    def _plusargs(self) -> dict[str, object]:
        return {"folder": "vectors", **plusargs(self.run)}

    @property
    def _document(self) -> str:
        bound, job, stimulus = self.run.bound, self.run.job, self.run.stimulus
        document = {
            "format": FORMAT,
            "core": bound.core.file.name,
            **bound.head,
            "build": bound.parameters,
            "count": stimulus.products,
            "seed": job.seed,
            **({"operands": job.operands} if job.operands else {"kind": job.kind}),
            **({"stream": stimulus.size} if bound.products > 1 else {}),
            "every_cycle": job.every_cycle,
            "part": self.part,
            "period_ns": self.period,
        }
        return dump(document) + "\n"

    @property
    def _readme(self) -> str:
        bound, stimulus = self.run.bound, self.run.stimulus
        modulus = bound.multiplier.modulus
        products = f"{stimulus.products} product{'s' * (stimulus.products != 1)}"
        streams = (
            f"A case of the testbench is a stream of {stimulus.size} products, so the scripts say cases="
            f"{stimulus.streams} for {products}; a difference names the stream, and the line below it the product.\n"
        )
        return (
            f"{bound.core.file.name}, {modulus.name or f'a modulus of {modulus.bits} bits'}, {products}: "
            "sh run_icarus.sh, run_verilator.sh or run_xsim.sh; exit 0 all agree, 1 a difference, 3 a tool failed.\n"
            f"{streams if bound.products > 1 else ''}"
            "Vivado: vivado -mode batch -source vivado/build.tcl, with -tclargs -project DIR for a project; "
            "export.json says what was asked for, SHA256SUMS what is here; vectors and constants are CC0-1.0, the "
            "testbench and the scripts Apache-2.0.\n"
        )


@click.command()
@job_options(Job, "core", "vectors", mode="bulk")
@click.option("--part", default=PART, show_default=True, metavar="PART", help="Part that Vivado is to build for.")
@click.option("--period", default=PERIOD, show_default=True, metavar="NS", help="Clock period that Vivado is to reach.")
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), help="Folder to write; replaces an older export."
)
def export(job: Job, part: str, period: str, output: Path) -> None:
    """Write a core, vectors and scripts for Icarus, Verilator and Vivado into a folder that runs without Python.

    CORE is a built-in core or a folder with RTL and a core.toml.
    """
    Export.resolve(job, part, period).write(output)
