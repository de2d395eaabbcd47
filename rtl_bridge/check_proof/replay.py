# SPDX-License-Identifier: Apache-2.0
"""A certificate, followed line by line.

All terms are functions of variables. A state stands for every state that its variables make it; whatever is claimed of
the outputs in a cycle holds for all of them. Equalities that were claimed and checked may be used until a state forgets
something: its variables stand for other values from then on.

| line | meaning |
|---|---|
| `G least most operation ...` | the next value of the program, see `program.py` |
| `T number operation width ...` | a term |
| `S register term` | a register has this value; then `K`: the same one as before, or `F`: one that is more general |
| `I input term` | an input has this value from now on |
| `L line term` | so has a line of the design in the cycle that `C` ends |
| `N number`, `J number`, `M bench core` | record a state; go back to it; to the bench of one and the core of another |
| `P name turn`, `Z` | a product begins, and has ended |
| `Q output ago high low value bit` | bits of an output, so many cycles ago, are those of a value of the program |
| `D value bit term` | bits of a value are called by new variables |
| `U number`, `V number other` | the core's registers are covered by a recorded state; a recorded state by another |
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from limbtrace.rtl_bridge.check_proof import design as btor2
from limbtrace.rtl_bridge.check_proof.clauses import Question
from limbtrace.rtl_bridge.check_proof.logic import FALSE, TRUE, Logic, Word, constant
from limbtrace.rtl_bridge.check_proof.program import Program

State = dict[int, Word]
Answer = Callable[[int, Callable[[int], Question]], bool]
"""Of the number of a line and a question by its depth: True if it is refuted; False if that is to be trusted."""
MOST_DEFINITIONS = 8
"""Variables that are followed for one bit."""
FREE = "free_"
"""Begin of the names of inputs that hold anything."""


class WrongError(Exception):
    """A line of a certificate that does not hold."""


@dataclass
class Product:
    """A product that was given to the core."""

    name: str
    start: State
    began: int
    ended: bool = False
    cycle: int = -1
    """The cycle from the first one of its product on in which its result was there."""
    result: tuple[tuple[int, int, str, int], ...] = ()
    """(high, low, value, bit) of each part of the result."""


@dataclass
class Counts:
    """What was checked, and what was not."""

    lines: int = 0
    claims: int = 0
    cuts: int = 0
    states: int = 0
    refuted: int = 0
    trusted: Counter[str] = field(default_factory=Counter)


class Replay:
    """The state of a checker between two lines."""

    def __init__(self, design: btor2.Design, operands: Mapping[str, int], core: Iterable[int], answer: Answer) -> None:
        self.logic, self._design, self._core, self._answer = Logic(), design, set(core), answer
        self.program, self.counts, self.products = Program(operands), Counts(), list[Product]()
        self.inputs: dict[str, Counter[str]] = {}
        """Name -> the values that it was given, and in how many cycles."""
        self._number = 0
        self._terms: dict[int, Word] = {}
        self._names: dict[str, tuple[int, Word]] = {}
        self._words: list[Word] = []
        self._masks: dict[int, int] = {1: 0}
        """Node -> the variables that it depends on, bit n for number n of `_words`."""
        self._operands = {
            name: self._variable(name, max(most.bit_length(), 1), most) for name, most in operands.items()
        }
        self._of_operands = (1 << len(self._names)) - 1
        self._live = self._of_operands
        self._set: State = {}
        self._given: State = {}
        self._now: dict[int, Word] = {}
        self._lines: State = {}
        self._last: dict[int, Word] = {}
        """The values of the last cycle, and of which lines they need not be those that the operation makes."""
        self._renamed = set[int]()
        self._state: State | None = None
        self._states: dict[int, tuple[State, dict[int, Word], Product | None]] = {}
        self._outputs: list[dict[str, Word]] = []
        self._rule: Word = ()
        """The output that says which rule of the handshake the core broke in the last cycle, 0 for none."""
        self._cycles = 0
        self._product: Product | None = None
        self._idle: list[int] = []
        self._noted, self._closed, self._shaken = False, True, True
        self._begin_epoch()

    def _begin_epoch(self) -> None:
        """Forget what was known of variables, which stand for other values from now on."""
        self._equal: dict[int, int] = {}
        self._normal: dict[int, int] = {}
        self._facts: dict[int, list[tuple[int, int]]] = {}
        self._definitions: dict[int, int] = {}
        self._defined = 0
        self._values: dict[int, Word] = {}
        self._outputs = []
        for number in self._renamed:
            self._last.pop(number, None)
        self._renamed.clear()
        if self._state is not None:
            self._live = self._of_operands | self._support(bit for word in self._state.values() for bit in word)

    def follow(self, lines: Iterable[str]) -> None:
        """Check all lines. Raises WrongError."""
        for self._number, line in enumerate(lines, start=1):
            letter, *words = line.split()
            method = getattr(self, f"_line_{letter}", None)
            self._check(method, f"no line of a certificate begins with {letter}")
            assert method is not None
            try:
                method(*words)
            except (ValueError, LookupError, TypeError) as error:
                raise self._wrong(f"it is no line of a certificate: {error}") from None
        self._end()

    def _wrong(self, sentence: str) -> WrongError:
        return WrongError(f"line {self._number}: {sentence}")

    def _check(self, holds: object, sentence: str) -> None:
        if not holds:
            raise self._wrong(sentence)

    # Variables, and what terms depend on

    def _variable(self, name: str, width: int, most: int) -> Word:
        if name not in self._names:
            bits = self.logic.variable(name, width, most)
            self._names[name] = 1 << len(self._names), bits
            self._words.append(bits)
            for bit in bits:
                self._masks[bit] = self._names[name][0]
        mask, bits = self._names[name]
        if len(bits) != width or self.logic.groups[bits[-1]][1] != most or not 0 < most < 1 << width:
            raise self._wrong(f"{name} has another width or bound, or a bound that is none")
        return bits

    def _support(self, bits: Iterable[int]) -> int:
        """The variables that bits depend on."""
        mask = 0
        for root in bits:
            waiting = [abs(root)]
            while waiting:
                node = waiting[-1]
                below = () if node in self._masks else self.logic.below(node)
                if missing := [each for each in map(abs, below) if each not in self._masks]:
                    waiting += missing
                else:
                    waiting.pop()
                    if node not in self._masks:
                        found = 0
                        for each in below:
                            found |= self._masks[abs(each)]
                        self._masks[node] = found
            mask |= self._masks[abs(root)]
        return mask

    def _is_fresh(self, bits: Word) -> bool:
        """True if a word is a variable that nothing depends on and that may have any value; nothing else may take it
        from now on."""
        whole, most = self.logic.groups.get(bits[-1], ((), 0))
        mask = self._masks.get(bits[-1], 0)
        if bits != whole or self.logic.nodes[bits[-1]][0] != "var" or mask & self._live:
            return False
        self._live |= mask
        return most == (1 << len(bits)) - 1

    # Equalities

    def _settle(self, x: Word, y: Word, what: str) -> None:
        """Two words are equal, for what is known now, or by a refutation; else it is counted as trusted."""
        if x == y:
            return
        raw = [pair for pair in zip(x, y, strict=True) if pair[0] != pair[1] and not self._is_defined_alike(*pair)]
        pairs = [(self._norm(one), self._norm(other)) for one, other in raw]
        pairs = [(one, other) for one, other in dict.fromkeys(pairs) if one != other]
        self._check(all({abs(one), abs(other)} != {TRUE} for one, other in pairs), f"{what}: it is another value")
        pairs = [pair for pair in pairs if not self._is_defined_alike(*pair)]
        if not pairs:
            return
        left, right = zip(*pairs, strict=True)
        try:
            holds = self._answer(self._number, lambda depth: Question(self.logic, left, right, self._facts, depth))
        except ValueError as error:
            raise self._wrong(f"{what}: {error}") from None
        if holds:
            self.counts.refuted += 1
        else:
            self.counts.trusted[what] += 1

    def _is_defined_alike(self, x: int, y: int) -> bool:
        """True if two bits are equal once variables that one of them depends on are what they were called for, the
        newest one first."""
        for _ in range(MOST_DEFINITIONS):
            apart = (self._support([x]) ^ self._support([y])) & self._defined
            if not apart:
                return False
            newest = 1 << apart.bit_length() - 1
            made: dict[int, int] = {}
            x, y = (self._with_definition(bit, newest, made) for bit in (x, y))
            if x == y:
                return True
        return False

    def _with_definition(self, bit: int, variable: int, made: dict[int, int]) -> int:
        """A bit made anew with the definition of a variable in its place."""

        def of(bit: int) -> int:
            if not self._masks_of(abs(bit)) & variable:
                return bit
            return made[bit] if bit > 0 else -made[-bit]

        waiting = [abs(bit)]
        while waiting:
            node = waiting[-1]
            needs = self._masks_of(node) & variable and node not in made
            below = self.logic.below(node) if needs else ()
            missing = [each for each in map(abs, below) if self._masks_of(each) & variable and each not in made]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if needs:
                made[node] = self._definitions.get(node) or self.logic.again(node, of)
        return of(bit)

    def _masks_of(self, node: int) -> int:
        return self._masks[node] if node in self._masks else self._support([node])

    def _norm(self, bit: int) -> int:
        """A bit made anew, with what is equal to bits in their places."""
        waiting = [abs(bit)]
        while waiting:
            node = waiting[-1]
            if node in self._normal or node == TRUE:
                waiting.pop()
            elif node in self._equal and abs(self._equal[node]) not in (*self._normal, TRUE):
                waiting.append(abs(self._equal[node]))
            elif node in self._equal:
                self._normal[waiting.pop()] = self._normed(self._equal[node])
            elif missing := [each for each in map(abs, self.logic.below(node)) if each not in (*self._normal, TRUE)]:
                waiting += missing
            else:
                made = self.logic.again(node, self._normed)
                self._normal[waiting.pop()] = made if abs(made) not in self._equal else self._norm(made)
        return self._normed(bit)

    def _normed(self, bit: int) -> int:
        if abs(bit) == TRUE:
            return bit
        return self._normal[bit] if bit > 0 else -self._normal[-bit]

    def _unify(self, x: Word, y: Word) -> None:
        """Two words are equal from now on: variables, or else what was there first, take the places of others."""
        for pair in zip(x, y, strict=True):
            for one, other in (pair, pair[::-1]):
                if self.logic.nodes[abs(one)][0] == "var":
                    self._facts.setdefault(abs(one), []).append((one, other))
            one, other = sorted(map(self._norm, pair), key=self._rank)
            if one not in (other, -other) and abs(other) != TRUE:
                self._equal[abs(other)] = one if other > 0 else -one
                self._normal = {}

    def _rank(self, bit: int) -> tuple[bool, bool, int]:
        return abs(bit) != TRUE, self.logic.nodes[abs(bit)][0] != "var", abs(bit)

    # Lines

    def _line_G(self, number: str, *words: str) -> None:
        self._check(int(number) == len(self.program.values), "a value of the program is out of order")
        self.program.add([*words])

    def _line_T(self, number: str, operation: str, width: str, *words: str) -> None:
        self._check(int(number) not in self._terms, "a term is there twice")
        numbers: list[int] = []
        operands: list[Word] = []
        if operation == "var":
            self._terms[int(number)] = self._variable(words[1], int(width), int(words[0], 16))
            return
        if operation == "const":
            numbers = [int(words[0], 16)]
        elif operation == "slice":
            operands, numbers = [self._terms[int(words[0])]], [int(words[1]), int(words[2])]
        elif operation in ("sum", "wrap"):
            pairs = [word.split(":") for word in words[1:]]
            operands = [self._terms[int(term)] for term, _ in pairs]
            numbers = [int(words[0]), *(int(factor) for _, factor in pairs)]
        else:
            operands = [self._terms[int(word)] for word in words]
        self._terms[int(number)] = btor2.term(self.logic, operation, int(width), operands, numbers)

    def _line_S(self, register: str, term: str) -> None:
        name, width = self._design.registers[int(register)]
        word = self._terms[int(term)]
        self._check(len(word) == width, f"register {name} has {width} bits")
        self._set[int(register)] = word

    def _line_K(self) -> None:
        if self._state is None:
            self._power_on()
            return
        for register, word in self._set.items():
            self._settle(word, self._state[register], f"register {self._design.registers[register][0]}")
        self._state = {**self._state, **self._set}
        self._set = {}

    def _power_on(self) -> None:
        """Registers hold a variable each, or their first value; without one, 0 is trusted."""
        self._check(self._set.keys() == self._design.registers.keys(), "a register has no value before the first cycle")
        self._state, self._set = self._set, {}
        for register, word in self._state.items():
            line = self._design.lines.get(self._design.initial.get(register, 0))
            first = None if line is None else btor2.value(self.logic, line, {}, ())
            if word != first and not self._is_fresh(word):
                self._check(first is None and word == constant(0, len(word)), "a register has another first value")
                self.counts.trusted["registers that are 0 at power-on"] += 1

    def _line_F(self) -> None:
        assert self._state is not None
        new = {**self._state, **self._set}
        old, self._set = self._state, {}
        left, right = self._uncovered(old, new, self._design.registers)
        self._settle(left, right, "a register that is to hold what it held")
        self._state = new
        self.counts.states += 1
        self._begin_epoch()

    def _uncovered(self, old: State, new: State, registers: Iterable[int]) -> tuple[Word, Word]:
        """Bits of a more general state that have to be those of another one: all but variables of which each bit is
        there once. Raises WrongError if they depend on more than operands."""
        free, left, right = set[int](), list[int](), list[int]()
        for register in registers:
            for was, bit in zip(old[register], new[register], strict=True):
                kind = self.logic.nodes[abs(bit)][0]
                if kind == "var" and not self._masks[abs(bit)] & self._of_operands:
                    self._check(abs(bit) not in free, "a variable is in a state twice")
                    free.add(abs(bit))
                else:
                    left.append(was)
                    right.append(bit)
        for bit in free:
            whole = self._names[self.logic.nodes[bit][1]][1]
            self._check(self.logic.groups[whole[-1]][1] == (1 << len(whole)) - 1, "a variable of a state has a bound")
        outside = self._support(right) & ~self._of_operands
        self._check(not outside, "a state is no more general than the one before it")
        return tuple(left), tuple(right)

    def _line_I(self, number: str, term: str) -> None:
        self._now[int(number)] = self._given[int(number)] = self._terms[int(term)]

    def _line_L(self, number: str, term: str) -> None:
        self._lines[int(number)] = self._terms[int(term)]

    def _line_C(self) -> None:
        self._check(self._state is not None and not self._set, "a cycle begins without a state")
        self._check(self._product or self._noted or not self._states, "an idle state was not recorded")
        if self._product and not self._shaken and self._rule != constant(0, 8):
            self.counts.trusted["handshakes in cycles in which nothing was claimed of them"] += 1
        assert self._state is not None
        known = {**self._state, **self._driven()}
        last, given = self._last, self._lines
        for number, line in self._design.lines.items():
            operation, width, operands = line
            inputs = operands[: 1 if operation in ("slice", "uext", "sext") else 3] if operation != "const" else ()
            division = operation in btor2.DIVISIONS
            if number in last and not division and number not in given:
                if all(known[abs(each)] == last.get(abs(each)) for each in inputs):
                    known[number] = last[number]
                    continue
            unknown = self._undefined(given.get(number), width) if division else ()
            made = btor2.value(self.logic, line, known, unknown)
            if number in given:
                self.counts.lines += 1
                self._check(len(given[number]) == width, f"line {number} of the design has {width} bits")
                self._settle(made, given[number], f"line {number} of the design ({operation})")
                if made != given[number]:
                    self._renamed.add(number)
                made = given[number]
            known[number] = made
        self._last, self._lines, self._given = known, {}, {}
        self._outputs.append({name: self._at(known, number) for name, number in self._design.outputs.items()})
        self._state = {number: self._at(known, self._design.following[number]) for number in self._design.registers}
        self._cycles += 1
        self._rule = self._outputs[-1]["rule_o"]
        self._noted = self._shaken = False

    @staticmethod
    def _at(known: Mapping[int, Word], number: int) -> Word:
        return known[number] if number > 0 else tuple(-bit for bit in known[-number])

    def _undefined(self, given: Word | None, width: int) -> Word:
        """The variable that a division has for a divisor of 0."""
        new = self._support(given or ()) & ~self._live
        while new:
            bits = self._words[new.bit_length() - 1]
            new &= ~(1 << new.bit_length() - 1)
            if len(bits) == width and self._is_fresh(bits):
                return bits
        return self._variable(f"division {self._number} {len(self._names)}", width, (1 << width) - 1)

    def _driven(self) -> State:
        """The inputs of a cycle: what is unknown is a variable of its own, all others are constants or operands."""
        values: State = {}
        for number, (name, width) in self._design.inputs.items():
            if number not in self._now or (not name and number not in self._given):
                values[number] = self._variable(f"input {number} {self._cycles}", width, (1 << width) - 1)
                continue
            values[number] = word = self._now[number]
            self._check(len(word) == width, f"input {name or number} has {width} bits")
            support = self._support(word)
            is_free = not name or name.startswith(FREE)
            if is_free and not support:
                self._check(name, f"input {number} is unknown and is given a value")
            elif is_free:
                self._check(number in self._given and self._is_fresh(word), f"input {name or number} is not free")
                continue
            self._check(not support & ~self._of_operands, f"input {name} depends on more than operands")
            said = "of the operands" if support else f"{sum((bit > 0) << k for k, bit in enumerate(word)):#x}"
            self.inputs.setdefault(name, Counter())[said] += 1
        return values

    def _line_N(self, number: str) -> None:
        assert self._state is not None
        self._check(not self._set, "a state is recorded in the midst of another one")
        self._states[int(number)] = self._state, dict(self._now), self._product
        self._noted = True
        if self._product is None:
            self._idle.append(int(number))

    def _line_J(self, number: str) -> None:
        self._state, _, _ = self._states[int(number)]
        self._begin_epoch()
        self._shaken = True

    def _line_M(self, bench: str, core: str) -> None:
        self._check(self._closed, "the core was left in an idle state that no other one covers")
        (one, _, _), (other, _, _) = self._states[int(bench)], self._states[int(core)]
        inner = {number: word for number, word in other.items() if number in self._core}
        outer = {number: word for number, word in one.items() if number not in self._core}
        masks = [self._support(bit for word in state.values() for bit in word) for state in (inner, outer)]
        self._check(not masks[0] & masks[1], "registers of the core and of its bench have variables in common")
        self._state = {**outer, **inner}
        self._begin_epoch()
        self._product = None

    def _line_P(self, name: str, turn: str) -> None:
        assert self._state is not None
        support = self._support(bit for word in self._state.values() for bit in word)
        self._check(not support & self._of_operands, "operands are there before the product")
        self._product = Product(f"{name} {turn}", self._state, self._cycles)
        self.products.append(self._product)
        self._closed = False
        self._shaken = True

    def _line_Q(self, output: str, ago: str, high: str, low: str, value: str, bit: str) -> None:
        place, first, width = -1 - int(ago), int(low), int(high) - int(low) + 1
        self._check(0 <= int(ago) < len(self._outputs), f"a claim about {output} in a cycle that was left behind")
        seen = self._outputs[place][output][first : first + width]
        wanted = self.program.shown(value, int(bit), len(seen), self._golden(value))
        self._settle(seen, wanted, f"{output} is what the model says")
        self._unify(seen, wanted)
        self.counts.claims += 1
        if output == "rule_o" and value == "#0" and width == 8 and ago == "0":
            self._shaken = True
        if output == "result_o" and self._product is not None:
            cycle = self._cycles - 1 - int(ago)
            self._check(self._outputs[place]["done_o"] == (TRUE,), "a result is compared in a cycle without done")
            self._check(self._product.cycle in (-1, cycle - self._product.began), "results in several cycles")
            self._product.cycle = cycle - self._product.began
            self._product.result += ((int(high), first, value, int(bit)),)

    def _golden(self, value: str) -> dict[int, Word]:
        for number in self.program.needed(value, self._values):
            self._values[number] = self.program.word(self.logic, number, self._operands, self._values)
        return self._values

    def _line_D(self, value: str, low: str, term: str) -> None:
        new, first, number = self._terms[int(term)], int(low), int(value)
        old = self._golden(value)[number]
        end = first + len(new)
        self._check(end <= len(old), "more bits of a value are replaced than it has")
        least, most = self.program.range_of(value)
        self._name(new, old[first:end], most >> first if end == len(old) and least >= 0 else None)
        self._values[number] = old[:first] + new + old[end:]
        self._unify(old[first:end], new)
        self.counts.cuts += 1

    def _name(self, new: Word, old: Word, most: int | None) -> None:
        """New variables stand for parts of a value, whose largest value is `most` if it is known; other parts are equal
        already."""
        at = 0
        while at < len(new):
            kind, *rest = self.logic.nodes[abs(new[at])]
            mask, whole = self._names[rest[0]] if kind == "var" else (0, ())
            size = len(whole)
            if not whole or new[at : at + size] != whole or mask & self._live:
                self._settle(new[at : at + 1], old[at : at + 1], "a part of a value that keeps its name")
                at += 1
                continue
            self._live |= mask
            self._defined |= mask
            self._definitions |= dict(zip(whole, old[at : at + size], strict=True))
            limit, part = self.logic.groups[whole[-1]][1], old[at : at + size]
            known = most is not None and at + size == len(new) and most >> at <= limit
            if not known and self.logic.most(tuple(map(self._norm, part))) > limit:
                above = self.logic.less(constant(limit, size), tuple(map(self._norm, part)))
                self._settle((above,), (FALSE,), "the range of a value")
            at += size

    def _line_Z(self) -> None:
        product = self._product
        assert product is not None
        width = len(self._outputs[-1]["result_o"])
        bits = sorted(bit for high, low, _, _ in product.result for bit in range(low, high + 1))
        self._check(bits == list(range(width)), "not all bits of a result were compared")
        product.ended = True
        self._product, self._noted = None, False

    def _line_U(self, number: str) -> None:
        assert self._state is not None
        self._check_covered(self._state, self._states[int(number)][0], self._core)
        self._noted = self._closed = True

    def _line_V(self, number: str, other: str) -> None:
        (state, inputs, product), (above, held, earlier) = self._states[int(number)], self._states[int(other)]
        self._check_covered(state, above, self._design.registers)
        driven = [number for number, (name, _) in self._design.inputs.items() if name and not name.startswith(FREE)]
        alike = all(inputs[each] == held[each] for each in driven)
        self._check(alike and earlier is not None and earlier.ended, "it is covered by no product that has ended")
        self._check(product is not None and product is self._product, "it is a state of another product")
        assert product is not None and earlier is not None
        product.ended, product.cycle, product.result = True, earlier.cycle, earlier.result
        self._product, self._closed = None, True

    def _check_covered(self, state: State, above: State, registers: Iterable[int]) -> None:
        left, right = self._uncovered(state, above, registers)
        self._check(left == right, "a state is not covered by the other one")

    def _end(self) -> None:
        """Every idle state is one from which products were given to the core, and all of these have ended."""
        self._check(self.products and all(product.ended for product in self.products), "a product has not ended")
        self._check(self._closed, "the core was left in an idle state that no other one covers")
        for number in self._idle:
            state = self._states[number][0]
            self._check(any(self._covers(state, product.start) for product in self.products),
                        f"no product begins in idle state {number}")  # fmt: skip

    def _covers(self, state: State, above: State) -> bool:
        try:
            self._check_covered(state, above, self._core)
        except WrongError:
            return False
        return True
