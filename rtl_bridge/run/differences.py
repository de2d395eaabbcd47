# SPDX-License-Identifier: Apache-2.0
"""Every difference between the golden data of a stream and the outputs of the core, in order to find the first one."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from limbtrace.refmodels.model import Index
from limbtrace.rtl_bridge.binding.bound import Watch
from limbtrace.rtl_bridge.run.golden_rows import GoldenRows
from limbtrace.rtl_bridge.run.products import CoreOutputs, ExpectedStream
from limbtrace.rtl_bridge.run.rows import lowest_difference, matches
from limbtrace.rtl_bridge.shell.outcome import SINCE
from limbtrace.vectors.report.render import hexadecimal


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A difference, with what is needed to find the first one."""

    cycle: int | None
    order: tuple[int, int]
    """Among those of a cycle: sums, registers, handshake, result; and by the position in core.toml."""
    signal: str
    step: tuple[str, Index] | None = None
    expected: str | None
    observed: str | None
    product: int | None = None
    """Number of the product in its stream, if it does not follow from the cycle."""
    where: str = "never"
    """In place of a cycle."""
    reason: str = ""
    kind: str = "value"

    @property
    def key(self) -> tuple[int, int, int]:
        """The first one has the least."""
        return (self.cycle if self.cycle is not None else -2, *self.order)


@dataclass(frozen=True)
class _Step:
    """A step of the model, and the number in its stream of the product that it is one of."""

    product: int
    name: str
    index: Index
    value: int


class _Result(NamedTuple):
    """A result that differs, and its number in its stream."""

    product: int
    expected: int
    observed: str


class Differences:
    """The differences of one stream, kind by kind."""

    def __init__(self, golden: GoldenRows, expected: ExpectedStream, observed: CoreOutputs) -> None:
        self._golden, self._expected, self._observed = golden, expected, observed
        self._shell, self._bound = golden.shell, golden.bound

    @cached_property
    def rows(self) -> list[str]:
        """The rows of the core as texts, first one first."""
        return self._golden.split(str(self._observed.rows))

    def product_of(self, difference: Difference) -> int:
        """Number in its stream of the product that a difference is one of.

        Where neither the difference nor a schedule says it, the first one with another result.
        """
        if difference.product is not None:
            return difference.product
        if self._expected.plan is not None:
            return max(bisect_right(self._expected.plan.starts, difference.cycle or 0) - 1, 0)
        return next((result.product for result in self._wrong_results()), 0)

    # The handshake.

    def handshake(self) -> Iterator[Difference]:
        """The rule that was broken; started at all, done at all, done in the right cycle."""
        yield from self.broken_rule()
        if self._observed.taken:
            yield from self._done_cycle()
        else:
            yield self._not_taken()

    def broken_rule(self) -> Iterator[Difference]:
        """The rule of the handshake that was broken."""
        if (broken := self._observed.broken) is None:
            return
        rule = self._shell.connection.rules[broken.rule]
        has_started = broken.since == len(SINCE) - 1
        yield Difference(
            cycle=broken.cycle if has_started else None,
            order=(2, 1) if has_started else (-1, 0),
            signal=rule.name,
            expected="known" if rule.level is None else f"{rule.level:#x}",
            observed=hexadecimal(broken.level[-rule.width :]),
            where=broken.where,
            reason=rule.why,
            kind="handshake",
        )

    def _not_taken(self) -> Difference:
        port, level = self._bound.core.file.protocol.taken
        observed = "0xx" if self._observed.unknown else f"{1 - level:#x}"
        return Difference(
            cycle=None, order=(0, 0), signal=port, expected=f"{level:#x}", observed=observed, kind="timing"
        )

    def _done_cycle(self) -> Iterator[Difference]:
        """Done unknown, too late or too early: by the schedule, or else by the limit of cycles."""
        observed, plan = self._observed, self._expected.plan
        if observed.unknown and (plan is None or observed.latency <= plan.cycles):
            is_due = plan is not None and observed.latency == plan.cycles
            yield self._done(observed.latency, f"{is_due:#x}", "0xx")
        elif plan is not None and (observed.late or observed.latency > plan.cycles):
            yield self._done(plan.cycles, "0x1", "0x0")
        elif plan is not None and observed.latency < plan.cycles:
            yield self._done(observed.latency, "0x0", "0x1")
        elif observed.late:
            yield self._done(self._bound.limit, "0x1", "0x0")
        elif observed.latency > (limit := self._expected.max_cycles or self._bound.most):
            reason = f"timeout allows {limit} cycles from start to done, and this one took {observed.latency}"
            yield self._done(limit, "0x1", "0x0", reason)

    def _done(self, cycle: int, expected: str, observed: str, reason: str = "") -> Difference:
        return Difference(
            cycle=cycle - 1,  # done is a register: the edge that ends the cycle before loads it
            order=(2, 0),
            signal=self._bound.core.file.protocol.finished,
            expected=expected,
            observed=observed,
            reason=reason,
            kind="timing",
        )

    # Rows.

    def cells(self) -> Iterator[Difference]:
        """Every cell that differs from the schedule."""
        if self._expected.table is None:
            return
        for position, (watch, offset) in enumerate(self._golden.cycle_watches):
            column = self._expected.table[watch.schedule_column]
            for cycle, (cell, row) in enumerate(zip(column, self.rows[1:], strict=False)):
                bits = self._golden.bits(row, offset, watch.width)
                if cell is not None and not matches(bits, cell):
                    yield self._cell(watch, position, cycle, cell, bits)

    def _cell(self, watch: Watch, position: int, cycle: int, cell: int, bits: str) -> Difference:
        plan = self._expected.plan
        assert plan is not None
        return Difference(
            cycle=cycle,
            order=_order(watch, position),
            signal=watch.row.name,
            step=plan.step_at(watch.schedule_column, cycle, lowest_difference(bits, cell)),
            expected=f"{cell:#x}",
            observed=hexadecimal(bits),
            product=plan.product_at(watch.schedule_column, cycle),
        )

    def events(self) -> Iterator[Difference]:
        """Values that came with a `when`, in order; the value of a step when the core is done."""
        for position, watch in enumerate(self._golden.event_watches):
            yield from self._events_of(watch, _order(watch, position))
        for position, watch in enumerate(self._golden.result_watches):
            yield from self._final_value(watch, _order(watch, position))

    def _events_of(self, watch: Watch, order: tuple[int, int]) -> Iterator[Difference]:
        """Rows with an unknown `when`, and the first event that is not the next step, or that is missing."""
        assert watch.row.when is not None
        when, offset = self._shell.when_offset(watch.row.when), self._shell.offset(watch)
        steps = iter(self._steps_of(watch))
        for row in self.rows:
            high = self._golden.bits(row, when, 1)
            if high not in "01":
                cycle = self._golden.cycle(row)
                yield Difference(cycle=cycle, order=order, signal=watch.row.when, expected=None, observed=high)
            if high != "1":
                continue
            bits, step = self._golden.bits(row, offset, watch.width), next(steps, None)
            if step is None or not matches(bits, step.value):
                yield self._event(watch, order, self._golden.cycle(row), step, hexadecimal(bits))
                return
        if (step := next(steps, None)) is not None:
            yield self._event(watch, order, self._observed.latency, step, None)

    def due(self, watch: Watch) -> dict[int, int]:
        """By cycle the values that a signal of match "event" or "result" should have; none where steps are unknown."""
        steps = iter(self._steps_of(watch))
        if watch.row.when is None:
            is_done = self._observed.taken and not self._observed.late and bool(self.rows)
            values = [step.value for step in steps][-1:] if is_done else []
            return {self._golden.cycle(self.rows[-1]): value for value in values}
        when = self._shell.when_offset(watch.row.when)
        high = (row for row in self.rows if self._golden.bits(row, when, 1) == "1")
        return {self._golden.cycle(row): step.value for row, step in zip(high, steps, strict=False)}

    def _steps_of(self, watch: Watch) -> list[_Step]:
        """The steps that a signal is compared with: those of the products of the stream, one after the other."""
        steps = [step for step in self._expected.steps if step[0] == watch.row.step]
        steps_per_product = len(steps) // len(self._bound.starts)
        return [_Step(k // steps_per_product, *step) for k, step in enumerate(steps)]

    def _final_value(self, watch: Watch, order: tuple[int, int]) -> Iterator[Difference]:
        """A value of the last row that is not that of the last step."""
        name, index, value = [step for step in self._expected.steps if step[0] == watch.row.step][-1]
        offset = self._shell.offset(watch)
        bits = self._golden.bits(self.rows[-1], offset, watch.width) if self.rows else ""
        if not matches(bits, value):
            step = _Step(len(self._bound.starts) - 1, name, index, value)
            yield self._event(watch, order, self._observed.latency, step, hexadecimal(bits))

    def _event(
        self, watch: Watch, order: tuple[int, int], cycle: int, step: _Step | None, observed: str | None
    ) -> Difference:
        """`step` is None for an event too many."""
        return Difference(
            cycle=cycle,
            order=order,
            signal=watch.row.source,
            step=None if step is None else (step.name, step.index),
            expected=None if step is None else f"{step.value:#x}",
            observed=observed,
            product=None if step is None else step.product,
        )

    # Results.

    def results(self) -> Iterator[Difference]:
        """The results one by one, and whether there were words that belong to none of them."""
        observed = self._observed
        if matches(observed.result, self._expected.result):
            return
        for result in self._wrong_results():
            yield self._result(result)
        width = self._shell.product_width("result") * self._bound.products
        if len(observed.result) > width and observed.result[0] != "0":
            port, guard = self._bound.core.file.protocol.finished, hexadecimal(observed.result[0])
            yield Difference(cycle=observed.latency, order=(4, 0), signal=port, expected=None, observed=guard)

    def _wrong_results(self) -> Iterator[_Result]:
        """Every result that differs."""
        width, text = self._shell.product_width("result"), self._observed.result
        for product in range(len(self._bound.starts)):
            end = len(text) - width * product
            bits, expected = text[end - width : end], self._shell.part("result", self._expected.result, product)
            if not matches(bits, expected):
                yield _Result(product, expected, bits)

    def _result(self, result: _Result) -> Difference:
        signal, expected, observed = self._shown_result(result.expected, result.observed)
        beyond = self._beyond(result.observed)
        return Difference(
            cycle=self._observed.latency,
            order=(3, result.product),
            signal=signal,
            expected=f"{expected:#x}",
            observed=observed if beyond is None else f"{beyond:#x}",
            product=result.product,
            reason="" if beyond is None else self._outside(beyond, expected),
        )

    def _beyond(self, bits: str) -> int | None:
        """The number that a core returned outside of an exact signed range; None for others and unknown ones."""
        if self._bound.signed_result is None or bits.strip("01") or bits[0] == "0":
            return None
        width = self._bound.signed_width
        value = int(bits[-width:], 2)
        return value - (value >> (width - 1) << width)

    def _outside(self, number: int, expected: int) -> str:
        """The reason why a number is wrong, whatever its residue."""
        signed = self._bound.signed_result
        assert signed is not None
        congruent = "it has the right residue, and " if (number - expected) % signed.modulus == 0 else ""
        return f"{congruent}results reach from {signed.least:#x} to {signed.most:#x}"

    def _shown_result(self, expected: int, bits: str) -> tuple[str, int, str]:
        """Name, expected and observed value of a result that differs, or of its first wrong digit."""
        if not self._shell.result_digits:
            return "result", expected, hexadecimal(bits)
        if not bits.strip("01") and not self._bound.multiplier.model.several:
            values = [self._shell.result_value(image) for image in (expected, int(bits, 2))]
            if values[0] != values[1]:
                return "result", values[0], f"{values[1]:#x}"
        size = self._shell.digit_width
        digit = lowest_difference(bits, expected) // size
        end = len(bits) - size * digit
        return f"result[{digit}]", expected >> (size * digit) & ((1 << size) - 1), hexadecimal(bits[end - size : end])


def _order(watch: Watch, position: int) -> tuple[int, int]:
    """Order in a cycle of a row: registers come after sums."""
    return int(watch.kind == "register"), position
