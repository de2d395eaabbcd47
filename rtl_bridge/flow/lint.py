# SPDX-License-Identifier: Apache-2.0
"""`python -m limbtrace.rtl_bridge.flow.lint [CORE]...`: findings of Verilator and pyslang in cores, benches and shells.

Verilator lints; pyslang reads them by IEEE 1800-2017 and nothing else, and its syntax tree shows constructs that
Vivado, Icarus or Yosys would reject (`flow.subset`).
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.binding.bind import bind, example
from limbtrace.rtl_bridge.core.core import built_in, find, with_faults
from limbtrace.rtl_bridge.elaboration import slang
from limbtrace.rtl_bridge.elaboration.causes import passing_flags
from limbtrace.rtl_bridge.flow.subset import complaints
from limbtrace.rtl_bridge.interface.verilog_words import literal
from limbtrace.rtl_bridge.programs.process import environment
from limbtrace.rtl_bridge.run.job import MODES
from limbtrace.rtl_bridge.run.mode import mode
from limbtrace.rtl_bridge.run.simulators import verilator
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors.errors import ToolError


def commands(shell: Shell, work: Path) -> Iterator[tuple[str, list[str]]]:
    """(what is linted, Verilator command) for one core; the shell is written into `work`."""
    bound = shell.bound
    file, folder = bound.core.file, bound.core.folder
    waivers = [str(path) for path in sorted(folder.glob("*.vlt"))]
    parameters = [f"-G{name}={literal(value)}" for name, value in bound.parameters.items()]
    flags = (word for flag in file.flags.verilator for word in flag.split())
    lint = [verilator().path, "--lint-only", "-Wall", *bound.sources.options(), *flags, *waivers]
    yield file.top, [*lint, "--top-module", file.top, *parameters, *map(str, bound.sources.rtl)]
    (work / "lt_shell.sv").write_text(shell.text)
    sources = [*map(str, bound.sources.simulated), str(work / "lt_shell.sv")]
    for name in MODES:
        testbench = mode(name).testbench
        top, static = testbench.top, [str(path) for path in testbench.files]
        widths = [f"-G{name}={value}" for name, value in {**shell.parameters, **testbench.parameters}.items()]
        # The shell leaves out watched ports that the shape does not have; inputs are checked when a core is bound.
        unwatched = "-Wno-PINMISSING"
        yield f"{file.name} in {top}", [*lint, unwatched, "--timing", "--top-module", top, *widths, *static, *sources]


def subset(shell: Shell, work: Path) -> Iterator[tuple[str, list[str]]]:
    """(what is examined, complaints) about the core as hardware and about every testbench around it."""
    bound = shell.bound
    core, sources, options = bound.core, bound.sources, bound.sources.options()
    found = complaints(sources.rtl, core.file.top, options, bound.parameters, True)
    yield f"{core.file.top} for every tool", [*map(str, found)]
    for name in MODES:
        testbench = mode(name).testbench
        files = [*testbench.files, work / "lt_shell.sv", *sources.simulated]
        found = complaints(files, testbench.top, options, {**shell.parameters, **testbench.parameters}, False)
        yield f"{core.file.name} in {testbench.top} for every simulator", [*map(str, found)]


STANDARD = ("--std", "1800-2017", "-Wpedantic", "-Werror", "-Wno-unconnected-output-port")
"""Options with which slang takes IEEE 1800-2017 and no extension; a shell leaves out what is not watched."""


def standard(shell: Shell, work: Path) -> Iterator[tuple[str, list[str]]]:
    """(what is read, complaints) about the core as hardware and about every testbench around it, by the standard."""
    bound = shell.bound
    core, sources, options = bound.core, bound.sources, bound.sources.options()
    yield f"{core.file.top} by IEEE 1800-2017", _refused(sources.rtl, core.file.top, bound.parameters, options)
    for name in MODES:
        testbench = mode(name).testbench
        files, widths = [*testbench.files, work / "lt_shell.sv", *sources.simulated], shell.parameters
        found = _refused(files, testbench.top, {**widths, **testbench.parameters}, options)
        yield f"{core.file.name} in {testbench.top} by IEEE 1800-2017", found


def _refused(files: Sequence[Path], top: str, parameters: Mapping[str, int], options: Sequence[str]) -> list[str]:
    read = slang.read(files, top, parameters, [*options, *STANDARD])
    return ["the sources cannot be read"] if read is None else [*map(read.text, read.errors), *read.warnings]


def lint(cores: Sequence[str]) -> int:
    """Number of complaints about the cores; each is printed."""
    count = 0
    for core in cores:
        with tempfile.TemporaryDirectory() as folder:
            try:
                described = find(core)
                described.check_hardware("lint")
                shell, work = Shell(bind(described, example(described), {}, {})), Path(folder)
                for what, command in commands(shell, work):
                    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
                    passing = passing_flags(done.stderr, described.file.flags)
                    said = [done.stderr, *([passing] if passing else [])]
                    count += _report(what, said if done.returncode or done.stderr else [], bool(passing))
                for what, found in (*subset(shell, work), *standard(shell, work)):
                    count += _report(what, found)
            except ParameterError as error:
                count += 1
                print(error, file=sys.stderr)
    return count


def _report(what: str, found: Sequence[str], hint: bool = False) -> int:
    """Print the complaints, of which the last one is a hint; returns their number without it."""
    print(f"{what}: {'complaints' if found else 'clean'}", *found, sep="\n", file=sys.stderr)
    return len(found) - hint


def main() -> int:
    """Exit code: 0 clean, 1 complaints, 3 no Verilator."""
    try:
        return 1 if lint(sys.argv[1:] or [path.name for path in (*built_in(), *with_faults())]) else 0
    except ToolError as error:
        print(f"lint: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
