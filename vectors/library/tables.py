# SPDX-License-Identifier: Apache-2.0
"""Places of the values of a library: steps by name and subscripts, and the cells of a cycle table."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from limbtrace.refmodels.expr import ends
from limbtrace.refmodels.model import CORRECTED
from limbtrace.vectors.compiled.c import FrameSlot, ProgramText, source, words
from limbtrace.vectors.compiled.cells import shown, spans
from limbtrace.vectors.encoding import identifier
from limbtrace.vectors.library.request import LibraryRequest


class NamedSteps(NamedTuple):
    """All steps of one name."""

    name: str
    identifier: str
    subscripts: int
    """The largest number of subscripts."""
    bits: int
    """Bits that hold each of them."""
    signed: bool

    @property
    def indices(self) -> list[str]:
        """Names of the subscripts, as parameters of a function."""
        return [f"i{k}" for k in range(self.subscripts)]


class ColumnName(NamedTuple):
    """A watched signal."""

    name: str
    identifier: str
    width: int


@dataclass
class LibraryTables:
    """The tables of one library."""

    @classmethod
    def of(cls, request: LibraryRequest) -> "LibraryTables":
        """Raises ParameterError for a program that is too large."""
        setup = None if request.setup is None else source(request.setup, "lt_setup")
        return cls(request, source(request.program, "lt_run"), setup)

    request: LibraryRequest
    source: ProgramText
    setup: ProgramText | None = None
    """The program that computes constants of a modulus."""
    _values: list[tuple[int, int, bool]] = field(default_factory=list)
    _constants: list[int] = field(default_factory=list)
    _numbers: dict[FrameSlot | int, int] = field(default_factory=dict)

    def number(self, value: FrameSlot | int) -> int:
        """Number of a value in `values`."""
        if value not in self._numbers:
            self._numbers[value] = len(self._values)
            place = value
            if isinstance(place, int):
                place = constant_place(place, self.source.words + len(self._constants))
                self._constants += [value >> 64 * k & (1 << 64) - 1 for k in range(place.words)]  # type: ignore[operator]
            self._values.append((place.word, place.words, place.signed))
        return self._numbers[value]

    def _number_all(self) -> None:
        """Number every value that can be asked for."""
        _ = self.steps, self.cells, self.results

    @cached_property
    def values(self) -> list[tuple[int, int, bool]]:
        """(word, words, signed) of every value that can be asked for; words from `source.words` on are constants."""
        self._number_all()
        return self._values

    @cached_property
    def constants(self) -> list[int]:
        """64-bit words of the values that never change."""
        self._number_all()
        return self._constants

    @cached_property
    def names(self) -> list[NamedSteps]:
        """Every name of a step, in the order in which they first appear."""
        found: dict[str, list[tuple[int, int, bool]]] = {}
        for (name, index, _), value in zip(self.request.program.steps, self.source.steps, strict=True):
            place = value if isinstance(value, FrameSlot) else constant_place(value)
            found.setdefault(name, []).append((len(index), place.bits, place.signed))
        names = []
        for name, unique in zip(found, distinct(list(found)), strict=True):
            signed = any(entry[2] for entry in found[name])
            # One of them with a sign gives all of them the room for it.
            bits = max(entry[1] + (signed and not entry[2]) for entry in found[name])
            names.append(NamedSteps(name, unique, max(entry[0] for entry in found[name]), max(bits, 1), signed))
        return names

    @cached_property
    def depth(self) -> int:
        """The largest number of subscripts, at least one."""
        return max([1, *(name.subscripts for name in self.names)])

    @property
    def indices(self) -> list[str]:
        """Names of all subscripts, as `StepName.indices` has those of a step."""
        return [f"i{k}" for k in range(self.depth)]

    def padded(self, entry: NamedSteps) -> list[str]:
        """The subscripts of a step, 0 for missing ones."""
        return [*entry.indices, *["0"] * (self.depth - entry.subscripts)]

    @cached_property
    def step_bits(self) -> int:
        """Bits that hold any step."""
        return max(entry.bits for entry in self.names)

    @cached_property
    def steps(self) -> list[tuple[int, tuple[int, ...], int]]:
        """(number of the name, subscripts, number of the value), sorted; missing subscripts are 0."""
        numbers = {entry.name: k for k, entry in enumerate(self.names)}
        found: dict[tuple[int, tuple[int, ...]], int] = {}
        for (name, index, _), value in zip(self.request.program.steps, self.source.steps, strict=True):
            found[numbers[name], (*index, *[0] * (self.depth - len(index)))] = self.number(value)
        return [(name, index, value) for (name, index), value in sorted(found.items())]

    @cached_property
    def columns(self) -> list[ColumnName]:
        """Every watched signal of a core."""
        if self.request.core is None:
            return []
        columns = self.request.plan.columns
        unique = distinct([column.name for column in columns])
        return [ColumnName(column.name, name, column.width) for column, name in zip(columns, unique, strict=True)]

    @property
    def row_bits(self) -> int:
        """Bits of all signals together."""
        return sum(column.width for column in self.columns)

    @property
    def signal_bits(self) -> int:
        """Bits that hold any signal."""
        return max(column.width for column in self.columns)

    @cached_property
    def parts(self) -> list[tuple[int, int, int]]:
        """(column, lowest bit of the value, width) of every part of every column, those of a column low one first."""
        if self.request.core is None:
            return []
        columns = enumerate(self.request.plan.columns)
        return [(k, low, width) for k, column in columns for low, width in spans(column)]

    @cached_property
    def cells(self) -> list[list[int]]:
        """For each cycle, the number of the value of every part; -1 for don't care."""
        if self.request.core is None:
            return []
        plan, rows = self.request.plan, []
        for cycle in range(plan.cycles):
            row: list[int] = []
            for k, column in enumerate(plan.columns):
                values = shown(plan, k, cycle, self.source.steps)
                row += [-1] * len(spans(column)) if values is None else map(self.number, values)
            rows.append(row)
        return rows

    @cached_property
    def results(self) -> list[int]:
        """Number of the value of every result."""
        return [self.number(value) for value in self.source.results]

    @cached_property
    def result_bits(self) -> int:
        """Bits of a result, over all accepted operands."""
        return max((ends(self.request.multiplier.params.result_limit)[1] - 1).bit_length(), 1)

    @cached_property
    def operands(self) -> dict[str, int]:
        """a and b, as far as the model has them -> bits of each product's."""
        most = self.request.program.operands
        return {letter: max(most[f"{letter}0"].bit_length(), 1) for letter in "ab" if f"{letter}0" in most}

    @property
    def arguments(self) -> list[str]:
        """Parameters of the functions: the operands, and the constants if the modulus is not known."""
        return [*self.operands, *["constants"] * (self.setup is not None)]

    @property
    def limits(self) -> dict[str, int]:
        """The largest value of each operand, over all moduli if the modulus is not known."""
        limits = self.request.multiplier.params.limits
        return {letter: ends(limits["ab".index(letter)])[0] for letter in self.operands}

    @property
    def domain(self) -> int | None:
        """R, if the result times R is congruent to the product of the operands; else None."""
        model, params = self.request.multiplier.model, self.request.multiplier.params
        congruent = not model.unary and model.has_modulus and params.form == CORRECTED
        return params.domain if congruent else None


def constant_place(value: int, word: int = 0) -> FrameSlot:
    """The place of a constant whose first word is `word`."""
    bits = value.bit_length() + (value < 0)
    return FrameSlot(word, words(bits), bits, value < 0)


def distinct(names: Sequence[str]) -> list[str]:
    """Names as identifiers, different ones for different names, in lower and upper case too."""
    found: list[str] = []
    taken: set[str] = set()
    for name in names:
        plain = unique = identifier(name) or "step"
        number = 1
        while unique.lower() in taken:
            number += 1
            unique = f"{plain}_{number}"
        taken.add(unique.lower())
        found.append(unique)
    return found
