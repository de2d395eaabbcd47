# SPDX-License-Identifier: Apache-2.0
"""Simulation models, built once: the key of a build is a hash of everything that goes into it."""

import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from cocotb_tools import config

from limbtrace.rtl_bridge.code_coverage.counted import source_names
from limbtrace.rtl_bridge.code_coverage.options import counting_options
from limbtrace.rtl_bridge.description.tables import Flags
from limbtrace.rtl_bridge.elaboration.causes import passing_flags, with_cause
from limbtrace.rtl_bridge.programs.cosim.launcher import Beside
from limbtrace.rtl_bridge.programs.process import run, tail
from limbtrace.rtl_bridge.programs.tool import Tool
from limbtrace.rtl_bridge.run.mode import mode
from limbtrace.rtl_bridge.run.simulators import simulator
from limbtrace.rtl_bridge.run.testbench import Testbench
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors import cache
from limbtrace.vectors.errors import ToolError

_CPP = Path(__file__).resolve().parents[1] / "cpp"
RUNTIME = (_CPP / "runtime.mk", _CPP / "runtime.h")
"""How Verilator's runtime is made, and its header."""
_NAMES = "names.json"


class BuildError(ToolError):
    """A simulator that does not take the RTL of a core."""


@dataclass(frozen=True)
class Build:
    """A model ready to run."""

    simulator: str
    mode: str
    folder: Path
    beside: Beside | None = None
    """VHDL that runs beside it."""
    counted: bool = False
    """True if it writes counts of code coverage into the folder in which it runs."""

    @cached_property
    def names(self) -> dict[str, str]:
        """Names of the sources that are counted, by the paths of the copy of the core that the model was made of."""
        found: dict[str, str] = json.loads((self.folder / _NAMES).read_text())
        return found

    @property
    def is_whole(self) -> bool:
        """True if the model is there."""
        return _is_whole(self.folder / "sim")

    def command(self, waves: Path | None, power_up: int, *plusargs: str) -> list[str]:
        """The command that runs it, with VHDL, if any, beside it; `waves` is the waveform that it writes.

        `power_up` is the seed of the values with which registers begin in Verilator.
        """
        command = self._own_command(waves, power_up, *plusargs)
        return command if self.beside is None else self.beside.paired(command)

    def _own_command(self, waves: Path | None, power_up: int, *plusargs: str) -> list[str]:
        testbench = mode(self.mode).testbench
        if testbench.loader is not None:
            return [sys.executable, "-m", testbench.loader, str(self.folder / "sim")]
        dump = [] if waves is None else [f"+waves={waves}"]
        if self.simulator == "icarus":
            return ["vvp", "-n", *testbench.vvp, str(self.folder / "sim"), *plusargs, *dump]
        # A failing assertion of the core is reported with its cycle, and ends nothing.
        own = ["+verilator+error+limit+1000000", "+verilator+rand+reset+2", f"+verilator+seed+{power_up}"]
        return [str(self.folder / "sim"), *own, *plusargs, *dump]


def build(
    shell: Shell, simulator_name: str, mode_name: str, waves: bool, *, sandboxed: bool = False, counted: bool = False
) -> Build:
    """A model of the core, taken from the cache if it is there. Raises ToolError.

    `sandboxed`: what makes it writes in its own folder alone. The model does not depend on it. `counted`: it counts
    code coverage, which is another model.

    Safe against other processes that build the same, and against being killed: a build appears whole.
    """
    tool = simulator(simulator_name)
    core, testbench = shell.bound.core, mode(mode_name).testbench
    sources = [*testbench.files, *shell.bound.sources.simulated]
    traced = waves and simulator_name == "verilator"
    # A model is linked with cocotb's libraries at their paths, so it does not move with a checkout.
    # A copy of a core is the same model: its folders for included files count as they are seen from the core.
    given = _given(shell, simulator_name, partial(os.path.relpath, start=core.folder))
    tools: tuple[object, ...] = (tool.version, str(config.libs_dir), traced, given)
    if counted:
        tools += (counting_options(tool), sorted(source_names(shell.bound).values()))
    key = hashlib.sha256(repr((tools, mode_name, shell.parameters, testbench.parameters, shell.text)).encode())
    in_order = [(source.name, source.read_bytes()) for source in (*sources, *testbench.sources)]
    read = sorted((file.name, file.read_bytes()) for file in shell.bound.files)  # wherever they are
    for name, content in [*in_order, *read]:
        key.update(f"{name}\0".encode() + content)
    folder = cache.folder() / f"{core.file.name}-{simulator_name}-{mode_name}-{key.hexdigest()[:16]}"
    ready = Build(simulator_name, mode_name, folder, shell.bound.sources.beside, counted)
    if ready.is_whole:
        return ready
    cache.folder().mkdir(parents=True, exist_ok=True)
    with cache.locked(folder):
        if not ready.is_whole:
            print(f"limbtrace: building the model for {simulator_name}, once", file=sys.stderr, flush=True)
            try:
                _make(shell, testbench, sources, tool, ready, traced, partial(run, sandboxed=sandboxed))
            except OSError as error:
                raise ToolError(f"{error.filename or folder}: {error.strerror}; LIMBTRACE_BUILD says where") from error
    return ready


def _make(
    shell: Shell,
    testbench: Testbench,
    sources: list[Path],
    tool: Tool,
    ready: Build,
    traced: bool,
    run: Callable[..., None],
) -> None:
    """Make the model; `run` is `process.run`, in a sandbox or not."""
    for left_behind in ready.folder.parent.glob(f".{ready.folder.name}.*"):
        shutil.rmtree(left_behind)
    work = Path(tempfile.mkdtemp(prefix=f".{ready.folder.name}.", dir=ready.folder.parent))
    log = ready.folder.with_suffix(".log")
    log.unlink(missing_ok=True)
    try:
        generated = work / "lt_shell.sv"
        generated.write_text(shell.text)
        files = [str(path.absolute()) for path in (sources[0], generated, *sources[1:])]
        if ready.simulator == "verilator":
            given = _given(shell, ready.simulator)
            if ready.counted:
                given = [*counting_options(tool), *given, str(_uncounted(shell, files, work))]
                names = {str(path): name for path, name in source_names(shell.bound).items()}
                (work / _NAMES).write_text(json.dumps(names))
            parameters = {**shell.parameters, **testbench.parameters}
            _make_verilator(tool, work, log, testbench, traced, [*given, *files], parameters, run, shell)
        else:
            _run_compiler(run, icarus_command(shell, testbench, tool, files), work, log, "Icarus Verilog")
        if not replace(ready, folder=work).is_whole:
            raise ToolError(f"{tool.path} made no model; the last lines of {log}: {tail(log)}")
        shutil.rmtree(ready.folder, ignore_errors=True)
        work.rename(ready.folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def icarus_command(
    shell: Shell, testbench: Testbench, tool: Tool, files: Sequence[str], tops: Sequence[str] = ()
) -> list[str]:
    """The command that makes the model `sim` of a testbench from files; `tops`: modules that stand beside it."""
    parameters = {**shell.parameters, **testbench.parameters}
    overrides = [f"-P{testbench.top}.{name}={value}" for name, value in parameters.items()]
    roots = [word for top in (testbench.top, *tops) for word in ("-s", top)]
    return [tool.path, "-g2012", *roots, "-o", "sim", *overrides, *_given(shell, "icarus"), *files]


def _uncounted(shell: Shell, files: list[str], work: Path) -> Path:
    """A file in `work` that tells Verilator to count nothing outside of the core's own RTL."""
    own = {str(path) for path in source_names(shell.bound)}
    others = [file for file in files if str(Path(file).resolve()) not in own]
    written = work / "lt_uncounted.vlt"
    lines = ["`verilator_config", *(f'coverage_off -file "{file}"' for file in others)]
    written.write_text("".join(f"{line}\n" for line in lines))
    return written


def _run_compiler(
    run: Callable[..., None], command: list[str], work: Path, log: Path, what: str, flags: Flags | None = None
) -> None:
    """Run a program that reads the RTL; `flags` are those of the core, of Verilator.

    Raises BuildError, with the usual cause of its errors if there is one, and the flags that let them pass.
    """
    try:
        run(command, work, log, what)
    except ToolError as error:
        said = log.read_text(errors="replace") if log.is_file() else ""
        passing = "" if flags is None else passing_flags(said, flags)
        raise BuildError("; ".join(filter(None, [with_cause(str(error), said), passing]))) from error


def _given(shell: Shell, simulator: str, place: Callable[[Path], object] = Path.absolute) -> list[str]:
    """Options from the description: include folders, located by `place`, macros, flags."""
    flags = getattr(shell.bound.core.file.flags, simulator)
    return [*shell.bound.sources.options(place), *(word for flag in flags for word in flag.split())]


def _make_verilator(
    tool: Tool,
    work: Path,
    log: Path,
    testbench: Testbench,
    traced: bool,
    files: list[str],
    parameters: dict[str, int],
    run: Callable[..., None],
    shell: Shell,
) -> None:
    """Only what cocotb touches is public (marked in the testbench): cocotb's own runner makes everything public, which
    costs most of the speed."""
    command = [tool.path, "--cc", "--exe", "-Wno-fatal", "--prefix", "Vtop", "-Mdir", "model", "-o", "sim"]
    command += ["--top-module", testbench.top, *(["--trace"] if traced else [])]
    command += [f"-G{name}={value}" for name, value in parameters.items()]
    command += [*testbench.verilator, *map(str, testbench.sources), *files]
    _run_compiler(run, command, work, log, "Verilator", shell.bound.core.file.flags)
    model = work / "model"
    make = ["make", "-C", "model", "-f", "Vtop.mk", "-f", str(RUNTIME[0]), "-j", str(os.cpu_count() or 1)]
    make += testbench.make
    _add_runtime(tool, model, log, make, run)
    run([*make, "sim"], work, log, "the compiler of Verilator's model")
    (model / "sim").rename(work / "sim")
    shutil.rmtree(model)


def _add_runtime(tool: Tool, model: Path, log: Path, make: list[str], run: Callable[..., None]) -> None:
    """Put Verilator's runtime into the folder of a model that is to be compiled.

    It takes several times as long to compile as a model of usual size, and does not depend on the model: its parts are
    kept in a folder of the cache whose name is a hash of all that goes into them, and every part appears whole.
    """
    (model / "runtime.h").symlink_to(RUNTIME[1])
    run([*make, "runtime"], model.parent, log, "the compiler of Verilator's model")
    flags, parts, sources = ((model / f"runtime.{name}").read_text() for name in ("flags", "parts", "sources"))
    key = hashlib.sha256(repr((tool.version, flags)).encode())
    for source in [*RUNTIME, *sorted(Path(sources.strip()).rglob("*.h")), *sorted(Path(sources.strip()).glob("*.cpp"))]:
        key.update(f"{source.name}\0".encode() + source.read_bytes())
    folder = cache.folder() / f"verilator-runtime-{key.hexdigest()[:16]}"
    kept = [folder / part for part in parts.split()]
    if not all(map(_is_whole, kept)):
        with cache.locked(folder):
            missing = [part.name for part in kept if not _is_whole(part)]
            if missing:
                run([*make, *missing], model.parent, log, "the compiler of Verilator's runtime")
                folder.mkdir(exist_ok=True)
            for name in missing:
                (model / name).replace(folder / name)
    for part in kept:
        if part.suffix == ".o":
            shutil.copyfile(part, model / part.name)  # younger than the makefile, so that make takes it as it is
        else:
            (model / part.name).symlink_to(part)


def _is_whole(file: Path) -> bool:
    """True if a file is there; a machine that crashed may have left an empty one."""
    return file.is_file() and file.stat().st_size > 0
