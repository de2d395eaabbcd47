# SPDX-License-Identifier: Apache-2.0
"""A log of what a proof rests on, line by line, for a checker that knows nothing of how it was found.

`rtl_bridge/check_proof/replay.py` says what each line means. Without a folder for a certificate, a proof writes to a
ProofLog, which keeps nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from limbtrace.refmodels.expr import inputs
from limbtrace.refmodels.program import Program, ordered
from limbtrace.rtl_bridge.proof.bitvector import BitTerm, cone


class ProofLog:
    """Keeps nothing."""

    def program(self, program: Program) -> None:
        """The program of the model that rows and results are compared with."""

    def product(self, name: str, turn: int) -> None:
        """A product is given to the core."""

    def ended(self) -> None:
        """All of its results were compared."""

    def inputs(self, values: Mapping[int, BitTerm], state: Mapping[int, BitTerm]) -> None:
        """A cycle begins with these inputs and registers."""

    def cycle(self, lines: Iterable[int], values: Mapping[int, BitTerm], state: Mapping[int, BitTerm]) -> None:
        """Lines of the design have these values in the cycle; `state`: the registers after it."""

    def forget(self, state: Mapping[int, BitTerm]) -> None:
        """Registers may hold anything that these terms stand for, which is more than before."""

    def record(self, key: object, state: Mapping[int, BitTerm]) -> None:
        """This is a state to come back to, by its key."""

    def back(self, key: object) -> None:
        """Go on from a state that was recorded."""

    def mixed(self, key: object, other: object) -> None:
        """Go on from registers of the bench of one recorded state, and of the core of another one."""

    def covered(self, key: object, other: object | None = None) -> None:
        """The core's registers are covered by those of a state; with `other`, all of its registers by all of that."""

    def claim(self, output: str, ago: int, place: tuple[int, int], value: Any, low: int) -> None:
        """Bits (high, low) of an output, so many cycles ago, are those of a value of the program from `low` on."""

    def cut(self, value: Any, low: int, term: BitTerm) -> None:
        """Bits of a value of the program from `low` on are replaced by a term."""


NO_LOG = ProofLog()


class WrittenLog(ProofLog):
    """Lines of text."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._written: set[BitTerm] = set()
        self._values: dict[int, int] = {}
        self._kept: list[Any] = []  # keeps ids valid
        self._inputs: dict[int, BitTerm] = {}
        self._state: dict[int, BitTerm] = {}
        self._said: dict[int, BitTerm] = {}
        """Lines of the design whose terms were written, the last ones; of others they were constants so far."""
        self._states: dict[int, tuple[int, dict[int, BitTerm]]] = {}
        self._then: str | None = None
        """Where what follows begins; written when something follows."""

    def _write(self, *words: object) -> None:
        if self._then is not None:
            self.lines.append(self._then)
            self._then = None
        self.lines.append(" ".join(map(str, words)))

    def _term(self, term: BitTerm) -> int:
        """The number of a term, which is written with what it is made of."""
        if term not in self._written:
            for each in cone([term]):
                if each not in self._written:
                    self._written.add(each)
                    self.lines.append(" ".join(map(str, ("T", each.number, each.operation, each.width, *_own(each)))))
        return term.number

    def program(self, program: Program) -> None:
        for term in ordered([*(value for _, _, value in program.steps), *program.results, *program.digits]):
            self._value(term)

    def _value(self, value: Any) -> str:
        if isinstance(value, int):
            return f"#{value}"
        for term in ordered([value], set(self._values)):
            words: list[object] = []
            if term.operation == "join":
                words = [f"{self._values_of(each)}:{shift}" for each, shift in term.operands]
            elif term.operation in ("<<", ">>"):
                words = [self._values_of(term.operands[0]), term.operands[1]]
            else:
                words = [*term.operands] if term.operation == "field" else [self._values_of(x) for x in inputs(term)]
            self._values[id(term)] = number = len(self._values)
            self._kept.append(term)
            self._write("G", number, term.least, term.most, term.operation, *words)
        return str(self._values[id(value)])

    def _values_of(self, value: Any) -> str:
        return f"#{value}" if isinstance(value, int) else str(self._values[id(value)])

    def product(self, name: str, turn: int) -> None:
        self._write("P", name, turn)

    def ended(self) -> None:
        self._write("Z")

    def _set(self, state: Mapping[int, BitTerm]) -> None:
        for number, term in state.items():
            if self._state.get(number) is not term:
                self._write("S", number, self._term(term))
        self._state = dict(state)

    def inputs(self, values: Mapping[int, BitTerm], state: Mapping[int, BitTerm]) -> None:
        before = len(self.lines)
        self._set(state)
        if len(self.lines) > before:
            self._write("K")
        for number, term in values.items():
            if self._inputs.get(number) is not term or not term.is_constant:
                self._write("I", number, self._term(term))
        self._inputs = dict(values)

    def cycle(self, lines: Iterable[int], values: Mapping[int, BitTerm], state: Mapping[int, BitTerm]) -> None:
        for number in lines:
            term = values[number]
            if term is not self._said.get(number) and not (term.is_constant and number not in self._said):
                self._said[number] = term
                self._write("L", number, self._term(term))
        self._write("C")
        self._state = dict(state)

    def forget(self, state: Mapping[int, BitTerm]) -> None:
        for number, term in state.items():  # what may be anything need not be worked out by a checker
            if not term.is_constant or self._state.get(number) is not term:
                self._write("S", number, self._term(term))
        self._state = dict(state)
        self._write("F")

    def record(self, key: object, state: Mapping[int, BitTerm]) -> None:
        before = len(self.lines)
        self._set(state)
        if len(self.lines) > before:
            self._write("K")
        number = len(self._states)
        self._states[id(key)] = number, dict(state)
        self._kept.append(key)
        self._write("N", number)

    def back(self, key: object) -> None:
        number, self._state = self._states[id(key)]
        self._then = f"J {number}"

    def mixed(self, key: object, other: object) -> None:
        (number, state), (inner, core) = self._states[id(key)], self._states[id(other)]
        self._then = f"M {number} {inner}"
        shape: Any = other
        self._state = {**state, **{register: core[register] for register in shape}}

    def covered(self, key: object, other: object | None = None) -> None:
        if other is None:
            self._write("U", self._states[id(key)][0])
        else:
            self._write("V", self._states[id(key)][0], self._states[id(other)][0])

    def claim(self, output: str, ago: int, place: tuple[int, int], value: Any, low: int) -> None:
        self._write("Q", output, ago, *place, self._value(value), low)

    def cut(self, value: Any, low: int, term: BitTerm) -> None:
        self._write("D", self._value(value), low, self._term(term))


def _own(term: BitTerm) -> Iterable[object]:
    """The operands of a term and what else it is made of."""
    numbers: Sequence[int] = [operand.number for operand in term.operands]
    if term.operation == "const":
        return [f"{term.value:x}"]
    if term.operation == "var":
        return [f"{term.most:x}", str(term.detail).replace(" ", "_")]
    if term.operation == "slice":
        return [*numbers, *term.detail]
    if term.operation in ("sum", "wrap"):
        factors, constant = term.detail
        return [constant, *(f"{number}:{factor}" for number, factor in zip(numbers, factors, strict=True))]
    return numbers
