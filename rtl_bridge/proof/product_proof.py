# SPDX-License-Identifier: Apache-2.0
"""The proof of one product: offered to the core, followed cycle by cycle, its result compared.

    offered -> started -> finished, done -> last row shown

`started`, `finished` and `done` are outputs of the shell. Each cycle in which one of them depends on data
splits the product into cases, of which each is followed to its end; not so while the core waits for the product.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.program import flat, scanned
from limbtrace.rtl_bridge.proof.bench import ROW, CaseCycle, CoreState, Cycle, StartState, SymbolicBench
from limbtrace.rtl_bridge.proof.bitvector import BitTerm, cone, is_plain, pieces
from limbtrace.rtl_bridge.proof.cases import CASES, EVERY, MOST_CASES, HandshakeCase
from limbtrace.rtl_bridge.proof.context import ProofContext, SplitNeededError
from limbtrace.rtl_bridge.proof.cut_points import CutPoints
from limbtrace.rtl_bridge.proof.evaluation import evaluated
from limbtrace.rtl_bridge.proof.free_fronts import free_letters
from limbtrace.rtl_bridge.proof.golden import GoldenTerms
from limbtrace.rtl_bridge.proof.scenarios import BEHIND
from limbtrace.rtl_bridge.proof.solver import RESULT
from limbtrace.rtl_bridge.proof.substitute import replaced
from limbtrace.vectors.progress import Progress
from limbtrace.vectors.proof import ProductName

OUTPUT = "result_o"
"""Of the shell."""
TAKEN, LATE_TAKEN = 2, 4
"""Cycles from the one in which the last word of a result was taken to the one in which the bench shows all of it;
LATE_TAKEN where rows are sampled late."""
MOST_STALLS = 32
"""Cycles of stalls for each product of a stream, on average; a simulation may have more."""


@dataclass
class _Times:
    """Cycles of the bench in which something happened first, and the outputs of then."""

    offered: int
    start: int | None = None
    end: int | None = None
    result: BitTerm | None = None
    done: int = 0
    """The cycle after the one that showed it."""
    whole: CoreState | None = None
    """Core and bench before anything was assumed; None as long as nothing is."""
    has_begun: bool = False
    """True if it starts behind another product, and what that one left is anything."""
    states: deque[CoreState] = field(default_factory=lambda: deque(maxlen=LATE_TAKEN))
    """Core and bench before each of the last cycles."""
    taken: CoreState | None = None
    """Core and bench after the cycle in which the last word of the result was taken; None in streams in order."""

    def copy(self) -> "_Times":
        """A copy that is changed on its own."""
        return replace(self, states=self.states.copy())


@dataclass(frozen=True)
class _Open:
    """A case that is yet to be followed, from a cycle on."""

    case: HandshakeCase
    state: CoreState
    now: int
    times: _Times
    at_rest: CoreState
    shown: Cycle | None = None
    """Outputs of the cycle before it, which are yet to be checked."""


@dataclass(frozen=True)
class Ending:
    """A product that is done, in a case."""

    case: HandshakeCase
    cycles: int
    """From the start to done."""
    at_rest: CoreState
    """Core and bench behind it."""
    taken: CoreState | None
    """As in the times of the product."""


class ProductProof:
    """A proof of one product that starts from where the core is; `turn` is its number, which decides on gaps."""

    def __init__(self, context: ProofContext, bench: SymbolicBench, name: ProductName, turn: int) -> None:
        self._context, self._bench, self.name, self._turn = context, bench, name, turn
        self._golden = GoldenTerms(context.pool, context.integers, [value for _, _, value in context.program.steps])
        self._cut_points = CutPoints(context, bench, self._golden, name)
        bound, plan = context.bound, context.bound.plan
        self._rows = plan.cycles if context.steps and plan is not None else 0
        spare = bound.protocol.delay(bound) - MOST_STALLS * len(bound.starts) if bound.in_order else 0
        self._limit = bound.limit + self._rows - max(spare, 0)
        self.path: list[StartState] = []
        """States of the core in the cycles until the product starts."""
        self.endings: list[Ending] = []
        """One for each case."""
        self.depends: set[str] = set()
        """Outputs of the handshake that two pairs of operands make different."""
        self.may_depend: set[str] = set()
        """Those that depend on data in another way, or perhaps."""
        self.depends_from: int | None = None
        """The first cycle after the start in which an output does."""
        self._open: list[_Open] = []

    def prove(
        self, begun: list[StartState], progress: Progress, *, loaded: bool = False, at_once: bool = False
    ) -> bool:
        """All obligations; False if the product leads to one of the states that products `begun` from before.

        `loaded`: the bench has the product already, and its operands are in the core; `at_once`: as in `offer`.
        """
        bench, bound = self._bench, self._context.bound
        if not loaded:
            self._context.log.product(self.name, self._turn)
            bench.put_in_front(*(self._image(letter, in_front=True) for letter in "ab"))
            bench.offer(self._turn, self._image("a"), self._image("b"), bound.limit, at_once=at_once)
        self._at_rest: CoreState = bench.state
        self._open = [_Open(EVERY, bench.state, bench.now, _Times(bench.now), bench.state)]
        solver, is_known = self._context.solver, True
        while self._open and not solver.failed:
            each = self._open.pop()
            solver.case, self._at_rest = each.case, each.at_rest
            bench.state, bench.now = {**each.state}, each.now
            if self._follow(each, begun, progress):
                self._finish(each.times)
                is_known = False
            solver.case = EVERY
        return not is_known

    def _follow(self, followed: _Open, begun: list[StartState], progress: Progress) -> bool:
        """The cycles of a case up to its end; False if it leads to a state from which products were proved."""
        bench, bound, solver = self._bench, self._context.bound, self._context.solver
        times, shown = followed.times, followed.shown
        while not solver.failed:
            if shown is None:
                times.states.append(bench.state)
                shown = self._step(times)
            if shown.started and times.start is None and self.name == BEHIND and not times.has_begun:
                shown = self._started_behind(times, begun)
            if shown is None:
                return False
            cycle, shown, at = shown, None, bench.now - 1
            if times.start is None and self.name != BEHIND and self._is_covered(begun):
                return False
            progress.advance()
            self._note(cycle, at, times)
            if self._is_over(at, times):
                break
            if at - times.offered > self._limit:
                self._context.fail(self.name, bound.protocol.finished, self._limit, "done")
        return True

    def _is_covered(self, begun: Sequence[StartState]) -> bool:
        """True if products were proved from all states that the last one of the path stands for."""
        covering = next((known for known in begun if known.covers(self.path[-1])), None)
        if covering is not None:
            self._context.log.covered(self.path[-1], covering)
        return covering is not None

    def waiting(self) -> list[StartState]:
        """Offer the product, up to the cycle in which the bench gives it to the core: the states in which it is loaded
        and waits, and the last one; empty if it does not wait."""
        bench, context = self._bench, self._context
        bench.offer(self._turn, self._image("a"), self._image("b"), context.bound.limit)
        states, left = list[StartState](), 0
        for _ in range(self._limit):
            before, left = left, bench.pause
            state = bench.begin(context.is_of_operands, context.is_of_operands)
            if left < before:
                states += [state] if states else [self.path[-1], state]
            self.path.append(state)
            if states and left == 0:
                break
            cycle = bench.step(alone=True)
            context.check_handshake(cycle, self.name, None)
            if cycle.started:
                break
        return states

    def _step(self, times: _Times) -> Cycle:
        """One cycle. Until the product starts, anything may be left of what was before, other than operands."""
        bench, context = self._bench, self._context
        waits = times.start is None and self.name != BEHIND
        if waits:
            self.path.append(bench.begin(context.is_of_operands, context.is_of_operands))
        elif times.start is None:
            context.log.record(bench.state, bench.state)
        return bench.step(alone=True) if waits else self._split(times)

    def _started_behind(self, times: _Times, begun: Sequence[StartState]) -> Cycle | None:
        """The cycle in which a product starts behind another one, again: with anything in the core that the other one
        may have left; None if products were proved from all states of that kind.

        What was assumed of the one in front is not assumed of this one.
        """
        bench, context, solver = self._bench, self._context, self._context.solver
        state: CoreState = times.states[-1]
        if times.whole is not None:
            state, solver.case = self._unrestricted(state, times.whole), EVERY
        bench.state, bench.now = {**state}, bench.now - 1
        context.log.back(times.states[-1])
        earlier = [*begun, *self.path]
        self.path.append(bench.begin(context.is_of_operands, context.is_loaded))
        times.has_begun = True
        if self._is_covered(earlier):
            return None
        return self._split(times)

    def _unrestricted(self, state: CoreState, whole: CoreState) -> CoreState:
        """Registers in a case, but with all that they may hold in any case while they wait for the next product.

        `whole`: the registers as they were before anything was assumed. Raises ParameterError where the product in
        front has the operands of the next one on the ports, so that something may be assumed of both.
        """
        context, solver = self._context, self._context.solver
        pool, file = context.pool, context.bound.core.file
        is_loaded = file.memory is not None or file.protocol.loaded(file)  # then both have the same operands
        if not is_loaded and not {name[0] for name in context.operands} <= free_letters(context.shell):
            what = "depends on operands that products in front of others have in common with these"
            raise ParameterError("core", f"the handshake of {file.name} {what}, and no proof is made of that")
        seen = solver.case.state(pool, state)
        solver.case = solver.sharpened(solver.case, seen.values())
        seen, before = solver.case.state(pool, seen), solver.case.state(pool, whole)
        waits = {n for n, term in whole.items() if is_plain(term) and context.is_of_operands(term)}
        return {n: whole[n] if n in waits and before[n] is term else term for n, term in seen.items()}

    def _split(self, times: _Times) -> Cycle:
        """A cycle of a product: the one of the case that is followed first; others wait.

        Raises SplitNeededError.
        """
        bench, context, solver = self._bench, self._context, self._context.solver
        if context.steps or len(context.bound.starts) > 1 or context.bound.in_order:
            return bench.step()
        first, *others = cases = bench.split(solver.case, solver.settled)
        if not first.signals:
            return first.cycle
        if not context.splits:
            raise SplitNeededError
        if others:
            self._note_split(cases)
            if times.start is not None and self.depends_from is None:
                self.depends_from = bench.now - times.start - 2
        after = bench.state
        if not solver.case.assumed:
            times.whole = after
        for each in reversed(cases):
            state = each.case.state(context.pool, after)
            solver.case = solver.sharpened(each.case, [*context.operands.values(), *state.values()])
            bench.state = solver.case.state(context.pool, state)
            if each is not first:
                self._open.append(_Open(solver.case, bench.state, bench.now, times.copy(), self._at_rest, each.cycle))
        if len(self._open) + len(self.endings) >= MOST_CASES:
            context.undecided(self.name, CASES, None, f"at most {MOST_CASES}")
        return first.cycle

    def _note_split(self, cases: list[CaseCycle]) -> None:
        """Outputs by which cases of a product differ from each other."""
        for name in frozenset[str]().union(*(each.signals for each in cases)):
            apart = [[each.case for each in cases if getattr(each.cycle, name) == value] for value in (0, 1)]
            if all(apart):
                surely = any(self._differ_by_operands(one, other) for one in apart[0] for other in apart[1])
                (self.depends if surely else self.may_depend).add(name)

    def _differ_by_operands(self, one: HandshakeCase, other: HandshakeCase) -> bool:
        """True if operands alone lead from values of one case to the other; False says nothing."""
        if one.values is None or other.values is None:
            return False
        operands = self._context.operands
        values = {**other.values, **{name: value for name, value in one.values.items() if name not in operands}}
        return all(evaluated(other.assumed, values))

    def _note(self, cycle: Cycle, at: int, times: _Times) -> None:
        """Check what a cycle shows, and note what happened in it."""
        self._context.check_handshake(cycle, self.name, None if times.start is None else at - times.start - 1)
        if cycle.started:
            times.start = at
        if cycle.finished and times.end is None:
            times.end = at
        if times.start is not None and self._context.steps:
            self._cut_points.row(cycle.row, at - times.start - ROW)
        if cycle.done and not self._context.bound.in_order:
            taken = times.states[-LATE_TAKEN if self._context.bound.protocol.late else -TAKEN]
            times.taken = self._context.solver.case.state(self._context.pool, taken)
        if cycle.done:
            times.result, self._at_rest = cycle.result, self._bench.state
            times.done = self._bench.now
            self._context.log.record(self._at_rest, self._at_rest)

    def _is_over(self, at: int, times: _Times) -> bool:
        """True if the result was there and every row was shown."""
        return times.result is not None and times.start is not None and at - times.start - ROW >= self._rows - 1

    def _finish(self, times: _Times) -> None:
        context, bound = self._context, self._context.bound
        if times.start is None or times.end is None or times.result is None:
            context.fail(self.name, bound.protocol.finished, None, "done")
            return
        self._bench.state = {**self._at_rest}  # the next product may start before the last row is shown
        cycles = times.end - times.start - 1
        if bound.plan is not None and cycles != bound.plan.cycles:
            context.fail(self.name, bound.protocol.finished, cycles, f"done in cycle {bound.plan.cycles}")
        self._result(times.result, self._bench.now - times.done)
        context.log.ended()
        context.log.back(self._at_rest)
        context.solver.finish()
        self.endings.append(Ending(context.solver.case, cycles, self._at_rest, times.taken))

    def _image(self, letter: str, *, in_front: bool = False) -> BitTerm:
        """The operands of a stream as the shell takes them; `in_front`: of any other one."""
        pool, shell = self._context.pool, self._context.shell
        width = shell.product_width(letter)
        images = []
        for number in range(len(self._context.bound.starts)):
            name = f"{letter}{number}"
            if name in self._context.operands and in_front:
                parts = pieces(self._context.operands[name])
                own = [pool.variable(f"in front {part.detail}", part.width, part.most) for part in parts]
                images.append(self._context.on_port(letter, pool.concat(own)))
                continue
            if name not in self._context.operands:
                images.append(pool.constant(width, 0))
                continue
            model, params = self._context.bound.multiplier.model, self._context.bound.multiplier.params
            if model.packs(letter):
                images.append(self._context.on_port(letter, self._context.operands[name]))
                continue
            _, both = scanned(model, params, number)
            split = shell.shown_digits(letter, flat(both["ab".index(letter)]))
            if split is None:
                images.append(self._context.on_port(letter, self._context.operands[name]))
            else:
                size, digits = split
                shown = [self._golden.shown(digit, 0, size) for digit in digits]
                images.append(pool.extend(pool.concat(reversed(shown)), width))
        return pool.extend(pool.concat(reversed(images)), shell.operand_width(letter))

    def _result(self, seen: BitTerm, ago: int) -> None:
        golden, product, solver = self._golden, self.name, self._context.solver
        pool, shell = self._context.pool, self._context.shell
        width = shell.product_width("result")
        in_stream = len(results := self._context.program.results) > 1 and self._context.bound.plan is None
        if guard := seen.width - width * len(results):
            surplus = pool.extract(seen, seen.width - 1, seen.width - guard)
            none = pool.constant(guard, 0)
            self._context.log.claim(OUTPUT, ago, (seen.width - 1, seen.width - guard), 0, 0)
            solver.equal(surplus, none, product, RESULT, None, "as many results as products")
        for number, result in enumerate(results):
            low = number * width
            own = pool.extract(seen, low + width - 1, low)
            alone = self._renamed(own, number) if in_stream and not solver.case.assumed else None
            both = zip(self._parts(number, result), self._parts(0, results[0]), strict=True)
            for (name, at, size, wanted), (*_, first) in both:
                self._context.log.claim(OUTPUT, ago, (low + at + size - 1, low + at), wanted, 0)
                bits = at + size - 1, at
                if alone is None:
                    shown = pool.extract(own, *bits)
                    solver.equal(shown, golden.shown(wanted, 0, size), product, RESULT, None, name)
                else:
                    shown = pool.extract(alone, *bits)
                    solver.equal_once(shown, golden.shown(first, 0, size), product, RESULT, name)

    def _parts(self, number: int, result: Any) -> Iterator[tuple[str, int, int, Any]]:
        """(name, lowest bit, bits, value) of all that is compared of a result: of itself, or of each of its digits."""
        shell = self._context.shell
        if not shell.result_digits:
            yield f"result {number}", 0, shell.product_width("result"), result
            return
        digits = self._result_digits(number, result)
        for place in range(len(shell.result_digits)):
            low, size = place * shell.digit_width, shell.digit_width
            yield f"digit {place} of result {number}", low, size, digits.get(place * shell.result_weight, 0)

    def _renamed(self, own: BitTerm, number: int) -> BitTerm | None:
        """A result of a stream with the operands of its first product in place of its own: a question that is asked
        once for all products. None if that does not do."""
        operands = self._context.operands
        by = {
            other: first
            for letter in "ab"
            if f"{letter}0" in operands
            for other, first in zip(*(pieces(operands[f"{letter}{each}"]) for each in (number, 0)), strict=True)
        }
        if any(term.operation == "var" and term not in by for term in cone([own])):
            return None
        return replaced(self._context.pool, [own], by)[0]

    def _result_digits(self, number: int, result: Any) -> dict[int, Any]:
        """The digits of result `number` by their weights in bits; those that are left out are 0."""
        shell, program = self._context.shell, self._context.program
        if not self._context.bound.multiplier.model.several:
            return dict(_digits(result, {id(value) for _, _, value in program.steps}))
        size = len(program.steps) // len(program.results)
        own = {(name, index): value for name, index, value in program.steps[number * size : (number + 1) * size]}
        return {place * shell.result_weight: own[step] for place, step in enumerate(shell.result_digits)}


def _digits(value: Any, steps: set[int], shift: int = 0) -> Iterator[tuple[int, Any]]:
    """(weight in bits, step) of the digits that are added up to a result."""
    if id(value) in steps or isinstance(value, int) or value.operation not in ("+", "join", "<<"):
        yield shift, value
    elif value.operation == "<<":
        yield from _digits(value.operands[0], steps, shift + value.operands[1])
    else:
        parts: Any = value.operands if value.operation == "join" else [(part, 0) for part in value.operands]
        for part, more in parts:
            yield from _digits(part, steps, shift + more)
