# SPDX-License-Identifier: Apache-2.0
"""The rows that a core is expected to show, from the tables of its schedule, at the positions of the shell."""

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from limbtrace.refmodels.architecture import Batch, Plan
from limbtrace.rtl_bridge.protocols.fields import CYCLE_BITS
from limbtrace.rtl_bridge.run.products import CycleColumns, ExpectedStream
from limbtrace.rtl_bridge.run.rows import known_bits
from limbtrace.rtl_bridge.shell.text import Shell


class GoldenRows:
    """Expected rows of one core, and where the bits of its rows are."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.bound = shell.bound
        self.row_width = (shell.registers_width + shell.combinational_width + CYCLE_BITS + 7) // 8 * 8
        self.cycle_watches = shell.cycle_watches
        self.event_watches = [w for w in self.bound.watches if w.row.match == "event"]
        self.result_watches = [w for w in self.bound.watches if w.row.match == "result"]
        self._mask = 0
        self._masked: Plan | None = None
        """The schedule that `_mask` is for."""

    @property
    def signals(self) -> int:
        """Number of watched ports."""
        return len(self.bound.watches)

    @property
    def needs_steps(self) -> bool:
        """True if rows are compared with steps of the model."""
        return bool(self.steps)

    @cached_property
    def steps(self) -> frozenset[str]:
        """Names of the steps that rows are compared with."""
        return frozenset(watch.row.step for watch in (*self.event_watches, *self.result_watches) if watch.row.step)

    # Expected rows.

    def expected_rows(self, table: CycleColumns) -> list[int]:
        """The expected row of each cycle, 0 for don't-care bits."""
        values = [0] * len(table[0])
        for watch, offset in self.cycle_watches:
            for cycle, cell in enumerate(table[watch.schedule_column]):
                if cell:
                    values[cycle] |= cell << offset
        return values

    def masks(self, table: CycleColumns) -> list[int]:
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

    def image(self, table: CycleColumns) -> int:
        """All golden rows of a product as one integer."""
        return self._joined(self.expected_rows(table))

    def mask_of(self, expected: ExpectedStream) -> int:
        """Compare mask of all rows; the same for all products of a schedule."""
        if expected.table is not None and (not self._mask or self._masked is not expected.plan):
            self._mask, self._masked = self._joined(self.masks(expected.table)), expected.plan
        return self._mask

    def _joined(self, rows: Sequence[int]) -> int:
        """Rows of cycle 0 and on as one integer; below them stands that of cycle -1, in which the start happens."""
        size = self.row_width // 8
        return int.from_bytes(b"".join(row.to_bytes(size, "little") for row in rows), "little") << self.row_width

    # Rows as texts, most significant bit first.

    def split(self, text: str) -> list[str]:
        """The rows of a text with the first row last, first one first."""
        size = self.row_width
        return [text[len(text) - at - size : len(text) - at] for at in range(0, len(text), size)]

    def bits(self, row: str, offset: int, width: int) -> str:
        """Bits of a row."""
        return row[self.row_width - offset - width : self.row_width - offset]

    def cycle(self, row: str) -> int:
        """The number of a row, which is signed."""
        number = int(known_bits(self.bits(row, 0, CYCLE_BITS)), 2)
        return number if number >> (CYCLE_BITS - 1) == 0 else number - (1 << CYCLE_BITS)
