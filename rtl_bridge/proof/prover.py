# SPDX-License-Identifier: Apache-2.0
"""A core against its model for all operands: every register in every cycle, step by step.

Where the core shows a step of the model, both are proved equal, given the steps before; then a fresh variable with the
range of the step takes the place of both. So each question is about one step. The ranges are those that interval
arithmetic proves of the model's terms.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from limbtrace.refmodels.architecture import Control
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.expr import Term
from limbtrace.refmodels.program import Program, flat, of_architecture, of_model, scanned
from limbtrace.refmodels.ranges import narrowed
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.proof.bench import ROW, Cycle, Shape, StartState, SymbolicBench, covers
from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool, cone, is_plain
from limbtrace.rtl_bridge.proof.btor2 import SteppedDesign
from limbtrace.rtl_bridge.proof.golden import GoldenTerms
from limbtrace.rtl_bridge.proof.solver import Solver
from limbtrace.rtl_bridge.proof.solver_cache import Remembered
from limbtrace.rtl_bridge.proof.substitute import replaced
from limbtrace.rtl_bridge.protocols.fields import CYCLE_BITS
from limbtrace.rtl_bridge.run.spacing import gap
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors.compiled.cells import spans
from limbtrace.vectors.progress import Progress
from limbtrace.vectors.proof import ProductName

FIRST: ProductName = "first"
"""The product after a reset, with anything in the registers of the core before it."""
NEXT: ProductName = "next"
"""One after others, with anything in the registers that held data."""
BEHIND: ProductName = "behind"
"""One that starts right after another one is done."""
MOST_PHASES = 64
"""Idle states of a core that go round, each of which is one that a product starts from."""
MOST_ROUNDS = 64
"""Idle states, and cycles until one of them lasts."""


@dataclass(frozen=True)
class _Cell:
    """Some bits of a row, and the value that they show."""

    order: int
    """Position of the step in the program; below 0 for what is no step."""
    at: int
    width: int
    value: Any
    low: int
    signal: str
    step: str


@dataclass(frozen=True)
class Scenario:
    """The obligations of one product, counted."""

    name: ProductName
    cycles: int
    """From its start to done."""
    same: int
    sums: int
    solved: int


class Prover:
    """A proof of a bound core in its shell, for all operands of its modulus."""

    def __init__(
        self,
        shell: Shell,
        *,
        steps: bool,
        processes: int,
        seconds: int,
        limit: float | None = None,
        remembered: Remembered | None = None,
    ) -> None:
        """`steps`: compare what rows show; else results alone. The rest is for the solver.

        Raises ParameterError where there is no such proof.
        """
        self._shell, self._bound, self._steps = shell, shell.bound, steps
        self._pool = TermPool()
        self._program = narrowed(program_of(self._bound))
        self._operands = {
            name: self._pool.variable(name, max(most.bit_length(), 1), most) for name, most in self._limits().items()
        }
        self.scenarios: list[Scenario] = []
        self._begun: dict[tuple[ProductName, int], list[StartState]] = {}
        """Kind and number of products that were proved, and what was there until they started."""
        self.solver = Solver(self._pool, processes, seconds, limit, remembered)

    def _limits(self) -> dict[str, int]:
        """The largest value of each operand: that of the core, where it takes less than its model."""
        own = dict(zip("ab", self._bound.limits, strict=True))
        return {name: min(most, own[name[0]]) for name, most in self._program.operands.items()}

    def prove(self, design: SteppedDesign) -> None:
        """All scenarios of the core in its shell, up to the first one with an obligation that does not hold."""
        with self.solver:
            self._prove(design)
            self.solver.finish()

    def _prove(self, design: SteppedDesign) -> None:
        bench = SymbolicBench(self._shell, design, self._pool)
        with Progress("cycles of the core", 0) as progress:
            self._progress = progress
            bench.reset()
            reset = bench.state
            known: list[Shape] = []
            first = self._rest(bench, FIRST)
            rested = bench.state
            for number, phase in enumerate(first):
                self._expect(len(first) - number, states=1)
                bench.state = {**reset, **phase}
                if self._product(bench, FIRST, self._turns(behind=False)[0]):
                    known += self._new(known, self._rest(bench, FIRST))
                    rested = bench.state
            waiting = [*known]
            while waiting and not self.solver.failed:
                self._expect(0, states=len(waiting))
                phase = waiting.pop(0)
                for name, turn in self._following():
                    bench.state = {**rested, **phase}  # else the bench may be where another product was left
                    if self._product(bench, name, turn):
                        new = self._new(known, self._rest(bench, name))
                        rested = bench.state
                        known += new
                        waiting += new
                if len(known) > MOST_ROUNDS:
                    self._fail(NEXT, "idle state", None, "one of those that were there before")

    def _following(self) -> list[tuple[ProductName, int]]:
        """The products after the first one: after any idle time, and after each gap that leaves no time to load."""
        behind = self._turns(behind=True) if self._bound.core.file.again else []
        return [(NEXT, self._turns(behind=False)[0]), *((BEHIND, turn) for turn in behind)]

    @staticmethod
    def _new(known: Sequence[Shape], phases: Sequence[Shape]) -> list[Shape]:
        return [phase for phase in phases if not any(covers(old, phase) for old in known)]

    def _rest(self, bench: SymbolicBench, last: ProductName) -> list[Shape]:
        """Forget all data and let the core idle; its states until one comes again.

        Where that takes long, as with a counter that runs all the time, the bits that change are anything.
        """
        bench.forget()
        phases = [bench.shape()]
        while len(phases) <= MOST_PHASES and not self.solver.failed:
            self._idle(bench, last)
            if any(covers(phase, bench.shape()) for phase in phases):
                return phases
            phases.append(bench.shape())
        for _ in range(MOST_ROUNDS):
            if self.solver.failed:
                break
            before = bench.shape()
            self._idle(bench, last)
            rests = covers(before, bench.shape())
            bench.weaken(before)
            if rests:
                return [bench.shape()]
        self._fail(last, "idle state", None, "what it was a cycle before")
        return [bench.shape()]

    def _idle(self, bench: SymbolicBench, last: ProductName) -> None:
        """A cycle in which nothing is offered, and after which all data are forgotten again."""
        self._check_rule(bench.step(alone=True), last, None)
        bench.forget()

    def _fail(self, product: ProductName, signal: str, cycle: int | None, step: str) -> None:
        """An obligation that does not hold, unless there is one already."""
        if not self.solver.failed:
            no, yes = (self._pool.constant(1, bit) for bit in (0, 1))
            self.solver.equal(no, yes, product, signal, cycle, step)

    def _check_rule(self, cycle: Cycle, product: ProductName, at: int | None) -> None:
        self.solver.equal(cycle.rule, self._pool.constant(8, 0), product, "handshake", at, "as the protocol says")

    def _expect(self, products: int, *, states: int) -> None:
        """So much is left, as far as the idle states that are known say: first products, and those that follow."""
        behind = len(self._following()) - 1  # each with the one in front of it
        each = self._bound.longest + sum(self._bound.words) + self._bound.result_words + 8
        self._progress.total = self._progress.done + (products + states * (1 + 2 * behind)) * each

    def _turns(self, *, behind: bool) -> list[int]:
        """Numbers of products that start right behind another one or not, one for each length of the gap."""
        found: dict[int, int] = {}
        for turn in range(1000):
            before = gap(turn, self._bound.core.file)
            if before.behind == behind:
                found.setdefault(before.cycles, turn)
        return [found[cycles] for cycles in sorted(found)]

    def _product(self, bench: SymbolicBench, name: ProductName, turn: int) -> bool:
        """One product from where the core is; False where what is there leads to one that was proved before."""
        before = dict(self.solver.counts)
        golden = GoldenTerms(self._pool, self._operands, [value for _, _, value in self._program.steps])
        cut: set[tuple[int, int]] = set()
        """(id of a step, its lowest bit) of what has been shown."""
        bench.offer(turn, self._image(golden, "a"), self._image(golden, "b"), self._bound.limit)
        offered = bench.now
        start = end = result = None
        rests = bench.state
        begun, path = self._begun.setdefault((name, turn), []), []
        rows = self._bound.plan.cycles if self._steps and self._bound.plan is not None else 0
        while not self.solver.failed:
            at, before_it = bench.now, bench.state
            waits = start is None and name != BEHIND
            if waits:  # whatever has been left of what was before
                path.append(bench.begin(self._is_of_operands, self._is_of_operands))
            cycle = bench.step(alone=waits)
            if cycle.started and name == BEHIND:
                bench.state, bench.now = before_it, at
                path.append(bench.begin(self._is_of_operands, self._is_loaded))
                cycle = bench.step()
            if start is None and path and any(known.covers(path[-1]) for known in begun):
                return False
            self._progress.advance()
            self._check_rule(cycle, name, None if start is None else at - start - 1)
            if cycle.started:
                start = at
            if cycle.finished and end is None:
                end = at
            if start is not None and self._steps:
                self._row(bench, cycle, at - start - ROW, name, golden, cut)
            if cycle.done:
                result, rests = cycle.result, bench.state
            if result is not None and start is not None and at - start - ROW >= rows - 1:
                break
            if at - offered > self._bound.limit + rows:
                self._fail(name, self._bound.protocol.finished, self._bound.limit, "done")
        if start is None or end is None or result is None:
            self._fail(name, self._bound.protocol.finished, None, "done")
            return True
        bench.state = rests  # the next product may start before the last row is shown
        cycles = end - start - 1
        if self._bound.plan is not None and cycles != self._bound.plan.cycles:
            self._fail(name, self._bound.protocol.finished, cycles, f"done in cycle {self._bound.plan.cycles}")
        self._result(result, golden, name)
        self.solver.finish()
        if self.solver.failed:
            return True
        begun += path
        counts = [self.solver.counts[how] - before[how] for how in ("same", "sums", "solver")]
        for number, last in enumerate(self.scenarios):
            if (last.name, last.cycles) == (name, cycles):  # from another idle state, or after another gap
                counts = [more + known for more, known in zip(counts, (last.same, last.sums, last.solved), strict=True)]
                self.scenarios[number] = Scenario(name, cycles, *counts)
                return True
        self.scenarios.append(Scenario(name, cycles, *counts))
        return True

    def _is_of_operands(self, held: BitTerm) -> bool:
        """True if a register has what the operands alone make it, and nothing that was there before."""
        known = self._operands.values()
        return all(term in known for term in cone([held]) if term.operation == "var")

    def _is_loaded(self, held: BitTerm) -> bool:
        """True if a register has an operand behind another product, which is there where operands are loaded."""
        file = self._bound.core.file
        loaded = file.memory is not None or bool(file.protocol.loaded(file))
        return loaded and is_plain(held) and self._is_of_operands(held)

    def _image(self, golden: GoldenTerms, letter: str) -> BitTerm:
        """The operands of a stream as the shell takes them."""
        pool, shell = self._pool, self._shell
        width = shell.product_width(letter)
        images = []
        for number in range(len(self._bound.starts)):
            name = f"{letter}{number}"
            if name not in self._operands:
                images.append(pool.constant(width, 0))
                continue
            _, both = scanned(self._bound.multiplier.model, self._bound.multiplier.params, number)
            split = shell.shown_digits(letter, flat(both["ab".index(letter)]))
            if split is None:
                images.append(pool.extend(self._operands[name], width))
            else:
                size, digits = split
                shown = [golden.shown(digit, 0, size) for digit in digits]
                images.append(pool.extend(pool.concat(reversed(shown)), width))
        return pool.extend(pool.concat(reversed(images)), shell.operand_width(letter))

    def _cells(self, cycle: int) -> Iterator[_Cell]:
        """The expected cells of a row."""
        plan = self._bound.plan
        if plan is None or not 0 <= cycle < plan.cycles:
            return
        for watch, offset in self._shell.cycle_watches:
            column = plan.columns[watch.schedule_column]
            values = [value for value in reversed(plan.cell(watch.schedule_column, cycle)) if value is not None]
            parts = spans(column)
            if len(values) < len(parts):
                continue  # don't care
            at, end = offset - CYCLE_BITS, offset - CYCLE_BITS + watch.width
            for (low, width), value in zip(parts, values, strict=True):
                width = min(width, end - at)
                if width <= 0:
                    break
                if isinstance(column, Control) or value < 0:
                    fixed = value if isinstance(column, Control) else column.reset
                    yield _Cell(-1, at, width, fixed, low, watch.row.source, f"{fixed:#x}")
                else:
                    name, index, term = self._program.steps[value]
                    yield _Cell(value, at, width, term, low, watch.row.source, f"{name}{list(index)}")
                at += width
            if at < end:
                yield _Cell(-1, at, end - at, 0, 0, watch.row.source, "0 above the step")

    def _row(
        self,
        bench: SymbolicBench,
        shown: Cycle,
        cycle: int,
        product: ProductName,
        golden: GoldenTerms,
        cut: set[tuple[int, int]],
    ) -> None:
        pool = self._pool
        by: dict[BitTerm, BitTerm] = {}
        for cell in sorted(self._cells(cycle), key=lambda cell: cell.order):
            seen = pool.extract(shown.row, cell.at + cell.width - 1, cell.at)
            wanted = golden.shown(cell.value, cell.low, cell.width)
            if by:
                seen, wanted = replaced(pool, [seen, wanted], by)
            self.solver.equal(seen, wanted, product, cell.signal, cycle, cell.step)
            value = cell.value
            if not isinstance(value, Term) or cell.low >= (old := golden(value)).width:
                self._bind(by, seen, wanted)
                continue
            if (id(value), cell.low) in cut or (value.signed and (cell.low or value.bits > cell.width)):
                continue
            cut.add((id(value), cell.low))
            if by:
                (old,) = replaced(pool, [old], by)
            end = min(cell.low + cell.width, old.width)
            shown_part = pool.extract(old, end - 1, cell.low)
            if is_plain(shown_part):
                fresh = shown_part
            else:
                most = None if value.signed or end < old.width else value.most >> cell.low
                fresh = self._fresh(f"{product} {cell.step}", seen, shown_part, most, signed=value.signed)
            golden.put(value, _placed(pool, old, fresh, cell.low))
            self._bind(by, seen, pool.extend(fresh, cell.width, signed=value.signed))
            self._bind(by, shown_part, fresh)
            golden.replace(by)
        if by:
            bench.replace(by)

    def _bind(self, by: dict[BitTerm, BitTerm], x: BitTerm, value: BitTerm) -> None:
        """Notes that a value takes the place of a term, part by part where it has parts.

        Bits of an operand stay what they are, and so does a whole variable.
        """
        if x.operation == "concat":
            end = x.width
            for part in x.operands:
                self._bind(by, part, self._pool.extract(value, end - 1, end - part.width))
                end -= part.width
        elif x is not value and (
            not is_plain(x) or (x.operation == "slice" and x.operands[0] in self.solver.definitions)
        ):
            by[x] = value

    def _fresh(self, name: str, seen: BitTerm, old: BitTerm, most: int | None, *, signed: bool) -> BitTerm:
        """The term that replaces a step, or the bits of it that are shown, `most` being their largest value.

        It is a variable; of products and sums side by side, one for each of them. Bits of variables that the core shows
        as they are stay what they are.
        """
        pool, parts = self._pool, [old]
        shown = pool.extract(seen, old.width - 1, 0)
        if shown.operation == "concat" and any(map(is_plain, shown.operands)):
            parts, end = [], old.width
            for part in shown.operands:
                end -= part.width
                own = pool.extract(old, end + part.width - 1, end)
                parts.append(part if is_plain(part) else own)
                if is_plain(part) and not part.is_constant:
                    self.solver.note(part, own)
        elif old.operation == "concat" and all(part.operation in ("product", "sum") for part in old.operands):
            parts = list(old.operands)
        exact = pool.extract(seen, max(seen.most.bit_length(), 1) - 1, 0)
        fresh = []
        end = old.width
        for part in parts:
            end -= part.width
            limit = part.most if most is None else min(most >> end, part.most)
            most = None
            if is_plain(part):
                fresh.append(part)
            else:
                fresh.append(pool.fresh(name, part.width, limit))
                self.solver.definitions[fresh[-1]] = part
                if part is old and old.operation == "wrap" and exact.operation == "sum" and not signed:
                    self.solver.exact[fresh[-1]] = pool.extend(exact, max(exact.width, part.width))
        return pool.concat(fresh)

    def _result(self, seen: BitTerm, golden: GoldenTerms, product: ProductName) -> None:
        pool, shell = self._pool, self._shell
        width = shell.product_width("result")
        for number, result in enumerate(self._program.results):
            own = pool.extract(seen, (number + 1) * width - 1, number * width)
            if not shell.result_digits:
                self.solver.equal(own, golden.shown(result, 0, width), product, "result", None, f"result {number}")
                continue
            digits = dict(_digits(result, {id(value) for _, _, value in self._program.steps}))
            for place in range(len(shell.result_digits)):
                low, size = place * shell.digit_width, shell.digit_width
                wanted = golden.shown(digits.get(place * self._weight, 0), 0, size)
                name = f"digit {place} of result {number}"
                self.solver.equal(pool.extract(own, low + size - 1, low), wanted, product, "result", None, name)

    @property
    def _weight(self) -> int:
        """Distance of the weights of two digits of the result, in bits."""
        return self._bound.formula("result.weight", self._bound.core.file.result.weight or 0)


def program_of(bound: Bound) -> Program:
    """The model's loop on terms. Raises ParameterError where it has branches."""
    try:
        if bound.architecture is not None and bound.shape is not None:
            program = of_architecture(bound.architecture, bound.shape)
        else:
            program = of_model(bound.multiplier.model, bound.multiplier.params)
    except TypeError as error:
        name = bound.multiplier.model.id
        raise ParameterError(
            "core", f"its model {name} chooses digits of operands by branches, so there is no proof: {error}"
        ) from None
    if len(program.results) != len(bound.starts):
        what = f"takes {len(bound.starts)} products at a time and follows no schedule"
        raise ParameterError("core", f"{bound.core.file.name} {what}, and no proof is made of that")
    return program


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


def _placed(pool: TermPool, whole: BitTerm, part: BitTerm, low: int) -> BitTerm:
    """A value with other bits from bit `low` on."""
    end = low + part.width
    above = [pool.extract(whole, whole.width - 1, end)] if end < whole.width else []
    return pool.concat([*above, part, *([pool.extract(whole, low - 1, 0)] if low else [])])
