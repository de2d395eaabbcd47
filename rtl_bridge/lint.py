# SPDX-License-Identifier: Apache-2.0
"""`python -m rtl_bridge.lint [CORE]...`: what Verilator and pyslang say of cores, testbenches, shells."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from refmodels.errors import ParameterError
from rtl_bridge.bound import bind
from rtl_bridge.builds import TESTBENCHES, static_sources
from rtl_bridge.corefile import built_in, find
from rtl_bridge.shell import Shell
from rtl_bridge.tools import environment, verilator
from vectors.errors import ToolError

EXAMPLE = "secp256k1"
"""Modulus for which the shells are generated."""


def commands(core: str, work: Path) -> Iterator[tuple[str, list[str]]]:
    """(what is looked at, command) for one core. Raises ParameterError where pyslang finds an error."""
    bound = bind(find(core), EXAMPLE, {}, {})
    file, folder = bound.core.file, bound.core.folder
    waivers = [str(path) for path in sorted(folder.glob("*.vlt"))]
    parameters = [f"-G{name}={value}" for name, value in bound.parameters.items()]
    lint = [verilator().path, "--lint-only", "-Wall", f"-I{folder}", *waivers]
    rtl = [str(folder / name) for name in file.files]
    yield file.top, [*lint, "--top-module", file.top, *parameters, *rtl]
    shell = Shell(bound)
    (work / "limbtrace_shell.sv").write_text(shell.text)
    sources = [*map(str, bound.core.sources), str(work / "limbtrace_shell.sv")]
    widths = [f"-G{name}={value}" for name, value in shell.parameters.items()]
    for mode, top in TESTBENCHES.items():
        static = [str(path) for path in static_sources(mode)]
        yield f"{file.name} in {top}", [*lint, "--timing", "--top-module", top, *widths, *static, *sources]


def lint(cores: Sequence[str]) -> int:
    """Number of complaints about the cores; each is printed."""
    complaints = 0
    for core in cores:
        with tempfile.TemporaryDirectory() as work:
            try:
                for what, command in commands(core, Path(work)):
                    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
                    clean = done.returncode == 0 and not done.stderr
                    complaints += not clean
                    print(f"{what}: {'clean' if clean else 'complaints'}\n{done.stderr}", end="", file=sys.stderr)
            except ParameterError as error:
                complaints += 1
                print(error, file=sys.stderr)
    return complaints


def main() -> int:
    """Exit code: 0 clean, 1 complaints, 3 no Verilator."""
    try:
        return 1 if lint(sys.argv[1:] or [path.name for path in built_in()]) else 0
    except ToolError as error:
        print(f"lint: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
