# SPDX-License-Identifier: Apache-2.0
"""A core in its shell, driven on terms as the bridge drives it in a simulation."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool, pieces
from limbtrace.rtl_bridge.proof.btor2 import SteppedDesign
from limbtrace.rtl_bridge.proof.cases import HandshakeCase
from limbtrace.rtl_bridge.proof.elaborate import Registers
from limbtrace.rtl_bridge.proof.free_fronts import IN_FRONT
from limbtrace.rtl_bridge.proof.free_inputs import PREFIX
from limbtrace.rtl_bridge.proof.proof_log import NO_LOG, ProofLog
from limbtrace.rtl_bridge.proof.substitute import replaced
from limbtrace.rtl_bridge.protocols.fields import pack
from limbtrace.rtl_bridge.shell.text import Shell

RESET = 4
"""Cycles of a reset at least, as in lt_clock.sv."""
SETTLE = 3
"""Cycles after it: a reset may come through registers."""
ROW = 3
"""Cycles from the one with the start to the one in which the shell shows row 0."""
STALL_SEED = 0x2C35
"""Of streams whose products are told apart by their order; any but 0."""
MOST_STATES = 64
"""Idle states of a core, and cycles until one of them lasts."""
SEQUENCER = "u_sequencer."
"""Prefix of the names of the registers of the bench that say what comes next."""
PAUSE = f"{SEQUENCER}pause_q"
"""Register of the bench with the cycles that a product still waits before it is offered."""


_FLAGS = ("started", "finished", "done", "ready")
"""Outputs of the shell that say how far a product is."""

CoreState = Mapping[int, BitTerm]
"""The registers of a core by their numbers: it stands for all states with the bits that are known."""


@dataclass(frozen=True)
class Cycle:
    """Outputs of the shell in a cycle."""

    row: BitTerm
    result: BitTerm
    rule: BitTerm
    """Number of the rule of the handshake that was broken; 0 for none."""
    started: bool
    finished: bool
    done: bool
    ready: bool


@dataclass(frozen=True)
class CaseCycle:
    """Outputs of a cycle in a case."""

    case: HandshakeCase
    cycle: Cycle
    signals: frozenset[str]
    """The outputs of the shell by which it was split from other cases."""


@dataclass(frozen=True)
class StartState:
    """State of a core and its bench before a product starts."""

    free: CoreState
    """Registers of which what is not known is a variable of its own."""
    kept: CoreState
    """Those with a value that depends on the product's operands."""

    @property
    def registers(self) -> CoreState:
        """All registers of the core and its bench."""
        return {**self.free, **self.kept}

    def covers(self, other: "StartState") -> bool:
        """True if whatever follows the other state follows this one, too."""
        state = other.registers
        return all(state[number] is term for number, term in self.kept.items()) and covers(self.free, state)


@dataclass(frozen=True)
class IdleState:
    """A state in which the core may be given a product."""

    core: CoreState
    bench: CoreState
    """What the bench has seen of the core, where that is not what it has seen when it rests."""
    is_first: bool = False
    """True in the first cycle in which the core may be given a product."""


class SymbolicBench:
    """The shell from power-on: registers of the core hold anything, those of the shell 0 or what it gives them."""

    def __init__(
        self, shell: Shell, design: SteppedDesign, pool: TermPool, *, free: bool = True, log: ProofLog = NO_LOG
    ) -> None:
        """`free`: inputs that the core must not sample hold anything; else they hold still."""
        self._shell, self._design, self._pool, self._log = shell, design, pool, log
        registers = Registers(shell)
        self._core = {n: register.name for n, register in design.registers.items() if registers.in_core(register.name)}
        given = design.initial(pool)
        trusts = shell.bound.core.file.reset is None
        self.state: dict[int, BitTerm] = {}
        for number, register in design.registers.items():
            inside = number in self._core
            if inside and not (trusts and number in given):
                self.state[number] = pool.variable(f"power-on {register.name} {number}", register.width)
            else:
                self.state[number] = given.get(number, pool.constant(register.width, 0))
        self._inputs: dict[str, BitTerm] = {}
        self.now = 0
        """Cycles so far."""
        widths = dict(design.inputs.values())
        stalls = STALL_SEED if shell.bound.in_order else 0
        self._set(rst_i=1, sample_i=1, unknown_i=int(free), constants_i=pack(shell.constants), stall_seed_i=stalls)
        for name, width in widths.items():
            if name and name not in self._inputs and not name.startswith(PREFIX):
                self._inputs[name] = pool.constant(width, 0)

    def _set(self, **values: int) -> None:
        widths = dict(self._design.inputs.values())
        for name, value in values.items():
            if name in widths:
                self._inputs[name] = self._pool.constant(widths[name], value)

    def reset(self) -> None:
        """Reset the core: since its registers hold anything before that, longer resets are covered, too."""
        self._set(rst_i=1)
        for _ in range(RESET):
            self._step()
        self._set(rst_i=0)
        for _ in range(SETTLE):
            self._step()

    def put_in_front(self, a: BitTerm, b: BitTerm) -> None:
        """The operands of a product in front of the next ones, if it has operands of its own."""
        self._inputs |= {f"{letter}{IN_FRONT}": term for letter, term in (("a", a), ("b", b))}

    def offer(self, turn: int, a: BitTerm, b: BitTerm, limit: int, *, at_once: bool = False) -> None:
        """Wait until the shell takes a product, for at most `limit` cycles, and give it one; `turn` is its number.

        `at_once`: the core is given it without waiting itself.

        Raises ParameterError where an output of the handshake depends on data.
        """
        self._set(turn_i=turn)
        self._inputs |= {"a_i": a, "b_i": b}
        self._set(valid_i=1)
        core = self.shape()
        for _ in range(limit):
            if self.step().ready:
                break
        if at_once:
            self.state = {**self.state, **core}
        self._set(valid_i=0)

    def step(self, *, alone: bool = False) -> Cycle:
        """One clock cycle; `alone`: everything is forgotten before it, and after it or in no cycle that is alone.

        Raises ParameterError where an output of the handshake depends on data.
        """
        return self._shown(self._step(alone=alone))

    def split(self, case: HandshakeCase, settled: Callable[[HandshakeCase], HandshakeCase | None]) -> list[CaseCycle]:
        """One clock cycle of a product in a case: in each of the cases that its handshake makes of it.

        `settled`: a case with values that fulfil its assumptions, if they are found; None if there are none. The
        registers of the bench are those of `case`.
        """
        outputs = self._step()
        waiting, found = [(case, outputs, frozenset[str]())], list[CaseCycle]()
        while waiting:
            now, shown, signals = waiting.pop()
            name = next((name for name in _FLAGS if not shown[f"{name}_o"].is_constant), None)
            if name is None:
                found.append(CaseCycle(now, self._shown(shown), signals))
                continue
            bit = shown[f"{name}_o"]
            for value in (0, 1):
                if (more := settled(now.assume(self._pool, bit, value))) is not None:
                    shows = dict(zip(shown, replaced(self._pool, shown.values(), more.known[-1]), strict=True))
                    waiting.append((more, shows, signals | {name}))
        return found

    def _shown(self, outputs: Mapping[str, BitTerm]) -> Cycle:
        flags = {name: self._flag(f"{name}_o", outputs) for name in _FLAGS}
        return Cycle(outputs["row_o"], outputs["result_o"], outputs["rule_o"], **flags)

    def _step(self, *, alone: bool = False) -> dict[str, BitTerm]:
        outputs, self.state = self._design.step(self._pool, self.state, self._inputs, alone=alone, log=self._log)
        self.now += 1
        return outputs

    def _flag(self, name: str, outputs: Mapping[str, BitTerm]) -> bool:
        bit = outputs[name]
        if not bit.is_constant:
            what = f'"{name[:-2]}" of {self._shell.bound.core.file.name} depends on data'
            raise ParameterError("core", f"{what} in cycle {self.now - 1} of the bench, and no proof is made of that")
        return bool(bit.value)

    def replace(self, by: dict[BitTerm, BitTerm]) -> None:
        """Put other terms in place of terms, in all registers."""
        numbers = list(self.state)
        self.state = dict(zip(numbers, replaced(self._pool, self.state.values(), by), strict=True))

    def forget(self) -> None:
        """Let every bit of the core and of the bench that is not the same for all operands be anything."""
        self._forget(self.state)
        self._log.forget(self.state)

    def begin(self, kept: Callable[[BitTerm], bool], loaded: Callable[[BitTerm], bool]) -> "StartState":
        """Let every bit be anything that is neither known, nor `kept` in the bench, nor `loaded` in the core.

        A word of an operand may be a part of a register.
        """
        held = {}
        for number, term in self.state.items():
            keeps = loaded if number in self._core else kept
            if not term.is_constant and any(keeps(part) for part in pieces(term) if not part.is_constant):
                self.state[number] = held[number] = self._kept_parts(number, term, keeps)
        free = [number for number in self.state if number not in held]
        self._forget(free)
        self._log.forget(self.state)
        start = StartState({number: self.state[number] for number in free}, held)
        self._log.record(start, self.state)
        return start

    def _kept_parts(self, number: int, held: BitTerm, keeps: Callable[[BitTerm], bool]) -> BitTerm:
        """A register of which parts are kept, and other bits are only if they are known."""
        parts, end = [], held.width
        for part in pieces(held):
            known = part.ones | part.zeros
            end -= part.width
            parts.append(part if keeps(part) else self._forgotten(number, part, known, end))
        return self._pool.concat(parts)

    def _forget(self, numbers: Iterable[int]) -> None:
        """Of all registers but those with values of operands alone: the variables have the same names each time."""
        for number in [*numbers]:
            held = self.state[number]
            self.state[number] = self._forgotten(number, held, held.ones | held.zeros)

    def weaken(self, before: CoreState) -> None:
        """Let every bit of the core be anything that is not known as it was in an earlier shape."""
        for number, then in before.items():
            held = self.state[number]
            if held is not then:
                known = held.ones & then.ones | held.zeros & then.zeros
                self.state[number] = self._forgotten(number, held, known)
        self._log.forget(self.state)

    def _forgotten(self, number: int, held: BitTerm, known: int, low: int = 0) -> BitTerm:
        """A register, or its bits from `low` on, of which only the bits of a mask are known."""
        parts: list[BitTerm] = []
        name, at = self._design.registers[number].name, 0
        while at < held.width:
            end = at
            while end < held.width and known >> end & 1 == known >> at & 1:
                end += 1
            size = end - at
            parts.append(
                self._pool.constant(size, held.ones >> at)
                if known >> at & 1
                else self._pool.variable(f"any {name} {number} {low + end - 1}:{low + at}", size)
            )
            at = end
        return self._pool.concat(reversed(parts))

    def rest(self, idle: Callable[[], object]) -> list[CoreState] | None:
        """Forget all data, and do so again after each cycle that `idle` makes: the states of the core until one comes
        again; None if none does.

        Where that takes long, as with a counter that runs all the time, the bits that change are anything, in one state
        that stands for all of them.
        """
        self.forget()
        phases = [self._recorded()]
        while len(phases) <= MOST_STATES:
            idle()
            self.forget()
            known = next((phase for phase in phases if covers(phase, self.shape())), None)
            if known is not None:
                self._log.covered(known)
                return phases
            phases.append(self._recorded())
        for phase in phases:
            self.weaken(phase)
        for _ in range(MOST_STATES):
            before = self._recorded()
            idle()
            self.forget()
            rests = covers(before, self.shape())
            if rests:
                self._log.covered(before)
            self.weaken(before)
            if rests:
                return [self._recorded()]
        return None

    @property
    def pause(self) -> int:
        """Cycles that a product which is loaded still waits before it is offered."""
        (number,) = (number for number, register in self._design.registers.items() if register.name == PAUSE)
        return self.state[number].value

    def in_core(self, state: StartState) -> StartState:
        """The registers of the core alone."""
        free, kept = ({number: term for number, term in part.items() if number in self._core}
                      for part in (state.free, state.kept))  # fmt: skip
        return StartState(free, kept)

    def while_waiting(
        self, waiting: Sequence[StartState], idle: Callable[[], object], keeps: Callable[[BitTerm], bool]
    ) -> list[CoreState] | None:
        """The states of the core in the first cycle in which a product may be offered after its load, and in any later
        one, however long it waits; None if they never come again.

        `waiting`: the states of a product that waits, and the one in which it is offered at last; `idle` makes a cycle,
        and `keeps` is that of `begin`. Where that takes long, as with a counter that runs since the load, one state
        stands for all of them, as in `rest`.
        """
        waits = waiting[-2]
        seen = [self.in_core(state) for state in waiting[1:]]
        for lasting in range(2 * MOST_STATES):
            if lasting >= MOST_STATES:
                self.state = {**waits.registers, **seen[-1].registers}
                for state in seen[:-1]:
                    self.weaken(state.registers)
                seen = [self.in_core(self.begin(keeps, keeps))]
            self.state = {**waits.registers, **seen[-1].registers}
            idle()
            now = self.in_core(self.begin(keeps, keeps))
            if any(state.covers(now) for state in seen):
                return [state.registers for state in seen]
            seen.append(now)
        return None

    def _recorded(self) -> CoreState:
        """The registers of the core as they are now, to come back to."""
        shape = self.shape()
        self._log.record(shape, self.state)
        return shape

    def shape(self) -> CoreState:
        """The registers of the core as they are now."""
        return {number: self.state[number] for number in self._core}

    def idle_state(self, *, is_first: bool) -> "IdleState":
        """The core as it is now, and what the bench has seen of it."""
        registers = self._design.registers
        others = {number: term for number, term in self.state.items()
                  if number not in self._core and not registers[number].name.startswith(SEQUENCER)}  # fmt: skip
        return IdleState(self.shape(), others, is_first)


def covers(shape: CoreState, other: CoreState) -> bool:
    """True if a shape stands for every state that another one stands for: what it knows is known there, too."""
    return all(
        not (known.ones & ~other[number].ones) and not (known.zeros & ~other[number].zeros)
        for number, known in shape.items()
    )


def uncovered(known: Sequence[CoreState], shapes: Sequence[CoreState]) -> list[CoreState]:
    """Shapes that stand for states of which no known one stands for all."""
    return [shape for shape in shapes if not any(covers(old, shape) for old in known)]
