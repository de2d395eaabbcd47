# SPDX-License-Identifier: Apache-2.0
"""Mutants of a model's own loop: its recorded form with one operation changed.

Each operator becomes another one, each constant, mask and shift is off by one bit or place, and the value of each step
loses its highest bit, as in a register that is too narrow. A mutant has the inputs of the operation that it changes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import repeat
from operator import add, and_, lshift, mul, or_, rshift, sub, xor
from typing import Any

from limbtrace.refmodels.described_enum import DescribedEnum
from limbtrace.refmodels.expr import Term, inputs
from limbtrace.refmodels.program import Program, ordered

ValueColumn = list[int]
"""A value of each of many products."""


class MutantKind(DescribedEnum):
    """The part of an operation that is changed."""

    OPERATOR = "operator", "Another operator: - for +, + for -, + for *, | for &, & for |, | for ^."
    CONSTANT = "constant", "A constant of a sum, difference or product is 1 larger or smaller."
    MASK = "mask", "A mask has one bit more or less."
    SHIFT = "shift", "A shift goes one place further or less far."
    RANGE = "range", "A step loses the highest bit of its range."


@dataclass(frozen=True)
class Mutant:
    """One change of one operation."""

    kind: MutantKind
    place: int
    """The number of the operation among those of the program."""
    step: str
    """The step that needs the operation first, as people write it: q[3]; or `result`."""
    change: str
    term: Term
    """The changed operation."""
    bits: int | None = None
    """Bits to which its value is cut, in two's complement if `term` may be negative."""

    @property
    def symbol(self) -> str:
        """The name of the step without its subscripts."""
        return self.step.partition("[")[0]

    @property
    def label(self) -> str:
        """As people write it: q[3]: - for +."""
        return f"{self.step}: {self.change}"


_OTHER = {"+": "-", "-": "+", "*": "+", "&": "|", "|": "&", "^": "|"}
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": add, "-": sub, "*": mul, "&": and_, "|": or_, "^": xor, "<<": lshift, ">>": rshift,
}  # fmt: skip


def mutants(program: Program) -> Iterator[Mutant]:
    """Every mutant, in the order of the operations."""
    steps = _first_steps(program)
    registers = {id(value) for _, _, value in program.steps}
    for place, term in enumerate(program.terms):
        for kind, change, operation, operands in _changes(term):
            yield Mutant(kind, place, steps[id(term)], change, Term(operation, operands, term.least, term.most))
        if id(term) in registers and term.bits > 1:
            yield Mutant(MutantKind.RANGE, place, steps[id(term)], f"cut to {term.bits - 1} bits", term, term.bits - 1)


def _first_steps(program: Program) -> dict[int, str]:
    """The first step that needs each term."""
    done: set[int] = set()
    found: dict[int, str] = {}
    for name, index, value in (*program.steps, *(("result", (), value) for value in program.results)):
        label = name + (f"[{','.join(map(str, index))}]" if index else "")
        found |= {id(term): label for term in ordered([value], done)}
    return found


def _changes(term: Term) -> Iterator[tuple[MutantKind, str, str, tuple[Any, ...]]]:
    """(kind, change, operation, operands) of each mutant of an operation, but for its range."""
    operation, operands = term.operation, term.operands
    if operation == "field":
        operand, low, bits = operands
        yield MutantKind.SHIFT, f"from bit {low + 1} of {operand} on", operation, (operand, low + 1, bits)
        if bits > 1:
            yield MutantKind.MASK, f"{bits - 1} bits of {operand}", operation, (operand, low, bits - 1)
        return
    if operation == "join":
        for number, (value, shift) in enumerate(operands):
            if shift:
                moved = (*operands[:number], (value, shift - 1), *operands[number + 1 :])
                yield MutantKind.SHIFT, f"{shift - 1} places for {shift}", operation, moved
        return
    if operation in ("<<", ">>"):
        value, places = operands
        for other in (places - 1, places + 1):
            yield MutantKind.SHIFT, f"{other} places for {places}", operation, (value, other)
        return
    yield MutantKind.OPERATOR, f"{_OTHER[operation]} for {operation}", _OTHER[operation], operands
    for number, value in enumerate(operands):
        if not isinstance(value, int):
            continue
        if operation in ("+", "-", "*"):
            for other, said in ((value + 1, "1 more"), (value - 1, "1 less")):
                changed = (*operands[:number], other, *operands[number + 1 :])
                yield MutantKind.CONSTANT, f"the constant is {said}", operation, changed
        else:
            for other, said in ((value >> 1, "1 bit less"), (value << 1 | 1, "1 bit more")):
                changed = (*operands[:number], other, *operands[number + 1 :])
                yield MutantKind.MASK, f"the constant has {said}", operation, changed


class MutatedRuns:
    """Many products by a program, and by its mutants, of which only what differs is computed."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._numbers = {id(term): place for place, term in enumerate(program.terms)}

    @cached_property
    def _used(self) -> list[list[int]]:
        """For each operation, those that take its value."""
        found: list[list[int]] = [[] for _ in self.program.terms]
        for place, term in enumerate(self.program.terms):
            for number in {self._numbers[id(value)] for value in inputs(term) if isinstance(value, Term)}:
                found[number].append(place)
        return found

    def values(self, operands: dict[str, ValueColumn]) -> list[ValueColumn]:
        """The value of each operation, for all products."""
        found: list[ValueColumn] = []
        for term in self.program.terms:
            found.append(_column(term, lambda value: found[self._numbers[id(value)]], operands))
        return found

    def results(self, values: Sequence[ValueColumn]) -> Any:
        """The results of one product each: a column, or an int that all of them have."""
        (result,) = self.program.results
        return values[self._numbers[id(result)]] if isinstance(result, Term) else result

    def changed(
        self, mutant: Mutant, operands: dict[str, ValueColumn], values: Sequence[ValueColumn], most: int
    ) -> Iterator[tuple[int, int | None]]:
        """(number, result) of the first `most` products at which the changed operation has another value.

        The result is None if it is not another one. `values` are those of the program.
        """
        (result,) = self.program.results
        if not isinstance(result, Term):
            return
        last, right = self._numbers[id(result)], values[self._numbers[id(result)]]
        mine = _cut(mutant, _column(mutant.term, lambda value: values[self._numbers[id(value)]], operands))
        numbers = [k for k, (value, own) in enumerate(zip(mine, values[mutant.place], strict=True)) if value != own]
        for few in (numbers[:1], numbers[1:most]):
            found = self._spread(mutant.place, [mine[k] for k in few], few, values).get(last) if few else None
            for number, k in enumerate(few):
                yield k, None if found is None or found[number] == right[k] else found[number]

    def _spread(
        self, place: int, column: ValueColumn, numbers: Sequence[int], values: Sequence[ValueColumn]
    ) -> dict[int, ValueColumn]:
        """The values that differ from those of the program, for the products of these numbers."""
        found = {place: column}
        waiting: list[int] = []
        queued = set(self._used[place])
        for number in queued:
            heappush(waiting, number)

        def known(value: Any) -> ValueColumn:
            number = self._numbers[id(value)]
            return found[number] if number in found else [values[number][k] for k in numbers]

        while waiting:
            number = heappop(waiting)
            mine = _column(self.program.terms[number], known, {})
            if mine != [values[number][k] for k in numbers]:
                found[number] = mine
                for further in self._used[number]:
                    if further not in queued:
                        queued.add(further)
                        heappush(waiting, further)
        return found


def _column(term: Term, known: Callable[[Any], ValueColumn], operands: dict[str, ValueColumn]) -> ValueColumn:
    """The value of an operation, for all products."""
    if term.operation == "field":
        operand, low, bits = term.operands
        mask = (1 << bits) - 1
        return [value >> low & mask for value in operands[operand]]
    if term.operation == "join":
        parts = [
            repeat(value << shift) if isinstance(value, int) else map(lshift, known(value), repeat(shift))
            for value, shift in term.operands
        ]
        return list(map(sum, zip(*parts, strict=False)))
    x, y = (repeat(value) if isinstance(value, int) else known(value) for value in term.operands)
    return list(map(_OPERATORS[term.operation], x, y))


def _cut(mutant: Mutant, column: ValueColumn) -> ValueColumn:
    if mutant.bits is None:
        return column
    size, offset = 1 << mutant.bits, 1 << mutant.bits - 1 if mutant.term.signed else 0
    return [(value + offset) % size - offset for value in column]
