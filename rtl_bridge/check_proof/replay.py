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
| `L line term`, `C` | a line of the design has this value from this cycle on; the cycle ends |
| `N number`, `J number`, `M bench core` | record a state; go back to it; to the bench of one and the core of another |
| `P name turn`, `Z` | a product begins, and has ended |
| `Q output ago high low value bit` | bits of an output, so many cycles ago, are those of a value of the program |
| `D value bit term` | new variables stand for bits of a value |
| `U number`, `V number other` | the core's registers are covered by a recorded state; a recorded state by another |
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from limbtrace.rtl_bridge.check_proof import design as btor2
from limbtrace.rtl_bridge.check_proof.clauses import Question
from limbtrace.rtl_bridge.check_proof.known_bits import BitFacts
from limbtrace.rtl_bridge.check_proof.logic import FALSE, TRUE, BitWord, Logic, constant
from limbtrace.rtl_bridge.check_proof.program import GoldenProgram
from limbtrace.rtl_bridge.check_proof.records import CheckCounts, FollowedProduct, HeldState, ReplayedCycle, WrongError
from limbtrace.vectors.progress import Progress

Answer = Callable[[int, Callable[[int], Question]], bool]
"""Of the number of a line and a question by its depth: True if it is refuted; False if that is left open."""
FREE = "free_"
"""Begin of the names of inputs that hold anything."""


class LogReplay:
    """The state of a checker between two lines."""

    def __init__(
        self, design: btor2.DesignLines, operands: Mapping[str, int], core: Iterable[int], answer: Answer
    ) -> None:
        self.logic, self._design, self._core, self._answer = Logic(), design, set(core), answer
        self._known = BitFacts(self.logic)
        self.program, self.counts, self.products = GoldenProgram(operands), CheckCounts(), list[FollowedProduct]()
        self.inputs: dict[str, Counter[str]] = {}
        """Name -> the values that it was given, and in how many cycles."""
        self._number = 0
        self._terms: dict[int, BitWord] = {}
        self._written: dict[int, tuple[int, tuple[str, ...]]] = {}
        """Term -> the line of the certificate that says what it is, and its words."""
        self._operands = {
            name: self._known.variable(name, max(most.bit_length(), 1), most) for name, most in operands.items()
        }
        self._of_operands = (1 << len(self._known.names)) - 1
        self._known.live = self._of_operands
        self._set: dict[int, BitWord] = {}
        self._given: set[int] = set()
        self._now: dict[int, BitWord] = {}
        self._lines: dict[int, tuple[int, int]] = {}
        self._state: HeldState | None = None
        self._states: dict[int, tuple[HeldState, dict[int, BitWord], FollowedProduct | None, int]] = {}
        """Number -> registers, inputs, the product, and how often something was forgotten before."""
        self._cycles: list[ReplayedCycle] = []
        self._epoch = self._passed = 0
        self._forgets = False
        """True while lines are worked out that are forgotten."""
        self._product: FollowedProduct | None = None
        self._idle: list[int] = []
        self._noted, self._closed, self._shaken = False, True, True
        """Whether an idle state was recorded in this cycle, whether the last idle state of the core is covered, and
        whether the handshake was checked since the last cycle."""
        self._begin_epoch()

    def _begin_epoch(self) -> None:
        """Forget what was known of variables, which stand for other values from now on."""
        self._known.forget()
        self._values: dict[int, BitWord] = {}
        self._cycles, self._shaken = [], True
        self._epoch += 1
        if self._state is not None:
            self._known.live = self._of_operands | self._support_of(self._state)

    def follow(self, lines: Sequence[str]) -> None:
        """Check all lines. Raises WrongError."""
        with Progress("lines of the certificate", len(lines)) as progress:
            for self._number, line in enumerate(lines, start=1):
                self._follow(line)
                progress.advance()
        self._end()

    def _follow(self, line: str) -> None:
        letter, *words = line.split() or [""]
        method = getattr(self, f"_line_{letter}", None)
        self._check(method, f"not a line of a certificate, which begins with {letter!r}")
        assert method is not None
        try:
            method(*words)
        except (ValueError, LookupError, TypeError) as error:
            raise self._wrong(f"not a line of a certificate: {error}") from None

    def _wrong(self, sentence: str, line: int | None = None) -> WrongError:
        return WrongError(f"line {line or self._number}: {sentence}")

    def _check(self, holds: object, sentence: str, line: int | None = None) -> None:
        if not holds:
            raise self._wrong(sentence, line)

    def _support_of(self, state: HeldState) -> int:
        return self._known.support(bit for register in state for bit in self._register(state, register))

    def _settle(self, x: BitWord, y: BitWord, what: str, line: int | None = None) -> None:
        """Two words are equal, for what is known now, or by a refutation; else that is counted as open. A line of the
        certificate says so, by default the one that is read."""
        if x == y:
            return
        raw = [
            pair for pair in zip(x, y, strict=True) if pair[0] != pair[1] and not self._known.is_defined_alike(*pair)
        ]
        pairs = [(self._known.norm(one), self._known.norm(other)) for one, other in raw]
        pairs = [(one, other) for one, other in dict.fromkeys(pairs) if one != other]
        self._check(all({abs(one), abs(other)} != {TRUE} for one, other in pairs), f"{what}: it is another value", line)
        pairs = [pair for pair in pairs if not self._known.is_defined_alike(*pair)]
        if not pairs:
            return
        left, right = zip(*pairs, strict=True)
        try:
            holds = self._answer(
                self._number, lambda depth: Question(self.logic, left, right, self._known.equalities, depth)
            )
        except ValueError as error:
            raise self._wrong(f"{what}: {error}", line) from None
        if holds:
            self.counts.refuted += 1
        else:
            self.counts.open[what] += 1

    def _line_G(self, number: str, *words: str) -> None:
        self._check(int(number) == len(self.program.values), "a value of the program is out of order")
        self.program.add([*words])

    def _line_T(self, number: str, *words: str) -> None:
        self._check(int(number) not in self._written, "a term is there twice")
        self._written[int(number)] = self._number, words

    def _term(self, number: int) -> BitWord:
        """A term, which is made once it is needed, with those that it is made of."""
        waiting = [number]
        while waiting:
            top = waiting[-1]
            if top in self._terms:
                waiting.pop()
                continue
            line, (operation, width, *words) = self._written[top]
            operands, numbers = btor2.parts_of(operation, words)
            self._check(all(each < top for each in operands), "a term is made of a later one", line)
            if missing := [each for each in operands if each not in self._terms]:
                waiting += missing
                continue
            waiting.pop()
            if operation == "var":
                self._terms[top] = self._known.variable(words[1], int(width), int(words[0], 16))
                continue
            words_of = [self._terms[each] for each in operands]
            try:
                self._terms[top] = btor2.term(self.logic, operation, int(width), words_of, numbers)
            except (ValueError, LookupError, TypeError) as error:
                raise self._wrong(f"not a term: {error}", line) from None
        return self._terms[number]

    def _line_S(self, register: str, term: str) -> None:
        name, width = self._design.registers[int(register)]
        word = self._term(int(term))
        self._check(len(word) == width, f"register {name} has {width} bits")
        self._set[int(register)] = word

    def _line_K(self) -> None:
        if self._state is None:
            self._power_on()
            return
        for register, word in self._set.items():
            self._settle(word, self._register(self._state, register), f"register {self._design.registers[register][0]}")
        self._state = {**self._state, **self._set}
        self._set = {}

    def _power_on(self) -> None:
        """Registers hold a variable each, or their first value; without one, 0 is trusted."""
        self._check(self._set.keys() == self._design.registers.keys(), "a register has no value before the first cycle")
        self._state, self._set = self._set, {}
        for register, word in self._state.items():
            line = self._design.lines.get(self._design.initial.get(register, 0))
            first = None if line is None else btor2.value(self.logic, line, {}, ())
            if word != first and not self._known.is_fresh(word):
                self._check(first is None and word == constant(0, len(word)), "a register has another first value")
                self.counts.trusted["registers that are 0 at power-on"] += 1

    def _line_F(self) -> None:
        assert self._state is not None
        new = {**self._state, **self._set}
        old, self._set = self._state, {}
        self._forgets = True
        left, right = self._uncovered(old, new, self._design.registers)
        self._settle(left, right, "a register that is to hold what it held")
        self._forgets = False
        self._state = {register: self._register(new, register) for register in new}
        self.counts.states += 1
        self._begin_epoch()

    def _uncovered(self, old: HeldState, new: HeldState, registers: Iterable[int]) -> tuple[BitWord, BitWord]:
        """Bits of a more general state that have to be those of another one: all but variables of which each bit is
        there once. Raises WrongError if they depend on more than operands."""
        free, left, right = set[int](), list[int](), list[int]()
        for register in registers:
            held = self._register(new, register)
            before = held if all(map(self._may_be_free, held)) else self._register(old, register)
            for was, bit in zip(before, held, strict=True):
                if self._may_be_free(bit):
                    self._check(abs(bit) not in free, "a variable is in a state twice")
                    free.add(abs(bit))
                else:
                    left.append(was)
                    right.append(bit)
        for bit in free:
            whole = self._known.names[self.logic.nodes[bit][1]][1]
            self._check(self.logic.groups[whole[-1]][1] == (1 << len(whole)) - 1, "a variable of a state has a bound")
        outside = self._known.support(right) & ~self._of_operands
        self._check(not outside, "a state that does not cover the one before it")
        return tuple(left), tuple(right)

    def _may_be_free(self, bit: int) -> bool:
        return self.logic.nodes[abs(bit)][0] == "var" and not self._known.masks[abs(bit)] & self._of_operands

    def _line_I(self, number: str, term: str) -> None:
        self._now[int(number)] = self._term(int(term))
        self._given.add(int(number))

    def _line_L(self, number: str, term: str) -> None:
        self._lines[int(number)] = int(term), self._number

    def _line_C(self) -> None:
        self._check(self._state is not None and not self._set, "a cycle begins without a state")
        self._check(self._product or self._noted or not self._states, "an idle state was not recorded")
        if self._product and not self._shaken and self._output(0, "rule_o") != constant(0, 8):
            self.counts.trusted["handshakes in cycles in which nothing was claimed of them"] += 1
        assert self._state is not None
        known = not self._lines or max(self._lines) <= max(self._design.lines)
        self._check(known, "a line that the design does not have")
        before = self._cycles[-1] if self._cycles else None
        cycle = ReplayedCycle(self._state, self._lines, self._driven(), before)
        self._cycles.append(cycle)
        self._lines, self._given = dict(self._lines), set()
        self._state = {number: (cycle, self._design.following[number]) for number in self._design.registers}
        self._passed += 1
        self._noted = self._shaken = False

    def _output(self, ago: int, name: str) -> BitWord:
        """An output, so many cycles ago."""
        return self._value(self._cycles[-1 - ago], self._design.outputs[name])

    def _register(self, state: HeldState, register: int) -> BitWord:
        """The word that a register holds."""
        held = state[register]
        return self._value(*held) if isinstance(held[0], ReplayedCycle) else held

    def _value(self, cycle: ReplayedCycle, number: int) -> BitWord:
        """The value of a line in a cycle, which is worked out once it is needed, with what it depends on."""
        waiting = [(cycle, abs(number))]
        while waiting:
            at, line = waiting[-1]
            if line in at.known:
                waiting.pop()
            elif line in at.state:
                held = at.state[line]
                if isinstance(held[0], ReplayedCycle):
                    earlier, source = held
                    if abs(source) not in earlier.known:
                        waiting.append((earlier, abs(source)))
                        continue
                    at.known[line] = earlier.at(source)
                else:
                    at.known[line] = held
            elif missing := [each for each in self._operands_of(line) if each not in at.known]:
                waiting += [(at, each) for each in missing]
            else:
                at.known[line] = self._worked_out(at, line)
        return cycle.at(number)

    def _operands_of(self, line: int) -> list[int]:
        operation, _, operands = self._design.lines[line]
        count = 0 if operation == "const" else 1 if operation in ("slice", "uext", "sext") else 3
        return [abs(each) for each in operands[:count]]

    def _worked_out(self, cycle: ReplayedCycle, line: int) -> BitWord:
        """The value of a line by its operation; what the proof says that it is, if it does."""
        operation, width, _ = self._design.lines[line]
        given, last = cycle.given.get(line), cycle.before
        division = operation in btor2.DIVISIONS
        alike = last is not None and line in last.known and last.given.get(line) == given and not division
        if (
            last is not None
            and alike
            and all(cycle.known[each] == last.known.get(each) for each in self._operands_of(line))
        ):
            return last.known[line]
        term = None if given is None else self._term(given[0])
        made = btor2.value(self.logic, self._design.lines[line], cycle.known,
                           self._undefined(term, width) if division else ())  # fmt: skip
        if given is None or term is None:
            return made
        self.counts.lines += 1
        self._check(len(term) == width, f"line {line} of the design has {width} bits", given[1])
        if self._forgets and made != term:
            return made  # of which only constants matter, for which it may do
        self._settle(made, term, f"line {line} of the design ({operation})", given[1])
        return term

    def _undefined(self, given: BitWord | None, width: int) -> BitWord:
        """The variable that a division has for a divisor of 0."""
        new = self._known.support(given or ()) & ~self._known.live
        while new:
            bits = self._known.words[new.bit_length() - 1]
            new &= ~(1 << new.bit_length() - 1)
            if len(bits) == width and self._known.is_fresh(bits):
                return bits
        return self._known.variable(f"division {self._number} {len(self._known.names)}", width, (1 << width) - 1)

    def _driven(self) -> dict[int, BitWord]:
        """The inputs of a cycle: what is unknown is a variable of its own, all others are constants or operands."""
        values: dict[int, BitWord] = {}
        for number, (name, width) in self._design.inputs.items():
            if number not in self._now or (not name and number not in self._given):
                values[number] = self._known.variable(f"input {number} {self._passed}", width, (1 << width) - 1)
                continue
            values[number] = word = self._now[number]
            self._check(len(word) == width, f"input {name or number} has {width} bits")
            support = self._known.support(word)
            is_free = not name or name.startswith(FREE)
            if is_free and not support:
                self._check(name, f"input {number} is unknown and is given a value")
            elif is_free:
                self._check(number in self._given and self._known.is_fresh(word), f"input {name or number} is not free")
                continue
            self._check(not support & ~self._of_operands, f"input {name} depends on more than operands")
            said = "of the operands" if support else f"{sum((bit > 0) << k for k, bit in enumerate(word)):#x}"
            self.inputs.setdefault(name, Counter())[said] += 1
        return values

    def _line_N(self, number: str) -> None:
        assert self._state is not None
        self._check(not self._set, "a state is recorded in the midst of another one")
        self._noted = True
        if self._product is None:
            self._state = {register: self._register(self._state, register) for register in self._state}
        self._states[int(number)] = self._state, dict(self._now), self._product, self._epoch
        if self._product is None:
            self._idle.append(int(number))

    def _line_J(self, number: str) -> None:
        self._state, _, _, epoch = self._states[int(number)]
        self._check(epoch == self._epoch, "a state in the midst of a product that was left behind")
        self._shaken = True

    def _recorded(self, number: str | int) -> HeldState:
        """A state that was recorded, and that follows from no cycle that was left behind."""
        state = self._states[int(number)][0]
        whole = not any(isinstance(word[0], ReplayedCycle) for word in state.values())
        self._check(whole, "a state in the midst of a product that was left behind")
        return state

    def _line_M(self, bench: str, core: str) -> None:
        self._check(self._closed, "the core was left in an idle state that no other one covers")
        one, other = self._recorded(bench), self._recorded(core)
        inner = {number: word for number, word in other.items() if number in self._core}
        outer = {number: word for number, word in one.items() if number not in self._core}
        masks = [self._support_of(state) for state in (inner, outer)]
        self._check(not masks[0] & masks[1], "registers of the core and of its bench have variables in common")
        if bench != core:
            self.counts.trusted[f"that {len(outer)} registers of the bench go with another idle state of the core"] += 1
        self._state = {**outer, **inner}
        self._begin_epoch()
        self._product = None

    def _line_P(self, name: str, turn: str) -> None:
        assert self._state is not None
        self._check(not self._support_of(self._state) & self._of_operands, "operands are there before the product")
        self._product = FollowedProduct(f"{name} {turn}", self._state, self._passed)
        self.products.append(self._product)
        self._closed = False
        self._shaken = True

    def _line_Q(self, output: str, ago: str, high: str, low: str, value: str, bit: str) -> None:
        first, width = int(low), int(high) - int(low) + 1
        self._check(0 <= int(ago) < len(self._cycles), f"a claim about {output} in a cycle that was left behind")
        seen = self._output(int(ago), output)[first : first + width]
        wanted = self.program.shown(value, int(bit), len(seen), self._golden(value))
        self._settle(seen, wanted, f"{output} is what the model says")
        self._known.unify(seen, wanted)
        self.counts.claims += 1
        if output == "rule_o" and value == "#0" and width == 8 and ago == "0":
            self._shaken = True
        if output == "result_o" and self._product is not None:
            cycle = self._passed - 1 - int(ago)
            self._check(self._output(int(ago), "done_o") == (TRUE,), "a result is compared in a cycle without done")
            self._check(self._product.cycle in (-1, cycle - self._product.began), "results in several cycles")
            self._product.cycle = cycle - self._product.began
            self._product.result += ((int(high), first, value, int(bit)),)

    def _golden(self, value: str) -> dict[int, BitWord]:
        for number in self.program.needed(value, self._values):
            self._values[number] = self.program.word(self.logic, number, self._operands, self._values)
        return self._values

    def _line_D(self, value: str, low: str, term: str) -> None:
        new, first, number = self._term(int(term)), int(low), int(value)
        old = self._golden(value)[number]
        end = first + len(new)
        self._check(end <= len(old), "more bits of a value are replaced than it has")
        least, most = self.program.range_of(value)
        self._name(new, old[first:end], most >> first if end == len(old) and least >= 0 else None)
        self._values[number] = old[:first] + new + old[end:]
        self._known.unify(old[first:end], new)
        self.counts.cuts += 1

    def _name(self, new: BitWord, old: BitWord, most: int | None) -> None:
        """New variables stand for parts of a value, whose largest value is `most` if it is known; other parts are equal
        already."""
        at = 0
        while at < len(new):
            kind, *rest = self.logic.nodes[abs(new[at])]
            mask, whole = self._known.names[rest[0]] if kind == "var" else (0, ())
            size = len(whole)
            if not whole or new[at : at + size] != whole or mask & self._known.live:
                self._settle(new[at : at + 1], old[at : at + 1], "a part of a value that keeps its name")
                at += 1
                continue
            self._known.live |= mask
            self._known.defined |= mask
            self._known.definitions |= dict(zip(whole, old[at : at + size], strict=True))
            limit, part = self.logic.groups[whole[-1]][1], old[at : at + size]
            known = most is not None and at + size == len(new) and most >> at <= limit
            if not known and self.logic.most(tuple(map(self._known.norm, part))) > limit:
                above = self.logic.less(constant(limit, size), tuple(map(self._known.norm, part)))
                self._settle((above,), (FALSE,), "the range of a value")
            at += size

    def _line_Z(self) -> None:
        product = self._product
        assert product is not None
        width = len(self._output(0, "result_o"))
        bits = sorted(bit for high, low, _, _ in product.result for bit in range(low, high + 1))
        self._check(bits == list(range(width)), "not all bits of a result were compared")
        product.ended = True
        self._product, self._noted = None, False

    def _line_U(self, number: str) -> None:
        assert self._state is not None
        self._check_covered(self._state, self._recorded(number), self._core)
        self._noted = self._closed = True

    def _line_V(self, number: str, other: str) -> None:
        (_, inputs, product, _), (_, held, earlier, _) = self._states[int(number)], self._states[int(other)]
        self._check_covered(self._recorded(number), self._recorded(other), self._design.registers)
        driven = [number for number, (name, _) in self._design.inputs.items() if name and not name.startswith(FREE)]
        alike = all(inputs[each] == held[each] for each in driven)
        self._check(alike and earlier is not None and earlier.ended, "it is covered by no product that has ended")
        self._check(product is not None and product is self._product, "it is a state of another product")
        assert product is not None
        assert earlier is not None
        product.ended, product.cycle, product.result = True, earlier.cycle, earlier.result
        self._product, self._closed = None, True

    def _check_covered(self, state: HeldState, above: HeldState, registers: Iterable[int]) -> None:
        left, right = self._uncovered(state, above, registers)
        self._check(left == right, "a state is not covered by the other one")

    def _end(self) -> None:
        """Every idle state is one from which products were given to the core, and all of these have ended."""
        self._check(self.products and all(product.ended for product in self.products), "a product has not ended")
        self._check(self._closed, "the core was left in an idle state that no other one covers")
        for number in self._idle:
            state = self._recorded(number)
            self._check(any(self._covers(state, product.start) for product in self.products),
                        f"no product begins in idle state {number}")  # fmt: skip

    def _covers(self, state: HeldState, above: HeldState) -> bool:
        try:
            self._check_covered(state, above, self._core)
        except WrongError:
            return False
        return True
