# SPDX-License-Identifier: Apache-2.0
"""Spacing of products in a run without disturbances: what `lt_sequencer.sv` makes of their numbers."""

from typing import NamedTuple

from limbtrace.rtl_bridge.core.core_file import CoreFile

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


STALL_PATTERNS = 8
"""Ways in which the stream of a handshake stalls, see lt_handshake_stream.sv."""


def stall_pattern(case: int, stall_seed: int) -> int:
    """The way in which the stream that begins with a case stalls; `stall_seed` is not 0."""
    return ((case + 1) * 0x9E3779B1 & 0xFFFFFFFF) >> 29 ^ stall_seed >> 1 & 7


def gap(case: int, file: CoreFile) -> Gap:
    """The gap in front of the product or stream that begins with a case."""
    mixed = ((case + 1) * 0x9E3779B1 & 0xFFFFFFFF) >> 25
    if file.again and mixed >> (5 if case < _CLOSE else 3) == 0:
        return Gap(True, 0 if file.ahead and mixed & 4 else max(mixed & 3, int(not file.protocol.at_once)))
    return Gap(False, mixed & 7)
