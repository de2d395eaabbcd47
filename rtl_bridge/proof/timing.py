# SPDX-License-Identifier: Apache-2.0
"""Times of a core that do not depend on data: its handshake in every cycle, and the addresses of memories.

The core is stepped in its shell as for a proof, with operands as variables. What is a constant in a cycle does not
depend on them; of what is a term, the solver says whether it has one value. No model is needed.

At first every register that holds data may hold anything in each cycle (taint), which takes seconds at any width. Where
that leaves a signal open, the products are followed again with the terms of their data.
"""

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.interface.pins import ports_in
from limbtrace.rtl_bridge.proof.bench import MOST_STATES, CoreState, Cycle, StartState, SymbolicBench, uncovered
from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool, cone
from limbtrace.rtl_bridge.proof.btor2 import SteppedDesign
from limbtrace.rtl_bridge.proof.dependence import Judge, TwoValuations
from limbtrace.rtl_bridge.proof.elaborate import INSIDE
from limbtrace.rtl_bridge.proof.memory_ports import MemoryPort
from limbtrace.rtl_bridge.proof.scenarios import BEHIND, FIRST, NEXT, first_turn, following
from limbtrace.rtl_bridge.proof.signed_terms import on_port
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.progress import Progress
from limbtrace.vectors.proof import ProductName, TimingKind, TimingSource

CONSTANTS = "constant "
"""Prefix of variables that stand for constants of another modulus."""
_BENCH = {"u_sequencer.accept_i": "accept", "u_sequencer.result_valid_i": "done"}
"""Nets of the bench: the core takes a product, and it is done; each with its name in reports."""
_FLAGS = ("started", "finished", "done", "ready")
"""Outputs of the bench that follow the handshake of the core."""


@dataclass(frozen=True)
class ObservedSignal:
    """A signal that must have one value in each cycle."""

    name: str
    kind: TimingKind
    bits: tuple[tuple[str, int | None], ...]
    """(net, bit of it) of the design; None for all bits of the net."""


@dataclass(frozen=True)
class Dependence:
    """A signal that does not have one value in a cycle."""

    signal: str
    kind: TimingKind
    product: ProductName
    cycle: int | None
    """From the one after the start; None before the start."""
    why: TwoValuations | None
    """None where the solver did not decide."""
    exact: bool
    """True if the products follow a reset, with all that it and they left."""

    @property
    def is_certain(self) -> bool:
        """True if operands alone make the difference, whatever the registers held before the reset.

        A variable in place of something that was forgotten may have values that do not go with those operands.
        """
        if self.why is None or not self.exact:
            return False
        one, other = self.why.values
        known = all(is_operand(name) or source_of(name) == "power-on" for name in one)
        return known and all(is_operand(name) for name in one if one[name] != other[name])


class DependenceError(Exception):
    """The time of the core depends on data from here on."""

    def __init__(self, signal: str, why: TwoValuations | None) -> None:
        super().__init__(signal)
        self.signal, self.why = signal, why


def observed(shell: Shell, design: SteppedDesign, ports: Sequence[MemoryPort]) -> list[ObservedSignal]:
    """The handshake outputs of a core, its address outputs, and the ports of the memories inside it."""
    bound = shell.bound
    file, protocol = bound.core.file, bound.protocol
    wires = [*protocol.bits(), *(wire for wire in protocol.wires(bound) if bound.ports[wire.port].width == 1)]
    outputs = [wire.port for wire in wires if wire.direction != "input"]
    whole = [ObservedSignal(pin, "handshake", _nets(pin)) for pin in outputs if pin.removeprefix("!") in ports_in(pin)]
    found = [each for each in whole if all(design.has(net) for net, _ in each.bits)]
    found += [ObservedSignal(name, "handshake", ((net, None),)) for net, name in _BENCH.items()]
    addresses = [name for _, value in file.fetched for name in (value.address, value.enable)]
    addresses += [file.result.address, file.result.enable] if file.result.enable else []
    found += [ObservedSignal(pin, "address", _nets(pin)) for pin in dict.fromkeys(addresses) if pin]
    found += [ObservedSignal(f"{port.kind} of {port.memory}", "address", port.bits) for port in ports]
    for each in found:
        for net, _ in each.bits:
            if not design.has(net):
                raise ToolError(f"{net}, for {each.name}, is not in the design that Yosys wrote")
    return found


def _nets(pin: str) -> tuple[tuple[str, int | None], ...]:
    return tuple((f"{INSIDE}{port}", None) for port in ports_in(pin))


class TimedBench(SymbolicBench):
    """The bench, which asks the judge about each observed signal in each cycle, and stops where the time depends."""

    def __init__(
        self, shell: Shell, design: SteppedDesign, pool: TermPool, judge: Judge, what: Sequence[ObservedSignal]
    ):
        super().__init__(shell, design, pool, free=False)
        self._stepped, self._terms, self._judge, self._what = design, pool, judge, what
        self.looks = False
        """True once a product is there."""
        self.from_reset = False
        """True until the first product has started: signals that no operand changes are passed over."""
        self.insists = False
        """True to look for a cycle in which an address depends on operands, where an earlier one depends on others."""
        self.addresses: dict[str, tuple[int, TwoValuations | None]] = {}
        """Addresses that do not have one value: the first cycle of the bench, and why."""

    def give(self, constants: BitTerm) -> None:
        """Put a term in place of the constants of the modulus."""
        self._inputs["constants_i"] = constants

    def step(self, *, alone: bool = False) -> Cycle:
        """One clock cycle as in a proof, of which there is nothing but the handshake."""
        outputs, nothing = self._step(alone=alone), self._terms.constant(1, 0)
        flags = {name: bool(outputs[f"{name}_o"].value) for name in _FLAGS}
        return Cycle(nothing, nothing, nothing, **flags)

    def _step(self, *, alone: bool = False) -> dict[str, BitTerm]:
        outputs = super()._step(alone=alone)
        if not self.looks:
            return outputs
        settled: dict[BitTerm, BitTerm] = {}
        for each in self._what:
            if self._is_settled(each.name):
                continue
            term = self._value(each)
            if term.is_constant or (self.from_reset and not _has_operands(term)):
                continue
            found = self._judge(term)
            if isinstance(found, int):
                settled |= self._known(term, found)
            elif each.kind == "handshake":
                raise DependenceError(each.name, found)
            else:
                self._keep(each.name, found)
        for name in _FLAGS:
            term = outputs[f"{name}_o"]
            found = self._judge(term)
            if not isinstance(found, int):
                raise DependenceError(name, found)
            outputs[f"{name}_o"] = self._terms.constant(term.width, found)
            settled |= self._known(term, found)
        if settled:
            self.replace(settled)
        return outputs

    def _is_settled(self, name: str) -> bool:
        """True if no later cycle says more of an address: with data as terms, it may be one where operands matter."""
        if name not in self.addresses:
            return False
        why = self.addresses[name][1]
        return not self.insists or (why is not None and why.source == "operands")

    def _keep(self, name: str, why: TwoValuations | None) -> None:
        known = name in self.addresses
        if not known or (why is not None and why.source == "operands"):
            self.addresses[name] = self.now - 1, why

    def _value(self, each: ObservedSignal) -> BitTerm:
        parts = []
        for net, bit in each.bits:
            whole = self._stepped.seen(net)
            assert whole is not None
            parts.append(whole if bit is None else self._terms.extract(whole, bit, bit))
        return self._terms.concat(reversed(parts))

    def _known(self, term: BitTerm, value: int) -> dict[BitTerm, BitTerm]:
        """A term that has one value, and its inverse, as constants."""
        if term.is_constant:
            return {}
        known = {term: self._terms.constant(term.width, value)}
        if term.width == 1:
            known[self._terms.bvnot(term)] = self._terms.constant(1, 1 - value)
        return known


def source_of(name: str) -> TimingSource:
    """The meaning of a variable, by its name."""
    if name.startswith(CONSTANTS):
        return "modulus"
    if name.startswith("power-on "):
        return "power-on"
    return "operands" if is_operand(name) and "_" not in name else "earlier"


def is_operand(name: str) -> bool:
    """True for variables of operands: a and b with the number of the product, or of the product before it."""
    return name[:1] in ("a", "b") and name[1:].replace("_", "").isdigit()


def _has_operands(term: BitTerm) -> bool:
    return any(part.operation == "var" and is_operand(str(part.detail)) for part in cone([term]))


def operand_name(letter: str, number: int, before: int = 0) -> str:
    """Name of the variable of an operand of product `number` of a stream, `before` products earlier."""
    return f"{letter}{number}" if not before else f"{letter}{number}_{before}"


class TimingAnalysis:
    """All products of a core in its shell, for all operands: which of its signals do not have one value."""

    def __init__(
        self, shell: Shell, design: SteppedDesign, pool: TermPool, judge: Judge, what: Sequence[ObservedSignal],
        varying: Mapping[str, int], *, taint: bool,
    ) -> None:  # fmt: skip
        """`varying`: bits of the constants, by name, that are anything, since they are of another modulus.

        `taint`: whatever holds data may hold anything in each cycle.
        """
        self._shell, self._pool, self._judge, self._what = shell, pool, judge, what
        self._design = design.sliced(
            [*(f"{name}_o" for name in _FLAGS), *(net for each in what for net, _ in each.bits)]
        )
        self._varying, self._taint = varying, taint
        self.cycles: dict[ProductName, set[int]] = {}
        """Cycles from start to done, of each kind of product."""
        self.found: list[Dependence] = []
        self.ends = math.inf
        """Monotonic time from which on nothing is followed any longer."""
        self._begun: dict[tuple[ProductName, int], list[StartState]] = {}

    def run(self, enough: frozenset[str] = frozenset()) -> None:
        """Every product up to the first one whose time depends on data. Raises ParameterError where none ends.

        Signals in `enough` are those that may depend on data: once it is certain that they do, nothing is left to ask.
        Raises TimeoutError, and RecursionError where terms are too deep.
        """
        self._run(enough)
        if not self._taint and not all(each.is_certain for each in self.found):
            self._after_a_reset()

    def _run(self, enough: frozenset[str]) -> None:
        with Progress("cycles of the core", 0) as progress:
            self._progress = progress
            bench = self._bench()
            bench.reset()
            reset = bench.state
            known: list[CoreState] = []
            rested = bench.state
            for phase in self._rest(bench):
                self._expect(1)
                bench.state = {**reset, **phase}
                if not self._product(bench, FIRST, first_turn(self._shell.bound)):
                    continue
                certain = {each.signal for each in self.found if each.is_certain}
                if self._stops or (enough and certain >= enough):
                    return
                known += uncovered(known, self._rest(bench))
                rested = bench.state
            waiting = [*known]
            while waiting:
                self._expect(len(waiting))
                phase = waiting.pop(0)
                for name, turn in following(self._shell.bound):
                    bench.state = {**rested, **phase}
                    if not self._product(bench, name, turn):
                        continue
                    if self._stops:
                        return
                    new = uncovered(known, self._rest(bench))
                    rested = bench.state
                    known += new
                    waiting += new
                if len(known) > MOST_STATES:
                    raise self._error(f"has more than {MOST_STATES} idle states, and no proof is made of that")

    def _expect(self, states: int) -> None:
        """So many cycles are left, as far as the idle states that are known say."""
        each = self._shell.bound.longest + sum(self._shell.bound.words) + 8
        products = 2 * len(following(self._shell.bound)) - 1  # those behind another one come with it
        self._progress.total = self._progress.done + states * products * each

    @property
    def _stops(self) -> bool:
        return any(each.kind == "handshake" for each in self.found)

    def _error(self, what: str) -> ParameterError:
        return ParameterError("core", f"{self._shell.bound.core.file.name} {what}")

    def _bench(self) -> TimedBench:
        bench = TimedBench(self._shell, self._design, self._pool, self._judge, self._what)
        if self._varying:
            bench.give(self._pool.concat(reversed([*self._constants()])))
        return bench

    def _constants(self) -> Iterator[BitTerm]:
        for field in self._shell.constants:
            if field.name in self._varying:
                yield self._pool.variable(f"{CONSTANTS}{field.name}", field.width)
            else:
                yield self._pool.constant(field.width, field.value)

    def _rest(self, bench: TimedBench) -> list[CoreState]:
        """The idle states of the core behind a product."""
        bench.looks = False
        phases = bench.rest(lambda: bench._step(alone=True))
        if phases is None:
            raise self._error("has no idle state that lasts, and no proof is made of that")
        return phases

    def operand(self, letter: str, before: int = 0) -> BitTerm:
        """The operands of a stream as the shell takes them: any that the core takes."""
        pool, shell, bound = self._pool, self._shell, self._shell.bound
        width, limit = shell.product_width(letter), bound.limits["ab".index(letter)]
        images = []
        for number in range(len(bound.starts)):
            name = operand_name(letter, number, before)
            if (signed := bound.signed.get(letter)) is not None:
                most = signed.count - 1
                images.append(on_port(pool, signed, pool.variable(name, most.bit_length(), most), width))
                continue
            if not shell.is_plain(letter) and len(bound.starts) == 1:
                images.append(pool.variable(name, width))  # digits, of any value
                continue
            most = (1 << limit.bit_length()) - 1 if self._varying else limit
            most = min(most, (1 << width) - 1)
            images.append(pool.extend(pool.variable(name, max(most.bit_length(), 1), most), width))
        return pool.extend(pool.concat(reversed(images)), shell.operand_width(letter))

    def _product(self, bench: TimedBench, name: ProductName, turn: int, before: int | None = None) -> bool:
        """One product from where the core is; False where what is there leads to one that was seen before.

        `before`: with everything that earlier products left, and not with anything in its place.
        """
        bench.looks, bench.from_reset = True, name == FIRST
        bench.addresses.clear()
        bench.insists = not self._taint
        operands = self.operand("a", before or 0), self.operand("b", before or 0)
        course = _Course(bench, name, loads=self._loads, exact=before is not None, taint=self._taint)
        begun = self._begun.setdefault((name, turn), [])
        exact = before is not None
        limit = self._shell.bound.limit
        try:
            bench.offer(turn, *operands, limit)
            offered = bench.now
            while not course.done:
                if bench.now - offered > limit:
                    raise self._error(f"is not done within {limit} cycles, and no proof is made of that")
                if time.monotonic() > self.ends:
                    raise TimeoutError
                course.step()
                self._progress.advance()
                if before is None and course.waits and any(known.covers(course.path[-1]) for known in begun):
                    return False
        except DependenceError as error:
            at = course.cycle(bench.now - 1)
            self._note(Dependence(error.signal, "handshake", name, at, error.why, exact))
            return True
        finally:
            for signal, (at, why) in bench.addresses.items():
                self._note(Dependence(signal, "address", name, course.cycle(at), why, exact))
        begun += course.path
        assert course.started is not None
        self.cycles.setdefault(name, set()).add((course.finished or bench.now) - course.started - 1)
        return True

    def _note(self, found: Dependence) -> None:
        """Keep the first dependence of a signal; one whose products follow a reset in place of another one."""
        for number, known in enumerate(self.found):
            if known.signal == found.signal:
                if found.is_certain and not known.is_certain:
                    self.found[number] = found
                return
        self.found.append(found)

    @property
    def _loads(self) -> bool:
        file = self._shell.bound.core.file
        return file.memory is not None or bool(file.protocol.loaded(file))

    def _after_a_reset(self) -> None:
        """A product after a reset, then two, with all that was there before: operands that show what is still open."""
        turn = first_turn(self._shell.bound)
        for course in ((0,), (1, 0)):
            bench = self._bench()
            bench.reset()
            for number, before in enumerate(course):
                if self._stops and any(each.is_certain for each in self.found):
                    return
                self._product(bench, NEXT if number else FIRST, turn, before=before)


class _Course:
    """The cycles of one product on the bench."""

    def __init__(self, bench: TimedBench, name: ProductName, *, loads: bool, exact: bool, taint: bool) -> None:
        self._bench, self._name, self._loads, self._exact, self._taint = bench, name, loads, exact, taint
        self.started: int | None = None
        self.finished: int | None = None
        self.done = False
        self.path: list[StartState] = []
        """States of the core in the cycles until the product starts."""

    @property
    def waits(self) -> bool:
        """True before the start, if a state was noted."""
        return self.started is None and bool(self.path)

    def cycle(self, at: int) -> int | None:
        """A cycle of the bench counted from the start."""
        return None if self.started is None or at <= self.started else at - self.started - 1

    def step(self) -> None:
        """One cycle; until the product starts, anything may be left of what was before, other than operands."""
        bench, now, state = self._bench, self._bench.now, self._bench.state
        if self._taint:
            before = bench.begin(_nothing, _nothing)
            self.path += [before] if self.started is None else []
            self._note(bench.step(alone=True), now)
            return
        idles = self.started is None and self._name != BEHIND and not self._exact
        if idles:
            self.path.append(bench.begin(_of_operands, _of_operands))
        cycle = bench.step(alone=idles)
        if cycle.started and self._name == BEHIND:
            bench.state, bench.now = state, now
            self.path.append(bench.begin(_of_operands, self._loaded))
            cycle = bench.step()
        self._note(cycle, now)

    def _loaded(self, held: BitTerm) -> bool:
        return self._loads and _of_operands(held)

    def _note(self, cycle: Cycle, at: int) -> None:
        if cycle.started and self.started is None:
            self.started, self._bench.from_reset = at, False
        if cycle.finished and self.finished is None:
            self.finished = at
        self.done = cycle.done


def _nothing(held: BitTerm) -> bool:
    return False


def _of_operands(held: BitTerm) -> bool:
    """True if a register has what the operands alone make it."""
    return all(is_operand(str(part.detail)) for part in cone([held]) if part.operation == "var")
