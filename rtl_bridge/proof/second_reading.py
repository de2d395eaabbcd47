# SPDX-License-Identifier: Apache-2.0
"""A second reading of a core that was proved, by a simulator, register by register and cycle by cycle.

Icarus Verilog simulates drawn products. The design of the proof computes the next state from that of the simulator in
each cycle, and both are compared. Nothing of this is a proof; other simulations compare results, and of more products.
"""

import time
from collections.abc import Collection, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.programs.process import HungError, run, supervise
from limbtrace.rtl_bridge.proof.bitvector import TermPool
from limbtrace.rtl_bridge.proof.btor2 import SteppedDesign
from limbtrace.rtl_bridge.proof.elaborate import INSIDE
from limbtrace.rtl_bridge.proof.known_bits import CompiledDesign, KnownBits, unknown
from limbtrace.rtl_bridge.proof.shell_wave import ShellWave
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.run.builds import icarus_command
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.mode import mode
from limbtrace.rtl_bridge.run.readmemh import plusargs, write_files
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.simulators import simulator
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors import cache
from limbtrace.vectors.errors import ToolError

_SIMULATOR, _MODE = "icarus", "bulk"
_PRODUCTS = 16
"""Products that are drawn, or streams of them."""
_SIMULATED, _COMPARED = 4.0, 2.0
"""Seconds of the simulation at most, and of the comparison after it."""
_MOST_LINES = 40_000
"""Operations of a design that is compared: those of a larger one take as many seconds to compile."""
_TOP = Path(__file__).resolve().with_name("lt_second.sv")
_VCD = "second.vcd"
_SHELL = "lt_files_tb.u_shell"
AGREES = "a second reading, by Icarus Verilog, has the same registers and ports"
DIFFERS = "Icarus Verilog reads the RTL in another way than Yosys' slang, of whose reading everything was proved"
"""Said where a second reading differs."""


class ReadDifference(NamedTuple):
    """A register or port of the core, with its values in a cycle."""

    signal: str
    simulated: int
    proved: int


class SecondReading(NamedTuple):
    """The outcome of a second reading."""

    text: str
    difference: ReadDifference | None = None
    compared: bool = True
    """False if there was nothing to compare with."""


def second_reading(
    asked: BindRequest, shell: Shell, design: SteppedDesign, simulators: Collection[str]
) -> SecondReading:
    """Compare the design that was proved of a core in its shell with a simulation, from the second product on.

    Where it cannot be, the text says why.
    """
    try:
        if _SIMULATOR not in simulators:
            raise ToolError("it is not among the simulators")
        with TemporaryDirectory(prefix="limbtrace-") as folder:
            is_whole = _simulate(asked, shell, Path(folder))
            wave = ShellWave(Path(folder) / _VCD, _SHELL)
            return _compared(design, wave, shell.bound.ports, is_whole=is_whole)
    except (ParameterError, ToolError) as error:
        text = f"the reading of one front end, slang; not compared with Icarus Verilog: {error}"
        return SecondReading(text, compared=False)


def _simulate(asked: BindRequest, shell: Shell, work: Path) -> bool:
    """Write the waveform of drawn products; False if it ends at the limit of time. Raises ToolError."""
    core, sources, testbench = shell.bound.core, shell.bound.sources, mode(_MODE).testbench
    count = _PRODUCTS * len(shell.bound.starts)
    job = Job(**asked.model_dump(), simulator=_SIMULATOR, mode=_MODE, count=count)
    settled = Run(job, shell.bound)
    write_files(settled, work)
    (work / "lt_shell.sv").write_text(shell.text)
    top, *modules = testbench.files
    files = [top, "lt_shell.sv", *modules, *(path.absolute() for path in sources.simulated), _TOP]
    command = icarus_command(shell, testbench, simulator(_SIMULATOR), list(map(str, files)), [_TOP.stem])
    log = cache.folder() / f"{core.file.name}-second.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.unlink(missing_ok=True)
    try:
        run(command, work, log, "Icarus Verilog")
    except ToolError:
        raise ToolError("it does not take the RTL") from None
    options = [f"+{name}={value}" for name, value in plusargs(settled).items()]
    try:
        supervise(["vvp", "-n", "sim", *options], work, log, patience=_SIMULATED, alive=lambda _: None)
    except HungError:
        return False
    return True


class _Comparison:
    """A design that computes what follows from each state of a waveform."""

    def __init__(self, design: SteppedDesign, wave: ShellWave, ports: Collection[str]) -> None:
        """`wave` is in its first cycle; `ports`: names of those of the core. Raises ToolError."""
        self._wave = wave
        registers, inputs = design.registers.items(), design.inputs.items()
        self._registers = {n: each.name for n, each in registers if wave.has(each.name, each.width)}
        self._inputs = {n: name if wave.has(name, width) else "" for n, (name, width) in inputs}
        widths = {line.number: line.width for line in design.lines}
        nets = [name for name in _variables(design, ports) if wave.has(name, widths[design.nets[name]])]
        self._compiled = CompiledDesign(design, nets)
        given = {number: KnownBits(term.value, 0) for number, term in design.initial(TermPool()).items()}
        self._after = {n: unknown(each.width) for n, each in registers} | given
        """The registers as they follow from the cycle before."""
        self._unknown = {n: unknown(width) for n, (_, width) in inputs}

    def step(self) -> ReadDifference | None:
        """Compare the cycle at hand, and compute the next state; the first difference if there is one.

        Registers that are not in the waveform, such as words of a memory, are as they were computed.
        """
        wave, before = self._wave, self._after
        registers = {number: wave.value(name) for number, name in self._registers.items()}
        inputs = {number: wave.value(name) for number, name in self._inputs.items() if name}
        nets, self._after = self._compiled.cycle(before | self._unknown | registers | inputs)
        core = {name: before[number] for number, name in self._registers.items() if name.startswith(INSIDE)}
        for name, value in (core | nets).items():
            if value.differs(wave.value(name)):
                return ReadDifference(name.removeprefix(INSIDE), wave.value(name).value, value.value)
        return None


def _variables(design: SteppedDesign, ports: Collection[str]) -> Iterator[str]:
    """Nets of the core that are ports, or variables of which the design has registers: of several processes, of which
    each writes a part, or with an asynchronous reset, which is a choice behind a register here."""
    held, constants = set(design.registers), {line.number for line in design.lines if line.operation == "const"}
    for line in design.lines:
        values = {*(line.inputs[1:] if line.operation == "ite" else line.inputs)} - constants
        if values and line.operation in ("ite", "concat", "slice", "uext") and held.issuperset(values):
            held.add(line.number)
    for name, number in design.nets.items():
        if name.startswith(INSIDE) and (number in held or name.removeprefix(INSIDE) in ports):
            yield name


def _compared(design: SteppedDesign, wave: ShellWave, ports: Collection[str], *, is_whole: bool) -> SecondReading:
    """Compare a design with a waveform, which may be cut off, up to a limit of time. Raises ToolError."""
    if len(design.lines) > _MOST_LINES:
        raise ToolError(f"the design has {len(design.lines)} operations, more than {_MOST_LINES}")
    cycles = products = 0
    comparison: _Comparison | None = None
    ends = time.monotonic() + _COMPARED
    for _ in wave.cycles():
        if comparison is None:
            comparison, ends = _Comparison(design, wave, ports), time.monotonic() + _COMPARED
        difference = comparison.step()
        if products:  # until one is done, much of what the simulator has is x
            cycles += 1
            if difference is not None:
                return SecondReading(DIFFERS, difference)
        products += wave.value("done_o") == (1, 0)
        if time.monotonic() > ends:
            break
    if not cycles:
        raise ToolError("fewer than two products were simulated")
    how = "as many as a limit of time allows" if time.monotonic() > ends or not is_whole else f"{cycles} of them"
    return SecondReading(f"{AGREES} in cycles of drawn products, {how}")
