# SPDX-License-Identifier: Apache-2.0
"""Golden data against the outputs of a core: whole streams at once, single cells only if they differ."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from limbtrace.rtl_bridge.binding.bound import Watch
from limbtrace.rtl_bridge.run.differences import Difference, Differences
from limbtrace.rtl_bridge.run.event_rows import MarkedRows
from limbtrace.rtl_bridge.run.golden_rows import GoldenRows
from limbtrace.rtl_bridge.run.products import UNOBSERVED, CoreOutputs, CycleColumns, ExpectedStream
from limbtrace.rtl_bridge.run.report import Divergence
from limbtrace.rtl_bridge.run.rows import matches
from limbtrace.rtl_bridge.shell.outcome import Broken
from limbtrace.vectors.report.render import hexadecimal

SHOWN_ROWS = 8
"""Rows shown up to a difference."""


class Comparator(GoldenRows):
    """Compares products of one core, and shows the first difference."""

    def check(self, expected: ExpectedStream, observed: CoreOutputs) -> Divergence | None:
        """The first difference, None without one."""
        if observed.struck:
            return None if observed.broken is None else self.broken(expected, observed.broken)
        if self._agrees(expected, observed):
            return None
        differences = Differences(self, expected, observed)
        candidates = [*differences.handshake(), *differences.cells()]
        if not observed.unknown:
            candidates += differences.events()
        return self._first(expected, differences, candidates or [*differences.results()])

    def outcome(self, expected: ExpectedStream, observed: CoreOutputs) -> Divergence | None:
        """The first difference in the handshake or else the result; `observed` has the last rows only."""
        differences = Differences(self, expected, observed)
        return self._first(expected, differences, [*differences.handshake()] or [*differences.results()])

    def broken(self, expected: ExpectedStream, broken: Broken) -> Divergence:
        """The difference where all that is known of a product is that a rule of the handshake was broken."""
        differences = Differences(self, expected, replace(UNOBSERVED, broken=broken))
        divergence = self._first(expected, differences, [*differences.broken_rule()])
        assert divergence is not None
        return divergence

    # Whether there is a difference.

    def _agrees(self, expected: ExpectedStream, observed: CoreOutputs) -> bool:
        """Quick and complete: one comparison of all rows under a mask, and of all events."""
        if observed.late or observed.broken is not None or not matches(observed.result, expected.result):
            return False
        if self.needs_steps and not self._steps_agree(expected, observed):
            return False
        if not self._latency_agrees(expected, observed):
            return False
        if expected.table is None or not self.cycle_watches:
            return True
        image = self.image(expected.table) if expected.image is None else expected.image
        return matches(observed.rows, image, self.mask_of(expected))

    def _latency_agrees(self, expected: ExpectedStream, observed: CoreOutputs) -> bool:
        """Cycles from start to done: those of the schedule, or at most the limit without one."""
        if expected.plan is None:
            return observed.latency <= (expected.max_cycles or self._max_cycles)
        return expected.table is None or observed.latency == expected.plan.cycles

    def _steps_agree(self, expected: ExpectedStream, observed: CoreOutputs) -> bool:
        """True if rows have the steps that they are compared with; False too where a text has to be looked at."""
        if observed.unknown or not observed.taken or isinstance(observed.rows, str):
            return False
        return self._marked.agree(expected.steps, *observed.rows.words)

    @cached_property
    def _max_cycles(self) -> int:
        """Limit of the cycles from start to done without a schedule, a formula that is evaluated once."""
        return self.bound.most

    @cached_property
    def _marked(self) -> MarkedRows:
        return MarkedRows(self.shell, self.row_width, self.event_watches, self.result_watches)

    # How it is shown.

    def _first(
        self, expected: ExpectedStream, differences: Differences, candidates: Sequence[Difference]
    ) -> Divergence | None:
        """The first of the candidates with the rows up to it; None if there are none."""
        if not candidates:
            return None
        first = min(candidates, key=lambda candidate: candidate.key)
        product = differences.product_of(first)
        is_before_start = first.order < (0, 0)  # of no product, then
        rows = [] if is_before_start else self._shown(differences.rows, first.cycle)
        a, b = (self.shell.part(name, value, product) for name, value in (("a", expected.a), ("b", expected.b)))
        return Divergence(
            case=expected.case + product,
            a=f"{a:#x}",
            b=None if self.bound.core.file.unary else f"{b:#x}",
            signed=self.bound.signed_texts(a, b),
            cycle=first.cycle,
            signal=first.signal,
            step=first.step,
            expected=first.expected,
            seen=first.observed,
            where=first.where,
            reason=first.reason,
            kind=first.kind,
            columns=[watch.row.name for watch in self.bound.watches],
            rows=rows,
            golden=self._golden_cells(expected.table, differences, rows),
        )

    def _shown(self, rows: Sequence[str], cycle: int | None) -> list[list[str]]:
        """The last rows up to the cycle: its number, and each signal in hexadecimal."""
        shown = [row for row in rows if cycle is None or self.cycle(row) <= cycle][-SHOWN_ROWS:]
        return [[str(self.cycle(row)), *self._cells(row)] for row in shown]

    def _cells(self, row: str) -> list[str]:
        return [hexadecimal(self.bits(row, self.shell.offset(w), w.width))[2:] for w in self.bound.watches]

    def _golden_cells(
        self, table: CycleColumns | None, differences: Differences, rows: Sequence[Sequence[str]]
    ) -> list[list[str | None]]:
        """Golden cells in the cycles of these rows, as rows show them; empty where nothing is compared."""
        columns = [self._compared(table, differences, watch) for watch in self.bound.watches]
        cells = [[column.get(int(row[0])) for column in columns] for row in rows]
        known = any(cell is not None for row in cells for cell in row)
        shown = [[None if cell is None else f"{cell:x}" for cell in row] for row in cells]
        return shown if known or (table is not None and self.cycle_watches) else []

    def _compared(self, table: CycleColumns | None, differences: Differences, watch: Watch) -> Mapping[int, int | None]:
        """By cycle the value that a signal is compared with: of the schedule, or of a step that was due there."""
        if watch.row.match != "cycle":
            return differences.due(watch)
        return {} if table is None else dict(enumerate(table[watch.schedule_column]))
