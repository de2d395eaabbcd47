# SPDX-License-Identifier: Apache-2.0
"""How products follow each other in a run without disturbances: what `lt_sequencer.sv` makes of their numbers."""

from typing import NamedTuple

_CLOSE = 64
"""Of the first that many products every fourth follows another one at once, of the others every sixteenth."""


class Gap(NamedTuple):
    """The cycles in front of a product."""

    behind: bool
    """Whether there is another product right in front of it, whose result nobody looks at."""
    cycles: int
    """From the first cycle in which that one is done to the one with the start, 0 to 3; else in addition to the cycles
    of loading and reading, 0 to 7."""


def gap(case: int, *, again: bool) -> Gap:
    """The gap in front of the product or stream that begins with a case; `again` is that of the core."""
    mixed = ((case + 1) * 0x9E3779B1 & 0xFFFFFFFF) >> 25
    if again and mixed >> (5 if case < _CLOSE else 3) == 0:
        return Gap(True, mixed & 3)
    return Gap(False, mixed & 7)
