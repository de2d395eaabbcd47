# SPDX-License-Identifier: Apache-2.0
"""Spacing of products in a run without disturbances: what `lt_sequencer.sv` makes of their numbers."""

from typing import NamedTuple

from limbtrace.rtl_bridge.core.core_file import CoreFile

STALL_PATTERNS = 8
"""Ways in which the stream of a handshake stalls, see lt_handshake_stream.sv."""
_TRIED = 1000
"""Numbers of products among which every gap and every way to stall occurs."""
_CLOSE = 64
"""Of the first that many products every fourth follows another one at once, of the others every sixteenth."""


class Gap(NamedTuple):
    """The cycles in front of a product."""

    behind: bool
    """True if another product is right in front of it, whose result is discarded."""
    cycles: int
    """From the first cycle in which that one is done to the one with the start, 0 to 3, or 1 to 3 where nothing shows
    that a product is taken when another one is done; 0 where the core has been given it by then. Else the cycles in
    addition to those of loading and reading, 0 to 7."""


def _mixed(case: int) -> int:
    """A hash of the number of a product, of 32 bits."""
    return (case + 1) * 0x9E3779B1 & 0xFFFFFFFF


def gap(case: int, file: CoreFile) -> Gap:
    """The gap in front of the product or stream that begins with a case."""
    mixed = _mixed(case) >> 25
    if file.again and mixed >> (5 if case < _CLOSE else 3) == 0:
        return Gap(True, 0 if file.ahead and mixed & 4 else max(mixed & 3, int(not file.protocol.at_once)))
    return Gap(False, mixed & 7)


def turns(file: CoreFile, *, behind: bool) -> list[int]:
    """Numbers of products that start right behind another one or not, one for each length of the gap, the shortest
    first."""
    found: dict[int, int] = {}
    for turn in range(_TRIED):
        before = gap(turn, file)
        if before.behind == behind:
            found.setdefault(before.cycles, turn)
    return [found[cycles] for cycles in sorted(found)]


def stalled_turns(stall_seed: int) -> list[int]:
    """Numbers of streams, one for each way to stall; `stall_seed` is not 0."""
    found: dict[int, int] = {}
    for turn in range(_TRIED):
        found.setdefault(_mixed(turn) >> 29 ^ stall_seed >> 1 & 7, turn)
    return [found[pattern] for pattern in range(STALL_PATTERNS)]
