# SPDX-License-Identifier: Apache-2.0
"""A program as C11 that is C++ too: limbs of 64 bits, no branch on data, no allocation, no undefined behaviour.

All values that a caller or a later part needs are in one array of words, the frame. The text is cut into parts of some
hundred operations, at steps where the first subscript changes if that suits. Inputs of a part are read by a list of
places in the frame, so that parts with equal text, such as the rows of a loop, are one function.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Any, NamedTuple

from limbtrace.refmodels.expr import Term, inputs
from limbtrace.refmodels.program import Program, ordered

WORD = 64
FULL = (1 << WORD) - 1
FEWEST, MOST = 100, 400
"""Operations of a part: groups of steps are put together up to the one, and cut at the other."""
_FUNCTIONS = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor"}


@cache
def limbs() -> str:
    """The functions on limbs that the text of every program calls."""
    return files(__package__).joinpath("limbs.h").read_text()


@cache
def to_text() -> str:
    """Functions that write numbers; what `limbs` returns and its headers come first."""
    return files(__package__).joinpath("text.h").read_text()


class FrameSlot(NamedTuple):
    """The place of a value in the frame."""

    word: int
    words: int
    bits: int
    signed: bool


@dataclass(frozen=True)
class ProgramText:
    """The C text of a program, and where its values are."""

    text: str
    """Static functions; `void NAME(const uint64_t *const *operands, uint64_t *frame)` computes everything."""
    operands: dict[str, int]
    """Name of each operand, in the order in which they are given -> its 64-bit words."""
    words: int
    """Words of the frame."""
    steps: tuple[FrameSlot | int, ...]
    """The place of each step; an int for a constant, which is not in the frame."""
    results: tuple[FrameSlot | int, ...]


def words(bits: int) -> int:
    """64-bit words of that many bits, at least one."""
    return max(-(-bits // WORD), 1)


def source(program: Program, name: str) -> ProgramText:
    """The C text of a program; its functions and tables begin with `name`."""
    return _Writer(program, name).source()


@dataclass
class _Part:
    """Some consecutive operations."""

    terms: list[Term]
    reads: list[int] = field(default_factory=list)
    """Places in the frame that it reads, in the order in which the text counts them."""
    first: int = 0
    """The first word of the frame with its own values."""


class _Writer:
    def __init__(self, program: Program, name: str) -> None:
        self.program, self.name = program, name
        self.fields, self.parts = self._cut()
        self.demand = self._demanded()
        self.operands = {operand: words(most.bit_length()) for operand, most in program.operands.items()}

    def _cut(self) -> tuple[list[Term], list[_Part]]:
        """The fields of the operands, which every row reads, and the parts; the first one makes digits of them."""
        used = set(map(id, self.program.terms))
        fields = [term for term in self.program.terms if term.operation == "field"]
        done = set(map(id, fields))
        parts: list[_Part] = []
        if converted := [term for term in ordered(self.program.digits, done) if id(term) in used]:
            parts.append(_Part(converted))
        current: list[Term] = []
        for _, group in groupby(self.program.steps, lambda step: step[1][:1]):
            for _, _, value in group:
                current += ordered([value], done)
                while len(current) >= 2 * MOST:  # a long step; the rounds of a division end where others end
                    parts.append(_Part(current[:MOST]))
                    current = current[MOST:]
                if len(current) >= MOST:
                    parts.append(_Part(current))
                    current = []
            if len(current) >= FEWEST:
                parts.append(_Part(current))
                current = []
        current += ordered(self.program.results, done)
        if current:
            parts.append(_Part(current))
        return fields, parts

    def _demanded(self) -> dict[int, int]:
        """Limbs of each term that anybody needs: the upper ones of a product are often cut off."""
        kept = [*(value for _, _, value in self.program.steps), *self.program.results]
        demand = {id(value): _natural(value) for value in kept if isinstance(value, Term)}
        for term in reversed(self.program.terms):
            mine = min(demand.get(id(term), 0), _natural(term))
            demand[id(term)] = mine
            for value in inputs(term):
                if isinstance(value, Term):
                    upper = term.operation in (">>", "join")  # the others make lower limbs of lower limbs
                    needed = _natural(value) if upper else min(_natural(value), mine)
                    demand[id(value)] = max(demand.get(id(value), 0), needed)
        return demand

    def size(self, value: Any) -> int:
        """Limbs of a value."""
        return _natural(value) if isinstance(value, int) else self.demand[id(value)]

    def negative(self, value: Any) -> bool:
        """True if the value's limbs must be extended by its sign; the lower limbs of a longer value never are."""
        if isinstance(value, int):
            return value < 0
        return bool(value.least < 0 and self.demand[id(value)] == _natural(value))

    def source(self) -> ProgramText:
        """The whole text."""
        self.place: dict[int, int] = {}
        free = 0
        for term in self.fields:
            self.place[id(term)] = free
            free += self.size(term)
        needed = self._needed()
        for part in self.parts:
            part.first = free
            for term in part.terms:
                if id(term) in needed:
                    self.place[id(term)] = free
                    free += self.size(term)
        functions: dict[str, str] = {}
        calls: list[tuple[str, int, int]] = []
        reads: list[int] = []
        starts: dict[tuple[int, ...], int] = {}
        for part in self.parts:
            body = "\n".join(_Text(self, part).lines())
            function = functions.setdefault(body, f"{self.name}_part{len(functions)}")
            start = starts.setdefault(tuple(part.reads), len(reads))
            if start == len(reads):
                reads += part.reads
            calls.append((function, start, part.first))
        text = "\n".join(self._fields())
        for body, function in functions.items():
            text += (
                f"\nLT_UNUSED static void {function}(const uint64_t *v, const uint32_t *at, uint64_t *o) {{\n"
                f"  (void)v; (void)at; (void)o;\n{body}\n}}\n"
            )
        text += self._main(calls, reads)
        steps = tuple(self._where(value) for _, _, value in self.program.steps)
        return ProgramText(text, self.operands, max(free, 1), steps, tuple(map(self._where, self.program.results)))

    def _where(self, value: Any) -> FrameSlot | int:
        if isinstance(value, int):
            return value
        return FrameSlot(self.place[id(value)], self.size(value), value.bits, value.signed)

    def _needed(self) -> set[int]:
        """Values that a caller or another part needs."""
        of_part = {id(term): number for number, part in enumerate(self.parts) for term in part.terms}
        needed = {id(value) for _, _, value in self.program.steps} | set(map(id, self.program.results))
        for number, part in enumerate(self.parts):
            for term in part.terms:
                needed |= {id(value) for value in inputs(term) if of_part.get(id(value), number) != number}
        return needed

    def _fields(self) -> Iterator[str]:
        """The function that takes bits out of the operands."""
        yield f"LT_UNUSED static void {self.name}_fields(const uint64_t *const *operands, uint64_t *v) {{"
        yield "  (void)operands; (void)v;"
        order = list(self.operands)
        for term in self.fields:
            operand, low, bits = term.operands
            n, m, place = self.operands[operand], self.size(term), self.place[id(term)]
            read = f"operands[{order.index(operand)}], {n}"
            if m == 1:
                mask = "" if bits >= WORD else f" & {_constant((1 << bits) - 1)}"
                yield f"  v[{place}] = lt_cut({read}, 0, {low}){mask};"
            else:
                yield f"  lt_field(v + {place}, {m}, {read}, {low}, {min(bits, m * WORD)});"
        yield "}"

    def _main(self, calls: Sequence[tuple[str, int, int]], reads: Sequence[int]) -> str:
        table = ", ".join(map(str, reads)) or "0"
        rows = ", ".join(f"{{{function}, {start}, {first}}}" for function, start, first in calls)
        text = f"LT_UNUSED static void {self.name}(const uint64_t *const *operands, uint64_t *frame) {{\n"
        text += f"  {self.name}_fields(operands, frame);\n"
        if not calls:
            return text + "}\n"
        return (
            f"static const uint32_t {self.name}_reads[] = {{{table}}};\n"
            f"static const struct {{ void (*part)(const uint64_t *, const uint32_t *, uint64_t *); uint32_t at, out; }}"
            f"\n{self.name}_parts[] = {{{rows}}};\n{text}"
            f"  for (size_t k = 0; k < {len(calls)}; ++k) {{\n"
            f"    {self.name}_parts[k].part(frame, {self.name}_reads + {self.name}_parts[k].at,"
            f" frame + {self.name}_parts[k].out);\n  }}\n}}\n"
        )


class _Text:
    """The statements of one part. Names follow from the order within the part alone."""

    def __init__(self, writer: _Writer, part: _Part) -> None:
        self.writer, self.part = writer, part
        self.names: dict[int, str] = {}
        self.own = {id(term) for term in part.terms}
        self.said: list[str] = []
        self.arrays: dict[str, str] = {}
        """Limbs -> the array that holds them."""

    def lines(self) -> list[str]:
        """All statements; the places that they read are put into the part."""
        for number, term in enumerate(self.part.terms):
            for value in inputs(term):
                if isinstance(value, Term) and id(value) not in self.own and id(value) not in self.names:
                    self._read(value)
            self._compute(term, f"t{number}")
            if (place := self.writer.place.get(id(term))) is not None:
                self._store(term, place - self.part.first)
        return self.said

    def _read(self, value: Term) -> None:
        name, size = f"x{len(self.part.reads)}", self.writer.size(value)
        place = f"v[at[{len(self.part.reads)}]]"
        self.part.reads.append(self.writer.place[id(value)])
        self.names[id(value)] = name
        if size == 1:
            self.said.append(f"  const uint64_t {name} = {place};")
        elif size == 2:
            high = place.replace("]]", "] + 1]")
            self.said.append(f"  const lt_u128 {name} = LT_MAKE({high}, {place});")
        else:
            self.said.append(f"  const uint64_t *const {name} = &{place};")

    def _store(self, term: Term, at: int) -> None:
        name, size = self.names[id(term)], self.writer.size(term)
        if size == 1:
            self.said.append(f"  o[{at}] = {name};")
        elif size == 2:
            self.said.append(f"  o[{at}] = lt_lo({name}); o[{at + 1}] = lt_hi({name});")
        else:
            self.said.append(f"  for (size_t k = 0; k < {size}; ++k) o[{at} + k] = {name}[k];")

    def _compute(self, term: Term, name: str) -> None:
        size = self.writer.size(term)
        self.names[id(term)] = name
        if size <= 2:
            text = (self._one if size == 1 else self._two)(term)
            self.said.append(f"  const {'uint64_t' if size == 1 else 'lt_u128'} {name} = {text};")
        else:
            self._many(term, name, size)

    def low(self, value: Any) -> str:
        """The low 64 bits of a value."""
        if isinstance(value, int):
            return _constant(value & FULL)
        name, size = self.names[id(value)], self.writer.size(value)
        return name if size == 1 else f"lt_lo({name})" if size == 2 else f"{name}[0]"

    def pair(self, value: Any) -> str:
        """The low 128 bits of a value."""
        if isinstance(value, int):
            return f"LT_MAKE({_constant(value >> WORD & FULL)}, {_constant(value & FULL)})"
        name, size = self.names[id(value)], self.writer.size(value)
        if size == 1:
            return f"lt_extend({name})" if self.writer.negative(value) else f"LT_MAKE(UINT64_C(0), {name})"
        return name if size == 2 else f"LT_MAKE({name}[1], {name}[0])"

    def many(self, value: Any, sign: bool = True) -> str:
        """A value as arguments of a function: its limbs, how many there are, and whether it may be negative.

        Limbs that are not in an array yet get one, by a statement.
        """
        size, negative = self.writer.size(value), int(self.writer.negative(value))
        if isinstance(value, int):
            text = self._array(_constant(value >> WORD * k & FULL) for k in range(size))
        else:
            name = self.names[id(value)]
            text = f"&{name}" if size == 1 else name
            if size == 2:
                text = self._array((f"lt_lo({name})", f"lt_hi({name})"))
        return f"{text}, {size}" + (f", {negative}" if sign else "")

    def _array(self, limbs: Iterable[str]) -> str:
        """The name of an array with these limbs."""
        entries = ", ".join(limbs)
        if entries not in self.arrays:
            self.arrays[entries] = f"a{len(self.arrays)}"
            self.said.append(f"  const uint64_t {self.arrays[entries]}[] = {{{entries}}};")
        return self.arrays[entries]

    def _one(self, term: Term) -> str:
        """An expression of one limb."""
        operation, operands = term.operation, term.operands
        if operation == "join":
            parts = [(self.low(value), shift) for value, shift in operands if shift < WORD]
            return " + ".join(f"({text} << {shift})" if shift else text for text, shift in parts) or _constant(0)
        x, y = operands
        if operation == "<<":
            return f"{self.low(x)} << {y}" if y < WORD else _constant(0)
        if operation == ">>":
            return self._shifted(x, y)
        return f"{self.low(x)} {operation} {self.low(y)}"

    def _shifted(self, x: Any, s: int) -> str:
        """64 bits of a value from bit s on."""
        size, negative = self.writer.size(x), self.writer.negative(x)
        if size == 1:
            if negative:
                return f"lt_sar({self.low(x)}, {min(s, WORD - 1)})"
            return f"{self.low(x)} >> {s}" if s < WORD else _constant(0)
        if size == 2 and not negative:
            high = f"lt_hi({self.names[id(x)]})"
            if s >= WORD:
                return f"{high} >> {s - WORD}" if s < 2 * WORD else _constant(0)
            return f"{self.low(x)} >> {s} | {high} << {WORD - s}"
        return f"lt_cut({self.many(x)}, {s})"

    def _two(self, term: Term) -> str:
        """An expression of two limbs."""
        operation, operands = term.operation, term.operands
        if operation == "join":
            text = ""
            for value, shift in operands:
                if shift < 2 * WORD:
                    part = f"lt_shl2({self.pair(value)}, {shift})" if shift else self.pair(value)
                    text = f"lt_add2({text}, {part})" if text else part
            return text or self.pair(0)
        x, y = operands
        if operation == "<<":
            return f"lt_shl2({self.pair(x)}, {y})"
        if operation == ">>":
            return f"LT_MAKE(lt_cut({self.many(x)}, {y + WORD}), lt_cut({self.many(x)}, {y}))"
        if operation == "*" and all(
            self.writer.size(value) == 1 and not self.writer.negative(value) for value in (x, y)
        ):
            return f"lt_mul64({self.low(x)}, {self.low(y)})"
        return f"lt_{_FUNCTIONS[operation]}2({self.pair(x)}, {self.pair(y)})"

    def _many(self, term: Term, name: str, size: int) -> None:
        """Statements for three limbs and more."""
        operation, operands = term.operation, term.operands
        if operation == "join":
            self.said.append(f"  uint64_t {name}[{size}] = {{0}};")
            for value, shift in operands:
                if shift < size * WORD:
                    self.said.append(f"  lt_put({name}, {size}, {self.many(value, sign=False)}, {shift});")
            return
        x, y = operands
        self.said.append(f"  uint64_t {name}[{size}];")
        if operation in ("<<", ">>"):
            function = "lt_shl" if operation == "<<" else "lt_shr"
            self.said.append(f"  {function}({name}, {size}, {self.many(x)}, {y});")
        else:
            self.said.append(f"  lt_{_FUNCTIONS[operation]}({name}, {size}, {self.many(x)}, {self.many(y)});")


def _natural(value: Any) -> int:
    """Limbs that hold every value."""
    if isinstance(value, int):
        return words(value.bit_length() + (value < 0))
    return words(value.bits)


def _constant(value: int) -> str:
    return f"UINT64_C({value:#x})" if value > 9 else f"UINT64_C({value})"
