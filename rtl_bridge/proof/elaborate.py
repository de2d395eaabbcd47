# SPDX-License-Identifier: Apache-2.0
"""A core in its shell as a design of registers and terms, by Yosys."""

import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.elaboration.elaborate import read_design
from limbtrace.rtl_bridge.elaboration.slang import read, shown_path
from limbtrace.rtl_bridge.elaboration.yosys import copied, place_of, reading, run_yosys
from limbtrace.rtl_bridge.proof.btor2 import SteppedDesign
from limbtrace.rtl_bridge.proof.deep_logic import (
    WRITE_NETLIST,
    LoopError,
    with_intermediate_outputs,
    without_intermediate_outputs,
)
from limbtrace.rtl_bridge.proof.free_inputs import with_free_inputs
from limbtrace.rtl_bridge.proof.literals import is_same
from limbtrace.rtl_bridge.proof.races import races
from limbtrace.rtl_bridge.proof.readers import AS_SIMULATED, FOR_SYNTHESIS, SIMULATORS, Reader, asked_of_tools
from limbtrace.rtl_bridge.proof.tri_state import CutValue, cut_values, with_cut_values
from limbtrace.rtl_bridge.proof.verilog_text import as_simulated, icarus_size, long_decimals, verilator_size
from limbtrace.rtl_bridge.shell.text import MODULES, Shell
from limbtrace.vectors import cache
from limbtrace.vectors.errors import ToolError

_RESET = "lt_shell/$driver$rst"
"""The reset of the bench, which changes at falling edges if it is asynchronous."""
_UNKNOWN = re.compile(r"\(\^\w+\) === 1'bx")
"""The bench's check for unknown bits of addresses; nothing is unknown in a proof."""
_BENCH = "lt_bench.sv"
"""Behind it, sources belong to the bench."""
INSIDE = "u_core."
"""Prefix of the names of registers of the core."""

COLLECTING = "memory_collect\n"
"""Command of Yosys for memories with their ports, which may be followed by others."""
_SCRIPT = f"""hierarchy -top lt_shell
proc
flatten
setattr -set lt_case 1 t:$pmux
opt_clean
tribuf -merge
techmap -map lt_bus.v t:$tribuf t:$pmux a:lt_case=1 %d
techmap -map lt_shiftx.v -map lt_pow.v
setundef -undriven -anyseq
opt_clean
select -set clocked w:clk_i %co1:+[CLK]
select -set kept t:$*dff* t:$memwr* %u
tee -q -o apart.txt select -list @kept @clocked %d @kept r:CLK_POLARITY=0 %i t:$*latch* t:$sr w:clk_i %co1:-[CLK] t:* %i
async2sync
opt_expr -keepdc
opt_clean
{COLLECTING}memory_map
setundef -undriven -anyseq
opt_expr -keepdc
opt_merge t:* t:$*dff* %d
opt_clean
dffunmap
setundef -undriven -anyseq
opt_clean
"""
"""The first opt_clean leaves no cell between the driver of a port and the net outside, so that tribuf sees one net.

`opt -full` would remove watched registers. Equal registers stay apart: one of the core and one of the bench, which
samples the same, would be one register of the bench, and nothing of it would be forgotten after a product. BTOR2 has no
clocks: apart.txt lists what has not that of the shell.

Each x and each net without a driver is a variable of its own in each cycle (`setundef -anyseq`) before a pass can
choose a value for it: those that do so, such as opt_mem and opt_expr without -keepdc, are not used.
"""
_WRITE_DESIGN = "write_btor -s design.btor\n"
_MAPS = [Path(__file__).resolve().with_name(name) for name in ("lt_bus.v", "lt_shiftx.v", "lt_pow.v")]
"""Operators of Yosys in terms of others."""

_LOOP = "topological loop"
"""Words of Yosys for a combinational loop."""
_TOO_DEEP = "call stack exhausted"
"""Words of Yosys, in its log, for logic between registers that is too deep for its stack."""
_UNREAD = re.compile(r"Source line ([^:\n]+):(\d+):\d+: *(.*)\n.*Feature unimplemented")
_UNSUPPORTED = re.compile(r"Unsupported cell type \$(\w+)")
"""Words of Yosys for what its slang does not read, and for an operator that a file in BTOR2 does not have."""
_CLOCKED = re.compile(r"\b(\w+)(?:\[[^;=]*\])?\s*<=|\b(\w+_q)\b")
"""Names that a process of the bench may write."""
_INSTANCE = re.compile(r"\b(u_\w+) \(")


class Registers:
    """Which registers of a design belong to the core: all but those of the bench, since Yosys has no name for some."""

    def __init__(self, shell: Shell) -> None:
        self._own = _written(shell.text)
        self._instances = {name for name in _INSTANCE.findall(shell.text) if f"{name}." != INSIDE}
        self._inside = set[str]().union(*(_written(path.read_text()) for path in MODULES))

    def in_core(self, name: str) -> bool:
        """True if a register of that name is the core's, and not the bench's."""
        instance, _, rest = name.partition(".")
        bench = name in self._own if not rest else instance in self._instances and rest.split(".")[-1] in self._inside
        return not bench


def _written(text: str) -> set[str]:
    return {name for pair in _CLOCKED.findall(text) for name in pair if name}


def elaborated(shell: Shell) -> SteppedDesign:
    """The design as simulators read it, or else as for synthesis; its `notes` say so.

    Raises ToolError where Yosys does not read it, ParameterError for a register with another clock and for what
    simulators read in their own way.
    """
    return elaborated_with(shell, COLLECTING)[0]


def elaborated_with(shell: Shell, collecting: str) -> tuple[SteppedDesign, dict[str, str]]:
    """The design with other commands for COLLECTING, and the files in JSON that they write; raises as `elaborated`."""
    script = _SCRIPT.replace(COLLECTING, collecting)
    shell.bound.core.check_hardware("a proof")
    with tempfile.TemporaryDirectory(prefix="limbtrace-") as folder:
        work = Path(folder)
        _check_decimals(shell, work / "decimals")
        tested = asked_of_tools(shell.bound)
        try:
            design = _design(shell, work, script, AS_SIMULATED, tested)
        except (ParameterError, ToolError):
            if FOR_SYNTHESIS not in tested:
                raise
            design = _design(shell, work, script, FOR_SYNTHESIS, tested)
            design.notes = (f"the proof is of the text for synthesis: {tested[FOR_SYNTHESIS]}, and simulators do not",)
        return design, {path.name: path.read_text() for path in work.glob("*.json")}


def _design(shell: Shell, work: Path, script: str, reader: Reader, tested: Mapping[Reader, str]) -> SteppedDesign:
    """The design for one reader, which is the same with the macros of each simulator that the core tests."""
    text = _written_design(shell, work, script, reader)
    for simulator in SIMULATORS:
        if simulator in tested:
            try:
                other = _written_design(shell, work, script, reader.and_macros_of(simulator))
            except ToolError as error:
                raise ToolError(f"{tested[simulator]}, and then: {error}") from None
            if _bare(other) != _bare(text):
                what = f"{tested[simulator]}, and with that macro the core is another one"
                raise shell.bound.core.error(f"{what}; a proof is made of what all simulators read")
    return SteppedDesign(text)


def _written_design(shell: Shell, work: Path, script: str, reader: Reader) -> str:
    """The design in BTOR2."""
    bound = shell.bound
    design = read_design(bound.core, bound.sources, bound.core.file.simulated_top, bound.parameters, reader.slang)
    reset = bound.core.file.reset.port if bound.core.file.reset else None
    found = races(design, reset) if design is not None and not design.errors else []
    if found:
        more = f" (and {len(found) - 1} more of this kind)" if len(found) > 1 else ""
        raise ParameterError("core", f"simulators need not agree with a proof: {found[0]}{more}")
    _copy(shell, work, cut_values(design) if design is not None else [])
    _run(shell, work, script, reader.yosys)
    apart = [line for line in (work / "apart.txt").read_text().splitlines() if line != _RESET]
    if apart:
        where = apart[0].partition(INSIDE)[2] or "something"
        why = "is a latch, uses the clock as data, or keeps data at another edge than that of the clock"
        raise ParameterError("core", f"{where} in {bound.core.file.name} {why}, and no proof is made of that")
    return without_intermediate_outputs((work / "design.btor").read_text())


def _bare(design: str) -> list[str]:
    """The lines of a design without comments."""
    return [line.partition(";")[0].rstrip() for line in design.splitlines()]


def _copy(shell: Shell, work: Path, cuts: Sequence[CutValue]) -> None:
    """The core, rewritten for Yosys, and its bench, which is read as for synthesis."""
    core, sources = shell.bound.core, shell.bound.sources
    copied(core, sources, (*shell.bound.files, *sources.simulated), work)
    for path in {cut.path for cut in cuts}:
        own = [cut for cut in cuts if cut.path == path]
        (work / place_of(core, sources, path)).write_bytes(with_cut_values(path.read_bytes(), own))
    _rewrite(work)
    for path in (*MODULES, *_MAPS):
        (work / path.name).write_text(path.read_text())
    macros = [macro for reader in (FOR_SYNTHESIS, *SIMULATORS) for macro in reader.macros]
    (work / _BENCH).write_text("".join(f"`undef {macro}\n" for macro in macros) + "`define SYNTHESIS\n")
    (work / "lt_shell.sv").write_text(_UNKNOWN.sub("1'b0", with_free_inputs(shell.text)))


def _said(log: Path) -> str:
    """The log of Yosys."""
    return log.read_text(errors="replace") if log.is_file() else ""


def _check_decimals(shell: Shell, work: Path) -> None:
    """Raises ParameterError where simulators differ about a decimal number without a size."""
    core, sources = shell.bound.core, shell.bound.sources
    files = dict.fromkeys((*sources.simulated, *shell.bound.files))
    places = [f"{shown_path(path)}:{line}" for path in files for _, line in long_decimals(path.read_bytes())]
    if not places:
        return
    readings = []
    for size in (verilator_size, icarus_size):
        folder = work / size.__name__
        copied(core, sources, files, folder)
        _rewrite(folder, size)
        paths = [folder / place_of(core, sources, path) for path in sources.simulated]
        options = sources.options(lambda path, at=folder: at / place_of(core, sources, path))  # type: ignore[misc]
        readings.append(read(paths, core.file.simulated_top, shell.bound.parameters, options))
    one, other = readings
    if one is None or other is None or one.errors or other.errors or not is_same(one, other):
        why = "a decimal number of more than 31 bits without a size, whose size depends on the simulator"
        raise ParameterError("core", f"{places[0]}: {why}; write it in front, such as 64'd")


def _rewrite(folder: Path, size: Callable[[int], int] = icarus_size) -> None:
    """Rewrite copies for Yosys."""
    for path in folder.rglob("*"):
        if path.is_file():
            path.write_bytes(as_simulated(path.read_bytes(), size))


def _run(shell: Shell, work: Path, script: str, options: str) -> None:
    """Have Yosys read the core with these options, and run the script.

    Raises ToolError, ParameterError for a combinational loop, which a file in BTOR2 cannot have.
    """
    core, sources = shell.bound.core, shell.bound.sources
    # What is read back must not be of another proof of a core of that name, which may run at the same time.
    log, kept = work / "yosys.log", cache.folder() / f"{core.file.name}-proof.log"
    more = [_BENCH, *(path.name for path in MODULES), "lt_shell.sv"]
    read = reading(core, sources, sources.simulated, "--top lt_shell", more, options)
    try:
        try:
            run_yosys(f"{read}{script}{_WRITE_DESIGN}", work, log)
        except ToolError:
            if _TOO_DEEP not in _said(log):
                raise
            run_yosys(f"{read}{script}{WRITE_NETLIST}", work, log)
            run_yosys(f"{read}{script}{with_intermediate_outputs(work, 'lt_shell')}{_WRITE_DESIGN}", work, log)
    except (ToolError, LoopError) as error:
        if isinstance(error, LoopError) or _LOOP in str(error):
            sentence = f"{core.file.name} has a combinational loop, and no proof is made of that"
            raise ParameterError("core", sentence) from None
        said = _said(log)
        if _TOO_DEEP in said:
            why = "exhausts the stack of Yosys: it is very deep, or a function calls itself"
            raise ToolError(f"the logic of {core.file.name} {why}") from None
        if match := _UNREAD.search(said):
            files = {str(place_of(core, sources, path)): path for path in sources.simulated}
            place = f"{shown_path(files[match[1]])}:{match[2]}" if match[1] in files else core.file.name
            raise ToolError(f"{place}: no proof is made, since Yosys' slang does not read this: {match[3]}") from None
        if match := _UNSUPPORTED.search(said):
            operator = {"pow": "** with an exponent that may be negative"}.get(match[1], f"the operator {match[1]}")
            raise ParameterError("core", f"{core.file.name} has {operator}, and no proof is made of that") from None
        raise ToolError(str(error).replace(str(log), str(kept))) from None
    finally:
        if log.is_file():
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(log, kept)
