# SPDX-License-Identifier: Apache-2.0
"""`core.toml`: everything that the bridge knows about a core."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import (
    Field,
    PlainValidator,
    SerializeAsAny,
    field_validator,
    model_validator,
)

from limbtrace.refmodels.errors import shown
from limbtrace.rtl_bridge.description.formula import FormulaError, check_condition
from limbtrace.rtl_bridge.description.signal_expression import signals_in
from limbtrace.rtl_bridge.description.table import Formula, Table, VerilogName
from limbtrace.rtl_bridge.description.tables import (
    DEFINED,
    MAX_POINTS,
    Cell,
    Clock,
    Family,
    Flags,
    Input,
    Memory,
    Operand,
    OperandRange,
    Points,
    Probe,
    ProofPoint,
    Reset,
    Result,
    Row,
    Synth,
    VhdlLibrary,
    VhdlStandard,
)
from limbtrace.rtl_bridge.protocols import parse
from limbtrace.rtl_bridge.protocols.base import Protocol
from limbtrace.vectors.kinds import MOST_WORDS


class CoreFile(Table):
    """A core: files, parameters, ports, protocol, model, watched signals."""

    format: Literal["limbtrace-core/1"]
    name: VerilogName
    model: str
    files: tuple[str, ...] = Field(min_length=1)
    top: VerilogName
    clock: Clock | None = None
    """None for a core without registers."""
    reset: Reset | None = None
    """None for a core that its first state after power-up suits."""
    protocol: Annotated[SerializeAsAny[Protocol], PlainValidator(parse)]
    result: Result
    include: tuple[str, ...] = ()
    """Folders where included files are searched, besides that of the core."""
    defines: dict[VerilogName, Annotated[str, Field(pattern=DEFINED)] | int] = Field(default_factory=dict)
    """Macros of every source and their values."""
    libraries: tuple[str, ...] = ()
    """Folders with a file for each module that is in no source, named as the module is."""
    flags: Flags = Flags()
    vhdl: VhdlStandard = "08"
    """The standard of sources in VHDL."""
    vhdl_libraries: dict[VhdlLibrary, tuple[str, ...]] = Field(default_factory=dict)
    """Sources in VHDL by the library that they are in; all others are in `work`."""
    ghdl: Literal["synthesise", "simulate"] = "synthesise"
    """Use of GHDL for VHDL sources: Verilog for every tool, or a simulation beside that of the testbench."""
    cells: tuple[Cell, ...] = ()
    """Files in CELLS, compiled before the core's own."""
    schedule: str | None = None
    compare: Literal["result", "residue", "congruent"] = "result"
    """"residue": the core returns its result reduced to [0, p); "congruent": any number with the right residue."""
    modulus: tuple[str, ...] = ()
    """Conditions on the modulus: odd, even, prime, or comparisons over p and N."""
    probe: Probe | None = None
    limbs: tuple[Formula, ...] = Field(default=(), max_length=MOST_WORDS)
    """Widths of the limbs that it computes with, in bits; operands are directed at them."""
    settings: dict[str, str | int] = Field(default_factory=dict)
    ranges: dict[str, tuple[int, int]] = Field(default_factory=dict)
    build: dict[VerilogName, Formula] = Field(default_factory=dict)
    input: tuple[Input, ...] = ()
    operand: tuple[Operand, ...] = ()
    memory: Memory | None = None
    row: tuple[Row, ...] = ()
    timeout: Formula | None = None
    synth: tuple[Synth, ...] = ()
    """Points whose areas reported by Yosys are stored in the folder."""
    route: tuple[Points, ...] = ()
    """Points whose frequencies after place and route are stored in the folder."""
    prove: tuple[ProofPoint, ...] = ()
    """Points whose proofs are stored in the folder."""

    @model_validator(mode="after")
    def _consistent(self) -> "CoreFile":
        if sorted(self._operands) not in (["a", "b"], ["a"]):
            raise ValueError("a and b must each be given once, by [[operand]], [[memory.load]] or [[protocol.load]]")
        self.protocol.check_file(self)
        if self.ghdl == "simulate" and (self.vhdl == "87" or self.probe or self.cells):
            wrong = 'vhdl = "87"' if self.vhdl == "87" else "probe" if self.probe else "cells"
            raise ValueError(f'ghdl = "simulate" does not go with {wrong}')
        if len(self.ported) < len(self.operand) and not self.protocol.stay:
            raise ValueError(f'operand takes no address where the protocol is "{self.protocol.kind}"')
        if self.compare == "congruent" and self.result.below is None:
            raise ValueError('result.below is needed with compare = "congruent", such as "2 * p"')
        if self.result.signed and self.compare != "congruent":
            raise ValueError('result.signed goes with compare = "congruent", and below says how far results reach')
        if self.signed and self.row:
            raise ValueError(
                "row does not go with signed operands: models have none that are negative, nor their steps"
            )
        if self.schedule is None:
            if self.timeout is None and self.protocol.latency_formula is None:
                raise ValueError("timeout is needed where no schedule says how long a product takes")
            if cycle_rows := [row.source for row in self.row if row.match == "cycle"]:
                raise ValueError(f'row {cycle_rows[0]} has match "cycle", which needs a schedule')
        self._check_points("synth", self.synth)
        self._check_points("route", self.route)
        return self

    def _check_points(self, key: str, entries: Sequence[Points]) -> None:
        if (points := sum(entry.size for entry in entries)) > MAX_POINTS:
            raise ValueError(f"{key} has {shown(points)} points, and the limit is {MAX_POINTS}")
        for k, entry in enumerate(entries):
            if set(entry.parameters) != set(self.build):
                raise ValueError(f"an entry of {key} must name {', '.join(self.build) or 'nothing'}")
            try:
                list(entry.points)
            except FormulaError as error:
                raise ValueError(f"{key}[{k}] has a formula that {error}") from None

    @field_validator("modulus")
    @classmethod
    def _conditions(cls, conditions: tuple[str, ...]) -> tuple[str, ...]:
        for condition in conditions:
            try:
                check_condition(condition)
            except FormulaError as error:
                raise ValueError(str(error)) from None
        return conditions

    @property
    def below(self) -> dict[str, tuple[str, Formula]]:
        """For operands that are given below a bound the key of the bound and its text."""
        return {name: (f"{key}.below", given.below) for name, key, given in self._given if given.below is not None}

    @property
    def signed(self) -> dict[str, tuple[str, OperandRange]]:
        """The operands in two's complement by name, each with its key."""
        return {name: (key, given) for name, key, given in self._given if given.signed}

    @property
    def _given(self) -> list[tuple[str, str, OperandRange]]:
        """(name, key, description) of every operand that has a range of its own, whatever it is given by."""
        given: list[tuple[str, str, OperandRange]] = []
        given += [(operand.name, f"operand[{k}]", operand) for k, operand in enumerate(self.operand)]
        loads = self.memory.load if self.memory else ()
        given += [(str(load.value), f"memory.load[{k}]", load) for k, load in enumerate(loads)]
        return given + [(str(load.value), f"protocol.load[{k}]", load) for k, load in enumerate(self.protocol.loads)]

    @property
    def _operands(self) -> list[str]:
        """Names of the operands, including repetitions."""
        loaded = [str(value) for value in self.protocol.loaded(self) if value in ("a", "b")]
        return [*(operand.name for operand in self.operand), *loaded]

    @property
    def points(self) -> list[tuple[Family, dict[str, int]]]:
        """(family, RTL parameters) of every point for synthesis."""
        return [(entry.family, self._build_of(point)) for entry in self.synth for point in entry.points]

    @property
    def routed_points(self) -> list[dict[str, int]]:
        """RTL parameters of every point for place and route."""
        return [self._build_of(point) for entry in self.route for point in entry.points]

    def _build_of(self, point: Mapping[str, int]) -> dict[str, int]:
        return {name: point[name] for name in self.build}

    @property
    def fetched(self) -> list[tuple[str, Input | Operand]]:
        """Values that the core reads out of a memory, with their keys."""
        values = [(f"operand[{k}]", operand) for k, operand in enumerate(self.operand)]
        values += [(f"input[{k}]", constant) for k, constant in enumerate(self.input)]  # type: ignore[misc]
        return [(key, value) for key, value in values if value.address is not None]

    @property
    def ported(self) -> list[Operand]:
        """Operands that are on a port as a whole, or word by word as the protocol says."""
        return [operand for operand in self.operand if operand.address is None]

    @property
    def unary(self) -> bool:
        """True without an operand b."""
        return "b" not in self._operands

    @property
    def again(self) -> bool:
        """True if a product may follow another one at once, with operands left in place."""
        return self.protocol.again and not (self.memory is not None and self.memory.consumed)

    @property
    def ahead(self) -> bool:
        """True if a product may be given to the core while it works on another one; rows of both would be mixed up."""
        return self.again and self.protocol.ahead and all(row.match == "result" for row in self.row)

    @property
    def stalls(self) -> bool:
        """True if the protocol allows either side to stall."""
        return self.protocol.stalls

    @property
    def inside(self) -> list[str]:
        """Names that are, or may be, signals below `top`, each once."""
        rows = self.row
        texts = [*(row.signal for row in rows), *(row.when for row in rows)]
        names = [*(name for text in texts if text for name in signals_in(text)), *self.protocol.inside]
        return list(dict.fromkeys(name for name in names if name))

    @property
    def simulated_top(self) -> str:
        """The module that is simulated: the probe, if there is one."""
        return self.probe.top if self.probe else self.top
