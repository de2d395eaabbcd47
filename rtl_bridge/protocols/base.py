# SPDX-License-Identifier: Apache-2.0
"""What a protocol has to give: all that the bridge knows about it stands in one class, in a file of its own."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from rtl_bridge.core.table import Formula, Table

# Types alone: a core.toml is read where no simulator and no compiler is installed.
if TYPE_CHECKING:
    from rtl_bridge.core.bound import Bound
    from rtl_bridge.core.design import DesignPort
    from rtl_bridge.core.file import CoreFile, Result
    from rtl_bridge.shell.layout import Field, Layout
    from rtl_bridge.shell.text import Shell

LOCKSTEP = "lockstep"
MODES = (LOCKSTEP, "bulk", "fast")
"""Modes in which the shell alone drives a core."""


WATCHED = "output or signal"
"""In place of a direction: what may be an output or a signal inside."""


class Wire(NamedTuple):
    """A port of the core that `core.toml` names: the key that does, the port, its direction or WATCHED."""

    key: str
    port: str
    direction: str


class Complaint(NamedTuple):
    """What a master found wrong: a signal or register, what was expected, what was seen, and where, as reports say."""

    signal: str
    expected: str
    seen: str
    where: str


def fits(bound: "Bound", key: str, port: str, bits: int, what: str, words: int = 1) -> Iterator[str]:
    """A sentence where so many words on the port do not hold the bits."""
    width = bound.ports[port].width
    if width * words < bits:
        times = f" in each of {words} words" if words > 1 else ""
        yield f"{key} is {port}, which has {width} bits{times} and should have {bits} for {what}"


class Rule(NamedTuple):
    """What an output of the handshake has to be, in every cycle in which `when` is true, from the first reset on."""

    name: str
    """The output, as reports name it."""
    level: int | None
    """What it has to be; None: known."""
    when: str
    """Expression of SystemVerilog; may use what the lines of `Protocol.connect` may use."""
    why: str
    """Why, as half a sentence for reports."""
    moves: bool = False
    """Whether the rule forbids only to leave the level: an output that has left it already may stay where it is."""


@dataclass
class Connection:
    """What the shell has between its sequencer and the core."""

    inputs: dict[str, str]
    """For each input port of the core that the protocol drives, the expression that goes into it."""
    lines: list[str]
    """SystemVerilog; see `Protocol.connect`."""
    looked_at: dict[str, str] = field(default_factory=dict)
    """For each group of inputs that may be unknown at times (`Shell.or_noise`), the condition under which the core
    may look at them."""
    rules: tuple[Rule, ...] = ()
    """What the outputs of the handshake have to be; the first that is broken is reported."""

    def __add__(self, other: "Connection") -> "Connection":
        inputs, looked_at = self.inputs | other.inputs, self.looked_at | other.looked_at
        return Connection(inputs, self.lines + other.lines, looked_at, self.rules + other.rules)


class Master(ABC):
    """Python at the other end of a bus, in a lock-step run: it moves one product after the other."""

    intrusions: int = 0
    """Accesses made so far to disturb a busy core."""

    @abstractmethod
    def begin(self, bound: "Bound", case: int, a: int, b: int) -> None:
        """Start a task that works on a product, as the sequencer of the testbench asks for it."""

    @abstractmethod
    def end(self) -> Complaint | None:
        """End the task: the product is over. The first thing that was wrong with the bus."""


class Protocol(Table, ABC):
    """How operands and results change hands: the table [protocol] of a `core.toml`.

    A subclass declares `kind` as a Literal and its keys as fields of pydantic, and answers the questions below; those
    that have an answer here suit a core that takes one product at a time, whose operands come on ports of their own or
    through a memory, and whose result is on a port or behind a read port. `rtl_bridge.protocols.register` makes it
    known. Modules of SystemVerilog that its text needs lie in `rtl_bridge/sv`, or are named in `modules`.
    """

    kind: str

    timed: ClassVar[bool] = False
    """Whether each product of a stream can be made to start in a given cycle; the products of others start at once."""
    stalls: ClassVar[bool] = False
    """Whether either side may wait at any time, so that random numbers of cycles are waited in every run."""
    modes: ClassVar[tuple[str, ...]] = MODES
    """Modes of a simulation that can drive the core."""
    requires: ClassVar[tuple[str, ...]] = ()
    """Modules that the master imports and an installation may lack."""
    missing: ClassVar[str] = ""
    """The sentence for an installation that lacks one: what needs which package, and how to install it."""
    modules: ClassVar[tuple[Path, ...]] = ()
    """Files of SystemVerilog that go to the end of the shell: those of a protocol that is not a part of the bridge."""
    pulses: ClassVar[bool] = False
    """Whether an offer is a pulse, which a busy core ignores, and not kept until it is taken."""
    early: ClassVar[bool] = False
    """Whether an offer may be made before the last result is taken."""
    again: ClassVar[bool] = False
    """Whether a core that is done can be given the next product in that cycle, or in the one after it."""
    late: ClassVar[bool] = False
    """Whether rows are sampled a clock later, because the cycle in which a stream begins is known only after it."""
    guard_bits: ClassVar[int] = 0
    """Bits above the results of a stream, which are 0 unless the core returned more than was asked for."""

    # The names of things, for reports and documents.

    @property
    @abstractmethod
    def finished(self) -> str:
        """The port, or whatever else, that says that the core is done."""

    @property
    @abstractmethod
    def taken(self) -> tuple[str, int]:
        """The port, or whatever else, that lets a start happen, and its value then."""

    @property
    @abstractmethod
    def ports(self) -> list[str]:
        """The ports of the handshake, for a waveform."""

    @abstractmethod
    def meanings(self, ports: Mapping[str, "DesignPort"]) -> dict[str, str]:
        """What each port of the protocol is for, in a few words; `ports` are those of the elaborated design."""

    def registers(self, bound: "Bound") -> list[tuple[int, int, str]]:
        """(byte address, words, what it is for) of every register behind a bus."""
        return []

    # What can be wrong with a description.

    @property
    def products_formula(self) -> Formula | None:
        """Most products of a stream, those in the core at the same time; None where it takes one after the other."""
        return None

    def check_file(self, file: "CoreFile") -> None:
        """Raises ValueError, half a sentence, where another table of `core.toml` does not go with the protocol."""
        self.check_result(file.result)
        several = self.products_formula is not None and not self.timed
        ports = (file.memory.product if file.memory else None, file.result.product)
        if several != (ports[0] is not None) or several != (ports[1] is not None):
            raise ValueError("protocol.products of a start, memory.product and result.product go together")

    def check_result(self, result: "Result") -> None:
        """Raises ValueError where keys of [result] are missing, or too many."""
        keys = result.keys(whole=True)
        if keys - {"weight", "product"} not in ({"port"}, {"address", "data", "words", "depth"}):
            raise ValueError("result needs either port, or address, data, words and depth")
        if result.port and keys & {"weight", "product"}:
            raise ValueError("weight and product of result go with a read port")

    def loaded(self, file: "CoreFile") -> list[str | int]:
        """What is written into the core before a start: values as `core.toml` has them, "a" and "b" among them."""
        return [load.value for load in file.memory.load] if file.memory else []

    @abstractmethod
    def bits(self) -> Iterator[Wire]:
        """The ports of one bit that the table names."""

    def wires(self, bound: "Bound") -> Iterator[Wire]:
        """The wider ones."""
        yield from ()

    def problems(self, bound: "Bound", largest: Mapping[str, int]) -> Iterator[str]:
        """What does not fit the elaborated design, which has all ports of `bits` and `wires`: sentences.

        `largest` are the largest values of a, b and result. `fits` compares widths.
        """
        yield from ()

    # Numbers.

    def operand_words(self, bound: "Bound") -> int:
        """Words in which an operand comes through its port."""
        return 1

    def result_words(self, bound: "Bound") -> int:
        """Words in which the result leaves through its port or the bus."""
        return 1

    def cycles(self, bound: "Bound") -> int:
        """Cycles that a stream may take besides those of the core and of the words of its memory."""
        return 0

    def operand_width(self, layout: "Layout", name: str) -> int:
        """Bits of operand a or b of one product where it has no port of its own."""
        return layout.image_width

    def result_width(self, layout: "Layout") -> int:
        """Bits of the result of one product."""
        result = layout.bound.core.file.result
        if result.port:
            return layout.width(result.port) * layout.bound.result_words
        assert result.depth is not None
        assert result.data is not None
        return layout.bound.depth("result.depth", result.depth) * layout.width(result.data)

    def constants(self, layout: "Layout") -> "list[Field]":
        """What the lines of `connect` take from the testbench, besides operands, as wires of these names."""
        return []

    # SystemVerilog.

    @property
    def inside(self) -> list[str]:
        """Names of outputs that may be signals inside of the core as well."""
        return []

    @abstractmethod
    def outputs(self, ports: Mapping[str, "DesignPort"]) -> list[str]:
        """Outputs of the core that `connect` uses: port `x` is the wire `out_x`."""

    @abstractmethod
    def connect(self, shell: "Shell") -> Connection:
        """What stands between the sequencer of the shell, which begins and ends a product, and the core.

        The lines assign `accept` (the core would take an offer in this cycle) and `core_done` (it shows that it is
        done); `loaded` (the operands are there, which `load` asks for), `read_done` (the result is there, which `read`
        asks for) and `result_o`, which `Shell.storage` does for operands on ports and in a memory; `held_back`
        (something could happen and waits, which is counted). They may use `offer` (a start in this cycle), `run` (the
        core works), `held` (how many products the core has), `extra` (the offer is there to disturb the core),
        `willing` and `take` (the result would be, is taken), `renew_i` (constants are to be loaded again), `clk_i`,
        `rst_i`, the operands `a_i` and `b_i`, the `constants`, and the outputs of the core.
        """

    # Python.

    def master(self, dut: Any, seed: int, disturb: Collection[str]) -> Master | None:
        """The other end of the bus where that is Python, inside the simulator; None where the shell drives the core.

        `dut` is the testbench as cocotb has it; `seed` and `disturb`, the kinds of disturbances, are those of the run.
        """
        return None
