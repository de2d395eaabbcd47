# SPDX-License-Identifier: Apache-2.0
"""Files of an export for Vivado, besides the scripts: settings, constraints, and a top module for wide parameters."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.core.file_list import VHDL
from limbtrace.rtl_bridge.interface.port_types import DesignPort
from limbtrace.rtl_bridge.interface.verilog_words import literal

WIDE = 31
"""Most bits of a parameter that is given as an option of a tool."""
FOLDER = "vivado/"
_MORE = "{STEPS.SYNTH_DESIGN.ARGS.MORE OPTIONS}"
_OUT_OF_CONTEXT = f"set_property -name {_MORE} -value {{-mode out_of_context}} -objects [get_runs synth_1]\n"
_HEAD = "# SPDX-License-Identifier: Apache-2.0\n"


@dataclass(frozen=True)
class ForVivado:
    """One export; names of files are those in its folder."""

    bound: Bound
    sources: Sequence[str]
    """The hardware, in compilation order, also in VHDL."""
    include: Sequence[str]
    """Folders where included files are searched."""
    bench: Sequence[str]
    """The sources of a simulation without the hardware, the testbench first."""
    testbench: str
    bench_parameters: Mapping[str, int]
    plusargs: Mapping[str, object]
    part: str
    period: str
    libraries: Mapping[str, str] = field(default_factory=dict)
    """The libraries of sources in VHDL that are not in the usual one."""

    @property
    def is_vhdl(self) -> bool:
        """True if some of the hardware is in VHDL."""
        return any(name.lower().endswith(VHDL) for name in self.sources)

    @cached_property
    def is_wrapped(self) -> bool:
        """True if parameters are set in a module around the core, since an option of a tool might cut them off."""
        wide = any(value.bit_length() > WIDE for value in self.bound.parameters.values())
        ports = (self.bound.ports.port(name) for name in self.bound.ports)
        plain = all(not port.form.is_unpacked and not port.form.members for port in ports)
        return wide and plain and not self.is_vhdl and self.bound.core.file.probe is None

    @property
    def top(self) -> str:
        """The module that is synthesised."""
        top = self.bound.core.file.top
        return f"{top}_set" if self.is_wrapped else top

    @property
    def hardware(self) -> list[str]:
        """The sources of what is synthesised."""
        return [*self.sources, *([f"{FOLDER}{self.top}.sv"] if self.is_wrapped else [])]

    @property
    def parameters(self) -> dict[str, int]:
        """The parameters of the top module that are not its own."""
        return {} if self.is_wrapped else self.bound.parameters

    def files(self) -> Iterator[tuple[str, bytes]]:
        """(name, content) of every file."""
        yield f"{FOLDER}settings.tcl", self._settings.encode()
        yield f"{FOLDER}clock.xdc", self._clock.encode()
        yield f"{FOLDER}out_of_context.tcl", (_HEAD + _OUT_OF_CONTEXT).encode()
        if self.is_wrapped:
            yield f"{FOLDER}{self.top}.sv", self._wrapper.encode()

    @property
    def _settings(self) -> str:
        file, defines = self.bound.core.file, self.bound.sources.defines
        settings = {
            "top": self.top,
            "clock": file.clock.port if file.clock else "",
            "sources": " ".join(self.hardware),
            "vhdl": "-vhdl2008" if file.vhdl == "08" else "",
            **(
                {"libraries": " ".join(f"{name} {library}" for name, library in self.libraries.items())}
                if self.libraries
                else {}
            ),
            "include": " ".join(self.include),
            **({"defines": pairs(defines)} if defines else {}),
            "generics": pairs({name: literal(value) for name, value in self.parameters.items()}),
            "part": self.part,
            "period": self.period,
            # A name in VHDL is out of reach for the testbench, which stays outside of such a project.
            "bench": "" if self.is_vhdl else " ".join(self.bench),
            "testbench": self.testbench,
            "bench_generics": pairs(self.bench_parameters),
            "plusargs": pairs(self.plusargs),
        }
        return _HEAD + "".join(f"set {name} {{{value}}}\n" for name, value in settings.items())

    @property
    def _clock(self) -> str:
        clock = self.bound.core.file.clock
        if clock is None:
            return f"{_HEAD}set_max_delay {self.period} -from [all_inputs] -to [all_outputs]\n"
        return f"{_HEAD}create_clock -name clock -period {self.period} [get_ports {{{clock.port}}}]\n"

    @property
    def _wrapper(self) -> str:
        ports = [self.bound.ports.port(name) for name in self.bound.ports]
        declared = ",\n".join(map(_declared, ports))
        given = ",\n".join(f"    .{name}({literal(value)})" for name, value in self.bound.parameters.items())
        connected = ",\n".join(f"    .{port.name}({port.name})" for port in ports)
        top = self.bound.core.file.top
        return (
            "// SPDX-License-Identifier: Apache-2.0\n"
            f"// {top} with its parameters, some of which are too wide for an option of a tool.\n\n"
            f"`default_nettype none\n\nmodule {self.top} (\n{declared}\n);\n\n"
            f"  {top} #(\n{given}\n  ) u_core (\n{connected}\n  );\n\nendmodule\n\n`default_nettype wire\n"
        )


def _declared(port: DesignPort) -> str:
    """The declaration of a port of the same name; a bit without an index stays one, so that a clock has its name."""
    kind = "logic" if port.direction == "output" else "wire logic"
    bits = f" [{port.width - 1}:0]" if port.form.range is not None else ""
    return f"  {port.direction} {kind}{bits} {port.name}"


def pairs(values: Mapping[str, object]) -> str:
    """NAME=VALUE, with blanks between them."""
    return " ".join(f"{name}={value}" for name, value in values.items())
