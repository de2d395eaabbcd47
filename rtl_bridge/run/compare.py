# SPDX-License-Identifier: Apache-2.0
"""Golden data against what a core showed: whole products at once, single cells only where they differ."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from limbtrace.refmodels.architecture import Batch, Plan
from limbtrace.refmodels.model import Index
from limbtrace.rtl_bridge.binding.bound import Watch
from limbtrace.rtl_bridge.protocols.fields import CYCLE_BITS
from limbtrace.rtl_bridge.run.event_rows import MarkedRows, Words
from limbtrace.rtl_bridge.run.report import Divergence
from limbtrace.rtl_bridge.shell.outcome import SINCE, Broken
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors.report.render import hexadecimal

SHOWN_ROWS = 8
"""Rows shown up to a difference."""

Table = Sequence[Sequence[int | None]]
"""[column of the schedule][cycle]; None for don't-care cells."""

_KNOWN = str.maketrans("xXzZuUwW-", "000000000")
_PACKED = {("0", "0"): "0", ("1", "0"): "1", ("1", "1"): "x", ("0", "1"): "z"}
_UNKNOWN = str.maketrans("01xXzZuUwW-", "00111111111")


class BatchTable(Sequence[Sequence[int | None]]):
    """The table of one product of a batch; columns are made on first use."""

    def __init__(self, batch: Batch, at: int) -> None:
        self.batch, self.at = batch, at

    def __len__(self) -> int:
        return len(self.batch.columns)

    def __getitem__(self, column: Any) -> Any:
        return self.batch.column(column, self.at)


@dataclass(frozen=True)
class Expected:
    """Golden data of one stream, as the testbench sees it: as if it were one product.

    `result` is what the core returns. Those of several products stand side by side (`Shell.join`).
    """

    case: int
    """Number of the first product."""
    a: int
    b: int
    result: int
    table: Table | None
    steps: Sequence[tuple[str, Index, int]]
    """Steps of the model that rows are compared with, where the core has rows that need them."""
    image: int | None = None
    """`Comparator.images` of the product, where it is at hand."""
    plan: Plan | None = None
    """The schedule that the table was generated from."""
    most: int | None = None
    """Most cycles from start to done, where they are not those of the core without a schedule."""


class PackedRows:
    """Rows as $fwrite writes them with %z; the text of a row is made on first use.

    For every 32 bits of a row, low ones first, there is a word of values and a word that says which of them are none.
    """

    def __init__(self, data: bytes, row_width: int) -> None:
        self._words = np.frombuffer(data, dtype="<u4").reshape(-1, -(-row_width // 32), 2)
        self._octets = row_width // 8

    def __len__(self) -> int:
        """Rows."""
        return len(self._words)

    @property
    def planes(self) -> tuple[int, int]:
        """All rows as one integer, the first in the low bits: the values, and which of them are none."""
        return self._plane(0), self._plane(1) if self._words[:, :, 1].any() else 0

    @property
    def words(self) -> "tuple[Words, Words | None]":
        """The planes in words of 32 bits, None for the second one where all bits are known."""
        none = self._words[:, :, 1]
        return self._words[:, :, 0], none if none.any() else None

    def _plane(self, number: int) -> int:
        octets = np.ascontiguousarray(self._words[:, :, number]).view(np.uint8)
        return int.from_bytes(octets[:, : self._octets].tobytes(), "little")

    def __str__(self) -> str:
        width = 8 * self._octets * len(self)
        values, none = (f"{plane:0{width}b}"[:width] for plane in self.planes)
        return "".join(map(_PACKED.__getitem__, zip(values, none, strict=True)))


class KnownRows:
    """Rows whose bits are all known: one integer each, and its text on first use.

    `words` has shape (rows, 64-bit words of a row), low word first.
    """

    def __init__(self, words: NDArray[np.uint64], row_width: int) -> None:
        self._words, self._octets = words, row_width // 8

    def __len__(self) -> int:
        """Rows."""
        return len(self._words)

    @property
    def planes(self) -> tuple[int, int]:
        """As those of PackedRows."""
        octets = np.ascontiguousarray(self._words, dtype="<u8").view(np.uint8)[:, : self._octets]
        return int.from_bytes(octets.tobytes(), "little"), 0

    @property
    def words(self) -> "tuple[Words, Words | None]":
        """As those of PackedRows."""
        return np.ascontiguousarray(self._words, dtype="<u8").view("<u4")[:, : -(-8 * self._octets // 32)], None

    def __str__(self) -> str:
        width = 8 * self._octets * len(self)
        return f"{self.planes[0]:0{width}b}" if width else ""


@dataclass(frozen=True)
class Seen:
    """Outputs of the core for one product; texts of 0, 1, x, z, most significant bit first, first row last."""

    rows: str | PackedRows | KnownRows
    result: str
    latency: int
    taken: bool
    late: bool
    unknown: bool = False
    """Done was X in cycle `latency`, or before that ready was X."""
    broken: Broken | None = None
    """The violated rule of the handshake, in this product or before it."""


_NOTHING = Seen("", "", 0, taken=True, late=False)
"""Of a product of which nothing is known."""


@dataclass(frozen=True, kw_only=True)
class _Candidate:
    """A difference, with what is needed to find the first one."""

    cycle: int | None
    order: tuple[int, int]
    """Among those of a cycle: sums, registers, handshake, result; and by the position in core.toml."""
    signal: str
    step: tuple[str, Index] | None = None
    expected: str | None
    seen: str | None
    place: int | None = None
    """Number in its stream of the product, where it does not follow from the cycle."""
    where: str = "never"
    """In place of a cycle."""
    reason: str = ""
    kind: str = "value"

    @property
    def key(self) -> tuple[int, int, int]:
        """The first one has the least."""
        return (self.cycle if self.cycle is not None else -2, *self.order)


class Comparator:
    """Compares products of one core."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.bound = shell.bound
        self.row_width = (shell.registers_width + shell.combinational_width + CYCLE_BITS + 7) // 8 * 8
        self.cycle_watches = shell.cycle_watches
        self._mask = 0
        self._masked: Plan | None = None
        self.event_watches = [w for w in self.bound.watches if w.row.match == "event"]
        self.result_watches = [w for w in self.bound.watches if w.row.match == "result"]

    @property
    def signals(self) -> int:
        """Number of watched ports."""
        return len(self.bound.watches)

    @property
    def needs_steps(self) -> bool:
        return bool(self.steps)

    @cached_property
    def steps(self) -> frozenset[str]:
        """Names of the steps that rows are compared with."""
        return frozenset(watch.row.step for watch in (*self.event_watches, *self.result_watches) if watch.row.step)

    def check(self, expected: Expected, seen: Seen) -> Divergence | None:
        """The first difference, None where there is none."""
        if self._agrees(expected, seen):
            return None
        rows = self._rows(seen)
        candidates = [*self._rules(seen), *self._handshake(expected, seen), *self._cells(expected, rows)]
        if not seen.unknown:
            candidates += self._events(expected, seen, rows)
        return self._first(expected, seen, rows, candidates or [*self._result(expected, seen)])

    def outcome(self, expected: Expected, seen: Seen) -> Divergence | None:
        """The first difference in the handshake or else the result; `seen` has the last rows only."""
        candidates = [*self._rules(seen), *self._handshake(expected, seen)]
        return self._first(expected, seen, self._rows(seen), candidates or [*self._result(expected, seen)])

    def _rows(self, seen: Seen) -> list[str]:
        """The rows, first one first."""
        size, text = self.row_width, str(seen.rows)
        return [text[len(text) - at - size : len(text) - at] for at in range(0, len(text), size)]

    def _first(
        self, expected: Expected, seen: Seen, rows: list[str], candidates: list[_Candidate]
    ) -> Divergence | None:
        if not candidates:
            return None
        first = min(candidates, key=lambda candidate: candidate.key)
        place = self._place(expected, seen, first)
        shown = [] if first.order < (0, 0) else self._shown(rows, first.cycle)  # none of a product, then
        return Divergence(
            case=expected.case + place,
            a=f"{self.shell.part('a', expected.a, place):#x}",
            b=None if self.bound.core.file.unary else f"{self.shell.part('b', expected.b, place):#x}",
            cycle=first.cycle,
            signal=first.signal,
            step=first.step,
            expected=first.expected,
            seen=first.seen,
            where=first.where,
            reason=first.reason,
            kind=first.kind,
            columns=[watch.row.name for watch in self.bound.watches],
            rows=shown,
            golden=self._golden(expected.table, shown),
        )

    def _agrees(self, expected: Expected, seen: Seen) -> bool:
        """Quick and complete: one comparison of all rows under a mask, and of all events."""
        if seen.late or seen.broken is not None or not _matches(seen.result, expected.result):
            return False
        if self.needs_steps and not self._steps_agree(expected, seen):
            return False
        if expected.plan is None and seen.latency > (expected.most or self._most):
            return False
        if expected.table is None:
            return True
        if expected.plan is not None and seen.latency != expected.plan.cycles:
            return False
        if not self.cycle_watches:
            return True
        image = self._image(expected.table) if expected.image is None else expected.image
        return _matches(seen.rows, image, self._mask_of(expected))

    def _steps_agree(self, expected: Expected, seen: Seen) -> bool:
        """True if rows have the steps that they are compared with; False too where a text has to be looked at."""
        if seen.unknown or not seen.taken or isinstance(seen.rows, str):
            return False
        return self._marked.agree(expected.steps, *seen.rows.words)

    @cached_property
    def _most(self) -> int:
        """Most cycles from start to done without a schedule, a formula that is evaluated once."""
        return self.bound.most

    @cached_property
    def _marked(self) -> MarkedRows:
        return MarkedRows(self.shell, self.row_width, self.event_watches, self.result_watches)

    def golden_rows(self, table: Table) -> list[int]:
        """The expected row of each cycle, 0 for don't-care bits."""
        values = [0] * len(table[0])
        for watch, offset in self.cycle_watches:
            for cycle, cell in enumerate(table[watch.schedule_column]):
                if cell:
                    values[cycle] |= cell << offset
        return values

    def masks(self, table: Table) -> list[int]:
        """Compare mask of each row."""
        masks = [0] * len(table[0])
        for watch, offset in self.cycle_watches:
            for cycle, cell in enumerate(table[watch.schedule_column]):
                if cell is not None:
                    masks[cycle] |= ((1 << watch.width) - 1) << offset
        return masks

    def words(self, batch: Batch) -> NDArray[np.uint64]:
        """The golden rows of a batch without their numbers, in words of 64 bits, the low one first.

        Shape (products, cycles, words); 0 for don't-care bits.
        """
        count = -(-(self.row_width - CYCLE_BITS) // 64)
        cycles, _, products = batch.columns[0].cells.shape
        rows = np.zeros((count, cycles, products), dtype=np.uint64)
        for watch, offset in self.cycle_watches:
            cells = batch.columns[watch.schedule_column].cells
            for number in range(cells.shape[1]):
                word, shift = divmod(offset - CYCLE_BITS + 64 * number, 64)
                rows[word] |= cells[:, number] << np.uint64(shift)
                if shift and word + 1 < count:
                    rows[word + 1] |= cells[:, number] >> np.uint64(64 - shift)
        return rows.transpose(2, 1, 0)

    def images(self, batch: Batch) -> Iterator[int]:
        """All golden rows of each product as one integer."""
        words = np.ascontiguousarray(self.words(batch), dtype="<u8")
        octets = np.zeros((*words.shape[:2], self.row_width // 8), dtype=np.uint8)
        octets[:, :, CYCLE_BITS // 8 :] = words.view(np.uint8)[:, :, : (self.row_width - CYCLE_BITS) // 8]
        return (int.from_bytes(product.tobytes(), "little") << self.row_width for product in octets)

    def _image(self, table: Table) -> int:
        return self._join(self.golden_rows(table))

    def _mask_of(self, expected: Expected) -> int:
        """Compare mask of all rows; the same for all products of a schedule."""
        if expected.table is not None and (not self._mask or self._masked is not expected.plan):
            self._mask, self._masked = self._join(self.masks(expected.table)), expected.plan
        return self._mask

    def _join(self, rows: Sequence[int]) -> int:
        """Rows of cycle 0 and on as one integer; below them stands that of cycle -1, in which the start happens."""
        size = self.row_width // 8
        return int.from_bytes(b"".join(row.to_bytes(size, "little") for row in rows), "little") << self.row_width

    def _bits(self, row: str, offset: int, width: int) -> str:
        return row[self.row_width - offset - width : self.row_width - offset]

    def _place(self, expected: Expected, seen: Seen, found: _Candidate) -> int:
        """Number in its stream of the product that a difference is one of.

        Where neither the difference nor a schedule says it, the first one with another result.
        """
        if found.place is not None:
            return found.place
        if expected.plan is not None:
            return max(bisect_right(expected.plan.starts, found.cycle or 0) - 1, 0)
        return next((place for place, _, _ in self._wrong_results(expected, seen)), 0)

    def _rules(self, seen: Seen) -> Iterator[_Candidate]:
        """The rule of the handshake that was broken."""
        if (broken := seen.broken) is None:
            return
        rule = self.shell.connection.rules[broken.rule]
        started = broken.since == len(SINCE) - 1
        yield _Candidate(
            cycle=broken.cycle if started else None,
            order=(2, 1) if started else (-1, 0),
            signal=rule.name,
            expected="known" if rule.level is None else f"{rule.level:#x}",
            seen=hexadecimal(broken.level[-rule.width :]),
            where=broken.where,
            reason=rule.why,
            kind="handshake",
        )

    def broken(self, expected: Expected, broken: Broken) -> Divergence:
        """The difference where all that is known of a product is that a rule of the handshake was broken."""
        found = self._first(expected, _NOTHING, [], [*self._rules(replace(_NOTHING, broken=broken))])
        assert found is not None
        return found

    def _handshake(self, expected: Expected, seen: Seen) -> Iterator[_Candidate]:
        """Started at all, done at all, done in the right cycle."""
        protocol, plan = self.bound.core.file.protocol, expected.plan
        if not seen.taken:
            port, level = protocol.taken
            shown = "0xx" if seen.unknown else f"{1 - level:#x}"
            yield _Candidate(cycle=None, order=(0, 0), signal=port, expected=f"{level:#x}", seen=shown, kind="timing")
            return

        def done(cycle: int, expected: str, seen: str, reason: str = "") -> _Candidate:
            # done is a register: the edge that ends the cycle before loads it.
            return _Candidate(
                cycle=cycle - 1,
                order=(2, 0),
                signal=protocol.finished,
                expected=expected,
                seen=seen,
                reason=reason,
                kind="timing",
            )

        if seen.unknown and (plan is None or seen.latency <= plan.cycles):
            wanted = int(plan is not None and seen.latency == plan.cycles)
            yield done(seen.latency, f"{wanted:#x}", "0xx")
        elif plan is not None and (seen.late or seen.latency > plan.cycles):
            yield done(plan.cycles, "0x1", "0x0")
        elif plan is not None and seen.latency < plan.cycles:
            yield done(seen.latency, "0x0", "0x1")
        elif seen.late:
            yield done(self.bound.limit, "0x1", "0x0")
        elif seen.latency > (most := expected.most or self.bound.most):
            reason = f"timeout allows {most} cycles from start to done, and this one took {seen.latency}"
            yield done(most, "0x1", "0x0", reason)

    def _cells(self, expected: Expected, rows: Sequence[str]) -> Iterator[_Candidate]:
        """Every cell that differs from the schedule."""
        if expected.table is None:
            return
        for position, (watch, offset) in enumerate(self.cycle_watches):
            for cycle, (cell, row) in enumerate(zip(expected.table[watch.schedule_column], rows[1:], strict=False)):
                bits = self._bits(row, offset, watch.width)
                if cell is not None and not _matches(bits, cell):
                    assert expected.plan is not None
                    yield _Candidate(
                        cycle=cycle,
                        order=(int(watch.kind == "register"), position),
                        signal=watch.row.name,
                        step=expected.plan.step_at(watch.schedule_column, cycle, _lowest_difference(bits, cell)),
                        expected=f"{cell:#x}",
                        seen=hexadecimal(bits),
                        place=expected.plan.product_at(watch.schedule_column, cycle),
                    )

    def _events(self, expected: Expected, seen: Seen, rows: Sequence[str]) -> Iterator[_Candidate]:
        """Values that came with a `when`, in order; the value of a step when the core is done."""
        for position, watch in enumerate(self.event_watches):
            assert watch.row.when is not None
            at, offset = self.shell.when_offset(watch.row.when), self.shell.offset(watch)
            order = (int(watch.kind == "register"), position)
            wanted_steps = [step for step in expected.steps if step[0] == watch.row.step]
            each = len(wanted_steps) // len(self.bound.starts)
            steps = iter([(k // each, *step) for k, step in enumerate(wanted_steps)])
            for row in rows:
                high = self._bits(row, at, 1)
                if high not in "01":
                    cycle = _cycle(row, self)
                    yield _Candidate(cycle=cycle, order=order, signal=watch.row.when, expected=None, seen=high)
                if high != "1":
                    continue
                bits = self._bits(row, offset, watch.width)
                place, name, index, value = next(steps, (None, None, (), None))
                if value is None or not _matches(bits, value):
                    yield _Candidate(
                        cycle=_cycle(row, self),
                        order=order,
                        signal=watch.row.source,
                        step=None if name is None else (name, index),
                        expected=None if value is None else f"{value:#x}",
                        seen=hexadecimal(bits),
                        place=place,
                    )
                    break
            else:
                for place, name, index, value in steps:
                    yield _Candidate(
                        cycle=seen.latency,
                        order=order,
                        signal=watch.row.source,
                        step=(name, index),
                        expected=f"{value:#x}",
                        seen=None,
                        place=place,
                    )
                    break
        for position, watch in enumerate(self.result_watches):
            yield from self._at_the_end(watch, position, expected, seen, rows)

    def _at_the_end(
        self, watch: Watch, position: int, expected: Expected, seen: Seen, rows: Sequence[str]
    ) -> Iterator[_Candidate]:
        name, index, value = [step for step in expected.steps if step[0] == watch.row.step][-1]
        bits = self._bits(rows[-1], self.shell.offset(watch), watch.width) if rows else ""
        if not _matches(bits, value):
            yield _Candidate(
                cycle=seen.latency,
                order=(int(watch.kind == "register"), position),
                signal=watch.row.source,
                step=(name, index),
                expected=f"{value:#x}",
                seen=hexadecimal(bits),
                place=len(self.bound.starts) - 1,
            )

    def _result(self, expected: Expected, seen: Seen) -> Iterator[_Candidate]:
        """The results one by one, and whether there were words that belong to none of them."""
        if _matches(seen.result, expected.result):
            return
        for place, wanted, bits in self._wrong_results(expected, seen):
            signal, value, shown = self._shown_result(wanted, bits)
            yield _Candidate(
                cycle=seen.latency,
                order=(3, place),
                signal=signal,
                expected=f"{value:#x}",
                seen=shown,
                place=place,
            )
        if len(seen.result) > self.shell.product_width("result") * self.bound.products and seen.result[0] != "0":
            port = self.bound.core.file.protocol.finished
            shown = hexadecimal(seen.result[0])
            yield _Candidate(cycle=seen.latency, order=(4, 0), signal=port, expected=None, seen=shown)

    def _shown_result(self, wanted: int, bits: str) -> tuple[str, int, str]:
        """Name, expected value and what was seen of a result that differs, or of its first wrong digit."""
        if not self.shell.result_digits:
            return "result", wanted, hexadecimal(bits)
        if not bits.strip("01"):
            values = [self.shell.result_value(image) for image in (wanted, int(bits, 2))]
            if values[0] != values[1]:
                return "result", values[0], f"{values[1]:#x}"
        size = self.shell.digit_width
        place = _lowest_difference(bits, wanted) // size
        end = len(bits) - size * place
        return f"result[{place}]", wanted >> (size * place) & ((1 << size) - 1), hexadecimal(bits[end - size : end])

    def _wrong_results(self, expected: Expected, seen: Seen) -> Iterator[tuple[int, int, str]]:
        """(number in its stream, expected, seen) of every result that differs."""
        width = self.shell.product_width("result")
        for place in range(len(self.bound.starts)):
            end = len(seen.result) - width * place
            bits, wanted = seen.result[end - width : end], self.shell.part("result", expected.result, place)
            if not _matches(bits, wanted):
                yield place, wanted, bits

    def _shown(self, rows: Sequence[str], cycle: int | None) -> list[list[str]]:
        shown = [row for row in rows if cycle is None or _cycle(row, self) <= cycle][-SHOWN_ROWS:]
        return [
            [
                str(_cycle(row, self)),
                *(hexadecimal(self._bits(row, self.shell.offset(w), w.width))[2:] for w in self.bound.watches),
            ]
            for row in shown
        ]

    def _golden(self, table: Table | None, shown: Sequence[Sequence[str]]) -> list[list[str | None]]:
        """Cells of the golden table in the cycles of these rows; empty without a table."""
        if table is None or not self.cycle_watches:
            return []
        columns = [table[w.schedule_column] if w.row.match == "cycle" else () for w in self.bound.watches]
        cycles = [int(row[0]) for row in shown]
        return [[_cell(column, cycle) for column in columns] for cycle in cycles]


def _cell(column: Sequence[int | None], cycle: int) -> str | None:
    """A cell of a golden table as rows show it; None outside the table and for a don't-care cell."""
    cell = column[cycle] if 0 <= cycle < len(column) else None
    return None if cell is None else f"{cell:x}"


def _cycle(row: str, comparator: Comparator) -> int:
    number = int(row[comparator.row_width - CYCLE_BITS :].translate(_KNOWN), 2)
    return number if number >> (CYCLE_BITS - 1) == 0 else number - (1 << CYCLE_BITS)


def _planes(bits: str) -> tuple[int, int]:
    """The values of a text, and which of them are none."""
    try:
        return int(bits, 2), 0
    except ValueError:
        return int(bits.translate(_KNOWN), 2), int(bits.translate(_UNKNOWN), 2)


def _matches(bits: str | PackedRows | KnownRows, value: int, mask: int | None = None) -> bool:
    """Are the bits under the mask known, and those of `value`?"""
    if not bits:
        return False
    known, unknown = _planes(bits) if isinstance(bits, str) else bits.planes
    if mask is not None:
        known, unknown = known & mask, unknown & mask
    return known == value and unknown == 0


def _lowest_difference(bits: str, value: int) -> int:
    """Number of the lowest bit that is unknown or not that of `value`; 0 where there are none."""
    return next((k for k, bit in enumerate(reversed(bits)) if bit != str(value >> k & 1)), 0)
