# SPDX-License-Identifier: Apache-2.0
"""Cut points: where the core shows a step of the model, a fresh variable takes the place of both.

A row of the shell shows what the schedule says for a cycle. Each part of it is an obligation: it equals the bits of the
step, given the steps before it. Once that is asked of the solver, core and model go on from one fresh variable with the
range of the step, so that each obligation is about one step and not about all before it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from limbtrace.refmodels.architecture import Control
from limbtrace.refmodels.expr import Term
from limbtrace.rtl_bridge.proof.bench import SymbolicBench
from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool, is_plain
from limbtrace.rtl_bridge.proof.context import ProofContext
from limbtrace.rtl_bridge.proof.golden import GoldenTerms
from limbtrace.rtl_bridge.proof.substitute import replaced
from limbtrace.rtl_bridge.protocols.fields import CYCLE_BITS
from limbtrace.vectors.compiled.cells import spans
from limbtrace.vectors.proof import ProductName

Substitution = dict[BitTerm, BitTerm]
"""Terms and what takes their places."""


@dataclass(frozen=True)
class _Cell:
    """Some bits of a row, and the value that they show."""

    order: int
    """Position of the step in the program; negative if the value is not a step."""
    at: int
    width: int
    value: Any
    low: int
    signal: str
    step: str


class CutPoints:
    """The rows of one product."""

    def __init__(self, context: ProofContext, bench: SymbolicBench, golden: GoldenTerms, product: ProductName) -> None:
        self._context, self._bench, self._golden, self._product = context, bench, golden, product
        self._cut: set[tuple[int, int]] = set()
        """(id of a step, its lowest bit) of what has been shown."""

    def row(self, row: BitTerm, cycle: int) -> None:
        """Compare what is shown in a cycle, and cut what it shows."""
        by: Substitution = {}
        for cell in sorted(self._cells(cycle), key=lambda cell: cell.order):
            self._cell(cell, row, cycle, by)
        if by:
            self._bench.replace(by)

    def _cell(self, cell: _Cell, row: BitTerm, cycle: int, by: Substitution) -> None:
        pool, golden = self._context.pool, self._golden
        seen = pool.extract(row, cell.at + cell.width - 1, cell.at)
        wanted = golden.shown(cell.value, cell.low, cell.width)
        if by:
            seen, wanted = replaced(pool, [seen, wanted], by)
        self._context.solver.equal(seen, wanted, self._product, cell.signal, cycle, cell.step)
        self._context.log.claim("row_o", 0, (cell.at + cell.width - 1, cell.at), cell.value, cell.low)
        value = cell.value
        again = (id(value), cell.low) in self._cut  # by hardware that computes it once more
        if not isinstance(value, Term) or cell.low >= golden(value).width or again:
            self._bind(by, seen, wanted)
        elif self._is_whole(cell):
            self._cut.add((id(value), cell.low))
            self._replace(cell, value, seen, by)

    def _is_whole(self, cell: _Cell) -> bool:
        """True if all bits of a step that is signed are present."""
        return not (cell.value.signed and (cell.low or cell.value.bits > cell.width))

    def _replace(self, cell: _Cell, value: Term, seen: BitTerm, by: Substitution) -> None:
        """Put a fresh variable in the place of a step, in the core and in the model."""
        pool, golden = self._context.pool, self._golden
        old = golden(value)
        if by:
            (old,) = replaced(pool, [old], by)
        end = min(cell.low + cell.width, old.width)
        shown_part = pool.extract(old, end - 1, cell.low)
        if is_plain(shown_part):
            fresh = shown_part
        else:
            limit = None if value.signed or end < old.width else value.most >> cell.low
            fresh = self._fresh(f"{self._product} {cell.step}", seen, shown_part, limit, signed=value.signed)
        golden.put(value, _placed(pool, old, fresh, cell.low))
        self._context.log.cut(value, cell.low, fresh)
        self._bind(by, seen, pool.extend(fresh, cell.width, signed=value.signed))
        self._bind(by, shown_part, fresh)
        golden.replace(by)

    def _cells(self, cycle: int) -> Iterator[_Cell]:
        """The expected cells of a row."""
        plan = self._context.bound.plan
        if plan is None or not 0 <= cycle < plan.cycles:
            return
        for watch, offset in self._context.shell.cycle_watches:
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
                    name, index, term = self._context.program.steps[value]
                    yield _Cell(value, at, width, term, low, watch.row.source, f"{name}{list(index)}")
                at += width
            if at < end:
                yield _Cell(-1, at, end - at, 0, 0, watch.row.source, "0 above the step")

    def _bind(self, by: Substitution, x: BitTerm, value: BitTerm) -> None:
        """Note that a value takes the place of a term, part by part if it has parts.

        Bits of an operand stay what they are, and so does a whole variable.
        """
        if x.operation == "concat":
            end = x.width
            for part in x.operands:
                self._bind(by, part, self._context.pool.extract(value, end - 1, end - part.width))
                end -= part.width
        elif x is not value and (
            not is_plain(x) or (x.operation == "slice" and x.operands[0] in self._context.solver.definitions)
        ):
            by[x] = value

    def _fresh(self, name: str, seen: BitTerm, old: BitTerm, limit: int | None, *, signed: bool) -> BitTerm:
        """The term that replaces a step, or the bits of it that are shown, `limit` being their largest value.

        It is a variable; of products and sums side by side, one for each of them. Bits of variables that the core shows
        as they are stay what they are.
        """
        pool, solver = self._context.pool, self._context.solver
        exact = pool.extract(seen, max(seen.most.bit_length(), 1) - 1, 0)
        fresh = []
        end = old.width
        for part in self._parts(seen, old):
            end -= part.width
            part_limit = part.most if limit is None else min(limit >> end, part.most)
            limit = None
            if is_plain(part):
                fresh.append(part)
                continue
            fresh.append(pool.fresh(name, part.width, part_limit))
            solver.definitions[fresh[-1]] = part
            if part is old and old.operation == "wrap" and exact.operation == "sum" and not signed:
                solver.exact[fresh[-1]] = pool.extend(exact, max(exact.width, part.width))
        return pool.concat(fresh)

    def _parts(self, seen: BitTerm, old: BitTerm) -> list[BitTerm]:
        """The parts of a step that get a variable each, first the highest; some are variables already."""
        pool, solver = self._context.pool, self._context.solver
        shown = pool.extract(seen, old.width - 1, 0)
        if shown.operation == "concat" and any(map(is_plain, shown.operands)):
            parts, end = [], old.width
            for part in shown.operands:
                end -= part.width
                own = pool.extract(old, end + part.width - 1, end)
                parts.append(part if is_plain(part) else own)
                if is_plain(part) and not part.is_constant:
                    solver.note(part, own)
            return parts
        if old.operation == "concat" and all(part.operation in ("product", "sum") for part in old.operands):
            return list(old.operands)
        return [old]


def _placed(pool: TermPool, whole: BitTerm, part: BitTerm, low: int) -> BitTerm:
    """A value with other bits from bit `low` on."""
    end = low + part.width
    above = [pool.extract(whole, whole.width - 1, end)] if end < whole.width else []
    return pool.concat([*above, part, *([pool.extract(whole, low - 1, 0)] if low else [])])
