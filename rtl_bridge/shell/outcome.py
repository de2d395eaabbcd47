# SPDX-License-Identifier: Apache-2.0
"""The outcome of a product in a lock-step run: where its fields are, for Python and for lt_lockstep_tb."""

from typing import NamedTuple

from rtl_bridge.shell.layout import CYCLE_BITS

RULE = {"Rule": 8, "Level": 1, "Since": 2, "RuleCycle": 32}
"""Outputs of lt_monitor and their widths: which rule of the handshake was broken, and when."""
OUTCOME = {"Taken": 1, "Late": 1, "Unknown": 1, "Octets": 32, "Latency": CYCLE_BITS, **RULE}
"""Fields of `outcome` in lt_lockstep_tb and their widths, the first in the low bits; the result is above them."""


SINCE = ("in a reset", "after the reset", "after the start of the product before it", "")
"""What `Since` means: where a rule was broken; the last one is a cycle of the product at work."""


class Broken(NamedTuple):
    """What lt_monitor found: a rule of the handshake that a cycle broke."""

    rule: int
    """Its number in `Connection.rules`."""
    level: str
    """What its output was: 0, 1 or x."""
    since: int
    """Index into SINCE."""
    cycle: int

    @classmethod
    def read(cls, rule: int, level: str, since: int, cycle: int) -> "Broken | None":
        """The outputs of lt_monitor; None where no rule was broken."""
        return cls(rule - 1, level, since, cycle) if rule else None

    @property
    def where(self) -> str:
        """In place of a cycle, where the product at work had not started."""
        if self.since == 0:
            return SINCE[0]
        return f"{self.cycle} cycle{'' if self.cycle == 1 else 's'} {SINCE[self.since]}"


def outcome_parameters() -> dict[str, int]:
    """Where each field of `outcome` begins, as parameters of the testbench; ResultAt is where the result does."""
    positions, position = {}, 0
    for name, width in OUTCOME.items():
        positions[f"{name}At"] = position
        position += width
    return {**positions, "ResultAt": position}


def outcome_fields(outcome: str) -> dict[str, str]:
    """The digits of every field of `outcome`, given as digits with the high one first; those above them as Result."""
    fields = {}
    for name, width in OUTCOME.items():
        outcome, fields[name] = outcome[:-width], outcome[-width:]
    return {**fields, "Result": outcome}
