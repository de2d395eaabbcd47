# SPDX-License-Identifier: Apache-2.0
"""VHDL that is not synthesised: a module of Verilog with its ports, which GHDL's simulation of it answers for.

The module says all inputs whenever one changes, also the clock, and takes the outputs over as registers do: at a clock
edge GHDL sees the inputs from before it, and registers that sample the outputs see those from before it. Watched
signals below the top are answered too, and are in the module under their names.
"""

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from limbtrace.rtl_bridge.core.core import Core
from limbtrace.rtl_bridge.elaboration.ghdl_synthesis import (
    Conversion,
    kept,
    libraries_of,
    relative_names,
    spelled_names,
)
from limbtrace.rtl_bridge.interface.verilog_words import RESERVED
from limbtrace.rtl_bridge.programs.cosim.launcher import ANSWERS, CHANGES, Beside
from limbtrace.rtl_bridge.programs.ghdl import PATIENCE, VhdlError, ghdl
from limbtrace.rtl_bridge.programs.process import HungError, supervise, tail
from limbtrace.vectors.errors import ToolError

_PORT = re.compile(r"\b(input|output|inout)\s+(?:wire\s+|reg\s+)?(?:\[(\d+):0\]\s*)?(\w+)\s*[,)]")


@dataclass(frozen=True)
class _Port:
    direction: str
    name: str
    bits: int

    @property
    def range(self) -> str:
        return f"[{self.bits - 1}:0] " if self.bits > 1 else ""


def stand_in(core: Core, sources: Sequence[Path], parameters: Mapping[str, int]) -> tuple[Path, Beside]:
    """(the module, what GHDL simulates beside it) for the top of a core with these generics.

    Raises ParameterError("core") for VHDL that GHDL does not read, ToolError where GHDL is missing or fails.
    """
    core.check_places(sources)
    top = core.file.top
    named = tuple(relative_names(core.folder, sources))
    conversion = Conversion(
        named,
        core.file.vhdl,
        ((top, parameters),),
        spelled_names(core),
        hollow=True,
        libraries=libraries_of(core, sources),
        sandboxed=core.sandboxed,
    )
    if top.lower() not in conversion.entities:
        raise core.error(f'ghdl is "simulate", and {top} is no entity of the VHDL')
    for generic in conversion.entities[top.lower()].generics:
        if generic.name.lower() in map(str.lower, parameters) and not generic.is_scalar:
            raise core.error(f"build.{generic.name} is a {generic.type}, which GHDL takes for synthesis alone")
    try:
        text = conversion.place.read_text()
        generics = conversion.given(top, parameters)
    except VhdlError as error:
        raise core.error(conversion.advice() or str(error)) from None
    header = text[text.index(f"module {top}\n") :].partition(";\n")[0]
    ports = [_Port(way, name, int(high or 0) + 1) for way, high, name in _PORT.findall(header)]
    if both := next((port.name for port in ports if port.direction == "inout"), None):
        raise core.error(f"the port {both} is an inout, and VHDL that is simulated has inputs and outputs alone")
    inputs, outputs = ([port for port in ports if port.direction == way] for way in ("input", "output"))
    beside = Beside(
        core.folder.resolve(),
        tuple(path.resolve() for path in sources),
        core.file.vhdl,
        top,
        generics,
        libraries={path.resolve(): library for path, library in core.listing.vhdl_libraries.items()},
        library=conversion.library(top),
    )
    inside = [name for name in core.file.inside if name not in {port.name for port in ports}]
    signals = [_Port("output", name, bits) for name, bits in _widths(core, conversion, beside, inside).items()]
    beside = replace(
        beside,
        inputs=tuple((_vhdl_name(port.name), port.bits) for port in inputs),
        outputs=tuple((_vhdl_name(port.name), port.bits) for port in (*outputs, *signals)),
    )
    made = _module(re.sub(r"\boutput\b", "output reg", header), inputs, outputs, signals)
    return kept(f"{top}.v", made, (), lambda: made), beside


def _vhdl_name(name: str) -> str:
    """The name that the VHDL has for a port or a signal below instances."""
    parts = (part[:-1] if part.endswith("_") and part[:-1] in RESERVED else part for part in name.lower().split("."))
    return ".".join(parts)


def _widths(core: Core, conversion: Conversion, beside: Beside, names: Sequence[str]) -> dict[str, int]:
    """The bits of signals as GHDL's simulation has them, without those that are not there."""
    if not names:
        return {}
    spelled = {_vhdl_name(name): name for name in names}
    recipe = repr(("widths", beside.standard, beside.top, dict(beside.generics), sorted(spelled), conversion.libraries))
    place = kept(f"{beside.top}.widths", recipe, conversion.sources, lambda: _asked(core, beside, [*spelled]))
    found = (line.split() for line in place.read_text().splitlines()[1:])
    return {spelled[name]: int(bits) for name, bits in found}


def _asked(core: Core, beside: Beside, names: Sequence[str]) -> str:
    """A line of text, and one for each signal with its name and its bits. Raises ToolError."""
    with tempfile.TemporaryDirectory(prefix="limbtrace-") as folder:
        work, log = Path(folder) / "work", Path(folder) / "log"
        work.mkdir()
        place = work / "signals"
        command, surroundings = beside.simulation(shown=names, place=str(place))
        try:
            code = supervise(
                command,
                work,
                log,
                extra=surroundings,
                patience=PATIENCE,
                alive=lambda _: True,
                sandboxed=core.sandboxed,
            )
        except HungError:
            raise ToolError(f"GHDL was at work on {beside.top} for {PATIENCE} seconds, and was stopped") from None
        if code or not place.is_file():
            raise ToolError(f"GHDL does not simulate {beside.top}, exit code {code}: {tail(log)}")
        return f"{ghdl().version}\n{place.read_text()}"


def _module(header: str, inputs: Sequence[_Port], outputs: Sequence[_Port], signals: Sequence[_Port]) -> str:
    """The text of the module; `header` is its beginning up to the end of the ports."""
    answered, names = [*outputs, *signals], [port.name for port in inputs]
    low = sum(port.bits for port in answered)
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
        "// Generated. It stands for VHDL that GHDL simulates, at the other ends of two pipes.",
        f"{header};",
        *_declared(signals, []),
        f"  reg [{low - 1}:0] lt_answer;",
        "  integer lt_changes, lt_answers;",
        "  reg lt_begun;",
        "`ifdef VERILATOR",
        '  localparam LtKnown = " binary";  // it knows no x',
        "`else",
        '  localparam LtKnown = "";',
        "`endif",
        "  initial begin",
        f'    lt_changes = $fopen("/proc/self/fd/{CHANGES}", "w");',
        f'    lt_answers = $fopen("/proc/self/fd/{ANSWERS}", "r");',
        "    lt_begun <= 1'b1;",
        "  end",
        f"  always @({' or '.join(['lt_begun', *names])}) if (lt_begun === 1'b1) begin",
        f'    $fdisplay(lt_changes, "%0d %b%0s", $time, {{{", ".join(names)}}}, LtKnown);',
        "    $fflush;  // what is said by both sides comes in order",
        "    $fflush(lt_changes);",
        '    if ($fscanf(lt_answers, "%b", lt_answer) != 1) $fatal(1, "the simulation of the VHDL has ended");',
    ]
    for port in answered:
        low -= port.bits
        lines.append(f"    {port.name} <= lt_answer[{low} +: {port.bits}];")
    return "\n".join([*lines, "  end", "endmodule", ""])


def _declared(signals: Sequence[_Port], scope: list[str]) -> Iterator[str]:
    """Declarations of signals below a scope, each in blocks that have the names of the instances above it."""
    depth, margin = len(scope), "  " * (len(scope) + 1)
    blocks: dict[str, list[_Port]] = {}
    for signal in signals:
        *above, name = signal.name.split(".")
        if len(above) == depth:
            yield f"{margin}reg {signal.range}{name};"
        else:
            blocks.setdefault(above[depth], []).append(signal)
    region = blocks and not scope
    if region:
        yield f"{margin}generate"
    for name, inside in blocks.items():
        yield f"{margin}if (1) begin : {name}"
        yield from _declared(inside, [*scope, name])
        yield f"{margin}end"
    if region:
        yield f"{margin}endgenerate"
