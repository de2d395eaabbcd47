# SPDX-License-Identifier: Apache-2.0
"""Rows that are compared with steps, a whole stream at once: whether they agree, not the place of a difference."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from limbtrace.refmodels.model import Index
from limbtrace.rtl_bridge.binding.bound import Watch
from limbtrace.rtl_bridge.shell.text import Shell

WORD = 32
"""Bits of a word of rows."""
PackedWords = NDArray[np.uint32]
"""Rows in words, shape (rows, words of a row), low word first."""


@dataclass(frozen=True)
class _Sort:
    """Signals that are compared with the same steps, in the rows in which the same bit is high."""

    when: int | None
    """Position of that bit in a row; None: in the last row, with the last step."""
    step: str
    copies: int
    """A value times this is in the place of each of them."""
    width: int
    """Bits of the narrowest of them: a larger value is in none of them."""
    mask: PackedWords
    """Their bits in a row."""


class MarkedRows:
    """The rows of a core of match "event" and "result"."""

    def __init__(self, shell: Shell, row_width: int, events: Sequence[Watch], results: Sequence[Watch]) -> None:
        self._size = -(-row_width // WORD)
        found: dict[tuple[int | None, str], list[Watch]] = {}
        for watch in (*events, *results):
            when = shell.when_offset(watch.row.when) if watch.row.when else None
            found.setdefault((when, watch.row.step or ""), []).append(watch)
        self._sorts = [self._sort(shell, when, step, watches) for (when, step), watches in found.items()]

    def _sort(self, shell: Shell, when: int | None, step: str, watches: Sequence[Watch]) -> _Sort:
        mask = sum(((1 << watch.width) - 1) << shell.offset(watch) for watch in watches)
        width = min(watch.width for watch in watches)
        copies = sum(1 << shell.offset(watch) for watch in watches)
        return _Sort(when, step, copies, width, self._words([mask])[0])

    def _words(self, rows: Sequence[int]) -> PackedWords:
        octets = b"".join([row.to_bytes(4 * self._size, "little") for row in rows])
        return np.frombuffer(octets, dtype="<u4").reshape(-1, self._size)

    def agree(self, steps: Sequence[tuple[str, Index, int]], values: PackedWords, none: PackedWords | None) -> bool:
        """True if all rows of a stream have the values of its steps, in order, no more and no fewer.

        `none` has the bits that are x or z; None without such bits.
        """
        return all(self._agrees(sort, steps, values, none) for sort in self._sorts)

    def _agrees(
        self, sort: _Sort, steps: Sequence[tuple[str, Index, int]], values: PackedWords, none: PackedWords | None
    ) -> bool:
        wanted = [value for name, _, value in steps if name == sort.step]
        if sort.when is None:
            wanted, marked = wanted[-1:], np.arange(len(values))[-1:]
        else:
            word, bit = divmod(sort.when, WORD)
            if none is not None and (none[:, word] >> np.uint32(bit) & np.uint32(1)).any():
                return False
            marked = (values[:, word] >> np.uint32(bit) & np.uint32(1)).nonzero()[0]
        if len(marked) != len(wanted) or max(wanted, default=0) >> sort.width:
            return False
        if none is not None and (none[marked] & sort.mask).any():
            return False
        golden = self._words([value * sort.copies for value in wanted])
        return bool(((values[marked] & sort.mask) == golden).all())
