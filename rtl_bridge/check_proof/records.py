# SPDX-License-Identifier: Apache-2.0
"""Records that a checker keeps of the lines that it has read."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from limbtrace.rtl_bridge.check_proof.logic import BitWord

HeldState = dict[int, Any]
"""Registers -> their words, or the cycle and the line that they follow from."""


class WrongError(Exception):
    """A line of a certificate that does not hold."""


@dataclass(eq=False)
class ReplayedCycle:
    """A clock cycle: what registers hold in it, and what the proof says of its lines."""

    state: HeldState
    given: dict[int, tuple[int, int]]
    """Line of the design -> its term, and the line of the certificate that says so."""
    known: dict[int, BitWord]
    before: "ReplayedCycle | None"
    """The cycle in front of it, as long as nothing was forgotten in between."""

    def at(self, number: int) -> BitWord:
        """The value of a line that is known; of a negative number, its inverse."""
        return self.known[number] if number > 0 else tuple(-bit for bit in self.known[-number])


@dataclass
class FollowedProduct:
    """A product that was given to the core."""

    name: str
    start: HeldState
    began: int
    ended: bool = False
    cycle: int = -1
    """The cycle from the first one of its product on in which its result was there."""
    result: tuple[tuple[int, int, str, int], ...] = ()
    """(high, low, value, bit) of each part of the result."""


@dataclass
class CheckCounts:
    """Numbers of what was checked, and of what was not."""

    lines: int = 0
    claims: int = 0
    cuts: int = 0
    states: int = 0
    refuted: int = 0
    trusted: Counter[str] = field(default_factory=Counter)
    open: Counter[str] = field(default_factory=Counter)
    """Equalities without a refutation, by what they are about."""
